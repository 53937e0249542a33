"""Writes the pages that tab.js looks at, by demos/run site: tab_pages.py TREE FOLDER."""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from browser import prepare, prepared

tree, folder = map(pathlib.Path, sys.argv[1:])
browser = prepare(folder)
pages = folder / "pages"
subprocess.run([tree / "demos/run", "site", pages], check=True)
assert (pages / "tab.html").stat().st_size < 10e6, (pages / "tab.html").stat().st_size
named = re.findall(r'"name":"(\w+)"', (pages / "index.html").read_text())
assert {*named, "index"} == {page.stem for page in pages.glob("*.html")} and "tab" in named, named

# One's own file, also if it is called as an exercise.
own = folder / "dropout.ipynb"
own.write_text('{"cells": [{"cell_type": "code", "source": ["1\\n", "2"]}]}')
subprocess.run([tree / "demos/run", "tab", own, "--out", folder / "own.html"], check=True)
opened = json.loads(re.search('id="books">(.*?)</script>', (folder / "own.html").read_text(), re.S)[1])
book = opened["books"][opened["first"]]
assert (opened["first"], book["cells"]) == ("dropout", [["code", "1\n2"]]) and book["exercise"], book
prepared(folder, browser)
