// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/object_ptr.h
 * \brief The owning pointers: ObjectPtr (may be null), Arc (never null) and WeakObjectPtr.
 *
 * Serves object.h and memory.h. Each is one machine pointer, to the Object inside the element. Two
 * threads may use different pointers to one object; one pointer needs the usual care.
 */
#ifndef TVM_FFI_DETAIL_OBJECT_PTR_H_
#define TVM_FFI_DETAIL_OBJECT_PTR_H_

#include <tvm/ffi/detail/object_base.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {

/*!
 * \brief Whether T derives from Object.
 *
 * Selects the traits of pointers to T. May be specialised to true for a class that is still
 * incomplete, so that it can hold containers of pointers to itself.
 */
template <typename T>
inline constexpr bool is_object_subclass_v = std::is_base_of_v<Object, T>;

template <typename T>
class WeakObjectPtr;

/*! \brief Owning pointer to a T or to nothing. */
template <typename T>
class ObjectPtr {
 public:
  ObjectPtr() noexcept = default;
  ObjectPtr(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  ObjectPtr(const ObjectPtr& other) noexcept : data_(other.data_) { IncRef(); }
  ObjectPtr(ObjectPtr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  /*! \brief From a pointer to a derived class. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  ObjectPtr(const ObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  ObjectPtr(ObjectPtr<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(std::exchange(other.data_, nullptr)) {}
  ~ObjectPtr() { reset(); }

  ObjectPtr& operator=(const ObjectPtr& other) noexcept {
    ObjectPtr(other).swap(*this);
    return *this;
  }
  ObjectPtr& operator=(ObjectPtr&& other) noexcept {
    ObjectPtr(std::move(other)).swap(*this);
    return *this;
  }

  void swap(ObjectPtr& other) noexcept { std::swap(data_, other.data_); }

  /*! \brief The element, borrowed; nullptr when there is none. */
  T* get() const { return static_cast<T*>(data_); }
  T* operator->() const { return get(); }
  /*! \brief The element; there must be one. */
  T& operator*() const { return *get(); }

  /*! \brief Let the element go. */
  void reset() noexcept {
    // Emptied first: the element's destructor may look at this pointer.
    Object* old = std::exchange(data_, nullptr);
    if (old != nullptr) detail::DecStrongRef(Header(old));
  }

  explicit operator bool() const noexcept { return data_ != nullptr; }
  /*! \brief Number of strong references to the element; 0 when null. */
  int use_count() const {
    return data_ == nullptr ? 0 : static_cast<int>(detail::StrongRefCount(Header(data_)));
  }
  /*! \brief Whether this is the only reference, strong or weak, to an element. */
  bool unique() const { return data_ != nullptr && detail::IsUniqueRef(Header(data_)); }

  bool operator==(const ObjectPtr& other) const noexcept { return data_ == other.data_; }
  bool operator!=(const ObjectPtr& other) const noexcept { return data_ != other.data_; }
  bool operator==(std::nullptr_t) const noexcept { return data_ == nullptr; }
  bool operator!=(std::nullptr_t) const noexcept { return data_ != nullptr; }

 private:
  /*! \brief The header is the first and only member of Object. */
  static TVMFFIObject* Header(Object* object) noexcept {
    return reinterpret_cast<TVMFFIObject*>(object);
  }
  void IncRef() noexcept {
    if (data_ != nullptr) detail::IncStrongRef(Header(data_));
  }

  Object* data_ = nullptr;

  template <typename>
  friend class ObjectPtr;
  template <typename>
  friend class WeakObjectPtr;
  friend struct detail::ObjectUnsafe;
};

/*!
 * \brief Owning pointer that always has an element, unless it was moved from.
 *
 * Made by make_arc.
 */
template <typename T>
class Arc : public ObjectPtr<T> {
 public:
  /*! \brief Empty, to be assigned before use. */
  explicit Arc(UnsafeInit) noexcept {}
  Arc(const Arc& other) noexcept = default;
  Arc(Arc&& other) noexcept = default;
  /*! \brief From an Arc of a derived class. */
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  Arc(const Arc<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : ObjectPtr<T>(static_cast<const ObjectPtr<U>&>(other)) {}
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  Arc(Arc<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : ObjectPtr<T>(static_cast<ObjectPtr<U>&&>(other)) {}
  Arc& operator=(const Arc& other) noexcept = default;
  Arc& operator=(Arc&& other) noexcept = default;

 private:
  explicit Arc(ObjectPtr<T>&& ptr) noexcept : ObjectPtr<T>(std::move(ptr)) {}

  using ObjectPtr<T>::reset;
  using ObjectPtr<T>::swap;

  friend struct detail::ObjectUnsafe;
};

/*! \brief Pointer that does not keep its element alive, but can tell whether it still lives. */
template <typename T>
class WeakObjectPtr {
 public:
  WeakObjectPtr() noexcept = default;
  WeakObjectPtr(std::nullptr_t) noexcept {}  // NOLINT(google-explicit-constructor)
  WeakObjectPtr(const WeakObjectPtr& other) noexcept : data_(other.data_) { IncRef(); }
  WeakObjectPtr(WeakObjectPtr&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(const ObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(const WeakObjectPtr<U>& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(other.data_) {
    IncRef();
  }
  template <typename U, typename = std::enable_if_t<std::is_base_of_v<T, U>>>
  WeakObjectPtr(WeakObjectPtr<U>&& other) noexcept  // NOLINT(google-explicit-constructor)
      : data_(std::exchange(other.data_, nullptr)) {}
  ~WeakObjectPtr() { reset(); }

  WeakObjectPtr& operator=(const WeakObjectPtr& other) noexcept {
    WeakObjectPtr(other).swap(*this);
    return *this;
  }
  WeakObjectPtr& operator=(WeakObjectPtr&& other) noexcept {
    WeakObjectPtr(std::move(other)).swap(*this);
    return *this;
  }

  void swap(WeakObjectPtr& other) noexcept { std::swap(data_, other.data_); }

  void reset() noexcept {
    Object* old = std::exchange(data_, nullptr);
    if (old != nullptr) detail::DecWeakRef(ObjectPtr<T>::Header(old));
  }

  /*! \brief A strong pointer, null when the element is gone. */
  ObjectPtr<T> lock() const noexcept {
    ObjectPtr<T> result;
    if (data_ != nullptr && detail::TryLockWeakRef(ObjectPtr<T>::Header(data_))) {
      result.data_ = data_;
    }
    return result;
  }
  /*! \brief Number of strong references to the element. */
  int use_count() const {
    return data_ == nullptr ? 0
                            : static_cast<int>(detail::StrongRefCount(ObjectPtr<T>::Header(data_)));
  }
  /*! \brief Whether lock() would give null. */
  bool expired() const { return use_count() == 0; }

 private:
  void IncRef() noexcept {
    if (data_ != nullptr) detail::IncWeakRef(ObjectPtr<T>::Header(data_));
  }

  Object* data_ = nullptr;

  template <typename>
  friend class WeakObjectPtr;
};

template <typename T>
inline constexpr bool is_object_ptr_type_v = false;
template <typename T>
inline constexpr bool is_object_ptr_type_v<ObjectPtr<T>> = true;

template <typename T>
inline constexpr bool is_arc_type_v = false;
template <typename T>
inline constexpr bool is_arc_type_v<Arc<T>> = true;

// An Arc is a pointer that has an element; never the other way round.
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<ObjectPtr<Base>, ObjectPtr<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<Arc<Base>, Arc<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;
template <typename Base, typename Derived>
inline constexpr bool type_subsumes_v<ObjectPtr<Base>, Arc<Derived>> =
    std::is_same_v<Base, Derived> || std::is_base_of_v<Base, Derived>;

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OBJECT_PTR_H_
