// SPDX-License-Identifier: Apache-2.0
// Test extra/serialization.h: the JSON graph of every kind of value, reading back, sharing, hooks,
// and JSON graphs that are invalid or hostile.
#include <gtest/gtest.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>
#include <optional>
#include <string>

#include "caught.h"

namespace {

namespace refl = tvm::ffi::reflection;
namespace json = tvm::ffi::json;
using tvm::ffi::Any;
using tvm::ffi::AnyEqual;
using tvm::ffi::Array;
using tvm::ffi::Bytes;
using tvm::ffi::Dict;
using tvm::ffi::Error;
using tvm::ffi::FromJSONGraph;
using tvm::ffi::Function;
using tvm::ffi::List;
using tvm::ffi::make_object;
using tvm::ffi::Map;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;
using tvm::ffi::ObjectRef;
using tvm::ffi::Optional;
using tvm::ffi::Shape;
using tvm::ffi::String;
using tvm::ffi::ToJSONGraph;

class PartObj : public Object {
 public:
  int64_t number = 0;
  double weight = 0;
  bool is_on = false;
  int32_t narrow = 0;
  DLDataType dtype{kDLInt, 32, 1};
  String name;
  Optional<ObjectRef> next;
  Optional<int64_t> maybe;
  Any anything;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test.graph.Part", PartObj, Object);
};
class ChildPartObj : public PartObj {
 public:
  Array<Any> items;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.graph.ChildPart", ChildPartObj, PartObj);
};
class EscapedNameObj : public Object {
 public:
  int64_t value = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.graph.EscapedName", EscapedNameObj, Object);
};
class StrictObj : public Object {
 public:
  int64_t required = 0;
  int64_t with_default = 0;
  Any child;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.graph.Strict", StrictObj, Object);
};
class HookedObj : public Object {
 public:
  String text;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.graph.Hooked", HookedObj, Object);
};
class HandMadeObj : public Object {
 public:
  explicit HandMadeObj(int) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.graph.HandMade", HandMadeObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<PartObj>()
      .def_rw("number", &PartObj::number)
      .def_rw("weight", &PartObj::weight)
      .def_rw("is_on", &PartObj::is_on)
      .def_rw("narrow", &PartObj::narrow)
      .def_rw("dtype", &PartObj::dtype)
      .def_rw("name", &PartObj::name)
      .def_rw("next", &PartObj::next)
      .def_rw("maybe", &PartObj::maybe)
      .def_rw("anything", &PartObj::anything);
  refl::ObjectDef<ChildPartObj>().def_rw("items", &ChildPartObj::items);
  refl::ObjectDef<StrictObj>()
      .def_rw("required", &StrictObj::required)
      .def_rw("with_default", &StrictObj::with_default, refl::default_value(7))
      .def_rw("child", &StrictObj::child, refl::default_value(nullptr));
  refl::ObjectDef<EscapedNameObj>().def_ro("name\\n", &EscapedNameObj::value);
  refl::ObjectDef<HookedObj>();
  refl::TypeAttrDef<HookedObj>()
      .def("__data_to_json__",
           [](const HookedObj* self) { return Map<String, Any>{{"said", self->text}}; })
      .def("__data_from_json__", [](const Map<String, Any>& data) {
        ObjectPtr<HookedObj> object = make_object<HookedObj>();
        object->text = data["said"].cast<String>();
        return ObjectRef(object);
      });
  refl::ObjectDef<HandMadeObj>(refl::init(false));
}

std::string Write(const Any& value, const Any& metadata = nullptr) {
  static const Function to_string = Function::GetGlobalRequired("ffi.ToJSONGraphString");
  std::string text = to_string(value, metadata).cast<String>();
  // ToJSONGraph returns the graph as a tree of JSON values. The text of the tree must equal `text`.
  EXPECT_EQ(json::Stringify(ToJSONGraph(value, metadata)), text);
  return text;
}

Any Read(const std::string& text) {
  static const Function from_string = Function::GetGlobalRequired("ffi.FromJSONGraphString");
  return from_string(String(text));
}

Any ReadAsDocument(const std::string& text) { return FromJSONGraph(json::Parse(String(text))); }
std::string ReadFault(const std::string& text) {
  std::string fault = ErrorOf([&] { Read(text); });
  EXPECT_EQ(ErrorOf([&] { ReadAsDocument(text); }), fault);
  return fault;
}
std::string WriteFault(const Any& value) {
  std::string fault = ErrorOf([&] { ToJSONGraph(value); });
  Function to_string = Function::GetGlobalRequired("ffi.ToJSONGraphString");
  EXPECT_EQ(ErrorOf([&] { to_string(value, nullptr); }), fault);
  return fault;
}

// Check writing and reading a value whose JSON graph is one node without children.
void ExpectLeaf(const Any& value, const std::string& node) {
  EXPECT_EQ(Write(value), R"({"root_index":0,"nodes":[)" + node + "]}");
  Any back = Read(Write(value));
  EXPECT_TRUE(AnyEqual()(back, value)) << node;
}

// spec: O05
TEST(ToJSONGraph, Leaves) {
  ExpectLeaf(nullptr, R"({"type":"None"})");
  ExpectLeaf(true, R"({"type":"bool","data":true})");
  ExpectLeaf(-7, R"({"type":"int","data":-7})");
  ExpectLeaf(2.0, R"({"type":"float","data":2.0})");
  ExpectLeaf(0.1, R"({"type":"float","data":0.10000000000000001})");
  ExpectLeaf(INFINITY, R"({"type":"float","data":Infinity})");
  ExpectLeaf(String("a\"b"), R"({"type":"ffi.String","data":"a\"b"})");
  ExpectLeaf(String("longer than seven"), R"({"type":"ffi.String","data":"longer than seven"})");
  ExpectLeaf(Bytes("x", 1), R"({"type":"ffi.Bytes","data":"eA=="})");
  ExpectLeaf(Bytes("long bytes here", 15), R"({"type":"ffi.Bytes","data":"bG9uZyBieXRlcyBoZXJl"})");
  ExpectLeaf(DLDataType{kDLFloat, 32, 4}, R"({"type":"DataType","data":"float32x4"})");
  ExpectLeaf(DLDevice{kDLCUDA, 1}, R"({"type":"Device","data":[2,1]})");
}

