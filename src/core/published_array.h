// SPDX-License-Identifier: Apache-2.0
// An array that clients read without a lock, through a plain pointer and a count. The reason is
// that the ABI fixes the members of TVMFFITypeInfo, and none of them is a lock.
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace tvm::ffi::runtime {

/*!
 * \brief Memory for the elements of a (pointer, count) pair in a C structure.
 *
 * Clients read the pair directly. So a writer stores the new element first, then the pointer if it
 * has changed, then the count, each by a release store. Arrays that were replaced by larger ones
 * are not freed, because a client may be reading them. There may be one writer at a time.
 */
template <typename T>
class PublishedArray {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied as bytes");

 public:
  /*! \brief Reserve memory for `count` elements; `used` elements are kept. \return whether the
   * array moved. Throws std::bad_alloc. */
  bool reserve(int32_t used, int32_t count) {
    if (count <= capacity_) return false;
    int32_t capacity = capacity_ == 0 ? 4 : capacity_;
    while (capacity < count) capacity = capacity > INT32_MAX / 2 ? INT32_MAX : capacity * 2;
    void* memory = ::operator new(sizeof(Block) + sizeof(T) * static_cast<size_t>(capacity));
    Block* block = static_cast<Block*>(memory);
    block->previous = block_;
    if (used > 0) std::memcpy(block->elements(), data(), sizeof(T) * static_cast<size_t>(used));
    block_ = block;
    capacity_ = capacity;
    return true;
  }

  T* data() { return block_ == nullptr ? nullptr : block_->elements(); }

  /*! \brief Append an element to the array of the pair (`*pointer`, `*count`). */
  void append(const T& value, const T** pointer, int32_t* count) {
    if (*count == INT32_MAX) throw std::bad_alloc();
    reserve(*count, *count + 1);
    data()[*count] = value;
    __atomic_store_n(pointer, data(), __ATOMIC_RELEASE);
    __atomic_store_n(count, *count + 1, __ATOMIC_RELEASE);
  }

  /*!
   * \brief Replace the array that `*pointer` and `*count` describe.
   *
   * The elements are written to a new block of memory. A reader may combine the new pointer with
   * the former count. So if that count is larger, former elements follow the new elements.
   */
  void assign(const std::vector<T>& values, const T** pointer, int32_t* count) {
    auto size = static_cast<int32_t>(values.size());
    int32_t former_count = *count;
    const T* former = *pointer;
    if (size == 0 && former_count == 0) return;
    int32_t capacity = size < former_count ? former_count : size;
    capacity_ = 0;  // Forces a new block, even if the elements fit into the current one.
    reserve(0, capacity);
    for (int32_t i = 0; i < capacity; ++i) {
      data()[i] = i < size ? values[static_cast<size_t>(i)] : former[i];
    }
    if (size < former_count) __atomic_store_n(count, size, __ATOMIC_RELEASE);
    __atomic_store_n(pointer, data(), __ATOMIC_RELEASE);
    __atomic_store_n(count, size, __ATOMIC_RELEASE);
    // The next append must not overwrite elements that a reader with the former count may be
    // reading.
    if (size < capacity) capacity_ = size;
  }

 private:
  struct alignas(16) Block {
    Block* previous;
    T* elements() { return reinterpret_cast<T*>(this + 1); }
  };

  Block* block_ = nullptr;
  int32_t capacity_ = 0;
};

}  // namespace tvm::ffi::runtime
