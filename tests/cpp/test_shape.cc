// SPDX-License-Identifier: Apache-2.0
// Test Shape and ShapeView: every source, checked access, products, strides, conversion.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/shape.h>

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "caught.h"
#include "container_probe.h"

namespace {

using namespace tvm::ffi;  // NOLINT
using Extents = std::vector<int64_t>;

Extents Items(const Shape& shape) { return Extents(shape.begin(), shape.end()); }

// spec: K05
TEST(Shape, FromEverySource) {
  Extents extents{2, 3, 4};
  EXPECT_EQ(Items(Shape{2, 3, 4}), extents);
  EXPECT_EQ(Items(Shape(extents.begin(), extents.end())), extents);
  EXPECT_EQ(Items(Shape(Array<int64_t>{2, 3, 4})), extents);
  EXPECT_EQ(Items(Shape(ShapeView(extents.data(), extents.size()))), extents);
  EXPECT_EQ(Items(Shape(extents)), extents);
  std::istringstream stream("2 3 4");
  EXPECT_EQ(Items(Shape(std::istream_iterator<int64_t>(stream), std::istream_iterator<int64_t>())),
            extents);
  EXPECT_EQ(Shape().size(), 0u);
  EXPECT_TRUE(Shape().empty());
  EXPECT_EQ(Shape().use_count(), 1);
}

TEST(Shape, AMovedVectorIsNotCopied) {
  Extents extents{2, 3};
  const int64_t* before = extents.data();
  Shape shape(std::move(extents));
  EXPECT_EQ(shape.data(), before);
  EXPECT_EQ(probe::Raw<const int64_t*>(shape.get(), 24), before);
  EXPECT_EQ(probe::Raw<size_t>(shape.get(), 32), 2u);
}

TEST(Shape, InlineExtentsFollowTheObject) {
  Shape shape{5, 6};
  EXPECT_EQ(reinterpret_cast<const char*>(shape.data()),
            reinterpret_cast<const char*>(shape.get()) + 40);
  EXPECT_EQ(shape.type_index(), 69);
  EXPECT_EQ(sizeof(ShapeObj), 40u);
  EXPECT_EQ(sizeof(details::ShapeObjStdImpl), 64u);
}

// spec: K05
TEST(Shape, CheckedAccess) {
  Shape shape{1, 2};
  EXPECT_EQ(shape.at(1), 2);
  EXPECT_EQ(shape[0], 1);
  EXPECT_EQ(shape.front(), 1);
  EXPECT_EQ(shape.back(), 2);
  EXPECT_ERROR(shape.at(2), "IndexError", "indexing 2 on a Shape of size 2");
  EXPECT_ERROR(Shape().front(), "IndexError", "indexing 0 on a Shape of size 0");
  EXPECT_ERROR(Shape().back(), "IndexError", "indexing 0 on a Shape of size 0");
  EXPECT_ERROR(ShapeView().at(0), "IndexError", "indexing 0 on a Shape of size 0");
  EXPECT_ERROR(ShapeView().front(), "IndexError", "indexing 0 on a Shape of size 0");
}

// spec: K05
TEST(Shape, Product) {
  EXPECT_EQ(Shape().Product(), 1);
  EXPECT_EQ(ShapeView().Product(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).Product(), 24);
  EXPECT_EQ((Shape{-1, 3}).Product(), -3);
  EXPECT_EQ((Shape{int64_t{1} << 62, 1}).Product(), int64_t{1} << 62);
  EXPECT_EQ((Shape{int64_t{1} << 40, int64_t{1} << 40, 0}).Product(), 0);
  Shape huge{int64_t{1} << 32, int64_t{1} << 32, 16};
  EXPECT_EQ(Caught([&] { huge.Product(); }).kind(), "OverflowError");
  EXPECT_EQ(Caught([&] { huge.get()->Product(); }).kind(), "OverflowError");
}

// spec: K05
TEST(Shape, Strides) {
  EXPECT_EQ(Items(Shape::StridesFromShape(Shape{2, 3, 4})), (Extents{12, 4, 1}));
  EXPECT_EQ(Items(Shape::StridesFromShape(Shape{})), Extents{});
  EXPECT_EQ(Items(Shape::StridesFromShape(Shape{7})), Extents{1});
  EXPECT_EQ(Items(Shape::StridesFromShape(Shape{2, 0, 4})), (Extents{0, 4, 1}));
  Shape huge{2, int64_t{1} << 32, int64_t{1} << 32};
  EXPECT_EQ(Caught([&] { Shape::StridesFromShape(huge); }).kind(), "OverflowError");
  // A tensor without elements may have any strides, so no size is rejected.
  EXPECT_EQ(Shape::StridesFromShape(Shape{0, int64_t{1} << 32, int64_t{1} << 32}).size(), 3u);
}

TEST(Shape, TooManyExtentsAreRefused) {
  int64_t* data;
  EXPECT_EQ(Caught([&] { details::MakeEmptyShape(SIZE_MAX / 8, &data); }).kind(), "ValueError");
  int64_t numbers[2] = {1, 2};
  EXPECT_EQ(Caught([&] { Shape(numbers + 2, numbers); }).kind(), "ValueError");
}

TEST(Shape, ViewBorrows) {
  Shape shape{3, 4};
  ShapeView view = shape;
  EXPECT_EQ(view.data(), shape.data());
  EXPECT_EQ(view.size(), 2u);
  EXPECT_EQ(view.back(), 4);
  auto product = [](ShapeView v) { return v.Product(); };
  EXPECT_EQ(product({5, 6}), 30);
  EXPECT_EQ(Extents(view.begin(), view.end()), (Extents{3, 4}));
}

// spec: K05
TEST(Shape, Prints) {
  std::ostringstream out;
  out << Shape{1, 2, 3} << Shape();
  EXPECT_EQ(out.str(), "[1, 2, 3][]");
}

// spec: K06
TEST(Shape, ConvertsFromSequencesOfInts) {
  EXPECT_EQ(Items(Any(Array<Any>{1, true}).cast<Shape>()), (Extents{1, 1}));
  EXPECT_EQ(Items(Any(List<Any>{4, 5}).cast<Shape>()), (Extents{4, 5}));
  Shape shape{1, 2};
  EXPECT_TRUE(Any(shape).cast<Shape>().same_as(shape));
  EXPECT_TRUE(Any(shape).as<Shape>()->same_as(shape));
  EXPECT_FALSE(Any(Array<Any>{1}).as<Shape>().has_value());
  EXPECT_ERROR(Any(Array<Any>{1, 2.5}).cast<Shape>(), "TypeError",
               "Cannot convert from type `ffi.Array` to `ffi.Shape`");
  EXPECT_ERROR(Any(nullptr).cast<Shape>(), "TypeError",
               "Cannot convert from type `None` to `ffi.Shape`");
  EXPECT_EQ(details::Type2Str<Shape>::v(), "ffi.Shape");
  EXPECT_EQ(details::TypeSchema<Shape>::v(), R"({"type":"ffi.Shape"})");
  EXPECT_EQ(TypeTraits<Shape>::field_static_type_index, 69);
}

TEST(Shape, MovedFromReadsAsEmpty) {
  Shape shape{1, 2};
  Shape other = std::move(shape);
  EXPECT_EQ(shape.size(), 0u);  // NOLINT(bugprone-use-after-move): that is the subject
  EXPECT_EQ(shape.Product(), 1);
  EXPECT_EQ(other.size(), 2u);
}

TEST(Shape, TellsTheTypeOfItsExtents) {
  static_assert(std::is_same_v<Shape::index_type, int64_t>);
  std::vector<Shape::index_type> extents{2, 3};
  EXPECT_EQ(Shape(extents).Product(), 6);
}

}  // namespace
