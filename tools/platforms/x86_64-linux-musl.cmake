# SPDX-License-Identifier: Apache-2.0
# Linux with the C library musl, as in Alpine, with zig's compiler; programs run with Debian's musl.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(_target x86_64-linux-musl)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
# Without this zig links programs statically, and they could not load libraries.
add_link_options(-dynamic)
