// SPDX-License-Identifier: Apache-2.0
// Test StructuralMutate and the mutator: recursive callbacks, modes, recorded variables, hooks of
// types, custom mutators, and the global functions.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/rvalue_ref.h>
#include <tvm/ffi/string.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "c_api_support.h"
#include "caught.h"
#include "mutate_nodes.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using namespace mutate_nodes;
namespace refl = tvm::ffi::reflection;

using Result = Expected<UnchangedOr<Any>>;

class StructuralMutateTest : public testing::Test {
 protected:
  void SetUp() override { RegisterNodes(); }
};

const auto kIncrement = [](int64_t value, StructuralMutatorObj*) { return value + 1; };

// Return a List of a number and another List. The caller gets the only reference to the outer List.
List<Any> UniqueNest() {
  List<Any> root;
  root.push_back(1);
  root.push_back(List<Any>{2});
  return root;
}

// ---------------------------------------------------------------- callbacks

TEST_F(StructuralMutateTest, ReplacesWhatNoCallbackDescendsInto) {
  Any root = Array<Any>{1, Pair(2, Map<Any, Any>{{"a", 3}})};
  EXPECT_EQ(Text(StructuralMutate(root, kIncrement)), "(2, test.mutate.Pair(a=3, b={\"a\": 4}))");
  EXPECT_EQ(Text(root), "(1, test.mutate.Pair(a=2, b={\"a\": 3}))");
}

TEST_F(StructuralMutateTest, UnchangedInputGivesTheSameObject) {
  Any root = Array<Any>{1, Pair(2, 3)};
  EXPECT_TRUE(StructuralMutate(root, [](String text, StructuralMutatorObj*) {
                return text;
              }).same_as(root));
}

TEST_F(StructuralMutateTest, ResultsOfCallbacksAreFinal) {
  EXPECT_EQ(Text(StructuralMutate(
                Array<Any>{1, List<Any>{2}},
                [](List<Any>, StructuralMutatorObj*) { return Array<Any>{7}; }, kIncrement)),
            "(2, (7,))");
}

// spec: P13
TEST_F(StructuralMutateTest, CallbacksRecurseThroughTheMutator) {
  Any root = Pair(1, Pair(2, 3));
  auto only_b = [](Pair pair, StructuralMutatorObj* mutator) -> Result {
    Result b = mutator->MutateExpected(pair->b);
    if (b.is_err()) return b;
    UnchangedOr<Any> changed = std::move(b).value();
    if (changed.IsUnchanged()) return Unchanged();
    return Any(Pair(pair->a, std::move(changed).ValueUnchecked()));
  };
  EXPECT_EQ(Text(StructuralMutate(root, only_b, kIncrement)),
            "test.mutate.Pair(a=1, b=test.mutate.Pair(a=2, b=4))");
}

TEST_F(StructuralMutateTest, CallbacksMayAskForTheDefault) {
  std::string seen;
  auto trace = [&](AnyView value, StructuralMutatorObj* mutator) -> Result {
    seen += value.GetTypeKey() + " ";
    if (std::optional<int64_t> number = value.as<int64_t>()) return Any(*number + 1);
    return mutator->DefaultMutateExpected(value);
  };
  EXPECT_EQ(Text(StructuralMutate(Array<Any>{1, Pair(2, nullptr)}, trace)),
            "(2, test.mutate.Pair(a=3, b=None))");
  EXPECT_EQ(seen, "ffi.Array int test.mutate.Pair int None ");
}

TEST_F(StructuralMutateTest, ModeTellsWhatIsUnique) {
  std::string seen;
  auto trace = [&](const Any& value, StructuralMutatorObj* mutator, InplaceMode mode) -> Result {
    seen += value.GetTypeKey() + ":" + std::to_string(static_cast<int>(mode)) + " ";
    return mutator->DefaultMutateExpected(value, mode);
  };
  List<Any> root = UniqueNest();
  root.push_back(Pair(1, Any()));
  const_cast<PairObj*>(root[2].as<PairObj>())->b = List<Any>{3};
  StructuralMutate(Any(std::move(root)), trace);
  EXPECT_EQ(seen, "ffi.List:1 int:0 ffi.List:1 int:0 test.mutate.Pair:1 int:0 ffi.List:0 int:0 ");
  seen.clear();
  List<Any> shared{1};
  StructuralMutate(Any(List<Any>{shared}), trace);
  EXPECT_EQ(seen, "ffi.List:1 ffi.List:0 int:0 ");
  seen.clear();
  StructuralMutate(Any(shared), trace);
  EXPECT_EQ(seen, "ffi.List:0 int:0 ");
}

