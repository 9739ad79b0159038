// SPDX-License-Identifier: Apache-2.0
// Classes of which a binary has another version than the registered class: each difference is
// reported when the binary first asks for the type index, before an object is read.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstring>
#include <optional>
#include <string>

#include "shared_library.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

// ---- the registered classes

class BaseObj : public Object {
 public:
  int64_t base = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Base", BaseObj, Object);
  TVM_FFI_DECLARE_OBJECT_FIELDS(BaseObj, TVM_FFI_FIELD(base));
};

class OtherBaseObj : public Object {
 public:
  int64_t base = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.OtherBase", OtherBaseObj, Object);
};

class PointObj : public BaseObj {
 public:
  int64_t x = 1;
  double y = 2;
  int32_t z = 3;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", PointObj, BaseObj);
  TVM_FFI_DECLARE_OBJECT_FIELDS(PointObj, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y), TVM_FFI_FIELD(z));
};

// Lists its fields only in the registration.
class PlainObj : public Object {
 public:
  int64_t x = 1;
  Array<Any> items;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Plain", PlainObj, Object);
};

// Does not register anything.
class SilentObj : public Object {
 public:
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Silent", SilentObj, Object);
};

class FinalObj : public Object {
 public:
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.skew.Final", FinalObj, Object);
};

class SlottedObj : public Object {
 public:
  static constexpr uint32_t _type_child_slots = 4;
  int64_t x = 1;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Slotted", SlottedObj, Object);
};

class ColorObj : public EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Color", ColorObj, EnumObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BaseObj>().def_rw("base", &BaseObj::base);
  refl::ObjectDef<OtherBaseObj>().def_rw("base", &OtherBaseObj::base);
  refl::ObjectDef<PointObj>()
      .def_rw("x", &PointObj::x)
      .def_rw("y", &PointObj::y)
      .def_rw("z", &PointObj::z);
  refl::ObjectDef<PlainObj>().def_rw("x", &PlainObj::x).def_rw("items", &PlainObj::items);
  refl::ObjectDef<FinalObj>().def_rw("x", &FinalObj::x);
  refl::ObjectDef<SlottedObj>().def_rw("x", &SlottedObj::x);
  refl::ObjectDef<ColorObj>();
}

// ---- other versions of them: templates, because the type index of a class that is not a template
// is requested when the program starts

#define POINT(Name, Parent)                                     \
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", Name, Parent); \
  TVM_FFI_DECLARE_OBJECT_FIELDS(Name, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y), TVM_FFI_FIELD(z))
#define POINT_AND_W(Name)                                                                   \
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", Name, BaseObj);                            \
  TVM_FFI_DECLARE_OBJECT_FIELDS(Name, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y), TVM_FFI_FIELD(z), \
                                TVM_FFI_FIELD(w))

