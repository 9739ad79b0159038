// SPDX-License-Identifier: Apache-2.0
// Escapes and unescapes JSON strings, and finds the first character that is a quote, a backslash or
// a control character.
#include "text/json_string.h"

#include <tvm/ffi/string.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tvm::ffi::runtime {
namespace {

// How the writer writes a byte: 0: unchanged; 'u': as \u00XX; otherwise the letter of an escape.
constexpr char escape_letter(unsigned char c) {
  char letter = detail::JSONEscapeLetter(static_cast<char>(c));
  return letter == 0 && detail::IsControlByte(c) ? 'u' : letter;
}

struct EscapeTable {
  char letter[256];
  constexpr EscapeTable() : letter() {
    for (int c = 0; c < 256; ++c) letter[c] = escape_letter(static_cast<unsigned char>(c));
  }
};
constexpr EscapeTable kEscapes;

char escape_of(char c) { return kEscapes.letter[static_cast<unsigned char>(c)]; }

constexpr size_t kStep = 16;

#if defined(__SSE2__)
// Returns one bit for each of 16 bytes: whether the byte is below 0x20 or one of `stops`.
template <typename... Chars>
TVM_FFI_INLINE unsigned stop_mask(__m128i bytes, Chars... stops) {
  __m128i limit = _mm_set1_epi8(0x1f);
  __m128i found = _mm_cmpeq_epi8(_mm_max_epu8(bytes, limit), limit);
  ((found = _mm_or_si128(found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(stops)))), ...);
  return static_cast<unsigned>(_mm_movemask_epi8(found));
}
// Returns one bit for each of the first `size` bytes, at most 16: whether the writer escapes it.
TVM_FFI_INLINE unsigned escape_mask(__m128i bytes, size_t size) {
  return stop_mask(bytes, '"', '\\', '/', '\x7f') & ((1u << size) - 1);
}
__m128i load(const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }

template <typename Word>
uint64_t load_word(const char* p) {
  Word word;
  std::memcpy(&word, p, sizeof(word));
  return word;
}

// Loads less than 16 bytes, followed by zeros; reads nothing else.
__m128i load_part(const char* p, size_t size) {
  uint64_t low = 0;
  uint64_t high = 0;
  if (size > 8) {
    low = load_word<uint64_t>(p);
    high = load_word<uint64_t>(p + size - 8) >> 8 * (kStep - size);
  } else if (size >= 4) {
    low = load_word<uint32_t>(p) | load_word<uint32_t>(p + size - 4) << 8 * (size - 4);
  } else {
    for (size_t i = 0; i < size; ++i) low |= load_word<uint8_t>(p + i) << 8 * i;
  }
  return _mm_set_epi64x(static_cast<int64_t>(high), static_cast<int64_t>(low));
}
#endif

// Copies the bytes before the first byte that needs an escape. There must be memory at `*out` for
// kStep more bytes than [p, end) has.
const char* copy_plain(const char* p, const char* end, char** out) {
#if defined(__SSE2__)
  // Copies `size` bytes; returns whether none of them needs an escape.
  auto copy_step = [&](__m128i bytes, size_t size) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(*out), bytes);
    unsigned mask = escape_mask(bytes, size);
    size_t count = mask != 0 ? static_cast<size_t>(__builtin_ctz(mask)) : size;
    p += count;
    *out += count;
    return mask == 0;
  };
  while (static_cast<size_t>(end - p) >= kStep) {
    if (!copy_step(load(p), kStep)) return p;
  }
  auto left = static_cast<size_t>(end - p);
  if (left != 0) copy_step(load_part(p, left), left);
  return p;
#else
  while (p != end && escape_of(*p) == 0) *(*out)++ = *p++;
  return p;
#endif
}

char* put_escape(char c, char* out) {
  constexpr char kHex[] = "0123456789abcdef";
  char letter = escape_of(c);
  *out++ = '\\';
  *out++ = letter;
  if (letter != 'u') return out;
  auto byte = static_cast<unsigned char>(c);
  *out++ = '0';
  *out++ = '0';
  *out++ = kHex[byte >> 4];
  *out++ = kHex[byte & 15];
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads a code unit from four hexadecimal digits at `p`. Returns -1 if there are no such digits.
int read_code_unit(const char* p, const char* end) {
  if (end - p < 4) return -1;
  int unit = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = hex_digit(p[i]);
    if (digit < 0) return -1;
    unit = unit << 4 | digit;
  }
  return unit;
}

