"""demos/run exercise: writes files with a gap, gives hints, shows solutions, checks, and grades.

exercises.cpp and torch/exercises.py have the exercises with their solutions, between a line that begins with
//>, or #>, and says what to do, and one that begins with //< and may say what stands in the gap.
words.LANGUAGE.md has titles, hints and translated tasks. torch/checks.py says how a check runs, calls.cpp how
C++ is called.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ROOT / "build/release"
FOLDER = pathlib.Path("stepgrad-exercises")
LANGUAGES = "en", "ko", "zh"


def refuse(sentence):
    print(f"demos/run: {sentence}", file=sys.stderr)
    sys.exit(2)


def parts_of(file, mark):
    """What stands above a file's exercises, and these by their names."""
    head, *parts = re.split(f"(?m)^{mark} == ", (HERE / file).read_text(encoding="utf-8"))
    return head, {part.split("\n")[0].split(":")[0]: part for part in parts}


@functools.cache
def order():
    """The exercises' names, in a good order."""
    return list(parts_of("exercises.cpp", "//")[1])


def in_cpp(name):
    """An exercise with its solution, in C++."""
    head, parts = parts_of("exercises.cpp", "//")
    code = parts[name].split("\n", 1)[1].split("\n}  // namespace")[0].rstrip()
    return f"{head[head.index('#include'):]}{code}\n\n}}  // namespace stepgrad::exercise\n"


def language():
    names = "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"
    asked = next(filter(None, map(os.environ.get, names)), "")[:2]
    return asked if asked in LANGUAGES else "en"


def words_of(name):
    """The lines about an exercise in words.LANGUAGE.md: its title, a hint, where to look, translated tasks."""
    text = (HERE / f"words.{language()}.md").read_text(encoding="utf-8")
    return re.search(rf"(?ms)^## {name}\n(.*?)(?=^## |\Z)", text)[1].splitlines()


def said(name, kind):
    return words_of(name)[("Exercise", "Hint", "Where").index(kind)]


def translated_verdict(text):
    """A verdict by the sentences of verdicts.txt, in which {} stands for any words."""
    if language() == "en":
        return text
    for line in (HERE / "verdicts.txt").read_text(encoding="utf-8").splitlines():
        english, own = (words := line.split(" | "))[0], words[LANGUAGES.index(language())]
        pattern = re.escape(english).replace(r"\{\}", "([^;]*?)")
        end = r"(?=[.]?(?:;| [(（]|$))" if english.endswith("{}") else ""
        text = re.sub(pattern + end, lambda found: own.format(*found.groups()), text)
    return text.replace("： ", "：")


def gaps(mark, text, change):
    """The text with each gap replaced by change(indent, task, solution, placeholder)."""
    gap = rf"(?ms)^( *){mark}>(.*?)\n(.*?)^ *{mark}<(?: (.*?))?$\n?"
    return re.sub(gap, lambda found: change(*found.groups("")), text)


def your_turn(mark, name):
    tasks = (task.split(" | ")[-(mark == "#")] for task in words_of(name)[3:])  # in C++ | in Python

    def change(indent, task, _, instead):
        task = next(tasks, task.strip())
        return f"{indent}{mark} YOUR TURN: {task}\n" + (f"{indent}{instead}\n" if instead else "")
    return change


def with_gap(name):
    return f"// {said(name, 'Exercise')}\n" + gaps("//", in_cpp(name), your_turn("//", name))


def in_python(name):
    """Imports, the functions' names, and the exercise with its solution, in Python."""
    head, parts = parts_of("torch/exercises.py", "#")
    functions, code = parts[name].removeprefix(f"{name}: ").split("\n", 1)
    return head.split('"""')[2].strip(), functions, code.strip()


