# Demo: exercises: fill a gap (a gradient, a mask, a class), and have it checked
#
# demos/exercise/NAME.cpp is an exercise with its solution, between a line that begins with //> and says
# what to do, and one that begins with //< and may say what stands in the gap.

here=$root/demos/exercise
folder=stepgrad-exercises

usage() {
  cat <<END
usage: demos/run exercise                 the exercises, in a good order
       demos/run exercise NAME            writes $folder/NAME.cpp with a gap, and checks it
       demos/run exercise NAME --hint     says what to think of
       demos/run exercise NAME --solution shows what was left out
       demos/run exercise NAME --gap      shows the file as it is written
       demos/run exercise NAME --again    writes the file anew
END
}

order="mul_backward relu_backward softmax_backward feed_forward dropout decoder_mask
  gated_feed_forward hidden_size no_feed_forward sequence_wise mixture_of_experts"

exercises() {
  local each
  for each in $order; do
    printf '%-20s %s\n' "$each" "$(sed -n '1s|^// Exercise: ||p' "$here/$each.cpp")"
  done
}

# The exercise without its solution.
with_gap() {
  awk '/^ *\/\/>/ { sub(/\/\/>/, "// YOUR TURN:"); print; gap = 1; next }
       /^ *\/\/</ { gap = 0; sub(/\/\/< ?/, ""); if ($0 ~ /[^ ]/) print; next }
       !gap && !/^\/\/ Hint:/ && !hint { print }
       /^\/\/ Hint:/ { hint = 1 } /^#include/ && hint { hint = 0; print }' "$1"
}

case ${1-} in
  '') exercises; echo; usage; exit ;;
  --help | -h) usage; exit ;;
esac
name=$1 source=$here/$1.cpp what=${2-}
[[ " ${order//$'\n'/ } " == *" $name "* && $# -le 2 ]] ||
  refuse "there is no exercise '$*'; demos/run exercise lists those that exist."
case $what in
  --hint) sed -n '/^\/\/ Hint:/,/^#/s|^// \(Hint: \)\?||p' "$source"; exit ;;
  --solution) sed -n '/^ *\/\/>/,/^ *\/\/</p' "$source" | grep -v '^ *//[<>]'; exit ;;
  --gap) with_gap "$source"; exit ;;
  '' | --again) ;;
  *) refuse "exercise takes --hint, --solution, --gap or --again behind the name, not '$what'." ;;
esac

file=$folder/$name.cpp
mkdir -p "$folder"
if [[ ! -e $file || $what == --again ]]; then
  with_gap "$source" >"$file"
  say "$file is written: fill the gap at YOUR TURN, and run this again. --hint helps."
fi
build release exercise_check
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$root/build/release/CMakeCache.txt")
"$compiler" -std=c++20 -w -DSTEPGRAD_DOUBLE -I "$root" -I "$root/build/release/include" "$file" \
  -o "$folder/$name" \
  "$root/build/release/demos/exercise/libexercise_check.a" "$root/build/release/libstepgrad_double.a" ||
  refuse "$file does not compile yet (see above)."
exec "$folder/$name"
