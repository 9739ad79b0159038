// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/function_detail.h
 * \brief Published path of a header whose contents are now in function.h, which it includes.
 */
#ifndef TVM_FFI_FUNCTION_DETAIL_H_
#define TVM_FFI_FUNCTION_DETAIL_H_

#include <tvm/ffi/function.h>

#endif  // TVM_FFI_FUNCTION_DETAIL_H_
