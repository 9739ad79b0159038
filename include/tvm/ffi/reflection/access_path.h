// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/access_path.h
 * \brief AccessStep and AccessPath: the steps from a value to a part of it, such as
 * `<root>.body[0]["x"]`.
 *
 * Steps and paths are immutable and may be shared among threads. A "missing" step names a part that
 * one of two values has and the other value does not have.
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

// This header does not use the file, but programs for earlier releases get it from here.
#include <tvm/ffi/reflection/registry.h>

namespace tvm::ffi::reflection {

/*! \brief The kind of a step. */
enum class AccessKind : int32_t {
  /*! \brief A field of an object. */
  kAttr = 0,
  /*! \brief An element of a sequence. */
  kArrayItem = 1,
  /*! \brief The value that a mapping has for a key. */
  kMapItem = 2,
  /*! \brief A field that the value does not have. */
  kAttrMissing = 3,
  /*! \brief An element that the value does not have. */
  kArrayItemMissing = 4,
  /*! \brief A key that the value does not have. */
  kMapItemMissing = 5,
};

class AccessStep;

/*! \brief One step from a value to a part of it. */
class AccessStepObj : public Object {
 public:
  /*! \brief The kind of the step. */
  AccessKind kind = AccessKind::kAttr;
  /*! \brief Name of the field (String), index (int64_t) or key. */
  Any key;

  AccessStepObj() = default;
  AccessStepObj(AccessKind kind, Any key) : kind(kind), key(std::move(key)) {}

  /*! \brief Return whether both steps are equal; keys are compared like keys of maps. */
  inline bool StepEqual(const AccessStep& other) const;

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindConstTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.reflection.AccessStep", AccessStepObj, Object);
};

/*! \brief Reference to AccessStepObj, never null. */
class AccessStep : public ObjectRef {
 public:
  AccessStep(AccessKind kind, Any key)
      : ObjectRef(make_object<AccessStepObj>(kind, std::move(key))) {}

  /*! \brief Make a step to a field. */
  static AccessStep Attr(String field_name) {
    return AccessStep(AccessKind::kAttr, std::move(field_name));
  }
  /*! \brief Make a step to a field that the value does not have. */
  static AccessStep AttrMissing(String field_name) {
    return AccessStep(AccessKind::kAttrMissing, std::move(field_name));
  }
  /*! \brief Make a step to an element. */
  static AccessStep ArrayItem(int64_t index) { return AccessStep(AccessKind::kArrayItem, index); }
  /*! \brief Make a step to an element that the value does not have. */
  static AccessStep ArrayItemMissing(int64_t index) {
    return AccessStep(AccessKind::kArrayItemMissing, index);
  }
  /*! \brief Make a step to the value of a key. */
  static AccessStep MapItem(Any key) { return AccessStep(AccessKind::kMapItem, std::move(key)); }
  /*! \brief Make a step to a key that the value does not have. */
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
 * \brief A path: its parent path and one more step. Paths with the same prefix can share the
 * prefix.
 *
 * The time of every function is proportional to the number of steps; no function recurses.
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

  /*! \brief Return the path before the last step; nullopt at the root. */
  inline Optional<AccessPath> GetParent() const;
  /*! \brief Return this path with one more step. */
  inline AccessPath Extend(AccessStep step) const;
  /*! \brief Return this path with a step to a field. */
  inline AccessPath Attr(String field_name) const;
  /*! \brief Return this path with a step to a field that the value does not have. */
  inline AccessPath AttrMissing(String field_name) const;
  /*! \brief Return this path with a step to an element. */
  inline AccessPath ArrayItem(int64_t index) const;
  /*! \brief Return this path with a step to an element that the value does not have. */
  inline AccessPath ArrayItemMissing(int64_t index) const;
  /*! \brief Return this path with a step to the value of a key. */
  inline AccessPath MapItem(Any key) const;
  /*! \brief Return this path with a step to a key that the value does not have. */
  inline AccessPath MapItemMissing(Any key = nullptr) const;
  /*! \brief Return all steps, beginning at the root. */
  inline Array<AccessStep> ToSteps() const;
  /*! \brief Return whether both paths have the same steps. */
  inline bool PathEqual(const AccessPath& other) const;
  /*! \brief Return whether `other` begins with this path, or is equal to it. */
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
  /*! \brief Return the path without steps. */
  static AccessPath Root() { return AccessPath(make_object<AccessPathObj>()); }

  /*! \brief Make a path with these steps. \tparam Iter forward iterator over AccessStep. */
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

/*! \brief The location of a difference between two values: a path in the left value, and a path in
 * the right value. */
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

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_ACCESS_PATH_H_