def solution(name):
    answers = []
    for mark, text in (("//", in_cpp(name)), ("#", in_python(name)[2])):
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
        hints += f"<details><summary>{said('labels', kind)}</summary>{said(name, kind)}</details>\n\n"
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
    if not re.fullmatch(r"[^/\\.-][^/\\]*", student):
        refuse(f"--pack wants your name, as in --pack Kim, not '{student}'.")
    files = [file for name in order() for kind in ("cpp", "ipynb")
        if (file := FOLDER / f"{name}.{kind}").exists()]
    if not files:
        refuse(f"{FOLDER} has no answers yet.")
    with zipfile.ZipFile(f"{student}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)
    print(f"{student}.zip has {', '.join(file.name for file in files)}.")
    return 0


def build(*options):
    """Builds, and lets Python find the checks, and this engine as torch."""
    if subprocess.run([ROOT / "demos/run", "exercise", "--build", *options]).returncode:
        sys.exit(1)
    sys.path[:0] = map(str, (HERE / "torch", ROOT / "demos/python", BUILT / "python"))
    import stepgrad.torch  # noqa: F401


def compiler():
    cache = (BUILT / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_CXX_COMPILER:\w*=(.*)$", cache, re.M)[1]


class Check:
    """How an exercise is checked: `compile` (or None) in a folder that has the student's `file`; `run`, followed
    by a token, calls the student's function by `requests`, its standard input, and writes its answers, each
    after the token, which is another for each run."""

    judging = threading.Lock()

    def __init__(self, name, seed, python=False, built=BUILT):
        import checks  # by the path that build() makes
        self.name, self.parts = name, checks.Check(name, seed)
        self.requests = "".join(f"{part.request()}\n" for part in self.parts.parts).encode()
        at = built / "demos/exercise"
        if python:
            self.file, self.compile = f"{name}.py", None
            self.run = [sys.executable, "-c", "import stepgrad.torch, checks; checks.main()",
                in_python(name)[1], name, str(seed)]
        else:
            self.file, self.run = f"{name}.cpp", [f"./{name}", name]
            calls = f"{at}/libexercise_calls.a"
            whole = ["-Wl,--whole-archive", calls, "-Wl,--no-whole-archive"]
            if sys.platform == "darwin":
                whole = [f"-Wl,-force_load,{calls}", "-Wl,-undefined,dynamic_lookup"]
            self.compile = [compiler(), f"@{at}/flags", self.file, "-o", name, *whole, f"{built}/libstepgrad.a"]

    def verdict(self, output, code, token):
        """"right", or why not. `output`: the bytes that `run` with this token wrote; `code`: how it ended."""
        number = code - 128 if code > 128 else -code
        ended = f"it ended before its check was over, with exit code {code}"
        if number in (9, 24):  # SIGKILL, SIGXCPU, which Windows does not name
            ended = "it did not end in time"
        elif number in signal.valid_signals():
            ended = f"it crashed before its check was over: {signal.strsignal(number)}"
        answers = re.findall(rf"(?m)^{token} (\d{{1,3}}) (.*)$", output.decode("utf-8", "replace"))
        with self.judging:
            return self.parts.verdict({int(part): answer for part, answer in answers}, ended)

    def compile_error(self, output):
        """Why the file does not compile, in one line of what the compiler says."""
        output = "".join(c if c.isprintable() or c == "\n" else " " for c in output)
        at = re.search(rf"{self.name}\.cpp:(\d+):\d+: (?:fatal )?error: (.*)", output)
        what = f"line {at[1]}: {at[2]}" if at else (
            re.findall("multiple definition of .*?(?=;|$)|undefined reference to .*|error: .*", output) or
            ["the compiler did not end, or said nothing"])[0]
        return f"does not compile: {what}"


def check(name, seed):
    """Compiles and runs the user's own file, and prints what is wrong. Returns whether it is
    right."""
    build()
    it, token = Check(name, seed), secrets.token_hex(8)
    if subprocess.run(it.compile, cwd=FOLDER).returncode:
        refuse(f"{FOLDER}/{name}.cpp does not compile yet (see above).")
    output = b""
    with tempfile.TemporaryFile() as requests:
        requests.write(it.requests)
        requests.seek(0)
        with subprocess.Popen([shutil.which("bash"), "-c", 'ulimit -t 60; exec "$@"', "-", *it.run, token], cwd=FOLDER,
                stdin=requests, stdout=subprocess.PIPE) as program:
            for line in program.stdout:
                output += line
                if line.strip() and not line.startswith(token.encode()):
                    print(line.decode("utf-8", "replace"), end="")
    verdict = it.verdict(output, program.returncode, token)
    print(f"{name}: {translated_verdict(verdict)}" + "." * (verdict != "right"))
    return verdict == "right"


def step_through(name, seed, debugger):
    """Starts the debugger on the user's own file with the teaching build, standing at the gap."""
    build("--teach", debugger)
    it = Check(name, seed, built=ROOT / "build/teach")
    link = "-Wl,-u," + "_" * (sys.platform == "darwin") + "stepgrad_debug_abi"
    if subprocess.run([*it.compile, "-g", link], cwd=FOLDER).returncode:
        refuse(f"{FOLDER}/{name}.cpp does not compile yet (see above).")
    (FOLDER / f".{name}.requests").write_bytes(it.requests)
    text = (FOLDER / f"{name}.cpp").read_text(encoding="utf-8")
    line = (text if "YOUR TURN" in text else with_gap(name)).split("YOUR TURN")[0].count("\n") + 1
    program, *words = it.run  # without a token it writes no answers
    if debugger == "lldb":
        command = [ROOT / "core/debug/lldb.sh", "-o", f"breakpoint set --file {name}.cpp --line {line}",
            "-o", f"process launch --stdin .{name}.requests", "--", program, *words]
    else:
        command = ["gdb", "-q", "-iex", "set debuginfod enabled off", "-iex",
            f"add-auto-load-safe-path {FOLDER.resolve()}",
            *(() if sys.platform == "linux" else ("-ex", f"source {ROOT.as_posix()}/core/debug/stepgrad_gdb.py")),
            "-ex", f"break {name}.cpp:{line}",
            "-ex", f"run {name} <.{name}.requests", program]
    return subprocess.run(command, cwd=FOLDER).returncode


def drawn_seed():
    return secrets.randbelow(1_000_000)


def whole_number(word):
    if not word.isdecimal() or int(word) >= 2**32:
        raise argparse.ArgumentTypeError(f"it is a whole number below 2^32, not '{word}'")
    return int(word)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        refuse(f"exercise: {message}.")


def options_of(arguments):
    parser = Parser(prog="demos/run exercise", allow_abbrev=False, epilog=f"Files are written into {FOLDER}.",
        usage="%(prog)s [NAME [OPTION]] | --pack YOU | --grade FOLDER")
    parser.add_argument("name", nargs="?", metavar="NAME",
        help="writes NAME.cpp with a gap, checks it; without a name: the exercises, in a good order")
    ways = parser.add_mutually_exclusive_group()
    for way, help in (("hint", "gives a hint; again: where to look"), ("solution", "shows what was left out"),
            ("notebook", "writes NAME.ipynb, in Python"),
            ("again", "writes the file anew"), ("gdb", "steps through your function"),
            ("lldb", "does so in lldb")):
        ways.add_argument(f"--{way}", dest="way", action="store_const", const=way, help=help)
    parser.add_argument("--seed", type=whole_number, metavar="N",
        help="checks with run N's numbers")
    parser.add_argument("--lang", choices=LANGUAGES, help="the language, if not the environment's (LC_ALL, LANG)")
    parser.add_argument("--pack", metavar="YOU", help="writes YOU.zip, to be handed in")
    parser.add_argument("--grade", metavar="FOLDER", help="checks what a class has handed in: C++, notebooks, zips")
    parser.add_argument("--csv", metavar="FILE", help="where the grades go")
    parser.add_argument("--trust", action="store_true",
        help="grades also where bubblewrap cannot keep these programs from your files")
    it = parser.parse_args(arguments)
    if sum(each is not None for each in (it.name, it.pack, it.grade)) > 1:
        parser.error("NAME, --pack and --grade are three commands; give one")
    checks = it.name is not None and it.way in (None, "again", "gdb", "lldb")
    for given, option, taken, needed in ((it.way, it.way, it.name is not None, "a NAME"),
            (it.csv, "csv", it.grade is not None, "--grade FOLDER"),
            (it.trust or None, "trust", it.grade is not None, "--grade FOLDER"),
            (it.seed, "seed", checks or it.grade is not None, "a check, or --grade FOLDER"),
            (it.lang, "lang", it.pack is None, "another command than --pack")):
        if given is not None and not taken:
            parser.error(f"--{option} needs {needed}")
    return it


def run(arguments):
    it = options_of(arguments)
    if it.lang:
        os.environ["LANGUAGE"] = it.lang
    if it.grade is not None:
        from grade import grade
        return grade(it.grade, it.csv, it.seed, it.trust)
    if it.pack is not None:
        return pack(it.pack)
    if not it.name:
        print(*(f"{name:20} {said(name, 'Exercise')}" for name in order()), "",
            "demos/run exercise NAME writes one, and checks it; --help says more.", sep="\n")
        return 0
    if it.name not in order():
        refuse(f"there is no exercise '{it.name}'; demos/run exercise lists them all.")
    ways = {"hint": hint, "solution": solution, "notebook": write_notebook}
    if it.way in ways:
        print(ways[it.way](it.name).rstrip("\n"))
        return 0
    file = FOLDER / f"{it.name}.cpp"
    FOLDER.mkdir(exist_ok=True)
    if not file.exists() or it.way == "again":
        (FOLDER / f".{it.name}.hint").unlink(missing_ok=True)
        file.write_text(with_gap(it.name), encoding="utf-8")
        print(f"demos/run: {file} is written: fill the gap at YOUR TURN, and run this again. "
            "--hint helps.", file=sys.stderr)
    seed = drawn_seed() if it.seed is None else it.seed
    if it.way in ("gdb", "lldb"):
        return step_through(it.name, seed, it.way)
    return 0 if check(it.name, seed) else 1


def main(arguments):
    sys.stdout.reconfigure(errors="backslashreplace")  # a terminal may lack Hangul
    try:
        return run(arguments)
    except OSError as error:
        about = [str(each) for each in (error.filename, error.strerror) if each is not None]
        refuse(f"{': '.join(about) or error}.")
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
