// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/memory.h
 * \brief make_object and related functions: allocate, construct, and install the deleter of an
 * object.
 */
#ifndef TVM_FFI_MEMORY_H_
#define TVM_FFI_MEMORY_H_

#include <tvm/ffi/detail/destroy.h>
#include <tvm/ffi/object.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#if defined(_WIN32)
#include <malloc.h>
#endif

namespace tvm::ffi {

/*! \brief Signature of TVMFFIObject::deleter; `flags` is a TVMFFIObjectDeleterFlagBitMask. */
using FObjectDeleter = void (*)(void* obj, int flags);

namespace detail {

[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowBadAlloc() {
  throw std::bad_alloc();
}

/*!
 * \brief Allocate at least `size` bytes.
 * \param align power of two.
 * \throws std::bad_alloc when there is no memory.
 */
TVM_FFI_INLINE void* AlignedAlloc(size_t size, size_t align) {
  void* ptr = nullptr;
#if defined(_WIN32)
  ptr = _aligned_malloc(size, align);
#else
  if (align <= alignof(std::max_align_t)) {
    ptr = std::malloc(size);
  } else if (posix_memalign(&ptr, align, size) != 0) {
    ptr = nullptr;
  }
#endif
  if (TVM_FFI_PREDICT_FALSE(ptr == nullptr)) ThrowBadAlloc();
  return ptr;
}

/*! \brief Free memory from AlignedAlloc. */
TVM_FFI_INLINE void AlignedFree(void* ptr) noexcept {
#if defined(_WIN32)
  _aligned_free(ptr);
#else
  std::free(ptr);
#endif
}

/*!
 * \brief Base of allocators, with the steps that all allocators have in common.
 *
 * Derived provides two class templates, `Handler<T>` with `static T* New(Derived*, Args&&...)` and
 * `ArrayHandler<ArrayType, ElemType>` with `static ArrayType* New(Derived*, size_t, Args&&...)`,
 * each with `static FObjectDeleter Deleter()`.
 */
template <typename Derived>
class ObjAllocatorBase {
 public:
  /*! \brief Make a T from `args`; an exception of its constructor passes through. */
  template <typename T, typename... Args>
  TVM_FFI_INLINE ObjectPtr<T> make_object(Args&&... args) {
    static_assert(std::is_base_of_v<Object, T>, "make_object makes subclasses of Object");
    using Handler = typename Derived::template Handler<T>;
    T* object = Handler::New(static_cast<Derived*>(this), std::forward<Args>(args)...);
    return Finish<T>(object, Handler::Deleter());
  }

  /*! \brief Make an ArrayType followed by memory for `num_elems` ElemType. */
  template <typename ArrayType, typename ElemType, typename... Args>
  TVM_FFI_INLINE ObjectPtr<ArrayType> make_inplace_array(size_t num_elems, Args&&... args) {
    static_assert(std::is_base_of_v<Object, ArrayType>,
                  "make_inplace_array makes subclasses of Object");
    using Handler = typename Derived::template ArrayHandler<ArrayType, ElemType>;
    ArrayType* object =
        Handler::New(static_cast<Derived*>(this), num_elems, std::forward<Args>(args)...);
    return Finish<ArrayType>(object, Handler::Deleter());
  }

 private:
  /*! \brief Fill the header of a constructed object. */
  template <typename T>
  TVM_FFI_INLINE static ObjectPtr<T> Finish(T* object, FObjectDeleter deleter) {
    TVMFFIObject* header = ObjectUnsafe::GetHeader(static_cast<Object*>(object));
    header->combined_ref_count = kCombinedRefCountBothOne;
    header->type_index = T::RuntimeTypeIndex();
    header->__padding = 0;
    header->deleter = deleter;
    return ObjectUnsafe::ObjectPtrFromOwned<T>(static_cast<Object*>(object));
  }
};

/*! \brief A guard that frees memory, unless Release() was called. */
class SpaceGuard {
 public:
  explicit SpaceGuard(void* space) : space_(space) {}
  SpaceGuard(const SpaceGuard&) = delete;
  SpaceGuard& operator=(const SpaceGuard&) = delete;
  ~SpaceGuard() {
    if (space_ != nullptr) AlignedFree(space_);
  }
  void* get() const { return space_; }
  void Release() { space_ = nullptr; }

 private:
  void* space_;
};

/*! \brief Allocates each object separately, with the C library. */
class SimpleObjAllocator : public ObjAllocatorBase<SimpleObjAllocator> {
 public:
  template <typename T>
  class Handler {
   public:
    template <typename... Args>
    TVM_FFI_INLINE static T* New(SimpleObjAllocator*, Args&&... args) {
      return Construct(AlignedAlloc(sizeof(T), alignof(T)), std::forward<Args>(args)...);
    }
    static FObjectDeleter Deleter() { return Delete; }

    /*! \brief Construct a T in `space`, which is freed if the constructor throws. */
    template <typename... Args>
    TVM_FFI_INLINE static T* Construct(void* space, Args&&... args) {
      if constexpr (std::is_nothrow_constructible_v<T, Args...>) {
        return ::new (space) T(std::forward<Args>(args)...);
      } else {
        SpaceGuard guard(space);
        T* object = ::new (space) T(std::forward<Args>(args)...);
        guard.Release();
        return object;
      }
    }

    /*! \brief The deleter of an object of class T. */
    static void Delete(void* handle, int flags) {
      if constexpr (!std::is_trivially_destructible_v<T>) {
        if (TVM_FFI_PREDICT_TRUE((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0)) {
          return DestroyNested(handle, flags, Destroy);
        }
      }
      Destroy(handle, flags);
    }

   private:
    TVM_FFI_INLINE static void Destroy(void* handle, int flags) {
      T* object = static_cast<T*>(reinterpret_cast<Object*>(handle));
      if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) object->T::~T();
      if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) AlignedFree(static_cast<void*>(object));
    }
  };

  template <typename ArrayType, typename ElemType>
  class ArrayHandler {
   public:
    static_assert(alignof(ArrayType) % alignof(ElemType) == 0 &&
                      sizeof(ArrayType) % alignof(ElemType) == 0,
                  "the elements behind an ArrayType must be aligned there");

    template <typename... Args>
    TVM_FFI_INLINE static ArrayType* New(SimpleObjAllocator*, size_t num_elems, Args&&... args) {
      return Handler<ArrayType>::Construct(AlignedAlloc(BlockSize(num_elems), alignof(ArrayType)),
                                           std::forward<Args>(args)...);
    }
    static FObjectDeleter Deleter() { return Handler<ArrayType>::Delete; }

   private:
    static size_t BlockSize(size_t num_elems) {
      constexpr size_t kAlign = alignof(ArrayType);
      constexpr size_t kMaxElems =
          (static_cast<size_t>(-1) - sizeof(ArrayType) - kAlign) / sizeof(ElemType);
      if (TVM_FFI_PREDICT_FALSE(num_elems > kMaxElems)) ThrowBadAlloc();
      return (sizeof(ArrayType) + num_elems * sizeof(ElemType) + kAlign - 1) / kAlign * kAlign;
    }
  };
};

}  // namespace detail

/*!
 * \brief Make an object with one strong reference.
 * \tparam T subclass of Object; may be over-aligned.
 * \param args arguments of the constructor. If the constructor throws, the memory is freed and the
 *         exception passes through.
 * \throws std::bad_alloc when there is no memory.
 */
template <typename T, typename... Args>
TVM_FFI_INLINE ObjectPtr<T> make_object(Args&&... args) {
  return detail::SimpleObjAllocator().template make_object<T>(std::forward<Args>(args)...);
}

/*! \brief Make an object, and return a pointer that is never null. */
template <typename T, typename... Args>
TVM_FFI_INLINE Arc<T> make_arc(Args&&... args) {
  return detail::ObjectUnsafe::ArcFromObjectPtr<T>(make_object<T>(std::forward<Args>(args)...));
}

/*!
 * \brief Make an object followed by memory for elements, in one allocation.
 * \tparam ArrayType subclass of Object.
 * \tparam ElemType element; starts at `(char*)object + sizeof(ArrayType)`.
 * \param num_elems number of elements, which the ArrayType constructs and destroys itself.
 * \param args for the constructor of ArrayType.
 * \throws std::bad_alloc when there is no memory.
 */
template <typename ArrayType, typename ElemType, typename... Args>
TVM_FFI_INLINE ObjectPtr<ArrayType> make_inplace_array_object(size_t num_elems, Args&&... args) {
  return detail::SimpleObjAllocator().template make_inplace_array<ArrayType, ElemType>(
      num_elems, std::forward<Args>(args)...);
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_MEMORY_H_
