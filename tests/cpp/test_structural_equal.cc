// SPDX-License-Identifier: Apache-2.0
// Test structural equality and the access paths of the first difference.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/tvm_ffi.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"
#include "on_threads.h"
#include "structural_objects.h"

namespace {

using namespace structural_objects;  // NOLINT(build/namespaces)

bool Equal(const Any& lhs, const Any& rhs, bool map_free_vars = false) {
  bool equal = StructuralEqual::Equal(lhs, rhs, map_free_vars);
  // GetFirstMismatch must find a mismatch if and only if the values are not equal.
  EXPECT_EQ(StructuralEqual::GetFirstMismatch(lhs, rhs, map_free_vars).has_value(), !equal);
  return equal;
}

// Return the paths of the first difference as `LEFT | RIGHT`, or `equal`.
std::string Mismatch(const Any& lhs, const Any& rhs, bool map_free_vars = false) {
  auto paths = StructuralEqual::GetFirstMismatch(lhs, rhs, map_free_vars);
  EXPECT_EQ(paths.has_value(), !StructuralEqual::Equal(lhs, rhs, map_free_vars));
  if (!paths.has_value()) return "equal";
  return std::string(ReprPrint((*paths).get<0>())) + " | " +
         std::string(ReprPrint((*paths).get<1>()));
}

Any Long(const char* text) { return String(std::string(text) + " that is long enough"); }

// ---------------------------------------------------------------- values

// spec: P01
TEST(StructuralEqual, PlainValuesAreEqualBitByBit) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(Equal(Any(), nullptr));
  EXPECT_TRUE(Equal(1, 1));
  EXPECT_FALSE(Equal(1, 2));
  EXPECT_FALSE(Equal(1, 1.0));
  EXPECT_FALSE(Equal(true, 1));
  EXPECT_FALSE(Equal(0, nullptr));
  EXPECT_TRUE(Equal(nan, -nan));
  EXPECT_TRUE(Equal(nan, std::nan("7")));
  EXPECT_FALSE(Equal(0.0, -0.0));
  EXPECT_TRUE(Equal(DLDevice{kDLCUDA, 1}, DLDevice{kDLCUDA, 1}));
  EXPECT_FALSE(Equal(DLDevice{kDLCUDA, 1}, DLDevice{kDLCUDA, 2}));
  EXPECT_TRUE(Equal(DLDataType{kDLInt, 8, 1}, DLDataType{kDLInt, 8, 1}));
}

// Compare the inline form and the heap form of the same content.
TEST(StructuralEqual, TextsAndBytesAreEqualByContent) {
  EXPECT_TRUE(Equal(String("a"), String("a")));
  EXPECT_TRUE(Equal(Long("a"), Long("a")));
  EXPECT_FALSE(Equal(Long("a"), Long("b")));
  EXPECT_FALSE(Equal(String("a"), String("a\0", 2)));
  EXPECT_FALSE(Equal(String("a"), Bytes("a", 1)));
  TVMFFIAny heap{};
  TVMFFIByteArray content{"a", 1};
  ASSERT_EQ(TVMFFIStringFromByteArray(&content, &heap), 0);
  EXPECT_TRUE(Equal(String("a"), details::AnyUnsafe::MoveTVMFFIAnyToAny(&heap)));
  EXPECT_TRUE(Equal(Bytes("bytes that are long", 19), Bytes("bytes that are long", 19)));
  EXPECT_FALSE(Equal(Bytes("bytes that are long", 19), Long("bytes")));
}

TEST(StructuralEqual, ShapesAreEqualByExtents) {
  EXPECT_TRUE(Equal(Shape({1, 2}), Shape({1, 2})));
  EXPECT_FALSE(Equal(Shape({1, 2}), Shape({1, 3})));
  EXPECT_FALSE(Equal(Shape({1, 2}), Shape({1, 2, 3})));
  EXPECT_TRUE(Equal(Shape(std::vector<int64_t>()), Shape(std::vector<int64_t>())));
}

TEST(StructuralEqual, SequencesAreEqualElementByElement) {
  EXPECT_TRUE(Equal(Array<Any>{1, Long("a")}, Array<Any>{1, Long("a")}));
  EXPECT_FALSE(Equal(Array<Any>{1, 2}, Array<Any>{2, 1}));
  EXPECT_FALSE(Equal(Array<Any>{1}, Array<Any>{1, 2}));
  EXPECT_TRUE(Equal(List<Any>{1}, List<Any>{1}));
  EXPECT_FALSE(Equal(List<Any>{1}, Array<Any>{1}));
  EXPECT_TRUE(Equal(Array<Any>(), Array<Any>()));
  EXPECT_TRUE(Equal(Array<Any>{Array<Any>{1}, 2}, Array<Any>{Array<Any>{1}, 2}));
  EXPECT_FALSE(Equal(Array<Any>{Array<Any>{1}, 2}, Array<Any>{Array<Any>{1}, 3}));
}

