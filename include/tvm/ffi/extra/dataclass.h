// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/dataclass.h
 * \brief Operations on values of every type: print, copy deeply, compare, hash.
 *
 * The functions traverse containers and reflected fields on an explicit stack, so that depth and
 * cycles do not exhaust the C stack. A type replaces the generic behaviour with the attributes
 * `__ffi_repr__`, `__ffi_shallow_copy__`, `__ffi_eq__`, `__ffi_compare__` and `__ffi_hash__`. The
 * functions may be called from any thread, while no other thread changes the values. Each function
 * throws ValueError beyond 2^20 levels of nesting, and passes on the exceptions of hooks and
 * getters.
 */
#ifndef TVM_FFI_EXTRA_DATACLASS_H_
#define TVM_FFI_EXTRA_DATACLASS_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <ostream>

namespace tvm {
namespace ffi {

/*!
 * \brief Return a copy of a value and of everything that it refers to; sharing and cycles are kept.
 *
 * Texts, bytes, shapes, big integers and enum objects do not change, so the copy shares them.
 * \throws Error InternalError for an object of a type without `__ffi_shallow_copy__`.
 */
TVM_FFI_EXTRA_CXX_API Any DeepCopy(const Any& value);

/*!
 * \brief Return the printed form of a value.
 *
 * An object inside itself is printed as `...`. With TVM_FFI_REPR_WITH_ADDR=1 in the environment,
 * each object is followed by its address.
 */
TVM_FFI_EXTRA_CXX_API String ReprPrint(const Any& value);

/*!
 * \brief Return a hash of the content. Two values for which RecursiveEq is true have the same hash.
 *
 * Fields with `compare(false)` or `hash(false)` are ignored.
 * \throws Error ValueError for a type that has its own equality but no hash.
 */
TVM_FFI_EXTRA_CXX_API int64_t RecursiveHash(const Any& value);

/*!
 * \brief Return whether two values have equal content: objects field by field, containers element
 * by element.
 *
 * NaN equals NaN; values of different types are unequal, also `1` and `1.0`. Objects that refer to
 * themselves are equal when no difference can be found.
 */
TVM_FFI_EXTRA_CXX_API bool RecursiveEq(const Any& lhs, const Any& rhs);

/*!
 * \brief Return whether `lhs` is less by content: None first, sequences and texts
 * lexicographically, objects of one type field by field.
 * \throws Error TypeError for values that have no order, ValueError for cycles.
 */
TVM_FFI_EXTRA_CXX_API bool RecursiveLt(const Any& lhs, const Any& rhs);
/*! \brief Like RecursiveLt: less or equal. */
TVM_FFI_EXTRA_CXX_API bool RecursiveLe(const Any& lhs, const Any& rhs);
/*! \brief Like RecursiveLt: greater. */
TVM_FFI_EXTRA_CXX_API bool RecursiveGt(const Any& lhs, const Any& rhs);
/*! \brief Like RecursiveLt: greater or equal. */
TVM_FFI_EXTRA_CXX_API bool RecursiveGe(const Any& lhs, const Any& rhs);

/*! \brief Print ReprPrint of a value. */
inline std::ostream& operator<<(std::ostream& out, const Any& value) {
  String text = ReprPrint(value);
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/*! \brief Print ReprPrint of an object; `None` for a null reference. */
inline std::ostream& operator<<(std::ostream& out, const ObjectRef& value) {
  return out << Any(value);
}

/*! \brief Print ReprPrint of the alternative. */
template <typename... V>
inline std::ostream& operator<<(std::ostream& out, const Variant<V...>& value) {
  return out << Any(value);
}

/*! \brief Print ReprPrint of the content, or `None` when there is none. */
template <typename T>
inline std::ostream& operator<<(std::ostream& out, const Optional<T>& value) {
  return out << Any(value);
}

namespace type_attr {

/*! \brief Replaces ReprPrint of an object; the second argument prints a nested value. */
inline constexpr reflection::AttrKey<
    TypedFunction<String(const Object*, const TypedFunction<String(AnyView)>&)>>
    kRepr{"__ffi_repr__"};
/*! \brief Replaces RecursiveHash of an object; the second argument hashes a nested value. */
inline constexpr reflection::AttrKey<
    TypedFunction<int64_t(const Object*, const TypedFunction<int64_t(AnyView)>&)>>
    kHash{"__ffi_hash__"};
/*! \brief Replaces RecursiveEq of two objects; the last argument compares nested values. */
inline constexpr reflection::AttrKey<
    TypedFunction<bool(const Object*, const Object*, const TypedFunction<bool(AnyView, AnyView)>&)>>
    kEq{"__ffi_eq__"};
/*!
 * \brief Orders two objects: returns a negative number, zero or a positive number. The last
 * argument orders nested values.
 *
 * RecursiveEq also uses this attribute if the type has no kEq.
 */
inline constexpr reflection::AttrKey<TypedFunction<int32_t(
    const Object*, const Object*, const TypedFunction<int32_t(AnyView, AnyView)>&)>>
    kCompare{"__ffi_compare__"};

}  // namespace type_attr
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_DATACLASS_H_
