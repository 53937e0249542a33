#!/usr/bin/env bash
# Simulates machines on a slow network by network namespaces on this one; as root:
#   demos/distributed/namespaces.sh 100mbit --ranks 4 --compare --model transformer --bucket-kb 64
# Needs iproute2. Arguments after the rate go to demos/run distributed, which must be built.
set -euo pipefail
rate=$1 machines=4 program=$(dirname "$(readlink -f "$0")")/../../build/release/bin/distributed
shift
folder=$(mktemp -d)

remove() {
  for ((i = 0; i <= machines; ++i)); do ip netns del "stepgrad$i" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap remove EXIT

# Number 0 is the switch, with a line to each other one.
ip netns add stepgrad0
ip -n stepgrad0 link add name switch type bridge
ip -n stepgrad0 link set dev switch up
for ((i = 1; i <= machines; ++i)); do
  ip netns add "stepgrad$i"
  ip -n stepgrad0 link add name "line$i" type veth peer name line netns "stepgrad$i"
  ip -n stepgrad0 link set dev "line$i" master switch up
  ip -n "stepgrad$i" addr add "10.77.0.$i/24" dev line
  ip -n "stepgrad$i" link set dev line up
  ip -n "stepgrad$i" link set dev lo up
  for place in "stepgrad$i line" "stepgrad0 line$i"; do
    tc -n ${place% *} qdisc add dev ${place#* } root tbf rate "$rate" burst 128kb latency 100ms
  done
  echo "10.77.0.$i slots=1" >>"$folder/hosts"
done

# Replaces ssh: [-o OPTION]... HOST COMMAND...
cat >"$folder/enter" <<'END'
#!/usr/bin/env bash
while [[ $1 == -o ]]; do shift 2; done
i=${1##*.}
shift
exec ip netns exec "stepgrad$i" unshare --uts bash -c "hostname machine$i; $*"
END
chmod +x "$folder/enter"
export OMPI_MCA_plm_rsh_agent=$folder/enter OMPI_MCA_btl=tcp,self
export OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
ip netns exec stepgrad1 unshare --uts bash -c 'hostname machine1; exec "$@"' - \
  "$program" --hosts "$folder/hosts" --threads 1 "$@"
