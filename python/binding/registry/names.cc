// SPDX-License-Identifier: Apache-2.0
#include "names.h"

#include <cstring>

#include "../ref.h"
#include "../state.h"
#include "../utf8.h"

namespace binding {
namespace {

constexpr char kTesting[] = "testing.";

}  // namespace

bool name_argument(PyObject* x, const char* what, TVMFFIByteArray* out) {
  if (PyUnicode_Check(x)) return utf8_borrowed(x, out) == 0;
  PyErr_Format(PyExc_TypeError, "%s expects a str, got %s", what, Py_TYPE(x)->tp_name);
  return false;
}

int load_testing(const TVMFFIByteArray& name) {
  if (name.size < sizeof(kTesting) - 1 ||
      std::memcmp(name.data, kTesting, sizeof(kTesting) - 1) != 0) {
    return 0;
  }
  Ref loader(PyObject_GetAttrString(state().module, "_testing_loader"));
  if (!loader) {
    clear_error();
    return 0;
  }
  if (loader.get() == Py_None) return 0;
  Ref done(PyObject_CallNoArgs(loader.get()));  // runs Python
  return done ? 1 : -1;
}

}  // namespace binding
