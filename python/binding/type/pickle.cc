// SPDX-License-Identifier: Apache-2.0
// Pickling of objects. The runtime packs the graph of an object into three parts: `program`, bytes
// from which the graph can be built again; `types`, a list of the types in the graph; and
// `externals`, the values that pickle itself has to write (tensors, functions, modules and Python
// objects). `restore_graph` makes an object from these parts. If there are no externals, and
// `types` contains the class of the object, the pickle needs only the class: `__setstate__` of an
// empty instance takes `(program, types)`. A class that overrides `__getstate__` or `__setstate__`
// is pickled with the result of `__getstate__` instead; by default this is the graph as JSON text.
#include "../call.h"
#include "../raise.h"
#include "../recursion.h"
#include "../utf8.h"
#include "types.h"

namespace binding {
namespace {

// Returns {"handle": JSON text of the graph, or None for an empty object}.
PyObject* state_of(PyObject* self) {
  static RuntimeFunction write("ffi.ToJSONGraphString");
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj == nullptr) return Py_BuildValue("{s:O}", "handle", Py_None);
  TVMFFIAny args[2] = {value_none(), value_none()};
  TVMFFIAny result;
  value_set_object(&args[0], obj);
  if (write.call(args, 2, &result) < 0) return nullptr;
  Ref plain(plain_str_to_py_steal(result));
  return plain ? Py_BuildValue("{s:O}", "handle", plain.get()) : nullptr;
}

PyObject* object_getstate(PyObject* self, PyObject*) { return state_of(self); }

// ---- types whose objects are pickled through their Python class

// Returns whether the attribute of a class differs from that of core.CObject.
bool overrides(PyTypeObject* cls, PyObject* name) {
  return _PyType_Lookup(cls, name) != _PyType_Lookup(&CObjectType, name);
}

bool has_own_state(PyTypeObject* cls) {
  const Names& n = state().names;
  return overrides(cls, n.dunder_getstate) || overrides(cls, n.dunder_setstate);
}

// Returns whether pickle has to call methods of a class, because the class customizes pickling.
bool customizes_pickling(PyTypeObject* cls) {
  const Names& n = state().names;
  return overrides(cls, n.dunder_reduce) || overrides(cls, n.dunder_reduce_ex) ||
         has_own_state(cls);
}

// A function `(type index) -> bool` that the runtime calls with the GIL held. Returns whether the
// Python class of the type customizes pickling.
int is_external_safe_call(void*, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  bool is_external = false;
  if (n == 1 && args[0].type_index == kTVMFFIInt) {
    ClassInfo* info = class_info_for_index(static_cast<int32_t>(args[0].v_int64));
    if (info == nullptr) clear_error();  // the runtime packs the fields, or refuses the type
    PyTypeObject* cls = info == nullptr ? nullptr : info->cls;
    is_external = cls != nullptr && customizes_pickling(cls);
  }
  result->type_index = kTVMFFIBool;
  result->zero_padding = 0;
  result->v_int64 = is_external;
  return 0;
}

// Returns is_external_safe_call as a native function, made once; NULL with an exception set.
TVMFFIObject* is_external_function() {
  static TVMFFIObject* function = nullptr;
  if (function != nullptr) return function;
  TVMFFIObjectHandle out = nullptr;
  int status = TVMFFIFunctionCreate(nullptr, is_external_safe_call, nullptr, &out);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  return function = static_cast<TVMFFIObject*>(out);
}

// ---- writing

const TVMFFISeqCell& cell_of(const TVMFFIAny& array) {
  return *reinterpret_cast<const TVMFFISeqCell*>(reinterpret_cast<const char*>(array.v_obj) +
                                                 sizeof(TVMFFIObject));
}

// Returns (class or type key, names of the fields). The result is cached, so that a pickle with
// many objects of a type contains the tuple once. Borrowed, or NULL with an exception set.
PyObject* pickled_type(const TVMFFIAny& entry) {
  const TVMFFISeqCell& cell = cell_of(entry);
  const auto* values = static_cast<const TVMFFIAny*>(cell.data);
  ClassInfo* info = class_info_for_index(static_cast<int32_t>(values[0].v_int64));
  if (info == nullptr) return nullptr;
  auto num_fields = static_cast<int32_t>(cell.size - 1);
  if (info->pickled_type != nullptr && info->num_fields_pickled == num_fields) {
    return info->pickled_type;
  }
  Ref names(PyTuple_New(num_fields));
  if (!names) return nullptr;
  for (int32_t i = 0; i < num_fields; ++i) {
    Ref name(value_to_py_borrowed(values[i + 1]));
    PyObject* plain = name ? PyUnicode_FromObject(name.get()) : nullptr;
    if (plain == nullptr) return nullptr;
    PyUnicode_InternInPlace(&plain);
    PyTuple_SET_ITEM(names.get(), i, plain);
  }
  Ref key;
  // A class that several types share (core.Object is also the class of large integers), or that was
  // made by the binding, does not identify the type. Then use the type key.
  if (info->is_fallback || info->cls == nullptr || class_info_of(info->cls) != info) {
    key = Ref(utf8_to_py(info->native->type_key, "strict"));
    if (!key) return nullptr;
  }
  PyObject* name = key ? key.get() : reinterpret_cast<PyObject*>(info->cls);
  PyObject* made = PyTuple_Pack(2, name, names.get());
  if (made == nullptr) return nullptr;
  Py_XSETREF(info->pickled_type, made);
  info->num_fields_pickled = num_fields;
  return made;
}

// Returns one of the three parts (program, types, externals) of the runtime's result; borrowed.
const TVMFFIAny& part_of(const TVMFFIAny& packed, size_t index) {
  return static_cast<const TVMFFIAny*>(cell_of(packed).data)[index];
}

PyObject* bytes_of(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFISmallBytes) {
    return PyBytes_FromStringAndSize(value.v_bytes, value.small_str_len);
  }
  const TVMFFIByteArray* bytes = TVMFFIBytesGetByteArrayPtr(value.v_obj);
  return PyBytes_FromStringAndSize(bytes->data, static_cast<Py_ssize_t>(bytes->size));
}

