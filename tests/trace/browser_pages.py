"""Prepares what browser_test.js looks at: playwright-core and axe-core from npm, and all pages, in the
build's folder, where screenshots stay, too. Without a browser, Node or a network it skips, and says
what is missing."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
# The newest that runs on Debian 12's Node, 18; the next one wants 20.
NEEDED = {"playwright-core": "1.61.1", "axe-core": "4.14.1"}
program, examples, lessons, playground, folder = map(pathlib.Path, sys.argv[1:6])
prepared = folder / "browser.json"
prepared.unlink(missing_ok=True)


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def version(package):
    try:
        return json.loads((folder / "node_modules" / package / "package.json").read_text())["version"]
    except OSError:
        return None


# What has no window is five times as fast as the same Chromium with one.
browser = shutil.which("chromium-headless-shell") or shutil.which("chromium") or shutil.which("chromium-browser")
if not browser:
    skip("there is no chromium; apt-get install chromium-headless-shell")
for tool in ("node", "npm"):
    if not shutil.which(tool):
        skip(f"there is no {tool}; apt-get install nodejs npm")
if any(version(package) != wanted for package, wanted in NEEDED.items()):
    wanted = ["@".join(each) for each in NEEDED.items()]
    installed = subprocess.run(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", *wanted],
                               capture_output=True, text=True)
    if installed.returncode:
        skip(f"npm could not install {' and '.join(wanted)}: {installed.stderr[-300:]}")
pages = folder / "pages"
pages.mkdir(exist_ok=True)
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
prepared.write_text(json.dumps({"browser": browser, "values": values}))
