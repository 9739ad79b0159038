# SPDX-License-Identifier: Apache-2.0
# The runtime of an installed tree, under the target's name that Runtime.cmake uses. One runtime serves
# every interpreter, so extensions for further versions of Python need only themselves to be compiled.

find_package(
  tvm_ffi CONFIG REQUIRED PATHS "${TVM_FFI_RUNTIME_PACKAGE}/share/cmake/tvm_ffi" NO_DEFAULT_PATH
)
add_library(tvm_ffi_shared ALIAS tvm_ffi::shared)
