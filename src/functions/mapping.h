// SPDX-License-Identifier: Apache-2.0
// Functions shared by maps and dicts.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/function.h>

#include "core/sentinel.h"

namespace tvm::ffi::runtime {

/*! \brief Make a `Map<Any, Any>` or `Dict<Any, Any>` from alternating keys and values. */
template <typename Mapping>
Mapping mapping_from(PackedArgs args) {
  TVM_FFI_ICHECK_EQ(args.size() % 2, 0);
  Mapping mapping;
  for (int i = 0; i < args.size(); i += 2) mapping.Set(args[i], args[i + 1]);
  return mapping;
}

/*! \brief Return a reference to an existing mapping, as a `Map<Any, Any>` or `Dict<Any, Any>`. */
template <typename Mapping>
Mapping reference_to(const typename Mapping::ContainerType* mapping) {
  return Mapping(GetObjectPtr<Object>(const_cast<typename Mapping::ContainerType*>(mapping)));
}

/*! \brief Return the value of a key, or missing_object() if the key is not in the mapping. */
inline Any item_or_missing(const MapBaseObj* mapping, const Any& key) {
  auto it = mapping->find(key);
  if (it == mapping->end()) return missing_object();
  return it->second;
}

/*!
 * \brief The argument of the function that represents an iteration over a mapping. The function
 * treats every other number as kAdvance.
 */
enum IterationStep : int32_t { kCurrentKey = 0, kCurrentValue = 1, kAdvance = 2 };

[[noreturn]] inline void throw_iteration_over() {
  TVM_FFI_THROW(IndexError) << "The iteration is over";
  TVM_FFI_UNREACHABLE();
}

}  // namespace tvm::ffi::runtime
