# What demos/run and tests/run share: installing packages and building, quietly. The sourcing script
# sets $me, its own name, and $root, the tree.

[[ ${BASH_VERSINFO[0]} -ge 5 ]] || set +u  # to bash 3.2, macOS's, an empty array is unset

packages=(g++ cmake ninja-build libxsimd-dev catch2 libcli11-dev python3)

say() { echo "$me: $*" >&2; }
refuse() { say "$*"; exit 2; }

# Runs a command; its output shows only if it fails.
quietly() {
  local output
  output=$("$@" 2>&1 </dev/null) || { echo "$output" >&2; return 1; }
}

cores() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# Debian's packages in Homebrew and, behind mingw-w64-clang-x86_64-, in MSYS2. -: comes with the system.
elsewhere='
g++ - clang
cmake cmake cmake
ninja-build ninja ninja
libxsimd-dev xsimd xsimd
catch2 catch2 catch
libcli11-dev cli11 CLI11
python3 python python
python3-dev - python
python3-numpy numpy python-numpy
python3-torch pytorch python-pytorch
python3-matplotlib python-matplotlib python-matplotlib
python3-ipykernel jupyterlab python-ipykernel
jupyter-notebook jupyterlab jupyter-notebook
pybind11-dev pybind11 pybind11
libsentencepiece-dev sentencepiece sentencepiece
libopenmpi-dev open-mpi msmpi
openmpi-bin open-mpi msmpi
openssh-client - -
nodejs node nodejs
npm node nodejs
gdb - gdb
lldb - lldb
'

# The Python with Debian's packages; elsewhere the first on the path, for which CMake builds, too.
python=/usr/bin/python3
[[ $OSTYPE == linux* ]] || python=python3

# need() on macOS and in MSYS2: says which command of the reader's installs what is missing.
need_elsewhere() {
  local package names name missing=() install='brew install'
  for package; do
    names=$(sed -n "s/^$package //p" <<<"$elsewhere")
    names=${names:-$package $package}
    name=${names% *}
    [[ $OSTYPE == darwin* ]] || name=mingw-w64-clang-x86_64-${names#* } install='pacman -S'
    case $OSTYPE in
      darwin*) [[ $name == - ]] || brew list --versions "$name" ;;
      *) pacman -Q "$name" ;;
    esac >/dev/null 2>&1 || missing+=("$name")
  done
  [[ ! ${missing[*]} ]] || refuse "some programs are missing; install them by: $install ${missing[*]}"
}

installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]] || provided "$1"
}

# Whether an installed package holds it: nodejs from elsewhere than Debian holds npm, and refuses
# Debian's.
provided() {
  dpkg-query -W -f '${db:Status-Status} ${Provides},\n' 2>/dev/null |
    grep -E "^installed (.*, )?${1//+/\\+}( \(|,)" >/dev/null
}

# Debian 12, Ubuntu 24.04, or newer.
known_system() {
  local ID='' VERSION_ID=''
  command -v apt-get >/dev/null && source /etc/os-release || return 1
  case $ID in
    debian) dpkg --compare-versions "${VERSION_ID:-99}" ge 12 ;;
    ubuntu) dpkg --compare-versions "${VERSION_ID:-99}" ge 24.04 ;;
    *) return 1 ;;
  esac
}

# ccache keeps what was compiled, where it is installed and may write.
if cached=$(ccache -k cache_dir 2>/dev/null) && mkdir -p "$cached" 2>/dev/null && [[ -w $cached ]]; then
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
fi

