// SPDX-License-Identifier: Apache-2.0
// Test Error: construction, texts, backtraces, the throwing and checking macros, the error slot.
#include <gtest/gtest.h>
#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>

#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "caught.h"
#include "libstdcxx.h"
#include "shared_library.h"

namespace {

using namespace tvm::ffi;

class PayloadObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.error.Payload", PayloadObj, Object);
};

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/*! \brief Captures the standard error stream for the lifetime of the instance. */
class CapturedStderr {
 public:
  CapturedStderr() { testing::internal::CaptureStderr(); }
  ~CapturedStderr() {
    if (is_capturing_) testing::internal::GetCapturedStderr();
  }
  /*! \brief End the capture and return the text. */
  std::string text() {
    is_capturing_ = false;
    return testing::internal::GetCapturedStderr();
  }

 private:
  bool is_capturing_ = true;
};

}  // namespace

// An operator for a type of another namespace; only code in this namespace finds the operator.
namespace error_test_user {

std::ostream& operator<<(std::ostream& os, const std::vector<int>& values) {
  for (int value : values) os << value << ';';
  return os;
}

Error ThrowVector(const std::vector<int>& values) {
  return Caught([&] { TVM_FFI_THROW(ValueError) << "got " << values << " end " << 3; });
}

Error ThrowVectorLast(const std::vector<int>& values) {
  return Caught([&] { TVM_FFI_THROW(ValueError) << values; });
}

// A faulty operator: it does not return the stream that it was given.
std::ostringstream foreign_stream;
std::ostream& operator<<(std::ostream&, const std::vector<long>&) { return foreign_stream; }

Error ThrowIntoForeignStream() {
  return Caught([] { TVM_FFI_THROW(ValueError) << std::vector<long>(); });
}

struct Printable {
  int value;
};
std::ostream& operator<<(std::ostream& os, const Printable& p) {
  return os << "<" << p.value << ">";
}

}  // namespace error_test_user

namespace {

TEST(Error, LayoutIsVtableAndReference) {
  SKIP_WITHOUT_LIBSTDCXX();
  EXPECT_EQ(sizeof(Error), 16u);
  EXPECT_EQ(sizeof(ErrorObj), 96u);
  EXPECT_EQ(sizeof(tvm::ffi::detail::ErrorObjFromStd), 192u);
  EXPECT_FALSE(Error::_type_is_nullable);
  EXPECT_FALSE(std::is_default_constructible_v<Error>);
  EXPECT_EQ(ErrorObj::RuntimeTypeIndex(), kTVMFFIError);
  Error error("K", "m", "");
  auto* base = static_cast<ObjectRef*>(&error);
  EXPECT_EQ(reinterpret_cast<char*>(base) - reinterpret_cast<char*>(&error), 8);
}

TEST(Error, CellTextsAreTerminatedAndReadable) {
  Error error("ValueError", "text", "  File \"f\", line 1, in g\n");
  const ErrorObj* cell = error.get();
  EXPECT_STREQ(cell->kind.data, "ValueError");
  EXPECT_EQ(cell->kind.size, 10u);
  EXPECT_STREQ(cell->message.data, "text");
  EXPECT_EQ(cell->backtrace.size, error.backtrace().size());
  EXPECT_NE(cell->update_backtrace, nullptr);
  EXPECT_EQ(cell->cause_chain, nullptr);
  EXPECT_EQ(cell->extra_context, nullptr);
}

TEST(Error, BacktraceFromByteArray) {
  std::string text = "line\n";
  TVMFFIByteArray bytes{text.data(), text.size()};
  EXPECT_EQ(Error("K", "m", &bytes).backtrace(), "line\n");
  EXPECT_EQ(Error("K", "m", static_cast<const TVMFFIByteArray*>(nullptr)).backtrace(), "");
}

TEST(Error, EmbeddedNulsAreKept) {
  std::string text("a\0b", 3);
  Error error("K", text, "");
  EXPECT_EQ(error.message(), text);
  EXPECT_STREQ(error.what(), "a");
}

// spec: B01
TEST(Error, ThrowCarriesKindMessageAndBacktrace) {
  Error error = Caught([] { TVM_FFI_THROW(ValueError) << "a" << 1; });
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "a1");
  EXPECT_NE(FirstLine(error.backtrace()).find("test_error.cc\", line "), std::string::npos);
  EXPECT_NE(FirstLine(error.backtrace()).find("ThrowCarriesKindMessageAndBacktrace"),
            std::string::npos);
}

