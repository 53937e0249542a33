# Demo: how long each op takes, forward and backward, on large tensors and on a single element
need libbenchmark-dev
build release op_benchmarks
exec "$root/build/release/bin/op_benchmarks" "$@"
