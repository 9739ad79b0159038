// SPDX-License-Identifier: Apache-2.0
// What the enum store records for each enum in addition to its state; part of core/enum_store.h.
#ifndef TVM_FFI_SRC_CORE_ENUM_RECORD_H_
#define TVM_FFI_SRC_CORE_ENUM_RECORD_H_

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/load_scope.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Value of a field that was not registered when its entry was made. */
struct WaitingField {
  ObjectRef entry;
  String name;
  Any value;
};

/*!
 * \brief An enum as libraries compiled for 0.1.11 and 0.1.12 keep it. They fill both Dicts in place
 * without a call, so the store compares them with the state whenever it looks at the enum.
 */
struct EnumDicts {
  /*! \brief Entries by name. The position of an entry is its number, except in an IntEnum. */
  std::optional<Dict<Any, Any>> entries;
  /*! \brief For each column a List with values by position. None stands for no value. */
  std::optional<Dict<Any, Any>> attrs;
  // What the last comparison found.
  size_t num_entries = 0;
  size_t num_indexes = 0;
  std::vector<ObjectRef> order;
  std::unordered_map<const Object*, size_t> positions;
  std::unordered_map<std::string, std::vector<Any>> cells;
};

/*! \brief One enum. */
struct EnumRecord {
  /*! \brief The state from which the rest was made. */
  std::optional<EnumState> state;
  /*! \brief Size of its indexes at that time; another size means that a client has changed them. */
  size_t num_indexes = 0;
  std::unordered_map<const Object*, String> names;
  /*! \brief Who registered the entry of a name, of those that were registered in a load. */
  std::unordered_map<std::string, Owner> owners;
  /*! \brief Values of entries that do not exist yet: column, then name. */
  std::unordered_map<std::string, Map<String, Any>> waiting_values;
  std::vector<WaitingField> waiting_fields;
  /*! \brief Set if an older library has registered the enum. */
  std::optional<EnumDicts> dicts;
};

/*! \brief The records by type index. Never destroyed: entries live as long as the process. */
using EnumRecords = std::unordered_map<int32_t, EnumRecord>;

/*! \brief Number of waiting fields of all enums; read without the lock to check that it is 0. */
extern std::atomic<size_t> num_waiting_fields;

/*! \brief Holds the store's lock, and drops values only after it. */
class EnumSession {
 public:
  EnumSession();
  /*! \brief Takes the lock only if no other thread has it; see has_lock. */
  explicit EnumSession(std::try_to_lock_t);
  EnumSession(const EnumSession&) = delete;
  EnumSession& operator=(const EnumSession&) = delete;

  bool has_lock() const { return lock_.owns_lock(); }

  EnumRecords& records();

  /*! \brief Release a value when the lock is released: that may run foreign code. */
  void drop(Any value) { dropped_.push_back(std::move(value)); }

 private:
  std::vector<Any> dropped_;  // destroyed after lock_
  std::unique_lock<std::recursive_mutex> lock_;
};

// All under the lock of a session.

/*!
 * \brief Record of an enum, updated with what clients wrote into the state; NULL when the type is
 * not an enum. \throws Error TypeError when its slot holds anything but a state.
 */
EnumRecord* find_enum_record(EnumSession* session, int32_t type_index);

/*! \brief The same, marking the type first. */
EnumRecord* mark_enum_record(EnumSession* session, int32_t type_index);

/*! \brief Remove entries of the state, of the record and of the view. */
void remove_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const std::function<bool(const ObjectRef&)>& is_removed);

/*! \brief Undo the entries that were added after the first `num_entries`. */
void remove_later_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                          size_t num_entries);

/*!
 * \brief Tell the load of this thread that the enum is going to change.
 *
 * The first call in a load removes the entries that earlier loads of the same origin registered, so
 * that the library registers all of its entries again. Does nothing outside of loads.
 */
void note_enum_change(EnumSession* session, int32_t type_index);

/*!
 * \brief Tell the load of this thread that the enum may be going to change without a further call.
 *
 * As note_enum_change, but entries are removed only if the load defines the type again.
 */
void note_possible_enum_change(EnumSession* session, int32_t type_index);

// Of core/enum_dicts.cc. All do nothing if no older library has registered the enum.

/*!
 * \brief Take over the Dicts that are registered for the type, marking it.
 * \throws Error TypeError or ValueError when a Dict holds what cannot be registered.
 */
void adopt_enum_dicts(EnumSession* session, int32_t type_index);

/*!
 * \brief Make state and Dicts have the same entries.
 * \throws Error TypeError or ValueError when the Dict holds what cannot be registered.
 */
void sync_enum_entries(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Make state and Dicts have the same values. */
void sync_enum_attrs(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief The same for one value. */
void sync_enum_attr(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const String& column, const ObjectRef& entry);

/*! \brief Make the Dicts what the state is, entries that it lacks included. */
void rewrite_enum_dicts(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Remove everything that was derived from a state that has left its slot. */
void forget_enum_state(EnumSession* session, int32_t type_index);

/*! \brief Write number and name into an entry that has fields for them. */
void name_enum_entry(const String& name, int64_t number, const ObjectRef& entry);

/*! \brief Set a value in the state. */
void set_in_enum_state(EnumSession* session, EnumStateObj* state, const String& column,
                       const ObjectRef& entry, const Any& value);

/*! \brief Add an entry to the state, to the record and to the view. */
void add_entry_to_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                         const String& name, std::optional<int64_t> number, const ObjectRef& entry);

/*! \brief Refuse an object that is not an instance of the enum. \throws Error TypeError. */
void check_enum_instance(int32_t type_index, const ObjectRef& entry);

/*! \brief Refuse an index of a new entry that an entry has already. */
[[noreturn]] void throw_duplicate_entry(int32_t type_index, const String& name,
                                        const std::string& reason);

/*! \brief Set a value in the state and in the view. */
void set_attr_in_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                        const String& column, const String& name, const Any& value);

/*! \brief Attribute name of the view of a column. */
std::string name_of_enum_view(const String& column);

/*! \brief Set one item of a published view, in place if there is no other reference to it. */
void set_in_enum_view(EnumSession* session, int32_t type_index, std::string_view view,
                      const String& key, const Any& value);

/*! \brief Publish a new view of the entries. */
void publish_enum_entries(EnumSession* session, int32_t type_index, const EnumRecord& record);

/*! \brief Publish a new view of a column if it differs from the state. */
void publish_enum_column(EnumSession* session, int32_t type_index, const EnumRecord& record,
                         const String& column);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ENUM_RECORD_H_
