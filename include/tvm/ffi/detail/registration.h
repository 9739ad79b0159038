// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/registration.h
 * \brief Functions that register types, members, attributes and functions with the library.
 *
 * Internal part of reflection/registry.h.
 */
#ifndef TVM_FFI_DETAIL_REGISTRATION_H_
#define TVM_FFI_DETAIL_REGISTRATION_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/field_access.h>
#include <tvm/ffi/detail/method_wrap.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/info_trait.h>
#include <tvm/ffi/type_traits.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi::reflection::detail {

/*! \brief Whether `Class` itself declares its type index; false if it only inherits one. */
template <typename Class, typename = void>
inline constexpr bool has_own_type_index_v = false;
template <typename Class>
inline constexpr bool has_own_type_index_v<Class, std::void_t<typename Class::_TypeIndexOwner>> =
    std::is_same_v<typename Class::_TypeIndexOwner, Class>;

/*!
 * \brief Return the type index of a class that is about to be registered.
 *
 * The linker can share the variable `_type_index` between libraries that have different versions of
 * the class, or different classes with the same C++ name. To detect such sharing, the function also
 * asks the runtime for the index of the type key.
 * \throws Error RuntimeError when the two type indices differ.
 */
template <typename Class>
inline int32_t TypeIndexForRegistration() {
  const int32_t index = Class::_GetOrAllocRuntimeTypeIndex();
  if constexpr (has_own_type_index_v<Class>) {
    if (Class::_RequestTypeIndex() != index) {
      TVM_FFI_THROW(RuntimeError)
          << "Type `" << Class::_type_key
          << "` cannot be registered: its class shares its type index with another class of the "
             "same "
             "C++ name, or with another version of it, in a library that is loaded. Put the class "
             "into a namespace of its own, or restart the process";
    }
  }
  return index;
}

/*! \brief Whether `F` is a class of callables that can be null: Function, std::function. */
template <typename F, typename = void>
inline constexpr bool is_nullable_callable_v = false;
template <typename F>
inline constexpr bool
    is_nullable_callable_v<F, std::void_t<decltype(std::declval<const F&>() == nullptr)>> =
        std::is_class_v<F> && std::is_constructible_v<F, std::nullptr_t> &&
        (std::is_base_of_v<Function, F> || !std::is_base_of_v<ObjectRef, F>) &&
        !std::is_base_of_v<Any, F> && !std::is_base_of_v<AnyView, F>;

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowNullFunction(const char* name) {
  TVM_FFI_THROW(ValueError)
      << "Cannot register `" << name
      << "`: the function is null. Variables at namespace scope are initialised after the "
         "static-init blocks of their file; make the function inside the block instead";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Throw ValueError if a function is null. The usual cause is a variable that is not
 * initialised yet. */
template <typename F>
inline void RefuseNullFunction(const char* name, const F& func) {
  if constexpr (is_nullable_callable_v<F>) {
    if (func == nullptr) ThrowNullFunction(name);
  }
}

inline void RegisterTypeAttr(int32_t type_index, std::string_view name, AnyView value) {
  TVMFFIByteArray name_bytes = NameBytes(name);
  TVMFFIAny raw = value.CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(type_index, &name_bytes, &raw));
}

/*! \brief Apply one trailing argument, a text or a trait, to a field, method or type. */
template <typename Builder, typename Extra>
inline void ApplyExtra(Builder* info, const Extra& extra) {
  if constexpr (std::is_base_of_v<InfoTrait, Extra>) {
    extra.Apply(info);
  } else {
    static_assert(std::is_convertible_v<const Extra&, const char*>,
                  "trailing arguments are documentation texts and info traits");
    info->doc = AsByteArray(extra);
  }
}

/*!
 * \brief Describe a function and register it.
 * \param name name of the method or function.
 * \param flags TVMFFIFieldFlagBitMask.
 * \param func the function.
 * \param schema returns the schema of the function.
 * \param hand_over calls the C function that registers the description; has the signature
 *         `int(const TVMFFIMethodInfo*)`.
 * \param extra texts and traits.
 */
template <typename HandOver, typename... Extra>
inline void RegisterMethodInfo(const char* name, int64_t flags, const Function& func,
                               FTypeText schema, HandOver hand_over, const Extra&... extra) {
  RefuseNullFunction(name, func);
  MethodInfoBuilder info{};
  info.name = AsByteArray(name);
  info.flags = flags;
  info.method = AnyView(func).CopyToTVMFFIAny();
  (ApplyExtra(&info, extra), ...);
  std::string metadata = MetadataText(schema, info.metadata_);
  info.metadata = NameBytes(metadata);
  TVM_FFI_CHECK_SAFE_CALL(hand_over(&info));
}

