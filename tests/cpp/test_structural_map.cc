// SPDX-License-Identifier: Apache-2.0
// Test StructuralMap: which values the callbacks get and in which order, copying and sharing,
// variables and definition regions, depth, and errors.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "caught.h"
#include "mutate_nodes.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using namespace mutate_nodes;

constexpr WalkOrder kPre = WalkOrder::kPreOrder;
constexpr WalkOrder kPost = WalkOrder::kPostOrder;

class StructuralMapTest : public testing::Test {
 protected:
  void SetUp() override { RegisterNodes(); }
};

const auto kIncrement = [](int64_t value) { return value + 1; };

const Object* Address(const Any& value) { return value.as<Object>(); }

Any Sample() {
  return Array<Any>{Pair(1, "s"), nullptr, Map<Any, Any>{{"k", 3}}, List<Any>{2.5, true},
                    Dict<Any, Any>{{"d", Any()}}};
}

template <WalkOrder order>
std::string Seen(const Any& root) {
  std::string seen;
  StructuralMap<order>(root, [&](AnyView value) {
    seen += value.GetTypeKey() + " ";
    return Unchanged();
  });
  return seen;
}

TEST_F(StructuralMapTest, PreOrderSeesAllButKeys) {
  EXPECT_EQ(Seen<kPre>(Sample()),
            "ffi.Array test.mutate.Pair int ffi.SmallStr None ffi.Map int ffi.List float bool "
            "ffi.Dict None ");
}

TEST_F(StructuralMapTest, PostOrderSeesPartsFirst) {
  EXPECT_EQ(Seen<kPost>(Sample()),
            "int ffi.SmallStr test.mutate.Pair None int ffi.Map float bool ffi.List None ffi.Dict "
            "ffi.Array ");
}

TEST_F(StructuralMapTest, ReplacesInEveryContainer) {
  Any result = StructuralMap<kPost>(Sample(), kIncrement);
  EXPECT_EQ(Text(result),
            "(test.mutate.Pair(a=2, b=\"s\"), None, {\"k\": 4}, [2.5, True], {\"d\": None})");
  EXPECT_EQ(Text(StructuralMap<kPre>(Sample(), [](std::nullptr_t) { return "none"; })),
            "(test.mutate.Pair(a=1, b=\"s\"), \"none\", {\"k\": 3}, [2.5, True], {\"d\": "
            "\"none\"})");
}

TEST_F(StructuralMapTest, ReplacesTheRootItself) {
  EXPECT_EQ(StructuralMap<kPost>(Any(3), kIncrement).cast<int>(), 4);
  EXPECT_EQ(StructuralMap<kPre>(Any(), [](AnyView) { return Any(1); }).cast<int>(), 1);
  EXPECT_EQ(StructuralMap<kPost>(Any("x"), kIncrement).cast<String>(), "x");
  EXPECT_EQ(StructuralMap<kPost>(Array<int>{1}, [](Array<int>) { return nullptr; }), nullptr);
}

// spec: P12
TEST_F(StructuralMapTest, UnchangedInputGivesTheSameObject) {
  Any root = Sample();
  EXPECT_TRUE(StructuralMap<kPost>(root, [](int64_t value) { return value; }).same_as(root));
  EXPECT_TRUE(StructuralMap<kPre>(root, [](AnyView value) { return Any(value); }).same_as(root));
  EXPECT_TRUE(StructuralMap<kPre>(root, [](AnyView) { return Unchanged(); }).same_as(root));
}

// spec: P12
TEST_F(StructuralMapTest, SharedInputStaysAsItIs) {
  for (const Any& root : {Sample(), Any(List<Any>{1, List<Any>{2}}),
                          Any(Dict<Any, Any>{{"a", Dict<Any, Any>{{"b", 1}}}})}) {
    std::string before = Text(root);
    Any result = StructuralMap<kPost>(root, kIncrement);
    EXPECT_EQ(Text(root), before);
    EXPECT_FALSE(result.same_as(root));
  }
}