TEST(Error, ThrowWithoutText) {
  Error error = Caught([] { TVM_FFI_THROW(KeyError); });
  EXPECT_EQ(error.kind(), "KeyError");
  EXPECT_EQ(error.message(), "");
}

TEST(Error, ThrowIsAStdException) {
  try {
    TVM_FFI_THROW(ValueError) << "text";
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "text");
  }
}

TEST(Error, ThrowStreamsAsAnOstreamDoes) {
  const char* null_text = nullptr;
  void* pointer = reinterpret_cast<void*>(0x1234);
  std::ostringstream expected;
  expected << 'c' << true << static_cast<short>(-3) << 4u << -5L << 6ull << static_cast<int8_t>(65)
           << 1.5 << 0.1f << std::string("str") << std::string_view("view") << pointer
           << std::vector<bool>(1, true)[0];
  Error error = Caught([&] {
    TVM_FFI_THROW(K) << 'c' << true << static_cast<short>(-3) << 4u << -5L << 6ull
                     << static_cast<int8_t>(65) << 1.5 << 0.1f << std::string("str")
                     << std::string_view("view") << pointer << std::vector<bool>(1, true)[0];
  });
  EXPECT_EQ(error.message(), expected.str());
  EXPECT_EQ(Caught([&] { TVM_FFI_THROW(K) << null_text; }).message(), "(null)");
  char buffer[] = "buffer";
  char* mutable_text = buffer;
  EXPECT_EQ(Caught([&] { TVM_FFI_THROW(K) << buffer << mutable_text; }).message(), "bufferbuffer");
}

TEST(Error, ThrowTakesManipulators) {
  Error error = Caught([] {
    TVM_FFI_THROW(K) << 10 << std::hex << 255 << '|' << -1 << '|' << std::setw(4)
                     << std::setfill('0') << "x" << std::boolalpha << true << std::endl;
  });
  EXPECT_EQ(error.message(), "10ff|ffffffff|000xtrue\n");
}

TEST(Error, ThrowFindsOperatorsThroughTheTypeAndThroughTheScope) {
  Error by_type = Caught([] { TVM_FFI_THROW(K) << 1 << error_test_user::Printable{7} << 2; });
  EXPECT_EQ(by_type.message(), "1<7>2");
  EXPECT_EQ(error_test_user::ThrowVector({1, 2}).message(), "got 1;2; end 3");
  EXPECT_EQ(error_test_user::ThrowVectorLast({5}).message(), "5;");
  EXPECT_EQ(error_test_user::ThrowIntoForeignStream().kind(), "InternalError");
}

TEST(Error, ThrowTakesClassConstantsWithoutDefinition) {
  struct Local {
    enum { kOne = 1 };
  };
  EXPECT_EQ(Caught([] { TVM_FFI_THROW(K) << Local::kOne; }).message(), "1");
}

std::string ThrowingOperand() { throw std::runtime_error("operand"); }

TEST(Error, ThrowingOperandPassesItsOwnException) {
  EXPECT_THROW({ TVM_FFI_THROW(ValueError) << ThrowingOperand(); }, std::runtime_error);
}

TEST(Error, NestedThrowInsideAnOperand) {
  auto operand = [] { return Caught([] { TVM_FFI_THROW(Inner) << "i" << 1; }).message(); };
  Error error = Caught([&] { TVM_FFI_THROW(Outer) << "o" << 2 << operand() << 3; });
  EXPECT_EQ(error.kind(), "Outer");
  EXPECT_EQ(error.message(), "o2i13");
  EXPECT_NE(FirstLine(error.backtrace()).find("NestedThrowInsideAnOperand"), std::string::npos);
}

int ThrowEndsTheFunction(bool fail) {
  if (!fail) return 1;
  TVM_FFI_THROW(ValueError) << "no return needed after this";
}

