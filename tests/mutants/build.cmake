# Taken in by project(): what makes one mutant one short compile. Headers are read once, and kernels
# are optimised less.
cmake_language(DEFER CALL compile_shortly)
function(compile_shortly)
  foreach(library stepgrad stepgrad_double)
    target_precompile_headers(${library} PRIVATE ${PROJECT_SOURCE_DIR}/ops/ops.hpp
      <algorithm> <cmath> <map> <numeric> <sstream> <string>)
  endforeach()
  foreach(kernels stepgrad_sse2 stepgrad_avx2 stepgrad_avx512)
    if(TARGET ${kernels})
      target_compile_options(${kernels} PRIVATE -O2)
    endif()
  endforeach()
endfunction()
