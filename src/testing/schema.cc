// SPDX-License-Identifier: Apache-2.0
// Fixtures: functions with different type schemas.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <utility>

namespace tvm::ffi::testing {
namespace {

// Registers the identity function of T.
template <typename T, typename... Extra>
void def_identity(const char* name, Extra&&... extra) {
  reflection::GlobalDef().def(
      name, [](T value) -> T { return value; }, std::forward<Extra>(extra)...);
}

void register_values() {
  def_identity<int64_t>("testing.schema_id_int", reflection::Metadata{{"bool_attr", true},  //
                                                                      {"int_attr", 1},
                                                                      {"str_attr", "hello"}});
  def_identity<double>("testing.schema_id_float");
  def_identity<bool>("testing.schema_id_bool");
  def_identity<DLDevice>("testing.schema_id_device");
  def_identity<DLDataType>("testing.schema_id_dtype");
  def_identity<String>("testing.schema_id_string");
  def_identity<Bytes>("testing.schema_id_bytes");
  def_identity<Function>("testing.schema_id_func");
  def_identity<TypedFunction<void(int64_t, float, Function)>>("testing.schema_id_func_typed");
  def_identity<Any>("testing.schema_id_any");
  def_identity<ObjectRef>("testing.schema_id_object");
  def_identity<DLTensor*>("testing.schema_id_dltensor");
  def_identity<Tensor>("testing.schema_id_tensor");
  reflection::GlobalDef().def("testing.schema_tensor_view_input", [](TensorView) {});
}

void register_containers() {
  def_identity<Optional<int64_t>>("testing.schema_id_opt_int");
  def_identity<Optional<String>>("testing.schema_id_opt_str");
  def_identity<Optional<ObjectRef>>("testing.schema_id_opt_obj");
  def_identity<Array<int64_t>>("testing.schema_id_arr_int");
  def_identity<Array<String>>("testing.schema_id_arr_str");
  def_identity<Array<ObjectRef>>("testing.schema_id_arr_obj");
  def_identity<const ArrayObj*>("testing.schema_id_arr");
  def_identity<List<int64_t>>("testing.schema_id_list_int");
  def_identity<List<String>>("testing.schema_id_list_str");
  def_identity<List<ObjectRef>>("testing.schema_id_list_obj");
  def_identity<Map<String, int64_t>>("testing.schema_id_map_str_int");
  def_identity<Map<String, String>>("testing.schema_id_map_str_str");
  def_identity<Map<String, ObjectRef>>("testing.schema_id_map_str_obj");
  def_identity<const MapObj*>("testing.schema_id_map");
  def_identity<Dict<String, int64_t>>("testing.schema_id_dict_str_int");
  def_identity<Dict<String, String>>("testing.schema_id_dict_str_str");
  def_identity<Variant<int64_t, String>>("testing.schema_id_variant_int_str");
  def_identity<Variant<int64_t, String, Array<int64_t>>>("testing.schema_variant_mix");
}

// Returns `map`. If `key` is not None, the value of `key` in the returned map is the array of the
// numbers that are not None.
Map<String, Array<int64_t>> arr_map_opt(const Array<Optional<int64_t>>& numbers,
                                        Map<String, Array<int64_t>> map, Optional<String> key) {
  if (!key.has_value()) return map;
  Array<int64_t> present;
  for (Optional<int64_t> number : numbers) {
    if (number.has_value()) present.push_back(*number);
  }
  map.Set(*key, present);
  return map;
}

void register_signatures() {
  reflection::GlobalDef()
      .def_packed("testing.schema_packed", [](PackedArgs, Any*) {})
      .def("testing.schema_arr_map_opt", arr_map_opt)
      .def("testing.schema_no_args", []() -> int64_t { return 1; })
      .def("testing.schema_no_return", [](int64_t) {})
      .def("testing.schema_no_args_no_return", []() {});
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  register_values();
  register_containers();
  register_signatures();
}

}  // namespace tvm::ffi::testing
