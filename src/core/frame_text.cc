// SPDX-License-Identifier: Apache-2.0
// Chooses the frames that a backtrace shows, and writes their lines (docs/reference/c-abi.md,
// Backtraces).
#if !defined(_WIN32)
#include <cxxabi.h>
#endif

#include <cstdlib>
#include <memory>

#include "core/frame_cache.h"
#include "core/frame_place.h"
#include "core/rust_symbol.h"

namespace tvm::ffi::runtime {

namespace {

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

#if !defined(_WIN32)

/*! \brief Whether a symbol is an entry point of the ABI or of the CPython interpreter. */
bool is_boundary_symbol(std::string_view symbol) {
  for (std::string_view prefix : {"TVMFFIFunctionCall", "slot_tp_call", "object_is_not_callable",
                                  "_Py", "PyObject", "PyInit_core"}) {
    if (starts_with(symbol, prefix)) return true;
  }
  return false;
}

/*! \brief Whether a path is that of the binding, `.../tvm_ffi/core.*`, whose frames are hidden. */
bool is_binding_file(std::string_view path) {
  size_t slash = path.rfind('/');
  if (slash == std::string_view::npos || !starts_with(path.substr(slash + 1), "core.")) {
    return false;
  }
  std::string_view directory = path.substr(0, slash);
  return directory.substr(directory.rfind('/') + 1) == "tvm_ffi";
}

/*!
 * \brief Whether a linkage name belongs to a class or namespace of this library that only forwards
 * calls.
 *
 * The demangled name of a function template begins with the result type, so the prefixes that
 * is_excluded_frame compares do not match. Therefore this function compares the mangled name.
 */
bool is_forwarding_symbol(std::string_view symbol) {
  if (!starts_with(symbol, "_Z")) return false;
  symbol.remove_prefix(2);
  while (starts_with(symbol, "Z")) symbol.remove_prefix(1);
  if (!starts_with(symbol, "N")) return false;
  symbol.remove_prefix(1);
  while (starts_with(symbol, "K")) symbol.remove_prefix(1);
  return starts_with(symbol, "3tvm3ffi8Function") || starts_with(symbol, "3tvm3ffi11FunctionObj") ||
         starts_with(symbol, "3tvm3ffi6detail") || starts_with(symbol, "3tvm3ffi13TypedFunction");
}

std::string readable_name(const std::string& symbol) {
  std::string name = rust_path(symbol);
  if (name.empty()) name = symbol;
  // The function would read the name of a C function as the code of a type: `f` as float.
  if (starts_with(name, "_Z")) {
    int status = -1;
    std::unique_ptr<char, void (*)(void*)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
    if (status == 0 && text != nullptr) name = text.get();
  }
  // Shorten long names, because the cache limits only the number of its texts, not their size.
  constexpr size_t kLongestName = 1000;
  if (name.size() > kLongestName) name.replace(kLongestName, std::string::npos, "...");
  return name;
}

void describe_function(const FrameFunction& function, FrameText* out) {
  if (is_boundary_symbol(function.symbol)) out->kind = FrameKind::kBoundary;
  if (function.file.empty() && function.symbol.empty()) return;
  std::string name = function.symbol.empty() ? "<unknown>" : readable_name(function.symbol);
  if (is_forwarding_symbol(function.symbol) || is_excluded_frame(name, function.file) ||
      is_rust_library_function(function.symbol, function.file)) {
    return;
  }
  append_frame_line(function.file.empty() ? "<unknown>" : function.file,
                    function.file.empty() ? 0 : function.line, name, &out->lines);
  ++out->line_count;
}

#endif  // !_WIN32

}  // namespace

void append_frame_line(std::string_view file, int line, std::string_view function,
                       std::string* out) {
  out->append("  File \"").append(file).append("\", line ").append(std::to_string(line));
  out->append(", in ").append(function).push_back('\n');
}

bool is_excluded_frame(std::string_view function, std::string_view file) {
  for (std::string_view prefix :
       {"tvm::ffi::Function", "tvm::ffi::TypedFunction", "tvm::ffi::detail::", "TVMFFIBacktrace",
        "TVMFFIErrorSetRaisedFromCStr", "__libc_", "ffi_call_"}) {
    if (starts_with(function, prefix)) return true;
  }
  // Every excluded file is below a directory `include`, so a file without one needs one search.
  constexpr std::string_view kInclude = "include/";
  for (size_t at = file.find(kInclude); at != file.npos; at = file.find(kInclude, at + 1)) {
    std::string_view rest = file.substr(at + kInclude.size());
    for (std::string_view part :
         {"tvm/ffi/error.h", "tvm/ffi/function_detail.h", "tvm/ffi/function.h", "tvm/ffi/any.h",
          "tvm/ffi/detail/", "c++/"}) {
      if (starts_with(rest, part)) return true;
    }
  }
  return false;
}

#if !defined(_WIN32)

FrameText describe_frame(uintptr_t address) {
  FramePlace place = locate_frame(address);
  FrameText text;
  for (const FrameFunction& function : place.functions) describe_function(function, &text);
  if (is_binding_file(place.object)) text.kind = FrameKind::kBinding;
  return text;
}

#endif  // !_WIN32

}  // namespace tvm::ffi::runtime
