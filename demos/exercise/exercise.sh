# Demo: exercises: fill a gap (a gradient, a mask, a class), and have it checked or graded
case ${1-} in
  --build)  # what exercise.py does before it checks, with --bubblewrap before it grades
    [[ ${2-} != --bubblewrap ]] || command -v bwrap >/dev/null || need bubblewrap
    build release exercise
    exit ;;
esac
exec python3 "$root/demos/exercise/exercise.py" "$@"