TEST_F(StructuralMutateTest, AllowedModeChangesInPlace) {
  auto pass_on = [](List<Any> list, StructuralMutatorObj* mutator, InplaceMode mode) {
    return mutator->DefaultMutateExpected(list, mode);
  };
  List<Any> root = UniqueNest();
  const Object* address = root.get();
  Any result = StructuralMutate(Any(std::move(root)), pass_on, kIncrement);
  EXPECT_EQ(result.as<Object>(), address);
  EXPECT_EQ(Text(result), "[2, [3]]");
}

TEST_F(StructuralMutateTest, MutateChecksThatTheValueIsUnique) {
  List<Any> shared{1};
  List<Any> second = shared;
  Any result = StructuralMutate(Any(0.5), kIncrement, [&](double, StructuralMutatorObj* mutator) {
    return mutator->Mutate(shared, InplaceMode::kAllow);
  });
  EXPECT_EQ(Text(result), "[2]");
  EXPECT_EQ(Text(shared), "[1]");
}

TEST_F(StructuralMutateTest, DeepCallbacksEndInAnErrorOrSucceed) {
  auto recurse = [](Array<Any> array, StructuralMutatorObj* mutator) {
    return mutator->DefaultMutateExpected(array);
  };
  auto deep = [](int depth) {
    Any value = 1;
    for (int i = 0; i < depth; ++i) value = Array<Any>{std::move(value)};
    return value;
  };
  EXPECT_TRUE(StructuralMutateExpected(deep(200), recurse, kIncrement).is_ok());
  Expected<Any> result = StructuralMutateExpected(deep(300000), recurse, kIncrement);
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(result.error().kind(), "ValueError");
  EXPECT_EQ(result.error().message(),
            "StructuralMutate: callbacks or hooks are nested too deeply, the C stack is nearly "
            "used up");
  // If only the innermost value has a callback, a deep value does not use the C stack.
  EXPECT_TRUE(StructuralMutateExpected(deep(300000), kIncrement).is_ok());
}

#if !defined(__SANITIZE_THREAD__)  // ThreadSanitizer ends a process with more than 65,535 frames.
TEST_F(StructuralMutateTest, EndlessRecursionIsAnError) {
  Expected<Any> result = StructuralMutateExpected(
      Any(1),
      [](int64_t value, StructuralMutatorObj* mutator) { return mutator->MutateExpected(value); });
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(result.error().kind(), "ValueError");
}
#endif

TEST_F(StructuralMutateTest, CallbacksMayReturnUnexpected) {
  auto fail = [](int64_t, StructuralMutatorObj*) {
    return Unexpected(Error("ValueError", "no ints", ""));
  };
  EXPECT_ERROR(StructuralMutate(Array<Any>{"a", Array<Any>{1}}, fail), "ValueError", "no ints");
  auto with_mode = [](int64_t, StructuralMutatorObj*, InplaceMode) {
    return Unexpected<Error>(Error("KeyError", "k", ""));
  };
  EXPECT_EQ(StructuralMutateExpected(Array<Any>{1}, with_mode).error().kind(), "KeyError");
}

TEST_F(StructuralMutateTest, ErrorsTellTheWayOnce) {
  auto pass_on = [](AnyView value, StructuralMutatorObj* mutator) -> Result {
    if (value.as<int64_t>().has_value()) return Error("ValueError", "int", "");
    return mutator->DefaultMutateExpected(value);
  };
  Array<Any> inner{1};
  Pair pair(inner, nullptr);
  Array<Any> root{pair};
  Expected<Any> result = StructuralMutateExpected(root, pass_on);
  ASSERT_TRUE(result.is_err());
  List<ObjectRef> nodes =
      VisitErrorContext::TryGetFromError(result.error()).value()->reverse_visit_pattern;
  ASSERT_EQ(nodes.size(), 3);
  EXPECT_TRUE(nodes[0].same_as(inner));
  EXPECT_TRUE(nodes[1].same_as(pair));
  EXPECT_TRUE(nodes[2].same_as(root));
}

TEST_F(StructuralMutateTest, CallbacksMayChangeWhatIsMutatedInPlace) {
  Dict<Any, Any> dict;
  List<Any> list;
  for (int i = 0; i < 10; ++i) dict.Set(i, i), list.push_back(i);
  Map<Any, Any> map{{"a", 1}, {"b", 2}};
  auto clear = [&](int64_t value, StructuralMutatorObj*) {
    dict.clear();
    list.clear();
    map.Set("c", 3);
    return value + 1;
  };
  auto engine =
      make_object<StructuralMutateEngine<StructuralMapEngineBase, decltype(clear)>>(clear);
  EXPECT_TRUE(engine->MutateExpected(list, InplaceMode::kAllow).is_ok());
  EXPECT_TRUE(engine->MutateExpected(dict, InplaceMode::kAllow).is_ok());
  EXPECT_EQ(Text(Array<Any>{dict, list}), "({}, [])");
  Map<Any, Any> other{{"a", 1}, {"b", 2}};
  map = other;
  other = Map<Any, Any>();
  EXPECT_EQ(Text(engine->Mutate(map)), "{\"a\": 2, \"b\": 3}");
  EXPECT_EQ(Text(map), "{\"a\": 1, \"b\": 2, \"c\": 3}");
}

