// SPDX-License-Identifier: Apache-2.0
// Fixtures: native classes that Python wraps as data classes, and two unusual layouts.
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

namespace tvm::ffi::testing {
namespace {

namespace refl = reflection;

class TestCxxClassBase : public Object {
 public:
  int64_t v_i64 = 0;
  int32_t v_i32 = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxClassBase", TestCxxClassBase, Object);
};

class TestCxxClassDerived : public TestCxxClassBase {
 public:
  double v_f64 = 0;
  float v_f32 = 0;

  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxClassDerived", TestCxxClassDerived, TestCxxClassBase);
};

class TestCxxClassDerivedDerived : public TestCxxClassDerived {
 public:
  String v_str;
  bool v_bool = false;

  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxClassDerivedDerived", TestCxxClassDerivedDerived,
                              TestCxxClassDerived);
};

// Has a member that is not reflected, between two reflected members.
class TestCxxClassHiddenField : public Object {
 public:
  int64_t v_i64 = 0;
  int64_t hidden = 0;
  int32_t v_i32 = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCxxClassHiddenField", TestCxxClassHiddenField,
                                    Object);
};

// Has a virtual destructor, so that the object header is not at offset 0.
class TestCxxClassPolymorphic : public Object {
 public:
  int64_t v_i64 = 0;

  TestCxxClassPolymorphic() = default;
  TestCxxClassPolymorphic(const TestCxxClassPolymorphic&) = default;
  virtual ~TestCxxClassPolymorphic() = default;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCxxClassPolymorphic", TestCxxClassPolymorphic,
                                    Object);
};

class TestCxxInitSubset : public Object {
 public:
  int64_t required_field = 0;
  int64_t optional_field = -1;
  String note = "default";

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxInitSubset", TestCxxInitSubset, Object);
};

class TestCxxKwOnly : public Object {
 public:
  int64_t x = 0;
  int64_t y = 0;
  int64_t z = 0;
  int64_t w = 100;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxKwOnly", TestCxxKwOnly, Object);
};

void register_hierarchy() {
  refl::ObjectDef<TestCxxClassBase>()
      .def_rw("v_i64", &TestCxxClassBase::v_i64, refl::repr(false))
      .def_rw("v_i32", &TestCxxClassBase::v_i32, refl::repr(false));
  refl::ObjectDef<TestCxxClassDerived>()
      .def_rw("v_f64", &TestCxxClassDerived::v_f64)
      .def_rw("v_f32", &TestCxxClassDerived::v_f32, refl::DefaultValue(8.0));
  refl::ObjectDef<TestCxxClassDerivedDerived>()
      .def_rw("v_str", &TestCxxClassDerivedDerived::v_str, refl::DefaultValue("default"))
      .def_rw("v_bool", &TestCxxClassDerivedDerived::v_bool);
}

void register_layouts() {
  refl::ObjectDef<TestCxxClassHiddenField>()
      .def_rw("v_i64", &TestCxxClassHiddenField::v_i64)
      .def_rw("v_i32", &TestCxxClassHiddenField::v_i32);
  refl::ObjectDef<TestCxxClassPolymorphic>().def_rw("v_i64", &TestCxxClassPolymorphic::v_i64);
}

void register_parameters() {
  refl::ObjectDef<TestCxxInitSubset>()
      .def_rw("required_field", &TestCxxInitSubset::required_field)
      .def_rw("optional_field", &TestCxxInitSubset::optional_field, refl::init(false),
              refl::DefaultValue(-1))
      .def_rw("note", &TestCxxInitSubset::note, refl::init(false), refl::DefaultValue("default"));
  refl::ObjectDef<TestCxxKwOnly>()
      .def_rw("x", &TestCxxKwOnly::x, refl::kw_only(true))
      .def_rw("y", &TestCxxKwOnly::y, refl::kw_only(true))
      .def_rw("z", &TestCxxKwOnly::z, refl::kw_only(true))
      .def_rw("w", &TestCxxKwOnly::w, refl::kw_only(true), refl::DefaultValue(100));
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_hierarchy();
  register_layouts();
  register_parameters();
}

}  // namespace tvm::ffi::testing