template <int>
struct Same : BaseObj {
  int64_t x;
  double y;
  int32_t z;
  POINT(Same, BaseObj);
};
template <int>
struct FieldInFront : BaseObj {
  int64_t w;
  int64_t x;
  double y;
  int32_t z;
  POINT_AND_W(FieldInFront);
};
template <int>
struct FieldAtTheEnd : BaseObj {
  int64_t x;
  double y;
  int32_t z;
  int64_t w;
  POINT_AND_W(FieldAtTheEnd);
};
template <int>
struct FieldInThePadding : BaseObj {
  int64_t x;
  double y;
  int32_t z;
  int32_t w;
  POINT_AND_W(FieldInThePadding);
};
template <int>
struct FieldRemoved : BaseObj {
  int64_t x;
  double y;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", FieldRemoved, BaseObj);
};
template <int>
struct FieldRemovedBeforePadding : BaseObj {
  int64_t x;
  double y;
  int64_t unused;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", FieldRemovedBeforePadding, BaseObj);
  TVM_FFI_DECLARE_OBJECT_FIELDS(FieldRemovedBeforePadding, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y));
};
template <int>
struct Reordered : BaseObj {
  double y;
  int64_t x;
  int32_t z;
  POINT(Reordered, BaseObj);
};
template <int>
struct OtherTypeOfEqualSize : BaseObj {
  int64_t x;
  int64_t y;
  int32_t z;
  POINT(OtherTypeOfEqualSize, BaseObj);
};
template <int>
struct OtherSize : BaseObj {
  int64_t x;
  float y;
  int32_t z;
  POINT(OtherSize, BaseObj);
};
template <int>
struct OtherSizeInThePadding : BaseObj {
  int64_t x;
  double y;
  int64_t z;
  POINT(OtherSizeInThePadding, BaseObj);
};
template <int>
struct ReplacedByAnother : BaseObj {
  int64_t x;
  double y;
  float q;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", ReplacedByAnother, BaseObj);
  TVM_FFI_DECLARE_OBJECT_FIELDS(ReplacedByAnother, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y),
                                TVM_FFI_FIELD(q));
};
template <int>
struct RenamedInPlace : BaseObj {
  int64_t x;
  double y;
  int32_t q;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", RenamedInPlace, BaseObj);
  TVM_FFI_DECLARE_OBJECT_FIELDS(RenamedInPlace, TVM_FFI_FIELD(x), TVM_FFI_FIELD(y),
                                TVM_FFI_FIELD(q));
};
template <int>
struct OtherParent : OtherBaseObj {
  int64_t x;
  double y;
  int32_t z;
  POINT(OtherParent, OtherBaseObj);
};
template <int>
struct WithoutParent : Object {
  int64_t base;
  int64_t x;
  double y;
  int32_t z;
  POINT(WithoutParent, Object);
};
template <int>
struct BaseThatGrew : Object {
  int64_t base;
  int64_t more;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Base", BaseThatGrew, Object);
};
template <int>
struct ChildOfBaseThatGrew : BaseThatGrew<0> {
  int64_t x;
  double y;
  int32_t z;
  POINT(ChildOfBaseThatGrew, BaseThatGrew<0>);
};
template <int>
struct VirtualFunctionAdded : BaseObj {
  virtual ~VirtualFunctionAdded() = default;
  int64_t x;
  double y;
  int32_t z;
  POINT(VirtualFunctionAdded, BaseObj);
};
template <int>
struct alignas(16) OtherAlignment : BaseObj {
  int64_t x;
  double y;
  int32_t z;
  POINT(OtherAlignment, BaseObj);
};
template <int>
struct FinalAdded : BaseObj {
  int64_t x;
  double y;
  int32_t z;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.skew.Point", FinalAdded, BaseObj);
};
template <int>
struct FinalRemoved : Object {
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Final", FinalRemoved, Object);
};
template <int>
struct ChildOfFinal : FinalRemoved<0> {
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.ChildOfFinal", ChildOfFinal, FinalRemoved<0>);
};
template <int>
struct MoreSlots : Object {
  static constexpr uint32_t _type_child_slots = 8;
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Slotted", MoreSlots, Object);
};
template <int>
struct NoSlots : Object {
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Slotted", NoSlots, Object);
};
template <int>
struct KeyReused : BaseObj {
  String name;
  Any value;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", KeyReused, BaseObj);
};
template <int>
struct KeyReusedWithEqualSize : BaseObj {
  int64_t count;
  String name;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Point", KeyReusedWithEqualSize, BaseObj);
  TVM_FFI_DECLARE_OBJECT_FIELDS(KeyReusedWithEqualSize, TVM_FFI_FIELD(count), TVM_FFI_FIELD(name));
};
template <int>
struct PlainOfOtherSize : Object {
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Plain", PlainOfOtherSize, Object);
};
template <int>
struct PlainReordered : Object {
  Array<Any> items;
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Plain", PlainReordered, Object);
  TVM_FFI_DECLARE_OBJECT_FIELDS(PlainReordered, TVM_FFI_FIELD(items), TVM_FFI_FIELD(x));
};
template <int>
struct PlainOfOtherContainer : Object {
  int64_t x;
  Map<Any, Any> items;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Plain", PlainOfOtherContainer, Object);
  TVM_FFI_DECLARE_OBJECT_FIELDS(PlainOfOtherContainer, TVM_FFI_FIELD(x), TVM_FFI_FIELD(items));
};
template <int>
struct SilentThatGrew : Object {
  int64_t x;
  int64_t w;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Silent", SilentThatGrew, Object);
};
template <int>
struct EnumStorage : EnumObj {
  String payload;
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Color", EnumStorage, EnumObj);
};
template <int>
struct EnumOfOtherFamily : IntEnumObj {
  TVM_FFI_DECLARE_OBJECT_INFO("test.skew.Color", EnumOfOtherFamily, IntEnumObj);
};
template <int>
struct RuntimeClassThatGrew : Object {
  int64_t more[8];
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.reflection.AccessPath", RuntimeClassThatGrew, Object);
};

