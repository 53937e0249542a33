"""Runs browser_test.js in Debian's Chromium, with playwright-core and axe-core from npm, which are put
into the build's folder once. Without a browser, Node or a network it skips, and says what is missing.
Screenshots stay in that folder."""

import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
program, examples, lessons, playground, folder = map(pathlib.Path, sys.argv[1:6])


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


browser = shutil.which("chromium") or shutil.which("chromium-browser")
if not browser:
    skip("there is no chromium; apt-get install chromium")
for tool in ("node", "npm"):
    if not shutil.which(tool):
        skip(f"there is no {tool}; apt-get install nodejs npm")
modules = folder / "node_modules"
if not (modules / "playwright-core").exists() or not (modules / "axe-core").exists():
    installed = subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund",
                                "playwright-core@1", "axe-core@4"], capture_output=True, text=True)
    if installed.returncode:
        skip("npm could not install playwright-core and axe-core: " + installed.stderr[-300:])
pages = folder / "pages"
pages.mkdir(exist_ok=True)
subprocess.run([lessons, pages], stdout=subprocess.DEVNULL, check=True)
if shutil.which("emcmake"):  # else there is no engine, and tests of it are skipped by name
    subprocess.run([playground, pages / "playground.html"], stdout=subprocess.DEVNULL, check=True)
scalar = {**os.environ, "STEPGRAD_SIMD": "scalar", "STEPGRAD_PAGES": str(pages)}  # the engine's kernels
subprocess.run([examples, "Pages of every op's example*"], env=scalar, stdout=subprocess.DEVNULL,
               check=True)
module = folder.parents[1] / "python"  # where it is built
if list(module.glob("_stepgrad*.so")):
    path = {**os.environ, "PYTHONPATH": f"{HERE.parents[1]}/demos/notebook:{module}", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(["/usr/bin/python3", HERE / "python_page.py", pages], env=path, check=True)
values = subprocess.run([program, pages], capture_output=True, text=True, check=True, env=scalar).stdout
sys.exit(subprocess.run(["node", HERE / "browser_test.js", browser, modules, pages, values]).returncode)
