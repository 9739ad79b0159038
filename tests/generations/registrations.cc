// SPDX-License-Identifier: Apache-2.0
// A library with the registrations that libraries of 0.1.7 to 0.1.12 make: hooks on types of the
// runtime, and types with one field of any name. The setter of the field is a C function. The
// default of the field is a value, not a factory. The source uses only its own declarations and the
// C ABI.
#include <tvm/ffi/c_api.h>

#include <cstdlib>
#include <cstring>
#include <utility>

namespace {

TVMFFIByteArray bytes_of(const char* text) { return TVMFFIByteArray{text, std::strlen(text)}; }

TVMFFIByteArray text_of(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFIRawStr) return bytes_of(value.v_c_str);
  if (value.type_index == kTVMFFISmallStr) return {value.v_bytes, value.small_str_len};
  return *TVMFFIBytesGetByteArrayPtr(value.v_obj);
}

int return_int(int64_t value, TVMFFIAny* result) {
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = value;
  return 0;
}

void release(const TVMFFIAny& value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value.v_obj);
}

/* An object with one value behind the header. */
struct Box {
  TVMFFIObject header;
  TVMFFIAny value;

  static void Release(void* self, int flags) {
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
      release(static_cast<Box*>(self)->value);
    }
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) std::free(self);
  }
};

// A creator has no argument for the type, so each type needs its own creator.
constexpr size_t kMaxTypes = 256;
int32_t type_indices[kMaxTypes];
size_t num_types = 0;

template <size_t I>
int create(TVMFFIObjectHandle* result) {
  auto* box = static_cast<Box*>(std::calloc(1, sizeof(Box)));
  box->header.combined_ref_count = (uint64_t{1} << 32) | 1;
  box->header.type_index = type_indices[I];
  box->header.deleter = Box::Release;
  *result = box;
  return 0;
}

template <size_t... I>
TVMFFIObjectCreator creator_of(size_t type, std::index_sequence<I...>) {
  constexpr TVMFFIObjectCreator creators[] = {create<I>...};
  return creators[type];
}

int get_value(void* field, TVMFFIAny* result) {
  return TVMFFIAnyViewToOwnedAny(static_cast<TVMFFIAny*>(field), result);
}

int set_value(void* field, const TVMFFIAny* value) {
  TVMFFIAny owned;
  if (TVMFFIAnyViewToOwnedAny(value, &owned) != 0) return -1;
  release(std::exchange(*static_cast<TVMFFIAny*>(field), owned));
  return 0;
}

// Key hooks that compare boxes by the number inside. The old hooks have the signatures of the
// headers of 0.1.9 to 0.1.14. The new hooks have the signatures of the headers of 0.1.15.
int64_t number_in(const TVMFFIAny* key) {
  return reinterpret_cast<const Box*>(key->v_obj)->value.v_int64;
}

int64_t old_hash(const TVMFFIAny* key) { return number_in(key); }
bool old_equal(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  return number_in(lhs) == number_in(rhs);
}

TVMFFIAny any_of(int32_t type_index, int64_t value) {
  TVMFFIAny result{};
  result.type_index = type_index;
  result.v_int64 = value;
  return result;
}
TVMFFIAny new_hash(const TVMFFIAny* key) { return any_of(kTVMFFIInt, old_hash(key)); }
TVMFFIAny new_equal(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  return any_of(kTVMFFIBool, old_equal(lhs, rhs));
}

template <typename Hook>
int register_pointer(int32_t type_index, const char* name, Hook* hook) {
  TVMFFIByteArray attribute = bytes_of(name);
  TVMFFIAny pointer{};
  pointer.type_index = kTVMFFIOpaquePtr;
  pointer.v_ptr = reinterpret_cast<void*>(hook);
  return TVMFFITypeRegisterAttr(type_index, &attribute, &pointer);
}

}  // namespace

extern "C" {

// register_key_hooks(type_index, is_new): register the new hooks or the old hooks
TVM_FFI_DLL_EXPORT int __tvm_ffi_register_key_hooks(void*, const TVMFFIAny* args, int32_t,
                                                    TVMFFIAny* result) {
  int32_t index = static_cast<int32_t>(args[0].v_int64);
  bool is_new = args[1].v_int64 != 0;
  int hash = is_new ? register_pointer(index, "__any_hash__", new_hash)
                    : register_pointer(index, "__any_hash__", old_hash);
  if (hash != 0) return hash;
  int equal = is_new ? register_pointer(index, "__any_equal__", new_equal)
                     : register_pointer(index, "__any_equal__", old_equal);
  return equal == 0 ? return_int(0, result) : equal;
}

// register_attr(type_index, name, value)
TVM_FFI_DLL_EXPORT int __tvm_ffi_register_attr(void*, const TVMFFIAny* args, int32_t,
                                               TVMFFIAny* result) {
  TVMFFIByteArray name = text_of(args[1]);
  int status = TVMFFITypeRegisterAttr(static_cast<int32_t>(args[0].v_int64), &name, &args[2]);
  return status == 0 ? return_int(status, result) : status;
}

// column_size(name): return the size of a column as 0.1.8 reads it, from the 64-bit word after the
// data pointer; -1 if the type attribute does not have a column
TVM_FFI_DLL_EXPORT int __tvm_ffi_column_size(void*, const TVMFFIAny* args, int32_t,
                                             TVMFFIAny* result) {
  struct OldColumn {
    const TVMFFIAny* data;
    int64_t size;
  };
  TVMFFIByteArray name = text_of(args[0]);
  const TVMFFITypeAttrColumn* column = TVMFFIGetTypeAttrColumn(&name);
  if (column == nullptr) return return_int(-1, result);
  OldColumn old;
  std::memcpy(&old, column, sizeof(old));
  return return_int(old.size, result);
}

// define(type_key[, field_name[, default]]): define a type with at most one field; return its index
TVM_FFI_DLL_EXPORT int __tvm_ffi_define(void*, const TVMFFIAny* args, int32_t num_args,
                                        TVMFFIAny* result) {
  TVMFFIByteArray key = text_of(args[0]);
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  if (index < 0) return -1;
  if (num_types == kMaxTypes) {
    TVMFFIErrorSetRaisedFromCStr("IndexError", "too many types");
    return -1;
  }
  type_indices[num_types] = index;
  TVMFFITypeMetadata metadata{};
  metadata.doc = bytes_of("");
  metadata.creator = creator_of(num_types++, std::make_index_sequence<kMaxTypes>());
  metadata.total_size = sizeof(Box);
  metadata.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVMFFIFieldInfo field{};
  if (num_args > 1) field.name = text_of(args[1]);
  field.doc = bytes_of("");
  field.metadata = bytes_of(R"({"type_schema":"{\"type\":\"Any\"}"})");
  field.flags = kTVMFFIFieldFlagBitMaskWritable;
  field.size = sizeof(TVMFFIAny);
  field.alignment = 8;
  field.offset = sizeof(TVMFFIObject);
  field.getter = get_value;
  field.setter = reinterpret_cast<void*>(set_value);
  field.field_static_type_index = kTVMFFIAny;
  if (num_args > 2) {
    // Libraries compiled for 0.1.8 or earlier cannot mark a default as a factory, so the value is
    // the default itself, even if it is a function.
    field.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
    if (TVMFFIAnyViewToOwnedAny(&args[2], &field.default_value_or_factory) != 0) return -1;
  }
  if (num_args > 1 && TVMFFITypeRegisterField(index, &field) != 0) return -1;
  if (TVMFFITypeRegisterMetadata(index, &metadata) != 0) return -1;
  return return_int(index, result);
}

}  // extern "C"
