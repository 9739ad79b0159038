// SPDX-License-Identifier: Apache-2.0
// Test compat/classic.h: object classes in the style of the year 2020 (`VisitAttrs`,
// `SEqualReduce`), and the fields, hooks and functions that the header registers for them.
#include <gtest/gtest.h>
#include <tvm/ffi/compat/classic.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <string>
#include <vector>

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// ---------------------------------------------------------------- classes in the classic style

/*!
 * \brief Base type of all the expressions.
 * \sa Expr
 */
class BaseExprNode : public Object {
 public:
  static constexpr const char* _type_key = "test_classic.BaseExpr";
  TVM_DECLARE_BASE_OBJECT_INFO(BaseExprNode, Object);
};

/*!
 * \brief Managed reference to BaseExprNode.
 * \sa BaseExprNode
 */
class BaseExpr : public ObjectRef {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(BaseExpr, ObjectRef, BaseExprNode);
};

class PrimExprNode : public BaseExprNode {
 public:
  DLDataType dtype{kDLInt, 32, 1};

  void VisitAttrs(AttrVisitor* v) { v->Visit("dtype", &dtype); }

  static constexpr const char* _type_key = "test_classic.PrimExpr";
  TVM_DECLARE_BASE_OBJECT_INFO(PrimExprNode, BaseExprNode);
};

class PrimExpr : public BaseExpr {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(PrimExpr, BaseExpr, PrimExprNode);
};

/*!
 * \brief Constant integer literals in the program.
 */
class IntImmNode : public PrimExprNode {
 public:
  /*! \brief The internal value. */
  int64_t value;

  void VisitAttrs(AttrVisitor* v) {
    v->Visit("dtype", &dtype);
    v->Visit("value", &value);
  }

  bool SEqualReduce(const IntImmNode* other, SEqualReducer equal) const {
    return equal(dtype, other->dtype) && equal(value, other->value);
  }

  void SHashReduce(SHashReducer hash_reducer) const {
    hash_reducer(dtype);
    hash_reducer(value);
  }

  static constexpr const char* _type_key = "test_classic.IntImm";
  TVM_DECLARE_BASE_OBJECT_INFO(IntImmNode, PrimExprNode);
};

/*!
 * \brief Managed reference class to IntImmNode.
 *
 * \sa IntImmNode
 */
class IntImm : public PrimExpr {
 public:
  TVM_DEFINE_OBJECT_REF_METHODS(IntImm, PrimExpr, IntImmNode);
};

class RelayExprNode : public BaseExprNode {
 public:
  ObjectRef span;
  ObjectRef checked_type_;
  void VisitAttrs(AttrVisitor* v) {
    v->Visit("span", &span);
    v->Visit("checked_type_", &checked_type_);
  }
  static constexpr const char* _type_key = "test_classic.RelayExpr";
  TVM_DECLARE_BASE_OBJECT_INFO(RelayExprNode, BaseExprNode);
};

// tschema: GlobalVarNode
class GlobalVarNode : public RelayExprNode {
 public:
  String name_hint;
  void VisitAttrs(AttrVisitor* v) {
    v->Visit("span", &span);
    v->Visit("checked_type_", &checked_type_);
    v->Visit("name_hint", &name_hint);
  }
  static constexpr const char* _type_key = "test_classic.GlobalVar";
  TVM_DECLARE_BASE_OBJECT_INFO(GlobalVarNode, RelayExprNode);
  // tschema: custom-begin
  bool SEqualReduce(const GlobalVarNode* other, SEqualReducer equal) const {
    return equal(name_hint, other->name_hint) && equal.FreeVarEqualImpl(this, other);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    hash_reduce(name_hint);
    hash_reduce.FreeVarHashImpl(this);
  }
  // tschema: custom-end
};
// tschema: end

// ---------------------------------------------------------------- more

class LetNode final : public BaseExprNode {
 public:
  ObjectRef var;
  ObjectRef body;

  void VisitAttrs(AttrVisitor* v) {
    v->Visit("var", &var);
    v->Visit("body", &body);
  }
  bool SEqualReduce(const LetNode* other, SEqualReducer equal) const {
    return equal.DefEqual(var, other->var) && equal(body, other->body);
  }
  void SHashReduce(SHashReducer hash_reduce) const {
    hash_reduce.DefHash(var);
    hash_reduce(body);
  }
  static constexpr const char* _type_key = "test_classic.Let";
  TVM_DECLARE_FINAL_OBJECT_INFO(LetNode, BaseExprNode);
};

