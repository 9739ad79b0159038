// SPDX-License-Identifier: Apache-2.0
// Test equality, order and hash of values by content.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/tvm_ffi.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct NodeObj : public Object {
  int64_t number = 0;
  double real = 0;
  bool flag = false;
  int32_t small = 0;
  uint64_t large = 0;
  String text;
  Any any;
  ObjectRef ref;
  int64_t not_compared = 0;
  int64_t not_hashed = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.Node", NodeObj, Object);
};

struct SubNodeObj : public NodeObj {
  Any more;
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.SubNode", SubNodeObj, NodeObj);
};

struct BareObj : public Object {
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.Bare", BareObj, Object);
};

// Hooks of this class compare and hash only `id`, so instances with equal ids are equal.
struct ByIdObj : public Object {
  int64_t id = 0;
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.ById", ByIdObj, Object);
};

// Instances are ordered by their content, in reverse order.
struct ReverseObj : public Object {
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.Reverse", ReverseObj, Object);
};

// The hooks of this class store the callbacks that they get as arguments, and clear the containers
// to which `victim` and `dict_victim` point.
struct MeanObj : public Object {
  Any content;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_compare.Mean", MeanObj, Object);
};

List<Any>* victim = nullptr;
Dict<Any, Any>* dict_victim = nullptr;
Function kept_equal, kept_hash;

void Strike() {
  if (victim != nullptr) victim->clear();
  if (dict_victim != nullptr) dict_victim->clear();
}

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NodeObj>()
      .def_rw("number", &NodeObj::number)
      .def_rw("real", &NodeObj::real)
      .def_rw("flag", &NodeObj::flag)
      .def_rw("small", &NodeObj::small)
      .def_rw("large", &NodeObj::large)
      .def_rw("text", &NodeObj::text)
      .def_rw("any", &NodeObj::any)
      .def_rw("ref", &NodeObj::ref)
      .def_rw("not_compared", &NodeObj::not_compared, refl::compare(false))
      .def_rw("not_hashed", &NodeObj::not_hashed, refl::hash(false));
  refl::ObjectDef<SubNodeObj>().def_rw("more", &SubNodeObj::more);
  refl::ObjectDef<ByIdObj>()
      .def_rw("id", &ByIdObj::id)
      .def_type_attr("__ffi_eq__", [](const ByIdObj* a, const ByIdObj* b,
                                      const Function&) { return a->id == b->id; })
      .def_type_attr("__ffi_hash__",
                     [](const ByIdObj* a, Function hash) { return hash(a->id).cast<int64_t>(); });
  refl::ObjectDef<ReverseObj>().def_type_attr(
      "__ffi_compare__", [](const ReverseObj* a, const ReverseObj* b, const Function& compare) {
        return compare(b->content, a->content).cast<int64_t>();
      });
  refl::ObjectDef<MeanObj>()
      .def_type_attr("__ffi_eq__",
                     [](const MeanObj* a, const MeanObj* b, const Function& equal) {
                       Strike();
                       kept_equal = equal;
                       return equal(a->content, b->content).cast<bool>();
                     })
      .def_type_attr("__ffi_hash__", [](const MeanObj* a, const Function& hash) {
        Strike();
        kept_hash = hash;
        return hash(a->content).cast<int64_t>();
      });
}

ObjectPtr<NodeObj> Node() { return make_object<NodeObj>(); }

ObjectPtr<ReverseObj> Reverse(Any content) {
  auto object = make_object<ReverseObj>();
  object->content = std::move(content);
  return object;
}

ObjectPtr<MeanObj> Mean(Any content) {
  auto object = make_object<MeanObj>();
  object->content = std::move(content);
  return object;
}

Any BigInt(std::vector<int64_t> words) {
  TVMFFIByteArray bytes{reinterpret_cast<const char*>(words.data()), words.size() * 8};
  TVMFFIAny value{};
  EXPECT_EQ(TVMFFIBigIntFromByteArray(&bytes, &value), 0);
  return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&value);
}

