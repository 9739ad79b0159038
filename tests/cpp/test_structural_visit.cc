// SPDX-License-Identifier: Apache-2.0
// Test structural walks and visits: order, regions, callbacks, hooks, errors, depth.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/tvm_ffi.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "c_api_support.h"
#include "caught.h"
#include "visit_graph.h"

namespace {

using namespace visit_graph;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

using Nodes = std::vector<const Object*>;
using Visited = std::vector<std::string>;
using Outcome = Expected<Optional<VisitInterrupt>>;

// ---------------------------------------------------------------- types with hooks

template <int number>
struct HookedObj : public Object {
  Any field;
  Any part;
  static constexpr bool _type_mutable = true;
  static std::string KeyText() { return "test.visit.Hooked" + std::to_string(number); }
};
struct NativeHookObj : public HookedObj<1> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.NativeHook", NativeHookObj, Object);
};
struct FunctionHookObj : public HookedObj<2> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.FunctionHook", FunctionHookObj, Object);
};
struct WrongHookObj : public HookedObj<3> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.WrongHook", WrongHookObj, Object);
};
struct WrongResultObj : public HookedObj<4> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.WrongResult", WrongResultObj, Object);
};
struct PlainObj : public HookedObj<5> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.visit.Plain", PlainObj, Object);
};

Optional<VisitInterrupt> VisitPartTwice(StructuralVisitorObj* visitor, AnyView value) {
  const auto* self = value.as<NativeHookObj>();
  TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(visitor->Visit(self->part));
  return visitor->Visit(self->part);
}

template <typename T>
ObjectRef Hooked(Any part) {
  auto object = make_object<T>();
  object->field = "field";
  object->part = std::move(part);
  return ObjectRef(std::move(object));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterGraph();
  refl::ObjectDef<NativeHookObj>().def_rw("field", &NativeHookObj::field);
  refl::TypeAttrDef<NativeHookObj>().native_fn_attr<&VisitPartTwice>(type_attr::kStructuralVisit);
  refl::TypeAttrDef<FunctionHookObj>().def(
      "__s_visit__", [](const StructuralVisitor& visitor, const FunctionHookObj* self) {
        return const_cast<StructuralVisitorObj*>(visitor.get())->Visit(self->part);
      });
  refl::TypeAttrDef<WrongResultObj>().def("__s_visit__",
                                          [](const StructuralVisitor&, Any) { return 5; });
  // PlainObj is not registered: it has no metadata and no fields.
}

// ---------------------------------------------------------------- helpers

std::string Name(AnyView value) {
  if (auto number = value.as<int64_t>()) return std::to_string(*number);
  if (auto truth = value.as<bool>()) return *truth ? "true" : "false";
  if (auto text = value.as<String>()) return '"' + std::string(*text) + '"';
  if (const auto* var = value.as<VarObj>()) return "var" + std::to_string(var->id);
  if (value.as<NodeObj>() != nullptr) return "node";
  return value.GetTypeKey();
}

template <WalkOrder order>
Visited Walked(AnyView root) {
  Visited visited;
  auto result = StructuralWalk<order>(root, [&](AnyView value) {
    visited.push_back(Name(value));
    return WalkResult::Advance();
  });
  EXPECT_FALSE(result.has_value());
  return visited;
}

template <WalkOrder order>
Visited WalkedWithRegions(AnyView root) {
  Visited visited;
  StructuralWalk<order>(root, [&](AnyView value, TVMFFIDefRegionKind kind) {
    visited.push_back(Name(value) + "/" + std::to_string(kind));
    return WalkResult::Advance();
  });
  return visited;
}

// ---------------------------------------------------------------- VisitInterrupt and WalkResult

TEST(VisitInterrupt, CarriesAValue) {
  EXPECT_EQ(VisitInterrupt()->value, nullptr);
  EXPECT_EQ(VisitInterrupt(Any(5))->value.cast<int>(), 5);
  EXPECT_EQ(VisitInterrupt().get()->type_index(), kTVMFFIVisitInterrupt);
  EXPECT_FALSE(VisitInterrupt::_type_is_nullable);
  Any made = Function::GetGlobalRequired("ffi.VisitInterrupt")("x");
  EXPECT_EQ(made.cast<VisitInterrupt>()->value.cast<std::string>(), "x");
  const TVMFFIFieldInfo* field = refl::GetFieldInfo("ffi.VisitInterrupt", "value");
  EXPECT_EQ(field->offset, 24);
  EXPECT_EQ(field->flags, kTVMFFIFieldFlagBitMaskHasDefault);
}

TEST(WalkResult, TagsAndInterrupts) {
  EXPECT_EQ(WalkResult::Advance().get<int32_t>(), WalkResult::kAdvanceTag);
  EXPECT_EQ(WalkResult::Skip().get<int32_t>(), WalkResult::kSkipTag);
  EXPECT_EQ(WalkResult::Interrupt().get<VisitInterrupt>()->value, nullptr);
  EXPECT_EQ(WalkResult::Interrupt(VisitInterrupt(Any(3))).get<VisitInterrupt>()->value.cast<int>(),
            3);
  EXPECT_EQ(sizeof(WalkResult), 16u);
}

TEST(WalkResult, FromAny) {
  EXPECT_EQ(Any().cast<WalkResult>().get<int32_t>(), 0);
  EXPECT_EQ(Any().as<WalkResult>()->get<int32_t>(), 0);
  EXPECT_EQ(Any(1).cast<WalkResult>().get<int32_t>(), 1);
  EXPECT_EQ(Any(WalkResult::Skip()).cast<int>(), 1);
  EXPECT_FALSE(Any(true).as<WalkResult>().has_value());
  EXPECT_EQ(Any(true).cast<WalkResult>().get<int32_t>(), 1);
  EXPECT_EQ(Any(VisitInterrupt()).cast<WalkResult>().get<VisitInterrupt>()->value, nullptr);
  EXPECT_EQ(Caught([] { Any("x").cast<WalkResult>(); }).message(),
            "Cannot convert from type `ffi.SmallStr` to `WalkResult`");
  EXPECT_EQ(TypeTraits<WalkResult>::TypeSchema(),
            R"({"type":"Variant","args":[{"type":"ffi.VisitInterrupt"},{"type":"int"}]})");
}

