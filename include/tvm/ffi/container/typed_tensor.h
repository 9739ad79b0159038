// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/typed_tensor.h
 * \brief TypedTensorView and TypedTensor: arrays whose data type, dimensions, layout and device are
 * checked before a function runs.
 *
 * \code
 * void Scale(ffi::TypedTensorView<float, 1> x, double factor) {
 *   for (float& value : x) value *= static_cast<float>(factor);
 * }
 *
 * ffi::TypedTensor<float, ffi::Dims<'m', 'n'>> MatMul(
 *     ffi::TypedTensorView<const float, ffi::Dims<'m', 'k'>> a,
 *     ffi::TypedTensorView<const float, ffi::Dims<'k', 'n'>> b);
 * \endcode
 *
 * Callers in C, and libraries that were compiled before, see ordinary tensors.
 */
#ifndef TVM_FFI_CONTAINER_TYPED_TENSOR_H_
#define TVM_FFI_CONTAINER_TYPED_TENSOR_H_

#include <tvm/ffi/container/const_tensor.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/detail/call_extents.h>
#include <tvm/ffi/detail/tensor_rule.h>
#include <tvm/ffi/extra/c_env_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#if __has_include(<version>)
#include <version>
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace tvm::ffi {

// The arguments of typed tensors after the element type, in any order.

/*! \brief Any number of dimensions; this is the default. */
inline constexpr const detail::AnyRankTag* AnyRank = nullptr;
/*! \brief The extents: `Dims<'m', 4, kAny>`. A number is the exact extent. A character is a name:
 * extents with the same name are equal, in one array and over all parameters and the result of a
 * function. */
template <auto... extents>
inline constexpr const detail::DimsTag<extents...>* Dims = nullptr;
/*! \brief In Dims, an extent that may be any number. */
inline constexpr detail::AnyExtent kAny = detail::AnyExtent::kAny;

/*! \brief Contiguous in row-major order (C); strides of axes with one element do not count, nor
 * those of arrays without elements. This is the default. */
inline constexpr const detail::LayoutTag<detail::TensorLayout::kRowMajor>* RowMajor = nullptr;
/*! \brief Contiguous in column-major order (Fortran). */
inline constexpr const detail::LayoutTag<detail::TensorLayout::kColumnMajor>* ColumnMajor = nullptr;
/*! \brief The elements of the last dimension lie one after the other. */
inline constexpr const detail::LayoutTag<detail::TensorLayout::kInnerContiguous>* InnerContiguous =
    nullptr;
/*! \brief Any strides. */
inline constexpr const detail::LayoutTag<detail::TensorLayout::kStrided>* Strided = nullptr;

/*! \brief Memory on one of these types of devices, for example `OnDevice<kDLVulkan>`. */
template <DLDeviceType... types>
inline constexpr const detail::DeviceTag<(detail::DeviceBit(types) | ...)>* OnDevice = nullptr;
/*! \brief Memory of the CPU, also memory that is pinned for a GPU. This is the default. */
inline constexpr auto Cpu = OnDevice<kDLCPU, kDLCUDAHost, kDLROCMHost>;
/*! \brief Memory of a CUDA device, also managed memory. */
inline constexpr auto Cuda = OnDevice<kDLCUDA, kDLCUDAManaged>;
/*! \brief Memory of a ROCm device. */
inline constexpr auto Rocm = OnDevice<kDLROCM>;
/*! \brief Memory on any device. */
inline constexpr const detail::DeviceTag<detail::kAnyDeviceType>* AnyDevice = nullptr;
/*! \brief All arguments of a function with this option are on the same device. Without another
 * option about devices, this is any device. */
inline constexpr const detail::SameDeviceTag* SameDevice = nullptr;
/*! \brief The first element is at a multiple of this number of bytes, a power of two. Without the
 * option, the alignment is that of the element type. */
template <size_t alignment>
inline constexpr const detail::AlignedTag<alignment>* Aligned = nullptr;

template <typename T, auto... specs>
class TypedTensorView;
template <typename T, auto... specs>
class TypedTensor;

namespace detail {

/*! \brief The template arguments of a typed tensor, and the types that follow from them. */
template <typename T, auto... specs>
struct TypedTensorInfo {
  static constexpr TensorRule kRule = kTensorRule<T, specs...>;
  static constexpr bool kOnCpu =
      (kRule.devices & ~(DeviceBit(kDLCPU) | DeviceBit(kDLCUDAHost) | DeviceBit(kDLROCMHost) |
                         DeviceBit(kDLCUDAManaged))) == 0;
  static constexpr bool kContiguous =
      kRule.layout == TensorLayout::kRowMajor || kRule.layout == TensorLayout::kColumnMajor;
  using UntypedView = std::conditional_t<kRule.is_const, ConstTensorView, TensorView>;
  using UntypedTensor = std::conditional_t<kRule.is_const, ConstTensor, Tensor>;
};

/*! \brief Return whether every array that `from` accepts is also accepted by `to`. */
constexpr bool Implies(const TensorRule& from, const TensorRule& to) {
  for (int32_t i = 0; i < from.num_dtypes; ++i) {
    bool found = false;
    for (int32_t j = 0; j < to.num_dtypes; ++j) {
      found = found || (from.dtypes[i] == to.dtypes[j] && from.alignments[i] >= to.alignments[j]);
    }
    if (!found) return false;
  }
  bool layout =
      from.layout == to.layout || to.layout == TensorLayout::kStrided ||
      (from.layout == TensorLayout::kRowMajor && to.layout == TensorLayout::kInnerContiguous);
  if (!layout || (from.is_const && !to.is_const) || (from.devices & ~to.devices) != 0 ||
      from.alignment < to.alignment) {
    return false;
  }
  if (to.rank >= 0 && from.rank != to.rank) return false;
  for (int32_t i = 0; i < to.rank && i < kMaxDeclaredRank; ++i) {
    const DeclaredExtent& extent = to.extents[i];
    if (extent.kind == DeclaredExtent::kNumber &&
        !(from.extents[i].kind == DeclaredExtent::kNumber &&
          from.extents[i].value == extent.value)) {
      return false;
    }
    for (int32_t j = 0; j < i && extent.kind == DeclaredExtent::kName; ++j) {
      // Equal names require equal extents, which `from` must require too.
      if (to.extents[j].kind == DeclaredExtent::kName && to.extents[j].value == extent.value &&
          !(from.extents[i].kind != DeclaredExtent::kAny &&
            from.extents[i].kind == from.extents[j].kind &&
            from.extents[i].value == from.extents[j].value)) {
        return false;
      }
    }
  }
  return true;
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowTensorRefusal(
    const DLTensor& tensor, const TensorRule& rule) {
  Refusal refusal = RefusalOfTensor(tensor, rule);
  throw Error(refusal.kind, refusal.text, TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0));
}

[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowElementIndex(int64_t index,
                                                                               int32_t dimension,
                                                                               int64_t extent) {
  TVM_FFI_THROW(IndexError) << "index " << index << " is out of bounds for dimension " << dimension
                            << " with " << extent << " elements";
  TVM_FFI_UNREACHABLE();
}

#if defined(TVM_FFI_CHECK_INDEX) || !defined(NDEBUG)
inline constexpr bool kChecksElementIndex = true;
#else
inline constexpr bool kChecksElementIndex = false;
#endif

/*! \brief The members of typed tensors. `Derived::GetDLTensorPtr()` returns the array. */
template <typename Derived, typename T, auto... specs>
class TypedTensorAccess {
  using Info = TypedTensorInfo<T, specs...>;

 public:
  /*! \brief The type of an element, const if elements are only read. */
  using element_type = T;
  /*! \brief The data type of the elements. */
  DLDataType dtype() const { return dl().dtype; }
  /*! \brief The device of the memory. */
  DLDevice device() const { return dl().device; }
  /*! \brief The number of dimensions. */
  int32_t ndim() const { return dl().ndim; }
  /*! \brief The extents, borrowed from this object. */
  ShapeView shape() const { return ShapeView(dl().shape, static_cast<size_t>(dl().ndim)); }
  /*! \brief The strides in elements, borrowed from this object. \throws InternalError if the array
   * came from C without strides. */
  ShapeView strides() const { return StridesOf(dl()); }
  /*! \brief The extent of a dimension; a negative index counts from the end. \throws IndexError. */
  int64_t size(int64_t dimension) const {
    return dl().shape[CheckedDimension(dimension, dl().ndim)];
  }
  /*! \brief The number of elements. */
  int64_t numel() const { return shape().Product(); }

  /*! \brief The address of the first element. The memory may be on another device. */
  T* data() const {
    static_assert(ElementTypes<T>::is_single, "the element type is not known: call visit()");
    return reinterpret_cast<T*>(static_cast<char*>(dl().data) + dl().byte_offset);
  }

  /*!
   * \brief The element at an index of one number for each dimension. Not for memory of a GPU.
   * \throws IndexError if an index is out of bounds: in debug builds, and where the macro
   *         TVM_FFI_CHECK_INDEX is defined. Otherwise, the behavior is undefined.
   */
  template <typename... Index>
  TVM_FFI_INLINE T& operator()(Index... index) const {
    static_assert(Info::kOnCpu, "the elements are not in memory of the CPU");
    static_assert(Info::kRule.rank < 0 || Info::kRule.rank == sizeof...(Index),
                  "give one index for each dimension");
    static_assert((std::is_integral_v<Index> && ...), "an index is an integer");
    const int64_t indices[sizeof...(Index) + 1] = {static_cast<int64_t>(index)...};
    constexpr int32_t kNum = static_cast<int32_t>(sizeof...(Index));
    if constexpr (kChecksElementIndex) CheckIndices(indices, kNum);
    int64_t offset = 0;
    if constexpr (Info::kRule.layout == TensorLayout::kRowMajor) {
      for (int32_t i = 0; i < kNum; ++i) offset = offset * dl().shape[i] + indices[i];
    } else if constexpr (Info::kRule.layout == TensorLayout::kColumnMajor) {
      for (int32_t i = kNum; i-- > 0;) offset = offset * dl().shape[i] + indices[i];
    } else if (TVM_FFI_PREDICT_TRUE(dl().strides != nullptr)) {
      for (int32_t i = 0; i < kNum; ++i) offset += indices[i] * dl().strides[i];
    } else {
      for (int32_t i = 0; i < kNum; ++i) offset = offset * dl().shape[i] + indices[i];
    }
    return data()[offset];
  }

  /*! \brief The elements in the order of memory, for contiguous layouts. */
  T* begin() const {
    static_assert(Info::kContiguous, "only contiguous arrays can be iterated");
    static_assert(Info::kOnCpu, "the elements are not in memory of the CPU");
    return data();
  }
  T* end() const { return begin() + numel(); }

#ifdef __cpp_lib_span
  /*! \brief All elements of a contiguous array. */
  operator std::span<T>() const {  // NOLINT(google-explicit-constructor)
    return std::span<T>(begin(), static_cast<size_t>(numel()));
  }
#endif

#ifdef __cpp_lib_mdspan
  /*! \brief The array as a std::mdspan, whose layout is std::layout_right, std::layout_left or, if
   * the layout is not contiguous, std::layout_stride. The number of dimensions must be
   * declared. */
  auto to_mdspan() const {
    static_assert(Info::kRule.rank >= 0, "declare the number of dimensions");
    constexpr size_t kRank = Info::kRule.rank < 0 ? 0 : Info::kRule.rank;
    using Extents = std::dextents<int64_t, kRank>;
    Extents extents(std::span<const int64_t, kRank>(shape().data(), kRank));
    if constexpr (Info::kRule.layout == TensorLayout::kRowMajor) {
      return std::mdspan<T, Extents>(data(), extents);
    } else if constexpr (Info::kRule.layout == TensorLayout::kColumnMajor) {
      return std::mdspan<T, Extents, std::layout_left>(data(), extents);
    } else {
      std::layout_stride::mapping<Extents> mapping(
          extents, std::span<const int64_t, kRank>(strides().data(), kRank));
      return std::mdspan<T, Extents, std::layout_stride>(data(), mapping);
    }
  }
#endif

  /*! \brief For elements of one of several types: call `f` with a TypedTensorView whose element
   * type is that of the array, and return its result. */
  template <typename F>
  decltype(auto) visit(F&& f) const {
    return Visit(std::forward<F>(f), static_cast<T*>(nullptr));
  }

  /*! \brief Check the array against another type. \throws TypeError, ValueError. */
  template <typename To>
  To Cast() const {
    return To(static_cast<const Derived*>(this)->untyped());
  }

 private:
  TVM_FFI_INLINE const DLTensor& dl() const {
    return *static_cast<const Derived*>(this)->GetDLTensorPtr();
  }

  void CheckIndices(const int64_t* indices, int32_t count) const {
    if (count != dl().ndim) {
      TVM_FFI_THROW(IndexError) << "an array of " << dl().ndim << " dimensions has " << dl().ndim
                                << " indices, not " << count;
    }
    for (int32_t i = 0; i < count; ++i) {
      if (indices[i] < 0 || indices[i] >= dl().shape[i]) {
        ThrowElementIndex(indices[i], i, dl().shape[i]);
      }
    }
  }

  template <typename F, typename First, typename... Rest>
  decltype(auto) Visit(F&& f, OneOf<First, Rest...>*) const {
    return VisitNext<First, Rest...>(std::forward<F>(f));
  }
  template <typename F, typename First, typename... Rest>
  decltype(auto) Visit(F&& f, const OneOf<First, Rest...>*) const {
    return VisitNext<const First, const Rest...>(std::forward<F>(f));
  }
  template <typename First, typename... Rest, typename F>
  decltype(auto) VisitNext(F&& f) const {
    if constexpr (sizeof...(Rest) != 0) {
      if (!(dl().dtype == DTypeOf<std::remove_const_t<First>>::value)) {
        return VisitNext<Rest...>(std::forward<F>(f));
      }
    }
    return std::forward<F>(f)(TypedTensorView<First, specs...>(dl(), UnsafeInit{}));
  }
};

}  // namespace detail

/*!
 * \brief A borrowed array whose properties are checked; for parameters.
 * \tparam T the element type; `const T` only reads, and accepts read-only arrays; `OneOf<...>` for
 *         one of several types. A type of your own needs a specialisation of DTypeOf.
 * \tparam specs the number of dimensions or Dims, and the options above, in any order.
 *
 * As with TensorView, the source of a view must outlive it. A view converts to a less specific one
 * and to TensorView (const: ConstTensorView). The other direction is a check: the explicit
 * constructor, or Cast().
 */
template <typename T, auto... specs>
class TypedTensorView
    : public detail::TypedTensorAccess<TypedTensorView<T, specs...>, T, specs...> {
  using Info = detail::TypedTensorInfo<T, specs...>;
  using Untyped = typename Info::UntypedView;

 public:
  /*! \brief Check an array. \throws TypeError, ValueError. */
  explicit TypedTensorView(const Untyped& view) : tensor_(view.tensor_) {
    if (TVM_FFI_PREDICT_FALSE((!detail::FitsTensorRule<T, specs...>(tensor_)))) {
      detail::ThrowTensorRefusal(tensor_, Info::kRule);
    }
  }
  /*! \brief Take over an array that is known to fit. */
  TypedTensorView(const DLTensor& tensor, UnsafeInit) { detail::CopyTensor(&tensor_, tensor); }
  /*! \brief Make a less specific view. */
  template <typename U, auto... other,
            typename = std::enable_if_t<detail::Implies(detail::kTensorRule<U, other...>,
                                                        detail::kTensorRule<T, specs...>)>>
  TypedTensorView(const TypedTensorView<U, other...>& view)  // NOLINT(google-explicit-constructor)
      : tensor_(view.tensor_) {}
  /*! \brief Make a view of a tensor, which must outlive the view. */
  template <typename U, auto... other,
            typename = std::enable_if_t<detail::Implies(detail::kTensorRule<U, other...>,
                                                        detail::kTensorRule<T, specs...>)>>
  TypedTensorView(const TypedTensor<U, other...>& tensor)  // NOLINT(google-explicit-constructor)
      : tensor_(*tensor.GetDLTensorPtr()) {}
  // A temporary tensor would be destroyed at the end of the statement, before the view.
  template <typename U, auto... other>
  TypedTensorView(TypedTensor<U, other...>&&) = delete;  // NOLINT(google-explicit-constructor)

  /*! \brief The same array without its type. */
  Untyped untyped() const { return Untyped(&tensor_); }
  operator Untyped() const { return untyped(); }  // NOLINT(google-explicit-constructor)
  /*! \brief The array, borrowed from the view. */
  const DLTensor* GetDLTensorPtr() const { return &tensor_; }

 private:
  template <typename U, auto... other>
  friend class TypedTensorView;

  DLTensor tensor_;
};

/*!
 * \brief A reference to a tensor object whose properties are checked; for parameters, results,
 * fields and elements.
 * \tparam T,specs as for TypedTensorView.
 *
 * The class derives from Tensor, or from ConstTensor for `const T`. It may be null after its
 * default constructor and after a move.
 */
template <typename T, auto... specs>
class TypedTensor : public detail::TypedTensorInfo<T, specs...>::UntypedTensor,
                    public detail::TypedTensorAccess<TypedTensor<T, specs...>, T, specs...> {
  using Info = detail::TypedTensorInfo<T, specs...>;
  using Untyped = typename Info::UntypedTensor;
  using Access = detail::TypedTensorAccess<TypedTensor, T, specs...>;

 public:
  using ContainerType = TensorObj;
  static constexpr bool _type_is_nullable = false;
  using Access::device;
  using Access::dtype;
  using Access::ndim;
  using Access::numel;
  using Access::shape;
  using Access::size;
  using Access::strides;

  TypedTensor() = default;
  explicit TypedTensor(::tvm::ffi::UnsafeInit tag) : Untyped(tag) {}
  explicit TypedTensor(ObjectPtr<TensorObj> n) : TypedTensor(Untyped(std::move(n))) {}
  /*! \brief Check a tensor. \throws TypeError, ValueError; InternalError if it is null. */
  explicit TypedTensor(Untyped tensor) : Untyped(std::move(tensor)) {
    const DLTensor* array = this->GetDLTensorPtr();
    TVM_FFI_ICHECK(array != nullptr) << "the tensor is null";
    if (TVM_FFI_PREDICT_FALSE((!detail::FitsTensorRule<T, specs...>(*array)))) {
      detail::ThrowTensorRefusal(*array, Info::kRule);
    }
  }
  /*! \brief Refer to the same tensor by a less specific type. */
  template <typename U, auto... other,
            typename = std::enable_if_t<detail::Implies(detail::kTensorRule<U, other...>,
                                                        detail::kTensorRule<T, specs...>)>>
  TypedTensor(const TypedTensor<U, other...>& other_tensor)  // NOLINT(google-explicit-constructor)
      : Untyped(other_tensor.untyped()) {}
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypedTensor);

  /*!
   * \brief Make a tensor without initialising its elements.
   * \param shape the extents, which must fit the declared ones.
   * \param device where the memory is. It comes from the array library of the arguments of the call
   *         in which this function runs; memory of the CPU comes from the runtime if there is none.
   * \throws ValueError if the extents do not fit; the error of the allocator.
   */
  static TypedTensor Empty(ShapeView shape, DLDevice device = {kDLCPU, 0}) {
    static_assert(!Info::kRule.is_const, "the elements of a new tensor must be written");
    static_assert(detail::ElementTypes<T>::is_single, "the type of the elements is not known");
    static_assert(Info::kRule.layout != detail::TensorLayout::kColumnMajor,
                  "a new tensor is row-major");
    return TypedTensor(
        Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, shape, DTypeOf<T>::value, device));
  }

  /*! \brief The same tensor without its type. */
  const Untyped& untyped() const { return *this; }
};

