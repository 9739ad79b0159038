// SPDX-License-Identifier: Apache-2.0
// The classes of model.py, written by hand with the reflection API.
//
// If a program loads this library and then imports `model.py`, the classes in `model.py` become the
// Python classes of the types below. This file does not register constructors: `ObjectDef` derives
// the constructor for Python from the registered fields. The fields have the same order, defaults
// and keyword-only flags as in `model.py`. Methods and hooks that this file registers replace the
// methods with the same names in `model.py`; every other method stays in Python.
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cstdint>
#include <limits>
#include <string>

namespace ways {

namespace ffi = tvm::ffi;
namespace refl = tvm::ffi::reflection;

// ---- enums

// An enum whose numbers are not consecutive.
class OpNode : public ffi::IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Op", OpNode, ffi::IntEnumObj);
};

class Op : public ffi::IntEnum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Op, ffi::IntEnum, OpNode);
};

// An enum whose texts differ from the names of its entries.
class UnitNode : public ffi::StrEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Unit", UnitNode, ffi::StrEnumObj);
};

class Unit : public ffi::StrEnum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Unit, ffi::StrEnum, UnitNode);
};

// An enum whose entries have fields; each field has a default.
class ColourNode : public ffi::EnumObj {
 public:
  int64_t red = 0;
  ffi::String note = "-";

  TVM_FFI_DECLARE_OBJECT_INFO("ways.Colour", ColourNode, ffi::EnumObj);
};

class Colour : public ffi::Enum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Colour, ffi::Enum, ColourNode);
};

// An enum whose entries are objects of a class that does not derive from `EnumObj`. Structural
// comparison compares the entries by identity.
class ActivationNode : public ffi::Object {
 public:
  bool approximate = false;
  double slope = 0.0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Activation", ActivationNode, ffi::Object);
};

class Activation : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Activation, ffi::ObjectRef, ActivationNode);
};

class LevelNode : public ffi::Object {
 public:
  int64_t value = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Level", LevelNode, ffi::Object);
};

class Level : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Level, ffi::ObjectRef, LevelNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<OpNode>().def("inverse", [](const Op& self) {
    return refl::EnumGet<Op>(self->_int_index == 1 ? "MUL" : "ADD");
  });
  refl::EnumDef<OpNode>("ADD", 1);
  refl::EnumDef<OpNode>("MUL", 40);

  refl::ObjectDef<UnitNode>();
  refl::EnumDef<UnitNode>("+");
  refl::EnumDef<UnitNode>("-");

  refl::ObjectDef<ColourNode>()
      .def_ro("red", &ColourNode::red, refl::default_value(0))
      .def_ro("note", &ColourNode::note, refl::default_value("-"));
  refl::EnumEntry<ColourNode>("black");
  refl::EnumEntry<ColourNode>("crimson").set("red", 220).set("note", "dark");
  refl::EnumEntry<ColourNode>("scarlet").set("red", 255);
  refl::EnumEntry<ColourNode>("grey");

  refl::ObjectDef<ActivationNode>()
      .as_enum()
      .def_ro("approximate", &ActivationNode::approximate)
      .def_ro("slope", &ActivationNode::slope, refl::default_value(0.0));
  refl::EnumEntry<ActivationNode>("relu").set("approximate", false);
  refl::EnumEntry<ActivationNode>("gelu").set("approximate", true).set("slope", 0.5);

  refl::ObjectDef<LevelNode>().as_enum().def_ro("value", &LevelNode::value);
  refl::EnumEntry<LevelNode>("low").set("value", 1);
  refl::EnumEntry<LevelNode>("high").set("value", 7);
}

// ---- structural kinds

// A range of a text.
class SpanNode : public ffi::Object {
 public:
  int64_t line = 0;
  int64_t col = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Span", SpanNode, ffi::Object);
};

class Span : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Span, ffi::ObjectRef, SpanNode);
};

// The base of expressions. Four type indices are reserved for its subclasses in this file.
class ExprNode : public ffi::Object {
 public:
  ffi::Optional<Span> span;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  static constexpr uint32_t _type_child_slots = 4;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Expr", ExprNode, ffi::Object);
};

