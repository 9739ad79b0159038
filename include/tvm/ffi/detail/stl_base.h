// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/stl_base.h
 * \brief What the traits of the standard types have in common; included by extra/stl.h.
 */
#ifndef TVM_FFI_DETAIL_STL_BASE_H_
#define TVM_FFI_DETAIL_STL_BASE_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/container_detail.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>
#include <utility>

namespace tvm {
namespace ffi {
namespace detail {

/*! \brief Types that become a new container or function when they become a value. */
template <typename T>
struct StlCopiedTraits : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  /*!
   * \brief A call never comes here: it holds an Any of the argument (view_needs_owner_v).
   * \throws RuntimeError always: nobody would own what the view shows.
   */
  [[noreturn]] static void CopyToAnyView(const T&, TVMFFIAny*) {
    TVM_FFI_THROW(RuntimeError) << "An AnyView cannot own the value made of `"
                                << TypeTraits<T>::TypeStr() << "`; make an Any of it";
    TVM_FFI_UNREACHABLE();
  }
};

/*! \brief Write an owned value. */
inline void MoveIntoAny(Any value, TVMFFIAny* result) {
  *result = AnyUnsafe::MoveAnyToTVMFFIAny(std::move(value));
}

/*! \brief `std::<name>` with the parts of a schema between `[` and `]`. */
inline std::string StlSchema(const char* name, const std::string& args) {
  return std::string("{\"type\":\"std::") + name + "\",\"args\":[" + args + "]}";
}

/*! \brief Schemas of several types. */
template <typename... T>
std::string JoinedSchemas([[maybe_unused]] const char* separator) {
  std::string text;
  [[maybe_unused]] const char* before = "";
  ((text += before, text += TypeSchema<T>::v(), before = separator), ...);
  return text;
}

}  // namespace detail
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_DETAIL_STL_BASE_H_