// Register the parent after the child, as may happen if they are in different files.
TVM_REGISTER_NODE_TYPE(IntImmNode);
TVM_REGISTER_NODE_TYPE(PrimExprNode);
TVM_REGISTER_NODE_TYPE(BaseExprNode);
TVM_REGISTER_NODE_TYPE(RelayExprNode);
TVM_REGISTER_NODE_TYPE(GlobalVarNode);
TVM_REGISTER_NODE_TYPE(LetNode);

std::vector<std::string> FieldNames(const char* key) {
  std::vector<std::string> names;
  refl::ForEachFieldInfo(TVMFFIGetTypeInfo(TypeKeyToIndex(key)), [&](const TVMFFIFieldInfo* info) {
    names.emplace_back(info->name.data, info->name.size);
  });
  return names;
}

class AbstractNode : public Object {
 public:
  int64_t number = 3;

  void VisitAttrs(AttrVisitor* v) { v->Visit("number", &number); }
  bool SEqualReduce(const AbstractNode* other, SEqualReducer equal) const {
    return equal(number, other->number);
  }
  void SHashReduce(SHashReducer hash_reduce) const { hash_reduce.FreeVarHashImpl(this); }

 protected:
  AbstractNode() = default;

 public:
  static constexpr const char* _type_key = "test_classic.Abstract";
  TVM_DECLARE_BASE_OBJECT_INFO(AbstractNode, Object);
};

TVM_REGISTER_NODE_TYPE(AbstractNode);

ObjectRef MakeInt(int64_t value) {
  auto node = make_object<IntImmNode>();
  node->value = value;
  return ObjectRef(node);
}

TEST(ClassicNode, FieldsAreWhatIsVisitedInheritedOnesOnce) {
  EXPECT_EQ(FieldNames("test_classic.IntImm"), (std::vector<std::string>{"dtype", "value"}));
  EXPECT_EQ(TVMFFIGetTypeInfo(IntImmNode::RuntimeTypeIndex())->num_fields, 1);
  EXPECT_EQ(FieldNames("test_classic.GlobalVar"),
            (std::vector<std::string>{"span", "checked_type_", "name_hint"}));
  EXPECT_TRUE(FieldNames("test_classic.BaseExpr").empty());
  ObjectRef node = MakeInt(42);
  EXPECT_EQ(refl::FieldGetter("test_classic.IntImm", "value")(node).cast<int64_t>(), 42);
  EXPECT_EQ(
      refl::GetFieldInfo("test_classic.IntImm", "value")->flags & kTVMFFIFieldFlagBitMaskWritable,
      0);
  refl::FieldSetter("test_classic.IntImm", "value")(node, 43);
  EXPECT_EQ(node.as<IntImmNode>()->value, 43);
}

// spec: S04
TEST(ClassicNode, IsAnOrdinaryTypeOtherwise) {
  EXPECT_TRUE(MakeInt(1)->IsInstance<PrimExprNode>());
  EXPECT_TRUE(LetNode::_type_final);
  EXPECT_FALSE(IntImm().defined());
  auto node = MakeInt(5).as_or_throw<IntImm>();
  EXPECT_EQ(node->value, 5);
  EXPECT_EQ(ReprPrint(node), "test_classic.IntImm(dtype=int32, value=5)");
  Any loaded = FromJSONGraph(ToJSONGraph(node));
  EXPECT_TRUE(RecursiveEq(loaded, node));
  EXPECT_TRUE(RecursiveEq(DeepCopy(node), node));
  // Call the automatic constructor.
  Any made = refl::TypeAttrColumn("__ffi_init__")[IntImmNode::RuntimeTypeIndex()].cast<Function>()(
      DLDataType{kDLFloat, 32, 1}, 6);
  EXPECT_EQ(made.cast<IntImm>()->value, 6);
}

TVMFFISEqHashKind KindOf(int32_t type_index) {
  return TVMFFIGetTypeInfo(type_index)->metadata->structural_eq_hash_kind;
}

