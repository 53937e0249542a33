"""demos/run exercise --grade: a class's answers, each compiled, run and isolated, judged outside."""

import concurrent.futures
import csv
import functools
import hashlib
import itertools
import os
import pathlib
import re
import secrets
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unicodedata

from exercise import BUILT, HERE, ROOT, Check, build, drawn_seed, language, order, refuse, translated_verdict
from handed_in import handed_in

# Limits: CPU seconds, memory in KiB, a file's size in KiB; and seconds of time, which the grader keeps.
COMPILE, COMPILE_SECONDS = "ulimit -c 0 -t 20 -v 4000000 -f 50000", 60
RUN, RUN_SECONDS = "ulimit -c 0 -t 5 -v 2000000 -f 1000; ulimit -u 16 2>/dev/null", 15
USERS = itertools.count(1_000_000_000)
SPACE = "64000000"  # bytes in a program's own folders
SYSTEM = (*(f"/usr{at}/{place}" for at in ("", "/local") for place in ("bin", "include", "lib", "lib64", "libexec")),
    "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache", "/etc/passwd")
HEAD = ("student", "exercise", "passed", "parts", "what was wrong", "seed", "answer")
LONGEST = 300  # characters of what was wrong


class Sandbox:
    """Where students' programs are compiled and run: they see the system's programs, libraries and headers,
    this library and its headers, and their own folder; no network, no other process, nobody's files."""

    def __init__(self, headers, trust):
        self.trust, self.headers, self.running, self.over = trust, headers, set(), False
        shown = [header for room in ("core", "ops", "nn") for header in (ROOT / room).rglob("*")
            if header.suffix in (".hpp", ".inc")]
        for header in [*shown, HERE / "exercise.hpp"]:
            there = headers / header.relative_to(ROOT)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(header, there)

    def shown(self):
        """Options that show what a program may see, each at its own place."""
        places = [(place, place) for place in map(pathlib.Path, SYSTEM) if place.exists()]
        places += [(self.headers / room, ROOT / room) for room in ("core", "ops", "nn", "demos/exercise")]
        places += [(place, place) for place in (
            BUILT / "include", BUILT / "libstepgrad.a", BUILT / "python", ROOT / "demos/python/stepgrad",
            *(BUILT / "demos/exercise" / name for name in ("demos", "flags", "libexercise_calls.a")))
            if place.exists()]
        options, folders = [], {pathlib.Path("/")}
        for source, place in places:
            for folder in reversed(place.parents):
                if folder not in folders:  # bwrap's own would be root's alone
                    options += ["--perms", "0755", "--dir", str(folder)]
                    folders.add(folder)
            options += ["--ro-bind", str(source), str(place)]
        return options

    def prefix(self, scratch, bind="--ro-bind"):
        apart, as_user = ["--unshare-all"], []
        if os.geteuid() == 0:  # root's processes are not limited: use another user
            user = next(USERS)
            os.chown(scratch, user, user)
            for file in os.listdir(scratch):
                os.chown(os.path.join(scratch, file), user, user)
            apart = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
            as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        return ["bwrap", *apart, "--die-with-parent", "--new-session",
            "--dev", "/dev", "--proc", "/proc", "--perms", "1777", "--size", SPACE, "--tmpfs", "/tmp",
            *self.shown(), bind, scratch, "/tmp/scratch", "--remount-ro", "/dev", "--remount-ro", "/",
            "--chdir", "/tmp/scratch", *as_user]

    def run(self, command, limits, seconds, scratch, requests=b"", bind="--ro-bind"):
        """How the command ended, and what it wrote. Nothing of it is left running."""
        around = [] if self.trust else self.prefix(scratch, bind)
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": f"{'.' if self.trust else '/tmp/scratch'}:{ROOT}/demos/python:"
                                     f"{BUILT}/python"}
        script = f"{limits}; exec {shlex.join(map(str, command))}"
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as asked:
            asked.write(requests)
            asked.seek(0)
            program = subprocess.Popen([*around, "bash", "-c", script], cwd=scratch, env=environment,
                stdin=asked, stdout=output,
                stderr=subprocess.STDOUT, start_new_session=True)
            self.running.add(program)
            try:
                code = program.wait(0 if self.over else seconds)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            self.end(program)
            output.seek(0)
            return code, output.read()

    def end(self, program):
        try:
            os.killpg(program.pid, signal.SIGKILL)  # the others in the sandbox end with its first process
        except ProcessLookupError:
            pass
        program.wait()
        self.running.discard(program)

    def end_all(self):
        self.over = True  # for those that are about to start
        for program in list(self.running):
            self.end(program)


