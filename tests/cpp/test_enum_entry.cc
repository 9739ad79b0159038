// SPDX-License-Identifier: Apache-2.0
// Test reflection/enum_entry.h: enums of any class, their entries, and values that other libraries
// attach to the entries.
#include <gtest/gtest.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/enum_entry.h>
#include <tvm/ffi/reflection/registry.h>

#include <stdexcept>
#include <string>

#include "activation.h"
#include "caught.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

template <typename Obj>
Map<String, ObjectRef> EntriesOf() {
  return refl::TypeAttrColumn("__enum_entries__")[Obj::RuntimeTypeIndex()]
      .template cast<Map<String, ObjectRef>>();
}

template <typename Obj>
ObjectRef EntryOf(const char* name) {
  return EntriesOf<Obj>().at(name);
}

#define TEST_CLASS(Name, Base)                                               \
  class Name : public Base {                                                 \
   public:                                                                   \
    int64_t value = 3;                                                       \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_entry." #Name, Name, Base); \
  }

int64_t ReluCompute(int64_t x) { return x < 0 ? 0 : x; }

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ActivationObj>()
      .as_enum()
      .def_ro("approximate", &ActivationObj::approximate)
      .def_rw("inplace", &ActivationObj::inplace);
  refl::EnumEntry<ActivationObj>("ReLU");
  refl::EnumEntry<ActivationObj>("GeLU").set("approximate", true).set("inplace", false);
  refl::EnumAttrDef<ActivationObj>("f_compute").set("ReLU", ReluCompute).set("GeLU", [](int64_t x) {
    return x * 2;
  });
}

TEST_CLASS(EmptyObj, Object);

// spec: M06
TEST(AsEnum, MakesAnEnumWithoutEntriesWhereverItStands) {
  refl::ObjectDef<EmptyObj>().as_enum().def_ro("value", &EmptyObj::value).as_enum();
  int32_t index = EmptyObj::RuntimeTypeIndex();
  Any state = refl::TypeAttrColumn("__ffi_enum__")[index];
  EXPECT_EQ(state.cast<EnumState>()->entries.size(), 0U);
  EXPECT_EQ(EntriesOf<EmptyObj>().size(), 0U);
  // An enum without a stated structural kind becomes UniqueInstance.
  EXPECT_EQ(TVMFFIGetTypeInfo(index)->metadata->structural_eq_hash_kind,
            kTVMFFISEqHashKindUniqueInstance);
}

// spec: M07
TEST(EnumEntry, RegistersAtTheEndOfTheExpression) {
  Activation relu = Activation::Get("ReLU");
  Activation gelu = Activation::Get("GeLU");
  EXPECT_FALSE(relu->approximate);
  EXPECT_TRUE(gelu->approximate);
  EXPECT_FALSE(gelu->inplace);
  EXPECT_TRUE(relu.same_as(Activation::Get("ReLU")));
  EXPECT_FALSE(relu.same_as(gelu));
  Map<String, ObjectRef> entries = EntriesOf<ActivationObj>();
  EXPECT_TRUE(entries.at("ReLU").same_as(relu));
  EXPECT_EQ(Caught([] { Activation::Get("Nope"); }).message(),
            "Enum `test_activation.Activation` has no instance with index Nope");
  // The entries are numbered in the order of registration.
  auto state =
      refl::TypeAttrColumn("__ffi_enum__")[ActivationObj::RuntimeTypeIndex()].cast<EnumState>();
  EXPECT_TRUE(state->indexes.at(1).same_as(gelu));
}

class BaseObj : public Object {
 public:
  int64_t width = 1;
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_enum_entry.Base", BaseObj, Object);
};
class DerivedObj : public BaseObj {
 public:
  String label = "none";
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_entry.Derived", DerivedObj, BaseObj);
};

// spec: M07
TEST(EnumEntry, SetsOwnAndInheritedFieldsOrNothingAtAll) {
  refl::ObjectDef<BaseObj>().def_ro("width", &BaseObj::width);
  refl::ObjectDef<DerivedObj>().as_enum().def_ro("label", &DerivedObj::label);
  refl::EnumEntry<DerivedObj>("A").set("width", 5).set("label", "a");
  const auto* a = EntryOf<DerivedObj>("A").as<DerivedObj>();
  EXPECT_EQ(a->width, 5);
  EXPECT_EQ(a->label, "a");

  EXPECT_ERROR(refl::EnumEntry<DerivedObj>("B").set("nope", 1), "RuntimeError",
               "Cannot find field  `nope` in test_enum_entry.Derived");
  EXPECT_EQ(Caught([] { refl::EnumEntry<DerivedObj>("B").set("width", "text"); }).kind(),
            "TypeError");
  EXPECT_EQ(EntriesOf<DerivedObj>().size(), 1U);
  EXPECT_ERROR(
      refl::EnumEntry<DerivedObj>("A"), "ValueError",
      "Duplicate enum index for type `test_enum_entry.Derived`: cannot register `A`, the name "
      "is taken");
  EXPECT_TRUE(EntryOf<DerivedObj>("A").as<DerivedObj>() == a);
}

