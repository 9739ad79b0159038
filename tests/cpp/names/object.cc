// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/object.h>

#include <optional>
#include <string>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Arc;
using ffi::Object;
using ffi::ObjectPtr;
using ffi::ObjectRef;
using ffi::UnsafeInit;
using ffi::WeakObjectPtr;

HOLDS(sizeof(Object) == 24 && std::is_standard_layout_v<Object> && !std::is_polymorphic_v<Object>);
HOLDS(std::is_default_constructible_v<Object>);
HAS_TYPE(The<const Object>().IsInstance<Object>(), bool);
HAS_TYPE(The<const Object>().type_index(), int32_t);
HAS_TYPE(The<const Object>().GetTypeKey(), std::string);
HAS_TYPE(The<const Object>().GetTypeKeyHash(), uint64_t);
HAS_TYPE(Object::TypeIndex2Key(The<int32_t>()), std::string);
HAS_TYPE(The<const Object>().unique(), bool);
HAS_TYPE(The<const Object>().use_count(), uint64_t);
HAS_TYPE(Object::_type_key, const char* const);
HAS_TYPE(Object::_type_final, const bool);
HAS_TYPE(Object::_type_mutable, const bool);
HAS_TYPE(Object::_type_child_slots_can_overflow, const bool);
HAS_TYPE(Object::_type_child_slots, const uint32_t);
HAS_TYPE(Object::_type_index, const int32_t);
HAS_TYPE(Object::_type_depth, const int32_t);
HAS_TYPE(Object::_type_s_eq_hash_kind, const TVMFFISEqHashKind);
HAS_TYPE(Object::_type_s_eq_hash_subclass_kind_fixed, const bool);
HOLDS(Object::_type_index == 64 && Object::_type_child_slots_can_overflow);
HOLDS(Object::_type_s_eq_hash_kind == kTVMFFISEqHashKindUnsupported);
HAS_TYPE(Object::RuntimeTypeIndex(), int32_t);
HOLDS(noexcept(Object::RuntimeTypeIndex()));
HAS_TYPE(Object::_GetOrAllocRuntimeTypeIndex(), int32_t);
struct SeesHeader : Object {
  TVMFFIObject& header() { return header_; }
};

HAS_TYPE(ffi::detail::kCombinedRefCountStrongOne + 0, uint64_t);
HOLDS(ffi::detail::kCombinedRefCountStrongOne == 1);
HOLDS(ffi::detail::kCombinedRefCountWeakOne == uint64_t{1} << 32);
HOLDS(ffi::detail::kCombinedRefCountBothOne == (uint64_t{1} << 32 | 1));
HOLDS(ffi::detail::kCombinedRefCountMaskUInt32 == 0xffffffffU);
HAS_TYPE(ffi::detail::IsObjectInstance<Object>(The<int32_t>()), bool);
HAS_TYPE(ffi::detail::RuntimeTypeIndexMatch(The<int32_t>(), The<int32_t>()), bool);

struct BaseObj : Object {
  static constexpr bool _type_mutable = true;
  static constexpr uint32_t _type_child_slots = 4;
  TVM_FFI_DECLARE_OBJECT_INFO("names.Base", BaseObj, Object);
};
struct FinalObj : BaseObj {
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("names.Final", FinalObj, BaseObj);
};
struct KeyedObj : Object {
  static constexpr const char* _type_key = "names.Keyed";
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(KeyedObj, Object);
};
struct StaticObj : Object {
  static constexpr int32_t _type_index = ffi::TypeIndex::kTVMFFIOpaquePyObject;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC("names.Static", StaticObj, Object);
};
HAS_TYPE(FinalObj::_type_index, const int32_t);
HAS_TYPE(FinalObj::RuntimeTypeIndex(), int32_t);
HAS_TYPE(FinalObj::_GetOrAllocRuntimeTypeIndex(), int32_t);
HOLDS(FinalObj::_type_final&& FinalObj::_type_child_slots == 0 && FinalObj::_type_depth == 2);
HAS_TYPE(KeyedObj::RuntimeTypeIndex(), int32_t);
HAS_TYPE(StaticObj::_type_key, const char* const);

class Base : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Base, ObjectRef, BaseObj);
};
class Final : public Base {
 public:
  explicit Final(ObjectPtr<FinalObj> ptr) : Base(UnsafeInit{}) { data_ = std::move(ptr); }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Final, Base, FinalObj);
};
class Historic : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS(Historic, ObjectRef, KeyedObj);
};
HOLDS(std::is_default_constructible_v<Base>&& Base::_type_is_nullable);
HOLDS(
    std::is_constructible_v<Base, ObjectPtr<BaseObj>>&& std::is_constructible_v<Base, UnsafeInit>);