def verdict_of(it, code, sandbox):
    """What the check says of an answer."""
    with tempfile.TemporaryDirectory(prefix="stepgrad-") as scratch:
        (pathlib.Path(scratch) / it.file).write_bytes(code)
        if it.compile:
            _, said = sandbox.run(it.compile, COMPILE, COMPILE_SECONDS, scratch, bind="--bind")
            if not os.path.exists(f"{scratch}/{it.name}"):
                return it.compile_error(said.decode("utf-8", "replace"))
        else:
            shutil.copy(HERE / "torch/checks.py", scratch)
        token = secrets.token_hex(8)
        ended, output = sandbox.run([*it.run, token], RUN, RUN_SECONDS, scratch, it.requests)
        return it.verdict(output, ended, token)


def row_of(student, name, answers, checks, sandbox):
    """The best of a student's answers to an exercise, as a row."""
    best = -1, "", ""
    for in_python, code in answers:
        try:
            verdict = verdict_of(checks[name, in_python], code, sandbox)
        except Exception as error:  # no student's trouble is another's
            verdict = f"could not be graded: {error}"
        counted = re.match(r"not yet \((\d+) of (\d+), seed \d+\): ", verdict)
        if verdict == "right":
            best = 1, "all", ""
        elif counted:
            right, of_all = map(int, counted.groups())
            best = max(best, (right / of_all, f"{right} of {of_all}", verdict[counted.end():]))
        elif best[0] < 0:
            best = -1, "", verdict.removeprefix("not yet: ")
    share, parts, what = best
    return student, name, "yes" if share == 1 else "no", parts, what, str(checks[name, False].parts.seed), digest(answers)


def digest(answers):
    """A short name of the answers, of the checks that they had, and of the language of what was wrong."""
    all_of = hashlib.sha256(language().encode())
    for file in sorted([*HERE.glob("*.[ch]pp"), *HERE.rglob("*.py")]):
        all_of.update(file.read_bytes())
    for in_python, code in answers:
        all_of.update(b"%d %d " % (in_python, len(code)) + code)
    return all_of.hexdigest()[:16]


def plain(text):
    """Text without bytes, newlines or controls that a terminal or a table would obey."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def cell(text):
    """Plain text that no spreadsheet takes for a formula."""
    text = plain(text)
    return "'" + text if text[:1] in tuple("=+-@＝＋－＠") else text


def told(text):
    """What was wrong, in the teacher's language, of a length that a cell holds."""
    return translated_verdict(text if len(text) <= LONGEST else text[:LONGEST] + "…")


def columns(text):
    """How wide a terminal shows it."""
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def beside(file):
    """FILE-students.csv for FILE.csv."""
    file = pathlib.Path(file)
    return file.with_name(f"{file.stem}-students{file.suffix}")


class Tables:
    """The rows on the screen and in FILE.csv, as they are done; at the end FILE-students.csv, which has a row for
    each student."""

    def __init__(self, file, students, names, seed):
        """`seed`: of all draws; if it is None, the earlier table's, or a new one."""
        self.file = pathlib.Path(file) if file else None
        self.names, self.rows, self.csv = names, [], None
        earlier = [row for row in self.read_earlier() if row[5].isdecimal()] if self.file else []
        self.seed = seed if seed is not None else int(earlier[0][5]) if earlier else drawn_seed()
        self.before = {(row[0], row[1], row[6]): row for row in earlier if row[5] == str(self.seed)}
        self.width = max(columns(plain(name)) for name in ["student", *students])

    def begin(self, count):
        """Writes the file anew: of an earlier run stays what is added from now on, `count` rows in all."""
        self.count = count
        if self.file:
            self.open = open(self.file, "w", encoding="utf-8-sig", newline="")
            self.csv = csv.writer(self.open)
            self.csv.writerow(HEAD)
        self.show(HEAD)

    def read_earlier(self):
        """The rows of an earlier run."""
        try:
            with open(self.file, encoding="utf-8-sig", newline="") as earlier:
                return [row for row in csv.reader(earlier) if len(row) == len(HEAD)]
        except (OSError, UnicodeDecodeError, csv.Error):
            return []

    def earlier(self, student, name, answers):
        row = self.before.get((cell(student), name, digest(answers)))
        return row and (student, name, row[2], row[3], row[4].removeprefix("'"), *row[5:])

    def show(self, row):
        name, so_far = plain(row[0]), f"{len(self.rows)}/{self.count}" if self.rows else ""
        print(so_far.rjust(2 * len(str(self.count)) + 1), name + " " * (self.width - columns(name)), row[1].ljust(19),
            row[2].ljust(6), row[3].ljust(7), plain(row[4]), sep="  ", flush=True)

    def add(self, row):
        row = *row[:4], told(row[4]), *row[5:]
        self.rows.append(row)
        if self.csv:
            self.csv.writerow([cell(each) for each in row])
            self.open.flush()
        self.show(row)

    def close(self, students):
        book = []
        for student, it in students.items():
            mine = {row[1]: row for row in self.rows if row[0] == student and row[1]}
            right = sum(row[2] == "yes" for row in mine.values())
            handed_in = {answer[0] for answer in it.answers}
            left = handed_in - {*mine}
            print(f"{plain(student)}: {right} right of {len(handed_in)} handed in" + f", {len(left)} not graded yet" * bool(left))
            book.append([cell(student), right, len(handed_in), *(
                "not graded" if name in left else "" if name not in mine else
                "yes" if mine[name][2] == "yes" else mine[name][3] or "no" for name in self.names)])
        if self.csv:
            self.open.close()
            with open(beside(self.file), "w", encoding="utf-8-sig", newline="") as file:
                csv.writer(file).writerows([["student", "right", "handed in", *self.names], *book])


