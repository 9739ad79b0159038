// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/object_ref.h
 * \brief ObjectRef, the base of reference classes, and the macros that complete such a class.
 *
 * Serves object.h and memory.h.
 */
#ifndef TVM_FFI_DETAIL_OBJECT_REF_H_
#define TVM_FFI_DETAIL_OBJECT_REF_H_

#include <tvm/ffi/detail/object_ptr.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

class ObjectRef;

template <typename... V>
class Variant;

/*!
 * \brief Base of reference classes: an owning pointer with the interface of what it points to.
 *
 * May be null unless a subclass says otherwise; a moved-from reference is null in any case.
 */
class ObjectRef {
 public:
  ObjectRef() = default;
  ObjectRef(const ObjectRef& other) = default;
  ObjectRef(ObjectRef&& other) noexcept = default;
  ObjectRef& operator=(const ObjectRef& other) = default;
  ObjectRef& operator=(ObjectRef&& other) noexcept = default;
  /*! \brief Refer to the element of `data`. */
  explicit ObjectRef(ObjectPtr<Object> data) : data_(std::move(data)) {}
  /*! \brief Null, to be filled by the caller. */
  explicit ObjectRef(UnsafeInit) {}

  /*! \brief Same object, or both null. */
  bool same_as(const ObjectRef& other) const { return data_ == other.data_; }
  bool operator==(const ObjectRef& other) const { return data_ == other.data_; }
  bool operator!=(const ObjectRef& other) const { return data_ != other.data_; }
  /*! \brief Order by address. */
  bool operator<(const ObjectRef& other) const {
    return std::less<const Object*>()(data_.get(), other.data_.get());
  }

  /*! \brief Not null. */
  bool defined() const { return data_ != nullptr; }
  /*! \brief The object, borrowed. */
  const Object* get() const { return data_.get(); }
  const Object* operator->() const { return get(); }
  /*! \brief Whether this is the only reference, strong or weak, to an object. */
  bool unique() const { return data_.unique(); }
  /*! \brief Number of strong references; 0 when null. */
  int use_count() const { return data_.use_count(); }

  /*! \brief The object as an ObjectType, borrowed; nullptr when it is none, or this is null. */
  template <typename ObjectType, typename = std::enable_if_t<std::is_base_of_v<Object, ObjectType>>>
  const ObjectType* as() const&;

  /*!
   * \brief A RefType to the same object, if it is one by the strict check of its TypeTraits.
   *
   * Null gives a null reference where RefType can be null. Called on an rvalue it takes the object
   * over, on success only.
   */
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  std::optional<RefType> as() const&;
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  std::optional<RefType> as() &&;

  /*!
   * \brief as<RefType>() that throws; defined in <tvm/ffi/any.h>.
   * \throws TypeError when the object is no RefType.
   */
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  RefType as_or_throw() const&;
  template <typename RefType, typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType>>>
  RefType as_or_throw() &&;

  /*! \brief Run-time type; kTVMFFINone when null. */
  int32_t type_index() const {
    return data_ != nullptr ? data_->type_index() : static_cast<int32_t>(TypeIndex::kTVMFFINone);
  }
  /*! \brief Registry key of the run-time type; "None" when null. */
  std::string GetTypeKey() const { return TypeIndexToTypeKey(type_index()); }

  /*! \brief Class of the objects that this class refers to. */
  using ContainerType = Object;
  /*! \brief Every ContainerType is a valid target; false for references that look into it. */
  static constexpr bool _type_container_is_exact = true;
  static constexpr bool _type_is_nullable = true;

 protected:
  /*! \brief The object, borrowed, for writing. */
  Object* get_mutable() const { return data_.get(); }

  ObjectPtr<Object> data_;

  friend struct detail::ObjectUnsafe;
  friend struct ObjectPtrHash;
  friend struct ObjectPtrEqual;
};

/*!
 * \brief Whether a reference of class RefType may refer to every ObjectType.
 *
 * May be specialised, e.g. for a reference to one of several classes.
 */
template <typename RefType, typename ObjectType,
          typename = std::enable_if_t<std::is_base_of_v<ObjectRef, RefType> &&
                                      std::is_base_of_v<Object, ObjectType>>>