TEST_F(StructuralMapTest, UnchangedPartsAreShared) {
  Array<Any> untouched{String("a"), String("b")};
  Array<Any> root{untouched, 1};
  Array<Any> result = StructuralMap<kPost>(root, kIncrement).cast<Array<Any>>();
  EXPECT_TRUE(result[0].same_as(untouched));
}

// spec: P12
TEST_F(StructuralMapTest, UniqueMovedInputIsUpdatedInPlace) {
  List<Any> root;
  root.push_back(1);
  root.push_back(List<Any>{2});
  root.push_back(Array<Any>{3});
  root.push_back(Map<Any, Any>{{"a", 4}});
  root.push_back(Dict<Any, Any>{{"a", 5}});
  root.push_back(Pair(6, 7));
  const Object* address = root.get();
  std::vector<const Object*> parts;
  for (int i = 1; i < 6; ++i) parts.push_back(Address(root[i]));
  List<Any> result = StructuralMap<kPost>(Any(std::move(root)), kIncrement).cast<List<Any>>();
  EXPECT_EQ(Text(result), "[2, [3], (4,), {\"a\": 5}, {\"a\": 6}, test.mutate.Pair(a=7, b=8)]");
  EXPECT_EQ(result.get(), address);
  for (int i = 1; i < 5; ++i) EXPECT_EQ(Address(result[i]), parts[i - 1]) << i;
  EXPECT_NE(Address(result[5]), parts[4]);  // objects with fields are always copied
}

TEST_F(StructuralMapTest, SharedPartsOfAUniqueRootAreCopied) {
  List<Any> shared{1};
  List<Any> root;
  root.push_back(shared);
  const Object* address = root.get();
  Any result = StructuralMap<kPost>(Any(std::move(root)), kIncrement);
  EXPECT_EQ(Address(result), address);
  EXPECT_EQ(Text(result), "[[2]]");
  EXPECT_EQ(Text(shared), "[1]");
}

TEST_F(StructuralMapTest, WhatACallbackKeepsIsNotChangedInPlace) {
  List<Any> root;
  root.push_back(List<Any>{1});
  std::vector<List<Any>> kept;
  Any result = StructuralMap<kPre>(Any(std::move(root)), kIncrement, [&](List<Any> list) {
    kept.push_back(list);
    return Unchanged();
  });
  EXPECT_EQ(Text(result), "[[2]]");
  EXPECT_EQ(Text(kept[0]), "[[1]]");
  EXPECT_EQ(Text(kept[1]), "[1]");
}

TEST_F(StructuralMapTest, WeaklyReferencedInputIsCopied) {
  ObjectPtr<ListObj> object = make_object<ListObj>();
  List<Any> root(object);
  object = nullptr;
  root.push_back(1);
  WeakObjectPtr<Object> weak(details::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(root));
  Any result = StructuralMap<kPost>(Any(std::move(root)), kIncrement);
  EXPECT_EQ(Text(result), "[2]");
}

TEST_F(StructuralMapTest, PreOrderLooksIntoReplacements) {
  std::vector<int64_t> seen;
  Any result = StructuralMap<kPre>(Array<Any>{1}, [&](int64_t value) -> Any {
    seen.push_back(value);
    if (value < 3) return Array<Any>{value + 1};
    return value;
  });
  EXPECT_EQ(Text(result), "(((3,),),)");
  EXPECT_EQ(seen, (std::vector<int64_t>{1, 2, 3}));
}

TEST_F(StructuralMapTest, PostOrderSeesWhatPartsBecame) {
  std::string seen;
  Any result = StructuralMap<kPost>(
      Array<Any>{1}, [](int64_t) { return "s"; },
      [&](Array<String> texts) {
        seen = Text(texts);
        return 7;
      },
      [](Array<int64_t>) { return 8; });
  EXPECT_EQ(seen, "(\"s\",)");
  EXPECT_EQ(result.cast<int>(), 7);
}

