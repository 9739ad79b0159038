// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/array.h
 * \brief Array<T>: a sequence with value semantics, copied on write while it is shared.
 */
#ifndef TVM_FFI_CONTAINER_ARRAY_H_
#define TVM_FFI_CONTAINER_ARRAY_H_

#include <tvm/ffi/container/seq_base.h>

#include <algorithm>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm::ffi {

template <typename... Types>
class Tuple;

/*! \brief The object of Array and Tuple. The values follow the object in the same allocation, so
 * the capacity is fixed and `data_deleter` is NULL. */
class ArrayObj : public SeqBaseObj {
 public:
  /*! \brief Capacity of a default constructed array. */
  static constexpr int64_t kInitSize = 4;

  /*! \brief Make an array without values. \throws ValueError when `capacity` is negative or too
   * large. */
  static ObjectPtr<ArrayObj> Empty(int64_t capacity = kInitSize) {
    if (capacity < 0) {
      TVM_FFI_THROW(ValueError) << "cannot construct an Array of negative size";
    }
    CheckedSize(0, capacity);
    ObjectPtr<ArrayObj> p = make_inplace_array_object<ArrayObj, Any>(static_cast<size_t>(capacity));
    p->TVMFFISeqCell::data = reinterpret_cast<char*>(p.get()) + sizeof(ArrayObj);
    p->TVMFFISeqCell::capacity = capacity;
    return p;
  }

  /*! \brief Make a copy with capacity `cap`. \throws ValueError when `cap` is less than the
   * size. */
  static ObjectPtr<ArrayObj> CopyFrom(int64_t cap, ArrayObj* from) {
    if (static_cast<int64_t>(from->size()) > cap) {
      TVM_FFI_THROW(ValueError) << "Not enough capacity";
    }
    ObjectPtr<ArrayObj> p = Empty(cap);
    p->InitRange(0, from->begin(), from->end());
    p->TVMFFISeqCell::size = from->TVMFFISeqCell::size;
    return p;
  }

  /*!
   * \brief Make an array of capacity `cap` with the values of `from`, which is left empty.
   * \throws RuntimeError when the capacity is too small; then no value is moved.
   */
  static ObjectPtr<ArrayObj> MoveFrom(int64_t cap, ArrayObj* from) {
    if (static_cast<int64_t>(from->size()) > cap) {
      TVM_FFI_THROW(RuntimeError) << "Not enough capacity";
    }
    ObjectPtr<ArrayObj> p = Empty(cap);
    p->RelocateFrom(from);
    return p;
  }

  /*! \brief Make `n` copies of `val`; the capacity is `n`. \throws ValueError when `n` is
   * negative. */
  static ObjectPtr<ArrayObj> CreateRepeated(int64_t n, const Any& val) {
    ObjectPtr<ArrayObj> p = Empty(n);
    p->EnlargeBy(n, val);
    return p;
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIArray;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIArray, ArrayObj, Object);
  /// \endcond

 private:
  template <typename T, typename>
  friend class Array;
  template <typename... Types>
  friend class Tuple;
};

/*! \brief Make an empty array with the initial capacity; the memory for the values follows the
 * object. */
template <>
inline ObjectPtr<ArrayObj> make_object<ArrayObj>() {
  return ArrayObj::Empty();
}

/*!
 * \brief A sequence of T with value semantics.
 * \tparam T Any, or a type that can be stored in Any.
 *
 * Copies share one object. If another strong or weak reference to the object exists, a write copies
 * the object first, so that other holders do not see the change. Otherwise a write changes the
 * object in place while the capacity is sufficient. A moved-from array is null: it reads as empty,
 * and the first append creates a new object.
 */
template <typename T, typename = typename std::enable_if_t<detail::storage_enabled_v<T>>>
class Array : public detail::SeqRef<Array<T>, ArrayObj, T, const T> {
 private:
  using Base = detail::SeqRef<Array<T>, ArrayObj, T, const T>;
  friend Base;

  static constexpr const char* kNoun = "array";
  static constexpr const char* kIntoNoun = "a null array";
  static constexpr const char* kTitle = "an Array";

 protected:
  using Base::data_;

 public:
  using typename Base::iterator;
  using typename Base::reverse_iterator;

  /*! \brief Make a null reference. */
  explicit Array(UnsafeInit tag) : Base(tag) {}
  /*! \brief Make an empty array with capacity for 4 elements. */
  Array() : Base(ObjectPtr<Object>(ArrayObj::Empty())) {}
  Array(Array&& other) noexcept = default;
  Array(const Array& other) = default;
  Array& operator=(Array&& other) noexcept = default;
  Array& operator=(const Array& other) = default;

