# SPDX-License-Identifier: Apache-2.0
# The CPython extension tvm_ffi.core: one per interpreter version, beside one runtime without Python.

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)

file(GLOB_RECURSE _binding_sources CONFIGURE_DEPENDS
     "${CMAKE_CURRENT_SOURCE_DIR}/python/binding/*.cc"
     "${CMAKE_CURRENT_SOURCE_DIR}/src/core/thread_value_*.cc"
)
if(NOT _binding_sources)
  message(FATAL_ERROR "TVM_FFI_BUILD_PYTHON_MODULE needs python/binding, which is only in a checkout")
endif()

python_add_library(tvm_ffi_core MODULE WITH_SOABI ${_binding_sources})
tvm_ffi_compile_options(tvm_ffi_core)
target_include_directories(
  tvm_ffi_core PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/python/binding" "${CMAKE_CURRENT_SOURCE_DIR}/src"
)
target_link_libraries(tvm_ffi_core PRIVATE tvm_ffi_shared)
if(TVM_FFI_UNITY)
  set_target_properties(tvm_ffi_core PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
endif()
set_target_properties(tvm_ffi_core PROPERTIES OUTPUT_NAME core)
if(APPLE)
  set_target_properties(tvm_ffi_core PROPERTIES INSTALL_RPATH "@loader_path/lib")
elseif(UNIX)
  # The linker hashes the search path of the build tree into the build ID. With a relative path,
  # wheels have the same bytes wherever they are built.
  set_target_properties(tvm_ffi_core PROPERTIES INSTALL_RPATH "$ORIGIN/lib" BUILD_RPATH_USE_ORIGIN ON)
  target_link_options(
    tvm_ffi_core
    PRIVATE "LINKER:--gc-sections" "LINKER:-z,relro,-z,now"
            "LINKER:--wrap=__gxx_personality_v0" # python/binding/forced_unwind.cc
  )
endif()
