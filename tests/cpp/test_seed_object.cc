// SPDX-License-Identifier: Apache-2.0
// The C++ code of a guide named "Object and Class", without changes.
#include <gtest/gtest.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/tvm_ffi.h>

#include <iostream>
#include <sstream>

namespace ffi = tvm::ffi;

namespace {

// ---------------------------------------------------------------- Define a Class in C++

class MyObjectObj : public ffi::Object {
 public:
  // Normal C++ code: Declare fields, methods, constructor, destructor, etc.
  int64_t value;
  ffi::String name;

  MyObjectObj(int64_t value, ffi::String name) : value(value), name(std::move(name)) {}

  int64_t GetValue() const { return value; }

  void AddToValue(int64_t other) { value += other; }

  // Declare object type info
  TVM_FFI_DECLARE_OBJECT_INFO(
      /*type_key=*/"my_ext.MyObject",
      /*type_name=*/MyObjectObj,
      /*parent_type=*/ffi::Object);
};

class MyObject : public ffi::ObjectRef {
 public:
  MyObject(int64_t value, ffi::String name)
      : ObjectRef(ffi::make_object<MyObjectObj>(value, std::move(name))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(
      /*type_name=*/MyObject,
      /*parent_type=*/ffi::ObjectRef,
      /*object_name=*/MyObjectObj);
};

// ---------------------------------------------------------------- Expose a Class

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<MyObjectObj>()
      // Register constructor with signature
      .def(refl::init<int64_t, ffi::String>())
      // Register read-write fields
      .def_rw("value", &MyObjectObj::value, "The integer value")
      .def_rw("name", &MyObjectObj::name, "The name string")
      // Register methods
      .def("get_value", &MyObjectObj::GetValue, "Returns the value");
}

// ---------------------------------------------------------------- Type Checking and Casting

bool CheckType(const ffi::ObjectRef& obj) {
  if (obj->IsInstance<MyObjectObj>()) {
    // obj is a MyObjectObj or subclass
    return true;
  }
  return false;
}

// ---------------------------------------------------------------- Conversion

constexpr int SUCCESS = 0;
constexpr int FAILURE = -1;

// Converts Any/AnyView to Object handle (non-owning)
int AnyToObjectPtr(const TVMFFIAny* value, TVMFFIObject** out) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) {
    *out = (TVMFFIObject*)(value->v_obj);
    return SUCCESS;
  }
  return FAILURE;  // Not an object type
}

// Converts Object handle to AnyView (non-owning)
void ObjectToAnyView(TVMFFIObject* obj, int32_t type_index, TVMFFIAny* out) {
  out->type_index = type_index;
  out->zero_padding = 0;
  out->v_obj = obj;
}

// Converts Object handle to Any (owning, increments refcount)
void ObjectToAny(TVMFFIObject* obj, int32_t type_index, TVMFFIAny* out) {
  ObjectToAnyView(obj, type_index, out);
  TVMFFIObjectIncRef(obj);  // Take ownership
}

// ---------------------------------------------------------------- Inheritance

class MyBaseObj : public ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("my_ext.MyBase", MyBaseObj, ffi::Object);
};

class MyDerivedObj : public MyBaseObj {
 public:
  // Final class: no subclasses allowed
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("my_ext.MyDerived", MyDerivedObj, MyBaseObj);
};

/*! \brief Return the text that the code of the guide writes to its stream `cout`. */
std::string Printed(const ffi::ObjectRef& obj) {
  std::ostringstream cout;
  // as<ObjectType>() returns a pointer (nullptr if type doesn't match)
  if (const MyObjectObj* ptr = obj.as<MyObjectObj>()) {
    cout << ptr->value << std::endl;
  }

  // as<ObjectRefType>() returns std::optional
  if (auto opt = obj.as<MyObject>()) {
    cout << opt->get()->value << std::endl;
  }
  return cout.str();
}

