// SPDX-License-Identifier: Apache-2.0
// Test backtrace texts: format, first line, limit, boundaries, repeated and concurrent capture.
#include <gtest/gtest.h>

#if defined(__GLIBC__)
#include <ucontext.h>
#endif

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "c_api_support.h"
#include "environment.h"
#include "on_threads.h"

// Functions whose names the dynamic linker does not know (static) or may know (extern).
extern "C" __attribute__((noinline)) const TVMFFIByteArray* BacktraceOfExternCaller(
    const char* file, int line, const char* function, int cross) {
  const TVMFFIByteArray* text = TVMFFIBacktrace(file, line, function, cross);
  __asm__ volatile("" ::: "memory");  // no tail call: this frame must be on the stack
  return text;
}

// A C function whose name is also the code of a type in linkage names.
extern "C" __attribute__((noinline)) const TVMFFIByteArray* f() {
  const TVMFFIByteArray* text = TVMFFIBacktrace(nullptr, 0, nullptr, 1);
  __asm__ volatile("" ::: "memory");
  return text;
}

namespace {

__attribute__((noinline)) std::string StaticCaller(const char* file, int line, const char* function,
                                                   int cross) {
  std::string text = TextOf(*BacktraceOfExternCaller(file, line, function, cross));
  __asm__ volatile("" ::: "memory");
  return text;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    EXPECT_NE(end, std::string::npos) << "every line ends with a newline";
    if (end == std::string::npos) break;
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/*! \brief Sets the limit of backtraces for the lifetime of the instance. */
class Limit {
 public:
  explicit Limit(const char* value) { SetVariable("TVM_TRACEBACK_LIMIT", value); }
  ~Limit() { UnsetVariable("TVM_TRACEBACK_LIMIT"); }
};

// A backtrace of Windows is the line that raised the error (docs/platforms.md).
#if defined(_WIN32)
#define SKIP_WITHOUT_FRAMES() GTEST_SKIP() << "backtraces of this platform have no frames"
#else
#define SKIP_WITHOUT_FRAMES() static_cast<void>(0)
#endif

TEST(Backtrace, EveryLineHasTheFormat) {
  SKIP_WITHOUT_FRAMES();
  std::vector<std::string> lines = LinesOf(StaticCaller(nullptr, 0, nullptr, 1));
  ASSERT_GE(lines.size(), 3u);
  for (const std::string& line : lines) {
    char file[1000];
    int number = -1;
    int rest = 0;
    int read =
        std::sscanf(line.c_str(), "  File \"%999[^\"]\", line %d, in %n", file, &number, &rest);
    EXPECT_EQ(read, 2) << line;
    EXPECT_GE(number, 0) << line;
    EXPECT_TRUE(rest > 0 && static_cast<size_t>(rest) < line.size()) << line;
    EXPECT_TRUE(StartsWith(line, "  File \"")) << "blanks match any blanks above: " << line;
  }
}

TEST(Backtrace, MostRecentCallFirstWithStaticAndExternNames) {
  SKIP_WITHOUT_FRAMES();
  std::vector<std::string> lines = LinesOf(StaticCaller(nullptr, 0, nullptr, 0));
  ASSERT_GE(lines.size(), 2u);
  EXPECT_NE(lines[0].find("BacktraceOfExternCaller"), std::string::npos) << lines[0];
  EXPECT_NE(lines[1].find("StaticCaller"), std::string::npos) << lines[1];
}

// A test for a fixed bug: the name was read as the code of the type `float`.
TEST(Backtrace, ShortNamesOfCFunctionsAreShown) {
  SKIP_WITHOUT_FRAMES();
  std::string text = TextOf(*f());
  EXPECT_NE(LinesOf(text)[0].find(", in f"), std::string::npos) << text;
}

#if defined(__linux__)
// Define a function with a linkage name of the Rust compiler, which calls the next one.
#define RUST_FUNCTION(name, symbol, next)                              \
  extern "C" const TVMFFIByteArray* name() __asm__(symbol);            \
  extern "C" __attribute__((noinline)) const TVMFFIByteArray* name() { \
    const TVMFFIByteArray* text = next();                              \
    __asm__ volatile("" ::: "memory");                                 \
    return text;                                                       \
  }
RUST_FUNCTION(
    CoreTrait,
    "_ZN115_$LT$core..panic..unwind_safe..AssertUnwindSafe$LT$F$GT$$u20$as$u20$core..ops.."
    "function..FnOnce$LT$$LP$$RP$$GT$$GT$9call_once17hcad182ce2b4c35bfE",
    f)
RUST_FUNCTION(BlanketTrait,
              "_ZN50_$LT$Func$u20$as$u20$tvm_ffi..AsPackedCallable$GT$11call_packed"
              "17h0123456789abcdefE",
              CoreTrait)
RUST_FUNCTION(UserTrait,
              "_ZN46_$LT$prog..Job$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
              BlanketTrait)
RUST_FUNCTION(UserClosure, "_ZN4prog4main28_$u7b$$u7b$closure$u7d$$u7d$17h51c8cd83296ce5e3E",
              UserTrait)
RUST_FUNCTION(CrateFunction, "_ZN7tvm_ffi8function8Function10call_tuple17hd315c5315325fdbaE",
              UserClosure)
RUST_FUNCTION(StandardLibrary, "_RNCNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal0B5_",
              CrateFunction)
RUST_FUNCTION(UserCrate, "_RNvMs_NtCs4fqI2P2rA04_4prog3fooNtB4_3Bar3new", StandardLibrary)
RUST_FUNCTION(NoHash, "_ZN4core3run17notahash012345678Ev", UserCrate)

TEST(Backtrace, RustLibrariesAndHashesAreNotShown) {
  std::vector<std::string> lines = LinesOf(TextOf(*NoHash()));
  const char* expected[] = {
      "in f", "in <prog::Job as core::fmt::Debug>::fmt", "in prog::main::{{closure}}",
      "in _RNvMs_NtCs4fqI2P2rA04_4prog3fooNtB4_3Bar3new", "in core::run::notahash012345678()"};
  ASSERT_GE(lines.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(lines[i].substr(lines[i].find("in ")), expected[i]);
  }
}
#endif

TEST(Backtrace, OwnFramesAreNotShown) {
  for (const std::string& line : LinesOf(StaticCaller(nullptr, 0, nullptr, 1))) {
    EXPECT_EQ(line.find("TVMFFIBacktrace"), std::string::npos) << line;
    EXPECT_EQ(line.find("capture_backtrace"), std::string::npos) << line;
    EXPECT_EQ(line.find("__libc_start"), std::string::npos) << line;
  }
}

TEST(Backtrace, GivenLineStandsForTheCallersFrame) {
  SKIP_WITHOUT_FRAMES();
  std::vector<std::string> lines = LinesOf(StaticCaller("some/file.cc", 42, "SomeFunction", 0));
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], "  File \"some/file.cc\", line 42, in SomeFunction");
  EXPECT_NE(lines[1].find("StaticCaller"), std::string::npos) << lines[1];
}