PyObject* types_of(const TVMFFIAny& types) {
  const TVMFFISeqCell& cell = cell_of(types);
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(cell.size)));
  if (!tuple) return nullptr;
  for (int64_t i = 0; i < cell.size; ++i) {
    PyObject* entry = pickled_type(static_cast<const TVMFFIAny*>(cell.data)[i]);
    if (entry == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, compat_new_ref(entry));
  }
  return tuple.release();
}

// Returns whether pickle may refuse a value in the graph. externals_of calls `__reduce_ex__` of
// such a value before pickle does, so that the message of an error can name the position of the
// value.
bool may_be_refused(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFITensor) {
    return TVMFFITensorGetDLTensorPtr(value.v_obj)->device.device_type != kDLCPU;
  }
  return value.type_index == kTVMFFIFunction || value.type_index == kTVMFFIModule;
}

// Raises the error for a value in the graph of `object`, which cannot be pickled; the message has
// its position.
BINDING_COLD void explain_refused(PyObject* self, TVMFFIObject* object, int64_t index) {
  static RuntimeFunction find("ffi._PackPath");
  Ref raised(compat_take_raised());
  TVMFFIAny args[3] = {value_none(), value_none(), value_none()}, result;
  value_set_object(&args[0], object);
  value_set_object(&args[1], is_external_function());
  args[2].type_index = kTVMFFIInt;
  args[2].v_int64 = index;
  if (find.call(args, 3, &result) < 0) return;
  Ref path(value_to_py_steal(result));
  Ref explain(path ? state_import("tvm_ffi._pickle.refusal", "explain") : nullptr);
  if (!explain) return;
  Ref done(PyObject_CallFunctionObjArgs(explain.get(), self, path.get(), raised.get(),
                                        nullptr));  // raises
}