TEST(StructuralVisitor, LayoutAndTypeAreThePublishedOnes) {
  EXPECT_EQ(sizeof(StructuralVisitorObj), 40u);
  EXPECT_EQ(sizeof(StructuralVisitorVTable), 8u);
  const TVMFFITypeInfo* type = TVMFFIGetTypeInfo(TypeKeyToIndex("ffi.StructuralVisitor"));
  EXPECT_EQ(type->metadata->total_size, 40);
  EXPECT_EQ(type->metadata->creator, nullptr);
  EXPECT_EQ(refl::TypeAttrColumn("__ffi_type_final__")[type->type_index].cast<bool>(), false);
  EXPECT_FALSE(StructuralVisitor::_type_is_nullable);
}

// ---------------------------------------------------------------- order

Node SampleGraph() {
  return Node(Array<Any>{1, nullptr, Var(1, Node(5))},
              Map<Any, Any>{{"key", 10}, {11, Dict<Any, Any>{{12, List<Any>{2.5, true, "s"}}}}},
              Var(2, Node(6, Var(7))), Node(Var(3, Node(8, nullptr, Var(9)))));
}

// spec: P09
TEST(StructuralWalk, PreOrderVisitsParentsFirst) {
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(SampleGraph()),
            (Visited{"node", "ffi.Array", "1",        "var1",  "node", "5",    "1",
                     "var2", "node",      "6",        "var7",  "7",    "2",    "node",
                     "var3", "node",      "8",        "var9",  "9",    "3",    "ffi.Map",
                     "10",   "ffi.Dict",  "ffi.List", "float", "true", "\"s\""}));
}

// spec: P09
TEST(StructuralWalk, PostOrderVisitsPartsFirst) {
  EXPECT_EQ(Walked<WalkOrder::kPostOrder>(SampleGraph()),
            (Visited{"1",    "5",     "node",     "1",        "var1",    "ffi.Array", "6",
                     "7",    "var7",  "node",     "2",        "var2",    "8",         "9",
                     "var9", "node",  "3",        "var3",     "node",    "10",        "float",
                     "true", "\"s\"", "ffi.List", "ffi.Dict", "ffi.Map", "node"}));
}

TEST(StructuralWalk, PlainValuesAreVisitedNoneIsNot) {
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(5), Visited{"5"});
  EXPECT_EQ(Walked<WalkOrder::kPostOrder>(5), Visited{"5"});
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(Any()), Visited{});
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(List<Any>{nullptr, ObjectRef()}), Visited{"ffi.List"});
}

// spec: P09
TEST(StructuralWalk, KeysAreNotVisited) {
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(Map<Any, Any>{{Array<Any>{1}, 2}}),
            (Visited{"ffi.Map", "2"}));
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(Dict<Any, Any>{{3, nullptr}, {4, 5}}),
            (Visited{"ffi.Dict", "5"}));
}

TEST(StructuralWalk, ObjectsWithoutFieldsAreLeaves) {
  Array<Any> root{Function::FromTyped([] {}), Shape({1, 2}), Error("A", "b", ""),
                  Hooked<PlainObj>(1), "a string that is longer"};
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(root),
            (Visited{"ffi.Array", "ffi.Function", "ffi.Shape", "ffi.Error", "test.visit.Plain",
                     "\"a string that is longer\""}));
}

TEST(StructuralWalk, EachOccurrenceIsVisited) {
  Node shared(1);
  EXPECT_EQ(Walked<WalkOrder::kPostOrder>(Array<Any>{shared, shared}),
            (Visited{"1", "node", "1", "node", "ffi.Array"}));
}

// ---------------------------------------------------------------- callbacks

// spec: P09
TEST(StructuralWalk, TheFirstMatchingCallbackIsCalled) {
  Visited visited;
  auto note = [&](const char* who) {
    visited.push_back(who);
    return WalkResult::Advance();
  };
  StructuralWalk<WalkOrder::kPreOrder>(
      Array<Any>{true, 1, 2.0, nullptr, "s", "a string that is longer", Node(), Var(1)},
      [&](bool) { return note("bool"); }, [&](double) { return note("float"); },
      [&](int) { return note("int"); }, [&](const String&) { return note("text"); },
      [&](const NodeObj*) { return note("node"); }, [&](Var) { return note("var"); },
      [&](const Object*) { return note("object"); });
  EXPECT_EQ(visited,
            (Visited{"object", "bool", "int", "float", "text", "text", "node", "var", "int"}));
}

TEST(StructuralWalk, AnyTakesAllAndUnmatchedValuesAdvance) {
  int count = 0;
  StructuralWalk<WalkOrder::kPostOrder>(Array<Any>{1, "x"}, [&](const Any&) {
    ++count;
    return WalkResult::Advance();
  });
  EXPECT_EQ(count, 3);
  StructuralWalk<WalkOrder::kPostOrder>(Array<Any>{1, Array<Any>{2}}, [&](int value) {
    count += 10 * value;
    return WalkResult::Advance();
  });
  EXPECT_EQ(count, 33);
}

WalkResult StopAtTwo(int value) {
  return value == 2 ? WalkResult::Interrupt(VisitInterrupt(Any(value))) : WalkResult::Advance();
}

TEST(StructuralWalk, CallablesOfAllKinds) {
  Array<Any> root{1, 2, 3};
  EXPECT_TRUE(StructuralWalk<WalkOrder::kPreOrder>(root, StopAtTwo).has_value());
  EXPECT_TRUE(StructuralWalk<WalkOrder::kPreOrder>(root, &StopAtTwo).has_value());
  std::function<WalkResult(int)> standard = StopAtTwo;
  EXPECT_TRUE(StructuralWalk<WalkOrder::kPreOrder>(root, standard).has_value());
  TypedFunction<WalkResult(int)> typed = StopAtTwo;
  EXPECT_TRUE(StructuralWalk<WalkOrder::kPreOrder>(root, typed).has_value());
  Expected<Optional<VisitInterrupt>> result = StructuralWalkExpected<WalkOrder::kPreOrder>(
      root, [](int value) -> Expected<WalkResult> { return StopAtTwo(value); });
  EXPECT_EQ((*result.value())->value.cast<int>(), 2);
}

