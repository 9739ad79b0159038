// SPDX-License-Identifier: Apache-2.0
// The classes of native types: registers and finds them, and makes a class for a type without a
// registered one.
#include "register.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "../call.h"
#include "../keywords.h"
#include "../memory_guard.h"
#include "../raise.h"
#include "../type/types.h"
#include "../type_attribute.h"
#include "../utf8.h"
#include "../wrapper_memory.h"

namespace binding {
namespace {

// Returns the entry of the type table; NULL with an exception set.
const TVMFFITypeInfo* native_type(int32_t type_index) {
  const TVMFFITypeInfo* native = TVMFFIGetTypeInfo(type_index);
  if (native == nullptr) raise_from_slot(-1);
  return native;
}

// The ClassInfo of each type that no longer has a class; not freed, because objects may refer to
// it.
std::vector<ClassInfo*>& retired_infos() {
  static auto* retired = new std::vector<ClassInfo*>();
  return *retired;
}

// Replaced classes that may still have instances. Each entry has the type index of a class and an
// owned weak reference to the class.
std::vector<std::pair<int32_t, PyObject*>>& former_classes() {
  static auto* classes = new std::vector<std::pair<int32_t, PyObject*>>();
  return *classes;
}

void note_former_class(int32_t type_index, PyTypeObject* cls) {
  if (cls == nullptr || (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return;
  auto& classes = former_classes();
  auto is_gone = [](const std::pair<int32_t, PyObject*>& known) {
    Ref found(PyObject_CallNoArgs(known.second));
    if (found.get() != Py_None) return false;
    Py_DECREF(known.second);
    return true;
  };
  classes.erase(std::remove_if(classes.begin(), classes.end(), is_gone), classes.end());
  Ref reference(PyWeakref_NewRef(reinterpret_cast<PyObject*>(cls), nullptr));
  int noted = !reference ? -1 : guard_memory([&] {
    classes.emplace_back(type_index, reference.get());
    reference.release();
    return 0;
  });
  if (noted < 0) clear_error();  // Without the entry, class_refresh does not update `cls`.
}

// Reserves memory for the ClassInfo of a type in state().classes, and for moving it to
// retired_infos() later. Throws std::bad_alloc.
void class_info_reserve(int32_t type_index) {
  auto& classes = state().classes;
  if (static_cast<size_t>(type_index) >= classes.size()) {
    classes.resize(static_cast<size_t>(type_index) + 1, nullptr);
  }
  auto& retired = retired_infos();
  if (retired.capacity() <= retired.size() + 1) retired.reserve(2 * retired.size() + 8);
}

// Returns the ClassInfo of a type and makes it on first use. Throws std::bad_alloc.
ClassInfo* class_info_make(int32_t type_index) {
  class_info_reserve(type_index);
  auto&& place = state().classes[type_index];
  ClassInfo* entry = place;
  auto& retired = retired_infos();
  for (auto it = retired.begin(); entry == nullptr && it != retired.end(); ++it) {
    if ((*it)->type_index != type_index || (*it)->plan != nullptr) continue;
    entry = *it;
    retired.erase(it);
    break;
  }
  if (entry == nullptr) {
    entry = new ClassInfo;
    entry->type_index = type_index;
  }
  place = entry;
  return entry;
}

bool has_typed_parameters(const TVMFFIMethodInfo& method) {
  std::string_view metadata(method.metadata.data, method.metadata.size);
  return metadata.find("params") != metadata.npos;
}

bool is_constructor(const TVMFFIMethodInfo& method) {
  return std::string_view(method.name.data, method.name.size) == "__ffi_init__" &&
         method.method.type_index == kTVMFFIFunction;
}

// Returns the native initializer of a type: its method `__ffi_init__`, else its type attribute of
// that name. Borrowed.
TVMFFIObject* find_native_init(const TVMFFITypeInfo* native) {
  const TVMFFIMethodInfo* method = find_constructor(native);
  if (method != nullptr) return method->method.v_obj;
  const TVMFFIAny* value = type_attribute(native->type_index, "__ffi_init__");
  return value != nullptr && value->type_index == kTVMFFIFunction ? value->v_obj : nullptr;
}

// Records the native initializer of a type, and how it takes its arguments. Returns 0, or -1 with
// an exception set.
int note_native_init(ClassInfo* info) {
  const TVMFFITypeInfo* native = info->native;
  info->init = find_native_init(native);
  const TVMFFIMethodInfo* method = find_constructor(native);
  // If a type has several constructors, the conversion of the arguments decides which one is
  // called. Keywords must be bound before the conversion, so they are accepted only for a single
  // constructor.
  auto count =
      std::count_if(native->methods, native->methods + native->num_methods, is_constructor);
  bool is_typed = method != nullptr && has_typed_parameters(*method);
  Ref parameters(is_typed && count == 1 ? metadata_with_names(method->metadata) : nullptr);
  if (PyErr_Occurred()) return -1;
  info->init_by_position = is_typed && !parameters;
  Py_XSETREF(info->init_parameters, parameters.release());
  return 0;
}

ToPython how_to_python(int32_t type_index, PyTypeObject* cls) {
  switch (type_index) {
    case kTVMFFIStr:
      return ToPython::kString;
    case kTVMFFIBytes:
      return ToPython::kBytes;
    case kTVMFFIFunction:
      return ToPython::kFunction;
    case kTVMFFITensor:
      return ToPython::kTensor;
    case kTVMFFIOpaquePyObject:
      return ToPython::kOpaque;
    case kTVMFFIBigInt:
      return ToPython::kBigInt;
    default:
      return PyType_IsSubtype(cls, &PyNativeObjectType) ? ToPython::kShape : ToPython::kWrapper;
  }
}

// Returns whether no reflected field of the type or of its ancestors refers to an object.
bool is_leaf(const TVMFFITypeInfo* native) {
  auto is_plain_field = [](const TVMFFIFieldInfo& field) {
    int32_t index = field.field_static_type_index;
    return index > kTVMFFINone && index < kTVMFFIStaticObjectBegin;
  };
  auto has_plain_fields = [&](const TVMFFITypeInfo* type) {
    return std::all_of(type->fields, type->fields + type->num_fields, is_plain_field);
  };
  return has_plain_fields(native) &&
         std::all_of(native->type_ancestors, native->type_ancestors + native->type_depth,
                     has_plain_fields);
}

bool body_has(PyTypeObject* cls, PyObject* name) { return PyDict_Contains(cls->tp_dict, name) > 0; }

// Returns whether an assignment to `cls.name` would go to a descriptor of the metaclass, which
// refuses the value or interprets it: `__dict__`, `__class__`, `__mro__`.
bool belongs_to_metaclass(PyTypeObject* cls, PyObject* name) {
  PyObject* found = _PyType_Lookup(Py_TYPE(cls), name);
  return found != nullptr && Py_TYPE(found)->tp_descr_set != nullptr;
}

// Returns whether a field is left out of the class because Python uses its name: an attribute of
// the metaclass, a special name that `Object` has (`__init__`, `__eq__`, `__module__`), or a name
// that Python itself looks up in the class.
bool is_reserved(PyTypeObject* cls, PyObject* name) {
  if (belongs_to_metaclass(cls, name)) return true;
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) {
    clear_error();  // A lone surrogate, which special names cannot contain.
    return false;
  }
  size_t size = std::strlen(text);
  if (size <= 4 || std::strncmp(text, "__", 2) != 0 || std::strcmp(text + size - 2, "__") != 0) {
    return false;
  }
  for (const char* known : {"__weakref__", "__del__", "__getattr__"}) {
    if (std::strcmp(text, known) == 0) return true;
  }
  return _PyType_Lookup(state().object_type, name) != nullptr;
}

int add_fields(const TVMFFITypeInfo* native, PyTypeObject* cls, bool is_fallback) {
  for (int32_t i = 0; i < native->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &native->fields[i];
    Ref name(utf8_to_py(field->name));
    if (!name) return -1;
    if (!is_fallback && body_has(cls, name.get())) continue;
    if (is_reserved(cls, name.get())) continue;
    Ref descriptor(field_new(field, native->type_index, nullptr));
    if (!descriptor ||
        PyObject_SetAttr(reinterpret_cast<PyObject*>(cls), name.get(), descriptor.get()) < 0) {
      return -1;
    }
  }
  return 0;
}

int add_methods(ClassInfo* info, PyTypeObject* cls, bool is_fallback) {
  const TVMFFITypeInfo* native = info->native;
  auto* py_cls = reinterpret_cast<PyObject*>(cls);
  for (int32_t i = 0; i < native->num_methods; ++i) {
    const TVMFFIMethodInfo* method = &native->methods[i];
    Ref name(utf8_to_py(method->name));
    if (!name) return -1;
    bool is_init = PyUnicode_Compare(name.get(), state().names.ffi_init) == 0;
    if (is_init && !is_fallback) continue;  // added in add_ffi_init
    if (is_init && body_has(cls, name.get())) continue;
    if (!is_fallback && _PyType_Lookup(cls, name.get()) != nullptr) continue;
    if (belongs_to_metaclass(cls, name.get())) continue;
    Ref descriptor(method_new(method, info, cls));
    if (!descriptor || PyObject_SetAttr(py_cls, name.get(), descriptor.get()) < 0) return -1;
  }
  return 0;
}

// Adds `__ffi_init__`, which an `__init__` written in Python calls as `self.__ffi_init__(...)`.
int add_ffi_init(ClassInfo* info, PyTypeObject* cls) {
  if (info->init == nullptr || body_has(cls, state().names.ffi_init)) return 0;
  if (info->to_python != ToPython::kWrapper) return 0;
  Ref method(ffi_init_method_new(info, cls));
  return method ? PyObject_SetAttr(reinterpret_cast<PyObject*>(cls), state().names.ffi_init,
                                   method.get())
                : -1;
}

PyObject* refuse_construction(PyObject* self, PyObject*, PyObject*) {
  const ClassInfo* info = class_info_of(Py_TYPE(self));
  bool is_module = info != nullptr && info->type_index == kTVMFFIModule;
  PyErr_Format(PyExc_TypeError,
               "`%s` cannot be constructed directly. Define a custom __init__ or use a factory "
               "method%s.",
               Py_TYPE(self)->tp_name, is_module ? ": tvm_ffi.load_module(path)" : "");
  return nullptr;
}

PyMethodDef refuse_def = {
    "__init__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(refuse_construction)),
    METH_VARARGS | METH_KEYWORDS,
    "__init__($self, /, *args, **kwargs)\n--\n\nThis class has no constructor."};

// Installs `__init__`. Also installs the fast path of `cls(...)` if a call of the class runs only
// this `__init__`.
int add_init(ClassInfo* info, PyTypeObject* cls) {
  if (body_has(cls, state().names.dunder_init)) return 0;
  Ref init(info->init != nullptr ? init_method_new(info, cls)
                                 : PyDescr_NewMethod(cls, &refuse_def));
  if (!init || PyObject_SetAttr(reinterpret_cast<PyObject*>(cls), state().names.dunder_init,
                                init.get()) < 0) {
    return -1;
  }
  bool has_vectorcall = info->init != nullptr && info->to_python == ToPython::kWrapper &&
                        cls->tp_new == CObjectType.tp_new &&
                        !(cls->tp_flags & Py_TPFLAGS_IS_ABSTRACT) && class_has_usual_call(cls) &&
                        _PyType_Lookup(cls, state().names.post_init) == nullptr;
  if (has_vectorcall) {
    cls->tp_vectorcall = info->init_parameters != nullptr ? call_class_by_name : call_class;
  }
  return 0;
}

// Sets the docstring of a class to the documentation of the type, unless the class body has a
// docstring. Returns 0, or -1 with an exception set.
int add_type_doc(ClassInfo* info, PyTypeObject* cls, bool is_fallback) {
  const TVMFFITypeMetadata* metadata = info->native->metadata;
  bool has_doc = metadata != nullptr && metadata->doc.size != 0;
  if (!has_doc || (cls->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return 0;
  PyObject* present = PyDict_GetItemWithError(cls->tp_dict, state().names.dunder_doc);
  if (present == nullptr && PyErr_Occurred()) return -1;
  bool is_own = present != nullptr && present != Py_None && present != info->type_doc;
  if (is_own && !is_fallback) return 0;
  Ref doc(utf8_to_py(metadata->doc, "replace"));
  if (doc && is_fallback) {
    doc = Ref(PyUnicode_FromFormat("%U\n\nAuto-generated fallback class for %s.", doc.get(),
                                   info->native->type_key.data));
  }
  auto* object = reinterpret_cast<PyObject*>(cls);
  if (!doc || PyType_Type.tp_setattro(object, state().names.dunder_doc, doc.get()) < 0) return -1;
  Py_XSETREF(info->type_doc, doc.release());
  return 0;
}

// Makes the class for type key `a.b.C`: its name is `C`, its module `a.b`.
PyObject* fallback_class_make(const TVMFFITypeInfo* native, PyTypeObject* base) {
  std::string key(native->type_key.data, native->type_key.size);
  size_t dot = key.rfind('.');
  std::string name = dot == std::string::npos ? key : key.substr(dot + 1);
  std::string module = dot == std::string::npos ? std::string() : key.substr(0, dot);
  std::string doc = "Auto-generated fallback class for " + key + ".";
  return PyObject_CallFunction(reinterpret_cast<PyObject*>(Py_TYPE(base)), "s(O){s:s,s:s,s:s,s:()}",
                               name.c_str(), base, "__module__", module.c_str(), "__qualname__",
                               key.c_str(), "__doc__", doc.c_str(), "__slots__");
}

// Imports the module that registers the class of a type, if one is known. Returns 0, or -1 with an
// exception set.
int import_class_module(const TVMFFITypeInfo* native) {
  Ref key(utf8_to_py(native->type_key, "replace"));
  if (!key) return -1;
  PyObject* module = PyDict_GetItemWithError(state().lazy_class_module, key.get());
  if (module == nullptr) return PyErr_Occurred() ? -1 : 0;
  Ref loaded(PyImport_Import(module));  // runs Python
  return loaded ? 0 : -1;
}

}  // namespace

const TVMFFIMethodInfo* find_constructor(const TVMFFITypeInfo* native) {
  const TVMFFIMethodInfo* end = native->methods + native->num_methods;
  const TVMFFIMethodInfo* found = std::find_if(native->methods, end, is_constructor);
  return found == end ? nullptr : found;
}

namespace {

// Sets `__tvm_ffi_type_info__` and returns a new reference to it. Runs only Python code of the
// package.
PyObject* add_type_info(int32_t type_index, PyObject* cls) {
  static LazyImport function("tvm_ffi._types.info", "_bind_class");
  PyObject* bind = function.get();
  return bind == nullptr ? nullptr : PyObject_CallFunction(bind, "iO", type_index, cls);
}

// Records whether wrappers of the class can reuse each other's memory, and whether the garbage
// collector tracks them.
void note_layout(ClassInfo* info, PyTypeObject* cls) {
  info->plain = wrapper_is_plain(cls);
  if (info->plain) {
    cls->tp_dealloc = wrapper_dealloc_heap;
    wrapper_allow_no_gc_header(cls);
    container_note_class(cls);
  }
  if (PyType_IsSubtype(cls, &ContainerBaseType)) info->tracked = true;
}

}  // namespace

bool class_refuses_keywords(const ClassInfo* info, PyObject* kwnames) {
  if (kwnames == nullptr || !info->init_by_position || PyTuple_GET_SIZE(kwnames) == 0) return false;
  PyErr_Format(PyExc_TypeError,
               "%s.__ffi_init__() got keyword argument '%U', but keyword arguments are not "
               "supported: the native constructor does not name its parameters",
               info->native->type_key.data, PyTuple_GET_ITEM(kwnames, 0));
  return true;
}

namespace {

// Adds the members of a type to its class. Returns 0, or -1 with an exception set.
int add_members(ClassInfo* info, PyTypeObject* cls, bool init, bool is_fallback) {
  const TVMFFITypeInfo* native = info->native;
  if (add_fields(native, cls, is_fallback) < 0 || add_methods(info, cls, is_fallback) < 0 ||
      add_type_doc(info, cls, is_fallback) < 0) {
    return -1;
  }
  if (!is_fallback && add_ffi_init(info, cls) < 0) return -1;
  Ref type_info(add_type_info(native->type_index, reinterpret_cast<PyObject*>(cls)));
  if (!type_info) return -1;
  Ref old_type_info(std::exchange(info->type_info, type_info.release()));
  return init && !is_fallback ? add_init(info, cls) : 0;
}

// Returns tvm_ffi.dataclasses.EnumObject, borrowed; NULL with an exception set.
PyObject* enum_object_class() {
  static LazyImport cls("tvm_ffi.dataclasses.enum", "EnumObject");
  return cls.get();  // may run Python
}

// Returns the base of the fallback class of a type, borrowed; NULL with an exception set. For most
// types, the base is `parent`, the class of the parent type. For enums, the base is EnumObject:
// `c_enum` later changes the class of existing variants, and these variants must have the members
// and the memory layout of EnumObject.
PyTypeObject* fallback_base(const TVMFFITypeInfo* native, PyTypeObject* parent) {
  if (type_attribute(native->type_index, "__ffi_enum__") == nullptr) return parent;
  PyObject* enum_object = enum_object_class();
  if (enum_object == nullptr) return nullptr;
  auto* base = reinterpret_cast<PyTypeObject*>(enum_object);
  // If EnumObject does not derive from `parent`, `parent` has members that EnumObject lacks.
  return PyType_IsSubtype(base, parent) ? base : parent;
}

// Makes a class for values of a type without a registered class.
ClassInfo* register_fallback(const TVMFFITypeInfo* native) {
  PyTypeObject* base = state().object_type;
  if (native->type_depth > 0) {
    int32_t parent = native->type_ancestors[native->type_depth - 1]->type_index;
    ClassInfo* parent_info = class_info_for_index(parent);
    if (parent_info == nullptr) return nullptr;
    base = parent_info->cls;
  }
  base = fallback_base(native, base);
  if (base == nullptr) return nullptr;
  Ref cls(guard_memory([=] { return fallback_class_make(native, base); }));
  return cls ? class_register(native->type_index, cls.get(), false, true) : nullptr;
}

// Registers a class that only describes the type, because instances of the class cannot hold a
// handle. Adds the members of the type to this class. Values of the type keep their previous class.
ClassInfo* register_description(const TVMFFITypeInfo* native, PyTypeObject* cls, bool init) {
  ClassInfo* info = class_info_known(native->type_index);
  if (info == nullptr || info->cls == nullptr) info = register_fallback(native);
  if (info == nullptr || add_members(info, cls, init, false) < 0) return nullptr;
  info->is_fallback = false;
  return info;
}

}  // namespace

ClassInfo* class_register(int32_t type_index, PyObject* cls_object, bool init, bool is_fallback) {
  StateSection section;
  const TVMFFITypeInfo* native = native_type(type_index);
  if (native == nullptr) return nullptr;
  auto* cls = reinterpret_cast<PyTypeObject*>(cls_object);
  if (!PyType_IsSubtype(cls, &CObjectType) && !PyType_IsSubtype(cls, &PyNativeObjectType)) {
    return register_description(native, cls, init);
  }
  ClassInfo* info = guard_memory([=] { return class_info_make(type_index); });
  if (info == nullptr) return nullptr;
  info->native = native;
  if (note_native_init(info) < 0) return nullptr;
  info->to_python = how_to_python(type_index, cls);
  info->is_fallback = is_fallback;
  PyTypeObject* old = info->cls;
  if (old != cls) note_former_class(type_index, old);
  Py_INCREF(cls);
  info->cls = cls;
  Py_CLEAR(info->pickled_type);  // may contain the former class
  Py_XDECREF(old);
  if (native->num_fields > 0 && info->to_python == ToPython::kWrapper && is_leaf(native)) {
    class_drop_gc_header(cls);
  }
  class_info_set(cls, info);
  if (add_members(info, cls, init, is_fallback) < 0) return nullptr;
  info->tracked = false;  // may be true if the former class was a container; note_layout sets it
  note_layout(info, cls);
  return info;
}

namespace {

// Returns whether the registration made a class attribute from a reflected method or, in a fallback
// class, from a reflected field. Returns false for attributes that were written in the class body
// or assigned under another name. Also returns false for the field descriptors of a class that is
// not a fallback class, so that the caller keeps these descriptors: their offsets have not changed,
// and the class may have made the fields read-only.
bool is_native_member(const ClassInfo* info, PyObject* name, PyObject* value) {
  const TVMFFITypeInfo* native = info->native;
  if (Py_TYPE(value) == &FieldType) return info->is_fallback;
  if (Py_TYPE(value) == &MethodType) {
    Ref own_name(PyObject_GetAttr(value, state().names.dunder_name));
    if (!own_name) clear_error();
    return own_name && PyUnicode_Check(name) && PyUnicode_Compare(own_name.get(), name) == 0;
  }
  if (Py_TYPE(value) != &PyStaticMethod_Type || !PyUnicode_Check(name)) return false;
  return std::any_of(native->methods, native->methods + native->num_methods,
                     [&](const TVMFFIMethodInfo& method) {
                       return PyUnicode_CompareWithASCIIString(name, method.name.data) == 0;
                     });
}

// Removes the members that a former definition added to a class. Returns 0, or -1 with an exception
// set.
int remove_native_members(const ClassInfo* info, PyTypeObject* cls, bool* had_init) {
  Ref items(PyDict_Items(cls->tp_dict));
  if (!items) return -1;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
    PyObject* item = PyList_GET_ITEM(items.get(), i);
    PyObject* name = PyTuple_GET_ITEM(item, 0);
    if (!is_native_member(info, name, PyTuple_GET_ITEM(item, 1))) continue;
    if (PyUnicode_Compare(name, state().names.dunder_init) == 0) *had_init = true;
    if (PyType_Type.tp_setattro(reinterpret_cast<PyObject*>(cls), name, nullptr) < 0) return -1;
  }
  return 0;
}

int refresh_members(ClassInfo* info, PyTypeObject* cls, bool is_fallback) {
  if ((cls->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) return 0;
  bool had_init = false;
  if (remove_native_members(info, cls, &had_init) < 0) return -1;
  return add_members(info, cls, had_init, is_fallback);
}

}  // namespace

int class_refresh(int32_t type_index) {
  StateSection section;
  ClassInfo* info = class_info_known(type_index);
  if (info == nullptr || info->cls == nullptr) return 0;
  if (note_native_init(info) < 0) return -1;
  std::vector<Ref> classes;
  for (const auto& [former_index, reference] : former_classes()) {
    if (former_index != type_index) continue;
    Ref former(PyObject_CallNoArgs(reference));
    if (!former) return -1;
    if (former.get() != Py_None) classes.push_back(std::move(former));
  }
  for (const Ref& former : classes) {
    if (refresh_members(info, reinterpret_cast<PyTypeObject*>(former.get()), false) < 0) return -1;
  }
  // The current class comes last, because the type information belongs to this class.
  Ref kept = Ref::borrow(reinterpret_cast<PyObject*>(info->cls));
  return refresh_members(info, info->cls, info->is_fallback);
}

ClassInfo* class_bind(int32_t type_index, PyTypeObject* cls) {
  StateSection section;
  const TVMFFITypeInfo* native = native_type(type_index);
  if (native == nullptr) return nullptr;
  ClassInfo* info = guard_memory([=] { return class_info_make(type_index); });
  if (info == nullptr) return nullptr;
  info->native = native;
  info->to_python = how_to_python(type_index, cls);
  info->is_fallback = false;
  note_layout(info, cls);
  Py_INCREF(cls);
  Ref old(reinterpret_cast<PyObject*>(std::exchange(info->cls, cls)));
  class_info_set(cls, info);
  return info;
}

void class_unbind(int32_t type_index, PyTypeObject* cls) {
  StateSection section;
  ClassInfo* info = class_info_known(type_index);
  if (info == nullptr || info->cls != cls) return;
  // Objects of the class may still point to the ClassInfo, so it is not freed. The next
  // registration of the type reuses it.
  state().classes[type_index] = nullptr;
  class_info_set(cls, nullptr);
  cls->tp_vectorcall = nullptr;
  retired_infos().push_back(info);
  info->cls = nullptr;
  info->successor = nullptr;
  Ref initializer(std::exchange(info->initializer, nullptr));
  Ref pickled_type(std::exchange(info->pickled_type, nullptr));
  Py_DECREF(reinterpret_cast<PyObject*>(cls));
}

int class_register_builtin(int32_t type_index, PyTypeObject* cls) {
  const TVMFFITypeInfo* native = native_type(type_index);
  if (native == nullptr) return -1;
  ClassInfo* info = guard_memory([=] { return class_info_make(type_index); });
  if (info == nullptr) return -1;
  info->native = native;
  info->to_python = how_to_python(type_index, cls);
  Py_INCREF(cls);
  info->cls = cls;
  info->plain = wrapper_is_plain(cls);
  return 0;
}

ClassInfo* class_info_for_index(int32_t type_index) {
  if (ClassInfo* known = class_info_known(type_index)) return known;
  StateSection section;
  // Without the GIL, another thread may have been first.
  if (ClassInfo* known = class_info_known(type_index)) return known;
  const TVMFFITypeInfo* native = native_type(type_index);
  if (native == nullptr || import_class_module(native) < 0) return nullptr;
  if (ClassInfo* known = class_info_known(type_index)) return known;
  return register_fallback(native);
}

}  // namespace binding