PyObject* externals_of(PyObject* self, TVMFFIObject* object, const TVMFFIAny& externals) {
  const TVMFFISeqCell& cell = cell_of(externals);
  Ref tuple(PyTuple_New(static_cast<Py_ssize_t>(cell.size)));
  if (!tuple) return nullptr;
  for (int64_t i = 0; i < cell.size; ++i) {
    const TVMFFIAny& value = static_cast<const TVMFFIAny*>(cell.data)[i];
    PyObject* item = value_to_py_borrowed(value);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, item);
    if (!may_be_refused(value)) continue;
    Ref tried(PyObject_CallMethod(item, "__reduce_ex__", "i", 4));  // runs Python
    if (tried) continue;
    if (!PyErr_ExceptionMatches(PyExc_RecursionError)) explain_refused(self, object, i);
    return nullptr;
  }
  return tuple.release();
}

// Packs the graph of an object with the runtime. Returns 0, or -1 with an exception set.
int pack(TVMFFIObject* obj, TVMFFIAny* result) {
  static RuntimeFunction write("ffi._PackGraph");
  TVMFFIObject* is_external = is_external_function();
  if (is_external == nullptr) return -1;
  TVMFFIAny args[2] = {value_none(), value_none()};
  value_set_object(&args[0], obj);
  value_set_object(&args[1], is_external);
  return write.call(args, 2, result);
}

// Returns `tvm_ffi.serialization.restore_graph`. The module may be reloaded, so the function itself
// is not cached: pickle refuses a function that is not an attribute of its module any more.
PyObject* restore_function() {
  static LazyImport module("tvm_ffi", "serialization");
  PyObject* serialization = module.get();
  return serialization ? PyObject_GetAttr(serialization, state().names.restore_graph) : nullptr;
}

// Returns (restore_graph, (class or None, program, types, externals)).
PyObject* reduce_to_parts(PyObject* self, int32_t type_index, PyObject* program, PyObject* types,
                          PyObject* externals) {
  Ref restore(restore_function());
  if (!restore) return nullptr;
  const ClassInfo* info = class_info_of(Py_TYPE(self));
  const ClassInfo* usual = class_info_known(type_index);
  bool is_usual =
      (usual != nullptr && usual->cls == Py_TYPE(self)) || (info != nullptr && info->is_fallback);
  PyObject* cls = is_usual ? Py_None : reinterpret_cast<PyObject*>(Py_TYPE(self));
  Ref args(PyTuple_Pack(4, cls, program, types, externals));
  return args ? PyTuple_Pack(2, restore.get(), args.get()) : nullptr;
}

// Returns (copyreg.__newobj__, (class,), state): pickle makes an empty instance of the class, and
// calls `__setstate__`. The pickle contains no name but that of the class.
PyObject* reduce_to_state(PyObject* self, PyObject* content) {
  static LazyImport new_object("copyreg", "__newobj__");
  PyObject* made = new_object.get();
  Ref args(made ? PyTuple_Pack(1, Py_TYPE(self)) : nullptr);
  return args ? PyTuple_Pack(3, made, args.get(), content) : nullptr;
}

// Returns whether `cls.__new__(cls)` makes an empty instance and does not run code of a user.
bool has_plain_new(const PyTypeObject* cls) {
  return cls->tp_new == CObjectType.tp_new && (cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT) == 0;
}

// Returns whether the types of a pickle contain `cls` as the class of objects with fields.
bool has_class_with_fields(PyObject* types, PyTypeObject* cls) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(types); ++i) {
    PyObject* type = PyTuple_GET_ITEM(types, i);
    if (PyTuple_GET_ITEM(type, 0) != reinterpret_cast<PyObject*>(cls)) continue;
    return PyTuple_GET_SIZE(PyTuple_GET_ITEM(type, 1)) != 0;
  }
  return false;
}

// Returns a reduce tuple with the packed graph.
PyObject* reduce_graph(PyObject* self) {
  // Keep the object: a `__data_to_json__` may move it out of `self`.
  ObjectOwner object = ObjectOwner::borrow(as_wrapper(self)->handle);
  TVMFFIAny packed;
  if (pack(object.get(), &packed) < 0) return nullptr;
  ObjectOwner keep(packed.v_obj);
  Ref program(bytes_of(part_of(packed, 0)));
  Ref types(program ? types_of(part_of(packed, 1)) : nullptr);
  Ref externals(types ? externals_of(self, object.get(), part_of(packed, 2)) : nullptr);
  if (!externals) return nullptr;
  PyTypeObject* cls = Py_TYPE(self);
  if (PyTuple_GET_SIZE(externals.get()) == 0 && has_plain_new(cls) &&
      has_class_with_fields(types.get(), cls)) {
    Ref content(PyTuple_Pack(2, program.get(), types.get()));
    return content ? reduce_to_state(self, content.get()) : nullptr;
  }
  return reduce_to_parts(self, object.get()->type_index, program.get(), types.get(),
                         externals.get());
}

