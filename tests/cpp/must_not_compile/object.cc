// SPDX-License-Identifier: Apache-2.0
// Programs that the object headers must reject: one for each value of CASE. Case 0 must compile,
// which shows that the common code is valid.
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/compat/classic.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>

using namespace tvm::ffi;

class BaseObj : public Object {
 public:
  static constexpr uint32_t _type_child_slots = 2;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr bool _type_s_eq_hash_subclass_kind_fixed = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.Base", BaseObj, Object);
};
class LeafObj : public BaseObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.refused.Leaf", LeafObj, BaseObj);
};
class Leaf : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Leaf, ObjectRef, LeafObj);
};
class LeafParentObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.LeafParent", LeafParentObj, Object);
};
// A class without a registered type, between two registered classes. The headers accept the class
// and objects of it.
class HelperObj : public LeafParentObj {};
class BelowHelperObj : public HelperObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.BelowHelper", BelowHelperObj, LeafParentObj);
};
class NamesHelperObj : public HelperObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.NamesHelper", NamesHelperObj, HelperObj);
};
class LookedUpObj : public LeafParentObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.refused.Leaf", 2);
};
template <typename Derived, typename Parent>
class CrtpObj : public Parent {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_PREDEFINED_TYPE_KEY(Derived, Parent);
};
class ByCrtpObj : public CrtpObj<ByCrtpObj, LeafParentObj> {
 public:
  static constexpr const char* _type_key = "test.refused.ByCrtp";
};
class BelowCrtpObj : public ByCrtpObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.BelowCrtp", BelowCrtpObj, ByCrtpObj);
};
inline void Accepted(const Object* object) {
  make_object<HelperObj>();
  (void)object->IsInstance<LookedUpObj>();
  (void)object->IsInstance<BelowCrtpObj>();
  (void)object->IsInstance<ByCrtpObj>();
  tvm::ffi::reflection::ObjectDef<NamesHelperObj>();
}

struct NotAnObject {};
struct Converted {};

#if CASE == 1
class ChildOfFinalObj : public LeafObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.ChildOfFinal", ChildOfFinalObj, LeafObj);
};
#elif CASE == 2
class OtherKindObj : public BaseObj {
 public:
  static constexpr uint32_t _type_child_slots = 0;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.OtherKind", OtherKindObj, BaseObj);
};
#elif CASE == 3
class TooWideObj : public BaseObj {
 public:
  static constexpr uint32_t _type_child_slots = 2;
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.TooWide", TooWideObj, BaseObj);
};
#elif CASE == 4
Leaf Refused(const BaseObj* base) { return GetRef<Leaf>(base); }
#elif CASE == 5
ObjectPtr<LeafObj> Refused(BaseObj* base) { return GetObjectPtr<LeafObj>(base); }
#elif CASE == 6
auto Refused() { return make_object<NotAnObject>(); }
#elif CASE == 7
LeafObj* Refused(const Any& any) { return any.cast<LeafObj*>(); }
#elif CASE == 8
template <>
struct tvm::ffi::TypeTraits<Converted> : public FallbackOnlyTraitsBase<Converted, bool> {};
auto Refused(const Any& any) { return any.try_cast<Converted>(); }
#elif CASE == 9
RValueRef<NotAnObject>* Refused() { return nullptr; }
size_t Size() { return sizeof(RValueRef<NotAnObject>); }
#elif CASE == 10
class ByteObj : public Object {};
auto Refused() {
  struct alignas(64) Wide {};
  return make_inplace_array_object<ByteObj, Wide>(1);
}
#elif CASE == 11
class SkippedParentObj : public LeafParentObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.SkippedParent", SkippedParentObj, Object);
};
#elif CASE == 12
class WrongParentObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.refused.WrongParent", WrongParentObj, LeafParentObj);
};
#elif CASE == 13
class UndeclaredObj : public LeafParentObj {};
void Refused() { tvm::ffi::reflection::ObjectDef<UndeclaredObj>(); }
#elif CASE == 14
class UndeclaredObj : public LeafParentObj {};
class Undeclared : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Undeclared, ObjectRef, UndeclaredObj);
};
auto Refused(const Any& any) { return any.cast<Undeclared>(); }
#elif CASE == 15
class UndeclaredObj : public LeafParentObj {};
auto Refused(const Object* object) { return object->IsInstance<UndeclaredObj>(); }
#elif CASE == 16
class SkippedParentObj : public LeafParentObj {
 public:
  static constexpr const char* _type_key = "test.refused.ClassicSkippedParent";
  TVM_DECLARE_BASE_OBJECT_INFO(SkippedParentObj, Object);
};
#endif

int main() { return static_cast<int>(LeafObj::_type_depth) - 2; }
