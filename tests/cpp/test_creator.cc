// SPDX-License-Identifier: Apache-2.0
// Test the creation of objects by reflection: without arguments, and from given field values.
#include <gtest/gtest.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/registry.h>

#include <stdexcept>
#include <string>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

int factory_calls = 0;

class ParentObj : public Object {
 public:
  int64_t required = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("test.creator.Parent", ParentObj, Object);
};

class ChildObj : public ParentObj {
 public:
  String name;
  int64_t made = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.Child", ChildObj, ParentObj);
};

class UnsafeInitObj : public Object {
 public:
  int64_t value;
  explicit UnsafeInitObj(UnsafeInit) : value(-1) {}
  explicit UnsafeInitObj(int64_t value) : value(value) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.UnsafeInit", UnsafeInitObj, Object);
};

/*! \brief A class without a default constructor: its only constructor has arguments. */
class GuideObj : public Object {
 public:
  int64_t value;
  String name;
  GuideObj(int64_t value, String name) : value(value), name(std::move(name)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.Guide", GuideObj, Object);
};

class PickyObj : public Object {
 public:
  int64_t value;
  explicit PickyObj(int64_t value) : value(value) {
    if (value == 0) TVM_FFI_THROW(ValueError) << "zero is not allowed";
  }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.Picky", PickyObj, Object);
};

class Guide : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Guide, ObjectRef, GuideObj);
};

class HolderObj : public Object {
 public:
  Guide guide;
  HolderObj(int64_t, Guide guide) : guide(std::move(guide)) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.Holder", HolderObj, Object);
};

class ClosedObj : public Object {
 public:
  explicit ClosedObj(int64_t) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.creator.Closed", ClosedObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ParentObj>().def_ro("required", &ParentObj::required);
  refl::ObjectDef<ChildObj>()
      .def_ro("name", &ChildObj::name, refl::DefaultValue("anonymous"))
      .def_ro("made", &ChildObj::made, refl::default_factory([]() { return ++factory_calls; }));
  refl::ObjectDef<UnsafeInitObj>().def_ro("value", &UnsafeInitObj::value);
  refl::ObjectDef<GuideObj>()
      .def(refl::init<int64_t, String>())
      .def_rw("value", &GuideObj::value)
      .def_rw("name", &GuideObj::name);
  refl::ObjectDef<PickyObj>().def(refl::init<int64_t>()).def_ro("value", &PickyObj::value);
  refl::ObjectDef<HolderObj>().def(refl::init<int64_t, Guide>()).def_ro("guide", &HolderObj::guide);
  refl::ObjectDef<ClosedObj>();
}

template <typename T>
const TypeInfo* InfoOf() {
  return TVMFFIGetTypeInfo(T::RuntimeTypeIndex());
}

TEST(CreateEmptyObject, UsesTheNativeCreator) {
  ASSERT_TRUE(HasCreator(InfoOf<ChildObj>()));
  ObjectPtr<Object> object = CreateEmptyObject(InfoOf<ChildObj>());
  EXPECT_EQ(object->type_index(), ChildObj::RuntimeTypeIndex());
  EXPECT_EQ(object.use_count(), 1);
  ObjectPtr<Object> unsafe = CreateEmptyObject(InfoOf<UnsafeInitObj>());
  EXPECT_EQ(static_cast<UnsafeInitObj*>(unsafe.get())->value, -1);
}

TEST(CreateEmptyObject, RefusesATypeWithoutCreator) {
  EXPECT_FALSE(HasCreator(InfoOf<ClosedObj>()));
  EXPECT_EQ(ErrorOf([] { CreateEmptyObject(InfoOf<ClosedObj>()); }),
            "RuntimeError: Type `test.creator.Closed` does not support reflection creation (no "
            "native creator or __ffi_new__ type attr)");
  EXPECT_EQ(ErrorOf([] { refl::ObjectCreator creator("test.creator.Closed"); }),
            "RuntimeError: Type `test.creator.Closed` does not support default constructor, as a "
            "result cannot be created via reflection");
}

