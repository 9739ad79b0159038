// SPDX-License-Identifier: Apache-2.0
// core._StructuralKeyBase: equality and hash of structural.StructuralKey, as slots.

#include "../call.h"
#include "types.h"

namespace binding {
namespace {

// The layout of objects of type `ffi.StructuralKey`, which is part of the ABI.
struct KeyBody {
  TVMFFIObject header;
  TVMFFIAny key;
  int64_t hash;
};

// Returns the body of `self`; NULL with an exception set if `self` is empty or holds an object of
// another type.
const KeyBody* body_of(PyObject* self) {
  static const int32_t type_index = [] {
    constexpr char kKey[] = "ffi.StructuralKey";
    TVMFFIByteArray key{kKey, sizeof(kKey) - 1};
    return TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
  }();
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (BINDING_UNLIKELY(obj != nullptr && obj->type_index != type_index)) {
    PyErr_Format(PyExc_TypeError, "this %s holds a native object that is not a structural key",
                 Py_TYPE(self)->tp_name);
    return nullptr;
  }
  return reinterpret_cast<const KeyBody*>(obj);
}

// Reads the stored hash as an unsigned number and returns Python's hash of this number, as
// `hash(key.hash_i64 % 2**64)` does.
Py_hash_t key_hash(PyObject* self) {
  const KeyBody* body = body_of(self);
  if (body == nullptr) return -1;
  if (BINDING_LIKELY(body->hash >= 0 && sizeof(Py_hash_t) == sizeof(int64_t))) {
    return static_cast<Py_hash_t>(body->hash);
  }
  Ref number(PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(body->hash)));
  return number ? PyObject_Hash(number.get()) : -1;
}

// Compares two keys. Returns 1, 0, or -1 with an exception set. May run Python hooks.
int keys_equal(const KeyBody* a, const KeyBody* b) {
  static RuntimeFunction f("ffi.StructuralKeyEqual");
  if (a == b) return 1;
  if (a->hash != b->hash) return 0;
  TVMFFIAny args[2], result;
  value_set_object(&args[0], const_cast<TVMFFIObject*>(&a->header));
  value_set_object(&args[1], const_cast<TVMFFIObject*>(&b->header));
  ObjectOwner keep_a = ObjectOwner::borrow(args[0].v_obj);
  ObjectOwner keep_b = ObjectOwner::borrow(args[1].v_obj);
  if (f.call(args, 2, &result) < 0) return -1;
  return result.v_int64 != 0;
}

PyObject* key_richcompare(PyObject* self, PyObject* other, int op) {
  if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, &StructuralKeyType)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  const KeyBody* a = body_of(self);
  const KeyBody* b = a == nullptr ? nullptr : body_of(other);
  int equal = b == nullptr ? -1 : keys_equal(a, b);
  return equal < 0 ? nullptr : PyBool_FromLong((equal != 0) == (op == Py_EQ));
}

int key_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  static RuntimeFunction make("ffi.StructuralKey");
  const char* keywords[] = {"key", nullptr};
  PyObject* key;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:StructuralKey", const_cast<char**>(keywords),
                                   &key)) {
    return -1;
  }
  TVMFFIObject* f = make.get();
  return f == nullptr ? -1 : object_init_by_constructor(self, f, &key, 1, nullptr);
}

}  // namespace

PyTypeObject StructuralKeyType = static_type();

int structural_key_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &StructuralKeyType, "tvm_ffi.core._StructuralKeyBase", sizeof(Wrapper), Py_TPFLAGS_BASETYPE,
      "_StructuralKeyBase(key)\n--\n\nThe behaviour of structural.StructuralKey.");
  t->tp_base = &CObjectType;
  t->tp_dealloc = wrapper_dealloc_static;
  t->tp_hash = key_hash;
  t->tp_richcompare = key_richcompare;
  t->tp_init = key_init;
  return type_add(module, t);
}

}  // namespace binding
