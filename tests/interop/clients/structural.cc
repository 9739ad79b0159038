// SPDX-License-Identifier: Apache-2.0
// A client for structural equality, hashes and visits of values that either side has made.
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/structural_key.h>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

bool same_structure(const Any& a, const Any& b) { return StructuralEqual::Equal(a, b); }
int64_t structure_hash(const Any& value) {
  return static_cast<int64_t>(StructuralHash::Hash(value));
}
Array<int64_t> mismatch_depths(const Any& a, const Any& b) {
  auto found = StructuralEqual::GetFirstMismatch(a, b);
  if (!found.has_value()) return {};
  return {(*found).get<0>()->depth, (*found).get<1>()->depth};
}
bool key_is_found(const Any& a, const Any& b) {
  Map<Any, int64_t> map{{StructuralKey(a), 1}};
  return map.count(StructuralKey(b)) == 1;
}

}  // namespace

INTEROP_EXPORT(same_structure);
INTEROP_EXPORT(structure_hash);
INTEROP_EXPORT(mismatch_depths);
INTEROP_EXPORT(key_is_found);
