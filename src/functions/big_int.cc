// SPDX-License-Identifier: Apache-2.0
// Hooks of big integers, for map keys, comparisons and serialization: integers are compared by
// value, hashed by their words, and written in decimal.
#include <tvm/ffi/any.h>
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <string_view>

#include "functions/functions.h"

namespace tvm::ffi::runtime {
namespace {

TVMFFIAny plain(int32_t type_index, int64_t payload) {
  TVMFFIAny result;
  result.type_index = type_index;
  result.zero_padding = 0;
  result.v_int64 = payload;
  return result;
}

BigInt::ArrayView words_of(const Any& value) {
  TVMFFIAny raw = AnyView(value).CopyToTVMFFIAny();
  return detail::BigIntUnsafe::GetArrayView(&raw);
}

// These hooks follow the conventions of `__any_hash__` and `__any_equal__`, and are called only for
// big integers.
TVMFFIAny hash_big_int(const Any& value) noexcept {
  BigInt::ArrayView words = words_of(value);
  uint64_t hash = detail::StableHashBytes(&words[0], words.size() * sizeof(int64_t));
  return plain(kTVMFFIInt, static_cast<int64_t>(hash));
}

TVMFFIAny equal_big_ints(const Any& lhs, const Any& rhs) noexcept {
  bool equal = detail::int_ops::EqualFallback(words_of(lhs), words_of(rhs));
  return plain(kTVMFFIBool, equal ? 1 : 0);
}

BigInt number_of(const ObjectRef& object) { return AnyView(object).as_or_throw<BigInt>(); }

int64_t hash_number(const ObjectRef& self, const Function&) {
  return static_cast<int64_t>(number_of(self).hash());
}

bool equal_numbers(const ObjectRef& lhs, const ObjectRef& rhs, const Function&) {
  return number_of(lhs) == number_of(rhs);
}

int64_t compare_numbers(const ObjectRef& lhs, const ObjectRef& rhs, const Function&) {
  return detail::int_ops::Compare(number_of(lhs), number_of(rhs));
}

String to_decimal(const ObjectRef& self) {
  return detail::int_ops::ToStringFallback(number_of(self));
}

BigInt from_decimal(const Any& data) {
  String text = data.as_or_throw<String>();
  std::string_view digits(text.data(), text.size());
  bool is_negative = digits.substr(0, 1) == "-";
  if (is_negative || digits.substr(0, 1) == "+") digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    TVM_FFI_THROW(ValueError) << "Invalid decimal string for ffi.BigInt";
  }
  return detail::int_ops::FromDecimal(digits, is_negative);
}

}  // namespace

void register_big_int_attributes() {
  namespace refl = reflection;
  refl::TypeAttrDef<detail::BigIntObj>()
      .attr("__any_hash__", reinterpret_cast<void*>(&hash_big_int))
      .attr("__any_equal__", reinterpret_cast<void*>(&equal_big_ints))
      .def("__ffi_hash__", hash_number)
      .def("__ffi_eq__", equal_numbers)
      .def("__ffi_compare__", compare_numbers)
      .def("__data_to_json__", to_decimal)
      .def("__data_from_json__", from_decimal);
}

}  // namespace tvm::ffi::runtime