// spec: O05
TEST(ToJSONGraph, Containers) {
  EXPECT_EQ(Write(Shape{1, 2, 3}),
            R"({"root_index":0,"nodes":[{"type":"ffi.Shape","data":[1,2,3]}]})");
  EXPECT_EQ(Write(Array<Any>{1, String("a"), 1, nullptr}),
            R"({"root_index":3,"nodes":[{"type":"int","data":1},{"type":"ffi.String","data":"a"},)"
            R"({"type":"None"},{"type":"ffi.Array","data":[0,1,0,2]}]})");
  EXPECT_EQ(Write(List<Any>{List<Any>{}, Dict<Any, Any>{{1, 2}}}),
            R"({"root_index":4,"nodes":[{"type":"ffi.List","data":[]},{"type":"int","data":1},)"
            R"({"type":"int","data":2},{"type":"ffi.Dict","data":[1,2]},)"
            R"({"type":"ffi.List","data":[0,3]}]})");
  EXPECT_EQ(Write(Map<Any, Any>{{String("a"), Bytes("q", 1)}}),
            R"({"root_index":2,"nodes":[{"type":"ffi.String","data":"a"},)"
            R"({"type":"ffi.Bytes","data":"cQ=="},{"type":"ffi.Map","data":[0,1]}]})");
}

