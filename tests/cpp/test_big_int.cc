// SPDX-License-Identifier: Apache-2.0
// Test BigInt: canonical form, arithmetic around the limits of int64, text, and storage in Any.
#include <gtest/gtest.h>
#include <tvm/ffi/big_int.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cmath>
#include <cstdint>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "caught.h"

namespace {

using namespace tvm::ffi;
using detail::BigIntUnsafe;
namespace int_ops = detail::int_ops;
using int_ops::ArrayView;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

BigInt Parse(const std::string& text) {
  std::istringstream is(text);
  BigInt value;
  is >> value;
  EXPECT_FALSE(is.fail()) << text;
  return value;
}

std::string Text(const BigInt& value) {
  std::ostringstream os;
  os << value;
  return os.str();
}

BigInt PowerOfTwo(int64_t exponent) { return BigInt(1) << exponent; }

bool IsSmall(const BigInt& value) { return BigIntUnsafe::CheckInt64(value); }

/*! \brief Expect that a value has its canonical form. */
void ExpectCanonical(const BigInt& value) {
  ArrayView words = BigIntUnsafe::GetArrayView(value);
  ASSERT_GE(words.size(), 1u);
  EXPECT_EQ(IsSmall(value), words.size() == 1);
  if (words.size() == 1) return;
  int64_t redundant = words[words.size() - 2] < 0 ? -1 : 0;
  EXPECT_NE(words[words.size() - 1], redundant) << Text(value);
}

void ExpectIs(const BigInt& value, const std::string& text) {
  EXPECT_EQ(Text(value), text);
  ExpectCanonical(value);
  EXPECT_EQ(value, Parse(text));
}

template <typename F>
void ExpectError(F body, const std::string& kind, const std::string& message) {
  EXPECT_EQ(ErrorOf(body), kind + ": " + message);
}

/* ------------------------------------------------------------------ representation */

TEST(BigInt, IsAnAny) {
  static_assert(sizeof(BigInt) == 16 && sizeof(Optional<BigInt>) == 16);
  static_assert(std::is_nothrow_move_constructible_v<BigInt>);
  static_assert(std::is_convertible_v<int, BigInt> && std::is_convertible_v<uint64_t, BigInt>);
  static_assert(!std::is_convertible_v<double, BigInt> && !std::is_convertible_v<BigInt, int64_t>);
  EXPECT_EQ(BigInt(), 0);
  EXPECT_EQ(BigInt('a'), 97);
  EXPECT_EQ(BigInt(true), 1);
  EXPECT_EQ(BigInt(int8_t{-1}), -1);
  ExpectIs(BigInt(kMin), "-9223372036854775808");
}

TEST(BigInt, UnsignedWordsKeepTheirValue) {
  uint64_t largest = std::numeric_limits<uint64_t>::max();
  ExpectIs(BigInt(largest), "18446744073709551615");
  ExpectIs(BigInt(uint64_t{1} << 63), "9223372036854775808");
  EXPECT_TRUE(IsSmall(BigInt(uint64_t{1})));
  // An unsigned operand, on either side of an operation, keeps its value, too.
  ExpectIs(BigInt(0) + largest, "18446744073709551615");
  ExpectIs(largest - BigInt(-1), "18446744073709551616");
  EXPECT_NE(BigInt(-1), largest);
  EXPECT_LT(BigInt(-1), largest);
  EXPECT_GT(largest, BigInt(-1));
}

TEST(BigInt, CopiesShareAndMovesLeaveZero) {
  BigInt a = PowerOfTwo(80);
  Any held = a;
  const Object* object = held.as<Object>();
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(object->use_count(), 2);
  {
    BigInt copy = a;
    EXPECT_EQ(object->use_count(), 3);
    BigInt moved = std::move(copy);
    EXPECT_EQ(object->use_count(), 3);
    EXPECT_EQ(copy, 0);  // NOLINT(bugprone-use-after-move)
    copy = moved;
    EXPECT_EQ(object->use_count(), 4);
    copy = std::move(moved);
    EXPECT_EQ(object->use_count(), 3);
    BigInt& self = copy;
    copy = self;
    copy = std::move(self);
    EXPECT_EQ(copy, a);
    std::swap(copy, moved);
    EXPECT_EQ(copy, 0);
    EXPECT_EQ(moved, a);
    moved.swap(copy);
    EXPECT_EQ(copy, a);
  }
  EXPECT_EQ(object->use_count(), 2);
  a = 1;
  EXPECT_EQ(object->use_count(), 1);
}

TEST(BigInt, NormalizeDropsRedundantWords) {
  auto make = [](std::vector<int64_t> words) {
    size_t n = words.size();
    auto object = make_inplace_array_object<detail::BigIntObj, int64_t>(n, n);
    std::copy(words.begin(), words.end(), BigIntUnsafe::GetMutableData(object));
    EXPECT_EQ(BigIntUnsafe::GetArrayView(object).size(), n);
    return BigIntUnsafe::Normalize(std::move(object));
  };
  ExpectIs(make({}), "0");
  ExpectIs(make({5, 0, 0}), "5");
  ExpectIs(make({-1, -1, -1}), "-1");
  ExpectIs(make({kMin, 0}), "9223372036854775808");
  ExpectIs(make({kMin, -1}), "-9223372036854775808");
  ExpectIs(make({kMax, -1}), "-9223372036854775809");
  ExpectIs(make({0, 1, 0, 0}), "18446744073709551616");
  auto object = make_inplace_array_object<detail::BigIntObj, int64_t>(2, 2);
  BigIntUnsafe::GetMutableData(object)[0] = 7;
  BigIntUnsafe::ShrinkSize(object, 1);
  ExpectIs(BigIntUnsafe::Normalize(std::move(object)), "7");
}

TEST(BigInt, LibraryReadsTheSameWords) {
  BigInt value = -PowerOfTwo(200) + 12345;
  TVMFFIAny raw = AnyView(value).CopyToTVMFFIAny();
  TVMFFIByteArray content = TVMFFIBigIntGetContentByteArray(&raw);
  ArrayView words = BigIntUnsafe::GetArrayView(value);
  ASSERT_EQ(content.size, words.size() * sizeof(int64_t));
  EXPECT_EQ(static_cast<const void*>(content.data), &words[0]);
  TVMFFIAny made;
  ASSERT_EQ(TVMFFIBigIntFromByteArray(&content, &made), 0);
  EXPECT_EQ(detail::AnyUnsafe::MoveTVMFFIAnyToAny(&made).cast<BigInt>(), value);
}

/* ------------------------------------------------------------------ arithmetic */

// spec: G06
TEST(BigIntArithmetic, CrossesTheBorderOfInt64AndComesBack) {
  ExpectIs(BigInt(kMax) + 1, "9223372036854775808");
  ExpectIs(BigInt(kMax) + 1 - 1, "9223372036854775807");
  ExpectIs(BigInt(kMin) - 1, "-9223372036854775809");
  ExpectIs(BigInt(kMin) - 1 + 1, "-9223372036854775808");
  ExpectIs(-BigInt(kMin), "9223372036854775808");
  ExpectIs(-(-BigInt(kMin)), "-9223372036854775808");
  ExpectIs(~BigInt(kMax), "-9223372036854775808");
  ExpectIs(~(BigInt(kMax) + 1), "-9223372036854775809");
  ExpectIs(~~PowerOfTwo(63), "9223372036854775808");
  ExpectIs(BigInt(kMin) * -1, "9223372036854775808");
  ExpectIs(BigInt(kMin) / -1, "9223372036854775808");
  ExpectIs(BigInt(kMin) % -1, "0");
  ExpectIs(floordiv(BigInt(kMin), -1), "9223372036854775808");
  ExpectIs(PowerOfTwo(63) / 2, "4611686018427387904");
  ExpectIs(PowerOfTwo(63) % kMax, "1");
  ExpectIs(BigInt(kMax) * kMax, "85070591730234615847396907784232501249");
  ExpectIs(BigInt(kMin) * kMin, "85070591730234615865843651857942052864");
  ExpectIs(BigInt(kMin) << 1, "-18446744073709551616");
  ExpectIs((BigInt(kMin) << 1) >> 1, "-9223372036854775808");
  ExpectIs(+PowerOfTwo(64), "18446744073709551616");
  BigInt value = kMax;
  EXPECT_EQ(value++, kMax);
  ExpectIs(value, "9223372036854775808");
  ExpectIs(--value, "9223372036854775807");
  value = kMin;
  EXPECT_EQ(value--, kMin);
  ExpectIs(value, "-9223372036854775809");
  ExpectIs(++value, "-9223372036854775808");
}

// spec: G06
TEST(BigIntArithmetic, CompoundAssignment) {
  BigInt value = 10;
  value += PowerOfTwo(70);
  value -= 3;
  value *= -2;
  value <<= 5;
  ExpectIs(value, Text(-(PowerOfTwo(70) + 7) * 64));
  value >>= 6;
  ExpectIs(value, Text(-(PowerOfTwo(70) + 7)));
  value %= 1000;
  EXPECT_EQ(value, -((PowerOfTwo(70) + 7) % 1000));
  value = 100;
  value /= -7;
  EXPECT_EQ(value, -14);
  value &= 0xff;
  EXPECT_EQ(value, 0xf2);
  value |= PowerOfTwo(64);
  value ^= PowerOfTwo(64);
  EXPECT_EQ(value, 0xf2);
  value += value;
  EXPECT_EQ(value, 0x1e4);
}

// spec: G07
TEST(BigIntArithmetic, DivisionRoundsToZeroOrDown) {
  struct Row {
    int a, b, trunc, rest, floor, mod;
  };
  for (const Row& row :
       {Row{7, 2, 3, 1, 3, 1}, Row{-7, 2, -3, -1, -4, 1}, Row{7, -2, -3, 1, -4, -1},
        Row{-7, -2, 3, -1, 3, -1}, Row{6, -2, -3, 0, -3, 0}}) {
    // Scale both operands, so that they have one word or several.
    for (const BigInt& scale : {BigInt(1), PowerOfTwo(64), PowerOfTwo(129)}) {
      BigInt a = row.a * scale, b = row.b * scale;
      EXPECT_EQ(a / b, row.trunc);
      EXPECT_EQ(truncdiv(a, b), row.trunc);
      EXPECT_EQ(a % b, row.rest * scale);
      EXPECT_EQ(truncmod(a, b), row.rest * scale);
      EXPECT_EQ(floordiv(a, b), row.floor);
      EXPECT_EQ(floormod(a, b), row.mod * scale);
      auto [quotient, rest] =
          int_ops::DivRemFallback(BigIntUnsafe::GetArrayView(a), BigIntUnsafe::GetArrayView(b));
      EXPECT_EQ(quotient, row.trunc);
      EXPECT_EQ(rest, row.rest * scale);
    }
  }
  EXPECT_EQ(floordiv(-PowerOfTwo(100), PowerOfTwo(200)), -1);
  EXPECT_EQ(floormod(-PowerOfTwo(100), PowerOfTwo(200)), PowerOfTwo(200) - PowerOfTwo(100));
  BigInt seven = 7;
  auto by_word = int_ops::DivRemFallback(BigIntUnsafe::GetArrayView(seven), int64_t{-2});
  EXPECT_EQ(by_word.first, -3);
  EXPECT_EQ(by_word.second, 1);
}

TEST(BigIntArithmetic, DivisionWhoseFirstGuessIsWrong) {
  // For these dividends the first estimate of a digit is too large by one or two.
  for (const char* text :
       {"340282366920938463463374607431768211455", "79228162514264337593543950335"}) {
    BigInt value = Parse(text);
    for (BigInt divisor :
         {PowerOfTwo(96) - 1, PowerOfTwo(95) + 1, PowerOfTwo(64) + PowerOfTwo(32)}) {
      EXPECT_EQ(value / divisor * divisor + value % divisor, value);
      EXPECT_LT(value % divisor, divisor);
    }
  }
}

// spec: G08
TEST(BigIntArithmetic, Errors) {
  for (const BigInt& a : {BigInt(0), BigInt(5), PowerOfTwo(90)}) {
    for (auto divide :
         {+[](const BigInt& x) { return x / 0; }, +[](const BigInt& x) { return x % 0; },
          +[](const BigInt& x) { return floordiv(x, 0); },
          +[](const BigInt& x) { return floormod(x, 0); }}) {
      ExpectError([&] { divide(a); }, "ZeroDivisionError", "Division by zero");
    }
    ExpectError([&] { a << -1; }, "ValueError", "Negative BigInt shift count");
    ExpectError([&] { a >> -1; }, "ValueError", "Negative BigInt shift count");
    ExpectError([&] { a << -PowerOfTwo(70); }, "ValueError", "Negative BigInt shift count");
  }
  ExpectError([] { BigInt(1) << PowerOfTwo(64); }, "OverflowError",
              "BigInt shift count is too large");
  EXPECT_EQ(BigInt(0) << PowerOfTwo(100), 0);
  EXPECT_EQ(BigInt(0) << kMax, 0);
}

TEST(BigIntArithmetic, AFailedAssignmentChangesNothing) {
  BigInt value = PowerOfTwo(100);
  EXPECT_THROW(value /= 0, Error);
  EXPECT_THROW(value <<= -1, Error);
  EXPECT_EQ(value, PowerOfTwo(100));
}

TEST(BigIntArithmetic, BitsOfTheEndlessNumber) {
  BigInt large = PowerOfTwo(100);
  EXPECT_EQ(-large & (PowerOfTwo(101) - 1), large);
  EXPECT_EQ(BigInt(-1) & large, large);
  EXPECT_EQ(BigInt(-1) | large, -1);
  EXPECT_EQ(BigInt(-1) ^ large, -large - 1);
  EXPECT_EQ(-large >> 99, -2);
  EXPECT_EQ(-large >> 101, -1);
  EXPECT_EQ(-large >> PowerOfTwo(100), -1);
  EXPECT_EQ(large >> PowerOfTwo(100), 0);
  EXPECT_EQ((-large - 1) >> 100, -2);
  EXPECT_EQ(BigInt(-5) >> 1, -3);
  EXPECT_EQ(BigInt(5) >> 64, 0);
  EXPECT_EQ(BigInt(-5) >> 64, -1);
  for (int shift : {0, 1, 63, 64, 65, 127, 128}) {
    EXPECT_EQ((large << shift) >> shift, large);
    EXPECT_EQ(large << shift, large * PowerOfTwo(shift));
  }
}

TEST(BigIntArithmetic, OrderAndEqualityWithEveryOperand) {
  std::vector<BigInt> ascending = {
      -PowerOfTwo(128), -PowerOfTwo(64), BigInt(kMin) - 1, kMin, -1, 0, 1, kMax,
      BigInt(kMax) + 1, PowerOfTwo(64),  PowerOfTwo(128)};
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      const BigInt &a = ascending[i], &b = ascending[j];
      EXPECT_EQ(a < b, i < j);
      EXPECT_EQ(a <= b, i <= j);
      EXPECT_EQ(a > b, i > j);
      EXPECT_EQ(a >= b, i >= j);
      EXPECT_EQ(a == b, i == j);
      EXPECT_EQ(a != b, i != j);
      EXPECT_EQ(min(a, b), ascending[std::min(i, j)]);
      EXPECT_EQ(max(a, b), ascending[std::max(i, j)]);
    }
    EXPECT_EQ(ascending[i] < int64_t{0}, i < 5);
    EXPECT_EQ(int64_t{0} < ascending[i], i > 5);
  }
  EXPECT_EQ(min(int64_t{3}, PowerOfTwo(70)), 3);
  EXPECT_EQ(max(PowerOfTwo(70), int64_t{3}), PowerOfTwo(70));
}