TEST(CreateEmptyObject, RefusesANullEntry) {
  const std::string expected = "ValueError: Check not null: type_info ";
  EXPECT_EQ(ErrorOf([] { CreateEmptyObject(nullptr); }), expected);
  EXPECT_EQ(ErrorOf([] { HasCreator(nullptr); }), expected);
  EXPECT_EQ(ErrorOf([] { refl::ObjectCreator creator(nullptr); }), expected);
  EXPECT_EQ(ErrorOf([] { refl::ForEachFieldInfo(nullptr, [](const TVMFFIFieldInfo*) {}); }),
            expected);
}

TEST(CreateEmptyObject, FallsBackToTheRegisteredConstructor) {
  EXPECT_EQ(InfoOf<GuideObj>()->metadata->creator, nullptr);
  ASSERT_TRUE(HasCreator(InfoOf<GuideObj>()));
  ObjectPtr<Object> object = CreateEmptyObject(InfoOf<GuideObj>());
  EXPECT_EQ(object.use_count(), 1);
  EXPECT_EQ(static_cast<GuideObj*>(object.get())->value, 0);
  EXPECT_EQ(static_cast<GuideObj*>(object.get())->name, "");
}

// spec: S00
TEST(CreateEmptyObject, SaysWhyAConstructorCannotStandIn) {
  EXPECT_EQ(ErrorOf([] { CreateEmptyObject(InfoOf<PickyObj>()); }),
            "TypeError: Type `test.creator.Picky` cannot be created before its fields are known: "
            "its constructor refuses empty arguments: zero is not allowed");
  EXPECT_EQ(ErrorOf([] { CreateEmptyObject(InfoOf<HolderObj>()); }),
            "TypeError: Type `test.creator.Holder` cannot be created before its fields are known: "
            "argument #1 of its constructor, `test.creator.Guide`, has no empty value");
}

// spec: L08
TEST(ObjectCreator, SetsInheritedFieldsDefaultsAndFactories) {
  refl::ObjectCreator creator("test.creator.Child");
  factory_calls = 0;
  Any made = creator(Map<String, Any>{{"required", 3}});
  const ChildObj* child = made.as<ChildObj>();
  ASSERT_NE(child, nullptr);
  EXPECT_EQ(child->required, 3);
  EXPECT_EQ(child->name, "anonymous");
  EXPECT_EQ(child->made, 1);
  EXPECT_EQ(factory_calls, 1);
  Any given = creator(Map<String, Any>{{"required", true}, {"name", "x"}, {"made", 50}});
  EXPECT_EQ(given.as<ChildObj>()->required, 1);
  EXPECT_EQ(given.as<ChildObj>()->name, "x");
  EXPECT_EQ(given.as<ChildObj>()->made, 50);
  EXPECT_EQ(factory_calls, 1) << "a given field needs no factory";
}

// spec: L08
TEST(ObjectCreator, RefusesMissingUnknownAndWrongFields) {
  refl::ObjectCreator creator("test.creator.Child");
  EXPECT_EQ(ErrorOf([&] { creator(Map<String, Any>{{"name", "x"}}); }),
            "TypeError: Required field `required` not set in type `test.creator.Child`");
  EXPECT_EQ(ErrorOf([&] { creator(Map<String, Any>{{"required", 1}, {"nam", 1}}); }),
            "TypeError: Type `test.creator.Child` does not have field `nam`");
  EXPECT_EQ(ErrorOf([&] { creator(Map<String, Any>{{"required", "x"}}); }),
            "TypeError: Cannot convert from type `ffi.SmallStr` to `int` for field `required`");
}

// spec: S00
TEST(ObjectCreator, MakesObjectsOfClassesWithConstructorsOnly) {
  Any made =
      refl::ObjectCreator("test.creator.Guide")(Map<String, Any>{{"value", 42}, {"name", "hello"}});
  EXPECT_EQ(made.as<GuideObj>()->value, 42);
  EXPECT_EQ(made.as<GuideObj>()->name, "hello");
}

TEST(ConvertToRef, ConvertsOrThrows) {
  Any made = CreateEmptyObject(InfoOf<GuideObj>());
  EXPECT_TRUE(
      refl::detail::FFIConvertFromAnyViewToObjectRef<Guide>(made).same_as(made.cast<ObjectRef>()));
  // spec: A07
  EXPECT_EQ(ErrorOf([] { refl::details::FFIConvertFromAnyViewToObjectRef<Guide>(1); }),
            "TypeError: Cannot cast from `int` to `test.creator.Guide`");
}

}  // namespace
