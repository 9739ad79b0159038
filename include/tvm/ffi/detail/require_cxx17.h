// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/require_cxx17.h
 * \brief Stops the compilation with one error when the compiler uses a version of C++ before C++17.
 *
 * Used by base.h, which includes this file first.
 */
#ifndef TVM_FFI_DETAIL_REQUIRE_CXX17_H_
#define TVM_FFI_DETAIL_REQUIRE_CXX17_H_

#if defined(_MSVC_LANG)
#define TVM_FFI_CXX_VERSION_ _MSVC_LANG
#else
#define TVM_FFI_CXX_VERSION_ __cplusplus
#endif

#if TVM_FFI_CXX_VERSION_ < 201703L
#error "tvm-ffi needs C++17: compile with -std=c++17 or newer (MSVC: /std:c++17)"
// Compilers continue after #error, but stop at an include of a file that does not exist.
#include <tvm/ffi/needs/-std=c++17>
#endif

#undef TVM_FFI_CXX_VERSION_

#endif  // TVM_FFI_DETAIL_REQUIRE_CXX17_H_