/*! \brief Return a random number of at most `bits` bits, of either sign. */
BigInt Random(std::mt19937_64* random, int bits) {
  BigInt value = 0;
  for (int done = 0; done < bits; done += 64) value = (value << 64) + BigInt((*random)());
  value = value >> (64 - bits % 64);
  return (*random)() % 2 == 0 ? value : -value;
}

TEST(BigIntArithmetic, LawsHoldForRandomNumbers) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 400; ++round) {
    BigInt a = Random(&random, static_cast<int>(random() % 400) + 1);
    BigInt b = Random(&random, static_cast<int>(random() % 300) + 1);
    BigInt c = Random(&random, static_cast<int>(random() % 100) + 1);
    EXPECT_EQ(a + b - b, a);
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a + b) * (a - b), a * a - b * b);
    EXPECT_EQ((a & b) + (a | b), a + b);
    EXPECT_EQ((a & b) ^ (a | b), a ^ b);
    EXPECT_EQ(~a, -a - 1);
    EXPECT_EQ(Parse(Text(a)), a);
    if (b != 0) {
      EXPECT_EQ(a / b * b + a % b, a);
      EXPECT_EQ(floordiv(a, b) * b + floormod(a, b), a);
      BigInt mod = floormod(a, b);
      EXPECT_TRUE(mod == 0 || (mod < 0) == (b < 0));
      EXPECT_EQ(a * b / b, a);
    }
    for (const BigInt& value : {a + b, a - b, a * b, a & b, a ^ b}) ExpectCanonical(value);
  }
}

