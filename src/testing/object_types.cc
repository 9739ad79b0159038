// SPDX-License-Identifier: Apache-2.0
// Fixtures: small classes with fields, methods and constructors.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include "wrapping.h"

namespace tvm::ffi::testing {
namespace {

namespace refl = reflection;

class TestObjectBase : public Object {
 public:
  int64_t v_i64 = 10;
  double v_f64 = 10.0;
  String v_str = "hello";

  int64_t AddI64(int64_t other) const { return WrappingAdd(v_i64, other); }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestObjectBase", TestObjectBase, Object);
};

class TestObjectDerived : public TestObjectBase {
 public:
  Map<Any, Any> v_map;
  Array<Any> v_array;

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestObjectDerived", TestObjectDerived, TestObjectBase);
};

class TestObjectPtrHolder : public Object {
 public:
  Arc<TestObjectBase> value;
  ObjectPtr<TestObjectBase> optional_value;

  explicit TestObjectPtrHolder(UnsafeInit tag) : value(tag) {}

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestObjectPtrHolder", TestObjectPtrHolder, Object);
};

class TestIntPairObj : public Object {
 public:
  int64_t a = 0;
  int64_t b = 0;

  TestIntPairObj() = default;
  TestIntPairObj(int64_t a, int64_t b) : a(a), b(b) {}

  int64_t Sum() const { return WrappingAdd(a, b); }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestIntPair", TestIntPairObj, Object);
};

class TestIntPair : public ObjectRef {
 public:
  explicit TestIntPair(int64_t a, int64_t b) : ObjectRef(make_object<TestIntPairObj>(a, b)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TestIntPair, ObjectRef, TestIntPairObj);
};

class TestFrozenCxx : public Object {
 public:
  int64_t value = 0;
  String tag;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestFrozenCxx", TestFrozenCxx, Object);
};

class TestNonCopyable : public Object {
 public:
  int64_t value;

  explicit TestNonCopyable(int64_t value) : value(value) {}
  TestNonCopyable(const TestNonCopyable&) = delete;
  TestNonCopyable& operator=(const TestNonCopyable&) = delete;

  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestNonCopyable", TestNonCopyable, Object);
};

class TestDeepCopyEdges : public Object {
 public:
  Any v_any;
  ObjectRef v_obj;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.TestDeepCopyEdges", TestDeepCopyEdges, Object);
};

// Has methods with named parameters, which can be passed by keyword.
class TestMethodKeywords : public Object {
 public:
  int64_t base = 1000;

  int64_t Weigh(int64_t x, int64_t y, int64_t z) const {
    return WrappingAdd(base, WrappingWeigh(x, y, z));
  }

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestMethodKeywords", TestMethodKeywords, Object);
};

void register_base_and_derived() {
  refl::ObjectDef<TestObjectBase>()
      .def_rw("v_i64", &TestObjectBase::v_i64, refl::DefaultValue(10), "i64 field")
      .def_ro("v_f64", &TestObjectBase::v_f64, refl::DefaultValue(10.0))
      .def_rw("v_str", &TestObjectBase::v_str, refl::DefaultValue("hello"))
      .def("add_i64", &TestObjectBase::AddI64, "add_i64 method");
  refl::ObjectDef<TestObjectDerived>()
      .def_rw("v_map", &TestObjectDerived::v_map)
      .def_rw("v_array", &TestObjectDerived::v_array);
  refl::ObjectDef<TestObjectPtrHolder>()
      .def_rw("value", &TestObjectPtrHolder::value)
      .def_rw("optional_value", &TestObjectPtrHolder::optional_value, refl::DefaultValue(nullptr));
}

void register_pair() {
  refl::ObjectDef<TestIntPairObj>()
      .def(refl::init<int64_t, int64_t>())
      .def_ro("a", &TestIntPairObj::a, "Field `a`")
      .def_ro("b", &TestIntPairObj::b, "Field `b`")
      .def("sum", &TestIntPairObj::Sum, "Method to compute sum of a and b")
      .def_convert<TestIntPair>();
  refl::GlobalDef().def_method(
      "testing.TestIntPairSum", [](const TestIntPair& pair) { return pair->Sum(); },
      "Get sum of the pair");
}

void register_others() {
  refl::ObjectDef<TestMethodKeywords>()
      .def_ro("base", &TestMethodKeywords::base, refl::DefaultValue(1000))
      .def("weigh", &TestMethodKeywords::Weigh, refl::arg_names("x,y,z"),
           refl::arg_defaults("[2, 3]"))
      .def("bare", &TestMethodKeywords::Weigh)
      .def_static("difference", WrappingSubtract, refl::arg_names("x,y"));
  refl::ObjectDef<TestFrozenCxx>()
      .def_rw("value", &TestFrozenCxx::value)
      .def_rw("tag", &TestFrozenCxx::tag);
  refl::ObjectDef<TestNonCopyable>()
      .def(refl::init<int64_t>())
      .def_ro("value", &TestNonCopyable::value);
  refl::ObjectDef<TestDeepCopyEdges>()
      .def_rw("v_any", &TestDeepCopyEdges::v_any)
      .def_rw("v_obj", &TestDeepCopyEdges::v_obj);
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_base_and_derived();
  register_pair();
  register_others();
}

}  // namespace tvm::ffi::testing
