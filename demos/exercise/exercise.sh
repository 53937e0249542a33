# Demo: fill a gap, and have it checked; grade a class
case ${1-} in
  --build)  # what exercise.py does before it checks and grades
    if [[ " $* " == *" --bubblewrap "* ]]; then command -v bwrap >/dev/null || need bubblewrap; fi
    need pybind11-dev python3-dev
    build release exercise stepgrad_python
    if [[ ${2-} == --teach ]]; then need "$3"; build teach exercise; fi
    exit ;;
esac
exec "$python" "$root/demos/exercise/exercise.py" "$@"
