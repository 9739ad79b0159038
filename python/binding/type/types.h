// SPDX-License-Identifier: Apache-2.0
// The Python types made in C, and the layouts of their instances.
#pragma once

#include <tvm/ffi/c_api.h>

#include "../compat.h"
#include "../state.h"
#include "../wrapper.h"

namespace binding {

struct ClassField;

// Makes a static type without slots, whose object header comes from PyObject_HEAD_INIT.
inline PyTypeObject static_type() {
  PyVarObject head = {PyObject_HEAD_INIT(nullptr) 0};
  PyTypeObject type{};
  type.ob_base = head;
  return type;
}

// Sets the first slots of a static type, and returns the type. Adds `flags` to the default flags.
inline PyTypeObject* type_begin(PyTypeObject* type, const char* name, Py_ssize_t size,
                                unsigned long flags, const char* doc) {
  type->tp_name = name;
  type->tp_basicsize = size;
  type->tp_flags = Py_TPFLAGS_DEFAULT | flags;
  type->tp_doc = doc;
  return type;
}

// Casts a function of another signature for a method table; the flags of the table entry tell
// CPython the real signature.
template <typename F>
PyCFunction as_c_function(F* f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

// Static types. The `*_type_init` function of each file readies its types.
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

// The layout of core.CContainerBase and its subclasses.
struct ContainerWrapper {
  // Flag: the instance has no GC header, see wrapper_memory.h.
  static constexpr uintptr_t kNoGcHeader = 1;

  // Returns the exchange API of the framework to whose tensors the container converts its elements;
  // NULL if it returns them as tvm_ffi.Tensor.
  const DLPackExchangeAPI* exchange_api() const {
    return reinterpret_cast<const DLPackExchangeAPI*>(tag & ~kNoGcHeader);
  }
  void set_exchange_api(const DLPackExchangeAPI* api) {
    tag = reinterpret_cast<uintptr_t>(api) | (tag & kNoGcHeader);
  }

  Wrapper base;
  // The address of an exchange API, or 0; the lowest bit is the flag kNoGcHeader.
  uintptr_t tag;
};
inline ContainerWrapper* as_container(PyObject* x) {
  return reinterpret_cast<ContainerWrapper*>(x);
}

// How a function takes tensors, by its metadata: see function_find_tensor_use.
enum class TensorUse : uint8_t {
  kUnknown,  // no call has passed a tensor of a framework yet
  kTensors,  // an argument may be kept: ffi::Tensor, Any, or a type that is not described
  kViews,    // as views (DLTensor*) that are valid during the call
};

// core.Function.
struct FunctionWrapper {
  Wrapper base;
  vectorcallfunc vectorcall;
  PyObject* dict;
  // The parameters for calls with keywords (see keywords.h), owned, or NULL. For a function of a
  // library, Py_None until the parameters are first needed. Call function_parameters to read them.
  PyObject* parameters;
  // The name of the function in messages about keywords, owned, or NULL.
  PyObject* name;
  // Tells which parameters of the function accept read-only tensors: see find_readers in
  // read_only.cc. Owned; NULL until a call passes a read-only tensor.
  PyObject* readers;
  PyObject* weak_references;  // the list that the interpreter keeps
  // Number of calls in progress; the handle cannot be moved out while it is not 0.
  uint32_t active;
  bool release_gil;
  TensorUse tensor_use;
};

// Returns the parameters of a function (see keywords.h), borrowed; reads them from the library at
// the first use. Returns NULL without an exception if the parameters have no names, and NULL with
// an exception set on failure. May run Python.
PyObject* function_parameters(PyObject* function);
// Returns the vectorcall of a function if calls with `n` positional arguments pass on exactly these
// arguments. Returns NULL if a call may add defaults, or if the names of the parameters have not
// been read yet.
vectorcallfunc function_exact_path(PyObject* function, Py_ssize_t n);
// Reads the names of the parameters of a function in advance, so that the first call does not have
// to read them. May run Python.
void function_find_call_path(PyObject* function);
// Finds out how a function takes tensors, unless that is known. Returns 0, or -1 with an exception
// set. Runs Python.
int function_find_tensor_use(PyObject* function);
// Sets the vectorcall slot of a function whose parameters have changed.
void function_set_call_path(PyObject* function);

// core.Tensor. For a DLTensor* that a callback borrows, `view` is set and the handle is NULL.
struct TensorWrapper {
  Wrapper base;
  DLTensor* view;
};

// core.ObjectRValueRef: holds an object that is moved into a call.
struct RValueRefObject {
  PyObject_HEAD PyObject* obj;
#ifdef Py_GIL_DISABLED
  TVMFFIObject* moved;  // the handle during a call, in which the wrapper is empty
#endif
  // During a call: the next rvalue reference that is passed to the same call.
  RValueRefObject* next;
  bool in_call;
};

struct DataTypeObject {
  PyObject_HEAD DLDataType dtype;
};

struct DeviceObject {
  PyObject_HEAD DLDevice device;
};

// core.String. The slot `native` owns the string object from which it was made, or is NULL. ASCII
// text is not copied: `base` points to that of `native`.
struct StringObject {
  PyUnicodeObject base;
  TVMFFIObject* native;

  bool shares_text() const {
    return native != nullptr && base.data.any == TVMFFIBytesGetByteArrayPtr(native)->data;
  }
};

// Returns the slot for the bytes object from which an instance of core.Bytes was made. NULL for
// instances of subclasses, which have no such slot.
TVMFFIObject** bytes_native(PyObject* self);

// Returns whether `x` is an instance of core.CObject or of a subclass. Most of these classes have
// the deallocator wrapper_dealloc_heap, so test the deallocator first.
inline bool is_wrapper(PyObject* x) {
  return Py_TYPE(x)->tp_dealloc == wrapper_dealloc_heap || PyObject_TypeCheck(x, &CObjectType);
}

// Each file has an init function, which readies its types and adds them to the module. Each returns
// 0, or -1 with an exception set.
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
// Makes a method of core.CObject that is put only into the dictionaries of registered classes. The
// type of the method is core._SharedMethod, a subtype of the usual type of C methods. Pickle cannot
// store this method by name, because core.CObject itself does not have it. So tvm_ffi._pickle
// registers a reducer for core._SharedMethod.
PyObject* shared_method_new(PyObject* module, PyMethodDef* def);
// Adds the functions that define classes in Python.
int class_init(PyObject* module);
// Adds pickling and copying to the types, after all types are ready.
int pickle_init(PyObject* module);

// Adds a static type to the module under the last part of its name.
int type_add(PyObject* module, PyTypeObject* type);

// Returns whether the class has the metaclass core._ObjectSlotsMeta or one derived from it, and the
// metaclass does not override `__call__`, as that of enums does.
inline bool class_has_usual_call(PyTypeObject* cls) {
  PyTypeObject* meta = Py_TYPE(cls);
  return PyType_IsSubtype(meta, state().object_meta) && meta->tp_call == PyType_Type.tp_call;
}

// Returns the ClassInfo of a class made by core._ObjectSlotsMeta, or of its nearest registered
// ancestor; NULL for classes of other metaclasses. Borrowed.
ClassInfo* class_info_of(PyTypeObject* cls);
void class_info_set(PyTypeObject* cls, ClassInfo* info);
// Returns whether a class itself, and not only one of its bases, is registered for a type.
bool class_is_registered(PyTypeObject* cls);
// Records that `tp_new` has made an instance of a class.
void class_note_instance(PyTypeObject* cls);
// Removes the GC header from future instances of a class whose objects cannot hold Python objects.
// Does nothing if the class already had an instance, or if its instances have members besides the
// handle. Gain: 16 bytes for each wrapper; an object and its wrapper take 87 bytes instead of 103
// (`python bench/ffi_bench.py --groups process --filter "wrapper kept"`; CPython 3.11, g++ 12,
// x86-64). tests/binding/test_wrappers.py checks the layout.
void class_drop_gc_header(PyTypeObject* cls);

// Installs the fast path of `cls(iterable)` if the class has the `__init__` of Array, the `__new__`
// of Object and the metaclass core._ObjectSlotsMeta. The instances must be plain
// (wrapper_is_plain).
void container_note_class(PyTypeObject* cls);

// Returns the ClassInfo of a type index; makes it, with a fallback class, when Python code uses the
// type for the first time. NULL with an exception set. May import a module, and so may run Python.
ClassInfo* class_info_for_index(int32_t type_index);
// Returns the ClassInfo of a type index if it exists; otherwise NULL, without an exception.
inline ClassInfo* class_info_known(int32_t type_index) {
  auto& classes = state().classes;
  if (BINDING_UNLIKELY(static_cast<size_t>(type_index) >= classes.size())) return nullptr;
  return classes[type_index];
}

// Binds a class to a type, and adds fields, methods and initializer to the class. NULL with an
// exception set.
ClassInfo* class_register(int32_t type_index, PyObject* cls, bool init, bool is_fallback);

// If a call gives keywords to an initializer that has no parameter names, sets an exception and
// returns true.
bool class_refuses_keywords(const ClassInfo* info, PyObject* kwnames);

// Makes the descriptor of a field. `own` is the field of a class defined in Python, and is never
// freed; NULL for a native field.
PyObject* field_new(const TVMFFIFieldInfo* field, int32_t type_index, const ClassField* own);
// Writes the field of a core.FFIProperty, even if it is frozen. Returns 0, or -1 with an exception
// set.
int field_force(PyObject* property, PyObject* instance, PyObject* value);
// Writes a native field at its address with its registered setter. Returns 0, or -1 with an
// exception set.
int field_store_native(const TVMFFIFieldInfo* field, char* address, const TVMFFIAny& value);
// Makes the attribute of class `owner` for a reflected method: a descriptor, or a staticmethod.
// Returns None if the registered value is not a function.
PyObject* method_new(const TVMFFIMethodInfo* method, ClassInfo* info, PyTypeObject* owner);
// Returns the record of the constructor of a type; NULL if there is none.
const TVMFFIMethodInfo* find_constructor(const TVMFFITypeInfo* native);
// Makes the `__init__` of a class with a native initializer.
PyObject* init_method_new(ClassInfo* info, PyTypeObject* owner);
// Makes the `__ffi_init__` of a class whose type has an initializer.
PyObject* ffi_init_method_new(ClassInfo* info, PyTypeObject* owner);

// Makes a wrapper of a function object. Steals the object. With `short_call`, release_gil is false.
PyObject* function_wrapper_new_steal(TVMFFIObject* f, bool short_call);
// Makes a core.CAny around an owned value. Steals the value.
PyObject* any_new_steal(const TVMFFIAny& value);
// Returns whether the wrapper of a function has a name.
bool function_wrapper_is_named(PyObject* self);
// Returns the name of a core.Function, borrowed; NULL if it has none.
PyObject* function_wrapper_name(PyObject* self);
// Adds the attributes that describe a function to core.Function. Returns 0, or -1 with an exception
// set.
int function_attributes_init();
// Stores the name of a core.Function, and the metadata that names its parameters (bytes, or NULL).
// Does nothing if the function already has a name.
void function_wrapper_describe(PyObject* self, PyObject* name, PyObject* metadata);

}  // namespace binding
