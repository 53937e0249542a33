"""demos/run exercise --grade: a class's files, each compiled, checked and isolated."""

import concurrent.futures
import csv
import itertools
import os
import pathlib
import secrets
import shlex
import shutil
import signal
import subprocess
import tempfile

from exercise import HERE, ORDER, ROOT, build, commands, refuse, why

# Limits: CPU seconds, memory in KiB, a file's size in KiB; and seconds of time.
COMPILE = "ulimit -c 0 -t 20 -v 4000000 -f 50000; timeout -s KILL 60"
RUN = "ulimit -t 5 -v 1000000 -f 1000; ulimit -u 50 2>/dev/null; exec timeout -s KILL 10"
USERS = itertools.count(1_000_000_000)
FOLDERS = "64000000"  # bytes in a program's own folder


def sandbox(scratch, folder):
    """A command prefix: it writes into scratch and its own /tmp, sees the system without home,
    sockets and the class's folder, has no network, and ends with this program."""
    home, folder = pathlib.Path.home().resolve(), folder.resolve()

    def empty(*places):
        return [word for place in places if str(place) != "/"
                for word in ("--size", FOLDERS, "--tmpfs", str(place))]

    again = empty(folder) if ROOT in folder.parents else []
    apart, as_user = ["--unshare-all"], []
    if os.geteuid() == 0:  # root's processes are not limited: use another user
        user = next(USERS)
        os.chown(scratch, user, user)
        apart = ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts"]
        as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return ["bwrap", *apart, "--die-with-parent", "--new-session", "--ro-bind", "/", "/",
            "--dev", "/dev", "--proc", "/proc", *empty("/tmp", "/run", home, folder),
            "--ro-bind", str(ROOT), str(ROOT), *again, "--bind", scratch, "/tmp/scratch",
            "--chdir", "/tmp/scratch", *as_user]


def graded(source, name, trust):
    """The result for a student's file, compiled and run in its own folder."""
    if source.is_symlink() or not source.is_file() or source.stat().st_size > 1_000_000:
        return "is no file of at most a megabyte"
    if name not in ORDER:
        return "there is no exercise of this name"
    token = secrets.token_hex(8)
    compile_it, run_it = (shlex.join(map(str, words)) for words in commands(name, token))
    with tempfile.TemporaryDirectory(prefix="stepgrad-") as scratch, \
            tempfile.TemporaryFile() as output:
        shutil.copyfile(source, f"{scratch}/{name}.cpp")
        script = f"({COMPILE} {compile_it}) || exit; {RUN} {run_it}"
        around = [] if trust else sandbox(scratch, source.parent.parent)
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "1"}
        program = subprocess.Popen([*around, "bash", "-c", script], cwd=scratch, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        code = program.wait()
        try:
            os.killpg(program.pid, signal.SIGKILL)  # remaining processes
        except ProcessLookupError:
            pass
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
        return why(name, not os.path.exists(f"{scratch}/{name}"), code, text, token)


def works_not(folder):
    """Why programs cannot be isolated, or nothing."""
    if not shutil.which("bwrap"):
        return "it is not installed"
    with tempfile.TemporaryDirectory() as scratch:
        look = ["head", "-c", "1", str(HERE / "exercise.hpp")]
        tried = subprocess.run([*sandbox(scratch, folder), *look], check=False, text=True,
                               capture_output=True)
    return tried.stderr.strip() if tried.returncode else ""


def grade(folder, to_csv, trust):
    folder = pathlib.Path(folder)
    files = sorted(folder.glob("*/*.cpp"))
    if not files:
        refuse(f"there is no file {folder}/STUDENT/NAME.cpp.")
    build(*[] if trust else ["--bubblewrap"])
    if reason := works_not(folder):
        if not trust:
            refuse(f"bubblewrap does not work here ({reason}), so nothing keeps these programs "
                   "from your files and your network; with --trust they run nevertheless.")
    else:
        trust = False
    students = sorted({file.parent.name for file in files})
    names = sorted({file.stem for file in files}, key=lambda n: (ORDER + [n]).index(n))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        verdicts = {(file.parent.name, file.stem): pool.submit(graded, file, file.stem, trust)
                    for file in files}
        rows = []
        for student in students:
            for name in names:
                job = verdicts.get((student, name))
                verdict = job.result() if job else "there is no file"
                right = verdict == "right"
                what = "" if right else verdict.removeprefix("not yet: ")
                rows.append((student, name, "yes" if right else "no", what))
    head = ("student", "exercise", "passed", "what was wrong")
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(3)]
    for row in [head, *rows]:
        print(*(cell.ljust(width) for cell, width in zip(row, [*widths, 0])), sep="  ")
    for student in students:
        passed = sum(row[0] == student and row[2] == "yes" for row in rows)
        print(f"{student}: {passed} of {len(names)}")
    if to_csv:
        with open(to_csv, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *rows])
