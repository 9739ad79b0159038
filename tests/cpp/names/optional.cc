// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/optional.h>

#include <optional>
#include <string>

// TensorView is one of the types that Optional keeps in a std::optional.
#include <tvm/ffi/container/tensor.h>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Arc;
using ffi::Object;
using ffi::ObjectPtr;
using ffi::ObjectRef;
using ffi::Optional;

HOLDS(ffi::is_optional_type_v<Optional<int>> && !ffi::is_optional_type_v<int>);
HOLDS(ffi::use_object_ref_optional_v<ObjectRef> && !ffi::use_object_ref_optional_v<int>);
HOLDS(ffi::is_object_ptr_type_v<ObjectPtr<Object>>&& ffi::is_arc_type_v<Arc<Object>>);
HOLDS(ffi::use_object_ptr_optional_v<Arc<Object>> && !ffi::use_object_ptr_optional_v<int>);

template <typename T>
constexpr bool HasCommonMembers() {
  using O = Optional<T>;
  HOLDS(std::is_default_constructible_v<O> && std::is_convertible_v<std::nullopt_t, O>);
  HOLDS(std::is_convertible_v<T, O> && std::is_convertible_v<std::optional<T>, O>);
  HOLDS(std::is_assignable_v<O&, T> && std::is_assignable_v<O&, std::nullopt_t>);
  HOLDS(std::is_same_v<std::decay_t<decltype(The<const O>().value())>, T>);
  HOLDS(std::is_same_v<std::decay_t<decltype(Moved<O>().value())>, T>);
  HAS_TYPE(The<const O>().value_or(The<T>()), T);
  HAS_TYPE(static_cast<bool>(The<const O>()), bool);
  HOLDS(noexcept(static_cast<bool>(The<const O>())) && noexcept(The<const O>().has_value()));
  HAS_TYPE(The<const O>().has_value(), bool);
  HOLDS(std::is_same_v<std::decay_t<decltype(*The<const O>())>, T>);
  HOLDS(std::is_same_v<std::decay_t<decltype(*Moved<O>())>, T>);
  return true;
}
template <typename T>
constexpr bool HasStoredMembers() {
  using O = Optional<T>;
  HAS_TYPE(The<const O>() == nullptr, bool);
  HAS_TYPE(The<const O>() != nullptr, bool);
  HOLDS(std::is_assignable_v<O&, std::nullptr_t>);
  HAS_TYPE(The<const O>().same_as(The<const O>()), bool);
  HAS_TYPE(The<const O>() == The<const O>(), bool);
  HAS_TYPE(The<const O>() != The<const O>(), bool);
  HAS_TYPE(The<const O>() == The<const T>(), bool);
  HAS_TYPE(The<const O>() == The<const std::optional<T>>(), bool);
  return HasCommonMembers<T>();
}
template <typename T>
constexpr bool HasPointerMembers() {
  using O = Optional<T>;
  HOLDS(std::is_constructible_v<O, std::nullptr_t> && sizeof(O) == 8);
  HAS_TYPE(The<const O>().unique(), bool);
  HAS_TYPE(The<const O>().use_count(), int);
  HOLDS(std::is_pointer_v<decltype(The<const O>().get())>);
  HOLDS(std::is_pointer_v<decltype(The<const O>().operator->())>);
  SAME_TYPE(typename O::ContainerType, Object);
  return HasStoredMembers<T>();
}
HOLDS(HasCommonMembers<std::string>() && HasCommonMembers<const char*>());
HOLDS(HasCommonMembers<ffi::TensorView>());
HOLDS(HasStoredMembers<int>() && HasStoredMembers<ffi::String>() && sizeof(Optional<int>) == 16);
HOLDS(HasPointerMembers<ObjectRef>());
HOLDS(HasPointerMembers<ObjectPtr<Object>>() && HasPointerMembers<Arc<Object>>());
HAS_TYPE(The<const Optional<int>>().as<double>(), std::optional<double>);
HAS_TYPE(Moved<Optional<int>>().as<double>(), std::optional<double>);
HAS_TYPE(The<const Optional<int>>().as_or_throw<int>(), int);
HAS_TYPE(Moved<Optional<int>>().as_or_throw<int>(), int);
HAS_TYPE(The<const Optional<ObjectRef>>().as<Object>(), const Object*);
HAS_TYPE(The<const Optional<Arc<Object>>>().as<ObjectRef>(), std::optional<ObjectRef>);
HAS_TYPE(The<const Optional<ObjectRef>>().as_or_throw<ObjectRef>(), ObjectRef);
HAS_TYPE(Moved<Optional<Arc<Object>>>().as_or_throw<ObjectRef>(), ObjectRef);
SAME_TYPE(Optional<ObjectRef>::value_type, ObjectRef);
HOLDS(std::is_constructible_v<Optional<ObjectRef>, ffi::UnsafeInit>);
HAS_TYPE(The<const Optional<ObjectRef>>().same_as(The<const ObjectRef>()), bool);
HOLDS(std::is_base_of_v<ObjectPtr<Object>, Optional<Arc<Object>>>);
HOLDS(std::is_base_of_v<ObjectPtr<Object>, Optional<ObjectPtr<Object>>>);
HOLDS(ffi::TypeTraits<Optional<int>>::storage_enabled);
HAS_TYPE(ffi::TypeTraits<Optional<int>>::GetMismatchTypeInfo(The<const TVMFFIAny*>()), std::string);
