// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/packed_args.h
 * \brief PackedArgs, and which callables take arguments that are packed.
 *
 * Serves function.h alone.
 */
#ifndef TVM_FFI_DETAIL_PACKED_ARGS_H_
#define TVM_FFI_DETAIL_PACKED_ARGS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

/*! \brief Borrowed arguments of one call. */
class PackedArgs {
 public:
  /*!
   * \param data `size` views, borrowed; may be null when there are none.
   * \param size number of arguments.
   */
  PackedArgs(const AnyView* data, int32_t size) : data_(data), size_(size) {}

  /*! \brief Number of arguments. */
  int size() const { return size_; }
  /*! \brief The first argument. */
  const AnyView* data() const { return data_; }
  /*! \brief Arguments `begin` up to `end` (exclusive; -1: all that follow). Not checked. */
  PackedArgs Slice(int begin, int end = -1) const {
    return PackedArgs(data_ + begin, (end == -1 ? size_ : end) - begin);
  }
  /*! \brief Argument `i`. Not checked. */
  AnyView operator[](int i) const { return data_[i]; }

  /*! \brief Write views of `args` to `data`, which has room for them. */
  template <typename... Args>
  TVM_FFI_INLINE static void Fill(AnyView* data, Args&&... args) {
    [[maybe_unused]] int32_t i = 0;
    ((data[i++] = AnyView(std::forward<Args>(args))), ...);
  }

 private:
  const AnyView* data_;
  int32_t size_;
};

namespace detail {

template <typename Arg>
inline constexpr bool is_held_argument_v =
    view_needs_owner_v<std::remove_const_t<std::remove_reference_t<Arg>>>;

/*! \brief The argument itself, or an Any of it where a view would have nothing to point at. */
template <typename Arg>
TVM_FFI_INLINE decltype(auto) HoldArgument(Arg&& arg) {
  if constexpr (is_held_argument_v<Arg>) {
    return Any(std::forward<Arg>(arg));
  } else {
    return std::forward<Arg>(arg);
  }
}

template <typename F>
inline constexpr bool takes_packed_args_v = std::is_invocable_v<F, PackedArgs, Any*>;

template <typename F>
inline constexpr bool takes_raw_args_v = std::is_invocable_v<F, const AnyView*, int32_t, Any*>;

/*! \brief Whether Function can be made from `F`; functions themselves are copied, not wrapped. */
template <typename F>
inline constexpr bool is_packed_callable_v =
    std::conjunction_v<std::negation<std::is_base_of<ObjectRef, F>>,
                       std::disjunction<std::is_invocable<F&, PackedArgs, Any*>,
                                        std::is_invocable<F&, const AnyView*, int32_t, Any*>>>;

/*! \brief Adapts a callable `(PackedArgs, Any*)` to what FunctionObjImpl calls. */
template <typename TCallable>
class PackedArgsCallable {
 public:
  template <typename... Args>
  explicit PackedArgsCallable(std::in_place_t, Args&&... args)
      : callable_(std::forward<Args>(args)...) {}

  TVM_FFI_INLINE void operator()(const AnyView* args, int32_t num_args, Any* result) {
    callable_(PackedArgs(args, num_args), result);
  }

  TCallable* callable() { return &callable_; }

 private:
  TCallable callable_;
};

}  // namespace detail

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_PACKED_ARGS_H_
