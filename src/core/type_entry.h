// SPDX-License-Identifier: Apache-2.0
// An entry of the type table as the table's own sources see it.
#ifndef TVM_FFI_SRC_CORE_TYPE_ENTRY_H_
#define TVM_FFI_SRC_CORE_TYPE_ENTRY_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <memory>
#include <mutex>

#include "core/name_table.h"
#include "core/published_array.h"

namespace tvm {
namespace ffi {
namespace runtime {

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
  TVMFFITypeMetadata metadata{};
  /*! \brief Indices reserved for this type and its children, and how many are taken. */
  int64_t slots_total = 1;
  int64_t slots_taken = 1;
  bool overflows = false;
  TypeEntry* older = nullptr;
};

/*! \brief Entry of a type, or NULL. */
TypeEntry* find_type_entry(int32_t type_index);

/*! \brief Guards the changing parts of all entries. */
std::mutex& type_table_mutex();

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_TYPE_ENTRY_H_
