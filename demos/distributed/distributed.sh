# Demo: one training on several processes or machines, by MPI; weights bitwise equal to one process
# Needs: libopenmpi-dev openmpi-bin openssh-client gnuplot-nox
#
# Builds demos/distributed/distributed.cpp, which starts itself several times by mpirun.

command -v mpirun >/dev/null ||
  refuse "MPI is missing, which starts the processes: install libopenmpi-dev and openmpi-bin."
case " $* " in
  *" --step"[\ =]*) need gdb; preset=teach ;;  # plain loops on one thread, to step through
  *) preset=release ;;
esac
build "$preset" distributed
exec "$root/build/$preset/bin/distributed" "$@"