// Returns a reduce tuple with the state from `__getstate__`.
PyObject* reduce_with_state(PyObject* self) {
  Ref content(PyObject_CallMethod(self, "__getstate__", nullptr));  // may run Python
  return content ? reduce_to_state(self, content.get()) : nullptr;
}

PyObject* object_reduce(PyObject* self, PyObject*) {
  RecursionLevel level(" while pickling an object");
  if (!level) return nullptr;
  if (as_wrapper(self)->handle == nullptr || has_own_state(Py_TYPE(self))) {
    return reduce_with_state(self);
  }
  return reduce_graph(self);
}

// ---- reading

// Returns the type index of a type that a pickle names by class or by key. The result is -1 with an
// exception set.
int32_t type_index_of(PyObject* name) {
  if (PyType_Check(name)) {
    auto* cls = reinterpret_cast<PyTypeObject*>(name);
    ClassInfo* info = PyType_IsSubtype(cls, &CObjectType) ? class_info_of(cls) : nullptr;
    if (info != nullptr) return info->type_index;
    PyErr_Format(PyExc_TypeError, "the pickle needs the object type %s, which is not registered",
                 cls->tp_name);
    return -1;
  }
  TVMFFIByteArray key;
  if (!PyUnicode_Check(name)) {
    PyErr_Format(PyExc_ValueError, "the pickle is damaged: a type is a %s", Py_TYPE(name)->tp_name);
    return -1;
  }
  if (utf8_borrowed(name, &key) < 0) return -1;
  int32_t type_index = -1;
  int status = TVMFFITypeKeyToIndex(&key, &type_index);
  if (status == 0) return type_index;
  raise_from_slot(status);
  clear_error();
  PyErr_Format(PyExc_RuntimeError,
               "the pickle needs the type `%U`, which is not known here: import the module or load "
               "the library that registers it first",
               name);
  return -1;
}

// Returns ((type index, names of the fields...), ...) for the types of a pickle.
PyObject* resolved_types(PyObject* types) {
  Py_ssize_t count = PyTuple_GET_SIZE(types);
  Ref resolved(PyTuple_New(count));
  if (!resolved) return nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *name, *fields;
    PyObject* pair = PyTuple_GET_ITEM(types, i);
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "OO!", &name, &PyTuple_Type, &fields)) {
      if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_SetString(PyExc_ValueError, "the pickle is damaged: a type is not described");
      }
      return nullptr;
    }
    int32_t type_index = type_index_of(name);
    if (type_index < 0) return nullptr;
    Py_ssize_t num_fields = PyTuple_GET_SIZE(fields);
    Ref entry(PyTuple_New(num_fields + 1));
    PyObject* number = entry ? PyLong_FromLong(type_index) : nullptr;
    if (number == nullptr) return nullptr;
    PyTuple_SET_ITEM(entry.get(), 0, number);
    for (Py_ssize_t k = 0; k < num_fields; ++k) {
      PyTuple_SET_ITEM(entry.get(), k + 1, compat_new_ref(PyTuple_GET_ITEM(fields, k)));
    }
    PyTuple_SET_ITEM(resolved.get(), i, entry.release());
  }
  return resolved.release();
}

// Returns the object of a value that was unpacked for an instance of `cls`; NULL with an exception
// set. Steals the value.
TVMFFIObject* object_for_steal(PyTypeObject* cls, const TVMFFIAny& value) {
  if (is_object_index(value.type_index) && PyType_IsSubtype(cls, &CObjectType)) return value.v_obj;
  Ref release(value_to_py_steal(value));
  PyErr_Format(PyExc_ValueError, "the pickle is damaged: it does not make a %s", cls->tp_name);
  return nullptr;
}