TEST(ToJSONGraph, EqualValuesAreOneNode) {
  EXPECT_EQ(Write(Array<Any>{1, 1.0, true, 1}),
            R"({"root_index":3,"nodes":[{"type":"int","data":1},{"type":"float","data":1.0},)"
            R"({"type":"bool","data":true},{"type":"ffi.Array","data":[0,1,2,0]}]})");
  EXPECT_EQ(
      Write(Array<Any>{NAN, NAN}),
      R"({"root_index":1,"nodes":[{"type":"float","data":NaN},{"type":"ffi.Array","data":[0,0]}]})");
  // Equal strings become one node, even if their storage differs; equal arrays become two nodes.
  EXPECT_EQ(
      Write(Array<Any>{String("x"), String(std::string("x"))}),
      R"({"root_index":1,"nodes":[{"type":"ffi.String","data":"x"},{"type":"ffi.Array","data":[0,0]}]})");
  EXPECT_EQ(
      Write(Array<Any>{Array<Any>{}, Array<Any>{}}),
      R"({"root_index":2,"nodes":[{"type":"ffi.Array","data":[]},{"type":"ffi.Array","data":[]},)"
      R"({"type":"ffi.Array","data":[0,1]}]})");
}

// spec: O05
TEST(ToJSONGraph, Metadata) {
  EXPECT_EQ(Write(1, Map<Any, Any>{{String("a"), Array<Any>{1, 2.5}}}),
            R"({"root_index":0,"nodes":[{"type":"int","data":1}],"metadata":{"a":[1,2.5]}})");
  EXPECT_EQ(Read(Write(1, 5)).cast<int>(), 1);
  Function to_string = Function::GetGlobalRequired("ffi.ToJSONGraphString");
  EXPECT_EQ(ErrorOf([&] { to_string(1, Bytes("x", 1)); }),
            "ValueError: Unsupported type: `ffi.SmallBytes`");
}

// spec: O05
TEST(ToJSONGraph, FieldsOfObjects) {
  ObjectPtr<ChildPartObj> part = make_object<ChildPartObj>();
  part->number = -5;
  part->narrow = -6;
  part->name = "n";
  part->maybe = 3;
  EXPECT_EQ(
      Write(ObjectRef(part)),
      R"({"root_index":4,"nodes":[{"type":"ffi.String","data":"n"},{"type":"None"},)"
      R"({"type":"int","data":3},{"type":"ffi.Array","data":[]},)"
      R"({"type":"test.graph.ChildPart","data":{"number":-5,"weight":0.0,"is_on":false,)"
      R"("narrow":-6,"dtype":"int32","name":0,"next":1,"maybe":2,"anything":1,"items":3}}]})");
}

// spec: O06
TEST(ToJSONGraph, ObjectsComeBack) {
  ObjectPtr<ChildPartObj> part = make_object<ChildPartObj>();
  part->number = INT64_MIN;
  part->weight = 0.5;
  part->is_on = true;
  part->narrow = 9;
  part->dtype = DLDataType{kDLFloat, 16, 1};
  part->name = "a name of some length";
  part->anything = DLDevice{kDLCPU, 0};
  ObjectPtr<PartObj> next = make_object<PartObj>();
  part->next = ObjectRef(next);
  part->items = {ObjectRef(next), 1};
  for (const Any& back :
       {Read(Write(ObjectRef(part))), FromJSONGraph(ToJSONGraph(ObjectRef(part)))}) {
    const auto* copy = back.as<ChildPartObj>();
    ASSERT_NE(copy, nullptr);
    EXPECT_EQ(copy->number, INT64_MIN);
    EXPECT_EQ(copy->weight, 0.5);
    EXPECT_TRUE(copy->is_on);
    EXPECT_EQ(copy->narrow, 9);
    EXPECT_EQ(copy->dtype.bits, 16);
    EXPECT_EQ(copy->name, "a name of some length");
    EXPECT_FALSE(copy->maybe.has_value());
    EXPECT_EQ(copy->anything.cast<DLDevice>().device_type, kDLCPU);
    // Parts that the original shares are also shared in the copy.
    EXPECT_EQ(copy->next.value().get(), copy->items[0].cast<ObjectRef>().get());
    EXPECT_NE(copy->next.value().get(), next.get());
  }
}

