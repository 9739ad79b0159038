// SPDX-License-Identifier: Apache-2.0
// The start-up step that registers the global functions of the core.
#include "core/start_up.h"
#include "functions/functions.h"

namespace tvm::ffi::runtime {

void register_functions() {
  // First the functions that reflection looks up by name, because the other registrations use
  // reflection.
  register_auto_init_functions();
  register_function_functions();
  register_object_functions();
  register_string_functions();
  register_json_functions();
  register_shape_functions();
  register_array_functions();
  register_list_functions();
  register_map_functions();
  register_dict_functions();
  register_big_int_attributes();
  register_device_search_functions();
  register_field_functions();
  register_py_class_functions();
  register_schema_functions();
  register_type_attr_functions();
  register_load_scope_functions();
  register_enum_functions();
  register_dataclass_functions();
  register_graph_json_functions();
  register_graph_pack_functions();
  register_memory_size_functions();
  register_access_path_types();
  register_structural_functions();
  register_structural_key_type();
  register_structural_visit_functions();
  register_structural_mutate_functions();
  register_visit_error_context();
}

}  // namespace tvm::ffi::runtime
