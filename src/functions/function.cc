// SPDX-License-Identifier: Apache-2.0
// Global functions about functions and the table of global functions.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/function.h>

#include <string_view>

#include "core/function_table.h"
#include "core/name_hints.h"
#include "core/type_table.h"
#include "functions/functions.h"
#include "module/library.h"

namespace tvm::ffi::runtime {
namespace {

Function function_from_extern_c(void* self, void* safe_call, void* deleter) {
  if (safe_call == nullptr) TVM_FFI_THROW(ValueError) << "The address of the function is NULL";
  return Function::FromExternC(self, reinterpret_cast<TVMFFISafeCallType>(safe_call),
                               reinterpret_cast<void (*)(void*)>(deleter));
}

// Returns a function with one integer parameter. For -1, the function returns the number of global
// names; for an index, the name at that index. Names that are registered later are not included.
Function list_global_names() {
  return Function::FromTyped([names = global_function_names()](int64_t index) -> Any {
    int64_t size = static_cast<int64_t>(names.size());
    if (index == -1) return size;
    if (index < 0 || index >= size) {
      TVM_FFI_THROW(IndexError) << "Index " << index << " out of bounds " << size;
    }
    return String(names[index].data(), names[index].size());
  });
}

GlobalFunctionDescription describe_or_throw(const String& name) {
  GlobalFunctionDescription description;
  if (!describe_global_function(detail::TextView(name), &description)) {
    TVM_FFI_THROW(RuntimeError) << "Global Function is not found: " << name
                                << global_function_hint(detail::TextView(name));
  }
  return description;
}

// Returns the metadata of a function if the metadata contain parameter names, otherwise the flags
// of the function. So a language binding (such as the Python extension) needs only this call to
// wrap the function.
Any call_info(const String& name) {
  GlobalFunctionDescription description = describe_or_throw(name);
  bool has_names = description.metadata.find("arg_names") != std::string::npos;
  return has_names ? Any(String(description.metadata)) : Any(description.flags);
}

// Describes where a function is registered: "module", "global", "method" or "static"; the library
// or type key (empty for a global function); the name; then for each overload its metadata and its
// documentation. The array is empty for an unknown function.
using Description = Array<String>;

Description describe_method(const Function& function) {
  for (std::string_view key : registered_type_keys()) {
    const TVMFFITypeInfo* type = find_type(find_type_key(key));
    if (type == nullptr) continue;
    Description found;
    for (int32_t i = 0; i < type->num_methods; ++i) {
      const TVMFFIMethodInfo& method = type->methods[i];
      if (method.method.type_index != kTVMFFIFunction) continue;
      if (method.method.v_obj != detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(function)) {
        continue;
      }
      if (found.empty()) {
        bool is_static = (method.flags & kTVMFFIFieldFlagBitMaskIsStaticMethod) != 0;
        found = {String(is_static ? "static" : "method"), String(key.data(), key.size()),
                 String(method.name.data, method.name.size)};
      }
      found.push_back(String(method.metadata.data, method.metadata.size));
      found.push_back(String(method.doc.data, method.doc.size));
    }
    if (!found.empty()) return found;
  }
  return Description();
}

Description describe_function(const Function& function, const String& hint) {
  LibraryFunctionTexts texts;
  if (describe_library_function(function, hint, true, &texts)) {
    return {String("module"), String(texts.library), String(texts.name),
            texts.metadata.value_or(String()), texts.doc.value_or(String())};
  }
  GlobalFunctionDescription global;
  std::string_view name =
      find_global_function_name(detail::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(function),
                                detail::TextView(hint), &global);
  if (name.empty()) return describe_method(function);
  return {String("global"), String(), String(name.data(), name.size()), String(global.metadata),
          String(global.doc)};
}

// Returns the metadata that a library exports for its function; None if it exports none.
Optional<String> library_metadata(const Function& function, const String& hint) {
  LibraryFunctionTexts texts;
  describe_library_function(function, hint, false, &texts);
  return texts.metadata;
}

}  // namespace

void register_function_functions() {
  ShortDef()
      .def("ffi.FunctionFromExternC", function_from_extern_c)
      .def("ffi.FunctionListGlobalNamesFunctor", list_global_names)
      .def("ffi._GlobalFunctionHint",
           [](const String& name) { return String(global_function_hint(detail::TextView(name))); })
      .def("ffi.FunctionRemoveGlobal",
           [](const String& name) { return remove_global_function(detail::TextView(name)); })
      .def("ffi.GetGlobalFuncCallInfo", call_info)
      .def("ffi.GetGlobalFuncMetadata",
           [](const String& name) { return String(describe_or_throw(name).metadata); })
      .def("ffi.GetGlobalFuncFlags",
           [](const String& name) { return describe_or_throw(name).flags; })
      .def("ffi.GetGlobalFuncDoc",
           [](const String& name) { return String(describe_or_throw(name).doc); })
      .def("ffi._FunctionDescribe", describe_function)
      .def("ffi._FunctionLibraryMetadata", library_metadata)
      .def("ffi._LibrarySafeCall", library_safe_call);
}

}  // namespace tvm::ffi::runtime