TEST(Error, ThrowNeverReturns) {
  EXPECT_EQ(ThrowEndsTheFunction(false), 1);
  EXPECT_THROW(ThrowEndsTheFunction(true), Error);
}

TEST(Error, LogAndThrowWritesTheFullMessageFirst) {
  CapturedStderr captured;
  Error error = Caught([] { TVM_FFI_LOG_AND_THROW(ValueError) << "logged " << 1; });
  EXPECT_EQ(captured.text(), error.FullMessage());
  EXPECT_EQ(error.message(), "logged 1");
}

TEST(Error, ThrowDoesNotLog) {
  CapturedStderr captured;
  Caught([] { TVM_FFI_THROW(ValueError) << "quiet"; });
  EXPECT_EQ(captured.text(), "");
}

TEST(Error, BuilderThrowsAtTheEndOfItsScope) {
  Error plain = Caught([] {
    tvm::ffi::detail::ErrorBuilder("Kind", std::string("trace\n"), false).stream() << "m" << 1;
  });
  EXPECT_EQ(plain.kind(), "Kind");
  EXPECT_EQ(plain.message(), "m1");
  EXPECT_EQ(plain.backtrace(), "trace\n");

  Error cause("Cause", "", "");
  ObjectRef context(make_object<PayloadObj>());
  Error chained = Caught([&] {
    tvm::ffi::detail::ErrorBuilder("Kind", static_cast<const TVMFFIByteArray*>(nullptr), false,
                                   cause, context)
        .stream();
  });
  EXPECT_TRUE(chained.cause_chain()->same_as(cause));
  EXPECT_TRUE(chained.extra_context()->same_as(context));

  CapturedStderr captured;
  TVMFFIByteArray bytes{"t\n", 2};
  Error logged =
      Caught([&] { tvm::ffi::detail::ErrorBuilder("Kind", &bytes, true).stream() << "x"; });
  EXPECT_EQ(captured.text(), logged.FullMessage());
}

// spec: B02
TEST(Error, WhatIsTheMessageOnly) {
  Error error("ValueError", "message", "  File \"f\", line 1, in g\n");
  EXPECT_STREQ(error.what(), "message");
}

TEST(Error, WhatOfAMovedFromErrorIsEmpty) {
  Error error("ValueError", "message", "");
  Error taken = std::move(error);
  EXPECT_STREQ(error.what(), "");  // NOLINT(bugprone-use-after-move)
  EXPECT_STREQ(taken.what(), "message");
}

// spec: B02
TEST(Error, FullMessageIsTracebackThenKindAndMessage) {
  Error error("ValueError", "msg", "  File \"a\", line 1, in f\n  File \"b\", line 2, in g\n");
  EXPECT_EQ(error.FullMessage(),
            "Traceback (most recent call last):\n"
            "  File \"b\", line 2, in g\n"
            "  File \"a\", line 1, in f\n"
            "ValueError: msg\n");
  EXPECT_EQ(Error("K", "", "").FullMessage(), "Traceback (most recent call last):\nK: \n");
}

// spec: B03
TEST(Error, TracebackReversesLines) {
  EXPECT_EQ(Error("K", "", "a\nb\nc\n").TracebackMostRecentCallLast(), "c\nb\na\n");
  EXPECT_EQ(Error("K", "", "").TracebackMostRecentCallLast(), "");
}

TEST(Error, TracebackDropsEmptyLinesAndAnUnterminatedTail) {
  EXPECT_EQ(Error("K", "", "a\n\nb\n\n\n").TracebackMostRecentCallLast(), "b\na\n");
  EXPECT_EQ(Error("K", "", "a\nb\ntail").TracebackMostRecentCallLast(), "b\na\n");
  EXPECT_EQ(Error("K", "", "tail").TracebackMostRecentCallLast(), "");
  EXPECT_EQ(Error("K", "", "\n").TracebackMostRecentCallLast(), "");
}

