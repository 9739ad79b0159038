// SPDX-License-Identifier: Apache-2.0
// Which variable or shared node of one value stands for which one of another value.
#ifndef TVM_FFI_SRC_GRAPH_BINDINGS_H_
#define TVM_FFI_SRC_GRAPH_BINDINGS_H_

#include <tvm/ffi/c_api.h>

#include "graph/walk.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief Pairs of objects, left and right, each in at most one pair. */
class Bindings {
 public:
  /*! \brief What stands for an object of the left value, or NULL. */
  TVMFFIObject* right_of(const void* left) { return other_of(&rights_, left); }
  /*! \brief What stands for an object of the right value, or NULL. */
  TVMFFIObject* left_of(const void* right) { return other_of(&lefts_, right); }

  void bind(TVMFFIObject* left, TVMFFIObject* right) {
    bool is_new;
    rights_.insert(left, nullptr, &is_new) = right;
    lefts_.insert(right, nullptr, &is_new) = left;
  }

  /*! \brief Take back the binding of a pair that is bound. */
  void unbind(const void* left, const void* right) {
    *rights_.find(left) = nullptr;
    *lefts_.find(right) = nullptr;
  }

  /*! \brief Whether nothing was ever bound. */
  bool empty() const { return rights_.empty(); }

  /*! \brief Keep all objects alive as long as `held`. */
  void keep_all(Held* held) const {
    rights_.for_each([held](const Table::Entry& entry) {
      held->keep(object_at(entry.first));
      if (entry.value != nullptr) held->keep(entry.value);
    });
  }

 private:
  using Table = IdentityMap<TVMFFIObject*>;

  static TVMFFIObject* other_of(Table* table, const void* object) {
    TVMFFIObject* const* found = table->find(object);
    return found == nullptr ? nullptr : *found;
  }

  Table rights_;
  Table lefts_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_BINDINGS_H_
