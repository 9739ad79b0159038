// SPDX-License-Identifier: Apache-2.0
// The array behind a TVMFFITypeAttrColumn, which clients read without a lock while it is written.
#ifndef TVM_FFI_SRC_CORE_ATTR_CELLS_H_
#define TVM_FFI_SRC_CORE_ATTR_CELLS_H_

#include <tvm/ffi/c_api.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tvm {
namespace ffi {
namespace runtime {

/*!
 * \brief Cells of one column, written so that a reader never pairs the type index of one value with
 * the payload of another.
 *
 * Clients load a cell as two words, in any order. The first word holds the type index, the second
 * one the payload. Two rules keep every pair of loads consistent:
 *  - Within one array the first word of a cell is 0 (None) or one other value, which never changes.
 *    A value with the same first word replaces the payload in place.
 *  - A value with another first word goes into another array, which is then published.
 * Arrays live as long as the process, because a reader may still use an array that was replaced. An
 * old array is published again where the first rule allows it, so a value that alternates between
 * two kinds needs two arrays. Writing None does not clear the payload: only the first word tells
 * that a cell is empty.
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
    /*! \brief The nonzero first word that each cell has or had; 0 if there was none. */
    std::vector<uint64_t> kinds;

    bool accepts(int32_t index, uint64_t kind) const;
    void write(int32_t index, const TVMFFIAny& value);
  };

  Array* find_reusable(const TVMFFITypeAttrColumn& column, int32_t index, uint64_t kind);
  Array* allocate(int32_t capacity);

  std::vector<std::unique_ptr<Array>> arrays_;
  /*! \brief The published array. */
  Array* current_ = nullptr;
  /*!
   * \brief The array that `store` will publish instead of `current_`, or NULL to keep `current_`.
   */
  Array* prepared_ = nullptr;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_CORE_ATTR_CELLS_H_
