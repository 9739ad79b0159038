# SPDX-License-Identifier: Apache-2.0
# Linux with the C library musl, as in Alpine, with zig's compiler; programs run with Debian's musl.
# TVM_FFI_LIBCXX is the C++ runtime that libcxx/CMakeLists.txt builds; without it, each library has a copy.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TVM_FFI_LIBCXX)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(_target x86_64-linux-musl)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
# Without this zig links programs statically, and they could not load libraries.
add_link_options(-dynamic)
if(TVM_FFI_LIBCXX)
  add_link_options(-nostdlib++)
  link_libraries("${TVM_FFI_LIBCXX}")
endif()
