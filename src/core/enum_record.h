// SPDX-License-Identifier: Apache-2.0
// The data that the enum store keeps for each enum besides its state; part of core/enum_store.h.
#pragma once

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/load_scope.h"
#include "core/map_value.h"

namespace tvm::ffi::runtime {

/*! \brief A value for the field `name` of an entry, to be set when the field is registered. */
struct WaitingField {
  ObjectRef entry;
  String name;
  Any value;
};

/*! \brief The form of an enum in libraries that were compiled for apache-tvm-ffi 0.1.11 and 0.1.12.
 * The libraries change both Dicts without calling the runtime, so each lookup of the enum compares
 * the Dicts with the state. */
struct EnumDicts {
  /*! \brief Entries by name. In enums other than IntEnum the position of an entry is its number. */
  std::optional<Dict<Any, Any>> entries;
  /*! \brief For each column a List with values by position. None means that the entry has no
   * value. */
  std::optional<Dict<Any, Any>> attrs;
  // The members below are the result of the last comparison of the Dicts with the state.
  size_t num_entries = 0;
  size_t num_indexes = 0;
  std::vector<ObjectRef> order;
  std::unordered_map<std::string, std::vector<Any>> cells;
};

/*! \brief The record of one enum. */
struct EnumRecord {
  /*! \brief The value of `__ffi_enum__`; nothing if the type is not an enum. */
  std::optional<EnumState> state;
  /*! \brief Number of indexes in the state when `names` was computed. If the state now has another
   * number, a client has changed it. */
  size_t num_indexes = 0;
  std::unordered_map<const Object*, String> names;
  /*! \brief Entry name -> the library load that registered the entry, if a load did so. */
  std::unordered_map<std::string, Owner> owners;
  /*! \brief Values for entries that do not exist yet, by column and name. */
  std::unordered_map<std::string, Map<String, Any>> waiting_values;
  std::vector<WaitingField> waiting_fields;
  /*! \brief Set if a library for apache-tvm-ffi 0.1.11 or 0.1.12 has registered the enum. */
  std::optional<EnumDicts> dicts;
};

/*! \brief The records by type index. They are never destroyed, because entries live as long as the
 * process. */
using EnumRecords = std::unordered_map<int32_t, EnumRecord>;

/*! \brief Whether any enum has ever had waiting fields. */
extern std::atomic<bool> has_waiting_fields;

/*! \brief Holds the lock of the store. After releasing the lock, destroys the dropped values. */
class EnumSession {
 public:
  /*! \param may_wait whether to wait for the lock. If false, take the lock only if it is free;
   * has_lock() tells whether it was taken. */
  explicit EnumSession(bool may_wait = true);
  EnumSession(const EnumSession&) = delete;
  EnumSession& operator=(const EnumSession&) = delete;

  bool has_lock() const { return lock_.owns_lock(); }

  EnumRecords& records();

  /*! \brief Destroy a value later, without the lock, because this may run foreign code. */
  void drop(Any value) {
    // Only objects have a destructor that can run foreign code.
    if (value.type_index() >= kTVMFFIStaticObjectBegin) dropped_.push_back(std::move(value));
  }