// Makes an instance of `cls` around a new object. Steals the object.
PyObject* adopt_as(PyTypeObject* cls, const TVMFFIAny& value) {
  TVMFFIObject* made = object_for_steal(cls, value);
  if (made == nullptr) return nullptr;
  ObjectOwner object(made);
  Ref new_object(state_import("copyreg", "__newobj__"));
  Ref self(new_object ? PyObject_CallFunctionObjArgs(new_object.get(), cls, nullptr) : nullptr);
  if (!self || wrapper_adopt_steal(as_wrapper(self.get()), object.release()) < 0) return nullptr;
  return self.release();
}

// Makes the value of the parts of a pickle, owned. Returns 0, or -1 with an exception set.
int unpack(PyObject* program, PyObject* types, PyObject* externals, TVMFFIAny* result) {
  static RuntimeFunction read("ffi._UnpackGraph");
  Ref resolved(resolved_types(types));
  TVMFFIObject* function = resolved ? read.get() : nullptr;
  if (function == nullptr) return -1;
  PyObject* parts[] = {program, resolved.get(), externals};
  return call_native_raw(function, Gil::kHold, parts, 3, nullptr, result);
}

// core._restore_graph(class or None, program, types, externals): makes an object from a pickle.
PyObject* restore_graph(PyObject*, PyObject* args) {
  PyObject *cls, *program, *types, *externals;
  if (!PyArg_ParseTuple(args, "OO!O!O!:restore_graph", &cls, &PyBytes_Type, &program, &PyTuple_Type,
                        &types, &PyTuple_Type, &externals)) {
    return nullptr;
  }
  if (cls != Py_None && !PyType_Check(cls)) {
    return PyErr_Format(PyExc_TypeError, "restore_graph expects a class or None, got %s",
                        Py_TYPE(cls)->tp_name);
  }
  TVMFFIAny result;
  if (unpack(program, types, externals, &result) < 0) return nullptr;
  return cls == Py_None ? value_to_py_steal(result)
                        : adopt_as(reinterpret_cast<PyTypeObject*>(cls), result);
}

// Makes the object of a state `(program, types)`, owned; NULL with an exception set.
TVMFFIObject* object_from_packed(PyTypeObject* cls, PyObject* content) {
  Ref externals(PyTuple_New(0));
  TVMFFIAny value;
  if (!externals || unpack(PyTuple_GET_ITEM(content, 0), PyTuple_GET_ITEM(content, 1),
                           externals.get(), &value) < 0) {
    return nullptr;
  }
  return object_for_steal(cls, value);
}

bool is_packed(PyObject* content) {
  return PyTuple_Check(content) && PyTuple_GET_SIZE(content) == 2 &&
         PyBytes_Check(PyTuple_GET_ITEM(content, 0)) && PyTuple_Check(PyTuple_GET_ITEM(content, 1));
}

// Makes the object that the JSON text of a graph describes, owned; NULL with an exception set.
TVMFFIObject* object_from_text(PyObject* text) {
  static RuntimeFunction read("ffi.FromJSONGraphString");
  TVMFFIObject* place;
  CallContext context;
  Arguments args{Temporaries(&place), &context};
  TVMFFIAny arg, result;
  if (value_from_py(text, &arg, &args) < 0 || read.call(&arg, 1, &result) < 0) return nullptr;
  if (is_object_index(result.type_index) && result.v_obj != nullptr) return result.v_obj;
  PyErr_SetString(PyExc_ValueError, "the pickled text is that of a plain value, not of an object");
  return nullptr;
}

// Stores in `*obj` the object of a state, owned, or NULL for an empty object. Returns 0, or -1 with
// an exception set.
int object_from_state(PyObject* self, PyObject* content, TVMFFIObject** obj) {
  *obj = nullptr;
  if (is_packed(content)) {
    *obj = object_from_packed(Py_TYPE(self), content);
    return *obj == nullptr ? -1 : 0;
  }
  Ref key(PyUnicode_InternFromString("handle"));
  if (!key) return -1;
  PyObject* text = PyDict_Check(content) ? PyDict_GetItemWithError(content, key.get()) : nullptr;
  if (text == nullptr && PyErr_Occurred()) return -1;
  if (text == Py_None) return 0;
  if (text == nullptr || !PyUnicode_Check(text)) {
    PyErr_Format(PyExc_TypeError, "%s.__setstate__ expects {'handle': str or None}, got %R",
                 Py_TYPE(self)->tp_name, content);
    return -1;
  }
  *obj = object_from_text(text);
  return *obj == nullptr ? -1 : 0;
}

