// SPDX-License-Identifier: Apache-2.0
// Fixtures: functions with C calling conventions.
#ifndef TVM_FFI_SRC_TESTING_C_SYMBOLS_H_
#define TVM_FFI_SRC_TESTING_C_SYMBOLS_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

/*! \brief x + 1 in the convention of TVMFFISafeCallType. */
extern "C" int tvm_ffi_testing_add_one(void* handle, const TVMFFIAny* args, int32_t num_args,
                                       TVMFFIAny* result);

/*!
 * \brief The same in the packed convention of MLIR: element i points at the i-th argument of the
 * function above, the last element at its status.
 */
extern "C" void tvm_ffi_testing_mlir_add_one(void** packed);

/*! \brief Return 0. A client that calls it keeps this library among those it is linked with. */
extern "C" TVM_FFI_DLL_EXPORT int32_t TVMFFITestingDummyTarget();

#endif  // TVM_FFI_SRC_TESTING_C_SYMBOLS_H_
