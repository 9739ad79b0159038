// SPDX-License-Identifier: Apache-2.0
// Comparison of two definitions of a type that is defined again.
#include <string>
#include <string_view>
#include <vector>

#include "core/kept_text.h"
#include "core/type_change.h"

namespace tvm::ffi::runtime {

namespace {

/*! \brief Return the declared type from the metadata of a field, as the JSON text of its schema;
 * empty when there is none. */
std::string schema_of(const TVMFFIFieldInfo& field) {
  std::string_view metadata = view_of(field.metadata);
  constexpr std::string_view kKey = "\"type_schema\":\"";
  size_t begin = metadata.find(kKey);
  if (begin == metadata.npos) return {};
  std::string schema;
  for (size_t i = begin + kKey.size(); i < metadata.size() && metadata[i] != '"'; ++i) {
    if (metadata[i] == '\\' && i + 1 < metadata.size()) ++i;
    schema.push_back(metadata[i]);
  }
  return schema;
}

/*! \brief Remove a prefix from a text if the text begins with it. \return whether it does. */
bool take(std::string_view* text, std::string_view prefix) {
  if (text->substr(0, prefix.size()) != prefix) return false;
  text->remove_prefix(prefix.size());
  return true;
}

/*!
 * \brief Format the schema for messages: `Optional<int>` for
 * `{"type":"Optional","args":[{"type":"int"}]}`.
 */
std::string readable_type(const TVMFFIFieldInfo& field) {
  std::string schema = schema_of(field);
  if (schema.empty()) return "a value";
  std::string text;
  for (std::string_view rest = schema; !rest.empty();) {
    if (take(&rest, "{\"type\":\"")) {
      std::string_view name = rest.substr(0, rest.find('"'));
      if (name.size() == rest.size()) return schema;
      text += name;
      rest.remove_prefix(name.size() + 1);
    } else if (take(&rest, ",\"args\":[")) {
      text += '<';
    } else if (take(&rest, "]")) {
      text += '>';
    } else if (take(&rest, ",")) {
      text += ", ";
    } else if (!take(&rest, "}")) {
      return schema;  // the schema does not only consist of types and arguments: return its JSON
    }
  }
  return text;
}

std::string describe(const TVMFFIFieldInfo& field) {
  return readable_type(field) + " of " + std::to_string(field.size) + " bytes at offset " +
         std::to_string(field.offset);
}

const TVMFFIFieldInfo* find_field(const std::vector<TVMFFIFieldInfo>& fields,
                                  std::string_view name) {
  for (const TVMFFIFieldInfo& field : fields) {
    if (view_of(field.name) == name) return &field;
  }
  return nullptr;
}

bool is_same_place(const TVMFFIFieldInfo& former, const TVMFFIFieldInfo& latter) {
  return former.offset == latter.offset && former.size == latter.size &&
         former.alignment == latter.alignment &&
         former.field_static_type_index == latter.field_static_type_index &&
         schema_of(former) == schema_of(latter);
}

std::string quoted(const TVMFFIFieldInfo& field) {
  return "field `" + std::string(view_of(field.name)) + "`: ";
}

}  // namespace

std::vector<std::string> layout_differences(const TypeContent& former, const TypeContent& latter) {
  std::vector<std::string> differences;
  int32_t former_size = former.metadata == nullptr ? 0 : former.metadata->total_size;
  int32_t latter_size = latter.metadata == nullptr ? 0 : latter.metadata->total_size;
  if (former_size != latter_size) {
    differences.push_back("size: " + std::to_string(former_size) + " -> " +
                          std::to_string(latter_size) + " bytes");
  }
  for (size_t i = 0; i < former.fields.size(); ++i) {
    if (former.field_owners[i].origin != former.owner.origin) continue;  // added by another library
    const TVMFFIFieldInfo& field = former.fields[i];
    const TVMFFIFieldInfo* now = find_field(latter.fields, view_of(field.name));
    if (now == nullptr) {
      differences.push_back(quoted(field) + describe(field) + " -> removed");
    } else if (!is_same_place(field, *now)) {
      differences.push_back(quoted(field) + describe(field) + " -> " + describe(*now));
    }
  }
  for (const TVMFFIFieldInfo& field : latter.fields) {
    if (find_field(former.fields, view_of(field.name)) != nullptr) continue;
    differences.push_back(quoted(field) + "added, " + describe(field));
  }
  return differences;
}

}  // namespace tvm::ffi::runtime
