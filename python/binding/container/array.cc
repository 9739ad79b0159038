// SPDX-License-Identifier: Apache-2.0
// core.CContainerBase and core._ArrayBase: an immutable sequence is what sequences share, and a
// constructor.
#include "native.h"

namespace binding {
namespace {

int array_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"input_list", nullptr};
  PyObject* input;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Array", const_cast<char**>(keywords), &input)) {
    return -1;
  }
  TVMFFIObject* array = array_from_iterable(input);
  if (array == nullptr) return -1;
  return wrapper_adopt_steal(as_wrapper(self), array);
}

}  // namespace

PyTypeObject ContainerBaseType = static_type();
PyTypeObject ArrayBaseType = static_type();

int array_type_init(PyObject* module) {
  PyTypeObject* c = &ContainerBaseType;
  container_class(c, &CObjectType, "tvm_ffi.core.CContainerBase", "A container of FFI values.", 0);
  if (type_add(module, c) < 0 || sequence_type_init(module) < 0) return -1;
  PyTypeObject* t = &ArrayBaseType;
  container_class(t, &SequenceBaseType, "tvm_ffi.core._ArrayBase",
                  "_ArrayBase(input_list)\n--\n\nThe behaviour of container.Array.",
                  kMatchesSequence);
  t->tp_init = array_init;
  return type_add(module, t);
}

}  // namespace binding
