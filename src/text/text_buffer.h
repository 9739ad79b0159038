// SPDX-License-Identifier: Apache-2.0
// A text buffer whose memory becomes the memory of the finished String.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include "core/raw_object.h"

namespace tvm::ffi::runtime {

/*! \brief A text under construction. The memory has the layout of a string object, whose header is
 * written by finish(), so the text need not be copied. */
class TextBuffer {
 public:
  /*! \brief Maximum size of a text. The size is limited because a small graph of shared values can
   * have an enormous text. */
  static constexpr size_t kMaxSize = size_t{1} << 31;

  TextBuffer() = default;
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;
  ~TextBuffer() { free_raw_object(raw_); }

  size_t size() const { return raw_ == nullptr ? 0 : static_cast<size_t>(end_ - text()); }

  /*!
   * \brief Reserve memory for `extra` more bytes.
   * \return the address of the memory; call grow_to() after writing to it.
   * \throws std::bad_alloc; ValueError beyond kMaxSize.
   */
  char* reserve(size_t extra) {
    if (__builtin_expect(extra > static_cast<size_t>(limit_ - end_), 0)) enlarge(extra);
    return end_;
  }
  /*! \brief Set the end of the text to `end`, which must be inside the reserved memory. */
  void grow_to(char* end) { end_ = end; }

  void push(char c) {
    *reserve(1) = c;
    ++end_;
  }
  void append(std::string_view piece) {
    char* out = reserve(piece.size());
    if (!piece.empty()) std::memcpy(out, piece.data(), piece.size());
    end_ += piece.size();
  }
  // A literal has a fixed size, so copying it needs no call.
  template <size_t size>
  void append(const char (&literal)[size]) {
    std::memcpy(reserve(size - 1), literal, size - 1);
    end_ += size - 1;
  }
  void append(char c, size_t count) {
    std::memset(reserve(count), c, count);
    end_ += count;
  }

  /*! \brief Insert `piece` at the begin, which moves the text. */
  void prepend(std::string_view piece) {
    reserve(piece.size());
    std::memmove(text() + piece.size(), text(), size());
    std::memcpy(text(), piece.data(), piece.size());
    end_ += piece.size();
  }

  /*! \brief Return the text as a String, and empty the buffer. */
  String finish() {
    constexpr size_t kMaxSmallSize = sizeof(TVMFFIAny::v_bytes) - 1;
    size_t size = this->size();
    if (size <= kMaxSmallSize) return String(raw_ == nullptr ? "" : text(), size);
    *end_ = '\0';
    // Ignore a failure to make the memory smaller.
    void* shrunk = std::realloc(raw_, sizeof(RawString) + size + 1);
    if (shrunk != nullptr) raw_ = static_cast<RawString*>(shrunk);
    raw_->header.combined_ref_count = (uint64_t{1} << 32) | 1;
    raw_->header.type_index = kTVMFFIStr;
    raw_->header.__padding = 0;
    raw_->header.deleter = delete_string;
    raw_->bytes.data = text();
    raw_->bytes.size = size;
    TVMFFIAny value;
    value.type_index = kTVMFFIStr;
    value.zero_padding = 0;
    value.v_int64 = 0;
    value.v_obj = &raw_->header;
    raw_ = nullptr;
    end_ = nullptr;
    limit_ = nullptr;
    return detail::AnyUnsafe::MoveFromAnyAfterCheck<String>(
        detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(value));
  }

 private:
  struct RawString {
    TVMFFIObject header;
    TVMFFIByteArray bytes;
  };

  char* text() const { return reinterpret_cast<char*>(raw_ + 1); }

  static void delete_string(void* self, int flags) {
    if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) free_raw_object(self);
  }

  __attribute__((noinline)) void enlarge(size_t extra) {
    size_t size = this->size();
    if (extra > kMaxSize - size) {
      TVM_FFI_THROW(ValueError) << "The text exceeds " << kMaxSize << " bytes";
    }
    size_t capacity = size + extra;
    if (capacity < 2 * size) capacity = 2 * size;
    if (capacity < 200) capacity = 200;
    void* bigger = std::realloc(raw_, sizeof(RawString) + capacity + 1);
    if (bigger == nullptr) throw std::bad_alloc();
    raw_ = static_cast<RawString*>(bigger);
    end_ = text() + size;
    limit_ = text() + capacity;
  }

  RawString* raw_ = nullptr;
  char* end_ = nullptr;    // the end of the text
  char* limit_ = nullptr;  // the end of the memory, without the byte for the final NUL
};

}  // namespace tvm::ffi::runtime