TEST_F(StructuralMapTest, FirstMatchingCallbackTakesTheValue) {
  Any result = StructuralMap<kPre>(
      Array<Any>{1, "a", 2.5}, [](String text) { return text + "!"; },
      [](int64_t) { return "first"; }, [](int64_t) { return "second"; },
      [](AnyView) { return Unchanged(); });
  EXPECT_EQ(Text(result), "(\"first\", \"a!\", 2.5)");
}

TEST_F(StructuralMapTest, CallbacksMayTakePointersAndReferences) {
  Any root = Array<Any>{Var("x", 1)};
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](const VarObj* var) { return var->name; })),
            "(\"x\",)");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](VarObj* var) { return var->name; })), "(\"x\",)");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](const Var& var) { return var->name; })), "(\"x\",)");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](Var&& var) { return var->name; })), "(\"x\",)");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](const Any&) { return UnchangedOr<Any>(1); })), "1");
}

TEST_F(StructuralMapTest, CallbacksMayReturnAllForms) {
  Any root = Array<Any>{1, "s"};
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](int64_t) { return Unchanged(); })), "(1, \"s\")");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](int64_t) -> Expected<int> { return 5; })),
            "(5, \"s\")");
  EXPECT_EQ(Text(StructuralMap<kPost>(
                root, [](int64_t) -> Expected<UnchangedOr<int>> { return Unchanged(); })),
            "(1, \"s\")");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](int64_t) -> UnchangedOr<double> { return 0.5; })),
            "(0.5, \"s\")");
  EXPECT_EQ(Text(StructuralMap<kPost>(root, [](int64_t) -> Optional<int> { return {}; })),
            "(None, \"s\")");
}

TEST_F(StructuralMapTest, IgnoredFieldsStay) {
  IntBox box(1);
  const_cast<IntBoxObj*>(box.get())->ignored = 5;
  EXPECT_EQ(Text(StructuralMap<kPost>(box, kIncrement)), "test.mutate.IntBox(value=2, ignored=5)");
}

TEST_F(StructuralMapTest, ObjectsWithoutPartsAreLeaves) {
  Function function = Function::FromTyped([](int x) { return x; });
  Array<Any> root{Shape({1, 2}), function, Error("ValueError", "a", ""), 1};
  Array<Any> result = StructuralMap<kPost>(root, kIncrement).cast<Array<Any>>();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(result[i].same_as(root[i])) << i;
  EXPECT_EQ(result[3].cast<int>(), 2);
}

TEST_F(StructuralMapTest, LongMapsAreCopiedInOrder) {
  Map<Any, Any> map;
  Dict<Any, Any> dict;
  for (int i = 0; i < 100; ++i) map.Set(i, i), dict.Set(i, i);
  // The traversal copies the map at the first changed entry, which is in the middle.
  auto change = [](int64_t value) { return value < 50 ? value : -value; };
  Map<Any, Any> new_map = StructuralMap<kPost>(map, change).cast<Map<Any, Any>>();
  Dict<Any, Any> new_dict = StructuralMap<kPost>(dict, change).cast<Dict<Any, Any>>();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(map[i].cast<int>(), i);
    EXPECT_EQ(new_map[i].cast<int64_t>(), change(i));
    EXPECT_EQ(new_dict[i].cast<int64_t>(), change(i));
  }
}

// ---------------------------------------------------------------- variables and regions

template <WalkOrder order>
std::string Regions(const Any& root) {
  std::string seen;
  StructuralMap<order>(root, [&](AnyView value, TVMFFIDefRegionKind kind) {
    seen += value.GetTypeKey() + ":" + std::to_string(kind) + " ";
    return Unchanged();
  });
  return seen;
}

