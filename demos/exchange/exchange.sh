# Demo: weights from PyTorch or NumPy, gradients back
case ${1-} in
  -h | --help)
    echo "usage: demos/run exchange [--torch]"
    echo "  --torch  PyTorch makes the weights and the gradients, and not NumPy"
    exit ;;
  --torch) need python3-numpy python3-torch ;;
  '') need python3-numpy ;;
  *) refuse "exchange has no option '$1', only --torch." ;;
esac
build release exchange
exchange=("$python" "$root/demos/exchange/exchange.py")
mkdir -p stepgrad-output/exchange
cd stepgrad-output/exchange
"${exchange[@]}" write "$@"
"$root/build/release/bin/exchange"
"${exchange[@]}" compare
exit
