# Demo: `import torch` in a browser's tab, with exercises
# Needs: emscripten pybind11-dev python3-dev nodejs npm
#
# demos/run tab [FILE.ipynb | EXERCISE | LESSON] [--out FILE.html]: what the page opens with; LESSON is 1 to 9.

output=stepgrad-output/tab.html what=
while [[ $# -gt 0 ]]; do
  case $1 in
    --out | --output) output=${2-}; [[ $output ]] || refuse "$1 wants a file."; shift ;;
    -h | --help) echo "usage: demos/run tab [FILE.ipynb | EXERCISE | LESSON] [--out FILE.html]"; exit ;;
    -*) refuse "tab does not know '$1'; demos/run tab --help says what it takes." ;;
    *) [[ ! $what ]] || refuse "tab opens one thing, not '$what' and '$1'."; what=$1 ;;
  esac
  shift
done
build tab
build release engine
pyodide=$(pyodide_folder)
modules=$(npm_modules "$root/demos/tab/package.json")
script=$root/build/tab/page.js
NODE_PATH=$modules "$modules/.bin/esbuild" "$root/demos/tab/page/main.js" --bundle --minify --charset=utf8 \
  --log-level=error --outfile="$script"
exec python3 "$root/demos/tab/tab.py" "$pyodide" "$script" "$output" "$root/build/release/engine/bin/engine.wasm.gz" "$what"