// spec: B09
TEST(Error, CopiesShareOneObject) {
  Error error("K", "m", "a\n");
  Error copy = error;
  EXPECT_TRUE(copy.same_as(error));
  EXPECT_EQ(error.use_count(), 2);
  std::string more = "b\n";
  TVMFFIByteArray bytes{more.data(), more.size()};
  copy.UpdateBacktrace(&bytes, kTVMFFIBacktraceUpdateModeAppend);
  EXPECT_EQ(error.backtrace(), "a\nb\n");
  copy.UpdateBacktrace(&bytes, kTVMFFIBacktraceUpdateModeReplace);
  EXPECT_EQ(error.backtrace(), "b\n");
}

TEST(Error, UpdateBacktraceWithItsOwnTextAndWithNull) {
  Error error("K", "m", "0123456789012345678901234567890123456789\n");
  std::string before = error.backtrace();
  TVMFFIByteArray own = error.get()->backtrace;
  error.UpdateBacktrace(&own, kTVMFFIBacktraceUpdateModeAppend);
  EXPECT_EQ(error.backtrace(), before + before);
  own = error.get()->backtrace;
  error.UpdateBacktrace(&own, kTVMFFIBacktraceUpdateModeReplace);
  EXPECT_EQ(error.backtrace(), before + before);
  error.UpdateBacktrace(nullptr, kTVMFFIBacktraceUpdateModeReplace);
  EXPECT_EQ(error.backtrace(), before + before);
}

// spec: B10
TEST(Error, CauseAndContextAreHeldAndReleased) {
  Error cause("Cause", "c", "");
  ObjectRef context(make_object<PayloadObj>());
  {
    Error error("K", "m", "", cause, context);
    EXPECT_EQ(cause.use_count(), 2);
    EXPECT_EQ(context.use_count(), 2);
    EXPECT_TRUE(error.cause_chain()->same_as(cause));
    EXPECT_EQ(error.cause_chain()->message(), "c");
    EXPECT_TRUE(error.extra_context()->same_as(context));
  }
  EXPECT_EQ(cause.use_count(), 1);
  EXPECT_EQ(context.use_count(), 1);
  Error bare("K", "m", "", std::nullopt, std::nullopt);
  EXPECT_FALSE(bare.cause_chain().has_value());
  EXPECT_FALSE(bare.extra_context().has_value());
}

TEST(Error, LongCauseChainIsReleasedWithoutRecursion) {
  ObjectRef last(make_object<PayloadObj>());
  Error error("K", "0", "", std::nullopt, last);
  Error shared = error;
  for (int i = 0; i < 300000; ++i) {
    error = Error("K", "", "", error, std::nullopt);
    if (i == 1000) shared = error;
  }
  error = Error("K", "end", "");
  EXPECT_EQ(shared.use_count(), 1);
  EXPECT_EQ(last.use_count(), 2);
  shared = error;
  EXPECT_EQ(last.use_count(), 1);
}

// spec: B11
TEST(Error, InAnAnyItKeepsIndexAndIdentity) {
  Error error("K", "m", "");
  Any any = error;
  EXPECT_EQ(any.type_index(), kTVMFFIError);
  ASSERT_TRUE(any.as<Error>().has_value());
  EXPECT_TRUE(any.as<Error>()->same_as(error));
  EXPECT_EQ(any.cast<Error>().message(), "m");
  EXPECT_FALSE(Any(1).as<Error>().has_value());
}

TEST(Error, EnvErrorAlreadySetIsEmptyButForItsKind) {
  Error error = EnvErrorAlreadySet();
  EXPECT_EQ(error.kind(), "EnvErrorAlreadySet");
  EXPECT_EQ(error.message(), "");
  EXPECT_EQ(error.backtrace(), "");
}

// -------------------------------------------------------------- errors that pass between libraries

void ThrowFromHere() { TVM_FFI_THROW(KeyError) << "from the program"; }
void ThrowStd() { throw std::runtime_error("std"); }
void ThrowNothing() {}

// spec: SY3
TEST(ErrorAcrossLibraries, IsCaughtByTypeInBothDirections) {
  SharedLibrary library(FixturePath("throws"));
  ASSERT_TRUE(library.IsLoaded()) << library.Error();
  auto throw_error = reinterpret_cast<void (*)()>(library.Symbol("ThrowError"));
  auto catch_error = reinterpret_cast<int (*)(void (*)(), void*)>(library.Symbol("CatchError"));
  ASSERT_TRUE(throw_error != nullptr && catch_error != nullptr);
  {
    Error error = Caught(throw_error);
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_EQ(error.message(), "from the library 1");
    EXPECT_EQ(catch_error(ThrowFromHere, &error), 1);
    EXPECT_EQ(error.kind(), "KeyError");
    EXPECT_EQ(error.message(), "from the program");
    EXPECT_EQ(catch_error(ThrowStd, &error), 2);
    EXPECT_EQ(catch_error(ThrowNothing, &error), 0);
  }
  library.Close();
}

