// SPDX-License-Identifier: Apache-2.0
#include "array_pool.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include "../compat.h"

namespace binding {
namespace {

using tvm::ffi::Any;
using tvm::ffi::ArrayObj;
using tvm::ffi::Object;
using tvm::ffi::ObjectPtr;

// Longer arrays use malloc, because its overhead of one word per block matters little for them.
constexpr int64_t kMaxPooled = 4;

// A pool of memory cells of `kSize` bytes. The cells are parts of larger blocks that are never
// freed, because an array may outlive the interpreter.
template <size_t kSize>
class CellPool {
 public:
  // Returns a cell. Needs the GIL.
  static void* take() {
    if (BINDING_UNLIKELY(own_ == nullptr)) {
      own_ = returned_.exchange(nullptr, std::memory_order_acquire);
      if (own_ == nullptr) return cut();
    }
    Cell* cell = own_;
    own_ = cell->next;
    return cell;
  }

  // Returns a cell to the pool, from any thread. Only take() removes cells, and always the whole
  // list. So the exchange is right even if the list changed in between and has the same first cell
  // again (no ABA problem).
  static void give(void* memory) {
    Cell* cell = static_cast<Cell*>(memory);
    cell->next = returned_.load(std::memory_order_relaxed);
    while (!returned_.compare_exchange_weak(cell->next, cell, std::memory_order_release,
                                            std::memory_order_relaxed)) {
    }
  }

 private:
  struct Cell {
    Cell* next;
  };
  static constexpr size_t kBlock = 64 * 1024 / kSize * kSize;

  static void* cut() {
    if (fresh_ == end_) {
      auto* block = static_cast<char*>(std::malloc(kBlock));
      if (block == nullptr) throw std::bad_alloc();
      fresh_ = block;
      end_ = block + kBlock;
    }
    void* cell = fresh_;
    fresh_ += kSize;
    return cell;
  }

  // Guarded by the GIL.
  static inline Cell* own_ = nullptr;
  static inline char* fresh_ = nullptr;
  static inline char* end_ = nullptr;
  // Cells that were given back since `own_` was filled.
  static inline std::atomic<Cell*> returned_{nullptr};
};

// An allocator as in memory.h: for objects followed by memory for `kCapacity` values.
template <int64_t kCapacity>
class PooledArrays : public tvm::ffi::detail::ObjAllocatorBase<PooledArrays<kCapacity>> {
  using Pool = CellPool<sizeof(ArrayObj) + kCapacity * sizeof(Any)>;

 public:
  template <typename Array, typename Element>
  struct ArrayHandler {
    static Array* New(PooledArrays*, size_t) { return ::new (Pool::take()) Array(); }
    static tvm::ffi::FObjectDeleter Deleter() { return Delete; }

    static void Delete(void* handle, int flags) {
      if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
        return tvm::ffi::detail::DestroyNested(handle, flags, Destroy);
      }
      Destroy(handle, flags);
    }
    static void Destroy(void* handle, int flags) {
      auto* array = static_cast<Array*>(static_cast<Object*>(handle));
      if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) array->Array::~Array();
      if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) Pool::give(array);
    }
  };
};

template <int64_t kCapacity>
ObjectPtr<ArrayObj> pooled() {
  auto array = PooledArrays<kCapacity>().template make_inplace_array<ArrayObj, Any>(kCapacity);
  auto* body = reinterpret_cast<TVMFFIObject*>(array.get());
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(body + 1);
  cell->data = array.get() + 1;
  cell->capacity = kCapacity;
  return array;
}

}  // namespace

ObjectPtr<ArrayObj> array_with_capacity(int64_t n) {
  // With a sanitizer, each array is a separate block, so that the sanitizer can watch it.
  if (BINDING_SANITIZED || !BINDING_HAS_GIL || n < 0 || n > kMaxPooled) return ArrayObj::Empty(n);
  static constexpr ObjectPtr<ArrayObj> (*kPooled[])() = {pooled<0>, pooled<1>, pooled<2>, pooled<3>,
                                                         pooled<4>};
  static_assert(sizeof(kPooled) / sizeof(kPooled[0]) == kMaxPooled + 1, "one for each length");
  return kPooled[n]();
}

}  // namespace binding