TEST_F(StructuralMapTest, PatternRegionsReachDown) {
  Var var("x", Array<Any>{1});
  EXPECT_EQ(Regions<kPre>(Fn({var}, Array<Any>{var, 2})),
            "test.mutate.Fn:0 ffi.Array:1 test.mutate.Var:1 ffi.SmallStr:1 ffi.Array:1 int:1 "
            "ffi.Array:0 test.mutate.Var:0 int:0 ");
}

TEST_F(StructuralMapTest, SimpleRegionsEndAtVariables) {
  Var var("x", Array<Any>{1});
  EXPECT_EQ(Regions<kPre>(Let({var}, Array<Any>{var, 2})),
            "test.mutate.Let:0 ffi.Array:2 test.mutate.Var:2 ffi.SmallStr:0 ffi.Array:0 int:0 "
            "ffi.Array:0 test.mutate.Var:0 int:0 ");
  EXPECT_EQ(Regions<kPost>(Let({var}, Array<Any>{var, 2})),
            "ffi.SmallStr:0 int:0 ffi.Array:0 test.mutate.Var:2 ffi.Array:2 test.mutate.Var:0 "
            "int:0 ffi.Array:0 test.mutate.Let:0 ");
}

TEST_F(StructuralMapTest, VariablesChangeAtTheirDefinition) {
  Var var("x", Array<Any>{1});
  Fn fn = StructuralMap<kPost>(Fn({var}, Array<Any>{var, 2}), kIncrement).cast<Fn>();
  EXPECT_EQ(Text(fn->params[0]->type), "(2,)");
  EXPECT_TRUE(fn->body.cast<Array<Any>>()[0].same_as(fn->params[0]));
  Let let = StructuralMap<kPost>(Let({var}, Array<Any>{var, 2}), kIncrement).cast<Let>();
  EXPECT_TRUE(let->body.cast<Array<Any>>()[0].same_as(let->params[0]));
  EXPECT_EQ(Text(var->type), "(1,)");
}

TEST_F(StructuralMapTest, FreeVariablesStay) {
  Var var("x", Array<Any>{1});
  Any root = Array<Any>{var, String("s")};
  EXPECT_TRUE(StructuralMap<kPost>(root, kIncrement).same_as(root));
}

TEST_F(StructuralMapTest, CallbacksRunAtEveryOccurrence) {
  Var var("x", 1);
  Any result = StructuralMap<kPre>(Fn({var}, Array<Any>{var}),
                                   [](Var var) { return Var(var->name + "'", var->type); });
  EXPECT_EQ(Text(result),
            "test.mutate.Fn(params=(test.mutate.Var(name=\"x'\", type=1),), "
            "body=(test.mutate.Var(name=\"x'\", type=1),))");
}

TEST_F(StructuralMapTest, DagNodesAreMappedOnce) {
  Dag dag(1);
  int calls = 0;
  auto count = [&](int64_t value) {
    ++calls;
    return value + 1;
  };
  Array<Any> result = StructuralMap<kPost>(Array<Any>{dag, dag}, count).cast<Array<Any>>();
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(result[0].same_as(result[1]));
  EXPECT_EQ(Text(result[0]), "test.mutate.Dag(a=2)");
  calls = 0;
  Any root = Array<Any>{dag, dag};
  EXPECT_TRUE(StructuralMap<kPost>(root, [&](int64_t value) {
                ++calls;
                return value;
              }).same_as(root));
  EXPECT_EQ(calls, 1);
}

TEST_F(StructuralMapTest, TreeNodesAreMappedAtEachOccurrence) {
  IntBox box(1);
  int calls = 0;
  StructuralMap<kPost>(Array<Any>{box, box}, [&](int64_t value) {
    ++calls;
    return value + 1;
  });
  EXPECT_EQ(calls, 2);
}

// ---------------------------------------------------------------- engines

