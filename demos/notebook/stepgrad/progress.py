"""for x in progress(range(1000)): a progress bar, in a notebook and in a terminal."""

import sys
import time


def progress(iterable, label=""):
    """Yields the elements of `iterable` and shows the progress: with tqdm if it is installed, else
    as one line on stderr, at most twice a second."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield from _counted(iterable, label)
    else:
        yield from tqdm(iterable, desc=label or None)


def _counted(iterable, label):
    total = len(iterable) if hasattr(iterable, "__len__") else None
    begin = shown = time.monotonic()
    done = 0

    def show(end):
        of = f"/{total} ({100 * done // max(1, total)}%)" if total is not None else ""
        seconds = time.monotonic() - begin
        text = f"{label + ': ' if label else ''}{done}{of}  {seconds:.1f} s"
        print(f"\r{text}", end=end, file=sys.stderr, flush=True)

    for x in iterable:
        yield x
        done += 1
        if time.monotonic() - shown > 0.5:
            shown = time.monotonic()
            show("")
    show("\n")
