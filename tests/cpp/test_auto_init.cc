// SPDX-License-Identifier: Apache-2.0
// Test the automatic constructor, and objects made from field values.
#include <gtest/gtest.h>
#include <tvm/ffi/tvm_ffi.h>

#include <string>
#include <vector>

#include "caught.h"
#include "on_threads.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

int live_mixed = 0;

// A class whose fields are declared in another order than the parameters of its constructor.
struct MixedObj : public Object {
  MixedObj() { ++live_mixed; }
  MixedObj(const MixedObj& other) : Object(other) { ++live_mixed; }
  ~MixedObj() { --live_mixed; }

  int64_t with_default = -1;
  int64_t first = -1;
  String name = "unset";
  int64_t only_keyword = -1;
  int64_t keyword_default = -1;
  int64_t hidden = -1;
  int64_t untouched = 77;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.Mixed", MixedObj, Object);
};

struct ParentObj : public Object {
  int64_t a = 0;
  int64_t b = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.Parent", ParentObj, Object);
};

struct ChildObj : public ParentObj {
  int64_t c = 0;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.Child", ChildObj, ParentObj);
};

int factory_calls = 0;

struct FactoryObj : public Object {
  List<Any> list;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.Factory", FactoryObj, Object);
};

struct AnyFieldObj : public Object {
  Any value;
  int64_t number = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.AnyField", AnyFieldObj, Object);
};

struct BadDefaultObj : public Object {
  int64_t number = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.BadDefault", BadDefaultObj, Object);
};

struct SwitchedOffObj : public Object {
  int64_t number = 0;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.SwitchedOff", SwitchedOffObj, Object);
};

struct ExplicitObj : public Object {
  int64_t number = 0;
  ExplicitObj() = default;
  explicit ExplicitObj(int64_t number) : number(number) {}
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_auto_init.Explicit", ExplicitObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  // Register the child first: its constructor must still have the parent's fields as parameters.
  refl::ObjectDef<ChildObj>().def_rw("c", &ChildObj::c);
  refl::ObjectDef<ParentObj>()
      .def_rw("a", &ParentObj::a)
      .def_rw("b", &ParentObj::b, refl::DefaultValue(5));
  refl::ObjectDef<MixedObj>()
      .def_rw("with_default", &MixedObj::with_default, refl::DefaultValue(10))
      .def_rw("first", &MixedObj::first)
      .def_ro("name", &MixedObj::name)
      .def_rw("only_keyword", &MixedObj::only_keyword, refl::kw_only(true))
      .def_rw("keyword_default", &MixedObj::keyword_default, refl::kw_only(true),
              refl::DefaultValue(20))
      .def_rw("hidden", &MixedObj::hidden, refl::init(false), refl::DefaultValue(30))
      .def_rw("untouched", &MixedObj::untouched, refl::init(false));
  refl::ObjectDef<FactoryObj>().def_rw("list", &FactoryObj::list,
                                       refl::DefaultFactory(Function::FromTyped([]() {
                                         ++factory_calls;
                                         return List<Any>();
                                       })));
  refl::ObjectDef<AnyFieldObj>()
      .def_rw("value", &AnyFieldObj::value)
      .def_rw("number", &AnyFieldObj::number, refl::DefaultValue(1));
  refl::ObjectDef<BadDefaultObj>().def_rw("number", &BadDefaultObj::number,
                                          refl::DefaultValue("no number"));
  refl::ObjectDef<SwitchedOffObj>(refl::init(false)).def_rw("number", &SwitchedOffObj::number);
  refl::ObjectDef<ExplicitObj>().def(refl::init<int64_t>()).def_rw("number", &ExplicitObj::number);
}

AnyView InitAttribute(int32_t type_index) {
  return refl::TypeAttrColumn("__ffi_init__")[type_index];
}

template <typename T>
Function InitOf() {
  return InitAttribute(T::RuntimeTypeIndex()).template cast<Function>();
}

Any Kwargs() { return Function::GetGlobalRequired("ffi.GetKwargsObject")(); }
Any Missing() { return Function::GetGlobalRequired("ffi.GetInvalidObject")(); }

template <typename T, typename... Args>
Any Init(Args&&... args) {
  return InitOf<T>()(std::forward<Args>(args)...);
}