HOLDS(!std::is_default_constructible_v<Final> && !Final::_type_is_nullable);
HOLDS(std::is_constructible_v<Historic, std::nullptr_t>);
SAME_TYPE(Base::ContainerType, BaseObj);
SAME_TYPE(Base::__PtrType, BaseObj*);
SAME_TYPE(Historic::__PtrType, const KeyedObj*);
HAS_TYPE(The<const Base>().get(), BaseObj*);
HAS_TYPE(The<const Base>().operator->(), BaseObj*);

using BasePtr = ObjectPtr<BaseObj>;
HOLDS(std::is_nothrow_default_constructible_v<BasePtr>);
HOLDS(std::is_convertible_v<std::nullptr_t, BasePtr>);
HOLDS(std::is_convertible_v<ObjectPtr<FinalObj>, BasePtr>);
HOLDS(std::is_nothrow_move_constructible_v<BasePtr>&& std::is_nothrow_move_assignable_v<BasePtr>);
HAS_TYPE(The<BasePtr>().swap(The<BasePtr>()), void);
HAS_TYPE(The<const BasePtr>().get(), BaseObj*);
HAS_TYPE(The<const BasePtr>().operator->(), BaseObj*);
HAS_TYPE(*The<const BasePtr>(), BaseObj&);
HAS_TYPE(static_cast<bool>(The<const BasePtr>()), bool);
HAS_TYPE(The<BasePtr>().reset(), void);
HAS_TYPE(The<const BasePtr>().use_count(), int);
HAS_TYPE(The<const BasePtr>().unique(), bool);
HAS_TYPE(The<const BasePtr>() == The<const BasePtr>(), bool);
HAS_TYPE(The<const BasePtr>() != nullptr, bool);

using BaseArc = Arc<BaseObj>;
HOLDS(std::is_base_of_v<BasePtr, BaseArc> && sizeof(BaseArc) == sizeof(BasePtr));
HOLDS(!std::is_default_constructible_v<BaseArc> && !std::is_constructible_v<BaseArc, BasePtr>);
HOLDS(std::is_constructible_v<BaseArc, UnsafeInit>);
HOLDS(std::is_convertible_v<Arc<FinalObj>, BaseArc>);
HOLDS(ffi::type_subsumes_v<BaseArc, Arc<FinalObj>>&& ffi::type_subsumes_v<BasePtr, BaseArc>);
HOLDS(!ffi::type_subsumes_v<BaseArc, BasePtr>);
HOLDS(ffi::is_object_subclass_v<BaseObj> && !ffi::is_object_subclass_v<int>);
HOLDS(ffi::is_object_ptr_type_v<BasePtr>&& ffi::is_arc_type_v<BaseArc>);
struct Incomplete;
template <>
inline constexpr bool ffi::is_object_subclass_v<Incomplete> = true;

using Weak = WeakObjectPtr<BaseObj>;
HOLDS(std::is_default_constructible_v<Weak>&& std::is_convertible_v<std::nullptr_t, Weak>);
HOLDS(std::is_convertible_v<ObjectPtr<FinalObj>, Weak>);
HOLDS(std::is_convertible_v<WeakObjectPtr<FinalObj>, Weak>);
HAS_TYPE(The<Weak>().swap(The<Weak>()), void);
HAS_TYPE(The<Weak>().reset(), void);
HAS_TYPE(The<const Weak>().lock(), BasePtr);
HAS_TYPE(The<const Weak>().use_count(), int);
HAS_TYPE(The<const Weak>().expired(), bool);

HOLDS(std::is_constructible_v<ObjectRef, ObjectPtr<Object>>);
HOLDS(std::is_constructible_v<ObjectRef, std::nullptr_t>);
HOLDS(std::is_constructible_v<ObjectRef, UnsafeInit>&& std::is_standard_layout_v<ObjectRef>);
HAS_TYPE(The<const ObjectRef>().same_as(The<const ObjectRef>()), bool);
HAS_TYPE(The<const ObjectRef>() == The<const ObjectRef>(), bool);
HAS_TYPE(The<const ObjectRef>() != The<const ObjectRef>(), bool);
HAS_TYPE(The<const ObjectRef>() < The<const ObjectRef>(), bool);
HAS_TYPE(The<const ObjectRef>().defined(), bool);
HAS_TYPE(The<const ObjectRef>().get(), const Object*);
HAS_TYPE(The<const ObjectRef>().operator->(), const Object*);
HAS_TYPE(The<const ObjectRef>().unique(), bool);
HAS_TYPE(The<const ObjectRef>().use_count(), int);
HAS_TYPE(The<const ObjectRef>().as<BaseObj>(), const BaseObj*);
HAS_TYPE(The<const ObjectRef>().as<Base>(), std::optional<Base>);
HAS_TYPE(Moved<ObjectRef>().as<Final>(), std::optional<Final>);
HAS_TYPE(The<const ObjectRef>().as_or_throw<Base>(), Base);
HAS_TYPE(Moved<ObjectRef>().as_or_throw<Final>(), Final);
HAS_TYPE(The<const ObjectRef>().type_index(), int32_t);
HAS_TYPE(The<const ObjectRef>().GetTypeKey(), std::string);
SAME_TYPE(ObjectRef::ContainerType, Object);
HOLDS(ObjectRef::_type_container_is_exact&& ObjectRef::_type_is_nullable);
struct SeesData : ObjectRef {
  ObjectPtr<Object>& data() { return data_; }
  Object* writable() const { return get_mutable(); }
};
HOLDS(ffi::object_ref_contains_v<Base, FinalObj> && !ffi::object_ref_contains_v<Final, BaseObj>);
HAS_TYPE(ffi::ObjectPtrHash()(The<const ObjectRef>()), size_t);
HAS_TYPE(ffi::ObjectPtrHash()(The<const BasePtr>()), size_t);
HAS_TYPE(ffi::ObjectPtrEqual()(The<const ObjectRef>(), The<const ObjectRef>()), bool);
HAS_TYPE(ffi::ObjectPtrEqual()(The<const BasePtr>(), The<const BasePtr>()), bool);

