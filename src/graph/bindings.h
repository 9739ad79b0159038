// SPDX-License-Identifier: Apache-2.0
// During a comparison of two values, stores the pairs of corresponding variables and shared nodes.
#pragma once

#include <tvm/ffi/c_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graph/walk.h"

namespace tvm::ffi::runtime {

/*! \brief Pairs of a left and a right object. Each object is in at most one pair. */
class Bindings {
 public:
  /*! \brief Positions of a left object in `lefts_` and of a right object in `rights_`. */
  struct Place {
    uint32_t left;
    uint32_t right;
  };

  /*! \brief Return the partner of a left object, or NULL. */
  TVMFFIObject* right_of(const void* left) {
    const Left* found = lefts_.find({left});
    return found == nullptr ? nullptr : found->right;
  }
  /*! \brief Return the partner of a right object, or NULL. */
  TVMFFIObject* left_of(const void* right) {
    TVMFFIObject* const* found = rights_.find({right});
    return found == nullptr ? nullptr : *found;
  }

  // The following functions use positions in the tables `lefts_` and `rights_`, so that a caller
  // that looks up an object and then binds it searches each table only once.
  uint32_t place_of_left(const void* left) {
    bool is_new;
    return lefts_.position_of({left}, &is_new);
  }
  uint32_t place_of_right(const void* right) {
    bool is_new;
    return rights_.position_of({right}, &is_new);
  }
  TVMFFIObject* right_at(uint32_t left) { return lefts_.at(left).right; }
  TVMFFIObject* left_at(uint32_t right) { return rights_.at(right); }

  /*! \brief The object with which the left object is being compared, or NULL. */
  TVMFFIObject*& open_at(uint32_t left) { return lefts_.at(left).open; }

  void bind(Place place, TVMFFIObject* left, TVMFFIObject* right) {
    lefts_.at(place.left).right = right;
    rights_.at(place.right) = left;
  }

  /*! \brief Remove the binding of a pair. */
  void unbind(const void* left, const void* right) {
    lefts_.find({left})->right = nullptr;
    *rights_.find({right}) = nullptr;
  }

  size_t capacity() const { return std::max(lefts_.capacity(), rights_.capacity()); }
  void clear() {
    lefts_.clear();
    rights_.clear();
  }

  /*! \brief Let `held` keep all bound objects alive. */
  void keep_all(Held* held) const {
    lefts_.for_each([held](const IdentityMap<Left>::Entry& entry) {
      if (entry.value.right == nullptr) return;
      held->keep(object_at(entry.first));
      held->keep(entry.value.right);
    });
  }

 private:
  struct Left {
    TVMFFIObject* right;
    TVMFFIObject* open;
  };

  IdentityMap<Left> lefts_;
  IdentityMap<TVMFFIObject*> rights_;
};

}  // namespace tvm::ffi::runtime