TEST(Backtrace, HalfAGivenLineIsIgnored) {
  SKIP_WITHOUT_FRAMES();
  for (bool file_given : {true, false}) {
    std::string text =
        StaticCaller(file_given ? "f.cc" : nullptr, 1, file_given ? nullptr : "F", 0);
    EXPECT_NE(LinesOf(text)[0].find("BacktraceOfExternCaller"), std::string::npos) << text;
  }
}

TEST(Backtrace, ExcludedGivenLineIsDropped) {
  std::string text = StaticCaller("/x/include/tvm/ffi/error.h", 1, "f", 0);
  EXPECT_EQ(text.find("error.h"), std::string::npos) << text;
  text = StaticCaller("/include/a/include/c++/12/bits/f.h", 1, "f", 0);
  EXPECT_EQ(text.find("f.h"), std::string::npos) << text;
  text = StaticCaller("f.cc", 1, "tvm::ffi::detail::F", 0);
  EXPECT_EQ(text.find("f.cc"), std::string::npos) << text;
  text = StaticCaller("/include/tvm/ffi/error.cc", 1, "f", 0);
  EXPECT_NE(text.find("error.cc"), std::string::npos) << text;
}

TEST(Backtrace, LimitCountsTheGivenLineToo) {
  SKIP_WITHOUT_FRAMES();
  {
    Limit limit("2");
    EXPECT_EQ(LinesOf(StaticCaller(nullptr, 0, nullptr, 1)).size(), 2u);
    EXPECT_EQ(LinesOf(StaticCaller("f.cc", 1, "F", 1)).size(), 2u);
  }
  {
    Limit limit("0");
    EXPECT_EQ(StaticCaller(nullptr, 0, nullptr, 1), "");
    EXPECT_EQ(LinesOf(StaticCaller("f.cc", 1, "F", 1)).size(), 1u);
  }
  for (const char* nonsense : {"-1", "2x", "", " 2", "99999999999999999999"}) {
    Limit limit(nonsense);
    EXPECT_GT(LinesOf(StaticCaller(nullptr, 0, nullptr, 1)).size(), 2u) << nonsense;
  }
}

