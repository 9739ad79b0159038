// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_object.h
 * \brief The object of a BigInt that does not fit int64_t; included by big_int.h.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_OBJECT_H_
#define TVM_FFI_DETAIL_BIG_INT_OBJECT_H_

#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>

namespace tvm::ffi::detail {

struct BigIntUnsafe;

/*!
 * \brief A big integer: `size` words in two's complement follow the object, the least significant
 * first.
 *
 * The object of a BigInt has at least two words, and its most significant word does not only repeat
 * the sign of the word below it. Make an object with
 * `make_inplace_array_object<BigIntObj, int64_t>(n, n)`, fill it, and normalise it.
 */
class BigIntObj : public Object {
 public:
  explicit BigIntObj(size_t size) : size_(size) {}
  BigIntObj(const BigIntObj&) = delete;
  BigIntObj& operator=(const BigIntObj&) = delete;

  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIBigInt;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIBigInt, BigIntObj, Object);

 private:
  friend struct BigIntUnsafe;
  size_t size_;
};

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_BIG_INT_OBJECT_H_
