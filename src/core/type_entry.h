// SPDX-License-Identifier: Apache-2.0
// The complete entry of a type, for the source files of the type table.
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/load_scope.h"
#include "core/mutex.h"
#include "core/name_table.h"
#include "core/published_array.h"

namespace tvm::ffi {

namespace detail {
struct FieldPlan;
}  // namespace detail

namespace runtime {

class ClassExpectation;
struct ObjectLayout;

/*!
 * \brief One type. Entries are never freed.
 *
 * Clients read `info` directly. Its counts, arrays and metadata pointer are changed by release
 * stores while the table's lock is held; its other members do not change after the entry is
 * published.
 */
struct TypeEntry : NameNode {
  TVMFFITypeInfo info{};
  std::unique_ptr<const TVMFFITypeInfo*[]> ancestors;
  PublishedArray<TVMFFIFieldInfo> fields;
  PublishedArray<TVMFFIMethodInfo> methods;
  /*! \brief The target of `info.metadata`; NULL before the type is defined. */
  TVMFFITypeMetadata* metadata = nullptr;
  /*! \brief All former and current targets of `info.metadata`. None is freed, because readers take
   * no lock. */
  std::vector<std::unique_ptr<TVMFFITypeMetadata>> all_metadata;
  /*! \brief Who defined the type, and who added each field and method (parallel to the arrays). The
   * table's lock guards these and all following members that are not atomic. */
  Owner owner;
  std::vector<Owner> field_owners;
  std::vector<Owner> method_owners;
  /*! \brief The first record of the class that a binary handed over; NULL if there is none. */
  std::shared_ptr<const ClassExpectation> expectation;
  /*! \brief The number of indices that are reserved for this type and its subtypes, and the number
   * of these indices that are in use. */
  int64_t slots_total = 1;
  int64_t slots_taken = 1;
  bool overflows = false;
  /*! \brief Whether the type was withdrawn and has returned its indices to the reserved range of
   * the parent. */
  bool has_returned_slots = false;
  TypeEntry* older = nullptr;
  /*! \brief Whether the type is or derives from `ffi.Enum`, so that its objects have a number and a
   * name. */
  bool has_enum_layout = false;
  /*! \brief Whether its attribute `__ffi_enum__` holds a state, so that its objects are named
   * singletons. */
  std::atomic<bool> has_enum_state{false};
  /*! \brief Whether the key does not refer to this type: its registration failed, the type was
   * defined again, or this is a new definition that is not complete. */
  std::atomic<bool> is_forgotten{false};
  /*! \brief Whether a failed library load had added the type. If the same type is registered again,
   * this entry is used again. */
  std::atomic<bool> is_withdrawn{false};
  /*! \brief Whether native code has a class for the type, and has therefore requested the type
   * index. For classes that are only defined in Python, this is false. */
  std::atomic<bool> is_declared{false};
  /*! \brief How traversals read the fields (graph/field_plan.h); NULL before the first
   * traversal. */
  std::atomic<detail::FieldPlan*> field_plan{nullptr};
  /*! \brief Layout of the fields in objects of a class defined in Python, set before the first
   * object exists. NULL for other types. */
  std::atomic<const ObjectLayout*> object_layout{nullptr};
};

/*! \brief Header of the array of entries by index; the entries follow the header in memory. When a
 * larger array replaces an array, the replaced array is not freed, because readers may use it. */
struct TypeIndexArray {
  int32_t capacity;
  TypeIndexArray* previous;

  std::atomic<TypeEntry*>* at() { return reinterpret_cast<std::atomic<TypeEntry*>*>(this + 1); }
};

/*! \brief The part of the table that readers use. The other parts are only for writers. */
struct TypeIndexes {
  std::atomic<TypeIndexArray*> by_index;
  NameTable by_key;
};
extern TypeIndexes type_indexes;

/*! \brief A counter that changes when a field is registered for any type, after the field is
 * published. */
extern std::atomic<uint64_t> type_fields_version;

/*! \brief A counter that changes when a registered type is defined again. */
extern std::atomic<uint64_t> type_definitions_version;

/*! \brief Return the entry of a type that is registered now, or NULL. */
inline TypeEntry* registered_type(int32_t type_index) {
  TypeIndexArray* array = type_indexes.by_index.load(std::memory_order_acquire);
  // One comparison checks both bounds: a negative index converts to a large unsigned number.
  if (static_cast<uint32_t>(type_index) >= static_cast<uint32_t>(array->capacity)) return nullptr;
  return array->at()[type_index].load(std::memory_order_acquire);
}

/*! \brief Return the entry for a key that is registered now, or NULL. */
inline TypeEntry* registered_type(std::string_view key) {
  return static_cast<TypeEntry*>(type_indexes.by_key.find(key.data(), key.size()));
}

/*! \brief Return the entry of a type, or NULL. Runs start-up first if necessary. */
TypeEntry* find_type_entry(int32_t type_index);

/*! \brief Return the lock that guards the mutable parts of all entries. */
Mutex& type_table_mutex();

}  // namespace runtime
}  // namespace tvm::ffi
