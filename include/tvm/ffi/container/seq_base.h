// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/seq_base.h
 * \brief The object of Array and List: an array of values in the C layout TVMFFISeqCell.
 *
 * Values are bitwise relocatable: copying the bytes of a value moves it, without a change of
 * reference counts. No function here keeps a pointer into the storage while it releases a value,
 * because a destructor may run code that changes this sequence.
 */
#ifndef TVM_FFI_CONTAINER_SEQ_BASE_H_
#define TVM_FFI_CONTAINER_SEQ_BASE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tvm::ffi {
namespace detail {

template <typename Derived, typename TObj, typename T, typename TRead>
class SeqRef;

/*! \brief Copy a range to a vector of Any before the container changes: the range may be a part of
 * the container, and reading the range may run user code. */
template <typename IterType>
inline std::vector<Any> CollectAny(IterType first, IterType last) {
  std::vector<Any> values;
  if constexpr (!is_single_pass_v<IterType>) {
    values.reserve(static_cast<size_t>(std::distance(first, last)));
  }
  for (; first != last; ++first) values.emplace_back(*first);
  return values;
}

}  // namespace detail

/*!
 * \brief Common part of ArrayObj and ListObj.
 *
 * There are `size` initialised values and memory for `capacity` values; slots from `size` on are
 * raw memory. A sequence is not synchronised: several threads may read at the same time, but a
 * write must exclude all other access. Functions of this class never grow the storage; the
 * reference classes grow it first.
 */
class SeqBaseObj : public Object, protected TVMFFISeqCell {
 public:
  /*! \brief Largest number of values whose storage has a representable size in bytes. */
  static constexpr int64_t kMaxCapacity = (INT64_MAX - 4096) / static_cast<int64_t>(sizeof(Any));

  SeqBaseObj() {
    TVMFFISeqCell::data = nullptr;
    TVMFFISeqCell::size = 0;
    TVMFFISeqCell::capacity = 0;
    TVMFFISeqCell::data_deleter = nullptr;
  }
  SeqBaseObj(const SeqBaseObj&) = delete;
  SeqBaseObj& operator=(const SeqBaseObj&) = delete;

  /*! \brief Releases the values first to last, then the buffer. */
  ~SeqBaseObj() {
    Any* first = MutableBegin();
    for (int64_t i = 0; i < TVMFFISeqCell::size; ++i) first[i].~Any();  // may run foreign code
    if (data_deleter != nullptr) data_deleter(data);
  }

  /*! \brief Return the number of values. */
  size_t size() const { return static_cast<size_t>(TVMFFISeqCell::size); }
  /*! \brief Return the number of values that fit without a new allocation. */
  size_t capacity() const { return static_cast<size_t>(TVMFFISeqCell::capacity); }
  /*! \brief Return whether there are no values. */
  bool empty() const { return TVMFFISeqCell::size == 0; }

  /*!
   * \brief Return the value at position `i`, borrowed until the sequence changes.
   * \throws IndexError when `i` is negative or not below size().
   */
  const Any& at(int64_t i) const { return (*this)[i]; }
  /*! \brief Like at(). */
  const Any& operator[](int64_t i) const {
    CheckIndex(i);
    return begin()[i];
  }
  /*! \brief Return the first value. \throws IndexError when empty. */
  const Any& front() const {
    if (empty()) TVM_FFI_THROW(IndexError) << "front() on empty sequence";
    return begin()[0];
  }
  /*! \brief Return the last value. \throws IndexError when empty. */
  const Any& back() const {
    if (empty()) TVM_FFI_THROW(IndexError) << "back() on empty sequence";
    return begin()[TVMFFISeqCell::size - 1];
  }
  /*! \brief Return the address of the first value, valid until the sequence changes. */
  const Any* begin() const { return static_cast<const Any*>(data); }
  /*! \brief Return the address behind the last value. */
  const Any* end() const { return begin() + TVMFFISeqCell::size; }

  /*! \brief Release all values, last to first, and keep the capacity. */
  void clear() { ShrinkBy(TVMFFISeqCell::size); }

