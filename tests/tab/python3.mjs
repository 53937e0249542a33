// A python3 that is Pyodide with the module: node python3.mjs PYODIDE TREE [-c CODE | FILE] [ARGUMENT...]. Python sees
// the tree and /tmp as they are. Exit status 134: Python itself ended.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, tree, ...rest] = process.argv.slice(2);
const root = path.resolve(tree);
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: pyodide + "/", env: { HOME: "/", ...process.env } });
for (const folder of [root, "/tmp"]) {
	python.FS.mkdirTree(folder);
	python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, folder);
}
python.FS.mkdirTree("/module");
python.FS.writeFile(
	"/module/_stepgrad.so",
	readFileSync(path.join(root, "build/tab/python/_stepgrad.so")),
);
python.globals.set("given", python.toPy([root, process.cwd(), ...rest]));
try {
	python.runPython(`
import os, runpy, sys, traceback
tree, folder, *sys.argv = given
if os.path.isdir(folder):
    os.chdir(folder)
sys.path_importer_cache.clear()  # of before the folders were there
sys.path[:0] = ["/module", os.path.join(tree, "demos/python")]
status = 0
try:
    if sys.argv[0] == "-c":
        code = sys.argv.pop(1)
        sys.path[:0] = [""]
        exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
    else:
        sys.path[:0] = [os.path.dirname(os.path.abspath(sys.argv[0]))]
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
