// SPDX-License-Identifier: Apache-2.0
// Test AnyHash and AnyEqual: keys compared by content, bits or identity, and the hooks of a type.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "c_api_support.h"
#include "caught.h"
#include "sample_objects.h"

namespace {

using namespace tvm::ffi;
using detail::AnyUnsafe;
using sample::Int;
using sample::IntObj;

Any HeapString(const std::string& text) { return String(std::string(text)); }

// spec: D10
TEST(AnyEqual, TextAndBytesByContent) {
  AnyEqual equal;
  Any heap = HeapString("abc"), small = "abc";
  ASSERT_EQ(heap.type_index(), kTVMFFIStr);
  ASSERT_EQ(small.type_index(), kTVMFFISmallStr);
  EXPECT_TRUE(equal(heap, small));
  EXPECT_TRUE(equal(small, heap));
  EXPECT_TRUE(equal(Any("long enough"), Any("long enough")));
  EXPECT_FALSE(equal(Any("long enough"), Any("long enougH")));
  EXPECT_FALSE(equal(Any("abc"), Any("abcd")));
  EXPECT_TRUE(equal(HeapString(""), Any("")));
  EXPECT_TRUE(equal(HeapString(""), HeapString("")));
  Any small_bytes = Bytes("abc", 3);
  EXPECT_FALSE(equal(small_bytes, small));
  EXPECT_FALSE(equal(small_bytes, heap));
  EXPECT_TRUE(equal(Any(Bytes(std::string("abc"))), small_bytes));
  EXPECT_FALSE(equal(Any(Bytes(std::string("12345678"))), Any("12345678")));
}

// spec: D10
TEST(AnyEqual, TypesAreNeverMixed) {
  AnyEqual equal;
  EXPECT_TRUE(equal(Any(1), Any(1)));
  EXPECT_FALSE(equal(Any(1), Any(1.0)));
  EXPECT_FALSE(equal(Any(1), Any(true)));
  EXPECT_FALSE(equal(Any(0), Any()));
  EXPECT_FALSE(equal(Any(0.0), Any(-0.0)));
  double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(equal(Any(nan), Any(nan)));
  EXPECT_FALSE(equal(Any(nan), Any(-nan)));
}

// spec: D10
TEST(AnyEqual, ObjectsByIdentity) {
  Int a(1), b(1);
  EXPECT_TRUE(AnyEqual()(a, a));
  EXPECT_FALSE(AnyEqual()(a, b));
}

TEST(AnyHash, HasThePublishedValues) {
  AnyHash hash;
  EXPECT_EQ(hash(Any()), 0x9e3779b9u);
  EXPECT_EQ(hash(Any(0)), 0x9e3779f8u);
  EXPECT_EQ(hash(Any(-1)), 0x9e3779f9u);
  EXPECT_EQ(hash(Any(std::numeric_limits<int64_t>::max())), 0x800000009e3779f9u);
  EXPECT_EQ(hash(Any(false)), 0x9e377a3bu);
  EXPECT_EQ(hash(Any(true)), 0x9e377a38u);
  EXPECT_EQ(hash(Any(0.0)), 0x9e377a7au);
  EXPECT_EQ(hash(Any(-0.0)), 0x800000009e377a7au);
  EXPECT_EQ(hash(Any(3.14)), 0x40091eb8f022ff9bu);
  EXPECT_EQ(hash(Any("")), 0x9e378a48u);
  EXPECT_EQ(hash(Any("a")), 0x9e378a2bu);
  EXPECT_EQ(hash(Any("abcdefgh")), 0xd369b977u);
  EXPECT_EQ(hash(Any("hello world")), 0xdef11395u);
}

// spec: D10
TEST(AnyHash, EqualKeysHashEqual) {
  AnyHash hash;
  for (const char* text : {"", "a", "1234567", "12345678", "a text of some length"}) {
    EXPECT_EQ(hash(HeapString(text)), hash(Any(text)));
    EXPECT_EQ(hash(Any(Bytes(std::string(text)))), hash(Any(Bytes(text, std::strlen(text)))));
    EXPECT_NE(hash(Any(text)), hash(Any(Bytes(std::string(text)))));
  }
  Int a(1);
  EXPECT_EQ(hash(a), hash(Any(a)));
  EXPECT_EQ(hash(a), detail::StableHashCombine(static_cast<uint64_t>(IntObj::RuntimeTypeIndex()),
                                               reinterpret_cast<uint64_t>(a.get())));
  EXPECT_NE(hash(Any(1)), hash(Any(1.0)));
  EXPECT_NE(hash(Any(1)), hash(Any(true)));
}

/* ------------------------------------------------------------------ key hooks */

/*! \brief Set a type attribute; a test cannot remove it again. */
void RegisterAttr(int32_t type_index, const char* name, const Any& value) {
  TVMFFIByteArray name_bytes = BytesOf(name);
  TVM_FFI_CHECK_SAFE_CALL(
      TVMFFITypeRegisterAttr(type_index, &name_bytes, AnyUnsafe::TVMFFIAnyPtrFromAny(value)));
}

/*! \brief Define a key class whose hooks use only `number`; each class has another kind of hook. */
#define DEFINE_KEY(Name, Key)                             \
  class Name : public Object {                            \
   public:                                                \
    explicit Name(int64_t number) : number(number) {}     \
    int64_t number;                                       \
    TVM_FFI_DECLARE_OBJECT_INFO_FINAL(Key, Name, Object); \
  }
DEFINE_KEY(NativeKeyObj, "test.any.NativeKey");
DEFINE_KEY(FunctionKeyObj, "test.any.FunctionKey");
DEFINE_KEY(OldKeyObj, "test.any.OldKey");
DEFINE_KEY(OldRawKeyObj, "test.any.OldRawKey");
DEFINE_KEY(FailingKeyObj, "test.any.FailingKey");
DEFINE_KEY(RaisingKeyObj, "test.any.RaisingKey");
DEFINE_KEY(CFunctionKeyObj, "test.any.CFunctionKey");
#undef DEFINE_KEY

template <typename Key>
int64_t NumberOf(const Any& key) {
  return key.as<Key>()->number;
}

template <typename T>
TVMFFIAny Raw(T value) {
  return AnyUnsafe::MoveAnyToTVMFFIAny(Any(std::move(value)));
}

TVMFFIAny NativeHash(const Any& key) noexcept { return Raw(NumberOf<NativeKeyObj>(key) % 10); }
TVMFFIAny NativeEqual(const Any& lhs, const Any& rhs) noexcept {
  return Raw(NumberOf<NativeKeyObj>(lhs) % 10 == NumberOf<NativeKeyObj>(rhs) % 10);
}
int64_t OldHash(const Any& key) noexcept { return NumberOf<OldKeyObj>(key) % 10 + 1000; }
bool OldEqual(const Any& lhs, const Any& rhs) noexcept {
  return NumberOf<OldKeyObj>(lhs) % 10 == NumberOf<OldKeyObj>(rhs) % 10;
}
int64_t OldRawHash(const Any& key) noexcept { return NumberOf<OldRawKeyObj>(key) % 100; }
bool OldRawEqual(const Any& lhs, const Any& rhs) noexcept {
  return NumberOf<OldRawKeyObj>(lhs) == NumberOf<OldRawKeyObj>(rhs);
}
TVMFFIAny FailingHash(const Any&) noexcept { return Raw(Error("ValueError", "no hash today", "")); }
TVMFFIAny FailingEqual(const Any&, const Any&) noexcept {
  return Raw(Error("ValueError", "no equality today", ""));
}

template <typename Key, typename HashHook, typename EqualHook>
void RegisterKey(HashHook hash, EqualHook equal) {
  RegisterAttr(Key::RuntimeTypeIndex(), "__any_hash__", hash);
  RegisterAttr(Key::RuntimeTypeIndex(), "__any_equal__", equal);
}

template <typename F>
void* Address(F* function) {
  return reinterpret_cast<void*>(function);
}

/*! \brief Registers the hooks of all key classes once. */
class KeyHooks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterKey<NativeKeyObj>(Address(&NativeHash), Address(&NativeEqual));
    RegisterKey<OldKeyObj>(Address(&OldHash), Address(&OldEqual));
    RegisterKey<OldRawKeyObj>(Address(&OldRawHash), Address(&OldRawEqual));
    RegisterKey<FailingKeyObj>(Address(&FailingHash), Address(&FailingEqual));
    RegisterKey<FunctionKeyObj>(
        Function::FromTyped([](Any key) { return NumberOf<FunctionKeyObj>(key) % 10; }),
        Function::FromTyped([](Any lhs, Any rhs) {
          return NumberOf<FunctionKeyObj>(lhs) % 10 == NumberOf<FunctionKeyObj>(rhs) % 10;
        }));
    RegisterKey<RaisingKeyObj>(
        Function::FromTyped([](Any) -> int64_t { TVM_FFI_THROW(KeyError) << "raised"; }),
        Function::FromTyped([](Any, Any) { return String("not a bool"); }));
    RegisterKey<CFunctionKeyObj>(Function::FromExternC(nullptr, CHash, nullptr),
                                 Function::FromExternC(nullptr, CEqual, nullptr));
  }

  static int CHash(void*, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
    TVM_FFI_SAFE_CALL_BEGIN();
    TVM_FFI_ICHECK_EQ(num_args, 1);
    int64_t number = NumberOf<CFunctionKeyObj>(Any(AnyView::CopyFromTVMFFIAny(args[0])));
    if (number < 0) TVM_FFI_THROW(ValueError) << "negative";
    *result = Raw(number % 10);
    TVM_FFI_SAFE_CALL_END();
  }
  static int CEqual(void*, const TVMFFIAny*, int32_t num_args, TVMFFIAny* result) {
    *result = Raw(num_args == 2);
    return 0;
  }

  template <typename Key>
  static Any Make(int64_t number) {
    return make_object<Key>(number);
  }
  template <typename Key>
  static uint64_t Hash(uint64_t custom) {
    return detail::StableHashCombine(static_cast<uint64_t>(Key::RuntimeTypeIndex()), custom);
  }
};

