/* SPDX-License-Identifier: Apache-2.0 */
/* A client in C that exchanges values, calls back, raises errors and reads the type table. */
#include <string.h>
#include <tvm/ffi/c_api.h>

#define EXPORT(name)                                                                           \
  TVM_FFI_DLL_EXPORT int __tvm_ffi_##name(void* self, const TVMFFIAny* args, int32_t num_args, \
                                          TVMFFIAny* result)

static int Fail(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

static void SetInt(TVMFFIAny* result, int64_t value) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = value;
}

/* Return the argument as an owned value. */
EXPORT(c_echo) {
  (void)self;
  if (num_args != 1) return Fail("TypeError", "c_echo takes one argument");
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}

/* Return the number of strong references to the object in the argument. */
EXPORT(c_use_count) {
  (void)self;
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) {
    return Fail("TypeError", "c_use_count takes one object");
  }
  SetInt(result, (int64_t)(args[0].v_obj->combined_ref_count & 0xffffffffu));
  return 0;
}

/* Call the function in the first argument with the other arguments. */
EXPORT(c_apply) {
  (void)self;
  if (num_args < 1 || args[0].type_index != kTVMFFIFunction) {
    return Fail("TypeError", "c_apply takes a function first");
  }
  result->type_index = kTVMFFINone;
  result->v_int64 = 0;
  return TVMFFIFunctionCall(args[0].v_obj, (TVMFFIAny*)args + 1, num_args - 1, result);
}

static int Adder(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) return Fail("TypeError", "one int");
  SetInt(result, args[0].v_int64 + *(int64_t*)self);
  return 0;
}

static int64_t live_adders = 0;
static int64_t adder_cells[16];

static void DeleteAdder(void* self) {
  (void)self;
  --live_adders;
}

/* Return a function that is made in C and has its own state. */
EXPORT(c_make_adder) {
  TVMFFIObjectHandle made = 0;
  int status;
  (void)self;
  if (num_args != 1 || args[0].type_index != kTVMFFIInt) return Fail("TypeError", "one int");
  adder_cells[args[0].v_int64 & 15] = args[0].v_int64;
  status = TVMFFIFunctionCreate(&adder_cells[args[0].v_int64 & 15], Adder, DeleteAdder, &made);
  if (status != 0) return status;
  ++live_adders;
  result->type_index = kTVMFFIFunction;
  result->zero_padding = 0;
  result->v_obj = (TVMFFIObject*)made;
  return 0;
}

EXPORT(c_live_adders) {
  (void)self;
  (void)args;
  (void)num_args;
  SetInt(result, live_adders);
  return 0;
}

EXPORT(c_raise) {
  const char* parts[3];
  (void)self;
  (void)args;
  (void)num_args;
  (void)result;
  parts[0] = "made ";
  parts[1] = "of ";
  parts[2] = "parts";
  TVMFFIErrorSetRaisedFromCStrParts("IndexError", parts, 3);
  return -1;
}

/* Return the type index, the depth and the number of fields of the object's type, as one number. */
EXPORT(c_describe_type) {
  const TVMFFITypeInfo* info;
  (void)self;
  if (num_args != 1) return Fail("TypeError", "one argument");
  info = TVMFFIGetTypeInfo(args[0].type_index);
  if (info == 0) return -1;
  SetInt(result, info->type_depth * 1000 + info->num_fields);
  return 0;
}

/* Call the getter of the field with this name; only fields of the object's own type are
 * searched. */
EXPORT(c_read_field) {
  const TVMFFITypeInfo* info;
  int32_t i;
  (void)self;
  if (num_args != 2 || args[1].type_index != kTVMFFISmallStr) {
    return Fail("TypeError", "an object and a short name");
  }
  info = TVMFFIGetTypeInfo(args[0].type_index);
  if (info == 0) return -1;
  for (i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (field->name.size == args[1].small_str_len &&
        memcmp(field->name.data, args[1].v_bytes, field->name.size) == 0) {
      return field->getter((char*)args[0].v_obj + field->offset, result);
    }
  }
  return Fail("AttributeError", "no such field");
}
