// SPDX-License-Identifier: Apache-2.0
// The values that a reader has read but not yet put into a container.
#ifndef TVM_FFI_SRC_TEXT_VALUE_STACK_H_
#define TVM_FFI_SRC_TEXT_VALUE_STACK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "text/map_of_pairs.h"

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief A stack of owned values. The values on top can be combined into an Array or a Map. */
class ValueStack {
 public:
  ValueStack() = default;
  ValueStack(const ValueStack&) = delete;
  ValueStack& operator=(const ValueStack&) = delete;
  ~ValueStack() {
    while (size_ > 0) pop();
    std::free(values_);
  }

  size_t size() const { return size_; }

  /*! \brief Take over a value. If there is no memory for it, release the value and throw. */
  void push(TVMFFIAny owned) {
    if (__builtin_expect(size_ == capacity_, 0)) enlarge(&owned);
    values_[size_++] = owned;
  }
  void push(Any&& value) { push(detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value))); }

  /*! \brief Remove and return the topmost value. */
  Any pop() { return detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(values_[--size_]); }

  /*! \brief Replace the values from `begin` on by an Array of these values. */
  void make_array(size_t begin) {
    // Makes an array of the exact size, and relocates the values into it.
    struct SizedArray : public ArrayObj {
      static ObjectPtr<ArrayObj> make(const TVMFFIAny* values, size_t count) {
        ObjectPtr<ArrayObj> array = Empty(static_cast<int64_t>(count));
        auto* self = static_cast<SizedArray*>(array.get());
        if (count != 0) std::memcpy(self->data, values, count * sizeof(TVMFFIAny));
        self->TVMFFISeqCell::size = static_cast<int64_t>(count);
        return array;
      }
    };
    ObjectPtr<ArrayObj> array = SizedArray::make(values_ + begin, size_ - begin);
    size_ = begin;
    push_object(kTVMFFIArray, std::move(array));
  }

  /*!
   * \brief Replace the keys and values from `begin` on by a Map. The last value of equal keys is
   * kept.
   */
  void make_map(size_t begin) {
    ObjectPtr<Object> map = MapOfPairs::make(values_ + begin, (size_ - begin) / 2);
    size_ = begin;
    push_object(kTVMFFIMap, std::move(map));
  }

 private:
  template <typename T>
  void push_object(int32_t type_index, ObjectPtr<T>&& object) {
    TVMFFIAny value;
    value.type_index = type_index;
    value.zero_padding = 0;
    value.v_int64 = 0;
    value.v_obj = detail::ObjectUnsafe::MoveObjectPtrToTVMFFIObjectPtr(std::move(object));
    push(value);
  }

  __attribute__((noinline)) void enlarge(TVMFFIAny* owned) {
    Any safe = detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(*owned);
    size_t capacity = capacity_ == 0 ? 32 : 2 * capacity_;
    void* bigger = std::realloc(values_, capacity * sizeof(TVMFFIAny));
    if (bigger == nullptr) throw std::bad_alloc();
    values_ = static_cast<TVMFFIAny*>(bigger);
    capacity_ = capacity;
    detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(safe));
  }

  TVMFFIAny* values_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_TEXT_VALUE_STACK_H_
