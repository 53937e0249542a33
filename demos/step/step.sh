# Demo: step through the gradients of a small network in gdb, or with --lldb in lldb
#
# Builds the teaching preset and starts a debugger on demos/step/step.cpp, standing at loss.backward().
# Commands may come from a pipe: printf 'tape\nnext-backward\nbt\nquit\n' | demos/run step

case "$*" in
  '' | --build) debugger=gdb ;;
  --lldb) debugger=lldb ;;
  --help | -h) echo "usage: demos/run step [--lldb | --build]"; exit ;;
  *) refuse "step takes nothing but --lldb or --build; demos/run step --help says the same." ;;
esac
need "$debugger"
build teach step
[[ $* == --build ]] && exit  # what VS Code does before it starts a debugger

cd "$root"
program=build/teach/bin/step
line=$(grep -n -m 1 'loss.backward();' demos/step/step.cpp | cut -d : -f 1)
hint='\ntape shows what was recorded. step walks on; next-backward goes to the next gradient.
In a gradient: tensors, bt, print dY, grad x, explain x. To matmul: break-op matmul, continue.
demos/step/step.md walks through all of it.\n'
hint=${hint//$'\n'/\\n}

if [[ $debugger == gdb ]]; then
  exec gdb -q -iex "set debuginfod enabled off" -iex "add-auto-load-safe-path $root/$program" \
    -ex "set confirm off" -ex "tbreak demos/step/step.cpp:$line" -ex run -ex "echo $hint" "$program"
fi
exec core/debug/lldb.sh -o "settings set auto-confirm true" \
  -o "breakpoint set --one-shot true --file step.cpp --line $line" -o run \
  -o "script print('$hint')" -- "$program"
