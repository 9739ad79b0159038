// SPDX-License-Identifier: Apache-2.0
// Loads schema images: reads, checks and registers each image once.
#include "schema_image/load.h"

#include <tvm/ffi/error.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "schema_image/definitions.h"
#include "schema_image/image.h"

namespace tvm::ffi::runtime {
namespace {

// An image whose types are registered.
struct LoadedImage {
  Bytes bytes;
  Array<String> keys;
};

// The images that were loaded. Never destroyed, because types are not destroyed.
struct LoadedImages {
  std::mutex mutex;  // held while an image is registered
  std::deque<LoadedImage> images;

  const LoadedImage* find(const Bytes& bytes) const {
    std::string_view wanted(bytes.data(), bytes.size());
    for (const LoadedImage& image : images) {
      if (std::string_view(image.bytes.data(), image.bytes.size()) == wanted) return &image;
    }
    return nullptr;
  }
};

LoadedImages& loaded_images() {
  static auto* instance = new LoadedImages();
  return *instance;
}

// Bits of `flags`.
constexpr int64_t kCheckOnly = 1;

Array<String> keys_of(const SchemaImage& image) {
  Array<String> keys;
  for (const SchemaTypeDef& type : image.types) {
    keys.push_back(String(type.key.data(), type.key.size()));
  }
  return keys;
}

void note_definitions(const SchemaImage& image) {
  std::vector<std::string_view> keys;
  keys.reserve(image.types.size());
  for (const SchemaTypeDef& type : image.types) keys.push_back(type.key);
  add_schema_definitions(keys, image.schema);
}

// Registers an image, unless it was loaded before. Returns its type keys.
Array<String> load(const Bytes& bytes, int64_t flags, const std::string& name) {
  if ((flags & ~kCheckOnly) != 0) {
    TVM_FFI_THROW(ValueError) << "The flags of a schema image are 0 or 1, got " << flags;
  }
  LoadedImages& loaded = loaded_images();
  std::lock_guard<std::mutex> lock(loaded.mutex);
  if (const LoadedImage* known = loaded.find(bytes)) return known->keys;
  // The string views of the image point into `kept.bytes`. A short value contains its bytes itself,
  // so `kept` must not move.
  LoadedImage& kept = loaded.images.emplace_back();
  try {
    kept.bytes = bytes;
    SchemaImage image = read_schema_image({kept.bytes.data(), kept.bytes.size()}, name);
    kept.keys = keys_of(image);
    check_schema_image(&image, name);
    if ((flags & kCheckOnly) == 0) {
      register_schema_image(&image);
      note_definitions(image);
      return kept.keys;
    }
  } catch (...) {
    loaded.images.pop_back();
    throw;
  }
  Array<String> keys = kept.keys;
  loaded.images.pop_back();
  return keys;
}

std::string content_of(const String& path) {
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  std::string content;
  char block[1 << 16];
  while (file != nullptr) {
    size_t count = std::fread(block, 1, sizeof(block), file.get());
    content.append(block, count);
    if (count < sizeof(block)) break;
  }
  if (file == nullptr || std::ferror(file.get()) != 0) {
    TVM_FFI_THROW(RuntimeError) << "Cannot read schema image " << path << ": "
                                << std::strerror(errno);
  }
  return content;
}

}  // namespace

Array<String> load_schema_image(const Bytes& bytes, int64_t flags) {
  return load(bytes, flags, "<bytes>");
}

Array<String> load_schema_image_file(const String& path, int64_t flags) {
  return load(Bytes(content_of(path)), flags, std::string(path));
}

}  // namespace tvm::ffi::runtime
