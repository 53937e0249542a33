"""Runs libFuzzer's targets for that many seconds in all; inputs that crash one are in
build/fuzz."""

import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = TREE / "build/fuzz"
TARGETS = ["safetensors", "vocabulary", "text"]
MOST = "-malloc_limit_mb=64"  # of one allocation, by a file of a few kB


def run(target, seconds):
    corpus, found = BUILD / "corpus" / target, BUILD / "found" / target
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    options = ["-max_total_time=%d" % seconds, "-max_len=4096",
        "-print_final_stats=1", "-timeout=20", "-artifact_prefix=%s/" % found, MOST]
    done = subprocess.run([BUILD / "tests/fuzz" / (target + "_fuzz"), *options, corpus],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = done.stdout.decode(errors="replace")
    executed = re.search(r"number_of_executed_units: (\d+)", said)
    executed = int(executed[1]) if executed else 0
    print("%-12s %9d executions%s" % (target, executed, "" if not done.returncode else ": a crash"),
        flush=True)
    if done.returncode:
        print(said[-4000:])
    return executed, done.returncode


def main():
    seconds = int(sys.argv[1])
    subprocess.run([BUILD / "tests/fuzz/seeds", BUILD / "corpus"], check=True)
    results = [run(target, max(seconds // len(TARGETS), 1)) for target in TARGETS]
    crashes = sum(1 for _, code in results if code)
    print("%d executions, %d crashes" % (sum(count for count, _ in results), crashes))
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
