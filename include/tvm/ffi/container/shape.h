// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/shape.h
 * \brief Shape, an immutable array of extents, and ShapeView, which borrows extents.
 */
#ifndef TVM_FFI_CONTAINER_SHAPE_H_
#define TVM_FFI_CONTAINER_SHAPE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace tvm::ffi {

namespace detail {

/*!
 * \brief Multiply two element counts.
 * \throws OverflowError when the result does not fit int64_t.
 */
inline int64_t CheckedProduct(int64_t a, int64_t b) {
#if defined(__GNUC__) || defined(__clang__)
  int64_t result;
  bool fits = !__builtin_mul_overflow(a, b, &result);
#else
  constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
  bool fits =
      a == 0 || b == 0 ||
      (a > 0 ? (b > 0 ? a <= kMax / b : b >= kMin / a) : (b > 0 ? a >= kMin / b : b >= kMax / a));
  int64_t result = fits ? a * b : 0;
#endif
  if (TVM_FFI_PREDICT_FALSE(!fits)) {
    TVM_FFI_THROW(OverflowError) << "Product of extents " << a << " * " << b
                                 << " does not fit int64_t";
  }
  return result;
}

/*! \brief Return the product of `size` extents, 1 when there are none. \throws OverflowError when
 * the product does not fit int64_t. */
inline int64_t ExtentProduct(const int64_t* data, size_t size) {
  // A zero extent makes the product zero, even where the other extents would overflow.
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == 0) return 0;
  }
  int64_t product = 1;
  for (size_t i = 0; i < size; ++i) product = CheckedProduct(product, data[i]);
  return product;
}

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowShapeIndex(size_t i,
                                                                             size_t size) {
  TVM_FFI_THROW(IndexError) << "indexing " << i << " on a Shape of size " << size;
  TVM_FFI_UNREACHABLE();
}

}  // namespace detail

/*! \brief Borrowed extents: a pointer and a length. The owner must outlive the view. */
class ShapeView {
 public:
  /*! \brief Make a view without extents. */
  ShapeView() : cell_{nullptr, 0} {}
  /*! \brief Make a view of `size` extents, which begin at `data`. */
  ShapeView(const int64_t* data, size_t size) : cell_{data, size} {}
  /*! \brief Make a view of a list, which must outlive the view; suitable for arguments only. */
  ShapeView(const std::initializer_list<int64_t>& other)  // NOLINT(*)
      : cell_{other.begin(), other.size()} {}
  ShapeView(const ShapeView& other) = default;
  ShapeView& operator=(const ShapeView& other) = default;

  /*! \brief Return the address of the first extent; may be NULL when there is none. */
  const int64_t* data() const { return cell_.data; }
  size_t size() const { return cell_.size; }
  bool empty() const { return cell_.size == 0; }
  /*! \brief Return the product of the extents, 1 when empty. \throws OverflowError. */
  int64_t Product() const { return detail::ExtentProduct(cell_.data, cell_.size); }
  /*! \brief Return extent `idx`, unchecked. */
  int64_t operator[](size_t idx) const { return cell_.data[idx]; }
  /*! \brief Return extent `idx`. \throws IndexError when out of range. */
  int64_t at(size_t idx) const {
    if (TVM_FFI_PREDICT_FALSE(idx >= cell_.size)) detail::ThrowShapeIndex(idx, cell_.size);
    return cell_.data[idx];
  }
  /*! \brief Return the first extent. \throws IndexError when empty. */
  int64_t front() const { return at(0); }
  /*! \brief Return the last extent. \throws IndexError when empty. */
  int64_t back() const { return at(cell_.size == 0 ? 0 : cell_.size - 1); }
  const int64_t* begin() const { return cell_.data; }
  const int64_t* end() const { return cell_.data + cell_.size; }

 private:
  TVMFFIShapeCell cell_;
};

/*! \brief The object of Shape. The extents follow the object in memory, or are in a vector that it
 * owns. */
class ShapeObj : public Object, public TVMFFIShapeCell {
 public:
  /*! \brief The type of an extent. */
  using index_type = int64_t;

  /*! \brief Return the product of the extents, 1 when empty. \throws OverflowError. */
  int64_t Product() const {
    return detail::ExtentProduct(this->TVMFFIShapeCell::data, this->TVMFFIShapeCell::size);
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIShape;
  static constexpr const bool _type_child_slots_can_overflow = false;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIShape, ShapeObj, Object);
  /// \endcond
};

namespace detail {

/*! \brief A ShapeObj that owns a vector, which is moved in without copying the numbers. */
class ShapeObjStdImpl : public ShapeObj {
 public:
  explicit ShapeObjStdImpl(std::vector<int64_t> other) : data_(std::move(other)) {
    this->TVMFFIShapeCell::data = data_.data();
    this->TVMFFIShapeCell::size = data_.size();
  }

