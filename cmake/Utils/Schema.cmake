# SPDX-License-Identifier: Apache-2.0
# Object schemas in a build. The tool needs a Python interpreter only, no part of tvm_ffi's library.

# tvm_ffi_schema_generate(TARGET <target> SCHEMAS <file or directory>...
#   [MODE FULL|INPLACE] [CHECK_ONLY] [OUTPUTS cpp ir python pyi docs json] [DIALECT modern|classic]
#   [OUTPUT_DIR <dir>] [CONFIG <file>] [BREAKING_AGAINST <reference>])
#
# MODE FULL (the default) writes headers and sources below OUTPUT_DIR, by default in the build tree,
# and adds both to the target. MODE INPLACE fills the blocks of files in the source tree. With
# CHECK_ONLY nothing is written: the build fails when a file is stale. CONFIG names a configuration
# file, which then says where files lie. BREAKING_AGAINST makes the build fail when the schema breaks
# users of an older one: a directory, a file, a library or git:REF. OUTPUTS are by default cpp and ir,
# the schema itself, which tvm_ffi.schema.of() and `tvm-ffi-schema export` find in the library.
#
# The step runs again when a file that it has read changes: the tool says which those are. The target
# of the step is tschema-<target>; `cmake --build . --target codegen` runs all, from CMake 3.31 on.
function(tvm_ffi_schema_generate)
  cmake_parse_arguments(
    _arg "CHECK_ONLY" "TARGET;MODE;OUTPUT_DIR;CONFIG;BREAKING_AGAINST;DIALECT" "SCHEMAS;OUTPUTS" ${ARGN}
  )
  if(NOT TARGET "${_arg_TARGET}")
    message(FATAL_ERROR "tvm_ffi_schema_generate: TARGET ${_arg_TARGET} is not a target")
  endif()
  if(NOT _arg_SCHEMAS)
    message(FATAL_ERROR "tvm_ffi_schema_generate: SCHEMAS names no file")
  endif()
  if(_arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tvm_ffi_schema_generate: unknown arguments ${_arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT _arg_MODE)
    set(_arg_MODE FULL)
  endif()
  if(NOT _arg_MODE MATCHES "^(FULL|INPLACE)$")
    message(FATAL_ERROR "tvm_ffi_schema_generate: MODE is FULL or INPLACE, not ${_arg_MODE}")
  endif()
  if(NOT Python_EXECUTABLE)
    find_package(Python COMPONENTS Interpreter REQUIRED)
  endif()

  set(_schemas "")
  foreach(_schema IN LISTS _arg_SCHEMAS)
    get_filename_component(_schema "${_schema}" ABSOLUTE)
    if(NOT EXISTS "${_schema}")
      message(FATAL_ERROR "tvm_ffi_schema_generate: there is no ${_schema}")
    endif()
    list(APPEND _schemas "${_schema}")
  endforeach()
  # The tool beside the package that this file belongs to: in the same environment, or in the same
  # source tree. Elsewhere it is the one that the interpreter finds.
  set(_tool "${Python_EXECUTABLE}" -m tvm_ffi_schema)
  foreach(_up IN ITEMS ../../../.. ../../../../.. ../../schema)
    get_filename_component(_site "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${_up}" ABSOLUTE)
    if(EXISTS "${_site}/tvm_ffi_schema/__main__.py")
      set(_tool "${CMAKE_COMMAND}" -E env "PYTHONPATH=${_site}" ${_tool})
      break()
    endif()
  endforeach()

  set(_options "")
  if(_arg_DIALECT)
    list(APPEND _options --dialect "${_arg_DIALECT}")
  endif()
  if(_arg_OUTPUTS)
    string(REPLACE ";" "," _outputs "${_arg_OUTPUTS}")
    list(APPEND _options --to "${_outputs}")
  endif()
  set(_directory "${CMAKE_CURRENT_SOURCE_DIR}")
  set(_owns_files FALSE) # whether sources of the target come from here
  if(_arg_CONFIG)
    get_filename_component(_config "${_arg_CONFIG}" ABSOLUTE)
    if(NOT EXISTS "${_config}")
      message(FATAL_ERROR "tvm_ffi_schema_generate: there is no ${_config}")
    endif()
    list(APPEND _options --config "${_config}")
  elseif(_arg_MODE STREQUAL "FULL" AND NOT _arg_CHECK_ONLY)
    set(_owns_files TRUE)
    set(_directory "${CMAKE_CURRENT_BINARY_DIR}/tschema-${_arg_TARGET}")
    if(_arg_OUTPUT_DIR)
      get_filename_component(_directory "${_arg_OUTPUT_DIR}" ABSOLUTE)
    endif()
    set(_text "mode = \"full\"\nsources = []\noutputs = [\"cpp\", \"ir\"]\n")
    if(NOT EXISTS "${_directory}/tschema.toml")
      file(WRITE "${_directory}/tschema.toml" "${_text}")
    endif()
    file(READ "${_directory}/tschema.toml" _old)
    if(NOT _old STREQUAL _text)
      file(WRITE "${_directory}/tschema.toml" "${_text}")
    endif()
  endif()
  if(_arg_OUTPUT_DIR AND NOT _owns_files)
    message(FATAL_ERROR "tvm_ffi_schema_generate: OUTPUT_DIR is for MODE FULL without CHECK_ONLY "
                        "and CONFIG, which say where the files lie"
    )
  endif()

  set(_action generate)
  if(_arg_CHECK_ONLY)
    set(_action check)
  endif()
  set(_stamp "${CMAKE_CURRENT_BINARY_DIR}/tschema-${_arg_TARGET}.stamp")
  set(_depfile "${_stamp}.d")
  set(_commands
      COMMAND ${_tool} ${_action} -q -C "${_directory}" --depfile "${_depfile}" --depfile-target
              "${_stamp}" ${_options} ${_schemas}
  )
  if(_arg_BREAKING_AGAINST)
    list(APPEND _commands COMMAND ${_tool} breaking -q -C "${CMAKE_CURRENT_SOURCE_DIR}" --against
         "${_arg_BREAKING_AGAINST}" ${_schemas}
    )
  endif()

  # What a directory holds may change, and with it the files that are generated.
  set(_read "")
  foreach(_schema IN LISTS _schemas)
    if(IS_DIRECTORY "${_schema}")
      file(GLOB_RECURSE _inside CONFIGURE_DEPENDS "${_schema}/*.py")
      list(APPEND _read ${_inside})
    else()
      list(APPEND _read "${_schema}")
    endif()
  endforeach()

  set(_outputs "")
  if(_owns_files)
    execute_process(
      COMMAND ${_tool} outputs --list cmake -C "${_directory}" ${_options} ${_schemas}
      OUTPUT_VARIABLE _outputs
      ERROR_VARIABLE _errors
      RESULT_VARIABLE _status
      OUTPUT_STRIP_TRAILING_WHITESPACE
    )
    if(NOT _status EQUAL 0)
      message(FATAL_ERROR "tvm_ffi_schema_generate: the schema has errors\n${_errors}")
    endif()
    list(TRANSFORM _outputs PREPEND "${_directory}/")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_read})
    target_include_directories(${_arg_TARGET} PUBLIC "${_directory}/include")
    set(_sources ${_outputs})
    list(FILTER _sources INCLUDE REGEX "\\.(h|cc)$")
    target_sources(${_arg_TARGET} PRIVATE ${_sources})
  endif()

  set(_codegen "")
  if(CMAKE_VERSION VERSION_GREATER_EQUAL 3.31)
    cmake_policy(GET CMP0171 _policy)
    if(_policy STREQUAL "NEW") # otherwise the name `codegen` is the project's own
      set(_codegen CODEGEN)
    endif()
  endif()
  cmake_policy(PUSH)
  cmake_policy(SET CMP0116 NEW) # for projects of an older version: our paths are whole ones
  set(_dependencies DEPENDS ${_read})
  # Makefiles take such files from CMake 3.20 on, Ninja always; others have to do with the list.
  if(CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    list(APPEND _dependencies DEPFILE "${_depfile}")
  endif()
  add_custom_command(
    OUTPUT "${_stamp}"
    BYPRODUCTS ${_outputs}
    ${_commands}
    COMMAND "${CMAKE_COMMAND}" -E touch "${_stamp}"
    ${_dependencies}
    COMMENT "Object schema of ${_arg_TARGET}"
    VERBATIM ${_codegen}
  )
  cmake_policy(POP)
  # Part of `all` as the target is: `codegen` has the steps that `all` has.
  set(_all ALL)
  get_target_property(_excluded ${_arg_TARGET} EXCLUDE_FROM_ALL)
  if(_excluded)
    set(_all "")
  endif()
  add_custom_target(tschema-${_arg_TARGET} ${_all} DEPENDS "${_stamp}")
  add_dependencies(${_arg_TARGET} tschema-${_arg_TARGET})
endfunction()
