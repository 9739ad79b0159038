// SPDX-License-Identifier: Apache-2.0
// Test objects of types that have only an entry in the type table and no C++ class, such as classes
// defined in Python: memory, copies, destruction.
#include <gtest/gtest.h>
#include <tvm/ffi/tvm_ffi.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

template <typename... Args>
Any Call(const char* name, Args&&... args) {
  return Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

int PassOn(void*, const TVMFFIAny* value, TVMFFIAny* result) {
  return TVMFFIAnyViewToOwnedAny(value, result);
}

// Registers a type step by step.
class TypeMaker {
 public:
  explicit TypeMaker(const char* key, int32_t parent = kTVMFFIObject) {
    TVMFFIByteArray key_bytes = refl::AsByteArray(key);
    int32_t depth = TVMFFIGetTypeInfo(parent)->type_depth + 1;
    type_index_ = TVMFFITypeGetOrAllocIndex(&key_bytes, -1, depth, 0, 1, parent);
  }

  TypeMaker& AddField(const char* name, int64_t offset, int64_t size, int32_t static_type_index,
                      const char* metadata = "") {
    Function setter =
        Call("ffi.MakeFieldSetter", static_type_index, 0, reinterpret_cast<int64_t>(&PassOn))
            .cast<Function>();
    TVMFFIFieldInfo field{};
    field.name = refl::AsByteArray(name);
    field.metadata = refl::AsByteArray(metadata);
    field.flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitSetterIsFunctionObj;
    field.size = size;
    field.alignment = size < 8 ? size : 8;
    field.offset = offset;
    field.getter = reinterpret_cast<TVMFFIFieldGetter>(
        Call("ffi.MakeFieldGetter", static_type_index).cast<int64_t>());
    field.setter = tvm::ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(setter);
    field.field_static_type_index = static_type_index;
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index_, &field));
    return *this;
  }

  int32_t Finish(int32_t total_size) {
    Call("ffi._PyClassRegisterTypeAttrColumns", type_index_, total_size);
    return type_index_;
  }

  int32_t type_index() const { return type_index_; }

 private:
  int32_t type_index_;
};

// Return the type index of a class with the fields `number` (int), `flag` (bool), `value` (Any) and
// `link` (object).
int32_t NodeType() {
  static const int32_t type_index = TypeMaker("test_object_layout.Node")
                                        .AddField("number", 24, 8, kTVMFFIInt)
                                        .AddField("flag", 32, 1, kTVMFFIBool)
                                        .AddField("value", 40, 16, kTVMFFIAny)
                                        .AddField("link", 56, 8, kTVMFFIObject)
                                        .Finish(64);
  return type_index;
}

Any Attribute(const char* name, int32_t type_index) {
  return refl::TypeAttrColumn(name)[type_index];
}

ObjectRef NewNode() {
  return Attribute("__ffi_new__", NodeType()).cast<Function>()().cast<ObjectRef>();
}

Any Get(const ObjectRef& object, const char* name) {
  return refl::FieldGetter("test_object_layout.Node", name)(object);
}

void Set(const ObjectRef& object, const char* name, const Any& value) {
  refl::FieldSetter("test_object_layout.Node", name)(object, value);
}

TEST(ObjectLayout, AllocatorTakesNothing) {
  Function allocate = Attribute("__ffi_new__", NodeType()).cast<Function>();
  EXPECT_EQ(Caught([&] { allocate(1); }).kind(), "TypeError");
}

TEST(ObjectLayout, NewObjectIsInZeroState) {
  ObjectRef node = NewNode();
  EXPECT_EQ(node.type_index(), NodeType());
  EXPECT_EQ(node.use_count(), 1);
  EXPECT_TRUE(node.unique());
  EXPECT_EQ(Get(node, "number").cast<int64_t>(), 0);
  EXPECT_FALSE(Get(node, "flag").cast<bool>());
  EXPECT_EQ(Get(node, "value"), nullptr);
  EXPECT_EQ(Get(node, "link"), nullptr);
  EXPECT_EQ(tvm::ffi::detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(node)->__padding, 0u);
}

