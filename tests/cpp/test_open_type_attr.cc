// SPDX-License-Identifier: Apache-2.0
// Test reflection/type_attr.h: any attribute of any type, stored in a map or a dense column.
#include <gtest/gtest.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/reflection/type_attr.h>

#include <string>
#include <type_traits>
#include <vector>

#include "caught.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

class BaseObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test_open_type_attr.Base", BaseObj, Object);
  // Some programs declare this member; it hides the method of the same name.
  static inline const int32_t type_index = RuntimeTypeIndex();
};
class DerivedObj : public BaseObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_open_type_attr.Derived", DerivedObj, BaseObj);
};
class KeyObj : public Object {
 public:
  int64_t value = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_open_type_attr.Key", KeyObj, Object);
};

int32_t Base() { return BaseObj::type_index; }
int32_t Derived() { return DerivedObj::RuntimeTypeIndex(); }

int32_t NewType(const std::string& key) {
  TVMFFIByteArray bytes{key.data(), key.size()};
  return TVMFFITypeGetOrAllocIndex(&bytes, -1, 1, 0, 1, kTVMFFIObject);
}

// spec: N01
TEST(TypeAttrSet, NeedsNoDeclarationAndIsNotInherited) {
  EXPECT_EQ(TypeAttrGet("open.undeclared", Base()), nullptr);
  TypeAttrSet(Base(), "open.undeclared", true);
  EXPECT_TRUE(TypeAttrGet("open.undeclared", Base()).cast<bool>());
  EXPECT_EQ(TypeAttrGet("open.undeclared", Derived()), nullptr);
  TypeAttrSet(Base(), "open.undeclared", nullptr);
  EXPECT_EQ(TypeAttrGet("open.undeclared", Base()), nullptr);
  // An attribute may also belong to a type that is not an object type.
  TypeAttrSet(kTVMFFIInt, "open.undeclared", "a text that needs the heap");
  EXPECT_EQ(TypeAttrGet("open.undeclared", kTVMFFIInt).cast<String>(),
            "a text that needs the heap");
  EXPECT_EQ(Caught([] { TypeAttrSet(99999, "open.undeclared", 1); }).kind(), "InternalError");
  EXPECT_EQ(TypeAttrGet("open.undeclared", 99999), nullptr);
  EXPECT_EQ(TypeAttrGet("", Base()), nullptr);
}

// spec: N02
TEST(TypeAttrSet, OverwritesEveryName) {
  for (const char* name : {"open.overwritten", "__ffi_repr__", "__any_hash__"}) {
    Function value = Function::FromTyped([] {}), other = Function::FromTyped([] {});
    TypeAttrSet(Base(), name, value);
    EXPECT_TRUE(TypeAttrGet(name, Base()).same_as(value)) << name;
    TypeAttrSet(Base(), name, other);
    EXPECT_TRUE(TypeAttrGet(name, Base()).same_as(other)) << name;
    TypeAttrSet(Base(), name, nullptr);
    EXPECT_EQ(TypeAttrGet(name, Base()), nullptr) << name;
  }
}

TEST(TypeAttrSet, ReleasesTheValueBeforeIfItIsNotBorrowed) {
  Function value = Function::FromTyped([] {});
  TypeAttrSet(Base(), "open.unread", value);
  EXPECT_EQ(value.use_count(), 2);
  TypeAttrSet(Base(), "open.unread", 5);
  EXPECT_EQ(value.use_count(), 1);
}

TEST(TypeAttrSet, KeepsTheValueBeforeOnceForReadersThatBorrow) {
  Function value = Function::FromTyped([] {});
  TypeAttrSet(Base(), "open.read", value);
  AnyView borrowed = TypeAttrGet("open.read", Base());
  for (int i = 0; i < 5; ++i) {
    TypeAttrSet(Base(), "open.read", i);
    TypeAttrSet(Base(), "open.read", value);
  }
  TypeAttrSet(Base(), "open.read", nullptr);
  EXPECT_EQ(value.use_count(), 2) << "one reference, however often it was replaced";
  EXPECT_TRUE(borrowed.same_as(value));
}

