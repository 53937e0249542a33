"""demos/run exercise: writes files with a gap, gives hints, shows solutions, checks, and grades.

NAME.cpp here is an exercise with its solution, between a line that begins with //> and says what
to do, and one that begins with //< and may say what stands in the gap. In torch/ are the same exercises and
checks in Python, with #> and #<. answers.cpp says how a check runs.
"""

import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ROOT / "build/release"
FOLDER = pathlib.Path("stepgrad-exercises")
ORDER = """mul_backward used_twice matmul_backward add_backward relu_backward dropout feed_forward
    sgd_step find_the_nan softmax_backward decoder_mask attention layer_norm_backward
    no_feed_forward sequence_wise overfit gated_feed_forward hidden_size
    mixture_of_experts""".split()
USAGE = f"""usage: demos/run exercise                 the exercises, in a good order
       demos/run exercise NAME            writes NAME.cpp with a gap, checks it
       demos/run exercise NAME --hint     gives a hint; again: where to look
       demos/run exercise NAME --solution shows what was left out
       demos/run exercise NAME --gap      shows the file as it is written
       demos/run exercise NAME --again    writes the file anew
       demos/run exercise NAME --seed N   checks it with run N's numbers
       demos/run exercise NAME --notebook writes NAME.ipynb, in Python
       demos/run exercise --pack YOU      writes YOU.zip, to be handed in
       demos/run exercise --grade FOLDER [--csv FILE] [--seed N] [--trust]
                 checks what a class has handed in: C++ files, notebooks, zips.
                 --trust: also where bubblewrap cannot keep these programs from
                 your files
Files are written into {FOLDER}. --lang en, ko or zh: the language, if
not the environment's (LC_ALL, LANG)
"""
LANGUAGES = "en", "ko", "zh"

def refuse(sentence):
    print(f"demos/run: {sentence}", file=sys.stderr)
    sys.exit(2)


def text_of(name):
    return (HERE / f"{name}.cpp").read_text(encoding="utf-8")


def words_of(name):
    """The lines about an exercise in words.LANGUAGE.md; --lang sets LANGUAGE."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    words = HERE / f"words.{next(filter(None, map(os.environ.get, names)), '')[:2]}.md"
    text = words.read_text(encoding="utf-8") if words.exists() else ""
    found = re.search(rf"(?ms)^## {name}\n(.*?)(?=^## |\Z)", text)
    return found[1].splitlines() if found else []


def translated(name, kind):
    """The translation of one kind of text, if there is one."""
    return next((line.removeprefix(f"{kind}: ") for line in words_of(name)
                 if line.startswith(f"{kind}: ")), None)


def translated_verdict(text):
    """A verdict by the sentences of words.LANGUAGE.md, in which {} stands for any words."""
    for line in words_of("verdicts"):
        english, own = line.split(" => ")
        pattern = re.escape(english).replace(r"\{\}", "([^;]+?)")
        end = r"(?=;| [(（]|$)" if english.endswith("{}") else ""
        text = re.sub(pattern + end, lambda found: own.format(*found.groups()), text)
    return text.replace("： ", "：")


def said(name, kind):
    """The title, hint or place, translated or from the file's first lines."""
    found = re.search(rf"^// {kind}: (.*\n(?://.*\n)*?)(?=// \w+: |#)", text_of(name), re.M)
    return translated(name, kind) or re.sub(r"\n// ", " ", found[1]).strip()


def gaps(mark, text, change):
    """The text with each gap replaced by change(indent, task, solution, placeholder)."""
    gap = rf"(?ms)^( *){mark}>(.*?)\n(.*?)^ *{mark}<(?: (.*?))?$\n?"
    return re.sub(gap, lambda found: change(*found.groups("")), text)


def your_turn(mark, name):
    tasks = iter([line[6:] for line in words_of(name) if line.startswith("Task: ")])

    def change(indent, task, _, instead):
        task = next(tasks, task.strip())
        return f"{indent}{mark} YOUR TURN: {task}\n" + (f"{indent}{instead}\n" if instead else "")
    return change


def with_gap(name):
    """The exercise without its hints and its solution."""
    text = re.sub(r"(?s)^// Exercise: .*?\n(?=#include)", "", text_of(name))
    return f"// {said(name, 'Exercise')}\n" + gaps("//", text, your_turn("//", name))


def in_python(name):
    """Imports, the functions' names, and the exercise with its solution, in Python."""
    text = (HERE / "torch/exercises.py").read_text(encoding="utf-8")
    head, *parts = re.split(r"(?m)^# == ", text)
    part = next(part for part in parts if part.startswith(f"{name}: "))
    functions, code = part.removeprefix(f"{name}: ").split("\n", 1)
    return head.split('"""')[2].strip(), functions, code.strip()