TEST(ClassicReducers, DecideTheKindOfEquality) {
  EXPECT_EQ(KindOf(IntImmNode::RuntimeTypeIndex()), kTVMFFISEqHashKindTreeNode);
  EXPECT_EQ(KindOf(GlobalVarNode::RuntimeTypeIndex()), kTVMFFISEqHashKindFreeVar);
  EXPECT_EQ(KindOf(BaseExprNode::RuntimeTypeIndex()), kTVMFFISEqHashKindUnsupported);
}

TEST(ClassicNode, OfSubclassesAloneIsLookedAtButNotMade) {
  EXPECT_EQ(KindOf(AbstractNode::RuntimeTypeIndex()), kTVMFFISEqHashKindFreeVar);
  EXPECT_EQ(FieldNames("test_classic.Abstract"), (std::vector<std::string>{"number"}));
  EXPECT_EQ(TVMFFIGetTypeInfo(AbstractNode::RuntimeTypeIndex())->metadata->creator, nullptr);
}

TEST(ClassicReducers, BecomeTheHooksOfStructuralEqualityAndHash) {
  Function equal =
      refl::TypeAttrColumn("__s_equal__")[LetNode::RuntimeTypeIndex()].cast<Function>();
  Function hash = refl::TypeAttrColumn("__s_hash__")[LetNode::RuntimeTypeIndex()].cast<Function>();
  std::vector<int> kinds;
  Function compare = Function::FromTyped([&](const Any& lhs, const Any& rhs, int kind, const Any&) {
    kinds.push_back(kind);
    return RecursiveEq(lhs, rhs);
  });
  auto make = [](int64_t var, int64_t body) {
    auto node = make_object<LetNode>();
    node->var = MakeInt(var);
    node->body = MakeInt(body);
    return ObjectRef(node);
  };
  EXPECT_TRUE(equal(make(1, 2), make(1, 2), compare).cast<bool>());
  EXPECT_EQ(kinds, (std::vector<int>{kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindNone}));
  EXPECT_FALSE(equal(make(1, 2), make(1, 3), compare).cast<bool>());
  kinds.clear();
  Function reduce = Function::FromTyped([&](const Any& part, int64_t init, int kind) -> int64_t {
    kinds.push_back(kind);
    return init * 10 + part.as<IntImmNode>()->value;
  });
  EXPECT_EQ(hash(make(1, 2), 7, reduce).cast<int64_t>(), 712);
  EXPECT_EQ(kinds, (std::vector<int>{kTVMFFIDefRegionKindPattern, kTVMFFIDefRegionKindNone}));
}

// spec: S04
TEST(ClassicReducers, RunInStructuralEquality) {
  std::optional<Function> equal = Function::GetGlobal("ffi.StructuralEqual");
  std::optional<Function> hash = Function::GetGlobal("ffi.StructuralHash");
  if (!equal.has_value() || !hash.has_value()) {
    GTEST_SKIP() << "this library has no structural equality";
  }
  auto is_equal = [&](const ObjectRef& lhs, const ObjectRef& rhs, bool map_free_vars) {
    bool equals = (*equal)(lhs, rhs, map_free_vars, false).cast<bool>();
    if (equals) {
      EXPECT_EQ((*hash)(lhs, map_free_vars, false).cast<int64_t>(),
                (*hash)(rhs, map_free_vars, false).cast<int64_t>());
    }
    return equals;
  };
  EXPECT_TRUE(is_equal(MakeInt(1), MakeInt(1), false));
  EXPECT_FALSE(is_equal(MakeInt(1), MakeInt(2), false));
  auto var = [](const char* name) {
    auto node = make_object<GlobalVarNode>();
    node->name_hint = name;
    return ObjectRef(node);
  };
  auto let = [](const ObjectRef& var, const ObjectRef& body) {
    auto node = make_object<LetNode>();
    node->var = var;
    node->body = body;
    return ObjectRef(node);
  };
  ObjectRef x = var("x"), y = var("x");
  EXPECT_FALSE(is_equal(x, y, false));
  EXPECT_TRUE(is_equal(x, x, false));
  EXPECT_TRUE(is_equal(x, y, true));
  EXPECT_TRUE(is_equal(let(x, x), let(y, y), false)) << "both are bound";
  EXPECT_FALSE(is_equal(let(x, x), let(y, x), false));
}

}  // namespace