template <typename T, auto... specs>
inline constexpr bool use_default_type_traits_v<TypedTensor<T, specs...>> = false;
template <typename T, auto... specs>
inline constexpr bool may_write_tensor_v<TypedTensorView<T, specs...>> =
    !detail::kTensorRule<T, specs...>.is_const;

namespace detail {

template <typename T, auto... specs>
inline constexpr TensorRule tensor_rule_v<TypedTensorView<T, specs...>> = kTensorRule<T, specs...>;
template <typename T, auto... specs>
inline constexpr TensorRule tensor_rule_v<TypedTensor<T, specs...>> = kTensorRule<T, specs...>;
template <typename T, auto... specs>
inline constexpr bool is_typed_tensor_v<TypedTensorView<T, specs...>> = true;
template <typename T, auto... specs>
inline constexpr bool is_typed_tensor_v<TypedTensor<T, specs...>> = true;

/*! \brief The traits that typed views and typed tensors have in common. */
template <typename T, auto... specs>
struct TypedTensorTraitsBase : public TypeTraitsBase {
  static std::string TypeStr() { return TensorRuleName(kTensorRule<T, specs...>); }
  static Refusal GetRefusal(const TVMFFIAny* source) {
    const DLTensor* tensor = DLTensorOf(source);
    if (tensor == nullptr) return {};
    return RefusalOfTensor(*tensor, kTensorRule<T, specs...>);
  }
};

}  // namespace detail

