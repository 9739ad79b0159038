// SPDX-License-Identifier: Apache-2.0
// Test the macros and stable hashes of base.h.
#include <gtest/gtest.h>
#include <tvm/ffi/base.h>
#include <tvm/ffi/base_detail.h>
#include <tvm/ffi/type_traits.h>

#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

int anonymous_runs = 0;
TVM_FFI_STATIC_INIT_BLOCK() { ++anonymous_runs; }
TVM_FFI_STATIC_INIT_BLOCK() { anonymous_runs += 10; }

}  // namespace

int global_runs = 0;
TVM_FFI_STATIC_INIT_BLOCK() { ++global_runs; }

namespace base_test {
int named_runs = 0;
TVM_FFI_STATIC_INIT_BLOCK() { ++named_runs; }
}  // namespace base_test

namespace {

using namespace tvm::ffi;

// spec: A04
TEST(StaticInitBlock, EachBlockRunsOnceBeforeMain) {
  EXPECT_EQ(anonymous_runs, 11);
  EXPECT_EQ(global_runs, 1);
  EXPECT_EQ(base_test::named_runs, 1);
}

TVM_FFI_INLINE int InlineOne() { return 1; }
TVM_FFI_INLINE static int InlineTwo() { return 2; }
static TVM_FFI_INLINE int InlineThree() { return 3; }
TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE int OutOfLine() { return 4; }

TEST(CompilerHints, StandInEitherOrderWithStatic) {
  EXPECT_EQ(InlineOne() + InlineTwo() + InlineThree() + OutOfLine(), 10);
}

int Half(int even) {
  TVM_FFI_UNSAFE_ASSUME(even % 2 == 0);
  if (even % 2 == 0) return even / 2;
  TVM_FFI_UNREACHABLE();
}

TEST(CompilerHints, AssumeAndUnreachableLeaveValidCodeAlone) { EXPECT_EQ(Half(8), 4); }

TEST(CompilerHints, PredictionsYieldBool) {
  auto pointer = std::make_unique<int>(1);
  bool there = TVM_FFI_PREDICT_TRUE(pointer.get());
  bool absent = TVM_FFI_PREDICT_FALSE(pointer == nullptr);
  EXPECT_TRUE(there);
  EXPECT_FALSE(absent);
  static_assert(std::is_same_v<bool, decltype(TVM_FFI_PREDICT_TRUE(8) == true)>);
}

#define BASE_TEST_PREFIX value_
TEST(StrConcat, ExpandsBeforePasting) {
  int value_7 = 3;
  EXPECT_EQ(TVM_FFI_STR_CONCAT(BASE_TEST_PREFIX, 7), 3);
}

TEST(FuncSig, NamesTheFunction) {
  struct Local {
    static std::string Name() { return TVM_FFI_FUNC_SIG; }
  };
  EXPECT_NE(Local::Name().find("Name"), std::string::npos);
}

class MoveKnown {
 public:
  MoveKnown() = default;
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(MoveKnown);
  std::vector<int> content;
};

TEST(DefaultCopyMove, MoveIsNoexceptAndTakesTheContent) {
  static_assert(std::is_nothrow_move_constructible_v<MoveKnown>);
  static_assert(std::is_nothrow_move_assignable_v<MoveKnown>);
  static_assert(std::is_copy_constructible_v<MoveKnown>);
  MoveKnown a;
  a.content = {1, 2};
  MoveKnown b = a;
  EXPECT_EQ(b.content.size(), 2u);
  MoveKnown c = std::move(a);
  EXPECT_TRUE(a.content.empty());
  EXPECT_EQ(c.content.size(), 2u);
}

void EndProcess() {
  TVM_FFI_LOG_EXCEPTION_CALL_BEGIN();
  throw std::runtime_error("no way out");
  TVM_FFI_LOG_EXCEPTION_CALL_END(EndProcess);
}

int PassThrough() {
  TVM_FFI_LOG_EXCEPTION_CALL_BEGIN();
  return 5;
  TVM_FFI_LOG_EXCEPTION_CALL_END(PassThrough);
}

TEST(LogExceptionCall, PrintsAndExits) {
  EXPECT_EQ(PassThrough(), 5);
#if defined(_WIN32)
  constexpr int kStatus = -1;
#else
  constexpr int kStatus = 255;
#endif
  EXPECT_EXIT(EndProcess(), testing::ExitedWithCode(kStatus),
              "Exception caught during EndProcess:\nno way out");
}

TEST(ClearPtrPadding, KeepsThePayloadOn64Bits) {
  TVMFFIAny value{};
  value.v_int64 = -1;
  TVM_FFI_CLEAR_PTR_PADDING_IN_FFI_ANY(&value);
  EXPECT_EQ(value.v_int64, sizeof(void*) == 8 ? -1 : 0);
}

TEST(ForEach, GivesIndexAndArgumentInOrder) {
  std::string seen;
  detail::for_each([&](size_t i, const auto& text) { seen += std::to_string(i) + text; }, "a",
                   std::string("b"), "c");
  EXPECT_EQ(seen, "0a1b2c");
  detail::for_each([&](size_t, int) { seen.clear(); });
  EXPECT_EQ(seen, "0a1b2c");
}

TEST(ForEach, ForwardsArguments) {
  std::unique_ptr<int> taken;
  detail::for_each([&](size_t, std::unique_ptr<int>&& value) { taken = std::move(value); },
                   std::make_unique<int>(4));
  ASSERT_NE(taken, nullptr);
  EXPECT_EQ(*taken, 4);
}

// spec: A07
TEST(StableHash, DetailsIsDetail) {
  static_assert(std::is_same_v<details::TypeSchema<int>, detail::TypeSchema<const int&>>);
}

TEST(StableHashCombine, FollowsTheFormula) {
  EXPECT_EQ(detail::StableHashCombine(0, 0), 0x9e3779b9u);
  EXPECT_EQ(detail::StableHashCombine(1, 0), 0x9e3779f8u);   // int 0
  EXPECT_EQ(detail::StableHashCombine(1, -1), 0x9e3779f9u);  // int -1, sign-extended
  EXPECT_EQ(detail::StableHashCombine(1, int8_t{-1}), 0x9e3779f9u);
  EXPECT_EQ(detail::StableHashCombine(3, 0x8000000000000000u), 0x800000009e377a7au);  // -0.0
}

/*! \brief Compute the byte hash by its definition, one byte at a time. */
uint64_t SlowHash(const std::string& bytes) {
  uint64_t hash = 0;
  for (size_t i = 0; i < bytes.size(); i += 8) {
    uint64_t word = 0;
    for (size_t j = 0; j < 8 && i + j < bytes.size(); ++j) {
      word |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i + j])) << (8 * j);
    }
    hash = (hash * 1099511628211ULL + word) % 2147483647ULL;
  }
  return hash;
}