TEST(BigIntArithmetic, WordsAndScalarsAgree) {
  std::mt19937_64 random(21);
  std::vector<int64_t> numbers = {0, 1, -1, 2, -2, 63, 64, kMin, kMax, kMin + 1, kMax - 1};
  for (int i = 0; i < 30; ++i) {
    numbers.push_back(int_ops::BitcastToInt64(random()) >> (random() % 64));
  }
  using Scalar = bool (*)(int64_t, int64_t, int64_t*);
  using Words = BigInt (*)(ArrayView, ArrayView);
  std::vector<std::pair<Scalar, Words>> pairs = {{&int_ops::AddOverflow, &int_ops::AddFallback},
                                                 {&int_ops::SubOverflow, &int_ops::SubFallback},
                                                 {&int_ops::MulOverflow, &int_ops::MulFallback}};
  std::vector<std::pair<Scalar, Words>> divisions = {
      {&int_ops::TruncDivOverflow, &int_ops::TruncDivFallback},
      {&int_ops::TruncModOverflow, &int_ops::TruncModFallback},
      {&int_ops::FloorDivOverflow, &int_ops::FloorDivFallback},
      {&int_ops::FloorModOverflow, &int_ops::FloorModFallback}};
  for (int64_t a : numbers) {
    for (int64_t b : numbers) {
      auto check = [&](const std::pair<Scalar, Words>& pair) {
        BigInt want = pair.second(ArrayView(&a, 1), ArrayView(&b, 1));
        int64_t got;
        bool overflow = pair.first(a, b, &got);
        EXPECT_EQ(overflow, !want.as<int64_t>().has_value()) << a << ' ' << b;
        if (!overflow) {
          EXPECT_EQ(want, got) << a << ' ' << b;
        }
      };
      for (const auto& pair : pairs) check(pair);
      if (b != 0) {
        for (const auto& pair : divisions) check(pair);
      }
      if (b >= 0 && b < 200) {
        check({&int_ops::LeftShiftOverflow, &int_ops::LeftShiftFallback});
        EXPECT_EQ(int_ops::RightShiftFallback(ArrayView(&a, 1), ArrayView(&b, 1)),
                  int_ops::RightShift(a, b));
      }
      EXPECT_EQ(int_ops::CompareFallback(ArrayView(&a, 1), ArrayView(&b, 1)), (a > b) - (a < b));
      EXPECT_EQ(int_ops::EqualFallback(ArrayView(&a, 1), ArrayView(&b, 1)), a == b);
      EXPECT_EQ(int_ops::MinFallback(ArrayView(&a, 1), ArrayView(&b, 1)), std::min(a, b));
      EXPECT_EQ(int_ops::MaxFallback(ArrayView(&a, 1), ArrayView(&b, 1)), std::max(a, b));
    }
    EXPECT_EQ(int_ops::NegateFallback(ArrayView(&a, 1)), -BigInt(a));
    EXPECT_EQ(int_ops::ComplementFallback(ArrayView(&a, 1)), ~a);
    EXPECT_EQ(int_ops::IsNegative(ArrayView(&a, 1)), a < 0);
    EXPECT_EQ(int_ops::IsNormalizedZero(ArrayView(&a, 1)), a == 0);
  }
}

