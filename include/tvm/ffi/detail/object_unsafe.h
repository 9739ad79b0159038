// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/object_unsafe.h
 * \brief ObjectUnsafe: the door between owning pointers and raw handles.
 *
 * Serves object.h and memory.h. Names say who owns: `Owned` adopts a reference, `Unowned` takes one
 * of its own, `Move...` gives the caller the reference; everything else borrows.
 */
#ifndef TVM_FFI_DETAIL_OBJECT_UNSAFE_H_
#define TVM_FFI_DETAIL_OBJECT_UNSAFE_H_

#include <tvm/ffi/detail/object_ptr.h>
#include <tvm/ffi/detail/object_ref.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Access to what the pointer classes hide; for code that crosses the C boundary. */
struct ObjectUnsafe {
  /*! \brief Header of an object; NULL for NULL. */
  TVM_FFI_INLINE static TVMFFIObject* GetHeader(const Object* object) {
    return reinterpret_cast<TVMFFIObject*>(const_cast<Object*>(object));
  }

  /*! \brief Bytes from the start of a Class to its Object: what precedes it are other bases. */
  template <typename Class>
  TVM_FFI_INLINE static int64_t GetObjectOffsetToSubclass() {
    // Any suitably aligned address but NULL, which a cast would leave alone. Nothing is read.
    alignas(Class) char space[sizeof(Class)];
    Class* address = reinterpret_cast<Class*>(space);
    return reinterpret_cast<char*>(static_cast<Object*>(address)) - space;
  }

  /* ---------------------------------------------------------------- references and pointers */

  /*! \brief A reference of class T to the element of `ptr`, whose class is not checked. */
  template <typename T>
  TVM_FFI_INLINE static T ObjectRefFromObjectPtr(const ObjectPtr<Object>& ptr) {
    return ObjectRefFromObjectPtr<T>(ObjectPtr<Object>(ptr));
  }
  template <typename T>
  TVM_FFI_INLINE static T ObjectRefFromObjectPtr(ObjectPtr<Object>&& ptr) {
    static_assert(std::is_base_of_v<ObjectRef, T>, "T must derive from ObjectRef");
    T ref{UnsafeInit{}};
    static_cast<ObjectRef&>(ref).data_ = std::move(ptr);
    return ref;
  }

  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromObjectRef(const ObjectRef& ref) {
    return Downcast<T>(ObjectPtr<Object>(ref.data_));
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromObjectRef(ObjectRef&& ref) {
    return Downcast<T>(std::move(ref.data_));
  }

  /*! \brief An Arc from a pointer that is known to have an element. */
  template <typename T>
  TVM_FFI_INLINE static Arc<T> ArcFromObjectPtr(ObjectPtr<T>&& ptr) {
    return Arc<T>(std::move(ptr));
  }

  /* ---------------------------------------------------------------- raw to owning */

  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromOwned(Object* object) {
    ObjectPtr<T> result;
    result.data_ = object;
    return result;
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromOwned(TVMFFIObject* handle) {
    return ObjectPtrFromOwned<T>(reinterpret_cast<Object*>(handle));
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromUnowned(Object* object) {
    if (object != nullptr) IncStrongRef(GetHeader(object));
    return ObjectPtrFromOwned<T>(object);
  }
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> ObjectPtrFromUnowned(TVMFFIObject* handle) {
    return ObjectPtrFromUnowned<T>(reinterpret_cast<Object*>(handle));
  }

  /* ---------------------------------------------------------------- owning to raw */

  /*! \brief The T at a handle, borrowed. */
  template <typename T>
  TVM_FFI_INLINE static T* RawObjectPtrFromUnowned(TVMFFIObject* handle) {
    return static_cast<T*>(reinterpret_cast<Object*>(handle));
  }
  TVM_FFI_INLINE static Object* RawObjectPtrFromObjectRef(const ObjectRef& ref) {
    return ref.data_.data_;
  }
  TVM_FFI_INLINE static TVMFFIObject* TVMFFIObjectPtrFromObjectRef(const ObjectRef& ref) {
    return GetHeader(ref.data_.data_);
  }
  template <typename T>
  TVM_FFI_INLINE static TVMFFIObject* TVMFFIObjectPtrFromObjectPtr(const ObjectPtr<T>& ptr) {
    return GetHeader(ptr.data_);
  }
  template <typename T>
  TVM_FFI_INLINE static TVMFFIObject* MoveObjectPtrToTVMFFIObjectPtr(ObjectPtr<T>&& ptr) {
    return GetHeader(std::exchange(ptr.data_, nullptr));
  }
  TVM_FFI_INLINE static TVMFFIObject* MoveObjectRefToTVMFFIObjectPtr(ObjectRef&& ref) {
    return GetHeader(std::exchange(ref.data_.data_, nullptr));
  }

  /* ---------------------------------------------------------------- handles */

  /*! \brief Give one strong reference back; NULL is accepted. */
  TVM_FFI_INLINE static void DecRefObjectHandle(TVMFFIObjectHandle handle) {
    if (handle != nullptr) DecStrongRef(static_cast<TVMFFIObject*>(handle));
  }
  /*! \brief Take one more strong reference; NULL is accepted. */
  TVM_FFI_INLINE static void IncRefObjectHandle(TVMFFIObjectHandle handle) {
    if (handle != nullptr) IncStrongRef(static_cast<TVMFFIObject*>(handle));
  }
  /*! \brief What a custom allocator put in front of a body; only for bodies known to have it. */
  TVM_FFI_INLINE static TVMFFIObjectAllocHeader* GetObjectAllocHeaderFromPtr(void* body) {
    return reinterpret_cast<TVMFFIObjectAllocHeader*>(static_cast<char*>(body) -
                                                      sizeof(TVMFFIObjectAllocHeader));
  }

 private:
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> Downcast(ObjectPtr<Object>&& ptr) {
    return ObjectPtrFromOwned<T>(std::exchange(ptr.data_, nullptr));
  }
};

}  // namespace detail

}  // namespace ffi
}  // namespace tvm
#endif  // TVM_FFI_DETAIL_OBJECT_UNSAFE_H_