  /*! \brief Share the object of an array whose elements are all valid as T. */
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  Array(Array<U>&& other) noexcept  // NOLINT(*)
      : Base(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  /*! \brief Share the object of an array whose elements are all valid as T. */
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  Array(const Array<U>& other)  // NOLINT(*)
      : Base(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  Array& operator=(Array<U>&& other) noexcept {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other));
    return *this;
  }
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  Array& operator=(const Array<U>& other) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other);
    return *this;
  }

  /*!
   * \brief Refer to an ArrayObj. All of its elements must have the storage type of T; the
   * constructor does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit Array(ObjectPtr<Object> n) : Base(std::move(n)) { TVM_FFI_ICHECK_NOTNULL(data_.get()); }

  /*! \brief Make an array of the elements in [first, last); the capacity is their number. */
  template <typename IterType, typename = std::enable_if_t<!std::is_arithmetic_v<IterType>>>
  Array(IterType first, IterType last) : Base(UnsafeInit{}) {
    static_assert(is_valid_iterator_v<T, IterType>,
                  "IterType cannot be inserted into a tvm::ffi::Array<T>");
    InitFromRange(first, last);
  }
  /*! \brief Make an array of the elements of a list; the capacity is their number. */
  Array(std::initializer_list<T> init) : Array(init.begin(), init.end()) {}  // NOLINT(*)
  /*! \brief Make an array of the elements of a vector; the capacity is their number. */
  Array(const std::vector<T>& init) : Array(init.begin(), init.end()) {}  // NOLINT(*)
  /*! \brief Make `n` copies of `val`. \throws ValueError when `n` is negative as a signed
   * number. */
  explicit Array(const size_t n, const T& val)
      : Base(ObjectPtr<Object>(ArrayObj::CreateRepeated(Base::CheckedCount(n), Any(val)))) {}

  /*! \brief Release all elements, last to first. If the object is shared, leave it unchanged, and
   * refer to a new empty array of the same capacity. */
  void clear() {
    if (data_ == nullptr) return;
    if (data_.unique()) {
      GetArrayObj()->clear();
    } else {
      data_ = ArrayObj::Empty(static_cast<int64_t>(this->capacity()));
    }
  }

  /*!
   * \brief Make an array of `fmap(element)` for each element, in order.
   * \tparam U the result type of `fmap`, which can be stored in Any.
   *
   * The function returns the same object when every result is identical to its input.
   */
  template <typename F, typename U = std::decay_t<std::invoke_result_t<F, T>>>
  Array<U> Map(F fmap) const {
    return Array<U>(MapObject<U>(data_, fmap));
  }

  /*!
   * \brief Replace each element by `fmutate(element)`, in place if this is the only reference to
   * the array.
   * \tparam F a function T -> T.
   *
   * In the in-place case, each element is moved out of the array before `fmutate` gets it. If
   * `fmutate` then throws, the element is lost and its slot holds None.
   */
  template <typename F, typename = std::enable_if_t<
                            std::is_same_v<T, std::decay_t<std::invoke_result_t<F, T>>>>>
  void MutateByApply(F fmutate) {
    if (data_ == nullptr) return;
    if (!data_.unique()) {
      ObjectPtr<Object> source = data_;
      data_ = MapObject<T>(source, fmutate);
      return;
    }
    // The callback may change this array, so each step reads the size of the array again.
    for (int64_t i = 0; i < static_cast<int64_t>(this->size()); ++i) {
      Any value = std::move(CopyOnWrite()->MutableBegin()[i]);
      Any result(T(fmutate(detail::AnyUnsafe::MoveFromAnyAfterCheck<T>(std::move(value)))));
      if (i >= static_cast<int64_t>(this->size())) break;
      CopyOnWrite()->SetItemAfterCheck(i, std::move(result));
    }
  }

  /*! \brief Concatenate elements (T) and arrays (Array<T>), in order. */
  template <typename... Args>
  static Array<T> Agregate(Args... args) {
    Array<T> result;
    (result.AppendPiece(std::move(args)), ...);
    return result;
  }

  /*!
   * \brief Return an object that may be written to. If the object is shared, copy it first; if the
   * reference is null, make a new object.
   * \return the object, borrowed until the array is next copied or changed.
   */
  ArrayObj* CopyOnWrite() { return Writable(); }

  /*! \brief Return the object, borrowed; NULL for a null reference. */
  ArrayObj* GetArrayObj() const { return static_cast<ArrayObj*>(data_.get()); }

 private:
  template <typename U, typename>
  friend class Array;

  ArrayObj* Adopt(ObjectPtr<ArrayObj>&& p) {
    ArrayObj* raw = p.get();
    data_ = std::move(p);
    return raw;
  }

  ArrayObj* Writable() {
    if (data_ == nullptr) return Adopt(ArrayObj::Empty());
    if (TVM_FFI_PREDICT_TRUE(data_.unique())) return GetArrayObj();
    return Adopt(ArrayObj::CopyFrom(GetArrayObj()->TVMFFISeqCell::capacity, GetArrayObj()));
  }

  ArrayObj* WritableWithSpaceFor(int64_t extra) {
    ArrayObj* p = GetArrayObj();
    if (TVM_FFI_PREDICT_TRUE(p != nullptr && data_.unique() &&
                             extra <= p->TVMFFISeqCell::capacity - p->TVMFFISeqCell::size)) {
      return p;
    }
    return Renew(extra);
  }

  // Return an object for writing when the current one is null, shared or too small.
  TVM_FFI_NO_INLINE ArrayObj* Renew(int64_t extra) {
    ArrayObj* p = GetArrayObj();
    if (p == nullptr) return Adopt(ArrayObj::Empty(std::max(ArrayObj::kInitSize, extra)));
    int64_t needed = ArrayObj::CheckedSize(p->TVMFFISeqCell::size, extra);
    int64_t cap = p->TVMFFISeqCell::capacity;
    if (cap < needed) cap = ArrayObj::GrownCapacity(cap, needed);
    return Adopt(data_.unique() ? ArrayObj::MoveFrom(cap, p) : ArrayObj::CopyFrom(cap, p));
  }

  ArrayObj* WritableWithCapacity(int64_t n) {
    ArrayObj* p = GetArrayObj();
    if (p == nullptr) return Adopt(ArrayObj::Empty(std::max<int64_t>(n, 0)));
    return Adopt(data_.unique() ? ArrayObj::MoveFrom(n, p) : ArrayObj::CopyFrom(n, p));
  }

  void AssignCollected(std::vector<Any>* values) {
    int64_t n = static_cast<int64_t>(values->size());
    ArrayObj* p = GetArrayObj();
    if (p != nullptr && data_.unique() && n <= p->TVMFFISeqCell::capacity) {
      p->clear();
      // Clearing ran destructors, which may have changed this array: get the object again.
      WritableWithSpaceFor(n)->InsertCollected(static_cast<int64_t>(this->size()), values);
    } else {
      ObjectPtr<ArrayObj> fresh = ArrayObj::Empty(n);
      fresh->InsertCollected(0, values);
      Adopt(std::move(fresh));
    }
  }

  template <typename IterType>
  void InitFromRange(IterType first, IterType last) {
    if constexpr (detail::is_single_pass_v<IterType>) {
      std::vector<Any> values = Base::Collect(first, last);
      ObjectPtr<ArrayObj> p = ArrayObj::Empty(static_cast<int64_t>(values.size()));
      p->InsertCollected(0, &values);
      Adopt(std::move(p));
    } else {
      ObjectPtr<ArrayObj> p = ArrayObj::Empty(Base::RangeSize(first, last));
      Base::FillFromRange(p.get(), first, last);
      Adopt(std::move(p));
    }
  }

  void AppendPiece(const T& item) { this->push_back(item); }
  void AppendPiece(const Array<T>& items) {
    for (const T& item : items) this->push_back(item);
  }

  // Apply `fmap` to each element of `data`; return `data` itself if no element changes.
  template <typename U, typename F>
  static ObjectPtr<Object> MapObject(const ObjectPtr<Object>& data, F& fmap) {
    if (data == nullptr) return ArrayObj::Empty(0);
    ObjectPtr<Object> source = data;  // `fmap` may release the array that owns `data`
    const ArrayObj* from = static_cast<const ArrayObj*>(source.get());
    int64_t n = from->TVMFFISeqCell::size;
    ObjectPtr<ArrayObj> to;
    for (int64_t i = 0; i < n; ++i) {
      Any mapped(U(fmap(Base::Read(from->begin()[i]))));
      if (to == nullptr) {
        if (mapped.same_as(from->begin()[i])) continue;
        to = ArrayObj::Empty(n);
        to->InitRange(0, from->begin(), from->begin() + i);
        to->TVMFFISeqCell::size = i;
      }
      to->AppendInit(std::move(mapped));
    }
    if (to != nullptr) return to;
    // No element changed, so each element is also a U. But an empty Array<T> may be an invalid
    // Array<U>.
    if (n == 0 && !type_subsumes_v<U, T>) return ArrayObj::Empty(0);
    return source;
  }
};

/*! \brief Return the elements of `lhs` followed by those of `rhs`. */
template <typename T, typename = typename std::enable_if_t<detail::storage_enabled_v<T>>>
inline Array<T> Concat(Array<T> lhs, const Array<T>& rhs) {
  for (const T& item : rhs) lhs.push_back(item);
  return lhs;
}

template <typename T>
inline constexpr bool use_default_type_traits_v<Array<T>> = false;

template <typename T>
struct TypeTraits<Array<T>> : public SeqTypeTraitsBase<TypeTraits<Array<T>>, Array<T>, T> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIArray;
  static constexpr int32_t kPrimaryTypeIndex = TypeIndex::kTVMFFIArray;
  static constexpr int32_t kOtherTypeIndex = TypeIndex::kTVMFFIList;
  static constexpr const char* kTypeName = "Array";
};

template <typename T, typename U>
inline constexpr bool type_subsumes_v<Array<T>, Array<U>> = type_subsumes_v<T, U>;

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_ARRAY_H_