// The field has the only reference to the value when the mutation begins.
TEST_F(StructuralMutateTest, CallbacksMayReplaceAFieldWhoseValueIsMutated) {
  auto make_part = [](int kind) -> Any {
    if (kind == 0) return List<Any>{1, 2};
    if (kind == 1) return Array<Any>{1, 2};
    return Pair(1, 2);
  };
  for (int kind = 0; kind < 3; ++kind) {
    Pair root(make_part(kind), nullptr);
    int64_t count = 0;
    Any result = StructuralMutate(
        root,
        [&](const PairObj* pair, StructuralMutatorObj* mutator) -> Result {
          return pair == root.get() ? mutator->MutateExpected(pair->a)
                                    : mutator->DefaultMutateExpected(pair);
        },
        [&](int64_t value, StructuralMutatorObj*) {
          const_cast<PairObj*>(root.get())->a = ++count;
          return value + 10;
        });
    EXPECT_EQ(count, 2);
    EXPECT_EQ(root->a.cast<int>(), 2);
    EXPECT_NE(Text(result).find("12"), std::string::npos) << Text(result);
  }
}

// ---------------------------------------------------------------- variables

// Call `body(mutator)` inside a mutation.
template <typename Body>
void WithMutator(Body body) {
  StructuralMutate(Any(0.5), kIncrement, [&](double, StructuralMutatorObj* mutator) {
    body(mutator);
    return Unchanged();
  });
}

// spec: P13
TEST_F(StructuralMutateTest, RemembersWhatVariablesBecame) {
  Var var("x", 1);
  WithMutator([&](StructuralMutatorObj* mutator) {
    EXPECT_EQ(mutator->VarRemapGetExpected(var).value(), nullptr);
    mutator->VarRemapSetExpected(var, 2).value();
    EXPECT_EQ(mutator->VarRemapGetExpected(var).value().cast<int>(), 2);
    EXPECT_EQ(Text(mutator->Mutate(var)), "2");
    EXPECT_EQ(Text(mutator->Mutate(Array<Any>{var})), "(2,)");
    mutator->VarRemapSetExpected(var, 3).value();
    EXPECT_EQ(Text(mutator->Mutate(var)), "3");
    mutator->VarRemapSetExpected(var, Any()).value();
    EXPECT_TRUE(mutator->Mutate(var).IsUnchanged());
  });
}

TEST_F(StructuralMutateTest, OnlyVariablesAndDagNodesAreLookedUp) {
  Pair pair("a", "b");
  Dag dag("a");
  WithMutator([&](StructuralMutatorObj* mutator) {
    mutator->VarRemapSetExpected(pair, 8).value();
    mutator->VarRemapSetExpected(dag, 9).value();
    EXPECT_TRUE(mutator->Mutate(pair).IsUnchanged());
    EXPECT_EQ(Text(mutator->Mutate(dag)), "9");
  });
}

// spec: P13
TEST_F(StructuralMutateTest, KeysOfTheMemoryAreObjects) {
  const char* message = "Variable-remap key must be an object-backed value";
  WithMutator([&](StructuralMutatorObj* mutator) {
    EXPECT_ERROR(mutator->VarRemapSetExpected(1, 2).value(), "TypeError", message);
    EXPECT_ERROR(mutator->VarRemapSetExpected(String("s"), 2).value(), "TypeError", message);
    EXPECT_ERROR(mutator->VarRemapGetExpected(1).value(), "TypeError", message);
    EXPECT_ERROR(mutator->VarRemapGetExpected(nullptr).value(), "TypeError", message);
  });
}

TEST_F(StructuralMutateTest, MemoryKeepsItsKeysAlive) {
  int destroyed = 0;
  WithMutator([&](StructuralMutatorObj* mutator) {
    mutator
        ->VarRemapSetExpected(ObjectRef(make_object<sample::CountedObj>(&destroyed)),
                              ObjectRef(make_object<sample::CountedObj>(&destroyed)))
        .value();
    EXPECT_EQ(destroyed, 0);
  });
  EXPECT_EQ(destroyed, 2);
}

