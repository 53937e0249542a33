// usage: imports.mjs PYODIDE MODULE.so
// Everything that the module imports is there: a name that Pyodide lacks is no error when the module is
// loaded, but ends Python when it is called.
import { readFileSync } from "node:fs";
import path from "node:path";

const [pyodide, module] = process.argv.slice(2);
const compiled = file => new WebAssembly.Module(readFileSync(file));
const main = compiled(pyodide + "/pyodide.asm.wasm"),
	side = compiled(module);
const names = list => list.map(({ name }) => name);
// What its JavaScript offers to modules: wasmImports = {name: _name, ...}.
const script = readFileSync(path.join(pyodide, "pyodide.asm.js"), "utf8");
const [, offered] = script.match(/wasmImports\s*=\s*\{([^}]*)\}/);
const known = new Set([
	...offered.split(",").map(entry => entry.split(":")[0].trim()),
	...names(WebAssembly.Module.exports(main)),
	...names(WebAssembly.Module.imports(main)),
	...names(WebAssembly.Module.exports(side)),
]);
// Pyodide makes these when a module asks for them, one for each signature.
const made =
	/^(invoke_[a-z]+|__cxa_find_matching_catch_\d+|__(memory|stack_pointer|(memory|table)_base|indirect_function_table))$/;
const imports = WebAssembly.Module.imports(side);
const missing = names(imports).filter(name => !known.has(name) && !made.test(name));
console.log(`${imports.length} imports, ${missing.length} missing ${missing.join(" ")}`);
process.exit(imports.length === 0 || missing.length > 0 ? 1 : 0);
