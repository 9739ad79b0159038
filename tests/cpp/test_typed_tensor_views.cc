// SPDX-License-Identifier: Apache-2.0
// Typed tensors as views of the standard library.
#include <gtest/gtest.h>
#include <tvm/ffi/container/typed_tensor.h>

#include <numeric>

namespace {

namespace ffi = tvm::ffi;

// An array of 6 elements with the numbers 0 to 5 in the order of memory.
template <typename Typed>
Typed MakeNumbers(std::initializer_list<int64_t> shape) {
  Typed made = Typed::Empty(shape);
  std::iota(made.begin(), made.end(), 0.0f);
  return made;
}

#ifdef __cpp_lib_span
TEST(TypedTensorViews, ASpanHasAllElements) {
  auto x = MakeNumbers<ffi::TypedTensor<float, 2>>({2, 3});
  std::span<float> all = x;
  EXPECT_EQ(all.data(), x.data());
  EXPECT_EQ(all.size(), 6u);
  ffi::TypedTensorView<const float, 2> view = x;
  std::span<const float> constant = view;
  EXPECT_EQ(constant.back(), 5.0f);
}
#endif

}  // namespace
