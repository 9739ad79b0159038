// SPDX-License-Identifier: Apache-2.0
// Object classes for the tests of structural operations: variables, functions that define
// variables, shared nodes, and one class for each other structural feature.
#ifndef TVM_FFI_TESTS_CPP_STRUCTURAL_OBJECTS_H_
#define TVM_FFI_TESTS_CPP_STRUCTURAL_OBJECTS_H_

#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/tvm_ffi.h>

#include <functional>
#include <string>
#include <utility>

namespace structural_objects {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// Define an object class with the fields `first` and `second`, and its reference class.
#define STRUCTURAL_PAIR_CLASS(Name, Key, Kind)                                          \
  class Name##Obj : public Object {                                                     \
   public:                                                                              \
    Any first;                                                                          \
    Any second;                                                                         \
    static constexpr bool _type_mutable = true;                                         \
    static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKind##Kind; \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_structural." Key, Name##Obj, Object);       \
  };                                                                                    \
  class Name : public ObjectRef {                                                       \
   public:                                                                              \
    explicit Name(Any first, Any second = Any()) {                                      \
      ObjectPtr<Name##Obj> object = make_object<Name##Obj>();                           \
      object->first = std::move(first);                                                 \
      object->second = std::move(second);                                               \
      data_ = std::move(object);                                                        \
    }                                                                                   \
    TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Name, ObjectRef, Name##Obj);             \
  }

// A variable: `first` is its type; `second` is its name, which comparisons ignore.
STRUCTURAL_PAIR_CLASS(Var, "Var", FreeVar);
// Functions: `first` defines the variables that `second` uses. In a Function, the type of such a
// variable may define more variables; in a SimpleFunction the type does not.
STRUCTURAL_PAIR_CLASS(Function1, "Function", TreeNode);
STRUCTURAL_PAIR_CLASS(SimpleFunction, "SimpleFunction", TreeNode);
// A function whose `first` has both flags, SEqHashDefPattern and SEqHashDefSimple.
STRUCTURAL_PAIR_CLASS(BothFunction, "BothFunction", TreeNode);
STRUCTURAL_PAIR_CLASS(Tree, "Tree", TreeNode);
STRUCTURAL_PAIR_CLASS(Dag, "Dag", DAGNode);
STRUCTURAL_PAIR_CLASS(ConstTree, "ConstTree", ConstTreeNode);
STRUCTURAL_PAIR_CLASS(Unique, "Unique", UniqueInstance);
STRUCTURAL_PAIR_CLASS(Unsupported, "Unsupported", Unsupported);
// A node whose field `second` is a comment, which comparisons ignore.
STRUCTURAL_PAIR_CLASS(Commented, "Commented", TreeNode);
// Classes whose hooks call compare_hook() and hash_hook(). Each test assigns these two functions.
STRUCTURAL_PAIR_CLASS(Hooked, "Hooked", TreeNode);
STRUCTURAL_PAIR_CLASS(HookedVar, "HookedVar", FreeVar);
STRUCTURAL_PAIR_CLASS(HookedDag, "HookedDag", DAGNode);

// A class with one field for each kind of storage.
class FieldsObj : public Object {
 public:
  int64_t integer = 1;
  int32_t small_integer = 2;
  bool boolean = true;
  double number = 0.5;
  String text = "text";
  Bytes bytes = Bytes("b", 1);
  Any any;
  Optional<int64_t> optional;
  Array<Any> array;
  ObjectRef object;
  static constexpr bool _type_mutable = true;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_structural.Fields", FieldsObj, Object);
};

using Compare = TypedFunction<bool(AnyView, AnyView, int, AnyView)>;
using Hash = TypedFunction<int64_t(AnyView, int64_t, int)>;
using CompareHook = std::function<bool(const Any& self, const Any& other, const Compare&)>;
using HashHook = std::function<int64_t(const Any& self, int64_t init, const Hash&)>;

inline CompareHook& compare_hook() {
  static CompareHook hook;
  return hook;
}
inline HashHook& hash_hook() {
  static HashHook hook;
  return hook;
}

template <typename T>
void register_pair() {
  refl::ObjectDef<T>().def_rw("first", &T::first).def_rw("second", &T::second);
}

template <typename T>
void register_hooked() {
  register_pair<T>();
  refl::TypeAttrDef<T>()
      .def("__s_equal__",
           [](const T* self, const T* other, const Compare& compare) {
             return compare_hook()(GetRef<ObjectRef>(self), GetRef<ObjectRef>(other), compare);
           })
      .def("__s_hash__", [](const T* self, int64_t init, const Hash& hash) {
        return hash_hook()(GetRef<ObjectRef>(self), init, hash);
      });
}

template <typename T, typename Flag>
void register_function(Flag flag) {
  refl::ObjectDef<T>().def_rw("first", &T::first, flag).def_rw("second", &T::second);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  using Flag = refl::AttachFieldFlag;
  refl::ObjectDef<VarObj>()
      .def_rw("first", &VarObj::first)
      .def_rw("second", &VarObj::second, Flag::SEqHashIgnore());
  refl::ObjectDef<CommentedObj>()
      .def_rw("first", &CommentedObj::first)
      .def_rw("second", &CommentedObj::second, Flag::SEqHashIgnore());
  register_function<Function1Obj>(Flag::SEqHashDefPattern());
  register_function<SimpleFunctionObj>(Flag::SEqHashDefSimple());
  register_function<BothFunctionObj>(
      Flag(kTVMFFIFieldFlagBitMaskSEqHashDefSimple | kTVMFFIFieldFlagBitMaskSEqHashDefPattern));
  register_pair<TreeObj>();
  register_pair<DagObj>();
  register_pair<ConstTreeObj>();
  register_pair<UniqueObj>();
  register_pair<UnsupportedObj>();
  register_hooked<HookedObj>();
  register_hooked<HookedVarObj>();
  register_hooked<HookedDagObj>();
  refl::ObjectDef<FieldsObj>()
      .def_rw("integer", &FieldsObj::integer)
      .def_rw("small_integer", &FieldsObj::small_integer)
      .def_rw("boolean", &FieldsObj::boolean)
      .def_rw("number", &FieldsObj::number)
      .def_rw("text", &FieldsObj::text)
      .def_rw("bytes", &FieldsObj::bytes)
      .def_rw("any", &FieldsObj::any)
      .def_rw("optional", &FieldsObj::optional)
      .def_rw("array", &FieldsObj::array)
      .def_rw("object", &FieldsObj::object);
}

// Return an object that has the same value at each call, but contains new objects.
inline ObjectPtr<FieldsObj> some_fields() {
  ObjectPtr<FieldsObj> fields = make_object<FieldsObj>();
  fields->any = String("any text that needs an object");
  fields->optional = 3;
  fields->array = Array<Any>{1, Tree(2)};
  fields->object = Tree(Array<Any>{1.5});
  return fields;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Return a chain of `depth` nested lists around a value.
inline Any nested_lists(int depth, Any inner) {
  for (int i = 0; i < depth; ++i) inner = List<Any>{std::move(inner)};
  return inner;
}

}  // namespace structural_objects

#endif  // TVM_FFI_TESTS_CPP_STRUCTURAL_OBJECTS_H_