  /*! \brief Replace the value at `i`. \throws IndexError when out of range. */
  void SetItem(int64_t i, Any item) {
    CheckIndex(i);
    SetItemAfterCheck(i, std::move(item));
  }
  /*! \brief Replace the value at `i`, which is known to be in range. */
  void SetItemAfterCheck(int64_t i, Any item) {
    MutableBegin()[i].swap(item);  // `item` releases the old value after the new one is stored
  }

  /*!
   * \brief Construct values in raw slots `idx`, `idx + 1`, ... from a range; size() is not changed.
   *
   * The caller guarantees that the slots exist and are raw, and that no conversion throws.
   */
  template <typename IterType>
  void InitRange(int64_t idx, IterType first, IterType last) {
    Any* slot = MutableBegin() + idx;
    for (; first != last; ++first, ++slot) new (slot) Any(*first);
  }

  /*! \brief Release the last value. \throws IndexError when empty. */
  void pop_back() {
    if (empty()) TVM_FFI_THROW(IndexError) << "pop_back on empty sequence";
    ShrinkBy(1);
  }

  /*! \brief Remove the value at `i`. \throws IndexError when out of range. */
  void erase(int64_t i) {
    CheckIndex(i);
    Any* slot = MutableBegin() + i;
    Any removed(std::move(*slot));
    MoveElementsLeft(i, i + 1, TVMFFISeqCell::size);
    --TVMFFISeqCell::size;
  }
  /*!
   * \brief Remove the values of [first, last), and release them first to last.
   * \throws IndexError when the range is not within the sequence; an empty range is always
   *         accepted.
   */
  void erase(int64_t first, int64_t last) {
    if (first == last) return;
    CheckEraseRange(first, last);
    int64_t n = TVMFFISeqCell::size;
    std::vector<Any> removed(std::make_move_iterator(MutableBegin() + first),
                             std::make_move_iterator(MutableBegin() + last));
    MoveElementsLeft(first, last, n);
    TVMFFISeqCell::size = n - (last - first);
    for (Any& value : removed) value.reset();  // may run foreign code
  }

  /*!
   * \brief Insert a value before position `i`, from 0 to size().
   * \throws IndexError when `i` is out of range; ValueError when the capacity is used up.
   */
  void insert(int64_t i, Any item) {
    CheckInsertPosition(i);
    CheckCapacity(1);
    MoveElementsRight(i + 1, i, TVMFFISeqCell::size);
    new (MutableBegin() + i) Any(std::move(item));
    ++TVMFFISeqCell::size;
  }
  /*!
   * \brief Insert the elements of a range, which may lie in this sequence, before position `i`.
   * \throws IndexError when `i` is out of range; ValueError when the capacity is too small. An
   *         empty range is always accepted.
   */
  template <typename IterType>
  void insert(int64_t i, IterType first, IterType last) {
    if (first == last) return;
    std::vector<Any> values = detail::CollectAny(first, last);
    CheckInsertPosition(i);
    InsertCollected(i, &values);
  }

  /*! \brief Reverse the order in place. */
  void Reverse() {
    for (int64_t i = 0, k = TVMFFISeqCell::size - 1; i < k; ++i, --k) {
      MutableBegin()[i].swap(MutableBegin()[k]);
    }
  }

  /*!
   * \brief Set the number of values: new values are None, surplus values are released last to
   * first.
   * \throws ValueError when `n` is negative or exceeds the capacity.
   */
  void resize(int64_t n) {
    if (n < 0) TVM_FFI_THROW(ValueError) << "Cannot resize to negative size";
    if (n < TVMFFISeqCell::size) {
      ShrinkBy(TVMFFISeqCell::size - n);
    } else {
      CheckCapacity(n - TVMFFISeqCell::size);
      EnlargeBy(n - TVMFFISeqCell::size);
    }
  }

 protected:
  template <typename Derived, typename TObj, typename T, typename TRead>
  friend class detail::SeqRef;