// spec: S01
TEST(ObjectGuide, CreatesAndReads) {
  // Create a managed object
  MyObject obj = MyObject(42, "hello");

  // Access fields via operator->
  std::cout << obj->value << std::endl;  // -> 42
  EXPECT_EQ(obj->value, 42);
  EXPECT_EQ(obj->name, "hello");
}

TEST(ObjectGuide, ReflectsFieldsMethodsAndConstructor) {
  namespace refl = tvm::ffi::reflection;
  ffi::Any made = refl::GetMethod("my_ext.MyObject", "__ffi_init__")(7, "seven");
  auto object = made.cast<MyObject>();
  EXPECT_EQ(refl::GetMethod("my_ext.MyObject", "get_value")(object).cast<int64_t>(), 7);
  refl::FieldSetter("my_ext.MyObject", "value")(object, 100);
  EXPECT_EQ(object->value, 100);
  const TVMFFIFieldInfo* info = refl::GetFieldInfo("my_ext.MyObject", "value");
  EXPECT_NE(info->flags & kTVMFFIFieldFlagBitMaskWritable, 0);
  EXPECT_EQ(std::string(info->doc.data, info->doc.size), "The integer value");
}

TEST(ObjectGuide, ChecksAndCasts) {
  MyObject obj = MyObject(42, "hello");
  EXPECT_TRUE(CheckType(obj));
  EXPECT_FALSE(CheckType(ffi::Array<int>()));
  EXPECT_EQ(Printed(obj), "42\n42\n");
  EXPECT_EQ(Printed(ffi::Array<int>()), "");
  EXPECT_EQ(obj.type_index(), MyObjectObj::RuntimeTypeIndex());
  EXPECT_EQ(obj.GetTypeKey(), "my_ext.MyObject");
  EXPECT_TRUE(ffi::ObjectRef(ffi::make_object<MyDerivedObj>())->IsInstance<MyBaseObj>());
}

// spec: S00
TEST(ObjectGuide, Serializes) {
  // Serialize to JSON
  ffi::Any obj = MyObject(42, "test");
  ffi::json::Value json = ffi::ToJSONGraph(obj);

  // Deserialize from JSON
  ffi::Any restored = ffi::FromJSONGraph(json);
  EXPECT_EQ(restored.cast<MyObject>()->value, 42);
  EXPECT_EQ(restored.cast<MyObject>()->name, "test");
  EXPECT_TRUE(ffi::RecursiveEq(restored, obj));
  EXPECT_FALSE(ffi::DeepCopy(obj).same_as(obj));
}

TEST(ObjectGuide, ConvertsBetweenRawAndManaged) {
  MyObject obj = MyObject(42, "test");
  const MyObjectObj* raw = obj.get();
  MyObject again = ffi::GetRef<MyObject>(raw);
  EXPECT_TRUE(again.same_as(obj));
  EXPECT_EQ(obj.use_count(), 2);

  ffi::Any any = obj;
  TVMFFIAny view = ffi::AnyView(any).CopyToTVMFFIAny();
  TVMFFIObject* handle = nullptr;
  ASSERT_EQ(AnyToObjectPtr(&view, &handle), SUCCESS);
  EXPECT_EQ(AnyToObjectPtr(nullptr == handle ? nullptr : &view, &handle), SUCCESS);
  TVMFFIAny number = ffi::AnyView(5).CopyToTVMFFIAny();
  TVMFFIObject* none = nullptr;
  EXPECT_EQ(AnyToObjectPtr(&number, &none), FAILURE);

  uint64_t before = handle->combined_ref_count;
  uint32_t strong_ref_count = before & 0xFFFFFFFF;
  uint32_t weak_ref_count = (before >> 32) & 0xFFFFFFFF;
  EXPECT_EQ(strong_ref_count, 3U);
  EXPECT_EQ(weak_ref_count, 1U);
  TVMFFIAny owned;
  ObjectToAny(handle, handle->type_index, &owned);
  EXPECT_EQ(handle->combined_ref_count, before + 1);
  TVMFFIObjectDecRef(owned.v_obj);
  EXPECT_EQ(handle->combined_ref_count, before);
}

}  // namespace