TEST(BigIntArithmetic, NoWordsAreZero) {
  ArrayView none(nullptr, 0);
  int64_t three = 3;
  ArrayView some(&three, 1);
  EXPECT_EQ(int_ops::AddFallback(none, none), 0);
  EXPECT_EQ(int_ops::AddFallback(none, some), 3);
  EXPECT_EQ(int_ops::MulFallback(none, some), 0);
  EXPECT_EQ(int_ops::MulFallback(some, none), 0);
  EXPECT_EQ(int_ops::NegateFallback(none), 0);
  EXPECT_EQ(int_ops::ComplementFallback(none), -1);
  EXPECT_EQ(int_ops::TruncDivFallback(none, some), 0);
  EXPECT_EQ(int_ops::LeftShiftFallback(none, some), 0);
  EXPECT_EQ(int_ops::RightShiftFallback(some, none), 3);
  EXPECT_EQ(int_ops::MinFallback(none, some), 0);
  EXPECT_EQ(int_ops::CompareFallback(none, some), -1);
  EXPECT_TRUE(int_ops::IsNormalizedZero(none));
  EXPECT_THROW(int_ops::TruncModFallback(some, none), Error);
}

/* --------------------------------------------------------- conversion from and to other numbers */

// spec: G09
TEST(BigIntNumbers, FromDouble) {
  EXPECT_EQ(BigInt(1.9), 1);
  EXPECT_EQ(BigInt(-1.9), -1);
  EXPECT_EQ(BigInt(-0.0), 0);
  ExpectIs(BigInt(9223372036854775808.0), "9223372036854775808");
  ExpectIs(BigInt(-9223372036854775808.0), "-9223372036854775808");
  ExpectIs(BigInt(1e22), "10000000000000000000000");
  ExpectIs(BigInt(-1e22), "-10000000000000000000000");
  ExpectIs(BigInt(std::ldexp(1.0, 1023)), Text(PowerOfTwo(1023)));
  EXPECT_EQ(BigInt(1.5f), 1);
  double infinity = std::numeric_limits<double>::infinity();
  ExpectError([] { BigInt(std::nan("")); }, "ValueError", "Cannot convert NaN to BigInt");
  ExpectError([&] { BigInt{infinity}; }, "OverflowError", "Cannot convert infinity to BigInt");
  ExpectError([&] { BigInt{-infinity}; }, "OverflowError", "Cannot convert infinity to BigInt");
}

