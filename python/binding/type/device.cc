// SPDX-License-Identifier: Apache-2.0
// core.Device: a device type and an index.
#include "../convert/device.h"

#include <string>
#include <string_view>

#include "../convert/convert.h"
#include "../convert/int.h"
#include "../utf8.h"
#include "types.h"

namespace binding {
namespace {

struct DeviceName {
  int type;
  std::string_view name;
  bool parsed;  // accepted as input, not only printed
};

// The first name of a type is printed.
constexpr DeviceName kDeviceNames[] = {
    {kDLCPU, "cpu", true},
    {kDLCUDA, "cuda", true},
    {kDLCUDAHost, "cuda_host", false},
    {kDLOpenCL, "opencl", true},
    {kDLVulkan, "vulkan", true},
    {kDLMetal, "metal", true},
    {kDLMetal, "mps", true},
    {kDLVPI, "vpi", true},
    {kDLROCM, "rocm", true},
    {kDLROCMHost, "rocm_host", false},
    {kDLExtDev, "ext_dev", true},
    {kDLCUDAManaged, "cuda_managed", false},
    {kDLOneAPI, "oneapi", false},
    {kDLWebGPU, "webgpu", true},
    {kDLWebGPU, "wgpu", true},
    {kDLHexagon, "hexagon", true},
    {kDLMAIA, "maia", true},
    {kDLTrn, "trn", true},
};

int device_init_from(PyObject* self, int64_t type, int64_t index) {
  if (type < INT32_MIN || type > INT32_MAX || index < INT32_MIN || index > INT32_MAX) {
    PyErr_Format(PyExc_OverflowError, "device type and index must fit 32 bits");
    return -1;
  }
  *device_of(self) =
      TVMFFIDLDeviceFromIntPair(static_cast<int32_t>(type), static_cast<int32_t>(index));
  return 0;
}

// Converts `index` to an integer: an object with `__index__`, or with an `item()` method that
// returns such an object.
int device_index(PyObject* index, int64_t* out) {
  *out = 0;
  if (index == nullptr || index == Py_None) return 0;
  Ref number;
  if (PyIndex_Check(index)) {
    number = Ref(PyNumber_Index(index));
    if (is_stop_raised()) return -1;
    clear_error();
  }
  if (!number) {
    Ref item(PyObject_CallMethod(index, "item", nullptr));
    if (item && PyIndex_Check(item.get())) number = Ref(PyNumber_Index(item.get()));
    if (is_stop_raised()) return -1;
    clear_error();
  }
  if (!number) {
    PyErr_Format(PyExc_TypeError, "Invalid device index: %S", index);
    return -1;
  }
  if (int64_from_py(number.get(), out) == IntRange::kTooLarge) *out = INT64_MAX;
  return 0;
}

constexpr const char* kDeviceForm =
    "a device is written as a name, or as a name and a number such as `cuda:1`";

BINDING_COLD int raise_device(PyObject* text) {
  PyErr_Format(PyExc_ValueError, "Invalid device: %U; %s", text, kDeviceForm);
  return -1;
}

BINDING_COLD int raise_device_index(PyObject* index, PyObject* text) {
  PyErr_Format(PyExc_ValueError, "Invalid device index: %U; %s, not as `%U`", index, kDeviceForm,
               text);
  return -1;
}

// Raises the error for an unknown name. The message lists the few known names. It does not suggest
// a similar name, which may mean another device (`cpu` for `gpu`).
BINDING_COLD int raise_unknown_device(PyObject* name) {
  std::string known;
  for (const DeviceName& n : kDeviceNames) {
    if (!n.parsed) continue;
    if (!known.empty()) known += ", ";
    known += n.name;
  }
  PyErr_Format(PyExc_ValueError, "Unknown device: %U; the names are %s", name, known.c_str());
  return -1;
}

BINDING_COLD int raise_device_type(PyObject* type) {
  PyErr_Format(PyExc_ValueError,
               "Invalid device type: %S; the number of a device type is an integer that is not "
               "negative, such as DLDeviceType.kDLCUDA",
               type);
  return -1;
}

int device_type_of_name(std::string_view name, int* out) {
  for (const DeviceName& n : kDeviceNames) {
    if (n.parsed && n.name == name) {
      *out = n.type;
      return 0;
    }
  }
  return -1;
}

// Returns false for the spellings of a number that only Python has: `1_0`, digits outside ASCII.
bool is_plain_number(PyObject* text) {
  return PyUnicode_IS_ASCII(text) &&
         PyUnicode_FindChar(text, '_', 0, PyUnicode_GET_LENGTH(text), 1) < 0;
}

// Reads a text in its usual form: a known name, or a known name, a colon and at most 9 digits.
// Returns false for any other text, valid or not.
bool read_usual_device(std::string_view text, int* type, int64_t* index) {
  size_t colon = text.find(':');
  if (device_type_of_name(text.substr(0, colon), type) < 0) return false;
  if (colon == std::string_view::npos) return true;
  std::string_view digits = text.substr(colon + 1);
  if (digits.empty() || digits.size() > 9) return false;
  int64_t number = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return false;
    number = 10 * number + (c - '0');
  }
  *index = number;
  return true;
}

// Parses `name` or `name:index`, up to the first blank. An index in the text takes precedence over
// the argument `index`.
int device_init_from_text(PyObject* self, PyObject* text, int64_t index) {
  TVMFFIByteArray content;
  if (utf8_borrowed(text, &content) < 0) return -1;
  int type = 0;
  if (read_usual_device({content.data, content.size}, &type, &index)) {
    return device_init_from(self, type, index);
  }
  Ref space(PyUnicode_FromString(" ")), colon(PyUnicode_FromString(":"));
  if (!space || !colon) return -1;
  Ref words(PyUnicode_Split(text, space.get(), 1));
  if (!words) return -1;
  PyObject* word = PyList_GET_ITEM(words.get(), 0);
  Ref parts(PyUnicode_Split(word, colon.get(), -1));
  if (!parts) return -1;
  Py_ssize_t n = PyList_GET_SIZE(parts.get());
  if (n > 2) return raise_device(word);
  if (n == 2) {
    PyObject* digits = PyList_GET_ITEM(parts.get(), 1);
    Ref number(is_plain_number(digits) ? PyLong_FromUnicodeObject(digits, 10) : nullptr);
    if (!number) {
      clear_error();
      return raise_device_index(digits, word);
    }
    if (device_index(number.get(), &index) < 0) return -1;
  }
  TVMFFIByteArray name;
  if (utf8_borrowed(PyList_GET_ITEM(parts.get(), 0), &name) < 0) return -1;
  if (device_type_of_name({name.data, name.size}, &type) < 0) {
    return raise_unknown_device(PyList_GET_ITEM(parts.get(), 0));
  }
  return device_init_from(self, type, index);
}

PyObject* device_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self != nullptr) *device_of(self) = DLDevice{kDLCPU, 0};
  return self;
}

