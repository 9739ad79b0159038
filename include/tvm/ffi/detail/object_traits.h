// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/object_traits.h
 * \brief TypeTraits of reference classes, owning pointers and borrowed pointers to objects.
 *
 * Serves object.h.
 */
#ifndef TVM_FFI_DETAIL_OBJECT_TRAITS_H_
#define TVM_FFI_DETAIL_OBJECT_TRAITS_H_

#include <tvm/ffi/detail/object_unsafe.h>
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Write an object, or None for NULL; the reference, if any, is the caller's affair. */
TVM_FFI_INLINE void SetAnyObject(TVMFFIAny* value, TVMFFIObject* object) noexcept {
  if (object == nullptr) {
    SetAnyNone(value);
  } else {
    SetAnyHead(value, object->type_index);
    TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(value);
    value->v_obj = object;
  }
}

/*! \brief Whether a value is an object of class T. */
template <typename T>
TVM_FFI_INLINE bool AnyIsObject(const TVMFFIAny* value) {
  return value->type_index >= TypeIndex::kTVMFFIStaticObjectBegin &&
         IsObjectInstance<T>(value->type_index);
}

/*! \brief The object of a value as a new reference; null for None. */
TVM_FFI_INLINE ObjectPtr<Object> CopyAnyObject(const TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFINone) return nullptr;
  return ObjectUnsafe::ObjectPtrFromUnowned<Object>(value->v_obj);
}

/*! \brief The reference held by a value, which becomes None. */
TVM_FFI_INLINE ObjectPtr<Object> MoveAnyObject(TVMFFIAny* value) {
  if (value->type_index == TypeIndex::kTVMFFINone) return nullptr;
  TVMFFIObject* object = value->v_obj;
  SetAnyNone(value);
  return ObjectUnsafe::ObjectPtrFromOwned<Object>(object);
}
}  // namespace detail

/*!
 * \brief Traits of a reference class by its ContainerType.
 *
 * A specialisation that derives from this may override CheckAnyStrict alone.
 */
template <typename TObjRef>
struct ObjectRefTypeTraitsBase : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;
  using ContainerType = typename TObjRef::ContainerType;

  TVM_FFI_INLINE static void CopyToAnyView(const TObjRef& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(source));
  }
  TVM_FFI_INLINE static void MoveToAny(TObjRef source, TVMFFIAny* result) {
    detail::SetAnyObject(result,
                         detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    if constexpr (TObjRef::_type_is_nullable) {
      if (source->type_index == TypeIndex::kTVMFFINone) return true;
    }
    return detail::AnyIsObject<ContainerType>(source);
  }
  TVM_FFI_INLINE static TObjRef CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(detail::CopyAnyObject(source));
  }
  TVM_FFI_INLINE static TObjRef MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(detail::MoveAnyObject(source));
  }
  TVM_FFI_INLINE static std::optional<TObjRef> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!TypeTraits<TObjRef>::CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return ContainerType::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(ContainerType::_type_key); }
};

template <typename TObjRef>
struct TypeTraits<TObjRef,
                  std::enable_if_t<std::is_base_of_v<ObjectRef, TObjRef> &&
                                   !std::is_const_v<TObjRef> && use_default_type_traits_v<TObjRef>>>
    : public ObjectRefTypeTraitsBase<TObjRef> {};

/*!
 * \brief Base of traits of a reference class that also takes values of other types.
 *
 * An object of the class itself is taken as it is; otherwise each Fallback is tried in order and
 * handed to `TypeTraits<TObjRef>::ConvertFallbackValue(Fallback)`.
 */
template <typename TObjRef, typename... Fallback>
struct ObjectRefWithFallbackTraitsBase : public ObjectRefTypeTraitsBase<TObjRef> {
  static_assert(!(std::is_same_v<Fallback, bool> || ...),
                "bool as a fallback would take every int: use StrictBool");

  TVM_FFI_INLINE static std::optional<TObjRef> TryCastFromAnyView(const TVMFFIAny* source) {
    std::optional<TObjRef> result = ObjectRefTypeTraitsBase<TObjRef>::TryCastFromAnyView(source);
    if (!result.has_value()) (void)(TryFallback<Fallback>(source, &result) || ...);
    return result;
  }
  static std::string GetOverflowInfo(const TVMFFIAny* source) {
    return detail::FirstOverflowInfo<Fallback...>(source);
  }

 private:
  template <typename One>
  static bool TryFallback(const TVMFFIAny* source, std::optional<TObjRef>* result) {
    std::optional<One> value = TypeTraits<One>::TryCastFromAnyView(source);
    if (!value.has_value()) return false;
    result->emplace(TypeTraits<TObjRef>::ConvertFallbackValue(*std::move(value)));
    return true;
  }
};

/*! \brief Null is None. */
template <typename T>
struct TypeTraits<ObjectPtr<T>, std::enable_if_t<is_object_subclass_v<T> && !std::is_const_v<T> &&
                                                 !std::is_volatile_v<T>>> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;

  TVM_FFI_INLINE static void CopyToAnyView(const ObjectPtr<T>& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr(source));
  }
  TVM_FFI_INLINE static void MoveToAny(ObjectPtr<T> source, TVMFFIAny* result) {
    detail::SetAnyObject(result,
                         detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFINone || detail::AnyIsObject<T>(source);
  }
  TVM_FFI_INLINE static ObjectPtr<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return nullptr;
    return detail::ObjectUnsafe::ObjectPtrFromUnowned<T>(source->v_obj);
  }
  TVM_FFI_INLINE static ObjectPtr<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return nullptr;
    TVMFFIObject* object = source->v_obj;
    detail::SetAnyNone(source);
    return detail::ObjectUnsafe::ObjectPtrFromOwned<T>(object);
  }
  TVM_FFI_INLINE static std::optional<ObjectPtr<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return T::_type_key; }
  static std::string TypeSchema() {
    return R"({"type":"Optional","args":[)" + detail::PlainTypeSchema(T::_type_key) + "]}";
  }
};