// spec: P01
TEST(StructuralEqual, MappingsAreEqualInAnyOrder) {
  Map<Any, Any> map{{1, 2}, {String("a"), Array<Any>{3}}};
  EXPECT_TRUE(Equal(map, Map<Any, Any>{{String("a"), Array<Any>{3}}, {1, 2}}));
  EXPECT_FALSE(Equal(map, Map<Any, Any>{{1, 2}}));
  EXPECT_FALSE(Equal(map, Map<Any, Any>{{1, 2}, {String("b"), Array<Any>{3}}}));
  EXPECT_FALSE(Equal(map, Map<Any, Any>{{1, 2}, {String("a"), Array<Any>{4}}}));
  EXPECT_FALSE(Equal(Map<Any, Any>{{1, 2}}, Dict<Any, Any>{{1, 2}}));
  EXPECT_TRUE(Equal(Dict<Any, Any>{{1, 2}}, Dict<Any, Any>{{1, 2}}));
  Map<Any, Any> many, same;
  for (int i = 0; i < 100; ++i) many.Set(i, Array<Any>{i});
  for (int i = 100; i-- > 0;) same.Set(i, Array<Any>{i});
  EXPECT_TRUE(Equal(many, same));
}

TEST(StructuralEqual, FieldsOfEachStorageCount) {
  ObjectPtr<FieldsObj> fields = some_fields();
  EXPECT_TRUE(Equal(fields, some_fields()));
  ObjectPtr<FieldsObj> other = some_fields();
  other->integer = -1;
  EXPECT_EQ(Mismatch(fields, other), "<root>.integer | <root>.integer");
  other = some_fields();
  other->small_integer = -1;
  EXPECT_EQ(Mismatch(fields, other), "<root>.small_integer | <root>.small_integer");
  other = some_fields();
  other->boolean = false;
  EXPECT_EQ(Mismatch(fields, other), "<root>.boolean | <root>.boolean");
  other = some_fields();
  other->number = std::nan("");
  EXPECT_EQ(Mismatch(fields, other), "<root>.number | <root>.number");
  fields->number = std::nan("1");
  EXPECT_TRUE(Equal(fields, other));
  fields = some_fields(), other = some_fields();
  other->text = "other";
  EXPECT_EQ(Mismatch(fields, other), "<root>.text | <root>.text");
  other = some_fields();
  other->bytes = Bytes("", 0);
  EXPECT_EQ(Mismatch(fields, other), "<root>.bytes | <root>.bytes");
  other = some_fields();
  other->any = Any();
  EXPECT_EQ(Mismatch(fields, other), "<root>.any | <root>.any");
  other = some_fields();
  other->optional = std::nullopt;
  EXPECT_EQ(Mismatch(fields, other), "<root>.optional | <root>.optional");
  other = some_fields();
  other->array = Array<Any>{1, Tree(3)};
  EXPECT_EQ(Mismatch(fields, other), "<root>.array[1].first | <root>.array[1].first");
  other = some_fields();
  other->object = ObjectRef();
  EXPECT_EQ(Mismatch(fields, other), "<root>.object | <root>.object");
  fields->object = ObjectRef();
  EXPECT_TRUE(Equal(fields, other));
  other->object = Array<Any>{};
  EXPECT_FALSE(Equal(fields, other));
}

TEST(StructuralEqual, ReferencesToHeapTextAreEqualByContent) {
  ObjectPtr<FieldsObj> fields = some_fields(), other = some_fields();
  fields->object = Long("x").cast<ObjectRef>();
  other->object = Long("x").cast<ObjectRef>();
  EXPECT_TRUE(Equal(fields, other));
  other->object = Long("y").cast<ObjectRef>();
  EXPECT_FALSE(Equal(fields, other));
}

// spec: P05
TEST(StructuralEqual, IgnoredFieldsDoNotCount) {
  EXPECT_TRUE(Equal(Commented(1, "x"), Commented(1, "y")));
  EXPECT_FALSE(Equal(Commented(1, "x"), Commented(2, "x")));
  EXPECT_TRUE(Equal(Commented(1, Unsupported(1)), Commented(1, Unsupported(2))));
}

TEST(StructuralEqual, TheFunctionObjectHasTheDefaults) {
  EXPECT_TRUE(StructuralEqual()(Tree(1), Tree(1)));
  EXPECT_FALSE(StructuralEqual()(Var(1), Var(1)));
}

// ---------------------------------------------------------------- structural kinds

// spec: P04
TEST(StructuralEqual, UniqueInstancesAreTheirIdentity) {
  Unique unique(1);
  EXPECT_TRUE(Equal(unique, unique));
  EXPECT_FALSE(Equal(unique, Unique(1)));
}

// spec: P04
TEST(StructuralEqual, ConstTreesAreLookedIntoUnlessIdentical) {
  ConstTree tree(Unsupported(1));
  EXPECT_TRUE(Equal(tree, tree));
  EXPECT_TRUE(Equal(ConstTree(1), ConstTree(1)));
  EXPECT_FALSE(Equal(ConstTree(1), ConstTree(2)));
}

// spec: P04
TEST(StructuralEqual, UnsupportedTypesAreRefused) {
  const char* text =
      "TypeError: _type_s_eq_hash_kind is not set for type `test_structural.Unsupported`, so "
      "StructuralHash is not supported for this type";
  Unsupported object(1);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(object, object); }), text);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(Tree(object), Tree(object)); }), text);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::GetFirstMismatch(object, Unsupported(1)); }), text);
  EXPECT_FALSE(Equal(object, Tree(1)));
  Function function = Function::FromTyped([]() {});
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(function, function); }),
            "TypeError: Type metadata is not set for type `ffi.Function`, so StructuralHash is not "
            "supported for this type");
}

// The lengths are compared first, unless the caller asks for the path of the difference.
TEST(StructuralEqual, LengthsComeBeforeElementsThatAreRefused) {
  Array<Any> one{Unsupported(1)}, two{Unsupported(1), 2};
  EXPECT_FALSE(StructuralEqual::Equal(one, two));
  EXPECT_THROW(StructuralEqual::GetFirstMismatch(one, two), Error);
}

