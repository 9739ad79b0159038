// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/c_env_api.h
 * \brief Includes tvm/ffi/c_env_api.h, for programs that use the published path of this file.
 */
#ifndef TVM_FFI_EXTRA_C_ENV_API_H_
#define TVM_FFI_EXTRA_C_ENV_API_H_

#include "../c_env_api.h"

#endif  // TVM_FFI_EXTRA_C_ENV_API_H_
