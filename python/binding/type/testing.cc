// SPDX-License-Identifier: Apache-2.0
// Support for the tests of clients: a tensor class with its own exchange table, and a native thread
// that releases a Python object.
#include <tvm/ffi/c_env_api.h>

#include <cstring>
#include <thread>
#include <unordered_set>

#include "../attach.h"
#include "../convert/convert.h"
#include "../raise.h"
#include "types.h"

namespace binding {
namespace {

// ---- core.DLTensorTestWrapper: wraps a native tensor, and acts as a tensor of another framework

struct TestWrapper {
  PyObject_HEAD PyObject* tensor;
};

PyTypeObject TestWrapperType = static_type();

PyObject* wrapped_tensor(PyObject* self) {
  PyObject* tensor = reinterpret_cast<TestWrapper*>(self)->tensor;
  if (tensor == nullptr) PyErr_SetString(PyExc_ValueError, "this wrapper has no tensor");
  return tensor;
}

int wrapped_from_py(void* x, DLManagedTensorVersioned** out) {
  auto* self = static_cast<PyObject*>(x);
  if (!PyObject_TypeCheck(self, &TestWrapperType)) {
    PyErr_Format(PyExc_TypeError, "expected a DLTensorTestWrapper, got %s", Py_TYPE(self)->tp_name);
    return -1;
  }
  PyObject* tensor = wrapped_tensor(self);
  TVMFFIObject* obj = tensor == nullptr ? nullptr : wrapper_handle_or_raise(tensor);
  if (obj == nullptr) return -1;
  int status = TVMFFITensorToDLPackVersioned(obj, out);
  return status == 0 ? 0 : raise_from_slot(status);
}

int wrapped_to_py(DLManagedTensorVersioned* managed, void** out) {
  TVMFFIObjectHandle obj = nullptr;
  int status = TVMFFITensorFromDLPackVersioned(managed, 0, 0, &obj);
  if (status != 0) {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
    return raise_from_slot(status);
  }
  *out = object_to_py_steal(static_cast<TVMFFIObject*>(obj));
  return *out == nullptr ? -1 : 0;
}

int wrapped_stream(DLDeviceType type, int32_t id, void** out) {
  *out = TVMFFIEnvGetStream(type, id);
  return 0;
}

DLPackExchangeAPI test_wrapper_api() {
  DLPackExchangeAPI api{};
  api.header.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  api.managed_tensor_from_py_object_no_sync = wrapped_from_py;
  api.managed_tensor_to_py_object_no_sync = wrapped_to_py;
  api.current_work_stream = wrapped_stream;
  return api;
}

int test_wrapper_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"tensor", nullptr};
  PyObject* tensor;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!:DLTensorTestWrapper",
                                   const_cast<char**>(keywords), &TensorType, &tensor)) {
    return -1;
  }
  PyObject* old = reinterpret_cast<TestWrapper*>(self)->tensor;
  reinterpret_cast<TestWrapper*>(self)->tensor = compat_new_ref(tensor);
  Py_XDECREF(old);
  return 0;
}

void test_wrapper_dealloc(PyObject* self) {
  PyObject* tensor = reinterpret_cast<TestWrapper*>(self)->tensor;
  Py_TYPE(self)->tp_free(self);
  Py_XDECREF(tensor);
}

PyObject* test_wrapper_dlpack(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* tensor = wrapped_tensor(self);
  if (tensor == nullptr) return nullptr;
  Ref method(PyObject_GetAttr(tensor, state().names.dlpack));
  return method ? PyObject_Call(method.get(), args, kwargs) : nullptr;
}

PyObject* test_wrapper_dlpack_device(PyObject* self, PyObject*) {
  PyObject* tensor = wrapped_tensor(self);
  return tensor == nullptr ? nullptr
                           : PyObject_CallMethodNoArgs(tensor, state().names.dlpack_device);
}

PyObject* test_wrapper_env_stream(PyObject* self, PyObject*) {
  Ref device(test_wrapper_dlpack_device(self, nullptr));
  int type, id;
  if (!device || !PyArg_ParseTuple(device.get(), "ii", &type, &id)) return nullptr;
  return PyLong_FromVoidPtr(TVMFFIEnvGetStream(type, id));
}

PyMethodDef test_wrapper_methods[] = {
    {"__dlpack__", as_c_function(test_wrapper_dlpack), METH_VARARGS | METH_KEYWORDS,
     "The capsule of the tensor."},
    {"__dlpack_device__", test_wrapper_dlpack_device, METH_NOARGS, "Device type and id."},
    {"__tvm_ffi_env_stream__", test_wrapper_env_stream, METH_NOARGS,
     "This thread's stream of the tensor's device."},
    {nullptr, nullptr, 0, nullptr}};

int add_exchange_api(PyTypeObject* type) {
  static DLPackExchangeAPI api = test_wrapper_api();  // lives as long as the process
  Ref capsule(PyCapsule_New(&api, "dlpack_exchange_api", nullptr));
  if (!capsule) return -1;
  int rc = PyDict_SetItem(type->tp_dict, state().names.dlpack_exchange_api, capsule.get());
  PyType_Modified(type);
  return rc;
}