// spec: P04
TEST(StructuralEqual, DagNodesMustBeSharedAlike) {
  Dag shared(1), other_shared(1);
  EXPECT_TRUE(Equal(Tree(shared, shared), Tree(other_shared, other_shared)));
  EXPECT_FALSE(Equal(Tree(shared, shared), Tree(Dag(1), Dag(1))));
  EXPECT_EQ(Mismatch(Tree(Dag(1), Dag(1)), Tree(shared, shared)), "<root>.second | <root>.second");
  EXPECT_TRUE(Equal(Tree(Dag(1), Dag(1)), Tree(Dag(1), Dag(1))));
  EXPECT_FALSE(Equal(Dag(1), Dag(2)));
  Tree tree(1);
  EXPECT_TRUE(Equal(Tree(tree, tree), Tree(Tree(1), Tree(1))));
}

// ---------------------------------------------------------------- variables

// spec: P02
TEST(StructuralEqual, FreeVariablesAreTheirIdentity) {
  Var x, y;
  x = Var(1), y = Var(1);
  EXPECT_TRUE(Equal(x, x));
  EXPECT_FALSE(Equal(x, y));
  EXPECT_FALSE(Equal(Var(1), Var(2)));
}

// spec: P02
TEST(StructuralEqual, FreeVariablesMayBeMapped) {
  Var x(1), y(1);
  EXPECT_TRUE(Equal(x, y, true));
  EXPECT_TRUE(Equal(Array<Any>{x, x}, Array<Any>{y, y}, true));
  EXPECT_FALSE(Equal(Array<Any>{x, x}, Array<Any>{x, y}, true));
  EXPECT_FALSE(Equal(Array<Any>{x, y}, Array<Any>{y, y}, true));
  EXPECT_TRUE(Equal(Array<Any>{x, y}, Array<Any>{y, x}, true));
  EXPECT_FALSE(Equal(Var(1), Var(2), true));
}

// spec: P02
TEST(StructuralEqual, DefinitionsBindTheirUses) {
  Var x(1, "x"), y(1, "y");
  EXPECT_TRUE(Equal(Function1(Array<Any>{x}, x), Function1(Array<Any>{y}, y)));
  EXPECT_EQ(Mismatch(Function1(Array<Any>{x}, x), Function1(Array<Any>{y}, x)),
            "<root>.second | <root>.second");
  EXPECT_TRUE(Equal(Function1(Array<Any>{x, y}, Array<Any>{x, y}),
                    Function1(Array<Any>{y, x}, Array<Any>{y, x})));
  EXPECT_FALSE(Equal(Function1(Array<Any>{x, y}, Array<Any>{x, y}),
                     Function1(Array<Any>{y, x}, Array<Any>{x, y})));
  // The use of `x` before its definition binds `x` to itself, so it cannot be bound to `y` later.
  EXPECT_FALSE(Equal(Array<Any>{x, Function1(x, x)}, Array<Any>{x, Function1(y, y)}));
}

// spec: P03
TEST(StructuralEqual, SimpleDefinitionsAreOfTheVariableAlone) {
  Var outer(1), other_outer(1);
  Var x{Any(outer)}, y{Any(other_outer)}, z{Any(outer)};
  EXPECT_TRUE(Equal(Function1(Array<Any>{x}, x), Function1(Array<Any>{y}, y)));
  EXPECT_EQ(Mismatch(SimpleFunction(Array<Any>{x}, x), SimpleFunction(Array<Any>{y}, y)),
            "<root>.first[0].first | <root>.first[0].first");
  EXPECT_TRUE(Equal(SimpleFunction(Array<Any>{x}, x), SimpleFunction(Array<Any>{z}, z)));
  EXPECT_TRUE(Equal(SimpleFunction(Tree(Var(1))), SimpleFunction(Tree(Var(1)))));
}

// spec: P03
TEST(StructuralEqual, RegionsInsideOneAnother) {
  auto variable = [] { return Var(Any(Var(1))); };
  auto simple = [&](Any part) { return SimpleFunction(Array<Any>{std::move(part)}); };
  auto pattern = [&](Any part) { return Function1(Array<Any>{std::move(part)}); };
  EXPECT_TRUE(Equal(simple(pattern(variable())), simple(pattern(variable()))));
  EXPECT_TRUE(Equal(pattern(simple(variable())), pattern(simple(variable()))));
  EXPECT_FALSE(Equal(simple(simple(variable())), simple(simple(variable()))));
  // A simple region excludes the type of a variable, but a new region may begin inside the type.
  EXPECT_TRUE(Equal(simple(Var(pattern(Var(1)))), simple(Var(pattern(Var(1))))));
  // If a field has both flags, the simple region is used.
  EXPECT_FALSE(Equal(BothFunction(variable()), BothFunction(variable())));
  EXPECT_TRUE(Equal(BothFunction(Var(1)), BothFunction(Var(1))));
}

TEST(StructuralEqual, KeysOfMappingsFollowTheBindings) {
  Var x(1), y(1);
  auto function = [](const Var& var, const Var& key) {
    return Function1(Array<Any>{var}, Map<Any, Any>{{key, 1}});
  };
  EXPECT_TRUE(Equal(function(x, x), function(y, y)));
  EXPECT_FALSE(Equal(function(x, x), function(y, x)));
  EXPECT_EQ(Mismatch(Function1(x, Map<Any, Any>{}), function(y, y)).substr(0, 12), "<root>.first");
  EXPECT_EQ(Mismatch(Function1(Array<Any>{x}, Map<Any, Any>{{x, 1}}),
                     Function1(Array<Any>{y}, Map<Any, Any>{{y, 2}})),
            "<root>.second[test_structural.Var(first=1, second=None)] | "
            "<root>.second[test_structural.Var(first=1, second=None)]");
}