/*! \brief For parameters only: accepts a borrowed DLTensor*, or a tensor object, that fits. */
template <typename T, auto... specs>
struct TypeTraits<TypedTensorView<T, specs...>>
    : public detail::TypedTensorTraitsBase<T, specs...> {
  using Info = detail::TypedTensorInfo<T, specs...>;
  using Self = TypedTensorView<T, specs...>;
  static constexpr bool storage_enabled = false;
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIDLTensorPtr;

  TVM_FFI_INLINE static void CopyToAnyView(const Self& source, TVMFFIAny* result) {
    static_assert(!Info::kRule.is_const,
                  "a view of const elements is not an argument or a result: the receiver could not "
                  "know that the memory must not be written to; use a TypedTensor");
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIDLTensorPtr, source.GetDLTensorPtr());
  }
  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFIDLTensorPtr &&
           detail::FitsTensorRule<T, specs...>(*static_cast<const DLTensor*>(source->v_ptr));
  }
  TVM_FFI_INLINE static Self CopyFromAnyViewAfterCheck(const TVMFFIAny* source) {
    return Self(*static_cast<const DLTensor*>(source->v_ptr), UnsafeInit{});
  }
  TVM_FFI_INLINE static std::optional<Self> TryCastFromAnyView(const TVMFFIAny* source) {
    const DLTensor* tensor = detail::DLTensorOf(source);
    if (TVM_FFI_PREDICT_FALSE(tensor == nullptr ||
                              !(detail::FitsTensorRule<T, specs...>(*tensor)))) {
      return std::nullopt;
    }
    return Self(*tensor, UnsafeInit{});
  }
  static std::string TypeSchema() {
    return detail::TensorRuleSchema(Info::kRule, StaticTypeKey::kTVMFFIDLTensorPtr);
  }
};

/*! \brief Accepts tensor objects that fit. */
template <typename T, auto... specs>
struct TypeTraits<TypedTensor<T, specs...>>
    : public ObjectRefTypeTraitsBase<TypedTensor<T, specs...>> {
  using Self = TypedTensor<T, specs...>;
  using Base = detail::TypedTensorTraitsBase<T, specs...>;

  TVM_FFI_INLINE static bool CheckAnyStrict(const TVMFFIAny* source) {
    return source->type_index == TypeIndex::kTVMFFITensor &&
           detail::FitsTensorRule<T, specs...>(*detail::DLTensorOf(source));
  }
  static std::string TypeStr() { return Base::TypeStr(); }
  static Refusal GetRefusal(const TVMFFIAny* source) { return Base::GetRefusal(source); }
  static std::string TypeSchema() {
    return detail::TensorRuleSchema(detail::kTensorRule<T, specs...>, StaticTypeKey::kTVMFFITensor);
  }
};

}  // namespace tvm::ffi

#endif  // TVM_FFI_CONTAINER_TYPED_TENSOR_H_
