# Demo: Jupyter with this engine as its kernel
#
# demos/run jupyter [--no-browser] [--port N] [--step]: registers the kernel for this user and opens
# demos/notebook/ffn.ipynb. With --step the kernel is the teaching build. With --build it only
# registers the kernel; VS Code and others open the notebook themselves.

preset=release only_build= options=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --no-browser) options+=("$1") ;;
    --port | --port=*)
      [[ $1 == --port ]] && shift
      port=${1-}
      port=${port#--port=}
      [[ $port =~ ^[0-9]{1,5}$ ]] || refuse "--port wants a number, not '$port'."
      options+=(--port "$port")
      ;;
    --step) preset=teach ;;
    --build) only_build=yes ;;
    -h | --help) echo "usage: demos/run jupyter [--no-browser] [--port N] [--step] [--build]"; exit ;;
    *) refuse "jupyter does not know '$1'; demos/run jupyter --help says what it takes." ;;
  esac
  shift
done
[[ $(id -u) == 0 ]] && options+=(--allow-root)  # Jupyter wants to be told
need jupyter-notebook python3-ipykernel python3-numpy python3-matplotlib pybind11-dev python3-dev
build "$preset" stepgrad_python
PYTHONPATH=$root/demos/python:$root/build/$preset/python "$python" -m stepgrad.kernel install >/dev/null
[[ $only_build ]] && exit
cd "$root/demos/notebook"
exec "$python" -m notebook --ip 127.0.0.1 "${options[@]}" ffn.ipynb