// ------------------------------------------------------------------ checks

// spec: B06
TEST(Check, PassingChecksDoNothing) {
  int evaluated = 0;
  auto text = [&] { return ++evaluated; };
  int x = 1, y = 2;
  TVM_FFI_CHECK(x < y, ValueError) << text();
  TVM_FFI_ICHECK(x < y) << text();
  TVM_FFI_CHECK_LT(x, y, ValueError) << text();
  TVM_FFI_CHECK_GT(y, x, ValueError) << text();
  TVM_FFI_CHECK_LE(x, x, ValueError) << text();
  TVM_FFI_CHECK_GE(x, x, ValueError) << text();
  TVM_FFI_CHECK_EQ(x, x, ValueError) << text();
  TVM_FFI_CHECK_NE(x, y, ValueError) << text();
  TVM_FFI_ICHECK_LT(x, y) << text();
  TVM_FFI_ICHECK_GT(y, x) << text();
  TVM_FFI_ICHECK_LE(x, x) << text();
  TVM_FFI_ICHECK_GE(x, x) << text();
  TVM_FFI_ICHECK_EQ(x, x) << text();
  TVM_FFI_ICHECK_NE(x, y) << text();
  EXPECT_EQ(evaluated, 0);
}

// spec: B05
TEST(Check, ConditionTextIsVerbatim) {
  int x = 0;
  Error error = Caught([&] { TVM_FFI_CHECK(x > 0, ValueError) << "user " << 1; });
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "Check failed: (x > 0) is false: user 1");
  // clang-format off
  error = Caught([&] { TVM_FFI_ICHECK(x==1); });
  // clang-format on
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_EQ(error.message(), "Check failed: (x==1) is false: ");
}

// spec: B04
TEST(Check, ComparisonTextsShowBothSides) {
  Error error = Caught([] { TVM_FFI_ICHECK_EQ(1, 2) << "text"; });
  EXPECT_EQ(error.kind(), "InternalError");
  EXPECT_EQ(error.message(), "Check failed: 1 == 2 (1 vs. 2) : text");
  int a = 1, b = 2;
  auto message = [](auto&& f) { return Caught(f).message(); };
  EXPECT_EQ(message([&] { TVM_FFI_CHECK_LT(b, a, K); }), "Check failed: b < a (2 vs. 1) : ");
  EXPECT_EQ(message([&] { TVM_FFI_CHECK_GT(a, b, K); }), "Check failed: a > b (1 vs. 2) : ");
  EXPECT_EQ(message([&] { TVM_FFI_CHECK_LE(b, a, K); }), "Check failed: b <= a (2 vs. 1) : ");
  EXPECT_EQ(message([&] { TVM_FFI_CHECK_GE(a, b, K); }), "Check failed: a >= b (1 vs. 2) : ");
  EXPECT_EQ(message([&] { TVM_FFI_CHECK_NE(a, a, K); }), "Check failed: a != a (1 vs. 1) : ");
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_LT(b, a); }), "Check failed: b < a (2 vs. 1) : ");
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_GT(a, b); }), "Check failed: a > b (1 vs. 2) : ");
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_LE(b, a); }), "Check failed: b <= a (2 vs. 1) : ");
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_GE(a, b); }), "Check failed: a >= b (1 vs. 2) : ");
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_NE(a, a); }), "Check failed: a != a (1 vs. 1) : ");
  int* null = nullptr;
  EXPECT_EQ(message([&] { TVM_FFI_ICHECK_NE(null, nullptr); }),
            "Check failed: null != nullptr (0 vs. nullptr) : ");
}