class Expr : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Expr, ffi::ObjectRef, ExprNode);
};

class VarNode : public ExprNode {
 public:
  ffi::String name = "v";

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Var", VarNode, ExprNode);
};

class Var : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Var, Expr, VarNode);
};

class ConstNode : public ExprNode {
 public:
  ffi::Optional<ffi::Variant<int64_t, double, ffi::String>> value;
  ffi::Array<int64_t> shape;
  ffi::Tuple<int64_t, ffi::String> pair{1, "a"};

  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Const", ConstNode, ExprNode);
};

class Const : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Const, Expr, ConstNode);
};

// The field `body` has no null value, so the class cannot have a default constructor. The runtime
// uses the constructor with `UnsafeInit` to create an object whose fields it sets afterwards.
class LambdaNode : public ExprNode {
 public:
  ffi::List<Var> params;
  Expr body;

  explicit LambdaNode(ffi::UnsafeInit tag) : body(tag) {}

  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Lambda", LambdaNode, ExprNode);
};

class Lambda : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Lambda, Expr, LambdaNode);
};

class SharedNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindDAGNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Shared", SharedNode, ffi::Object);
};

class Shared : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Shared, ffi::ObjectRef, SharedNode);
};

class FixedNode : public ffi::Object {
 public:
  ffi::Array<int64_t> items;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindConstTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Fixed", FixedNode, ffi::Object);
};

class Fixed : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Fixed, ffi::ObjectRef, FixedNode);
};

class SingleNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Single", SingleNode, ffi::Object);
};

class Single : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Single, ffi::ObjectRef, SingleNode);
};

// A class that refuses structural comparison, although its parent supports structural comparison.
class OpaqueNode : public ExprNode {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUnsupported;
  static constexpr uint32_t _type_child_slots = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Opaque", OpaqueNode, ExprNode);
};

class Opaque : public Expr {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Opaque, Expr, OpaqueNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<SpanNode>()
      .def_rw("line", &SpanNode::line, "Where it begins.")
      .def_rw("col", &SpanNode::col, refl::default_value(0));
  refl::ObjectDef<ExprNode>().def_rw("span", &ExprNode::span, refl::default_value(nullptr),
                                     refl::kw_only(true), refl::repr(false),
                                     refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<VarNode>().def_rw("name", &VarNode::name, refl::default_value("v"),
                                    refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<ConstNode>()
      .def_ro("value", &ConstNode::value, refl::default_value(nullptr))
      .def_ro("shape", &ConstNode::shape, refl::default_value(ffi::Array<int64_t>()))
      .def_ro("pair", &ConstNode::pair,
              refl::default_value(ffi::Tuple<int64_t, ffi::String>(1, "a")));
  refl::ObjectDef<LambdaNode>()
      .def_rw("params", &LambdaNode::params, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_rw("body", &LambdaNode::body);
  refl::ObjectDef<SharedNode>().def_rw("x", &SharedNode::x, refl::default_value(0));
  refl::ObjectDef<FixedNode>().def_ro("items", &FixedNode::items);
  refl::ObjectDef<SingleNode>().def_rw("x", &SingleNode::x, refl::default_value(0));
  refl::ObjectDef<OpaqueNode>().def_rw("x", &OpaqueNode::x, refl::default_value(0));
}

// ---- recursion

class TreeNode;
class LeftNode;
class RightNode;

}  // namespace ways

// Fields use these classes before the classes are complete, so state that they are object classes.
template <>
inline constexpr bool tvm::ffi::is_object_subclass_v<ways::TreeNode> = true;
template <>
inline constexpr bool tvm::ffi::is_object_subclass_v<ways::LeftNode> = true;
template <>
inline constexpr bool tvm::ffi::is_object_subclass_v<ways::RightNode> = true;

namespace ways {

// A class with pointers to objects of the same class. An `Arc` is never null; an `ObjectPtr` may be
// null.
class TreeNode : public ffi::Object {
 public:
  ffi::String label;
  ffi::List<ffi::Arc<TreeNode>> kids;
  ffi::ObjectPtr<TreeNode> parent;
  ffi::Optional<ffi::Dict<ffi::String, ffi::Arc<TreeNode>>> by_name;

  // The number of nodes.
  int64_t Total() const {
    int64_t total = 1;
    for (const ffi::Arc<TreeNode>& kid : kids) total += kid->Total();
    return total;
  }

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Tree", TreeNode, ffi::Object);
};

class Tree : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Tree, ffi::ObjectRef, TreeNode);
};

class LeftNode : public ffi::Object {
 public:
  ffi::Arc<RightNode> right;

