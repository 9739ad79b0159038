// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/seq_ref.h
 * \brief The members that Array<T> and List<T> have in common. Part of container/seq_base.h.
 */
#ifndef TVM_FFI_DETAIL_SEQ_REF_H_
#define TVM_FFI_DETAIL_SEQ_REF_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/container/seq_base.h>

#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm::ffi {

namespace detail {

/*!
 * \brief Base of the reference classes Array<T> and List<T>.
 * \tparam Derived Array<T> or List<T>. It has `kNoun` ("array"), `kIntoNoun` (the name of a null
 *         sequence in errors of an insertion), `kTitle` ("an Array"), and three functions that
 *         return the object for writing. All three functions create the object when the reference
 *         is null. In an Array, they copy an object that has other references. `TObj* Writable()`
 *         keeps the capacity. `TObj* WritableWithSpaceFor(extra)` reserves memory for `extra` more
 *         values, and grows as in SeqBaseObj::GrownCapacity. `TObj* WritableWithCapacity(n)`
 *         reserves memory for exactly `n` values in total.
 * \tparam TObj ArrayObj or ListObj.
 * \tparam T the element type; Any or a type that can be stored in Any.
 * \tparam TRead the result type of the functions that read an element.
 *
 * Functions that write convert their argument to Any first, because the argument may be an element
 * of this sequence, or the sequence itself.
 */
template <typename Derived, typename TObj, typename T, typename TRead>
class SeqRef : public ObjectRef {
 private:
  struct ValueConverter {
    using ResultType = T;
    static T convert(const Any& value) { return Read(value); }
  };

 public:
  using value_type = T;
  using ContainerType = TObj;
  /*! \brief A random-access iterator that yields elements by value; a change of the sequence
   * invalidates it. */
  using iterator = IterAdapter<ValueConverter, const Any*>;
  using const_iterator = iterator;
  using reverse_iterator = ReverseIterAdapter<ValueConverter, const Any*>;
  using const_reverse_iterator = reverse_iterator;

  static constexpr bool _type_is_nullable = false;
  static constexpr bool _type_container_is_exact = std::is_same_v<T, Any>;

  SeqRef() = default;
  explicit SeqRef(UnsafeInit tag) : ObjectRef(tag) {}
  explicit SeqRef(ObjectPtr<Object> n) : ObjectRef(std::move(n)) {}

  /*! \brief Return the number of elements; 0 for a null reference. */
  size_t size() const { return data_ == nullptr ? 0 : Obj()->SeqBaseObj::size(); }
  /*! \brief Return the number of elements that fit without a new allocation; 0 for a null
   * reference. */
  size_t capacity() const { return data_ == nullptr ? 0 : Obj()->SeqBaseObj::capacity(); }
  /*! \brief Return whether the sequence is empty or the reference is null. */
  bool empty() const { return size() == 0; }

  /*! \brief Return a copy of element `i`. \throws IndexError when `i` is out of range, or when the
   * reference is null. */
  TRead operator[](int64_t i) const { return Read((*Readable())[i]); }
  /*! \brief Return a copy of the first element. \throws IndexError when empty or null. */
  TRead front() const { return Read(Readable()->front()); }
  /*! \brief Return a copy of the last element. \throws IndexError when empty or null. */
  TRead back() const { return Read(Readable()->back()); }

  iterator begin() const { return iterator(First()); }
  iterator end() const { return iterator(First() + Count()); }
  reverse_iterator rbegin() const { return reverse_iterator(First() + LastOffset()); }
  reverse_iterator rend() const { return reverse_iterator(First() + LastOffset() - Count()); }

  /*! \brief Append an element. */
  void push_back(const T& item) { Append(Any(item)); }

  /*! \brief Append `T(args...)`. */
  template <typename... Args>
  void emplace_back(Args&&... args) {
    Append(Any(T(std::forward<Args>(args)...)));
  }

  /*!
   * \brief Insert an element before `position`.
   * \throws RuntimeError for a null reference; IndexError when `position` is out of range.
   */
  void insert(iterator position, const T& val) {
    Any value(val);
    int64_t index = IndexToInsert(position);
    CheckedObj()->CheckInsertPosition(index);
    static_cast<SeqBaseObj*>(derived()->WritableWithSpaceFor(1))->insert(index, std::move(value));
  }

  /*!
   * \brief Insert the elements of a range, which may lie in this sequence, before `position`.
   * \throws RuntimeError for a null reference; IndexError when `position` is out of range. An empty
   *         range is always accepted.
   */
  template <typename IterType>
  void insert(iterator position, IterType first, IterType last) {
    static_assert(is_valid_iterator_v<T, IterType>, "IterType cannot be inserted");
    if (first == last) return;
    int64_t index = IndexToInsert(position);
    std::vector<Any> values = Collect(first, last);
    CheckedObj()->CheckInsertPosition(index);
    SeqBaseObj* seq = derived()->WritableWithSpaceFor(static_cast<int64_t>(values.size()));
    seq->InsertCollected(index, &values);
  }

  /*! \brief Release the last element. \throws RuntimeError when null; IndexError when empty. */
  void pop_back() {
    if (data_ == nullptr) {
      TVM_FFI_THROW(RuntimeError) << "cannot pop_back a null " << Derived::kNoun;
    }
    if (empty()) TVM_FFI_THROW(IndexError) << "pop_back on empty sequence";
    static_cast<SeqBaseObj*>(derived()->Writable())->pop_back();
  }

  /*! \brief Remove the element at `position`. \throws RuntimeError when null; IndexError when out
   * of range. */
  void erase(iterator position) {
    int64_t index = IndexToErase(position);
    CheckedObj()->CheckIndex(index);
    static_cast<SeqBaseObj*>(derived()->Writable())->erase(index);
  }

