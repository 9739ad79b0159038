// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/call_extents.h
 * \brief The checks of typed tensors that concern several arguments of a call, or its result: equal
 * names of extents, and equal devices.
 *
 * Internal part of container/typed_tensor.h.
 */
#ifndef TVM_FFI_DETAIL_CALL_EXTENTS_H_
#define TVM_FFI_DETAIL_CALL_EXTENTS_H_

#include <tvm/ffi/detail/tensor_rule.h>
#include <tvm/ffi/detail/unpack_call.h>
#include <tvm/ffi/optional.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief The rule of a typed tensor, or of an optional one; for other types, a rule without
 * extents. No pointers: with -fsanitize=undefined, GCC cannot compare them in constant expressions.
 */
template <typename T>
inline constexpr TensorRule tensor_rule_v = {};
template <typename T>
inline constexpr TensorRule tensor_rule_v<Optional<T>> = tensor_rule_v<T>;
template <typename T>
inline constexpr TensorRule tensor_rule_v<std::optional<T>> = tensor_rule_v<T>;

/*! \brief Whether a value of type T can be absent. */
template <typename T>
inline constexpr bool may_be_absent_v = is_optional_type_v<T>;
template <typename T>
inline constexpr bool may_be_absent_v<std::optional<T>> = true;

/*! \brief The arrays of a call, for the texts about them. */
struct CallTensors {
  /*! \brief For each argument: its rule. */
  const TensorRule* rules;
  /*! \brief For each argument: its array, or NULL. */
  const DLTensor* const* tensors;
  size_t num_args;
  /*! \brief The names of extents, and the extents that the arguments determine; below 0 for an
   * extent that is not determined. */
  const int64_t* names;
  const int64_t* extents;
};

/*! \brief The different names of extents in the parameters of a function. */
template <size_t kMaxCount>
struct ExtentNames {
  int64_t at[kMaxCount + 1] = {};
  size_t count = 0;

  /*! \brief Return the index of a name; `count` if it is not there. */
  constexpr size_t Find(int64_t name) const {
    size_t index = 0;
    while (index < count && at[index] != name) ++index;
    return index;
  }
};

template <typename ArgTuple>
struct CallNames;
template <typename... Args>
struct CallNames<std::tuple<Args...>> {
  static constexpr TensorRule rules[sizeof...(Args) + 1] = {tensor_rule_v<PlainType<Args>>...,
                                                            TensorRule()};
  static constexpr auto Make() {
    ExtentNames<sizeof...(Args) * kMaxDeclaredRank> names;
    for (const TensorRule& rule : rules) {
      for (int32_t i = 0; i < rule.rank && i < kMaxDeclaredRank; ++i) {
        int64_t name = rule.extents[i].value;
        if (rule.extents[i].kind != DeclaredExtent::kName) continue;
        if (names.Find(name) == names.count) names.at[names.count++] = name;
      }
    }
    return names;
  }
  static constexpr auto value = Make();
};

/*!
 * \brief Return `expected shape (k, n) with k = 3 (dimension 1 of argument #0); got (4, 5)`, with
 * the extents that earlier arguments determine.
 * \param call the arguments before the one in question; for a result, all of them.
 */
TVM_FFI_COLD_CODE inline std::string ExtentsText(const CallTensors& call, const TensorRule& rule,
                                                 const DLTensor& tensor) {
  std::string text = "expected shape ";
  AppendExtents(&text, rule);
  const char* before = " with ";
  for (int32_t i = 0; i < rule.rank && i < kMaxDeclaredRank; ++i) {
    if (rule.extents[i].kind != DeclaredExtent::kName) continue;
    int64_t name = rule.extents[i].value;
    bool found = false;
    for (size_t arg = 0; arg < call.num_args && !found; ++arg) {
      if (call.tensors[arg] == nullptr) continue;
      for (int32_t j = 0; j < call.rules[arg].rank && j < kMaxDeclaredRank && !found; ++j) {
        const DeclaredExtent& other = call.rules[arg].extents[j];
        if (other.kind != DeclaredExtent::kName || other.value != name) continue;
        found = true;
        size_t index = 0;
        while (call.names[index] != name) ++index;
        text.append(before).append(1, static_cast<char>(name));
        text += " = ";
        AppendNumber(&text, call.extents[index]);
        text += " (dimension ";
        AppendNumber(&text, j);
        text += " of argument #";
        AppendNumber(&text, static_cast<int64_t>(arg));
        text += ')';
        before = ", ";
      }
    }
  }
  text += "; got ";
  AppendNumbers(&text, tensor.shape, tensor.ndim);
  return text;
}

/*! \brief Throw the error about argument `index` of a call. \throws ValueError. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowCallExtents(
    std::string_view name, FGetFuncSignature signature, const CallTensors& call, size_t index,
    const DLTensor* other_device) {
  const DLTensor& tensor = *call.tensors[index];
  std::string text;
  if (other_device != nullptr) {
    text.append("expected an array on ").append(DLDeviceToString(other_device->device));
    text += ", as an earlier argument; got an array on ";
    text += DLDeviceToString(tensor.device);
  } else {
    CallTensors earlier = call;
    earlier.num_args = index;
    text = ExtentsText(earlier, call.rules[index], tensor);
  }
  throw ErrorToThrow("ValueError",
                     JoinText({"Mismatched type on argument #", std::to_string(index),
                               " when calling: `", name, signature(), "`. ", text}),
                     TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0));
}

/*! \brief Throw the error about the result, which is the fault of the function that was called.
 * \throws RuntimeError. */