// spec: O06
TEST(ToJSONGraph, ContainersComeBackAndStayShared) {
  Array<Any> shared{1, 2};
  Map<Any, Any> map{{shared, shared}, {String("k"), List<Any>{shared, Shape{4, 5}}}};
  for (int i = 0; i < 20; ++i) map.Set(i, String(std::to_string(i) + " and more"));
  Any back = Read(Write(map));
  EXPECT_EQ(Write(back), Write(map));
  List<Any> list = back.cast<Map<Any, Any>>()[String("k")].cast<List<Any>>();
  Map<Any, Any> copy = back.cast<Map<Any, Any>>();
  EXPECT_TRUE(copy[list[0]].same_as(list[0]));
  EXPECT_EQ(list[1].cast<Shape>().size(), 2u);
}

// spec: O06
TEST(ToJSONGraph, HooksOfATypeMakeAndReadTheData) {
  ObjectPtr<HookedObj> object = make_object<HookedObj>();
  object->text = "hello";
  Array<Any> both{ObjectRef(object), ObjectRef(object)};
  EXPECT_EQ(Write(both),
            R"({"root_index":1,"nodes":[{"type":"test.graph.Hooked","data":{"said":"hello"}},)"
            R"({"type":"ffi.Array","data":[0,0]}]})");
  Array<Any> back = Read(Write(both)).cast<Array<Any>>();
  EXPECT_EQ(back[0].as<HookedObj>()->text, "hello");
  EXPECT_TRUE(back[0].same_as(back[1]));
  // Compare only the beginning of the message: the rest depends on the version of the headers.
  EXPECT_EQ(ReadFault(R"({"root_index":0,"nodes":[{"type":"test.graph.Hooked","data":{}}]})")
                .rfind("KeyError: key is not in Map", 0),
            0u);
}

// spec: O09
TEST(ToJSONGraph, WhatCannotBeMadeAgainIsRefused) {
  EXPECT_EQ(WriteFault(Function::FromTyped([] {})),
            "TypeError: Type `ffi.Function` does not support ToJSONGraph (no native creator or "
            "__ffi_new__ type attr)");
  EXPECT_EQ(
      WriteFault(Array<Any>{ObjectRef(make_object<HandMadeObj>(1))}),
      "TypeError: Type `test.graph.HandMade` does not support ToJSONGraph (no native creator or "
      "__ffi_new__ type attr)");
  EXPECT_EQ(WriteFault(static_cast<void*>(nullptr)), "RuntimeError: Cannot serialize type `void*`");
}

// spec: O09
TEST(ToJSONGraph, WhatContainsItselfIsRefused) {
  List<Any> list{1};
  list.push_back(Array<Any>{list});
  EXPECT_EQ(WriteFault(list),
            "ValueError: Cycle detected during serialization: a List contains itself");
  EXPECT_EQ(WriteFault(Array<Any>{list}),
            "ValueError: Cycle detected during serialization: a List contains itself");
  list.clear();
  Dict<Any, Any> dict{{1, 2}};
  dict.Set(2, dict);
  EXPECT_EQ(WriteFault(dict),
            "ValueError: Cycle detected during serialization: a Dict contains itself");
  dict.clear();
  ObjectPtr<PartObj> part = make_object<PartObj>();
  part->next = ObjectRef(part);
  EXPECT_EQ(WriteFault(ObjectRef(part)),
            "ValueError: Cycle detected during serialization: a test.graph.Part contains itself");
  part->next = std::nullopt;
}

