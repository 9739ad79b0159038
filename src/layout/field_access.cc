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
struct Storage {
  int32_t type_index;  // kTVMFFIAny and kTVMFFIObject for values and objects of all types
  size_t size;
  TVMFFIFieldGetter getter;
};

template <typename T, int32_t kTypeIndex>
constexpr Storage kPlain = {kTypeIndex, sizeof(T), get_plain_field<T, kTypeIndex>};

constexpr Storage kStorages[] = {kPlain<int64_t, kTVMFFIInt>,
                                 kPlain<double, kTVMFFIFloat>,
                                 kPlain<bool, kTVMFFIBool>,
                                 kPlain<void*, kTVMFFIOpaquePtr>,
                                 kPlain<DLDataType, kTVMFFIDataType>,
                                 kPlain<DLDevice, kTVMFFIDevice>,
                                 {kTVMFFIAny, sizeof(TVMFFIAny), get_value_field},
                                 {kTVMFFIObject, sizeof(void*), get_object_field}};

const Storage& storage_of(int64_t static_type_index, const char* wanted_for) {
  int64_t index = static_type_index == kTVMFFINone ? int64_t{kTVMFFIAny} : static_type_index;
  if (index >= kTVMFFIStaticObjectBegin) index = kTVMFFIObject;
  for (const Storage& storage : kStorages) {
    if (storage.type_index == index) return storage;
  }
  TVM_FFI_THROW(ValueError) << "Unsupported field type index for " << wanted_for << ": "
                            << static_type_index;
  TVM_FFI_UNREACHABLE();
}

template <typename T>
T* at(void* field) {
  return static_cast<T*>(field);
}

// Moves an owned value into a field. The former content is released last, because the release may
// run code that reads the field.
void store(const Storage& storage, size_t size, void* field, Any value) {
  if (storage.type_index == kTVMFFIAny) {
    std::swap(*at<Any>(field), value);
    return;
  }
  TVMFFIAny raw = *detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value);
  if (storage.type_index == kTVMFFIObject) {
    if (raw.type_index != kTVMFFINone && raw.type_index < kTVMFFIStaticObjectBegin) {
      TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << value.GetTypeKey() << "` to `"
                               << StaticTypeKey::kTVMFFIObject << "`";
    }
    bool is_none = raw.type_index == kTVMFFINone;
    ObjectRef taken = is_none ? ObjectRef() : std::move(value).cast<ObjectRef>();
    std::swap(*at<ObjectRef>(field), taken);
    return;
  }
  if (raw.type_index != storage.type_index) {
    TVM_FFI_THROW(TypeError) << "Cannot convert from type `" << value.GetTypeKey() << "` to `"
                             << TypeIndexToTypeKey(storage.type_index) << "`";
  }
  if (storage.type_index == kTVMFFIFloat && size == sizeof(float)) {
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
  FieldSetterObj(const Storage& storage, size_t size, void* context, FieldConverter convert)
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

  const Storage& storage_;
  size_t size_;
  void* context_;
  FieldConverter convert_;
};

}  // namespace

TVMFFIFieldGetter field_getter_of(int64_t static_type_index) {
  return storage_of(static_type_index, "getter").getter;
}

Function make_field_setter(int64_t static_type_index, int32_t size, void* context,
                           FieldConverter convert) {
  const Storage& storage = storage_of(static_type_index, "setter");
  size_t bytes = size == 0 ? storage.size : static_cast<size_t>(size);
  return Function(
      ObjectPtr<FunctionObj>(make_object<FieldSetterObj>(storage, bytes, context, convert)));
}

}  // namespace tvm::ffi::runtime
