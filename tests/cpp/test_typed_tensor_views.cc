// SPDX-License-Identifier: Apache-2.0
// Typed tensors as views of the standard library: std::span and, where it exists, std::mdspan.
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

#ifdef __cpp_lib_mdspan
TEST(TypedTensorViews, AnMdspanHasTheLayoutOfTheArray) {
  auto rows = MakeNumbers<ffi::TypedTensor<float, 2>>({2, 3});
  auto right = rows.to_mdspan();
  static_assert(std::is_same_v<decltype(right)::layout_type, std::layout_right>);
  EXPECT_EQ(right.extent(0), 2);
  EXPECT_EQ(right.extent(1), 3);
  EXPECT_EQ((right[1, 0]), 3.0f);
  right[1, 0] = 9.0f;
  EXPECT_EQ(rows(1, 0), 9.0f);

  int64_t shape[] = {3, 2}, strides[] = {1, 3};
  DLTensor transposed = *rows.GetDLTensorPtr();
  transposed.shape = shape;
  transposed.strides = strides;
  ffi::TensorView untyped(&transposed);
  ffi::TypedTensorView<const float, 2, ffi::ColumnMajor> columns(untyped);
  auto left = columns.to_mdspan();
  static_assert(std::is_same_v<decltype(left)::layout_type, std::layout_left>);
  EXPECT_EQ((left[0, 1]), 9.0f);

  ffi::TypedTensorView<float, 2, ffi::Strided> strided(untyped);
  auto any = strided.to_mdspan();
  static_assert(std::is_same_v<decltype(any)::layout_type, std::layout_stride>);
  EXPECT_EQ((any[2, 1]), 5.0f);
  EXPECT_EQ(any.stride(1), 3);

  ffi::TypedTensor<float, 0> scalar = ffi::TypedTensor<float, 0>::Empty({});
  *scalar.data() = 4.0f;
  EXPECT_EQ(scalar.to_mdspan()[], 4.0f);
}
#endif

}  // namespace