// Both sides contain the same map, which is equal to itself. After a definition has bound its key
// `x` to another variable, the map is no longer equal to itself.
TEST(StructuralEqual, SharedMappingsAreLookedUpAgainAfterBindings) {
  Var x(1), y(1);
  Map<Any, Any> map{{x, 1}};
  EXPECT_FALSE(Equal(Array<Any>{map, Function1(x, x), map}, Array<Any>{map, Function1(y, y), map}));
  EXPECT_TRUE(Equal(Array<Any>{map, Function1(x, x), map}, Array<Any>{map, Function1(x, x), map}));
}

// ---------------------------------------------------------------- the path of the first difference

// spec: P06
TEST(StructuralEqual, MismatchOfSequences) {
  using A = Array<Any>;
  EXPECT_EQ(Mismatch(A{1, 2}, A{1, 2}), "equal");
  EXPECT_EQ(Mismatch(A{1, 2}, A{1, 2, 3}), "<root>[<missing:2>] | <root>[2]");
  EXPECT_EQ(Mismatch(A{1, 2, 3}, A{1, 2}), "<root>[2] | <root>[<missing:2>]");
  EXPECT_EQ(Mismatch(A{1, 5, 3}, A{1, 2}), "<root>[1] | <root>[1]");
  EXPECT_EQ(Mismatch(A{A{1}, A{}}, A{A{1}, A{2}}), "<root>[1][<missing:0>] | <root>[1][0]");
  EXPECT_EQ(Mismatch(A{}, List<Any>{}), "<root> | <root>");
  EXPECT_EQ(Mismatch(1, 2), "<root> | <root>");
  EXPECT_EQ(Mismatch(Shape({1, 2}), Shape({1, 3})), "<root> | <root>");
}

// spec: P06
TEST(StructuralEqual, MismatchOfMappings) {
  using M = Map<Any, Any>;
  String a("a"), b("b");
  EXPECT_EQ(Mismatch(M{{a, 1}}, M{}), "<root>[\"a\"] | <root>[<missing:\"a\">]");
  EXPECT_EQ(Mismatch(M{}, M{{a, 1}}), "<root>[<missing:\"a\">] | <root>[\"a\"]");
  EXPECT_EQ(Mismatch(M{{a, 1}, {b, 2}}, M{{a, 2}}), "<root>[\"a\"] | <root>[\"a\"]");
  EXPECT_EQ(Mismatch(M{{a, 1}}, M{{b, 1}}), "<root>[\"a\"] | <root>[<missing:\"a\">]");
  EXPECT_EQ(Mismatch(M{{a, 1}}, M{{b, 1}, {a, 1}}), "<root>[<missing:\"b\">] | <root>[\"b\"]");
  EXPECT_EQ(Mismatch(Dict<Any, Any>{{1, 2}, {3, 4}}, Dict<Any, Any>{{3, 5}, {1, 6}}),
            "<root>[1] | <root>[1]");
  EXPECT_EQ(Mismatch(M{{a, Array<Any>{1}}}, M{{a, Array<Any>{2}}}),
            "<root>[\"a\"][0] | <root>[\"a\"][0]");
}

// spec: P06
TEST(StructuralEqual, MismatchOfObjects) {
  EXPECT_EQ(Mismatch(Tree(1, Array<Any>{2}), Tree(1, Array<Any>{3})),
            "<root>.second[0] | <root>.second[0]");
  EXPECT_EQ(Mismatch(Tree(1), Dag(1)), "<root> | <root>");
  EXPECT_EQ(Mismatch(Array<Any>{Var(1)}, Array<Any>{Var(1)}), "<root>[0] | <root>[0]");
  EXPECT_EQ(Mismatch(Array<Any>{Unique(1)}, Array<Any>{Unique(1)}), "<root>[0] | <root>[0]");
  EXPECT_EQ(Mismatch(Var(1), Var(1)), "<root> | <root>");
  EXPECT_EQ(Mismatch(Var(1), Var(1), true), "equal");
}

// ---------------------------------------------------------------- tensors

struct Allocator {
  void AllocData(DLTensor* tensor) { tensor->data = new char[GetDataSize(*tensor) + 1]; }
  void FreeData(DLTensor* tensor) { delete[] static_cast<char*>(tensor->data); }
};

Tensor MakeTensor(std::vector<float> values, Shape shape) {
  DLDataType dtype{kDLFloat, 32, 1};
  Tensor tensor = Tensor::FromNDAlloc(Allocator(), shape, dtype, DLDevice{kDLCPU, 0});
  std::copy(values.begin(), values.end(), static_cast<float*>(tensor.data_ptr()));
  return tensor;
}

// spec: P07
TEST(StructuralEqual, TensorsAreEqualByShapeTypeAndBytes) {
  Tensor tensor = MakeTensor({1, 2}, {2});
  EXPECT_TRUE(Equal(tensor, tensor));
  EXPECT_TRUE(Equal(tensor, MakeTensor({1, 2}, {2})));
  EXPECT_FALSE(Equal(tensor, MakeTensor({1, 3}, {2})));
  EXPECT_FALSE(Equal(tensor, MakeTensor({1, 2}, {1, 2})));
  EXPECT_FALSE(Equal(tensor, MakeTensor({1, 2, 3}, {3})));
  EXPECT_TRUE(StructuralEqual::Equal(tensor, MakeTensor({1, 3}, {2}), false, true));
  EXPECT_FALSE(StructuralEqual::Equal(tensor, MakeTensor({1, 3, 4}, {3}), false, true));
  EXPECT_TRUE(Equal(MakeTensor({}, {0}), MakeTensor({}, {0})));
  EXPECT_TRUE(Equal(Array<Any>{tensor}, Array<Any>{MakeTensor({1, 2}, {2})}));
}

