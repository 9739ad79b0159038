// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/container_detail.h>

#include <iterator>
#include <string>

#include "../use.h"

namespace ffi = tvm::ffi;

struct ToDouble {
  using ResultType = double;
  static ResultType convert(const int& x) { return x; }
};
using Iter = ffi::detail::IterAdapter<ToDouble, const int*>;
using Back = ffi::detail::ReverseIterAdapter<ToDouble, const int*>;
SAME_TYPE(std::iterator_traits<Iter>::reference, const double);
SAME_TYPE(std::iterator_traits<Iter>::iterator_category, std::random_access_iterator_tag);
template <typename I>
constexpr bool IsIterator() {
  HOLDS(std::is_constructible_v<I, const int*>);
  HOLDS(std::is_same_v<std::decay_t<decltype(*The<const I>())>, double>);
  HAS_TYPE(++The<I>(), I&);
  HAS_TYPE(The<I>()++, I);
  HAS_TYPE(--The<I>(), I&);
  HAS_TYPE(The<I>()--, I);
  HAS_TYPE(The<const I>() + 1, I);
  HAS_TYPE(The<const I>() - 1, I);
  HAS_TYPE(The<I>() += 1, I&);
  HAS_TYPE(The<I>() -= 1, I&);
  HAS_TYPE(The<const I>() == The<const I>(), bool);
  HAS_TYPE(The<const I>() != The<const I>(), bool);
  HAS_TYPE(The<const I>() - The<const I>(), std::ptrdiff_t);
  return true;
}
HOLDS(IsIterator<Iter>() && IsIterator<Back>());
HOLDS(ffi::detail::storage_enabled_v<int>&& ffi::detail::storage_enabled_v<ffi::Any>);
HOLDS(ffi::detail::all_storage_enabled_v<int, double>);
HOLDS(!ffi::detail::all_object_ref_v<int, ffi::ObjectRef>);
HAS_TYPE((ffi::detail::ContainerTypeStr<int, double>("Map")), std::string);