// spec: L09
TEST(AutoInit, RequiredPositionalComeBeforeDefaulted) {
  Any made = Init<MixedObj>(1, "text", 2, Kwargs(), "only_keyword", 3);
  const MixedObj* mixed = made.as<MixedObj>();
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->first, 1);
  EXPECT_EQ(mixed->name, "text");
  EXPECT_EQ(mixed->with_default, 2);
  EXPECT_EQ(mixed->only_keyword, 3);
  EXPECT_EQ(mixed->keyword_default, 20);
  EXPECT_EQ(mixed->hidden, 30);
  EXPECT_EQ(mixed->untouched, 77);
}

// spec: L09
TEST(AutoInit, KeywordsInAnyOrder) {
  Any made =
      Init<MixedObj>(Kwargs(), "keyword_default", 6, "name", "n", "only_keyword", 5, "first", 4);
  const MixedObj* mixed = made.as<MixedObj>();
  ASSERT_NE(mixed, nullptr);
  EXPECT_EQ(mixed->first, 4);
  EXPECT_EQ(mixed->name, "n");
  EXPECT_EQ(mixed->only_keyword, 5);
  EXPECT_EQ(mixed->keyword_default, 6);
  EXPECT_EQ(mixed->with_default, 10);
}

// spec: L09
TEST(AutoInit, BindingErrors) {
  const std::string start = "test_auto_init.Mixed.__ffi_init__() ";
  auto message = [](auto&&... args) {
    Error error = Caught([&] { Init<MixedObj>(args...); });
    EXPECT_EQ(error.kind(), "TypeError");
    return error.message();
  };
  const std::string names =
      "; its parameters are first, name, with_default, only_keyword, keyword_default";
  int before = live_mixed;
  EXPECT_EQ(message(1, "n", 2, 3),
            start + "takes at most 3 positional argument(s), but 4 were given");
  EXPECT_EQ(message(), start + "missing required argument: 'first'");
  EXPECT_EQ(message(1), start + "missing required argument: 'name'");
  EXPECT_EQ(message(1, "n"), start + "missing required keyword-only argument: 'only_keyword'");
  EXPECT_EQ(message(1, "n", Kwargs(), "only_keyword", 1, "other", 2),
            start + "got an unexpected keyword argument 'other'" + names);
  // Neither a prefix of a parameter name nor a field that is not a parameter is accepted as a
  // keyword.
  EXPECT_EQ(message(1, "n", Kwargs(), "only_key", 1),
            start + "got an unexpected keyword argument 'only_key'" + names);
  EXPECT_EQ(message(1, "n", Kwargs(), "only_keyword", 1, "hidden", 2),
            start + "got an unexpected keyword argument 'hidden'" + names);
  EXPECT_EQ(message(1, "n", Kwargs(), "only_keyword", 1, "first", 2),
            start + "got multiple values for argument 'first'");
  EXPECT_EQ(message(1, "n", Kwargs(), "only_keyword", 1, "only_keyword", 2),
            start + "got multiple values for argument 'only_keyword'");
  EXPECT_EQ(message(1, "n", Kwargs(), "only_keyword"),
            start + "KWARGS requires an even number of key-value arguments");
  EXPECT_EQ(message(1, "n", Kwargs(), 1, 2), start + "keywords must be strings, not `int`");
  // No object of a failed call remains.
  EXPECT_EQ(live_mixed, before);
}

// spec: L09
TEST(AutoInit, RejectedValueNamesTheField) {
  int before = live_mixed;
  Error error = Caught([] { Init<MixedObj>(String("x"), "n", Kwargs(), "only_keyword", 1); });
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_EQ(error.message(),
            "test_auto_init.Mixed.__ffi_init__() field 'first':\n"
            "  Cannot convert from type `ffi.SmallStr` to `int`");
  ASSERT_TRUE(error.cause_chain().has_value());
  EXPECT_EQ(error.cause_chain()->message(), "Cannot convert from type `ffi.SmallStr` to `int`");
  EXPECT_EQ(live_mixed, before);
}

// spec: L09
TEST(AutoInit, RejectedDefaultNamesTheField) {
  Error error = Caught([] { Init<BadDefaultObj>(); });
  EXPECT_EQ(error.kind(), "TypeError");
  EXPECT_EQ(error.message().substr(0, error.message().find('\n')),
            "test_auto_init.BadDefault.__ffi_init__() default for field 'number':");
  EXPECT_TRUE(error.cause_chain().has_value());
}

TEST(AutoInit, FactoryRunsOncePerObjectThatNeedsIt) {
  factory_calls = 0;
  Any first = Init<FactoryObj>();
  Any second = Init<FactoryObj>();
  EXPECT_EQ(factory_calls, 2);
  EXPECT_FALSE(first.as<FactoryObj>()->list.same_as(second.as<FactoryObj>()->list));
  List<Any> given{1};
  Any third = Init<FactoryObj>(given);
  EXPECT_EQ(factory_calls, 2);
  EXPECT_TRUE(third.as<FactoryObj>()->list.same_as(given));
}

TEST(AutoInit, ParentFieldsFirstWhateverTheOrderOfRegistration) {
  // The required parameters of parent and child come before the parameters with a default.
  Any made = Init<ChildObj>(1, 2, 3);
  const ChildObj* child = made.as<ChildObj>();
  ASSERT_NE(child, nullptr);
  EXPECT_EQ(child->a, 1);
  EXPECT_EQ(child->c, 2);
  EXPECT_EQ(child->b, 3);
  Any shorter = Init<ChildObj>(1, 2);
  EXPECT_EQ(shorter.as<ChildObj>()->b, 5);
}

TEST(AutoInit, MissingCountsAsNotGiven) {
  Any keyword = Init<AnyFieldObj>(1, Kwargs(), "number", Missing());
  EXPECT_EQ(keyword.as<AnyFieldObj>()->number, 1);
  Any positional = Init<AnyFieldObj>(1, Missing());
  EXPECT_EQ(positional.as<AnyFieldObj>()->number, 1);
  // For a field without a default, Missing() is stored like any other value.
  Any stored = Init<AnyFieldObj>(Missing());
  EXPECT_TRUE(stored.as<AnyFieldObj>()->value.same_as(Missing()));
}

TEST(AutoInit, ReferencesAreBalanced) {
  ObjectRef value(make_object<Object>());
  {
    Any made = Init<AnyFieldObj>(value);
    EXPECT_EQ(value.use_count(), 2);
    EXPECT_EQ(made.as<ObjectRef>()->use_count(), 2);
  }
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_THROW(Init<AnyFieldObj>(value, "no number"), Error);
  EXPECT_EQ(value.use_count(), 1);
}

// spec: L10
TEST(AutoInit, SwitchedOffAndExplicit) {
  EXPECT_EQ(InitAttribute(SwitchedOffObj::RuntimeTypeIndex()), nullptr);
  // A constructor that the class registers with refl::init does not accept keywords.
  EXPECT_EQ(Init<ExplicitObj>(3).as<ExplicitObj>()->number, 3);
  EXPECT_THROW(Init<ExplicitObj>(Kwargs(), "number", 3), Error);
}

/*! \brief Register a writable field of type int. */
void AddIntField(int32_t type_index, const std::string& name, int64_t offset) {
  TVMFFIFieldInfo field{};
  field.name = TVMFFIByteArray{name.data(), name.size()};
  field.flags = kTVMFFIFieldFlagBitMaskWritable;
  field.size = 8;
  field.alignment = 8;
  field.offset = offset;
  field.getter = reinterpret_cast<TVMFFIFieldGetter>(
      Function::GetGlobalRequired("ffi.MakeFieldGetter")(1).cast<int64_t>());
  field.setter = reinterpret_cast<void*>(+[](void* address, const TVMFFIAny* value) -> int {
    *static_cast<int64_t*>(address) = value->v_int64;
    return 0;
  });
  field.field_static_type_index = kTVMFFIInt;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterField(type_index, &field));
}

TEST(AutoInit, FieldsRegisteredLaterAreParameters) {
  TVMFFIByteArray key = refl::AsByteArray("test_auto_init.Late");
  int32_t type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  ASSERT_GE(type_index, kTVMFFIDynObjectBegin);
  AddIntField(type_index, "early", 24);
  Function::GetGlobalRequired("ffi._PyClassRegisterTypeAttrColumns")(type_index, 40);
  Function init = InitAttribute(type_index).cast<Function>();
  EXPECT_THROW(init(1, 2), Error);
  Any before = init(1);
  AddIntField(type_index, "late", 32);
  EXPECT_THROW(init(1), Error);
  Any after = init(1, 2);
  refl::FieldGetter late("test_auto_init.Late", "late");
  EXPECT_EQ(late(after.cast<ObjectRef>()).cast<int64_t>(), 2);
}