// spec: A08
TEST(StableHashBytes, EveryLengthAndAlignmentGivesTheDefinition) {
  std::string content;
  for (int i = 0; i < 100; ++i) content.push_back(static_cast<char>(i * 37 + 200));
  for (size_t size = 0; size <= content.size(); ++size) {
    std::string expected_of = content.substr(0, size);
    for (size_t shift = 0; shift < 8; ++shift) {
      std::vector<char> buffer(shift + size + 1);
      std::memcpy(buffer.data() + shift, content.data(), size);
      EXPECT_EQ(detail::StableHashBytes(buffer.data() + shift, size), SlowHash(expected_of));
    }
  }
}

// spec: A08
TEST(StableHashBytes, NothingIsZero) {
  EXPECT_EQ(detail::StableHashBytes(nullptr, 0), 0u);
  EXPECT_EQ(detail::StableHashBytes("x", 0), 0u);
}

TEST(StableHashBytes, MatchesPublishedKeyHashes) {
  auto key_hash = [](const std::string& text) {
    return detail::StableHashCombine(kTVMFFIStr, detail::StableHashBytes(text.data(), text.size()));
  };
  EXPECT_EQ(key_hash(""), 0x9e378a48u);
  EXPECT_EQ(key_hash("a"), 0x9e378a2bu);
  EXPECT_EQ(key_hash("abcdefg"), 0x10369b975u);
  EXPECT_EQ(key_hash("abcdefgh"), 0xd369b977u);
  EXPECT_EQ(key_hash("abcdefghi"), 0xe6dc0edfu);
  EXPECT_EQ(key_hash("hello world"), 0xdef11395u);
}

// spec: A09
TEST(StableHashSmallStrBytes, EqualsTheHashOfTheContent) {
  std::string content("\xff\x00z\x80 12", 7);
  for (size_t size = 0; size <= 7; ++size) {
    TVMFFIAny value{};
    value.type_index = kTVMFFISmallStr;
    value.small_str_len = static_cast<uint32_t>(size);
    std::memcpy(value.v_bytes, content.data(), size);
    EXPECT_EQ(detail::StableHashSmallStrBytes(&value),
              detail::StableHashBytes(content.data(), size));
  }
}

// spec: A03
TEST(Version, LibraryIsTheOneOfTheHeaders) {
  TVMFFIVersion version;
  TVMFFIGetVersion(&version);
  EXPECT_EQ(version.major, static_cast<uint32_t>(TVM_FFI_VERSION_MAJOR));
  EXPECT_EQ(version.minor, static_cast<uint32_t>(TVM_FFI_VERSION_MINOR));
  EXPECT_EQ(version.patch, static_cast<uint32_t>(TVM_FFI_VERSION_PATCH));
}

}  // namespace
