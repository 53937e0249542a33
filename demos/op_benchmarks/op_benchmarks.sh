# Demo: the time of each op, forward and backward, on large tensors and on a single element
need libbenchmark-dev
build release op_benchmarks
# Debian's libbenchmark warns that it was built as DEBUG: that is about its own code, not ours.
exec "$root/build/release/bin/op_benchmarks" "$@" 2> >(grep -v 'Library was built as DEBUG' >&2)
