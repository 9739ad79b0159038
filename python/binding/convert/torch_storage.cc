// SPDX-License-Identifier: Apache-2.0
// The storage of a PyTorch tensor: the object of PyTorch that owns the memory. A native tensor that
// outlives a call owns the storage, because the PyTorch tensor itself can get other memory
// (`x.data = y`, `x.set_()`), and so can the managed tensor that PyTorch makes for DLPack, which
// shares shape and memory with the PyTorch tensor. A tensor that is made for one call gets the
// storage only if Python code runs during the call, or if native code keeps the tensor.
#include "../raise.h"
#include "../type/types.h"
#include "convert.h"
#include "torch_in_place.h"

namespace binding {
namespace {

// Returns the C function without arguments behind a function or method; NULL for another callable.
PyCFunction c_function(PyObject* x) {
  PyMethodDef* method = nullptr;
  if (Py_IS_TYPE(x, &PyMethodDescr_Type)) {
    method = reinterpret_cast<PyMethodDescrObject*>(x)->d_method;
  } else if (PyCFunction_CheckExact(x)) {
    method = reinterpret_cast<PyCFunctionObject*>(x)->m_ml;
  }
  return method != nullptr && method->ml_flags == METH_NOARGS ? method->ml_meth : nullptr;
}

// Looks up a name that a release of PyTorch may lack. Returns an empty reference then, without an
// exception unless it is not an Exception.
Ref find_in_torch_c(const char* name) {
  Ref found(state_import("torch._C", name));  // runs Python
  if (!found && !is_stop_raised()) clear_error();
  return found;
}

// What this file uses of PyTorch. The objects are never freed, as PyTorch itself.
struct StorageAccess {
  PyObject* tensor = nullptr;         // torch.Tensor
  PyObject* parameter = nullptr;      // torch.nn.Parameter
  PyObject* storage = nullptr;        // torch.Tensor.untyped_storage
  PyObject* disable = nullptr;        // torch._C.DisableTorchFunction; NULL if there is none
  PyCFunction read = nullptr;         // the C function of untyped_storage
  PyCFunction count_modes = nullptr;  // torch._C._len_torch_function_stack; NULL if there is none

  // Looks everything up. Returns 0, or -1 with an exception set. Runs Python.
  int find() {
    Ref tensor_class(state_import("torch", "Tensor"));
    Ref parameter_class(tensor_class ? state_import("torch.nn", "Parameter") : nullptr);
    Ref method(parameter_class ? PyObject_GetAttrString(tensor_class.get(), "untyped_storage")
                               : nullptr);
    if (!method) return -1;
    Ref disable_class = find_in_torch_c("DisableTorchFunction");
    if (PyErr_Occurred()) return -1;
    Ref count = find_in_torch_c("_len_torch_function_stack");
    if (PyErr_Occurred()) return -1;
    read = c_function(method.get());
    if (count) count_modes = c_function(count.release());
    storage = method.release();
    disable = disable_class.release();
    parameter = parameter_class.release();
    tensor = tensor_class.release();
    return 0;
  }

  // Returns whether `read` calls neither a mode nor the class of `x`.
  BINDING_INLINE bool is_direct(PyObject* x) const {
    auto* type = reinterpret_cast<PyObject*>(Py_TYPE(x));
    if ((type != tensor && type != parameter) || read == nullptr || count_modes == nullptr) {
      return false;
    }
    Ref count(count_modes(nullptr, nullptr));
    return count && PyLong_AsLong(count.get()) == 0;
  }
};

StorageAccess g_storage_access;  // guarded by the GIL

// Reads the storage. PyTorch ignores modes and the `__torch_function__` of classes meanwhile, if it
// can. New reference, or NULL with an exception set.
BINDING_COLD PyObject* storage_without_modes(PyObject* x) {
  if (g_storage_access.tensor == nullptr && g_storage_access.find() < 0) return nullptr;
  if (g_storage_access.disable == nullptr) return PyObject_CallOneArg(g_storage_access.storage, x);
  Ref guard(PyObject_CallNoArgs(g_storage_access.disable));
  Ref entered(guard ? PyObject_CallMethod(guard.get(), "__enter__", nullptr) : nullptr);
  if (!entered) return nullptr;
  PyObject* storage = PyObject_CallOneArg(g_storage_access.storage, x);
  RaisedAside aside;
  Ref left(PyObject_CallMethod(guard.get(), "__exit__", "OOO", Py_None, Py_None, Py_None));
  return storage;
}

}  // namespace

PyObject* torch_storage(PyObject* x, const DLPackExchangeAPI* api, DLTensor* tensor) {
  if (BINDING_LIKELY(g_storage_access.is_direct(x))) return g_storage_access.read(x, nullptr);
  Ref storage(storage_without_modes(x));
  if (!storage) return nullptr;
  // Python code that ran since `x` was described may have given other memory to `x`.
  if (!exchange_describe(x, api, tensor)) {
    PyErr_Format(PyExc_BufferError, "this %s changed while it was converted", Py_TYPE(x)->tp_name);
    return nullptr;
  }
  return torch_check_memory(x, *tensor) < 0 ? nullptr : storage.release();
}

int torch_storage_memory(PyObject* x, TorchStorage* out) {
  Ref storage(storage_without_modes(x));
  Ref data(storage ? PyObject_CallMethod(storage.get(), "data_ptr", nullptr) : nullptr);
  Ref bytes(data ? PyObject_CallMethod(storage.get(), "nbytes", nullptr) : nullptr);
  if (bytes) {
    out->data = static_cast<const char*>(PyLong_AsVoidPtr(data.get()));
    out->bytes = PyLong_AsUnsignedLongLong(bytes.get());
  }
  if (!PyErr_Occurred()) return 1;
  if (is_stop_raised()) return -1;
  clear_error();
  return 0;
}

}  // namespace binding
