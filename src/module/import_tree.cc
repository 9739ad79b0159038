// SPDX-License-Identifier: Apache-2.0
// The import tree that a library may embed: the library itself, and modules saved as bytes.
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "module/library.h"

namespace tvm::ffi::runtime {
namespace {

constexpr const char* kLibraryItself = "_lib";

// Reads the tree from front to back, and not beyond its end.
class TreeReader {
 public:
  TreeReader(const Library& library, void* blob)
      : library_(library), next_(static_cast<const unsigned char*>(blob)), left_(8) {
    // If the symbol's size is known, do not trust the size that the tree states.
    size_t known = library.size_of(blob);
    if (known == 0) known = std::numeric_limits<size_t>::max();
    if (known < 8) refuse("it ends too early");
    uint64_t size = read_u64();
    if (size > known - 8) refuse("it is shorter than it says");
    left_ = static_cast<size_t>(size);
  }

  uint64_t read_u64() {
    const unsigned char* bytes = take(8);
    uint64_t value = 0;
    for (int i = 7; i >= 0; --i) value = value << 8 | bytes[i];
    return value;
  }

  std::vector<uint64_t> read_vector() {
    uint64_t count = read_u64();
    if (count > left_ / 8) refuse("a vector reaches past the end");
    std::vector<uint64_t> values(static_cast<size_t>(count));
    for (uint64_t& value : values) value = read_u64();
    return values;
  }

  std::string read_bytes() {
    uint64_t count = read_u64();
    if (count > left_) refuse("a text reaches past the end");
    const unsigned char* bytes = take(static_cast<size_t>(count));
    return std::string(reinterpret_cast<const char*>(bytes), static_cast<size_t>(count));
  }

  [[noreturn]] void refuse(const char* why) const {
    TVM_FFI_THROW(RuntimeError) << "The import tree in " << library_.name()
                                << " is malformed: " << why;
    TVM_FFI_UNREACHABLE();
  }

 private:
  const unsigned char* take(size_t count) {
    if (count > left_) refuse("it ends too early");
    const unsigned char* taken = next_;
    next_ += count;
    left_ -= count;
    return taken;
  }

  const Library& library_;
  const unsigned char* next_;
  size_t left_;
};

// The imports of all modules. Module i imports the modules children[k], in this order, for
// row_start[i] <= k < row_start[i + 1].
struct ImportRows {
  std::vector<uint64_t> row_start;
  std::vector<uint64_t> children;
  size_t num_modules() const { return row_start.size() - 1; }
};

ImportRows read_rows(TreeReader* reader) {
  ImportRows rows;
  rows.row_start = reader->read_vector();
  rows.children = reader->read_vector();
  if (rows.row_start.size() < 2) reader->refuse("it holds no module");
  if (rows.row_start.front() != 0 || rows.row_start.back() != rows.children.size()) {
    reader->refuse("the rows do not cover the imports");
  }
  for (size_t i = 0; i < rows.num_modules(); ++i) {
    if (rows.row_start[i] > rows.row_start[i + 1]) reader->refuse("the rows are not in order");
  }
  for (uint64_t child : rows.children) {
    if (child >= rows.num_modules()) reader->refuse("an import is not among the modules");
  }
  return rows;
}

Module load_from_bytes(const std::string& kind, const std::string& content) {
  std::string loader_name = "ffi.Module.load_from_bytes." + kind;
  std::optional<Function> loader = Function::GetGlobal(loader_name);
  if (!loader.has_value()) {
    TVM_FFI_THROW(RuntimeError)
        << "Library binary was created using {" << kind
        << "} but a loader of that name is not registered. Load the library that registers "
        << loader_name << " first.";
  }
  return (*loader)(Bytes(content.data(), content.size())).cast<Module>();
}

}  // namespace

Module load_import_tree(const std::shared_ptr<Library>& library, void* blob) {
  TreeReader reader(*library, blob);
  ImportRows rows = read_rows(&reader);
  std::vector<Module> modules;
  std::optional<Module> library_module;
  for (size_t i = 0; i < rows.num_modules(); ++i) {
    std::string kind = reader.read_bytes();
    if (kind != kLibraryItself) {
      modules.push_back(load_from_bytes(kind, reader.read_bytes()));
      continue;
    }
    if (!library_module.has_value()) library_module = make_plain_library_module(library);
    modules.push_back(*library_module);
  }
  for (size_t i = 0; i < modules.size(); ++i) {
    for (uint64_t k = rows.row_start[i]; k < rows.row_start[i + 1]; ++k) {
      // Do not call an override of a subclass: only the tree decides what is imported.
      modules[i]->ModuleObj::ImportModule(modules[static_cast<size_t>(rows.children[k])]);
    }
  }
  return modules[0];
}

}  // namespace tvm::ffi::runtime