TEST(AutoInit, ManyFields) {
  constexpr int kNumFields = 100;
  TVMFFIByteArray key = refl::AsByteArray("test_auto_init.Many");
  int32_t type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  for (int i = 0; i < kNumFields; ++i) {
    AddIntField(type_index, "field" + std::to_string(i), 24 + 8 * i);
  }
  Function::GetGlobalRequired("ffi._PyClassRegisterTypeAttrColumns")(type_index,
                                                                     24 + 8 * kNumFields);
  std::vector<std::string> names;
  std::vector<Any> values{Kwargs()};
  for (int i = kNumFields; i-- > 0;) {
    values.push_back(String("field" + std::to_string(i)));
    values.push_back(i);
  }
  std::vector<AnyView> views(values.begin(), values.end());
  Any made;
  InitAttribute(type_index)
      .cast<Function>()
      .CallPacked(views.data(), static_cast<int32_t>(views.size()), &made);
  refl::FieldGetter last("test_auto_init.Many", "field99");
  EXPECT_EQ(last(made.cast<ObjectRef>()).cast<int64_t>(), 99);
}

TEST(AutoInit, ConcurrentFirstCalls) {
  OnThreads(8, [](int) {
    for (int k = 0; k < 200; ++k) {
      Any made = Init<ParentObj>(k);
      EXPECT_EQ(made.as<ParentObj>()->a, k);
    }
  });
}

TEST(AutoInit, RegisteringForUnknownTypeFails) {
  Error error = Caught([] { Function::GetGlobalRequired("ffi._RegisterFFIInit")(1 << 30); });
  EXPECT_EQ(error.kind(), "InternalError");
  // A second registration is rejected, as for every attribute.
  error = Caught(
      [] { Function::GetGlobalRequired("ffi._RegisterFFIInit")(ParentObj::RuntimeTypeIndex()); });
  EXPECT_EQ(error.kind(), "RuntimeError");
}

// ---------------------------------------------------------------- ffi.MakeObjectFromPackedArgs

template <typename... Args>
Any Make(Args&&... args) {
  return Function::GetGlobalRequired("ffi.MakeObjectFromPackedArgs")(std::forward<Args>(args)...);
}

TEST(MakeObject, ByKeyAndByIndex) {
  for (const Any& type : {Any("test_auto_init.Parent"), Any(ParentObj::RuntimeTypeIndex())}) {
    Any made = Make(type, "b", 2, "a", 1);
    const ParentObj* parent = made.as<ParentObj>();
    ASSERT_NE(parent, nullptr);
    EXPECT_EQ(parent->a, 1);
    EXPECT_EQ(parent->b, 2);
  }
  EXPECT_EQ(Make("test_auto_init.Child", "a", 1, "c", 3).as<ChildObj>()->b, 5);
  // Make() also accepts fields that are not parameters of the constructor.
  EXPECT_EQ(Make("test_auto_init.Mixed", "first", 1, "name", "n", "only_keyword", 2, "hidden", 3,
                 "untouched", 4)
                .as<MixedObj>()
                ->hidden,
            3);
}

TEST(MakeObject, Errors) {
  auto error_of = [](auto&&... args) { return Caught([&] { Make(args...); }); };
  int before = live_mixed;
  EXPECT_EQ(error_of().kind(), "InternalError");
  EXPECT_EQ(error_of("test_auto_init.Parent", "a").kind(), "InternalError");
  EXPECT_EQ(error_of("test_auto_init.Parent").message(),
            "Required field `a` not set in type `test_auto_init.Parent`");
  EXPECT_EQ(error_of("test_auto_init.Parent", "a", 1, "z", 2).message(),
            "Type `test_auto_init.Parent` does not have field `z`");
  EXPECT_EQ(error_of("test_auto_init.Parent", "a", 1, "a", 2).message(),
            "Type `test_auto_init.Parent` does not have field `a`");
  EXPECT_EQ(error_of("test_auto_init.Parent", "a", String("x")).message(),
            "Cannot convert from type `ffi.SmallStr` to `int` for field `a`");
  EXPECT_EQ(error_of("test_auto_init.Parent", 1, 2).message(),
            "Cannot convert from type `int` to `str`");
  EXPECT_EQ(error_of(1.5).message(), "Cannot convert from type `float` to `str`");
  Error unknown = error_of("test_auto_init.Nowhere");
  EXPECT_NE(unknown.message().find("Cannot find type `test_auto_init.Nowhere`"), std::string::npos);
  EXPECT_EQ(error_of("ffi.Function").message(),
            "Type `ffi.Function` does not support reflection creation (no native creator or "
            "__ffi_new__ type attr)");
  EXPECT_EQ(error_of("test_auto_init.Mixed", "first", 1, "name", 2).kind(), "TypeError");
  EXPECT_EQ(live_mixed, before);
}

}  // namespace
