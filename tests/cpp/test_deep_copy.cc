// SPDX-License-Identifier: Apache-2.0
// Test deep copies.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/tvm_ffi.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

struct NodeObj : public Object {
  int64_t number = 0;
  Any any;
  Array<ObjectRef> parts;
  static constexpr bool _type_mutable = true;
  static inline int alive = 0;
  NodeObj() { ++alive; }
  NodeObj(const NodeObj& other)
      : Object(other), number(other.number), any(other.any), parts(other.parts) {
    ++alive;
  }
  ~NodeObj() { --alive; }
  TVM_FFI_DECLARE_OBJECT_INFO("test_copy.Node", NodeObj, Object);
};

struct OnlyOneObj : public Object {
  OnlyOneObj() = default;
  OnlyOneObj(const OnlyOneObj&) = delete;
  TVM_FFI_DECLARE_OBJECT_INFO("test_copy.OnlyOne", OnlyOneObj, Object);
};

// A class whose copy function returns the object itself.
struct ConstantObj : public Object {
  Any content;
  ConstantObj() = default;
  ConstantObj(const ConstantObj&) = delete;
  TVM_FFI_DECLARE_OBJECT_INFO("test_copy.Constant", ConstantObj, Object);
};

// A class whose copy function empties a list of the graph that is being copied.
struct MeanObj : public Object {
  Any content;
  MeanObj() = default;
  MeanObj(const MeanObj&) = delete;
  TVM_FFI_DECLARE_OBJECT_INFO("test_copy.Mean", MeanObj, Object);
};

// A value whose conversion throws an error of the kind `thrown`.
struct Picky {
  Any value;
  static inline const char* thrown = nullptr;
  static inline int num_before_throw = 0;
};
struct PickyHolderObj : public Object {
  Picky part;
  Any rest;
  TVM_FFI_DECLARE_OBJECT_INFO("test_copy.PickyHolder", PickyHolderObj, Object);
};

}  // namespace

template <>
struct tvm::ffi::TypeTraits<Picky> : public TypeTraitsBase {
  static void CopyToAnyView(const Picky& source, TVMFFIAny* result) {
    *result = AnyView(source.value).CopyToTVMFFIAny();
  }
  static void MoveToAny(Picky source, TVMFFIAny* result) {
    *result = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(source.value));
  }
  static bool CheckAnyStrict(const TVMFFIAny*) { return false; }
  static Picky CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return Picky{Any(AnyView::CopyFromTVMFFIAny(*source))};
  }
  static std::optional<Picky> TryCastFromAnyView(const TVMFFIAny* source) {
    if (Picky::thrown != nullptr && Picky::num_before_throw-- == 0) {
      throw Error(Picky::thrown, "from the setter", "");
    }
    return CopyFromAnyViewAfterCheck(source);
  }
  static std::string TypeStr() { return "Picky"; }
};

namespace {

List<Any>* victim = nullptr;
Dict<Any, Any>* dict_victim = nullptr;

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<NodeObj>()
      .def_ro("number", &NodeObj::number)
      .def_rw("any", &NodeObj::any)
      .def_ro("parts", &NodeObj::parts);
  refl::ObjectDef<OnlyOneObj>();
  refl::ObjectDef<PickyHolderObj>()
      .def_rw("part", &PickyHolderObj::part)
      .def_ro("rest", &PickyHolderObj::rest);
  refl::ObjectDef<ConstantObj>()
      .def_ro("content", &ConstantObj::content)
      .def_type_attr("__ffi_shallow_copy__",
                     [](const ConstantObj* self) { return tvm::ffi::GetRef<ObjectRef>(self); });
  refl::ObjectDef<MeanObj>()
      .def_ro("content", &MeanObj::content)
      .def_type_attr("__ffi_shallow_copy__", [](const MeanObj* self) {
        if (victim != nullptr) victim->clear();
        if (dict_victim != nullptr) dict_victim->clear();
        auto copy = make_object<MeanObj>();
        copy->content = self->content;
        return ObjectRef(copy);
      });
}

ObjectPtr<NodeObj> Node(Any any = Any()) {
  auto node = make_object<NodeObj>();
  node->any = std::move(any);
  return node;
}

bool SameObject(const Any& a, const Any& b) { return a.same_as(b); }

// spec: Q03
TEST(DeepCopy, WhatNeverChangesIsShared) {
  for (const Any& value :
       {Any(), Any(1), Any(1.5), Any(true), Any(String("a text that is not inline")),
        Any(Bytes("bytes that are not inline")), Any(Shape({1, 2}))}) {
    EXPECT_TRUE(SameObject(DeepCopy(value), value));
  }
}

