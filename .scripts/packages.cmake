# The target `package` makes two for Debian: libstepgrad-dev, for find_package, and python3-stepgrad,
# the module with its kernel for Jupyter, where its target is there.
set(CPACK_GENERATOR DEB)
set(CPACK_OUTPUT_CONFIG_FILE ${PROJECT_BINARY_DIR}/packages.cmake)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "The developers of stepgrad <stepgrad@localhost>")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL stepgrad)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_STEPGRAD_PACKAGE_NAME libstepgrad-dev)
set(CPACK_DEBIAN_STEPGRAD_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_STEPGRAD_PACKAGE_DEPENDS "g++, cmake, make")

if(TARGET stepgrad_python)
  get_directory_property(python DIRECTORY demos/python/binding DEFINITION python_version)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-stepgrad)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${python}~), python3 (<< ${python}.99)")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-numpy, python3-ipykernel, jupyter-notebook")

  # What Python compiled is no package's.
  file(CONFIGURE OUTPUT packages/prerm @ONLY CONTENT [[#!/bin/sh
find "$DPKG_ROOT/usr/lib/python@python@/dist-packages/stepgrad" -name __pycache__ -prune \
  -exec rm -r {} +
]])
  file(CHMOD ${PROJECT_BINARY_DIR}/packages/prerm
    PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/packages/prerm)
endif()
include(CPack)

# Not CPack's own target, which would build all demos and tests.
set(contents stepgrad)
foreach(name stepgrad_vocabulary stepgrad_distributed stepgrad_python engine)
  if(TARGET ${name})
    list(APPEND contents ${name})
  endif()
endforeach()
if(STEPGRAD_SIMD STREQUAL "native")  # other machines have other instruction sets
  set(all_kernels COMMAND ${CMAKE_COMMAND} -E echo "first: cmake --preset release -D STEPGRAD_SIMD=ON"
    COMMAND ${CMAKE_COMMAND} -E false)
endif()
add_custom_target(package ${all_kernels} COMMAND ${CMAKE_CPACK_COMMAND} --config ${CPACK_OUTPUT_CONFIG_FILE}
  DEPENDS ${contents} USES_TERMINAL VERBATIM)
