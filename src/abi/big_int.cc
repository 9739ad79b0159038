// SPDX-License-Identifier: Apache-2.0
// C ABI: integers beyond 64 bits.
#include <tvm/ffi/c_api.h>

#include <cstring>

#include "core/error_slot.h"
#include "core/raw_object.h"
#include "core/type_name.h"

namespace runtime = tvm::ffi::runtime;

namespace {

/*! \brief A big integer. Its words follow this struct in memory, in two's complement, the least
 * significant word first. */
struct BigIntObject {
  TVMFFIObject header;
  size_t size;

  int64_t* words() { return reinterpret_cast<int64_t*>(this + 1); }
};

void delete_big_int(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) runtime::free_raw_object(self);
}

int64_t word_at(const char* data, size_t i) {
  int64_t word;
  std::memcpy(&word, data + i * sizeof(word), sizeof(word));
  return word;
}

/*! \brief Return the number of words without leading words that only repeat the sign. */
size_t minimal_count(const char* data, size_t count) {
  while (count > 1) {
    int64_t sign = word_at(data, count - 2) < 0 ? -1 : 0;
    if (word_at(data, count - 1) != sign) break;
    --count;
  }
  return count;
}

}  // namespace

extern "C" {

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (runtime::check_text(input, "input") != 0) return -1;
  if (out == nullptr) return runtime::raise_null("out");
  if (input->size % sizeof(int64_t) != 0) {
    return runtime::raise("ValueError", {"BigInt content must contain whole 64-bit words"});
  }
  size_t count = minimal_count(input->data, input->size / sizeof(int64_t));
  TVMFFIAny value{};
  if (count <= 1) {
    value.type_index = kTVMFFIInt;
    value.v_int64 = count == 0 ? 0 : word_at(input->data, 0);
  } else {
    auto* object = runtime::make_raw_object<BigIntObject>(kTVMFFIBigInt, delete_big_int,
                                                          count * sizeof(int64_t));
    if (object == nullptr) return runtime::raise_out_of_memory();
    object->size = count;
    std::memcpy(object->words(), input->data, count * sizeof(int64_t));
    value.type_index = kTVMFFIBigInt;
    value.v_obj = &object->header;
  }
  *out = value;
  return 0;
}

TVMFFIByteArray TVMFFIBigIntGetContentByteArray(const TVMFFIAny* value) {
  if (value == nullptr) {
    runtime::raise_null("value");
    return {nullptr, 0};
  }
  if (value->type_index == kTVMFFIInt) {
    return {reinterpret_cast<const char*>(&value->v_int64), sizeof(int64_t)};
  }
  if (value->type_index == kTVMFFIBigInt && value->v_obj != nullptr) {
    auto* object = reinterpret_cast<BigIntObject*>(value->v_obj);
    return {reinterpret_cast<const char*>(object->words()), object->size * sizeof(int64_t)};
  }
  runtime::raise("TypeError",
                 {"Cannot read a value of type `", runtime::value_name(*value), "` as `BigInt`"});
  return {nullptr, 0};
}

}  // extern "C"