  Any* MutableBegin() const { return static_cast<Any*>(data); }
  Any* MutableEnd() const { return MutableBegin() + TVMFFISeqCell::size; }

  /*! \brief Construct the value of the raw slot `idx`; size() is not changed. */
  template <typename... Args>
  void EmplaceInit(int64_t idx, Args&&... args) {
    new (MutableBegin() + idx) Any(std::forward<Args>(args)...);
  }

  /*! \brief Append a value; the capacity must be sufficient. */
  void AppendInit(Any&& value) {
    new (MutableEnd()) Any(std::move(value));
    ++TVMFFISeqCell::size;
  }

  /*! \brief Append `delta` copies of `value`; the capacity must be sufficient. */
  void EnlargeBy(int64_t delta, const Any& value = Any()) {
    for (; delta > 0; --delta) AppendInit(Any(value));
  }

  /*! \brief Release up to `delta` values, last to first. */
  void ShrinkBy(int64_t delta) {
    // Release one value at a time: a destructor may append to this sequence or clear it.
    for (; delta > 0 && TVMFFISeqCell::size > 0; --delta) {
      --TVMFFISeqCell::size;
      Any released(std::move(*MutableEnd()));
    }
  }

  /*! \brief Relocate the values of [src_begin, src_end) downwards to `dst`. */
  void MoveElementsLeft(int64_t dst, int64_t src_begin, int64_t src_end) {
    Relocate(MutableBegin() + dst, MutableBegin() + src_begin, src_end - src_begin);
  }
  /*! \brief Relocate the values of [src_begin, src_end) upwards to `dst`. */
  void MoveElementsRight(int64_t dst, int64_t src_begin, int64_t src_end) {
    Relocate(MutableBegin() + dst, MutableBegin() + src_begin, src_end - src_begin);
  }

  /*! \brief Move all of `values` into the sequence before position `i`, which is in range. */
  void InsertCollected(int64_t i, std::vector<Any>* values) {
    int64_t count = static_cast<int64_t>(values->size());
    CheckCapacity(count);
    MoveElementsRight(i + count, i, TVMFFISeqCell::size);
    for (int64_t k = 0; k < count; ++k) EmplaceInit(i + k, std::move((*values)[k]));
    TVMFFISeqCell::size += count;
  }

  /*! \brief Take over the values of `from`, which becomes empty; the values must fit the
   * capacity. */
  void RelocateFrom(SeqBaseObj* from) {
    RelocateApart(MutableBegin(), from->MutableBegin(), from->TVMFFISeqCell::size);
    TVMFFISeqCell::size = from->TVMFFISeqCell::size;
    from->TVMFFISeqCell::size = 0;
  }

  void CheckIndex(int64_t i) const {
    if (TVM_FFI_PREDICT_FALSE(i < 0 || i >= TVMFFISeqCell::size)) {
      ThrowIndex(i, TVMFFISeqCell::size);
    }
  }
  void CheckInsertPosition(int64_t i) const {
    if (i < 0 || i > TVMFFISeqCell::size) {
      TVM_FFI_THROW(IndexError) << "Index " << i << " out of bounds [0, " << TVMFFISeqCell::size
                                << "]";
    }
  }
  void CheckEraseRange(int64_t first, int64_t last) const {
    if (first < 0 || last > TVMFFISeqCell::size || first > last) {
      TVM_FFI_THROW(IndexError) << "Erase range [" << first << ", " << last << ") out of bounds "
                                << TVMFFISeqCell::size;
    }
  }
  void CheckCapacity(int64_t extra) const {
    if (extra > TVMFFISeqCell::capacity - TVMFFISeqCell::size) {
      TVM_FFI_THROW(ValueError) << "Not enough capacity";
    }
  }

  /*! \brief Return `a + b`; neither may be negative. \throws ValueError when the sum exceeds
   * kMaxCapacity. */
  static int64_t CheckedSize(int64_t a, int64_t b) {
    if (b > kMaxCapacity - a) {
      TVM_FFI_THROW(ValueError) << "A sequence cannot hold " << a << " + " << b << " elements";
    }
    return a + b;
  }

