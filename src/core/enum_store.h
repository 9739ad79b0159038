// SPDX-License-Identifier: Apache-2.0
// Enums: the state of each, which clients may change in place, and the views of it that are
// published as type attributes.
//
// `__ffi_enum__` holds the state. The views `__enum_entries__` (Map from names to entries) and
// `__enum_attr_<column>__` (Map from names to values) are derived from it. The writers below update
// the views immediately. Changes that clients make to the state directly are published before a
// view is read. Values that clients register under the names of the views are merged into the
// state.
//
// Libraries that were compiled for 0.1.11 and 0.1.12 keep an enum in two Dicts instead, which they
// register once and fill in place. Each lookup makes state and Dicts agree (core/enum_dicts.cc).
#ifndef TVM_FFI_SRC_CORE_ENUM_STORE_H_
#define TVM_FFI_SRC_CORE_ENUM_STORE_H_

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tvm {
namespace ffi {
namespace runtime {

constexpr std::string_view kEnumStateName = "__ffi_enum__";
// The form of libraries that were compiled for 0.1.11 and 0.1.12 (core/enum_dicts.cc).
constexpr std::string_view kEnumEntryDictName = "__ffi_enum_entries__";
constexpr std::string_view kEnumAttrDictName = "__ffi_enum_attrs__";
constexpr std::string_view kEnumValueDictName = "__ffi_enum_value_entries__";

constexpr std::string_view kEnumEntriesName = "__enum_entries__";
constexpr std::string_view kEnumAttrPrefix = "__enum_attr_";
constexpr std::string_view kEnumAttrSuffix = "__";

/*! \brief The column that is published under an attribute name; empty for other names. */
inline std::string_view column_of_enum_view(std::string_view name) {
  size_t affixes = kEnumAttrPrefix.size() + kEnumAttrSuffix.size();
  if (name.size() <= affixes || name.substr(0, kEnumAttrPrefix.size()) != kEnumAttrPrefix ||
      name.substr(name.size() - kEnumAttrSuffix.size()) != kEnumAttrSuffix) {
    return {};
  }
  return name.substr(kEnumAttrPrefix.size(), name.size() - affixes);
}

/*! \brief Whether a type attribute is a Dict that libraries fill in place, and the store reads. */
inline bool is_enum_dict(std::string_view name) {
  return name == kEnumEntryDictName || name == kEnumAttrDictName;
}

/*! \brief Whether a type attribute is the state of an enum, in any form that clients change in
 * place. */
inline bool is_enum_storage(std::string_view name) {
  return name == kEnumStateName || is_enum_dict(name);
}

/*! \brief Whether a type attribute is a published view. */
inline bool is_enum_view(std::string_view name) {
  return name == kEnumEntriesName || !column_of_enum_view(name).empty();
}

// A view that native code may be reading without a lock (core/type_attr.h) is replaced by a new map
// for every change, and the former map stays alive. Until the column of a view is requested,
// it is changed in place. So n entries that are registered after that take memory in the order of
// n * n; read tables of values through `ffi.EnumGetAttr`, which has no such cost.
//
// One recursive lock serialises everything below; it comes before the lock of the attributes.
// Values are released after it. Hooks that hash or compare entries run under it. All are safe from
// any thread and may throw std::bad_alloc.

/*!
 * \brief Make a type an enum if it is not one.
 * \throws Error TypeError when something else is registered as its state.
 */
EnumState mark_enum(int32_t type_index);

/*!
 * \brief The state of a type, complete; nothing when it is not an enum.
 * \throws Error RuntimeError when an entry waits for a field that does not exist, TypeError when
 *         something else is registered as its state.
 */
std::optional<EnumState> find_enum_state(int32_t type_index);

/*!
 * \brief Add an entry; marks the type.
 * \param type_index the enum.
 * \param name free name.
 * \param number free number, nothing: the count of entries.
 * \param entry an instance of the type; one that has the layout of `ffi.Enum` gets number and name.
 * \param fields values of fields that do not exist yet, set when an ObjectDef of the type ends.
 * \throws Error TypeError for another object, ValueError when the name, the number or the object is
 *         taken. Nothing has changed then.
 */
void add_enum_entry(int32_t type_index, const String& name, std::optional<int64_t> number,
                    const ObjectRef& entry, const Map<String, Any>& fields);

/*! \brief Set the value of an entry in a column, overwriting; it waits for an entry that does not
 * exist yet. Marks the type. */
void set_enum_attr(int32_t type_index, const String& column, const String& name, Any value);

/*!
 * \brief Find the value of an entry in a column.
 * \param may_wait false: give up when another thread has the lock.
 * \param value set if the entry has a value.
 * \return whether the answer is known, which it is unless `may_wait` is false.
 */
bool find_enum_attr(int32_t type_index, const String& column, const ObjectRef& entry, bool may_wait,
                    std::optional<Any>* value);

/*! \brief The entry of a number or a name; nothing when there is none. */
std::optional<ObjectRef> find_enum_entry(int32_t type_index, const Any& index);

/*! \brief What an enum consists of at one moment. */
struct EnumSnapshot {
  Array<ObjectRef> entries;
  /*! \brief Each entry under its number and under its name. */
  Map<Any, ObjectRef> indexes;
};
/*! \brief Copy the entries of a type; nothing when it is not an enum. */
std::optional<EnumSnapshot> copy_enum_entries(int32_t type_index);

/*! \brief Name of an object in the enum that its type is; nothing when it is not an entry. */
std::optional<String> enum_name_of(const TVMFFIObject* object);

/*!
 * \brief Take over what a client registers as a view: all of it or nothing.
 *
 * Names that are missing in `value` stay; None changes nothing.
 * \throws Error TypeError for anything but a Map or Dict with String keys, ValueError when a name
 *         stands for another entry already.
 */
void merge_enum_view(int32_t type_index, std::string_view name, const Any& value);

/*! \brief Update a view, of one type or of all. */
void publish_enum_view(int32_t type_index, std::string_view name);
void publish_enum_view_of_all(std::string_view name);

/*! \brief Call this when a client has stored a state or None in the slot of a type. */
void enum_state_changed(int32_t type_index);

/*!
 * \brief Call this when a client has registered one of the Dicts of an enum, or a load that did is
 * undone.
 * \throws Error TypeError or ValueError when the Dict holds what cannot be registered. The slot is
 *         empty then.
 */
void enum_dict_changed(int32_t type_index, std::string_view name);

/*!
 * \brief Make the forms of an enum agree, of one type or of all.
 *
 * The second ignores what cannot be registered; a lookup in that enum reports it.
 */
void sync_enum_dicts(int32_t type_index);
void sync_enum_dicts_of_all();

/*!
 * \brief To be called when the fields of a type are registered: sets those that entries wait for.
 * \throws Error what a setter throws, RuntimeError for a field that does not exist. Once per call.
 */
void enum_type_was_defined(int32_t type_index);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ENUM_STORE_H_