// spec: O06
TEST(FromJSONGraph, NodesMayStandInAnyOrder) {
  Any value =
      Read(R"({"nodes":[{"data":[1,2,1],"type":"ffi.Array"},{"type":"ffi.Array","data":[2]},)"
           R"({"type":"int","data":5}],"root_index":0,"more":[]})");
  Array<Any> array = value.cast<Array<Any>>();
  ASSERT_EQ(array.size(), 3u);
  EXPECT_EQ(array[1].cast<int>(), 5);
  EXPECT_TRUE(array[0].same_as(array[2]));
  EXPECT_EQ(array[0].cast<Array<Any>>()[0].cast<int>(), 5);
}

TEST(FromJSONGraph, NodesThatTheRootDoesNotNeedAreNotLookedAt) {
  EXPECT_TRUE(Read(R"({"root_index":1,"nodes":[{"type":"zzz"},{"type":"None"},7]})") == nullptr);
}

// spec: O08
TEST(FromJSONGraph, MissingFieldsTakeTheirDefaults) {
  Any value = Read(
      R"({"root_index":0,"nodes":[{"type":"test.graph.Strict","data":{"required":1,"unknown":9}}]})");
  EXPECT_EQ(value.as<StrictObj>()->required, 1);
  EXPECT_EQ(value.as<StrictObj>()->with_default, 7);
  EXPECT_EQ(ReadFault(R"({"root_index":0,"nodes":[{"type":"test.graph.Strict","data":{}}]})"),
            "TypeError: Required field `required` not set in type `test.graph.Strict`");
}

std::string Document(const std::string& nodes) {
  return R"({"root_index":0,"nodes":[)" + nodes + "]}";
}

// spec: O07, SY5
TEST(FromJSONGraph, MalformedDocuments) {
  const std::string begin = "ValueError: Invalid JSON Object Graph";
  EXPECT_EQ(ReadFault(""), "ValueError: Expecting value: line 1 column 1 (char 0)");
  EXPECT_EQ(ReadFault("[]"), begin + ", expected an object");
  EXPECT_EQ(ReadFault("{}"), begin + ", expected `root_index` integer field");
  EXPECT_EQ(ReadFault(R"({"root_index":0.0,"nodes":[]})"),
            begin + ", expected `root_index` integer field");
  EXPECT_EQ(ReadFault(R"({"root_index":true,"nodes":[]})"),
            begin + ", expected `root_index` integer field");
  EXPECT_EQ(ReadFault(R"({"root_index":0})"), begin + ", expected `nodes` array field");
  EXPECT_EQ(ReadFault(R"({"root_index":0,"nodes":{}})"), begin + ", expected `nodes` array field");
  EXPECT_EQ(ReadFault(Document("")), begin + ": invalid node index 0");
  EXPECT_EQ(ReadFault(R"({"root_index":-1,"nodes":[{"type":"None"}]})"),
            begin + ": invalid node index -1");
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Array","data":[9223372036854775807]})")),
            begin + ": invalid node index 9223372036854775807");
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Map","data":[0]})")),
            begin + ": Map/Dict data must contain an even number of [key, value] entries, got 1");
  EXPECT_EQ(ReadFault(Document(R"({"type":"Device","data":[1]})")),
            begin + ": Device data must be an array of [device_type, device_id], got 1 element(s)");
}