template <int>
struct ModuleWithMoreFunctions : Object {
  virtual void Added() {}
  Array<Any> imports_;
  Map<String, Function> import_lookup_cache_;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.Module", ModuleWithMoreFunctions, Object);
  TVM_FFI_DECLARE_OBJECT_FIELDS(ModuleWithMoreFunctions, TVM_FFI_FIELD(imports_),
                                TVM_FFI_FIELD(import_lookup_cache_),
                                detail::ListVirtualFunctions(13, offsetof(Self, header_)));
};

// Classes that only read objects of a registered type.
template <int>
struct LookupOfAPrefix : Object {
  int64_t base;
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.skew.Point", 2);
  TVM_FFI_DECLARE_OBJECT_FIELDS(LookupOfAPrefix, TVM_FFI_FIELD(base), TVM_FFI_FIELD(x));
};
template <int>
struct LookupThatIsTooLarge : Object {
  int64_t words[5];
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.skew.Point", 2);
};
template <int>
struct LookupWithMovedField : Object {
  int64_t base;
  double y;
  int64_t x;
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.skew.Point", 2);
  TVM_FFI_DECLARE_OBJECT_FIELDS(LookupWithMovedField, TVM_FFI_FIELD(y), TVM_FFI_FIELD(x));
};
template <int>
struct LookupWithOtherType : Object {
  int64_t x;
  Map<Any, Any> items;
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.skew.Plain", 1);
  TVM_FFI_DECLARE_OBJECT_FIELDS(LookupWithOtherType, TVM_FFI_FIELD(x), TVM_FFI_FIELD(items));
};
template <int>
struct LookupOfOtherDepth : Object {
  int64_t base;
  TVM_FFI_DECLARE_OBJECT_INFO_LOOKUP("test.skew.Point", 1);
};

struct Seed {
  const char* name;
  int32_t (*request)();
  const char* difference;
};

class Skew : public testing::TestWithParam<Seed> {};

TEST_P(Skew, IsReportedAtTheFirstUse) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      GetParam().request();
      FAIL() << "not reported";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), "RuntimeError");
      EXPECT_NE(error.message().find(GetParam().difference), std::string::npos) << error.message();
      EXPECT_NE(error.message().find("\nRebuild "), std::string::npos) << error.message();
    }
  }
}