// Expect that order, equality and hash agree that two values are equal.
void ExpectEqual(const Any& a, const Any& b) {
  EXPECT_TRUE(RecursiveEq(a, b));
  EXPECT_TRUE(RecursiveEq(b, a));
  EXPECT_EQ(RecursiveHash(a), RecursiveHash(b));
}
void ExpectUnequal(const Any& a, const Any& b) {
  EXPECT_FALSE(RecursiveEq(a, b));
  EXPECT_FALSE(RecursiveEq(b, a));
}
void ExpectLess(const Any& a, const Any& b) {
  ExpectUnequal(a, b);
  EXPECT_TRUE(RecursiveLt(a, b));
  EXPECT_TRUE(RecursiveLe(a, b));
  EXPECT_FALSE(RecursiveGt(a, b));
  EXPECT_FALSE(RecursiveGe(a, b));
  EXPECT_FALSE(RecursiveLt(b, a));
  EXPECT_TRUE(RecursiveGe(b, a));
  EXPECT_TRUE(RecursiveLe(a, a));
  EXPECT_TRUE(RecursiveGe(a, a));
  EXPECT_FALSE(RecursiveLt(a, a));
}
void ExpectThrows(const Any& a, const Any& b, const char* kind, const std::string& message) {
  for (bool (*compare)(const Any&, const Any&) :
       {RecursiveLt, RecursiveLe, RecursiveGt, RecursiveGe}) {
    EXPECT_ERROR(compare(a, b), kind, message);
  }
}

// spec: Q04
TEST(RecursiveCompare, PlainValues) {
  ExpectEqual(Any(), Any());
  ExpectEqual(kNaN, -kNaN);
  ExpectEqual(0.0, -0.0);
  ExpectUnequal(1, 1.0);
  ExpectUnequal(1, true);
  ExpectUnequal(Any(), 0);
  ExpectEqual(String("short"), Any("short"));
  ExpectEqual(String("a text that is not inline"), String("a text that is not inline"));
  ExpectUnequal(String("a"), Bytes("a"));
  ExpectEqual(DLDataType{kDLInt, 32, 1}, DLDataType{kDLInt, 32, 1});
  ExpectEqual(Shape({1, 2}), Shape({1, 2}));
  ExpectEqual(BigInt({0, 1}), BigInt({0, 1}));
  ExpectUnequal(BigInt({0, 1}), 1);
}

// spec: Q05
TEST(RecursiveCompare, OrderOfPlainValues) {
  ExpectLess(Any(), -5);
  ExpectLess(Any(), String(""));
  ExpectLess(-1, 1);
  ExpectLess(false, true);
  ExpectLess(-0.5, 0.5);
  ExpectLess(String("ab"), String("b"));
  ExpectLess(String("a"), String("a longer text than the inline form"));
  ExpectLess(String("z"), String("\xc3\xa9"));
  ExpectLess(Bytes("a"), Bytes("b"));
  ExpectLess(DLDataType{kDLInt, 32, 1}, DLDataType{kDLInt, 64, 1});
  ExpectLess(DLDevice{kDLCPU, 0}, DLDevice{kDLCPU, 1});
  ExpectLess(Shape({1, 2}), Shape({1, 3}));
  ExpectLess(Shape({1}), Shape({1, 0}));
}

// spec: Q04
TEST(RecursiveCompare, IntegersOfAllSizesAreOneKind) {
  std::vector<Any> ascending = {
      BigInt({0, 0, -1}), BigInt({5, -2}), BigInt({6, -2}), INT64_MIN,        -1, 0, INT64_MAX,
      BigInt({-1, 0}),    BigInt({0, 1}),  BigInt({1, 1}),  BigInt({0, 0, 1})};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t k = i + 1; k < ascending.size(); ++k) ExpectLess(ascending[i], ascending[k]);
  }
}

// spec: Q05
TEST(RecursiveCompare, WhatHasNoOrder) {
  ExpectThrows(1, 1.0, "TypeError", "Cannot compare values of different types: int vs float");
  ExpectThrows(true, 1, "TypeError", "Cannot compare values of different types: bool vs int");
  ExpectThrows(kNaN, 1.0, "TypeError", "Cannot order NaN values");
  ExpectThrows(kNaN, kNaN, "TypeError", "Cannot order NaN values");
  ExpectThrows(String("too long to be inline"), Bytes("too long to be inline"), "TypeError",
               "Cannot compare values of different types: ffi.String vs ffi.Bytes");
  ExpectThrows(Array<Any>{1}, List<Any>{1}, "TypeError",
               "Cannot compare values of different types: ffi.Array vs ffi.List");
  ExpectThrows(reinterpret_cast<void*>(8), reinterpret_cast<void*>(16), "TypeError",
               "Cannot order values of type void*");
  ExpectThrows(Map<Any, Any>{{1, 2}}, Map<Any, Any>{{1, 3}}, "TypeError",
               "Cannot order Map/Dict values");
  ExpectThrows(Map<Any, Any>{{1, Array<Any>{2}}}, Map<Any, Any>{{1, Array<Any>{3}}}, "TypeError",
               "Cannot order Map/Dict values");
  ExpectThrows(Map<Any, Any>{{1, 2}}, Map<Any, Any>{{1, 2}, {2, 3}}, "TypeError",
               "Cannot order Map/Dict values");
  ExpectThrows(Node(), make_object<BareObj>(), "TypeError",
               "Cannot compare values of different types: test_compare.Node vs test_compare.Bare");
  EXPECT_TRUE(RecursiveLe(reinterpret_cast<void*>(8), reinterpret_cast<void*>(8)));
}

