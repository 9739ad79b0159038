// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/access_path.h
 * \brief AccessStep and AccessPath: where in a value another one is, `<root>.body[0]["x"]`.
 *
 * Both are immutable and may be shared among threads. A "missing" step names a part that one of two
 * values has and the other one lacks.
 */
#ifndef TVM_FFI_REFLECTION_ACCESS_PATH_H_
#define TVM_FFI_REFLECTION_ACCESS_PATH_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <utility>
#include <vector>

// Not needed here: programs written against earlier releases get these from this header.
#include <tvm/ffi/reflection/registry.h>

namespace tvm {
namespace ffi {
namespace reflection {

/*! \brief What a step does. */
enum class AccessKind : int32_t {
  /*! \brief A field of an object. */
  kAttr = 0,
  /*! \brief An element of a sequence. */
  kArrayItem = 1,
  /*! \brief The value of a key. */
  kMapItem = 2,
  /*! \brief A field that is missing here. */
  kAttrMissing = 3,
  /*! \brief An element that is missing here. */
  kArrayItemMissing = 4,
  /*! \brief A key that is missing here. */
  kMapItemMissing = 5,
};

class AccessStep;

/*! \brief One step from a value to a part of it. */
class AccessStepObj : public Object {
 public:
  /*! \brief What the step leads to. */
  AccessKind kind = AccessKind::kAttr;
  /*! \brief Name of the field (String), index (int64_t) or key. */
  Any key;

  AccessStepObj() = default;
  AccessStepObj(AccessKind kind, Any key) : kind(kind), key(std::move(key)) {}

  /*! \brief Whether both do the same; keys are compared as keys of maps are. */
  inline bool StepEqual(const AccessStep& other) const;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindConstTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.reflection.AccessStep", AccessStepObj, Object);
};

/*! \brief Reference to AccessStepObj, never null. */
class AccessStep : public ObjectRef {
 public:
  AccessStep(AccessKind kind, Any key)
      : ObjectRef(make_object<AccessStepObj>(kind, std::move(key))) {}

  /*! \brief A step to a field. */
  static AccessStep Attr(String field_name) {
    return AccessStep(AccessKind::kAttr, std::move(field_name));
  }
  /*! \brief A step to a field that is missing here. */
  static AccessStep AttrMissing(String field_name) {
    return AccessStep(AccessKind::kAttrMissing, std::move(field_name));
  }
  /*! \brief A step to an element. */
  static AccessStep ArrayItem(int64_t index) { return AccessStep(AccessKind::kArrayItem, index); }
  /*! \brief A step to an element that is missing here. */
  static AccessStep ArrayItemMissing(int64_t index) {
    return AccessStep(AccessKind::kArrayItemMissing, index);
  }
  /*! \brief A step to the value of a key. */
  static AccessStep MapItem(Any key) { return AccessStep(AccessKind::kMapItem, std::move(key)); }
  /*! \brief A step to a key that is missing here. */
  static AccessStep MapItemMissing(Any key = nullptr) {
    return AccessStep(AccessKind::kMapItemMissing, std::move(key));
  }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(AccessStep, ObjectRef, AccessStepObj);
};

inline bool AccessStepObj::StepEqual(const AccessStep& other) const {
  return kind == other->kind && AnyEqual()(key, other->key);
}

class AccessPath;

/*!
 * \brief A path: its parent path and one more step. Paths with the same prefix can share it.
 *
 * All functions take time in proportion to the number of steps and do not recurse.
 */
class AccessPathObj : public Object {
 public:
  /*! \brief The AccessPath before the last step; null at the root. */
  Optional<ObjectRef> parent;
  /*! \brief The last step; null at the root. */
  Optional<AccessStep> step;
  /*! \brief Number of steps. */
  int32_t depth = 0;

  AccessPathObj() = default;
  AccessPathObj(Optional<ObjectRef> parent, Optional<AccessStep> step, int32_t depth)
      : parent(std::move(parent)), step(std::move(step)), depth(depth) {}

  /*! \brief The path before the last step; nullopt at the root. */
  inline Optional<AccessPath> GetParent() const;
  /*! \brief This path and a step more. */
  inline AccessPath Extend(AccessStep step) const;
  /*! \brief A step to a field. */
  inline AccessPath Attr(String field_name) const;
  /*! \brief A step to a field that is missing here. */
  inline AccessPath AttrMissing(String field_name) const;
  /*! \brief A step to an element. */
  inline AccessPath ArrayItem(int64_t index) const;
  /*! \brief A step to an element that is missing here. */
  inline AccessPath ArrayItemMissing(int64_t index) const;
  /*! \brief A step to the value of a key. */
  inline AccessPath MapItem(Any key) const;
  /*! \brief A step to a key that is missing here. */
  inline AccessPath MapItemMissing(Any key = nullptr) const;
  /*! \brief All steps, the one from the root first. */
  inline Array<AccessStep> ToSteps() const;
  /*! \brief Whether both have the same steps. */
  inline bool PathEqual(const AccessPath& other) const;
  /*! \brief Whether `other` begins with this path, or is equal to it. */
  inline bool IsPrefixOf(const AccessPath& other) const;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindConstTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.reflection.AccessPath", AccessPathObj, Object);

