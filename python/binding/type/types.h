// SPDX-License-Identifier: Apache-2.0
// The Python types made in C, and the layouts of their instances.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"
#include "../state.h"
#include "../wrapper.h"

namespace binding {

struct ClassField;

// A static type before its slots are filled in, with the head of the interpreter's macro.
inline PyTypeObject static_type() {
  PyVarObject head = {PyObject_HEAD_INIT(nullptr) 0};
  PyTypeObject type{};
  type.ob_base = head;
  return type;
}

// Casts a function of another signature for the table of methods, whose flags tell the signature.
template <typename F>
PyCFunction as_c_function(F* f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

// Static types. Each is readied by the `*_type_init` of its own file.
extern PyTypeObject CObjectType;         // core.CObject
extern PyTypeObject ContainerBaseType;   // core.CContainerBase
extern PyTypeObject SequenceBaseType;    // core._SequenceBase
extern PyTypeObject ArrayBaseType;       // core._ArrayBase
extern PyTypeObject ListBaseType;        // core._ListBase
extern PyTypeObject MappingBaseType;     // core._MappingBase
extern PyTypeObject MapBaseType;         // core._MapBase
extern PyTypeObject DictBaseType;        // core._DictBase
extern PyTypeObject FunctionType;        // core.Function
extern PyTypeObject TensorType;          // core.Tensor
extern PyTypeObject ErrorType;           // core.Error
extern PyTypeObject OpaquePyObjectType;  // core.OpaquePyObject
extern PyTypeObject RValueRefType;       // core.ObjectRValueRef
extern PyTypeObject ConvertibleType;     // core.ObjectConvertible
extern PyTypeObject PyNativeObjectType;  // core.PyNativeObject
extern PyTypeObject DataTypeType;        // core.DataType
extern PyTypeObject DeviceType;          // core.Device
extern PyTypeObject FieldType;           // core.FFIProperty
extern PyTypeObject MethodType;          // core._Method
extern PyTypeObject StructuralKeyType;   // core._StructuralKeyBase

// core.CContainerBase and below.
struct ContainerWrapper {
  // The instance has no GC header: see wrapper_memory.h.
  static constexpr uintptr_t kNoGcHeader = 1;

  // The framework whose tensors the elements are converted to; NULL for tvm_ffi.Tensor.
  const DLPackExchangeAPI* exchange_api() const {
    return reinterpret_cast<const DLPackExchangeAPI*>(tag & ~kNoGcHeader);
  }
  void set_exchange_api(const DLPackExchangeAPI* api) {
    tag = reinterpret_cast<uintptr_t>(api) | (tag & kNoGcHeader);
  }

  Wrapper base;
  // The address of an exchange API, or 0, with kNoGcHeader.
  uintptr_t tag;
};
inline ContainerWrapper* as_container(PyObject* x) {
  return reinterpret_cast<ContainerWrapper*>(x);
}

// core.Function.
struct FunctionWrapper {
  Wrapper base;
  vectorcallfunc vectorcall;
  PyObject* dict;
  // Its parameters, for calls by keyword: see keywords.h. Py_None for a function of a library until
  // its first call, which asks the library for them. Owned, or NULL.
  PyObject* parameters;
  // Its name in messages about keywords, or NULL. Owned.
  PyObject* name;
  // Which of its parameters take read-only tensors, see read_only.cc; NULL until that is asked.
  // Owned.
  PyObject* readers;
  // Number of calls in progress; the handle cannot be moved out while it is not 0.
  uint32_t active;
  bool release_gil;
};

// How a function is called when it is not recorded; asks for the names of its parameters where that
// was not done yet. May run Python.
vectorcallfunc function_call_path(PyObject* function);
// Sets the vectorcall slot of a function: see recording.h.
void function_set_call_path(PyObject* function);
// The same for core._Method.
vectorcallfunc method_call_path(PyObject* method);
void method_set_call_path(PyObject* method);

// core.Tensor. `view` is set, and the handle NULL, for a DLTensor* that a callback borrows.
struct TensorWrapper {
  Wrapper base;
  DLTensor* view;
};

// core.ObjectRValueRef: one object to be moved into a call.
struct RValueRefObject {
  PyObject_HEAD PyObject* obj;
  // While it is passed to a call: the next one that is passed to the same call.
  RValueRefObject* next;
  bool in_call;
};

struct DataTypeObject {
  PyObject_HEAD DLDataType dtype;
};

struct DeviceObject {
  PyObject_HEAD DLDevice device;
};

// core.String and the slot behind it; `native` owns the heap string that it came from, or is NULL.
struct StringObject {
  PyUnicodeObject base;
  TVMFFIObject* native;
};

// Whether `x` holds a handle. Most such classes have wrapper_dealloc_heap, which is tested first.
inline bool is_wrapper(PyObject* x) {
  return Py_TYPE(x)->tp_dealloc == wrapper_dealloc_heap || PyObject_TypeCheck(x, &CObjectType);
}

// One initialiser per file: readies the types and puts their names into the module. 0 or -1.
int object_type_init(PyObject* module);
int meta_type_init(PyObject* module);
int function_type_init(PyObject* module);
int tensor_type_init(PyObject* module);
int error_type_init(PyObject* module);
int opaque_type_init(PyObject* module);
int protocol_type_init(PyObject* module);
int string_type_init(PyObject* module);
int dtype_type_init(PyObject* module);
int device_type_init(PyObject* module);
int field_type_init(PyObject* module);
int method_type_init(PyObject* module);
int any_type_init(PyObject* module);
int testing_type_init(PyObject* module);
// Adds pickling to core.Tensor.
int tensor_memory_init(PyObject* module);
int structural_key_type_init(PyObject* module);
int shape_init(PyObject* module);
// Adds the functions that compare and hash by structure.
int structural_init(PyObject* module);
// A method of core.CObject for the dictionaries of registered classes alone. Its type is a subtype
// of that of other C methods, so that pickle can tell it apart: core.CObject itself does not have
// it.
PyObject* shared_method_new(PyObject* module, PyMethodDef* def);
// Defining classes in Python.
int class_init(PyObject* module);
// Adds pickling and copying to the types, once all of them are there.
int pickle_init(PyObject* module);

// Adds a static type under the last part of its name.
int type_add(PyObject* module, PyTypeObject* type);

// ClassInfo of a class made by core._ObjectSlotsMeta, or of its nearest registered ancestor; NULL
// for classes of other metaclasses. Borrowed.
ClassInfo* class_info_of(PyTypeObject* cls);
void class_info_set(PyTypeObject* cls, ClassInfo* info);
// Tells a class that its `tp_new` made an instance.
void class_note_instance(PyTypeObject* cls);
// Makes the instances of a class, whose objects cannot hold Python objects, instances without a GC
// header. Does nothing when the class has had an instance already, or when instances have more than
// a handle. Gain: 16 bytes for each object, 87 instead of 103 (`python bench/ffi_bench.py --groups
// process --filter "wrapper kept"`; CPython 3.11, g++ 12, x86-64). tests/binding/test_wrappers.py
// checks the layout.
void class_drop_gc_header(PyTypeObject* cls);

// Gives a class of containers, whose instances are plain, the fast path for `cls(iterable)` where
// nothing else takes part in it.
void container_note_class(PyTypeObject* cls);

// ClassInfo of a type index, made (with a fallback class) when Python meets the type for the first
// time. NULL with an exception set. May import a module, that is run Python.
ClassInfo* class_info_for_index(int32_t type_index);
// The same without making anything; NULL when there is none.
inline ClassInfo* class_info_known(int32_t type_index) {
  auto& classes = state().classes;
  return static_cast<size_t>(type_index) < classes.size() ? classes[type_index] : nullptr;
}

// Binds class and type: fields, methods, initializer. NULL with an exception set.
ClassInfo* class_register(int32_t type_index, PyObject* cls, bool init, bool is_fallback);

// Whether a call gives keywords to an initializer that has none; then an exception is set.
bool class_refuses_keywords(const ClassInfo* info, PyObject* kwnames);

// New descriptors. `owner` is borrowed and outlives them.
// `own` is the field of a class defined in Python, which is never freed; NULL for native ones.
PyObject* field_new(const TVMFFIFieldInfo* field, int32_t type_index, const ClassField* own);
// Writes the field of a core.FFIProperty, frozen or not. 0 or -1.
int field_force(PyObject* property, PyObject* instance, PyObject* value);
// Writes a native field at its address by the setter that it was registered with. 0 or -1.
int field_store_native(const TVMFFIFieldInfo* field, char* address, const TVMFFIAny& value);
PyObject* method_new(const TVMFFIMethodInfo* method, ClassInfo* info, PyTypeObject* owner);
// The record of the constructor of a type; NULL where there is none.
const TVMFFIMethodInfo* find_constructor(const TVMFFITypeInfo* native);
// The `__init__` of classes with a native initializer.
PyObject* init_method_new(ClassInfo* info, PyTypeObject* owner);
// `__ffi_init__` of a class whose type has an initializer.
PyObject* ffi_init_method_new(ClassInfo* info, PyTypeObject* owner);

// New wrapper of a function object, taken over; `short_call` clears release_gil.
PyObject* function_wrapper_new_steal(TVMFFIObject* f, bool short_call);
// New core.CAny around an owned value, taken over.
PyObject* any_new_steal(const TVMFFIAny& value);
// Whether the wrapper of a function has been given a name.
bool function_wrapper_is_named(PyObject* self);
// The name of a core.Function, borrowed; NULL without one.
PyObject* function_wrapper_name(PyObject* self);
// Adds the attributes that tell what a function is to core.Function. 0 or -1.
int function_attributes_init();
// Stores the name of a core.Function, and the metadata that names its parameters (bytes, or NULL).
// A function that has a name already keeps both.
void function_wrapper_describe(PyObject* self, PyObject* name, PyObject* metadata);

}  // namespace binding
