// SPDX-License-Identifier: Apache-2.0
// Test registration: ObjectDef, info traits, metadata texts, GlobalDef, TypeAttrDef.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstddef>
#include <string>

#include "caught.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)
namespace refl = tvm::ffi::reflection;

std::string Text(const TVMFFIByteArray& bytes) { return std::string(bytes.data, bytes.size); }

template <typename T>
AnyView AttrOf(std::string_view name) {
  return refl::TypeAttrColumn(name)[T::RuntimeTypeIndex()];
}

/*! \brief A user-defined trait; it applies to fields and methods. */
class Unit : public refl::InfoTrait {
 public:
  explicit Unit(const char* unit) : unit_(unit) {}
  void Apply(refl::FieldInfoBuilder* info) const { info->metadata_.emplace_back("unit", unit_); }
  void Apply(refl::MethodInfoBuilder* info) const { info->metadata_.emplace_back("unit", unit_); }

 private:
  const char* unit_;
};

class BaseObj : public Object {
 public:
  int64_t inherited = 4;
  int64_t Base(int64_t x) const { return inherited + x; }
  TVM_FFI_DECLARE_OBJECT_INFO("test.registry.Base", BaseObj, Object);
};

/*! \brief A class without `_type_mutable`; def_rw must still accept its fields. */
class PointObj : public BaseObj {
 public:
  int64_t x = 0;
  float y = 0;
  String label;
  Optional<int64_t> maybe;
  Array<int64_t> values;
  Any any;
  int64_t GetX() const { return x; }
  void AddToX(int64_t d) { x += d; }
  TVM_FFI_DECLARE_OBJECT_INFO("test.registry.Point", PointObj, BaseObj);
};

class Point : public ObjectRef {
 public:
  Point() : ObjectRef(make_object<PointObj>()) {}
  int64_t Twice() { return 2 * get()->x; }
  int64_t Times(int64_t n) const { return n * get()->x; }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Point, ObjectRef, PointObj);
};

struct PlainBase {
  virtual ~PlainBase() = default;
  int64_t plain = 8;
};

/*! \brief A class whose object header is not at offset 0. */
class ShiftedObj : public PlainBase, public Object {
 public:
  int64_t value = 6;
  int64_t Sum(int64_t z) const { return value + plain + z; }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.registry.Shifted", ShiftedObj, Object);
};

class FinalObj : public Object {
 public:
  int64_t value;
  Any extra;
  FinalObj(int64_t value, Any extra) : value(value), extra(std::move(extra)) {}
  FinalObj(const FinalObj&) = delete;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.registry.Final", FinalObj, Object);
};

class NoInitObj : public Object {
 public:
  int64_t value = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.registry.NoInit", NoInitObj, Object);
};

class AttrObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.registry.Attr", AttrObj, Object);
};

class AttrRef : public ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(AttrRef, ObjectRef, AttrObj);
};

class TwiceObj : public Object {
 public:
  int64_t a = 0;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.registry.Twice", TwiceObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<BaseObj>("The base.").def_ro("inherited", &BaseObj::inherited);
  refl::ObjectDef<PointObj>()
      // spec: S03
      .def_rw("x", &PointObj::x, "first text", "The x.", refl::default_(7),
              refl::Metadata{{"min", -1}, {"flag", true}, {"note", "a/\"b\""}})
      .def_ro("y", &PointObj::y, refl::repr(false), refl::compare(false), refl::hash(false))
      .def_rw("label", &PointObj::label, refl::kw_only(true), refl::init(false), Unit("m"))
      .def_ro("maybe", &PointObj::maybe, refl::repr(true), refl::kw_only(false), refl::init(true))
      .def_ro("values", &PointObj::values,
              refl::default_factory([]() { return Array<int64_t>{1}; }),
              refl::AttachFieldFlag::SEqHashIgnore())
      .def_rw("any", &PointObj::any, refl::AttachFieldFlag::SEqHashDefPattern(),
              refl::AttachFieldFlag::SEqHashDefSimple())
      .def_ro("base_field", &PointObj::inherited)
      .def("get_x", &PointObj::GetX, "Returns x.")
      .def("add_to_x", &PointObj::AddToX)
      .def("base", &PointObj::Base)
      .def("twice", &Point::Twice)
      .def("times", &Point::Times, refl::short_call(), refl::Metadata{{"k", 1}})
      .def("lambda", [](const PointObj* self, const String& s) { return self->label + s; })
      .def_static("make", [](int64_t x) { return x; }, Unit("s"));
  refl::ObjectDef<ShiftedObj>()
      .def_rw("value", &ShiftedObj::value)
      .def_ro("plain", &ShiftedObj::plain)
      .def("sum", &ShiftedObj::Sum);
  refl::ObjectDef<FinalObj>()
      .def(refl::init<int64_t, Any>(), "constructs")
      .def_ro("value", &FinalObj::value);
  refl::ObjectDef<NoInitObj>(refl::init(false), "doc").def_ro("value", &NoInitObj::value);
  refl::ObjectDef<AttrObj>();
}

