// SPDX-License-Identifier: Apache-2.0
// The data that the enum store keeps for each enum besides its state; part of core/enum_store.h.
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
#include "core/map_value.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief A value for the field `name` of an entry, to be set when the field is registered. */
struct WaitingField {
  ObjectRef entry;
  String name;
  Any value;
};

/*!
 * \brief The form of an enum in libraries that were compiled for apache-tvm-ffi 0.1.11 and 0.1.12.
 * The libraries change both Dicts without calling the runtime, so each lookup of the enum compares
 * the Dicts with the state.
 */
struct EnumDicts {
  /*! \brief Entries by name. In enums other than IntEnum the position of an entry is its number. */
  std::optional<Dict<Any, Any>> entries;
  /*!
   * \brief For each column a List with values by position. None means that the entry has no value.
   */
  std::optional<Dict<Any, Any>> attrs;
  // The members below are the result of the last comparison of the Dicts with the state.
  size_t num_entries = 0;
  size_t num_indexes = 0;
  std::vector<ObjectRef> order;
  std::unordered_map<const Object*, size_t> positions;
  std::unordered_map<std::string, std::vector<Any>> cells;
};

struct TypeAttrNode;

/*! \brief A column, and the attribute that holds its view. */
struct EnumColumnView {
  String column;
  /*! \brief NULL if no column is stored here. */
  TypeAttrNode* attr = nullptr;
};

/*! \brief The record of one enum. */
struct EnumRecord {
  /*! \brief The state at the last lookup, from which `num_indexes` and `names` were computed. */
  std::optional<EnumState> state;
  /*!
   * \brief Number of indexes in the state at the last lookup. If the state now has another number,
   * a client has changed it.
   */
  size_t num_indexes = 0;
  std::unordered_map<const Object*, String> names;
  /*! \brief Entry name -> the library load that registered the entry, if a load did so. */
  std::unordered_map<std::string, Owner> owners;
  /*! \brief Values for entries that do not exist yet, by column and name. */
  std::unordered_map<std::string, Map<String, Any>> waiting_values;
  std::vector<WaitingField> waiting_fields;
  /*! \brief Set if a library for apache-tvm-ffi 0.1.11 or 0.1.12 has registered the enum. */
  std::optional<EnumDicts> dicts;
  /*! \brief The view of the column that was changed last, so that the next change finds it. */
  EnumColumnView last_view;
};

/*!
 * \brief The records by type index. They are never destroyed, because entries live as long as the
 * process.
 */
using EnumRecords = std::unordered_map<int32_t, EnumRecord>;

/*! \brief Number of waiting fields of all enums. A check for 0 reads it without the lock. */
extern std::atomic<size_t> num_waiting_fields;

/*! \brief Holds the lock of the store. After releasing the lock, destroys the dropped values. */
class EnumSession {
 public:
  /*!
   * \param may_wait whether to wait for the lock. If false, take the lock only if it is free;
   * has_lock() tells whether it was taken.
   */
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

/*! \brief Set a value of a Map or Dict, and drop the former value. */
template <typename TMap>
void set_and_drop(EnumSession* session, TMap* map, const typename TMap::key_type& key,
                  const Any& value) {
  if (Any* former = find_value(*map, key)) session->drop(*former);
  map->Set(key, value);
}

// The functions below need a session, because a session holds the lock.

/*!
 * \brief Return the record of an enum, updated with the changes that clients made to its state;
 * NULL when the type is not an enum. \throws Error TypeError when the type attribute
 * `__ffi_enum__` holds a value that is not a state.
 */
EnumRecord* find_enum_record(EnumSession* session, int32_t type_index);

/*!
 * \brief Make the type an enum if it is not one, and return its record as find_enum_record does.
 */
EnumRecord* mark_enum_record(EnumSession* session, int32_t type_index);

/*!
 * \brief Remove the entries for which `is_removed` returns true: from the state of the enum, from
 * its record, and from the type attributes that are derived from the state.
 */
void remove_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const std::function<bool(const ObjectRef&)>& is_removed);

/*! \brief Remove the entries that were added after the first `num_entries`. */
void remove_later_entries(EnumSession* session, int32_t type_index, EnumRecord* record,
                          size_t num_entries);

