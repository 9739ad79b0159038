// SPDX-License-Identifier: Apache-2.0
// Test TypedTensorView and TypedTensor: which arrays they accept, the errors about others, extents
// with names over parameters and results, element access, conversions and metadata.
#include "fake_cuda_types.h"
// The types of CUDA are defined above; tests/cpp/must_not_compile defines them after our headers.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/typed_tensor.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// A type of a user.
namespace tvm {
namespace ffi {
template <>
struct DTypeOf<long double*> {
  static constexpr DLDataType value = {kDLOpaqueHandle, 64, 1};
};
}  // namespace ffi
}  // namespace tvm

namespace {

using namespace tvm::ffi;  // NOLINT

/*! \brief An array on the stack; tests change its members. */
struct Sample {
  Sample(DLDataType dtype, std::vector<int64_t> extents) : shape(std::move(extents)) {
    strides.resize(shape.size());
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      strides[i] = stride;
      stride *= shape[i];
    }
    array.data = memory;
    array.device = {kDLCPU, 0};
    array.ndim = static_cast<int32_t>(shape.size());
    array.dtype = dtype;
    array.shape = shape.data();
    array.strides = strides.data();
  }
  alignas(64) char memory[1024] = {};
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  DLTensor array{};
};

constexpr DLDataType kFloat32 = {kDLFloat, 32, 1};
constexpr DLDataType kFloat64 = {kDLFloat, 64, 1};

/*! \brief Return the kind and the message of the error of a call; empty if the call succeeds. */
template <typename... Args>
std::pair<std::string, std::string> ErrorOf(const Function& function, Args&&... args) {
  try {
    function(std::forward<Args>(args)...);
  } catch (const Error& error) {
    return {error.kind(), error.message()};
  }
  return {};
}

/*! \brief Return the kind of the error with which `View` refuses an array; empty if it fits. */
template <typename View>
std::string Refused(const DLTensor& array) {
  return ErrorOf(Function::FromTyped([](View) {}), const_cast<DLTensor*>(&array)).first;
}

/* ---------------------------------------------------------------- data types */

template <typename T>
class TypedTensorDType : public ::testing::Test {};
using ElementTypes =
    ::testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t,
                     float, double, bool, std::complex<float>, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(TypedTensorDType, ElementTypes);

constexpr DLDataType kAllTypes[] = {
    {kDLInt, 8, 1},   {kDLInt, 16, 1},   {kDLInt, 32, 1},     {kDLInt, 64, 1},    {kDLUInt, 8, 1},
    {kDLUInt, 16, 1}, {kDLUInt, 32, 1},  {kDLUInt, 64, 1},    {kDLFloat, 32, 1},  {kDLFloat, 64, 1},
    {kDLBool, 8, 1},  {kDLFloat, 16, 1}, {kDLComplex, 64, 1}, {kDLBfloat, 16, 1}, {kDLFloat, 32, 4},
};

TYPED_TEST(TypedTensorDType, AcceptsItsTypeAlone) {
  for (DLDataType dtype : kAllTypes) {
    Sample sample(dtype, {2, 3});
    bool same = dtype == DTypeOf<TypeParam>::value;
    EXPECT_EQ((Refused<TypedTensorView<TypeParam, 2>>(sample.array)), same ? "" : "TypeError");
    EXPECT_EQ((Refused<TypedTensorView<const TypeParam>>(sample.array)), same ? "" : "TypeError");
    EXPECT_EQ((Refused<TypedTensorView<OneOf<TypeParam, long double*>>>(sample.array)),
              same || (dtype == DTypeOf<long double*>::value) ? "" : "TypeError");
  }
}

template <typename T, typename = void>
constexpr bool has_dtype = false;
template <typename T>
constexpr bool has_dtype<T, std::void_t<decltype(DTypeOf<T>::value)>> = true;
static_assert(has_dtype<__nv_fp8_e4m3> && has_dtype<__hip_bfloat16> && has_dtype<__nv_fp4x2_e2m1>);
static_assert(!has_dtype<__nv_fp4_e2m1> && !has_dtype<std::string> && !has_dtype<void*>);

TEST(TypedTensor, AcceptsATypeOfTheUser) {
  Sample sample({kDLOpaqueHandle, 64, 1}, {2});
  EXPECT_EQ((Refused<TypedTensorView<long double*, 1>>(sample.array)), "");
}

