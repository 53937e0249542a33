"""Prepares what browser_test.js looks at: playwright-core and axe-core from npm, and all pages, in the
build's folder. Without a browser, Node or a network it skips, and says
what is missing."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from browser import prepare, prepared

program, examples, lessons, playground, folder = map(pathlib.Path, sys.argv[1:6])
(folder / "browser.json").unlink(missing_ok=True)
browser = prepare(folder)
pages = folder / "pages"
if shutil.which("emcmake"):  # else there is no engine, and tests of it are skipped by name
    subprocess.run([playground, pages / "playground.html"], stdout=subprocess.DEVNULL, check=True)
subprocess.run([lessons, pages], stdout=subprocess.DEVNULL, check=True)
sse2 = {**os.environ, "STEPGRAD_SIMD": "sse2", "STEPGRAD_PAGES": str(pages)}  # the engine's kernels
subprocess.run([examples, "Pages of every op's example*"], env=sse2, stdout=subprocess.DEVNULL,
    check=True)
module = folder.parents[1] / "python"  # where it is built
if list(module.glob("_stepgrad*.so")):
    path = {**os.environ, "PYTHONPATH": f"{HERE.parents[1]}/demos/python:{module}", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(["/usr/bin/python3", HERE / "python_page.py", pages], env=path, check=True)
values = subprocess.run([program, pages], capture_output=True, text=True, check=True, env=sse2).stdout
prepared(folder, browser, values)