/*!
 * \brief Tell the library load that runs on this thread that the enum is going to change.
 *
 * The first call in a load removes the entries that earlier loads of the same origin (see Owner)
 * registered, so that the library registers all of its entries again. Does nothing outside of
 * loads.
 */
void note_enum_change(EnumSession* session, int32_t type_index);

/*!
 * \brief Tell the library load that runs on this thread that the library may change the Dicts of
 * the enum, which it does without calling the runtime.
 *
 * Does the same as note_enum_change, but removes entries only if the load defines the type again.
 */
void note_possible_enum_change(EnumSession* session, int32_t type_index);

// Functions of core/enum_dicts.cc. They do nothing if no library compiled for apache-tvm-ffi 0.1.11
// or 0.1.12 has registered the enum.

/*!
 * \brief Make the type an enum, and take over the Dicts that are registered for it.
 * \throws Error TypeError or ValueError when a Dict contains an entry or value that cannot be
 * registered.
 */
void adopt_enum_dicts(EnumSession* session, int32_t type_index);

/*!
 * \brief Synchronize the entries of the state and of the Dicts.
 * \throws Error TypeError or ValueError when the Dict contains an entry that cannot be registered.
 */
void sync_enum_entries(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Synchronize the values of the state and of the Dicts. */
void sync_enum_attrs(EnumSession* session, int32_t type_index, EnumRecord* record);

/*! \brief Synchronize one value of the state and of the Dicts. */
void sync_enum_attr(EnumSession* session, int32_t type_index, EnumRecord* record,
                    const String& column, const ObjectRef& entry);

/*!
 * \brief Set the Dicts to the content of the state; remove the entries that the state does not
 * have.
 */
void rewrite_enum_dicts(EnumSession* session, int32_t type_index, EnumRecord* record);

/*!
 * \brief Remove the names and views that were derived from the state of an enum. Call this when the
 * type attribute `__ffi_enum__` no longer holds the state.
 */
void forget_enum_state(EnumSession* session, int32_t type_index);

/*! \brief Write the number and the name into an entry that has fields for them. */
void name_enum_entry(const String& name, int64_t number, const ObjectRef& entry);

/*! \brief Set a value in the state. */
void set_in_enum_state(EnumSession* session, EnumStateObj* state, const String& column,
                       const ObjectRef& entry, const Any& value);

/*! \brief Add an entry to the state, the record and the view. */
void add_entry_to_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                         const String& name, std::optional<int64_t> number, const ObjectRef& entry);

/*! \brief Check that an object is an instance of the enum. \throws Error TypeError if it is not. */
void check_enum_instance(int32_t type_index, const ObjectRef& entry);

/*! \brief Throw a ValueError: the entry `name` cannot be registered, for the given reason. */
[[noreturn]] void throw_duplicate_entry(int32_t type_index, const String& name,
                                        const std::string& reason);

/*! \brief Set the value of an entry, which has the name `name`, in the state and the view. */
void set_attr_of_entry(EnumSession* session, int32_t type_index, EnumRecord* record,
                       const String& column, const String& name, const ObjectRef& entry,
                       const Any& value);

/*! \brief Set a value in the state and the view. If no entry has the name, the value waits. */
void set_attr_in_record(EnumSession* session, int32_t type_index, EnumRecord* record,
                        const String& column, const String& name, const Any& value);

/*! \brief Return the attribute name of a column's view. */
std::string name_of_enum_view(const String& column);

/*! \brief Return the attribute that holds the view of a column. */
TypeAttrNode* find_column_view(EnumRecord* record, const String& column);

/*! \brief Set one item of a published view, in place if the map has no other reference. */
void set_in_enum_view(EnumSession* session, int32_t type_index, TypeAttrNode* view,
                      const String& key, const Any& value);

/*! \brief Publish a new view of the entries. */
void publish_enum_entries(EnumSession* session, int32_t type_index, const EnumRecord& record);

/*! \brief Publish a new view of a column, unless the published view equals the state. */
void publish_enum_column(EnumSession* session, int32_t type_index, const EnumRecord& record,
                         const String& column);

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ENUM_RECORD_H_
