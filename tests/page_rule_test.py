"""The scripts of a tape's page know one another in one direction: view -> address -> model, and no two each
other. The model knows no document and no window: it runs in Node. tests/run analysis asks tsc the same, which knows scopes."""

import graphlib
import pathlib
import re
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop())
RANK = {"model": 0, "page": 1, "view": 2}  # by folder; address.js lies in page/ itself
OF_BROWSERS = set("document window location history navigator innerWidth innerHeight matchMedia scrollBy "
    "getComputedStyle requestAnimationFrame addEventListener ResizeObserver localStorage".split())
NAME = r"[A-Za-z_$][\w$]*"


def code(text):
    """Without comments, strings, and the names of a class's or object's own functions and fields."""
    text = re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*', lambda found: '""' if found[1] else "", text)
    return re.sub(rf"^\t+(?:static |async |get )*{NAME}(?=\(.*\) {{$)|^\tstatic {NAME}(?= = )", "\t", text, flags=re.M)


def names(pattern, text):
    return {name for found in re.finditer(pattern, text, re.M) for name in re.findall(NAME, found[1])}


def defined(text):
    """Names at the top level; of `const a = 1, b = 2` both."""
    found, goes_on = set(), False
    for line in text.splitlines():
        found |= names(rf"^(?:async )?(?:function\*?|class|const|let) ({NAME}|[\[{{].*?[\]}}])", line)
        if goes_on:
            found |= names(rf"^\t({NAME}) = ", line)
        goes_on = (goes_on or line.startswith(("const ", "let "))) and not line.endswith(";")
    return found


def local(text):
    """Names that a script gives to variables and parameters of its own."""
    return (names(rf"\b(?:const|let) ({NAME}|[\[{{][^=;]*?[\]}}]) ", text) | names(rf"^\t+({NAME}) = ", text)
        | names(rf"({NAME}) =>", text) | names(r"\(([^()]*)\) (?:=>|{)", text))


def used(text):
    text = re.sub(r"\.\.\.|\$(?![\w(])", " ", text)  # `...of`, `${name}`, /end$/
    return set(re.findall(rf"(?<![.\w$]){NAME}(?![\w$]|:)", text))


def violations(files):
    """One line for each name that a script must not know, of files: a dict of path: text."""
    scripts = {path: code(text) for path, text in files.items()}
    rank = {path: RANK[pathlib.PurePath(path).parent.name] for path in files}
    homes = {name: path for path, text in scripts.items() for name in defined(text)}
    found, known = [], {}
    for path, text in scripts.items():
        names_used = sorted(used(text) - local(text))
        known[path] = {homes[name] for name in names_used if name in homes} - {path}
        for name in names_used:
            if name in homes and rank[homes[name]] > rank[path]:
                found.append(f"{path}: {name} is defined in {homes[name]}")
            elif name in OF_BROWSERS and rank[path] == 0:
                found.append(f"{path}: {name} is a browser's")
    try:
        graphlib.TopologicalSorter(known).prepare()
    except graphlib.CycleError as circle:
        found.append("in a circle: " + " <- ".join(circle.args[1]))
    return found


class PageRule(unittest.TestCase):
    maxDiff = None

    def test_the_tree_keeps_it(self):
        files = {path.relative_to(TREE).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((TREE / "core/trace/page").rglob("*.js"))}
        self.assertIn("core/trace/page/model/why.js", files)
        self.assertEqual("\n".join(violations(files)), "")

    def test_no_arrow_goes_back(self):
        homes = {"page/model/data.js": "const tape = 1,\n\tsteps = 2;", "page/address.js": "function writeAddress() {}",
            "page/view/main.js": "class Page {}\nconst { draw } = Page;\nback();"}
        for path, line, broken in (
                ("page/model/a.js", "f(new Page());", 1), ("page/model/a.js", "writeAddress();", 1),
                ("page/model/a.js", "const draw = x => x;\ndraw();", 0), ("page/model/a.js", "// draw()", 0),
                ("page/model/a.js", 'f("draw", of.draw, { draw: steps });', 0), ("page/model/a.js", "f(...draw);", 1),
                ("page/address.js", "function writeAddress() {}\ndraw();", 1), ("page/address.js", "f(steps);", 0),
                ("page/view/a.js", "writeAddress(draw, tape);", 0),
                ("page/view/a.js", "const back = () => draw();", 1), ("page/view/a.js", "const back = 1;\nf(tape);", 0),
                ("page/view/a.js", "const back = {\n\tdraw() {\n\t},\n};", 0)):
            self.assertEqual(len(violations({**homes, path: line})), broken, path + ": " + line)

    def test_the_model_knows_no_document_and_no_window(self):
        for line, broken in (("document.title;", 1), ("f(location.hash);", 1), ("page.document;", 0)):
            self.assertEqual(len(violations({"page/model/a.js": line})), broken, line)
            self.assertEqual(violations({"page/view/a.js": line}), [])


unittest.main()
