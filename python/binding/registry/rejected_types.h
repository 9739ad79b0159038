// SPDX-License-Identifier: Apache-2.0
// A cache of failed instance checks, which each class with the metaclass core._ObjectSlotsMeta has.
#pragma once

#include "../compat.h"

namespace binding {

// Types whose instances are not instances of a class. An entry is valid only while no class is
// registered with an abstract base class (`token` stays the same) and the type does not change (its
// version stays the same). ABCMeta caches its negative results under the same token, so this cache
// never outlives the cache of ABCMeta. Zeros make an empty cache.
class RejectedTypes {
 public:
  bool contains(const PyTypeObject* type, uint64_t token) const {
    uint32_t version = compat_type_version(type);
    return version != 0 && versions_[version % kSize] == version && token_ == token;
  }

  void add(const PyTypeObject* type, uint64_t token) {
    if (token_ != token) *this = RejectedTypes{};
    token_ = token;
    uint32_t version = compat_type_version(type);
    versions_[version % kSize] = version;
  }

 private:
  static constexpr uint32_t kSize = 4;

  uint64_t token_ = 0;
  uint32_t versions_[kSize] = {};
};

}  // namespace binding
