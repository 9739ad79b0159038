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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_REPR_H_
