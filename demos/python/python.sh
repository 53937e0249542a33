# Demo: run a Python script in which `import torch` is stepgrad
#
# demos/run python [--gdb] FILE [ARGS]: the script's first line is `import stepgrad.torch`. With
# --gdb it runs the teaching build under gdb, which stops at its first backward().

need pybind11-dev python3-dev python3-numpy
with_gdb=
case ${1-} in
  --gdb) with_gdb=yes; shift; need gdb ;;
  -h | --help | '') echo "usage: demos/run python [--gdb] FILE [ARGS]"; exit ;;
  -*) refuse "python takes nothing but --gdb; demos/run python --help says the same." ;;
esac
[[ -f ${1-} ]] || refuse "there is no file '${1-}'."

preset=${with_gdb:+teach}
preset=${preset:-release}
build "$preset" stepgrad_python
export PYTHONPATH=$root/demos/python:$root/build/$preset/python${PYTHONPATH:+:$PYTHONPATH}
[[ $with_gdb ]] || exec "$python" "$@"

# gdb 13 does not wait for scripts that the module loads while the program runs.
exec gdb -q -iex "set debuginfod enabled off" -iex "set auto-load python-scripts off" \
  -iex "source $root/core/debug/stepgrad_gdb.py" \
  -ex "set confirm off" -ex "set breakpoint pending on" -ex "tbreak stepgrad_backward_step" \
  -ex run --args "$python" "$@"