TEST(ObjectLayout, ConstructorSetsFields) {
  Function init = Attribute("__ffi_init__", NodeType()).cast<Function>();
  ObjectRef node = init(1, true, "text", List<Any>{2}).cast<ObjectRef>();
  EXPECT_EQ(Get(node, "number").cast<int64_t>(), 1);
  EXPECT_TRUE(Get(node, "flag").cast<bool>());
  EXPECT_EQ(Get(node, "value").cast<String>(), "text");
  EXPECT_EQ(Get(node, "link").cast<List<Any>>().size(), 1u);
}

TEST(ObjectLayout, FieldsAreReleasedWithTheObject) {
  Array<Any> first{1};
  Array<Any> second{2};
  {
    ObjectRef node = NewNode();
    Set(node, "value", first);
    Set(node, "link", second);
    EXPECT_EQ(first.use_count(), 2);
    EXPECT_EQ(second.use_count(), 2);
    Set(node, "link", nullptr);
    EXPECT_EQ(second.use_count(), 1);
    Set(node, "link", second);
  }
  EXPECT_EQ(first.use_count(), 1);
  EXPECT_EQ(second.use_count(), 1);
}

TEST(ObjectLayout, ShallowCopySharesWhatFieldsHold) {
  Array<Any> shared{1};
  ObjectRef node = NewNode();
  Set(node, "number", 5);
  Set(node, "flag", true);
  Set(node, "value", shared);
  Set(node, "link", shared);
  Function copy = Attribute("__ffi_shallow_copy__", NodeType()).cast<Function>();
  ObjectRef copied = copy(node).cast<ObjectRef>();
  EXPECT_FALSE(copied.same_as(node));
  EXPECT_EQ(Get(copied, "number").cast<int64_t>(), 5);
  EXPECT_TRUE(Get(copied, "flag").cast<bool>());
  EXPECT_TRUE(Get(copied, "link").same_as(shared));
  EXPECT_EQ(shared.use_count(), 5);
  node = copied;
  EXPECT_EQ(shared.use_count(), 3);
  copied = ObjectRef();
  node = ObjectRef();
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(Caught([&] { copy(shared); }).kind(), "TypeError");
}

TEST(ObjectLayout, MillionLinksDieWithoutDeepStack) {
  ObjectRef head;
  for (int i = 0; i < 1000000; ++i) {
    ObjectRef next = NewNode();
    Set(next, i % 2 == 0 ? "link" : "value", head);
    head = next;
  }
  Array<Any> last_content{1};
  Set(head, "value", last_content);
  head = ObjectRef();
  EXPECT_EQ(last_content.use_count(), 1);
}

TEST(ObjectLayout, WeakReferencesOutliveTheContent) {
  Array<Any> content{1};
  ObjectRef node = NewNode();
  Set(node, "value", content);
  auto pointer = tvm::ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(node);
  WeakObjectPtr<Object> weak(pointer);
  pointer.reset();
  node = ObjectRef();
  EXPECT_TRUE(weak.expired());
  EXPECT_EQ(content.use_count(), 1);
}

TEST(ObjectLayout, LongChainWithWeakReferences) {
  std::vector<WeakObjectPtr<Object>> weak;
  ObjectRef head;
  for (int i = 0; i < 100000; ++i) {
    ObjectRef next = NewNode();
    Set(next, "link", head);
    weak.emplace_back(tvm::ffi::detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(next));
    head = next;
  }
  head = ObjectRef();
  for (const auto& pointer : weak) EXPECT_TRUE(pointer.expired());
}

TEST(ObjectLayout, InheritedFieldsAreTakenCareOf) {
  int32_t child = TypeMaker("test_object_layout.Child", NodeType())
                      .AddField("extra", 64, 16, kTVMFFIAny)
                      .Finish(80);
  Array<Any> content{1};
  {
    Function init = Attribute("__ffi_init__", child).cast<Function>();
    ObjectRef object = init(1, false, content, content, content).cast<ObjectRef>();
    EXPECT_EQ(content.use_count(), 4);
    EXPECT_TRUE(Get(object, "link").same_as(content));
  }
  EXPECT_EQ(content.use_count(), 1);
}