inline constexpr bool object_ref_contains_v =
    RefType::_type_container_is_exact &&
    std::is_base_of_v<typename RefType::ContainerType, ObjectType>;

/*! \brief Hash of references and pointers by address. */
struct ObjectPtrHash {
  size_t operator()(const ObjectRef& ref) const { return operator()(ref.data_); }
  template <typename T>
  size_t operator()(const ObjectPtr<T>& ptr) const {
    return std::hash<T*>()(ptr.get());
  }
  /*! \brief For variants of references; defined in <tvm/ffi/container/variant.h>. */
  template <typename... V>
  size_t operator()(const Variant<V...>& variant) const;
};

/*! \brief Equality of references and pointers by address. */
struct ObjectPtrEqual {
  bool operator()(const ObjectRef& lhs, const ObjectRef& rhs) const { return lhs.same_as(rhs); }
  template <typename T>
  bool operator()(const ObjectPtr<T>& lhs, const ObjectPtr<T>& rhs) const {
    return lhs == rhs;
  }
  /*! \brief For variants of references; defined in <tvm/ffi/container/variant.h>. */
  template <typename... V>
  bool operator()(const Variant<V...>& lhs, const Variant<V...>& rhs) const;
};

namespace detail {

/*!
 * \brief What a not-nullable reference class takes in the constructor that its macro gives it.
 *
 * A class of its own, so that a constructor from ObjectPtr that the author writes comes first.
 */
template <typename T>
class NotNullSource {
 public:
  /*! \throws TypeError for a null pointer. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  NotNullSource(ObjectPtr<U> object) : data_(std::move(object)) {  // NOLINT(*)
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) ThrowNullReference<>(T::_type_key);
  }
  ObjectPtr<Object> Take() && { return std::move(data_); }

 private:
  ObjectPtr<Object> data_;
};
}  // namespace detail

/// \cond Doxygen_Suppress
#define TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)                        \
  explicit TypeName(::tvm::ffi::UnsafeInit tag) : ParentType(tag) {}                               \
  TVM_FFI_DEFINE_DEFAULT_COPY_MOVE_AND_ASSIGN(TypeName);                                           \
  using __PtrType = std::conditional_t<ObjectName::_type_mutable, ObjectName*, const ObjectName*>; \
  __PtrType operator->() const { return static_cast<__PtrType>(this->data_.get()); }               \
  __PtrType get() const { return static_cast<__PtrType>(this->data_.get()); }                      \
  using ContainerType = ObjectName
/// \endcond

/*!
 * \brief Complete a reference class that can be null.
 * \param TypeName the class.
 * \param ParentType the reference class it derives from.
 * \param ObjectName the class of its objects.
 *
 * Gives a default constructor (null), one from ObjectPtr<ObjectName>, `->` and get(), which are
 * const unless `ObjectName::_type_mutable`.
 */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName) \
  TypeName() = default;                                                              \
  explicit TypeName(::tvm::ffi::ObjectPtr<ObjectName> object)                        \
      : ParentType(::tvm::ffi::UnsafeInit{}) {                                       \
    this->data_ = std::move(object);                                                 \
  }                                                                                  \
  static constexpr bool _type_is_nullable = true;                                    \
  TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)

/*!
 * \brief Complete a reference class that is never null (unless moved from).
 *
 * The same without a default constructor; the explicit one from ObjectPtr<ObjectName>, also for
 * subclasses of ObjectName, throws TypeError for a null pointer. An author who writes a constructor
 * from ObjectPtr replaces it.
 */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(TypeName, ParentType, ObjectName) \
  template <typename _FromPtr = void>                                                   \
  explicit TypeName(::tvm::ffi::detail::NotNullSource<ObjectName> object)               \
      : ParentType(::tvm::ffi::UnsafeInit{}) {                                          \
    this->data_ = std::move(object).Take();                                             \
  }                                                                                     \
  static constexpr bool _type_is_nullable = false;                                      \
  TVM_FFI_DEFINE_OBJECT_REF_COMMON_(TypeName, ParentType, ObjectName)

/*! \brief The historic name of the nullable form. */
#define TVM_FFI_DEFINE_OBJECT_REF_METHODS(TypeName, ParentType, ObjectName) \
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(TypeName, ParentType, ObjectName)

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OBJECT_REF_H_