/* ---------------------------------------------------------------- rank and extents */

template <int... ranks>
void CheckRanks(std::integer_sequence<int, ranks...>) {
  for (int given = 0; given <= 6; ++given) {
    Sample sample(kFloat32, std::vector<int64_t>(static_cast<size_t>(given), 2));
    EXPECT_EQ((Refused<TypedTensorView<float>>(sample.array)), "");
    EXPECT_EQ((Refused<TypedTensorView<float, AnyRank>>(sample.array)), "");
    std::vector<std::string> kinds = {Refused<TypedTensorView<float, ranks>>(sample.array)...};
    for (int rank = 0; rank <= 6; ++rank) {
      EXPECT_EQ(kinds[static_cast<size_t>(rank)], rank == given ? "" : "ValueError");
    }
  }
}
TEST(TypedTensor, ChecksRank) { CheckRanks(std::make_integer_sequence<int, 7>()); }

TEST(TypedTensor, ChecksExtents) {
  Sample sample(kFloat32, {2, 3});
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<2, 3>>>(sample.array)), "");
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<2, kAny>>>(sample.array)), "");
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<'m', 'n'>>>(sample.array)), "");
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<2, 4>>>(sample.array)), "ValueError");
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<2>>>(sample.array)), "ValueError");
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<'n', 'n'>>>(sample.array)), "ValueError");
  Sample square(kFloat32, {3, 3});
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<'n', 'n'>>>(square.array)), "");
  Sample scalar(kFloat32, {});
  EXPECT_EQ((Refused<TypedTensorView<float, Dims<>>>(scalar.array)), "");
  sample.shape[0] = -1;
  EXPECT_EQ((Refused<TypedTensorView<float, 2>>(sample.array)), "ValueError");
}

/* ---------------------------------------------------------------- layout, device, memory */

TEST(TypedTensor, ChecksLayout) {
  struct Case {
    std::vector<int64_t> shape, strides;
    bool row, column, inner;
  };
  for (const Case& c : std::vector<Case>{
           {{2, 3}, {3, 1}, true, false, true},     // C
           {{2, 3}, {1, 2}, false, true, false},    // Fortran
           {{2, 3}, {6, 2}, false, false, false},   // sliced in the last dimension
           {{2, 3}, {9, 1}, false, false, true},    // sliced in the first dimension
           {{2, 3}, {-3, 1}, false, false, true},   // negative
           {{2, 3}, {3, -1}, false, false, false},  // negative
           {{2, 3}, {0, 0}, false, false, false},   // broadcast
           {{1, 3}, {77, 1}, true, true, true},     // extent 1
           {{3, 1}, {1, 77}, true, true, true},     // extent 1
           {{1, 1}, {55, 77}, true, true, true},    // extent 1
           {{0, 3}, {5, 7}, true, true, true},      // no elements
       }) {
    Sample sample(kFloat32, c.shape);
    sample.strides = c.strides;
    sample.array.strides = sample.strides.data();
    EXPECT_EQ((Refused<TypedTensorView<float, 2>>(sample.array)), c.row ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float>>(sample.array)), c.row ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, 2, ColumnMajor>>(sample.array)),
              c.column ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, ColumnMajor>>(sample.array)),
              c.column ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, 2, InnerContiguous>>(sample.array)),
              c.inner ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, 2, Strided>>(sample.array)), "");
  }
}

TEST(TypedTensor, AcceptsNullStridesAsRowMajor) {
  Sample sample(kFloat32, {2, 3});
  sample.array.strides = nullptr;
  EXPECT_EQ((Refused<TypedTensorView<float, 2>>(sample.array)), "");
  EXPECT_EQ((Refused<TypedTensorView<float, 2, ColumnMajor>>(sample.array)), "ValueError");
  float* memory = reinterpret_cast<float*>(sample.memory);
  memory[5] = 7;
  TypedTensorView<float, 2, Strided> strided{TensorView(&sample.array)};
  EXPECT_EQ(strided(1, 2), 7);
}

