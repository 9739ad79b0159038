// SPDX-License-Identifier: Apache-2.0
// The values that a reader has read but not yet put into a container.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>

#include <cstring>
#include <utility>

#include "text/inline_stack.h"
#include "text/map_of_pairs.h"

namespace tvm::ffi::runtime {

/*! \brief A stack of owned values. The values on top can be combined into an Array or a Map. */
class ValueStack {
 public:
  ValueStack() = default;
  ValueStack(const ValueStack&) = delete;
  ValueStack& operator=(const ValueStack&) = delete;
  ~ValueStack() { release_from(0); }

  size_t size() const { return values_.size(); }
  /*! \brief The values, borrowed until the next push. */
  Any* data() { return reinterpret_cast<Any*>(values_.data()); }

  /*! \brief Take over a value. If there is no memory for it, release the value and throw. */
  void push(TVMFFIAny owned) {
    if (__builtin_expect(values_.is_full(), 0)) enlarge(&owned);
    values_.push_unchecked(owned);
  }
  void push(Any&& value) { push(detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value))); }

  /*! \brief Remove and return the topmost value. */
  Any pop() { return detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(values_.pop()); }

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
    ObjectPtr<ArrayObj> array = SizedArray::make(values_.data() + begin, size() - begin);
    values_.shrink(begin);
    push_object(kTVMFFIArray, std::move(array));
  }

  /*! \brief Replace the keys and values from `begin` on by a Map. The last value of equal keys is
   * kept. */
  void make_map(size_t begin) { make_mapping(kTVMFFIMap, begin); }

  /*!
   * \brief Do the same as make_map() for a Map or a Dict, which have the same layout.
   * \param type_index kTVMFFIMap or kTVMFFIDict.
   * \param begin position of the first key; all keys must be text.
   */
  void make_mapping(int32_t type_index, size_t begin) {
    ObjectPtr<Object> map = MapOfPairs::make(values_.data() + begin, (size() - begin) / 2);
    values_.shrink(begin);
    detail::ObjectUnsafe::GetHeader(map.get())->type_index = type_index;
    push_object(type_index, std::move(map));
  }

  /*! \brief Release the values from `begin` on. */
  void release_from(size_t begin) {
    while (size() > begin) pop();
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
    values_.enlarge();
    *owned = detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(safe));
  }

  InlineStack<TVMFFIAny, 32> values_;
};

}  // namespace tvm::ffi::runtime