 private:
  std::vector<Any> dropped_;  // destroyed after lock_
  std::unique_lock<std::recursive_mutex> lock_;
};

// The next functions open a session themselves. Those that set fields call setters, which are
// foreign code, so call them without a session.

/*! \brief A client has stored a state or None in the attribute `__ffi_enum__` of a type. */
void enum_state_changed(int32_t type_index);

/*! \brief A client has registered the Dict `name` for a type. Throws like enum_attr_changed(). */
void enum_dict_changed(int32_t type_index, std::string_view name);

/*! \brief Whether any type has ever had such a Dict. */
bool has_enum_dicts();

/*! \brief Make the state and the Dicts of all enums agree, as update_enum_attr_of_all() does. */
void sync_all_enum_dicts();

/*!
 * \brief Set fields of an entry. \return the fields that do not exist yet.
 * \throws Error TypeError if the entry is not an instance of the type, RuntimeError for a field
 * that the type will not have, or the error of a setter.
 */
std::vector<WaitingField> set_enum_fields(int32_t type_index, const ObjectRef& entry,
                                          const Map<String, Any>& fields);

/*!
 * \brief Set the waiting fields of an enum.
 * \throws the first error of a setter, or Error RuntimeError if a field does still not exist.
 */
void set_waiting_enum_fields(int32_t type_index);

// The functions below need a session, because a session holds the lock.

/*! \brief Return the record of an enum, updated with the changes that clients made to its state and
 * its Dicts; NULL when the type is not an enum. */
EnumRecord* find_enum_record(EnumSession* session, int32_t type_index);

/*! \brief Make the type an enum if it is not one, and return its record as find_enum_record
 * does. */
EnumRecord* mark_enum_record(EnumSession* session, int32_t type_index);

/*! \brief Remove the state of a type, which is then not an enum. */
void unmark_enum(EnumSession* session, int32_t type_index);

/*! \brief Remove entries from the state of the enum, from its record, and from its Dicts. */
void remove_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const std::unordered_set<const Object*>& removed);

/*! \brief Remove the entries that were added after the first `num_entries`. */
void remove_later_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                          size_t num_entries);

/*!
 * \brief Tell the library load that runs on this thread that the enum is going to change.
 *
 * The first call in a load removes the entries that earlier loads of the same origin (see Owner)
 * registered, so that the library registers all of its entries again. Does nothing outside of
 * loads.
 * \param is_certain false if the library may change the Dicts of the enum, which it does without
 * calling the runtime; then entries are removed only if the load defines the type again.
 */
void note_enum_change(EnumSession* session, int32_t type_index, bool is_certain = true);

// Functions of core/enum_dicts.cc. They do nothing if no library compiled for apache-tvm-ffi 0.1.11
// or 0.1.12 has registered the enum.

/*!
 * \brief Make the type an enum, and take over the Dicts that are registered for it.
 * \throws Error TypeError or ValueError when a Dict contains an entry or value that cannot be
 * registered.
 */
void adopt_enum_dicts(EnumSession* session, int32_t type_index);

/*!
 * \brief Make the state and the Dicts agree.
 * \throws Error TypeError or ValueError when the Dict contains an entry that cannot be registered.
 */
void sync_enum_record(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Set the Dicts to the content of the state; remove the entries that the state does not
 * have. */
void rewrite_enum_dicts(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Set a value in the state, or remove the value if `value` is NULL. */
void set_in_enum_state(EnumSession* session, EnumStateObj* state, const String& column,
                       const ObjectRef& entry, const Any* value);

/*!
 * \brief Return the object that a client wants to register as the entry `name`.
 * \throws Error TypeError if the value is not an object.
 */
ObjectRef enum_entry_from_client(int32_t type_index, const String& name, const Any& value);

/*!
 * \brief Check that a new entry can be registered, and return its number.
 * \throws Error TypeError or ValueError if it cannot.
 */
int64_t check_enum_entry(int32_t type_index, const EnumRecord& record, const String& name,
                         std::optional<int64_t> number, const ObjectRef& entry);

/*! \brief Add an entry to the state and the record. */
void add_entry_to_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                         const String& name, std::optional<int64_t> number, const ObjectRef& entry);

/*! \brief Check that an object is an instance of the enum. \throws Error TypeError if it is not. */
void check_enum_instance(int32_t type_index, const ObjectRef& entry);

/*! \brief Write the number and the name into an entry that has fields for them. */
void name_enum_entry(const String& name, int64_t number, const ObjectRef& entry);

/*! \brief Set a value in the state. If no entry has the name, the value waits. */
void set_attr_in_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                        const String& column, const String& name, const Any& value);

/*! \brief Update the views (core/enum_store.h) of a type that readers may be using without a call,
 * and forget the other ones. Call this after each change of a record. */
void update_enum_views(EnumSession* session, int32_t type_index);

}  // namespace tvm::ffi::runtime
