// SPDX-License-Identifier: Apache-2.0
// A stack of plain values whose first values need no allocation.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace tvm::ffi::runtime {

/*! \brief A stack of plain values. The first `kInline` of them are inside the stack object. */
template <typename T, size_t kInline>
class InlineStack {
  static_assert(std::is_trivially_copyable_v<T>, "values are moved as bytes");

 public:
  InlineStack() = default;
  InlineStack(const InlineStack&) = delete;
  InlineStack& operator=(const InlineStack&) = delete;
  ~InlineStack() {
    if (values_ != inline_) std::free(values_);
  }

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  T* data() { return values_; }
  T& operator[](size_t i) { return values_[i]; }
  const T& operator[](size_t i) const { return values_[i]; }
  T& back() { return values_[size_ - 1]; }

  void push(const T& value) {
    if (__builtin_expect(is_full(), 0)) enlarge();
    push_unchecked(value);
  }
  T pop() { return values_[--size_]; }
  /*! \brief Remove the values from position `size` on. */
  void shrink(size_t size) { size_ = size; }

  /*! \brief Whether the next push allocates. */
  bool is_full() const { return size_ == capacity_; }
  /*! \brief Push a value; the stack must not be full. */
  void push_unchecked(const T& value) { values_[size_++] = value; }
  /*! \brief Double the capacity. \throws std::bad_alloc */
  __attribute__((noinline)) void enlarge() {
    size_t capacity = 2 * capacity_;
    void* bigger = std::realloc(values_ == inline_ ? nullptr : values_, capacity * sizeof(T));
    if (bigger == nullptr) throw std::bad_alloc();
    if (values_ == inline_) std::memcpy(bigger, inline_, sizeof(inline_));
    values_ = static_cast<T*>(bigger);
    capacity_ = capacity;
  }

 private:
  T inline_[kInline];
  T* values_ = inline_;
  size_t size_ = 0;
  size_t capacity_ = kInline;
};

}  // namespace tvm::ffi::runtime
