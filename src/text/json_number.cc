// SPDX-License-Identifier: Apache-2.0
// Reads and writes JSON numbers.
#include "text/json_number.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include "text/float_text.h"

namespace tvm::ffi::runtime {
namespace {

bool is_digit(const char* p, const char* end) { return p != end && *p >= '0' && *p <= '9'; }

// The parts of a number. If `is_exact`, its magnitude is `mantissa * 10^exponent`.
struct Scan {
  bool is_negative = false;
  bool is_integer = true;
  bool is_exact = true;
  uint64_t mantissa = 0;
  int64_t exponent = 0;
};

// 19 digits always fit 64 bits.
constexpr int kExactDigits = 19;
// Limit for exponents. Larger exponents have the same effect as the limit, and the sum of the limit
// and a number of digits does not overflow.
constexpr int64_t kHugeExponent = int64_t{1} << 60;

struct Digits {
  int count = 0;  // number of significant digits in the mantissa
};

// Adds digits to the mantissa. Digits that do not fit change the exponent instead.
const char* scan_digits(const char* p, const char* end, bool is_fraction, Digits* digits,
                        Scan* scan) {
  for (; is_digit(p, end); ++p) {
    if (digits->count < kExactDigits) {
      scan->mantissa = scan->mantissa * 10 + static_cast<uint64_t>(*p - '0');
      if (scan->mantissa != 0) ++digits->count;
      scan->exponent -= is_fraction ? 1 : 0;
    } else {
      scan->is_exact = false;
      scan->exponent += is_fraction ? 0 : 1;
    }
  }
  return p;
}

// Reads `e`, the sign and the digits; `p` points to the `e`.
const char* scan_exponent(const char* p, const char* end, Scan* scan) {
  ++p;
  bool is_negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  if (!is_digit(p, end)) return nullptr;
  int64_t exponent = 0;
  for (; is_digit(p, end); ++p) {
    if (exponent < kHugeExponent / 10) exponent = exponent * 10 + (*p - '0');
  }
  scan->exponent += is_negative ? -exponent : exponent;
  return p;
}

// Whether a character may occur in a number. A number must not be followed by such a character, so
// `1-2` is an error and not the number 1.
bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

// Reads an integer of at most 18 digits that is not the end of the text; returns NULL for another
// number and for invalid text.
const char* read_short_integer(const char* p, const char* end, TVMFFIAny* out) {
  constexpr int kMaxDigits = 18;
  bool is_negative = *p == '-';
  const char* first = p + (is_negative ? 1 : 0);
  const char* limit = end - first > kMaxDigits ? first + kMaxDigits : end;
  const char* next = first;
  int64_t value = 0;
  for (; is_digit(next, limit); ++next) value = value * 10 + (*next - '0');
  bool is_plain = next != first && next != end && !is_number_character(*next) &&
                  (*first != '0' || next == first + 1);
  if (!is_plain) return nullptr;
  out->type_index = kTVMFFIInt;
  out->zero_padding = 0;
  out->v_int64 = is_negative ? -value : value;
  return next;
}

const char* scan_number(const char* p, const char* end, Scan* scan) {
  Digits digits;
  if (*p == '-') {
    scan->is_negative = true;
    ++p;
  }
  if (!is_digit(p, end)) return nullptr;
  const char* first = p;
  p = scan_digits(p, end, false, &digits, scan);
  if (*first == '0' && p - first > 1) return nullptr;
  if (p != end && *p == '.') {
    scan->is_integer = false;
    if (!is_digit(p + 1, end)) return nullptr;
    p = scan_digits(p + 1, end, true, &digits, scan);
  }
  if (p != end && (*p == 'e' || *p == 'E')) {
    scan->is_integer = false;
    p = scan_exponent(p, end, scan);
  }
  return p;
}

bool as_int(const Scan& scan, int64_t* out) {
  if (!scan.is_integer || !scan.is_exact) return false;
  constexpr auto kMax = static_cast<uint64_t>(INT64_MAX);
  if (scan.mantissa > kMax + (scan.is_negative ? 1 : 0)) return false;
  *out = static_cast<int64_t>(scan.is_negative ? 0 - scan.mantissa : scan.mantissa);
  return true;
}

// Computes the number if its mantissa and the power of ten are exact doubles: then a single
// multiplication or division rounds correctly. Otherwise returns false.
bool as_simple_double(const Scan& scan, double* out) {
  constexpr int64_t kMaxExponent = 22;
  static constexpr double kPowers[kMaxExponent + 1] = {
      1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (!scan.is_exact || scan.mantissa > uint64_t{1} << 53) return false;
  double value = static_cast<double>(scan.mantissa);
  if (scan.mantissa == 0) {
    // The value is zero for every exponent.
  } else if (scan.exponent >= 0 && scan.exponent <= kMaxExponent) {
    value *= kPowers[scan.exponent];
  } else if (scan.exponent < 0 && scan.exponent >= -kMaxExponent) {
    value /= kPowers[-scan.exponent];
  } else {
    return false;
  }
  *out = scan.is_negative ? -value : value;
  return true;
}

// Returns false if the number is outside the range of double.
bool as_double(const char* begin, const char* end, const Scan& scan, double* out) {
  if (as_simple_double(scan, out)) return true;
  std::from_chars_result result = std::from_chars(begin, end, *out);
  if (result.ec == std::errc()) return std::isfinite(*out);
  // The number is either too large, which is an error, or so small that it is zero.
  if (scan.exponent > 0) return false;
  *out = scan.is_negative ? -0.0 : 0.0;
  return true;
}

}  // namespace

const char* read_json_number(const char* p, const char* end, TVMFFIAny* out) {
  if (const char* next = read_short_integer(p, end, out)) return next;
  Scan scan;
  const char* next = scan_number(p, end, &scan);
  if (next == nullptr || (next != end && is_number_character(*next))) return nullptr;
  out->zero_padding = 0;
  if (as_int(scan, &out->v_int64)) {
    out->type_index = kTVMFFIInt;
    return next;
  }
  out->type_index = kTVMFFIFloat;
  return as_double(p, next, scan, &out->v_float64) ? next : nullptr;
}

void append_json_int(int64_t value, TextBuffer* out) {
  constexpr size_t kLongest = 20;
  char* to = out->reserve(kLongest);
  out->grow_to(std::to_chars(to, to + kLongest, value).ptr);
}

void append_json_float(double value, TextBuffer* out) {
  constexpr double kIntegralLimit = 9007199254740992.0;  // 2^53
  if (!std::isfinite(value)) {
    out->append(std::isnan(value) ? "NaN" : value < 0 ? "-Infinity" : "Infinity");
    return;
  }
  char* to = out->reserve(kLongestFloatText);
  if (std::fabs(value) < kIntegralLimit && value == std::trunc(value)) {
    if (std::signbit(value)) *to++ = '-';
    to = std::to_chars(to, to + kLongestFloatText - 3, static_cast<int64_t>(std::fabs(value))).ptr;
    *to++ = '.';
    *to++ = '0';
  } else {
    to = write_float(value, to);
  }
  out->grow_to(to);
}

}  // namespace tvm::ffi::runtime
