"""What a browser's tests need: a browser, and playwright-core and axe-core from npm in the build's folder."""

import json
import shutil
import subprocess
import sys

# The newest that runs on Debian 12's Node, 18; the next one wants 20.
NEEDED = {"playwright-core": "1.61.1", "axe-core": "4.14.1"}


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def prepare(folder):
    """The browser's program. Without one, Node or a network it skips, and says what is missing."""
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
    (folder / "pages").mkdir(exist_ok=True)
    return browser


def prepared(folder, browser, values=""):
    """Says so to browser_test.js. values: what is to be found on the pages"""
    (folder / "browser.json").write_text(json.dumps({"browser": browser, "values": values}))