/*! \brief Never None. */
template <typename T>
struct TypeTraits<Arc<T>, std::enable_if_t<is_object_subclass_v<T> && !std::is_const_v<T> &&
                                           !std::is_volatile_v<T>>> : public TypeTraitsBase {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIObject;

  TVM_FFI_INLINE static void CopyToAnyView(const Arc<T>& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectPtr<T>(source));
  }
  TVM_FFI_INLINE static void MoveToAny(Arc<T> source, TVMFFIAny* result) {
    detail::SetAnyObject(
        result, detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr<T>(std::move(source)));
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return detail::AnyIsObject<T>(source);
  }
  TVM_FFI_INLINE static Arc<T> CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return detail::ObjectUnsafe::ArcFromObjectPtr<T>(
        detail::ObjectUnsafe::ObjectPtrFromUnowned<T>(source->v_obj));
  }
  TVM_FFI_INLINE static Arc<T> MoveFromAnyAfterCheck(TVMFFIAny* source) {
    TVMFFIObject* object = source->v_obj;
    detail::SetAnyNone(source);
    return detail::ObjectUnsafe::ArcFromObjectPtr<T>(
        detail::ObjectUnsafe::ObjectPtrFromOwned<T>(object));
  }
  TVM_FFI_INLINE static std::optional<Arc<T>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return T::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(T::_type_key); }
};

/*!
 * \brief A borrowed pointer; never None.
 *
 * Storing it takes a reference, reading it gives a pointer that lives as long as the value read. A
 * pointer to non-const can be read only for classes with `_type_mutable`.
 */
template <typename T>
struct TypeTraits<
    T*, std::enable_if_t<is_object_subclass_v<std::remove_cv_t<T>> && !std::is_volatile_v<T>>>
    : public TypeTraitsBase {
  using ObjectType = std::remove_const_t<T>;

  TVM_FFI_INLINE static void CopyToAnyView(T* const& source, TVMFFIAny* result) {
    detail::SetAnyObject(result, detail::ObjectUnsafe::GetHeader(source));
  }
  TVM_FFI_INLINE static void MoveToAny(T* source, TVMFFIAny* result) {
    CopyToAnyView(source, result);
    if (source != nullptr) detail::IncStrongRef(result->v_obj);
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return detail::AnyIsObject<ObjectType>(source);
  }
  TVM_FFI_INLINE static T* CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    static_assert(std::is_const_v<T> || ObjectType::_type_mutable,
                  "a class without _type_mutable is read through a pointer to const");
    return detail::ObjectUnsafe::RawObjectPtrFromUnowned<ObjectType>(source->v_obj);
  }
  TVM_FFI_INLINE static T* MoveFromAnyAfterCheck(TVMFFIAny* source) {
    return CopyFromAnyViewAfterCheck(source);
  }
  TVM_FFI_INLINE static std::optional<T*> TryCastFromAnyView(const TVMFFIAny* source) {
    if (!CheckAnyStrict(source)) return std::nullopt;
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return ObjectType::_type_key; }
  static std::string TypeSchema() { return detail::PlainTypeSchema(ObjectType::_type_key); }
};

/* ------------------------------------------------------------------ members that need the above */

template <typename ObjectType, typename>
TVM_FFI_INLINE const ObjectType* ObjectRef::as() const& {
  const Object* object = data_.get();
  if (object == nullptr || !object->IsInstance<ObjectType>()) return nullptr;
  return static_cast<const ObjectType*>(object);
}

template <typename RefType, typename>
TVM_FFI_INLINE std::optional<RefType> ObjectRef::as() const& {
  TVMFFIAny view;
  TypeTraits<ObjectRef>::CopyToAnyView(*this, &view);
  if (!TypeTraits<RefType>::CheckAnyStrict(&view)) return std::nullopt;
  return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(data_);
}

template <typename RefType, typename>
TVM_FFI_INLINE std::optional<RefType> ObjectRef::as() && {
  TVMFFIAny view;
  TypeTraits<ObjectRef>::CopyToAnyView(*this, &view);
  if (!TypeTraits<RefType>::CheckAnyStrict(&view)) return std::nullopt;
  return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(std::move(data_));
}

template <typename T>
struct TypeToRuntimeTypeIndex<T, std::enable_if_t<std::is_base_of_v<ObjectRef, T>>> {
  static int32_t v() { return T::ContainerType::RuntimeTypeIndex(); }
};
template <typename T>
struct TypeToRuntimeTypeIndex<ObjectPtr<T>> {
  static int32_t v() { return T::RuntimeTypeIndex(); }
};
template <typename T>
struct TypeToRuntimeTypeIndex<Arc<T>> {
  static int32_t v() { return T::RuntimeTypeIndex(); }
};

template <typename T>
inline constexpr bool is_optional_type_v = false;
template <typename T>
inline constexpr bool is_optional_type_v<Optional<T>> = true;

/*! \brief Optional<T> is one nullable reference. */
template <typename T>
inline constexpr bool use_object_ref_optional_v =
    std::is_base_of_v<ObjectRef, T> && !is_optional_type_v<T>;

/*! \brief Optional<T> is one nullable pointer of whatever kind. */
template <typename T>
inline constexpr bool use_object_ptr_optional_v =
    use_object_ref_optional_v<T> || is_object_ptr_type_v<T> || is_arc_type_v<T>;

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OBJECT_TRAITS_H_
