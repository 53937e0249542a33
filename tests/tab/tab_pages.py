"""Writes the page that tab.js looks at, by demos/run tab: tab_pages.py TREE FOLDER."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from browser import prepare, prepared  # noqa: E402

tree, folder = map(pathlib.Path, sys.argv[1:])
browser = prepare(folder)
page = folder / "pages/tab.html"
subprocess.run([tree / "demos/run", "tab", "--output", page], check=True)
assert page.stat().st_size < 10e6, page.stat().st_size
prepared(folder, browser)
