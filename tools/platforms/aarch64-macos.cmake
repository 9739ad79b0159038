# SPDX-License-Identifier: Apache-2.0
# macOS on 64-bit Arm, with zig's compiler and linker. The programs cannot run on another system.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(_target aarch64-macos)
include("${CMAKE_CURRENT_LIST_DIR}/zig.cmake")
set(CMAKE_OSX_SYSROOT "")
