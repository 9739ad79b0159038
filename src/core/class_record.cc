// SPDX-License-Identifier: Apache-2.0
// Comparison of what binaries expect of a class.
#include "core/class_record.h"

#include <tvm/ffi/error.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <utility>

#include "core/kept_text.h"
#include "core/loaded_library.h"
#include "core/type_change.h"
#include "core/type_entry.h"
#include "core/type_table.h"

namespace tvm::ffi::runtime {

using tvm::ffi::detail::ClassRecordField;
using tvm::ffi::detail::ClassRecordHead;
using tvm::ffi::detail::kClassIsFinal;
using tvm::ffi::detail::kClassRecordMagic;

namespace {

using Differences = std::vector<std::string>;
using Field = ClassExpectation::Field;

/*! \brief Return whether a record has the format of this version, so that it can be read. */
bool is_readable(const ClassRecordHead* record) {
  if (std::memcmp(record->magic, kClassRecordMagic, sizeof(record->magic)) != 0) return false;
  size_t texts = sizeof(ClassRecordHead) + record->num_fields * sizeof(ClassRecordField);
  return record->record_size > texts && record->record_size % 4 == 0;
}

Field field_of(const TVMFFIFieldInfo& info) {
  return {view_of(info.name), info.offset, info.size, info.field_static_type_index};
}

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

std::string bytes(int64_t size) { return std::to_string(size) + " bytes"; }

std::string place_of(const Field& field) {
  if (field.size == 0) return std::to_string(field.offset);  // the number of virtual functions
  std::string type;
  if (const TVMFFITypeInfo* info = field.type_index < 0 ? nullptr : find_type(field.type_index)) {
    type = std::string(view_of(info->type_key)) + ", ";
  }
  return type + bytes(field.size) + " at offset " + std::to_string(field.offset);
}

/*! \brief Return whether two fields at one place can have values of one type. */
bool is_same_type(const Field& one, const Field& other) {
  return one.type_index == other.type_index || one.type_index < 0 || other.type_index < 0;
}

bool is_same_place(const Field& one, const Field& other) {
  return one.offset == other.offset && one.size == other.size && is_same_type(one, other);
}

bool overlaps(const Field& one, const Field& other) {
  return one.offset < other.offset + other.size && other.offset < one.offset + one.size;
}

/*!
 * \brief Return the difference between an expected field and the fields of the class, or "".
 * \param is_complete whether `known` has all fields of the class.
 */
std::string difference(const Field& field, const std::vector<Field>& known, bool is_complete) {
  const Field* other = nullptr;
  for (const Field& candidate : known) {
    if (candidate.name == field.name) other = &candidate;
  }
  for (const Field& candidate : known) {
    if (other == nullptr && overlaps(field, candidate)) other = &candidate;
  }
  if (other == nullptr) {
    if (!is_complete) return {};
    return "field " + quoted(field.name) + ": " + place_of(field) + ", not a field";
  }
  if (is_same_place(field, *other)) return {};
  std::string text =
      (field.size == 0 ? "" : "field ") + quoted(field.name) + ": " + place_of(field) + ", not ";
  if (other->name != field.name) text += quoted(other->name) + ", ";
  return text + place_of(*other);
}

/*!
 * \param are_all whether `fields` must have all fields of the class.
 * \param is_complete whether `known` has all fields of the class.
 */
void add_fields(const std::vector<Field>& fields, const std::vector<Field>& known, bool are_all,
                bool is_complete, Differences* out) {
  for (const Field& field : fields) {
    std::string text = difference(field, known, is_complete);
    if (!text.empty()) out->push_back(std::move(text));
  }
  if (!are_all) return;
  for (const Field& field : known) {
    bool is_expected = false;
    for (const Field& own : fields) {
      is_expected = is_expected || own.name == field.name || overlaps(own, field);
    }
    if (!is_expected) {
      out->push_back("field " + quoted(field.name) + ": missing, not " + place_of(field));
    }
  }
}

void add_number(const char* what, int64_t own, int64_t other, Differences* out) {
  if (own == other) return;
  out->push_back(what + std::string(": ") + std::to_string(own) + ", not " + std::to_string(other));
}

/*! \brief List the differences between the records of two binaries. */
void compare_records(const ClassExpectation& own, const ClassExpectation& known, Differences* out) {
  const ClassRecordHead& head = own.head();
  if (!own.is_lookup()) {
    add_number("size", head.total_size, known.head().total_size, out);
    add_number("alignment", head.alignment, known.head().alignment, out);
    bool is_final = (head.flags & kClassIsFinal) != 0;
    if (is_final != ((known.head().flags & kClassIsFinal) != 0)) {
      out->push_back(is_final ? "final, not a possible base" : "a possible base, not final");
    }
  }
  if (head.num_fields == 0 || known.head().num_fields == 0) return;
  add_fields(own.fields(), known.fields(), !own.is_lookup(), !own.is_lookup(), out);
}

/*! \brief List the differences between a record and the type. Call with the lock of the type table
 * held. */
void compare_type(const ClassExpectation& own, const TypeEntry& entry, Differences* out) {
  const TVMFFITypeInfo& info = entry.info;
  const ClassRecordHead& head = own.head();
  add_number("number of ancestors", head.type_depth, info.type_depth, out);
  std::string_view expected = own.parent_key();
  if (out->empty() && info.type_depth > 0 && !expected.empty()) {
    std::string_view parent = view_of(info.type_ancestors[info.type_depth - 1]->type_key);
    if (parent != expected) {
      out->push_back("parent: " + quoted(expected) + ", not " + quoted(parent));
    }
  }
  if (!own.is_lookup()) add_number("child slots", head.child_slots, entry.slots_total - 1, out);
  int64_t size = entry.metadata == nullptr ? 0 : entry.metadata->total_size;
  bool is_other_size = own.is_lookup() ? head.total_size > size : head.total_size != size;
  if (size > 0 && is_other_size) add_number("size", head.total_size, size, out);
  if (head.num_fields == 0) return;
  std::vector<Field> known;
  auto append = [&known](const TVMFFITypeInfo& type) {
    for (int32_t i = 0; i < type.num_fields; ++i) known.push_back(field_of(type.fields[i]));
  };
  append(info);
  // A class that only reads objects does not have base classes for the ancestors of the type.
  if (own.is_lookup()) {
    for (int32_t depth = 1; depth < info.type_depth; ++depth) append(*info.type_ancestors[depth]);
  }
  bool is_complete =
      !own.is_lookup() && entry.object_layout.load(std::memory_order_relaxed) != nullptr;
  add_fields(own.fields(), known, !own.is_lookup(), is_complete, out);
}

/*! \brief Return the refusal for differences. Call with the lock of the type table held. */
ClassRefusal refusal_of(const TypeEntry& entry, Differences differences) {
  if (differences.empty()) return {};
  return {std::move(differences), entry.expectation, definer_of(entry)};
}

}  // namespace

ClassExpectation::ClassExpectation(const ClassRecordHead* record)
    : words_(reinterpret_cast<const uint32_t*>(record),
             reinterpret_cast<const uint32_t*>(record) + record->record_size / sizeof(uint32_t)),
      source_(record),
      owner_(LoadScope::current_owner()) {}

std::vector<std::string_view> ClassExpectation::names() const {
  std::vector<std::string_view> names;
  const auto* fields = reinterpret_cast<const ClassRecordField*>(&head() + 1);
  const char* text = reinterpret_cast<const char*>(fields + head().num_fields);
  for (uint32_t i = 0; i < head().num_fields + 2; ++i) {
    names.emplace_back(text);
    text += names.back().size() + 1;
  }
  return names;
}

std::vector<Field> ClassExpectation::fields() const {
  std::vector<Field> fields;
  if (head().num_fields == 0) return fields;
  std::vector<std::string_view> texts = names();
  const auto* records = reinterpret_cast<const ClassRecordField*>(&head() + 1);
  for (uint32_t i = 0; i < head().num_fields; ++i) {
    fields.push_back({texts[i + 2], records[i].offset, records[i].size, records[i].type_index});
  }
  return fields;
}

bool ClassExpectation::is_equal(const ClassRecordHead* record) const {
  // A record of another size may end before this one does.
  return record->record_size == head().record_size &&
         std::memcmp(words_.data(), record, head().record_size) == 0;
}

std::string ClassExpectation::library() const {
  std::string path = library_path(source_);
  if (path.empty() || !is_equal(source_)) return {};
  return "the library " + quoted(path);
}

void check_class(int32_t type_index, const ClassRecordHead* record) {
  TypeEntry* entry = find_type_entry(type_index);
  if (entry == nullptr || !is_readable(record)) return;
  {
    std::lock_guard<Mutex> lock(type_table_mutex());
    if (entry->expectation != nullptr && entry->expectation->is_equal(record)) return;
  }
  auto own = std::make_shared<const ClassExpectation>(record);
  ClassRefusal refusal;
  bool is_first;
  {
    std::lock_guard<Mutex> lock(type_table_mutex());
    Differences differences;
    compare_type(*own, *entry, &differences);
    if (entry->expectation != nullptr && differences.empty()) {
      compare_records(*own, *entry->expectation, &differences);
    }
    refusal = refusal_of(*entry, std::move(differences));
    // During a load, storing a record needs an entry in the journal. So do not store a record that
    // only repeats the registration.
    is_first = entry->expectation == nullptr && !own->is_lookup() &&
               (entry->metadata == nullptr || LoadScope::current() == nullptr);
  }
  if (refusal) {
    std::string text = refusal.text(entry->info, own->library());
    if (TypeChange::defer_refusal(entry, text)) return;
    throw Error("RuntimeError", std::move(text), "");
  }
  if (!is_first) return;
  TypeChange::of(entry);
  std::lock_guard<Mutex> lock(type_table_mutex());
  entry->expectation = std::move(own);
}

ClassRefusal refuse_size(const TypeEntry& entry, int64_t total_size) {
  Differences differences;
  if (entry.expectation != nullptr && total_size > 0) {
    add_number("size", total_size, entry.expectation->head().total_size, &differences);
  }
  return refusal_of(entry, std::move(differences));
}

ClassRefusal refuse_field(const TypeEntry& entry, const TVMFFIFieldInfo& field) {
  Differences differences;
  if (entry.expectation != nullptr && entry.expectation->head().num_fields != 0) {
    std::string text = difference(field_of(field), entry.expectation->fields(), false);
    if (!text.empty()) differences.push_back(std::move(text));
  }
  return refusal_of(entry, std::move(differences));
}

std::string ClassRefusal::text(const TVMFFITypeInfo& type, std::string subject) const {
  std::string owner = expectation == nullptr ? "" : expectation->library();
  if (owner.empty()) owner = definer;
  if (subject.empty()) subject = "this program";
  std::string text = "Class " + quoted(view_of(type.type_key)) + " in " + subject +
                     " is another version of the class than in " + owner + ":";
  for (const std::string& difference : differences) text += "\n  " + difference;
  bool is_again =
      expectation != nullptr && is_defined_again(expectation->owner(), LoadScope::current_owner());
  if (is_again) {
    return text +
           "\nObjects of the former layout may exist: give the type another key, or restart the "
           "process";
  }
  return text + "\nRebuild " + subject + " with the headers of " + owner;
}

}  // namespace tvm::ffi::runtime