  explicit LeftNode(ffi::UnsafeInit tag) : right(tag) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Left", LeftNode, ffi::Object);
};

class Left : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Left, ffi::ObjectRef, LeftNode);
};

class RightNode : public ffi::Object {
 public:
  ffi::ObjectPtr<LeftNode> left;
  ffi::Optional<ffi::List<ffi::Arc<LeftNode>>> lefts;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Right", RightNode, ffi::Object);
};

class Right : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Right, ffi::ObjectRef, RightNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<TreeNode>()
      .def_rw("label", &TreeNode::label)
      .def_rw("kids", &TreeNode::kids)
      .def_rw("parent", &TreeNode::parent, refl::default_value(nullptr))
      .def_rw("by_name", &TreeNode::by_name, refl::default_value(nullptr))
      .def("total", &TreeNode::Total, "The number of nodes.");
  refl::ObjectDef<LeftNode>().def_rw("right", &LeftNode::right);
  refl::ObjectDef<RightNode>()
      .def_rw("left", &RightNode::left, refl::default_value(nullptr))
      .def_rw("lefts", &RightNode::lefts, refl::default_value(nullptr));
}

// ---- every other kind of field

class ValuesNode : public ffi::Object {
 public:
  bool flag = true;
  int64_t number = std::numeric_limits<int64_t>::min();
  double ratio = 0.5;
  ffi::String text = R"(with "quotes" and \ and ü)";
  ffi::Bytes data{"\x00\xff", 2};
  ffi::Any anything;
  ffi::Optional<int64_t> maybe;
  ffi::Variant<int64_t, ffi::String> either = int64_t{3};
  ffi::Dict<ffi::String, ffi::List<int64_t>> nested;
  ffi::Map<ffi::String, int64_t> frozen_map;
  ffi::List<double> open_list;
  ffi::Dict<int64_t, ffi::String> open_dict;
  ffi::List<ffi::String> words;
  DLDataType element = ffi::StringToDLDataType("float32");
  ffi::Optional<DLDevice> place;
  ffi::Optional<ffi::Tensor> tensor;
  ffi::Optional<ffi::TypedFunction<int64_t(int64_t)>> call;
  ffi::Optional<ffi::Function> any_call;
  Op op;
  Colour colour;
  ffi::Optional<Level> level;
  ffi::Optional<ffi::ObjectRef> thing;

  explicit ValuesNode(ffi::UnsafeInit tag) : op(tag), colour(tag) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Values", ValuesNode, ffi::Object);
};

class Values : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Values, ffi::ObjectRef, ValuesNode);
};

