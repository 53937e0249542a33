// The pages' scripts are one scope of many files. Each name is defined in one of them; they know one another in one
// direction, demos -> view -> address -> model, and no two each other; and the model knows what Node has, no document.
// node page_names.js TYPESCRIPT DECLARATIONS FILE...
"use strict";
const [, , typescript, declarations, ...files] = process.argv;
const ts = require(typescript);

const rank = file => ["page/model/", "page/address.js", "page/view/", "demos/"].findIndex(part => file.includes(part)),
	known = new Map(files.map(file => [file, new Set()])), // the files whose names a file has
	found = new Set(), // what is wrong
	// The browser's names that the model uses and every Node has: a list, since the one that runs this may have more.
	inNode = new Set("atob Blob DecompressionStream performance Response TextDecoder TextEncoder WebAssembly".split(" "));

const target = ts.ScriptTarget.ES2022,
	lib = ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
	program = ts.createProgram([declarations, ...files], { allowJs: true, checkJs: true, noEmit: true, target, lib }),
	checker = program.getTypeChecker();
function visit(file, node) {
	const symbol = ts.isIdentifier(node) && checker.resolveName(node.text, node, ts.SymbolFlags.Value, false);
	const home = symbol?.valueDeclaration?.getSourceFile().fileName;
	const isProperty =
		!ts.isShorthandPropertyAssignment(node.parent ?? node) && symbol !== checker.getSymbolAtLocation(node);
	if (home && home !== file && !isProperty) {
		known.get(file).add(home);
		if (rank(home) > rank(file)) found.add(`${file}: ${node.text} is defined in ${home}`);
		if (/lib\.dom/.test(home) && !rank(file) && !inNode.has(node.text))
			found.add(`${file}: ${node.text} is a browser's`);
	}
	ts.forEachChild(node, child => visit(file, child));
}
for (const file of files) {
	const source = program.getSourceFile(file);
	visit(file, source);
	for (const { messageText } of program.getSemanticDiagnostics(source))
		if (/^Cannot find name/.test(messageText)) found.add(`${file}: ${messageText}`);
}

const done = new Set();
function follow(file, ...from) {
	if (from.includes(file)) return found.add(["in a circle:", file, ...from].join(" "));
	if (done.has(file)) return;
	done.add(file);
	for (const next of known.get(file) ?? []) follow(next, file, ...from);
}
for (const file of files) follow(file);

console.log([...found].join("\n"));
process.exit(found.size ? 1 : 0);
