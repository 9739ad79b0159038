// SPDX-License-Identifier: Apache-2.0
// Global functions of structural equality and hash, and the type of structural keys.
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/argument.h"
#include "functions/functions.h"
#include "graph/hash.h"
#include "graph/structural_equal.h"

namespace tvm::ffi::runtime {
namespace {

namespace refl = reflection;

bool equal_by_structure(AnyView lhs, AnyView rhs, bool map_free_vars, bool skip_tensor_content) {
  return structural_equal(Argument(lhs).value(), Argument(rhs).value(), map_free_vars,
                          skip_tensor_content);
}

auto first_mismatch(AnyView lhs, AnyView rhs, bool map_free_vars, bool skip_tensor_content) {
  return first_structural_mismatch(Argument(lhs).value(), Argument(rhs).value(), map_free_vars,
                                   skip_tensor_content);
}

int64_t structural_hash_bits(AnyView value, bool map_free_vars, bool skip_tensor_content) {
  return static_cast<int64_t>(
      structural_hash(Argument(value).value(), map_free_vars, skip_tensor_content));
}

StructuralKey make_structural_key(Any value) { return StructuralKey(std::move(value)); }

// Compares two structural keys. Throws TypeError if a value is not a structural key, unless both
// arguments are the same value.
bool equal_structural_keys(const Any& lhs, const Any& rhs) {
  return lhs.same_as(rhs) || lhs.cast<StructuralKey>() == rhs.cast<StructuralKey>();
}

// The hooks of map keys, which are called only for structural keys.
int64_t hash_map_key(const Any& key) { return key.as<StructuralKeyObj>()->hash_i64; }

bool equal_map_keys(const Any& lhs, const Any& rhs) {
  return lhs.cast<StructuralKey>() == rhs.cast<StructuralKey>();
}

}  // namespace

void register_structural_functions() {
  ShortDef()
      .def("ffi.StructuralEqual", equal_by_structure)
      .def("ffi.GetFirstStructuralMismatch", first_mismatch)
      .def("ffi.StructuralHash", structural_hash_bits)
      .def("ffi.StructuralKey", make_structural_key)
      .def("ffi.StructuralKeyEqual", equal_structural_keys);
}

void register_structural_key_type() {
  refl::ObjectDef<StructuralKeyObj>()
      .def(refl::init<Any>())
      .def_ro("key", &StructuralKeyObj::key)
      .def_ro("hash_i64", &StructuralKeyObj::hash_i64);
  refl::TypeAttrDef<StructuralKeyObj>()
      .native_fn_attr<&hash_map_key>(type_attr::kAnyHash)
      .native_fn_attr<&equal_map_keys>(type_attr::kAnyEqual);
}

}  // namespace tvm::ffi::runtime