// spec: B06
TEST(Check, ComparisonOperandsAreEvaluatedOnce) {
  int evaluated = 0;
  auto next = [&] { return ++evaluated; };
  TVM_FFI_CHECK_EQ(next(), 1, K);
  EXPECT_EQ(evaluated, 1);
  Caught([&] { TVM_FFI_CHECK_EQ(next(), 1, K); });
  EXPECT_EQ(evaluated, 2);
}

TEST(Check, ComparesSignedWithUnsigned) {
  std::vector<int> values(3);
  int n = 3;
  TVM_FFI_ICHECK_EQ(values.size(), n);
  EXPECT_EQ(Caught([&] { TVM_FFI_ICHECK_LT(values.size(), n); }).message(),
            "Check failed: values.size() < n (3 vs. 3) : ");
}

struct Limits {
  static const int kMax = 3;  // has no definition, so the macros must not bind a reference to it
};

TEST(Check, ComparesClassConstantsWithoutDefinition) {
  TVM_FFI_ICHECK_LE(3, Limits::kMax);
  EXPECT_THROW({ TVM_FFI_ICHECK_LT(3, Limits::kMax); }, Error);
}

// spec: B07
TEST(Check, NotNullYieldsItsArgument) {
  int value = 5;
  int* pointer = &value;
  int*& same = TVM_FFI_CHECK_NOTNULL(pointer, ValueError);
  EXPECT_EQ(&same, &pointer);
  EXPECT_EQ(*TVM_FFI_ICHECK_NOTNULL(pointer), 5);
  pointer = nullptr;
  Error error = Caught([&] { (void)TVM_FFI_CHECK_NOTNULL(pointer, ValueError); });
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "Check not null: pointer ");
  EXPECT_EQ(Caught([&] { (void)TVM_FFI_ICHECK_NOTNULL(pointer); }).kind(), "InternalError");
}

// spec: B08
TEST(Check, DebugChecksFollowNDEBUG) {
  int evaluated = 0;
  auto fails = [&] {
    ++evaluated;
    return false;
  };
  int one = 1;
  int* null = nullptr;
  auto run = [&] {
    TVM_FFI_DCHECK(fails()) << "text";
    TVM_FFI_DCHECK_EQ(one, 2) << "text";
    TVM_FFI_DCHECK_NE(one, 1);
    TVM_FFI_DCHECK_LT(one, 1);
    TVM_FFI_DCHECK_GT(one, 1);
    TVM_FFI_DCHECK_LE(one, 0);
    TVM_FFI_DCHECK_GE(one, 2);
    (void)TVM_FFI_DCHECK_NOTNULL(null);
  };
#ifdef NDEBUG
  run();
  EXPECT_EQ(evaluated, 0);
#else
  EXPECT_EQ(Caught(run).message(), "Check failed: (fails()) is false: text");
  EXPECT_EQ(evaluated, 1);
#endif
}

TEST(Check, BacktraceStartsAtTheCheck) {
  Error error = Caught([] { TVM_FFI_ICHECK(false); });
  EXPECT_NE(FirstLine(error.backtrace()).find("BacktraceStartsAtTheCheck"), std::string::npos);
}

// ------------------------------------------------------------------ the error slot

int FailWith(const char* kind, const char* message) {
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  return -1;
}

// An error with the layout of releases up to 0.1.7: it has a string with the kind at the offset
// where newer errors have the fields for cause and context.
struct OldError {
  TVMFFIObject header{};
  TVMFFIByteArray kind{}, message{}, backtrace{"", 0};
  void (*update_backtrace)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t) = nullptr;
  std::string kind_text = "ValueError", message_text = "the text";

  static inline int num_live = 0;
  OldError() {
    kind = {kind_text.data(), kind_text.size()};
    message = {message_text.data(), message_text.size()};
    header.combined_ref_count = (uint64_t{1} << 32) | 1;
    header.type_index = kTVMFFIError;
    header.deleter = [](void* self, int flags) {
      if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) delete static_cast<OldError*>(self);
    };
    ++num_live;
  }
  ~OldError() { --num_live; }
};

Error MakeOldError() {
  auto* old = new OldError();
  return detail::ObjectUnsafe::ObjectRefFromObjectPtr<Error>(
      detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(&old->header));
}

