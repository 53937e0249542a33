# Demo: step through gradients in gdb, or with --lldb in lldb
#
# Builds the teaching preset and starts a debugger on demos/step/step.cpp, or with --block on
# block.cpp, standing at loss.backward().
# Commands may come from a pipe: printf 'tape\nnext-backward\nbt\nquit\n' | demos/run step

debugger=gdb name=step only_build=
[[ $OSTYPE != darwin* ]] || debugger=lldb  # there is no gdb for macOS on arm64
for option; do
  case $option in
    --lldb) debugger=lldb ;;
    --block) name=block ;;
    --build) only_build=yes ;;  # what VS Code does before it starts a debugger
    --help | -h) echo "usage: demos/run step [--lldb] [--block] [--build]"; exit ;;
    *) refuse "step takes --lldb, --block or --build; demos/run step --help says the same." ;;
  esac
done
need "$debugger"
build teach "$name"
[[ ! $only_build ]] || exit 0

cd "$root"
program=build/teach/bin/$name
line=$(grep -n -m 1 'loss.backward();' "demos/step/$name.cpp" | cut -d : -f 1)
hint='\ntape shows what was recorded. step walks on; next-backward goes to the next gradient.
In a gradient: tensors, bt, print dY, grad x, explain x. To matmul: break-op matmul, continue.
demos/step/step.md walks through all of it.\n'
hint=${hint//$'\n'/\\n}

if [[ $debugger == gdb ]]; then
  scripts=()
  [[ $OSTYPE == linux* ]] || scripts=(-ex "source core/debug/stepgrad_gdb.py")  # which only ELF has in the program
  exec gdb -q -iex "set debuginfod enabled off" -iex "add-auto-load-safe-path $root/$program" \
    "${scripts[@]}" -ex "set confirm off" -ex "tbreak demos/step/$name.cpp:$line" -ex run -ex "echo $hint" "$program"
fi
exec core/debug/lldb.sh -o "settings set auto-confirm true" \
  -o "breakpoint set --one-shot true --file $name.cpp --line $line" -o run \
  -o "script print('$hint')" -- "$program"