// spec: D11, Y12, GEN-G17
TEST_F(KeyHooks, NativeForm) {
  EXPECT_EQ(AnyHash()(Make<NativeKeyObj>(23)), Hash<NativeKeyObj>(3));
  EXPECT_EQ(AnyHash()(Make<NativeKeyObj>(-7)), Hash<NativeKeyObj>(static_cast<uint64_t>(-7)));
  EXPECT_TRUE(AnyEqual()(Make<NativeKeyObj>(23), Make<NativeKeyObj>(3)));
  EXPECT_FALSE(AnyEqual()(Make<NativeKeyObj>(23), Make<NativeKeyObj>(4)));
}

// spec: D11
TEST_F(KeyHooks, FunctionForm) {
  EXPECT_EQ(AnyHash()(Make<FunctionKeyObj>(23)), Hash<FunctionKeyObj>(3));
  EXPECT_TRUE(AnyEqual()(Make<FunctionKeyObj>(23), Make<FunctionKeyObj>(3)));
  EXPECT_FALSE(AnyEqual()(Make<FunctionKeyObj>(23), Make<FunctionKeyObj>(4)));
}

// spec: Y12
TEST_F(KeyHooks, FunctionWithoutCppCall) {
  EXPECT_EQ(AnyHash()(Make<CFunctionKeyObj>(23)), Hash<CFunctionKeyObj>(3));
  EXPECT_TRUE(AnyEqual()(Make<CFunctionKeyObj>(1), Make<CFunctionKeyObj>(2)));
  EXPECT_ERROR(AnyHash()(Make<CFunctionKeyObj>(-1)), "ValueError", "negative");
}