__attribute__((noinline)) int Recurse(int depth, std::string* out) {
  if (depth == 0) {
    *out = StaticCaller(nullptr, 0, nullptr, 1);
    return 0;
  }
  int below = Recurse(depth - 1, out);
  __asm__ volatile("" ::: "memory");
  return below + 1;
}

TEST(Backtrace, DeepStackIsCutAt512Lines) {
  SKIP_WITHOUT_FRAMES();
  std::string text;
  EXPECT_EQ(Recurse(3000, &text), 3000);
  EXPECT_EQ(LinesOf(text).size(), 512u);
}

// The name begins with `_Py`, like names of functions of the interpreter, where a backtrace ends.
extern "C" __attribute__((noinline)) std::string* _PyBoundaryForTest(std::string* out, int cross) {
  *out = StaticCaller(nullptr, 0, nullptr, cross);
  __asm__ volatile("" ::: "memory");
  return out;
}

TEST(Backtrace, StopsAtTheInterpreterUnlessAskedToCross) {
  SKIP_WITHOUT_FRAMES();
  std::string near;
  std::string far;
  _PyBoundaryForTest(&near, 0);
  _PyBoundaryForTest(&far, 1);
  EXPECT_EQ(LinesOf(near).size(), 2u) << near;
  EXPECT_GT(LinesOf(far).size(), 3u) << far;
  EXPECT_NE(far.find("_PyBoundaryForTest"), std::string::npos) << far;
  EXPECT_EQ(near.find("_PyBoundaryForTest"), std::string::npos) << near;
}

/*! \brief Return how often a name occurs in a text. */
int CountOf(const std::string& text, const std::string& name) {
  int count = 0;
  for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) ++count;
  return count;
}

__attribute__((noinline)) std::string FrameOfVariableSize(size_t size) {
  volatile char* space = static_cast<volatile char*>(__builtin_alloca(size));
  space[0] = 1;
  space[size - 1] = 1;
  std::string text = StaticCaller(nullptr, 0, nullptr, 1);
  space[0] = 2;
  return text;
}

__attribute__((noinline)) std::string FrameOfRealignedStack(size_t size) {
  alignas(256) volatile char space[256];
  space[0] = 1;
  std::string text = FrameOfVariableSize(size);
  return space[0] == 1 ? text : std::string();
}