TEST(RecursiveCompare, Sequences) {
  ExpectEqual(Array<Any>{1, String("x")}, Array<Any>{1, String("x")});
  ExpectEqual(List<Any>{}, List<Any>{});
  ExpectUnequal(Array<Any>{1}, List<Any>{1});
  EXPECT_NE(RecursiveHash(Array<Any>{1}), RecursiveHash(List<Any>{1}));
  ExpectLess(Array<Any>{1}, Array<Any>{1, 0});
  ExpectLess(Array<Any>{1, 5}, Array<Any>{2});
  ExpectLess(List<Any>{Array<Any>{1}}, List<Any>{Array<Any>{2}});
  EXPECT_NE(RecursiveHash(Array<Any>{1, 2}), RecursiveHash(Array<Any>{2, 1}));
  EXPECT_NE(RecursiveHash(Array<Any>{Array<Any>{}, 1}), RecursiveHash(Array<Any>{Array<Any>{1}}));
}

TEST(RecursiveCompare, MappingsWhateverTheOrder) {
  Map<Any, Any> forward{{1, 2}, {String("k"), Array<Any>{3}}, {5, 6}, {7, 8}, {9, 10}};
  Map<Any, Any> backward{{9, 10}, {7, 8}, {5, 6}, {String("k"), Array<Any>{3}}, {1, 2}};
  ExpectEqual(forward, backward);
  EXPECT_TRUE(RecursiveLe(forward, backward));
  EXPECT_FALSE(RecursiveLt(forward, backward));
  ExpectUnequal(forward, Map<Any, Any>{{1, 2}});
  ExpectUnequal(Map<Any, Any>{{1, 2}}, Dict<Any, Any>{{1, 2}});
  ExpectUnequal(Map<Any, Any>{{1, 2}}, Map<Any, Any>{{2, 2}});
  // Objects are compared by identity if they are keys.
  Any key = Node(), other = Node();
  ExpectEqual(Map<Any, Any>{{key, 1}}, Map<Any, Any>{{key, 1}});
  ExpectUnequal(Map<Any, Any>{{key, 1}}, Map<Any, Any>{{other, 1}});
}

TEST(RecursiveCompare, EveryFieldCounts) {
  void (*changes[])(NodeObj*) = {
      [](NodeObj* n) { n->number = -1; },      [](NodeObj* n) { n->real = 0.5; },
      [](NodeObj* n) { n->flag = true; },      [](NodeObj* n) { n->small = -1; },
      [](NodeObj* n) { n->large = 1; },        [](NodeObj* n) { n->text = "t"; },
      [](NodeObj* n) { n->any = Any(false); }, [](NodeObj* n) { n->ref = Array<Any>{1}; }};
  for (auto change : changes) {
    ObjectPtr<NodeObj> plain = Node(), changed = Node(), also_changed = Node();
    change(changed.get());
    change(also_changed.get());
    ExpectUnequal(plain, changed);
    EXPECT_NE(RecursiveHash(plain), RecursiveHash(changed));
    ExpectEqual(changed, also_changed);
  }
}

// spec: Q04
TEST(RecursiveCompare, FieldsThatDoNotCount) {
  ObjectPtr<NodeObj> a = Node(), b = Node();
  a->not_compared = 1;
  ExpectEqual(a, b);
  a->not_hashed = 1;
  EXPECT_FALSE(RecursiveEq(a, b));
  EXPECT_EQ(RecursiveHash(a), RecursiveHash(b));
}

// spec: Q05
TEST(RecursiveCompare, ObjectsAreOrderedFieldByField) {
  ObjectPtr<NodeObj> a = Node(), b = Node();
  a->small = 7;
  b->number = 1;
  ExpectLess(a, b);
  b->number = 0;
  b->small = 7;
  b->any = 1;
  ExpectLess(a, b);
  auto sub = make_object<SubNodeObj>(), other = make_object<SubNodeObj>();
  other->more = 1;
  ExpectLess(sub, other);
  ExpectUnequal(sub, Node());
}

