// SPDX-License-Identifier: Apache-2.0
// core._Method: the descriptor of a reflected method. A call through an instance passes the
// receiver as the first argument, without a bound method object.
#include <algorithm>

#include "../call.h"
#include "../keywords.h"
#include "../type/types.h"
#include "../utf8.h"

namespace binding {
namespace {

enum class MethodKind : uint8_t { kInstance, kInit, kFfiInit };

struct MethodObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  TVMFFIObject* function;  // owned
  PyObject* name;
  PyObject* qualname;
  PyObject* module;
  PyObject* doc;         // NULL for overloads: computed when read
  PyObject* parameters;  // metadata or (names, defaults), see keyword_parameters; owned, or NULL
  ClassInfo* info;       // the ClassInfo of the class, for kInit and kFfiInit
  Gil gil;
  MethodKind kind;
};

MethodObject* as_method(PyObject* x) { return reinterpret_cast<MethodObject*>(x); }

// The slow path of a call: with keywords, or without a receiver.
BINDING_COLD PyObject* method_call_rarely(PyObject* self, PyObject* const* args, Py_ssize_t n,
                                          PyObject* kwnames) {
  MethodObject* m = as_method(self);
  if (n >= 1 && m->parameters != nullptr) {
    PyObject* parameters = keyword_parameters(&m->parameters);
    if (parameters == nullptr && PyErr_Occurred()) return nullptr;
    if (parameters != nullptr) {
      Ref kept = Ref::borrow(parameters);
      BoundArguments bound;
      if (bound.bind(m->qualname, parameters, args + 1, n - 1, kwnames) < 0) return nullptr;
      return call_native(m->function, m->gil, args[0], bound.items(), bound.size());
    }
  }
  if (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0) {
    refuse_unknown_keyword(as_method(self)->name, nullptr, PyTuple_GET_ITEM(kwnames, 0));
  } else {
    PyErr_Format(PyExc_TypeError, "unbound method %U() needs an argument", as_method(self)->name);
  }
  return nullptr;
}

PyObject* method_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                            PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (BINDING_UNLIKELY(n < 1 || (kwnames != nullptr && PyTuple_GET_SIZE(kwnames) != 0))) {
    return method_call_rarely(self, args, n, kwnames);
  }
  return call_native(as_method(self)->function, as_method(self)->gil, args[0], args + 1, n - 1);
}

// Calls a method with fewer positional arguments than it has parameters; args[0] is the receiver.
BINDING_COLD PyObject* method_call_with_defaults(PyObject* self, PyObject* const* args,
                                                 Py_ssize_t n) {
  MethodObject* m = as_method(self);
  Ref kept = Ref::borrow(m->parameters);
  BoundArguments bound;
  if (!bound.fill(kept.get(), args + 1, n - 1)) return nullptr;
  if (bound.items() == nullptr) return method_vectorcall(self, args, n, nullptr);
  return call_native(m->function, m->gil, args[0], bound.items(), bound.size());
}

// The vectorcall of a method with defaults: adds the defaults that the call omits.
PyObject* method_call_filling(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  bool is_short = n >= 1 && n - 1 < parameters_size(as_method(self)->parameters);
  if (BINDING_UNLIKELY(is_short) && (kwnames == nullptr || PyTuple_GET_SIZE(kwnames) == 0)) {
    return method_call_with_defaults(self, args, n);
  }
  return method_vectorcall(self, args, nargsf, kwnames);
}

// The first vectorcall of a method with named parameters; parses the metadata.
PyObject* method_call_first(PyObject* self, PyObject* const* args, size_t nargsf,
                            PyObject* kwnames) {
  MethodObject* m = as_method(self);
  bool fills = parameters_with_defaults(&m->parameters) != nullptr;  // may run Python
  m->vectorcall = fills ? method_call_filling : method_vectorcall;
  return m->vectorcall(self, args, nargsf, kwnames);
}

// Calls the native initializer of `m` on a receiver. Returns 0, or -1 with an exception set.
int init_by_constructor(MethodObject* m, PyObject* receiver, PyObject* const* args, Py_ssize_t n,
                        PyObject* kwnames) {
  if (class_refuses_keywords(m->info, kwnames)) return -1;
  BoundArguments bound;
  if (m->info->init_parameters != nullptr) {
    int is_bound = bind_constructor(m->info, args, n, kwnames, &bound);
    if (is_bound < 0) return -1;
    if (is_bound != 0) {
      return object_init_by_constructor(receiver, m->function, bound.items(), bound.size(),
                                        nullptr);
    }
  }
  return object_init_by_constructor(receiver, m->function, args, n, kwnames);
}

