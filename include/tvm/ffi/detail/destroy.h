// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/destroy.h
 * \brief Destruction of long chains of objects without a stack frame per object.
 *
 * Only memory.h includes this file.
 *
 * Usually the destructor of another object releases the last reference to an object, so that a
 * chain of a million objects would need a million nested destructors. Code that was compiled with
 * earlier headers calls deleters too, and the protocol of deleters is part of the ABI. So the
 * deleters themselves count how deep they are nested on this thread.
 *
 * Up to kMaxNestedDestroys a deleter destroys its object immediately. The deleter at that depth
 * becomes the *drain*: objects that are released below the drain are put on its list, and the drain
 * destroys them one after the other before it returns. So when a release returns, all objects below
 * the released object are destroyed, unless a destructor at that depth made the release. The order
 * is that of nested destructors: everything below the first reference of an object is destroyed,
 * then everything below its second reference, and so on.
 *
 * Each library has its own count, so that the headers do not need a symbol of the runtime. In a
 * chain through n libraries destructors therefore nest at most n times as deep.
 *
 * An object on the list has no strong reference, so a weak reference to it cannot be upgraded. Its
 * memory still exists: if there are weak references, the list holds one too.
 */
#ifndef TVM_FFI_DETAIL_DESTROY_H_
#define TVM_FFI_DETAIL_DESTROY_H_

#include <tvm/ffi/detail/refcount.h>

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace tvm::ffi::detail {

/*! \brief The largest depth of nested destructors on one thread, for each library. */
inline constexpr int kMaxNestedDestroys = 64;

/*! \brief An object that waits for its destructor. */
struct PendingDestroy {
  TVMFFIObject* object;
  /*! \brief Destroys the object as its deleter would, without putting the object on the list. */
  void (*destroy)(void* object, int flags);
  /*! \brief The flags that the deleter was given. */
  int flags;
};

/*! \brief State of the destructors on a thread. The struct is plain data, so it is valid during
 * thread exit. */
struct DestroyNest {
  int depth;
  std::vector<PendingDestroy>* pending;
};

TVM_FFI_THREAD_LOCAL DestroyNest destroy_nest = {0, nullptr};

#if defined(__GNUC__) && defined(__ELF__)
/*!
 * \brief The dynamic section, which the linker of the system adds to every library and program.
 *
 * Code that was loaded by an in-memory linker does not have the section. Its thread-local variables
 * may be destroyed before its last object, so it does not use them and destroys every object
 * immediately. A statically linked program that is not relocatable also lacks the section, so it
 * destroys every object immediately too.
 */
extern const char dynamic_section[] __asm__("_DYNAMIC") __attribute__((weak, visibility("hidden")));
TVM_FFI_INLINE bool IsLinkedInMemory() noexcept { return dynamic_section == nullptr; }
#else
TVM_FFI_INLINE bool IsLinkedInMemory() noexcept { return false; }
#endif

/*! \brief Put an object on the list of the drain; return false when there is no memory for the
 * entry. */
inline bool PostponeDestroy(DestroyNest* nest, const PendingDestroy& object) noexcept {
  try {
    nest->pending->push_back(object);
  } catch (const std::exception&) {
    return false;
  }
  // If the flags ask for the release of the memory, there are no weak references. Otherwise a weak
  // reference of the list keeps the memory until the destructor has run.
  if ((object.flags & kTVMFFIObjectDeleterFlagBitMaskWeak) == 0) IncWeakRef(object.object);
  return true;
}

/*! \brief Reverse the entries from `begin` to the end. The loop replaces std::reverse, so that
 * clients do not have to compile <algorithm>. */
inline void ReverseFrom(std::vector<PendingDestroy>* pending, size_t begin) noexcept {
  for (size_t end = pending->size(); begin + 1 < end; ++begin) {
    std::swap((*pending)[begin], (*pending)[--end]);
  }
}

/*! \brief Destroy the objects on the list, in the order of nested destructors. */
inline void DrainPendingDestroys(std::vector<PendingDestroy>* pending) noexcept {
  while (!pending->empty()) {
    PendingDestroy next = pending->back();
    pending->pop_back();
    size_t rest = pending->size();
    next.destroy(next.object, next.flags);  // runs foreign code, and adds to the list
    if ((next.flags & kTVMFFIObjectDeleterFlagBitMaskWeak) == 0) DecWeakRef(next.object);
    ReverseFrom(pending, rest);
  }
}

/*! \brief Do the work of DestroyNested at the deepest level. */
TVM_FFI_NO_INLINE inline void DestroyAtMaxDepth(DestroyNest* nest,
                                                const PendingDestroy& object) noexcept {
  if (nest->pending != nullptr) {
    if (PostponeDestroy(nest, object)) return;
    object.destroy(object.object, object.flags);
    return;
  }
  std::vector<PendingDestroy> pending;
  nest->pending = &pending;
  object.destroy(object.object, object.flags);
  ReverseFrom(&pending, 0);
  DrainPendingDestroys(&pending);
  nest->pending = nullptr;
}

/*!
 * \brief Destroy an object; all deleters call this function.
 * \param destroy runs the destructor and, if `flags` say so, frees the memory.
 */
TVM_FFI_INLINE void DestroyNested(void* object, int flags,
                                  void (*destroy)(void* object, int flags)) noexcept {
  if (TVM_FFI_PREDICT_FALSE(IsLinkedInMemory())) return destroy(object, flags);
  DestroyNest* nest = &destroy_nest;
#if defined(__GNUC__)
  // Keep the address of the thread-local variable in a register. In a shared library, computing the
  // address costs a function call.
  __asm__("" : "+r"(nest));
#endif
  if (TVM_FFI_PREDICT_TRUE(nest->depth < kMaxNestedDestroys)) {
    ++nest->depth;
    destroy(object, flags);
    --nest->depth;
  } else {
    DestroyAtMaxDepth(nest, PendingDestroy{static_cast<TVMFFIObject*>(object), destroy, flags});
  }
}

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_DETAIL_DESTROY_H_
