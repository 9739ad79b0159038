# SPDX-License-Identifier: Apache-2.0
# Switches of the build. The first three are the public ones that clients set; see python docs.

option(TVM_FFI_USE_EXTRA_CXX_API "Build the C++ part of the runtime (JSON, graph walks, modules)" ON)
option(TVM_FFI_USE_THREADS "Link the platform's thread library" ON)
option(TVM_FFI_USE_DL_LIBS "Link the library that provides dlopen" ON)
option(TVM_FFI_BUILD_PYTHON_MODULE "Build the CPython extension tvm_ffi.core" OFF)
option(TVM_FFI_BUILD_TESTS "Build the C and C++ tests" OFF)
option(TVM_FFI_BUILD_FUZZERS "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(TVM_FFI_ATTACH_DEBUG_SYMBOLS "Add debug information to optimised builds" OFF)
option(TVM_FFI_WERROR "Treat warnings in this project's own code as errors" OFF)
set(TVM_FFI_RUNTIME_PACKAGE "" CACHE PATH
    "Installed tree whose runtime the Python extension links, instead of one that is built here"
)
set(TVM_FFI_SANITIZE "" CACHE STRING "Sanitizers of the whole build: address;undefined or thread")

# Accepted so that existing build scripts configure; this runtime takes backtraces from the toolchain
# when it finds a reader there, and never installs a signal handler.
option(TVM_FFI_USE_LIBBACKTRACE "Without effect" ON)
option(TVM_FFI_BACKTRACE_ON_SEGFAULT "Without effect" OFF)
mark_as_advanced(TVM_FFI_USE_LIBBACKTRACE TVM_FFI_BACKTRACE_ON_SEGFAULT)

if(TVM_FFI_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Compile several source files as one translation unit: the build takes a fraction of the time, and
# functions of one file can be inlined into another. Debug and sanitizer builds of this project
# compile each source file separately, which shows that each file includes all headers that it needs.
set(TVM_FFI_UNITY ON)
if(TVM_FFI_SANITIZE OR (TVM_FFI_IS_TOP_LEVEL AND CMAKE_BUILD_TYPE STREQUAL "Debug"))
  set(TVM_FFI_UNITY OFF)
endif()

# -O3 measures no faster here than -O2 and makes larger libraries.
if(TVM_FFI_IS_TOP_LEVEL AND NOT MSVC AND CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")
  set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
endif()
