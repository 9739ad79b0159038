# SPDX-License-Identifier: Apache-2.0
# Functions for projects that build libraries against tvm_ffi. Nothing here needs a GPU toolchain or
# runs a program at configure time.

# tvm_ffi_add_prefix_map(<target> <path>): debug information names files relative to <path>.
function(tvm_ffi_add_prefix_map target path)
  if(NOT MSVC)
    target_compile_options(${target} PRIVATE "-ffile-prefix-map=${path}/=")
  endif()
endfunction()

# tvm_ffi_add_apple_dsymutil(<target>): debug bundle beside the library on Apple systems.
function(tvm_ffi_add_apple_dsymutil target)
  if(NOT APPLE)
    return()
  endif()
  find_program(TVM_FFI_DSYMUTIL dsymutil)
  if(TVM_FFI_DSYMUTIL)
    add_custom_command(
      TARGET ${target}
      POST_BUILD
      COMMAND "${TVM_FFI_DSYMUTIL}" "$<TARGET_FILE:${target}>"
      COMMENT "Extracting the debug bundle of ${target}"
      VERBATIM
    )
  endif()
endfunction()

# tvm_ffi_add_msvc_flags(<target>): settings that the headers need under the Microsoft compiler.
function(tvm_ffi_add_msvc_flags target)
  if(MSVC)
    target_compile_definitions(${target} PRIVATE NOMINMAX _CRT_SECURE_NO_WARNINGS)
    target_compile_options(${target} PRIVATE /bigobj /utf-8)
  endif()
endfunction()

# tvm_ffi_hide_static_linked_lib_symbols(<target>): nothing of a linked archive is exported.
function(tvm_ffi_hide_static_linked_lib_symbols target)
  if(UNIX AND NOT APPLE)
    target_link_options(${target} PRIVATE "LINKER:--exclude-libs,ALL")
  endif()
endfunction()

# tvm_ffi_install(<target> [DESTINATION dir]): the debug bundle on Apple systems, nothing elsewhere.
function(tvm_ffi_install target)
  cmake_parse_arguments(_arg "" "DESTINATION" "" ${ARGN})
  if(NOT _arg_DESTINATION)
    set(_arg_DESTINATION ".")
  endif()
  if(APPLE)
    install(
      DIRECTORY "$<TARGET_FILE:${target}>.dSYM"
      DESTINATION "${_arg_DESTINATION}"
      OPTIONAL
    )
  endif()
endfunction()

# tvm_ffi_configure_target(<target> [LINK_SHARED ON] [LINK_HEADER ON] [DEBUG_SYMBOL ON]
#   [MSVC_FLAGS ON] [STUB_INIT OFF] [STUB_DIR dir] [STUB_PKG name] [STUB_PREFIX prefix]
#   [STUB_TARGET python|rust])
#
# Links the headers and the library and adds the settings above. With STUB_DIR, each build runs
# `python -m tvm_ffi.stub.cli` over that directory with the library just built; STUB_INIT also writes
# the directory's first files, for the package STUB_PKG and the names that begin with STUB_PREFIX.
function(tvm_ffi_configure_target target)
  cmake_parse_arguments(
    _arg "" "LINK_SHARED;LINK_HEADER;DEBUG_SYMBOL;MSVC_FLAGS;STUB_INIT;STUB_DIR;STUB_PKG;STUB_PREFIX;STUB_TARGET" ""
    ${ARGN}
  )
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tvm_ffi_configure_target: ${target} is not a target")
  endif()
  if(_arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tvm_ffi_configure_target: unknown arguments ${_arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(_name LINK_SHARED LINK_HEADER DEBUG_SYMBOL MSVC_FLAGS)
    if(NOT DEFINED _arg_${_name})
      set(_arg_${_name} ON)
    endif()
  endforeach()

  if(_arg_LINK_HEADER)
    target_link_libraries(${target} PRIVATE tvm_ffi::header)
  endif()
  if(_arg_LINK_SHARED)
    target_link_libraries(${target} PRIVATE tvm_ffi::shared)
  endif()
  if(_arg_DEBUG_SYMBOL)
    tvm_ffi_add_prefix_map(${target} "${CMAKE_CURRENT_SOURCE_DIR}")
    tvm_ffi_add_apple_dsymutil(${target})
  endif()
  if(_arg_MSVC_FLAGS)
    tvm_ffi_add_msvc_flags(${target})
  endif()
  _tvm_ffi_add_stub_step(${target})
endfunction()

# Reads the STUB_* arguments of its caller.
function(_tvm_ffi_add_stub_step target)
  if(NOT _arg_STUB_DIR)
    if(_arg_STUB_INIT)
      message(FATAL_ERROR "tvm_ffi_configure_target: STUB_INIT needs STUB_DIR")
    endif()
    if(_arg_STUB_PKG OR _arg_STUB_PREFIX)
      message(FATAL_ERROR "tvm_ffi_configure_target: STUB_PKG and STUB_PREFIX need STUB_DIR")
    endif()
    return()
  endif()
  if(NOT _arg_STUB_INIT AND (_arg_STUB_PKG OR _arg_STUB_PREFIX))
    message(FATAL_ERROR "tvm_ffi_configure_target: STUB_PKG and STUB_PREFIX need STUB_INIT ON")
  endif()

  get_filename_component(_dir "${_arg_STUB_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
  set(_command -m tvm_ffi.stub.cli "${_dir}" --dlls "$<TARGET_FILE:${target}>")
  if(_arg_STUB_TARGET)
    list(APPEND _command --target "${_arg_STUB_TARGET}")
  endif()
  if(_arg_STUB_INIT)
    if(NOT _arg_STUB_PKG)
      set(_arg_STUB_PKG "${target}")
      if(SKBUILD_PROJECT_NAME)
        set(_arg_STUB_PKG "${SKBUILD_PROJECT_NAME}")
      endif()
    endif()
    if(NOT _arg_STUB_PREFIX)
      set(_arg_STUB_PREFIX "${_arg_STUB_PKG}.")
    endif()
    list(
      APPEND
      _command
      --init-pypkg
      "${_arg_STUB_PKG}"
      --init-lib
      "${target}"
      --init-prefix
      "${_arg_STUB_PREFIX}"
    )
  endif()
  if(NOT Python_EXECUTABLE)
    find_package(Python COMPONENTS Interpreter REQUIRED)
  endif()
  add_custom_command(
    TARGET ${target}
    POST_BUILD
    COMMAND "${Python_EXECUTABLE}" ${_command}
    COMMENT "Writing stubs of ${target} in ${_dir}"
    VERBATIM
  )
endfunction()