# Installs those of the named packages that are missing; without any, asks neither root nor network.
need() {
  case $OSTYPE in darwin* | msys* | cygwin*) need_elsewhere "$@"; return ;; esac
  local package missing=() as_root=()
  for package; do installed "$package" || missing+=("$package"); done
  [[ ${#missing[@]} == 0 ]] && return
  known_system || refuse "on Debian 12 or Ubuntu 24.04 this would install by itself; here, please" \
    "install what corresponds to these packages: ${missing[*]} (CMake >= 3.25, g++ >= 12 or" \
    "clang >= 14, xsimd >= 8.1, Catch2 >= 2.13). Without dpkg, go on with: cmake --preset" \
    "release && cmake --build --preset release && ctest --preset release"
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null || refuse "neither root nor sudo here: have somebody run" \
      "'apt-get install ${missing[*]}' as root, then start again."
    as_root=(sudo)
  fi
  # A failed update may leave lists that are good enough: what counts is the installation.
  quietly "${as_root[@]}" apt-get update || true
  local much
  much=$("${as_root[@]}" env LC_ALL=C apt-get install --assume-no --no-install-recommends "${missing[@]}" \
    2>/dev/null </dev/null | sed -nE 's/^[0-9]+ upgraded, ([0-9]+) newly.*/: \1 packages/p
      s/^After this operation, (.*B) of additional disk.*/, \1/p' | tr -d '\n') || true
  say "installing ${missing[*]} by apt-get$much (this once)"
  quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y \
    --no-install-recommends -o DPkg::Lock::Timeout=300 "${missing[@]}" ||
    refuse "apt-get could not install ${missing[*]} (see above); is there a network?"
}

# The SIMD kernels of a release build. demos/run begins with this machine's alone, which takes a fifth less time;
# others, once there, stay.
kernels=ON

# CMake refuses what was built where the tree, copied or moved since, no longer is.
configure() {
  local built=$root/build/$1 there
  there=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$built/CMakeCache.txt" 2>/dev/null) || true
  if [[ $there && ! $there -ef $root ]]; then
    say "build/$1 was built in $there: building anew here, a few minutes"
    rm -rf "$built"
  fi
  local which=()
  if [[ $1 == release && ! ($kernels == native && -e $built/CMakeCache.txt) ]]; then which=(-D "STEPGRAD_SIMD=$kernels"); fi
  quietly cmake --preset "$1" "${which[@]}"
}

# Whether a target of a preset has been built, in this state of the tree or an earlier one.
built() {
  case $2 in
    stepgrad_python) compgen -G "$root/build/$1/python/_stepgrad*" >/dev/null ;;
    engine) [[ -e $root/build/$1/engine/bin/engine.wasm.gz ]] ;;
    exercise) [[ -e $root/build/$1/demos/exercise/libexercise_calls.a ]] ;;
    *) [[ $2 && -x $root/build/$1/bin/$2 ]] ;;
  esac
}

# What a build says: progress on one line of a terminal, and what the compiler has to say.
without_progress() {
  local line ends=''
  while IFS= read -r line; do
    case $line in
      'ninja: no work to do.' | '-- '*) ;;
      \[*/*\]*) [[ ! -t 2 ]] || { printf '\r\e[K%.78s' "$line"; ends=$'\n'; } ;;
      *) printf '%s%s\n' "$ends" "$line"; ends='' ;;
    esac
  done >&2
  [[ ! $ends ]] || printf '\r\e[K' >&2
}

# build PRESET [TARGET...]: without a target, what the preset names.
build() {
  local preset=$1 targets=("${@:2}")
  built "$preset" "${2-}" || say "building ${*:2}${2:+ in }build/$preset: minutes the first time"
  (
    cd "$root"
    mkdir -p build
    exec 9>"build/$preset.lock"
    # macOS has no flock: there, nobody waits.
    ! command -v flock >/dev/null || flock -n 9 || { say "another command builds in build/$preset: waiting"; flock 9; }
    # A tree in another folder has the use of what was compiled here, unless debug information has the folder.
    case $preset in release | neon) export CCACHE_BASEDIR=$root ;; esac
    configure "$preset" 9>&-
    cmake --build --preset "$preset" --parallel "$(cores)" ${targets[*]:+--target "${targets[@]}"} \
      2>&1 9>&- | without_progress
  )
}

# A file of a package of npm, of just this version, which is installed once: npm_file prettier 3.3.3 .bin/prettier
npm_file() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/stepgrad/$1-$2
  [[ -e $folder/node_modules/$3 ]] ||
    quietly npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts "$1@$2" >&2 || return 1
  echo "$folder/node_modules/$3"
}

# The node_modules of a package.json, whose versions are exact, installed once.
npm_modules() {
  local folder=${XDG_CACHE_HOME:-$HOME/.cache}/stepgrad/$(cksum <"$1" | tr ' ' -)
  if [[ ! -e $folder/node_modules/.package-lock.json ]]; then
    mkdir -p "$folder"
    cp "$1" "$folder/package.json"
    quietly npm install --prefix "$folder" --no-audit --no-fund --ignore-scripts >&2 || return 1
  fi
  echo "$folder/node_modules"
}

# The folder of the Pyodide whose CPython has the minor version of this system's Python: a module in
# WebAssembly is built with Debian's headers.
pyodide_folder() {
  local version file
  case $(/usr/bin/python3 -c 'import sys; print(sys.version_info.minor)') in
    11) version=0.25.1 ;;
    13) version=0.29.4 ;;
    *) refuse "no Pyodide is known that has this system's Python: Debian 12 and 13 have 3.11 and 3.13." ;;
  esac
  file=$(npm_file pyodide $version pyodide/pyodide.asm.wasm) || return 1
  echo "${file%/*}"
}