def solution(name):
    answers = []
    for mark, text in (("//", text_of(name)), ("#", in_python(name)[2])):
        answers.append({"//": "C++:", "#": "\nPython:"}[mark])
        gaps(mark, text, lambda *found: answers.append(found[2].rstrip("\n")) or "")
    return "\n".join(answers)


def hint(name):
    """A hint; asked again, where to look."""
    asked = FOLDER / f".{name}.hint"
    again = asked.exists()
    FOLDER.mkdir(exist_ok=True)
    asked.touch()
    return said(name, "Where" if again else "Hint")


def notebook(name, solved=False):
    """The exercise in Python, as a notebook whose last cell checks it."""
    imports, functions, code = in_python(name)
    code = gaps("#", code, (lambda *found: found[2]) if solved else your_turn("#", name))
    hints = ""
    for kind in ("Hint", "Where"):
        label = translated("labels", kind) or kind
        hints += f"<details><summary>{label}</summary>{said(name, kind)}</details>\n\n"
    check_it = ("import checks  # the file beside this one\n"
                f'print(checks.check("{name}", {functions}))')
    cells = [{"cell_type": "markdown", "source": f"# {said(name, 'Exercise')}\n\n{hints.strip()}"}]
    for source in (imports, code.strip(), check_it):
        cells.append({"cell_type": "code", "source": source, "outputs": [],
                      "execution_count": None})
    return {"cells": [{"id": f"cell{i}", "metadata": {}, **cell} for i, cell in enumerate(cells)],
            "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def write_notebook(name):
    FOLDER.mkdir(exist_ok=True)
    shutil.copy(HERE / "torch/checks.py", FOLDER)
    file = FOLDER / f"{name}.ipynb"
    file.write_text(json.dumps(notebook(name), ensure_ascii=False, indent=1), encoding="utf-8")
    return f"{file} is written: fill the gap at YOUR TURN, and run its cells."


def pack(student):
    """Writes the answers of this folder into STUDENT.zip."""
    files = [file for name in ORDER for kind in ("cpp", "ipynb")
             if (file := FOLDER / f"{name}.{kind}").exists()]
    if not files:
        refuse(f"{FOLDER} has no answers yet.")
    if not re.fullmatch(r"[^/\\.-][^/\\]*", student):
        refuse(f"--pack wants your name, as in --pack Kim, not '{student}'.")
    with zipfile.ZipFile(f"{student}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    print(f"{student}.zip has {', '.join(file.name for file in files)}.")
    return 0


def build(*options):
    if subprocess.run([ROOT / "demos/run", "exercise", "--build", *options], check=False).returncode:
        sys.exit(1)


def compiler():
    cache = (BUILT / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_CXX_COMPILER:\w*=(.*)$", cache, re.M)[1]


PYTHON = "/usr/bin/python3"
RUN_PYTHON = "import stepgrad.torch, checks; checks.main()"


class Check:
    """How an exercise is checked: `compile` (or None) in a folder that has the student's `file`;
    `run` calls the student's function and writes its answers; `judge` reads these, and decides."""

    def __init__(self, name, seed, in_python=False):
        self.name, self.token = name, secrets.token_hex(8)
        words = [name, str(seed), self.token]
        at = BUILT / "demos/exercise"
        if in_python:
            self.file, self.compile = f"{name}.py", None
            self.run = [PYTHON, "-c", RUN_PYTHON, functions_of(name), *words]
            self.judge = self.run
        else:
            self.file, self.run = f"{name}.cpp", [f"./{name}", *words]
            checks = f"{at}/libexercise_check.a"
            whole = ["-Wl,--whole-archive", checks, "-Wl,--no-whole-archive"]
            if sys.platform == "darwin":
                whole = [f"-Wl,-force_load,{checks}", "-Wl,-undefined,dynamic_lookup"]
            self.compile = [compiler(), f"@{at}/flags", self.file, "-o", name, *whole,
                            f"{BUILT}/libstepgrad.a"]
            self.judge = [f"{BUILT}/bin/exercise_judge", *words]

    def verdict(self, output, code):
        """"right", or why not. `output`: the bytes that `run` wrote; `code`: how it ended."""
        number = code - 128 if code > 128 else -code
        ended = f"it ended before its check was over, with exit code {code}"
        if number in (signal.SIGXCPU, signal.SIGKILL):
            ended = "it did not end in time"
        elif number > 0:
            ended = f"it crashed before its check was over: {signal.strsignal(number)}"
        # In a folder of ours: Python imports from the current one first, which may be the class's.
        done = subprocess.run([*self.judge, ended], input=output, capture_output=True, check=False,
                              env=python_path(), cwd=HERE / "torch")
        return done.stdout.decode("utf-8", "replace").strip() or f"not yet: {ended}"

    def compile_error(self, output):
        """Why the file does not compile, in one line of what the compiler says."""
        output = "".join(c if c.isprintable() or c == "\n" else " " for c in output)
        at = re.search(rf"{self.name}\.cpp:(\d+):\d+: (?:fatal )?error: (.*)", output)
        what = f"line {at[1]}: {at[2]}" if at else (
            re.findall("multiple definition of .*?(?=;|$)|undefined reference to .*|error: .*", output) or
            ["the compiler did not end, or said nothing"])[0]
        return f"does not compile: {what}"


def functions_of(name):
    return in_python(name)[1]


def python_path():
    """The environment in which Python has checks.py, and this engine as torch."""
    modules = [HERE / "torch", ROOT / "demos/python", BUILT / "python"]
    return {**os.environ, "PYTHONPATH": ":".join(map(str, modules)), "PYTHONDONTWRITEBYTECODE": "1"}


def check(name, seed):
    """Compiles and runs the user's own file, and prints what is wrong. Returns whether it is
    right."""
    build()
    it = Check(name, seed)
    if subprocess.run(it.compile, cwd=FOLDER, check=False).returncode:
        refuse(f"{FOLDER}/{name}.cpp does not compile yet (see above).")
    output = b""
    run_it = ["bash", "-c", 'ulimit -t 60; exec "$@"', "-", *it.run]
    with subprocess.Popen(run_it, cwd=FOLDER, stdout=subprocess.PIPE) as program:
        for line in program.stdout:
            output += line
            if line.strip() and not line.startswith(it.token.encode()):
                print(line.decode("utf-8", "replace"), end="")
    verdict = it.verdict(output, program.returncode)
    print(f"{name}: {translated_verdict(verdict)}" + "." * (verdict != "right"))
    return verdict == "right"


def taken(options, name):
    """The word behind an option, which is removed with it, or None."""
    if name not in options:
        return None
    at = options.index(name)
    if at + 1 == len(options):
        refuse(f"exercise wants something behind {name}.")
    word = options[at + 1]
    del options[at:at + 2]
    return word


def seed_of(options):
    """The run that --seed names, or any."""
    seed = taken(options, "--seed")
    if seed is None:
        return secrets.randbelow(1_000_000)
    if not seed.isdecimal() or int(seed) >= 2**32:
        refuse(f"--seed wants a whole number below 2^32, not '{seed}'.")
    return int(seed)


def run(arguments):
    language = taken(arguments, "--lang")
    if language not in (None, *LANGUAGES):
        refuse(f"--lang wants {', '.join(LANGUAGES)}, not '{language}'.")
    os.environ["LANGUAGE"] = language or os.environ.get("LANGUAGE", "")
    seed = seed_of(arguments)
    if not arguments or arguments in (["--help"], ["-h"]):
        if not arguments:
            print(*(f"{name:20} {said(name, 'Exercise')}" for name in ORDER), "", sep="\n")
        print(USAGE, end="")
        return 0
    if arguments[0] == "--grade":
        to_csv = taken(arguments, "--csv")
        rest = [word for word in arguments[2:] if word != "--trust"]
        if len(arguments) < 2 or rest:
            refuse("exercise --grade takes a folder, --csv FILE, --seed N and --trust.")
        from grade import grade
        return grade(arguments[1], to_csv, seed, "--trust" in arguments)
    if arguments[0] == "--pack":
        if len(arguments) != 2:
            refuse("exercise --pack takes your name.")
        return pack(arguments[1])
    name, what = arguments[0], arguments[1] if len(arguments) > 1 else ""
    if name not in ORDER or len(arguments) > 2:
        refuse(f"there is no exercise '{' '.join(arguments)}'; demos/run exercise lists them all.")
    ways = {"--hint": hint, "--solution": solution, "--gap": with_gap, "--notebook": write_notebook}
    if what in ways:
        print(ways[what](name).rstrip("\n"))
        return 0
    if what not in ("", "--again"):
        refuse(f"exercise takes {', '.join(ways)} or --again behind the name, not '{what}'.")
    file = FOLDER / f"{name}.cpp"
    FOLDER.mkdir(exist_ok=True)
    if not file.exists() or what == "--again":
        (FOLDER / f".{name}.hint").unlink(missing_ok=True)
        file.write_text(with_gap(name), encoding="utf-8")
        print(f"demos/run: {file} is written: fill the gap at YOUR TURN, and run this again. "
              "--hint helps.", file=sys.stderr)
    return 0 if check(name, seed) else 1


def main(arguments):
    try:
        return run(list(arguments))
    except OSError as error:
        refuse(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