int device_init(PyObject* self, PyObject* args, PyObject* kwargs) {
  const char* keywords[] = {"device_type", "index", nullptr};
  PyObject *type, *index = Py_None;
  if (kwargs == nullptr && PyTuple_GET_SIZE(args) == 1) {
    type = PyTuple_GET_ITEM(args, 0);
  } else if (kwargs == nullptr && PyTuple_GET_SIZE(args) == 2) {
    type = PyTuple_GET_ITEM(args, 0);
    index = PyTuple_GET_ITEM(args, 1);
  } else if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O:Device", const_cast<char**>(keywords),
                                          &type, &index)) {
    return -1;
  }
  int64_t number;
  if (device_index(index, &number) < 0) return -1;
  Ref text(is_torch_device(Py_TYPE(type)) ? PyObject_Str(type) : Py_NewRef(type));
  if (!text) return -1;
  if (PyUnicode_Check(text.get())) return device_init_from_text(self, text.get(), number);
  if (!PyIndex_Check(type) && !PyFloat_Check(type)) {
    PyErr_Format(PyExc_TypeError,
                 "a device is given by its name or its number, or is a torch.device, not %s",
                 Py_TYPE(type)->tp_name);
    return -1;
  }
  Ref code(PyNumber_Long(type));
  if (!code) return -1;
  if (PyFloat_Check(type)) {  // 2.0 is accepted, 1.5 is not
    int equal = PyObject_RichCompareBool(code.get(), type, Py_EQ);
    if (equal < 0) return -1;
    if (equal == 0) return raise_device_type(type);
  }
  int64_t type_number;
  if (int64_from_py(code.get(), &type_number) == IntRange::kTooLarge) type_number = INT64_MAX;
  if (type_number < 0 && type_number >= INT32_MIN) return raise_device_type(type);
  return device_init_from(self, type_number, number);
}

const char* device_name(int type) {
  for (const DeviceName& n : kDeviceNames) {
    if (n.type == type) return n.name.data();
  }
  return nullptr;
}

PyObject* device_type_name(PyObject* self, PyObject*) {
  int type = device_of(self)->device_type;
  const char* name = device_name(type);
  return name != nullptr ? PyUnicode_FromString(name) : PyUnicode_FromFormat("unknown(%d)", type);
}

// Calls `__device_type_name__`, because clients override this method.
PyObject* device_get_type(PyObject* self, void*) {
  return PyObject_CallMethod(self, "__device_type_name__", nullptr);
}

