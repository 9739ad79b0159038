// SPDX-License-Identifier: Apache-2.0
// Fixture: a type with a field of nearly every kind.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/device.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <utility>

#include "wrapping.h"

namespace tvm::ffi::testing {
namespace {

using IntArray = Array<int64_t>;
using ArrayMap = Map<String, IntArray>;

class SchemaAllTypesObj : public Object {
 public:
  bool v_bool = true;
  int64_t v_int;
  double v_float;
  DLDevice v_device{kDLCPU, 0};
  DLDataType v_dtype{kDLFloat, 32, 1};
  String v_string;
  Bytes v_bytes = Bytes("");
  Optional<int64_t> v_opt_int;
  Optional<String> v_opt_str;
  IntArray v_arr_int;
  Array<String> v_arr_str;
  Map<String, int64_t> v_map_str_int;
  ArrayMap v_map_str_arr_int;
  Variant<String, IntArray, Map<String, int64_t>> v_variant = String("v");
  Optional<Array<Variant<int64_t, String>>> v_opt_arr_variant;

  SchemaAllTypesObj(int64_t i, double f, String s) : v_int(i), v_float(f), v_string(std::move(s)) {}

  int64_t AddInt(int64_t x) const { return WrappingAdd(v_int, x); }

  IntArray AppendInt(IntArray numbers, int64_t x) const {
    numbers.push_back(x);
    return numbers;
  }

  // Returns `a` followed by `b`; if one of them is None, returns the other one.
  Optional<String> MaybeConcat(Optional<String> a, Optional<String> b) const {
    if (a.has_value() && b.has_value()) return *a + *b;
    return a.has_value() ? a : b;
  }

  // Merges two maps; entries of `rhs` replace entries of `lhs`.
  ArrayMap MergeMap(ArrayMap lhs, const ArrayMap& rhs) const {
    for (const auto& [key, value] : rhs) lhs.Set(key, value);
    return lhs;
  }

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("testing.SchemaAllTypes", SchemaAllTypesObj, Object);
};

class SchemaAllTypes : public ObjectRef {
 public:
  SchemaAllTypes(int64_t i, double f, String s)
      : ObjectRef(make_object<SchemaAllTypesObj>(i, f, std::move(s))) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(SchemaAllTypes, ObjectRef, SchemaAllTypesObj);
};

using Def = reflection::ObjectDef<SchemaAllTypesObj>;

reflection::Metadata three_attributes() {
  return reflection::Metadata{{"bool_attr", true}, {"int_attr", 1}, {"str_attr", "hello"}};
}

void define_plain_fields(Def* def) {
  using Self = SchemaAllTypesObj;
  using reflection::DefaultValue;
  def->def_rw("v_bool", &Self::v_bool, "bool field", three_attributes())
      .def_rw("v_int", &Self::v_int, DefaultValue(0), "int field")
      .def_rw("v_float", &Self::v_float, DefaultValue(0.0), "float field")
      .def_rw("v_device", &Self::v_device, "device field")
      .def_rw("v_dtype", &Self::v_dtype, "dtype field")
      .def_rw("v_string", &Self::v_string, DefaultValue("s"), "string field")
      .def_rw("v_bytes", &Self::v_bytes, "bytes field")
      .def_rw("v_opt_int", &Self::v_opt_int, "optional int")
      .def_rw("v_opt_str", &Self::v_opt_str, "optional str");
}

void define_container_fields(Def* def) {
  using Self = SchemaAllTypesObj;
  def->def_rw("v_arr_int", &Self::v_arr_int, "array<int>")
      .def_rw("v_arr_str", &Self::v_arr_str, "array<str>")
      .def_rw("v_map_str_int", &Self::v_map_str_int, "map<str,int>")
      .def_rw("v_map_str_arr_int", &Self::v_map_str_arr_int, "map<str,array<int>>")
      .def_rw("v_variant", &Self::v_variant, "variant<str,array<int>,map<str,int>>")
      .def_rw("v_opt_arr_variant", &Self::v_opt_arr_variant, "optional<array<variant<int,str>>>");
}

void define_methods(Def* def) {
  using Self = SchemaAllTypesObj;
  def->def("add_int", &Self::AddInt, "add int method", three_attributes())
      .def("append_int", &Self::AppendInt, "append int to array")
      .def("maybe_concat", &Self::MaybeConcat, "optional concat")
      .def("merge_map", &Self::MergeMap, "merge maps")
      .def_static(
          "make_with",
          [](int64_t i, double f, String s) { return SchemaAllTypes(i, f, std::move(s)); },
          "Constructor with subset of fields");
}

}  // namespace

TVM_FFI_STATIC_INIT_BLOCK() {
  Def def;
  define_plain_fields(&def);
  define_container_fields(&def);
  define_methods(&def);
}

}  // namespace tvm::ffi::testing