// The `__init__` of a registered class: constructs the native object for an instance that `__new__`
// made.
PyObject* init_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  MethodObject* m = as_method(self);
  if (n < 1 || !is_wrapper(args[0])) {
    PyErr_Format(PyExc_TypeError, "%U.__init__() needs an instance as its first argument",
                 m->qualname);
    return nullptr;
  }
  PyObject* receiver = args[0];
  ClassInfo* info = class_info_of(Py_TYPE(receiver));
  if (info != m->info) {
    PyErr_Format(PyExc_TypeError,
                 "Calling `super().__init__()` is not supported for @c_class `%s`. Use @py_class "
                 "for inheritance with manual __init__, or define `%s` with init=True.",
                 m->info->cls->tp_name, Py_TYPE(receiver)->tp_name);
    return nullptr;
  }
  if (init_by_constructor(m, receiver, args + 1, n - 1, kwnames) < 0) return nullptr;
  PyObject* post = _PyType_Lookup(Py_TYPE(receiver), state().names.post_init);
  if (post != nullptr) {
    Ref done(PyObject_CallMethodNoArgs(receiver, state().names.post_init));  // runs Python
    if (!done) return nullptr;
  }
  Py_RETURN_NONE;
}

// The `__ffi_init__` for classes whose `__init__` is written in Python: only calls the native
// initializer.
PyObject* ffi_init_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  MethodObject* m = as_method(self);
  if (n < 1 || !is_wrapper(args[0])) {
    PyErr_Format(PyExc_TypeError, "%U() needs an instance as its first argument", m->qualname);
    return nullptr;
  }
  PyTypeObject* type = Py_TYPE(args[0]);
  if (class_info_of(type) != m->info) {
    PyErr_Format(PyExc_TypeError,
                 "Calling `%U()` on a `%s` instance is not supported. Define `%s` with init=True.",
                 m->qualname, type->tp_name, type->tp_name);
    return nullptr;
  }
  Ref keep = Ref::borrow(self);  // the class may be registered again during the call
  if (init_by_constructor(m, args[0], args + 1, n - 1, kwnames) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* method_get(PyObject* self, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return compat_new_ref(self);
  return PyMethod_New(self, instance);
}

void method_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  MethodObject* m = as_method(self);
  Py_CLEAR(m->name);
  Py_CLEAR(m->qualname);
  Py_CLEAR(m->module);
  Py_CLEAR(m->doc);
  Py_CLEAR(m->parameters);
  TVMFFIObject* f = m->function;
  PyObject_GC_Del(self);
  if (f != nullptr) object_dec_ref(f);
}

int method_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_method(self)->doc);
  return 0;
}

PyObject* method_repr(PyObject* self) {
  return PyUnicode_FromFormat("<method %U of a native type>", as_method(self)->qualname);
}

// Computed for each access: signatures are rarely read, and change with the fields.
PyObject* method_get_signature(PyObject* self, void*) {
  MethodObject* m = as_method(self);
  if (m->kind == MethodKind::kInstance) {
    Ref make(state_import("tvm_ffi._signatures.function", "method_signature"));
    int type_index = m->info == nullptr ? -1 : m->info->type_index;
    return make ? PyObject_CallFunction(make.get(), "iO", type_index, m->name) : nullptr;
  }
  bool is_init = m->kind == MethodKind::kInit;
  Ref make(state_import("tvm_ffi._signatures.initializer",
                        is_init ? "init_signature" : "ffi_init_signature"));
  return make ? PyObject_CallFunction(make.get(), "i", m->info->type_index) : nullptr;
}

PyObject* method_get_doc(PyObject* self, void*) {
  MethodObject* m = as_method(self);
  if (m->doc != nullptr) return compat_new_ref(m->doc);
  Ref make(state_import("tvm_ffi._signatures.function", "overloads_doc"));
  PyObject* name = m->kind == MethodKind::kInstance ? m->name : state().names.ffi_init;
  return make ? PyObject_CallFunction(make.get(), "iO", m->info->type_index, name) : nullptr;
}

