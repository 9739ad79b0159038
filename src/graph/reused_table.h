// SPDX-License-Identifier: Apache-2.0
// Tables whose memory each thread keeps from one operation to the next. A table of ten thousand
// entries takes a megabyte. Without this cache, the C library would return the megabyte to the
// system after each operation and request it again for the next one, which takes half of the time
// of a comparison of shared graphs.
#ifndef TVM_FFI_SRC_GRAPH_REUSED_TABLE_H_
#define TVM_FFI_SRC_GRAPH_REUSED_TABLE_H_

#include <cstddef>
#include <memory>
#include <utility>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief A table that takes over memory which the thread has kept. It does so at its first use, and
 * its destructor gives the memory back to the thread. Each thread keeps one table of each type.
 * \tparam Table has `clear()`, which keeps the memory, and `capacity()`, in entries.
 */
template <typename Table>
class ReusedTable {
 public:
  ReusedTable() = default;
  ~ReusedTable() {
    if (table_ == nullptr || table_->capacity() > kMaxKept || is_gone()) return;
    table_->clear();
    spare() = std::move(table_);
  }
  ReusedTable(const ReusedTable&) = delete;
  ReusedTable& operator=(const ReusedTable&) = delete;

  /*! \brief Whether the table has been used. */
  bool is_used() const { return table_ != nullptr; }

  Table* operator->() { return get(); }
  Table* get() {
    if (table_ == nullptr) take();
    return table_.get();
  }

 private:
  static constexpr size_t kMaxKept = size_t{1} << 14;

  // Mutable thread-local state, which caches only memory. The flag remains readable after the exit
  // of the thread has destroyed the cached table.
  static bool& is_gone() {
    static thread_local bool gone = false;
    return gone;
  }
  static std::unique_ptr<Table>& spare() {
    struct Spare {
      std::unique_ptr<Table> table;
      ~Spare() { is_gone() = true; }
    };
    static thread_local Spare kept;
    return kept.table;
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

#endif  // TVM_FFI_SRC_GRAPH_REUSED_TABLE_H_
