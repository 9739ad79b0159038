// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/list.h
 * \brief List<T>: a sequence that is shared and changed in place.
 */
#ifndef TVM_FFI_CONTAINER_LIST_H_
#define TVM_FFI_CONTAINER_LIST_H_

#include <tvm/ffi/container/seq_base.h>

#include <algorithm>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

// Unused here, but programs that were written for earlier releases rely on this include.
#include <tvm/ffi/container/array.h>

namespace tvm::ffi {

/*!
 * \brief The object of List. The values are in a separate buffer, so that growth keeps the address
 * of the object.
 *
 * Buffers come from `operator new`. `data_deleter` is never NULL. It belongs to the library that
 * made the list, even after another library has grown the list.
 */
class ListObj : public SeqBaseObj {
 public:
  /*! \brief The minimal capacity of a list that is made from a range. */
  static constexpr int64_t kInitSize = 4;

  /*! \brief Make a list without values and without a buffer. */
  ListObj() { TVMFFISeqCell::data_deleter = DeleteBuffer; }

  /*! \brief Make a list without values. \throws ValueError when `capacity` is negative or too
   * large. */
  static ObjectPtr<ListObj> Empty(int64_t capacity = kInitSize) {
    if (capacity < 0) {
      TVM_FFI_THROW(ValueError) << "cannot construct a List of negative size";
    }
    ObjectPtr<ListObj> p = make_object<ListObj>();
    p->Reserve(capacity);
    return p;
  }

  /*! \brief Make `n` copies of `val`; the capacity is `n`. \throws ValueError when `n` is
   * negative. */
  static ObjectPtr<ListObj> CreateRepeated(int64_t n, const Any& val) {
    ObjectPtr<ListObj> p = Empty(n);
    p->EnlargeBy(n, val);
    return p;
  }

  /*!
   * \brief Reserve memory for `n` values in total; never shrinks.
   * \throws ValueError when `n` is too large.
   */
  void Reserve(int64_t n) {
    if (n <= TVMFFISeqCell::capacity) return;
    CheckedSize(0, n);
    void* buffer = ::operator new(static_cast<size_t>(n) * sizeof(Any));
    void* old = TVMFFISeqCell::data;
    RelocateApart(static_cast<Any*>(buffer), static_cast<Any*>(old), TVMFFISeqCell::size);
    TVMFFISeqCell::data = buffer;
    TVMFFISeqCell::capacity = n;
    // The deleter of the library that made the list also fits the new buffer: both buffers come
    // from `operator new`.
    TVMFFISeqCell::data_deleter(old);
  }

  /// \cond Doxygen_Suppress
  static constexpr const int32_t _type_index = TypeIndex::kTVMFFIList;
  static constexpr const bool _type_final = true;
  TVM_FFI_DECLARE_OBJECT_INFO_STATIC(StaticTypeKey::kTVMFFIList, ListObj, Object);
  /// \endcond

 private:
  template <typename T, typename>
  friend class List;

  static void DeleteBuffer(void* data) { ::operator delete(data); }
};

/*!
 * \brief A sequence of T that is shared and changed in place.
 * \tparam T Any, or a type that can be stored in Any.
 *
 * Every change is visible through every reference to the object, whose address stays the same. A
 * list may contain itself; it is then freed only if the program removes this element. A moved-from
 * list is null: it reads as empty, and the first append creates a new object.
 */
template <typename T, typename = typename std::enable_if_t<detail::storage_enabled_v<T>>>
class List : public detail::SeqRef<List<T>, ListObj, T, T> {
 private:
  using Base = detail::SeqRef<List<T>, ListObj, T, T>;
  friend Base;

  static constexpr const char* kNoun = "list";
  static constexpr const char* kIntoNoun = "to a null list";
  static constexpr const char* kTitle = "a List";

 protected:
  using Base::data_;

 public:
  using typename Base::iterator;
  using typename Base::reverse_iterator;

  /*! \brief Make a null reference. */
  explicit List(UnsafeInit tag) : Base(tag) {}
  /*! \brief Make an empty list without a buffer. */
  List() : Base(ObjectPtr<Object>(make_object<ListObj>())) {}
  List(List&& other) noexcept = default;
  List(const List& other) = default;
  List& operator=(List&& other) noexcept = default;
  List& operator=(const List& other) = default;