 private:
  const AccessPathObj* ParentOrNull() const {
    return parent.has_value() ? (*parent).as<AccessPathObj>() : nullptr;
  }
  static inline bool SameSteps(const AccessPathObj* lhs, const AccessPathObj* rhs);
};

/*! \brief Reference to AccessPathObj, never null. */
class AccessPath : public ObjectRef {
 public:
  /*! \brief The path without steps. */
  static AccessPath Root() { return AccessPath(make_object<AccessPathObj>()); }

  /*! \brief The path with these steps. \tparam Iter forward iterator over AccessStep. */
  template <typename Iter>
  static AccessPath FromSteps(Iter begin, Iter end) {
    AccessPath path = Root();
    for (Iter it = begin; it != end; ++it) path = path->Extend(*it);
    return path;
  }
  static AccessPath FromSteps(const Array<AccessStep>& steps) {
    return FromSteps(steps.begin(), steps.end());
  }

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(AccessPath, ObjectRef, AccessPathObj);

 private:
  friend class AccessPathObj;
  explicit AccessPath(ObjectPtr<AccessPathObj> path) : ObjectRef(std::move(path)) {}
};

/*! \brief Where two values differ: in the left one, in the right one. */
using AccessPathPair = Tuple<AccessPath, AccessPath>;

inline Optional<AccessPath> AccessPathObj::GetParent() const {
  if (!parent.has_value()) return std::nullopt;
  return (*parent).as<AccessPath>();
}

inline AccessPath AccessPathObj::Extend(AccessStep step) const {
  return AccessPath(
      make_object<AccessPathObj>(GetRef<ObjectRef>(this), std::move(step), depth + 1));
}

inline AccessPath AccessPathObj::Attr(String field_name) const {
  return Extend(AccessStep::Attr(std::move(field_name)));
}
inline AccessPath AccessPathObj::AttrMissing(String field_name) const {
  return Extend(AccessStep::AttrMissing(std::move(field_name)));
}
inline AccessPath AccessPathObj::ArrayItem(int64_t index) const {
  return Extend(AccessStep::ArrayItem(index));
}
inline AccessPath AccessPathObj::ArrayItemMissing(int64_t index) const {
  return Extend(AccessStep::ArrayItemMissing(index));
}
inline AccessPath AccessPathObj::MapItem(Any key) const {
  return Extend(AccessStep::MapItem(std::move(key)));
}
inline AccessPath AccessPathObj::MapItemMissing(Any key) const {
  return Extend(AccessStep::MapItemMissing(std::move(key)));
}

inline Array<AccessStep> AccessPathObj::ToSteps() const {
  std::vector<const AccessPathObj*> paths;
  for (const AccessPathObj* path = this; path != nullptr && path->step.has_value();
       path = path->ParentOrNull()) {
    paths.push_back(path);
  }
  Array<AccessStep> steps;
  steps.reserve(static_cast<int64_t>(paths.size()));
  for (auto path = paths.rbegin(); path != paths.rend(); ++path) steps.push_back(*(*path)->step);
  return steps;
}

inline bool AccessPathObj::SameSteps(const AccessPathObj* lhs, const AccessPathObj* rhs) {
  for (; lhs != rhs; lhs = lhs->ParentOrNull(), rhs = rhs->ParentOrNull()) {
    if (lhs == nullptr || rhs == nullptr || lhs->depth != rhs->depth) return false;
    if (lhs->step.has_value() != rhs->step.has_value()) return false;
    if (lhs->step.has_value() && !(*lhs->step)->StepEqual(*rhs->step)) return false;
  }
  return true;
}

inline bool AccessPathObj::PathEqual(const AccessPath& other) const {
  return SameSteps(this, other.get());
}

inline bool AccessPathObj::IsPrefixOf(const AccessPath& other) const {
  const AccessPathObj* path = other.get();
  while (path != nullptr && path->depth > depth) path = path->ParentOrNull();
  return path != nullptr && SameSteps(this, path);
}

}  // namespace reflection
}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_REFLECTION_ACCESS_PATH_H_