  /*! \brief Return the capacity after growth: twice the old capacity, but at least `needed`. */
  static int64_t GrownCapacity(int64_t capacity, int64_t needed) {
    int64_t twice = capacity > kMaxCapacity / 2 ? kMaxCapacity : capacity * 2;
    return twice > needed ? twice : needed;
  }

  /*! \brief Relocate `count` values to memory that does not overlap the source. */
  static void RelocateApart(Any* dst, const Any* src, int64_t count) {
    // Copy in small pieces. For large copies the C library uses string instructions. They take up
    // to four times as long when the low 12 bits of both addresses are close, as in blocks that
    // were allocated one after the other (8 KiB: 384 instead of 84 ns, AMD EPYC, glibc 2.36).
    constexpr int64_t kPiece = 2048 / sizeof(Any);
    for (; count > kPiece; count -= kPiece, dst += kPiece, src += kPiece) {
      std::memcpy(static_cast<void*>(dst), static_cast<const void*>(src), kPiece * sizeof(Any));
    }
    if (count > 0) {
      std::memcpy(static_cast<void*>(dst), static_cast<const void*>(src),
                  static_cast<size_t>(count) * sizeof(Any));
    }
  }

 private:
  static void Relocate(Any* dst, const Any* src, int64_t count) {
    if (count > 0) {
      std::memmove(static_cast<void*>(dst), static_cast<const void*>(src),
                   static_cast<size_t>(count) * sizeof(Any));
    }
  }
  [[noreturn]] TVM_FFI_NO_INLINE TVM_FFI_COLD_CODE static void ThrowIndex(int64_t i, int64_t n) {
    TVM_FFI_THROW(IndexError) << "Index " << i << " out of bounds " << n;
    TVM_FFI_UNREACHABLE();
  }
};

/*! \brief Whether a sequence of T accepts the elements of `IterType`. `value` is true if these are
 * T or derive from T. If T is Optional<X>, it is also true for elements that a sequence of X
 * accepts. If T is Any, it is always true. */
template <typename T, typename IterType>
struct is_valid_iterator {
  /*! \brief The element type of the iterator. */
  using Element = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<IterType>())>>;
  static constexpr bool value = std::is_same_v<T, Element> || std::is_base_of_v<T, Element>;
};
template <typename T, typename IterType>
struct is_valid_iterator<Optional<T>, IterType> {
  using Element = typename is_valid_iterator<T, IterType>::Element;
  static constexpr bool value =
      is_valid_iterator<T, IterType>::value || std::is_same_v<Optional<T>, Element>;
};
template <typename IterType>
struct is_valid_iterator<Any, IterType> : std::true_type {};
/*! \brief Value of is_valid_iterator. */
template <typename T, typename IterType>
inline constexpr bool is_valid_iterator_v = is_valid_iterator<T, IterType>::value;

/*!
 * \brief Base of the TypeTraits of a typed sequence.
 * \tparam Derived has `kPrimaryTypeIndex` (the type itself), `kOtherTypeIndex` (the other type of
 *         sequence, which is converted) and `kTypeName`.
 * \tparam SeqRefType the reference class, e.g. `Array<T>`.
 * \tparam T the element type.
 */
template <typename Derived, typename SeqRefType, typename T>
struct SeqTypeTraitsBase : public ObjectRefTypeTraitsBase<SeqRefType> {
 public:
  using ObjectRefTypeTraitsBase<SeqRefType>::CopyFromAnyViewAfterCheck;

  /*! \brief Return whether the value has this type, and every element has exactly the storage type
   * of T. */
  static bool CheckAnyStrict(const TVMFFIAny* src) {
    if (src->type_index != Derived::kPrimaryTypeIndex) return false;
    return AllStrict(Seq(src));
  }

