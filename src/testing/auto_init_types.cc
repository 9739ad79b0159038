// SPDX-License-Identifier: Apache-2.0
// Fixtures: classes with automatic constructors.
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>

namespace tvm::ffi::testing {
namespace {

namespace refl = reflection;

class TestCxxAutoInit : public Object {
 public:
  int64_t a = 0;
  int64_t b = 0;
  int64_t c = 0;
  int64_t d = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxAutoInit", TestCxxAutoInit, Object);
};

class TestCxxAutoInitSimple : public Object {
 public:
  int64_t x = 0;
  int64_t y = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxAutoInitSimple", TestCxxAutoInitSimple, Object);
};

class TestCxxAutoInitAllInitOff : public Object {
 public:
  int64_t x = 0;
  int64_t y = 0;
  int64_t z = 1234;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxAutoInitAllInitOff", TestCxxAutoInitAllInitOff,
                              Object);
};

class TestCxxAutoInitKwOnlyDefaults : public Object {
 public:
  int64_t p_required = 0;
  int64_t p_default = 0;
  int64_t k_required = 0;
  int64_t k_default = 0;
  int64_t hidden = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxAutoInitKwOnlyDefaults",
                              TestCxxAutoInitKwOnlyDefaults, Object);
};

class TestCxxNoAutoInit : public Object {
 public:
  int64_t x = 0;
  int64_t y = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxNoAutoInit", TestCxxNoAutoInit, Object);
};

class TestCxxAutoInitParent : public Object {
 public:
  int64_t parent_required = 0;
  int64_t parent_default = 0;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestCxxAutoInitParent", TestCxxAutoInitParent, Object);
};

class TestCxxAutoInitChild : public TestCxxAutoInitParent {
 public:
  int64_t child_required = 0;
  int64_t child_kw_only = 0;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCxxAutoInitChild", TestCxxAutoInitChild,
                                    TestCxxAutoInitParent);
};

void register_single_classes() {
  refl::ObjectDef<TestCxxAutoInit>()
      .def_rw("a", &TestCxxAutoInit::a)
      .def_rw("b", &TestCxxAutoInit::b, refl::init(false), refl::DefaultValue(42))
      .def_rw("c", &TestCxxAutoInit::c, refl::kw_only(true))
      .def_rw("d", &TestCxxAutoInit::d, refl::DefaultValue(99));
  refl::ObjectDef<TestCxxAutoInitSimple>()
      .def_rw("x", &TestCxxAutoInitSimple::x)
      .def_rw("y", &TestCxxAutoInitSimple::y);
  refl::ObjectDef<TestCxxAutoInitAllInitOff>()
      .def_rw("x", &TestCxxAutoInitAllInitOff::x, refl::init(false), refl::DefaultValue(7))
      .def_rw("y", &TestCxxAutoInitAllInitOff::y, refl::init(false), refl::DefaultValue(9))
      .def_rw("z", &TestCxxAutoInitAllInitOff::z, refl::init(false));
  refl::ObjectDef<TestCxxNoAutoInit>(refl::init(false))
      .def_rw("x", &TestCxxNoAutoInit::x)
      .def_rw("y", &TestCxxNoAutoInit::y);
}

void register_keyword_defaults() {
  using Self = TestCxxAutoInitKwOnlyDefaults;
  refl::ObjectDef<Self>()
      .def_rw("p_required", &Self::p_required)
      .def_rw("p_default", &Self::p_default, refl::DefaultValue(11))
      .def_rw("k_required", &Self::k_required, refl::kw_only(true))
      .def_rw("k_default", &Self::k_default, refl::kw_only(true), refl::DefaultValue(22))
      .def_rw("hidden", &Self::hidden, refl::init(false), refl::DefaultValue(33));
}

void register_parent_and_child() {
  refl::ObjectDef<TestCxxAutoInitParent>()
      .def_rw("parent_required", &TestCxxAutoInitParent::parent_required)
      .def_rw("parent_default", &TestCxxAutoInitParent::parent_default, refl::DefaultValue(5));
  refl::ObjectDef<TestCxxAutoInitChild>()
      .def_rw("child_required", &TestCxxAutoInitChild::child_required)
      .def_rw("child_kw_only", &TestCxxAutoInitChild::child_kw_only, refl::kw_only(true));
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_single_classes();
  register_keyword_defaults();
  register_parent_and_child();
}

}  // namespace tvm::ffi::testing