TEST(Backtrace, FramesOfEveryShapeAreWalked) {
  SKIP_WITHOUT_FRAMES();
  std::string first;
  for (size_t size : {16, 160, 4096, 16, 100000}) {
    std::string text = FrameOfRealignedStack(size);
    EXPECT_EQ(CountOf(text, "StaticCaller"), 1) << text;
    EXPECT_EQ(CountOf(text, "FrameOfVariableSize"), 1) << text;
    EXPECT_EQ(CountOf(text, "FrameOfRealignedStack"), 1) << text;
    EXPECT_EQ(CountOf(text, "in main"), 1) << text;
    if (first.empty()) first = text;
    EXPECT_EQ(text, first);
  }
}

#if defined(__GLIBC__)

#if !defined(__SANITIZE_THREAD__)
// The handler allocates memory. This is safe only because the test raises the signal itself,
// outside of an allocation. The test is not built with the thread sanitizer, which would report the
// allocation.
std::string g_signal_text;
void OnSignal(int) { g_signal_text = StaticCaller(nullptr, 0, nullptr, 1); }

TEST(Backtrace, GoesThroughASignalFrame) {
  auto before = std::signal(SIGUSR2, OnSignal);
  for (int round = 0; round < 3; ++round) {
    g_signal_text.clear();
    std::raise(SIGUSR2);
    EXPECT_EQ(CountOf(g_signal_text, "OnSignal"), 1) << g_signal_text;
    EXPECT_EQ(CountOf(g_signal_text, "in main"), 1) << g_signal_text;
  }
  std::signal(SIGUSR2, before);
}
#endif

ucontext_t g_main_context;
ucontext_t g_other_context;
std::string g_other_text;
void RunOnOtherStack() { g_other_text = StaticCaller(nullptr, 0, nullptr, 1); }

// A separate function: getcontext returns twice, so local variables of the caller must not live
// across the call.
__attribute__((noinline)) void CaptureOnOtherStack() {
  static std::vector<char> stack(256 * 1024);
  ASSERT_EQ(getcontext(&g_other_context), 0);
  g_other_context.uc_stack.ss_sp = stack.data();
  g_other_context.uc_stack.ss_size = stack.size();
  g_other_context.uc_link = &g_main_context;
  makecontext(&g_other_context, RunOnOtherStack, 0);
  ASSERT_EQ(swapcontext(&g_main_context, &g_other_context), 0);
}

TEST(Backtrace, WorksOnAStackThatIsNotTheThreadsOwn) {
  for (int round = 0; round < 3; ++round) {
    CaptureOnOtherStack();
    EXPECT_EQ(CountOf(g_other_text, "RunOnOtherStack"), 1) << g_other_text;
  }
}

#endif  // __GLIBC__

TEST(Backtrace, ColdAndWarmCapturesAreEqual) {
  std::string texts[3];
  for (std::string& text : texts) text = StaticCaller(nullptr, 0, nullptr, 1);
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[1], texts[2]);
}

TEST(Backtrace, BufferBelongsToTheThread) {
  const TVMFFIByteArray* mine = TVMFFIBacktrace("mine.cc", 1, "F", 0);
  std::thread([mine] { EXPECT_NE(TVMFFIBacktrace("theirs.cc", 1, "F", 0), mine); }).join();
  EXPECT_TRUE(StartsWith(TextOf(*mine), "  File \"mine.cc\""));
  EXPECT_EQ(mine->data[mine->size], '\0');
}

TEST(Backtrace, RaisedErrorsCarryOne) {
  SKIP_WITHOUT_FRAMES();
  TVMFFIErrorSetRaisedFromCStr("ValueError", "m");
  Raised raised = TakeRaised();
  EXPECT_NE(LinesOf(raised.backtrace)[0].find("Backtrace_RaisedErrorsCarryOne"), std::string::npos)
      << raised.backtrace;
}

TEST(Backtrace, ManyThreadsCaptureAtTheSameTime) {
  SKIP_WITHOUT_FRAMES();
  OnThreads(8, [](int) {
    for (int round = 0; round < 200; ++round) {
      std::string text;
      Recurse(round % 20, &text);
      ASSERT_GE(LinesOf(text).size(), 2u);
    }
  });
}

}  // namespace