TEST(RecursiveCompare, ObjectsWithoutFieldsAreEqual) {
  ExpectEqual(make_object<BareObj>(), make_object<BareObj>());
  ExpectEqual(Function::FromTyped([]() {}), Function::FromTyped([]() {}));
  EXPECT_TRUE(RecursiveLe(make_object<BareObj>(), make_object<BareObj>()));
}

// spec: Q05
TEST(RecursiveCompare, CyclesEnd) {
  List<Any> a, b;
  a.push_back(a);
  b.push_back(b);
  ExpectEqual(a, b);
  ExpectThrows(a, b, "ValueError", "RecursiveCompare: cyclic reference detected in ordering");
  EXPECT_TRUE(RecursiveLe(a, a));
  Dict<Any, Any> c, d;
  c.Set(1, c);
  d.Set(1, d);
  ExpectEqual(c, d);
  b.push_back(1);
  ExpectUnequal(a, b);
  ObjectPtr<NodeObj> n = Node(), m = Node();
  n->any = n;
  m->any = m;
  ExpectEqual(n, m);
  m->number = 1;
  ExpectUnequal(n, m);
  n->any = nullptr;
  m->any = nullptr;
  a.clear();
  b.clear();
  c.clear();
  d.clear();
}

Any Chain(int64_t depth, Any end) {
  Any chain = std::move(end);
  for (int64_t i = 0; i < depth; ++i) chain = Array<Any>{chain};
  return chain;
}

TEST(RecursiveCompare, AMillionLevels) {
  Any a = Chain(1000000, 1), b = Chain(1000000, 1), c = Chain(1000000, 2);
  ExpectEqual(a, b);
  ExpectLess(a, c);
}

TEST(RecursiveCompare, TooManyLevelsAreAnError) {
  Any a = Chain((1 << 20) + 1, 1), b = Chain((1 << 20) + 1, 1);
  auto expect = [](const std::string& operation, auto function) {
    EXPECT_ERROR(function(), "ValueError", operation + ": maximum stack depth (1048576) exceeded");
  };
  expect("RecursiveCompare", [&] { RecursiveEq(a, b); });
  expect("RecursiveCompare", [&] { RecursiveLt(a, b); });
  expect("RecursiveHash", [&] { RecursiveHash(a); });
}

// Each level refers twice to the next, which gives 2^200 paths.
TEST(RecursiveCompare, SharedPartsAreComparedOneTime) {
  Any a = Array<Any>{1}, b = Array<Any>{1};
  for (int i = 0; i < 200; ++i) {
    a = Array<Any>{a, a};
    b = Array<Any>{b, b};
  }
  ExpectEqual(a, b);
  EXPECT_TRUE(RecursiveLe(a, b));
}

// The hash does not depend on whether equal parts are the same object.
TEST(RecursiveCompare, SharingDoesNotMatter) {
  Any part = Array<Any>{1};
  ExpectEqual(Array<Any>{part, part}, Array<Any>{Array<Any>{1}, Array<Any>{1}});
}

ObjectPtr<ByIdObj> ById(int64_t id, Any content) {
  auto object = make_object<ByIdObj>();
  object->id = id;
  object->content = std::move(content);
  return object;
}

// spec: Q06
TEST(RecursiveHooks, EqualityAndHash) {
  ExpectEqual(ById(1, 1), ById(1, 2));
  ExpectUnequal(ById(1, 1), ById(2, 1));
  ExpectEqual(Array<Any>{ById(1, 1)}, Array<Any>{ById(1, 2)});
  // The class has no hook for the order, so its fields are compared in order.
  EXPECT_TRUE(RecursiveLt(ById(1, 5), ById(2, 1)));
}

// spec: Q06
TEST(RecursiveHooks, CompareServesEqualityToo) {
  EXPECT_TRUE(RecursiveLt(Reverse(2), Reverse(1)));
  EXPECT_FALSE(RecursiveLt(Reverse(1), Reverse(2)));
  EXPECT_TRUE(RecursiveEq(Reverse(1), Reverse(1)));
  EXPECT_FALSE(RecursiveEq(Reverse(1), Reverse(2)));
  EXPECT_TRUE(RecursiveLt(Array<Any>{Reverse(Reverse(1))}, Array<Any>{Reverse(Reverse(2))}));
}