// spec: G09
TEST(BigIntNumbers, ToTheNearestDouble) {
  auto to_double = [](const BigInt& value) { return static_cast<double>(value); };
  EXPECT_EQ(to_double(0), 0.0);
  EXPECT_EQ(to_double(kMax), 9223372036854775808.0);
  for (int bits : {60, 63, 64, 65, 95, 96, 97, 128, 200, 1000}) {
    // The last bit of the mantissa has the value 2^k; a half is rounded to the even neighbour.
    BigInt base = PowerOfTwo(bits), unit = PowerOfTwo(bits - 52), half = PowerOfTwo(bits - 53);
    double value = std::ldexp(1.0, bits), step = std::ldexp(1.0, bits - 52);
    EXPECT_EQ(to_double(base), value);
    EXPECT_EQ(to_double(base + half), value);
    EXPECT_EQ(to_double(base + half + 1), value + step);
    EXPECT_EQ(to_double(base + half - 1), value);
    EXPECT_EQ(to_double(base + unit + half), value + 2 * step);
    EXPECT_EQ(to_double(base + unit + half - 1), value + step);
    EXPECT_EQ(to_double(-(base + unit + half)), -(value + 2 * step));
  }
  BigInt largest = BigInt(std::numeric_limits<double>::max());
  EXPECT_EQ(to_double(largest), std::numeric_limits<double>::max());
  BigInt half = PowerOfTwo(970);
  EXPECT_EQ(to_double(largest + half - 1), std::numeric_limits<double>::max());
  for (const BigInt& value :
       {largest + half, -largest - half, PowerOfTwo(1024), PowerOfTwo(100000)}) {
    ExpectError([&] { (void)static_cast<double>(value); }, "OverflowError",
                "BigInt does not fit finite double");
  }
}

