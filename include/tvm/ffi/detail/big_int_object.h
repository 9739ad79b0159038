// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/big_int_object.h
 * \brief The object behind a BigInt that does not fit int64_t; included by big_int.h.
 */
#ifndef TVM_FFI_DETAIL_BIG_INT_OBJECT_H_
#define TVM_FFI_DETAIL_BIG_INT_OBJECT_H_

#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>

namespace tvm {
namespace ffi {
namespace detail {

struct BigIntUnsafe;

/*!
 * \brief `size` words of a two's-complement number follow the object, the least significant first.
 *
 * At least two words and none that only repeats the sign, once the object is the value of a BigInt.
 * Made by `make_inplace_array_object<BigIntObj, int64_t>(n, n)`, filled, and normalised.
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

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_BIG_INT_OBJECT_H_
