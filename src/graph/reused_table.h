// SPDX-License-Identifier: Apache-2.0
// Tables whose memory each thread keeps from one operation to the next. A table of ten thousand
// entries takes a megabyte. Without this cache, the C library would return the megabyte to the
// system after each operation and request it again for the next one, which takes half of the time
// of a comparison of shared graphs.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "core/thread_value.h"

namespace tvm::ffi::runtime {

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
    if (table_ == nullptr || table_->capacity() > kMaxKept) return;
    Spare* spare = thread_value<Spare>();
    if (spare == nullptr) return;
    table_->clear();
    spare->table = std::move(table_);
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

  // The state of a thread, which caches only memory.
  struct Spare {
    std::unique_ptr<Table> table;
  };

  void take() {
    if (Spare* spare = thread_value<Spare>()) table_ = std::move(spare->table);
    if (table_ == nullptr) table_ = std::make_unique<Table>();
  }

  std::unique_ptr<Table> table_;
};

}  // namespace tvm::ffi::runtime
