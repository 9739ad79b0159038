// SPDX-License-Identifier: Apache-2.0
// Tables that an operation borrows from its thread. A table of ten thousand entries is a megabyte
// that the C library would give back to the system after each operation, to take the same pages
// again for the next one: half of the time of a comparison of shared graphs.
#ifndef TVM_FFI_SRC_GRAPH_LENT_H_
#define TVM_FFI_SRC_GRAPH_LENT_H_

#include <cstddef>
#include <memory>
#include <utility>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief A table, taken at its first use and given back at the end, when each thread keeps one.
 * \tparam Table has `clear()`, which keeps the memory, and `capacity()`, in entries.
 */
template <typename Table>
class Lent {
 public:
  Lent() = default;
  ~Lent() {
    if (table_ == nullptr || table_->capacity() > kMaxKept || is_gone()) return;
    table_->clear();
    spare() = std::move(table_);
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  /*! \brief Whether there was a first use. */
  bool is_used() const { return table_ != nullptr; }

  Table* operator->() { return get(); }
  Table* get() {
    if (table_ == nullptr) take();
    return table_.get();
  }

 private:
  static constexpr size_t kMaxKept = size_t{1} << 14;

  // Not const: state of the thread, and only memory. `is_gone` outlives the table at its end.
  static bool& is_gone() {
    static thread_local bool gone = false;
    return gone;
  }
  static std::unique_ptr<Table>& spare() {
    struct Keeper {
      std::unique_ptr<Table> table;
      ~Keeper() { is_gone() = true; }
    };
    static thread_local Keeper keeper;
    return keeper.table;
  }

  void take() {
    if (!is_gone()) table_ = std::move(spare());
    if (table_ == nullptr) table_ = std::make_unique<Table>();
  }

  std::unique_ptr<Table> table_;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_LENT_H_