TEST_F(StructuralMutateTest, PatternRegionsRecordWhatStaysToo) {
  Var var("x", "type");
  WithMutator([&](StructuralMutatorObj* mutator) {
    EXPECT_TRUE(mutator->Mutate(var).IsUnchanged());
    EXPECT_EQ(mutator->VarRemapGetExpected(var).value(), nullptr);
    mutator->WithDefRegionKind(kTVMFFIDefRegionKindSimple, [&]() -> Expected<int> {
      EXPECT_TRUE(mutator->Mutate(var).IsUnchanged());
      return 1;
    });
    EXPECT_EQ(mutator->VarRemapGetExpected(var).value(), nullptr);
    mutator->WithDefRegionKind(kTVMFFIDefRegionKindPattern, [&]() -> Expected<int> {
      EXPECT_TRUE(mutator->Mutate(var).IsUnchanged());
      return 1;
    });
    EXPECT_EQ(mutator->VarRemapGetExpected(var).value().type_index(), TypeIndex::kTVMFFIUnchanged);
    EXPECT_TRUE(mutator->Mutate(var).IsUnchanged());
  });
}

TEST_F(StructuralMutateTest, RegionsNestAndEnd) {
  std::vector<int> seen;
  WithMutator([&](StructuralMutatorObj* mutator) {
    auto note = [&]() -> Expected<int> {
      seen.push_back(mutator->def_region_kind());
      return 4;
    };
    auto nest = [&]() -> Expected<int> {
      note();
      mutator->WithDefRegionKind(kTVMFFIDefRegionKindNone, note);
      mutator->WithDefRegionKind(kTVMFFIDefRegionKindSimple, note);
      return note();
    };
    EXPECT_EQ(mutator->WithDefRegionKind(kTVMFFIDefRegionKindPattern, nest).value(), 4);
    mutator->WithDefRegionKind(kTVMFFIDefRegionKindSimple, nest);
    note();
    EXPECT_THROW(mutator->WithDefRegionKind(kTVMFFIDefRegionKindSimple,
                                            []() -> int { TVM_FFI_THROW(ValueError) << "x"; }),
                 Error);
    note();
  });
  EXPECT_EQ(seen, (std::vector<int>{1, 1, 1, 1, 2, 0, 2, 2, 0, 0}));
}

// spec: P13
TEST_F(StructuralMutateTest, DagNodesAreMutatedOnce) {
  Dag dag(1);
  int calls = 0;
  Array<Any> result =
      StructuralMutate(Array<Any>{dag, Pair(dag, 1)}, [&](int64_t value, StructuralMutatorObj*) {
        ++calls;
        return value + 1;
      }).cast<Array<Any>>();
  EXPECT_EQ(calls, 2);
  EXPECT_TRUE(result[0].same_as(result[1].cast<Pair>()->a));
}

// ---------------------------------------------- read-only fields and objects that cannot be copied

class ReadOnlyObj : public Object {
 public:
  Any a = 1;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.mutate.ReadOnly", ReadOnlyObj, Object);
};
class BadCopyObj : public Object {
 public:
  Any a = 1;
  BadCopyObj() = default;
  BadCopyObj(const BadCopyObj&) = delete;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.mutate.BadCopy", BadCopyObj, Object);
};
class ThrowingObj : public Object {
 public:
  Any a;
  Any b;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.mutate.Throwing", ThrowingObj, Object);
};

int NoSetterGetter(void* field, TVMFFIAny* result) {
  *result = detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(*static_cast<Any*>(field)));
  return 0;
}

// spec: P14
TEST_F(StructuralMutateTest, FieldsWithoutSetterAreRefusedWhenTheyChange) {
  (void)refl::ObjectDef<ReadOnlyObj>();
  TVMFFIFieldInfo field{};
  field.name = TVMFFIByteArray{"a", 1};
  field.size = sizeof(Any);
  field.alignment = alignof(Any);
  field.offset = static_cast<int64_t>(sizeof(TVMFFIObject));
  field.getter = NoSetterGetter;
  field.field_static_type_index = TypeIndex::kTVMFFIAny;
  ASSERT_EQ(TVMFFITypeRegisterField(ReadOnlyObj::RuntimeTypeIndex(), &field), 0);
  ObjectRef object(make_object<ReadOnlyObj>());
  Any unchanged = StructuralMutate(object, [](String text, StructuralMutatorObj*) { return text; });
  EXPECT_TRUE(unchanged.same_as(object));
  EXPECT_ERROR(StructuralMutate(object, kIncrement), "TypeError",
               "Cannot structurally mutate field `a` of type `test.mutate.ReadOnly` because it "
               "does not define a setter");
}

