// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/container/container_detail.h
 * \brief Iterators that convert each element, and type predicates of the containers.
 */
#ifndef TVM_FFI_CONTAINER_CONTAINER_DETAIL_H_
#define TVM_FFI_CONTAINER_CONTAINER_DETAIL_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

// Unused here, but programs that were written for earlier releases rely on these includes.
#include <tvm/ffi/optional.h>

#include <algorithm>
#include <iostream>
#include <limits>

namespace tvm::ffi::detail {

/*!
 * \brief An iterator that wraps a `TIter` and yields `Converter::convert(*iter)` by value.
 * \tparam Converter has `ResultType` and `static ResultType convert(const Elem&)`.
 * \tparam TIter the wrapped iterator; the adapter has the iterator category of TIter.
 *
 * The adapter is valid while the wrapped iterator is valid.
 */
template <typename Converter, typename TIter>
class IterAdapter {
 public:
  using difference_type = typename std::iterator_traits<TIter>::difference_type;
  using value_type = typename Converter::ResultType;
  using pointer = typename Converter::ResultType*;
  using reference = const typename Converter::ResultType;
  using iterator_category = typename std::iterator_traits<TIter>::iterator_category;

  IterAdapter() : iter_() {}
  explicit IterAdapter(TIter iter) : iter_(iter) {}

  IterAdapter& operator++() {
    ++iter_;
    return *this;
  }
  IterAdapter& operator--() {
    --iter_;
    return *this;
  }
  IterAdapter operator++(int) {
    IterAdapter copy = *this;
    ++iter_;
    return copy;
  }
  IterAdapter operator--(int) {
    IterAdapter copy = *this;
    --iter_;
    return copy;
  }
  IterAdapter& operator+=(difference_type offset) {
    iter_ += offset;
    return *this;
  }
  IterAdapter& operator-=(difference_type offset) {
    iter_ -= offset;
    return *this;
  }
  IterAdapter operator+(difference_type offset) const { return IterAdapter(iter_ + offset); }
  IterAdapter operator-(difference_type offset) const { return IterAdapter(iter_ - offset); }
  friend IterAdapter operator+(difference_type offset, const IterAdapter& rhs) {
    return rhs + offset;
  }
  /*! \brief Return the distance; for random-access iterators only. */
  difference_type operator-(const IterAdapter& rhs) const { return iter_ - rhs.iter_; }

  bool operator==(const IterAdapter& other) const { return iter_ == other.iter_; }
  bool operator!=(const IterAdapter& other) const { return !(*this == other); }
  bool operator<(const IterAdapter& other) const { return iter_ < other.iter_; }
  bool operator>(const IterAdapter& other) const { return other < *this; }
  bool operator<=(const IterAdapter& other) const { return !(other < *this); }
  bool operator>=(const IterAdapter& other) const { return !(*this < other); }

  reference operator*() const { return Converter::convert(*iter_); }
  reference operator[](difference_type offset) const { return Converter::convert(iter_[offset]); }

  /*! \brief Return the wrapped iterator. */
  TIter base() const { return iter_; }

 private:
  TIter iter_;
};

/*! \brief An IterAdapter in reverse order. The wrapped iterator points at the yielded element, not
 * past it. */
template <typename Converter, typename TIter>
class ReverseIterAdapter {
 public:
  using difference_type = typename std::iterator_traits<TIter>::difference_type;
  using value_type = typename Converter::ResultType;
  using pointer = typename Converter::ResultType*;
  using reference = const typename Converter::ResultType;
  using iterator_category = typename std::iterator_traits<TIter>::iterator_category;

  ReverseIterAdapter() : iter_() {}
  explicit ReverseIterAdapter(TIter iter) : iter_(iter) {}

  ReverseIterAdapter& operator++() {
    --iter_;
    return *this;
  }
  ReverseIterAdapter& operator--() {
    ++iter_;
    return *this;
  }
  ReverseIterAdapter operator++(int) {
    ReverseIterAdapter copy = *this;
    --iter_;
    return copy;
  }
  ReverseIterAdapter operator--(int) {
    ReverseIterAdapter copy = *this;
    ++iter_;
    return copy;
  }
  ReverseIterAdapter& operator+=(difference_type offset) {
    iter_ -= offset;
    return *this;
  }
  ReverseIterAdapter& operator-=(difference_type offset) {
    iter_ += offset;
    return *this;
  }
  ReverseIterAdapter operator+(difference_type offset) const {
    return ReverseIterAdapter(iter_ - offset);
  }
  ReverseIterAdapter operator-(difference_type offset) const {
    return ReverseIterAdapter(iter_ + offset);
  }
  /*! \brief Return the distance; for random-access iterators only. */
  difference_type operator-(const ReverseIterAdapter& rhs) const { return rhs.iter_ - iter_; }

  bool operator==(const ReverseIterAdapter& other) const { return iter_ == other.iter_; }
  bool operator!=(const ReverseIterAdapter& other) const { return !(*this == other); }
  bool operator<(const ReverseIterAdapter& other) const { return other.iter_ < iter_; }
  bool operator>(const ReverseIterAdapter& other) const { return other < *this; }
  bool operator<=(const ReverseIterAdapter& other) const { return !(other < *this); }
  bool operator>=(const ReverseIterAdapter& other) const { return !(*this < other); }

  reference operator*() const { return Converter::convert(*iter_); }
  reference operator[](difference_type offset) const { return Converter::convert(iter_[-offset]); }

 private:
  TIter iter_;
};

/*! \brief Whether T can be stored in an Any, and so in a container. */
template <typename T>
inline constexpr bool storage_enabled_v = std::is_same_v<T, Any> || TypeTraits<T>::storage_enabled;

/*! \brief Whether every T can be stored in a container. */
template <typename... T>
inline constexpr bool all_storage_enabled_v = (storage_enabled_v<T> && ...);

/*! \brief Whether every T is a reference class. */
template <typename... T>
inline constexpr bool all_object_ref_v = (std::is_base_of_v<ObjectRef, T> && ...);

/*! \brief Return `name<A, B>` with the type names of V. */
template <typename... V>
std::string ContainerTypeStr(const char* name) {
  std::string text = name;
  const char* separator = "<";
  ((text += separator, text += Type2Str<V>::v(), separator = ", "), ...);
  return text + ">";
}

/*! \brief Whether `Iter` is an input iterator, which allows only one pass. */
template <typename Iter>
inline constexpr bool is_single_pass_v =
    !std::is_base_of_v<std::forward_iterator_tag,
                       typename std::iterator_traits<Iter>::iterator_category>;

}  // namespace tvm::ffi::detail
#endif  // TVM_FFI_CONTAINER_CONTAINER_DETAIL_H_