TEST_CLASS(UnwindObj, Object);

TEST(EnumEntry, DoesNothingWhileAnExceptionPasses) {
  refl::ObjectDef<UnwindObj>().as_enum().def_ro("value", &UnwindObj::value);
  auto fail = []() -> int64_t { throw std::runtime_error("stop"); };
  EXPECT_THROW(refl::EnumEntry<UnwindObj>("A").set("value", fail()), std::runtime_error);
  EXPECT_EQ(EntriesOf<UnwindObj>().size(), 0U);
}

TEST_CLASS(UnmarkedObj, Object);

TEST(EnumEntry, MarksATypeThatIsNotMarked) {
  refl::EnumEntry<UnmarkedObj>("A");
  EXPECT_EQ(EntriesOf<UnmarkedObj>().size(), 1U);
  refl::ObjectDef<UnmarkedObj>().as_enum().def_ro("value", &UnmarkedObj::value);
  EXPECT_EQ(EntriesOf<UnmarkedObj>().size(), 1U);
  EXPECT_EQ(TVMFFIGetTypeInfo(UnmarkedObj::RuntimeTypeIndex())->metadata->structural_eq_hash_kind,
            kTVMFFISEqHashKindUniqueInstance);
}

TEST_CLASS(EarlyObj, Object);
TEST_CLASS(NeverObj, Object);
TEST_CLASS(EarlyWrongObj, Object);

TEST(EnumEntry, ValuesWaitForFieldsThatAreRegisteredLater) {
  refl::EnumEntry<EarlyObj>("A").set("value", 42);
  refl::EnumEntry<EarlyObj>("B");
  refl::ObjectDef<EarlyObj>().def_ro("value", &EarlyObj::value).as_enum();
  EXPECT_EQ(EntryOf<EarlyObj>("A").as<EarlyObj>()->value, 42);
  EXPECT_EQ(EntryOf<EarlyObj>("B").as<EarlyObj>()->value, 3);
}

TEST(EnumEntry, ValueForAFieldThatNeverComesFailsAtTheFirstLookUp) {
  refl::EnumEntry<NeverObj>("A").set("nope", 42);
  for (int i = 0; i < 2; ++i) {
    EXPECT_ERROR(detail::GetEnumEntry(NeverObj::RuntimeTypeIndex(), String("A")), "RuntimeError",
                 "Cannot find field  `nope` in test_enum_entry.NeverObj");
  }
  // The definition of the type fails too, since the field is still missing.
  EXPECT_EQ(Caught([] { refl::ObjectDef<NeverObj>().def_ro("value", &NeverObj::value); }).message(),
            "Cannot find field  `nope` in test_enum_entry.NeverObj");
}

TEST(EnumEntry, WaitingValueOfTheWrongTypeFailsWhereTheFieldComes) {
  refl::EnumEntry<EarlyWrongObj>("A").set("value", "text");
  Error error =
      Caught([] { refl::ObjectDef<EarlyWrongObj>().def_ro("value", &EarlyWrongObj::value); });
  EXPECT_EQ(error.kind(), "TypeError");
}

TEST_CLASS(NumberObj, IntEnumObj);

TEST(EnumEntry, IntEnumsBringTheirNumbers) {
  refl::EnumEntry<NumberObj>("low", -10);
  refl::EnumEntry<NumberObj>("high", 10);
  Enum low = EnumObj::_GetByIntIndex<NumberObj>(-10);
  EXPECT_EQ(low->_str_index, "low");
  EXPECT_TRUE(EntryOf<NumberObj>("low").same_as(low));
  EXPECT_EQ(Caught([] { refl::EnumEntry<NumberObj>("other", 10); }).kind(), "ValueError");
}

class PrecisionObj : public Object {
 public:
  int64_t value = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_enum_entry.Precision", PrecisionObj, Object);
};