PyObject* object_setstate(PyObject* self, PyObject* content) {
  TVMFFIObject* obj;
  if (object_from_state(self, content, &obj) < 0 ||
      wrapper_adopt_steal(as_wrapper(self), obj) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyMethodDef pickle_methods[] = {
    {"__getstate__", object_getstate, METH_NOARGS, "The object graph as JSON text."},
    {"__setstate__", object_setstate, METH_O, "Become the object of a state."},
    {"__reduce__", object_reduce, METH_NOARGS, "Pickles as class and state."},
    {nullptr, nullptr, 0, nullptr}};

// core._set_class_attribute(class, name[, value]): works like `type.__setattr__` and
// `type.__delattr__`, which refuse classes whose metaclass overrides these methods.
PyObject* set_class_attribute(PyObject*, PyObject* args) {
  PyObject *cls, *name, *value = nullptr;
  if (!PyArg_ParseTuple(args, "O!U|O:_set_class_attribute", &PyType_Type, &cls, &name, &value) ||
      PyType_Type.tp_setattro(cls, name, value) < 0) {
    return nullptr;
  }
  Py_RETURN_NONE;
}

PyMethodDef restore_functions[] = {
    {"_set_class_attribute", set_class_attribute, METH_VARARGS,
     "Set or delete an attribute of a class, as `type` itself does."},
    {"_restore_graph", restore_graph, METH_VARARGS,
     "The object of (class or None, program, types, externals)."},
    {nullptr, nullptr, 0, nullptr}};

// ---- copies

PyObject* container_deepcopy(PyObject* self, PyObject*) {
  static RuntimeFunction copy("ffi.DeepCopy");
  TVMFFIObject* obj = wrapper_handle_or_raise(self);
  if (obj == nullptr) return nullptr;
  TVMFFIAny arg, result;
  value_set_object(&arg, obj);
  return copy.call(&arg, 1, &result) < 0 ? nullptr : value_to_py_steal(result);
}

// ---- functions

PyObject* function_reduce(PyObject* self, PyObject*) {
  Ref reduce(state_import("tvm_ffi._pickle.function", "reduce"));
  return reduce ? PyObject_CallFunctionObjArgs(reduce.get(), self, nullptr) : nullptr;
}

PyObject* function_copy(PyObject* self, PyObject*) { return compat_new_ref(self); }

PyMethodDef function_pickle_methods[] = {
    {"__reduce__", function_reduce, METH_NOARGS, "Pickles as what it is: see docs/clusters.md."},
    {"__copy__", function_copy, METH_NOARGS, "The function itself."},
    {"__deepcopy__", function_copy, METH_O, "The function itself."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef deepcopy_method = {"__deepcopy__", container_deepcopy, METH_O,
                               "A copy of the whole graph below."};

int add_methods(PyTypeObject* type, PyMethodDef* def) {
  for (; def->ml_name != nullptr; ++def) {
    Ref method(PyDescr_NewMethod(type, def));
    if (!method || PyDict_SetItemString(type->tp_dict, def->ml_name, method.get()) < 0) return -1;
  }
  PyType_Modified(type);
  return 0;
}

}  // namespace

int pickle_init(PyObject* module) {
  if (add_methods(&CObjectType, pickle_methods) < 0 ||
      add_methods(&FunctionType, function_pickle_methods) < 0) {
    return -1;
  }
  Ref method(PyDescr_NewMethod(&ContainerBaseType, &deepcopy_method));
  if (!method ||
      PyDict_SetItemString(ContainerBaseType.tp_dict, "__deepcopy__", method.get()) < 0) {
    return -1;
  }
  PyType_Modified(&ContainerBaseType);
  return PyModule_AddFunctions(module, restore_functions);
}

}  // namespace binding