  /*!
   * \brief Remove the elements of [first, last), and release them first to last.
   * \throws RuntimeError when null; IndexError when out of range. An empty range is always
   *         accepted.
   */
  void erase(iterator first, iterator last) {
    // Writable() may make a copy, which invalidates the iterators.
    int64_t from = IndexToErase(first);
    int64_t to = IndexToErase(last);
    if (from == to) return;
    CheckedObj()->CheckEraseRange(from, to);
    static_cast<SeqBaseObj*>(derived()->Writable())->erase(from, to);
  }

  /*!
   * \brief Set the number of elements. Append None, or release the surplus elements from the last
   * to the first.
   * \throws ValueError when `n` is negative or too large.
   */
  void resize(int64_t n) {
    if (n < 0) {
      TVM_FFI_THROW(ValueError) << "cannot resize " << Derived::kTitle << " to negative size";
    }
    int64_t extra = n - static_cast<int64_t>(size());
    SeqBaseObj* seq = data_ == nullptr ? derived()->WritableWithCapacity(n)
                      : extra > 0      ? derived()->WritableWithSpaceFor(extra)
                                       : derived()->Writable();
    seq->resize(n);
  }

  /*!
   * \brief Reserve memory for `n` elements in total; never shrinks.
   * \throws ValueError when `n` is too large.
   */
  void reserve(int64_t n) {
    if (data_ == nullptr || n > static_cast<int64_t>(capacity())) {
      derived()->WritableWithCapacity(n);
    }
  }

  /*! \brief Replace element `i`. \throws IndexError when out of range. */
  void Set(int64_t i, T value) {
    Any item(std::move(value));
    SeqBaseObj* seq = derived()->Writable();
    seq->SetItem(i, std::move(item));
  }

  /*! \brief Replace all elements by the elements of a range. The range may lie in this sequence. */
  template <typename IterType>
  void Assign(IterType first, IterType last) {
    static_assert(is_valid_iterator_v<T, IterType>, "IterType cannot be inserted");
    std::vector<Any> values = Collect(first, last);
    derived()->AssignCollected(&values);
  }

 protected:
  static TRead Read(const Any& value) { return AnyUnsafe::CopyFromAnyViewAfterCheck<T>(value); }

  TObj* Obj() const { return static_cast<TObj*>(data_.get()); }

  /*! \brief Convert the elements of [first, last) to T, and append them to `obj`. `obj` must be
   * empty and have enough capacity. */
  template <typename IterType>
  static void FillFromRange(TObj* obj, IterType first, IterType last) {
    // Append one by one, so that a conversion that throws leaves an object that can be destroyed.
    for (; first != last; ++first) static_cast<SeqBaseObj*>(obj)->AppendInit(Any(T(*first)));
  }

  /*! \brief Return the elements of a range as Any, converted through T. */
  template <typename IterType>
  static std::vector<Any> Collect(IterType first, IterType last) {
    std::vector<Any> values;
    if constexpr (!is_single_pass_v<IterType>) {
      values.reserve(static_cast<size_t>(std::distance(first, last)));
    }
    for (; first != last; ++first) values.emplace_back(T(*first));
    return values;
  }

  /*! \brief Return the length of a range. \throws ValueError when it is negative. */
  template <typename IterType>
  static int64_t RangeSize(IterType first, IterType last) {
    int64_t n = static_cast<int64_t>(std::distance(first, last));
    if (n < 0) ThrowNegativeSize();
    return n;
  }

  /*! \brief Return `n` as int64_t. \throws ValueError when the result would be negative. */
  static int64_t CheckedCount(size_t n) {
    if (static_cast<int64_t>(n) < 0) ThrowNegativeSize();
    return static_cast<int64_t>(n);
  }

 private:
  Derived* derived() { return static_cast<Derived*>(this); }

  void Append(Any&& value) {
    SeqBaseObj* seq = derived()->WritableWithSpaceFor(1);
    seq->AppendInit(std::move(value));
  }

  const TObj* Readable() const {
    if (TVM_FFI_PREDICT_FALSE(data_ == nullptr)) {
      TVM_FFI_THROW(IndexError) << "cannot index a null " << Derived::kNoun;
    }
    return Obj();
  }

  // Return the object for bounds checks, which come before Writable() copies or grows the object.
  const SeqBaseObj* CheckedObj() const { return Obj(); }

  const Any* First() const { return data_ == nullptr ? nullptr : Obj()->begin(); }
  int64_t Count() const { return static_cast<int64_t>(size()); }
  // Return the offset of the last element. Return 0 for an empty sequence, so that First() + offset
  // is a valid pointer.
  int64_t LastOffset() const { return empty() ? 0 : Count() - 1; }

  int64_t IndexToInsert(iterator position) const {
    if (data_ == nullptr) TVM_FFI_THROW(RuntimeError) << "cannot insert " << Derived::kIntoNoun;
    return position - begin();
  }
  int64_t IndexToErase(iterator position) const {
    if (data_ == nullptr) TVM_FFI_THROW(RuntimeError) << "cannot erase a null " << Derived::kNoun;
    return position - begin();
  }
  [[noreturn]] static void ThrowNegativeSize() {
    TVM_FFI_THROW(ValueError) << "cannot construct " << Derived::kTitle << " of negative size";
    TVM_FFI_UNREACHABLE();
  }
};

}  // namespace detail
}  // namespace tvm::ffi
#endif  // TVM_FFI_DETAIL_SEQ_REF_H_