const TVMFFIFieldInfo* PointField(const char* name) {
  return refl::GetFieldInfo("test.registry.Point", name);
}

// ---------------------------------------------------------------- fields

// spec: L01
TEST(ObjectDef, RecordsPlaceSizeAndType) {
  const TVMFFIFieldInfo* x = PointField("x");
  EXPECT_EQ(x->offset, 32);
  EXPECT_EQ(x->size, 8);
  EXPECT_EQ(x->alignment, 8);
  EXPECT_EQ(x->field_static_type_index, kTVMFFIInt);
  const TVMFFIFieldInfo* y = PointField("y");
  EXPECT_EQ(y->offset, 40);
  EXPECT_EQ(y->size, 4);
  EXPECT_EQ(y->field_static_type_index, kTVMFFIFloat);
  EXPECT_EQ(PointField("label")->field_static_type_index, kTVMFFIAny);
  EXPECT_EQ(PointField("values")->field_static_type_index, kTVMFFIArray);
  EXPECT_EQ(PointField("any")->field_static_type_index, kTVMFFIAny);
  EXPECT_EQ(PointField("base_field")->offset, 24);
}

// spec: L01
TEST(ObjectDef, RecordsFlags) {
  EXPECT_EQ(PointField("x")->flags,
            kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault);
  EXPECT_EQ(PointField("y")->flags, kTVMFFIFieldFlagBitMaskReprOff |
                                        kTVMFFIFieldFlagBitMaskCompareOff |
                                        kTVMFFIFieldFlagBitMaskHashOff);
  EXPECT_EQ(PointField("label")->flags, kTVMFFIFieldFlagBitMaskWritable |
                                            kTVMFFIFieldFlagBitMaskKwOnly |
                                            kTVMFFIFieldFlagBitMaskInitOff);
  EXPECT_EQ(PointField("maybe")->flags, 0);
  EXPECT_EQ(PointField("values")->flags, kTVMFFIFieldFlagBitMaskHasDefault |
                                             kTVMFFIFieldFlagBitMaskDefaultFromFactory |
                                             kTVMFFIFieldFlagBitMaskSEqHashIgnore);
  EXPECT_EQ(PointField("any")->flags, kTVMFFIFieldFlagBitMaskWritable |
                                          kTVMFFIFieldFlagBitMaskSEqHashDefPattern |
                                          kTVMFFIFieldFlagBitMaskSEqHashDefSimple);
}

// spec: L01, L13, S03
TEST(ObjectDef, RecordsDocDefaultAndMetadata) {
  const TVMFFIFieldInfo* x = PointField("x");
  EXPECT_EQ(Text(x->doc), "The x.");
  EXPECT_EQ(x->default_value_or_factory.v_int64, 7);
  EXPECT_EQ(Text(x->metadata),
            R"({"type_schema":"{\"type\":\"int\"}","min":-1,"flag":true,"note":"a\/\"b\""})");
  EXPECT_EQ(PointField("y")->doc.size, 0u);
  EXPECT_EQ(PointField("y")->default_value_or_factory.type_index, kTVMFFINone);
  EXPECT_EQ(Text(PointField("label")->metadata),
            R"({"type_schema":"{\"type\":\"ffi.String\"}","unit":"m"})");
  EXPECT_EQ(Text(PointField("maybe")->metadata),
            R"({"type_schema":"{\"type\":\"Optional\",\"args\":[{\"type\":\"int\"}]}"})");
  EXPECT_EQ(Text(PointField("any")->metadata), R"({"type_schema":"{\"type\":\"Any\"}"})");
}

// spec: S01
TEST(ObjectDef, DefRwNeedsNoMutableType) {
  static_assert(!PointObj::_type_mutable);
  Point point;
  refl::FieldSetter set_x("test.registry.Point", "x");
  set_x(point, 5);
  EXPECT_EQ(point->x, 5);
  refl::FieldSetter set_base("test.registry.Point", "base_field");
  set_base(point, 44);
  EXPECT_EQ(point->inherited, 44);
}