TEST(EnumEntry, SimpleIntegerFormUsesAField) {
  refl::ObjectDef<PrecisionObj>().as_enum().def_ro("value", &PrecisionObj::value);
  refl::EnumEntry<PrecisionObj>("FP32").set("value", 0);
  refl::EnumEntry<PrecisionObj>("FP16").set("value", 1);
  EXPECT_EQ(EntryOf<PrecisionObj>("FP16").as<PrecisionObj>()->value, 1);
}

// spec: M09
TEST(EnumAttrMap, ConvertsToWhatIsWanted) {
  EnumAttrMap<ActivationObj> compute("f_compute");
  Activation relu = Activation::Get("ReLU");
  Function fn = compute[relu];
  EXPECT_EQ(fn(-4).cast<int64_t>(), 0);
  fn = compute[Activation::Get("GeLU")];
  EXPECT_EQ(fn(4).cast<int64_t>(), 8);
  Any any = compute[relu];
  EXPECT_TRUE(any.same_as(compute[relu]));
  EXPECT_TRUE(compute[relu] != nullptr);
  EXPECT_FALSE(compute[relu] == nullptr);
  auto cast = compute[relu].cast<Function>();
  EXPECT_TRUE(cast.same_as(compute[relu].cast<Function>()));

  refl::EnumAttrDef<ActivationObj>("mixed").set("ReLU", true).set("GeLU", "text");
  EnumAttrMap<ActivationObj> mixed("mixed");
  bool flag = mixed[relu];
  EXPECT_TRUE(flag);
  int64_t number = mixed[relu];
  EXPECT_EQ(number, 1);
  String text = mixed[Activation::Get("GeLU")];
  EXPECT_EQ(text, "text");
  EXPECT_EQ(Caught([&] { Function wrong = mixed[relu]; }).kind(), "TypeError");
}

// spec: M09
TEST(EnumAttrMap, TellsWhatIsNotSetAndReadsWhatComesLater) {
  EnumAttrMap<ActivationObj> later("later");
  Activation relu = Activation::Get("ReLU");
  EXPECT_ERROR(later[relu], "KeyError", "later not set for 'ReLU'");
  EXPECT_FALSE(later.count(relu));
  EXPECT_EQ(later.get(relu, int64_t{9}), 9);
  refl::EnumAttrDef<ActivationObj>("later").set("ReLU", 1);
  EXPECT_TRUE(later.count(relu));
  EXPECT_EQ(later.get(relu, int64_t{9}), 1);
  EnumAttrMap<ActivationObj> other("later");
  other.Set(relu, 2);
  EXPECT_EQ(later[relu].cast<int64_t>(), 2);
  other.Set(relu, nullptr);
  EXPECT_TRUE(later.count(relu));
  EXPECT_TRUE(later[relu] == nullptr);
}

TEST(EnumAttrMap, RefusesObjectsThatAreNotEntries) {
  EnumAttrMap<ActivationObj> compute("f_compute");
  EXPECT_EQ(Caught([&] { compute[ObjectRef()]; }).message(),
            "expected test_activation.Activation, got None");
  EXPECT_EQ(Caught([&] { compute.count(Array<int>()); }).kind(), "TypeError");
  Activation stray(make_object<ActivationObj>());
  EXPECT_EQ(Caught([&] { compute[stray]; }).kind(), "KeyError");
  EXPECT_FALSE(compute.count(stray));
  EXPECT_ERROR(compute.Set(stray, 1), "ValueError",
               "The object is not an instance of enum `test_activation.Activation`");
}

TEST(EnumAttrDef, ReplacedValueIsReleasedOnce) {
  Function value = Function::FromTyped([] {});
  refl::EnumAttrDef<ActivationObj>("counted").set("ReLU", value);
  EXPECT_EQ(value.use_count(), 2) << "here and in the EnumState";
  refl::EnumAttrDef<ActivationObj>("counted").set("ReLU", 1);
  EXPECT_EQ(value.use_count(), 1);
  refl::EnumAttrDef<ActivationObj>("counted").set("Never", value).set("Never", value);
  EXPECT_EQ(value.use_count(), 2) << "here and in the waiting values";
}

