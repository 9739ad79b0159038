// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_key.h
 * \brief StructuralKey: a key that holds any value, and is compared by structure.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_KEY_H_
#define TVM_FFI_EXTRA_STRUCTURAL_KEY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

namespace tvm::ffi {

/*! \brief A value and its structural hash, which is computed once. The value must not be
 * changed. */
class StructuralKeyObj : public Object {
 public:
  /*! \brief The value. */
  Any key;
  /*! \brief The result of StructuralHash::Hash(key), cast to a signed integer. */
  int64_t hash_i64 = 0;

  StructuralKeyObj() = default;
  /*! \throws Error like StructuralHash::Hash. */
  explicit StructuralKeyObj(Any key)
      : key(std::move(key)), hash_i64(static_cast<int64_t>(StructuralHash::Hash(this->key))) {}

  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.StructuralKey", StructuralKeyObj, Object);
};

/*! \brief Reference to StructuralKeyObj, never null; a key of std::unordered_map, Map and Dict. */
class StructuralKey : public ObjectRef {
 public:
  /*! \throws Error like StructuralHash::Hash. */
  explicit StructuralKey(Any key) : ObjectRef(make_object<StructuralKeyObj>(std::move(key))) {}

  /*! \brief Return whether both values are structurally equal. \throws Error like
   * StructuralEqual::Equal. */
  bool operator==(const StructuralKey& other) const {
    if (same_as(other)) return true;
    return get()->hash_i64 == other->hash_i64 && StructuralEqual::Equal(get()->key, other->key);
  }
  bool operator!=(const StructuralKey& other) const { return !(*this == other); }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(StructuralKey, ObjectRef, StructuralKeyObj);
};

}  // namespace tvm::ffi

namespace std {
/*! \brief Returns the structural hash. */
template <>
struct hash<::tvm::ffi::StructuralKey> {
  size_t operator()(const ::tvm::ffi::StructuralKey& key) const {
    return static_cast<size_t>(key->hash_i64);
  }
};
}  // namespace std

#endif  // TVM_FFI_EXTRA_STRUCTURAL_KEY_H_
