// SPDX-License-Identifier: Apache-2.0
// Writes pickles of objects; pickle.h describes their parts.
#include "../call.h"
#include "../raise.h"
#include "../recursion.h"
#include "../type/types.h"
#include "../utf8.h"
#include "pickle.h"

namespace binding {
namespace {

// Returns {"handle": JSON text of the graph, or None for an empty object}.
PyObject* state_of(PyObject* self) {
  static RuntimeFunction write("ffi.ToJSONGraphString");
  CallMark mark;
  Section section(self);
  TVMFFIObject* obj = as_wrapper(self)->handle;
  if (obj == nullptr) return Py_BuildValue("{s:O}", "handle", Py_None);
  TVMFFIAny args[2] = {value_none(), value_none()};
  TVMFFIAny result;
  value_set_object(&args[0], obj);
  if (write.call(args, 2, &result) < 0) return nullptr;
  Ref plain(plain_str_to_py_steal(result));
  return plain ? Py_BuildValue("{s:O}", "handle", plain.get()) : nullptr;
}

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
  StateSection section;
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
  publish_steal(&info->pickled_type, made);
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
  Section section(self);
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

}  // namespace

PyObject* object_getstate(PyObject* self, PyObject*) { return state_of(self); }

PyObject* object_reduce(PyObject* self, PyObject*) {
  RecursionLevel level(" while pickling an object");
  if (!level) return nullptr;
  if (as_wrapper(self)->handle == nullptr || has_own_state(Py_TYPE(self))) {
    return reduce_with_state(self);
  }
  return reduce_graph(self);
}

}  // namespace binding
