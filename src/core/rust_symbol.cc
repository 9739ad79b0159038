// SPDX-License-Identifier: Apache-2.0
// Reads the linkage names that the Rust compiler gives to functions.
#include "core/rust_symbol.h"

#include <algorithm>
#include <utility>

namespace tvm::ffi::runtime {

namespace {

bool take_prefix(std::string_view* text, std::string_view prefix) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

/*! \brief Take a name: its length, then its characters. \return the name, "" if there is none. */
std::string_view take_name(std::string_view* text) {
  size_t length = 0;
  for (; !text->empty() && text->front() >= '0' && text->front() <= '9'; text->remove_prefix(1)) {
    length = length * 10 + static_cast<size_t>(text->front() - '0');
    if (length > text->size()) return {};
  }
  std::string_view name = text->substr(0, length);
  text->remove_prefix(name.size());
  return name;
}

bool is_hash(std::string_view name) {
  return name.size() == 17 && name.front() == 'h' &&
         name.find_first_not_of("0123456789abcdef", 1) == name.npos;
}

/*! \brief Append a name of the older form, in which `$LT$` stands for `<`, and `..` for `::`. */
void append_unescaped(std::string_view name, std::string* out) {
  if (name.substr(0, 2) == "_$") name.remove_prefix(1);
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"..", "::"},   {"$SP$", "@"},  {"$BP$", "*"},  {"$RF$", "&"},  {"$LT$", "<"},
      {"$GT$", ">"},  {"$LP$", "("},  {"$RP$", ")"},  {"$C$", ","},   {"$u20$", " "},
      {"$u27$", "'"}, {"$u3b$", ";"}, {"$u5b$", "["}, {"$u5d$", "]"}, {"$u7b$", "{"},
      {"$u7d$", "}"}, {"$u7e$", "~"}};
  while (!name.empty()) {
    const auto* escape =
        std::find_if(std::begin(kEscapes), std::end(kEscapes),
                     [&](const auto& pair) { return take_prefix(&name, pair.first); });
    if (escape != std::end(kEscapes)) {
      out->append(escape->second);
    } else {
      out->push_back(name.front());
      name.remove_prefix(1);
    }
  }
}

/*! \brief Return the crate of a path. The crate of `<T as Trait>::f` is that of `T`, if it has one.
 */
std::string_view crate_of_path(std::string_view path) {
  if (take_prefix(&path, "<")) {
    size_t trait = path.find(" as ");
    if (trait != path.npos && path.substr(0, trait).find("::") == path.npos) {
      path.remove_prefix(trait + 4);
    }
    path.remove_prefix(std::min(path.find_first_not_of("<&*[( "), path.size()));
    take_prefix(&path, "mut ");
    take_prefix(&path, "dyn ");
  }
  return path.substr(0, path.find("::"));
}

/*! \brief Return the first crate in a name of the newer form, which is that of the function. */
std::string_view crate_of_new_symbol(std::string_view symbol) {
  // Tags of nested paths, implementations, generic arguments and references; then the crate.
  auto skip_number = [&symbol] {
    if (!take_prefix(&symbol, "s")) return;
    symbol.remove_prefix(std::min(symbol.find('_'), symbol.size() - 1) + 1);
  };
  while (!symbol.empty()) {
    char tag = symbol.front();
    symbol.remove_prefix(1);
    if (tag == 'N' && !symbol.empty()) {
      symbol.remove_prefix(1);
    } else if (tag == 'M' || tag == 'X') {
      skip_number();
    } else if (tag == 'C') {
      skip_number();
      return take_name(&symbol);
    } else if (std::string_view("IYRQPOASTD").find(tag) == std::string_view::npos) {
      break;
    }
  }
  return {};
}

}  // namespace

std::string rust_path(std::string_view symbol) {
  std::string path;
  if (!take_prefix(&symbol, "_ZN")) return path;
  while (!symbol.empty() && symbol.front() != 'E') {
    std::string_view name = take_name(&symbol);
    if (name.empty()) return {};
    if (is_hash(name) && symbol.substr(0, 1) == "E") return path;
    if (!path.empty()) path.append("::");
    append_unescaped(name, &path);
  }
  return {};
}

bool is_rust_library_function(std::string_view symbol, std::string_view file) {
  // A generic function of the standard library may have the name of the crate that uses it.
  for (std::string_view folder : {"/rustc/", "library/core/", "library/alloc/", "library/std/"}) {
    if (take_prefix(&file, folder)) return true;
  }
  if (take_prefix(&symbol, "__rust_") || take_prefix(&symbol, "rust_begin_unwind")) return true;
  std::string path = rust_path(symbol);
  bool is_new = take_prefix(&symbol, "_R");
  std::string_view crate = is_new ? crate_of_new_symbol(symbol) : crate_of_path(path);
  for (std::string_view library :
       {"tvm_ffi", "tvm_ffi_sys", "core", "alloc", "std", "___rustc", "__rustc"}) {
    if (crate == library) return true;
  }
  return false;
}

}  // namespace tvm::ffi::runtime