// spec: P07
TEST(StructuralEqual, TensorsElsewhereAreRefused) {
  Tensor lhs = MakeTensor({1, 2}, {2}), rhs = MakeTensor({1, 2}, {2});
  const_cast<DLTensor*>(rhs.GetDLTensorPtr())->device = DLDevice{kDLCUDA, 0};
  std::string text = ErrorOf([&] { StructuralEqual::Equal(lhs, rhs); });
  EXPECT_EQ(text.substr(0, 15), "InternalError: ");
  EXPECT_TRUE(contains(text, "can only compare CPU tensor")) << text;
  EXPECT_TRUE(StructuralEqual::Equal(lhs, rhs, false, true));
  EXPECT_TRUE(Equal(rhs, rhs));
}

TEST(StructuralEqual, TensorsWithGapsAreRefused) {
  Tensor lhs = MakeTensor({1, 2, 3, 4}, {2, 2}), rhs = MakeTensor({1, 2, 3, 4}, {2, 2});
  int64_t strides[] = {1, 2};
  const_cast<DLTensor*>(rhs.GetDLTensorPtr())->strides = strides;
  std::string text = ErrorOf([&] { StructuralEqual::Equal(lhs, rhs); });
  EXPECT_EQ(text.substr(0, 15), "InternalError: ");
  EXPECT_TRUE(contains(text, "Can only compare contiguous tensor")) << text;
}

// ---------------------------------------------------------------- hooks

// spec: P05
TEST(StructuralEqual, HooksStandInForTheFields) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    return compare(self.as<HookedObj>()->first, other.as<HookedObj>()->first, 0, "first");
  };
  EXPECT_TRUE(Equal(Hooked(1, 2), Hooked(1, 3)));
  EXPECT_EQ(Mismatch(Hooked(1, 2), Hooked(2, 2)), "<root>.first | <root>.first");
  EXPECT_EQ(Mismatch(Tree(Hooked(Array<Any>{1})), Tree(Hooked(Array<Any>{2}))),
            "<root>.first.first[0] | <root>.first.first[0]");
  EXPECT_EQ(Mismatch(Hooked(Any(Hooked(Array<Any>{}))), Hooked(Any(Hooked(Array<Any>{1})))),
            "<root>.first.first[<missing:0>] | <root>.first.first[0]");
}

TEST(StructuralEqual, HooksThatSayNoWithoutComparingDifferAsAWhole) {
  compare_hook() = [](const Any&, const Any&, const Compare&) { return false; };
  EXPECT_EQ(Mismatch(Array<Any>{Hooked(1)}, Array<Any>{Hooked(1)}), "<root>[0] | <root>[0]");
}

TEST(StructuralEqual, DifferencesThatAHookPassesOverDoNotCount) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    compare(self.as<HookedObj>()->first, other.as<HookedObj>()->first, 0, "first");
    return true;
  };
  EXPECT_EQ(Mismatch(Array<Any>{Hooked(1), 5}, Array<Any>{Hooked(2), 6}), "<root>[1] | <root>[1]");
}

// If both comparisons of the hook fail, the path of the first difference is reported.
TEST(StructuralEqual, HooksThatTryTwoWays) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    const auto *a = self.as<HookedObj>(), *b = other.as<HookedObj>();
    return compare(a->first, b->first, 0, "first") || compare(a->second, b->second, 0, "second");
  };
  EXPECT_EQ(Mismatch(Hooked(1, 2), Hooked(3, 4)), "<root>.first | <root>.first");
  EXPECT_TRUE(Equal(Hooked(1, 2), Hooked(3, 2)));
}

// A failed attempt of a hook must not leave bindings.
TEST(StructuralEqual, FailedAttemptsOfHooksLeaveNoBindings) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    const auto *a = self.as<HookedObj>(), *b = other.as<HookedObj>();
    return compare(Array<Any>{a->first, 1}, Array<Any>{b->second, 2}, 1, "") ||
           compare(a->first, b->first, 1, "first");
  };
  EXPECT_TRUE(Equal(Hooked(Var(1), Var(1)), Hooked(Var(1), Var(1))));
  EXPECT_TRUE(Equal(Array<Any>{Hooked(Dag(1), Dag(1))}, Array<Any>{Hooked(Dag(1), Dag(1))}));
}

TEST(StructuralEqual, HooksOpenRegions) {
  int kind = 0;
  compare_hook() = [&](const Any& self, const Any& other, const Compare& compare) {
    const auto *a = self.as<HookedObj>(), *b = other.as<HookedObj>();
    return compare(a->first, b->first, kind, "first") && compare(a->second, b->second, 0, "second");
  };
  auto function = [](Any type) {
    Var x(std::move(type));
    return Hooked(Array<Any>{x}, x);
  };
  EXPECT_FALSE(Equal(function(1), function(1)));
  for (int region : {1, 2}) {
    kind = region;
    EXPECT_TRUE(Equal(function(1), function(1)));
    EXPECT_EQ(Equal(function(Var(1)), function(Var(1))), region == 1);
  }
  // The definition region of the field of Function1 stays in effect while the hook runs.
  EXPECT_TRUE(Equal(Function1(function(Var(1))), Function1(function(Var(1)))));
  kind = 0;
  EXPECT_TRUE(Equal(Function1(function(Var(1))), Function1(function(Var(1)))));
  kind = 3;
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(function(1), function(1)); }),
            "ValueError: def_region_kind must be 0 (as it is), 1 (pattern) or 2 (simple), got 3");
}

