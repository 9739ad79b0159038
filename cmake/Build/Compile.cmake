# SPDX-License-Identifier: Apache-2.0
# How this project's own code is compiled: tvm_ffi_compile_options(<target>).

add_library(tvm_ffi_sanitize INTERFACE)
if(TVM_FFI_SANITIZE)
  list(JOIN TVM_FFI_SANITIZE "," _sanitizers)
  target_compile_options(
    tvm_ffi_sanitize INTERFACE -fsanitize=${_sanitizers} -fno-omit-frame-pointer -g
  )
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC documents false positives of this warning beside -fsanitize; std::optional gives one.
    target_compile_options(tvm_ffi_sanitize INTERFACE -Wno-maybe-uninitialized)
  endif()
  if("undefined" IN_LIST TVM_FFI_SANITIZE)
    # Each library has its own hidden type information, which the vptr check takes for another type.
    target_compile_options(tvm_ffi_sanitize INTERFACE -fno-sanitize-recover=undefined -fno-sanitize=vptr)
  endif()
  target_link_options(tvm_ffi_sanitize INTERFACE -fsanitize=${_sanitizers})
endif()

# The bytes of a wheel do not depend on the folder in which it was built.
if(SKBUILD AND NOT MSVC)
  add_compile_options(
    "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=" "-ffile-prefix-map=${CMAKE_BINARY_DIR}/="
  )
endif()

# C++17 with warnings; symbols hidden unless marked, calls through the loaded address table.
function(tvm_ffi_compile_options target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(
    ${target}
    PROPERTIES CXX_STANDARD 17
               CXX_STANDARD_REQUIRED ON
               CXX_EXTENSIONS OFF
               C_STANDARD 11
               CXX_VISIBILITY_PRESET hidden
               C_VISIBILITY_PRESET hidden
               VISIBILITY_INLINES_HIDDEN ON
               POSITION_INDEPENDENT_CODE ON
  )
  if(MSVC)
    target_compile_options(${target} PRIVATE /W3 /utf-8 /bigobj $<$<BOOL:${TVM_FFI_WERROR}>:/WX>)
  else()
    target_compile_options(
      ${target}
      PRIVATE -Wall
              -Wextra
              $<$<BOOL:${TVM_FFI_WERROR}>:-Werror>
              $<$<BOOL:${TVM_FFI_ATTACH_DEBUG_SYMBOLS}>:-g>
    )
    if(UNIX AND NOT APPLE)
      target_compile_options(${target} PRIVATE -fno-plt -fno-semantic-interposition)
    endif()
  endif()
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:tvm_ffi_sanitize>)
endfunction()