// spec: O07
TEST(FromJSONGraph, DataOfAWrongType) {
  EXPECT_EQ(ReadFault(Document("5")),
            "TypeError: Cannot convert from type `int` to `Map<Any, Any>` in node 0");
  EXPECT_EQ(ReadFault(Document(R"({"data":5})")),
            "KeyError: Invalid JSON Object Graph: node 0 has no `type`");
  EXPECT_EQ(ReadFault(Document(R"({"type":"int"})")),
            "KeyError: Invalid JSON Object Graph: node 0 has no `data`");
  EXPECT_EQ(ReadFault(Document(R"({"type":5})")),
            "TypeError: Cannot convert from type `int` to `str` in node 0");
  EXPECT_NE(ReadFault(Document(R"({"type":"zzz"})")).find("Cannot find type `zzz`"),
            std::string::npos);
  EXPECT_EQ(ReadFault(Document(R"({"type":"int","data":"a"})")),
            "TypeError: Cannot convert from type `ffi.SmallStr` to `int` in node 0 (`int`)");
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Array","data":5})")),
            "TypeError: Cannot convert from type `int` to `Array<Any>` in node 0 (`ffi.Array`)");
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Array","data":[1.0]})")),
            "TypeError: Cannot convert from type `float` to `int` in node 0 (`ffi.Array`)");
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Shape","data":[1.5]})")),
            "TypeError: Cannot convert from type `Array[index 0: float]` to `Array<int>` in node 0 "
            "(`ffi.Shape`)");
  EXPECT_EQ(ReadFault(Document(R"({"type":"DataType","data":"zz"})")),
            "ValueError: unknown dtype `zz`");
  EXPECT_NE(
      ReadFault(Document(R"({"type":"ffi.Bytes","data":"zz"})")).find("invalid base64 encoding"),
      std::string::npos);
  EXPECT_EQ(ReadFault(Document(R"({"type":"test.graph.Strict","data":{"required":1.5}})")),
            "TypeError: Cannot convert from type `float` to `int` in field `required` of node 0 "
            "(`test.graph.Strict`)");
  EXPECT_EQ(ReadFault(Document(R"({"type":"test.graph.Strict","data":5})")),
            "TypeError: Cannot convert from type `int` to `Map<Any, Any>` in node 0 "
            "(`test.graph.Strict`)");
  for (const char* type : {"ffi.Function", "ffi.Tensor", "ffi.Error", "void*", "ffi.SmallStr",
                           "test.graph.HandMade"}) {
    EXPECT_EQ(ReadFault(Document(R"({"type":")" + std::string(type) + R"(","data":{}})")),
              "ValueError: Invalid JSON Object Graph: node 0 has the type `" + std::string(type) +
                  "`, whose objects cannot be read from JSON");
  }
}

TEST(FromJSONGraph, NodesThatContainThemselvesAreRefused) {
  const std::string begin = "ValueError: Invalid JSON Object Graph: node ";
  EXPECT_EQ(ReadFault(Document(R"({"type":"ffi.Array","data":[0]})")), begin + "0 contains itself");
  EXPECT_EQ(
      ReadFault(Document(R"({"type":"ffi.List","data":[1]},{"type":"ffi.Dict","data":[1,0]})")),
      begin + "1 contains itself");
  EXPECT_EQ(ReadFault(Document(R"({"type":"test.graph.Strict","data":{"required":1,"child":1}},)"
                               R"({"type":"ffi.Array","data":[2,0]},{"type":"None"})")),
            begin + "0 contains itself");
}

TEST(FromJSONGraph, ManyReferencesToFewNodesAreCheap) {
  // Each node refers twice to the next: without sharing there would be 2^200 leaves.
  std::string nodes;
  for (int i = 0; i < 200; ++i) {
    std::string next = std::to_string(i + 1);
    nodes += R"({"type":"ffi.Array","data":[)" + next + "," + next + "]},";
  }
  Any value = Read(Document(nodes + R"({"type":"None"})"));
  EXPECT_EQ(ToJSONGraph(value).cast<json::Object>()[String("root_index")].cast<int>(), 200);
}

TEST(FromJSONGraph, DeepChains) {
  constexpr int kDepth = 20000;
  std::string nodes;
  for (int i = 0; i < kDepth; ++i) {
    nodes += R"({"type":"ffi.Array","data":[)" + std::to_string(i + 1) + "]},";
  }
  Any value = Read(Document(nodes + R"({"type":"None"})"));
  EXPECT_EQ(Write(value).substr(0, 20), R"({"root_index":20000,)");
}

// spec: O07
TEST(FromJSONGraph, EveryTruncatedDocumentIsRefused) {
  ObjectPtr<PartObj> part = make_object<PartObj>();
  const std::string text = Write(Array<Any>{ObjectRef(part), Shape{1}, Bytes("x", 1)});
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(ReadFault(text.substr(0, length)).substr(0, 11), "ValueError:");
  }
}