// spec: C19
TEST(ObjectDef, OffsetsCountFromTheObjectHeader) {
  auto shifted = make_object<ShiftedObj>();
  // spec: L23
  EXPECT_EQ((refl::GetFieldByteOffsetToObject<ShiftedObj>(&ShiftedObj::value)), 24);
  EXPECT_EQ(refl::GetFieldInfo("test.registry.Shifted", "value")->offset, 24);
  EXPECT_LT(refl::GetFieldInfo("test.registry.Shifted", "plain")->offset, 0);
  EXPECT_EQ(refl::FieldGetter("test.registry.Shifted", "value")(shifted.get()).cast<int>(), 6);
  EXPECT_EQ(refl::FieldGetter("test.registry.Shifted", "plain")(shifted.get()).cast<int>(), 8);
  EXPECT_EQ(refl::GetMethod("test.registry.Shifted", "sum")(shifted, 1).cast<int>(), 15);
  ObjectPtr<Object> made = CreateEmptyObject(TVMFFIGetTypeInfo(ShiftedObj::RuntimeTypeIndex()));
  EXPECT_EQ(static_cast<ShiftedObj*>(made.get())->value, 6);
}

// ---------------------------------------------------------------- methods

// spec: L06
TEST(ObjectDef, MethodsOfEveryKindCanBeCalled) {
  Point point;
  auto method = [](const char* name) { return refl::GetMethod("test.registry.Point", name); };
  method("add_to_x")(point, 3);
  EXPECT_EQ(method("get_x")(point).cast<int>(), 3);
  EXPECT_EQ(method("base")(point, 1).cast<int>(), 5);
  EXPECT_EQ(method("twice")(point).cast<int>(), 6);
  EXPECT_EQ(method("times")(point, 5).cast<int>(), 15);
  EXPECT_EQ(method("lambda")(point, "s").cast<String>(), "s");
  EXPECT_EQ(method("make")(9).cast<int>(), 9);
}

// spec: L06
TEST(ObjectDef, MethodErrorsNameTypeAndMethod) {
  EXPECT_EQ(ErrorOf([] { refl::GetMethod("test.registry.Point", "add_to_x")(Point(), "s"); }),
            "TypeError: Mismatched type on argument #1 when calling: "
            "`test.registry.Point.add_to_x(0: test.registry.Point, 1: int) -> void`. Expected "
            "`int` but got `const char*`");
  EXPECT_EQ(ErrorOf([] { refl::GetMethod("test.registry.Point", "make")(); }),
            "TypeError: Mismatched number of arguments when calling: "
            "`test.registry.Point.make(0: int) -> int`. Expected 1 but got 0 arguments");
}

// spec: E16
TEST(ObjectDef, MethodRecordsHaveSchemaDocAndFlags) {
  const TVMFFIMethodInfo* get_x = refl::GetMethodInfo("test.registry.Point", "get_x");
  EXPECT_EQ(get_x->flags, 0);
  EXPECT_EQ(Text(get_x->doc), "Returns x.");
  EXPECT_EQ(Text(get_x->metadata),
            R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
            R"([{\"type\":\"int\"}],\"params\":[{\"type\":\"test.registry.Point\"}]}}"})");
  const TVMFFIMethodInfo* times = refl::GetMethodInfo("test.registry.Point", "times");
  EXPECT_EQ(times->flags, kTVMFFIMethodFlagBitMaskShortCall);
  EXPECT_NE(Text(times->metadata).find(R"(","k":1})"), std::string::npos);
  const TVMFFIMethodInfo* make = refl::GetMethodInfo("test.registry.Point", "make");
  EXPECT_EQ(make->flags, kTVMFFIFieldFlagBitMaskIsStaticMethod);
  EXPECT_NE(Text(make->metadata).find(R"(","unit":"s"})"), std::string::npos);
}

