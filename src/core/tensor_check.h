// SPDX-License-Identifier: Apache-2.0
// What can be said about a tensor's layout, and refusal of tensors whose members contradict
// themselves.
#ifndef TVM_FFI_SRC_CORE_TENSOR_CHECK_H_
#define TVM_FFI_SRC_CORE_TENSOR_CHECK_H_

#include <dlpack/dlpack.h>

#include <cstdint>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Refuse negative and absurd `ndim`, negative extents, a missing shape, sizes beyond 64
 * bits.
 * \param parameter name of the tensor in the message.
 * \return 0, or -1 with a ValueError that names the member.
 */
int check_tensor(const DLTensor& tensor, std::string_view parameter);

/*! \brief Row-major without gaps. The tensor has passed check_tensor. */
bool is_contiguous(const DLTensor& tensor);

/*! \brief Whether the first element lies on a multiple of `alignment`; where the host cannot read
 * addresses of the device, whether its offset does. */
bool is_aligned(const DLTensor& tensor, uint32_t alignment);

/*! \brief Row-major strides in elements for the shape; `ndim` of them. */
void fill_compact_strides(const DLTensor& tensor, int64_t* strides);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TENSOR_CHECK_H_
