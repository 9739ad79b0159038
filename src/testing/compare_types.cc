// SPDX-License-Identifier: Apache-2.0
// Fixtures: types with fields that comparison or hash ignores, and types with hooks.
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace tvm::ffi::testing {
namespace {

namespace refl = reflection;

class TestCompareObj : public Object {
 public:
  int64_t key = 0;
  String name;
  int64_t ignored_field = 0;

  TestCompareObj() = default;
  TestCompareObj(int64_t key, String name, int64_t ignored_field)
      : key(key), name(std::move(name)), ignored_field(ignored_field) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCompare", TestCompareObj, Object);
};

class TestHashObj : public Object {
 public:
  int64_t key = 0;
  String name;
  int64_t hash_ignored = 0;

  TestHashObj() = default;
  TestHashObj(int64_t key, String name, int64_t hash_ignored)
      : key(key), name(std::move(name)), hash_ignored(hash_ignored) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestHash", TestHashObj, Object);
};

// Base class of the types with hooks. The hooks use only the field `key`.
class KeyAndLabel : public Object {
 public:
  int64_t key = 0;
  String label;

  KeyAndLabel() = default;
  KeyAndLabel(int64_t key, String label) : key(key), label(std::move(label)) {}
};

class TestCustomHashObj : public KeyAndLabel {
 public:
  using KeyAndLabel::KeyAndLabel;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCustomHash", TestCustomHashObj, Object);
};

class TestCustomCompareObj : public KeyAndLabel {
 public:
  using KeyAndLabel::KeyAndLabel;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestCustomCompare", TestCustomCompareObj, Object);
};

class TestEqWithoutHashObj : public KeyAndLabel {
 public:
  using KeyAndLabel::KeyAndLabel;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("testing.TestEqWithoutHash", TestEqWithoutHashObj, Object);
};

template <typename T>
int64_t hash_of_key(const T* self, const Function& hash) {
  return hash(self->key).template cast<int64_t>();
}

template <typename T>
bool equal_keys(const T* lhs, const T* rhs, const Function& equal) {
  return equal(lhs->key, rhs->key).template cast<bool>();
}

template <typename T>
int32_t compare_keys(const T* lhs, const T* rhs, const Function& compare) {
  return compare(lhs->key, rhs->key).template cast<int32_t>();
}

template <typename T>
void register_key_and_label() {
  refl::ObjectDef<T>()
      .def(refl::init<int64_t, String>())
      .def_ro("key", &T::key)
      .def_ro("label", &T::label);
}

void register_flags() {
  refl::ObjectDef<TestCompareObj>()
      .def(refl::init<int64_t, String, int64_t>())
      .def_ro("key", &TestCompareObj::key)
      .def_ro("name", &TestCompareObj::name)
      .def_ro("ignored_field", &TestCompareObj::ignored_field, refl::compare(false));
  refl::ObjectDef<TestHashObj>()
      .def(refl::init<int64_t, String, int64_t>())
      .def_ro("key", &TestHashObj::key)
      .def_ro("name", &TestHashObj::name)
      .def_ro("hash_ignored", &TestHashObj::hash_ignored, refl::hash(false));
}

void register_hooks() {
  register_key_and_label<TestCustomHashObj>();
  refl::TypeAttrDef<TestCustomHashObj>().def("__ffi_hash__", hash_of_key<TestCustomHashObj>);

  register_key_and_label<TestCustomCompareObj>();
  refl::TypeAttrDef<TestCustomCompareObj>()
      .def("__ffi_eq__", equal_keys<TestCustomCompareObj>)
      .def("__ffi_compare__", compare_keys<TestCustomCompareObj>)
      .def("__ffi_hash__", hash_of_key<TestCustomCompareObj>);

  register_key_and_label<TestEqWithoutHashObj>();
  refl::TypeAttrDef<TestEqWithoutHashObj>().def("__ffi_eq__", equal_keys<TestEqWithoutHashObj>);
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_flags();
  register_hooks();
}

}  // namespace tvm::ffi::testing