TEST(TypedTensor, ChecksDevice) {
  struct Case {
    DLDeviceType type;
    bool cpu, cuda, rocm;
  };
  for (Case c : {Case{kDLCPU, true, false, false}, Case{kDLCUDAHost, true, false, false},
                 Case{kDLROCMHost, true, false, false}, Case{kDLCUDA, false, true, false},
                 Case{kDLCUDAManaged, false, true, false}, Case{kDLROCM, false, false, true},
                 Case{kDLVulkan, false, false, false}}) {
    Sample sample(kFloat32, {2});
    sample.array.device.device_type = c.type;
    EXPECT_EQ((Refused<TypedTensorView<float, 1>>(sample.array)), c.cpu ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, 1, Cuda>>(sample.array)), c.cuda ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, Rocm, 1>>(sample.array)), c.rocm ? "" : "ValueError");
    EXPECT_EQ((Refused<TypedTensorView<float, 1, AnyDevice>>(sample.array)), "");
    EXPECT_EQ((Refused<TypedTensorView<float, 1, OnDevice<kDLVulkan, kDLCPU>>>(sample.array)),
              c.type == kDLVulkan || c.type == kDLCPU ? "" : "ValueError");
  }
  Sample odd(kFloat32, {2});
  odd.array.device.device_type = static_cast<DLDeviceType>(-1);
  EXPECT_EQ((Refused<TypedTensorView<float, 1>>(odd.array)), "ValueError");
  odd.array.device.device_type = static_cast<DLDeviceType>(1000);
  EXPECT_EQ((Refused<TypedTensorView<float, 1>>(odd.array)), "ValueError");
}

TEST(TypedTensor, ChecksAlignmentAndMemory) {
  Sample sample(kFloat32, {2});
  for (uint64_t offset : {1, 2, 4, 16}) {
    sample.array.byte_offset = offset;
    EXPECT_EQ((Refused<TypedTensorView<float, 1>>(sample.array)), offset < 4 ? "ValueError" : "");
    EXPECT_EQ((Refused<TypedTensorView<float, 1, Aligned<16>>>(sample.array)),
              offset < 16 ? "ValueError" : "");
  }
  *reinterpret_cast<float*>(sample.memory + 16) = 5;
  TypedTensorView<float, 1> view{TensorView(&sample.array)};
  EXPECT_EQ(view.data(), reinterpret_cast<float*>(sample.memory + 16));
  EXPECT_EQ(view(0), 5);
  sample.array.byte_offset = 0;
  sample.array.data = nullptr;
  EXPECT_EQ((Refused<TypedTensorView<float, 1>>(sample.array)), "ValueError");
  sample.shape[0] = 0;
  EXPECT_EQ((Refused<TypedTensorView<float, 1>>(sample.array)), "");
}

TEST(TypedTensor, ChecksTheOffsetAloneWhereDataIsAHandle) {
  Sample sample(kFloat32, {2});
  sample.array.device.device_type = kDLVulkan;
  for (uintptr_t handle : {4, 5}) {
    for (uint64_t offset : {3, 4}) {
      sample.array.data = reinterpret_cast<void*>(handle);
      sample.array.byte_offset = offset;
      EXPECT_EQ((Refused<TypedTensorView<float, 1, AnyDevice>>(sample.array)),
                offset == 4 ? "" : "ValueError");
    }
  }
}

TEST(TypedTensor, OfOneOfSeveralTypesChecksTheAlignmentOfTheType) {
  using View = TypedTensorView<OneOf<float, double>, 1>;
  Sample sample(kFloat32, {2});
  sample.array.byte_offset = 4;
  EXPECT_EQ(Refused<View>(sample.array), "");
  sample.array.dtype = kFloat64;
  EXPECT_EQ(Refused<View>(sample.array), "ValueError");
}

/* ---------------------------------------------------------------- several arguments, results */

using Left = TypedTensorView<const float, Dims<'m', 'k'>>;
using Right = TypedTensorView<const float, Dims<'k', 'n'>>;
using Product = TypedTensor<float, Dims<'m', 'n'>>;

struct Allocator {
  void AllocData(DLTensor* tensor) { tensor->data = ::operator new(GetDataSize(*tensor)); }
  void FreeData(DLTensor* tensor) { ::operator delete(tensor->data); }
};
Tensor NewTensor(ShapeView shape, DLDataType dtype = kFloat32) {
  return Tensor::FromNDAlloc(Allocator(), shape, dtype, {kDLCPU, 0});
}