// spec: G09
TEST(BigIntNumbers, AsChecksTheRange) {
  EXPECT_EQ(BigInt(255).as<uint8_t>(), 255);
  EXPECT_FALSE(BigInt(256).as<uint8_t>().has_value());
  EXPECT_FALSE(BigInt(-1).as<uint8_t>().has_value());
  EXPECT_EQ(BigInt(-128).as<int8_t>(), -128);
  EXPECT_FALSE(BigInt(-129).as<int8_t>().has_value());
  EXPECT_FALSE(BigInt(-1).as<uint64_t>().has_value());
  EXPECT_EQ((PowerOfTwo(64) - 1).as<uint64_t>(), std::numeric_limits<uint64_t>::max());
  EXPECT_FALSE(PowerOfTwo(64).as<uint64_t>().has_value());
  EXPECT_EQ(BigInt(kMin).as<int64_t>(), kMin);
  EXPECT_FALSE((BigInt(kMin) - 1).as<int64_t>().has_value());
  EXPECT_FALSE(PowerOfTwo(63).as<int64_t>().has_value());
  EXPECT_EQ(BigInt(1).as<bool>(), true);
  EXPECT_FALSE(BigInt(2).as<bool>().has_value());
}

TEST(BigIntNumbers, ExplicitConversions) {
  EXPECT_FALSE(static_cast<bool>(BigInt(0)));
  EXPECT_TRUE(static_cast<bool>(BigInt(-1)));
  EXPECT_TRUE(static_cast<bool>(PowerOfTwo(64)));
  EXPECT_EQ(static_cast<int64_t>(BigInt(kMin)), kMin);
  ExpectError([] { (void)static_cast<int64_t>(PowerOfTwo(63)); }, "OverflowError",
              "BigInt does not fit int64_t");
}

TEST(BigIntNumbers, Hash) {
  EXPECT_EQ(BigInt(5).hash(), 5u);
  EXPECT_EQ(BigInt(-1).hash(), std::numeric_limits<uint64_t>::max());
  BigInt large = PowerOfTwo(100) + 3;
  ArrayView words = BigIntUnsafe::GetArrayView(large);
  EXPECT_EQ(large.hash(), detail::StableHashBytes(&words[0], 16));
  EXPECT_EQ(std::hash<BigInt>()(large), static_cast<size_t>(large.hash()));
  std::unordered_set<BigInt> set = {BigInt(1), large, PowerOfTwo(100) + 3};
  EXPECT_EQ(set.size(), 2u);
}

/* ------------------------------------------------------------------ text */

