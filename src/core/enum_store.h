// SPDX-License-Identifier: Apache-2.0
// Enums: the state of each enum, which clients may change in place, and the views of the state that
// can be read as type attributes.
//
// `__ffi_enum__` holds the state. The views `__enum_entries__` (Map from names to entries) and
// `__enum_attr_<column>__` (Map from names to values) are computed from the state when they are
// read. Values that clients register under the names of the views are merged into the state.
//
// Libraries that were compiled for apache-tvm-ffi 0.1.11 and 0.1.12 register two Dicts instead, and
// fill these in place. Each lookup synchronizes the state and the Dicts (core/enum_dicts.cc).
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace tvm::ffi::runtime {

constexpr std::string_view kEnumStateName = "__ffi_enum__";
// Names used by libraries that were compiled for apache-tvm-ffi 0.1.11 and 0.1.12
// (core/enum_dicts.cc).
constexpr std::string_view kEnumEntryDictName = "__ffi_enum_entries__";
constexpr std::string_view kEnumAttrDictName = "__ffi_enum_attrs__";

constexpr std::string_view kEnumEntriesName = "__enum_entries__";
constexpr std::string_view kEnumAttrPrefix = "__enum_attr_";
constexpr std::string_view kEnumAttrSuffix = "__";

/*! \brief Return the column that is published under an attribute name; empty for other names. */
inline std::string_view column_of_enum_view(std::string_view name) {
  size_t affixes = kEnumAttrPrefix.size() + kEnumAttrSuffix.size();
  if (name.size() <= affixes || name.substr(0, kEnumAttrPrefix.size()) != kEnumAttrPrefix ||
      name.substr(name.size() - kEnumAttrSuffix.size()) != kEnumAttrSuffix) {
    return {};
  }
  return name.substr(kEnumAttrPrefix.size(), name.size() - affixes);
}

/*! \brief Whether a type attribute is a Dict that libraries fill in place and that the store
 * reads. */
inline bool is_enum_dict(std::string_view name) {
  return name == kEnumEntryDictName || name == kEnumAttrDictName;
}

/*! \brief Whether a type attribute contains the state or a Dict, which clients change in place. */
inline bool is_enum_storage(std::string_view name) {
  return name == kEnumStateName || is_enum_dict(name);
}

/*! \brief Whether a type attribute is a view. */
inline bool is_enum_view(std::string_view name) {
  return name == kEnumEntriesName || !column_of_enum_view(name).empty();
}

// A view that was read as a column (core/type_attr.h) is published again after each change, because
// native code may read it without a lock. Its former maps stay alive: n further entries take memory
// in the order of n * n. `ffi.EnumGetAttr` reads values without this cost.
//
// One recursive lock serializes all functions below; it is taken before the lock of the attributes.
// Hooks that hash or compare entries run while the recursive lock is held. Values are destroyed
// only after it was released. All functions can be called from any thread and may throw
// std::bad_alloc.

/*!
 * \brief Make a type an enum if it is not one, and return its state.
 * \throws Error TypeError when the type attribute `__ffi_enum__` holds a value that is not a state.
 */
EnumState mark_enum(int32_t type_index);

/*!
 * \brief Return the complete state of a type; nothing when the type is not an enum.
 * \throws Error RuntimeError when an entry has a value for a field that does not exist, TypeError
 * when the type attribute `__ffi_enum__` holds a value that is not a state.
 */
Optional<EnumState> find_enum_state(int32_t type_index);

/*!
 * \brief Throw TypeError if a field or a variant of an enum cannot have a name.
 * \param kind "field" or "variant".
 *
 * Fields of other types can have any name: classes in Python leave out a field that they cannot
 * have, such as `__dict__`.
 */
void check_enum_member_name(int32_t type_index, const char* kind, std::string_view name);

/*!
 * \brief Add an entry to a type, and make the type an enum if it is not one.
 * \param type_index the enum.
 * \param name a name that is not taken.
 * \param number a number that is not taken; by default the count of entries.
 * \param entry an instance of the type. If it has the layout of `ffi.Enum`, it receives the number
 * and the name.
 * \param fields values of fields that do not exist yet; they are set when an ObjectDef has
 * registered the fields of the type.
 * \throws Error TypeError for an object of another type, ValueError when the name, the number or
 * the object is taken. After an error the enum is unchanged.
 */
void add_enum_entry(int32_t type_index, const String& name, Optional<int64_t> number,
                    const ObjectRef& entry, const Map<String, Any>& fields);

/*! \brief Set or replace the value of an entry in a column. If the entry does not exist yet, the
 * value is stored until the entry is added. Makes the type an enum if it is not one. */
void set_enum_attr(int32_t type_index, const String& column, const String& name, Any value);

/*!
 * \brief Set or replace the value of an entry, like set_enum_attr(), if this is possible without
 * waiting.
 * \param entry not null.
 * \return whether the value was set. It is not set if another thread has the lock, if a library
 * load runs on this thread, or if the object is not a registered entry with exactly this type.
 */
bool try_set_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry,
                       const Any& value);

/*!
 * \brief Return the value of an entry in a column; missing_object() if the entry has no value.
 * \param may_wait whether to wait if another thread has the lock; if false, the function then gives
 * up and returns kwargs_object().
 */
Any find_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry, bool may_wait);

/*! \brief Return the entry with a number or a name; nothing when there is none. */
Optional<ObjectRef> find_enum_entry(int32_t type_index, const Any& index);

/*! \brief Copy the entries of a type: an Array of them, and a Map from the number and the name of
 * each entry to the entry. Return an empty array when the type is not an enum. */
Array<Any> copy_enum_entries(int32_t type_index);

/*! \brief Return the name of an enum entry; nothing when the object is not an entry of its type. */
std::optional<String> enum_name_of(const TVMFFIObject* object);

// The functions below are for the table of type attributes (core/type_attr.h). They do nothing for
// attributes that do not belong to enums.

/*!
 * \brief If the attribute is a view, merge the map `value`, which a client registers, into the
 * enum. If the function throws, it has not merged any item.
 *
 * Entries and values whose names are not in `value` stay unchanged. If `value` is None, nothing
 * changes.
 * \return whether the attribute is a view.
 * \throws Error TypeError unless `value` is a Map or Dict with String keys, ValueError when a name
 * belongs to another entry.
 */
bool merge_enum_view(int32_t type_index, std::string_view name, const Any& value);

/*! \brief Call this before an attribute is read: compute the view of the type, or make the state
 * and the Dicts of the type agree. */
void update_enum_attr(int32_t type_index, std::string_view name);

/*!
 * \brief Do the same for all types, before code gets the column or the map of an attribute.
 *
 * Skips an enum that has an invalid entry or value in a Dict; a lookup in that enum raises the
 * error.
 * \return whether the attribute belongs to enums.
 */
bool update_enum_attr_of_all(std::string_view name);

/*!
 * \brief Call this when a client has stored a value in an attribute, or after undoing a library
 * load that stored one.
 * \throws Error TypeError or ValueError when a Dict contains an entry or value that cannot be
 * registered. The attribute is then removed.
 */
void enum_attr_changed(int32_t type_index, std::string_view name);

/*!
 * \brief Set fields of entries to the values that were given before the fields existed (see
 * `fields` of add_enum_entry()). Call this when the fields of a type have been registered.
 * \throws the first error of a setter, or Error RuntimeError for a field that does not exist.
 */
void enum_type_was_defined(int32_t type_index);

}  // namespace tvm::ffi::runtime
