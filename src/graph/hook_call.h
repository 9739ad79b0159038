// SPDX-License-Identifier: Apache-2.0
// Running hooks, and the state that their callbacks use.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>

#include <memory>
#include <optional>
#include <utility>

#include "core/type_name.h"
#include "graph/walk.h"

namespace tvm::ffi::runtime {

/*!
 * \brief Return a hook as a function; NULL for NULL.
 * \throws Error TypeError when it is not a function.
 */
inline Function hook_function(const TVMFFIAny* hook) {
  return hook == nullptr ? Function() : AnyView::CopyFromTVMFFIAny(*hook).cast<Function>();
}

/*!
 * \brief Return the result of a hook, converted to `T`.
 * \param result the result of the hook.
 * \param name attribute of the hook.
 * \param type_index the type that has the hook.
 * \param expected name of `T` in the message.
 * \throws Error TypeError when the result does not convert.
 */
template <typename T>
T hook_result(const Any& result, const char* name, int32_t type_index, const char* expected) {
  if (std::optional<T> value = result.try_cast<T>()) return *std::move(value);
  TVM_FFI_THROW(TypeError) << "`" << name << "` of type `" << TypeIndexToTypeKey(type_index)
                           << "` must return " << expected << ", got `" << value_name(raw(result))
                           << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return an object in the form in which hooks receive it. */
inline AnyView view_of(TVMFFIObject* object) {
  return AnyView::CopyFromTVMFFIAny(value_of(object));
}

/*! \brief Increments the count of running hooks during the lifetime of this object. The callback of
 * the hook works on `Target`, the state of the walk that called the hook. After the hook has
 * returned, a call of the callback starts a new walk. */
template <typename Target>
class HookCall {
 public:
  /*! \brief The callback's pointer to the target. It becomes NULL when the hook has returned. */
  using Link = std::shared_ptr<Target*>;

  /*! \throws Error ValueError when kMaxHookDepth hooks are running. */
  HookCall(const char* operation, Target* target)
      : scope_(operation), link_(std::make_shared<Target*>(target)) {}
  ~HookCall() { *link_ = nullptr; }
  HookCall(const HookCall&) = delete;
  HookCall& operator=(const HookCall&) = delete;

  const Link& link() const { return link_; }

 private:
  HookScope scope_;
  Link link_;
};

}  // namespace tvm::ffi::runtime
