// SPDX-License-Identifier: Apache-2.0
// core._Initializer: `__init__` and `__ffi_init__` of classes that are defined in Python, and the
// fast path of `cls(...)`.
#include "initializer.h"

#include "../call.h"
#include "../raise.h"
#include "../recursion.h"

namespace binding {
namespace {

struct InitializerObject {
  PyObject_HEAD vectorcallfunc vectorcall;
  ClassInfo* info;
  // The init properties, evaluated after the fields are set: an owned tuple of pairs
  // (name, function). NULL if there are none.
  PyObject* properties;
  bool has_post_init;
  bool is_ffi_init;
  PyObject* dict;
};

PyTypeObject InitializerType = static_type();

InitializerObject* as_initializer(PyObject* x) { return reinterpret_cast<InitializerObject*>(x); }

// Evaluates the init properties, then calls `__post_init__`. The caller has already set all fields
// of the object. Returns 0, or -1 with an exception set.
int run_hooks(const InitializerObject* init, PyObject* self) {
  Py_ssize_t count = init->properties == nullptr ? 0 : PyTuple_GET_SIZE(init->properties);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* entry = PyTuple_GET_ITEM(init->properties, i);
    Ref value(PyObject_CallOneArg(PyTuple_GET_ITEM(entry, 1), self));  // runs Python
    if (!value) return -1;
    Ref descriptor = type_find(Py_TYPE(self), PyTuple_GET_ITEM(entry, 0));
    int rc = descriptor && Py_TYPE(descriptor.get()) == &FieldType
                 ? field_force(descriptor.get(), self, value.get())
                 : PyObject_SetAttr(self, PyTuple_GET_ITEM(entry, 0), value.get());
    if (rc < 0) return -1;
  }
  if (!init->has_post_init) return 0;
  Ref done(PyObject_CallMethodNoArgs(self, state().names.post_init));  // runs Python
  return done ? 0 : -1;
}

BINDING_INLINE bool has_hooks(const InitializerObject* init) {
  return init->has_post_init || init->properties != nullptr;
}

int run_hooks_guarded(const InitializerObject* init, PyObject* self) {
  RecursionLevel level(" while making an object");
  return level ? run_hooks(init, self) : -1;
}

// Extends the TypeError for wrong arguments if `type` has annotations but was not decorated.
// Without the decorator, `type` has only the fields of its ancestor `defined`. Returns NULL.
BINDING_COLD PyObject* refuse_arguments(PyTypeObject* type, PyTypeObject* defined) {
  if (type == defined || !PyErr_ExceptionMatches(PyExc_TypeError)) return nullptr;
  complete_raised("tvm_ffi.dataclasses.undecorated", "extend", reinterpret_cast<PyObject*>(type),
                  reinterpret_cast<PyObject*>(defined));
  return nullptr;
}

// The tp_vectorcall of classes with a generated `__init__`. Makes the object in one step, without
// an empty instance and without a call of `__init__`.
PyObject* call_defined_class(PyObject* cls, PyObject* const* args, size_t nargsf,
                             PyObject* kwnames) {
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  ClassInfo* info = class_info_of(type);
  TVMFFIObject* object = plan_construct(info->plan, args, PyVectorcall_NARGS(nargsf), kwnames);
  if (BINDING_UNLIKELY(object == nullptr)) return nullptr;
  PyObject* self = wrapper_new_steal(type, info->plain && info->cls == type, object);
  auto* init = as_initializer(info->initializer);
  if (BINDING_LIKELY(self == nullptr || !has_hooks(init))) return self;
  Ref keep_init = Ref::borrow(info->initializer);
  if (run_hooks_guarded(init, self) == 0) return self;
  Py_DECREF(self);
  return nullptr;
}

BINDING_COLD PyObject* refuse_receiver(const InitializerObject* init, PyObject* receiver) {
  if (!is_wrapper(receiver)) {
    return PyErr_Format(PyExc_TypeError, "%s.__init__() needs an instance, got %s",
                        init->info->cls->tp_name, Py_TYPE(receiver)->tp_name);
  }
  bool is_ancestor = PyType_IsSubtype(Py_TYPE(receiver), init->info->cls);
  return PyErr_Format(PyExc_TypeError,
                      "Calling `%s.__ffi_init__()` on a `%s` instance is not supported. Define "
                      "`%s` with init=True.%s",
                      init->info->cls->tp_name, Py_TYPE(receiver)->tp_name,
                      Py_TYPE(receiver)->tp_name,
                      is_ancestor ? " In an `__init__` of its own, call self.__ffi_init__(...) in "
                                    "place of super().__ffi_init__(...): it takes the fields of "
                                    "all ancestors, too."
                                  : "");
}

// Runs `__init__(self, ...)` or `__ffi_init__(self, ...)` on an instance that `__new__` made.
PyObject* initializer_vectorcall(PyObject* self, PyObject* const* args, size_t nargsf,
                                 PyObject* kwnames) {
  InitializerObject* init = as_initializer(self);
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (n < 1) {
    return PyErr_Format(PyExc_TypeError, "%s.__init__() needs an instance as its first argument",
                        init->info->cls->tp_name);
  }
  PyObject* receiver = args[0];
  if (!is_wrapper(receiver)) return refuse_receiver(init, receiver);
  if (BINDING_UNLIKELY(wrapper_is_fixed(receiver))) return nullptr;
  // The constructor of a subclass has already made the object.
  if (!init->is_ffi_init && as_wrapper(receiver)->handle != nullptr) Py_RETURN_NONE;
  if (class_info_of(Py_TYPE(receiver)) != init->info || init->info->plan == nullptr) {
    return refuse_receiver(init, receiver);
  }
  Ref keep = Ref::borrow(self);
  TVMFFIObject* object = plan_construct(init->info->plan, args + 1, n - 1, kwnames);
  if (object == nullptr) return refuse_arguments(Py_TYPE(receiver), init->info->cls);
  if (wrapper_adopt_steal(as_wrapper(receiver), object) < 0) return nullptr;
  if (has_hooks(init) && run_hooks_guarded(init, receiver) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* initializer_get(PyObject* self, PyObject* instance, PyObject*) {
  if (instance == nullptr || instance == Py_None) return compat_new_ref(self);
  return PyMethod_New(self, instance);
}

void initializer_dealloc(PyObject* self) {
  PyObject_GC_UnTrack(self);
  Py_CLEAR(as_initializer(self)->properties);
  Py_CLEAR(as_initializer(self)->dict);
  Py_TYPE(self)->tp_free(self);
}

int initializer_traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(as_initializer(self)->properties);
  Py_VISIT(as_initializer(self)->dict);
  return 0;
}

PyObject* initializer_repr(PyObject* self) {
  InitializerObject* init = as_initializer(self);
  return PyUnicode_FromFormat("<function %s.%s>", init->info->cls->tp_name,
                              init->is_ffi_init ? "__ffi_init__" : "__init__");
}

PyObject* initializer_signature(PyObject* self, void*) {
  InitializerObject* init = as_initializer(self);
  const char* maker = init->is_ffi_init ? "ffi_init_signature" : "init_signature";
  Ref make(state_import("tvm_ffi._signatures.initializer", maker));
  return make ? PyObject_CallFunction(make.get(), "i", init->info->type_index) : nullptr;
}

PyGetSetDef initializer_getset[] = {
    {"__signature__", initializer_signature, nullptr, "What inspect.signature gives.", nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Sets `__name__` and the other attributes that describe a function. Returns 0, or -1 with an
// exception set.
int set_names(PyObject* self, PyTypeObject* cls, PyObject* name) {
  const Names& n = state().names;
  auto* owner = reinterpret_cast<PyObject*>(cls);
  Ref module(PyObject_GetAttr(owner, n.dunder_module));
  Ref qualname(module ? PyObject_GetAttr(owner, n.dunder_qualname) : nullptr);
  Ref full(qualname ? PyUnicode_FromFormat("%U.%U", qualname.get(), name) : nullptr);
  if (!full || PyObject_SetAttr(self, n.dunder_name, name) < 0 ||
      PyObject_SetAttr(self, n.dunder_qualname, full.get()) < 0) {
    return -1;
  }
  return PyObject_SetAttr(self, n.dunder_module, module.get());
}

PyObject* initializer_new(ClassInfo* info, PyObject* name, bool is_ffi_init) {
  PyObject* self = InitializerType.tp_alloc(&InitializerType, 0);
  if (self == nullptr) return nullptr;
  InitializerObject* init = as_initializer(self);
  init->vectorcall = initializer_vectorcall;
  init->info = info;
  init->is_ffi_init = is_ffi_init;
  if (set_names(self, info->cls, name) == 0) return self;
  Py_DECREF(self);
  return nullptr;
}

// Returns the ClassInfo of a class whose fields have been defined; NULL with an exception set.
ClassInfo* info_of_defined(PyObject* cls) {
  ClassInfo* info = class_info_of(reinterpret_cast<PyTypeObject*>(cls));
  if (info != nullptr && info->plan != nullptr &&
      info->cls == reinterpret_cast<PyTypeObject*>(cls)) {
    return info;
  }
  PyErr_Format(PyExc_TypeError, "%s is not a class whose fields are registered from Python",
               reinterpret_cast<PyTypeObject*>(cls)->tp_name);
  return nullptr;
}

// Returns a checked copy of the (name, function) pairs; NULL without an exception if there are
// none.
PyObject* properties_of(PyObject* entries) {
  if (entries == Py_None) return nullptr;
  Ref tuple(PySequence_Tuple(entries));
  if (!tuple) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.get()); ++i) {
    PyObject* entry = PyTuple_GET_ITEM(tuple.get(), i);
    if (!PyTuple_Check(entry) || PyTuple_GET_SIZE(entry) != 2 ||
        !PyUnicode_Check(PyTuple_GET_ITEM(entry, 0)) ||
        !PyCallable_Check(PyTuple_GET_ITEM(entry, 1))) {
      PyErr_Format(PyExc_TypeError, "init_properties must hold (name, function), got %R", entry);
      return nullptr;
    }
  }
  return PyTuple_GET_SIZE(tuple.get()) == 0 ? nullptr : tuple.release();
}

// Sets the fast path of `cls(...)` if the class inherits `__new__` and is not abstract. Without the
// fast path, a call of such a class would run only the generated `__init__`.
void set_vectorcall(ClassInfo* info, PyTypeObject* cls) {
  if (cls->tp_new == CObjectType.tp_new && !(cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT) &&
      class_has_usual_call(cls)) {
    info->plain = wrapper_is_plain(cls);
    cls->tp_vectorcall = call_defined_class;
  }
}

PyObject* make_init(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"cls", "type_info", "post_init", "init_properties", nullptr};
  PyObject *cls, *type_info, *properties = Py_None;
  int post_init = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O|pO:_make_init", const_cast<char**>(keywords),
                                   &PyType_Type, &cls, &type_info, &post_init, &properties)) {
    return nullptr;
  }
  ClassInfo* info = info_of_defined(cls);
  if (info == nullptr) return nullptr;
  Ref pairs(properties_of(properties));
  if (!pairs && PyErr_Occurred()) return nullptr;
  Ref made(initializer_new(info, state().names.dunder_init, false));
  if (!made) return nullptr;
  as_initializer(made.get())->properties = pairs.release();
  as_initializer(made.get())->has_post_init = post_init != 0;
  if (PyObject_SetAttr(cls, state().names.dunder_init, made.get()) < 0) return nullptr;
  Ref old(info->initializer);
  info->initializer = compat_new_ref(made.get());
  set_vectorcall(info, reinterpret_cast<PyTypeObject*>(cls));
  return made.release();
}

