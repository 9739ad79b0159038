// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/base.h
 * \brief The macro that marks C++ functions and classes which the shared library exports.
 */
#ifndef TVM_FFI_EXTRA_BASE_H_
#define TVM_FFI_EXTRA_BASE_H_

#include <tvm/ffi/c_api.h>

/*! \brief Marks the declaration of a C++ symbol that the shared library exports. */
#ifndef TVM_FFI_EXTRA_CXX_API
#define TVM_FFI_EXTRA_CXX_API TVM_FFI_DLL
#endif

#endif  // TVM_FFI_EXTRA_BASE_H_