// spec: G11
TEST(BigIntText, Reads) {
  struct Row {
    const char* text;
    const char* value;  // NULL: rejected
    const char* rest;
  };
  for (const Row& row :
       {Row{"5", "5", ""}, Row{"-12", "-12", ""}, Row{"+7", "7", ""}, Row{" \t\n12", "12", ""},
        Row{"12x", "12", "x"}, Row{"-0", "0", ""}, Row{"007", "7", ""},
        Row{"99999999999999999999999z", "99999999999999999999999", "z"},
        Row{"-9223372036854775808 1", "-9223372036854775808", " 1"}, Row{"12-3", "12", "-3"},
        Row{"", nullptr, ""}, Row{"x", nullptr, "x"}, Row{"- 5", nullptr, " 5"},
        Row{"--5", nullptr, "-5"}, Row{"+-5", nullptr, "-5"}}) {
    std::istringstream is(row.text);
    BigInt value = 77;
    is >> value;
    EXPECT_EQ(is.fail(), row.value == nullptr) << row.text;
    EXPECT_EQ(Text(value), row.value == nullptr ? "77" : row.value);
    is.clear();
    std::string rest;
    std::getline(is, rest, '\0');
    EXPECT_EQ(rest, row.rest) << row.text;
  }
  std::istringstream several("1 -2 36893488147419103232");
  BigInt a, b, c;
  several >> a >> b >> c;
  EXPECT_TRUE(several.eof() && !several.fail());
  EXPECT_EQ(c, PowerOfTwo(65));
}

// spec: G11
TEST(BigIntText, WritesAsItsDigitsWouldBeWritten) {
  std::ostringstream os;
  os << std::setw(6) << std::setfill('*') << std::left << BigInt(-5);
  os << std::hex << std::showbase << std::showpos << BigInt(255) << PowerOfTwo(64);
  EXPECT_EQ(os.str(), "-5****25518446744073709551616");
}

TEST(BigIntText, EveryChunkKeepsItsZeros) {
  for (int zeros : {8, 9, 10, 17, 18, 19, 27, 60, 500}) {
    std::string text = "1" + std::string(static_cast<size_t>(zeros), '0');
    ExpectIs(Parse(text), text);
    ExpectIs(Parse("-" + text) + 1, "-" + std::string(static_cast<size_t>(zeros), '9'));
    EXPECT_EQ(int_ops::ToStringFallback(Parse(text)), text);
  }
}

/* ------------------------------------------------------------------ BigInt in Any */

// spec: G10
TEST(BigIntAny, HasOneFormPerValue) {
  EXPECT_EQ(Any(BigInt(5)).type_index(), kTVMFFIInt);
  Any large = PowerOfTwo(64);
  EXPECT_EQ(large.type_index(), kTVMFFIBigInt);
  EXPECT_EQ(large.GetTypeKey(), "ffi.BigInt");
  EXPECT_EQ(large.cast<BigInt>(), PowerOfTwo(64));
  EXPECT_EQ(large.as<BigInt>(), PowerOfTwo(64));
  EXPECT_EQ(Any(5).cast<BigInt>(), 5);
  EXPECT_EQ(Any(5).as<BigInt>(), 5);
  EXPECT_EQ(Any(true).cast<BigInt>(), 1);
  EXPECT_FALSE(Any(true).as<BigInt>().has_value());
  EXPECT_FALSE(Any(1.5).try_cast<BigInt>().has_value());
  EXPECT_EQ(large.as<detail::BigIntObj>()->use_count(), 1);
  const detail::BigIntObj* object = large.as<detail::BigIntObj>();
  BigInt moved = std::move(large).as_or_throw<BigInt>();
  EXPECT_EQ(large, nullptr);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(object->use_count(), 1);
}

// spec: G10
TEST(BigIntAny, OtherNumbersDoNotTakeALargeOne) {
  Any large = PowerOfTwo(64);
  ExpectError([&] { large.cast<int64_t>(); }, "OverflowError",
              "Cannot convert to `int`: integer of more than 64 bits out of int64 range "
              "[-9223372036854775808, 9223372036854775807]");
  ExpectError([&] { large.cast<double>(); }, "OverflowError",
              "Cannot convert to `float`: integer of more than 64 bits is not converted to float");
  ExpectError([] { Any("x").cast<BigInt>(); }, "TypeError",
              "Cannot convert from type `ffi.SmallStr` to `BigInt`");
}

TEST(BigIntAny, Names) {
  EXPECT_EQ(TypeTraits<BigInt>::TypeStr(), "BigInt");
  EXPECT_EQ(TypeTraits<BigInt>::TypeSchema(), R"({"type":"ffi.BigInt"})");
  EXPECT_EQ(TypeTraits<BigInt>::field_static_type_index, kTVMFFIAny);
}

TEST(BigIntAny, FunctionsAndContainers) {
  Function square = Function::FromTyped([](const BigInt& x) { return x * x; });
  EXPECT_EQ(square(3).cast<int64_t>(), 9);
  EXPECT_EQ(square(PowerOfTwo(40)).cast<BigInt>(), PowerOfTwo(80));
  Array<BigInt> numbers = {1, PowerOfTwo(70), -PowerOfTwo(90)};
  EXPECT_EQ(numbers[1], PowerOfTwo(70));
  Optional<BigInt> none, some = PowerOfTwo(70);
  EXPECT_FALSE(none.has_value());
  EXPECT_EQ(some.value(), PowerOfTwo(70));
  EXPECT_EQ(Any(some).cast<Optional<BigInt>>().value(), PowerOfTwo(70));
}