PyGetSetDef method_getset[] = {
    {"__doc__", method_get_doc, nullptr, "The documentation of the method.", nullptr},
    {"__signature__", method_get_signature, nullptr, "What inspect.signature gives.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef method_members[] = {
    {"__name__", T_OBJECT, offsetof(MethodObject, name), READONLY, nullptr},
    {"__qualname__", T_OBJECT, offsetof(MethodObject, qualname), READONLY, nullptr},
    {"__module__", T_OBJECT, offsetof(MethodObject, module), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

MethodObject* method_alloc(TVMFFIObject* function, PyObject* name, PyTypeObject* owner) {
  auto* m = PyObject_GC_New(MethodObject, &MethodType);
  if (m == nullptr) return nullptr;
  m->vectorcall = method_vectorcall;
  object_inc_ref(function);
  m->function = function;
  m->name = compat_new_ref(name);
  m->doc = compat_new_ref(Py_None);
  m->parameters = nullptr;
  m->info = nullptr;
  m->gil = Gil::kRelease;
  m->kind = MethodKind::kInstance;
  auto* cls = reinterpret_cast<PyObject*>(owner);
  m->module = PyObject_GetAttr(cls, state().names.dunder_module);
  Ref qualname(PyObject_GetAttr(cls, state().names.dunder_qualname));
  m->qualname = qualname ? PyUnicode_FromFormat("%U.%U", qualname.get(), name) : nullptr;
  PyObject_GC_Track(reinterpret_cast<PyObject*>(m));
  if (m->module == nullptr || m->qualname == nullptr) {
    Py_DECREF(reinterpret_cast<PyObject*>(m));
    return nullptr;
  }
  return m;
}

}  // namespace

PyTypeObject MethodType = static_type();

namespace {

// Returns whether several method records share the native function of `method`.
bool is_overloaded(const TVMFFITypeInfo* native, const TVMFFIMethodInfo* method) {
  return std::count_if(native->methods, native->methods + native->num_methods,
                       [=](const TVMFFIMethodInfo& other) {
                         return other.method.type_index == kTVMFFIFunction &&
                                other.method.v_obj == method->method.v_obj;
                       }) > 1;
}

// Copies the documentation of a method record to `m`; the record may be NULL.
void method_set_doc(MethodObject* m, const TVMFFIMethodInfo* method) {
  if (method == nullptr) return;
  if (is_overloaded(m->info->native, method)) {
    Py_CLEAR(m->doc);
    return;
  }
  if (method->doc.size == 0) return;
  PyObject* doc = utf8_to_py(method->doc, "replace");
  if (doc != nullptr) Py_XSETREF(m->doc, doc);
  clear_error();
}

PyObject* static_method_new(const TVMFFIMethodInfo* method, PyTypeObject* owner, bool short_call) {
  object_inc_ref(method->method.v_obj);
  Ref wrapper(function_wrapper_new_steal(method->method.v_obj, short_call));
  Ref name(utf8_to_py(method->name, "replace"));
  Ref qualname(name ? PyUnicode_FromFormat("%s.%U", owner->tp_name, name.get()) : nullptr);
  Ref metadata(metadata_with_names(method->metadata));
  if (!wrapper || !qualname || PyErr_Occurred()) return nullptr;
  if (metadata) function_wrapper_describe(wrapper.get(), qualname.get(), metadata.get());
  return PyStaticMethod_New(wrapper.get());
}

}  // namespace

PyObject* method_new(const TVMFFIMethodInfo* method, ClassInfo* info, PyTypeObject* owner) {
  bool short_call = (method->flags & kTVMFFIMethodFlagBitMaskShortCall) != 0;
  if (method->method.type_index != kTVMFFIFunction) return compat_new_ref(Py_None);
  TVMFFIObject* function = method->method.v_obj;
  if (method->flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) {
    return static_method_new(method, owner, short_call);
  }
  Ref name(utf8_to_py(method->name, "replace"));
  if (!name) return nullptr;
  MethodObject* m = method_alloc(function, name.get(), owner);
  if (m == nullptr) return nullptr;
  m->info = info;
  m->parameters = metadata_with_names(method->metadata);
  if (m->parameters == nullptr && PyErr_Occurred()) {
    Py_DECREF(reinterpret_cast<PyObject*>(m));
    return nullptr;
  }
  if (m->kind == MethodKind::kInstance) {
    m->vectorcall = m->parameters != nullptr ? method_call_first : method_vectorcall;
  }
  m->gil = short_call || !state().release_gil_by_default ? Gil::kHold : Gil::kRelease;
  method_set_doc(m, method);
  return reinterpret_cast<PyObject*>(m);
}

PyObject* init_method_new(ClassInfo* info, PyTypeObject* owner) {
  MethodObject* m = method_alloc(info->init, state().names.dunder_init, owner);
  if (m == nullptr) return nullptr;
  m->vectorcall = init_vectorcall;
  m->kind = MethodKind::kInit;
  m->info = info;
  method_set_doc(m, find_constructor(info->native));
  return reinterpret_cast<PyObject*>(m);
}

PyObject* ffi_init_method_new(ClassInfo* info, PyTypeObject* owner) {
  MethodObject* m = method_alloc(info->init, state().names.ffi_init, owner);
  if (m == nullptr) return nullptr;
  m->vectorcall = ffi_init_vectorcall;
  m->kind = MethodKind::kFfiInit;
  m->info = info;
  method_set_doc(m, find_constructor(info->native));
  return reinterpret_cast<PyObject*>(m);
}

int method_type_init(PyObject* module) {
  PyTypeObject* t =
      type_begin(&MethodType, "tvm_ffi.core._Method", sizeof(MethodObject),
                 Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
                 "A reflected method.");
  t->tp_dealloc = method_dealloc;
  t->tp_traverse = method_traverse;
  t->tp_repr = method_repr;
  t->tp_call = PyVectorcall_Call;
  t->tp_vectorcall_offset = offsetof(MethodObject, vectorcall);
  t->tp_descr_get = method_get;
  t->tp_getattro = PyObject_GenericGetAttr;
  t->tp_members = method_members;
  t->tp_getset = method_getset;
  return type_add(module, t);
}

}  // namespace binding
