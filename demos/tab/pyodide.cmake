# The Python module for Pyodide, CPython in WebAssembly, by Debian's emscripten and the headers of its
# Python, whose minor version is Pyodide's: 3.11 is Pyodide 0.25, 3.13 is 0.29.
execute_process(COMMAND /usr/bin/python3 -c "import sysconfig as s
print(s.get_path('include'), s.get_python_version(), sep=';', end='')"
  OUTPUT_VARIABLE python)
list(GET python 0 headers)
list(GET python 1 python_version)

# Beside these headers are this machine's: the compiler sees them in folders of their own, and a
# pyconfig.h for any system in place of Debian's.
set(include ${PROJECT_BINARY_DIR}/include/of_system)
file(MAKE_DIRECTORY ${include})
file(COPY ${headers}/ DESTINATION ${include}/python PATTERN pyconfig.h EXCLUDE)
file(COPY ${PROJECT_SOURCE_DIR}/demos/python/binding/pyconfig.h DESTINATION ${include}/python)
file(CREATE_LINK /usr/include/xsimd ${include}/xsimd SYMBOLIC)
file(CREATE_LINK /usr/include/pybind11 ${include}/pybind11 SYMBOLIC)
set(XSIMD_INCLUDE_DIR ${include})
set(PYBIND11_INCLUDE_DIR ${include})
set(python_include_dir ${include}/python)
set(python_suffix .so)

# As Pyodide of this version was compiled.
if(python_version VERSION_LESS 3.12)
  set(exceptions -fexceptions)
endif()
add_compile_options(-D_LIBCPP_DISABLE_EXTERN_TEMPLATE)  # its libc++ may lack what this one has
set_property(GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS TRUE)