#define SEED(Class, difference) \
  Seed { #Class, &Class<0>::_RequestTypeIndex, difference }
#define LOOKUP(Class, difference) \
  Seed { #Class, &Class<0>::RuntimeTypeIndex, difference }

INSTANTIATE_TEST_SUITE_P(
    Seeds, Skew,
    testing::Values(
        SEED(FieldInFront, "field `x`: int, 8 bytes at offset 40, not int, 8 bytes at offset 32"),
        SEED(FieldAtTheEnd, "size: 64, not 56"),
        SEED(FieldInThePadding, "field `w`: int, 4 bytes at offset 52, not a field"),
        SEED(FieldRemoved, "size: 48, not 56"),
        SEED(FieldRemovedBeforePadding, "field `z`: missing, not int, 4 bytes at offset 48"),
        SEED(Reordered, "field `x`: int, 8 bytes at offset 40, not int, 8 bytes at offset 32"),
        SEED(OtherTypeOfEqualSize,
             "field `y`: int, 8 bytes at offset 40, not float, 8 bytes at offset 40"),
        SEED(OtherSize, "field `y`: float, 4 bytes at offset 40, not float, 8 bytes at offset 40"),
        SEED(OtherSizeInThePadding,
             "field `z`: int, 8 bytes at offset 48, not int, 4 bytes at offset 48"),
        SEED(ReplacedByAnother,
             "field `q`: float, 4 bytes at offset 48, not `z`, int, 4 bytes at offset 48"),
        SEED(OtherParent, "parent: `test.skew.OtherBase`, not `test.skew.Base`"),
        SEED(WithoutParent, "number of ancestors: 1, not 2"),
        SEED(BaseThatGrew, "size: 40, not 32"), SEED(ChildOfBaseThatGrew, "Class `test.skew.Base`"),
        SEED(VirtualFunctionAdded, "size: 64, not 56"), SEED(OtherAlignment, "size: 64, not 56"),
        SEED(FinalAdded, "final, not a possible base"),
        SEED(FinalRemoved, "a possible base, not final"), SEED(ChildOfFinal, "`test.skew.Final`"),
        SEED(MoreSlots, "child slots: 8, not 4"), SEED(NoSlots, "child slots: 0, not 4"),
        SEED(KeyReused, "size: 64, not 56"),
        SEED(KeyReusedWithEqualSize,
             "field `name`: 16 bytes at offset 40, not `y`, float, 8 bytes at offset 40"),
        SEED(PlainOfOtherSize, "size: 32, not 40"),
        SEED(PlainReordered, "field `items`: ffi.Array, 8 bytes at offset 24, not ffi.Array, 8"),
        SEED(
            PlainOfOtherContainer,
            "field `items`: ffi.Object, 8 bytes at offset 32, not ffi.Array, 8 bytes at offset 32"),
        SEED(SilentThatGrew, "size: 40, not 32"), SEED(EnumStorage, "size: 64, not 48"),
        SEED(EnumOfOtherFamily, "number of ancestors: 3, not 2"),
        SEED(RuntimeClassThatGrew, "size: 88, not 48"),
        SEED(ModuleWithMoreFunctions, "`virtual functions`: 13, not 12"),
        LOOKUP(LookupThatIsTooLarge, "size: 64, not 56"),
        LOOKUP(LookupWithMovedField, "field `y`: float, 8 bytes at offset 32, not float, 8 bytes"),
        LOOKUP(LookupWithOtherType,
               "field `items`: ffi.Object, 8 bytes at offset 32, not ffi.Array"),
        LOOKUP(LookupOfOtherDepth, "number of ancestors: 1, not 2")),
    [](const testing::TestParamInfo<Seed>& seed) { return std::string(seed.param.name); });

TEST(ClassRecord, EqualClassAndRenamedFieldAndPrefixAreAccepted) {
  EXPECT_EQ(Same<0>::_RequestTypeIndex(), PointObj::RuntimeTypeIndex());
  EXPECT_EQ(RenamedInPlace<0>::_RequestTypeIndex(), PointObj::RuntimeTypeIndex());
  EXPECT_EQ(LookupOfAPrefix<0>::RuntimeTypeIndex(), PointObj::RuntimeTypeIndex());
}

// The registration may come from a library without records, after another library has the class.
TEST(ClassRecord, RegistrationOfAnotherVersionIsRefused) {
  TVMFFITypeMetadata metadata{};
  metadata.total_size = 40;
  EXPECT_NE(TVMFFITypeRegisterMetadata(SilentObj::RuntimeTypeIndex(), &metadata), 0);
  Error error = detail::MoveFromSafeCallRaised();
  EXPECT_NE(error.message().find("size: 40, not 32"), std::string::npos) << error.message();
  metadata.total_size = 32;
  EXPECT_EQ(TVMFFITypeRegisterMetadata(SilentObj::RuntimeTypeIndex(), &metadata), 0);
}

#if defined(__x86_64__) && defined(__ELF__)
TEST(ClassRecord, ListsTheNumberOfVirtualFunctionsOfModules) {
  void (ModuleObj::*last)() = &ModuleObj::ClearImports;
  intptr_t slot;
  std::memcpy(&slot, &last, sizeof(slot));
  EXPECT_EQ((slot - 1) / static_cast<intptr_t>(sizeof(void*)) + 1, 12);
}
#endif

std::string ErrorOfLoading(const std::string& fixture) {
  try {
    Module::LoadFromFile(FixturePath(fixture));
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(ClassRecord, LibraryWithAnotherVersionOfAClassIsNotLoaded) {
  EXPECT_EQ(ErrorOfLoading("class_version_1"), "");
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::string message = ErrorOfLoading("class_version_2");
    for (const char* part :
         {"class_version_1", "class_version_2", "Class `test.version.Shared`", "size: 40, not 32",
          "field `name`: 16 bytes at offset 24, not `x`, int, 8 bytes at offset 24"}) {
      EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
    }
  }
  EXPECT_FALSE(Function::GetGlobal("test.version.two").has_value());
  EXPECT_EQ(Function::GetGlobalRequired("test.version.one")().cast<int>(), 1);
}

}  // namespace