TEST(ObjectLayout, MemberReflectedTwiceIsReleasedOnce) {
  int32_t type_index = TypeMaker("test_object_layout.Alias")
                           .AddField("value", 24, 8, kTVMFFIObject)
                           .AddField("same", 24, 8, kTVMFFIObject)
                           .Finish(32);
  Array<Any> content{1};
  {
    ObjectRef object = Attribute("__ffi_new__", type_index).cast<Function>()().cast<ObjectRef>();
    refl::FieldSetter("test_object_layout.Alias", "value")(object, content);
  }
  EXPECT_EQ(content.use_count(), 1);
}

TEST(ObjectLayout, RefusedTypes) {
  auto error_of = [](TypeMaker& maker, int32_t size) {
    return Caught([&] { maker.Finish(size); });
  };
  TypeMaker outside("test_object_layout.Outside");
  outside.AddField("number", 24, 8, kTVMFFIInt);
  EXPECT_EQ(error_of(outside, 31).message(),
            "Field `number` of type `test_object_layout.Outside` does not lie inside the 31 bytes "
            "of an object");
  EXPECT_EQ(error_of(outside, 23).kind(), "ValueError");
  TypeMaker standard("test_object_layout.Standard");
  standard.AddField(
      "optional", 24, 16, kTVMFFIAny,
      R"({"type_schema":"{\"type\":\"std::optional\",\"args\":[{\"type\":\"int\"}]}"})");
  EXPECT_EQ(error_of(standard, 40).kind(), "TypeError");
  TypeMaker error_field("test_object_layout.ErrorField");
  error_field.AddField("error", 24, 16, kTVMFFIError);
  EXPECT_EQ(error_of(error_field, 40).kind(), "TypeError");
  EXPECT_EQ(Caught([] { Call("ffi._PyClassRegisterTypeAttrColumns", 71, 56); }).kind(),
            "ValueError");
  EXPECT_EQ(Caught([] { Call("ffi._PyClassRegisterTypeAttrColumns", 1 << 30, 56); }).kind(),
            "InternalError");
  // Each of these types has a field that a Python class cannot inherit. The check of the ancestors
  // rejects such a type before a subclass is registered.
  for (const TypeMaker* refused : {&standard, &error_field}) {
    EXPECT_EQ(Caught([&] { Call("ffi._PyClassCheckAncestors", refused->type_index()); }).kind(),
              "TypeError");
  }
  Call("ffi._PyClassCheckAncestors", NodeType());
  EXPECT_EQ(Caught([] { Call("ffi._PyClassCheckAncestors", 1 << 30); }).kind(), "InternalError");
  // No attributes were registered for the rejected types.
  EXPECT_EQ(Attribute("__ffi_new__", outside.type_index()), nullptr);
  EXPECT_EQ(Attribute("__ffi_init__", outside.type_index()), nullptr);
}

// ---------------------------------------------------------------- types that are defined again

int32_t IndexOf(const char* key) {
  TVMFFIByteArray bytes = refl::AsByteArray(key);
  return TVMFFITypeGetOrAllocIndex(&bytes, -1, 0, 0, 0, -2);
}

int32_t OpenAgain(int32_t former, int32_t parent = kTVMFFIObject) {
  return Call("ffi._PyClassOpenAgain", former, parent).cast<int32_t>();
}

ObjectRef MakeEmpty(int32_t type_index) {
  Function make = refl::TypeAttrColumn("__ffi_new__")[type_index].cast<Function>();
  return make().cast<ObjectRef>();
}

TEST(DefinedAgain, TheKeyNamesTheFormerTypeUntilItIsTaken) {
  const char* key = "test.layout.again.Key";
  int32_t former = TypeMaker(key).Finish(24);
  int32_t later = OpenAgain(former);
  EXPECT_NE(later, former);
  EXPECT_EQ(IndexOf(key), former);
  EXPECT_EQ(std::string(TVMFFIGetTypeInfo(later)->type_key.data), key);
  Call("ffi._PyClassRegisterTypeAttrColumns", later, 24);
  Call("ffi._PyClassTakeKey", later);
  EXPECT_EQ(IndexOf(key), later);
  TVMFFIByteArray bytes = refl::AsByteArray(key);
  int32_t found = -1;
  ASSERT_EQ(TVMFFITypeKeyToIndex(&bytes, &found), 0);
  EXPECT_EQ(found, later);
  Call("ffi._PyClassTakeKey", former);
  EXPECT_EQ(IndexOf(key), former);
}

