// SPDX-License-Identifier: Apache-2.0
// Callbacks that a language binding (such as the Python extension) passes to a structural
// traversal. The type index of a value selects its callback.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/type_entry.h"

namespace tvm::ffi::runtime {

/*!
 * \brief A callback for the values of one type and its derived types, or for all values if
 * `type_index` is -1.
 */
struct Callback {
  int32_t type_index;
  /*! \brief For mutations: whether the callback takes an InplaceMode as its last argument. */
  bool takes_mode;
  Function function;

  /*!
   * \brief Call the callback. Not inlined, so that the code for values without a callback stays
   * short.
   * \return the result, owned; or the Error.
   */
  template <typename... Args>
  TVM_FFI_NO_INLINE TVMFFIAny call(const Args&... args) const noexcept {
    TVMFFIAny packed[] = {AnyView(args).CopyToTVMFFIAny()...};
    TVMFFIAny result = detail::NoneResult();
    auto* self = const_cast<FunctionObj*>(function.get());
    int status = self->safe_call(self, packed, sizeof...(args), &result);
    if (TVM_FFI_PREDICT_TRUE(status == 0)) return result;
    return detail::AnyUnsafe::MoveAnyToTVMFFIAny(Any(detail::MoveFromSafeCallRaised()));
  }
};

/*! \brief Callbacks in the order in which they are tried. */
class Callbacks {
 public:
  Callbacks() = default;

  /*!
   * \param operation name of the called function, for messages.
   * \param entries type index and function; for mutations also whether the function takes the mode.
   * \throws Error TypeError for a negative index other than -1, or a null function.
   */
  template <typename Entry>
  Callbacks(const char* operation, const Array<Entry>& entries) {
    list_.reserve(entries.size());
    for (const Entry& entry : entries) {
      bool takes_mode = false;
      if constexpr (std::tuple_size_v<Entry> == 3) takes_mode = entry.template get<2>();
      add(operation, entry.template get<0>(), takes_mode, entry.template get<1>());
    }
  }

  /*! \brief Release the functions at the end of a traversal. Otherwise a callback that refers to
   * the visitor or mutator would form a reference cycle with it, which would never be freed. */
  void release() {
    Callbacks gone;
    std::swap(gone, *this);
  }

  /*! \brief Return the first callback that accepts a value, or NULL. */
  const Callback* find(AnyView value) const {
    // Most values have no callback, so this test comes first.
    int32_t type_index = value.type_index();
    uint64_t kind = uint64_t{1} << std::min(type_index, kObjects);
    if ((kinds_ & kind) == 0) return nullptr;
    if ((kinds_of_first_ & kind) != 0) return list_.data();
    return find_among_all(type_index);
  }

 private:
  // One bit for each type index of values that are not objects, and one bit for all objects.
  static constexpr int32_t kObjects = 63;
  static_assert(kTVMFFISmallBytes < kObjects && kTVMFFIStaticObjectBegin > kObjects,
                "plain values have bits of their own");

  // Not inlined, for the same reason as Callback::call().
  TVM_FFI_NO_INLINE const Callback* find_among_all(int32_t type_index) const {
    for (const Callback& callback : list_) {
      if (detail::RuntimeTypeIndexMatch(type_index, callback.type_index)) return &callback;
    }
    return nullptr;
  }

  void add(const char* operation, int64_t type_index, bool takes_mode, Function function) {
    if (type_index < kTVMFFIAny) {
      TVM_FFI_THROW(TypeError) << operation
                               << " callback type_index is negative, the only acceptable negative "
                                  "type_index is -1 for Any";
    }
    if (function == nullptr) TVM_FFI_THROW(TypeError) << operation << " callback is None";
    // Ignore a callback for an unregistered type, because no value can have this type index.
    if (type_index != kTVMFFIAny && !is_registered(type_index)) return;
    list_.push_back({static_cast<int32_t>(type_index), takes_mode, std::move(function)});
    uint64_t plain = 0;
    for (int32_t kind = 0; kind < kObjects; ++kind) {
      bool is_for = detail::RuntimeTypeIndexMatch(kind, list_.back().type_index);
      plain |= static_cast<uint64_t>(is_for ? 1 : 0) << kind;
    }
    bool is_for_all_objects = type_index == kTVMFFIAny || type_index == kTVMFFIObject;
    bool is_for_objects = is_for_all_objects || type_index >= kTVMFFIStaticObjectBegin;
    kinds_ |= plain | kind_of_objects(is_for_objects);
    if (list_.size() == 1) kinds_of_first_ = plain | kind_of_objects(is_for_all_objects);
  }

  static uint64_t kind_of_objects(bool is_set) { return uint64_t{is_set} << kObjects; }

  static bool is_registered(int64_t type_index) {
    return type_index <= INT32_MAX && find_type_entry(static_cast<int32_t>(type_index)) != nullptr;
  }

  std::vector<Callback> list_;
  // The bits of the values that may have a callback: one bit per type index of values that are not
  // objects, and the bit kObjects.
  uint64_t kinds_ = 0;
  // The same bits, of the kinds of which the first callback in the list accepts all values.
  uint64_t kinds_of_first_ = 0;
};

}  // namespace tvm::ffi::runtime