// All objects share the value of a `default_value`. Mutable containers need a `default_factory`, so
// that each object has its own container.
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ValuesNode>()
      .def_rw("flag", &ValuesNode::flag, refl::default_value(true))
      .def_rw("number", &ValuesNode::number,
              refl::default_value(std::numeric_limits<int64_t>::min()))
      .def_rw("ratio", &ValuesNode::ratio, refl::default_value(0.5))
      .def_rw("text", &ValuesNode::text, refl::default_value(R"(with "quotes" and \ and ü)"))
      .def_rw("data", &ValuesNode::data, refl::default_value(ffi::Bytes("\x00\xff", 2)))
      .def_rw("anything", &ValuesNode::anything, refl::default_value(nullptr))
      .def_rw("maybe", &ValuesNode::maybe, refl::default_value(nullptr))
      .def_rw("either", &ValuesNode::either, refl::default_value(3))
      .def_rw("nested", &ValuesNode::nested, refl::default_factory([] {
                return ffi::Dict<ffi::String, ffi::List<int64_t>>{{"a", {1, 2}}};
              }))
      .def_rw("frozen_map", &ValuesNode::frozen_map,
              refl::default_factory([] { return ffi::Map<ffi::String, int64_t>(); }))
      .def_rw("open_list", &ValuesNode::open_list,
              refl::default_factory([] { return ffi::List<double>{1.0, 2.0}; }))
      .def_rw("open_dict", &ValuesNode::open_dict,
              refl::default_factory([] { return ffi::Dict<int64_t, ffi::String>(); }))
      .def_rw("words", &ValuesNode::words,
              refl::default_factory([] { return ffi::List<ffi::String>(); }))
      .def_rw("element", &ValuesNode::element,
              refl::default_value(ffi::StringToDLDataType("float32")))
      .def_rw("place", &ValuesNode::place, refl::default_value(nullptr))
      .def_rw("tensor", &ValuesNode::tensor, refl::default_value(nullptr))
      .def_rw("call", &ValuesNode::call, refl::default_value(nullptr))
      .def_rw("any_call", &ValuesNode::any_call, refl::default_value(nullptr))
      .def_rw("op", &ValuesNode::op, refl::default_value(refl::EnumGet<Op>("ADD")))
      .def_rw("colour", &ValuesNode::colour, refl::default_value(refl::EnumGet<Colour>("scarlet")))
      .def_rw("level", &ValuesNode::level, refl::default_value(nullptr))
      .def_rw("thing", &ValuesNode::thing, refl::default_value(nullptr));
}

// ---- parameters, and flags of fields

class OptionsNode : public ffi::Object {
 public:
  ffi::String tag = "none";
  int64_t width = 16;
  ffi::String name;
  int64_t depth = 0;
  int64_t limit = 3;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Options", OptionsNode, ffi::Object);
};

class Options : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Options, ffi::ObjectRef, OptionsNode);
};

class MixedNode : public ffi::Object {
 public:
  int64_t a = 1;
  ffi::String b;
  int64_t c = 3;
  double d = 0.0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Mixed", MixedNode, ffi::Object);
};

class Mixed : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Mixed, ffi::ObjectRef, MixedNode);
};

class FlagsNode : public ffi::Object {
 public:
  int64_t key = 0;
  int64_t constant = 5;
  int64_t locked = 6;
  int64_t uid = 0;
  int64_t unhashed = 0;
  int64_t hidden = 0;
  ffi::Dict<ffi::String, int64_t> cache;
  int64_t noted = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Flags", FlagsNode, ffi::Object);
};

class Flags : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Flags, ffi::ObjectRef, FlagsNode);
};

class UnnamedNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("model.Unnamed", UnnamedNode, ffi::Object);
};

class Unnamed : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Unnamed, ffi::ObjectRef, UnnamedNode);
};

class RenamedNode : public ffi::Object {
 public:
  Unnamed x;

  explicit RenamedNode(ffi::UnsafeInit tag) : x(tag) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.OtherName", RenamedNode, ffi::Object);
};

class Renamed : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Renamed, ffi::ObjectRef, RenamedNode);
};

class LateNode : public ffi::Object {
 public:
  int64_t number = 0;
  Span span;

  explicit LateNode(ffi::UnsafeInit tag) : span(tag) {}

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Late", LateNode, ffi::Object);
};

