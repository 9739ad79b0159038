// SPDX-License-Identifier: Apache-2.0
// Functions of tvm_ffi.core that read and write type attributes.
#include "../call.h"
#include "../callback.h"
#include "../convert/convert.h"
#include "../named.h"
#include "../raise.h"
#include "../type/types.h"
#include "names.h"
#include "registry.h"
#include "trait.h"

namespace binding {
namespace {

PyObject* lookup_type_attr(PyObject*, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"type_index", "attr_key", "ancestor", nullptr};
  int type_index, ancestor = 0;
  PyObject* key;
  TVMFFIByteArray name;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "iU|p:_lookup_type_attr",
                                   const_cast<char**>(keywords), &type_index, &key, &ancestor) ||
      !name_argument(key, "_lookup_type_attr", &name)) {
    return nullptr;
  }
  TVMFFIAny value;
  if (type_attr_copy(type_index, key, &value) < 0) return nullptr;
  if (value.type_index == kTVMFFINone && ancestor) {
    const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(type_index);
    if (native == nullptr) {
      raise_from_slot(-1);
      return nullptr;
    }
    for (int32_t i = native->type_depth - 1; value.type_index == kTVMFFINone && i >= 0; --i) {
      if (type_attr_copy(native->type_ancestors[i]->type_index, key, &value) < 0) return nullptr;
    }
  }
  return stored_to_py_steal(value);
}

// Owns a value, and releases it in the destructor.
struct OwnedValue {
  TVMFFIAny value = value_none();
  ~OwnedValue() { value_release(&value); }
};

// Raises RuntimeError if the type still has the hook `before` after a new hook was registered: the
// runtime itself registered `before`, and has ignored the new hook. In this case the runtime does
// not report an error, because libraries that were compiled for an older release register such
// hooks. A Python user has to learn that the new hook is missing. Returns 0 or -1.
int refuse_kept_hook(int type_index, PyObject* key, const TVMFFIAny& before) {
  if (before.type_index != kTVMFFIFunction) return 0;
  OwnedValue now;
  if (type_attr_copy(type_index, key, &now.value) < 0) return -1;
  if (now.value.type_index != kTVMFFIFunction || now.value.v_obj != before.v_obj) return 0;
  PyErr_Format(PyExc_RuntimeError,
               "TypeAttr `%U` is already registered for type index %d, by the library itself; use "
               "`ffi.TypeAttrSet` to overwrite",
               key, type_index);
  return -1;
}

PyObject* store_type_attr(int type_index, PyObject* key, const TVMFFIByteArray& name,
                          PyObject* value, bool comes_back = false) {
  OwnedValue before;
  if (type_index != kTVMFFINone && type_attr_copy(type_index, key, &before.value) < 0) {
    return nullptr;
  }
  TVMFFIAny native;
  if (value_from_py_owned(value, &native) < 0) return nullptr;
  bool is_other = native.type_index != kTVMFFIFunction || native.v_obj != before.value.v_obj;
  if (comes_back && native.type_index == kTVMFFIFunction) callback_mark_stored(native.v_obj, value);
  int status = TVMFFITypeRegisterAttr(type_index, &name, &native);
  value_release(&native);
  if (status != 0) {
    raise_from_slot(status);
    return nullptr;
  }
  if (is_other && refuse_kept_hook(type_index, key, before.value) < 0) return nullptr;
  Py_RETURN_NONE;
}

// Sets a type attribute that does not exist yet. With type index 0, only makes the name known,
// without a value for any type.
PyObject* register_type_attr(PyObject*, PyObject* args) {
  int type_index;
  PyObject *key, *value;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "iUO:_register_type_attr", &type_index, &key, &value) ||
      !name_argument(key, "_register_type_attr", &name)) {
    return nullptr;
  }
  TVMFFIAny known = value_none();
  if (type_index != kTVMFFINone && type_attr_copy(type_index, key, &known) < 0) return nullptr;
  bool is_taken = known.type_index != kTVMFFINone;
  value_release(&known);
  if (!is_taken) return store_type_attr(type_index, key, name, value);
  PyErr_Format(PyExc_RuntimeError,
               "TypeAttr `%U` is already registered for type index %d. To update the stored value, "
               "register a mutable container (e.g., Dict/List) once and mutate it in place on "
               "subsequent calls.",
               key, type_index);
  return nullptr;
}

// Sets or overwrites a type attribute; raises RuntimeError if the runtime itself has registered
// this hook.
PyObject* type_register_attr(PyObject*, PyObject* args) {
  int type_index;
  PyObject *key, *value;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "iUO:_type_register_attr", &type_index, &key, &value) ||
      !name_argument(key, "_type_register_attr", &name)) {
    return nullptr;
  }
  return store_type_attr(type_index, key, name, value);
}

// Sets a type attribute like type_register_attr. If `value` is a callable, reading the attribute
// later returns the same Python callable instead of a core.Function.
PyObject* set_type_attr(PyObject*, PyObject* args) {
  int type_index;
  PyObject *key, *value;
  TVMFFIByteArray name;
  if (!PyArg_ParseTuple(args, "iUO:_type_set_attr", &type_index, &key, &value) ||
      !name_argument(key, "_type_set_attr", &name)) {
    return nullptr;
  }
  return store_type_attr(type_index, key, name, value, /*comes_back=*/true);
}

constexpr Parameters kRegisterTypeAttrParameters = {
    "_register_type_attr", 3, {"type_index", "attr_key", "value"}};

PyMethodDef type_attribute_functions[] = {
    {"_lookup_type_attr", as_c_function(lookup_type_attr), METH_VARARGS | METH_KEYWORDS,
     "_lookup_type_attr($module, type_index, attr_key, ancestor=False)\n--\n\n"
     "Value of a type attribute, or None."},
    named_method(kRegisterTypeAttrParameters,
                 named_tuple<register_type_attr, kRegisterTypeAttrParameters>,
                 "_register_type_attr($module, type_index, attr_key, value)\n--\n\n"
                 "Set a type attribute that is not there yet."),
    {"_type_register_attr", type_register_attr, METH_VARARGS,
     "_type_register_attr($module, type_index, attr_key, value, /)\n--\n\n"
     "Set a type attribute, overwriting all but hooks."},
    {"_type_set_attr", set_type_attr, METH_VARARGS,
     "_type_set_attr($module, type_index, attr_key, value, /)\n--\n\n"
     "As _type_register_attr; a callable is read as itself afterwards."},
    {"_type_get_attr", as_c_function(lookup_type_attr), METH_VARARGS | METH_KEYWORDS,
     "_type_get_attr($module, type_index, attr_key, ancestor=False)\n--\n\n"
     "Value of a type attribute, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

int type_attributes_init(PyObject* module) {
  return PyModule_AddFunctions(module, type_attribute_functions);
}

}  // namespace binding