TEST(StructuralWalk, CallbacksAreCopied) {
  int last = 0;
  auto count = [&last, calls = 0](int) mutable {
    last = ++calls;
    return WalkResult::Advance();
  };
  for (int i = 0; i < 2; ++i) {
    StructuralWalk<WalkOrder::kPreOrder>(Array<Any>{1, 2}, count);
    EXPECT_EQ(last, 2);
  }
}

TEST(StructuralWalk, SkipPassesOverThePartsInPreOrderOnly) {
  Array<Any> root{Node(1), 2, Node(3)};
  for (WalkOrder order : {WalkOrder::kPreOrder, WalkOrder::kPostOrder}) {
    Visited visited;
    auto skip_nodes = [&](AnyView value) {
      visited.push_back(Name(value));
      return value.as<NodeObj>() != nullptr ? WalkResult::Skip() : WalkResult::Advance();
    };
    if (order == WalkOrder::kPreOrder) {
      StructuralWalk<WalkOrder::kPreOrder>(root, skip_nodes);
      EXPECT_EQ(visited, (Visited{"ffi.Array", "node", "2", "node"}));
    } else {
      StructuralWalk<WalkOrder::kPostOrder>(root, skip_nodes);
      EXPECT_EQ(visited, (Visited{"1", "node", "2", "3", "node", "ffi.Array"}));
    }
  }
}

// spec: P09
TEST(StructuralWalk, AnInterruptStopsAndIsReturned) {
  int calls = 0;
  auto stop = [&](int value) {
    ++calls;
    return value == 2 ? WalkResult::Interrupt(VisitInterrupt(Any("found"))) : WalkResult::Advance();
  };
  Array<Any> root{1, Node(2), 3};
  for (int i = 0; i < 2; ++i) {
    calls = 0;
    Optional<VisitInterrupt> result = i == 0 ? StructuralWalk<WalkOrder::kPreOrder>(root, stop)
                                             : StructuralWalk<WalkOrder::kPostOrder>(root, stop);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ((*result)->value.cast<std::string>(), "found");
    EXPECT_EQ(calls, 2);
  }
}

// ---------------------------------------------------------------- regions

TEST(StructuralWalk, RegionsAreStickyOrEndAtVariables) {
  EXPECT_EQ(
      WalkedWithRegions<WalkOrder::kPreOrder>(SampleGraph()),
      (Visited{"node/0", "ffi.Array/0", "1/0", "var1/0", "node/0", "5/0", "1/0",
               // Everything inside the field `pattern` is in its region (kind 1).
               "var2/1", "node/1", "6/1", "var7/1", "7/1", "2/1",
               // Inside the field `simple` (kind 2), the type of a variable is outside the region.
               // The node in that type has a field `pattern`, which opens a region again.
               "node/2", "var3/2", "node/0", "8/0", "var9/1", "9/1", "3/0",  //
               "ffi.Map/0", "10/0", "ffi.Dict/0", "ffi.List/0", "float/0", "true/0", "\"s\"/0"}));
  Visited post = WalkedWithRegions<WalkOrder::kPostOrder>(SampleGraph());
  EXPECT_EQ(post[11], "var2/1");
  EXPECT_EQ(post[17], "var3/2");
  EXPECT_EQ(post[18], "node/2");
  EXPECT_EQ(post.back(), "node/0");
}

TEST(StructuralVisit, RegionsAreEnteredAndLeft) {
  using Kinds = std::vector<int>;
  Kinds kinds;
  StructuralVisit(Node(), [&](Node, StructuralVisitorObj* v) -> Optional<VisitInterrupt> {
    auto note = [&] {
      kinds.push_back(v->def_region_kind());
      return 7;
    };
    v->WithDefRegionKind(kTVMFFIDefRegionKindSimple, [&] {
      note();
      v->WithDefRegionKind(kTVMFFIDefRegionKindNone, note);
      v->WithDefRegionKind(kTVMFFIDefRegionKindPattern, [&] {
        v->WithDefRegionKind(kTVMFFIDefRegionKindNone, note);
        v->WithDefRegionKind(kTVMFFIDefRegionKindSimple, note);
      });
      note();
    });
    EXPECT_THROW(v->WithDefRegionKind(kTVMFFIDefRegionKindSimple, [] { throw 1; }), int);
    EXPECT_EQ(v->WithDefRegionKind(kTVMFFIDefRegionKindSimple, note), 7);
    note();
    return std::nullopt;
  });
  EXPECT_EQ(kinds, (Kinds{2, 0, 1, 1, 2, 2, 0}));
}

// ---------------------------------------------------------------- visits

// spec: P10
TEST(StructuralVisit, CallbacksDecideHowToGoOn) {
  Visited visited;
  auto result = StructuralVisit(
      Node(Array<Any>{1, Node(2, 3)}, Array<Any>{4}),
      [&](const NodeObj* node, StructuralVisitorObj* visitor) {
        visited.push_back("node");
        return visitor->Visit(node->first);  // does not visit `last`
      },
      [&](int value, StructuralVisitorObj*) -> Outcome {
        visited.push_back(std::to_string(value));
        return std::nullopt;
      });
  EXPECT_FALSE(result.has_value());
  EXPECT_EQ(visited, (Visited{"node", "1", "node", "2"}));
}

TEST(StructuralVisit, DefaultVisitGoesToThePartsAndUnmatchedValuesToo) {
  Visited visited;
  StructuralVisit(
      SampleGraph(),
      [&](const NodeObj* node, StructuralVisitorObj* visitor) {
        visited.push_back("node/" + std::to_string(visitor->def_region_kind()));
        return visitor->DefaultVisitExpected(node);
      },
      [&](Var var, StructuralVisitorObj* visitor) {
        visited.push_back(Name(var) + "/" + std::to_string(visitor->def_region_kind()));
        return visitor->DefaultVisitExpected(var);
      });
  EXPECT_EQ(visited, (Visited{"node/0", "var1/0", "node/0", "var2/1", "node/1", "var7/1", "node/2",
                              "var3/2", "node/0", "var9/1"}));
}

