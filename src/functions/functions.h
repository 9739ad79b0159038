// SPDX-License-Identifier: Apache-2.0
// The global functions `ffi.*` of the runtime, registered by one function for each subject.
#pragma once

#include <tvm/ffi/reflection/registry.h>

#include <string>
#include <utility>

namespace tvm::ffi::runtime {

/*! \brief Registers short functions that never call Python, so that callers keep the GIL. */
class ShortDef {
 public:
  template <typename Func>
  ShortDef& def(const std::string& name, Func&& func) {
    reflection::GlobalDef().def(name.c_str(), std::forward<Func>(func), reflection::short_call());
    return *this;
  }
  template <typename Func>
  ShortDef& def_packed(const std::string& name, Func func) {
    reflection::GlobalDef().def_packed(name.c_str(), func, reflection::short_call());
    return *this;
  }
};

// Start-up calls each function once. A function throws if a registration fails.
void register_access_path_types();
void register_array_functions();
void register_auto_init_functions();
void register_dataclass_functions();
void register_big_int_attributes();
void register_device_search_functions();
void register_dict_functions();
void register_enum_functions();
void register_field_functions();
void register_function_functions();
void register_graph_json_functions();
void register_graph_pack_functions();
void register_json_functions();
void register_list_functions();
void register_load_scope_functions();
void register_map_functions();
void register_memory_size_functions();
void register_object_functions();
void register_py_class_functions();
void register_schema_functions();
void register_shape_functions();
void register_string_functions();
void register_structural_functions();
void register_structural_key_type();
void register_structural_mutate_functions();
void register_structural_visit_functions();
void register_type_attr_functions();
void register_visit_error_context();

}  // namespace tvm::ffi::runtime