// spec: L07
TEST(ObjectDef, InitIsAStaticMethodAndAnAttribute) {
  const TVMFFIMethodInfo* info = refl::GetMethodInfo("test.registry.Final", "__ffi_init__");
  EXPECT_EQ(info->flags, kTVMFFIFieldFlagBitMaskIsStaticMethod);
  EXPECT_EQ(Text(info->doc), "constructs");
  EXPECT_EQ(
      Text(info->metadata),
      R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
      R"([{\"type\":\"ffi.Object\"}],\"params\":[{\"type\":\"int\"},{\"type\":\"Any\"}]}}"})");
  Function init = AttrOf<FinalObj>("__ffi_init__").cast<Function>();
  Any made = init(3, "x");
  ASSERT_NE(made.as<FinalObj>(), nullptr);
  EXPECT_EQ(made.as<FinalObj>()->value, 3);
  EXPECT_EQ(made.as<FinalObj>()->extra.cast<String>(), "x");
  EXPECT_EQ(made.as<FinalObj>()->use_count(), 1u);
  EXPECT_EQ(ErrorOf([&] { init(); }),
            "TypeError: Mismatched number of arguments when calling: "
            "`test.registry.Final.__ffi_init__(0: int, 1: Any) -> ffi.Object`. Expected 2 but got "
            "0 arguments");
}

// -------------------------------------------------------------- metadata and attributes of a class

TEST(ObjectDef, RegistersTypeMetadata) {
  const TVMFFITypeMetadata* base = TVMFFIGetTypeInfo(BaseObj::RuntimeTypeIndex())->metadata;
  ASSERT_NE(base, nullptr);
  EXPECT_EQ(Text(base->doc), "The base.");
  EXPECT_EQ(base->total_size, static_cast<int32_t>(sizeof(BaseObj)));
  EXPECT_EQ(base->structural_eq_hash_kind, kTVMFFISEqHashKindUnsupported);
  EXPECT_NE(base->creator, nullptr);
  const TVMFFITypeMetadata* final = TVMFFIGetTypeInfo(FinalObj::RuntimeTypeIndex())->metadata;
  EXPECT_EQ(final->structural_eq_hash_kind, kTVMFFISEqHashKindTreeNode);
  EXPECT_EQ(final->creator, nullptr);
}

// spec: L11
TEST(ObjectDef, RegistersTheAttributesThatTheClassAllows) {
  EXPECT_TRUE(AttrOf<FinalObj>("__ffi_type_final__").cast<bool>());
  EXPECT_FALSE(AttrOf<BaseObj>("__ffi_type_final__").cast<bool>());
  EXPECT_TRUE(AttrOf<FinalObj>("__ffi_shallow_copy__") == nullptr) << "not copyable";
  EXPECT_FALSE(AttrOf<BaseObj>("__ffi_new__") == nullptr);
  EXPECT_FALSE(AttrOf<BaseObj>("__ffi_init__") == nullptr) << "automatic";
  EXPECT_TRUE(AttrOf<NoInitObj>("__ffi_init__") == nullptr) << "init(false)";
  EXPECT_FALSE(AttrOf<NoInitObj>("__ffi_new__") == nullptr);
  ObjectRef made = AttrOf<BaseObj>("__ffi_new__").cast<Function>()().cast<ObjectRef>();
  EXPECT_EQ(made.as<BaseObj>()->inherited, 4);
}

TEST(ObjectDef, ShallowCopySharesWhatTheFieldsReferTo) {
  Point point;
  Array<int64_t> values{1, 2};
  refl::FieldSetter("test.registry.Point", "values")(point, values);
  Function copy = AttrOf<PointObj>("__ffi_shallow_copy__").cast<Function>();
  ObjectRef copied = copy(point).cast<ObjectRef>();
  EXPECT_FALSE(copied.same_as(point));
  EXPECT_EQ(copied.use_count(), 1);
  EXPECT_TRUE(copied.as<PointObj>()->values.same_as(values));
}

// spec: L12
TEST(ObjectDef, ASecondDefinitionIsRefused) {
  std::string error = ErrorOf([] { refl::ObjectDef<BaseObj>(); });
  EXPECT_EQ(error.rfind("RuntimeError: Overriding test.registry.Base", 0), 0u) << error;
}

// spec: L12
TEST(ObjectDef, ADuplicateFieldIsRefused) {
  std::string error = ErrorOf(
      [] { refl::ObjectDef<TwiceObj>().def_ro("a", &TwiceObj::a).def_rw("a", &TwiceObj::a); });
  EXPECT_EQ(error.rfind("InternalError: ", 0), 0u) << error;
  EXPECT_NE(error.find("Duplicate field name \"a\" in type \"test.registry.Twice\""),
            std::string::npos)
      << error;
}