TEST(DeepCopy, ContainersAreNewAllTheWayDown) {
  std::vector<Any> containers = {Array<Any>{1, Array<Any>{2}}, List<Any>{1, List<Any>{}},
                                 Map<Any, Any>{{1, Array<Any>{2}}, {String("k"), 3}},
                                 Dict<Any, Any>{{Array<Any>{2}, 1}}};
  for (const Any& container : containers) {
    Any copy = DeepCopy(container);
    EXPECT_EQ(copy.type_index(), container.type_index());
    EXPECT_FALSE(SameObject(copy, container));
    EXPECT_EQ(ReprPrint(copy), ReprPrint(container));
  }
  EXPECT_FALSE(SameObject(DeepCopy(containers[0]).cast<Array<Any>>()[1],
                          containers[0].cast<Array<Any>>()[1]));
  Any key = (*DeepCopy(containers[3]).cast<Dict<Any, Any>>().begin()).first;
  EXPECT_FALSE(SameObject(key, (*containers[3].cast<Dict<Any, Any>>().begin()).first));
  EXPECT_TRUE(RecursiveEq(key, Array<Any>{2}));
}

// A copied map can grow, and two references to it do not see each other's changes.
TEST(DeepCopy, CopiedMapsGrow) {
  for (int size : {0, 3, 4, 5, 40}) {
    Map<Any, Any> map;
    for (int i = 0; i < size; ++i) map.Set(i, i);
    auto copy = DeepCopy(map).cast<Map<Any, Any>>();
    Map<Any, Any> other = copy;
    for (int i = 0; i < 100; ++i) copy.Set(i + 1000, i);
    EXPECT_EQ(copy.size(), static_cast<size_t>(size + 100));
    EXPECT_EQ(other.size(), static_cast<size_t>(size));
    EXPECT_TRUE(RecursiveEq(other, map));
    int expected = 0;
    for (const auto& [key, value] : other) EXPECT_EQ(key.cast<int>(), expected++);
  }
}

TEST(DeepCopy, ObjectsAndTheirFields) {
  auto inner = Node(7);
  auto node = Node(List<Any>{inner});
  node->number = 5;
  node->parts = Array<ObjectRef>{ObjectRef(inner)};
  auto copy = DeepCopy(node).cast<ObjectPtr<NodeObj>>();
  EXPECT_EQ(copy->number, 5);
  EXPECT_EQ(ReprPrint(copy), ReprPrint(node));
  Any inner_copy = copy->any.cast<List<Any>>()[0];
  EXPECT_FALSE(SameObject(inner_copy, inner));
  EXPECT_TRUE(SameObject(inner_copy, copy->parts[0]));
  EXPECT_EQ(inner_copy.cast<ObjectPtr<NodeObj>>()->any.cast<int>(), 7);
}

// spec: Q03
TEST(DeepCopy, SharingIsKept) {
  Any shared = List<Any>{1};
  auto copy = DeepCopy(Array<Any>{shared, shared, Map<Any, Any>{{1, shared}}}).cast<Array<Any>>();
  EXPECT_TRUE(SameObject(copy[0], copy[1]));
  EXPECT_TRUE(SameObject(copy[0], copy[2].cast<Map<Any, Any>>()[1]));
  EXPECT_FALSE(SameObject(copy[0], shared));
}

// spec: Q03
TEST(DeepCopy, CyclesAreKept) {
  List<Any> list;
  Array<Any> array{list};
  list.push_back(array);
  auto list_copy = DeepCopy(list).cast<List<Any>>();
  EXPECT_TRUE(SameObject(list_copy[0].cast<Array<Any>>()[0], list_copy));
  EXPECT_FALSE(SameObject(list_copy, list));
  auto array_copy = DeepCopy(array).cast<Array<Any>>();
  EXPECT_TRUE(SameObject(array_copy[0].cast<List<Any>>()[0], array_copy));
  Dict<Any, Any> dict;
  Map<Any, Any> map{{1, dict}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}};
  dict.Set(0, map);
  auto map_copy = DeepCopy(map).cast<Map<Any, Any>>();
  EXPECT_TRUE(SameObject(map_copy[1].cast<Dict<Any, Any>>()[0], map_copy));
  EXPECT_EQ(map_copy.size(), 6u);
  auto node = Node();
  node->parts = Array<ObjectRef>{ObjectRef(node)};
  auto node_copy = DeepCopy(node).cast<ObjectPtr<NodeObj>>();
  EXPECT_TRUE(SameObject(node_copy->parts[0], node_copy));
  auto parts_copy = DeepCopy(node->parts).cast<Array<ObjectRef>>();
  EXPECT_TRUE(SameObject(parts_copy[0].as<NodeObj>()->parts, parts_copy));

  const_cast<NodeObj*>(parts_copy[0].as<NodeObj>())->parts = {};
  node->parts = {};
  node_copy->parts = {};
  list.clear();
  list_copy.clear();
  array_copy[0].cast<List<Any>>().clear();
  dict.clear();
  map_copy[1].cast<Dict<Any, Any>>().clear();
}