[[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline void ThrowResultExtents(
    std::string_view name, FGetFuncSignature signature, const CallTensors& call,
    const TensorRule& rule, const DLTensor* tensor) {
  std::string text;
  if (tensor == nullptr) {
    text = "expected ";
    AppendExpectedArray(&text, rule);
    text += "; got None";
  } else {
    text = ExtentsText(call, rule, *tensor);
  }
  throw ErrorToThrow("RuntimeError",
                     JoinText({"Mismatched type on the result of calling: `", name, signature(),
                               "`, which is an error of this function: ", text}),
                     TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0));
}

template <typename Name, typename Info>
class CallCheck<Name, Info, std::enable_if_t<checks_call_v<Info>>> {
 public:
  explicit CallCheck(Name name) : name_(name) {}

  /*! \brief Check the arguments, and keep the extents that have names for the result. */
  template <typename... Args>
  TVM_FFI_INLINE void CheckArguments(const Args&... args) {
    [[maybe_unused]] size_t i = 0;
    ((tensors_[i++] = ArrayOf(args)), ...);
    CheckEach(std::index_sequence_for<Args...>());
  }

  template <typename R>
  TVM_FFI_INLINE void CheckResult(const R& result) {
    if constexpr (is_typed_tensor_v<R>) {
      const DLTensor* tensor = ArrayOf(result);
      if (tensor == nullptr) {
        if constexpr (may_be_absent_v<R>) return;
      } else if (CheckDimensions<R>(tensor, Dimensions<R>())) {
        return;
      }
      ThrowResultExtents(NameText(name_), &Info::Sig, Call(), tensor_rule_v<R>, tensor);
    }
  }

 private:
  using ArgTuple = typename Info::ArgType;
  static constexpr size_t kNumArgs = Info::num_args;
  static constexpr size_t kNumNames = CallNames<ArgTuple>::value.count;
  template <size_t i>
  using Arg = PlainType<std::tuple_element_t<i, ArgTuple>>;
  template <typename T>
  using Dimensions = std::make_index_sequence<static_cast<size_t>(
      tensor_rule_v<T>.rank < 0 ? 0 : tensor_rule_v<T>.rank)>;

  CallTensors Call() const {
    return {CallNames<ArgTuple>::rules, tensors_, kNumArgs, CallNames<ArgTuple>::value.at,
            extents_.at};
  }

  template <typename T>
  TVM_FFI_INLINE static const DLTensor* ArrayOf([[maybe_unused]] const T& value) {
    if constexpr (!is_typed_tensor_v<T>) {
      return nullptr;
    } else if constexpr (may_be_absent_v<T>) {
      return value.has_value() ? (*value).GetDLTensorPtr() : nullptr;
    } else {
      return value.GetDLTensorPtr();
    }
  }

  template <size_t... Is>
  TVM_FFI_INLINE void CheckEach(std::index_sequence<Is...>) {
    (CheckArgument<Is>(), ...);
  }

  template <size_t i>
  TVM_FFI_INLINE void CheckArgument() {
    using T = Arg<i>;
    if constexpr (is_typed_tensor_v<T>) {
      const DLTensor* tensor = tensors_[i];
      if (may_be_absent_v<T> && tensor == nullptr) return;
      if (TVM_FFI_PREDICT_FALSE(!CheckDimensions<T>(tensor, Dimensions<T>()))) {
        ThrowCallExtents(NameText(name_), &Info::Sig, Call(), i, nullptr);
      }
      if constexpr (tensor_rule_v<T>.same_device) {
        if (device_ == nullptr) device_ = tensor;
        if (TVM_FFI_PREDICT_FALSE(device_->device.device_type != tensor->device.device_type ||
                                  device_->device.device_id != tensor->device.device_id)) {
          ThrowCallExtents(NameText(name_), &Info::Sig, Call(), i, device_);
        }
      }
    }
  }

  /*! \brief Compare each extent that has a name with that of an earlier argument. */
  template <typename T, size_t... Ds>
  TVM_FFI_INLINE bool CheckDimensions([[maybe_unused]] const DLTensor* tensor,
                                      std::index_sequence<Ds...>) {
    return (CheckDimension<T, Ds>(tensor) && ...);
  }
  template <typename T, size_t d>
  TVM_FFI_INLINE bool CheckDimension([[maybe_unused]] const DLTensor* tensor) {
    if constexpr (d < kMaxDeclaredRank &&
                  tensor_rule_v<T>.extents[d].kind == DeclaredExtent::kName) {
      constexpr size_t kIndex = CallNames<ArgTuple>::value.Find(tensor_rule_v<T>.extents[d].value);
      if constexpr (kIndex < kNumNames) {
        int64_t& extent = extents_.at[kIndex];
        if (extent < 0) extent = tensor->shape[d];
        return extent == tensor->shape[d];
      }
    }
    return true;
  }

  Name name_;
  const DLTensor* tensors_[kNumArgs + 1] = {};
  const DLTensor* device_ = nullptr;
  struct Extents {
    int64_t at[kNumNames + 1];
    Extents() { std::fill(std::begin(at), std::end(at), -1); }
  } extents_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_CALL_EXTENTS_H_
