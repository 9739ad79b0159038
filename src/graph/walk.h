// SPDX-License-Identifier: Apache-2.0
// The walker of detail/graph_walk.h as the library's own operations use it.
//
// A hook gets a callback that runs the operation again on a part of the object. The callback's walk
// has a stack of its own; HookScope counts the nesting, which uses the thread's C stack.
#ifndef TVM_FFI_SRC_GRAPH_WALK_H_
#define TVM_FFI_SRC_GRAPH_WALK_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/detail/graph_walk.h>

#include <cstddef>
#include <cstdint>

#include "graph/field_plan.h"

namespace tvm {
namespace ffi {
namespace runtime {

using detail::Children;
using detail::Held;
using detail::IdentityMap;
using detail::kMaxWalkDepth;
using detail::WalkStack;

/*! \brief How deep hooks may be nested on a thread. */
constexpr int kMaxHookDepth = 200;

inline bool is_object(const TVMFFIAny& value) { return detail::IsObjectValue(value); }

inline const TVMFFIAny& raw(const Any& value) { return detail::RawValue(value); }

/*! \brief A borrowed value seen as an owned one, for functions that only look at it. */
inline const Any& as_any(const TVMFFIAny& value) { return reinterpret_cast<const Any&>(value); }

inline TVMFFIObject* object_at(const void* address) {
  return static_cast<TVMFFIObject*>(const_cast<void*>(address));
}

/*! \brief The same bits as an owned value. */
inline Any owned(const TVMFFIAny& value) { return Any(AnyView::CopyFromTVMFFIAny(value)); }

/*! \brief An object as a value, borrowed. */
inline TVMFFIAny value_of(TVMFFIObject* object) { return detail::ObjectValue(object); }

/*!
 * \brief Whether only one reference to the object exists, so that a walk that came to it by that
 * reference cannot meet it again unless it meets the referrer again.
 *
 * Walks skip their tables for such objects; most objects are such.
 */
inline bool has_one_reference(const TVMFFIObject* object) {
  return detail::StrongRefCount(object) == 1;
}

/*! \brief Counts one more running hook for its lifetime. */
class HookScope {
 public:
  /*! \throws ValueError when kMaxHookDepth hooks run already. */
  explicit HookScope(const char* operation);
  ~HookScope();
  HookScope(const HookScope&) = delete;
  HookScope& operator=(const HookScope&) = delete;
};

/*! \brief Read a field; what its getter makes lives as long as `held`. */
TVM_FFI_INLINE TVMFFIAny read_kept_field(const PlannedField& field, const TVMFFIObject* object,
                                         Held* held) {
  return detail::ReadKeptField(field, object, held);
}

/*! \brief Number of elements or entries of a sequence or mapping. */
inline size_t container_size(TVMFFIObject* container) { return detail::ContainerSize(container); }

inline bool is_empty_sequence(const TVMFFIObject* object) {
  return detail::IsSequence(object->type_index) &&
         detail::AsSequence(const_cast<TVMFFIObject*>(object))->empty();
}

}  // namespace runtime
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_SRC_GRAPH_WALK_H_
