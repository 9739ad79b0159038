// SPDX-License-Identifier: Apache-2.0
// Callbacks of mutations that the headers must reject: one for each value of CASE. Case 0 must
// compile.
#include <tvm/ffi/extra/structural_mutate.h>

using namespace tvm::ffi;

void Mutate() {
#if CASE == 1
  StructuralMap<WalkOrder::kPreOrder>(Any(1), [](int value, int, int) { return value; });
#elif CASE == 2
  StructuralMutate(Any(1), [](int value, const StructuralMutatorObj*) { return value; });
#elif CASE == 3
  StructuralMap<WalkOrder::kPreOrder>(Any(1), [](int) {});
#elif CASE == 4
  UnchangedOr<Error> value = Unchanged();
#else
  StructuralMap<WalkOrder::kPreOrder>(Any(1), [](int value) { return value; });
  StructuralMutate(Any(1), [](int value, StructuralMutatorObj*) { return value; });
#endif
}
