// SPDX-License-Identifier: Apache-2.0
// Test, in a program without Python, schemas that libraries embed, and the layout of types.
#include <gtest/gtest.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <string>
#include <tuple>
#include <vector>

namespace {

using namespace tvm::ffi;

uint32_t Crc(const std::string& text) {
  uint32_t crc = ~0u;
  for (char c : text) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
  }
  return ~crc;
}

void Number(std::string* out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) out->push_back(static_cast<char>(value >> 8 * i));
}

/*! \brief Return the bytes that a generated library passes to the runtime when it is loaded. */
std::string Record(const std::vector<std::string>& keys, const std::string& schema) {
  std::string body;
  Number(&body, keys.size(), 4);
  for (const std::string& key : keys) {
    Number(&body, key.size(), 4);
    body += key;
  }
  body += schema;
  std::string record("\x89TSR\r\n\x1a\n", 8);
  Number(&record, 1, 4);
  Number(&record, 0, 4);
  Number(&record, 32 + body.size(), 8);
  Number(&record, Crc(body), 4);
  Number(&record, schema.size(), 4);
  return record + body;
}

void AddDefinitions(const std::string& record) {
  Function::GetGlobalRequired("ffi.schema.AddDefinitions")(Bytes(record));
}

Optional<Bytes> Definition(const char* key) {
  return Function::GetGlobalRequired("ffi.schema.Definition")(key).cast<Optional<Bytes>>();
}

TEST(SchemaDefinitions, AreFoundByTypeKey) {
  EXPECT_FALSE(Definition("test.definition.A").has_value());
  AddDefinitions(Record({"test.definition.A", "test.definition.B"}, "packed"));
  for (const char* key : {"test.definition.A", "test.definition.B"}) {
    Optional<Bytes> found = Definition(key);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(std::string((*found).data(), (*found).size()), "packed");
  }
}

TEST(SchemaDefinitions, TheFirstStays) {
  AddDefinitions(Record({"test.definition.Once"}, "first"));
  AddDefinitions(Record({"test.definition.Once"}, "second"));
  Optional<Bytes> found = Definition("test.definition.Once");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(std::string((*found).data(), (*found).size()), "first");
}

TEST(SchemaDefinitions, EveryTruncationAndEveryFlippedByteIsRefused) {
  const std::string whole = Record({"test.definition.Bad"}, "packed");
  for (size_t end = 0; end < whole.size(); ++end) {
    EXPECT_THROW(AddDefinitions(whole.substr(0, end)), Error) << end;
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    if (at >= 28 && at < 32) continue;  // the size of the schema: see the next test
    std::string wrong = whole;
    wrong[at] = static_cast<char>(wrong[at] ^ 1);
    EXPECT_THROW(AddDefinitions(wrong), Error) << at;
  }
  EXPECT_FALSE(Definition("test.definition.Bad").has_value());
}

TEST(SchemaDefinitions, SizesBeyondTheEndAreRefused) {
  for (size_t at : {28, 32, 36}) {  // the sizes of the schema, of the list and of a key
    std::string wrong = Record({"test.definition.Long"}, "packed");
    wrong[at + 3] = '\x7f';
    std::string body = wrong.substr(32);
    std::string crc;
    Number(&crc, Crc(body), 4);
    wrong.replace(24, 4, crc);
    EXPECT_THROW(AddDefinitions(wrong), Error) << at;
  }
}

class FieldsObj : public Object {
 public:
  bool flag = false;
  int32_t narrow = 0;
  double weight = 0;
  DLDataType dtype{kDLInt, 32, 1};
  String name;
  Optional<ObjectRef> next;
  Array<int64_t> list;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test.definition.Fields", FieldsObj, Object);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<FieldsObj>()
      .def_ro("flag", &FieldsObj::flag)
      .def_ro("narrow", &FieldsObj::narrow)
      .def_ro("weight", &FieldsObj::weight)
      .def_ro("dtype", &FieldsObj::dtype)
      .def_ro("name", &FieldsObj::name)
      .def_ro("next", &FieldsObj::next)
      .def_ro("list", &FieldsObj::list);
}

TEST(SchemaDefinitions, LayoutTellsPlacesAndCarriers) {
  Function layout = Function::GetGlobalRequired("ffi.schema.Layout");
  auto found = layout("test.definition.Fields").cast<Map<String, Any>>();
  EXPECT_EQ(found["size"].cast<int64_t>(), static_cast<int64_t>(sizeof(FieldsObj)));
  std::vector<std::tuple<std::string, int64_t, std::string>> facts;
  for (const auto& one : found["fields"].cast<Array<Map<String, Any>>>()) {
    facts.emplace_back(one["name"].cast<std::string>(), one["size"].cast<int64_t>(),
                       one["carrier"].cast<std::string>());
  }
  std::vector<std::tuple<std::string, int64_t, std::string>> expected = {
      {"flag", 1, "bool"}, {"narrow", 4, "int"},  {"weight", 8, "float"}, {"dtype", 4, "dtype"},
      {"name", 16, "any"}, {"next", 8, "object"}, {"list", 8, "object"},
  };
  EXPECT_EQ(facts, expected);
  EXPECT_THROW(layout("test.definition.Nothing"), Error);
}

}  // namespace
