# Programs for another system, by zig: clang with libc++ and that system's headers. STEPGRAD_SYSTEM is zig's
# name for it, STEPGRAD_ZIG zig's program.
if(CMAKE_CXX_COMPILER_ID)  # read again by the override below: zig crashes at -bundle
  set(CMAKE_SHARED_MODULE_CREATE_CXX_FLAGS -dynamiclib)
  return()
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES STEPGRAD_SYSTEM STEPGRAD_ZIG)
if(STEPGRAD_SYSTEM MATCHES windows)
  set(CMAKE_SYSTEM_NAME Windows)
  set(CMAKE_CROSSCOMPILING_EMULATOR /usr/lib/wine/wine64)
else()
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_OSX_SYSROOT "")
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR ${STEPGRAD_SYSTEM})
set(CMAKE_CXX_COMPILER ${STEPGRAD_ZIG} c++ -target ${STEPGRAD_SYSTEM})
# By itself zig adds UBSan, debug information and for Windows that of Microsoft. A link with other -m flags, or with
# -flto, which it adds to -O where sources are linked, compiles its runtime again: for Windows two minutes of a core.
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=all -gdwarf32 -g0")
if(STEPGRAD_SYSTEM MATCHES x86_64)
  add_compile_options(-mevex512)  # zig does not imply it by -mavx512f
endif()
# zig refuses what CMake writes: --push-state, and -force_load apart from its library.
set(CMAKE_CXX_LINK_LIBRARY_USING_WHOLE_ARCHIVE_SUPPORTED TRUE)
if(STEPGRAD_SYSTEM MATCHES windows)
  set(CMAKE_MODULE_LINKER_FLAGS_INIT -L${CMAKE_CURRENT_LIST_DIR}/../../build/headers)  # of Python
  set(CMAKE_CXX_LINK_LIBRARY_USING_WHOLE_ARCHIVE "-Wl,--whole-archive <LINK_ITEM> -Wl,--no-whole-archive")
else()
  set(CMAKE_CXX_LINK_LIBRARY_USING_WHOLE_ARCHIVE "-Wl,-force_load,<LINK_ITEM>")
  set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -Wl,-undefined,dynamic_lookup")  # see systems_test.sh
  set(CMAKE_MODULE_LINKER_FLAGS_INIT -nostdlib++)
  set(CMAKE_USER_MAKE_RULES_OVERRIDE_CXX ${CMAKE_CURRENT_LIST_FILE})
endif()

# Libraries of headers alone are this machine's; its own headers, beside them, are not for another system.
set(prefix ${CMAKE_CURRENT_LIST_DIR}/../../build/headers)
file(MAKE_DIRECTORY ${prefix}/include)
foreach(library catch2 CLI xsimd)
  file(CREATE_LINK /usr/include/${library} ${prefix}/include/${library} SYMBOLIC)
endforeach()
file(COPY /usr/lib/cmake/Catch2 /usr/share/cmake/CLI11 DESTINATION ${prefix}/lib/cmake
  PATTERN *-none.cmake EXCLUDE)  # a library for this machine
set(CMAKE_PREFIX_PATH ${prefix})
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)

# What zig has in one program, or not at all.
file(WRITE ${prefix}/ar "#!/bin/sh\nexec '${STEPGRAD_ZIG}' ar \"$@\"\n")
file(CHMOD ${prefix}/ar PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(CMAKE_AR ${prefix}/ar)
set(CMAKE_RANLIB :)
if(STEPGRAD_SYSTEM MATCHES x86_64)
  set(CMAKE_CXX_STANDARD_LIBRARIES ${prefix}/${STEPGRAD_SYSTEM}.o)
  if(NOT EXISTS ${CMAKE_CXX_STANDARD_LIBRARIES})
    execute_process(COMMAND ${CMAKE_CXX_COMPILER} -c ${CMAKE_CURRENT_LIST_DIR}/cpu_model.cpp
      -o ${CMAKE_CXX_STANDARD_LIBRARIES} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endif()