TEST_F(StructuralMutateTest, ShallowCopiesMustBeCopies) {
  refl::ObjectDef<BadCopyObj>(refl::init(false)).def_rw("a", &BadCopyObj::a);
  static ObjectRef other = Pair(1, 2);
  static bool gives_other = false;
  refl::TypeAttrDef<BadCopyObj>().def(
      "__ffi_shallow_copy__", [](const ObjectRef& object) { return gives_other ? other : object; });
  ObjectRef object(make_object<BadCopyObj>());
  const char* message =
      "Shallow copy callback must return a distinct object with the same type as its input";
  EXPECT_ERROR(StructuralMutate(object, kIncrement), "TypeError", message);
  gives_other = true;
  EXPECT_ERROR(StructuralMutate(object, kIncrement), "TypeError", message);
}

TEST_F(StructuralMutateTest, ThrowingSettersLeaveTheSourceAlone) {
  static bool registered = [] {
    refl::ObjectDef<ThrowingObj>().def_rw("a", &ThrowingObj::a).def_rw("b", &ThrowingObj::b);
    return true;
  }();
  (void)registered;
  auto object = make_object<ThrowingObj>();
  object->a = 1;
  object->b = IntBox(1);
  ObjectRef root(object);
  // The traversal first sets `a` of the copy. Then the setter of IntBox::value rejects the text.
  int calls = 0;
  Expected<Any> result = StructuralMutateExpected(root, [&](int64_t, StructuralMutatorObj*) -> Any {
    return ++calls == 1 ? Any(7) : Any("text");
  });
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(object->a.cast<int>(), 1);
  EXPECT_EQ(object->b.cast<IntBox>()->value, 1);
  result = Any();  // the context of the error has a reference to the object, too
  EXPECT_EQ(object.use_count(), 2);
}

// ---------------------------------------------------------------- hooks

#define HOOKED_CLASS(Name)                                                \
  class Name##Obj : public Object {                                       \
   public:                                                                \
    Any a;                                                                \
    static constexpr bool _type_mutable = true;                           \
    TVM_FFI_DECLARE_OBJECT_INFO("test.mutate." #Name, Name##Obj, Object); \
  };                                                                      \
  ObjectRef Make##Name(Any a) {                                           \
    auto object = make_object<Name##Obj>();                               \
    object->a = std::move(a);                                             \
    return ObjectRef(object);                                             \
  }

HOOKED_CLASS(NativeHook)
HOOKED_CLASS(FunctionHook)
HOOKED_CLASS(WrongHook)
HOOKED_CLASS(InplaceHook)

// The hook of NativeHookObj: mutate its field `a` with the mutator, and return the new value in an
// Array.
Result MutateNative(StructuralMutatorObj* mutator, AnyView value) noexcept {
  const auto* object = value.as<NativeHookObj>();
  TVM_FFI_S_MUTATE_ASSIGN_OR_RETURN(UnchangedOr<Any>, a, mutator->MutateExpected(object->a));
  if (a.IsUnchanged()) return Unchanged();
  return Any(Array<Any>{std::move(a).ValueUnchecked()});
}

TEST_F(StructuralMutateTest, NativeHooksReplaceTheFields) {
  refl::TypeAttrDef<NativeHookObj>().def("__s_mutate__",
                                         FStructuralMutate::FromNative<&MutateNative>());
  Any root = Array<Any>{MakeNativeHook(1)};
  EXPECT_EQ(Text(StructuralMutate(root, kIncrement)), "((2,),)");
  EXPECT_TRUE(StructuralMutate(root, [](String text, StructuralMutatorObj*) {
                return text;
              }).same_as(root));
  EXPECT_EQ(Text(StructuralMap<WalkOrder::kPostOrder>(root, [](int64_t value) { return -value; })),
            "((-1,),)");
}

TEST_F(StructuralMutateTest, FunctionHooksReplaceTheFields) {
  refl::TypeAttrDef<FunctionHookObj>().def(
      "__s_mutate__", [](StructuralMutatorObj*, const FunctionHookObj* object) -> Any {
        if (object->a == nullptr) return Unchanged();
        if (object->a.as<String>().has_value()) TVM_FFI_THROW(ValueError) << "from the hook";
        return object->a;
      });
  EXPECT_EQ(Text(StructuralMutate(Array<Any>{MakeFunctionHook(5)}, kIncrement)), "(5,)");
  Any root = MakeFunctionHook(nullptr);
  EXPECT_TRUE(StructuralMutate(root, kIncrement).same_as(root));
  root = MakeFunctionHook("x");
  Expected<Any> result = StructuralMutateExpected(root, kIncrement);
  ASSERT_TRUE(result.is_err());
  EXPECT_EQ(result.error().message(), "from the hook");
  EXPECT_TRUE(VisitErrorContext::TryGetFromError(result.error()).has_value());
}