PyObject* device_get_index(PyObject* self, void*) {
  return PyLong_FromLong(device_of(self)->device_id);
}

PyObject* device_dlpack_type(PyObject* self, PyObject*) {
  return PyLong_FromLong(device_of(self)->device_type);
}

PyObject* device_str(PyObject* self) {
  Ref type(device_get_type(self, nullptr));
  return type ? PyUnicode_FromFormat("%S:%d", type.get(), device_of(self)->device_id) : nullptr;
}

PyObject* device_repr(PyObject* self) {
  Ref type(device_get_type(self, nullptr));
  return type ? PyUnicode_FromFormat("device(type='%S', index=%d)", type.get(),
                                     device_of(self)->device_id)
              : nullptr;
}

PyObject* device_richcompare(PyObject* self, PyObject* other, int op) {
  if ((op != Py_EQ && op != Py_NE) || !PyObject_TypeCheck(other, &DeviceType)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  bool same = device_of(self)->device_type == device_of(other)->device_type &&
              device_of(self)->device_id == device_of(other)->device_id;
  return PyBool_FromLong(same == (op == Py_EQ));
}

Py_hash_t device_hash(PyObject* self) {
  Ref key(Py_BuildValue("(ii)", static_cast<int>(device_of(self)->device_type),
                        device_of(self)->device_id));
  return key ? PyObject_Hash(key.get()) : -1;
}

PyObject* device_reduce(PyObject* self, PyObject*) {
  return Py_BuildValue("O(ii)", Py_TYPE(self), static_cast<int>(device_of(self)->device_type),
                       device_of(self)->device_id);
}

PyGetSetDef device_getset[] = {
    {"type", device_get_type, nullptr, "Name of the device type.", nullptr},
    {"index", device_get_index, nullptr, "Index among the devices of the type.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef device_methods[] = {{"__device_type_name__", device_type_name, METH_NOARGS,
                                 "__device_type_name__($self)\n--\n\n"
                                 "Name of the device type."},
                                {"dlpack_device_type", device_dlpack_type, METH_NOARGS,
                                 "dlpack_device_type($self)\n--\n\n"
                                 "DLPack number of the type."},
                                {"__reduce__", device_reduce, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

// Adds the dictionaries of device types that clients read as class attributes.
int device_add_tables(PyTypeObject* t) {
  Ref to_name(PyDict_New()), to_type(PyDict_New());
  if (!to_name || !to_type) return -1;
  for (const DeviceName& n : kDeviceNames) {
    Ref number(PyLong_FromLong(n.type)), name(PyUnicode_FromString(n.name.data()));
    if (!number || !name || !PyDict_SetDefault(to_name.get(), number.get(), name.get())) return -1;
    if (n.parsed && PyDict_SetItem(to_type.get(), name.get(), number.get()) < 0) return -1;
  }
  if (PyDict_SetItemString(t->tp_dict, "_DEVICE_TYPE_TO_NAME", to_name.get()) < 0 ||
      PyDict_SetItemString(t->tp_dict, "_DEVICE_NAME_TO_TYPE", to_type.get()) < 0) {
    return -1;
  }
  PyType_Modified(t);
  return 0;
}

}  // namespace

PyTypeObject DeviceType = static_type();

PyObject* device_create(PyObject*, PyObject* args) {
  PyObject* cls;
  long long type, index;
  if (!PyArg_ParseTuple(args, "O!LL:_create_device_from_tuple", &PyType_Type, &cls, &type,
                        &index)) {
    return nullptr;
  }
  auto* t = reinterpret_cast<PyTypeObject*>(cls);
  if (!PyType_IsSubtype(t, &DeviceType)) {
    PyErr_Format(PyExc_TypeError, "_create_device_from_tuple expects a Device class, got %s",
                 t->tp_name);
    return nullptr;
  }
  Ref self(device_new(t, nullptr, nullptr));
  if (!self || device_init_from(self.get(), type, index) < 0) return nullptr;
  return self.release();
}

int device_type_init(PyObject* module) {
  PyTypeObject* t = type_begin(
      &DeviceType, "tvm_ffi.core.Device", sizeof(DeviceObject), Py_TPFLAGS_BASETYPE,
      "Device(device_type, index=None)\n--\n\nA device type and an index, e.g. Device('cuda', 1) "
      "or Device('cuda:1').");
  t->tp_new = device_new;
  t->tp_init = device_init;
  t->tp_hash = device_hash;
  t->tp_richcompare = device_richcompare;
  t->tp_str = device_str;
  t->tp_repr = device_repr;
  t->tp_getset = device_getset;
  t->tp_methods = device_methods;
  if (type_add(module, t) < 0) return -1;
  return device_add_tables(t);
}

}  // namespace binding
