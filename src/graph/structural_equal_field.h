// SPDX-License-Identifier: Apache-2.0
// Structural equality of fields and elements, as far as it can be decided without comparing the
// children of objects. The functions are inline, because they decide most comparisons.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>

#include <cstddef>
#include <cstdint>

#include "graph/structural_equal_leaf.h"
#include "graph/walk.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tvm::ffi::runtime::structural {

/*! \brief Return the memory of a field, as the type that its storage specifies. */
template <typename T>
inline const T& content(const TVMFFIObject* object, const PlannedField& field) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(object) + field.offset);
}

/*! \brief Whether two references are equal; also false if their children must be compared. */
TVM_FFI_INLINE bool are_equal_references(const TVMFFIObject* lhs, const TVMFFIObject* rhs) {
  if (lhs == nullptr || rhs == nullptr) return lhs == rhs;
  if (lhs->type_index != rhs->type_index) return false;
  if (detail::IsSequence(lhs->type_index)) return is_empty_sequence(lhs) && is_empty_sequence(rhs);
  return compare_objects(const_cast<TVMFFIObject*>(lhs), const_cast<TVMFFIObject*>(rhs)) ==
         Verdict::kEqual;
}

/*! \brief Whether two values are plain values (not objects) with the same bits. */
TVM_FFI_INLINE bool are_same_plain(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.type_index == rhs.type_index && !is_object(lhs) && lhs.v_uint64 == rhs.v_uint64 &&
         lhs.small_str_len == rhs.small_str_len;
}

/*! \brief Whether a field is equal in both objects; also false if only the walk can decide this. */
TVM_FFI_INLINE bool is_equal_field(const PlannedField& field, const TVMFFIObject* lhs,
                                   const TVMFFIObject* rhs) {
  switch (field.storage) {
    case FieldStorage::kInt64:
      return content<int64_t>(lhs, field) == content<int64_t>(rhs, field);
    case FieldStorage::kBool:
      return (content<uint8_t>(lhs, field) != 0) == (content<uint8_t>(rhs, field) != 0);
    case FieldStorage::kFloat64:
      return compare_floats(content<double>(lhs, field), content<double>(rhs, field)) ==
             Verdict::kEqual;
    case FieldStorage::kObject:
      return are_equal_references(content<const TVMFFIObject*>(lhs, field),
                                  content<const TVMFFIObject*>(rhs, field));
    case FieldStorage::kValue: {
      const TVMFFIAny& value = content<TVMFFIAny>(lhs, field);
      const TVMFFIAny& other = content<TVMFFIAny>(rhs, field);
      return are_same_plain(value, other) || compare_values(value, other) == Verdict::kEqual;
    }
    default:
      // Leave a field with a getter to the walk, which keeps the result of the getter alive.
      return false;
  }
}

/*! \brief Return the first field for which is_equal_field() returns false, or NULL. */
TVM_FFI_INLINE const PlannedField* first_field_to_open(const FieldPlan& plan,
                                                       const TVMFFIObject* lhs,
                                                       const TVMFFIObject* rhs) {
  const PlannedField* end = plan.fields.data() + plan.fields.size();
  for (const PlannedField* field = plan.fields.data(); field != end; ++field) {
    if ((field->flags & kTVMFFIFieldFlagBitMaskSEqHashIgnore) != 0) continue;
    if (!is_equal_field(*field, lhs, rhs)) return field;
  }
  return nullptr;
}

inline constexpr size_t kStep = 4;

/*! \brief Whether kStep values are plain values (not objects) with the same bits. */
TVM_FFI_INLINE bool are_same_plain_step(const Any* lhs, const Any* rhs) {
  static_assert((kTVMFFIStaticObjectBegin & (kTVMFFIStaticObjectBegin - 1)) == 0,
                "the indices of plain values have no bit from this one on");
#if defined(__SSE2__)
  __m128i differences = _mm_setzero_si128(), kinds = _mm_setzero_si128();
  for (size_t k = 0; k < kStep; ++k) {
    __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&raw(lhs[k])));
    __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&raw(rhs[k])));
    differences = _mm_or_si128(differences, _mm_xor_si128(left, right));
    kinds = _mm_or_si128(kinds, left);
  }
  int same = _mm_movemask_epi8(_mm_cmpeq_epi8(differences, _mm_setzero_si128()));
  return same == 0xffff && static_cast<uint32_t>(_mm_cvtsi128_si32(kinds)) <
                               static_cast<uint32_t>(kTVMFFIStaticObjectBegin);
#else
  for (size_t k = 0; k < kStep; ++k) {
    if (!are_same_plain(raw(lhs[k]), raw(rhs[k]))) return false;
  }
  return true;
#endif
}

/*! \brief Compare two arrays of `size` values, and return the number of leading values that are
 * plain (not objects) and have the same bits in both. */
inline size_t count_same_plain(const Any* lhs, const Any* rhs, size_t size) {
  size_t i = 0;
  if (size == 0 || !are_same_plain(raw(lhs[0]), raw(rhs[0]))) return 0;
  while (i + kStep <= size && are_same_plain_step(lhs + i, rhs + i)) i += kStep;
  while (i < size && are_same_plain(raw(lhs[i]), raw(rhs[i]))) ++i;
  return i;
}

}  // namespace tvm::ffi::runtime::structural
