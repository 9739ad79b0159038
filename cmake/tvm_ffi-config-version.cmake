# SPDX-License-Identifier: Apache-2.0
# Answers find_package(tvm_ffi <version>): before 1.0 each minor version is an ABI of its own.

set(_tvm_ffi_header "${CMAKE_CURRENT_LIST_DIR}/../../../include/tvm/ffi/c_api.h")
if(NOT EXISTS "${_tvm_ffi_header}")
  set(_tvm_ffi_header "${CMAKE_CURRENT_LIST_DIR}/../include/tvm/ffi/c_api.h")
endif()
file(STRINGS "${_tvm_ffi_header}" _tvm_ffi_version_lines
     REGEX "^#define TVM_FFI_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$"
)
list(TRANSFORM _tvm_ffi_version_lines REPLACE "^.* ([0-9]+)$" "\\1")
list(JOIN _tvm_ffi_version_lines "." PACKAGE_VERSION)

string(REGEX MATCH "^[0-9]+\\.[0-9]+" _tvm_ffi_minor "${PACKAGE_VERSION}")
string(REGEX MATCH "^[0-9]+(\\.[0-9]+)?" _tvm_ffi_asked "${PACKAGE_FIND_VERSION}")
if(NOT _tvm_ffi_asked MATCHES "\\.")
  string(APPEND _tvm_ffi_asked ".0")
endif()
if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
elseif(_tvm_ffi_asked VERSION_EQUAL _tvm_ffi_minor OR PACKAGE_FIND_VERSION STREQUAL "")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
else()
  set(PACKAGE_VERSION_COMPATIBLE FALSE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
unset(_tvm_ffi_header)
unset(_tvm_ffi_version_lines)
unset(_tvm_ffi_minor)
unset(_tvm_ffi_asked)
