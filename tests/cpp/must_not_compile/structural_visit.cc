// SPDX-License-Identifier: Apache-2.0
// Traversals that structural_visit.h must reject: one for each value of CASE. Case 0 must compile.
#include <tvm/ffi/extra/structural_visit.h>

using namespace tvm::ffi;

void Traverse(AnyView root) {
#if CASE == 0
  StructuralWalk<WalkOrder::kPreOrder>(root, [](int) { return WalkResult::Advance(); });
#elif CASE == 1
  StructuralWalk<WalkOrder::kPreOrder>(root);
#elif CASE == 2
  StructuralVisit(root);
#elif CASE == 3
  StructuralWalk<WalkOrder::kPreOrder>(root, [](int) { return 0; });
#elif CASE == 4
  StructuralWalk<WalkOrder::kPreOrder>(root, [](int, int, int) { return WalkResult::Skip(); });
#elif CASE == 5
  StructuralVisit(root, [](int, StructuralVisitorObj*) { return WalkResult::Skip(); });
#elif CASE == 6
  StructuralVisit(root, [](int) { return Optional<VisitInterrupt>(); });
#endif
}