// Text in the form that ToJSONGraphString writes takes a shorter way than other text.
TEST(FromJSONGraph, DamagedTextGivesTheSameAsItsDocument) {
  ObjectPtr<ChildPartObj> part = make_object<ChildPartObj>();
  part->name = "a name of some length";
  part->anything = DLDevice{kDLCPU, 0};
  part->items = {true, List<Any>{}, Shape{4, 5}, Bytes("x", 1), part->dtype, nullptr};
  ObjectPtr<StrictObj> strict = make_object<StrictObj>();
  strict->child = Map<Any, Any>{{1, 2.5}, {String("k"), ObjectRef(part)}};
  const std::string text = Write(ObjectRef(strict));
  auto result_of = [](auto read, const std::string& damaged) {
    std::string written;
    std::string fault = ErrorOf([&] { written = Write(read(damaged)); });
    return fault + written;
  };
  auto expect_same = [&](const std::string& damaged) {
    EXPECT_EQ(result_of(Read, damaged), result_of(ReadAsDocument, damaged)) << damaged;
  };
  EXPECT_EQ(Write(Read(text)), text);
  for (size_t i = 0; i < text.size(); ++i) {
    expect_same(text.substr(0, i) + text.substr(i + 1));
    for (char c : std::string(" 019-.\"\\,:[]{}ntx")) {
      expect_same(text.substr(0, i) + c + text.substr(i + 1));
      expect_same(text.substr(0, i) + c + text.substr(i));
    }
  }
}

TEST(FromJSONGraph, AFieldThatIsThereTwiceHasTheLastValue) {
  Any value = Read(Document(R"({"type":"test.graph.Strict","data":)"
                            R"({"required":1,"with_default":2,"required":3}})"));
  EXPECT_EQ(value.as<StrictObj>()->required, 3);
  EXPECT_EQ(value.as<StrictObj>()->with_default, 2);
}

// The name of the field ends with a backslash and the letter n, and not with a line feed.
TEST(FromJSONGraph, ANameWithABackslashIsNotReadAsAnEscape) {
  ObjectPtr<EscapedNameObj> object = make_object<EscapedNameObj>();
  object->value = 5;
  const std::string text = Write(ObjectRef(object));
  EXPECT_EQ(text, Document(R"({"type":"test.graph.EscapedName","data":{"name\\n":5}})"));
  EXPECT_EQ(Read(text).as<EscapedNameObj>()->value, 5);
  EXPECT_EQ(
      ReadFault(Document(R"({"type":"test.graph.EscapedName","data":{"name\n":5}})")).substr(0, 24),
      "TypeError: Required fiel");
}

TEST(FromJSONGraph, TypesBeyondTheRememberedOnesAreFound) {
  Array<Any> one_of_each{nullptr,
                         true,
                         1,
                         2.5,
                         String("a"),
                         Bytes("x", 1),
                         Shape{1},
                         List<Any>{},
                         Map<Any, Any>{},
                         Dict<Any, Any>{},
                         DLDevice{kDLCPU, 0},
                         DLDataType{kDLInt, 8, 1},
                         ObjectRef(make_object<PartObj>()),
                         ObjectRef(make_object<StrictObj>())};
  Array<Any> twice{one_of_each, Array<Any>{one_of_each[12], one_of_each[13]}};
  const std::string text = Write(twice);
  EXPECT_EQ(Write(Read(text)), text);
}

TEST(FromJSONGraph, TreesMayHoldMutableContainers) {
  Any document = Map<String, Any>{
      {"root_index", 0},
      {"nodes", Array<Any>{Dict<String, Any>{{"type", String("ffi.Array")}, {"data", List<Any>{1}}},
                           Map<String, Any>{{"type", String("None")}}}}};
  EXPECT_EQ(FromJSONGraph(document).cast<Array<Any>>().size(), 1u);
}

}  // namespace
