// SPDX-License-Identifier: Apache-2.0
// `__copy__` of containers: a new container with the same elements.
#include "native.h"

namespace binding {
namespace {

template <typename Container, typename Body>
ffi::ObjectRef copied_sequence(TVMFFIObject* obj) {
  auto* body = reinterpret_cast<Body*>(obj);
  return Container(body->begin(), body->end());
}

// Copies the table of a mapping as it is: inserting the keys would run their hooks, which could
// change the mapping meanwhile.
template <typename Body>
ffi::ObjectRef copied_mapping(TVMFFIObject* obj) {
  return ffi::ObjectRef(Body::ShallowCopy(reinterpret_cast<Body*>(obj)));
}

// Makes a native container with the elements of `obj`; owned, or NULL with an exception set.
TVMFFIObject* shallow_copy(TVMFFIObject* obj) {
  using ffi::Any;
  ffi::ObjectRef made;
  guarded([&] {
    switch (obj->type_index) {
      case kTVMFFIArray:
        made = copied_sequence<ffi::Array<Any>, ffi::ArrayObj>(obj);
        break;
      case kTVMFFIList:
        made = copied_sequence<ffi::List<Any>, ffi::ListObj>(obj);
        break;
      case kTVMFFIMap:
        made = copied_mapping<ffi::MapObj>(obj);
        break;
      case kTVMFFIDict:
        made = copied_mapping<ffi::DictObj>(obj);
        break;
      default:
        PyErr_SetString(PyExc_TypeError,
                        "this object holds a native object that is not a container");
    }
  });
  return ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(made));
}

// Copies the attributes of an instance of a subclass that has a `__dict__`. Returns 0, or -1 with
// an exception set.
int copy_attributes(PyObject* from, PyObject* to) {
  if (Py_TYPE(from)->tp_dictoffset == 0) return 0;
  Ref attributes(PyObject_GenericGetDict(from, nullptr));
  Ref target(attributes ? PyObject_GenericGetDict(to, nullptr) : nullptr);
  return target ? PyDict_Update(target.get(), attributes.get()) : -1;
}

PyObject* container_copy(PyObject* self, PyObject*) {
  Section section(self);
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  TVMFFIObject* made = obj == nullptr ? nullptr : shallow_copy(obj);
  if (made == nullptr) return nullptr;
  Ref copy(wrapper_new_steal(Py_TYPE(self), false, made));
  if (!copy) return nullptr;
  as_container(copy.get())->set_exchange_api(container_api(self));
  return copy_attributes(self, copy.get()) < 0 ? nullptr : copy.release();
}

}  // namespace

PyMethodDef container_methods[] = {
    {"__copy__", container_copy, METH_NOARGS, "A new container with the same elements."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace binding