// spec: L13
TEST(Metadata, RefusesValuesOfOtherTypes) {
  EXPECT_EQ(ErrorOf([] {
              refl::GlobalDef().def(
                  "test.registry.bad_metadata", [](int) {}, refl::Metadata{{"min", 1.5}});
            }),
            "TypeError: Metadata can be only int, bool or string, but on key `min`, the type is "
            "float");
  EXPECT_FALSE(Function::GetGlobal("test.registry.bad_metadata").has_value());
}

// ---------------------------------------------------------------- GlobalDef

std::string GlobalMetadata(const char* name) {
  return Function::GetGlobalRequired("ffi.GetGlobalFuncMetadata")(name).cast<std::string>();
}

// spec: L14
TEST(GlobalDef, DefinesFunctionsOfEveryKind) {
  refl::GlobalDef()
      .def(
          "test.registry.add", [](int a, double b) { return a + b; }, "Adds.",
          refl::arg_names("a,b"), refl::arg_defaults("[1.5]"), refl::short_call())
      .def_packed("test.registry.count", [](PackedArgs args, Any* rv) { *rv = args.size(); })
      .def_method("test.registry.get_x", &PointObj::GetX)
      .def_method("test.registry.add_to_x", &PointObj::AddToX)
      .def_method("test.registry.times", &Point::Times);
  EXPECT_EQ(Function::GetGlobalRequired("test.registry.add")(1, 2.5).cast<double>(), 3.5);
  EXPECT_EQ(Function::GetGlobalRequired("test.registry.count")(1, "2", 3).cast<int>(), 3);
  Point point;
  Function::GetGlobalRequired("test.registry.add_to_x")(point, 4);
  EXPECT_EQ(Function::GetGlobalRequired("test.registry.get_x")(point).cast<int>(), 4);
  EXPECT_EQ(Function::GetGlobalRequired("test.registry.times")(point, 2).cast<int>(), 8);
  EXPECT_EQ(ErrorOf([] { Function::GetGlobalRequired("test.registry.add")("x", 1); }),
            "TypeError: Mismatched type on argument #0 when calling: "
            "`test.registry.add(0: int, 1: float) -> float`. Expected `int` but got `const char*`");

  EXPECT_EQ(GlobalMetadata("test.registry.add"),
            R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
            R"([{\"type\":\"float\"}],\"params\":[{\"type\":\"int\"},{\"type\":\"float\"}]}}",)"
            R"("arg_names":"a,b","arg_defaults":"[1.5]"})");
  EXPECT_EQ(GlobalMetadata("test.registry.count"),
            R"({"type_schema":"{\"type\":\"ffi.Function\"}"})");
  EXPECT_EQ(GlobalMetadata("test.registry.add_to_x"),
            R"({"type_schema":"{\"type\":\"ffi.Function\",\"named_args\":{\"return\":)"
            R"([{\"type\":\"None\"}],\"params\":[{\"type\":\"test.registry.Point\"},)"
            R"({\"type\":\"int\"}]}}"})");
}

// spec: E17
TEST(GlobalDef, MetadataOfUnknownAndPlainFunctions) {
  std::string error = ErrorOf([] { GlobalMetadata("test.registry.none"); });
  EXPECT_EQ(error.rfind("RuntimeError: Global Function is not found: test.registry.none; ", 0), 0u)
      << error;
  Function::SetGlobal("test.registry.plain", Function::FromTyped([]() {}));
  EXPECT_EQ(GlobalMetadata("test.registry.plain"), "");
}

// spec: L14
TEST(GlobalDef, ATakenNameIsRefused) {
  refl::GlobalDef().def("test.registry.taken", []() { return 1; });
  std::string error =
      ErrorOf([] { refl::GlobalDef().def("test.registry.taken", []() { return 2; }); });
  EXPECT_EQ(
      error.rfind("RuntimeError: Global Function `test.registry.taken` is already registered", 0),
      0u)
      << error;
  EXPECT_EQ(Function::GetGlobalRequired("test.registry.taken")().cast<int>(), 1);
}

// ---------------------------------------------------------------- type attributes

Expected<int64_t> HashZero(const Any&) noexcept { return 0; }
bool AlwaysEqual(const Any&, const Any&) { return true; }