TEST(TypedTensor, ChecksNamesOverParametersAndResult) {
  int64_t rows = 2;
  Function product = Function::FromTyped(
      [&rows](Left, Right b) { return Product(NewTensor({rows, b.size(1)})); }, "product");
  Sample a(kFloat32, {2, 3});
  Sample b(kFloat32, {3, 4});
  EXPECT_EQ(product(&a.array, &b.array).cast<Product>().size(1), 4);

  b.shape = {4, 3};
  b.array.shape = b.shape.data();
  b.strides = {3, 1};
  auto [kind, message] = ErrorOf(product, &a.array, &b.array);
  EXPECT_EQ(kind, "ValueError");
  EXPECT_NE(message.find("argument #1"), std::string::npos) << message;
  EXPECT_NE(
      message.find("expected shape (k, n) with k = 3 (dimension 1 of argument #0); got (4, 3)"),
      std::string::npos)
      << message;

  Sample fit(kFloat32, {3, 4});
  rows = 5;
  std::tie(kind, message) = ErrorOf(product, &a.array, &fit.array);
  EXPECT_EQ(kind, "RuntimeError");
  EXPECT_NE(message.find("an error of this function: expected shape (m, n) with m = 2 (dimension 0 "
                         "of argument #0), n = 4 (dimension 1 of argument #1); got (5, 4)"),
            std::string::npos)
      << message;
}

TEST(TypedTensor, RefusesANullResult) {
  Function none = Function::FromTyped([]() { return Product(); });
  auto [kind, message] = ErrorOf(none);
  EXPECT_EQ(kind, "RuntimeError");
  EXPECT_NE(message.find("got None"), std::string::npos) << message;
}

TEST(TypedTensor, SkipsAbsentOptionalArguments) {
  using Row = TypedTensorView<const float, Dims<'n'>>;
  Function f =
      Function::FromTyped([](Optional<Row> a, Row b) { return a.has_value() + b.size(0); });
  Sample three(kFloat32, {3});
  Sample four(kFloat32, {4});
  EXPECT_EQ(f(nullptr, &three.array).cast<int64_t>(), 3);
  EXPECT_EQ(f(&three.array, &three.array).cast<int64_t>(), 4);
  EXPECT_EQ(ErrorOf(f, &four.array, &three.array).first, "ValueError");
  Sample doubles(kFloat64, {3});
  EXPECT_EQ(ErrorOf(f, &doubles.array, &three.array).first, "TypeError");
}

TEST(TypedTensor, SameDeviceComparesAllArgumentsWithIt) {
  using Row = TypedTensorView<float, 1, SameDevice>;
  Function f = Function::FromTyped([](Row, Row, TypedTensorView<float, 1, AnyDevice>) {});
  Sample a(kFloat32, {3});
  Sample b(kFloat32, {3});
  Sample c(kFloat32, {3});
  a.array.device = b.array.device = {kDLCUDA, 1};
  EXPECT_EQ(ErrorOf(f, &a.array, &b.array, &c.array).second, "");
  b.array.device.device_id = 0;
  auto [kind, message] = ErrorOf(f, &a.array, &b.array, &c.array);
  EXPECT_EQ(kind, "ValueError");
  EXPECT_NE(message.find("expected an array on cuda:1, as an earlier argument; got an array on "
                         "cuda:0"),
            std::string::npos)
      << message;
}

/* ---------------------------------------------------------------- messages */

TEST(TypedTensor, MessagesNameExpectedAndGiven) {
  Function f = Function::FromTyped([](TypedTensorView<float, 1>, double) {}, "scale");
  Sample ints({kDLInt, 8, 1}, {4});
  EXPECT_EQ(
      ErrorOf(f, &ints.array, 1.0).second,
      "Mismatched type on argument #0 when calling: `scale(0: Tensor[float32, 1], 1: float) -> "
      "void`. expected a float32 array of 1 dimension, C-contiguous, on cpu; got int8, shape "
      "(4,): convert it with x.astype(\"float32\")");
  Sample strided(kFloat32, {4});
  strided.strides[0] = 2;
  EXPECT_EQ(
      ErrorOf(f, &strided.array, 1.0).second,
      "Mismatched type on argument #0 when calling: `scale(0: Tensor[float32, 1], 1: float) -> "
      "void`. expected a float32 array of 1 dimension, C-contiguous, on cpu; got strides (2,): "
      "use numpy.ascontiguousarray(x)");
  EXPECT_EQ(
      ErrorOf(f, 3, 1.0).second,
      "Mismatched type on argument #0 when calling: `scale(0: Tensor[float32, 1], 1: float) -> "
      "void`. Expected `Tensor[float32, 1]` but got `int`");
  Function g =
      Function::FromTyped([](TypedTensorView<OneOf<int32_t, float>, Dims<'n', 2, kAny>>) {});
  Sample flat(kFloat32, {4});
  EXPECT_NE(ErrorOf(g, &flat.array)
                .second.find("expected an int32 or float32 array of shape (n, 2, *), C-contiguous, "
                             "on cpu; got shape (4,)"),
            std::string::npos);
}

