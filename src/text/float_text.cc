// SPDX-License-Identifier: Apache-2.0
// Writes floating-point numbers with 17 digits. Numbers between 1e-39 and 2^53 are scaled by a
// power of five that fits exactly into 128 bits, so one multiplication gives their digits.
// std::to_chars writes the other numbers.
//
// For comparison: std::to_chars with 17 digits takes 2.6 times as long (1,000,000 multiples of 1/7;
// g++ 12, x86-64; python bench/ffi_bench.py --groups serialization --filter stringify).
#include "text/float_text.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace tvm::ffi::runtime {
namespace {

char* write_slowly(double value, char* out) {
  return std::to_chars(out, out + kLongestFloatText, value, std::chars_format::general, 17).ptr;
}

#if defined(__SIZEOF_INT128__)

using Uint128 = unsigned __int128;

constexpr int kDigits = 17;
constexpr uint64_t kLeast = 10'000'000'000'000'000;  // the least number with 17 digits
constexpr int kMaxPower = 55;                        // 5^55 is the largest power that fits 128 bits

struct PowersOfFive {
  Uint128 value[kMaxPower + 1];
  constexpr PowersOfFive() : value() {
    value[0] = 1;
    for (int i = 1; i <= kMaxPower; ++i) value[i] = value[i - 1] * 5;
  }
};
constexpr PowersOfFive kPowers;

struct TwoDigits {
  char text[200];
  constexpr TwoDigits() : text() {
    for (int i = 0; i < 100; ++i) {
      text[2 * i] = static_cast<char>('0' + i / 10);
      text[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
  }
};
constexpr TwoDigits kTwoDigits;

// A positive number `mantissa * 2^exponent`.
struct Binary {
  uint64_t mantissa;
  int exponent;
};

Binary binary_of(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  int biased = static_cast<int>(bits >> 52 & 0x7ff);
  if (biased == 0) return {fraction, -1074};
  return {fraction | uint64_t{1} << 52, biased - 1075};
}

// Computes `number * 10^power`, rounded to the nearest integer, ties to even. Returns false if the
// result does not fit 64 bits, or needs a power that is not in the table.
bool scale(Binary number, int power, uint64_t* out) {
  if (power < 0 || power > kMaxPower) return false;
  int shift = -(number.exponent + power);  // 10^power = 5^power * 2^power
  if (shift < 1 || shift > 127) return false;
  // The product has 192 bits: `top` contains the high bits, `bottom` the low bits.
  Uint128 five = kPowers.value[power];
  Uint128 low = static_cast<Uint128>(number.mantissa) * static_cast<uint64_t>(five);
  Uint128 high = static_cast<Uint128>(number.mantissa) * static_cast<uint64_t>(five >> 64);
  high += low >> 64;
  Uint128 bottom = high << 64 | static_cast<uint64_t>(low);
  auto top = static_cast<uint64_t>(high >> 64);
  Uint128 quotient = bottom >> shift;
  if (shift > 64) {
    if (top >> (shift - 64) != 0) return false;
    quotient |= top << (128 - shift);
  } else if (top != 0) {
    return false;
  }
  Uint128 rest = bottom & ((Uint128{1} << shift) - 1);
  Uint128 half = Uint128{1} << (shift - 1);
  if (rest > half || (rest == half && (quotient & 1) != 0)) ++quotient;
  *out = static_cast<uint64_t>(quotient);
  return quotient <= UINT64_MAX;
}

// Computes 17 digits of a number, and the power of ten of the first digit. Returns false for a
// number out of range.
bool decimal_of(Binary number, uint64_t* digits, int* exponent) {
  int top_bit = 63 - __builtin_clzll(number.mantissa) + number.exponent;
  int power = kDigits - 1 - (top_bit * 1233 >> 12);  // 1233 / 4096 is about log10(2)
  // The estimate differs from the right power by at most one.
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (!scale(number, power, digits)) return false;
    *exponent = kDigits - 1 - power;
    if (*digits >= 10 * kLeast) {
      --power;
    } else if (*digits < kLeast) {
      ++power;
    } else {
      return true;
    }
  }
  return false;
}

// Writes 17 digits. Returns the number of digits without zeros at the end, at least 1.
int put_digits(uint64_t digits, char* out) {
  for (int at = kDigits - 2; at >= 1; at -= 2) {
    std::memcpy(out + at, kTwoDigits.text + 2 * (digits % 100), 2);
    digits /= 100;
  }
  out[0] = static_cast<char>('0' + digits);
  int count = kDigits;
  while (count > 1 && out[count - 1] == '0') --count;
  return count;
}

// Copies `size` digits, at most kDigits. It reads and writes kDigits bytes, because a copy of a
// fixed size needs no call.
char* put(char* out, const char* text, int size) {
  std::memcpy(out, text, kDigits);
  return out + size;
}

char* put_zeros(char* out, int count) {
  std::memset(out, '0', static_cast<size_t>(count));
  return out + count;
}

// `d.ddde-05`
char* put_scientific(char* out, const char* digits, int count, int exponent) {
  *out++ = digits[0];
  if (count > 1) {
    *out++ = '.';
    out = put(out, digits + 1, count - 1);
  }
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  std::memcpy(out, kTwoDigits.text + 2 * (exponent < 0 ? -exponent : exponent), 2);
  return out + 2;
}

char* put_decimal(char* out, const char* digits, int count, int exponent) {
  if (exponent < -4 || exponent >= kDigits) return put_scientific(out, digits, count, exponent);
  if (exponent < 0) {
    *out++ = '0';
    *out++ = '.';
    return put(put_zeros(out, -exponent - 1), digits, count);
  }
  int whole = exponent + 1;
  if (count <= whole) return put_zeros(put(out, digits, count), whole - count);
  out = put(out, digits, whole);
  *out++ = '.';
  return put(out, digits + whole, count - whole);
}

// Writes a number and returns the end of the text; NULL for a number that needs write_slowly().
char* write_quickly(double value, char* out) {
  Binary number = binary_of(value);
  uint64_t digits;
  int exponent;
  if (number.mantissa == 0 || !decimal_of(number, &digits, &exponent)) return nullptr;
  if (std::signbit(value)) *out++ = '-';
  char text[2 * kDigits] = {};  // twice as long, for put()
  int count = put_digits(digits, text);
  return put_decimal(out, text, count, exponent);
}

#else

char* write_quickly(double, char*) { return nullptr; }

#endif

}  // namespace

char* write_float(double value, char* out) {
  char* end = write_quickly(value, out);
  return end != nullptr ? end : write_slowly(value, out);
}

}  // namespace tvm::ffi::runtime
