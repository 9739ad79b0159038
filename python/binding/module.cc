// SPDX-License-Identifier: Apache-2.0
// The module tvm_ffi.core: creates the types in order and fills the state.
#include <dlfcn.h>
#include <tvm/ffi/c_env_api.h>

#include <cstring>
#include <new>

#include "attach.h"
#include "call.h"
#include "collect/collect.h"
#include "container/native.h"
#include "convert/schema/schema.h"
#include "enum/enum.h"
#include "environment.h"
#include "raise.h"
#include "registry/register.h"
#include "registry/registry.h"
#include "registry/trait.h"
#include "state.h"
#include "type/types.h"

namespace binding {
namespace {

// Makes the symbols of the runtime global. The dynamic loader loaded the runtime as a private
// dependency of the extension, but already compiled clients look up the C functions in the global
// scope.
int promote_runtime() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&TVMFFIGetVersion), &info) != 0 && info.dli_fname != nullptr &&
      dlopen(info.dli_fname, RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD) != nullptr) {
    return 0;
  }
  PyErr_SetString(PyExc_ImportError, "cannot make the symbols of libtvm_ffi.so global");
  return -1;
}

// Checks that the versions of the extension and of the runtime, which are installed together, are
// equal. They differ if another package has replaced the runtime, or if the process has already
// loaded another runtime.
int check_version() {
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  if (version.major == TVM_FFI_VERSION_MAJOR && version.minor == TVM_FFI_VERSION_MINOR &&
      version.patch == TVM_FFI_VERSION_PATCH) {
    return 0;
  }
  Dl_info info;
  const char* path =
      dladdr(reinterpret_cast<void*>(&TVMFFIGetVersion), &info) != 0 && info.dli_fname != nullptr
          ? info.dli_fname
          : "libtvm_ffi.so";
  PyErr_Format(PyExc_ImportError,
               "tvm_ffi.core of fast-tvm-ffi was built for the runtime %d.%d.%d, but %s is the "
               "runtime %u.%u.%u",
               TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR, TVM_FFI_VERSION_PATCH, path,
               version.major, version.minor, version.patch);
  return -1;
}

// Checks that the package of this distribution imports the extension. Only this package has the
// module `tvm_ffi._native`, and it imports that module before the extension.
int check_package() {
  if (PyDict_GetItemString(PyImport_GetModuleDict(), "tvm_ffi._native") != nullptr) return 0;
  PyErr_SetString(PyExc_ImportError,
                  "the modules of tvm_ffi belong to another installation than its extension, "
                  "tvm_ffi.core of fast-tvm-ffi: a package with the same files, such as "
                  "apache-tvm-ffi, has replaced them. To repair this:\n"
                  "    pip uninstall apache-tvm-ffi\n"
                  "    pip install --force-reinstall --no-deps .  # in a clone of the repository\n"
                  "    tvm-ffi-provide --version X  # for packages that require apache-tvm-ffi");
  return -1;
}

// The functions with which the runtime attaches a thread to the interpreter, polls for signals and
// detaches the thread.
void* env_attach() {
  auto* attached = new (std::nothrow) Attach;
  if (attached != nullptr && *attached) return attached;
  delete attached;
  return nullptr;
}
void env_release(void* attached) { delete static_cast<Attach*>(attached); }
int env_check_signals() { return PyErr_CheckSignals(); }

int register_env() {
  struct {
    const char* name;
    void* symbol;
  } const entries[] = {{"PyErr_CheckSignals", reinterpret_cast<void*>(&env_check_signals)},
                       {"PyGILState_Ensure", reinterpret_cast<void*>(&env_attach)},
                       {"PyGILState_Release", reinterpret_cast<void*>(&env_release)}};
  for (const auto& e : entries) {
    int status = TVMFFIEnvRegisterCAPI(e.name, e.symbol);
    if (status != 0) return raise_from_slot(status);
  }
  return 0;
}

int add_types(PyObject* module) {
  using Init = int (*)(PyObject*);
  const Init inits[] = {
      object_type_init,   array_type_init,
      list_type_init,     mapping_type_init,
      dict_type_init,     map_iterator_type_init,
      map_view_type_init, function_type_init,
      tensor_type_init,   error_type_init,
      opaque_type_init,   protocol_type_init,
      string_type_init,   dtype_type_init,
      device_type_init,   field_type_init,
      method_type_init,   any_type_init,
      testing_type_init,  converter_type_init,
      shape_init,         structural_key_type_init,
      structural_init,    class_init,
      pickle_init,        tensor_memory_init,
      enum_init,          collect_init,
      trait_type_init,
  };
  for (Init init : inits) {
    if (init(module) < 0) return -1;
  }
  return 0;
}

