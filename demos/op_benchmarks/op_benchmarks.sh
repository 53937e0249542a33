# Demo: how long each op takes, forward and backward, on large tensors and on a single element
need libbenchmark-dev
build release op_benchmarks
# Debian's libbenchmark says that it was built as DEBUG, which is about its own code, not ours.
exec "$root/build/release/bin/op_benchmarks" "$@" 2> >(grep -v 'Library was built as DEBUG' >&2)
