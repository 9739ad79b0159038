// SPDX-License-Identifier: Apache-2.0
// Converts native backtrace lines to frames of a Python traceback, and Python tracebacks to native
// backtrace lines. Each distinct line is parsed once: its frame object is cached and shared by all
// tracebacks.
#include <charconv>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "memory_guard.h"
#include "raise.h"
#include "state.h"
#include "utf8.h"

namespace binding {
namespace {

struct NativeFrame {
  PyFrameObject* frame;  // owned; NULL if the line does not describe a frame
  int line;
};

// Maps the text of a backtrace line to its frame. The cache is cleared when it has kMaxLines
// entries, which is far more than the usual number of throw sites.
struct FrameCache {
  static constexpr size_t kMaxLines = 8192;
  std::deque<std::string> texts;
  std::unordered_map<std::string_view, NativeFrame> frames;
  PyObject* globals = nullptr;

  void clear() {
    for (auto& entry : frames) Py_XDECREF(entry.second.frame);
    frames.clear();
    texts.clear();
  }
};

// The cache is static because the extension is loaded once per process. The cache is never
// destroyed, because frames must not be released after the interpreter has shut down.
FrameCache& frame_cache() {
  static auto* cache = new FrameCache;
  return *cache;
}

// Parses `  File "FILE", line N, in FUNC`.
bool parse_line(std::string_view text, std::string* file, int* line, std::string* func) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  size_t begin = text.find(kFile);
  if (begin == std::string_view::npos) return false;
  begin += kFile.size();
  size_t end = text.find(kLine, begin);
  if (end == std::string_view::npos) return false;
  *file = text.substr(begin, end - begin);
  const char* digits = text.data() + end + kLine.size();
  const char* limit = text.data() + text.size();
  auto [rest, error] = std::from_chars(digits, limit, *line);
  if (error != std::errc() || std::string_view(rest, limit - rest).substr(0, kIn.size()) != kIn) {
    return false;
  }
  *func = std::string(rest + kIn.size(), limit);
  return true;
}

PyObject* frame_globals(FrameCache* cache) {
  if (cache->globals == nullptr) {
    Ref globals(Py_BuildValue("{s:s}", "__name__", "tvm_ffi.native"));
    if (!globals || PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins()) < 0) {
      return nullptr;
    }
    cache->globals = globals.release();
  }
  return cache->globals;
}

// Finds or makes the frame of a line. Returns false with an exception set; may throw
// std::bad_alloc.
bool native_frame(std::string_view text, NativeFrame* out) {
  FrameCache& cache = frame_cache();
  auto found = cache.frames.find(text);
  if (BINDING_LIKELY(found != cache.frames.end())) {
    *out = found->second;
    return true;
  }
  *out = NativeFrame{nullptr, 0};
  std::string file, func;
  if (parse_line(text, &file, &out->line, &func)) {
    PyObject* globals = frame_globals(&cache);
    if (globals == nullptr) return false;
    PyCodeObject* code = PyCode_NewEmpty(file.c_str(), func.c_str(), out->line);
    if (code == nullptr) return false;
    out->frame = compat_frame_new(code, globals);
    Py_DECREF(code);
    if (out->frame == nullptr) return false;
  }
  if (cache.frames.size() >= FrameCache::kMaxLines) cache.clear();
  try {
    cache.texts.emplace_back(text);
    cache.frames.emplace(cache.texts.back(), *out);
  } catch (const std::bad_alloc&) {
    Py_XDECREF(out->frame);
    throw;
  }
  return true;
}

// Makes a traceback entry in front of `next`, which may be NULL. Steals `next`. The entry has no
// instruction, and so no column.
PyObject* traceback_entry_steal(PyObject* next, const NativeFrame& frame) {
  auto* tb = PyObject_GC_New(PyTracebackObject, &PyTraceBack_Type);
  if (tb == nullptr) {
    Py_XDECREF(next);
    return nullptr;
  }
  Py_INCREF(frame.frame);
  tb->tb_next = reinterpret_cast<PyTracebackObject*>(next);
  tb->tb_frame = frame.frame;
  tb->tb_lasti = -1;
  tb->tb_lineno = frame.line;
  PyObject_GC_Track(tb);
  return reinterpret_cast<PyObject*>(tb);
}

int prepend_frames(PyObject* exc, const char* text, size_t size) {
  Ref tb(PyException_GetTraceback(exc));
  std::string_view rest(text, size);
  while (!rest.empty()) {
    size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    NativeFrame frame;
    if (!native_frame(line, &frame)) return -1;
    if (frame.frame == nullptr) continue;
    tb = Ref(traceback_entry_steal(tb.release(), frame));
    if (!tb) return -1;
  }
  return tb ? PyException_SetTraceback(exc, tb.get()) : 0;
}

}  // namespace

int traceback_prepend(PyObject* exc, const char* text, size_t size) {
  if (size == 0) return 0;
  StateSection section;
  return guard_memory([=] { return prepend_frames(exc, text, size); });
}

namespace {

// Appends the UTF-8 of a file or function name. Lone surrogates become escapes such as `\udc80`.
void append_name(PyObject* name, std::string* out) {
  TVMFFIByteArray text;
  if (BINDING_LIKELY(PyUnicode_Check(name) && utf8_borrowed(name, &text) == 0)) {
    out->append(text.data, text.size);
    return;
  }
  clear_error();
  Ref bytes(PyUnicode_Check(name) ? PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace")
                                  : nullptr);
  if (bytes) {
    out->append(PyBytes_AS_STRING(bytes.get()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.get())));
  }
  clear_error();
}

void append_entry(const PyTracebackObject* tb, std::string* out) {
  Ref code(reinterpret_cast<PyObject*>(PyFrame_GetCode(tb->tb_frame)));
  auto* co = reinterpret_cast<PyCodeObject*>(code.get());
  int line = tb->tb_lineno;
  if (line < 0) line = PyCode_Addr2Line(co, tb->tb_lasti);
  out->append("  File \"");
  append_name(co->co_filename, out);
  out->append("\", line ");
  char digits[16];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, line < 0 ? 0 : line);
  out->append(digits, end);
  out->append(", in ");
  append_name(co->co_name, out);
  out->push_back('\n');
}

PyTracebackObject* as_traceback(PyObject* x) {
  return x != nullptr && PyTraceBack_Check(x) ? reinterpret_cast<PyTracebackObject*>(x) : nullptr;
}

}  // namespace

std::string traceback_to_text(PyObject* traceback, const TracebackPlace& until) {
  std::vector<const PyTracebackObject*> entries;
  for (auto* tb = as_traceback(traceback); tb != nullptr && !until.is(tb); tb = tb->tb_next) {
    entries.push_back(tb);
  }
  std::string text;
  constexpr size_t kUsualLineSize = 128;
  text.reserve(entries.size() * kUsualLineSize);
  for (auto it = entries.rbegin(); it != entries.rend(); ++it) append_entry(*it, &text);
  return text;
}

TracebackPlace traceback_place(PyObject* traceback) {
  auto* tb = as_traceback(traceback);
  return tb == nullptr ? TracebackPlace{} : TracebackPlace{tb, tb->tb_frame, tb->tb_lasti};
}

bool TracebackPlace::is_in(PyObject* traceback) const {
  auto* tb = as_traceback(traceback);
  while (tb != nullptr && !is(tb)) tb = tb->tb_next;
  return tb != nullptr;
}

}  // namespace binding
