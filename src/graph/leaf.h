// SPDX-License-Identifier: Apache-2.0
// Access to values without children, for operations that compare by content.
#pragma once

#include <tvm/ffi/any.h>

#include <atomic>
#include <cstring>
#include <string_view>

#include "core/type_entry.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {

/*! \brief Return kTVMFFIStr for small and large strings, kTVMFFIBytes for small and large bytes,
 * else -1. */
inline int32_t text_kind(int32_t type_index) {
  if (type_index == kTVMFFISmallStr || type_index == kTVMFFIStr) return kTVMFFIStr;
  if (type_index == kTVMFFISmallBytes || type_index == kTVMFFIBytes) return kTVMFFIBytes;
  return -1;
}

/*! \brief Return the content of small or large strings or bytes; `value` must outlive the
 * result. */
inline std::string_view text_of(const TVMFFIAny& value) {
  return ToStringView(detail::BytesContent(&value));
}

/*! \brief Return the hook of a type from the column of the hook, or NULL. */
inline const TVMFFIAny* find_hook(const TVMFFITypeAttrColumn* column, int32_t type_index) {
  return detail::FindTypeAttr(column, type_index);
}

/*! \brief Return the column of a hook. The column exists since start-up, and its address never
 * changes. */
inline const TVMFFITypeAttrColumn* hook_column(const char* name) {
  return detail::GetTypeAttrColumnOrNull(name, std::strlen(name));
}

/*! \brief Whether the lookup of this key in a mapping may run foreign code. */
inline bool has_key_hook(const TVMFFIAny& key) {
  static const TVMFFITypeAttrColumn* const hash = hook_column("__any_hash__");
  static const TVMFFITypeAttrColumn* const equal = hook_column("__any_equal__");
  return is_object(key) && (find_hook(hash, key.type_index) != nullptr ||
                            find_hook(equal, key.type_index) != nullptr);
}

/*! \brief Whether the objects of a type are the entries of an enum. */
inline bool is_enum_type(int32_t type_index) {
  if (type_index < kTVMFFIDynObjectBegin) return false;
  const TypeEntry* entry = registered_type(type_index);
  return entry != nullptr &&
         (entry->has_enum_layout || entry->has_enum_state.load(std::memory_order_relaxed));
}

}  // namespace tvm::ffi::runtime