// spec: N02
TEST(TypeAttrSet, RegisteringOverwritesUserNamesOnly) {
  Function value = Function::FromTyped([] {});
  refl::TypeAttrDef<DerivedObj>().attr("open.user", value);
  EXPECT_EQ(value.use_count(), 2);
  refl::TypeAttrDef<DerivedObj>().attr("open.user", 2);
  EXPECT_EQ(value.use_count(), 1);
  EXPECT_EQ(TypeAttrGet("open.user", Derived()).cast<int>(), 2);
  for (const char* name : {"__ffi_repr__", "__any_equal__", "__s_hash__", "__data_to_json__",
                           "__structural_equal__", "__ffi_convert_type_schema__"}) {
    refl::TypeAttrDef<DerivedObj>().attr(name, value);
    Error error = Caught([&] { refl::TypeAttrDef<DerivedObj>().attr(name, 2); });
    EXPECT_EQ(error.kind(), "RuntimeError") << name;
    EXPECT_TRUE(TypeAttrGet(name, Derived()).same_as(value)) << name;
    TypeAttrSet(Derived(), name, nullptr);
    refl::TypeAttrDef<DerivedObj>().attr(name, value);  // a slot that holds None may be set again
    TypeAttrSet(Derived(), name, nullptr);
  }
}

// spec: N04
TEST(TypeAttrGet, SeesWhatOtherApisRegister) {
  refl::ObjectDef<BaseObj>().def_type_attr("open.by_object_def", 1);
  refl::TypeAttrDef<BaseObj>().def("open.by_type_attr_def", [](int64_t x) { return x + 1; });
  EXPECT_EQ(TypeAttrGet("open.by_object_def", Base()).cast<int>(), 1);
  EXPECT_EQ(TypeAttrGet("open.by_type_attr_def", Base()).cast<Function>()(1).cast<int>(), 2);
  EXPECT_FALSE(TypeAttrGet("__ffi_type_final__", Base()).cast<bool>());
  EXPECT_NE(TypeAttrGet("__ffi_convert__", kTVMFFIArray), nullptr);
  Function equal = Function::FromTyped([] {});
  TypeAttrSet(Base(), "__structural_equal__", equal);
  EXPECT_TRUE(TypeAttrGet("__s_equal__", Base()).same_as(equal));
  TypeAttrSet(Base(), "__s_equal__", nullptr);
}

// spec: N05
TEST(TypeAttrColumn, OfAGeneralNameComesOnDemandAndStaysInStep) {
  EXPECT_EQ(Caught([] { TypeAttrColumn column("open.never"); }).message(),
            "Cannot find type attribute open.never");
  EXPECT_EQ(TypeAttrGet("open.never", Base()), nullptr);
  EXPECT_EQ(Caught([] { TypeAttrColumn column("open.never"); }).kind(), "RuntimeError")
      << "reading does not make it";
  TypeAttrSet(Derived(), "open.column", 1);
  TypeAttrColumn column("open.column");
  EXPECT_EQ(column[Derived()].cast<int>(), 1);
  EXPECT_EQ(column[Base()], nullptr);
  TypeAttrSet(Base(), "open.column", 2);
  TypeAttrSet(Derived(), "open.column", 3);
  int32_t later = NewType("test_open_type_attr.Later");
  TypeAttrSet(later, "open.column", 4);
  EXPECT_EQ(column[Base()].cast<int>(), 2);
  EXPECT_EQ(column[Derived()].cast<int>(), 3);
  EXPECT_EQ(column[later].cast<int>(), 4);
  TypeAttrSet(Derived(), "open.column", nullptr);
  EXPECT_EQ(column[Derived()], nullptr);
  refl::EnsureTypeAttrColumn("open.ensured");
  EXPECT_EQ(TypeAttrColumn("open.ensured")[Base()], nullptr);
}

int64_t hashes_asked = 0;
int64_t HashKey(const Any& key) {
  ++hashes_asked;
  return key.as<KeyObj>()->value;
}
bool EqualKeys(const Any& lhs, const Any& rhs) {
  return lhs.as<KeyObj>()->value == rhs.as<KeyObj>()->value;
}