TEST_F(StructuralMutateTest, OtherHooksAreRefused) {
  Function accepted = Function::FromTyped([] {});
  ForceTypeAttr(WrongHookObj::RuntimeTypeIndex(), "__s_mutate__",
                AnyView(accepted).CopyToTVMFFIAny(), IntValue(5));
  EXPECT_ERROR(StructuralMutate(MakeWrongHook(1), kIncrement), "TypeError",
               "__s_mutate__ must be a direct hook pointer or ffi.Function");
}

UnchangedOr<Any> MutateInplaceHook(StructuralMutatorObj* mutator, AnyView value) {
  auto* object = const_cast<InplaceHookObj*>(value.as<InplaceHookObj>());
  Any a = std::move(object->a);
  object->a = mutator->Mutate(a, InplaceMode::kAllow).ValueOrUnchanged(a);
  return Unchanged();
}

UnchangedOr<Any> CopyInplaceHook(StructuralMutatorObj* mutator, AnyView value) {
  const auto* object = value.as<InplaceHookObj>();
  return MakeInplaceHook(mutator->Mutate(object->a).ValueOrUnchanged(object->a));
}

TEST_F(StructuralMutateTest, InplaceHooksChangeUniqueObjects) {
  refl::TypeAttrDef<InplaceHookObj>()
      .def("__s_mutate__", FStructuralMutate::FromNative<&CopyInplaceHook>())
      .def("__s_maybe_inplace_mutate__", FStructuralMutate::FromNative<&MutateInplaceHook>());
  List<Any> root;
  root.push_back(MakeInplaceHook(1));
  const Object* address = root[0].as<Object>();
  List<Any> result = StructuralMutate(Any(std::move(root)), kIncrement).cast<List<Any>>();
  EXPECT_EQ(result[0].as<Object>(), address);
  EXPECT_EQ(result[0].as<InplaceHookObj>()->a.cast<int>(), 2);
  Any shared = result[0];
  result = StructuralMutate(Any(result), kIncrement).cast<List<Any>>();
  EXPECT_EQ(shared.as<InplaceHookObj>()->a.cast<int>(), 2);
  EXPECT_EQ(result[0].as<InplaceHookObj>()->a.cast<int>(), 3);
}

using RawHook = TVMFFIAny (*)(StructuralMutatorObj*, AnyView) noexcept;

RawHook FindHook(const char* name, int32_t type_index) {
  return reinterpret_cast<RawHook>(refl::TypeAttrColumn(name)[type_index].cast<void*>());
}

TEST_F(StructuralMutateTest, ContainersHaveHooksForOtherLibraries) {
  List<Any> list{1, "x"};
  WithMutator([&](StructuralMutatorObj* mutator) {
    Any result = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(
        FindHook("__s_mutate__", TypeIndex::kTVMFFIList)(mutator, list));
    EXPECT_EQ(Text(result), "[2, \"x\"]");
    result = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(
        FindHook("__s_maybe_inplace_mutate__", TypeIndex::kTVMFFIList)(mutator, list));
    EXPECT_EQ(result.type_index(), TypeIndex::kTVMFFIUnchanged);
    EXPECT_EQ(Text(list), "[2, \"x\"]");
    String text("a text that is too long for sixteen bytes");
    result = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(
        FindHook("__s_mutate__", TypeIndex::kTVMFFIStr)(mutator, text));
    EXPECT_EQ(result.type_index(), TypeIndex::kTVMFFIUnchanged);
  });
  Any error = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(
      FindHook("__s_mutate__", TypeIndex::kTVMFFIMap)(nullptr, list));
  EXPECT_EQ(error.type_index(), TypeIndex::kTVMFFIError);
  for (int32_t type_index : {71, 72, 75, 76, 65, 66, 78}) {
    EXPECT_NE(FindHook("__s_mutate__", type_index), nullptr);
    EXPECT_NE(FindHook("__s_maybe_inplace_mutate__", type_index), nullptr);
  }
}

// ---------------------------------------------------------------- custom mutators

class OwnMutatorObj : public StructuralMutatorObj {
 public:
  OwnMutatorObj() : StructuralMutatorObj(&kTable) {}
  std::string calls;

