// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/require_cxx17.h
 * \brief One error instead of thousands where the compiler works with an older C++.
 *
 * Serves base.h, which includes it before anything else.
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
// After #error, compilers go on; after a file that does not exist they stop.
#include <tvm/ffi/needs/-std=c++17>
#endif

#undef TVM_FFI_CXX_VERSION_

#endif  // TVM_FFI_DETAIL_REQUIRE_CXX17_H_