  /*! \brief Return the same object if the strict check passes, otherwise a new object with
   * converted elements. */
  static std::optional<SeqRefType> TryCastFromAnyView(const TVMFFIAny* src) {
    if (!IsSequence(src)) return std::nullopt;
    if (CheckAnyStrict(src)) return CopyFromAnyViewAfterCheck(src);
    const SeqBaseObj* seq = Seq(src);
    SeqRefType result;
    result.reserve(static_cast<int64_t>(seq->size()));
    // Use an index and copy the element: its conversion may run user code, which may change the
    // source.
    for (size_t i = 0; i < seq->size(); ++i) {
      Any element = (*seq)[static_cast<int64_t>(i)];
      if constexpr (std::is_same_v<T, Any>) {
        result.push_back(element);
      } else {
        std::optional<T> converted = element.try_cast<T>();
        if (!converted.has_value()) return std::nullopt;
        result.push_back(*std::move(converted));
      }
    }
    return result;
  }

  /*! \brief Describe the first element that cannot be converted. If all can be converted, describe
   * the first one that fails the strict check. */
  static std::string GetMismatchTypeInfo(const TVMFFIAny* src) {
    if constexpr (!std::is_same_v<T, Any>) {
      if (IsSequence(src)) {
        const SeqBaseObj* seq = Seq(src);
        int64_t culprit = -1;
        for (size_t i = 0; i < seq->size(); ++i) {
          Any element = (*seq)[static_cast<int64_t>(i)];
          if (detail::AnyUnsafe::CheckAnyStrict<T>(element)) continue;
          if (culprit < 0) culprit = static_cast<int64_t>(i);
          if (element.template try_cast<T>().has_value()) continue;
          culprit = static_cast<int64_t>(i);
          break;
        }
        if (culprit >= 0 && culprit < static_cast<int64_t>(seq->size())) {
          return std::string(Derived::kTypeName) + "[index " + std::to_string(culprit) + ": " +
                 detail::AnyUnsafe::GetMismatchTypeInfo<T>((*seq)[culprit]) + "]";
        }
      }
    }
    return TypeTraitsBase::GetMismatchTypeInfo(src);
  }

  /*! \brief Return why the first element that cannot be converted is refused, if its type is not
   * the reason. */
  static Refusal GetRefusal(const TVMFFIAny* src) {
    if constexpr (!std::is_same_v<T, Any>) {
      if (!IsSequence(src)) return {};
      const SeqBaseObj* seq = Seq(src);
      for (size_t i = 0; i < seq->size(); ++i) {
        Any element = (*seq)[static_cast<int64_t>(i)];
        if (element.template try_cast<T>().has_value()) continue;
        return detail::AnyUnsafe::RefusalOf<T>(element).At("index " + std::to_string(i));
      }
    }
    return {};
  }

  static std::string TypeStr() { return detail::ContainerTypeStr<T>(Derived::kTypeName); }
  static std::string TypeSchema() {
    return std::string(R"({"type":"ffi.)") + Derived::kTypeName + R"(","args":[)" +
           detail::TypeSchema<T>::v() + "]}";
  }

 private:
  static bool IsSequence(const TVMFFIAny* src) {
    return src->type_index == Derived::kPrimaryTypeIndex ||
           src->type_index == Derived::kOtherTypeIndex;
  }

  static const SeqBaseObj* Seq(const TVMFFIAny* src) {
    // Array and List have the same layout, so the same code reads both.
    return static_cast<const SeqBaseObj*>(
        detail::ObjectUnsafe::RawObjectPtrFromUnowned<Object>(src->v_obj));
  }

  static bool AllStrict(const SeqBaseObj* seq) {
    if constexpr (!std::is_same_v<T, Any>) {
      for (size_t i = 0; i < seq->size(); ++i) {
        if (!detail::AnyUnsafe::CheckAnyStrict<T>((*seq)[static_cast<int64_t>(i)])) return false;
      }
    }
    return true;
  }
};

}  // namespace tvm::ffi

#include <tvm/ffi/detail/seq_ref.h>  // IWYU pragma: export

#endif  // TVM_FFI_CONTAINER_SEQ_BASE_H_