 private:
  std::vector<int64_t> data_;
};

/*!
 * \brief Make a ShapeObj with memory for `length` extents, which are not yet set.
 * \param mutable_data receives the address of the extents.
 * \throws ValueError when `length` is too large.
 */
inline ObjectPtr<ShapeObj> MakeEmptyShape(size_t length, int64_t** mutable_data) {
  if (length > (SIZE_MAX / 2 - sizeof(ShapeObj)) / sizeof(int64_t)) {
    TVM_FFI_THROW(ValueError) << "A Shape cannot have " << length << " extents";
  }
  ObjectPtr<ShapeObj> p = make_inplace_array_object<ShapeObj, int64_t>(length);
  *mutable_data = reinterpret_cast<int64_t*>(reinterpret_cast<char*>(p.get()) + sizeof(ShapeObj));
  p->data = *mutable_data;
  p->size = length;
  return p;
}

/*! \brief Make a ShapeObj that contains the extents of [begin, end). \throws ValueError when the
 * length of the range is negative. */
template <typename IterType>
inline ObjectPtr<ShapeObj> MakeInplaceShape(IterType begin, IterType end) {
  if constexpr (is_single_pass_v<IterType>) {
    return make_object<ShapeObjStdImpl>(std::vector<int64_t>(begin, end));
  } else {
    int64_t length = static_cast<int64_t>(std::distance(begin, end));
    if (length < 0) TVM_FFI_THROW(ValueError) << "cannot construct a Shape of negative size";
    int64_t* mutable_data;
    ObjectPtr<ShapeObj> p = MakeEmptyShape(static_cast<size_t>(length), &mutable_data);
    for (; begin != end; ++begin, ++mutable_data) *mutable_data = static_cast<int64_t>(*begin);
    return p;
  }
}

/*!
 * \brief Write the strides of a compact row-major tensor, in elements.
 * \param out_strides array with as many elements as `shape`.
 * \throws OverflowError when a stride does not fit and no extent is zero. The strides of a tensor
 *         without elements have no meaning, and may wrap.
 */
inline void FillStridesFromShape(ShapeView shape, int64_t* out_strides) {
  bool has_elements = std::find(shape.begin(), shape.end(), 0) == shape.end();
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    out_strides[i] = stride;
    if (i == 0) break;
    stride =
        has_elements
            ? CheckedProduct(stride, shape[i])
            : static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(shape[i]));
  }
}

/*! \brief Make a ShapeObj with the strides of a compact row-major tensor, in elements. */
inline ObjectPtr<ShapeObj> MakeStridesFromShape(ShapeView shape) {
  int64_t* strides_data;
  ObjectPtr<ShapeObj> strides = MakeEmptyShape(shape.size(), &strides_data);
  FillStridesFromShape(shape, strides_data);
  return strides;
}

}  // namespace detail

/*! \brief An immutable array of extents; copies share one object. A Shape is null only after it was
 * moved from. */
class Shape : public ObjectRef {
 public:
  /*! \brief The type of an extent. */
  using index_type = int64_t;

  /*! \brief Make a shape without extents. */
  Shape() : ObjectRef(make_object<detail::ShapeObjStdImpl>(std::vector<int64_t>())) {}

  /*! \brief Make a shape of the extents in [begin, end). */
  template <typename IterType>
  Shape(IterType begin, IterType end) : Shape(detail::MakeInplaceShape(begin, end)) {}
  /*! \brief Make a shape of the numbers in an array. */
  Shape(Array<int64_t> shape) : Shape(shape.begin(), shape.end()) {}  // NOLINT(*)
  /*! \brief Make a shape of the numbers in a list. */
  Shape(std::initializer_list<int64_t> shape) : Shape(shape.begin(), shape.end()) {}  // NOLINT(*)
  /*! \brief Make a shape that owns a vector. Pass the vector with std::move to avoid a copy. */
  Shape(std::vector<int64_t> other)  // NOLINT(*)
      : ObjectRef(make_object<detail::ShapeObjStdImpl>(std::move(other))) {}
  /*! \brief Make a copy of borrowed extents. */
  Shape(ShapeView other) : Shape(other.begin(), other.end()) {}  // NOLINT(*)

  /*! \brief Return the strides of a compact row-major tensor of this shape, in elements. */
  static Shape StridesFromShape(ShapeView shape) {
    return Shape(detail::MakeStridesFromShape(shape));
  }

  /*! \brief Borrow the extents; the view is valid while this shape lives. */
  operator ShapeView() const { return ShapeView(data(), size()); }  // NOLINT(*)

  /*! \brief Return the address of the first extent; may be NULL when there is none. */
  const int64_t* data() const { return get() == nullptr ? nullptr : get()->data; }
  size_t size() const { return get() == nullptr ? 0 : get()->size; }
  bool empty() const { return size() == 0; }
  /*! \brief Return extent `idx`, unchecked. */
  int64_t operator[](size_t idx) const { return data()[idx]; }
  /*! \brief Return extent `idx`. \throws IndexError when out of range. */
  int64_t at(size_t idx) const { return ShapeView(*this).at(idx); }
  /*! \brief Return the first extent. \throws IndexError when empty. */
  int64_t front() const { return at(0); }
  /*! \brief Return the last extent. \throws IndexError when empty. */
  int64_t back() const { return ShapeView(*this).back(); }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size(); }
  /*! \brief Return the product of the extents, 1 when empty. \throws OverflowError. */
  int64_t Product() const { return ShapeView(*this).Product(); }

  /// \cond Doxygen_Suppress
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Shape, ObjectRef, ShapeObj);
  /// \endcond

 private:
  explicit Shape(ObjectPtr<ShapeObj> ptr) : ObjectRef(ObjectPtr<Object>(std::move(ptr))) {}
};

/*! \brief Write `[1, 2, 3]`, or `[]` for an empty shape. */
inline std::ostream& operator<<(std::ostream& os, const Shape& shape) {
  os << '[';
  for (size_t i = 0; i < shape.size(); ++i) os << (i == 0 ? "" : ", ") << shape[i];
  return os << ']';
}

template <>
inline constexpr bool use_default_type_traits_v<Shape> = false;

/*! \brief Accepts a Shape, and converts values that can be converted to Array<int64_t>. */
template <>
struct TypeTraits<Shape> : public ObjectRefWithFallbackTraitsBase<Shape, Array<int64_t>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIShape;
  static Shape ConvertFallbackValue(const Array<int64_t>& src) { return Shape(src); }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_SHAPE_H_
