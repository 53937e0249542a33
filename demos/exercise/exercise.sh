# Demo: exercises: fill a gap (a gradient, a mask, a class), and have it checked or graded
case ${1-} in
  --build) build release exercise; exit ;;  # what exercise.py does before it checks
  --grade) [[ " $* " == *" --trust "* ]] || command -v bwrap >/dev/null || need bubblewrap ;;
esac
exec python3 "$root/demos/exercise/exercise.py" "$@"
