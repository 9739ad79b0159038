// SPDX-License-Identifier: Apache-2.0
// The values that a reader has read and not yet put anywhere.
#ifndef TVM_FFI_SRC_TEXT_VALUE_STACK_H_
#define TVM_FFI_SRC_TEXT_VALUE_STACK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace tvm {
namespace ffi {
namespace runtime {

/*! \brief A stack of owned values, of which the topmost can be made an Array or a Map. */
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

  /*! \brief Take a value over; what it owned is released when there is no memory for it. */
  void push(TVMFFIAny owned) {
    if (__builtin_expect(size_ == capacity_, 0)) enlarge(&owned);
    values_[size_++] = owned;
  }
  void push(Any&& value) { push(detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value))); }

  /*! \brief Give the topmost value away. */
  Any pop() { return detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(values_[--size_]); }

  /*! \brief Replace the values from `begin` on by one Array of them. */
  void make_array(size_t begin) {
    // An array of the exact size, whose values are relocated into it.
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

  /*! \brief Replace the keys and values from `begin` on by one Map; of equal keys the last value
   * wins. */
  void make_map(size_t begin) {
    size_t count = (size_ - begin) / 2;
    ObjectPtr<Object> map = count <= SizedSmallMap::kCapacity
                                ? SizedSmallMap::make(values_ + begin, count)
                                : SizedDenseMap::make(values_ + begin, count);
    if (map == nullptr) {
      Map<Any, Any> grown;
      auto* pairs = reinterpret_cast<Any*>(values_ + begin);
      for (size_t i = 0; i < count; ++i) grown.Set(pairs[2 * i], pairs[2 * i + 1]);
      map = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(grown));
      while (size_ > begin) pop();
    }
    size_ = begin;
    push_object(kTVMFFIMap, std::move(map));
  }

 private:
  // AnyEqual, at once where two plain values, such as short texts, are of one type.
  static bool are_equal_keys(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
    if (lhs.type_index == rhs.type_index && lhs.type_index < kTVMFFIStaticObjectBegin) {
      return lhs.v_uint64 == rhs.v_uint64 && lhs.small_str_len == rhs.small_str_len;
    }
    return AnyEqual()(reinterpret_cast<const Any&>(lhs), reinterpret_cast<const Any&>(rhs));
  }

  // The two layouts of Map, filled at once by relocation. Null when a key occurs twice or the table
  // has no room; nothing was taken then.
  struct SizedSmallMap : public SmallMapBaseObj {
    static constexpr size_t kCapacity = kMaxSize;
    static ObjectPtr<Object> make(const TVMFFIAny* values, size_t count) {
      for (size_t i = 1; i < count; ++i) {
        for (size_t k = 0; k < i; ++k) {
          if (are_equal_keys(values[2 * i], values[2 * k])) return nullptr;
        }
      }
      ObjectPtr<SmallMapBaseObj> map = Create(count);
      auto* self = static_cast<SizedSmallMap*>(map.get());
      if (count != 0) std::memcpy(self->data_, values, count * sizeof(KVType));
      self->size_ = count;
      return Label<MapObj>(std::move(map));
    }
  };

  struct SizedDenseMap : public DenseMapBaseObj {
    static ObjectPtr<Object> make(const TVMFFIAny* values, size_t count) {
      const auto* pairs = reinterpret_cast<const KVType*>(values);
      ObjectPtr<DenseMapBaseObj> map = create_for(count);
      auto* self = static_cast<SizedDenseMap*>(map.get());
      for (size_t i = 0; i < count; ++i) {
        uint64_t hash = AnyHash()(pairs[i].first);
        uint64_t tail;
        if (self->FindHashed(pairs[i].first, hash, &tail) != kInvalidIndex ||
            !self->TryPlace(pairs + i, hash, nullptr)) {
          self->ForgetTable();
          return nullptr;
        }
      }
      return Label<MapObj>(std::move(map));
    }
    // At most three quarters full: half the memory of CreateFor for many counts.
    static ObjectPtr<DenseMapBaseObj> create_for(size_t count) {
      uint32_t shift = 61;
      uint64_t slots = 8;
      for (; slots - slots / 4 < count; slots *= 2) --shift;
      return Create(shift, slots);
    }
  };

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
