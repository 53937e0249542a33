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

# The same programs and exercises as natively, beside PyTorch where it is installed.
export STEPGRAD_PYTHON="node $here/python3.mjs $pyodide $root"
cd "$root"
in_node() { /usr/bin/python3 "tests/$1" "${@:2}" || [[ $? == 77 ]]; }
in_node python/random_programs/torch_test.py build/release . 100
in_node python/random_calls_test.py RandomCalls.test_random_options_act_as_under_torch build/release .
in_node python/view_programs_test.py build/release .
in_node demos/exercise_test.py Notebooks .