// spec: N06
TEST(TypeAttrSet, OfAHotHookTakesEffectInLookUps) {
  using Hash = refl::NativeFunctionView<int64_t(const Any&)>;
  using Equal = refl::NativeFunctionView<bool(const Any&, const Any&)>;
  auto make = [](int64_t value) {
    auto key = make_object<KeyObj>();
    key->value = value;
    return ObjectRef(key);
  };
  auto fill = [&] {
    Map<ObjectRef, int> map;
    for (int i = 0; i < 10; ++i) map.Set(make(i), i);  // more entries than a small map can hold
    return map;
  };
  EXPECT_EQ(fill().count(make(7)), 0U);
  TypeAttrSet(KeyObj::RuntimeTypeIndex(), "__any_hash__", Hash::FromNative<&HashKey>());
  TypeAttrSet(KeyObj::RuntimeTypeIndex(), "__any_equal__", Equal::FromNative<&EqualKeys>());
  EXPECT_EQ(fill().count(make(7)), 1U);
  EXPECT_GT(hashes_asked, 0);
}

TEST(TypeAttrRegistry, IsTheSameStoreInOtherWords) {
  TypeAttrRegistry* registry = TypeAttrRegistry::Global();
  registry->Set(Base(), "open.registry", 11);
  EXPECT_EQ(TypeAttrGet("open.registry", Base()).cast<int>(), 11);
  EXPECT_EQ(registry->Get("open.registry", Base()).cast<int>(), 11);
  EXPECT_EQ(registry->Get("open.registry", Derived()), nullptr);
  EXPECT_TRUE((std::is_same_v<TypeAttrRegistry, refl::TypeAttrRegistry>));
}

// spec: N03
TEST(TypeAttrRegistry, InnerMapStaysWhereItIsAndSeesWhatComes) {
  static auto* map = &TypeAttrRegistry::Get("open.commutative");
  EXPECT_TRUE(map->empty());
  TypeAttrSet(Derived(), "open.commutative", true);
  EXPECT_TRUE(map->count(Derived()));
  EXPECT_FALSE(map->count(Base()));
  for (int i = 0; i < 3000; ++i) {
    std::string number = std::to_string(i);
    TypeAttrSet(NewType("test_open_type_attr.Many" + number), "open.commutative", i);
    TypeAttrSet(Base(), "open.other" + number, i);
  }
  EXPECT_EQ(&TypeAttrRegistry::Get("open.commutative"), map);
  EXPECT_EQ(map->size(), 3001U);
  EXPECT_EQ(map->at(NewType("test_open_type_attr.Many2999")).cast<int>(), 2999);
}

#if defined(__GLIBC__)
// spec: N07
TEST(TypeAttrTiers, SparseNamesAllocateNoColumns) {
  // The type indices are high, so one dense column would take 16 bytes times the highest index.
  std::vector<int32_t> types;
  for (int i = 0; i < 4000; ++i) {
    int32_t index = NewType("test_open_type_attr.Few" + std::to_string(i));
    if (i % 400 == 0) types.push_back(index);
  }
  size_t before = mallinfo2().uordblks;
  for (int a = 0; a < 100; ++a) {
    std::string name = "open.trait" + std::to_string(a);
    for (int32_t type : types) TypeAttrSet(type, name, a);
    for (int32_t type : types) ASSERT_EQ(TypeAttrGet(name, type).cast<int>(), a);
  }
  size_t sparse = mallinfo2().uordblks - before;
  EXPECT_LT(sparse, 100U * 4000 * sizeof(TVMFFIAny) / 10);
}
#endif

// spec: N08
TEST(TypeAttrAcrossLibraries, ValuesOfOneAreReadInAnother) {
  Module library = Module::LoadFromFile(FixturePath("type_attr_client"));
  library->GetFunction("set").value()(Base(), "open.library", 21);
  EXPECT_EQ(TypeAttrGet("open.library", Base()).cast<int>(), 21);
  TypeAttrSet(Base(), "open.library", "ours");
  EXPECT_EQ(library->GetFunction("get").value()("open.library", Base()).cast<String>(), "ours");
}

}  // namespace