TEST(StructuralVisit, AnInterruptOfANestedVisitStopsAll) {
  int nodes = 0;
  auto result = StructuralVisit(
      Array<Any>{Node(Array<Any>{1}), Node(2)},
      [&](const NodeObj* node, StructuralVisitorObj* visitor) {
        ++nodes;
        return visitor->DefaultVisitExpected(node);
      },
      [&](int value, StructuralVisitorObj*) -> Optional<VisitInterrupt> {
        return VisitInterrupt(Any(value));
      });
  EXPECT_EQ((*result)->value.cast<int>(), 1);
  EXPECT_EQ(nodes, 1);
}

TEST(StructuralVisit, NothingToVisit) {
  int calls = 0;
  auto count = [&](AnyView, StructuralVisitorObj* visitor) {
    ++calls;
    TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(visitor->VisitExpected(nullptr));
    TVM_FFI_S_VISIT_MAYBE_EARLY_RETURN(visitor->DefaultVisitExpected(nullptr));
    return visitor->DefaultVisitExpected(5);
  };
  EXPECT_FALSE(StructuralVisit(nullptr, count).has_value());
  EXPECT_EQ(calls, 0);
  EXPECT_FALSE(StructuralVisit(5, count).has_value());
  EXPECT_EQ(calls, 1);
}

TEST(StructuralVisit, EarlyReturns) {
  Error error("A", "b", "");
  using detail::StructuralVisitNeedEarlyReturn;
  EXPECT_TRUE(StructuralVisitNeedEarlyReturn(Outcome(error)));
  EXPECT_TRUE(StructuralVisitNeedEarlyReturn(Outcome(VisitInterrupt())));
  EXPECT_FALSE(StructuralVisitNeedEarlyReturn(Outcome(std::nullopt)));
  EXPECT_TRUE(StructuralVisitNeedEarlyReturn(Optional<VisitInterrupt>(VisitInterrupt())));
  EXPECT_FALSE(StructuralVisitNeedEarlyReturn(Optional<VisitInterrupt>()));
  EXPECT_TRUE(StructuralVisitNeedEarlyReturn(Expected<WalkResult>(WalkResult::Interrupt())));
  EXPECT_FALSE(StructuralVisitNeedEarlyReturn(Expected<WalkResult>(WalkResult::Skip())));
}

// ---------------------------------------------------------------- hooks

// spec: P10
TEST(StructuralVisit, HooksReplaceTheFields) {
  EXPECT_EQ(Walked<WalkOrder::kPostOrder>(Hooked<NativeHookObj>(Array<Any>{2})),
            (Visited{"2", "ffi.Array", "2", "ffi.Array", "test.visit.NativeHook"}));
  EXPECT_EQ(Walked<WalkOrder::kPreOrder>(Hooked<FunctionHookObj>(Array<Any>{2})),
            (Visited{"test.visit.FunctionHook", "ffi.Array", "2"}));
  // An interrupt inside a hook ends the walk.
  for (ObjectRef root : {Hooked<NativeHookObj>(Array<Any>{2}), Hooked<FunctionHookObj>(2)}) {
    EXPECT_TRUE(StructuralWalk<WalkOrder::kPostOrder>(Array<Any>{root}, StopAtTwo).has_value());
  }
}

// spec: P10
TEST(StructuralVisit, WrongHooksAreErrors) {
  Function accepted = Function::FromTyped([] {});
  ForceTypeAttr(WrongHookObj::RuntimeTypeIndex(), "__s_visit__",
                AnyView(accepted).CopyToTVMFFIAny(), IntValue(5));
  ObjectRef wrong = Hooked<WrongHookObj>(1);
  Array<Any> root{wrong};
  Error error = Caught([&] { Walked<WalkOrder::kPreOrder>(root); });
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_EQ(error.message(), "__s_visit__ must be an opaque function pointer or ffi.Function");
  EXPECT_EQ(RecordedNodes(error), (Nodes{wrong.get(), root.get()}));
  EXPECT_EQ(Caught([&] { Walked<WalkOrder::kPreOrder>(Hooked<WrongResultObj>(1)); }).kind(),
            "TypeError");
}

TEST(StructuralVisit, FieldsCanBeVisitedInSpiteOfAHook) {
  ObjectRef hooked = Hooked<NativeHookObj>(1);
  Visited visited;
  StructuralVisit(
      hooked,
      [](const NativeHookObj* self, StructuralVisitorObj* visitor) {
        return detail::VisitReflectedFieldsExpected(visitor, self);
      },
      [&](AnyView value, StructuralVisitorObj*) -> Optional<VisitInterrupt> {
        visited.push_back(Name(value));
        return std::nullopt;
      });
  EXPECT_EQ(visited, Visited{"\"field\""});
}

// A visitor with its own visit function, as another library may define it.
struct RecordingVisitor : public StructuralVisitorObj {
  Visited visited;
  RecordingVisitor() : StructuralVisitorObj(&kVTable) {}

  static TVMFFIAny VisitValue(StructuralVisitorObj* self, AnyView value) noexcept {
    static_cast<RecordingVisitor*>(self)->visited.push_back(Name(value));
    return detail::ExpectedUnsafe::MoveToTVMFFIAny(self->DefaultVisitExpected(value));
  }
  static constexpr StructuralVisitorVTable kVTable = {VisitValue};
};

