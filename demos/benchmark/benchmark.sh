# Demo: a training step's speed, beside PyTorch
build release benchmark
exec python3 "$root/demos/benchmark/benchmark.py" "$root/build/release/bin/benchmark" "$@"