class StateEngine : public StructuralMapEngineBase {
 public:
  using StateTupleType = std::tuple<int, std::string>;
  explicit StateEngine(const StructuralMutatorVTable* vtable) : StructuralMapEngineBase(vtable) {}
  int depth = 5;

 protected:
  StateTupleType StateTuple() const { return {depth, "state"}; }
};

TEST_F(StructuralMapTest, ParentsPassStates) {
  std::string seen;
  auto callback = [&](int64_t value, int depth, const std::string& text, TVMFFIDefRegionKind kind) {
    seen += std::to_string(value) + std::to_string(depth) + text + std::to_string(kind);
    return value;
  };
  using Engine = StructuralMapEngine<StateEngine, kPost, decltype(callback)>;
  auto engine = make_object<Engine>(callback);
  engine->depth = 6;
  EXPECT_TRUE(engine->Mutate(Array<Any>{1}).IsUnchanged());
  EXPECT_EQ(seen, "16state0");
}

class CountingEngine : public StructuralMapEngineBase {
 public:
  using StructuralMapEngineBase::StructuralMapEngineBase;
  int num_descents = 0;
  Expected<UnchangedOr<Any>> DefaultMutateExpected(
      AnyView value, InplaceMode mode = InplaceMode::kDisallow) noexcept {
    ++num_descents;
    return StructuralMapEngineBase::DefaultMutateExpected(value, mode);
  }
};

TEST_F(StructuralMapTest, ParentsMayReplaceTheDefault) {
  auto engine =
      make_object<StructuralMapEngine<CountingEngine, kPost, decltype(kIncrement)>>(kIncrement);
  Any result = engine->Mutate(Array<Any>{1, Array<Any>{2}}).ValueOrUnchanged(Any());
  EXPECT_EQ(Text(result), "(2, (3,))");
  EXPECT_EQ(engine->num_descents, 4);
  auto pre =
      make_object<StructuralMapEngine<CountingEngine, kPre, decltype(kIncrement)>>(kIncrement);
  EXPECT_EQ(Text(pre->Mutate(Array<Any>{1}).ValueOrUnchanged(Any())), "(2,)");
}

class RemapEngine : public StructuralMapEngineBase {
 public:
  using StructuralMapEngineBase::StructuralMapEngineBase;
  using StructuralMapEngineBase::var_remap_;
  using StructuralMapEngineBase::VarRemapGetImpl;
  using StructuralMapEngineBase::VarRemapSetImpl;
};

TEST_F(StructuralMapTest, ParentsReadAndWriteTheReplacements) {
  auto engine =
      make_object<StructuralMapEngine<RemapEngine, kPost, decltype(kIncrement)>>(kIncrement);
  Dag node(1);
  Array<Any> root{node, node};
  auto mapped = engine->Mutate(root).as_or_throw<Array<Any>>();
  ASSERT_EQ(engine->var_remap_.size(), 1U);
  EXPECT_TRUE(engine->var_remap_.at(node.get()).same_as(mapped[0]));
  EXPECT_TRUE(engine->VarRemapGetImpl(node).value().same_as(mapped[0]));
  // The engine uses what a derived class writes.
  engine->var_remap_[node.get()] = Any("n");
  EXPECT_EQ(Text(engine->Mutate(root).ValueOrUnchanged(Any())), "(\"n\", \"n\")");
  EXPECT_TRUE(engine->VarRemapSetImpl(node, 6).is_ok());
  EXPECT_EQ(engine->VarRemapGetExpected(node).value().cast<int>(), 6);
  engine->var_remap_.clear();
  EXPECT_EQ(engine->VarRemapGetImpl(node).value(), nullptr);
  EXPECT_EQ(engine->VarRemapGetImpl(1).error().kind(), "TypeError");
  EXPECT_EQ(engine->VarRemapSetImpl(nullptr, node).error().kind(), "TypeError");
}