TEST(StructuralVisitor, ContainersHaveHooksForForeignVisitors) {
  refl::TypeAttrColumn column(type_attr::kStructuralVisit);
  auto visitor = make_object<RecordingVisitor>();
  auto visit = [&](int32_t type_index, const Any& value) {
    visitor->visited.clear();
    auto hook = column[type_index].cast<FStructuralVisit>();
    EXPECT_TRUE(hook.CallExpected(visitor.get(), value).is_ok());
    return visitor->visited;
  };
  EXPECT_EQ(visit(kTVMFFIArray, Array<Any>{1, nullptr}), (Visited{"1", "None"}));
  EXPECT_EQ(visit(kTVMFFIList, List<Any>{Node(2)}).front(), "node");
  EXPECT_EQ(visit(kTVMFFIMap, Map<Any, Any>{{1, 2}}), Visited{"2"});
  EXPECT_EQ(visit(kTVMFFIDict, Dict<Any, Any>{{1, 2}, {3, 4}}), (Visited{"2", "4"}));
  auto hook = column[kTVMFFIArray].cast<FStructuralVisit>();
  EXPECT_EQ(hook.CallExpected(visitor.get(), 5).error().kind(), "TypeError");
}

TEST(StructuralVisitor, CannotBeCopied) {
  auto visitor = make_object<RecordingVisitor>();
  auto copy = refl::TypeAttrColumn("__ffi_shallow_copy__")[visitor->type_index()].cast<Function>();
  EXPECT_EQ(Caught([&] { copy(visitor); }).kind(), "TypeError");
}

// ---------------------------------------------------------------- extension

struct CountingVisitor : public StructuralVisitorObj {
  int count = 0;
  using VisitorObjType = CountingVisitor;
  using StateTupleType = std::tuple<int&, std::string>;
  explicit CountingVisitor(const StructuralVisitorVTable* vtable) : StructuralVisitorObj(vtable) {}
  StateTupleType StateTuple() { return {count, "state"}; }
};

TEST(StructuralWalkEngine, CallbacksGetTheStatesOfTheParent) {
  Visited visited;
  auto numbers = [&](int value, int& count, const std::string& state) {
    visited.push_back(std::to_string(value) + "@" + std::to_string(count++) + state);
    return WalkResult::Advance();
  };
  auto others = [&](const Object*, int& count, std::string, TVMFFIDefRegionKind kind) {
    count += 10;
    EXPECT_EQ(kind, kTVMFFIDefRegionKindNone);
    return WalkResult::Advance();
  };
  using Engine = StructuralWalkEngine<CountingVisitor, WalkOrder::kPreOrder, decltype(numbers),
                                      decltype(others)>;
  auto engine = make_object<Engine>(numbers, others);
  EXPECT_TRUE(engine->VisitExpected(Array<Any>{1, Array<Any>{2}}).is_ok());
  EXPECT_EQ(visited, (Visited{"1@10state", "2@21state"}));
  EXPECT_EQ(engine->count, 22);
}

TEST(StructuralVisitEngine, CallbacksGetTheVisitorOfTheParent) {
  auto numbers = [&](int value, CountingVisitor* visitor) -> Optional<VisitInterrupt> {
    visitor->count += value;
    return std::nullopt;
  };
  auto engine = make_object<StructuralVisitEngine<CountingVisitor, decltype(numbers)>>(numbers);
  engine->Visit(Array<Any>{1, Node(2)});
  EXPECT_EQ(engine->count, 3);
}

// Counts the calls of the default visit, and does not visit the parts of variables.
struct ChoosyVisitor : public StructuralVisitorObj {
  int defaults = 0;
  explicit ChoosyVisitor(const StructuralVisitorVTable* vtable) : StructuralVisitorObj(vtable) {}
  Expected<Optional<VisitInterrupt>> DefaultVisitExpected(AnyView value) noexcept {
    ++defaults;
    if (value.as<VarObj>() != nullptr) return std::nullopt;
    return StructuralVisitorObj::DefaultVisitExpected(value);
  }
};

TEST(StructuralWalkEngine, AParentMayBringItsDefaultVisit) {
  Visited visited;
  auto note = [&](AnyView value) -> Expected<WalkResult> {
    visited.push_back(Name(value));
    if (value.as<String>()) return Error("ValueError", "text", "");
    return value.as<NodeObj>() != nullptr ? WalkResult::Skip() : WalkResult::Advance();
  };
  using Pre = StructuralWalkEngine<ChoosyVisitor, WalkOrder::kPreOrder, decltype(note)>;
  auto pre = make_object<Pre>(note);
  pre->Visit(Array<Any>{Var(1, 2), nullptr, Node(3), 4});
  EXPECT_EQ(visited, (Visited{"ffi.Array", "var1", "node", "4"}));
  EXPECT_EQ(pre->defaults, 3);
  visited.clear();
  using Post = StructuralWalkEngine<ChoosyVisitor, WalkOrder::kPostOrder, decltype(note)>;
  Array<Any> inner{"x"};
  Array<Any> root{Var(1, 2), inner};
  Outcome outcome = make_object<Post>(note)->VisitExpected(root);
  EXPECT_EQ(visited, (Visited{"var1", "\"x\""}));
  EXPECT_EQ(RecordedNodes(outcome.error()), (Nodes{inner.get(), root.get()}));
}

// ---------------------------------------------------------------- errors

// spec: P11
TEST(StructuralWalk, ErrorsRecordTheObjectsThatTheWalkWasIn) {
  List<Any> list{2.5};
  Dict<Any, Any> dict{{1, list}};
  Node root(7, dict);
  auto fail = [](double) -> WalkResult { TVM_FFI_THROW(ValueError) << "text"; };
  auto refuse = [](double) -> Expected<WalkResult> { return Error("ValueError", "text", ""); };
  Nodes expected{list.get(), dict.get(), root.get()};
  for (const Outcome& outcome : {StructuralWalkExpected<WalkOrder::kPreOrder>(root, fail),
                                 StructuralWalkExpected<WalkOrder::kPostOrder>(root, fail),
                                 StructuralWalkExpected<WalkOrder::kPostOrder>(root, refuse)}) {
    ASSERT_TRUE(outcome.is_err());
    EXPECT_EQ(outcome.error().message(), "text");
    EXPECT_EQ(RecordedNodes(outcome.error()), expected);
  }
  EXPECT_EQ(list.use_count(), 2);
  EXPECT_EQ(root.use_count(), 1);
}

