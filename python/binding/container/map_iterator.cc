// SPDX-License-Identifier: Apache-2.0
// Iteration over maps and dicts. The iterator owns a reference to a map. Code that changes a map
// with several references changes a copy, so the iteration does not see changes. A dict may change:
// its keys are copied at the beginning, and the iteration skips keys that were removed.
#include <vector>

#include "native.h"

namespace binding {
namespace {

struct MapIterator {
  PyObject_HEAD TVMFFIObject* body;  // owned; NULL when exhausted
#ifdef Py_GIL_DISABLED
  PyObject* mapping;  // owned; its section guards the iterator, too
#endif
  const DLPackExchangeAPI* api;
  MapPart part;
  std::vector<ffi::Any>* keys;  // the copied keys of a dict, else NULL
  size_t next;                  // index in `keys`
  ffi::MapBaseObj::iterator at;
  size_t left;
};

PyTypeObject MapIteratorType = static_type();

ffi::MapBaseObj* iterated_body(MapIterator* it) {
  return reinterpret_cast<ffi::MapBaseObj*>(it->body);
}

int iterator_note_keys(MapIterator* it) {
  return guarded([&] {
    it->keys = new std::vector<ffi::Any>();
    it->keys->reserve(it->left);
    for (auto at = iterated_body(it)->begin(); at != iterated_body(it)->end(); ++at) {
      it->keys->push_back(at->first);
    }
  });
}

PyObject* entry_to_py(const DLPackExchangeAPI* api, const TVMFFIAny& key, const TVMFFIAny& value) {
  // Key and value are both owned before the first conversion, which may run Python.
  ObjectOwner keep = ObjectOwner::borrow(is_object_index(value.type_index) ? value.v_obj : nullptr);
  TVMFFIAny second = value;
  Ref first(element_to_py(api, key));
  if (!first) return nullptr;
  Ref last(element_to_py(api, second));
  if (!last) return nullptr;
  PyObject* pair = PyTuple_New(2);
  if (pair == nullptr) return nullptr;
  PyTuple_SET_ITEM(pair, 0, first.release());
  PyTuple_SET_ITEM(pair, 1, last.release());
  return pair;
}

PyObject* entry_part_to_py(MapIterator* it, const TVMFFIAny& key, const TVMFFIAny& value) {
  switch (it->part) {
    case MapPart::kKeys:
      return element_to_py(it->api, key);
    case MapPart::kValues:
      return element_to_py(it->api, value);
    default:
      return entry_to_py(it->api, key, value);
  }
}

PyObject* iterator_exhausted(MapIterator* it) {
  ObjectOwner body(std::exchange(it->body, nullptr));
  delete std::exchange(it->keys, nullptr);  // may run Python
  return nullptr;
}

PyObject* next_of_dict(MapIterator* it) {
  while (it->next < it->keys->size()) {
    const ffi::Any& key = (*it->keys)[it->next++];
    const TVMFFIAny* place = nullptr;
    if (guarded([&] {
          auto found = iterated_body(it)->find(key);
          if (found != iterated_body(it)->end()) place = &raw_value(found->second);
        }) < 0) {
      return nullptr;
    }
    if (place != nullptr) return entry_part_to_py(it, raw_value(key), *place);
  }
  return iterator_exhausted(it);
}

PyObject* map_iterator_next(PyObject* self) {
  auto* it = reinterpret_cast<MapIterator*>(self);
#ifdef Py_GIL_DISABLED
  Section section(it->mapping);
#endif
  if (it->body == nullptr) return nullptr;
  if (it->keys != nullptr) return next_of_dict(it);
  if (it->left == 0) return iterator_exhausted(it);
  --it->left;
  auto& entry = *it->at;
  if (it->left != 0) ++it->at;
  return entry_part_to_py(it, raw_value(entry.first), raw_value(entry.second));
}

PyObject* map_iterator_length_hint(PyObject* self, PyObject*) {
  auto* it = reinterpret_cast<MapIterator*>(self);
  size_t left = it->body == nullptr   ? 0
                : it->keys != nullptr ? it->keys->size() - it->next
                                      : it->left;
  return PyLong_FromSize_t(left);
}

void map_iterator_dealloc(PyObject* self) {
  iterator_exhausted(reinterpret_cast<MapIterator*>(self));
#ifdef Py_GIL_DISABLED
  Py_DECREF(reinterpret_cast<MapIterator*>(self)->mapping);
#endif
  PyObject_Free(self);
}

PyMethodDef map_iterator_methods[] = {
    {"__length_hint__", map_iterator_length_hint, METH_NOARGS, "Number of entries left."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* map_iterator_new(PyObject* mapping, MapPart part) {
  Section section(mapping);
  ffi::MapBaseObj* body = mapping_body(mapping);
  if (body == nullptr) return nullptr;
  auto* it = PyObject_New(MapIterator, &MapIteratorType);
  if (it == nullptr) return nullptr;
  TVMFFIObject* obj = as_wrapper(mapping)->handle;
  object_inc_ref(obj);
  it->body = obj;
#ifdef Py_GIL_DISABLED
  it->mapping = compat_new_ref(mapping);
#endif
  it->api = container_api(mapping);
  it->part = part;
  it->keys = nullptr;
  it->next = 0;
  it->at = body->begin();
  it->left = body->size();
  Ref owner(reinterpret_cast<PyObject*>(it));
  if (obj->type_index == kTVMFFIDict && iterator_note_keys(it) < 0) return nullptr;
  return owner.release();
}

int map_iterator_type_init(PyObject*) {
  PyTypeObject* t = &MapIteratorType;
  t->tp_name = "tvm_ffi.core._MapIterator";
  t->tp_basicsize = sizeof(MapIterator);
  t->tp_flags = Py_TPFLAGS_DEFAULT;
  t->tp_dealloc = map_iterator_dealloc;
  t->tp_iter = PyObject_SelfIter;
  t->tp_iternext = map_iterator_next;
  t->tp_methods = map_iterator_methods;
  return PyType_Ready(t);
}

}  // namespace binding
