// SPDX-License-Identifier: Apache-2.0
// Reads values of a Map or Dict without a copy.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map_base.h>

namespace tvm::ffi::runtime {

/*! \brief Return the value of a key, borrowed until the map changes; NULL if the key is missing. */
inline Any* find_value(const MapBaseObj* map, const Any& key) {
  MapBaseObj::iterator position = map->find(key);
  return position == map->end() ? nullptr : &position->second;
}

/*! \brief Do the same for a Map or Dict, which may be a null reference. */
template <typename TMap>
Any* find_value(const TMap& map, const typename TMap::key_type& key) {
  const auto* object = static_cast<const MapBaseObj*>(map.get());
  if (object == nullptr) return nullptr;
  return find_value(object, detail::LookupKey<typename TMap::key_type>(key));
}

}  // namespace tvm::ffi::runtime
