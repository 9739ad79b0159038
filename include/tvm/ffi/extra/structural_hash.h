// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/structural_hash.h
 * \brief Structural hash of values, consistent with StructuralEqual.
 *
 * The structural kind of a type and the flags of its fields have the same effect as in
 * structural_equal.h. The attribute `__s_hash__` replaces the hash of fields. The traversal uses an
 * explicit stack. The functions may be called from any thread, while no other thread changes the
 * value.
 */
#ifndef TVM_FFI_EXTRA_STRUCTURAL_HASH_H_
#define TVM_FFI_EXTRA_STRUCTURAL_HASH_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstdint>

namespace tvm::ffi {

/*! \brief Structural hash. An instance is a function object that uses the default options. */
class StructuralHash {
 public:
  /*!
   * \brief Return a hash that is equal for structurally equal values under the same options.
   *
   * As an exception, inline Bytes and equal Bytes on the heap have different hashes. The hash is
   * the same in every process, unless the value contains variables without definition, which are
   * hashed by address.
   * \param map_free_vars whether to number variables without definition in the order of their
   *         occurrence.
   * \param skip_tensor_content whether to ignore the bytes of tensors.
   * \throws Error TypeError for types without structural equality; ValueError for a reference cycle
   *         and beyond 2^20 levels; InternalError for tensors that are not contiguous in CPU
   *         memory; the exceptions of hooks and getters.
   */
  TVM_FFI_EXTRA_CXX_API static uint64_t Hash(const Any& value, bool map_free_vars = false,
                                             bool skip_tensor_content = false);

  uint64_t operator()(const Any& value) const { return Hash(value); }
};

namespace type_attr {

/*!
 * \brief The hook `int64_t(self, init_hash, hash)`, which replaces the hash of fields.
 *
 * `hash(value, init_hash, def_region_kind)` mixes the hash of a part into `init_hash`.
 * `def_region_kind` is a number of TVMFFIDefRegionKind; 0 keeps the current region.
 */
inline constexpr reflection::AttrKey<TypedFunction<int64_t(
    const Object*, int64_t init_hash,
    const TypedFunction<int64_t(AnyView value, int64_t init_hash, int def_region_kind)>&)>>
    kSHash{"__s_hash__"};

}  // namespace type_attr
}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_STRUCTURAL_HASH_H_
