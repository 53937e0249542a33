#!/bin/sh
# simd_symbols.sh OBJECT...: nothing in the kernels of one instruction set may be merged with what
# other objects hold. Of an inline function that was not inlined the linker keeps one copy; were that
# AVX-512's, older CPUs would stop at it with an illegal instruction. Clang's own, two calls that end
# the program, has none.
command -v nm >/dev/null || { echo "nm is not installed"; exit 77; }
weak=$(
  for object; do
    nm --defined-only "$object" || echo "unreadable $object"
  done | awk '$2 ~ /[WVu]/ && $3 !~ /^(DW.ref|__clang_call_terminate$)/ || /^unreadable/ {print $NF}'  # DW.ref: a pointer
)
bad=$(
  echo "$weak" | grep . | grep -vE 'avx|sse|neon'  # anybody may have that one
  echo "$weak" | sort | uniq -d                    # two of our objects have it
)
[ -z "$bad" ] || { echo "not safe from merging: $bad"; exit 1; }
