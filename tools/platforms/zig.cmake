# SPDX-License-Identifier: Apache-2.0
# The common part of the toolchains with zig's compiler. TVM_FFI_ZIG is the folder with zig-cc,
# zig-c++, zig-ar and zig-ranlib, which `tools/set_up.sh zig` writes.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TVM_FFI_ZIG)
set(CMAKE_C_COMPILER "${TVM_FFI_ZIG}/zig-cc" -target ${_target})
set(CMAKE_CXX_COMPILER "${TVM_FFI_ZIG}/zig-c++" -target ${_target})
# Without optimisation zig checks for undefined behavior, and shared libraries lack the functions that
# report it.
set(CMAKE_C_FLAGS_INIT "-fno-sanitize=undefined")
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=undefined")
set(CMAKE_AR "${TVM_FFI_ZIG}/zig-ar")
set(CMAKE_RANLIB "${TVM_FFI_ZIG}/zig-ranlib")
# The headers and libraries of the target are zig's own: none of this machine fit.
set(CMAKE_FIND_ROOT_PATH "${TVM_FFI_ZIG}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