// spec: L15
TEST(TypeAttrDef, ValuesCallablesKeysAndPlainHooks) {
  constexpr refl::AttrKey<TypedFunction<int64_t(int64_t)>> key{"test.registry.keyed"};
  refl::TypeAttrDef<AttrObj>()
      .def("test.registry.value", 5)
      .def("test.registry.text", "literal")
      .def("test.registry.callable", [](int64_t x) { return x + 1; })
      .attr(key, [](int64_t x) { return x + 2; })
      .attr("test.registry.named", String("named"))
      .native_fn_attr<&HashZero>(type_attr::kAnyHash)
      .native_fn_attr<&AlwaysEqual>(type_attr::kAnyEqual);
  EXPECT_EQ(AttrOf<AttrObj>("test.registry.value").cast<int>(), 5);
  EXPECT_EQ(AttrOf<AttrObj>("test.registry.text").cast<String>(), "literal");
  EXPECT_EQ(AttrOf<AttrObj>("test.registry.callable").cast<Function>()(1).cast<int>(), 2);
  EXPECT_EQ(key.ValueFrom(AttrOf<AttrObj>(key.name)).value()(1), 3);
  EXPECT_EQ(AttrOf<AttrObj>("test.registry.named").cast<String>(), "named");
  EXPECT_EQ(ErrorOf([] { AttrOf<AttrObj>("test.registry.callable").cast<Function>()(); }),
            "TypeError: Mismatched number of arguments when calling: "
            "`test.registry.Attr.test.registry.callable(0: int) -> int`. Expected 1 but got 0 "
            "arguments");

  AnyView hash = AttrOf<AttrObj>("__any_hash__");
  EXPECT_EQ(hash.type_index(), kTVMFFIOpaquePtr);
  EXPECT_EQ(type_attr::kAnyHash.ValueFrom(hash).value()(Any()), 0);
  Any a = make_object<AttrObj>(), b = make_object<AttrObj>();
  EXPECT_TRUE(AnyEqual()(a, b)) << "the hook decides";
  EXPECT_EQ(AnyHash()(a), AnyHash()(b));
}

// spec: L15
TEST(TypeAttrDef, ABuiltInNameIsRefusedTheSecondTimeAndNoneMayBeFilled) {
  Function first = Function::FromTyped([] { return 1; }), second = Function::FromTyped([] {});
  refl::TypeAttrDef<AttrObj>().attr("__ffi_repr__", nullptr).attr("__ffi_repr__", first);
  std::string error = ErrorOf([&] { refl::TypeAttrDef<AttrObj>().attr("__ffi_repr__", second); });
  EXPECT_EQ(error.rfind("RuntimeError: TypeAttr `__ffi_repr__` is already registered for type "
                        "index " +
                            std::to_string(AttrObj::RuntimeTypeIndex()),
                        0),
            0u)
      << error;
  EXPECT_EQ(AttrOf<AttrObj>("__ffi_repr__").cast<Function>()().cast<int>(), 1);
}

// spec: L15
TEST(TypeAttrDef, AUserNameIsOverwritten) {
  AttrRef old(make_object<AttrObj>());
  refl::TypeAttrDef<AttrObj>().attr("test.registry.user", old);
  EXPECT_EQ(old.use_count(), 2);
  refl::TypeAttrDef<AttrObj>().attr("test.registry.user", 2);
  EXPECT_EQ(AttrOf<AttrObj>("test.registry.user").cast<int>(), 2);
  EXPECT_EQ(old.use_count(), 1);
}

// spec: L18
TEST(TypeAttrDef, ConvertIsTheCastToTheReference) {
  static_assert(refl::detail::HasContainerType<AttrRef>);
  static_assert(!refl::detail::HasContainerType<int>);
  refl::TypeAttrDef<AttrObj>().def_convert<AttrRef>();
  auto convert = type_attr::kConvert.ValueFrom(AttrOf<AttrObj>("__ffi_convert__")).value();
  Any made = make_object<AttrObj>();
  EXPECT_TRUE(convert(made).same_as(made));
  EXPECT_EQ(ErrorOf([&] { convert(1); }),
            "TypeError: Cannot cast from `int` to `test.registry.Attr`");
}

TEST(EnsureTypeAttrColumn, MakesAnEmptyColumn) {
  EXPECT_NE(ErrorOf([] { refl::TypeAttrColumn column("test.registry.ensured"); }), "nothing");
  refl::EnsureTypeAttrColumn("test.registry.ensured");
  EXPECT_TRUE(AttrOf<AttrObj>("test.registry.ensured") == nullptr);
  refl::EnsureTypeAttrColumn(refl::AttrKey<int>{"test.registry.ensured"});
}

}  // namespace