// On other platforms AnyHash cannot tell the two conventions apart (tvm/ffi/detail/key_hook.h).
#if TVM_FFI_DETAIL_TWO_WORD_RESULT_IN_REGISTERS
#define SKIP_WITHOUT_OLD_HOOKS() static_cast<void>(0)
#else
#define SKIP_WITHOUT_OLD_HOOKS() GTEST_SKIP() << "hooks of older libraries do not work here"
#endif

// spec: Y12, GEN-G17
TEST_F(KeyHooks, NativeFormOfOlderLibraries) {
  SKIP_WITHOUT_OLD_HOOKS();
  EXPECT_EQ(AnyHash()(Make<OldKeyObj>(23)), Hash<OldKeyObj>(1003));
  EXPECT_TRUE(AnyEqual()(Make<OldKeyObj>(23), Make<OldKeyObj>(3)));
  EXPECT_FALSE(AnyEqual()(Make<OldKeyObj>(23), Make<OldKeyObj>(4)));
}

TEST_F(KeyHooks, OldHashesThatLookLikeNewResults) {
  SKIP_WITHOUT_OLD_HOOKS();
  // An old hook returns a number, a new hook returns a TVMFFIAny. AnyHash must not mistake these
  // numbers for type indices in a TVMFFIAny: those of None, int, bool, object and Error.
  for (int64_t hash : {0, 1, 2, 64, 67, 1, 67}) {
    EXPECT_EQ(AnyHash()(Make<OldRawKeyObj>(hash)), Hash<OldRawKeyObj>(static_cast<uint64_t>(hash)));
    EXPECT_TRUE(AnyEqual()(Make<OldRawKeyObj>(hash), Make<OldRawKeyObj>(hash)));
    EXPECT_FALSE(AnyEqual()(Make<OldRawKeyObj>(hash), Make<OldRawKeyObj>(hash + 100)));
  }
  Map<Any, int64_t> map;
  for (int64_t i = 0; i < 300; ++i) map.Set(Make<OldRawKeyObj>(i), i);
  EXPECT_EQ(map.size(), 300u);
  for (int64_t i = 0; i < 300; ++i) EXPECT_EQ(map[Make<OldRawKeyObj>(i)], i);
}

