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

namespace tvm::ffi {

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
 * Where an object contains itself, the inner occurrence is printed as `...`. With the environment
 * variable TVM_FFI_REPR_WITH_ADDR=1, the address of each object follows its text.
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
 * \brief Return whether the content of `lhs` is less than that of `rhs`. None is less than any
 * other value; sequences and texts are compared lexicographically, objects of one type field by
 * field.
 * \throws Error TypeError for values that have no order, ValueError for cycles.
 */
TVM_FFI_EXTRA_CXX_API bool RecursiveLt(const Any& lhs, const Any& rhs);
/*! \brief Return whether `lhs` is less than or equal to `rhs`, in the order of RecursiveLt. */
TVM_FFI_EXTRA_CXX_API bool RecursiveLe(const Any& lhs, const Any& rhs);
/*! \brief Return whether `lhs` is greater than `rhs`, in the order of RecursiveLt. */
TVM_FFI_EXTRA_CXX_API bool RecursiveGt(const Any& lhs, const Any& rhs);
/*! \brief Return whether `lhs` is greater than or equal to `rhs`, in the order of RecursiveLt. */
TVM_FFI_EXTRA_CXX_API bool RecursiveGe(const Any& lhs, const Any& rhs);

/*! \brief Write the text that ReprPrint returns for a value. */
inline std::ostream& operator<<(std::ostream& out, const Any& value) {
  String text = ReprPrint(value);
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

/*! \brief Write the text that ReprPrint returns for an object; `None` for a null reference. */
inline std::ostream& operator<<(std::ostream& out, const ObjectRef& value) {
  return out << Any(value);
}

/*! \brief Write the text that ReprPrint returns for the value in a Variant. */
template <typename... V>
inline std::ostream& operator<<(std::ostream& out, const Variant<V...>& value) {
  return out << Any(value);
}

/*! \brief Write the text that ReprPrint returns for the value in an Optional; `None` if empty. */
template <typename T>
inline std::ostream& operator<<(std::ostream& out, const Optional<T>& value) {
  return out << Any(value);
}

namespace type_attr {

/*! \brief The hook that replaces ReprPrint for a type; its second argument prints a nested
 * value. */
inline constexpr reflection::AttrKey<
    TypedFunction<String(const Object*, const TypedFunction<String(AnyView)>&)>>
    kRepr{"__ffi_repr__"};
/*! \brief The hook that replaces RecursiveHash for a type; its second argument hashes a nested
 * value. */
inline constexpr reflection::AttrKey<
    TypedFunction<int64_t(const Object*, const TypedFunction<int64_t(AnyView)>&)>>
    kHash{"__ffi_hash__"};
/*! \brief The hook that replaces RecursiveEq for a type; its last argument compares two nested
 * values. */
inline constexpr reflection::AttrKey<
    TypedFunction<bool(const Object*, const Object*, const TypedFunction<bool(AnyView, AnyView)>&)>>
    kEq{"__ffi_eq__"};
/*!
 * \brief The hook that replaces RecursiveLt, RecursiveLe, RecursiveGt and RecursiveGe for a type.
 *
 * The hook returns a negative number if the first object is less, zero if the objects are equal,
 * and a positive number otherwise. Its last argument compares two nested values in the same way. If
 * the type does not have kEq, RecursiveEq calls this hook too.
 */
inline constexpr reflection::AttrKey<TypedFunction<int32_t(
    const Object*, const Object*, const TypedFunction<int32_t(AnyView, AnyView)>&)>>
    kCompare{"__ffi_compare__"};

}  // namespace type_attr
}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_DATACLASS_H_
