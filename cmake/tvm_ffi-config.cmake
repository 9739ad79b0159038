# SPDX-License-Identifier: Apache-2.0
# find_package(tvm_ffi CONFIG): targets tvm_ffi::header and tvm_ffi::shared, and the helper functions
# below Utils/. Every path is derived from the place of this file, so the tree can be moved.
#
# Sets tvm_ffi_INCLUDE_DIR, tvm_ffi_DLPACK_INCLUDE_DIR, tvm_ffi_LIB_FILES and tvm_ffi_VERSION.

# Clients use Python_EXECUTABLE afterwards; nothing here needs it.
find_package(Python COMPONENTS Interpreter QUIET)

# Installed: <prefix>/share/cmake/tvm_ffi. In a checkout: <root>/cmake.
get_filename_component(_tvm_ffi_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_tvm_ffi_lib_dirs "${_tvm_ffi_prefix}/lib")
if(NOT EXISTS "${_tvm_ffi_prefix}/include/tvm/ffi/c_api.h")
  get_filename_component(_tvm_ffi_prefix "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
  set(_tvm_ffi_lib_dirs "${_tvm_ffi_prefix}/build/lib" "${_tvm_ffi_prefix}/lib"
                        "${_tvm_ffi_prefix}/build/dev/lib"
  )
endif()

set(tvm_ffi_INCLUDE_DIR "${_tvm_ffi_prefix}/include")
set(tvm_ffi_DLPACK_INCLUDE_DIR "${_tvm_ffi_prefix}/include")
if(NOT EXISTS "${tvm_ffi_INCLUDE_DIR}/tvm/ffi/c_api.h")
  set(tvm_ffi_FOUND FALSE)
  set(tvm_ffi_NOT_FOUND_MESSAGE "no headers at ${tvm_ffi_INCLUDE_DIR}")
  return()
endif()

file(STRINGS "${tvm_ffi_INCLUDE_DIR}/tvm/ffi/c_api.h" _tvm_ffi_version_lines
     REGEX "^#define TVM_FFI_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$"
)
list(TRANSFORM _tvm_ffi_version_lines REPLACE "^.* ([0-9]+)$" "\\1")
list(JOIN _tvm_ffi_version_lines "." tvm_ffi_VERSION)

# The library of this very tree: never one that merely lies on a search path.
if(WIN32)
  set(_tvm_ffi_names tvm_ffi.dll)
elseif(APPLE)
  set(_tvm_ffi_names libtvm_ffi.dylib libtvm_ffi.so)
else()
  set(_tvm_ffi_names libtvm_ffi.so)
endif()
set(_tvm_ffi_library "")
foreach(_dir IN LISTS _tvm_ffi_lib_dirs)
  foreach(_name IN LISTS _tvm_ffi_names)
    if(NOT _tvm_ffi_library AND EXISTS "${_dir}/${_name}")
      set(_tvm_ffi_library "${_dir}/${_name}")
    endif()
  endforeach()
endforeach()
if(NOT _tvm_ffi_library)
  set(tvm_ffi_FOUND FALSE)
  set(tvm_ffi_NOT_FOUND_MESSAGE "no ${_tvm_ffi_names} in ${_tvm_ffi_lib_dirs}")
  return()
endif()
set(tvm_ffi_LIB_FILES "${_tvm_ffi_library}")

if(NOT TARGET tvm_ffi::header)
  add_library(tvm_ffi::header INTERFACE IMPORTED)
  target_compile_features(tvm_ffi::header INTERFACE cxx_std_17)
  target_include_directories(
    tvm_ffi::header INTERFACE "${tvm_ffi_INCLUDE_DIR}" "${tvm_ffi_DLPACK_INCLUDE_DIR}"
  )
endif()

if(NOT TARGET tvm_ffi::shared)
  add_library(tvm_ffi::shared SHARED IMPORTED)
  target_compile_features(tvm_ffi::shared INTERFACE cxx_std_17)
  target_include_directories(
    tvm_ffi::shared INTERFACE "${tvm_ffi_INCLUDE_DIR}" "${tvm_ffi_DLPACK_INCLUDE_DIR}"
  )
  set_target_properties(tvm_ffi::shared PROPERTIES IMPORTED_LOCATION "${_tvm_ffi_library}")
  if(WIN32)
    get_filename_component(_tvm_ffi_lib_dir "${_tvm_ffi_library}" DIRECTORY)
    set(tvm_ffi_LIB_FILES "${_tvm_ffi_lib_dir}/tvm_ffi.lib")
    set_target_properties(tvm_ffi::shared PROPERTIES IMPORTED_IMPLIB "${tvm_ffi_LIB_FILES}")
  endif()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/Utils/Library.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/Utils/Schema.cmake")
