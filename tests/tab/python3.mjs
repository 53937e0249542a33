// A python3 that is Pyodide with the module: node python3.mjs PYODIDE TREE FILE [ARGUMENT...], where
// FILE is a script, whose folder and /tmp Python sees as they are. Exit status 134: Python itself ended.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, tree, file, ...rest] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide + "/" });
for (const root of [path.resolve(tree), "/tmp"]) {
	python.FS.mkdirTree(root);
	python.FS.mount(python.FS.filesystems.NODEFS, { root }, root);
}
python.FS.mkdirTree("/module");
python.FS.writeFile(
	"/module/_stepgrad.so",
	readFileSync(path.join(tree, "build/tab/python/_stepgrad.so")),
);
python.globals.set("arguments_", python.toPy([path.resolve(file), ...rest]));
python.globals.set(
	"places_",
	python.toPy([path.dirname(path.resolve(file)), path.resolve(tree, "demos/python"), "/module"]),
);
try {
	python.runPython(`
import runpy, sys, traceback
sys.argv = list(arguments_)
sys.path[:0] = places_
status = 0
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as left:
    status = left.code if isinstance(left.code, int) else left.code is not None
except BaseException:
    traceback.print_exc()
    status = 1
sys.stdout.flush()
`);
	process.exit(Number(python.globals.get("status")));
} catch (error) {
	console.error("Python has ended:", error);
	process.exit(134);
}
