// SPDX-License-Identifier: Apache-2.0
// Programs that the object headers must refuse, one per value of CASE. Case 0 is refused by nobody:
// it shows that what the others share is right.
#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
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
#endif

int main() { return static_cast<int>(LeafObj::_type_depth) - 2; }
