// SPDX-License-Identifier: Apache-2.0
// Fixtures: functions with C calling conventions.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>

/*! \brief Return x + 1, with the calling convention of TVMFFISafeCallType. */
extern "C" int tvm_ffi_testing_add_one(void* handle, const TVMFFIAny* args, int32_t num_args,
                                       TVMFFIAny* result);

/*!
 * \brief Call tvm_ffi_testing_add_one with the packed convention of MLIR.
 * \param packed one pointer to each argument of tvm_ffi_testing_add_one, then a pointer to the int
 * that receives the status.
 */
extern "C" void tvm_ffi_testing_mlir_add_one(void** packed);

/*! \brief Return 0. A call of this function makes the linker keep this library among a client's
 * dependencies. */
extern "C" TVM_FFI_DLL_EXPORT int32_t TVMFFITestingDummyTarget();
