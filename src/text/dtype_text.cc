// SPDX-License-Identifier: Apache-2.0
// Reads and writes data types as text: word, bits, lanes.
#include "text/dtype_text.h"

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/dtype.h>

#include <cstdint>
#include <iterator>

#include "core/error_slot.h"
#include "core/nearest_name.h"
#include "text/custom_dtype.h"

namespace tvm::ffi::runtime {

namespace {

constexpr int kFirstNarrowFloat = 7;
constexpr int kFirstCustom = 129;

constexpr auto& kWords = detail::kDLDataTypeCodes;
constexpr int kWordCount = std::size(kWords);

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/*! \brief A text that is read from the front. Messages quote `whole`. */
struct Reader {
  std::string_view whole;
  std::string_view rest;

  bool skip(std::string_view prefix) {
    if (rest.substr(0, prefix.size()) != prefix) return false;
    rest.remove_prefix(prefix.size());
    return true;
  }

  /*! \brief Read the digits at the front, if there are any. */
  std::string_view digits() {
    size_t count = 0;
    while (count < rest.size() && is_digit(rest[count])) ++count;
    std::string_view found = rest.substr(0, count);
    rest.remove_prefix(count);
    return found;
  }
};

/*! \brief Return the value of digits; -1 if it exceeds `limit`, 0 if there are no digits. */
int32_t number_of(std::string_view digits, int32_t limit) {
  int32_t value = 0;
  for (char c : digits) {
    value = value * 10 + (c - '0');
    if (value > limit) return -1;
  }
  return value;
}

/*! \brief Return a number without leading zeros, for messages. */
std::string_view shown(std::string_view digits) {
  while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
  return digits;
}

/*! \brief Raise an error: a text is not a data type. */
int unknown_dtype(const Reader& reader) {
  std::string_view text = reader.whole;
  // Names of data types in other libraries and languages, for the hint in the message.
  struct OtherName {
    std::string_view name;
    std::string_view ours;
  };
  static constexpr OtherName kOtherNames[] = {
      {"double", "float64"}, {"half", "float16"}, {"long", "int64"},   {"short", "int16"},
      {"char", "int8"},      {"byte", "uint8"},   {"boolean", "bool"}, {"fp16", "float16"},
      {"fp32", "float32"},   {"fp64", "float64"},
  };
  static constexpr std::string_view kNames[] = {"int8",    "int16",   "int32",   "int64",
                                                "uint8",   "uint16",  "uint32",  "uint64",
                                                "float16", "float32", "float64", "bfloat16"};
  if (!text.empty() && (text[0] == '>' || text[0] == '<')) {
    return raise("ValueError", {"unknown dtype `", text, "`; a dtype has no byte order"});
  }
  for (const OtherName& other : kOtherNames) {
    if (other.name != text) continue;
    return raise("ValueError", {"unknown dtype `", text, "`; did you mean `", other.ours, "`?"});
  }
  NearestName nearest(text);
  for (std::string_view name : kNames) nearest.offer(name);
  for (int code = kDLBool; code < kWordCount; ++code) nearest.offer(kWords[code]);
  return raise("ValueError", {"unknown dtype `", text, "`", nearest.hint()});
}

/*! \brief Convert short words to their long form: `i8` to `int8`, `fp8_e5m2` to `float8_e5m2`. */
std::string long_form(std::string_view text) {
  struct Alias {
    const char* from;
    const char* to;
    bool before_digit;
  };
  static constexpr Alias kAliases[] = {
      {"i", "int", true},         {"u", "uint", true},        {"bf", "bfloat", true},
      {"fp8_", "float8_", false}, {"fp6_", "float6_", false}, {"fp4_", "float4_", false},
      {"f", "float", true},
  };
  for (const Alias& alias : kAliases) {
    std::string_view from = alias.from;
    if (text.substr(0, from.size()) != from) continue;
    std::string_view rest = text.substr(from.size());
    if (alias.before_digit && (rest.empty() || !is_digit(rest[0]))) continue;
    return std::string(alias.to).append(rest);
  }
  return std::string(text);
}

/*! \brief Read `x` and a number, if they are there. */
int read_lanes(Reader* reader, int32_t* out) {
  if (!reader->skip("x")) return 0;
  std::string_view digits = reader->digits();
  int32_t lanes = number_of(digits, UINT16_MAX);
  if (lanes == 0) {
    return raise("ValueError", {"Invalid lanes specification in dtype '", reader->whole,
                                "'. Lanes must be a positive integer."});
  }
  if (lanes < 0) {
    return raise("ValueError", {"Lanes value ", shown(digits),
                                " is out of range for uint16_t in dtype '", reader->whole, "'"});
  }
  *out = lanes;
  return 0;
}

/*! \brief Read the text after the word of an ordinary type: bits, scalable mark, lanes, end. */
int read_bits_and_lanes(Reader* reader, DLDataType* dtype) {
  std::string_view digits = reader->digits();
  int32_t bits = number_of(digits, UINT8_MAX);
  if (bits < 0) {
    return raise("ValueError", {"Bits value ", shown(digits),
                                " is out of range for uint8_t in dtype '", reader->whole, "'"});
  }
  if (bits != 0) dtype->bits = static_cast<uint8_t>(bits);
  bool is_scalable = reader->skip("xvscale");
  int32_t lanes = is_scalable ? -1 : 1;
  int32_t count = 1;
  if (read_lanes(reader, &count) != 0) return -1;
  if (!reader->rest.empty()) return unknown_dtype(*reader);
  // Scalable lanes need a number above 1, so `xvscale` without such a number is ignored.
  dtype->lanes = static_cast<uint16_t>(count == 1 ? 1 : lanes * count);
  return 0;
}

int unknown_narrow_float(const Reader& reader, int bits) {
  NearestName nearest(reader.whole);
  for (int code = kFirstNarrowFloat; code < kWordCount; ++code) nearest.offer(kWords[code]);
  return raise("ValueError", {"unknown float", std::to_string(bits), " type `", reader.whole, "`",
                              nearest.hint()});
}

/*! \brief Read the variant of a float of 8, 6 or 4 bits, after `floatN_`. */
int read_narrow_float(Reader* reader, int bits, DLDataType* dtype) {
  std::string prefix = "float" + std::to_string(bits) + "_";
  int best = -1;
  size_t best_size = 0;
  for (int code = kFirstNarrowFloat; code < kWordCount; ++code) {
    std::string_view word = kWords[code];
    if (word.substr(0, prefix.size()) != prefix) continue;
    std::string_view variant = word.substr(prefix.size());
    bool fits = reader->rest.substr(0, variant.size()) == variant;
    if (fits && variant.size() > best_size) {
      best = code;
      best_size = variant.size();
    }
  }
  if (best < 0) {
    return unknown_narrow_float(*reader, bits);
  }
  reader->rest.remove_prefix(best_size);
  if (bits == 4) reader->skip("_");
  int32_t lanes = 1;
  if (read_lanes(reader, &lanes) != 0) return -1;
  if (!reader->rest.empty()) {
    return unknown_narrow_float(*reader, bits);
  }
  *dtype = {static_cast<uint8_t>(best), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
  return 0;
}

/*! \brief Read `[NAME]` after `custom`. */
int read_custom(Reader* reader, DLDataType* dtype) {
  if (!reader->skip("[")) {
    return raise("ValueError", {"expected opening brace after 'custom' type in", reader->whole});
  }
  size_t end = reader->rest.find(']');
  if (end == std::string_view::npos) {
    return raise("ValueError", {"expected closing brace after 'custom' type in", reader->whole});
  }
  std::string_view name = reader->rest.substr(0, end);
  reader->rest.remove_prefix(end + 1);
  int status = custom_dtype_code(name, &dtype->code);
  return status != 0 ? status : read_bits_and_lanes(reader, dtype);
}

int read_dtype(Reader* reader, DLDataType* dtype) {
  struct Word {
    const char* word;
    uint8_t code;
    uint8_t bits;
  };
  static constexpr Word kOrdinary[] = {
      {"int", kDLInt, 32},     {"uint", kDLUInt, 32},           {"bool", kDLBool, 8},
      {"float", kDLFloat, 32}, {"handle", kDLOpaqueHandle, 64}, {"bfloat", kDLBfloat, 16}};
  if (reader->skip("float8_")) return read_narrow_float(reader, 8, dtype);
  if (reader->skip("float6_")) return read_narrow_float(reader, 6, dtype);
  if (reader->skip("float4_")) return read_narrow_float(reader, 4, dtype);
  if (reader->skip("custom")) return read_custom(reader, dtype);
  if (reader->skip("complex")) {
    // `complex` without a number of bits is ambiguous.
    if (reader->rest.empty() || !is_digit(reader->rest[0])) return unknown_dtype(*reader);
    *dtype = {kDLComplex, 64, 1};
    return read_bits_and_lanes(reader, dtype);
  }
  for (const Word& word : kOrdinary) {
    if (!reader->skip(word.word)) continue;
    *dtype = {word.code, word.bits, 1};
    return read_bits_and_lanes(reader, dtype);
  }
  return unknown_dtype(*reader);
}

}  // namespace

int parse_dtype(std::string_view text, DLDataType* out) {
  if (text.empty() || text == "void") {
    *out = {kDLOpaqueHandle, 0, 0};
    return 0;
  }
  std::string rewritten = long_form(text);
  Reader reader{rewritten, rewritten};
  DLDataType dtype{0, 32, 1};
  int status = read_dtype(&reader, &dtype);
  if (status == 0) *out = dtype;
  return status;
}

int print_dtype(DLDataType dtype, std::string* out) {
  out->clear();
  if (dtype.code == kDLOpaqueHandle && dtype.bits == 0 && dtype.lanes == 0) return 0;
  if (dtype.code >= kFirstCustom) {
    std::string name;
    int status = custom_dtype_name(dtype.code, &name);
    if (status != 0) return status;
    out->append("custom[").append(name).append("]");
  } else if (dtype.code >= kWordCount) {
    return raise("ValueError",
                 {"DLDataType contains unknown type_code=", std::to_string(dtype.code)});
  } else {
    out->append(kWords[dtype.code]);
  }
  if (dtype.code == kDLOpaqueHandle) return 0;
  if (dtype.code < kFirstNarrowFloat && !(dtype.code == kDLBool && dtype.bits == 8)) {
    out->append(std::to_string(dtype.bits));
  }
  int32_t lanes = static_cast<int16_t>(dtype.lanes);
  if (lanes > 1) out->append("x").append(std::to_string(lanes));
  if (lanes < -1) out->append("xvscalex").append(std::to_string(-lanes));
  return 0;
}

}  // namespace tvm::ffi::runtime
