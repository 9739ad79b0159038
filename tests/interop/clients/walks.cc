// SPDX-License-Identifier: Apache-2.0
// A client for structural visits and mutations: its callbacks get objects of both sides (side.h).
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/structural_visit.h>

#include "side.h"

namespace {

using namespace tvm::ffi;  // NOLINT(build/namespaces)

int64_t count_ints(const Any& root) {
  int64_t count = 0;
  StructuralWalk<WalkOrder::kPreOrder>(root, [&count](int64_t) {
    ++count;
    return WalkResult::Advance();
  });
  return count;
}

Any negate_ints(const Any& root) {
  return StructuralMap<WalkOrder::kPostOrder>(root, [](int64_t value) { return Any(-value); });
}

}  // namespace

INTEROP_EXPORT(count_ints);
INTEROP_EXPORT(negate_ints);
