"""Trains for that many minutes, half of them undisturbed and half with kills at any moment: memory
does not grow, and weights are equal."""

import pathlib
import random
import subprocess
import sys
import tempfile
import time

FLAT = 1 << 10  # kB that memory may grow by


def resident(process):
    """Its memory in kB; None if it has ended."""
    try:
        status = pathlib.Path("/proc/%d/status" % process.pid).read_text()
    except OSError:
        return None
    line = next((line for line in status.splitlines() if line.startswith("VmRSS")), None)
    return int(line.split()[1]) if line else None


def watch(process, until=None):
    """Its memory, every tenth of a second until it ends or that moment comes."""
    seen = []
    while process.poll() is None and (until is None or time.time() < until):
        now = resident(process)
        if now:
            seen.append(now)
        time.sleep(0.1)
    return seen


def start(program, steps, checkpoint):
    return subprocess.Popen([program, str(steps), checkpoint], stdout=subprocess.PIPE, text=True)


def main():
    program, minutes = sys.argv[1], float(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        began = time.time()
        subprocess.run([program, "200", folder + "/first"], check=True, stdout=subprocess.DEVNULL)
        steps = max(int(200 * minutes * 30 / (time.time() - began)), 400)

        undisturbed = start(program, steps, folder + "/undisturbed")
        seen = watch(undisturbed)
        expected = undisturbed.communicate()[0]
        half = len(seen) // 2
        growth = max(seen[half:]) - max(seen[len(seen) // 10:half] or seen)
        print("%d steps: %d kB, grown by %d kB in the second half" % (steps, seen[-1], growth))

        kills, moment = 0, random.Random(0)
        while True:
            run = start(program, steps, folder + "/killed")
            watch(run, time.time() + moment.uniform(0.1, 2 + minutes * 30 / 10))
            if run.poll() is not None:
                break
            run.kill()
            run.communicate()
            kills += 1
        got = run.communicate()[0]
        print("%d kills: %s weights, in %d s" % (
            kills, "the same" if got == expected else "OTHER", time.time() - began))
        return 0 if growth <= FLAT and kills and got == expected and run.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