// spec: Q06
TEST(RecursiveHooks, EqualityWithoutHashIsRefused) {
  EXPECT_ERROR(
      RecursiveHash(Array<Any>{Reverse(1)}), "ValueError",
      "RecursiveHash: type 'test_compare.Reverse' defines __ffi_eq__ or __ffi_compare__ but "
      "not __ffi_hash__. Add a __ffi_hash__ hook to maintain the invariant "
      "RecursiveEq(a,b) => RecursiveHash(a)==RecursiveHash(b).");
}

TEST(RecursiveHooks, CyclesThroughHooksEnd) {
  List<Any> a, b;
  ObjectPtr<MeanObj> in_a = Mean(a), in_b = Mean(b);
  a.push_back(in_a);
  b.push_back(in_b);
  EXPECT_TRUE(RecursiveEq(a, b));
  EXPECT_TRUE(RecursiveEq(in_a, in_b));
  RecursiveHash(in_a);
  List<Any> c, d;
  c.push_back(Reverse(c));
  d.push_back(Reverse(d));
  ExpectThrows(c, d, "ValueError", "RecursiveCompare: cyclic reference detected in ordering");
  for (List<Any>* list : {&a, &b, &c, &d}) list->clear();
}

TEST(RecursiveHooks, NestingIsLimited) {
  Any a = 1, b = 1;
  for (int i = 0; i < 150; ++i) {
    a = Mean(a);
    b = Mean(b);
  }
  ExpectEqual(a, b);
  for (int i = 0; i < 100; ++i) {
    a = Mean(a);
    b = Mean(b);
  }
  EXPECT_THROW(RecursiveEq(a, b), Error);
  EXPECT_THROW(RecursiveHash(a), Error);
  ExpectEqual(Mean(1), Mean(1));  // succeeds, since the errors have reset the nesting count
}

TEST(RecursiveHooks, AnInnerDifferenceIsForgotten) {
  // A hook may ignore the result of its callback; here the callback finds a difference in the first
  // part.
  Any shared = Array<Any>{1};
  Any a = Array<Any>{Mean(Array<Any>{shared, 1}), 5};
  Any b = Array<Any>{Mean(Array<Any>{Array<Any>{1}, 2}), 5};
  EXPECT_FALSE(RecursiveEq(a, b));
}

TEST(RecursiveHooks, MayChangeWhatIsCompared) {
  for (int round = 0; round < 2; ++round) {
    List<Any> a, b;
    for (int i = 0; i < 5; ++i) {
      a.push_back(Array<Any>{Mean(i)});
      b.push_back(Array<Any>{Mean(i)});
    }
    victim = round == 0 ? &a : &b;
    EXPECT_FALSE(RecursiveEq(a, b));
    RecursiveHash(*victim);
    victim = nullptr;
  }
  Dict<Any, Any> d, e;
  for (int i = 0; i < 9; ++i) {
    d.Set(i, Array<Any>{Mean(i)});
    e.Set(i, Array<Any>{Mean(i)});
  }
  dict_victim = &d;
  RecursiveEq(d, e);
  dict_victim = &e;
  RecursiveEq(d, e);
  RecursiveHash(e);
  dict_victim = nullptr;
}

TEST(RecursiveHooks, CallbacksMayBeKept) {
  EXPECT_TRUE(RecursiveEq(Mean(1), Mean(1)));
  RecursiveHash(Mean(1));
  EXPECT_TRUE(kept_equal(Array<Any>{1}, Array<Any>{1}).cast<bool>());
  EXPECT_FALSE(kept_equal(1, 2).cast<bool>());
  EXPECT_EQ(kept_hash(Array<Any>{1}).cast<int64_t>(), RecursiveHash(Array<Any>{1}));
  kept_equal = Function();
  kept_hash = Function();
}

TEST(RecursiveCompare, GlobalFunctions) {
  for (const char* name : {"ffi.RecursiveEq", "ffi.RecursiveLe", "ffi.RecursiveGe"}) {
    EXPECT_TRUE(Function::GetGlobalRequired(name)(Array<Any>{1}, Array<Any>{1}).cast<bool>());
  }
  for (const char* name : {"ffi.RecursiveLt", "ffi.RecursiveGt"}) {
    EXPECT_FALSE(Function::GetGlobalRequired(name)(Array<Any>{1}, Array<Any>{1}).cast<bool>());
  }
  EXPECT_EQ(Function::GetGlobalRequired("ffi.RecursiveHash")(7).cast<int64_t>(), RecursiveHash(7));
}

}  // namespace
