// SPDX-License-Identifier: Apache-2.0
// The functions of tvm_ffi.structural that compare and hash. Each function makes one native call
// and does not create a Python frame.
#include "attach.h"
#include "call.h"
#include "keywords.h"
#include "raise.h"
#include "type/types.h"

namespace binding {
namespace {

constexpr Py_ssize_t kMaxParameters = 4;

// A native function whose last parameters are flags with defaults.
struct Operation {
  RuntimeFunction function;
  const char* python_name;
  Py_ssize_t values;   // number of required parameters: the values to compare or hash
  PyObject* name;      // owned for the life of the process, like the next member
  PyObject* bindings;  // names and defaults, for BoundArguments
};

Operation g_equal = {RuntimeFunction("ffi.StructuralEqual"), "structural_equal", 2, nullptr,
                     nullptr};
Operation g_mismatch = {RuntimeFunction("ffi.GetFirstStructuralMismatch"),
                        "get_first_structural_mismatch", 2, nullptr, nullptr};
Operation g_hash = {RuntimeFunction("ffi.StructuralHash"), "structural_hash", 1, nullptr, nullptr};

// Calls the function with any positional and keyword arguments. Returns 0, or -1 with an exception
// set.
BINDING_COLD int call_bound(const Operation& op, TVMFFIObject* f, PyObject* const* args,
                            Py_ssize_t n, PyObject* kwnames, TVMFFIAny* result) {
  Ref no_keywords(kwnames == nullptr ? PyTuple_New(0) : nullptr);
  if (kwnames == nullptr && !no_keywords) return -1;
  BoundArguments bound;
  if (bound.bind(op.name, op.bindings, args, n, kwnames ? kwnames : no_keywords.get()) < 0) {
    return -1;
  }
  PairSection section(bound.items()[0], bound.items()[op.values - 1]);
  return call_native_raw(f, Gil::kHold, bound.items(), bound.size(), nullptr, result);
}

// Calls the function with the GIL held, because it calls hooks of types (such as `__s_equal__`),
// which may be Python functions. Returns 0, or -1 with an exception set.
BINDING_INLINE int call(Operation* op, PyObject* const* args, Py_ssize_t n, PyObject* kwnames,
                        TVMFFIAny* result) {
  TVMFFIObject* f = op->function.get();
  if (BINDING_UNLIKELY(f == nullptr)) return -1;
  if (BINDING_UNLIKELY(n != op->values || kwnames != nullptr)) {
    return call_bound(*op, f, args, n, kwnames, result);
  }
  PyObject* all[kMaxParameters];
  Py_ssize_t size = 0;
  for (; size < n; ++size) all[size] = args[size];
  for (; size < op->values + 2; ++size) all[size] = Py_False;
  PairSection section(args[0], args[n - 1]);
  return call_native_raw(f, Gil::kHold, all, size, nullptr, result);
}

// Adds to the exception the class and the position of the value that the operation refuses. Returns
// NULL.
BINDING_COLD PyObject* failed(const Operation& op, PyObject* const* args, Py_ssize_t n) {
  Py_ssize_t values = n < op.values ? n : op.values;
  add_refused_place(op.python_name, values > 0 ? args[0] : Py_None, values > 1 ? args[1] : Py_None);
  return nullptr;
}

PyObject* structural_equal(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  TVMFFIAny result;
  if (call(&g_equal, args, n, kwnames, &result) < 0) return failed(g_equal, args, n);
  return bool_to_py(result.v_int64 != 0);
}

PyObject* structural_hash(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  TVMFFIAny result;
  if (call(&g_hash, args, n, kwnames, &result) < 0) return failed(g_hash, args, n);
  return PyLong_FromUnsignedLongLong(static_cast<unsigned long long>(result.v_int64));
}

PyObject* first_mismatch(PyObject*, PyObject* const* args, Py_ssize_t n, PyObject* kwnames) {
  TVMFFIAny result;
  if (call(&g_mismatch, args, n, kwnames, &result) < 0) return failed(g_mismatch, args, n);
  return value_to_py_steal(result);
}

// If the traversal failed because of a value that a callback returned, adds the access path of the
// visited object to the message of the raised exception. Returns NULL with that exception set.
BINDING_COLD PyObject* traverse_failed() {
  Ref raised(compat_take_raised());
  Ref add(raised ? state_import("tvm_ffi._structural.failure", "add_path") : nullptr);
  Ref done(add ? PyObject_CallOneArg(add.get(), raised.get()) : nullptr);  // runs Python
  if (raised) raise_again_steal(raised.release());
  return nullptr;
}

// Calls a function that runs a traversal. Marks the thread as attached during the traversal, so
// that the many calls of Python callbacks do not look up the thread state each time.
PyObject* traverse(PyObject*, PyObject* const* args, Py_ssize_t n) {
  if (n < 1) {
    PyErr_SetString(PyExc_TypeError, "_traverse() takes a function");
    return nullptr;
  }
  KnownAttached attached;
  PyObject* result =
      PyObject_Vectorcall(args[0], args + 1, static_cast<size_t>(n - 1), nullptr);  // runs Python
  return BINDING_LIKELY(result != nullptr) ? result : traverse_failed();
}

PyMethodDef g_traverse = {"traverse", as_c_function(traverse), METH_FASTCALL, nullptr};

PyMethodDef g_functions[] = {
    {"structural_equal", as_c_function(structural_equal), METH_FASTCALL | METH_KEYWORDS,
     "structural_equal(lhs, rhs, map_free_vars=False, skip_tensor_content=False)\n--\n\n"
     "Return whether two values have equal content and structure.\n\n"
     "Objects are compared as their types say: field by field, by identity, or as variables that\n"
     "stand for one another. Values of different types differ, so 1 is not 1.0.\n\n"
     "Parameters\n----------\n"
     "lhs, rhs\n    The values.\n"
     "map_free_vars\n    Whether variables that neither side defines may stand for one another.\n"
     "skip_tensor_content\n    Whether tensors of equal shape and dtype are equal.\n\n"
     "Raises\n------\n"
     "TypeError\n    If an object is of a type that does not support this.\n"
     "ValueError\n    If a value contains itself.\n\n"
     "Examples\n--------\n"
     ">>> import tvm_ffi\n"
     ">>> tvm_ffi.structural_equal([1, [2]], [1, [2]]), tvm_ffi.structural_equal([1], [1.0])\n"
     "(True, False)\n"},
    {"structural_hash", as_c_function(structural_hash), METH_FASTCALL | METH_KEYWORDS,
     "structural_hash(value, map_free_vars=False, skip_tensor_content=False)\n--\n\n"
     "Return the hash, from 0 to 2**64 - 1, that structurally equal values have in common.\n\n"
     "It is the same in every process, unless it depends on variables that are nowhere defined.\n"
     "The parameters and errors are those of ``structural_equal``.\n\n"
     "Examples\n--------\n"
     ">>> import tvm_ffi\n"
     ">>> tvm_ffi.structural_hash([1, 2]) == tvm_ffi.structural_hash((1, 2))\n"
     "True\n"},
    {"get_first_structural_mismatch", as_c_function(first_mismatch), METH_FASTCALL | METH_KEYWORDS,
     "get_first_structural_mismatch(lhs, rhs, map_free_vars=False, skip_tensor_content=False)\n"
     "--\n\n"
     "Return where two values begin to differ: an Array of two ``AccessPath``, or None.\n\n"
     "The first leads through ``lhs``, the second through ``rhs``. The parameters and errors are\n"
     "those of ``structural_equal``.\n\n"
     "Examples\n--------\n"
     ">>> import tvm_ffi\n"
     ">>> tvm_ffi.get_first_structural_mismatch([1, 2], [1, 3])\n"
     "(<root>[1], <root>[1])\n"},
};

PyObject* bindings_of(Py_ssize_t values) {
  return values == 1 ? Py_BuildValue("((sss)(OO))", "value", "map_free_vars", "skip_tensor_content",
                                     Py_False, Py_False)
                     : Py_BuildValue("((ssss)(OO))", "lhs", "rhs", "map_free_vars",
                                     "skip_tensor_content", Py_False, Py_False);
}

}  // namespace

int structural_init(PyObject* module) {
  Operation* const operations[] = {&g_equal, &g_hash, &g_mismatch};
  Ref home(PyUnicode_InternFromString("tvm_ffi.structural"));
  if (!home) return -1;
  Ref traverse_function(PyCFunction_NewEx(&g_traverse, nullptr, home.get()));
  if (!traverse_function ||
      PyObject_SetAttrString(module, "_traverse", traverse_function.get()) < 0) {
    return -1;
  }
  for (int i = 0; i < 3; ++i) {
    Operation* op = operations[i];
    op->name = PyUnicode_InternFromString(g_functions[i].ml_name);
    op->bindings = bindings_of(op->values);
    Ref function(PyCFunction_NewEx(&g_functions[i], nullptr, home.get()));
    Ref attribute(PyUnicode_FromFormat("_%s", g_functions[i].ml_name));
    if (op->name == nullptr || op->bindings == nullptr || !function || !attribute ||
        PyObject_SetAttr(module, attribute.get(), function.get()) < 0) {
      return -1;
    }
  }
  return 0;
}

}  // namespace binding
