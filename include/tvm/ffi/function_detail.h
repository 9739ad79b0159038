// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/function_detail.h
 * \brief Includes function.h, which now has the contents of this header; kept for its published
 * path.
 */
#ifndef TVM_FFI_FUNCTION_DETAIL_H_
#define TVM_FFI_FUNCTION_DETAIL_H_

#include <tvm/ffi/function.h>

#endif  // TVM_FFI_FUNCTION_DETAIL_H_