using Unsafe = ffi::detail::ObjectUnsafe;
using ffi::detail::ObjectUnsafe;
HAS_TYPE(ObjectUnsafe::GetHeader(The<const Object*>()), TVMFFIObject*);
HOLDS(std::is_integral_v<decltype(ObjectUnsafe::GetObjectOffsetToSubclass<BaseObj>())>);
HAS_TYPE(Unsafe::ObjectRefFromObjectPtr<Base>(The<const ObjectPtr<Object>>()), Base);
HAS_TYPE(Unsafe::ObjectRefFromObjectPtr<Base>(Moved<ObjectPtr<Object>>()), Base);
HAS_TYPE(Unsafe::ObjectPtrFromObjectRef<BaseObj>(The<const ObjectRef>()), BasePtr);
HAS_TYPE(Unsafe::ObjectPtrFromObjectRef<BaseObj>(Moved<ObjectRef>()), BasePtr);
HAS_TYPE(Unsafe::ObjectPtrFromOwned<BaseObj>(The<Object*>()), BasePtr);
HAS_TYPE(Unsafe::ObjectPtrFromOwned<BaseObj>(The<TVMFFIObject*>()), BasePtr);
HAS_TYPE(Unsafe::ObjectPtrFromUnowned<BaseObj>(The<Object*>()), BasePtr);
HAS_TYPE(Unsafe::ObjectPtrFromUnowned<BaseObj>(The<TVMFFIObject*>()), BasePtr);
HAS_TYPE(Unsafe::ArcFromObjectPtr<BaseObj>(Moved<BasePtr>()), BaseArc);
HAS_TYPE(Unsafe::RawObjectPtrFromUnowned<BaseObj>(The<TVMFFIObject*>()), BaseObj*);
HAS_TYPE(Unsafe::DecRefObjectHandle(The<TVMFFIObjectHandle>()), void);
HAS_TYPE(Unsafe::IncRefObjectHandle(The<TVMFFIObjectHandle>()), void);
HAS_TYPE(Unsafe::RawObjectPtrFromObjectRef(The<const ObjectRef>()), Object*);
HAS_TYPE(Unsafe::TVMFFIObjectPtrFromObjectRef(The<const ObjectRef>()), TVMFFIObject*);
HAS_TYPE(Unsafe::TVMFFIObjectPtrFromObjectPtr(The<const BasePtr>()), TVMFFIObject*);
HAS_TYPE(Unsafe::MoveObjectPtrToTVMFFIObjectPtr(Moved<BasePtr>()), TVMFFIObject*);
HAS_TYPE(Unsafe::MoveObjectRefToTVMFFIObjectPtr(Moved<ObjectRef>()), TVMFFIObject*);
HAS_TYPE(Unsafe::GetObjectAllocHeaderFromPtr(The<void*>()), TVMFFIObjectAllocHeader*);

using RefTraits = ffi::ObjectRefTypeTraitsBase<Base>;
HOLDS(RefTraits::field_static_type_index == kTVMFFIObject);
SAME_TYPE(RefTraits::ContainerType, BaseObj);
HAS_TYPE(ffi::TypeTraits<BaseObj*>::TypeStr(), std::string);
class Fallen : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Fallen, ObjectRef, KeyedObj);
};
template <>
inline constexpr bool ffi::use_default_type_traits_v<Fallen> = false;
template <>
struct ffi::TypeTraits<Fallen> : public ffi::ObjectRefWithFallbackTraitsBase<Fallen, int64_t> {
  static Fallen ConvertFallbackValue(int64_t) { return Fallen(); }
};
HAS_TYPE(ffi::TypeTraits<Fallen>::TryCastFromAnyView(The<const TVMFFIAny*>()),
         std::optional<Fallen>);
