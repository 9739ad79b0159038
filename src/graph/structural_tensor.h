// SPDX-License-Identifier: Apache-2.0
// Tensors in structural equality and hash: by shape, dtype and content.
#ifndef TVM_FFI_SRC_GRAPH_STRUCTURAL_TENSOR_H_
#define TVM_FFI_SRC_GRAPH_STRUCTURAL_TENSOR_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Whether two tensors are one object, or agree in shape, dtype and bytes.
 * \param skip_content leave out the bytes.
 * \throws Error InternalError when the bytes count and lie elsewhere than in the memory of the
 *         processor, or with gaps.
 */
bool equal_tensors(const TVMFFIObject* lhs, const TVMFFIObject* rhs, bool skip_content);

/*! \brief Hash of what equal_tensors() compares, mixed into `hash`. \throws as that. */
uint64_t hash_tensor(uint64_t hash, const TVMFFIObject* tensor, bool skip_content);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_STRUCTURAL_TENSOR_H_