class Late : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Late, ffi::ObjectRef, LateNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<OptionsNode>()
      .def_rw("tag", &OptionsNode::tag, refl::default_value("none"), refl::kw_only(true))
      .def_rw("width", &OptionsNode::width, refl::default_value(16), refl::kw_only(true))
      .def_rw("name", &OptionsNode::name)
      .def_rw("depth", &OptionsNode::depth, refl::kw_only(true))
      .def_rw("limit", &OptionsNode::limit, refl::default_value(3), refl::kw_only(true),
              "How many.");
  refl::ObjectDef<MixedNode>()
      .def_rw("a", &MixedNode::a, refl::default_value(1))
      .def_rw("b", &MixedNode::b)
      .def_rw("c", &MixedNode::c, refl::default_value(3), refl::kw_only(true))
      .def_rw("d", &MixedNode::d, refl::kw_only(true));
  refl::ObjectDef<FlagsNode>()
      .def_rw("key", &FlagsNode::key)
      .def_ro("constant", &FlagsNode::constant, refl::default_value(5))
      .def_ro("locked", &FlagsNode::locked, refl::default_value(6))
      .def_rw("uid", &FlagsNode::uid, refl::default_value(0), refl::compare(false),
              refl::hash(false), refl::hash(false))
      .def_rw("unhashed", &FlagsNode::unhashed, refl::default_value(0), refl::hash(false))
      .def_rw("hidden", &FlagsNode::hidden, refl::default_value(0), refl::compare(false),
              refl::hash(false), refl::repr(false))
      .def_rw("cache", &FlagsNode::cache, refl::init(false), refl::compare(false),
              refl::hash(false),
              refl::default_factory([] { return ffi::Dict<ffi::String, int64_t>(); }))
      .def_rw("noted", &FlagsNode::noted, refl::default_value(0));
  refl::ObjectDef<UnnamedNode>().def_rw("x", &UnnamedNode::x, refl::default_value(0));
  refl::ObjectDef<RenamedNode>().def_rw("x", &RenamedNode::x);
  // The field `span` cannot hold None, so a call that uses the default of `span` raises an error.
  refl::ObjectDef<LateNode>()
      .def_rw("number", &LateNode::number, refl::default_value(0))
      .def_rw("span", &LateNode::span, refl::default_value(nullptr));
}

// ---- classes with behaviour

class BehaviourNode : public ffi::Object {
 public:
  int64_t x = 0;
  int64_t total = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Behaviour", BehaviourNode, ffi::Object);
};

class Behaviour : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Behaviour, ffi::ObjectRef, BehaviourNode);
};

class ShownNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Shown", ShownNode, ffi::Object);
};

class Shown : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Shown, ffi::ObjectRef, ShownNode);
};

class MadeNode : public ffi::Object {
 public:
  int64_t x = 0;
  int64_t y = 2;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Made", MadeNode, ffi::Object);
};

class Made : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Made, ffi::ObjectRef, MadeNode);
};

class UnmadeNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Unmade", UnmadeNode, ffi::Object);
};

class Unmade : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Unmade, ffi::ObjectRef, UnmadeNode);
};

class OrderedNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Ordered", OrderedNode, ffi::Object);
};

class Ordered : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Ordered, ffi::ObjectRef, OrderedNode);
};

class PublicNode : public ffi::Object {
 public:
  int64_t x = 0;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("ways.Public", PublicNode, ffi::Object);
};

class Public : public ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Public, ffi::ObjectRef, PublicNode);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BehaviourNode>()
      .def_rw("x", &BehaviourNode::x)
      .def_rw("total", &BehaviourNode::total, refl::default_value(0))
      .def("twice", [](const Behaviour& self) { return 2 * self->x; })
      .def_static("zero", [] { return 0; })
      .def_type_attr("is_elementwise", true)
      .def_type_attr("cost", ffi::Map<ffi::String, ffi::Any>{{"flops", 2}});
  using PrintValue = ffi::TypedFunction<ffi::String(ffi::AnyView)>;
  refl::ObjectDef<ShownNode>()
      .def_rw("x", &ShownNode::x)
      .def_type_attr("__ffi_repr__", [](const ShownNode* self, const PrintValue& print_value) {
        return ffi::String("shown(" + std::string(print_value(self->x)) + ")");
      });
  refl::ObjectDef<MadeNode>()
      .def_rw("x", &MadeNode::x)
      .def_rw("y", &MadeNode::y, refl::default_value(2));
  // init(false): the class has no constructor for Python.
  refl::ObjectDef<UnmadeNode>(refl::init(false))
      .def_rw("x", &UnmadeNode::x, refl::default_value(0));
  refl::ObjectDef<OrderedNode>().def_rw("x", &OrderedNode::x);
  refl::ObjectDef<PublicNode>()
      .def_rw("x", &PublicNode::x)
      .def("plus", [](const Public& self, int64_t y) { return self->x + y; });
}

}  // namespace ways
