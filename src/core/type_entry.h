// SPDX-License-Identifier: Apache-2.0
// An entry of the type table as the table's own sources see it.
#ifndef TVM_FFI_SRC_CORE_TYPE_ENTRY_H_
#define TVM_FFI_SRC_CORE_TYPE_ENTRY_H_

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "core/load_scope.h"
#include "core/name_table.h"
#include "core/published_array.h"

namespace tvm {
namespace ffi {

namespace detail {
struct FieldPlan;
}  // namespace detail

namespace runtime {

struct ObjectLayout;

/*!
 * \brief One type; lives for ever.
 *
 * Clients read `info` directly. Its counts, arrays and metadata pointer change under the table's
 * lock by release stores; everything else in it is fixed before the entry is published.
 */
struct TypeEntry : NameNode {
  TVMFFITypeInfo info{};
  std::unique_ptr<const TVMFFITypeInfo*[]> ancestors;
  PublishedArray<TVMFFIFieldInfo> fields;
  PublishedArray<TVMFFIMethodInfo> methods;
  /*! \brief What `info.metadata` points at; NULL before the type is defined. */
  TVMFFITypeMetadata* metadata = nullptr;
  /*! \brief All that `info.metadata` has ever pointed at: readers have no lock. */
  std::vector<std::unique_ptr<TVMFFITypeMetadata>> all_metadata;
  /*! \brief Who defined the type, and who added each field and method (parallel to the arrays).
   * Under the table's lock, like all below that is not atomic. */
  Owner owner;
  std::vector<Owner> field_owners;
  std::vector<Owner> method_owners;
  /*! \brief Indices reserved for this type and its children, and how many are taken. */
  int64_t slots_total = 1;
  int64_t slots_taken = 1;
  bool overflows = false;
  /*! \brief Withdrawn, and its index in the reserved range of the parent is free again. */
  bool has_returned_slots = false;
  TypeEntry* older = nullptr;
  /*! \brief It is `ffi.Enum` or derives from it: its objects have a number and a name. */
  bool has_enum_layout = false;
  /*! \brief Its attribute `__ffi_enum__` holds a state: its objects are named singletons. */
  std::atomic<bool> has_enum_state{false};
  /*! \brief The key does not name this type: its registration was given up, it was defined again,
   * or it is a new definition that is not complete yet. */
  std::atomic<bool> is_forgotten{false};
  /*! \brief A load that failed has added it. It is used again when it is registered again. */
  std::atomic<bool> is_withdrawn{false};
  /*! \brief The plan that graph/field_plan.cc made; NULL before the first traversal. */
  std::atomic<detail::FieldPlan*> field_plan{nullptr};
  /*! \brief Where the fields lie in objects of a class defined in Python; set once, before the
   * first object. NULL for other types. */
  std::atomic<const ObjectLayout*> object_layout{nullptr};
};

/*! \brief Entries by index, behind this header. Grown copies replace it; outgrown ones stay
 * reachable for readers. */
struct TypeIndexArray {
  int32_t capacity;
  TypeIndexArray* previous;

  std::atomic<TypeEntry*>* at() { return reinterpret_cast<std::atomic<TypeEntry*>*>(this + 1); }
};

/*! \brief The part of the table that readers use; writers own the rest. */
struct TypeIndexes {
  std::atomic<TypeIndexArray*> by_index;
  NameTable by_key;
};
extern TypeIndexes type_indexes;

/*! \brief Changes whenever a field is registered for any type, after the field is published. */
extern std::atomic<uint64_t> type_fields_version;

/*! \brief Changes whenever a registered type is defined again. */
extern std::atomic<uint64_t> type_definitions_version;

/*! \brief Entry of a type as far as it is registered right now, or NULL. */
inline TypeEntry* registered_type(int32_t type_index) {
  TypeIndexArray* array = type_indexes.by_index.load(std::memory_order_acquire);
  // One comparison: a negative index is a large unsigned one.
  if (static_cast<uint32_t>(type_index) >= static_cast<uint32_t>(array->capacity)) return nullptr;
  return array->at()[type_index].load(std::memory_order_acquire);
}

/*! \brief Entry of a key as far as it is registered right now, or NULL. */
inline TypeEntry* registered_type(std::string_view key) {
  return static_cast<TypeEntry*>(type_indexes.by_key.find(key.data(), key.size()));
}

/*! \brief Entry of a type, or NULL; runs start-up first if it has not run. */
TypeEntry* find_type_entry(int32_t type_index);

/*! \brief Guards the changing parts of all entries. */
std::mutex& type_table_mutex();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_ENTRY_H_