TEST(StructuralEqual, HooksOfVariablesAndDagNodesCompareTheirFieldsOnly) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    if (const auto* var = self.as<HookedVarObj>()) {
      return compare(var->first, other.as<HookedVarObj>()->first, 0, "first");
    }
    return compare(self.as<HookedDagObj>()->first, other.as<HookedDagObj>()->first, 0, "first");
  };
  EXPECT_FALSE(Equal(HookedVar(1, 2), HookedVar(1, 2)));
  EXPECT_TRUE(Equal(HookedVar(1, 2), HookedVar(1, 3), true));
  EXPECT_FALSE(Equal(HookedVar(1), HookedVar(2), true));
  HookedDag shared(1);
  EXPECT_TRUE(Equal(Tree(shared, shared), Tree(shared, shared)));
  EXPECT_FALSE(Equal(Tree(shared, shared), Tree(HookedDag(1), HookedDag(1))));
}

TEST(StructuralEqual, ErrorsOfHooksComeThrough) {
  compare_hook() = [](const Any&, const Any&, const Compare&) -> bool {
    TVM_FFI_THROW(KeyError) << "from the hook";
    return true;
  };
  EXPECT_EQ(ErrorOf([] { StructuralEqual::Equal(Tree(Hooked(1)), Tree(Hooked(1))); }),
            "KeyError: from the hook");
  refl::TypeAttrColumn column("__s_equal__");
  EXPECT_EQ(column[HookedObj::RuntimeTypeIndex()].type_index(), kTVMFFIFunction);
}

// A hook may continue after a comparison has thrown an error or failed.
TEST(StructuralEqual, HooksMayCatchErrors) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    const auto *a = self.as<HookedObj>(), *b = other.as<HookedObj>();
    EXPECT_THROW(compare(a->first, b->first, 0, "first"), Error);
    return compare(a->second, b->second, 0, "second");
  };
  Tree shared(1);
  auto value = [&] {
    return Hooked(Array<Any>{Array<Any>{shared, Unsupported(1)}}, Array<Any>{shared, shared});
  };
  EXPECT_TRUE(Equal(value(), value()));
}

TEST(StructuralEqual, CallbacksThatHooksKeepStartAfresh) {
  Compare kept;
  compare_hook() = [&](const Any&, const Any&, const Compare& compare) {
    kept = compare;
    return true;
  };
  EXPECT_TRUE(StructuralEqual::Equal(Hooked(1), Hooked(1)));
  EXPECT_TRUE(kept(Array<Any>{1}, Array<Any>{1}, 0, "x"));
  EXPECT_FALSE(kept(Array<Any>{1}, Array<Any>{2}, 0, "x"));
  EXPECT_FALSE(kept(Var(1), Var(1), 0, "x"));
  EXPECT_TRUE(kept(Var(1), Var(1), 1, "x"));
}

// The hook empties the containers that are being compared.
TEST(StructuralEqual, HooksMayChangeTheValues) {
  List<Any> list;
  Dict<Any, Any> dict;
  compare_hook() = [&](const Any&, const Any&, const Compare&) {
    list.clear();
    dict.clear();
    return true;
  };
  for (int i = 0; i < 10; ++i) list.push_back(Tree(Hooked(i)));
  List<Any> same_list;
  for (int i = 0; i < 10; ++i) same_list.push_back(Tree(Hooked(i)));
  EXPECT_FALSE(StructuralEqual::Equal(list, same_list));
  Dict<Any, Any> same_dict;
  for (int i = 0; i < 10; ++i) dict.Set(Array<Any>{i}, Hooked(i));
  for (const auto& entry : dict) same_dict.Set(entry.first, Hooked(1));
  EXPECT_TRUE(StructuralEqual::Equal(dict, same_dict));
  for (int i = 0; i < 10; ++i) dict.Set(Array<Any>{i}, Hooked(i));
  Dict<Any, Any> left;
  for (const auto& entry : dict) left.Set(entry.first, Hooked(1));
  EXPECT_FALSE(StructuralEqual::GetFirstMismatch(left, dict).value().get<0>()->ToSteps().empty());
}

TEST(StructuralEqual, HooksNestToALimit) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    return compare(self.as<HookedObj>()->first, other.as<HookedObj>()->first, 0, "first");
  };
  auto chain = [](int depth) {
    Any inner = 1;
    for (int i = 0; i < depth; ++i) inner = Hooked(inner);
    return inner;
  };
  EXPECT_TRUE(StructuralEqual::Equal(chain(150), chain(150)));
  EXPECT_TRUE(contains(ErrorOf([&] { StructuralEqual::Equal(chain(1000), chain(1000)); }),
                       "ValueError: StructuralEqual: hooks are nested more than"));
}

// ---------------------------------------------------------------- references, depth and cycles

