// SPDX-License-Identifier: Apache-2.0
// Fixtures: functions with C calling conventions.
#include "c_symbols.h"

#include <tvm/ffi/base.h>
#include <tvm/ffi/extra/c_env_api.h>

extern "C" int tvm_ffi_testing_add_one(void* /*handle*/, const TVMFFIAny* args, int32_t num_args,
                                       TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add_one takes one int");
    return -1;
  }
  *result = args[0];
  result->v_int64 = static_cast<int64_t>(static_cast<uint64_t>(args[0].v_int64) + 1);
  return 0;
}

extern "C" void tvm_ffi_testing_mlir_add_one(void** packed) {
  void* handle = *static_cast<void**>(packed[0]);
  const TVMFFIAny* args = *static_cast<const TVMFFIAny**>(packed[1]);
  int32_t num_args = *static_cast<int32_t*>(packed[2]);
  TVMFFIAny* result = *static_cast<TVMFFIAny**>(packed[3]);
  *static_cast<int*>(packed[4]) = tvm_ffi_testing_add_one(handle, args, num_args, result);
}

extern "C" TVM_FFI_DLL_EXPORT int32_t TVMFFITestingDummyTarget() { return 0; }

TVM_FFI_STATIC_INIT_BLOCK() {
  TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_testing.add_one",
                                      reinterpret_cast<void*>(&tvm_ffi_testing_add_one));
}