TEST(StructuralWalk, ErrorsAtObjectsBeginWithThem) {
  Var var(1);
  Array<Any> array{var};
  Outcome outcome = StructuralWalkExpected<WalkOrder::kPreOrder>(
      array, [](Var) -> Expected<WalkResult> { return Error("ValueError", "text", ""); });
  EXPECT_EQ(RecordedNodes(outcome.error()), (Nodes{var.get(), array.get()}));
}

TEST(StructuralVisit, ErrorsPassThroughCallbacksAndHooks) {
  List<Any> list{2.5};
  Node node(list);
  ObjectRef inner = Hooked<FunctionHookObj>(node);
  ObjectRef outer = Hooked<NativeHookObj>(inner);
  Error error = Caught([&] {
    StructuralVisit(
        outer,
        [](const NodeObj* self, StructuralVisitorObj* visitor) {
          return visitor->DefaultVisitExpected(self);
        },
        [](double, StructuralVisitorObj*) -> Optional<VisitInterrupt> {
          TVM_FFI_THROW(ValueError) << "text";
        });
  });
  EXPECT_EQ(error.message(), "text");
  EXPECT_EQ(RecordedNodes(error), (Nodes{list.get(), node.get(), inner.get(), outer.get()}));
}

TEST(StructuralWalk, OtherExceptionsBecomeInternalErrors) {
  Outcome outcome = StructuralWalkExpected<WalkOrder::kPreOrder>(
      5, [](int) -> WalkResult { throw std::runtime_error("other"); });
  EXPECT_EQ(outcome.error().kind(), "InternalError");
  EXPECT_EQ(outcome.error().message(), "other");
  outcome = StructuralVisitExpected(
      5, [](int, StructuralVisitorObj*) -> Optional<VisitInterrupt> { throw 1; });
  EXPECT_EQ(outcome.error().kind(), "InternalError");
}

TEST(StructuralWalk, RegionsAreRestoredAfterErrors) {
  auto fail = [](int) -> Expected<WalkResult> { return Error("ValueError", "text", ""); };
  using Engine = StructuralWalkEngine<StructuralVisitorObj, WalkOrder::kPreOrder, decltype(fail)>;
  auto engine = make_object<Engine>(fail);
  EXPECT_TRUE(engine->VisitExpected(Node(nullptr, nullptr, Array<Any>{1})).is_err());
  EXPECT_EQ(engine->def_region_kind(), kTVMFFIDefRegionKindNone);
}

// ---------------------------------------------------------------- callbacks that change the values

TEST(StructuralWalk, CallbacksMayChangeWhatIsWalked) {
  for (int order = 0; order < 2; ++order) {
    List<Any> list{Node(1), Node(2), 3};
    Dict<Any, Any> dict{{1, Node(4)}, {2, Node(5)}};
    Node root(list, dict);
    int count = 0;
    auto clear = [&](AnyView value) {
      ++count;
      if (value.as<NodeObj>() != nullptr) {
        list.clear();
        dict.clear();
        root.get_mutable()->first = nullptr;
        root.get_mutable()->last = nullptr;
      }
      return WalkResult::Advance();
    };
    if (order == 0) {
      StructuralWalk<WalkOrder::kPreOrder>(root, clear);
      EXPECT_EQ(count, 1);
    } else {
      StructuralWalk<WalkOrder::kPostOrder>(root, clear);
      EXPECT_EQ(count, 4);  // calls for 1, for the node that contains 1, for the list, for the root
    }
  }
}

// The field has the only reference to the value when the visit begins.
TEST(StructuralVisit, CallbacksMayReplaceAFieldWhoseValueIsVisited) {
  auto make_part = [](int kind) -> Any {
    if (kind == 0) return List<Any>{1, 2};
    if (kind == 1) return Array<Any>{1, 2};
    return Node(1, 2);
  };
  for (int kind = 0; kind < 3; ++kind) {
    Node root(make_part(kind));
    int count = 0;
    StructuralVisit(
        root,
        [&](const NodeObj* node, StructuralVisitorObj* visitor) -> Outcome {
          if (node != root.get()) return visitor->DefaultVisitExpected(node);
          return visitor->VisitExpected(node->first);
        },
        [&](int64_t, StructuralVisitorObj*) -> Outcome {
          root.get_mutable()->first = ++count;
          return std::nullopt;
        });
    EXPECT_EQ(count, 2);
    EXPECT_EQ(root->first.cast<int>(), 2);
  }
}

TEST(StructuralWalk, ArraysThatAreChangedAreWalkedAsTheyWere) {
  Array<Any> array{Node(1), Node(2)};
  int nodes = 0;
  StructuralWalk<WalkOrder::kPostOrder>(array, [&](const NodeObj*) {
    ++nodes;
    array.Set(1, 5);
    return WalkResult::Advance();
  });
  EXPECT_EQ(nodes, 2);
  EXPECT_EQ(array[1].cast<int>(), 5);
}

TEST(StructuralWalk, EverythingIsReleased) {
  Node part(1);
  List<Any> list{part, part};
  Node root(list, Dict<Any, Any>{{1, part}}, Array<Any>{part});
  Walked<WalkOrder::kPostOrder>(root);
  StructuralWalk<WalkOrder::kPreOrder>(root, StopAtTwo);
  EXPECT_EQ(part.use_count(), 5);
  EXPECT_EQ(list.use_count(), 2);
  EXPECT_EQ(root.use_count(), 1);
}

// ---------------------------------------------------------------- depth and cycles

template <typename Wrap>
Any Nested(int depth, Wrap wrap) {
  Any chain = 1;
  for (int i = 0; i < depth; ++i) chain = wrap(chain);
  return chain;
}

