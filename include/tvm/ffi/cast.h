// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/cast.h
 * \brief Functions that convert a borrowed object pointer to an owning reference or pointer.
 */
#ifndef TVM_FFI_CAST_H_
#define TVM_FFI_CAST_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>

#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*!
 * \brief Make a reference to the object `ptr`, which must already have an owner.
 * \tparam RefType a reference class that may refer to every ObjectType, or an Optional of such a
 *         class.
 * \param ptr NULL gives a null or empty RefType.
 * \throws InternalError for NULL when RefType cannot be null.
 */
template <typename RefType, typename ObjectType>
inline RefType GetRef(const ObjectType* ptr) {
  Object* object = const_cast<ObjectType*>(ptr);
  if constexpr (is_optional_type_v<RefType>) {
    using Value = typename RefType::value_type;
    static_assert(object_ref_contains_v<Value, ObjectType>,
                  "the reference class cannot refer to every object of this class");
    if (ptr == nullptr) return RefType(std::nullopt);
    return RefType(detail::ObjectUnsafe::ObjectRefFromObjectPtr<Value>(
        detail::ObjectUnsafe::ObjectPtrFromUnowned<Object>(object)));
  } else {
    static_assert(object_ref_contains_v<RefType, ObjectType>,
                  "the reference class cannot refer to every object of this class");
    if constexpr (!RefType::_type_is_nullable) {
      TVM_FFI_ICHECK_NOTNULL(ptr);
    }
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<RefType>(
        detail::ObjectUnsafe::ObjectPtrFromUnowned<Object>(object));
  }
}

/*! \brief Make an owning pointer to `ptr`; null for NULL. */
template <typename BaseType, typename ObjectType>
inline ObjectPtr<BaseType> GetObjectPtr(ObjectType* ptr) {
  static_assert(std::is_base_of_v<BaseType, ObjectType>, "BaseType must be a base of ObjectType");
  return detail::ObjectUnsafe::ObjectPtrFromUnowned<BaseType>(static_cast<Object*>(ptr));
}

}  // namespace tvm::ffi
#endif  // TVM_FFI_CAST_H_