def works_not(sandbox):
    """Why programs cannot be isolated, or nothing."""
    if not shutil.which("bwrap"):
        return "it is not installed"
    with tempfile.TemporaryDirectory() as scratch:
        tried = subprocess.run([*sandbox.prefix(scratch), "true"], text=True,
            capture_output=True)
    return tried.stderr.strip() if tried.returncode else ""


def grade(folder, to_csv, seed, trust):
    if not os.path.isdir(folder):
        refuse(f"--grade wants a folder, not '{folder}'.")
    students = handed_in(folder)
    if not students:
        refuse(f"{folder} holds nothing: it wants a folder, zip or file for each student.")
    if to_csv:
        open(to_csv, "a", encoding="utf-8").close()  # before all are graded
        open(beside(to_csv), "a", encoding="utf-8").close()
    build(*["--bubblewrap"] * (not trust))
    with tempfile.TemporaryDirectory(prefix="stepgrad-") as headers:
        sandbox = Sandbox(pathlib.Path(headers), trust=False)
        if reason := works_not(sandbox):
            if not trust:
                refuse(f"bubblewrap does not work here ({reason}), so nothing keeps these programs "
                    "from your files and your network; with --trust they run nevertheless.")
            sandbox.trust = True
        return grade_all(students, to_csv, seed, sandbox)


def grade_all(students, to_csv, seed, sandbox):
    wanted = {name for student in students.values() for name, _, _ in student.answers}
    names = [name for name in order() if name in wanted]
    tables, code = Tables(to_csv, students, names, seed), 0
    print(f"demos/run: seed {tables.seed}", file=sys.stderr, flush=True)
    checks = {(name, python): Check(name, tables.seed, python) for name in names for python in (False, True)}
    pool = concurrent.futures.ThreadPoolExecutor(2 * len(os.sched_getaffinity(0)))  # some sleep until their end

    rows = []  # each done, or a call that returns it, which becomes a Future
    for who, student in students.items():
        for name in names:
            if answers := [answer[1:] for answer in student.answers if answer[0] == name]:
                rows.append(tables.earlier(who, name, answers)
                    or functools.partial(row_of, who, name, answers, checks, sandbox))
        rows += [(who, "", "", "", note, "", "")
            for note in student.notes or ["nothing was handed in"] * (not student.answers)]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        tables.begin(len(rows))
        rows = [pool.submit(each) if callable(each) else each for each in rows]
        for each in rows:
            tables.add(each if isinstance(each, tuple) else each.result())
    except KeyboardInterrupt:
        code = 130
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is over in a moment
        pool.shutdown(wait=False, cancel_futures=True)
        done = [each for each in rows[len(tables.rows):] if isinstance(each, tuple) or isinstance(
            each, concurrent.futures.Future) and each.done() and not each.cancelled() and not each.exception()]
        sandbox.end_all()
        for each in done:
            tables.add(each if isinstance(each, tuple) else each.result())
        pool.shutdown()
        tables.close(students)
    return code