void ExpectNotCopyable(const Any& value, const std::string& type_key) {
  EXPECT_ERROR(
      DeepCopy(value), "InternalError",
      "Cannot deep copy object of type \"" + type_key + "\" because it is not copy-constructible");
}

// spec: Q03
TEST(DeepCopy, WhatCannotBeCopied) {
  ExpectNotCopyable(Function::FromTyped([] {}), "ffi.Function");
  ExpectNotCopyable(Array<Any>{1, Function::FromTyped([] {})}, "ffi.Function");
  ExpectNotCopyable(Map<Any, Any>{{1, Error("ValueError", "", "")}}, "ffi.Error");
  ExpectNotCopyable(Node(make_object<OnlyOneObj>()), "test_copy.OnlyOne");
}

TEST(DeepCopy, AnErrorLeavesNothingBehind) {
  int before = NodeObj::alive;
  {
    List<Any> list;
    auto node = Node(list);
    auto other = Node(node);
    node->parts = Array<ObjectRef>{ObjectRef(other)};
    list.push_back(node);
    list.push_back(list);
    list.push_back(Function::FromTyped([] {}));
    EXPECT_THROW(DeepCopy(list), Error);
    EXPECT_EQ(NodeObj::alive, before + 2);
    node->parts = {};
    list.clear();
  }
  EXPECT_EQ(NodeObj::alive, before);
}

// After an error, the copies made so far are taken apart. A request to stop that arrives meanwhile
// was dropped.
TEST(DeepCopy, ARequestToStopIsNotDroppedAfterAnError) {
  auto kind_of_copy = [](const char* thrown) -> std::string {
    auto holder = make_object<PickyHolderObj>();
    holder->part = Picky{Node()};
    holder->rest = make_object<OnlyOneObj>();  // cannot be copied
    Picky::thrown = thrown;
    Picky::num_before_throw = 1;
    std::string kind = "none";
    try {
      DeepCopy(List<Any>{holder, holder});
    } catch (const Error& error) {
      kind = error.kind();
    }
    EXPECT_LT(Picky::num_before_throw, 0);
    Picky::thrown = nullptr;
    return kind;
  };
  EXPECT_EQ(kind_of_copy("ValueError"), "InternalError");
  EXPECT_EQ(kind_of_copy("KeyboardInterrupt"), "KeyboardInterrupt");
  EXPECT_EQ(kind_of_copy("EnvErrorAlreadySet"), "EnvErrorAlreadySet");
}

TEST(DeepCopy, AHookMayReturnTheObjectItself) {
  auto constant = make_object<ConstantObj>();
  constant->content = List<Any>{1};
  Any content = constant->content;
  auto copy = DeepCopy(Array<Any>{constant}).cast<Array<Any>>();
  EXPECT_TRUE(SameObject(copy[0], constant));
  EXPECT_TRUE(SameObject(constant->content, content));
}

TEST(DeepCopy, HooksMayChangeWhatIsCopied) {
  List<Any> list;
  for (int i = 0; i < 5; ++i) list.push_back(List<Any>{make_object<MeanObj>()});
  victim = &list;
  DeepCopy(list);
  victim = nullptr;
  Dict<Any, Any> dict;
  for (int i = 0; i < 9; ++i) dict.Set(i, List<Any>{make_object<MeanObj>()});
  dict_victim = &dict;
  auto copy = DeepCopy(dict).cast<Dict<Any, Any>>();
  EXPECT_EQ(copy.size(), 9u);
  dict_victim = nullptr;
  EXPECT_EQ(dict.size(), 0u);
}

TEST(DeepCopy, AMillionLevels) {
  Any chain = 1;
  for (int i = 0; i < 1000000; ++i) {
    chain = i % 2 == 0 ? Any(Array<Any>{chain}) : Any(Node(chain));
  }
  Any copy = DeepCopy(chain);
  EXPECT_TRUE(RecursiveEq(copy, chain));
}

TEST(DeepCopy, TooManyLevelsAreAnError) {
  Any chain = 1;
  for (int i = 0; i < (1 << 20) + 1; ++i) chain = List<Any>{chain};
  EXPECT_ERROR(DeepCopy(chain), "ValueError", "DeepCopy: maximum stack depth (1048576) exceeded");
}

TEST(DeepCopy, SharedPartsAreCopiedOnce) {
  Any graph = List<Any>{1};
  for (int i = 0; i < 200; ++i) graph = Array<Any>{graph, graph};
  EXPECT_TRUE(RecursiveEq(DeepCopy(graph), graph));
}

TEST(DeepCopy, GlobalFunction) {
  Any copy = Function::GetGlobalRequired("ffi.DeepCopy")(Array<Any>{1});
  EXPECT_EQ(ReprPrint(copy), "(1,)");
}

}  // namespace
