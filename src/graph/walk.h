// SPDX-License-Identifier: Apache-2.0
// The walker of detail/graph_walk.h, for the operations of the runtime.
//
// A hook receives a callback that runs the operation on a part of the object. The callback's walk
// has a separate stack. HookScope limits the nesting of hooks, because each nested hook uses the
// thread's C stack.
#pragma once

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/graph_walk.h>

#include <cstddef>

#include "graph/field_plan.h"

namespace tvm::ffi::runtime {

using detail::Children;
using detail::Held;
using detail::IdentityMap;
using detail::kMaxWalkDepth;
using detail::WalkStack;

/*! \brief Maximum nesting of hooks on a thread. */
constexpr int kMaxHookDepth = 200;

inline bool is_object(const TVMFFIAny& value) { return detail::IsObjectValue(value); }

inline const TVMFFIAny& raw(const Any& value) { return detail::RawValue(value); }

/*! \brief Return a borrowed value as an Any, for functions that only read it. */
inline const Any& as_any(const TVMFFIAny& value) { return reinterpret_cast<const Any&>(value); }

inline TVMFFIObject* object_at(const void* address) {
  return static_cast<TVMFFIObject*>(const_cast<void*>(address));
}

/*! \brief Make an owned value from a borrowed one. */
inline Any owned(const TVMFFIAny& value) { return Any(AnyView::CopyFromTVMFFIAny(value)); }

/*! \brief Return a borrowed value that refers to an object. */
inline TVMFFIAny value_of(TVMFFIObject* object) { return detail::ObjectValue(object); }

/*!
 * \brief Whether the object has only one reference. A walk that has followed this reference can
 * reach the object again only if it first reaches the owner of the reference again.
 *
 * Most objects have one reference. Walks do not put these objects into their tables.
 */
inline bool has_one_reference(const TVMFFIObject* object) {
  return detail::StrongRefCount(object) == 1;
}

/*! \brief Call the member function of `walk` for the kind of children of a frame. */
template <typename Walk, typename Frame, typename Step>
TVM_FFI_INLINE auto step_by_kind(Walk* walk, Frame* frame, Step in_sequence, Step in_mapping,
                                 Step in_fields) {
  switch (frame->children.kind()) {
    case Children::kSequence:
      return (walk->*in_sequence)(frame);
    case Children::kMapping:
      return (walk->*in_mapping)(frame);
    default:
      return (walk->*in_fields)(frame);
  }
}

/*! \brief Increments the count of running hooks during the lifetime of this object. */
class HookScope {
 public:
  /*! \throws ValueError when kMaxHookDepth hooks are running. */
  explicit HookScope(const char* operation);
  ~HookScope();
  HookScope(const HookScope&) = delete;
  HookScope& operator=(const HookScope&) = delete;
};

/*! \brief Read a field. `held` keeps the result of a getter alive. */
TVM_FFI_INLINE TVMFFIAny read_kept_field(const PlannedField& field, const TVMFFIObject* object,
                                         Held* held) {
  return detail::ReadKeptField(field, object, held);
}

/*! \brief Return the number of elements or entries of a sequence or mapping. */
inline size_t container_size(TVMFFIObject* container) { return detail::ContainerSize(container); }

inline bool is_empty_sequence(const TVMFFIObject* object) {
  return detail::IsSequence(object->type_index) &&
         detail::AsSequence(const_cast<TVMFFIObject*>(object))->empty();
}

}  // namespace tvm::ffi::runtime