/*!
 * \brief Describe a field of type `T` and register it.
 * \param type_index the type that gets the field.
 * \param name name of the field, not yet used in this type.
 * \param offset bytes from the object header.
 * \param flags TVMFFIFieldFlagBitMask.
 * \param extra texts and traits.
 */
template <typename T, typename... Extra>
inline void RegisterFieldInfo(int32_t type_index, const char* name, int64_t offset, int64_t flags,
                              const Extra&... extra) {
  FieldInfoBuilder info{};
  info.name = AsByteArray(name);
  info.flags = flags;
  info.size = static_cast<int64_t>(sizeof(T));
  info.alignment = static_cast<int64_t>(alignof(T));
  info.offset = offset;
  info.getter = &GetFieldValue<T>;
  info.setter = reinterpret_cast<void*>(static_cast<TVMFFIFieldSetter>(SetFieldValue<T>));
  info.default_value_or_factory = NoneResult();
  info.field_static_type_index = TypeToFieldStaticTypeIndex<T>::value;
  (ApplyExtra(&info, extra), ...);
  if constexpr (sizeof(T) == sizeof(void*) && !std::is_scalar_v<T>) {  // a reference or a pointer
    for (const auto& [key, value] : info.metadata_) {
      if (key != "not_null" || !value.same_as(Any(true))) continue;
      info.setter =
          reinterpret_cast<void*>(static_cast<TVMFFIFieldSetter>(SetNotNullFieldValue<T>));
    }
  }
  std::string metadata = MetadataText(&tvm::ffi::detail::TypeSchemaImpl<T>::v, info.metadata_);
  info.metadata = NameBytes(metadata);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index, &info));
}

/*! \brief Return `key.name`, the name of a method in error texts. */
inline std::string QualifiedName(const char* type_key, const char* name) {
  return std::string(type_key) + "." + name;
}

/*! \brief Set attribute `name` of a type. A callable that an Any cannot hold is converted to a
 * Function. */
template <typename T>
inline void DefineTypeAttr(int32_t type_index, const char* type_key, const char* name, T&& value) {
  RefuseNullFunction(name, value);
  if constexpr (std::is_convertible_v<std::decay_t<T>, AnyView>) {
    RegisterTypeAttr(type_index, name, AnyView(std::forward<T>(value)));
  } else {
    RegisterTypeAttr(type_index, name,
                     WrapMethod(std::forward<T>(value), QualifiedName(type_key, name)));
  }
}

/*!
 * \brief Make a type an enum without entries, unless it is an enum already.
 *
 * If the runtime library is older and does not have `ffi.EnumMark`, this function itself sets the
 * state that makes the type an enum.
 */
inline void MarkAsEnum(int32_t type_index) {
  static const std::optional<Function> mark = Function::GetGlobal("ffi.EnumMark");
  if (mark.has_value()) {
    (*mark)(type_index);
    return;
  }
  constexpr const char* kName = "__ffi_enum__";
  if (TypeAttrColumn(kName)[type_index] != nullptr) return;
  RegisterTypeAttr(type_index, kName, ObjectRef(CreateEmptyObject(TypeInfoOfKey("ffi.EnumState"))));
}

/*! \brief Whether `T` has a member type `ContainerType`, the object class that it refers to. */
template <typename T, typename = void>
inline constexpr bool HasContainerType = false;
template <typename T>
inline constexpr bool HasContainerType<T, std::void_t<typename T::ContainerType>> = true;

/*! \brief Set the attribute `__ffi_convert__` of `Class` to a function that converts to `TSelf`. */
template <typename Class, typename TSelf>
inline void DefineConvert(int32_t type_index, const char* type_key) {
  if constexpr (HasContainerType<TSelf>) {
    static_assert(std::is_same_v<typename TSelf::ContainerType, Class>,
                  "TSelf must be a reference to Class");
  }
  DefineTypeAttr(type_index, type_key, type_attr::kConvert.name,
                 &FFIConvertFromAnyViewToObjectRef<TSelf>);
}

}  // namespace tvm::ffi::reflection::detail

#endif  // TVM_FFI_DETAIL_REGISTRATION_H_
