// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/refcount.h
 * \brief The atomic protocol on TVMFFIObject::combined_ref_count, part of the ABI: every library
 * that holds objects runs exactly these steps.
 */
#ifndef TVM_FFI_DETAIL_REFCOUNT_H_
#define TVM_FFI_DETAIL_REFCOUNT_H_

#include <tvm/ffi/base.h>

#if defined(_MSC_VER)
#include <intrin.h>
#endif

namespace tvm::ffi::detail {

/*! \brief Mask of the low half of the count: strong references. */
inline constexpr uint64_t kCombinedRefCountMaskUInt32 = (uint64_t{1} << 32) - 1;
inline constexpr uint64_t kCombinedRefCountStrongOne = 1;
inline constexpr uint64_t kCombinedRefCountWeakOne = uint64_t{1} << 32;
/*! \brief The count of a new object; all strong references together hold one weak reference. */
inline constexpr uint64_t kCombinedRefCountBothOne =
    kCombinedRefCountStrongOne | kCombinedRefCountWeakOne;

#if defined(_MSC_VER)
TVM_FFI_INLINE void RefCountAdd(TVMFFIObject* obj, uint64_t delta) noexcept {
  _InterlockedExchangeAdd64(reinterpret_cast<volatile __int64*>(&obj->combined_ref_count),
                            static_cast<__int64>(delta));
}
TVM_FFI_INLINE uint64_t RefCountSub(TVMFFIObject* obj, uint64_t delta) noexcept {
  return static_cast<uint64_t>(_InterlockedExchangeAdd64(
      reinterpret_cast<volatile __int64*>(&obj->combined_ref_count), -static_cast<__int64>(delta)));
}
TVM_FFI_INLINE uint64_t RefCountLoad(const TVMFFIObject* obj) noexcept {
  return *static_cast<const volatile uint64_t*>(&obj->combined_ref_count);
}
TVM_FFI_INLINE bool RefCountReplace(TVMFFIObject* obj, uint64_t* expected,
                                    uint64_t value) noexcept {
  uint64_t old = static_cast<uint64_t>(
      _InterlockedCompareExchange64(reinterpret_cast<volatile __int64*>(&obj->combined_ref_count),
                                    static_cast<__int64>(value), static_cast<__int64>(*expected)));
  if (old == *expected) return true;
  *expected = old;
  return false;
}
TVM_FFI_INLINE void RefCountAcquire(TVMFFIObject*) noexcept {}
#else
TVM_FFI_INLINE void RefCountAdd(TVMFFIObject* obj, uint64_t delta) noexcept {
  __atomic_fetch_add(&obj->combined_ref_count, delta, __ATOMIC_RELAXED);
}
/*! \brief Subtract `delta` from the count. \return the former count. */
TVM_FFI_INLINE uint64_t RefCountSub(TVMFFIObject* obj, uint64_t delta) noexcept {
  return __atomic_fetch_sub(&obj->combined_ref_count, delta, __ATOMIC_RELEASE);
}
TVM_FFI_INLINE uint64_t RefCountLoad(const TVMFFIObject* obj) noexcept {
  return __atomic_load_n(&obj->combined_ref_count, __ATOMIC_RELAXED);
}
/*! \brief Try to replace the count `*expected` by `value`, with a weak compare-exchange. On failure
 * `*expected` receives the current count. */
TVM_FFI_INLINE bool RefCountReplace(TVMFFIObject* obj, uint64_t* expected,
                                    uint64_t value) noexcept {
  return __atomic_compare_exchange_n(&obj->combined_ref_count, expected, value, /*weak=*/true,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}
/*! \brief Make the writes visible that other holders did before they released their references. */
TVM_FFI_INLINE void RefCountAcquire(TVMFFIObject* obj) noexcept {
#if defined(__SANITIZE_THREAD__)
  // The thread sanitizer does not model fences; a load of the same word has the same effect.
  (void)__atomic_load_n(&obj->combined_ref_count, __ATOMIC_ACQUIRE);
#else
  (void)obj;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}
#endif

/*! \brief Add a strong reference; the caller already holds one. */
TVM_FFI_INLINE void IncStrongRef(TVMFFIObject* obj) noexcept {
  RefCountAdd(obj, kCombinedRefCountStrongOne);
}

/*! \brief Add a weak reference; the caller already holds a strong or a weak reference. */
TVM_FFI_INLINE void IncWeakRef(TVMFFIObject* obj) noexcept {
  RefCountAdd(obj, kCombinedRefCountWeakOne);
}

TVM_FFI_INLINE void CallDeleter(TVMFFIObject* obj, int flags) noexcept {
  RefCountAcquire(obj);
  if (obj->deleter != nullptr) obj->deleter(obj, flags);
}

/*! \brief Release a weak reference; the last one frees the memory. */
TVM_FFI_INLINE void DecWeakRef(TVMFFIObject* obj) noexcept {
  if (RefCountSub(obj, kCombinedRefCountWeakOne) == kCombinedRefCountWeakOne) {
    CallDeleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

/*! \brief Destroy an object that has weak references but no longer a strong reference. */
TVM_FFI_NO_INLINE inline void DestroyWithWeakLeft(TVMFFIObject* obj) noexcept {
  CallDeleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  DecWeakRef(obj);
}

/*! \brief Release a strong reference; the last one destroys the object. */
TVM_FFI_INLINE void DecStrongRef(TVMFFIObject* obj) noexcept {
  uint64_t before = RefCountSub(obj, kCombinedRefCountStrongOne);
  if (before == kCombinedRefCountBothOne) {
    CallDeleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else if ((before & kCombinedRefCountMaskUInt32) == kCombinedRefCountStrongOne) {
    DestroyWithWeakLeft(obj);
  }
}

/*! \brief Add a strong reference to an object to which the caller holds a weak reference. Return
 * false when the object is already destroyed. */
inline bool TryLockWeakRef(TVMFFIObject* obj) noexcept {
  uint64_t count = RefCountLoad(obj);
  while ((count & kCombinedRefCountMaskUInt32) != 0) {
    if (RefCountReplace(obj, &count, count + kCombinedRefCountStrongOne)) return true;
  }
  return false;
}

/*! \brief Return the number of strong references at some recent moment. */
TVM_FFI_INLINE uint64_t StrongRefCount(const TVMFFIObject* obj) noexcept {
  return RefCountLoad(obj) & kCombinedRefCountMaskUInt32;
}

/*! \brief Return whether there is one strong reference, and no weak reference except the one that
 * the strong references hold. */
TVM_FFI_INLINE bool IsUniqueRef(const TVMFFIObject* obj) noexcept {
  return RefCountLoad(obj) == kCombinedRefCountBothOne;
}

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_REFCOUNT_H_