TEST_F(StructuralMapTest, DynamicEngineChoosesByTypeIndex) {
  using Engine = StructuralMapDynEngine<StructuralMapEngineBase, kPost>;
  Function increment = Function::FromTyped(kIncrement);
  Function shout = Function::FromTyped([](String text) { return text + "!"; });
  Function with_kind = Function::FromTyped([](Any, int kind) { return kind; });
  Engine::Callbacks callbacks{Tuple<int32_t, Function>(TypeIndex::kTVMFFIInt, increment),
                              Tuple<int32_t, Function>(TypeIndex::kTVMFFIStr, shout)};
  Engine::Callbacks with_kinds{Tuple<int32_t, Function>(TypeIndex::kTVMFFIFloat, with_kind)};
  auto engine = make_object<Engine>(callbacks, with_kinds);
  Any result = engine->Mutate(Array<Any>{1, true, "s", 0.5}).ValueOrUnchanged(Any());
  EXPECT_EQ(Text(result), "(2, True, \"s!\", 0)");
}

// ---------------------------------------------------------------- errors

std::string Context(const Error& error) {
  Optional<VisitErrorContext> context = VisitErrorContext::TryGetFromError(error);
  return context.has_value() ? Text((*context)->reverse_visit_pattern) : "no context";
}

TEST_F(StructuralMapTest, ErrorsTellTheWay) {
  auto fail = [](int64_t value) -> Expected<Any> {
    if (value == 3) return Error("ValueError", "three", "");
    return value;
  };
  Any root = Array<Any>{Pair(1, Pair(2, Array<Any>{3}))};
  Expected<Any> result = StructuralMapExpected<kPost>(root, fail);
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(result.error().message(), "three");
  EXPECT_EQ(Context(result.error()),
            "[(3,), test.mutate.Pair(a=2, b=(3,)), test.mutate.Pair(a=1, b=test.mutate.Pair(a=2, "
            "b=(3,))), (test.mutate.Pair(a=1, b=test.mutate.Pair(a=2, b=(3,))),)]");
}

template <WalkOrder order>
std::string ContextOfFailingBox() {
  return Context(Caught([] {
    StructuralMap<order>(Array<Any>{IntBox(2)}, [](IntBox) -> Any {
      TVM_FFI_THROW(ValueError) << "box";
      TVM_FFI_UNREACHABLE();
    });
  }));
}

TEST_F(StructuralMapTest, ErrorsBeginAtTheFailingObject) {
  std::string expected =
      "[test.mutate.IntBox(value=2, ignored=None), (test.mutate.IntBox(value=2, ignored=None),)]";
  EXPECT_EQ(ContextOfFailingBox<kPre>(), expected);
  EXPECT_EQ(ContextOfFailingBox<kPost>(), expected);
}

TEST_F(StructuralMapTest, SetterErrorsBeginAtTheirObject) {
  Expected<Any> result =
      StructuralMapExpected<kPost>(Array<Any>{IntBox(2)}, [](int64_t) { return "x"; });
  EXPECT_EQ(result.error().kind(), "TypeError");
  EXPECT_EQ(result.error().message(),
            "Cannot convert from type `ffi.SmallStr` to `int` for field `value`");
  EXPECT_EQ(Context(result.error()),
            "[test.mutate.IntBox(value=2, ignored=None), (test.mutate.IntBox(value=2, "
            "ignored=None),)]");
}

TEST_F(StructuralMapTest, OtherExceptionsBecomeErrors) {
  EXPECT_ERROR(
      StructuralMap<kPost>(Array<Any>{1}, [](int64_t) -> Any { throw std::runtime_error("std"); }),
      "InternalError", "std");
}