// spec: P16
TEST(StructuralWalk, AMillionLevelsAreWalked) {
  constexpr int kDepth = 1000000;
  auto count_of = [&](const Any& chain) {
    int64_t count = 0;
    StructuralWalk<WalkOrder::kPostOrder>(chain, [&](AnyView) {
      ++count;
      return WalkResult::Advance();
    });
    return count;
  };
  EXPECT_EQ(count_of(Nested(kDepth, [](Any part) { return List<Any>{part}; })), kDepth + 1);
  EXPECT_EQ(count_of(Nested(kDepth, [](Any part) { return Node(part, 2); })), 2 * kDepth + 1);
  int64_t visited = 0;
  StructuralVisit(Nested(kDepth, [](Any part) { return Array<Any>{part}; }),
                  [&](int value, StructuralVisitorObj*) -> Optional<VisitInterrupt> {
                    visited += value;
                    return std::nullopt;
                  });
  EXPECT_EQ(visited, 1);
}

// Walk over a chain of the given depth. The callers pass depths below and above the depth at which
// the walk switches from recursion to its own stack.
template <WalkOrder order>
void WalkAcrossTheBorder(int depth) {
  Any chain = Nested(depth, [](Any part) { return Node(part, 2); });
  std::vector<TVMFFIDefRegionKind> regions;
  int64_t sum = 0;
  StructuralWalk<order>(chain, [&](int64_t value, TVMFFIDefRegionKind region) {
    sum += value;
    regions.push_back(region);
    return WalkResult::Advance();
  });
  EXPECT_EQ(sum, 2 * depth + 1);
  EXPECT_EQ(regions, std::vector<TVMFFIDefRegionKind>(depth + 1, kTVMFFIDefRegionKindNone));
  Outcome failed = StructuralWalkExpected<order>(chain, [](int64_t value) -> WalkResult {
    if (value == 1) TVM_FFI_THROW(ValueError) << "innermost";
    return WalkResult::Advance();
  });
  EXPECT_EQ(RecordedNodes(failed.error()).size(), static_cast<size_t>(depth));
  Outcome stopped = StructuralWalkExpected<order>(chain, [](int64_t value) {
    return value == 1 ? WalkResult::Interrupt(VisitInterrupt(7)) : WalkResult::Advance();
  });
  EXPECT_EQ(stopped.value().value()->value.cast<int>(), 7);
}

TEST(StructuralWalk, AStackOfItsOwnGoesOnWhereRecursionEnds) {
  for (int depth : {1, 31, 33, 98, 99, 100, 101, 102, 103, 150, 250}) {
    WalkAcrossTheBorder<WalkOrder::kPreOrder>(depth);
    WalkAcrossTheBorder<WalkOrder::kPostOrder>(depth);
  }
}

class GrowingObj : public Object {
 public:
  int64_t first = 1;
  int64_t second = 2;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.visit.Growing", GrowingObj, Object);
};

TEST(StructuralWalk, FieldsThatAreRegisteredLaterAreVisited) {
  reflection::ObjectDef<GrowingObj>().def_ro("first", &GrowingObj::first);
  ObjectRef object(make_object<GrowingObj>());
  auto sum_of = [&] {
    int64_t sum = 0;
    StructuralWalk<WalkOrder::kPreOrder>(object, [&](int64_t value) {
      sum += value;
      return WalkResult::Advance();
    });
    return sum;
  };
  EXPECT_EQ(sum_of(), 1);
  TVMFFIFieldInfo second = *reflection::GetFieldInfo("test.visit.Growing", "first");
  second.name = reflection::AsByteArray("second");
  second.offset += sizeof(int64_t);
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(GrowingObj::RuntimeTypeIndex(), &second));
  EXPECT_EQ(sum_of(), 3);
}

// spec: P16
TEST(StructuralWalk, TooManyLevelsAreAnError) {
  Error error = Caught([] {
    Walked<WalkOrder::kPreOrder>(Nested((1 << 20) + 1, [](Any part) { return List<Any>{part}; }));
  });
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "StructuralVisit: maximum stack depth (1048576) exceeded");
}

TEST(StructuralWalk, AnObjectInsideItselfIsAnError) {
  Node circle;
  List<Any> list{1, circle};
  circle.get_mutable()->first = list;
  int nodes = 0;
  Outcome outcome = StructuralWalkExpected<WalkOrder::kPreOrder>(circle, [&](const NodeObj*) {
    ++nodes;
    return WalkResult::Advance();
  });
  EXPECT_EQ(outcome.error().kind(), "ValueError");
  EXPECT_EQ(outcome.error().message(),
            "StructuralVisit: an object of type `test.visit.Node` contains itself");
  // The walk finds the cycle only after it has switched to its own stack, so nodes repeat.
  EXPECT_GE(nodes, 2);
  EXPECT_LE(nodes, 100);
  circle.get_mutable()->first = nullptr;
}

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer ends a process with more than 65,535 frames.
// Visit with a callback that recurses at every level.
Outcome VisitRecursively(const Any& root) {
  return StructuralVisitExpected(root, [](AnyView value, StructuralVisitorObj* visitor) {
    return visitor->DefaultVisitExpected(value);
  });
}

TEST(StructuralVisit, RecursionEndsInAnErrorBeforeTheStackDoes) {
  Any shallow = Nested(200, [](Any part) { return Node(part); });
  Any deep = Nested(1000000, [](Any part) { return Array<Any>{part}; });
  auto check = [&] {
    EXPECT_TRUE(VisitRecursively(shallow).is_ok());
    Outcome outcome = VisitRecursively(deep);
    ASSERT_TRUE(outcome.is_err());
    EXPECT_EQ(outcome.error().kind(), "ValueError");
    EXPECT_NE(outcome.error().message().find("nested too deeply"), std::string::npos);
  };
  check();
  std::thread(check).join();
}

TEST(StructuralVisit, DirectRecursionIsBoundToo) {
  Node circle;
  circle.get_mutable()->first = circle;
  Outcome outcome =
      StructuralVisitExpected(circle, [](const NodeObj* node, StructuralVisitorObj* visitor) {
        return visitor->VisitExpected(node->first);
      });
  EXPECT_EQ(outcome.error().kind(), "ValueError");
  circle.get_mutable()->first = nullptr;
  Any hooks = Nested(1000000, [](Any part) { return Hooked<FunctionHookObj>(part); });
  outcome = StructuralWalkExpected<WalkOrder::kPreOrder>(hooks, StopAtTwo);
  EXPECT_EQ(outcome.error().kind(), "ValueError");
}
#endif