 private:
  static TVMFFIAny MutateOne(OwnMutatorObj* self, AnyView value, InplaceMode mode) {
    self->calls += mode == InplaceMode::kAllow ? "!" : ".";
    if (std::optional<int64_t> number = value.as<int64_t>()) {
      return detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(*number * 10));
    }
    return detail::ExpectedUnsafe::MoveToTVMFFIAny(self->DefaultMutateExpected(value, mode));
  }
  static TVMFFIAny Mutate(StructuralMutatorObj* self, AnyView value) noexcept {
    return MutateOne(static_cast<OwnMutatorObj*>(self), value, InplaceMode::kDisallow);
  }
  static TVMFFIAny MutateInplace(StructuralMutatorObj* self, AnyView value) noexcept {
    return MutateOne(static_cast<OwnMutatorObj*>(self), value, InplaceMode::kAllow);
  }
  static TVMFFIAny Get(StructuralMutatorObj*, AnyView) noexcept {
    return AnyView("mapped").CopyToTVMFFIAny();
  }
  static TVMFFIAny Set(StructuralMutatorObj*, AnyView, AnyView) noexcept {
    return detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(Error("ValueError", "no memory", "")));
  }
  static constexpr StructuralMutatorVTable kTable = {&Mutate, &MutateInplace, &Get, &Set};
};

TEST_F(StructuralMutateTest, TablesOfFunctionsDecide) {
  auto own = make_object<OwnMutatorObj>();
  StructuralMutatorObj* mutator = own.get();
  EXPECT_EQ(sizeof(StructuralMutatorObj), 40u);
  EXPECT_EQ(Text(mutator->Mutate(Array<Any>{1, Pair(2, 3)})), "(10, test.mutate.Pair(a=20, b=30))");
  List<Any> root = UniqueNest();
  own->calls.clear();
  EXPECT_TRUE(mutator->Mutate(root, InplaceMode::kAllow).IsUnchanged());
  EXPECT_EQ(Text(root), "[10, [20]]");
  EXPECT_EQ(own->calls, "!.!.");
  EXPECT_EQ(mutator->VarRemapGetExpected(Dag(1)).value().cast<String>(), "mapped");
  EXPECT_ERROR(mutator->VarRemapSetExpected(Dag(1), 1).value(), "ValueError", "no memory");
  EXPECT_EQ(Text(mutator->Mutate(Dag(1))), "\"mapped\"");
}

class NamedEngine : public StructuralMapEngineBase {
 public:
  using MutatorObjType = NamedEngine;
  using StructuralMapEngineBase::StructuralMapEngineBase;
  int factor = 2;
};

TEST_F(StructuralMutateTest, EnginesGiveTheirOwnClass) {
  auto scale = [](int64_t value, NamedEngine* engine) { return value * engine->factor; };
  auto engine = make_object<StructuralMutateEngine<NamedEngine, decltype(scale)>>(scale);
  engine->factor = 3;
  EXPECT_EQ(Text(engine->Mutate(Array<Any>{1, 2})), "(3, 6)");
}

// ---------------------------------------------------------------- global functions

Function Global(const char* name) { return Function::GetGlobalRequired(name); }

template <typename F>
Function Fn1(F f) {
  return Function::FromTyped(f);
}

TEST_F(StructuralMutateTest, GlobalMapChoosesByTypeIndex) {
  using Entry = Tuple<int32_t, Function>;
  Array<Entry> none;
  Function map = Global("ffi.StructuralMap");
  Array<Any> root{1, true, "s", String("a text that is too long for sixteen bytes"), nullptr};
  auto count = [&](int32_t type_index) {
    int calls = 0;
    Function counter = Fn1([&](const Any& value) {
      ++calls;
      return value;
    });
    EXPECT_TRUE(map(root, Array<Entry>{Entry(type_index, counter)}, none, 1).same_as(root));
    return calls;
  };
  EXPECT_EQ(count(-1), 6);
  EXPECT_EQ(count(TypeIndex::kTVMFFIInt), 1);
  EXPECT_EQ(count(TypeIndex::kTVMFFIBool), 1);
  EXPECT_EQ(count(TypeIndex::kTVMFFINone), 1);
  EXPECT_EQ(count(TypeIndex::kTVMFFISmallStr), 1);
  EXPECT_EQ(count(TypeIndex::kTVMFFIStr), 2);
  EXPECT_EQ(count(TypeIndex::kTVMFFIObject), 2);
  EXPECT_EQ(count(TypeIndex::kTVMFFIArray), 1);
  EXPECT_EQ(count(99999), 0);
  Function kind = Fn1([](const Any&, int kind) { return kind; });
  EXPECT_EQ(Text(map(root, none, Array<Entry>{Entry(TypeIndex::kTVMFFIInt, kind)}, 0)),
            "(0, True, \"s\", \"a text that is too long for sixteen bytes\", None)");
}