TEST(StructuralEqual, ReferencesAreReleased) {
  compare_hook() = [](const Any& self, const Any& other, const Compare& compare) {
    return compare(self.as<HookedObj>()->first, other.as<HookedObj>()->first, 1, "first");
  };
  Var x(1), y(1);
  Dag dag(x);
  Array<Any> lhs{x, dag, dag, Map<Any, Any>{{x, Hooked(x)}}, Hooked(dag)};
  Dag other_dag(y);
  Array<Any> rhs{y, other_dag, other_dag, Map<Any, Any>{{y, Hooked(y)}}, Hooked(other_dag)};
  int before[] = {x.use_count(), dag.use_count(), lhs.use_count(), y.use_count()};
  EXPECT_TRUE(Equal(lhs, rhs, true));
  EXPECT_FALSE(Equal(lhs, rhs));
  int after[] = {x.use_count(), dag.use_count(), lhs.use_count(), y.use_count()};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(before[i], after[i]);
}

// spec: P16
TEST(StructuralEqual, AMillionLevelsAreCompared) {
  constexpr int kDepth = 1000000;
  EXPECT_TRUE(StructuralEqual::Equal(nested_lists(kDepth, 1), nested_lists(kDepth, 1)));
  Any lhs = nested_lists(kDepth, 1), rhs = nested_lists(kDepth, 2);
  auto paths = StructuralEqual::GetFirstMismatch(lhs, rhs);
  ASSERT_TRUE(paths.has_value());
  EXPECT_EQ((*paths).get<0>()->depth, kDepth);
}

TEST(StructuralEqual, TooManyLevelsAreRefused) {
  Any lhs = nested_lists((1 << 20) + 1, 1), rhs = nested_lists((1 << 20) + 1, 1);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(lhs, rhs); }),
            "ValueError: StructuralEqual: maximum stack depth (1048576) exceeded");
}

TEST(StructuralEqual, CyclesAreRefused) {
  auto ring = [](int length) {
    List<Any> first;
    List<Any> last = first;
    for (int i = 1; i < length; ++i) last = List<Any>{last};
    first.push_back(last);
    return first;
  };
  const char* text =
      "ValueError: StructuralEqual: cyclic reference detected through type `ffi.List`";
  List<Any> a = ring(1), b = ring(1), c = ring(2), d = ring(3);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(a, a); }), text);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(a, b); }), text);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::Equal(c, List<Any>{d}); }), text);
  EXPECT_EQ(ErrorOf([&] { StructuralEqual::GetFirstMismatch(c, d); }), text);
  // The comparison of a cycle with a finite chain must terminate without an error.
  EXPECT_FALSE(Equal(a, nested_lists(100, 1)));
  Tree tree(1);
  const_cast<TreeObj*>(tree.get())->first = tree;
  EXPECT_TRUE(
      contains(ErrorOf([&] { StructuralEqual::Equal(tree, tree); }), "test_structural.Tree"));
  Var var(1);
  const_cast<VarObj*>(var.get())->first = Array<Any>{var};
  EXPECT_TRUE(contains(ErrorOf([&] { StructuralEqual::Equal(var, var); }), "ValueError"));
  Dict<Any, Any> dict;
  dict.Set(1, dict);
  EXPECT_TRUE(contains(ErrorOf([&] { StructuralEqual::Equal(dict, dict); }), "ffi.Dict"));
  for (const List<Any>& list : {a, b, c, d}) List<Any>(list).clear();
  const_cast<TreeObj*>(tree.get())->first = Any();
  const_cast<VarObj*>(var.get())->first = Any();
  dict.clear();
}

// Each of sixty levels refers twice to the next level, so there are 2^60 paths.
TEST(StructuralEqual, SharedPartsAreComparedOnce) {
  auto ladder = [] {
    Any rung = Tree(Var(1));
    for (int i = 0; i < 60; ++i) rung = Array<Any>{rung, rung};
    return rung;
  };
  EXPECT_TRUE(StructuralEqual::Equal(ladder(), ladder(), true));
  EXPECT_FALSE(StructuralEqual::Equal(ladder(), ladder()));
}

TEST(StructuralEqual, ThreadsMayCompareTheSameValues) {
  auto value = [] {
    Var x(1);
    return Function1(Array<Any>{x}, Array<Any>{x, some_fields(), Map<Any, Any>{{1, Dag(x)}}});
  };
  Function1 lhs = value(), rhs = value();
  uint64_t hash = StructuralHash::Hash(lhs);
  std::atomic<int> num_wrong{0};
  OnThreads(4, [&](int) {
    for (int round = 0; round < 200; ++round) {
      bool right = StructuralEqual::Equal(lhs, rhs) && StructuralHash::Hash(rhs) == hash;
      if (!right) ++num_wrong;
    }
  });
  EXPECT_EQ(num_wrong, 0);
}

// ---------------------------------------------------------------- fast paths and their tables

TEST(StructuralEqual, RunsOfPlainValuesEndAtTheFirstDifference) {
  const std::vector<std::pair<Any, Any>> different = {{1, 2},       {1, true},   {0, 0.0},
                                                      {0.0, -0.0},  {"a", "b"},  {"a", "ab"},
                                                      {0, nullptr}, {1, Tree(1)}};
  for (int64_t size = 1; size <= 10; ++size) {
    List<Any> lhs(std::vector<Any>(static_cast<size_t>(size), Any(7)));
    List<Any> rhs(lhs.begin(), lhs.end());
    EXPECT_TRUE(Equal(lhs, rhs));
    for (int64_t i = 0; i < size; ++i) {
      for (const auto& [left, right] : different) {
        lhs.Set(i, left);
        rhs.Set(i, right);
        std::string place = "<root>[" + std::to_string(i) + "]";
        EXPECT_EQ(Mismatch(lhs, rhs), place + " | " + place);
        rhs.Set(i, left);
        EXPECT_TRUE(Equal(lhs, rhs));
      }
      lhs.Set(i, 7);
      rhs.Set(i, 7);
    }
  }
}

