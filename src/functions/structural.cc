// SPDX-License-Identifier: Apache-2.0
// Global functions of structural equality and hash, and the type of structural keys.
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/reflection/registry.h>

#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

namespace refl = reflection;

int64_t structural_hash_bits(const Any& value, bool map_free_vars, bool skip_tensor_content) {
  return static_cast<int64_t>(StructuralHash::Hash(value, map_free_vars, skip_tensor_content));
}

StructuralKey make_structural_key(Any value) { return StructuralKey(std::move(value)); }

// Of any two keys; of other values only that one is equal to itself.
bool equal_structural_keys(const Any& lhs, const Any& rhs) {
  return lhs.same_as(rhs) || lhs.cast<StructuralKey>() == rhs.cast<StructuralKey>();
}

// The hooks of map keys, called for values of this type alone.
int64_t hash_key(const Any& key) { return key.as<StructuralKeyObj>()->hash_i64; }

bool equal_keys(const Any& lhs, const Any& rhs) {
  return lhs.cast<StructuralKey>() == rhs.cast<StructuralKey>();
}

}  // namespace

void register_structural_functions() {
  refl::GlobalDef()
      .def("ffi.StructuralEqual", &StructuralEqual::Equal, refl::short_call())
      .def("ffi.GetFirstStructuralMismatch", &StructuralEqual::GetFirstMismatch, refl::short_call())
      .def("ffi.StructuralHash", structural_hash_bits, refl::short_call())
      .def("ffi.StructuralKey", make_structural_key, refl::short_call())
      .def("ffi.StructuralKeyEqual", equal_structural_keys, refl::short_call());
}

void register_structural_key_type() {
  refl::ObjectDef<StructuralKeyObj>()
      .def(refl::init<Any>())
      .def_ro("key", &StructuralKeyObj::key)
      .def_ro("hash_i64", &StructuralKeyObj::hash_i64);
  refl::TypeAttrDef<StructuralKeyObj>()
      .native_fn_attr<&hash_key>(type_attr::kAnyHash)
      .native_fn_attr<&equal_keys>(type_attr::kAnyEqual);
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
