# SPDX-License-Identifier: Apache-2.0
# Looks for the reader of debug information that comes with GCC; the runtime names frames through the
# dynamic linker alone where there is none. Sets TVM_FFI_BACKTRACE_LIBRARY and defines
# TVM_FFI_HAVE_LIBBACKTRACE (header <backtrace.h>) for the runtime's sources.
include(CheckCXXSourceCompiles)

set(_program
    "#include <backtrace.h>
     int main() { return backtrace_create_state(nullptr, 1, nullptr, nullptr) == nullptr; }"
)
set(TVM_FFI_BACKTRACE_LIBRARY "")
if(NOT MSVC)
  set(CMAKE_REQUIRED_FLAGS "-fPIC -shared")
  set(CMAKE_REQUIRED_LIBRARIES backtrace)
  set(CMAKE_REQUIRED_QUIET ON)
  # Linked as a shared object: an archive that is not position independent is of no use to us.
  check_cxx_source_compiles("${_program}" TVM_FFI_FOUND_LIBBACKTRACE)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
  if(TVM_FFI_FOUND_LIBBACKTRACE)
    set(TVM_FFI_BACKTRACE_LIBRARY backtrace)
    target_compile_definitions(tvm_ffi_objs PRIVATE TVM_FFI_HAVE_LIBBACKTRACE=1)
  endif()
endif()
