// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/callback_match.h
 * \brief Functions that find the callback of a traversal for a value, and call it.
 *
 * Used by extra/structural_visit.h and extra/structural_mutate.h.
 */
#ifndef TVM_FFI_DETAIL_CALLBACK_MATCH_H_
#define TVM_FFI_DETAIL_CALLBACK_MATCH_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/function.h>

#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief The parameters of a callback, and a check whether it accepts a value. */
template <typename Callback>
struct VisitCallbackInfo : public FunctionInfo<Callback> {
  using Info = FunctionInfo<Callback>;
  static_assert(Info::num_args >= 1, "a callback of a traversal takes the value first");
  template <size_t i>
  using Arg = std::tuple_element_t<i, typename Info::ArgType>;
  /*! \brief The type of the value that the callback takes. */
  using Value = PlainType<Arg<0>>;

  /*! \brief Return the value as the type that the callback takes; nullopt if it has another
   * type. */
  TVM_FFI_INLINE static std::optional<Value> Match(AnyView value) {
    if constexpr (is_any_or_view_v<Value>) {
      return Value(value);
    } else {
      return value.as<Value>();
    }
  }
};

/*!
 * \brief Call `call(callback, value)`, which returns an owned value, for the first callback that
 * accepts the value.
 * \param result receives the owned value, or the Error that the callback or a conversion throws.
 * \return whether `*result` was set.
 */
template <typename Callbacks, typename Call>
TVM_FFI_INLINE bool CallFirstMatching(Callbacks& callbacks, AnyView value, TVMFFIAny* result,
                                      Call call) noexcept {
  auto try_one = [&](auto& callback) -> bool {
    using Info = VisitCallbackInfo<std::decay_t<decltype(callback)>>;
    std::optional<typename Info::Value> taken = Info::Match(value);
    if (!taken.has_value()) return false;
    *result = call(callback, static_cast<typename Info::template Arg<0>&&>(*taken));
    return true;
  };
  try {
    return std::apply([&](auto&... callback) { return (try_one(callback) || ...); }, callbacks);
  } catch (...) {
    *result = AnyUnsafe::MoveAnyToTVMFFIAny(Any(CurrentExceptionAsError()));
    return true;
  }
}

/*! \brief Return the result of a callback, an `R`, `Expected<R>` or `Unexpected<E>`, as an owned
 * value. */
template <typename R>
TVM_FFI_INLINE TVMFFIAny ResultToOwned(R result) {
  if constexpr (is_expected_v<R>) {
    return ExpectedUnsafe::MoveToTVMFFIAny(std::move(result));
  } else if constexpr (is_unexpected_v<R>) {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(Error(std::move(result).error())));
  } else {
    return AnyUnsafe::MoveAnyToTVMFFIAny(Any(std::move(result)));
  }
}

/*! \brief Call a callback with the value and the elements of `states`, the result of StateTuple()
 * of its visitor or mutator. A callback with one more parameter also gets the definition
 * region. */
template <typename Callback, typename Value, typename States>
TVM_FFI_INLINE auto CallWithStates(Callback& callback, Value&& value, States states,
                                   TVMFFIDefRegionKind region) {
  constexpr size_t kNumArgs = VisitCallbackInfo<Callback>::num_args;
  constexpr size_t kNumStates = std::tuple_size_v<States>;
  static_assert(kNumArgs == 1 + kNumStates || kNumArgs == 2 + kNumStates,
                "callbacks take the value, the states of the visitor or mutator and, if they "
                "wish, the definition region");
  return std::apply(
      [&](auto&... state) {
        if constexpr (kNumArgs == 1 + kNumStates) {
          return callback(std::forward<Value>(value), state...);
        } else {
          return callback(std::forward<Value>(value), state..., region);
        }
      },
      states);
}

/*!
 * \brief Callbacks that are chosen by type index, in two tables. The callbacks in `plain` take only
 * the value; those in `with_region` also take the definition region. `plain` is searched first.
 * \tparam Table has `find(value)`, which returns the first callback that accepts the value, or
 *         NULL. `call(args...)` of that callback does not throw, and returns an owned value.
 */
template <typename Table>
class RegionTables {
 public:
  RegionTables(Table plain, Table with_region)
      : plain_(std::move(plain)), with_region_(std::move(with_region)) {}

  /*! Call the callback that accepts the value, or `otherwise()` if there is none; return its owned
   * result. */
  template <typename Otherwise>
  TVM_FFI_INLINE TVMFFIAny Call(AnyView value, TVMFFIDefRegionKind region,
                                Otherwise otherwise) const noexcept {
    if (const auto* plain = plain_.find(value)) return plain->call(value);
    if (const auto* with_region = with_region_.find(value)) {
      return with_region->call(value, static_cast<int32_t>(region));
    }
    return otherwise();
  }

 private:
  Table plain_;
  Table with_region_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_CALLBACK_MATCH_H_
