// SPDX-License-Identifier: Apache-2.0
// Native backtrace lines as frames of a Python traceback, and Python tracebacks as such lines.
// Each distinct line is parsed once: its frame object is kept and shared by all tracebacks.
#include <charconv>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "raise.h"

namespace binding {
namespace {

struct NativeFrame {
  PyFrameObject* frame;  // owned; NULL for a line that is no frame line
  int line;
};

// Frames by their text. Emptied when it grows past any sensible number of distinct throw sites.
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

// Needs its reason: the cache belongs to the extension, which is loaded once per process.
FrameCache& frame_cache() {
  static auto* cache = new FrameCache;  // never destroyed: frames must not outlive the interpreter
  return *cache;
}

// `  File "FILE", line N, in FUNC`
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

// Finds or makes the frame of a line. False with an exception set.
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
    out->frame = PyFrame_New(PyThreadState_Get(), code, globals, nullptr);
    Py_DECREF(code);
    if (out->frame == nullptr) return false;
  }
  if (cache.frames.size() >= FrameCache::kMaxLines) cache.clear();
  cache.texts.emplace_back(text);
  cache.frames.emplace(cache.texts.back(), *out);
  return true;
}

// A traceback entry in front of `next` (taken over, may be NULL); no instruction, so no column.
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

}  // namespace

int traceback_prepend(PyObject* exc, const char* text, size_t size) {
  if (size == 0) return 0;
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

PyObject* traceback_to_text(PyObject* traceback) {
  Ref lines(PyList_New(0));
  if (!lines) return nullptr;
  auto* tb = traceback == nullptr || traceback == Py_None
                 ? nullptr
                 : reinterpret_cast<PyTracebackObject*>(traceback);
  for (; tb != nullptr; tb = tb->tb_next) {
    Ref code(reinterpret_cast<PyObject*>(PyFrame_GetCode(tb->tb_frame)));
    auto* co = reinterpret_cast<PyCodeObject*>(code.get());
    int line = tb->tb_lineno;
    if (line < 0) line = PyCode_Addr2Line(co, tb->tb_lasti);
#if PY_VERSION_HEX >= 0x030B0000
    PyObject* name = co->co_name;
#else
    PyObject* name = co->co_name;
#endif
    Ref text(PyUnicode_FromFormat("  File \"%U\", line %d, in %U\n", co->co_filename,
                                  line < 0 ? 0 : line, name));
    if (!text || PyList_Append(lines.get(), text.get()) < 0) return nullptr;
  }
  if (PyList_Reverse(lines.get()) < 0) return nullptr;
  Ref empty(PyUnicode_New(0, 0));
  return empty ? PyUnicode_Join(empty.get(), lines.get()) : nullptr;
}

}  // namespace binding
