"""A training step of the notebook's network, y = dropout(relu(x·w1 + b1))·w2 + b2
and loss = Σ y: forward, and backward to w1, b1, w2, b2; in fp32, dropout 0.1."""

import argparse
import glob
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LARGE = (64, 256, 512, 2048)
SHAPES = [LARGE, (4, 10, 512, 2048), (32, 128, 256, 1024), (8, 512, 768, 3072), (3, 7, 33, 65)]
SETS = "avx512", "avx2", "sse2", "neon"


class Failed(Exception):
    """The last line of what a program said, or the signal that ended it."""


def numbers(*command, **environment):
    """What a program prints. Each figure comes from a new process, without another's memory and OpenMP."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
        env={**os.environ, **environment})
    if done.returncode:
        raise Failed((done.stderr.split("\n")[-2:-1] or [f"ended by signal {-done.returncode}"])[0])
    return [float(word) for word in done.stdout.split()]


SMALLEST = "fused", 1, 1, 1, 1, 0  # a step that is not timed


def available(program, kernels):
    """Whether this CPU and build have these kernels."""
    try:
        numbers(program, *SMALLEST, STEPGRAD_SIMD=kernels)
        return True
    except Failed:
        return False


def contestants(program, threads):
    """Name, command and environment. Tuned, PyTorch caches memory, has AVX-512 and one OpenMP."""
    torch = "/usr/bin/python3", HERE / "pytorch.py"
    libraries = [glob.glob("/usr/lib/*/" + name)
        for name in ("libtcmalloc_minimal.so.4", "openblas-openmp/libopenblas.so.0")]
    tuned = {"OMP_NUM_THREADS": str(threads), "LD_PRELOAD": ":".join(found[0] for found in libraries if found)}
    if available(program, "avx512"):
        tuned["OPENBLAS_CORETYPE"] = "SkylakeX"  # on newer CPUs, Debian's OpenBLAS uses kernels for AVX2
    return [("stepgrad, fused", (program, "fused"), {"OMP_NUM_THREADS": str(threads)}),
        ("stepgrad, unfused", (program, "unfused"), {"OMP_NUM_THREADS": str(threads)}),
        ("PyTorch, tuned", (*torch, threads), tuned),
        ("PyTorch, default", (*torch, threads), {})]


def flop(shape):
    return 10 * math.prod(shape)  # five products


def named(shape):
    return "[%d, %d, %d] d_ff %d" % shape


def milliseconds(seconds):
    return f"{1e3 * seconds:.4g}"


def compare(program, shape, threads, rounds, seconds):
    """All contestants in turn, in each round, so that a slow minute affects all."""
    who, best, failed = contestants(program, threads), {}, {}
    for _ in range(rounds):
        for name, command, environment in who:
            try:
                found = numbers(*command, *shape, seconds, **environment)
                best[name] = list(map(min, found, best.get(name, found)))
            except Failed as why:
                failed[name] = why
    print(f"\n{named(shape)}: {flop(shape) / 1e9:.4g} GFLOP a step")
    print(f"{'':18}{'ms':>10}{'median':>10}{'GFLOP/s':>9}{'MiB':>6}{'to fused':>10}")
    for name, _, _ in who:
        if name not in best:
            print(f"{name:18}  {failed[name]}")
            continue
        step, median, memory = best[name]
        fused = best.get("stepgrad, fused")
        ratio = f"{step / fused[0]:.2f} x" if fused else "-"
        print(f"{name:18}{milliseconds(step):>10}{milliseconds(median):>10}{flop(shape) / step / 1e9:9.1f}"
            f"{memory / 1024:6.0f}{ratio:>10}", flush=True)


def compare_sets(program, most):
    print(f"\nInstruction sets and threads, {named(LARGE)}, fused\n{'':10}{'threads':>8}{'step ms':>10}{'GFLOP/s':>9}")
    for name in SETS:
        for threads in sorted({1, most}) if available(program, name) else ():
            try:
                step = numbers(program, "fused", *LARGE, 2, OMP_NUM_THREADS=str(threads), STEPGRAD_SIMD=name)[0]
            except Failed as why:
                print(f"{name:10}{threads:8}  {why}", flush=True)
                continue
            print(f"{name:10}{threads:8}{milliseconds(step):>10}{flop(LARGE) / step / 1e9:9.1f}", flush=True)


def sizes(text):
    if not re.fullmatch(r"[1-9]\d{0,8}(,[1-9]\d{0,8}){3}", text):
        raise argparse.ArgumentTypeError(f"four positive numbers are wanted, not '{text}'")
    return tuple(map(int, text.split(",")))


def main():
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser("demos/run benchmark", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the usual shapes only, in about a minute")
    parser.add_argument("--threads", type=int, default=cores, help=f"how many to use, at most {cores}")
    parser.add_argument("--shape", type=sizes, metavar="BATCH,LENGTH,D_MODEL,D_FF", help="measure this one only")
    program, *words = sys.argv[1:]
    options = parser.parse_args(words)
    if not 1 <= options.threads <= cores:
        parser.error(f"--threads: 1 to {cores}, not {options.threads}")
    if subprocess.run([program, *map(str, SMALLEST)], stdout=subprocess.DEVNULL).returncode:  # which says why
        sys.exit(2)
    cpu = re.search(r"model name\s*: (.*)|\Z", pathlib.Path("/proc/cpuinfo").read_text())[1] or "unknown CPU"
    print(f"{__doc__}\n\nTimes are the best of many steps, MiB the whole process's most.\n"
        f"{cpu}, threads: {options.threads}")
    effort = (1, 0.2) if options.quick else (3, 0.7)
    for shape in [options.shape] if options.shape else SHAPES:
        compare(program, shape, options.threads, *effort)
    if not options.quick and not options.shape:
        compare_sets(program, options.threads)


if __name__ == "__main__":
    main()
