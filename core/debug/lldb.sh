#!/bin/sh
# lldb with stepgrad's commands: core/debug/lldb.sh [LLDB OPTIONS] [--] PROGRAM
here=$(dirname "$(readlink -f "$0")")

# Debian 12's lldb looks for its own Python module in the wrong place, and for others beside the
# first python3 in PATH.
if [ ! -e "$(lldb -P 2>/dev/null)/lldb" ]; then
  for module in /usr/lib/llvm-*/lib/python3.*/dist-packages; do export PYTHONPATH="$module"; done
  export PATH="/usr/bin:$PATH"
fi
set -- -o "command script import '$here/stepgrad_lldb.py'" "$@"
if [ -t 0 ]; then exec lldb "$@"; fi
# With commands from a pipe, each waits until the program has stopped.
{ echo 'script lldb.debugger.SetAsync(False)'; cat; } | lldb "$@"
