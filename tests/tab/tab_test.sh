#!/usr/bin/env bash
# Builds the module in build/tab, and runs what is beside this in Node.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
me=tests/tab root=$(dirname "$(dirname "$here")")
source "$root/.scripts/build.sh"
command -v emcc >/dev/null && [[ -e $root/build/tab/python/_stepgrad.so || -e /usr/include/pybind11/pybind11.h ]] ||
  { echo "skipped: emscripten or pybind11-dev is missing"; exit 77; }
build tab
pyodide=$(pyodide_folder)
node "$here/imports.mjs" "$pyodide" "$root/build/tab/python/_stepgrad.so"
node "$here/python3.mjs" "$pyodide" "$root" "$here/module_test.py"
