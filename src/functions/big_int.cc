// SPDX-License-Identifier: Apache-2.0
// Big integers as keys of maps and elements of containers: equal by value, hashed by their words.
#include <tvm/ffi/any.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/function.h>

#include <cstring>

#include "functions/functions.h"

namespace tvm {
namespace ffi {
namespace runtime {
namespace {

TVMFFIByteArray words_of(const Any& value) {
  TVMFFIAny raw = AnyView(value).CopyToTVMFFIAny();
  TVMFFIByteArray words = TVMFFIBigIntGetContentByteArray(&raw);
  return words;
}

TVMFFIAny plain(int32_t type_index, int64_t payload) {
  TVMFFIAny result;
  result.type_index = type_index;
  result.zero_padding = 0;
  result.v_int64 = payload;
  return result;
}

// The conventions of `__any_hash__` and `__any_equal__`; called for values of this type alone.
TVMFFIAny hash_big_int(const Any& value) noexcept {
  TVMFFIByteArray words = words_of(value);
  return plain(kTVMFFIInt, static_cast<int64_t>(detail::StableHashBytes(words.data, words.size)));
}

TVMFFIAny equal_big_ints(const Any& lhs, const Any& rhs) noexcept {
  TVMFFIByteArray a = words_of(lhs), b = words_of(rhs);
  bool equal = a.size == b.size && std::memcmp(a.data, b.data, a.size) == 0;
  return plain(kTVMFFIBool, equal ? 1 : 0);
}

void set_native(const char* name, void* function) {
  TVMFFIByteArray key{name, std::strlen(name)};
  TVMFFIAny value = plain(kTVMFFIOpaquePtr, 0);
  value.v_ptr = function;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterAttr(kTVMFFIBigInt, &key, &value));
}

}  // namespace

void register_big_int_attributes() {
  set_native("__any_hash__", reinterpret_cast<void*>(&hash_big_int));
  set_native("__any_equal__", reinterpret_cast<void*>(&equal_big_ints));
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm
