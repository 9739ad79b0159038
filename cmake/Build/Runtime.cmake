# SPDX-License-Identifier: Apache-2.0
# Headers, the runtime library in its shared and static form, and the library of test fixtures.

set(_root "${CMAKE_CURRENT_SOURCE_DIR}")

add_library(tvm_ffi_header INTERFACE)
add_library(tvm_ffi::header ALIAS tvm_ffi_header)
target_compile_features(tvm_ffi_header INTERFACE cxx_std_17)
target_include_directories(
  tvm_ffi_header INTERFACE $<BUILD_INTERFACE:${_root}/include> $<INSTALL_INTERFACE:include>
)

file(
  GLOB
  _sources
  CONFIGURE_DEPENDS
  "${_root}/src/abi/*.cc"
  "${_root}/src/core/*.cc"
  "${_root}/src/graph/*.cc"
  "${_root}/src/text/*.cc"
  "${_root}/src/module/*.cc"
  "${_root}/src/layout/*.cc"
  "${_root}/src/schema_image/*.cc"
  "${_root}/src/functions/*.cc"
)
add_library(tvm_ffi_objs OBJECT ${_sources})
tvm_ffi_compile_options(tvm_ffi_objs)
target_compile_definitions(tvm_ffi_objs PRIVATE TVM_FFI_EXPORTS)
target_include_directories(tvm_ffi_objs PRIVATE "${_root}/src")
target_link_libraries(tvm_ffi_objs PUBLIC tvm_ffi_header)
if(TVM_FFI_UNITY)
  # One translation unit for each directory. The files of structural equality and hash are compiled
  # separately: GCC limits how much a unit may grow by inlining, and in a unit with the rest of
  # graph/, structural equality of a long array was 40 % slower.
  set_target_properties(tvm_ffi_objs PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(_source IN LISTS _sources)
    if(_source MATCHES "/graph/structural_")
      continue()
    endif()
    get_filename_component(_directory "${_source}" DIRECTORY)
    get_filename_component(_group "${_directory}" NAME)
    set_source_files_properties("${_source}" PROPERTIES UNITY_GROUP ${_group})
  endforeach()
endif()

include("${TVM_FFI_CMAKE_DIR}/Build/Backtrace.cmake")

if(TVM_FFI_USE_THREADS)
  set(THREADS_PREFER_PTHREAD_FLAG ON)
  find_package(Threads REQUIRED)
  target_link_libraries(tvm_ffi_objs PUBLIC Threads::Threads)
endif()

# What both forms of the runtime link.
function(tvm_ffi_link_system_libraries target)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tvm_ffi_sanitize>)
  target_link_libraries(${target} PUBLIC tvm_ffi_header)
  if(TVM_FFI_USE_THREADS)
    target_link_libraries(${target} PRIVATE Threads::Threads)
  endif()
  if(TVM_FFI_USE_DL_LIBS)
    target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS})
  endif()
  if(TVM_FFI_BACKTRACE_LIBRARY)
    target_link_libraries(${target} PRIVATE ${TVM_FFI_BACKTRACE_LIBRARY})
  endif()
endfunction()

add_library(tvm_ffi_static STATIC $<TARGET_OBJECTS:tvm_ffi_objs>)
add_library(tvm_ffi::static ALIAS tvm_ffi_static)
set_target_properties(
  tvm_ffi_static PROPERTIES OUTPUT_NAME tvm_ffi_static ARCHIVE_OUTPUT_DIRECTORY
                                                       "${CMAKE_CURRENT_BINARY_DIR}/lib"
)
tvm_ffi_link_system_libraries(tvm_ffi_static)

add_library(tvm_ffi_shared SHARED $<TARGET_OBJECTS:tvm_ffi_objs>)
add_library(tvm_ffi::shared ALIAS tvm_ffi_shared)
tvm_ffi_link_system_libraries(tvm_ffi_shared)
# No version suffix: the file name is the SONAME that every compiled client asks for.
set_target_properties(
  tvm_ffi_shared
  PROPERTIES OUTPUT_NAME tvm_ffi
             LINKER_LANGUAGE CXX
             LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
             RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
             ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
)
if(UNIX AND NOT APPLE)
  set(TVM_FFI_EXPORT_MAP "${TVM_FFI_CMAKE_DIR}/exports.map")
  target_link_options(
    tvm_ffi_shared
    PRIVATE
    "LINKER:--version-script=${TVM_FFI_EXPORT_MAP}"
    "LINKER:--gc-sections"
    "LINKER:-z,relro,-z,now"
    "LINKER:--no-undefined"
  )
  # Calls inside the library need no lookup at load time. The linker of zig lacks this option.
  include(CheckLinkerFlag)
  check_linker_flag(CXX "LINKER:-Bsymbolic-functions" TVM_FFI_CAN_BIND_SYMBOLS)
  if(TVM_FFI_CAN_BIND_SYMBOLS)
    target_link_options(tvm_ffi_shared PRIVATE "LINKER:-Bsymbolic-functions")
  endif()
  set_target_properties(tvm_ffi_shared PROPERTIES LINK_DEPENDS "${TVM_FFI_EXPORT_MAP}")
endif()

# Functions and types that tests and benchmarks call; loaded only when tvm_ffi.testing is wanted.
file(GLOB _testing_sources CONFIGURE_DEPENDS "${_root}/src/testing/*.cc")
if(_testing_sources)
  add_library(tvm_ffi_testing SHARED ${_testing_sources})
  tvm_ffi_compile_options(tvm_ffi_testing)
  set_target_properties(tvm_ffi_testing PROPERTIES UNITY_BUILD ${TVM_FFI_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  target_link_libraries(tvm_ffi_testing PRIVATE tvm_ffi_shared)
  set_target_properties(
    tvm_ffi_testing
    PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
               RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
               ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/lib"
  )
  if(APPLE)
    set_target_properties(tvm_ffi_testing PROPERTIES INSTALL_RPATH "@loader_path")
  elseif(UNIX)
    # A relative path in the build tree: see Python.cmake.
    set_target_properties(tvm_ffi_testing PROPERTIES INSTALL_RPATH "$ORIGIN" BUILD_RPATH_USE_ORIGIN ON)
  endif()
endif()