// spec: G10
TEST(BigIntAny, KeysAreEqualByContent) {
  EXPECT_TRUE(AnyEqual()(PowerOfTwo(64), PowerOfTwo(64)));
  EXPECT_FALSE(AnyEqual()(PowerOfTwo(64), PowerOfTwo(65)));
  EXPECT_EQ(AnyHash()(PowerOfTwo(64)), AnyHash()(PowerOfTwo(64)));
  Map<BigInt, int64_t> map;
  for (int i = 0; i < 200; ++i) map.Set(PowerOfTwo(i), i);
  EXPECT_EQ(map.size(), 200u);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(map[PowerOfTwo(i)], i);
  EXPECT_EQ(map.count(-PowerOfTwo(100)), 0u);
  Dict<Any, Any> dict;
  dict.Set(PowerOfTwo(64), 1);
  dict.Set(PowerOfTwo(63) * 2, 2);
  EXPECT_EQ(dict.size(), 1u);
}

/* ------------------------------------------------------------------ hooks of the runtime */

Function Hook(const char* name) {
  return reflection::TypeAttrColumn(name)[kTVMFFIBigInt].cast<Function>();
}

TEST(BigIntHooks, HashEqualityAndOrder) {
  BigInt a = PowerOfTwo(100), b = PowerOfTwo(100) * 3;
  Function none(nullptr);
  EXPECT_EQ(Hook("__ffi_hash__")(a, none).cast<int64_t>(), static_cast<int64_t>(a.hash()));
  EXPECT_EQ(Hook("__ffi_eq__")(a, b, none).cast<StrictBool>(), false);
  EXPECT_EQ(Hook("__ffi_eq__")(a, PowerOfTwo(100), none).cast<StrictBool>(), true);
  EXPECT_EQ(Hook("__ffi_compare__")(a, b, none).cast<int64_t>(), -1);
  EXPECT_EQ(Hook("__ffi_compare__")(b, a, none).cast<int64_t>(), 1);
  EXPECT_EQ(Hook("__ffi_compare__")(b, b, none).cast<int64_t>(), 0);
  EXPECT_THROW(Hook("__ffi_hash__")(5, none), Error);
}

TEST(BigIntHooks, RecursiveOperationsSeeOneKindOfInteger) {
  BigInt large = PowerOfTwo(100);
  EXPECT_TRUE(RecursiveEq(large, PowerOfTwo(100)));
  EXPECT_FALSE(RecursiveEq(large, 1));
  EXPECT_TRUE(RecursiveLt(1, large));
  EXPECT_TRUE(RecursiveLt(-large, kMin));
  EXPECT_TRUE(RecursiveGt(large, kMax));
  EXPECT_EQ(RecursiveHash(large), RecursiveHash(PowerOfTwo(100)));
  EXPECT_EQ(RecursiveHash(BigInt(5)), RecursiveHash(5));
  EXPECT_EQ(std::string(ReprPrint(Array<Any>{large, -large})),
            "(1267650600228229401496703205376, -1267650600228229401496703205376)");
  EXPECT_TRUE(DeepCopy(large).same_as(Any(large)));
}

TEST(BigIntHooks, DecimalInDocuments) {
  BigInt large = PowerOfTwo(100);
  EXPECT_EQ(
      json::Stringify(ToJSONGraph(large)),
      R"({"root_index":0,"nodes":[{"type":"ffi.BigInt","data":"1267650600228229401496703205376"}]})");
  Array<Any> source = {large, -large, large, 5};
  Array<Any> back = FromJSONGraph(ToJSONGraph(source)).cast<Array<Any>>();
  EXPECT_TRUE(RecursiveEq(source, back));
  EXPECT_TRUE(back[0].same_as(back[2]));
}

TEST(BigIntHooks, DecimalThatIsNone) {
  Function read = Hook("__data_from_json__");
  EXPECT_EQ(read(String("5")).type_index(), kTVMFFIInt);
  EXPECT_EQ(read(String("+7")).cast<BigInt>(), 7);
  EXPECT_EQ(read(String("-0")).cast<BigInt>(), 0);
  for (const char* text : {"", "x", "12x", " 12", "12 ", "-", "+", "--1", "0x10", "1.5"}) {
    ExpectError([&] { read(String(text)); }, "ValueError", "Invalid decimal string for ffi.BigInt");
  }
  ExpectError([&] { read(5); }, "TypeError", "Cannot treat type `int` as type `str`");
}

}  // namespace
