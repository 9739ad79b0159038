// SPDX-License-Identifier: Apache-2.0
// Test schema images in a program without Python; each image is made byte by byte.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/string.h>

#include <cstdio>
#include <string>
#include <vector>

#include "on_threads.h"

namespace {

using namespace tvm::ffi;

/*! \brief Writes the format that src/schema_image/image.h describes. */
class Writer {
 public:
  Writer& U8(uint8_t value) {
    body_.push_back(static_cast<char>(value));
    return *this;
  }
  Writer& U32(uint32_t value) {
    Number(&body_, value, 4);
    return *this;
  }
  Writer& Text(const std::string& text) {
    strings_.push_back(text);
    return U32(static_cast<uint32_t>(strings_.size() - 1));
  }

  std::string Finish() const {
    std::string content;
    Number(&content, strings_.size(), 4);
    for (const std::string& text : strings_) {
      Number(&content, text.size(), 4);
      content += text;
    }
    content += body_;
    std::string image("\x89TFS\r\n\x1a\n", 8);
    Number(&image, 1, 4);
    Number(&image, 0, 4);
    Number(&image, 32 + content.size(), 8);
    Number(&image, Crc(content), 4);
    Number(&image, 0, 4);
    return image + content;
  }

 private:
  static void Number(std::string* out, uint64_t value, int size) {
    for (int i = 0; i < size; ++i) out->push_back(static_cast<char>(value >> 8 * i));
  }
  static uint32_t Crc(const std::string& text) {
    uint32_t crc = ~0u;
    for (char c : text) {
      crc ^= static_cast<uint8_t>(c);
      for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
  }

  std::string body_;
  std::vector<std::string> strings_;
};

constexpr uint8_t kInt32 = 3, kStr = 11, kOptional = 26, kClass = 29;

void Field(Writer* out, const char* name, std::vector<uint8_t> type, const std::string& key = "") {
  out->Text(name).Text("").Text("").U8(0);
  for (uint8_t kind : type) out->U8(kind);
  if (!key.empty()) out->Text(key).U8(1);
  out->U32(0).U32(1).U8(0);  // offset, writable, no default
}

/*!
 * \brief Return an image with one type. The type has three fields: a number, a text, and a
 * reference to the next object or None.
 */
Bytes Chain(const std::string& key, const std::string& parent = "ffi.Object") {
  Writer out;
  out.U32(1).Text(key).Text(parent).Text("Chain").Text("");
  out.U8(0).U8(1).U32(0).U32(3);
  Field(&out, "number", {kInt32});
  Field(&out, "text", {kStr});
  Field(&out, "next", {kOptional, kClass}, key);
  out.U32(0).U32(0).U32(0);
  return Bytes(out.Finish());
}

Array<String> Load(const Bytes& image, int64_t flags = 0) {
  return Function::GetGlobalRequired("ffi.schema.LoadImage")(image, flags).cast<Array<String>>();
}

std::string Refusal(const Bytes& image) {
  try {
    Load(image);
  } catch (const Error& error) {
    return error.kind() + ": " + error.message();
  }
  return "";
}

Any Make(const std::string& key, int32_t number, const Any& next) {
  return reflection::ObjectCreator(key)({{"number", number}, {"text", "t"}, {"next", next}});
}

TEST(SchemaImage, ObjectsHaveTheFieldsThatItSays) {
  const Array<String> keys = Load(Chain("test.image.Chain"));
  ASSERT_EQ(keys.size(), 1);
  EXPECT_EQ(keys[0], "test.image.Chain");
  Any first = Make("test.image.Chain", 1, nullptr);
  Any second = Make("test.image.Chain", -2, first);
  ObjectRef object = second.cast<ObjectRef>();
  reflection::FieldGetter number("test.image.Chain", "number");
  EXPECT_EQ(number(object.get()).cast<int>(), -2);
  EXPECT_TRUE(reflection::FieldGetter("test.image.Chain", "next")(object.get())
                  .cast<ObjectRef>()
                  .same_as(first.cast<ObjectRef>()));
  EXPECT_THROW(Make("test.image.Chain", 0, 3), Error);
}

TEST(SchemaImage, LongChainsDieWithoutRecursion) {
  Load(Chain("test.image.Long"));
  Any last(nullptr);
  for (int i = 0; i < 200000; ++i) last = Make("test.image.Long", i, last);
  last = nullptr;
}

TEST(SchemaImage, TheSameImageIsLoadedOnce) {
  OnThreads(8, [](int) { EXPECT_EQ(Load(Chain("test.image.Shared")).size(), 1); });
  Make("test.image.Shared", 1, nullptr);
}

TEST(SchemaImage, CheckingRegistersNothing) {
  EXPECT_EQ(Load(Chain("test.image.Checked"), 1).size(), 1);
  EXPECT_THROW(reflection::ObjectCreator("test.image.Checked"), Error);
  Load(Chain("test.image.Checked"));
}

TEST(SchemaImage, RefusalsSayWhere) {
  EXPECT_EQ(Refusal(Bytes("")),
            "ValueError: schema image <bytes>, byte 0: this is not a schema image");
  EXPECT_EQ(Refusal(Chain("test.image.Orphan", "test.image.Missing")),
            "ValueError: schema image <bytes>, type `test.image.Orphan`: its parent "
            "`test.image.Missing` is not registered; load the library that has it first");
  EXPECT_NE(Refusal(Chain("ffi.Map")).find("the type is registered already"), std::string::npos);
}

TEST(SchemaImage, AFileIsAModule) {
  std::string path = ::testing::TempDir() + "test_schema_image.tfs";
  Bytes image = Chain("test.image.File");
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fwrite(image.data(), 1, image.size(), file);
  std::fclose(file);
  EXPECT_STREQ(Module::LoadFromFile(path)->kind(), "schema_image");
  Make("test.image.File", 1, nullptr);
  std::remove(path.c_str());
  EXPECT_THROW(Module::LoadFromFile(path), Error);
}

}  // namespace
