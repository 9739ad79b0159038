// SPDX-License-Identifier: Apache-2.0
// Getters and setters of fields in types without a C++ class, selected by the declared type index
// of the field.
#include "layout/field_access.h"

#include <tvm/ffi/function.h>

#include <cstring>
#include <utility>

#include "core/field_getter.h"

namespace tvm::ffi::runtime {
namespace {

// The representation of a field in memory.
enum class Storage { kInt64, kDouble, kBool, kPointer, kDataType, kDevice, kAny, kObject };

Storage storage_of(int64_t static_type_index, const char* wanted_for) {
  switch (static_type_index) {
    case kTVMFFIAny:
    case kTVMFFINone:
      return Storage::kAny;
    case kTVMFFIInt:
      return Storage::kInt64;
    case kTVMFFIBool:
      return Storage::kBool;
    case kTVMFFIFloat:
      return Storage::kDouble;
    case kTVMFFIOpaquePtr:
      return Storage::kPointer;
    case kTVMFFIDataType:
      return Storage::kDataType;
    case kTVMFFIDevice:
      return Storage::kDevice;
    default:
      if (static_type_index >= kTVMFFIStaticObjectBegin) return Storage::kObject;
  }
  TVM_FFI_THROW(ValueError) << "Unsupported field type index for " << wanted_for << ": "
                            << static_type_index;
  TVM_FFI_UNREACHABLE();
}

template <typename T>
T* at(void* field) {
  return static_cast<T*>(field);
}

// ---------------------------------------------------------------- getters

TVMFFIFieldGetter getter_of(Storage storage) {
  switch (storage) {
    case Storage::kInt64:
      return get_plain_field<int64_t, kTVMFFIInt>;
    case Storage::kDouble:
      return get_plain_field<double, kTVMFFIFloat>;
    case Storage::kBool:
      return get_plain_field<bool, kTVMFFIBool>;
    case Storage::kPointer:
      return get_plain_field<void*, kTVMFFIOpaquePtr>;
    case Storage::kDataType:
      return get_plain_field<DLDataType, kTVMFFIDataType>;
    case Storage::kDevice:
      return get_plain_field<DLDevice, kTVMFFIDevice>;
    case Storage::kAny:
      return get_value_field;
    case Storage::kObject:
      return get_object_field;
  }
  TVM_FFI_UNREACHABLE();
}

// ---------------------------------------------------------------- setters

int32_t plain_type_index(Storage storage) {
  switch (storage) {
    case Storage::kInt64:
      return kTVMFFIInt;
    case Storage::kDouble:
      return kTVMFFIFloat;
    case Storage::kBool:
      return kTVMFFIBool;
    case Storage::kPointer:
      return kTVMFFIOpaquePtr;
    case Storage::kDataType:
      return kTVMFFIDataType;
    case Storage::kDevice:
      return kTVMFFIDevice;
    default:
      return kTVMFFIAny;
  }
}

size_t plain_size(Storage storage) {
  switch (storage) {
    case Storage::kBool:
      return sizeof(bool);
    case Storage::kDataType:
      return sizeof(DLDataType);
    default:
      return sizeof(int64_t);
  }
}

// Moves an owned value into a field. The former content is released last, because the release may
// run code that reads the field.
void store(Storage storage, size_t size, void* field, Any value) {
  if (storage == Storage::kAny) {
    std::swap(*at<Any>(field), value);
    return;
  }
  TVMFFIAny raw = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
  if (storage == Storage::kObject) {
    if (raw.type_index != kTVMFFINone && raw.type_index < kTVMFFIStaticObjectBegin) {
      TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << value.GetTypeKey() << "` to `"
                               << StaticTypeKey::kTVMFFIObject << "`";
    }
    bool is_none = raw.type_index == kTVMFFINone;
    ObjectRef taken = is_none ? ObjectRef() : std::move(value).cast<ObjectRef>();
    std::swap(*at<ObjectRef>(field), taken);
    return;
  }
  if (raw.type_index != plain_type_index(storage)) {
    TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << value.GetTypeKey() << "` to `"
                             << TypeIndexToTypeKey(plain_type_index(storage)) << "`";
  }
  if (storage == Storage::kDouble && size == sizeof(float)) {
    *at<float>(field) = value.cast<float>();
    return;
  }
  std::memcpy(field, &raw.v_int64, size);  // the low bytes, because the machine is little-endian
}

/*!
 * A setter that converts the value with a converter of a language binding (such as the Python
 * extension) and stores the result.
 *
 * Its arguments are the address of the field and the value. If the conversion fails, the setter
 * returns the status of the converter unchanged, because the language binding may have a pending
 * exception instead of an error in the error slot.
 */
class FieldSetterObj final : public FunctionObj {
 public:
  FieldSetterObj(Storage storage, size_t size, void* context, FieldConverter convert)
      : storage_(storage), size_(size), context_(context), convert_(convert) {
    this->safe_call = call;
    this->cpp_call = nullptr;
  }

 private:
  static int call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
    TVM_FFI_SAFE_CALL_BEGIN();
    if (num_args != 2 || args[0].type_index != kTVMFFIOpaquePtr || args[0].v_ptr == nullptr) {
      TVM_FFI_THROW(TypeError)
          << "A field setter takes the address of the field and the value to store";
    }
    auto* self = static_cast<FieldSetterObj*>(static_cast<Object*>(handle));
    TVMFFIAny converted = detail::NoneResult();
    int status = self->convert_(self->context_, &args[1], &converted);  // may run Python code
    if (status != 0) return status;
    store(self->storage_, self->size_, args[0].v_ptr,
          detail::AnyUnsafe::MoveTVMFFIAnyToAny(&converted));
    *result = detail::NoneResult();
    TVM_FFI_SAFE_CALL_END();
  }

  Storage storage_;
  size_t size_;
  void* context_;
  FieldConverter convert_;
};

}  // namespace

TVMFFIFieldGetter field_getter_of(int64_t static_type_index) {
  return getter_of(storage_of(static_type_index, "getter"));
}

Function make_field_setter(int64_t static_type_index, int32_t size, void* context,
                           FieldConverter convert) {
  Storage storage = storage_of(static_type_index, "setter");
  size_t bytes = size == 0 ? plain_size(storage) : static_cast<size_t>(size);
  return Function(
      ObjectPtr<FunctionObj>(make_object<FieldSetterObj>(storage, bytes, context, convert)));
}

}  // namespace tvm::ffi::runtime
