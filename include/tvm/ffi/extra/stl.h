// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/stl.h
 * \brief Types of the standard library as arguments and results of functions.
 *
 * | type | becomes | made of |
 * |---|---|---|
 * | `std::vector<T>` | Array | Array, List |
 * | `std::array<T, N>`, `std::tuple<...>` | Array | Array of that size |
 * | `std::map<K, V>`, `std::unordered_map<K, V>` | Map | Map |
 * | `std::optional<T>` | None or the value | None or what makes a T |
 * | `std::variant<...>` | the alternative | the first alternative that converts |
 * | `std::function<R(Args...)>` | Function, None when empty | Function, None |
 *
 * Values are always copied, element by element. One element that does not convert makes the whole
 * value not convert, and the message names the outer kind alone. std::optional and std::variant of
 * storable types can also be elements of containers. Including this header changes no other type.
 */
#ifndef TVM_FFI_EXTRA_STL_H_
#define TVM_FFI_EXTRA_STL_H_

#include <tvm/ffi/detail/stl_choice.h>
#include <tvm/ffi/detail/stl_mapping.h>
#include <tvm/ffi/detail/stl_sequence.h>
#include <tvm/ffi/function.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

// Not needed here: programs written against earlier releases get these from this header.
#include <tvm/ffi/container/list.h>

namespace tvm {
namespace ffi {

template <typename R, typename... Args>
inline constexpr bool view_needs_owner_v<std::function<R(Args...)>> = true;

/*! \brief A call passes through the Function; what that throws, and its TypeErrors, come out. */
template <typename R, typename... Args>
struct TypeTraits<std::function<R(Args...)>>
    : public detail::StlCopiedTraits<std::function<R(Args...)>> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIFunction;

  static void MoveToAny(std::function<R(Args...)> source, TVMFFIAny* result) {
    if (source == nullptr) return detail::SetAnyNone(result);
    TypeTraits<Function>::MoveToAny(TypedFunction<R(Args...)>(std::move(source)).packed(), result);
  }
  static std::optional<std::function<R(Args...)>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index == TypeIndex::kTVMFFINone) return std::function<R(Args...)>();
    if (source->type_index != TypeIndex::kTVMFFIFunction) return std::nullopt;
    return std::function<R(Args...)>(
        TypedFunction<R(Args...)>(TypeTraits<Function>::CopyFromAnyViewAfterCheck(source)));
  }
  static std::string TypeStr() {
    std::string text = "std::function<" + detail::Type2Str<R>::v() + "(";
    [[maybe_unused]] const char* separator = "";
    ((text += separator, text += detail::Type2Str<Args>::v(), separator = ", "), ...);
    return text + ")>";
  }
  static std::string TypeSchema() {
    return R"({"type":"std::function","named_args":{"return":[)" + detail::TypeSchema<R>::v() +
           R"(],"params":[)" + detail::JoinedSchemas<Args...>(", ") + "]}}";
  }
};

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_STL_H_
