// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/field_access.h
 * \brief The offset of a reflected member, and the C functions that read it, write it and create
 * objects.
 *
 * Internal part of reflection/registry.h.
 */
#ifndef TVM_FFI_DETAIL_FIELD_ACCESS_H_
#define TVM_FFI_DETAIL_FIELD_ACCESS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tvm::ffi::reflection {

namespace detail {

/*! \brief The TVMFFIFieldGetter of a member of type `T`. */
template <typename T>
int GetFieldValue(void* field, TVMFFIAny* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *result = AnyUnsafe::MoveAnyToTVMFFIAny(Any(*static_cast<const T*>(field)));
  TVM_FFI_SAFE_CALL_END();
}

/*! \brief The TVMFFIFieldSetter of a member of type `T`. */
template <typename T>
int SetFieldValue(void* field, const TVMFFIAny* value) {
  TVM_FFI_SAFE_CALL_BEGIN();
  AnyView view = AnyView::CopyFromTVMFFIAny(*value);
  if constexpr (std::is_same_v<T, Any>) {
    *static_cast<Any*>(field) = Any(view);
  } else {
    *static_cast<T*>(field) = view.template cast<T>();
  }
  TVM_FFI_SAFE_CALL_END();
}

/*! \brief As SetFieldValue, but refuses None with the error of a reference that is never null. */
template <typename T>
int SetNotNullFieldValue(void* field, const TVMFFIAny* value) {
  if (TVM_FFI_PREDICT_TRUE(value->type_index != TypeIndex::kTVMFFINone)) {
    return SetFieldValue<T>(field, value);
  }
  TVM_FFI_SAFE_CALL_BEGIN();
  ::tvm::ffi::detail::ThrowCannotConvert(*value, ::tvm::ffi::detail::kMismatchText<T>);
  TVM_FFI_SAFE_CALL_END();
}

/*! \brief Whether `Class` can be made without field values. */
template <typename Class>
inline constexpr bool has_creator_v =
    std::is_default_constructible_v<Class> || std::is_constructible_v<Class, UnsafeInit>;

/*! \brief Make a `Class`. The caller must then set its fields. */
template <typename Class>
ObjectPtr<Object> MakeEmpty() {
  if constexpr (std::is_default_constructible_v<Class>) {
    return make_object<Class>();
  } else {
    return make_object<Class>(UnsafeInit());
  }
}

/*! \brief The TVMFFIObjectCreator of `Class`. */
template <typename Class>
int CreateObject(TVMFFIObjectHandle* result) {
  TVM_FFI_SAFE_CALL_BEGIN();
  *result = ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(MakeEmpty<Class>());
  TVM_FFI_SAFE_CALL_END();
}

[[noreturn]] TVM_FFI_COLD_CODE inline void ThrowNoEmptyObject(const char* type_key,
                                                              const std::string& reason) {
  TVM_FFI_THROW(TypeError) << "Type `" << type_key
                           << "` cannot be created before its fields are known: " << reason;
  TVM_FFI_UNREACHABLE();
}

/*!
 * \brief Make a `Class` with a constructor that is called with value-initialised arguments. Used
 * in place of a creator for a class that has only constructors with arguments.
 * \throws Error TypeError with the type and the reason, when an argument type cannot be
 *         value-initialised or the constructor refuses the arguments.
 */
template <typename Class, typename... Args>
ObjectRef MakeEmptyByInit() {
  if constexpr ((std::is_default_constructible_v<PlainType<Args>> && ...)) {
    try {
      return ObjectRef(make_object<Class>(PlainType<Args>()...));
    } catch (const std::exception&) {
      ThrowNoEmptyObject(Class::_type_key,
                         "its constructor refuses empty arguments: " +
                             ::tvm::ffi::detail::CurrentExceptionAsError().message());
    }
  } else {
    constexpr bool kHasDefault[] = {std::is_default_constructible_v<PlainType<Args>>...};
    constexpr FTypeText kTypes[] = {&Type2Str<PlainType<Args>>::v...};
    size_t index = 0;
    while (kHasDefault[index]) ++index;
    ThrowNoEmptyObject(Class::_type_key, "argument #" + std::to_string(index) +
                                             " of its constructor, `" + kTypes[index]() +
                                             "`, has no empty value");
  }
}

}  // namespace detail
}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_DETAIL_FIELD_ACCESS_H_
