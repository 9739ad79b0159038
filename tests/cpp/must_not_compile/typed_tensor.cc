// SPDX-License-Identifier: Apache-2.0
// Programs that the header of typed tensors must reject: one for each value of CASE. Case 0 must
// compile; it also uses types of CUDA that are defined after the header.
#include <tvm/ffi/container/typed_tensor.h>

#include "../fake_cuda_types.h"

using namespace tvm::ffi;

#if CASE == 0
float Accepted(TypedTensorView<const float, 2> x, TypedTensorView<float, 1, Cuda> y) {
  return y.data() == nullptr ? x(0, 0) : x(1, 0);
}
static_assert(DTypeOf<__half>::value == DLDataType{kDLFloat, 16, 1});
uint16_t Bits(TypedTensorView<const __half, 1> x, TypedTensorView<__nv_bfloat16, 1> y) {
  for (__nv_bfloat16& value : y) value.bits = x(0).bits;
  return x(1).bits;
}
#elif CASE == 1
void Refused(TypedTensorView<const float, 1> x) { x(0) = 1; }
#elif CASE == 2
float Refused(TypedTensorView<float, 2> x) { return x(0); }
#elif CASE == 3
float Refused(TypedTensorView<float, 1, Cuda> x) { return x(0); }
#elif CASE == 4
float Refused(TypedTensorView<float, 1, AnyDevice> x) { return *x.begin(); }
#elif CASE == 5
float Refused(TypedTensorView<float, 1, Strided> x) { return *x.begin(); }
#elif CASE == 6
void Refused(TypedTensorView<OneOf<float, double>, 1> x) { x(0) = 1; }
#elif CASE == 7
auto Refused() { return TypedTensor<const float, 1>::Empty({1}); }
#elif CASE == 8
float Refused(TypedTensorView<float, 1> x) { return x(0.0); }
#elif CASE == 9
using Refused = decltype(TypedTensorView<long double, 1>(std::declval<TensorView>()));
int64_t Size(Refused x) { return x.size(0); }
#endif
