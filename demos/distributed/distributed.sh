# Demo: one training on several processes, by MPI
# Needs: libopenmpi-dev openmpi-bin openssh-client
#
# Builds demos/distributed/distributed.cpp, and starts it several times by mpirun.

command -v mpirun >/dev/null ||
  refuse "MPI is missing, which starts the processes: install libopenmpi-dev and openmpi-bin."
case " $* " in
  *" --step"[\ =]*) need gdb; preset=teach ;;  # plain loops on one thread, to step through
  *) preset=release ;;
esac
build "$preset" distributed
program=$root/build/$preset/bin/distributed
ranks=$("$program" "$@") || exit
[[ $ranks =~ ^[0-9]+$ ]] || { echo "$ranks"; exit; }  # --help

# A rank has several threads. Shared memory suffices: looking for networks would take seconds. Copies between processes'
# memory are forbidden in many containers.
command=(mpirun -n "$ranks" --oversubscribe --bind-to none --mca pml ob1 --mca btl ^tcp,ofi
  --mca btl_vader_single_copy_mechanism none)
[[ $(id -u) != 0 ]] || command+=(--allow-run-as-root)
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(($(cores) > ranks ? $(cores) / ranks : 1))}
[[ -t 1 ]] || export TERM=dumb  # mpirun gives a terminal to each rank

if [[ $preset == release ]]; then
  "${command[@]}" "$program" "$@" && exit
  say "with --resume, the same command goes on after the last checkpoint, if there is one."
  exit 1
fi

# gdb has this terminal and Ctrl-C, so mpirun is in another session.
output=$(mktemp)
trap 'rm -f "$output"' EXIT
setsid "${command[@]}" "$program" "$@" </dev/null > >(tee "$output") &
until process=$(sed -n 's/.*waits for gdb: process \([0-9]*\).*/\1/p' "$output") && [[ $process ]]; do
  kill -0 $! 2>/dev/null || break
  sleep 0.1
done
# -p would attach before gdb loads the scripts of the program.
[[ ! $process ]] || gdb -q -iex "set debuginfod enabled off" -iex "add-auto-load-safe-path $program" \
  -ex "set confirm off" -ex "attach $process" -ex "tbreak stepgrad::nn::DistributedDataParallel::begin_move" \
  -ex continue -ex 'echo \nbt shows who called it; print move and bucket; next, step and finish walk on,\n'\
'continue trains to the end. The other ranks wait.\n' "$program"
wait $!