  /*! \brief Share the object of a list whose elements are all valid as T. */
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  List(List<U>&& other) noexcept  // NOLINT(*)
      : Base(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other))) {}
  /*! \brief Share the object of a list whose elements are all valid as T. */
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  List(const List<U>& other)  // NOLINT(*)
      : Base(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other)) {}
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  List& operator=(List<U>&& other) noexcept {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(other));
    return *this;
  }
  template <typename U, typename = std::enable_if_t<type_subsumes_v<T, U> && !std::is_same_v<T, U>>>
  List& operator=(const List<U>& other) {
    data_ = detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(other);
    return *this;
  }

  /*!
   * \brief Refer to a ListObj. All of its elements must have the storage type of T; the constructor
   * does not check this.
   * \throws InternalError when `n` is null.
   */
  explicit List(ObjectPtr<Object> n) : Base(std::move(n)) { TVM_FFI_ICHECK_NOTNULL(data_.get()); }

  /*! \brief Make a list of the elements in [first, last); the capacity is their number, at least
   * 4. */
  template <typename IterType, typename = std::enable_if_t<!std::is_arithmetic_v<IterType>>>
  List(IterType first, IterType last) : Base(UnsafeInit{}) {
    static_assert(is_valid_iterator_v<T, IterType>,
                  "IterType cannot be inserted into a tvm::ffi::List<T>");
    ObjectPtr<ListObj> p = ListObj::Empty();
    if constexpr (detail::is_single_pass_v<IterType>) {
      std::vector<Any> values = Base::Collect(first, last);
      p->Reserve(static_cast<int64_t>(values.size()));
      p->InsertCollected(0, &values);
    } else {
      p->Reserve(Base::RangeSize(first, last));
      Base::FillFromRange(p.get(), first, last);
    }
    data_ = std::move(p);
  }
  /*! \brief Make a list of the elements of an initializer list; the capacity is their number, at
   * least 4. */
  List(std::initializer_list<T> init) : List(init.begin(), init.end()) {}  // NOLINT(*)
  /*! \brief Make a list of the elements of a vector; the capacity is their number, at least 4. */
  List(const std::vector<T>& init) : List(init.begin(), init.end()) {}  // NOLINT(*)
  /*! \brief Make `n` copies of `val`. \throws ValueError when `n` is negative as a signed
   * number. */
  explicit List(const size_t n, const T& val)
      : Base(ObjectPtr<Object>(ListObj::CreateRepeated(Base::CheckedCount(n), Any(val)))) {}

  /*! \brief Release all elements, last to first; keep the buffer. */
  void clear() {
    if (data_ != nullptr) GetListObj()->clear();
  }

  /*! \brief Return the object, borrowed; NULL for a null reference. */
  ListObj* GetListObj() const { return static_cast<ListObj*>(data_.get()); }

 private:
  template <typename U, typename>
  friend class List;

  ListObj* Writable() {
    if (data_ == nullptr) data_ = ListObj::Empty();
    return GetListObj();
  }

  ListObj* WritableWithSpaceFor(int64_t extra) {
    ListObj* p = GetListObj();
    if (TVM_FFI_PREDICT_TRUE(p != nullptr &&
                             extra <= p->TVMFFISeqCell::capacity - p->TVMFFISeqCell::size)) {
      return p;
    }
    return Grow(extra);
  }

  TVM_FFI_NO_INLINE ListObj* Grow(int64_t extra) {
    ListObj* p = Writable();
    int64_t needed = ListObj::CheckedSize(p->TVMFFISeqCell::size, extra);
    if (needed > p->TVMFFISeqCell::capacity) {
      p->Reserve(ListObj::GrownCapacity(p->TVMFFISeqCell::capacity, needed));
    }
    return p;
  }

  ListObj* WritableWithCapacity(int64_t n) {
    ListObj* p = Writable();
    p->Reserve(n);
    return p;
  }

  void AssignCollected(std::vector<Any>* values) {
    int64_t n = static_cast<int64_t>(values->size());
    WritableWithCapacity(n)->clear();
    // Clearing ran destructors, which may have changed this list: get the object again.
    WritableWithSpaceFor(n)->InsertCollected(static_cast<int64_t>(this->size()), values);
  }
};

template <typename T>
inline constexpr bool use_default_type_traits_v<List<T>> = false;

template <typename T>
struct TypeTraits<List<T>> : public SeqTypeTraitsBase<TypeTraits<List<T>>, List<T>, T> {
  static constexpr int32_t field_static_type_index = TypeIndex::kTVMFFIList;
  static constexpr int32_t kPrimaryTypeIndex = TypeIndex::kTVMFFIList;
  static constexpr int32_t kOtherTypeIndex = TypeIndex::kTVMFFIArray;
  static constexpr const char* kTypeName = "List";
};

template <typename T, typename U>
inline constexpr bool type_subsumes_v<List<T>, List<U>> = type_subsumes_v<T, U>;

}  // namespace tvm::ffi
#endif  // TVM_FFI_CONTAINER_LIST_H_