// spec: P12
TEST_F(StructuralMapTest, CallbacksMayReturnUnexpected) {
  auto fail = [](int64_t) { return Unexpected(Error("ValueError", "no ints", "")); };
  Array<Any> root{"a", Array<Any>{1}};
  EXPECT_ERROR(StructuralMap<kPost>(root, fail), "ValueError", "no ints");
  EXPECT_ERROR(StructuralMap<kPre>(root, fail), "ValueError", "no ints");
  Expected<Any> result =
      StructuralMapExpected<kPost>(root, [](int64_t, TVMFFIDefRegionKind) -> Unexpected<Error> {
        return Unexpected<Error>(Error("KeyError", "k", ""));
      });
  EXPECT_EQ(result.error().kind(), "KeyError");
  // The callback is not called for values of other types than its parameter.
  EXPECT_TRUE(StructuralMap<kPost>(Array<Any>{"a"}, fail).as<Array<Any>>().has_value());
}

TEST_F(StructuralMapTest, AReturnedErrorObjectIsAnError) {
  EXPECT_ERROR(StructuralMap<kPost>(Array<Any>{1},
                                    [](int64_t) -> Any { return Error("ValueError", "e", ""); }),
               "ValueError", "e");
}

// spec: P14
TEST_F(StructuralMapTest, TypesWithoutShallowCopyAreRefused) {
  const char* message = "__ffi_shallow_copy__ must be an ffi.Function";
  Any root = NoCopy(1);
  EXPECT_ERROR(StructuralMap<kPost>(root, kIncrement), "TypeError", message);
  EXPECT_ERROR(StructuralMap<kPost>(root, [](String s) { return s; }), "TypeError", message);
}

TEST_F(StructuralMapTest, FailedMapsInPlaceLeaveNoHoles) {
  List<Any> inner{1, 2, "x", 4};
  List<Any> root;
  root.push_back(std::move(inner));
  root.push_back(Dict<Any, Any>{{"a", "x"}});
  auto fail = [](String) -> Any {
    TVM_FFI_THROW(ValueError) << "text";
    TVM_FFI_UNREACHABLE();
  };
  auto engine = make_object<
      StructuralMapEngine<StructuralMapEngineBase, kPost, decltype(kIncrement), decltype(fail)>>(
      kIncrement, fail);
  EXPECT_TRUE(engine->MutateExpected(root, InplaceMode::kAllow).is_err());
  EXPECT_EQ(Text(root), "[[2, 3, \"x\", 4], {\"a\": \"x\"}]");
}

TEST_F(StructuralMapTest, CallbacksMayChangeTheSource) {
  List<Any> root{List<Any>{1}, List<Any>{2}, List<Any>{3}};
  Any result = StructuralMap<kPost>(root, [&](int64_t value) {
    root.clear();
    return value + 1;
  });
  EXPECT_TRUE(root.empty());
  EXPECT_EQ(Text(result), "[]");
  Dict<Any, Any> dict{{"a", List<Any>{1}}, {"b", List<Any>{2}}};
  result = StructuralMap<kPost>(dict, [&](int64_t value) {
    dict.clear();
    return value + 1;
  });
  EXPECT_EQ(Text(result), "{\"a\": [2], \"b\": [3]}");
}

// ---------------------------------------------------------------- depth

Any DeepArray(int depth) {
  Any value = 1;
  for (int i = 0; i < depth; ++i) value = Array<Any>{std::move(value)};
  return value;
}

int DepthOf(Any value) {
  int depth = 0;
  for (; value.as<ArrayObj>() != nullptr; ++depth) value = value.cast<Array<Any>>()[0];
  return depth;
}

// spec: P16
TEST_F(StructuralMapTest, AMillionLevelsAreMapped) {
  constexpr int kDepth = 1000000;
  Any root = DeepArray(kDepth);
  Any result = StructuralMap<kPost>(root, kIncrement);
  EXPECT_EQ(DepthOf(result), kDepth);
  EXPECT_TRUE(StructuralMap<kPre>(root, [](AnyView) { return Unchanged(); }).same_as(root));
  result = Any();
  const Object* address = Address(root);
  result = StructuralMap<kPost>(std::move(root), kIncrement);
  EXPECT_EQ(Address(result), address);
}

