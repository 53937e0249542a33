# Demo: lessons, playground, notebook, Python in a tab, to serve
# Needs: emscripten pybind11-dev python3-dev nodejs npm
[[ ${1-} != --out ]] || { shift; [[ ${1-} ]] || refuse "--out wants a folder."; }
case ${1-} in
  -h | --help) echo "usage: demos/run site [[--out] FOLDER]      default: stepgrad-output/site"; exit ;;
  -*) refuse "site takes a folder, not '$1'." ;;
esac
folder=${1-stepgrad-output/site}
build release lessons playground notebook
mkdir -p "$folder"
programs=$root/build/release/bin
"$programs/playground" "$folder/playground.html"
"$programs/notebook" --steps 1 --html "$folder/notebook.html" --live >/dev/null
"$root/demos/run" tab --out "$folder/tab.html"
"$programs/lessons" "$folder"
