// SPDX-License-Identifier: Apache-2.0
// The array behind a TVMFFITypeAttrColumn. Clients read the array without a lock, even while the
// runtime writes it.
#pragma once

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tvm::ffi::runtime {

/*!
 * \brief Cells of one column, written so that a reader never pairs the type index of one value with
 * the payload of another value.
 *
 * Clients load a cell as two words, in any order. The first word contains the type index (and the
 * length of a small string), the second word the payload. Two rules keep both words consistent:
 *  - Within one array, the first word of a cell is either 0 (None) or the first word of the first
 *    other value that was written into the cell. A new value with the same first word only replaces
 *    the payload.
 *  - A value with another first word is written into another array, which is then published.
 * Arrays live as long as the process, because a reader may still use an array that was replaced. An
 * old array is published again if its cell accepts the value by the first rule. So a cell whose
 * values alternate between two types needs two arrays. Writing None does not clear the payload:
 * only the first word tells that a cell is empty.
 *
 * All calls need the lock of the attribute table. The cells do not own their values.
 */
class AttrCells {
 public:
  /*!
   * \brief Allocate the memory that `store` needs for a value. Readers do not see a change.
   * \throws std::bad_alloc
   */
  void prepare(const TVMFFITypeAttrColumn& column, int32_t index, const TVMFFIAny& value);

  /*! \brief Write and publish the value that was prepared last; never throws. */
  void store(TVMFFITypeAttrColumn* column, int32_t index, const TVMFFIAny& value);

 private:
  struct Array {
    TVMFFIAny* cells = nullptr;
    int32_t capacity = 0;
    /*! \brief For each cell, the nonzero first word that it has or had; 0 if it was always 0. */
    std::vector<uint64_t> kinds;

    bool accepts(int32_t index, uint64_t kind) const;
    void write(int32_t index, const TVMFFIAny& value);
  };

  Array* find_reusable(const TVMFFITypeAttrColumn& column, int32_t index, uint64_t kind);
  Array* allocate(int32_t capacity);

  std::vector<std::unique_ptr<Array>> arrays_;
  /*! \brief The published array. */
  Array* current_ = nullptr;
  /*! \brief The array that `store` will publish instead of `current_`, or NULL to keep
   * `current_`. */
  Array* prepared_ = nullptr;
};

}  // namespace tvm::ffi::runtime