// Apply StructuralMap to a chain of the given depth. The callers pass depths below and above the
// depth at which the traversal switches from recursion to its own stack.
template <WalkOrder order>
void MapAcrossTheBorder(int depth) {
  Any chain = 1;
  for (int i = 0; i < depth; ++i) chain = Pair(2, Array<Any>{chain});
  Any mapped = StructuralMap<order>(chain, kIncrement);
  int64_t sum = 0;
  StructuralWalk<kPre>(mapped, [&](int64_t value) {
    sum += value;
    return WalkResult::Advance();
  });
  EXPECT_EQ(sum, 3 * depth + 2);
  EXPECT_TRUE(StructuralMap<order>(chain, [](double) { return Any(); }).same_as(chain));
  Expected<Any> failed = StructuralMapExpected<order>(chain, [](int64_t value) -> Any {
    if (value == 1) TVM_FFI_THROW(ValueError) << "innermost";
    return value;
  });
  auto context = VisitErrorContext::TryGetFromError(failed.error());
  EXPECT_EQ(context.value()->reverse_visit_pattern.size(), static_cast<size_t>(2 * depth));
}

TEST_F(StructuralMapTest, AStackOfItsOwnGoesOnWhereRecursionEnds) {
  for (int depth : {1, 16, 48, 49, 50, 51, 52, 99, 150}) {
    MapAcrossTheBorder<kPre>(depth);
    MapAcrossTheBorder<kPost>(depth);
  }
}

TEST_F(StructuralMapTest, BeyondTheLimitIsAnError) {
  Expected<Any> result = StructuralMapExpected<kPost>(DeepArray((1 << 20) + 1), kIncrement);
  EXPECT_EQ(result.error().kind(), "ValueError");
  EXPECT_EQ(result.error().message(), "StructuralMutate: maximum stack depth (1048576) exceeded");
}

TEST_F(StructuralMapTest, CyclesAreAnError) {
  List<Any> list;
  list.push_back(Array<Any>{list});
  EXPECT_ERROR(StructuralMap<kPost>(list, kIncrement), "ValueError",
               "StructuralMutate: an object of type `ffi.List` contains itself");
  EXPECT_ERROR(StructuralMap<kPre>(list, kIncrement), "ValueError",
               "StructuralMutate: an object of type `ffi.List` contains itself");
  list.clear();
  Pair pair(1, 2);
  const_cast<PairObj*>(pair.get())->b = pair;
  EXPECT_ERROR(StructuralMap<kPost>(pair, kIncrement), "ValueError",
               "StructuralMutate: an object of type `test.mutate.Pair` contains itself");
  const_cast<PairObj*>(pair.get())->b = nullptr;
}

TEST_F(StructuralMapTest, ReplacementsWithoutEndAreAnError) {
  EXPECT_ERROR(StructuralMap<kPre>(Any(1), [](int64_t value) { return Array<Any>{value}; }),
               "ValueError", "StructuralMutate: maximum stack depth (1048576) exceeded");
}

TEST_F(StructuralMapTest, ReferencesAreReleasedOnce) {
  int destroyed = 0;
  {
    ObjectRef counted(make_object<sample::CountedObj>(&destroyed));
    Any root = Array<Any>{List<Any>{1, 2}, Pair(3, Map<Any, Any>{{"a", 4}})};
    Any result = StructuralMap<kPost>(root, [&](int64_t) { return counted; });
    EXPECT_EQ(counted.use_count(), 5);
    result = StructuralMap<kPre>(std::move(result), [](const sample::CountedObj*) { return 1; });
    EXPECT_EQ(counted.use_count(), 1);
    (void)StructuralMapExpected<kPost>(root, [&](int64_t value) -> Expected<Any> {
      if (value == 4) return Error("ValueError", "four", "");
      return counted;
    });
    EXPECT_EQ(counted.use_count(), 1);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
