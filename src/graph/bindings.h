// SPDX-License-Identifier: Apache-2.0
// Which variable or shared node of one value stands for which one of another value.
#ifndef TVM_FFI_SRC_GRAPH_BINDINGS_H_
#define TVM_FFI_SRC_GRAPH_BINDINGS_H_

#include <tvm/ffi/c_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Pairs of objects, left and right, each in at most one pair. */
class Bindings {
 public:
  /*! \brief Where two objects are in the tables. */
  struct Place {
    uint32_t left;
    uint32_t right;
  };

  /*! \brief What stands for an object of the left value, or NULL. */
  TVMFFIObject* right_of(const void* left) {
    const Left* found = lefts_.find({left});
    return found == nullptr ? nullptr : found->right;
  }
  /*! \brief What stands for an object of the right value, or NULL. */
  TVMFFIObject* left_of(const void* right) {
    TVMFFIObject* const* found = rights_.find({right});
    return found == nullptr ? nullptr : *found;
  }

  // The same by places, for those that go on to bind.
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

  /*! \brief With which object the left one is being compared; NULL for none. */
  TVMFFIObject*& open_at(uint32_t left) { return lefts_.at(left).open; }

  void bind(Place place, TVMFFIObject* left, TVMFFIObject* right) {
    lefts_.at(place.left).right = right;
    rights_.at(place.right) = left;
  }

  /*! \brief Take back the binding of a pair that is bound. */
  void unbind(const void* left, const void* right) {
    lefts_.find({left})->right = nullptr;
    *rights_.find({right}) = nullptr;
  }

  size_t capacity() const { return std::max(lefts_.capacity(), rights_.capacity()); }
  void clear() {
    lefts_.clear();
    rights_.clear();
  }

  /*! \brief Keep all objects that are bound alive as long as `held`. */
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

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_BINDINGS_H_