/* ---------------------------------------------------------------- containers, callbacks */

TEST(TypedTensor, IsAnElementOfContainers) {
  using Matrix = TypedTensor<float, 2>;
  Function count = Function::FromTyped([](const Array<Matrix>& all) { return all.size(); });
  Array<Any> good{NewTensor({2, 3}), NewTensor({1, 1})};
  EXPECT_EQ(count(good).cast<int64_t>(), 2);
  Array<Any> bad{NewTensor({2, 3}), NewTensor({2})};
  auto [kind, message] = ErrorOf(count, bad);
  EXPECT_EQ(kind, "ValueError");
  EXPECT_NE(message.find("index 1: expected a float32 array of 2 dimensions"), std::string::npos)
      << message;
  Function either =
      Function::FromTyped([](const Variant<TypedTensor<float, 1>, TypedTensor<double, 1>>& x) {
        return x.as<TypedTensor<double, 1>>().has_value();
      });
  EXPECT_TRUE(either(NewTensor({2}, kFloat64)).cast<bool>());
  EXPECT_FALSE(either(NewTensor({2})).cast<bool>());
  EXPECT_EQ(ErrorOf(either, NewTensor({2}, {kDLInt, 8, 1})).first, "TypeError");
}

TEST(TypedTensor, ChecksTheResultOfACallback) {
  using Callback = TypedFunction<TypedTensor<float, 2>(int64_t)>;
  Callback good = Function::FromTyped([](int64_t n) { return NewTensor({n, n}); });
  EXPECT_EQ(good(2).numel(), 4);
  Callback bad = Function::FromTyped([](int64_t n) { return NewTensor({n}); });
  try {
    bad(2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_NE(
        error.message().find("expected a float32 array of 2 dimensions, C-contiguous, on cpu; "
                             "got shape (2,)"),
        std::string::npos)
        << error.message();
  }
}

TEST(TypedTensor, RefusesReadOnlyTensorsUnlessConst) {
  Any frozen = ConstTensor(NewTensor({2})).AsReadOnly();
  EXPECT_EQ(ErrorOf(Function::FromTyped([](TypedTensorView<float, 1>) {}), frozen).first,
            "BufferError");
  EXPECT_EQ(ErrorOf(Function::FromTyped([](TypedTensor<float, 1>) {}), frozen).first,
            "BufferError");
  EXPECT_EQ(ErrorOf(Function::FromTyped([](TypedTensorView<const float, 1>) {}), frozen).first, "");
  EXPECT_EQ(ErrorOf(Function::FromTyped([](TypedTensor<const float, 1>) {}), frozen).first, "");
}

/* ---------------------------------------------------------------- elements */

TEST(TypedTensor, ReadsAndWritesElements) {
  TypedTensor<float, 2> tensor(NewTensor({2, 3}));
  float next = 0;
  for (float& element : tensor) element = next++;
  EXPECT_EQ(tensor(1, 2), 5);
  tensor(0, 1) = 8;
  EXPECT_EQ(tensor.data()[1], 8);
  EXPECT_EQ(tensor.end() - tensor.begin(), 6);
  EXPECT_EQ(tensor.size(-1), 3);
  Tensor transposed = tensor.as_strided({3, 2}, {1, 3});
  TypedTensorView<const float, 2, ColumnMajor> column{ConstTensorView(transposed)};
  EXPECT_EQ(column(2, 1), 5);
  TypedTensorView<float, 2, Strided> strided{TensorView(transposed)};
  EXPECT_EQ(strided(1, 0), 8);
  TypedTensor<int32_t, 0> scalar(NewTensor({}, {kDLInt, 32, 1}));
  scalar() = 4;
  EXPECT_EQ(scalar.data()[0], 4);
}

TEST(TypedTensor, VisitsTheTypeOfTheArray) {
  using Number = TypedTensorView<const OneOf<float, int64_t>, 1>;
  auto width = [](auto view) {
    static_assert(std::is_const_v<std::remove_reference_t<decltype(view(0))>>);
    return sizeof(view(0));
  };
  Sample floats(kFloat32, {1});
  EXPECT_EQ(Number(ConstTensorView(&floats.array)).visit(width), 4U);
  Sample ints({kDLInt, 64, 1}, {1});
  EXPECT_EQ(Number(ConstTensorView(&ints.array)).visit(width), 8U);
}

/* ---------------------------------------------------------------- conversions */

template <typename From, typename To>
inline constexpr bool converts = std::is_convertible_v<From, To>;

TEST(TypedTensor, ConvertsToLessSpecificTypesAlone) {
  using Exact = TypedTensorView<float, Dims<2, 3>>;
  EXPECT_TRUE((converts<Exact, TypedTensorView<const float, Dims<2, 3>>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, Dims<2, kAny>>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, Dims<'m', 'n'>>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, 2>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, 2, Strided>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, 2, InnerContiguous>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<float, 2, AnyDevice>>));
  EXPECT_TRUE((converts<Exact, TypedTensorView<OneOf<double, float>, 2>>));
  EXPECT_TRUE((converts<Exact, TensorView>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<float, Dims<'n', 'n'>>>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<double, 2>>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<float, 3>>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<float, 2, ColumnMajor>>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<float, 2, Cuda>>));
  EXPECT_FALSE((converts<Exact, TypedTensorView<float, 2, Aligned<16>>>));
  EXPECT_FALSE((converts<TypedTensorView<const float, 2>, TypedTensorView<float, 2>>));
  EXPECT_FALSE((converts<TypedTensorView<const float, 2>, TensorView>));
  EXPECT_TRUE((converts<TypedTensorView<const float, 2>, ConstTensorView>));
  EXPECT_FALSE((converts<TensorView, TypedTensorView<float, 2>>));
  EXPECT_TRUE((converts<TypedTensor<float, 2>, Tensor>));
  EXPECT_TRUE((converts<TypedTensor<const float, 2>, ConstTensor>));
  EXPECT_FALSE((converts<TypedTensor<const float, 2>, Tensor>));
  EXPECT_FALSE((converts<Tensor, TypedTensor<float, 2>>));
  EXPECT_TRUE((converts<const TypedTensor<float, 2>&, TypedTensorView<float>>));
  EXPECT_FALSE((converts<TypedTensor<float, 2>, TypedTensorView<float>>)) << "a temporary";
}

TEST(TypedTensor, CastChecks) {
  Sample sample(kFloat32, {2, 3});
  TypedTensorView<float> any{TensorView(&sample.array)};
  EXPECT_EQ((any.Cast<TypedTensorView<float, Dims<2, 3>>>().size(0)), 2);
  EXPECT_THROW((any.Cast<TypedTensorView<float, 1>>()), Error);
  EXPECT_THROW((TypedTensor<float, 2>(Tensor())), Error);
}

/* ---------------------------------------------------------------- metadata */

TEST(TypedTensor, SchemaIsThatOfATensorWithOneMoreEntry) {
  EXPECT_EQ((TypeTraits<Left>::TypeSchema()),
            R"({"type":"DLTensor*","const":true,"tensor":{"dtype":["float32"],"shape":["m","k"],)"
            R"("layout":"row_major","device":["cpu","cuda_host","rocm_host"],"align":4}})");
  EXPECT_EQ(
      (TypeTraits<
          TypedTensor<OneOf<float, double>, Dims<3, kAny>, Strided, SameDevice>>::TypeSchema()),
      R"({"type":"ffi.Tensor","tensor":{"dtype":["float32","float64"],"shape":[3,null],)"
      R"("layout":"strided","same_device":true}})");
  EXPECT_EQ((TypeTraits<TypedTensorView<int8_t, AnyDevice>>::TypeSchema()),
            R"({"type":"DLTensor*","tensor":{"dtype":["int8"],"layout":"row_major"}})");
  EXPECT_EQ((detail::Type2Str<TypedTensorView<bool, 1>>::v()), "Tensor[bool, 1]");
}

}  // namespace
