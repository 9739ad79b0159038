// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/accessor.h
 * \brief Reads the reflection data of types: fields, methods and type attributes.
 */
#ifndef TVM_FFI_REFLECTION_ACCESSOR_H_
#define TVM_FFI_REFLECTION_ACCESSOR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/column_load.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/native_function.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi {
namespace reflection {

/*! \brief Return the distance in bytes from the object header inside `Class` to the member. */
template <typename Class, typename T>
inline int64_t GetFieldByteOffsetToObject(T Class::* field) {
  // Use an address that is aligned for any class. It is never read. With a null pointer, the
  // computation would be undefined behaviour.
  constexpr uintptr_t kAddress = uintptr_t{1} << 20;
  const Class* object = reinterpret_cast<const Class*>(kAddress);
  int64_t in_class =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(&(object->*field)) - kAddress);
  return in_class - tvm::ffi::detail::ObjectUnsafe::GetObjectOffsetToSubclass<Class>();
}

/*! \brief Return a view of a NUL-terminated text, which must outlive the view. */
constexpr TVMFFIByteArray AsByteArray(const char* text) {
  return TVMFFIByteArray{text, std::char_traits<char>::length(text)};
}

namespace detail {

/*! \brief Return the TypeInfo of a type key; throw when the key is unknown. */
inline const TypeInfo* TypeInfoOfKey(std::string_view type_key) {
  const TypeInfo* info = TVMFFIGetTypeInfo(TypeKeyToIndex(type_key));
  if (TVM_FFI_PREDICT_FALSE(info == nullptr)) ThrowSafeCallRaised();
  return info;
}

/*! \brief Return `type_info`, the result of TVMFFIGetTypeInfo; ValueError when it is null. */
TVM_FFI_INLINE const TypeInfo* NotNullTypeInfo(const TypeInfo* type_info) {
  return TVM_FFI_CHECK_NOTNULL(type_info, ValueError);
}

inline bool NameEquals(const TVMFFIByteArray& name, std::string_view expected) {
  return name.size == expected.size() &&
         (name.size == 0 || std::memcmp(name.data, expected.data(), name.size) == 0);
}

/*! \brief Return the address of a field in the object whose header is `header`. */
inline void* FieldAddress(TVMFFIObject* header, const TVMFFIFieldInfo* info) {
  return reinterpret_cast<char*>(header) + info->offset;
}
inline void* FieldAddress(const Object* object, const TVMFFIFieldInfo* info) {
  return FieldAddress(ObjectUnsafe::GetHeader(object), info);
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowNullReceiver() {
  TVM_FFI_THROW(ValueError) << "Cannot access a field of a null object";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the object; ValueError when it is null. */
TVM_FFI_INLINE const Object* NotNullReceiver(const Object* object) {
  if (TVM_FFI_PREDICT_FALSE(object == nullptr)) ThrowNullReceiver();
  return object;
}

}  // namespace detail

namespace details = detail;

/*!
 * \brief Return a field of a type.
 * \param type_key key of the type; its ancestors are not searched.
 * \param field_name name of the field.
 * \return the field; valid until further fields are registered for the type.
 * \throws Error RuntimeError when the type has no such field.
 */
inline const TVMFFIFieldInfo* GetFieldInfo(std::string_view type_key, const char* field_name) {
  const TypeInfo* info = detail::TypeInfoOfKey(type_key);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    if (detail::NameEquals(info->fields[i].name, field_name)) return &info->fields[i];
  }
  TVM_FFI_THROW(RuntimeError) << "Cannot find field  `" << field_name << "` in " << type_key;
  TVM_FFI_UNREACHABLE();
}

/*!
 * \brief Return a method of a type, or the first one if several have that name.
 * \param type_key key of the type; its ancestors are not searched.
 * \param method_name name of the method.
 * \return the method; valid until further methods are registered for the type.
 * \throws Error RuntimeError when the type has no such method.
 */
inline const TVMFFIMethodInfo* GetMethodInfo(std::string_view type_key, const char* method_name) {
  const TypeInfo* info = detail::TypeInfoOfKey(type_key);
  for (int32_t i = 0; i < info->num_methods; ++i) {
    if (detail::NameEquals(info->methods[i].name, method_name)) return &info->methods[i];
  }
  TVM_FFI_THROW(RuntimeError) << "Cannot find method " << method_name << " in " << type_key;
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the function of a method; its first argument is the receiver, unless the method is
 * static. */
inline Function GetMethod(std::string_view type_key, const char* method_name) {
  const TVMFFIMethodInfo* info = GetMethodInfo(type_key, method_name);
  return AnyView::CopyFromTVMFFIAny(info->method).cast<Function>();
}

namespace detail {

/*! \brief Raise a TypeError: the field does not have a setter. \return -1. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline int RaiseNoSetter(const TVMFFIFieldInfo* field_info) {
  std::string text = "Cannot set field `" +
                     std::string(field_info->name.data, field_info->name.size) +
                     "` because it does not define a setter";
  TVMFFIErrorSetRaisedFromCStr("TypeError", text.c_str());
  return -1;
}

}  // namespace detail

/*!
 * \brief Write a field with its setter, which is a C function or a function object.
 * \param field_info the field.
 * \param field_addr address of the field in the object.
 * \param value borrowed; converted to the type of the field.
 * \return 0, or -1 with an error in the error slot of this thread.
 */
inline int CallFieldSetter(const TVMFFIFieldInfo* field_info, void* field_addr,
                           const TVMFFIAny* value) {
  if (TVM_FFI_PREDICT_TRUE((field_info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) == 0)) {
    if (TVM_FFI_PREDICT_FALSE(field_info->setter == nullptr)) {
      return detail::RaiseNoSetter(field_info);
    }
    return reinterpret_cast<TVMFFIFieldSetter>(field_info->setter)(field_addr, value);
  }
  TVMFFIAny args[2] = {detail::NoneResult(), *value};
  args[0].type_index = TypeIndex::kTVMFFIOpaquePtr;
  TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(&args[0]);
  args[0].v_ptr = field_addr;
  TVMFFIAny result = detail::NoneResult();
  int status = TVMFFIFunctionCall(field_info->setter, args, 2, &result);
  // Ignore the result of the setter, but release a reference in it.
  if (TVM_FFI_PREDICT_TRUE(status == 0)) {
    detail::AnyUnsafe::MoveTVMFFIAnyToAny(&result);
  }
  return status;
}

namespace detail {

/*! \brief The beginning of the message of an OverflowError from a conversion to the type of a
 * field. */
inline constexpr std::string_view kCannotConvertTo = "Cannot convert to `";
/*! \brief The beginning of the message of a TypeError from a conversion to the type of a field. */
inline constexpr std::string_view kCannotConvertFrom = "Cannot convert from type `";

/*! \brief Return whether the message of an error says that a value does not convert to the type of
 * a field, but does not name the field. */
TVM_FFI_COLD_CODE inline bool IsUnnamedRefusal(std::string_view kind, std::string_view message) {
  if (kind == "OverflowError") {
    return message.substr(0, kCannotConvertTo.size()) == kCannotConvertTo;
  }
  return kind == "TypeError" &&
         message.substr(0, kCannotConvertFrom.size()) == kCannotConvertFrom &&
         message.find(" for field `") == std::string_view::npos;
}

/*! \brief Add the name of the field to the error in the error slot of this thread, if
 * IsUnnamedRefusal() is true for that error. */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void NameFieldInRaisedError(
    const TVMFFIFieldInfo* field_info) {
  TVMFFIObjectHandle raised = nullptr;
  TVMFFIErrorMoveFromRaised(&raised);
  if (raised == nullptr) return;  // the language binding has a pending exception
  TVMFFIAny owned;
  tvm::ffi::detail::SetAnyPtr(&owned, TypeIndex::kTVMFFIError, raised);
  Error error = AnyUnsafe::MoveTVMFFIAnyToAny(&owned).cast<Error>();
  std::string message = error.message();
  if (IsUnnamedRefusal(error.kind(), message)) {
    std::string name = "field `" + std::string(field_info->name.data, field_info->name.size) + "`";
    message = error.kind() == "TypeError" ? message + " for " + name : name + ": " + message;
    Error named(error.kind(), std::move(message), error.backtrace());
    // The runtime library marks errors whose text this library made with an `update_backtrace` of
    // their own. Errors with the same deleter have the same layout, so `named` can have it too.
    using tvm::ffi::detail::ObjectUnsafe;
    TVMFFIObject* from = ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error);
    TVMFFIObject* to = ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(named);
    if (from->deleter == to->deleter) {
      TVMFFIErrorGetCellPtr(to)->update_backtrace = TVMFFIErrorGetCellPtr(from)->update_backtrace;
    }
    error = std::move(named);
  }
  SetSafeCallRaised(error);
}

/*! \brief Write a field; throw the error if this fails. If the field cannot hold the value, the
 * message names the field. */
inline void SetFieldOrThrow(const TVMFFIFieldInfo* field_info, void* field_addr,
                            const TVMFFIAny* value) {
  int status = CallFieldSetter(field_info, field_addr, value);
  if (TVM_FFI_PREDICT_TRUE(status == 0)) return;
  if (status == -1) NameFieldInRaisedError(field_info);
  tvm::ffi::detail::ThrowSafeCallRaised();
}

}  // namespace detail

/*!
 * \brief Write the default of a field into the field.
 * \param field_info a field with kTVMFFIFieldFlagBitMaskHasDefault.
 * \param field_addr address of the field in the object.
 * \return 0, or the status of the factory or setter that failed, with an error in the error slot of
 *         this thread.
 */
inline int CallFieldSetterToDefault(const TVMFFIFieldInfo* field_info, void* field_addr) {
  if ((field_info->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) == 0) {
    return CallFieldSetter(field_info, field_addr, &field_info->default_value_or_factory);
  }
  TVMFFIAny made = detail::NoneResult();
  int status = TVMFFIFunctionCall(field_info->default_value_or_factory.v_obj, nullptr, 0, &made);
  if (TVM_FFI_PREDICT_FALSE(status != 0)) return status;
  Any value = detail::AnyUnsafe::MoveTVMFFIAnyToAny(&made);
  return CallFieldSetter(field_info, field_addr, detail::AnyUnsafe::TVMFFIAnyPtrFromAny(value));
}

/*! \brief Write the default of a field into the field; throw the error if this fails. */
inline void SetFieldToDefault(const TVMFFIFieldInfo* field_info, void* field_addr) {
  TVM_FFI_CHECK_SAFE_CALL(CallFieldSetterToDefault(field_info, field_addr));
}

/*! \brief Reads one field of objects of one type; the type of an object is not checked. */
class FieldGetter {
 public:
  /*! \param field_info the field; must stay valid as long as this getter. */
  explicit FieldGetter(const TVMFFIFieldInfo* field_info) : field_info_(field_info) {}
  /*! \brief Make a getter for GetFieldInfo(type_key, field_name). */
  explicit FieldGetter(std::string_view type_key, const char* field_name)
      : FieldGetter(GetFieldInfo(type_key, field_name)) {}

  /*! \brief Return the value of the field in `object`; ValueError when `object` is null. */
  Any operator()(const Object* object) const {
    Any value;
    void* address = detail::FieldAddress(detail::NotNullReceiver(object), field_info_);
    int status = field_info_->getter(address, detail::ResultSlot(&value));
    if (TVM_FFI_PREDICT_FALSE(status != 0)) detail::ThrowFailedCall(&value);
    return value;
  }
  Any operator()(const ObjectPtr<Object>& object) const { return operator()(object.get()); }
  Any operator()(const ObjectRef& object) const { return operator()(object.get()); }

 private:
  const TVMFFIFieldInfo* field_info_;
};

/*! \brief Writes one field of objects of one type, even if the field is read-only. The type of an
 * object is not checked. */
class FieldSetter {
 public:
  /*! \param field_info the field; must stay valid as long as this setter. */
  explicit FieldSetter(const TVMFFIFieldInfo* field_info) : field_info_(field_info) {}
  /*! \brief Make a setter for GetFieldInfo(type_key, field_name). */
  explicit FieldSetter(std::string_view type_key, const char* field_name)
      : FieldSetter(GetFieldInfo(type_key, field_name)) {}

  /*!
   * \brief Convert `value` to the type of the field and store it.
   * \throws TypeError when the value does not convert, OverflowError when it is an integer out of
   *         range. Both messages name the field.
   */
  void operator()(const Object* object, AnyView value) const {
    TVMFFIAny raw = value.CopyToTVMFFIAny();
    void* address = detail::FieldAddress(detail::NotNullReceiver(object), field_info_);
    detail::SetFieldOrThrow(field_info_, address, &raw);
  }
  void operator()(const ObjectPtr<Object>& object, AnyView value) const {
    operator()(object.get(), value);
  }
  void operator()(const ObjectRef& object, AnyView value) const { operator()(object.get(), value); }

 private:
  const TVMFFIFieldInfo* field_info_;
};

/*! \brief The name of a type attribute, and the type of its values. */
template <typename T>
struct AttrKey {
  /*! \brief The type of the value of the attribute. */
  using ValueType = T;
  /*! \brief Name of the attribute; a literal. */
  const char* name;
  /*! \brief Return a stored value as `T`; nullopt for None, TypeError for any other type. */
  std::optional<T> ValueFrom(AnyView value) const {
    if (value == nullptr) return std::nullopt;
    if constexpr (std::is_same_v<T, Any>) {
      return Any(value);
    } else {
      return value.template as_or_throw<T>();
    }
  }
};

/*!
 * \brief The values of one type attribute, by type index. Values that are registered later are
 * visible too.
 *
 * Reading does not take a lock.
 */
class TypeAttrColumn {
 public:
  /*! \brief Find the column; RuntimeError when the attribute is not registered. */
  explicit TypeAttrColumn(std::string_view attr_name) {
    TVMFFIByteArray name = detail::NameBytes(attr_name);
    column_ = TVMFFIGetTypeAttrColumn(&name);
    if (column_ == nullptr) {
      TVM_FFI_THROW(RuntimeError) << "Cannot find type attribute " << attr_name;
    }
  }
  template <typename T>
  explicit TypeAttrColumn(AttrKey<T> key) : TypeAttrColumn(std::string_view(key.name)) {}

  /*!
   * \brief Return the value for a type; None when there is none. Values are not inherited.
   *
   * The call is safe while another thread registers or overwrites values of the same attribute.
   */
  AnyView operator[](int32_t type_index) const {
    // The subtraction in 64 bits cannot overflow. An index below the first one becomes a large
    // unsigned offset, so one comparison checks both ends of the column.
    uint64_t offset =
        static_cast<uint64_t>(static_cast<int64_t>(type_index) - column_->begin_index);
    int32_t size = detail::LoadAcquire(&column_->size);
    if (offset >= static_cast<uint64_t>(static_cast<int64_t>(size))) return AnyView();
    // Load the size first: an array that is loaded afterwards is at least as long.
    const TVMFFIAny* data = detail::LoadAcquire(&column_->data);
    return AnyView::CopyFromTVMFFIAny(detail::LoadCell(data + offset));
  }

 private:
  const TVMFFITypeAttrColumn* column_;
};

/*!
 * \brief Call `callback(const TVMFFIFieldInfo*)`, which returns bool, until it returns true.
 *
 * The fields of the ancestors come first, from depth 1 (the root type, `ffi.Object`, is skipped) to
 * the parent, then the fields of the type itself. The fields of each type are in the order of their
 * registration.
 * \return whether the callback returned true.
 */
template <typename Callback>
inline bool ForEachFieldInfoWithEarlyStop(const TypeInfo* type_info, Callback callback) {
  auto visit = [&callback](const TypeInfo* info) -> bool {
    for (int32_t i = 0; i < info->num_fields; ++i) {
      if (callback(info->fields + i)) return true;
    }
    return false;
  };
  detail::NotNullTypeInfo(type_info);
  for (int32_t depth = 1; depth < type_info->type_depth; ++depth) {
    if (visit(type_info->type_ancestors[depth])) return true;
  }
  return visit(type_info);
}

/*! \brief Call `callback(const TVMFFIFieldInfo*)` for every field, inherited fields first. */
template <typename Callback>
inline void ForEachFieldInfo(const TypeInfo* type_info, Callback callback) {
  static_assert(std::is_void_v<decltype(callback(static_cast<const TVMFFIFieldInfo*>(nullptr)))>,
                "the callback of ForEachFieldInfo returns nothing; to stop early use "
                "ForEachFieldInfoWithEarlyStop");
  ForEachFieldInfoWithEarlyStop(type_info, [&callback](const TVMFFIFieldInfo* info) {
    callback(info);
    return false;
  });
}

}  // namespace reflection

/*! \brief Well-known type attributes. Their columns exist from the start, except the column of
 * kConvertTypeSchema. */
namespace type_attr {

/*! \brief Makes an object. The caller must then set its fields. */
inline constexpr reflection::AttrKey<TypedFunction<ObjectRef()>> kNew{"__ffi_new__"};
/*! \brief The constructor: a function that takes packed arguments and returns the new object. */
inline constexpr reflection::AttrKey<Function> kInit{"__ffi_init__"};
/*! \brief Converts any value to the type, or throws TypeError. */
inline constexpr reflection::AttrKey<TypedFunction<Any(AnyView)>> kConvert{"__ffi_convert__"};
/*! \brief The type schema of the values that kConvert accepts; language bindings register it. */
inline constexpr reflection::AttrKey<Any> kConvertTypeSchema{"__ffi_convert_type_schema__"};
/*! \brief Copies an object; the copy shares the values to which the fields refer. */
inline constexpr reflection::AttrKey<TypedFunction<ObjectRef(const Object*)>> kShallowCopy{
    "__ffi_shallow_copy__"};
/*! \brief Whether the C++ class is final. */
inline constexpr reflection::AttrKey<bool> kTypeFinal{"__ffi_type_final__"};
/*! \brief The hook that hashes an object of the type when it is used as a key of a container. */
inline constexpr reflection::AttrKey<reflection::NativeFunctionView<int64_t(const Any&)>> kAnyHash{
    "__any_hash__"};
/*! \brief The hook that compares two objects of the type when they are used as keys of a
 * container. */
inline constexpr reflection::AttrKey<reflection::NativeFunctionView<bool(const Any&, const Any&)>>
    kAnyEqual{"__any_equal__"};

}  // namespace type_attr
}  // namespace tvm::ffi

#endif  // TVM_FFI_REFLECTION_ACCESSOR_H_
