# SPDX-License-Identifier: Apache-2.0
# The installed tree, which is also the inside of the Python package:
#   include/  lib/  lib/pkgconfig/  share/cmake/tvm_ffi/  CMakeLists.txt  src/  core.<abi>.so

set(_root "${CMAKE_CURRENT_SOURCE_DIR}")

if(NOT TVM_FFI_RUNTIME_PACKAGE)
  install(
    TARGETS tvm_ffi_shared
    COMPONENT runtime
    RUNTIME DESTINATION lib
    LIBRARY DESTINATION lib
    ARCHIVE DESTINATION lib
  )
endif()
if(TARGET tvm_ffi_testing)
  install(
    TARGETS tvm_ffi_testing
    COMPONENT runtime
    RUNTIME DESTINATION lib
    LIBRARY DESTINATION lib
    ARCHIVE DESTINATION lib
  )
endif()

install(DIRECTORY "${_root}/include/" DESTINATION include COMPONENT headers)
configure_file(
  "${TVM_FFI_CMAKE_DIR}/Build/tvm-ffi.pc.in" "${CMAKE_CURRENT_BINARY_DIR}/tvm-ffi.pc" @ONLY
)
install(
  FILES "${CMAKE_CURRENT_BINARY_DIR}/tvm-ffi.pc" DESTINATION lib/pkgconfig COMPONENT headers
)
install(DIRECTORY "${TVM_FFI_CMAKE_DIR}/" DESTINATION share/cmake/tvm_ffi COMPONENT cmake)
install(FILES "${_root}/CMakeLists.txt" DESTINATION . COMPONENT sources)
install(DIRECTORY "${_root}/src" DESTINATION . COMPONENT sources)

if(TVM_FFI_BUILD_PYTHON_MODULE)
  install(TARGETS tvm_ffi_core COMPONENT python LIBRARY DESTINATION . RUNTIME DESTINATION .)
  # Beside the package: the module that Python imports if the package has lost its __init__.py. An
  # editable installation has no __init__.py beside it, and would import this module instead.
  if(SKBUILD AND NOT SKBUILD_STATE STREQUAL "editable")
    install(
      FILES "${_root}/python/without_package.py"
      DESTINATION ..
      RENAME tvm_ffi.py
      COMPONENT python
    )
  endif()
endif()