int bind_builtin_types() {
  const struct {
    int32_t type_index;
    PyTypeObject* cls;
  } entries[] = {{kTVMFFIObject, state().object_type},
                 {kTVMFFIError, &ErrorType},
                 {kTVMFFIFunction, &FunctionType},
                 {kTVMFFITensor, &TensorType},
                 {kTVMFFIStr, state().string_type},
                 {kTVMFFIBytes, state().bytes_type},
                 {kTVMFFIOpaquePyObject, &OpaquePyObjectType},
                 {kTVMFFIBigInt, state().object_type}};
  for (const auto& e : entries) {
    if (class_register_builtin(e.type_index, e.cls) < 0) return -1;
  }
  return 0;
}

int add_object(PyObject* module, const char* name, PyObject* value) {
  Py_INCREF(value);
  if (PyModule_AddObject(module, name, value) == 0) return 0;
  Py_DECREF(value);
  return -1;
}

// Returns a sentinel object of the runtime (the value of core.MISSING or core.KWARGS) from the
// global function `name`.
PyObject* sentinel(const char* name) {
  TVMFFIByteArray key{name, std::strlen(name)};
  TVMFFIObjectHandle f = nullptr;
  int status = TVMFFIFunctionGetGlobal(&key, &f);
  if (status == 0 && f != nullptr) {
    ObjectOwner keep(f);
    TVMFFIAny result;
    if (call_values(keep.get(), nullptr, 0, &result) < 0) return nullptr;
    return value_to_py_steal(result);
  }
  PyErr_Format(PyExc_ImportError, "the runtime lacks %s", name);
  return nullptr;
}

int add_values(PyObject* module) {
  State& s = state();
  Py_INCREF(&TensorType);
  s.class_tensor = &TensorType;
  Py_INCREF(&DeviceType);
  s.class_device = &DeviceType;
  s.missing = sentinel("ffi.GetInvalidObject");
  s.kwargs = s.missing == nullptr ? nullptr : sentinel("ffi.GetKwargsObject");
  if (s.kwargs == nullptr) return -1;
  s.kwargs_object = as_wrapper(s.kwargs)->handle;
  Ref dlpack(Py_BuildValue("(ii)", DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION));
  if (!dlpack || add_object(module, "__dlpack_version__", dlpack.get()) < 0 ||
      add_object(module, "MISSING", s.missing) < 0 || add_object(module, "KWARGS", s.kwargs) < 0 ||
      add_object(module, "_CLASS_OBJECT", reinterpret_cast<PyObject*>(s.object_type)) < 0 ||
      add_object(module, "_CLASS_TENSOR", reinterpret_cast<PyObject*>(s.class_tensor)) < 0 ||
      add_object(module, "_CLASS_DEVICE", reinterpret_cast<PyObject*>(s.class_device)) < 0) {
    return -1;
  }
  for (const char* name : {"_CLASS_DTYPE", "_testing_loader", "_WITH_APPEND_BACKTRACE",
                           "_TRACEBACK_TO_BACKTRACE_STR"}) {
    if (add_object(module, name, Py_None) < 0) return -1;
  }
  return 0;
}

// The module object. There is one for the whole process, because types and state are static. NULL
// until the module is complete; then owned for the life of the process.
PyObject* g_module = nullptr;

// Creates the module for the main interpreter only. If the module was removed from `sys.modules`,
// the next import returns the same object.
PyObject* create_module(PyObject* spec, PyModuleDef*) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError, "tvm_ffi works in the main interpreter alone");
    return nullptr;
  }
  if (g_module != nullptr) return compat_new_ref(g_module);
  Ref name(PyObject_GetAttrString(spec, "name"));
  return name ? PyModule_NewObject(name.get()) : nullptr;
}

int execute_module(PyObject* module) {
  if (g_module != nullptr) return 0;
  static bool begun = false;
  if (check_version() < 0 || check_package() < 0 || promote_runtime() < 0) return -1;
  if (begun) {
    PyErr_SetString(PyExc_ImportError, "an earlier import of tvm_ffi.core failed half-way");
    return -1;
  }
  begun = true;
  if (state_init(module) < 0 || add_types(module) < 0 || registry_init(module) < 0 ||
      environment_init(module) < 0 || bind_builtin_types() < 0 || add_values(module) < 0 ||
      register_env() < 0) {
    return -1;
  }
  g_module = compat_new_ref(module);
  return 0;
}

PyModuleDef_Slot module_slots[] = {
    {Py_mod_create, reinterpret_cast<void*>(create_module)},
    {Py_mod_exec, reinterpret_cast<void*>(execute_module)},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},  // see docs/decisions/free-threading.md
#endif
    {0, nullptr}};

PyModuleDef module_def = {PyModuleDef_HEAD_INIT,
                          "tvm_ffi.core",
                          "The native half of tvm_ffi: objects, functions, tensors and errors.",
                          0,
                          nullptr,
                          module_slots,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace binding

PyMODINIT_FUNC PyInit_core() { return PyModuleDef_Init(&binding::module_def); }
