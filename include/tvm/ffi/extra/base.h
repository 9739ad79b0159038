// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/base.h
 * \brief How the C++ functions and classes that the shared library exports are marked.
 */
#ifndef TVM_FFI_EXTRA_BASE_H_
#define TVM_FFI_EXTRA_BASE_H_

#include <tvm/ffi/c_api.h>

/*! \brief On a declaration: a C++ symbol exported by the shared library. */
#ifndef TVM_FFI_EXTRA_CXX_API
#define TVM_FFI_EXTRA_CXX_API TVM_FFI_DLL
#endif

#endif  // TVM_FFI_EXTRA_BASE_H_
