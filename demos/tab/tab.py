"""Writes the page: tab.py PYODIDE SCRIPT OUTPUT ENGINE [WHAT], where SCRIPT is the page's bundled script, ENGINE that of
live pages, and WHAT a notebook's file, an exercise or a lesson's number."""

import base64
import gzip
import io
import json
import os
import pathlib
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
sys.path.insert(0, str(TREE / "demos/exercise"))
import exercise


def in_languages(text_of):
    texts = {}
    for language in exercise.LANGUAGES:
        os.environ["LANGUAGE"] = language  # which exercise.said() reads
        texts[language] = text_of(language)
    return texts


# ---- What the page opens: {title, lesson or exercise, cells: [[kind, text], ...]}


def exercises():
    for name in exercise.order():
        imports, functions, code = exercise.in_python(name)
        solution = []
        gap = in_languages(lambda _: f"{imports}\n\n\n" + exercise.gaps("#", code, exercise.your_turn("#", name)))
        exercise.gaps("#", code, lambda *found: solution.append(found[2].rstrip("\n")) or "")
        said = {word.lower(): in_languages(lambda _: exercise.said(name, word)) for word in ("Hint", "Where")}
        title = in_languages(lambda _: exercise.said(name, "Exercise"))
        yield name, {"title": title, "cells": [["code", gap]],
            "exercise": {"title": title, "functions": functions, "solution": "\n\n".join(solution), **said}}


def lessons():
    """The pages of each lesson, as demos/lessons has them: titles, goals, cells."""
    text = (TREE / "demos/lessons/cells.py").read_text(encoding="utf-8")
    code = dict(part.split("\n", 1) for part in re.split("(?m)^# == ", text)[1:])
    pages = re.findall(r'\{(\d), \d+, "(\w+)", CODE', (TREE / "demos/lessons/lessons.cpp").read_text(encoding="utf-8"))

    def beside(page, language):
        """Its title and its goal."""
        text = (TREE / f"core/trace/lessons/{page}.{language}.md").read_text(encoding="utf-8")
        return [line.removeprefix("# ") for line in text.splitlines() if line][:2]

    for number in sorted({number for number, _ in pages}):
        own = [page for of, page in pages if of == number]
        cells = [["code", "import stepgrad\nimport torch\nfrom torch import nn\n\n"
                          "stepgrad.set_ledger(True)  # keeps all values, for the pages"]]
        for page in own:
            head = in_languages(lambda language: "## " + "\n\n".join(beside(page, language)))
            parts = re.split(r"\n{2,}(?=\S)", code[page].strip())  # not within a class or function
            cells += [["markdown", head], *(["code", part] for part in parts), ["code", "loss.trace()"]]
        yield number, {"title": in_languages(lambda language: " · ".join(beside(page, language)[0] for page in own)),
            "lesson": int(number), "cells": cells}


def notebook(file):
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return file.stem, {"cells": [["code" if cell["cell_type"] == "code" else "markdown", "".join(cell["source"])]
        for cell in cells]}


def refuse(sentence):
    print(f"demos/run: {sentence}", file=sys.stderr)
    sys.exit(2)


def books(what):
    all_of_them = dict([notebook(TREE / "demos/notebook/ffn.ipynb")])
    first, own = what or "ffn", {}
    if what.endswith(".ipynb"):
        try:
            first, own = notebook(pathlib.Path(what))
        except (OSError, ValueError, KeyError, TypeError) as error:
            refuse(f"{what} is no notebook ({type(error).__name__}).")
        all_of_them = {first: own, **all_of_them}
    all_of_them |= {"empty": {"cells": [["code", "import torch"]]}, **dict(lessons()), **dict(exercises())}
    if first not in all_of_them:
        refuse(f"tab takes a file NAME.ipynb, an exercise or the number of a lesson, not '{what}'.")
    all_of_them[first] |= own  # of an exercise: with its check
    return {"first": first, "books": all_of_them}


# ---- The page


def packed(engine):
    """What Python imports: this module, torch's names, the checks."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        python = TREE / "demos/python"
        for path in sorted(python.glob("stepgrad/**/*.py")):
            file.write(path, path.relative_to(python))
        of_exercises = TREE / "demos/exercise"
        for path in (HERE / "session.py", of_exercises / "torch/checks.py", of_exercises / "exercise.py",
                of_exercises / "verdicts.txt", TREE / "build/tab/python/_stepgrad.so"):
            file.write(path, path.name)
        file.write(engine, "stepgrad/engine.wasm.gz")
    return buffer.getvalue()


def parts(pyodide, engine, opened):
    def base64_of(content):
        return base64.b64encode(content).decode()

    def zipped(name):
        return base64_of(gzip.compress((pyodide / name).read_bytes(), 9, mtime=0))

    lock = json.loads((pyodide / "pyodide-lock.json").read_text()) | {"packages": {}}
    return {"wasm": zipped("pyodide.asm.wasm"), "glue": zipped("pyodide.asm.js"), "loader": zipped("pyodide.js"),
        "stdlib": base64_of((pyodide / "python_stdlib.zip").read_bytes()), "modules": base64_of(packed(engine)),
        "lock": json.dumps(lock), "worker": (HERE / "worker.js").read_text(encoding="utf-8"),
        "books": json.dumps(opened, ensure_ascii=False)}


def main(pyodide, script, output, engine, what=""):
    opened = books(what)
    page = (HERE / "page/page.html").read_text(encoding="utf-8")
    for mark, text in (
            ("STYLE", (HERE / "page/style.css").read_text(encoding="utf-8")),
            ("PARTS", "\n".join(f'<script type="text/plain" id="{name}">{text.replace("</", "<" + chr(92) + "/")}</script>'
            for name, text in parts(pathlib.Path(pyodide), engine, opened).items())),
            ("SCRIPT", pathlib.Path(script).read_text(encoding="utf-8").replace("</script", "<\\/script"))):
        page = page.replace(f"@{mark}@", text)
    file = pathlib.Path(output)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")
    print(f"{output}: {len(page.encode()) / 1e6:.1f} MB; it opens by a double click, without a network")


main(*sys.argv[1:])
