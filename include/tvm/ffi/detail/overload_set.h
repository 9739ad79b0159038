// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/overload_set.h
 * \brief An overloaded function. It holds several typed callables, and calls the first one that
 * accepts the arguments.
 *
 * Internal part of reflection/overload.h.
 */
#ifndef TVM_FFI_DETAIL_OVERLOAD_SET_H_
#define TVM_FFI_DETAIL_OVERLOAD_SET_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm::ffi::reflection::detail {

/*! \brief Return argument `index` converted to the plain type `T`; nullopt if it does not
 * convert. */
template <typename T>
TVM_FFI_INLINE std::optional<T> TryConvertArg(const AnyView* args, size_t index) {
  if constexpr (is_any_or_view_v<T>) {
    return T(args[index]);
  } else {
    if constexpr (may_write_tensor_v<T>) {
      if (IsReadOnlyTensor(reinterpret_cast<const TVMFFIAny*>(args + index))) return std::nullopt;
    }
    return args[index].template try_cast<T>();
  }
}

/*! \brief One of the callables of an overloaded function. */
class Overload {
 public:
  virtual ~Overload() = default;
  /*! \brief Call the overload if the number and types of the arguments fit; otherwise return
   * false. */
  virtual bool TryCall(const AnyView* args, int32_t num_args, Any* result) = 0;
  /*! \brief Call the overload. `name` is the name of the function, for error texts. \throws Error
   * TypeError when the arguments do not fit; the text tells which argument. */
  virtual void Call(const std::string& name, const AnyView* args, int32_t num_args,
                    Any* result) = 0;
  /*! \brief Return the reason why TryCall() refused the arguments. `name` is the function's
   * name. */
  virtual std::string Mismatch(const std::string& name, const AnyView* args,
                               int32_t num_args) const = 0;
};

template <typename TCallable, typename FType>
class TypedOverload : public Overload {
 public:
  explicit TypedOverload(TCallable callable) : callable_(std::move(callable)) {}

  bool TryCall(const AnyView* args, int32_t num_args, Any* result) final {
    if (num_args != static_cast<int32_t>(Info::num_args)) return false;
    return TryCallImpl(Indices(), args, result);
  }

  void Call(const std::string& name, const AnyView* args, int32_t num_args, Any* result) final {
    UnpackCall<R, Info>(Indices(), &name, callable_, args, num_args, result);
  }

  std::string Mismatch(const std::string& name, const AnyView* args, int32_t num_args) const final {
    std::string function = " when calling: `" + name + " " + Info::Sig() + "`. Expected ";
    if (num_args != static_cast<int32_t>(Info::num_args)) {
      return "Mismatched number of arguments" + function + std::to_string(Info::num_args) +
             " arguments";
    }
    return MismatchImpl(Indices(), function, args);
  }

 private:
  using Info = FunctionInfo<FType>;
  using R = typename Info::RetType;
  using Indices = std::make_index_sequence<Info::num_args>;
  template <size_t i>
  using Arg = PlainType<std::tuple_element_t<i, typename Info::ArgType>>;

  template <size_t... Is>
  bool TryCallImpl(std::index_sequence<Is...>, [[maybe_unused]] const AnyView* args, Any* result) {
    [[maybe_unused]] std::tuple<std::optional<Arg<Is>>...> converted;
    // Convert in order and stop at the first failure, because a conversion may be expensive.
    if (!((std::get<Is>(converted) = TryConvertArg<Arg<Is>>(args, Is)).has_value() && ...)) {
      return false;
    }
    if constexpr (std::is_void_v<R>) {
      CallWith(callable_, *std::move(std::get<Is>(converted))...);
      result->reset();
    } else {
      *result = Any(static_cast<R>(CallWith(callable_, *std::move(std::get<Is>(converted))...)));
    }
    return true;
  }

  /*! \brief Return the reason why argument `i` does not convert; empty if it converts. */
  template <size_t i>
  static std::string ArgMismatch(const std::string& function, const AnyView* args) {
    using T = Arg<i>;
    if constexpr (may_write_tensor_v<T>) {
      if (IsReadOnlyTensor(reinterpret_cast<const TVMFFIAny*>(args + i))) {
        return "Mismatched type on argument #" + std::to_string(i) + function + "`" +
               Type2Str<T>::v() + "` but got a read-only tensor";
      }
    }
    if constexpr (!is_any_or_view_v<T>) {
      if (!args[i].template try_cast<T>().has_value()) {
        TVMFFIAny value = args[i].CopyToTVMFFIAny();
        Refusal refusal = RefusalOf<T>(&value);
        if (!refusal.empty()) {
          return "Value out of range on argument #" + std::to_string(i) + function + "`" +
                 Type2Str<T>::v() + "`: " + refusal.text;
        }
        return "Mismatched type on argument #" + std::to_string(i) + function + "`" +
               Type2Str<T>::v() + "` but got `" + TypeTraits<T>::GetMismatchTypeInfo(&value) + "`";
      }
    }
    return std::string();
  }

  template <size_t... Is>
  static std::string MismatchImpl(std::index_sequence<Is...>, const std::string& function,
                                  [[maybe_unused]] const AnyView* args) {
    std::string text;
    static_cast<void>(((text = ArgMismatch<Is>(function, args), text.empty()) && ...));
    return text;
  }

  TCallable callable_;
};

/*! \brief The packed callable of an overloaded function. Registration adds the overloads. */
class OverloadSet {
 public:
  /*! \param name the type key and the function name, `key.name`, for error texts. */
  explicit OverloadSet(std::string name) : name_(std::move(name)) {}

  void Add(std::unique_ptr<Overload> overload) { overloads_.push_back(std::move(overload)); }

  void operator()(const AnyView* args, int32_t num_args, Any* result) {
    if (overloads_.size() == 1) return overloads_[0]->Call(name_, args, num_args, result);
    for (const std::unique_ptr<Overload>& overload : overloads_) {
      if (overload->TryCall(args, num_args, result)) return;
    }
    ThrowNoMatch(args, num_args);
  }

 private:
  [[noreturn]] TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE void ThrowNoMatch(const AnyView* args,
                                                                     int32_t num_args) const {
    std::string text = "No matching overload found when calling: `" + name_ + "` with " +
                       std::to_string(num_args) + " arguments:";
    for (size_t i = 0; i < overloads_.size(); ++i) {
      text += "\nOverload #" + std::to_string(i) + ": ";
      text += overloads_[i]->Mismatch(name_, args, num_args);
    }
    TVM_FFI_THROW(TypeError) << text;
    TVM_FFI_UNREACHABLE();
  }

  std::string name_;
  std::vector<std::unique_ptr<Overload>> overloads_;
};

}  // namespace tvm::ffi::reflection::detail

#endif  // TVM_FFI_DETAIL_OVERLOAD_SET_H_
