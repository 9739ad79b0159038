/* SPDX-License-Identifier: Apache-2.0 */
/* A library in C. EXPORT(name) begins the definition of the function `name` of the library, whose
 * C symbol is __tvm_ffi_name. */
#include <tvm/ffi/c_api.h>

#define EXPORT(name)                                                                           \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##name(void* self, const TVMFFIAny* args, int32_t num_args, \
                                          TVMFFIAny* result)

static int Fail(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

EXPORT(add_two) {
  (void)self;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) {
    return Fail("TypeError", "add_two takes one int");
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + 2;
  return 0;
}

/* Calls the function in the argument with 5. If that function raises an error, its status passes
 * the error on to the caller. */
EXPORT(call_with_five) {
  TVMFFIAny five = {0};
  (void)self;
  if (num_args != 1 || args[0].type_index != kTVMFFIFunction) {
    return Fail("TypeError", "call_with_five takes one function");
  }
  five.type_index = kTVMFFIInt;
  five.v_int64 = 5;
  return TVMFFIFunctionCall(args[0].v_obj, &five, 1, result);
}