// spec: GEN-G12
TEST(OldError, HasNoCauseAndNoContext) {
  static_assert(offsetof(OldError, kind_text) == sizeof(TVMFFIObject) + 56);
  {
    Error error = MakeOldError();
    EXPECT_EQ(error.kind(), "ValueError");
    EXPECT_EQ(error.message(), "the text");
    EXPECT_FALSE(error.cause_chain().has_value());
    EXPECT_FALSE(error.extra_context().has_value());
    EXPECT_EQ(error.FullMessage(), "Traceback (most recent call last):\nValueError: the text\n");
    detail::SetSafeCallRaised(error);
    EXPECT_TRUE(detail::MoveFromSafeCallRaised().same_as(error));
  }
  EXPECT_EQ(OldError::num_live, 0);
}

// spec: GEN-G12
TEST(OldError, IsReleasedAsACauseOrAContext) {
  {
    Error outer("RuntimeError", "outer", "", MakeOldError(), MakeOldError());
    EXPECT_EQ(OldError::num_live, 2);
    EXPECT_EQ(outer.cause_chain()->kind(), "ValueError");
    EXPECT_FALSE(outer.cause_chain()->cause_chain().has_value());
  }
  EXPECT_EQ(OldError::num_live, 0);
}

// spec: B12
TEST(ErrorSlot, CheckSafeCallThrowsWhatWasRaised) {
  Error error = Caught([] { TVM_FFI_CHECK_SAFE_CALL(FailWith("ValueError", "from C")); });
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "from C");
  TVM_FFI_CHECK_SAFE_CALL(0);
}

// spec: B12
TEST(ErrorSlot, PartsAreConcatenatedAndNullPartsSkipped) {
  const char* parts[] = {"a", nullptr, "b", "c"};
  TVMFFIErrorSetRaisedFromCStrParts("ValueError", parts, 4);
  Error error = tvm::ffi::detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.kind(), "ValueError");
  EXPECT_EQ(error.message(), "abc");
}

TEST(ErrorSlot, SetKeepsTheCallersReferenceAndMoveEmptiesTheSlot) {
  Error error("K", "m", "");
  tvm::ffi::detail::SetSafeCallRaised(error);
  EXPECT_EQ(error.use_count(), 2);
  EXPECT_TRUE(tvm::ffi::detail::MoveFromSafeCallRaised().same_as(error));
  EXPECT_EQ(error.use_count(), 1);
  TVMFFIObjectHandle handle = &handle;
  TVMFFIErrorMoveFromRaised(&handle);
  EXPECT_EQ(handle, nullptr);
}

TEST(ErrorSlot, EmptySlotMeansAPendingFrontendError) {
  EXPECT_EQ(tvm::ffi::detail::MoveFromSafeCallRaised().kind(), "EnvErrorAlreadySet");
  EXPECT_EQ(Caught([] { TVM_FFI_CHECK_SAFE_CALL(-2); }).kind(), "EnvErrorAlreadySet");
}

TEST(ErrorSlot, ErrorsMadeInCAreErrorsHere) {
  TVMFFIByteArray kind{"KeyError", 8}, message{"a\0b", 3}, backtrace{"l\n", 2};
  Error cause("Cause", "", "");
  TVMFFIObjectHandle handle = nullptr;
  TVMFFIObjectHandle cause_handle = const_cast<ErrorObj*>(cause.get());
  ASSERT_EQ(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &backtrace, cause_handle,
                                                      nullptr, &handle),
            0);
  TVMFFIErrorSetRaised(handle);
  TVMFFIObjectDecRef(handle);
  Error error = tvm::ffi::detail::MoveFromSafeCallRaised();
  EXPECT_EQ(error.use_count(), 1);
  EXPECT_EQ(error.kind(), "KeyError");
  EXPECT_EQ(error.message(), std::string("a\0b", 3));
  EXPECT_EQ(error.backtrace(), "l\n");
  EXPECT_TRUE(error.cause_chain()->same_as(cause));
  TVMFFIByteArray more{"m\n", 2};
  error.UpdateBacktrace(&more, kTVMFFIBacktraceUpdateModeAppend);
  EXPECT_EQ(error.backtrace(), "l\nm\n");
}

}  // namespace