PyObject* make_ffi_init(PyObject*, PyObject* args) {
  PyObject *cls, *type_info;
  if (!PyArg_ParseTuple(args, "O!O:_make_ffi_init", &PyType_Type, &cls, &type_info)) return nullptr;
  ClassInfo* info = info_of_defined(cls);
  if (info == nullptr) return nullptr;
  Ref made(initializer_new(info, state().names.ffi_init, true));
  if (!made || PyObject_SetAttr(cls, state().names.ffi_init, made.get()) < 0) return nullptr;
  return made.release();
}

PyMethodDef initializer_functions[] = {
    {"_make_init", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(make_init)),
     METH_VARARGS | METH_KEYWORDS,
     "_make_init($module, cls, type_info, post_init=False, init_properties=None)\n--\n\n"
     "Install, and return, the `__init__` that the registered fields of `cls` describe.\n\n"
     "`init_properties` are (name, function) pairs, evaluated in order after the fields are set "
     "and\n"
     "stored through the field of that name, frozen or not; with `post_init`, `__post_init__` is\n"
     "called last. Raises TypeError when the fields of `cls` are not registered."},
    {"_make_ffi_init", make_ffi_init, METH_VARARGS,
     "_make_ffi_init($module, cls, type_info, /)\n--\n\n"
     "Install and return `__ffi_init__`, which makes a new object and runs no hooks."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int initializer_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &InitializerType, "tvm_ffi.core._Initializer", sizeof(InitializerObject),
      Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR, nullptr);
  t->tp_alloc = PyType_GenericAlloc;
  t->tp_free = PyObject_GC_Del;
  t->tp_dealloc = initializer_dealloc;
  t->tp_traverse = initializer_traverse;
  t->tp_repr = initializer_repr;
  t->tp_call = PyVectorcall_Call;
  t->tp_vectorcall_offset = offsetof(InitializerObject, vectorcall);
  t->tp_dictoffset = offsetof(InitializerObject, dict);
  t->tp_descr_get = initializer_get;
  t->tp_getattro = PyObject_GenericGetAttr;
  t->tp_setattro = PyObject_GenericSetAttr;
  t->tp_getset = initializer_getset;
  if (type_add(module, t) < 0) return -1;
  return PyModule_AddFunctions(module, initializer_functions);
}

}  // namespace binding