// ---- functions

PyObject* drop_last_ref_without_thread_state(PyObject*, PyObject*) {
  Ref payload(PyList_New(0));
  if (!payload) return nullptr;
  TVMFFIAny box;
  TVMFFIObject* place;
  CallContext context;
  {
    Arguments args{Temporaries(&place), &context};
    if (opaque_from_py(payload.get(), &box, &args) < 0) return nullptr;
    object_inc_ref(box.v_obj);
  }
  Py_ssize_t before = Py_REFCNT(payload.get());
  TVMFFIObject* last = box.v_obj;
  {
    Detach detached;
    std::thread([last] { object_dec_ref(last); }).join();
  }
  PyGC_Collect();  // without the GIL, a release by another thread is counted later
  if (Py_REFCNT(payload.get()) != before - 1) {
    PyErr_SetString(PyExc_AssertionError, "the box did not release its payload");
    return nullptr;
  }
  Py_RETURN_NONE;
}

// Counts the live wrappers of each class. Counts on request only, so that other code has no
// overhead.
PyObject* live_wrappers(PyObject*, PyObject*) {
  Ref counts(PyDict_New());
  if (!counts) return nullptr;
  int rc = g_wrappers.each([&counts](Wrapper* w) {
    auto* cls = reinterpret_cast<PyObject*>(Py_TYPE(as_py(w)));
    PyObject* before = PyDict_GetItemWithError(counts.get(), cls);
    if (before == nullptr && PyErr_Occurred()) return -1;
    Ref count(PyLong_FromLong(1 + (before == nullptr ? 0 : PyLong_AsLong(before))));
    return count ? PyDict_SetItem(counts.get(), cls, count.get()) : -1;
  });
  return rc < 0 ? nullptr : counts.release();
}

// The state of core._count_wrappers_at_exit: after the interpreter has shut down, it counts the
// wrappers that were made after the request.
struct CountAtExit {
  // Eight bytes of memory that are valid for the life of the process, because the buffer is never
  // released.
  Py_buffer place;
  std::unordered_set<Wrapper*> before;
};

CountAtExit* g_count_at_exit = nullptr;  // made on first use; lives as long as the process

void count_at_exit() {
  int64_t count = 0;
  g_wrappers.each([&count](Wrapper* w) {
    count += g_count_at_exit->before.count(w) == 0;
    return 0;
  });
  std::memcpy(g_count_at_exit->place.buf, &count, sizeof(count));
}

PyObject* count_wrappers_at_exit(PyObject*, PyObject* buffer) {
  Py_buffer place;
  if (PyObject_GetBuffer(buffer, &place, PyBUF_WRITABLE) < 0) return nullptr;
  if (place.len < static_cast<Py_ssize_t>(sizeof(int64_t))) {
    PyBuffer_Release(&place);
    return PyErr_Format(PyExc_ValueError, "expected a buffer of at least 8 bytes");
  }
  if (g_count_at_exit == nullptr) {
    if (Py_AtExit(count_at_exit) != 0) {
      PyBuffer_Release(&place);
      return PyErr_Format(PyExc_RuntimeError, "Python calls no more functions at exit");
    }
    g_count_at_exit = new CountAtExit();
  } else {
    PyBuffer_Release(&g_count_at_exit->place);
  }
  g_count_at_exit->place = place;
  g_count_at_exit->before.clear();
  g_wrappers.each([](Wrapper* w) { return g_count_at_exit->before.insert(w), 0; });
  Py_RETURN_NONE;
}

PyMethodDef testing_functions[] = {
    {"_count_wrappers_at_exit", count_wrappers_at_exit, METH_O,
     "_count_wrappers_at_exit($module, buffer, /)\n--\n\n"
     "Write, when the interpreter is gone, how many wrappers made from now on are left.\n\n"
     "An int64 is written to the beginning of the buffer, which is never released."},
    {"_live_wrappers", live_wrappers, METH_NOARGS,
     "How many wrappers of native objects are alive, by class."},
    {"_testing_drop_last_ref_without_thread_state", drop_last_ref_without_thread_state, METH_NOARGS,
     "_testing_drop_last_ref_without_thread_state($module)\n--\n\n"
     "Drop the last reference to a box on a thread that Python does not know."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int testing_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&TestWrapperType, "tvm_ffi.core.DLTensorTestWrapper", sizeof(TestWrapper),
                 Py_TPFLAGS_BASETYPE,
                 "A tensor class of a framework of its own, for tests: it wraps one of ours.");
  t->tp_new = PyType_GenericNew;
  t->tp_init = test_wrapper_init;
  t->tp_dealloc = test_wrapper_dealloc;
  t->tp_methods = test_wrapper_methods;
  if (type_add(module, t) < 0 || add_exchange_api(t) < 0) return -1;
  return PyModule_AddFunctions(module, testing_functions);
}

}  // namespace binding
