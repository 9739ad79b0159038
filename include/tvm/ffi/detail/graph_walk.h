// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/graph_walk.h
 * \brief The traversal of values that all operations (visit, repr, copy, compare, ...) use: an
 * explicit stack, an iterator over the children of an object, identity tables and limits.
 *
 * Used by extra/structural_visit.h, extra/structural_mutate.h and the operations of the library.
 *
 * An operation defines a frame: a small struct with a Children and the data that the operation
 * needs for the object. The loop of the operation is
 *
 *     WalkStack<Frame> stack("RecursiveHash", &held);
 *     open(root);                          // completes a leaf; pushes a frame for an object
 *     while (!stack.empty()) {
 *       Frame& frame = stack.back();
 *       TVMFFIAny child;
 *       if (frame.children.next(&child, &held)) open(child);   // may push: `frame` moves
 *       else close(frame), stack.pop();
 *     }
 *
 * Values are borrowed: a traversal does not take references while only its own code runs. Before a
 * traversal calls foreign code (a hook, the hash of a key), it calls stack.hold(). For each frame
 * that is not held yet, stack.hold() takes references to the objects of the frame, and copies the
 * remaining entries of mutable mappings. Identity tables keep their keys alive from the first
 * foreign call on (see Held).
 */
#ifndef TVM_FFI_DETAIL_GRAPH_WALK_H_
#define TVM_FFI_DETAIL_GRAPH_WALK_H_

#include <tvm/ffi/detail/children.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace tvm::ffi::detail {

/*! \brief The largest number of open frames in one traversal. */
inline constexpr size_t kMaxWalkDepth = size_t{1} << 20;

/*! \brief Throw ValueError `OPERATION: maximum stack depth (1048576) exceeded`. */
[[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE inline void ThrowWalkTooDeep(
    const char* operation) {
  TVM_FFI_THROW(ValueError) << operation << ": maximum stack depth (" << kMaxWalkDepth
                            << ") exceeded";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Whether Frame has a function hold(). A frame needs hold() if it borrows values that are
 * not its children. */
template <typename Frame, typename = void>
inline constexpr bool holds_itself_v = false;
template <typename Frame>
inline constexpr bool
    holds_itself_v<Frame, std::void_t<decltype(std::declval<Frame&>().hold(nullptr))>> = true;

/*!
 * \brief The open frames of one traversal.
 *
 * Frame has a member `children`. If a frame borrows other values too, it has a function `void
 * hold(Held*)`, which holds these values and the children.
 */
template <typename Frame>
class WalkStack {
 public:
  /*! \param operation the text with which the error begins when the stack is full. */
  WalkStack(const char* operation, Held* held) : operation_(operation), held_(held) {}
  ~WalkStack() { release(); }
  WalkStack(const WalkStack&) = delete;
  WalkStack& operator=(const WalkStack&) = delete;

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  Frame& back() { return frames_[size_ - 1]; }
  Frame& operator[](size_t i) { return frames_[i]; }

  /*! \brief Open a frame; the frames below may move. \throws ValueError when there are too many
   * frames. */
  void push(Frame frame) { emplace(std::move(frame)); }

  /*! \brief Open a frame that is constructed with `args`. */
  template <typename... Args>
  Frame& emplace(Args&&... args) {
    if (TVM_FFI_PREDICT_FALSE(size_ == capacity_)) grow();
    Frame* frame = new (frames_ + size_) Frame(std::forward<Args>(args)...);
    ++size_;
    return *frame;
  }

  void pop() {
    frames_[--size_].~Frame();
    if (num_held_ > size_) num_held_ = size_;
  }

  /*! \brief Hold the values of all frames; must be called before foreign code runs. */
  void hold() {
    held_->set_shared_with_foreign_code();
    for (; num_held_ < size_; ++num_held_) {
      if constexpr (holds_itself_v<Frame>) {
        frames_[num_held_].hold(held_);
      } else {
        frames_[num_held_].children.hold(held_);
      }
    }
  }

 private:
  static_assert(std::is_nothrow_move_constructible_v<Frame>, "growing does not fail half-way");

  TVM_FFI_NO_INLINE void grow() {
    if (size_ >= kMaxWalkDepth) ThrowWalkTooDeep(operation_);
    size_t capacity = capacity_ * 4;
    Frame* frames = static_cast<Frame*>(::operator new(capacity * sizeof(Frame)));
    std::uninitialized_move_n(frames_, size_, frames);
    release();
    frames_ = frames;
    capacity_ = capacity;
  }

  void release() {
    std::destroy_n(frames_, size_);
    if (frames_ != first_frames()) ::operator delete(frames_);
  }

  // The first frames are in first_, so that shallow values need no allocation.
  static constexpr size_t kNumFirst = 4;
  Frame* first_frames() { return reinterpret_cast<Frame*>(first_); }

  const char* operation_;
  Held* held_;
  Frame* frames_ = first_frames();
  size_t size_ = 0;
  // Grows by a factor of 4 from 4, so that it reaches kMaxWalkDepth exactly.
  size_t capacity_ = kNumFirst;
  size_t num_held_ = 0;
  alignas(Frame) unsigned char first_[kNumFirst * sizeof(Frame)];
};
static_assert(kMaxWalkDepth == size_t{1} << 20, "a power of four, see WalkStack::capacity_");

}  // namespace tvm::ffi::detail

#endif  // TVM_FFI_DETAIL_GRAPH_WALK_H_
