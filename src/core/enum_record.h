// SPDX-License-Identifier: Apache-2.0
// What the enum store records for each enum in addition to its state; part of core/enum_store.h.
#ifndef TVM_FFI_SRC_CORE_ENUM_RECORD_H_
#define TVM_FFI_SRC_CORE_ENUM_RECORD_H_

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

/*!
 * \brief Tell the load of this thread that the enum is going to change.
 *
 * The first call in a load removes the entries that earlier loads of the same origin registered, so
 * that the library registers all of its entries again. Does nothing outside of loads.
 */
void note_enum_change(EnumSession* session, int32_t type_index);

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