TEST(StructuralEqual, BitsThatDifferMayBeEqualInTheMiddleOfARun) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  Array<Any> lhs = {1, 2, 3, 4, 5, nan, 6, 7, 8, 9};
  Array<Any> rhs = {1, 2, 3, 4, 5, -nan, 6, 7, 8, 9};
  EXPECT_TRUE(Equal(lhs, rhs));
  rhs.Set(9, 10);
  EXPECT_EQ(Mismatch(lhs, rhs), "<root>[9] | <root>[9]");
}

// The last field of each object is a container. If the caller does not ask for the path of the
// difference, the comparison goes on in the container without a stack frame for the object.
TEST(StructuralEqual, ObjectsThatEndInAContainerAreLookedInto) {
  auto make = [](int64_t first, int64_t leaf) {
    ObjectPtr<FieldsObj> object = make_object<FieldsObj>();
    object->integer = first;
    object->object = Array<Any>{1, Tree(leaf), 3};
    return ObjectRef(object);
  };
  EXPECT_EQ(Mismatch(make(1, 5), make(1, 5)), "equal");
  EXPECT_EQ(Mismatch(make(1, 5), make(2, 5)), "<root>.integer | <root>.integer");
  EXPECT_EQ(Mismatch(make(1, 5), make(1, 6)), "<root>.object[1].first | <root>.object[1].first");
  Any shared = make(1, 5);
  EXPECT_TRUE(Equal(Array<Any>{shared, shared}, Array<Any>{make(1, 5), shared}));
  EXPECT_FALSE(Equal(Array<Any>{shared, shared}, Array<Any>{make(1, 5), make(1, 6)}));
}

TEST(StructuralEqual, ANodeInsideItselfBesideALongerCycleIsRefused) {
  Dag one(1), first(1), second(first);
  auto set_first = [](const Dag& node, Any value) {
    const_cast<DagObj*>(node.get())->first = std::move(value);
  };
  set_first(one, one);
  set_first(first, second);
  EXPECT_THROW(StructuralEqual::Equal(one, first), Error);
  EXPECT_THROW(StructuralEqual::Equal(first, one), Error);
  set_first(one, Any());
  set_first(first, Any());
}

// Each thread reuses memory from earlier comparisons, but must not reuse their results.
TEST(StructuralEqual, ComparisonsDoNotRememberEarlierOnes) {
  Dag left(1), right(1), other(1);
  auto nodes = [](int64_t count) {
    Array<Any> result;
    for (int64_t i = 0; i < count; ++i) result.push_back(Dag(i));
    return result;
  };
  for (int64_t count : {0, 1, 3, 500, 20000, 2, 700, 0}) {
    EXPECT_TRUE(Equal(Array<Any>{left, left}, Array<Any>{right, right}));
    EXPECT_FALSE(Equal(Array<Any>{left, left}, Array<Any>{right, other}));
    EXPECT_TRUE(Equal(Array<Any>{left, left}, Array<Any>{other, other}));
    Array<Any> lhs = nodes(count), rhs = nodes(count);
    EXPECT_TRUE(Equal(Array<Any>{lhs, lhs, left}, Array<Any>{rhs, rhs, other}));
    lhs.push_back(left);
    rhs.push_back(right);
    EXPECT_FALSE(Equal(Array<Any>{lhs, left}, Array<Any>{rhs, other}));
  }
}

TEST(StructuralEqual, ComparisonsInsideHooksHaveTablesOfTheirOwn) {
  Dag left(1), right(1);
  compare_hook() = [](const Any&, const Any&, const Compare&) {
    Dag inner(1);
    return StructuralEqual::Equal(Array<Any>{inner, inner}, Array<Any>{inner, inner});
  };
  Array<Any> lhs = {left, Hooked(1), left}, rhs = {right, Hooked(2), right};
  EXPECT_TRUE(Equal(lhs, rhs));
  EXPECT_FALSE(Equal(lhs, Array<Any>{right, Hooked(2), Dag(1)}));
  compare_hook() = nullptr;
}

// ---------------------------------------------------------------- the global functions

TEST(StructuralEqual, GlobalFunctions) {
  Function equal = Function::GetGlobalRequired("ffi.StructuralEqual");
  EXPECT_TRUE(equal(Tree(1), Tree(1), false, false).cast<bool>());
  EXPECT_FALSE(equal(Var(1), Var(1), false, false).cast<bool>());
  EXPECT_TRUE(equal(Var(1), Var(1), true, false).cast<bool>());
  Function mismatch = Function::GetGlobalRequired("ffi.GetFirstStructuralMismatch");
  EXPECT_EQ(mismatch(1, 1, false, false).type_index(), kTVMFFINone);
  EXPECT_EQ(std::string(ReprPrint(mismatch(Tree(1), Tree(2), false, false))),
            "(<root>.first, <root>.first)");
}

TEST(StructuralEqual, AttributeKeyReadsTheHook) {
  AnyView value = refl::TypeAttrColumn(type_attr::kSEqual)[HookedObj::RuntimeTypeIndex()];
  EXPECT_TRUE(type_attr::kSEqual.ValueFrom(value).has_value());
  EXPECT_FALSE(type_attr::kSEqual.ValueFrom(AnyView()).has_value());
}

}  // namespace