void append_utf8(uint32_t code_point, std::string* out) {
  auto push = [out](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  auto push_rest = [&](int shift) { push(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xc0 | code_point >> 6);
    push_rest(0);
  } else if (code_point < 0x10000) {
    push(0xe0 | code_point >> 12);
    push_rest(6);
    push_rest(0);
  } else {
    push(0xf0 | code_point >> 18);
    push_rest(12);
    push_rest(6);
    push_rest(0);
  }
}

const char* fail(const char* message, const char* at, JsonFault* fault) {
  fault->message = message;
  fault->at = at;
  return nullptr;
}

bool is_high_surrogate(int unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_low_surrogate(int unit) { return unit >= 0xdc00 && unit < 0xe000; }

// Reads an escape `\uXXXX`; `p` points to the `u`. Faults have the same positions as in Python's
// json module.
const char* unescape_unicode(const char* p, const char* end, std::string* out, JsonFault* fault) {
  constexpr const char* kBadEscape = "Invalid \\uXXXX escape";
  constexpr const char* kBadPair = "Invalid surrogate pair of \\uXXXX escapes";
  int unit = read_code_unit(p + 1, end);
  if (unit < 0) return fail(kBadEscape, p, fault);
  const char* next = p + 5;
  if (is_low_surrogate(unit)) return fail(kBadPair, p, fault);
  if (!is_high_surrogate(unit)) {
    append_utf8(static_cast<uint32_t>(unit), out);
    return next;
  }
  if (end - next < 2 || next[0] != '\\' || next[1] != 'u') return fail(kBadPair, p, fault);
  const char* digits = next + 2;
  int low = read_code_unit(digits, end);
  if (low < 0) return fail(kBadEscape, digits, fault);
  if (!is_low_surrogate(low)) return fail(kBadPair, digits, fault);
  append_utf8(
      0x10000u + (static_cast<uint32_t>(unit - 0xd800) << 10 | static_cast<uint32_t>(low - 0xdc00)),
      out);
  return digits + 4;
}

const char* unescape_one(const char* p, const char* end, std::string* out, JsonFault* fault) {
  if (p == end) return fail("Invalid \\escape", p, fault);
  switch (*p) {
    case '"':
    case '\\':
    case '/':
      out->push_back(*p);
      return p + 1;
    case 'b':
      out->push_back('\b');
      return p + 1;
    case 'f':
      out->push_back('\f');
      return p + 1;
    case 'n':
      out->push_back('\n');
      return p + 1;
    case 'r':
      out->push_back('\r');
      return p + 1;
    case 't':
      out->push_back('\t');
      return p + 1;
    case 'u':
      return unescape_unicode(p, end, out, fault);
    default:
      return fail("Invalid \\escape", p, fault);
  }
}

}  // namespace

const char* find_json_string_stop(const char* p, const char* end) {
#if defined(__SSE2__)
  for (; static_cast<size_t>(end - p) >= kStep; p += kStep) {
    unsigned mask = stop_mask(load(p), '"', '\\');
    if (mask != 0) return p + __builtin_ctz(mask);
  }
#endif
  while (p != end && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
  return p;
}

const char* unescape_json_string(const char* begin, const char* stop, const char* end,
                                 std::string* out, JsonFault* fault) {
  out->clear();
  const char* p = begin;
  for (;;) {
    out->append(p, static_cast<size_t>(stop - p));
    p = stop;
    if (p == end) return fail("Unterminated string starting at", begin - 1, fault);
    if (*p == '"') return p + 1;
    if (*p != '\\') return fail("Invalid control character at", p, fault);
    p = unescape_one(p + 1, end, out, fault);
    if (p == nullptr) return nullptr;
    stop = find_json_string_stop(p, end);
  }
}

void append_json_string(std::string_view text, TextBuffer* out) {
  // Split the text, because memory for the worst case is reserved for each piece.
  constexpr size_t kPiece = 4096;
  constexpr size_t kLongestEscape = 6;
  constexpr size_t kQuotes = 2;
  const char* p = text.data();
  const char* const last = p + text.size();
  auto end_of_piece = [&] { return p + std::min(kPiece, static_cast<size_t>(last - p)); };
  auto reserve_for = [&](const char* end) {
    return out->reserve(static_cast<size_t>(end - p) * kLongestEscape + kStep + kQuotes);
  };
  const char* end = end_of_piece();
  char* to = reserve_for(end);
  *to++ = '"';
  while ((p = copy_plain(p, end, &to)) != last) {
    if (p != end) {
      to = put_escape(*p++, to);
      continue;
    }
    out->grow_to(to);
    end = end_of_piece();
    to = reserve_for(end);
  }
  *to++ = '"';
  out->grow_to(to);
}

void append_json_text(const TVMFFIAny& text, TextBuffer* out) {
  if (text.type_index != kTVMFFISmallStr) {
    append_json_string(ToStringView(*TVMFFIBytesGetByteArrayPtr(text.v_obj)), out);
    return;
  }
#if defined(__SSE2__)
  // The 8 bytes of a small string are copied in one step, with those after its content.
  __m128i bytes = _mm_cvtsi64_si128(text.v_int64);
  size_t size = text.small_str_len;
  if (escape_mask(bytes, size) == 0) {
    char* to = out->reserve(sizeof(text.v_bytes) + 2);
    *to++ = '"';
    std::memcpy(to, text.v_bytes, sizeof(text.v_bytes));
    to += size;
    *to++ = '"';
    out->grow_to(to);
    return;
  }
#endif
  append_json_string(ToStringView(TVMFFISmallBytesGetContentByteArray(&text)), out);
}

}  // namespace tvm::ffi::runtime
