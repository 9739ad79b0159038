// SPDX-License-Identifier: Apache-2.0
// The printed form of any value.
#ifndef TVM_FFI_SRC_GRAPH_REPR_H_
#define TVM_FFI_SRC_GRAPH_REPR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Print a value, what it contains and the fields of objects.
 *
 * Objects of types with the attribute `__ffi_repr__` are printed by it. May run foreign code and
 * throws what that throws; ValueError for values or hooks nested too deep and for texts too long.
 */
String repr_print(const Any& value);

/*!
 * \brief Print a value as repr_print() does, but leave out parts of a large one.
 *
 * The text equals that of repr_print() up to the limits of kSummaryLimits[0] (repr_limits.h).
 * Beyond them a container shows its first and last elements and its length, a string its begin and
 * end, and an object that is nested too deep its name. The text of a hook of the value itself is
 * not shortened. A nested hook that fails, or a field that cannot be read, prints as the error.
 */
String repr_summary(const Any& value);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_REPR_H_
