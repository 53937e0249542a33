#!/bin/sh
# simd_symbols.sh OBJECT...: the kernels of each instruction set export their table and nothing
# that the linker could merge. It keeps one copy of an inline function, and if that were AVX-512's,
# older CPUs would stop at it with an illegal instruction.
command -v nm >/dev/null || { echo "nm is not installed"; exit 77; }
for object; do
  symbols=$(nm --defined-only "$object") || exit 1
  echo "$symbols" | grep -q '_table' || { echo "$object exports no table"; exit 1; }
  weak=$(echo "$symbols" | grep ' [WVu] ' | grep -v 'DW\.ref\.')  # that one is a pointer, no code
  [ -z "$weak" ] || { echo "$object: $weak"; exit 1; }
done
exit 0