TEST(DefinedAgain, ObjectsOfTheFormerTypeAreNotSerialized) {
  int32_t former = TypeMaker("test.layout.again.Json").Finish(24);
  ObjectRef object = MakeEmpty(former);
  int32_t later = OpenAgain(former);
  Call("ffi._PyClassRegisterTypeAttrColumns", later, 24);
  EXPECT_NO_THROW(Call("ffi.ToJSONGraphString", object, nullptr));
  Call("ffi._PyClassTakeKey", later);
  Error error = Caught([&] { Call("ffi.ToJSONGraphString", object, nullptr); });
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_EQ(error.message(),
            "`test.layout.again.Json` was defined again; this object belongs to the earlier "
            "definition and cannot be serialized: make it again");
  EXPECT_NO_THROW(Call("ffi.ToJSONGraphString", MakeEmpty(later), nullptr));
  error = Caught([&] { Call("ffi.RecursiveLt", object, MakeEmpty(later)); });
  EXPECT_EQ(error.message(),
            "Cannot compare values of different types: an earlier definition of "
            "`test.layout.again.Json` vs test.layout.again.Json");
}

TEST(DefinedAgain, ATypeThatWasGivenUpIsFoundByNoKey) {
  const char* key = "test.layout.again.Forgotten";
  int32_t former = TypeMaker(key).Finish(24);
  Call("ffi._PyClassForget", former);
  EXPECT_EQ(IndexOf(key), -2);
  TVMFFIByteArray bytes = refl::AsByteArray(key);
  int32_t found = -1;
  Error error = Caught([&] { TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&bytes, &found)); });
  EXPECT_EQ(error.message().rfind("Cannot find type `test.layout.again.Forgotten`; ", 0), 0u)
      << error.message();
}

TEST(DefinedAgain, TheKeyNamesATypeAtAllTimes) {
  const char* key = "test.layout.again.Threads";
  int32_t newest = TypeMaker(key).Finish(24);
  std::atomic<bool> stop{false};
  std::atomic<int> missing{0};
  std::atomic<int> backwards{0};
  auto read = [&] {
    int32_t last = -1;
    while (!stop.load()) {
      TVMFFIByteArray bytes = refl::AsByteArray(key);
      int32_t found = -1;
      if (TVMFFITypeKeyToIndex(&bytes, &found) != 0 || IndexOf(key) < 0) ++missing;
      if (found < last) ++backwards;
      last = found;
    }
  };
  std::thread first(read), second(read);
  for (int i = 0; i < 500; ++i) {
    newest = OpenAgain(newest);
    Call("ffi._PyClassTakeKey", newest);
  }
  stop = true;
  first.join();
  second.join();
  EXPECT_EQ(missing.load(), 0);
  EXPECT_EQ(backwards.load(), 0);
  EXPECT_EQ(IndexOf(key), newest);
}

TEST(DefinedAgain, WrongIndexesAreRefused) {
  int32_t former = TypeMaker("test.layout.again.Wrong").Finish(24);
  EXPECT_EQ(Caught([] { OpenAgain(kTVMFFIObject); }).kind(), "ValueError");
  EXPECT_EQ(Caught([] { OpenAgain(1 << 30); }).kind(), "InternalError");
  EXPECT_EQ(Caught([&] { OpenAgain(former, -7); }).kind(), "InternalError");
  EXPECT_EQ(Caught([] { Call("ffi._PyClassTakeKey", 64); }).kind(), "ValueError");
  Call("ffi._PyClassTakeKey", 1 << 30);
  EXPECT_EQ(IndexOf("test.layout.again.Wrong"), former);
}

}  // namespace