TEST_F(KeyHooks, NewHashesOfAllValues) {
  for (int64_t hash : {0, 1, 2, 3, 7}) {
    EXPECT_EQ(AnyHash()(Make<NativeKeyObj>(hash)), Hash<NativeKeyObj>(static_cast<uint64_t>(hash)));
  }
}

TEST_F(KeyHooks, ReturnedErrorsAreReleased) {
  // AnyHash calls the equality hook to determine its calling convention. AnyHash must release the
  // Error that the equality hook returns.
  for (int i = 0; i < 3; ++i)
    EXPECT_ERROR(AnyHash()(Make<FailingKeyObj>(1)), "ValueError", "no hash today");
}

// spec: D11, Y12
TEST_F(KeyHooks, ReturnedErrorsAreThrown) {
  Any a = Make<FailingKeyObj>(1), b = Make<FailingKeyObj>(2);
  EXPECT_ERROR(AnyHash()(a), "ValueError", "no hash today");
  EXPECT_ERROR(AnyEqual()(a, b), "ValueError", "no equality today");
  EXPECT_TRUE(AnyEqual()(a, a)) << "the same object needs no hook";
}

TEST_F(KeyHooks, FunctionsMayThrowAndMustReturnTheirType) {
  Any a = Make<RaisingKeyObj>(1), b = Make<RaisingKeyObj>(2);
  EXPECT_ERROR(AnyHash()(a), "KeyError", "raised");
  EXPECT_THROW(AnyEqual()(a, b), Error);
}

// spec: D11
TEST_F(KeyHooks, ServeMaps) {
  Map<Any, int64_t> map;
  for (int64_t i = 0; i < 30; ++i) map.Set(Make<NativeKeyObj>(i), i);
  EXPECT_EQ(map.size(), 10u);
  EXPECT_EQ(map[Make<NativeKeyObj>(105)], 25);
  Map<Any, int64_t> functions;
  for (int64_t i = 0; i < 30; ++i) functions.Set(Make<FunctionKeyObj>(i), i);
  EXPECT_EQ(functions.size(), 10u);
}

}  // namespace
