// SPDX-License-Identifier: Apache-2.0
// Test reading reflection data: lookup of fields and methods, getters, setters, field order, type
// attributes.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/one_of.h>
#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class BaseObj : public Object {
 public:
  int64_t first = 1;
  String second = "two";
  TVM_FFI_DECLARE_OBJECT_INFO("test.accessor.Base", BaseObj, Object);
};

class MiddleObj : public BaseObj {
 public:
  double third = 3.5;
  TVM_FFI_DECLARE_OBJECT_INFO("test.accessor.Middle", MiddleObj, BaseObj);
};

class LeafObj : public MiddleObj {
 public:
  Any fourth;
  Array<int64_t> fifth;
  int64_t Sum(int64_t x) const { return first + x; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.accessor.Leaf", LeafObj, MiddleObj);
};

class Leaf : public ObjectRef {
 public:
  Leaf() : ObjectRef(make_object<LeafObj>()) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Leaf, ObjectRef, LeafObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BaseObj>().def_rw("first", &BaseObj::first).def_ro("second", &BaseObj::second);
  refl::ObjectDef<MiddleObj>().def_ro("third", &MiddleObj::third);
  refl::ObjectDef<LeafObj>()
      .def_rw("fourth", &LeafObj::fourth)
      .def_ro("fifth", &LeafObj::fifth)
      .def("sum", &LeafObj::Sum)
      .def("sum_more", [](const LeafObj* self, int64_t x) { return self->Sum(x) + 1; });
}

// ---------------------------------------------------------------- lookup

// spec: L03
TEST(Accessor, FindsOwnFieldsByTheirWholeName) {
  EXPECT_EQ(refl::GetFieldInfo("test.accessor.Base", "first")->size, 8);
  EXPECT_EQ(ErrorOf([] { refl::GetFieldInfo("test.accessor.Base", "fir"); }),
            "RuntimeError: Cannot find field  `fir` in test.accessor.Base");
  EXPECT_EQ(ErrorOf([] { refl::GetFieldInfo("test.accessor.Base", "first2"); }),
            "RuntimeError: Cannot find field  `first2` in test.accessor.Base");
  EXPECT_EQ(ErrorOf([] { refl::GetFieldInfo("test.accessor.Leaf", "first"); }),
            "RuntimeError: Cannot find field  `first` in test.accessor.Leaf");
}

// spec: L03
TEST(Accessor, FindsOwnMethodsByTheirWholeName) {
  Leaf leaf;
  EXPECT_EQ(refl::GetMethod("test.accessor.Leaf", "sum")(leaf, 2).cast<int>(), 3);
  EXPECT_EQ(refl::GetMethod("test.accessor.Leaf", "sum_more")(leaf, 2).cast<int>(), 4);
  EXPECT_EQ(ErrorOf([] { refl::GetMethodInfo("test.accessor.Leaf", "su"); }),
            "RuntimeError: Cannot find method su in test.accessor.Leaf");
  EXPECT_EQ(ErrorOf([] { refl::GetMethod("test.accessor.Leaf", "sum_mo"); }),
            "RuntimeError: Cannot find method sum_mo in test.accessor.Leaf");
}

TEST(Accessor, AnUnknownTypeKeyIsAnError) {
  std::string error = ErrorOf([] { refl::GetFieldInfo("test.accessor.NoSuch", "x"); });
  EXPECT_EQ(error.rfind("InternalError: ", 0), 0u) << error;
  EXPECT_NE(error.find("Cannot find type `test.accessor.NoSuch`"), std::string::npos) << error;
}

TEST(Accessor, AsByteArrayViewsALiteral) {
  constexpr TVMFFIByteArray bytes = refl::AsByteArray("abc");
  EXPECT_EQ(bytes.size, 3u);
  EXPECT_EQ(std::string(bytes.data, bytes.size), "abc");
}

// ---------------------------------------------------------------- getters and setters

// spec: L02
TEST(FieldGetter, ReadsThroughEveryKindOfReceiver) {
  refl::FieldGetter first("test.accessor.Base", "first");
  refl::FieldGetter second(refl::GetFieldInfo("test.accessor.Base", "second"));
  ObjectPtr<LeafObj> leaf = make_object<LeafObj>();
  EXPECT_EQ(first(leaf.get()).cast<int>(), 1);
  EXPECT_EQ(first(ObjectPtr<Object>(leaf)).cast<int>(), 1);
  EXPECT_EQ(second(ObjectRef(leaf)).cast<String>(), "two");
  EXPECT_EQ(ErrorOf([&] { first(ObjectRef()); }),
            "ValueError: Cannot access a field of a null object");
}

// spec: L02
TEST(FieldSetter, ConvertsAndStoresAlsoReadOnlyFields) {
  refl::FieldSetter first("test.accessor.Base", "first");
  refl::FieldSetter second("test.accessor.Base", "second");
  refl::FieldSetter fourth("test.accessor.Leaf", "fourth");
  refl::FieldSetter fifth("test.accessor.Leaf", "fifth");
  ObjectPtr<LeafObj> leaf = make_object<LeafObj>();
  first(leaf.get(), true);
  EXPECT_EQ(leaf->first, 1);
  first(ObjectPtr<Object>(leaf), 7);
  EXPECT_EQ(leaf->first, 7);
  second(ObjectRef(leaf), "a text that lies on the heap");
  EXPECT_EQ(leaf->second, "a text that lies on the heap");
  fourth(ObjectRef(leaf), "raw");
  EXPECT_EQ(leaf->fourth.cast<String>(), "raw");
  Array<int64_t> values{1, 2};
  fifth(ObjectRef(leaf), values);
  EXPECT_TRUE(leaf->fifth.same_as(values));
  fourth(ObjectRef(leaf), values);
  EXPECT_EQ(values.use_count(), 3);
  fourth(ObjectRef(leaf), nullptr);
  EXPECT_EQ(values.use_count(), 2);
  EXPECT_EQ(ErrorOf([&] { first(ObjectRef(), 1); }),
            "ValueError: Cannot access a field of a null object");
}

// spec: L02
TEST(FieldSetter, RefusesValuesOfOtherTypesAndKeepsTheOldOne) {
  refl::FieldSetter first("test.accessor.Base", "first");
  ObjectPtr<LeafObj> leaf = make_object<LeafObj>();
  EXPECT_EQ(ErrorOf([&] { first(leaf.get(), "text"); }),
            "TypeError: Cannot convert from type `const char*` to `int` for field `first`");
  EXPECT_EQ(leaf->first, 1);
}

/*! \brief Return an int64 field whose setter is a Function object. */
TVMFFIFieldInfo FunctionSetterField(const Function& setter) {
  TVMFFIFieldInfo info = *refl::GetFieldInfo("test.accessor.Base", "first");
  info.flags |= kTVMFFIFieldFlagBitSetterIsFunctionObj;
  info.setter = const_cast<FunctionObj*>(setter.get());
  return info;
}

TEST(FieldSetter, AReadOnlyFieldWithoutSetterRefusesAllValues) {
  TVMFFIFieldInfo info = *refl::GetFieldInfo("test.accessor.Base", "first");
  info.setter = nullptr;
  ObjectPtr<BaseObj> object = make_object<BaseObj>();
  EXPECT_EQ(ErrorOf([&] { refl::FieldSetter{&info}(object.get(), AnyView(5)); }),
            "TypeError: Cannot set field `first` because it does not define a setter");
  EXPECT_EQ(object->first, 1);
}

// spec: L04
TEST(FieldSetter, AFunctionSetterGetsTheAddressAndTheValue) {
  Function setter = Function::FromTyped([](void* field, int64_t value) {
    if (value < 0) TVM_FFI_THROW(ValueError) << "negative";
    *static_cast<int64_t*>(field) = 10 * value;
    return String("a result that is discarded, on the heap");
  });
  TVMFFIFieldInfo info = FunctionSetterField(setter);
  ObjectPtr<LeafObj> leaf = make_object<LeafObj>();
  refl::FieldSetter set(&info);
  set(leaf.get(), 4);
  EXPECT_EQ(leaf->first, 40);
  EXPECT_EQ(ErrorOf([&] { set(leaf.get(), -1); }), "ValueError: negative");
  EXPECT_EQ(leaf->first, 40);
}

TEST(FieldDefault, IsTheValueOrWhatTheFactoryMakes) {
  ObjectPtr<LeafObj> leaf = make_object<LeafObj>();
  TVMFFIFieldInfo info = *refl::GetFieldInfo("test.accessor.Base", "first");
  info.flags |= kTVMFFIFieldFlagBitMaskHasDefault;
  info.default_value_or_factory = AnyView(5).CopyToTVMFFIAny();
  refl::SetFieldToDefault(&info, &leaf->first);
  EXPECT_EQ(leaf->first, 5);

  int64_t calls = 0;
  Function factory = Function::FromTyped([&calls]() {
    if (++calls == 3) TVM_FFI_THROW(ValueError) << "no more";
    return 100 * calls;
  });
  info.flags |= kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  info.default_value_or_factory = AnyView(factory).CopyToTVMFFIAny();
  refl::SetFieldToDefault(&info, &leaf->first);
  EXPECT_EQ(leaf->first, 100);
  EXPECT_EQ(refl::CallFieldSetterToDefault(&info, &leaf->first), 0);
  EXPECT_EQ(leaf->first, 200);
  EXPECT_EQ(ErrorOf([&] { refl::SetFieldToDefault(&info, &leaf->first); }), "ValueError: no more");
  EXPECT_EQ(leaf->first, 200);
}

// ---------------------------------------------------------------- iteration

// spec: L05
TEST(ForEachFieldInfo, GoesFromTheTopAncestorDown) {
  std::vector<std::string> names;
  const TypeInfo* info = TVMFFIGetTypeInfo(LeafObj::RuntimeTypeIndex());
  refl::ForEachFieldInfo(info, [&](const TVMFFIFieldInfo* field) {
    names.emplace_back(field->name.data, field->name.size);
  });
  EXPECT_EQ(names, (std::vector<std::string>{"first", "second", "third", "fourth", "fifth"}));
}

// spec: L05
TEST(ForEachFieldInfo, StopsEarlyWhenAsked) {
  int seen = 0;
  const TypeInfo* info = TVMFFIGetTypeInfo(LeafObj::RuntimeTypeIndex());
  EXPECT_TRUE(refl::ForEachFieldInfoWithEarlyStop(
      info, [&](const TVMFFIFieldInfo*) { return ++seen == 3; }));
  EXPECT_EQ(seen, 3);
  EXPECT_FALSE(
      refl::ForEachFieldInfoWithEarlyStop(info, [&](const TVMFFIFieldInfo*) { return false; }));
}

// ---------------------------------------------------------------- type attributes

// spec: L16
TEST(TypeAttrColumn, RefusesANameThatIsNotRegistered) {
  EXPECT_EQ(ErrorOf([] { refl::TypeAttrColumn("test.accessor.no_such_attr"); }),
            "RuntimeError: Cannot find type attribute test.accessor.no_such_attr");
}

// spec: L16
TEST(TypeAttrColumn, GivesNoneOutsideItsRange) {
  refl::TypeAttrColumn column(type_attr::kTypeFinal);
  EXPECT_TRUE(column[LeafObj::RuntimeTypeIndex()].cast<bool>());
  EXPECT_FALSE(column[BaseObj::RuntimeTypeIndex()].cast<bool>());
  EXPECT_TRUE(column[-1] == nullptr);
  EXPECT_TRUE(column[INT32_MIN] == nullptr);
  EXPECT_TRUE(column[INT32_MAX] == nullptr);
  EXPECT_TRUE(column[kTVMFFIInt] == nullptr);
}

// spec: L16
TEST(TypeAttrColumn, SeesLaterRegistrationsAndInheritsNothing) {
  refl::EnsureTypeAttrColumn("test.accessor.late");
  refl::TypeAttrColumn column("test.accessor.late");
  EXPECT_TRUE(column[BaseObj::RuntimeTypeIndex()] == nullptr);
  refl::TypeAttrDef<BaseObj>().attr("test.accessor.late", 5);
  EXPECT_EQ(column[BaseObj::RuntimeTypeIndex()].cast<int>(), 5);
  EXPECT_TRUE(column[LeafObj::RuntimeTypeIndex()] == nullptr);
}

// spec: L17
TEST(AttrKey, ReadsNoneItsTypeAndNothingElse) {
  constexpr refl::AttrKey<int64_t> key{"test.accessor.key"};
  EXPECT_FALSE(key.ValueFrom(AnyView()).has_value());
  EXPECT_EQ(key.ValueFrom(AnyView(3)).value(), 3);
  EXPECT_EQ(ErrorOf([&] { key.ValueFrom(AnyView(2.5)); }),
            "TypeError: Cannot treat type `float` as type `int`");
  // The conversion is strict: a bool is not accepted as an int.
  EXPECT_EQ(ErrorOf([&] { key.ValueFrom(AnyView(true)); }),
            "TypeError: Cannot treat type `bool` as type `int`");
  constexpr refl::AttrKey<Any> any_key{"test.accessor.any_key"};
  EXPECT_EQ(any_key.ValueFrom(AnyView("x")).value().cast<String>(), "x");
}

// spec: L24
TEST(TypeAttr, TheWellKnownColumnsExistFromLoadOn) {
  for (const char* name :
       {type_attr::kNew.name, type_attr::kInit.name, type_attr::kConvert.name,
        type_attr::kShallowCopy.name, type_attr::kTypeFinal.name, type_attr::kAnyHash.name,
        type_attr::kAnyEqual.name, "__ffi_enum__", "__ffi_repr__", "__ffi_hash__", "__ffi_eq__",
        "__ffi_compare__", "__s_equal__", "__s_hash__", "__s_visit__", "__s_mutate__",
        "__s_maybe_inplace_mutate__", "__data_to_json__", "__data_from_json__"}) {
    EXPECT_EQ(ErrorOf([name] { refl::TypeAttrColumn column(name); }), "nothing") << name;
  }
}

TEST(OneOf, FollowsSequencesThatAreDeepOrContainThemselves) {
  reflection::detail::AllowedValues allowed("x", {Any(String("a")), Any(String("b"))});
  List<Any> cycle{Any(String("a"))};
  cycle.push_back(cycle);
  cycle.push_back(cycle);
  allowed.Check(cycle);
  cycle.clear();  // break the cycle
  Any deep = String("b");
  for (int i = 0; i < 1000000; ++i) deep = List<Any>{deep};
  allowed.Check(deep);
  List<Any> wrong{Any(Array<Any>{Any(String("first"))}), Any(String("second"))};
  EXPECT_ERROR(allowed.Check(wrong), "ValueError",
               "expected Literal['a', 'b'], got 'first' for field `x`");
}

}  // namespace