TEST_F(StructuralMutateTest, GlobalMapChecksItsArguments) {
  using Entry = Tuple<int32_t, Function>;
  Array<Entry> none;
  Function map = Global("ffi.StructuralMap");
  Function same = Fn1([](const Any& value) { return value; });
  EXPECT_ERROR(map(1, none, none, 2), "ValueError", "Unknown structural map order: 2");
  EXPECT_ERROR(map(1, Array<Entry>{Entry(-2, same)}, none, 0), "TypeError",
               "ffi.StructuralMap callback type_index is negative, the only acceptable negative "
               "type_index is -1 for Any");
  EXPECT_ERROR(map(1, none, Array<Entry>{Entry(-1, Function(nullptr))}, 0), "TypeError",
               "ffi.StructuralMap callback is None");
}

TEST_F(StructuralMutateTest, GlobalMapTakesMovedRoots) {
  using Entry = Tuple<int32_t, Function>;
  List<Any> root = UniqueNest();
  const Object* address = root.get();
  Function increment = Fn1([](int64_t value) { return value + 1; });
  Any result = Global("ffi.StructuralMap")(RValueRef<List<Any>>(std::move(root)),
                                           Array<Entry>{Entry(1, increment)}, Array<Entry>(), 1);
  EXPECT_EQ(result.as<Object>(), address);
  EXPECT_EQ(Text(result), "[2, [3]]");
}

TEST_F(StructuralMutateTest, GlobalMutatePassesModeToThoseWhoWantIt) {
  using Entry = Tuple<int32_t, Function, bool>;
  Function mutate = Global("ffi.StructuralMutate");
  std::vector<int> modes;
  Function with_mode = Fn1([&](const Any& value, StructuralMutator mutator, int mode) {
    modes.push_back(mode);
    return Global("ffi.StructuralMutatorDefaultMutate")(mutator, value);
  });
  Function plain = Fn1([](int64_t value, StructuralMutator) { return value + 1; });
  Array<Entry> callbacks{Entry(TypeIndex::kTVMFFIList, with_mode, true),
                         Entry(TypeIndex::kTVMFFIInt, plain, false)};
  EXPECT_EQ(Text(mutate(RValueRef<List<Any>>(UniqueNest()), callbacks)), "[2, [3]]");
  EXPECT_EQ(modes, (std::vector<int>{1, 0}));
  EXPECT_ERROR(mutate(1, Array<Entry>{Entry(-7, plain, false)}), "TypeError",
               "ffi.StructuralMutate callback type_index is negative, the only acceptable negative "
               "type_index is -1 for Any");
}

TEST_F(StructuralMutateTest, GlobalMethodsOfTheMutator) {
  Var var("x", 1);
  int calls = 0;
  auto body = [&](StructuralMutatorObj* raw) {
    StructuralMutator mutator(detail::ObjectUnsafe::ObjectPtrFromUnowned<StructuralMutatorObj>(
        detail::ObjectUnsafe::GetHeader(raw)));
    Array<Any> same{"x"};
    EXPECT_TRUE(Global("ffi.StructuralMutatorMutate")(mutator, same).same_as(same));
    EXPECT_EQ(Text(Global("ffi.StructuralMutatorMutate")(mutator, Array<Any>{1})), "(2,)");
    EXPECT_TRUE(Global("ffi.StructuralMutatorDefaultMutate")(mutator, same).same_as(same));
    EXPECT_EQ(Global("ffi.StructuralMutatorVarRemapSet")(mutator, var, 5), nullptr);
    EXPECT_EQ(Global("ffi.StructuralMutatorVarRemapGet")(mutator, var).cast<int>(), 5);
    Function region = Global("ffi.StructuralMutatorDefRegionKind");
    EXPECT_EQ(region(mutator).cast<int>(), 0);
    Function with_region = Global("ffi.StructuralMutatorWithDefRegionKind");
    EXPECT_EQ(with_region(mutator, 1, Fn1([&]() { return region(mutator); })).cast<int>(), 1);
    EXPECT_ERROR(with_region(mutator, 7, region), "ValueError",
                 "7 is not a definition region kind");
    EXPECT_ERROR(
        refl::TypeAttrColumn("__ffi_shallow_copy__")[mutator.type_index()].cast<Function>()(
            mutator),
        "TypeError", "A `ffi.StructuralMutator` cannot be copied");
    ++calls;
  };
  WithMutator(body);
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(Global("ffi.StructuralMutatorMutate")(nullptr, 1), Error);
  EXPECT_THROW(Global("ffi.StructuralMutatorDefRegionKind")(var), Error);
}

}  // namespace