// ---------------------------------------------------------------- global functions

template <typename... Args>
Any Call(const std::string& name, Args&&... args) {
  return Function::GetGlobalRequired("ffi." + name)(std::forward<Args>(args)...);
}

Array<Any> Typed(int64_t type_index, Function function) {
  return Array<Any>{type_index, std::move(function)};
}

TEST(StructuralVisitFunctions, WalkChoosesByTypeIndex) {
  Visited visited;
  auto note = [&](const std::string& who) {
    return Function::FromTyped(
        [&visited, who](AnyView value) { visited.push_back(who + Name(value)); });
  };
  Function with_region = Function::FromTyped([&](AnyView value, int kind) {
    visited.push_back(Name(value) + "/" + std::to_string(kind));
  });
  Array<Any> root{1, true, nullptr, "s", "a string that is longer", Node()};
  Array<Any> callbacks{Typed(kTVMFFIInt, note("int ")), Typed(kTVMFFIStr, note("text ")),
                       Typed(kTVMFFIObject, note("object ")), Typed(999999, note("never "))};
  Call("StructuralWalk", root, callbacks, Array<Any>{Typed(-1, with_region)}, 1);
  EXPECT_EQ(visited, (Visited{"int 1", "true/0", "text \"s\"", "text \"a string that is longer\"",
                              "object node", "object ffi.Array"}));
}

TEST(StructuralVisitFunctions, WalkTakesResultsOfAllKinds) {
  auto walk = [](const Any& result, int order) {
    int calls = 0;
    Function callback = Function::FromTyped([&](AnyView) -> Any {
      ++calls;
      return result;
    });
    Any interrupt = Call("StructuralWalk", Array<Any>{1, 2}, Array<Any>{Typed(-1, callback)},
                         Array<Any>(), order);
    return std::make_pair(interrupt, calls);
  };
  EXPECT_EQ(walk(nullptr, 0).second, 3);
  EXPECT_EQ(walk(0, 0).second, 3);
  EXPECT_EQ(walk(1, 0).second, 1);
  EXPECT_EQ(walk(1, 1).second, 3);
  EXPECT_EQ(walk(VisitInterrupt(Any(4)), 1).first.cast<VisitInterrupt>()->value.cast<int>(), 4);
  EXPECT_EQ(Caught([&] { walk("x", 0); }).message(),
            "CallExpected: result type mismatch, expected WalkResult, but got ffi.SmallStr");
}

TEST(StructuralVisitFunctions, ArgumentsAreChecked) {
  Function nop = Function::FromTyped([](AnyView) {});
  auto kind_of_error = [&](const Any& callbacks, const Any& order) {
    return Caught([&] { Call("StructuralWalk", Array<Any>{1}, callbacks, Array<Any>(), order); })
        .kind();
  };
  EXPECT_EQ(kind_of_error(Array<Any>{Typed(-2, nop)}, 0), "TypeError");
  EXPECT_EQ(kind_of_error(Array<Any>{Array<Any>{1, 3}}, 0), "TypeError");
  EXPECT_EQ(kind_of_error(Array<Any>{Array<Any>{1, nullptr}}, 0), "TypeError");
  EXPECT_EQ(kind_of_error(Array<Any>{}, 2), "ValueError");
  EXPECT_EQ(Caught([&] { Call("StructuralVisitorVisit", 1, 2); }).kind(), "TypeError");
}

TEST(StructuralVisitFunctions, VisitHandsOutAVisitorThatStaysValid) {
  Visited visited;
  Any kept;
  Function arrays = Function::FromTyped([&](AnyView value, const StructuralVisitor& visitor) {
    visited.push_back("array");
    kept = visitor;
    return Call("StructuralVisitorDefaultVisit", visitor, value);
  });
  Function others =
      Function::FromTyped([&](AnyView value, AnyView) { visited.push_back(Name(value)); });
  Any result = Call("StructuralVisit", Array<Any>{1, Array<Any>{2}},
                    Array<Any>{Typed(kTVMFFIArray, arrays), Typed(-1, others)});
  EXPECT_EQ(result, nullptr);
  EXPECT_EQ(visited, (Visited{"array", "1", "array", "2"}));
  visited.clear();
  // A visit releases its callbacks when it ends, since a callback may hold a reference to the
  // visitor, as `arrays` does. Therefore this visit does not call any callback.
  EXPECT_EQ(Call("StructuralVisitorVisit", kept, Array<Any>{3}), nullptr);
  EXPECT_EQ(visited, Visited{});
}

TEST(StructuralVisitFunctions, Regions) {
  Function callback = Function::FromTyped([&](AnyView, const StructuralVisitor& visitor) {
    Function inside = Function::FromTyped(
        [&] { return 10 + Call("StructuralVisitorDefRegionKind", visitor).cast<int>(); });
    EXPECT_EQ(Call("StructuralVisitorWithDefRegionKind", visitor, 2, inside).cast<int>(), 12);
    EXPECT_EQ(Call("StructuralVisitorDefRegionKind", visitor).cast<int>(), 0);
    EXPECT_EQ(
        Caught([&] { Call("StructuralVisitorWithDefRegionKind", visitor, 3, inside); }).kind(),
        "ValueError");
    return VisitInterrupt(Any("seen"));
  });
  Any result = Call("StructuralVisit", 5, Array<Any>{Typed(kTVMFFIInt, callback)});
  EXPECT_EQ(result.cast<VisitInterrupt>()->value.cast<std::string>(), "seen");
}

TEST(StructuralVisitFunctions, RecursionThroughFunctionsIsBound) {
  Function callback = Function::FromTyped([](AnyView value, const StructuralVisitor& visitor) {
    return Call("StructuralVisitorDefaultVisit", visitor, value);
  });
  Any deep = Nested(1000000, [](Any part) { return List<Any>{part}; });
  EXPECT_EQ(Caught([&] { Call("StructuralVisit", deep, Array<Any>{Typed(-1, callback)}); }).kind(),
            "ValueError");
}

}  // namespace