// spec: M12
TEST(EnumAttrDef, ValueOfALaterEntryBecomesVisibleWithIt) {
  refl::EnumAttrDef<ActivationObj>("cost").set("Tanh", 7).set("ReLU", 1);
  auto column = [] {
    return refl::TypeAttrColumn("__enum_attr_cost__")[ActivationObj::RuntimeTypeIndex()]
        .cast<Map<String, Any>>();
  };
  EXPECT_EQ(column().at("Tanh").cast<int64_t>(), 7);
  refl::EnumEntry<ActivationObj>("Tanh");
  EnumAttrMap<ActivationObj> cost("cost");
  EXPECT_EQ(cost[Activation::Get("Tanh")].cast<int64_t>(), 7);
  EXPECT_EQ(column().size(), 2U);
}

// spec: M08
TEST(EnumAcrossLibraries, EntriesAndColumnsOfAnotherLibraryAreTheSameObjects) {
  Module library = Module::LoadFromFile(FixturePath("enum_extension"));
  Function get = library->GetFunction("get").value();
  Function attr = library->GetFunction("attr").value();
  EXPECT_TRUE(get("ReLU").cast<ObjectRef>().same_as(Activation::Get("ReLU")));
  Activation silu = Activation::Get("SiLU");
  EXPECT_TRUE(silu->inplace);
  EXPECT_TRUE(get("SiLU").cast<ObjectRef>().same_as(silu));
  Function compute = attr("f_compute", Activation::Get("ReLU")).cast<Function>();
  EXPECT_EQ(compute(-1).cast<int64_t>(), 0);
  EnumAttrMap<ActivationObj> gradient("f_gradient");
  EXPECT_EQ(gradient[silu].cast<Function>()(5).cast<int64_t>(), 4);
  EXPECT_EQ(gradient[Activation::Get("ReLU")].cast<Function>()(5).cast<int64_t>(), 15);
  // The library has stored a value for an entry that did not exist. Now the program registers it.
  refl::EnumEntry<ActivationObj>("Later");
  EXPECT_EQ(attr("f_gradient", Activation::Get("Later")).cast<int64_t>(), 5);
}

TEST_CLASS(NeedsNamesObj, Object);
TEST_CLASS(NeedsFieldsObj, Object);
TEST_CLASS(NamedFieldObj, EnumObj);
TEST_CLASS(NamesTextObj, StrEnumObj);
TEST_CLASS(AnyFieldObj, Object);

TEST(EnumEntry, RefusesTheNamesThatAClassNeeds) {
  for (const char* name : {"get", "entries", "all_entries", "def_attr", "attr_dict"}) {
    Error error = Caught([name] { refl::EnumEntry<NeedsNamesObj> entry(name); });
    EXPECT_EQ(error.kind(), "TypeError");
    std::string text = name;
    EXPECT_EQ(error.message(), "`test_enum_entry.NeedsNamesObj." + text + "`: `" + text +
                                   "` is a member of every enum class; give the variant another "
                                   "name");
    refl::EnumDef<NamesTextObj> value(name);  // The name of such an entry is its value.
  }
  EXPECT_EQ(
      Caught([] { refl::EnumDef<NamedFieldObj> entry("mro"); }).message(),
      "`test_enum_entry.NamedFieldObj.mro`: `mro` is a member of every class; give the variant "
      "another name");
  EXPECT_EQ(Caught([] { refl::EnumDef<NamedFieldObj> entry("__init__"); }).kind(), "TypeError");
}

TEST(EnumEntry, RefusesTheNamesThatAClassNeedsAsFields) {
  EXPECT_EQ(Caught([] {
              refl::ObjectDef<NeedsFieldsObj>().def_ro("get", &NeedsFieldsObj::value).as_enum();
            }).message(),
            "`test_enum_entry.NeedsFieldsObj.get`: `get` is a member of every enum class; give the "
            "field another name");
  EXPECT_EQ(Caught([] {
              refl::ObjectDef<NamedFieldObj>().def_ro("mro", &NamedFieldObj::value);
            }).message(),
            "`test_enum_entry.NamedFieldObj.mro`: `mro` is a member of every class; give the field "
            "another name");
  EXPECT_EQ(Caught([] {
              refl::EnumEntry<NeedsNamesObj>("fine");
              refl::ObjectDef<NeedsNamesObj>().def_rw("entries", &NeedsNamesObj::value);
            }).kind(),
            "TypeError");
  // Classes in Python leave out what they cannot have, and have the other names as fields.
  refl::ObjectDef<AnyFieldObj>()
      .def_ro("__dict__", &AnyFieldObj::value)
      .def_ro("get", &AnyFieldObj::value)
      .def_ro("mro", &AnyFieldObj::value);
}

}  // namespace
