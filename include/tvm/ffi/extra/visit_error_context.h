// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/visit_error_context.h
 * \brief The location of an error in a graph of objects: the objects that a traversal had entered.
 *
 * When an error passes through a traversal, the traversal appends the nodes that it has entered to
 * the context of the error, innermost first. FindAccessPaths later converts the recorded nodes to
 * paths from a root.
 */
#ifndef TVM_FFI_EXTRA_VISIT_ERROR_CONTEXT_H_
#define TVM_FFI_EXTRA_VISIT_ERROR_CONTEXT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/base.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/access_path.h>

#include <new>
#include <optional>
#include <utility>

namespace tvm::ffi {

/*! \brief The nodes that a traversal had entered when an error was thrown. They are added while the
 * error passes through the traversal. Not thread-safe. */
class VisitErrorContextObj : public Object {
 public:
  /*! \brief The innermost node comes first; may contain null, and the same node several times. */
  List<ObjectRef> reverse_visit_pattern;
  /*! \brief The previous `extra_context` of the error. */
  Optional<ObjectRef> prev_error_context;

  VisitErrorContextObj() = default;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.VisitErrorContext", VisitErrorContextObj, Object);
};

/*! \brief Reference to VisitErrorContextObj, never null. */
class VisitErrorContext : public ObjectRef {
 public:
  explicit VisitErrorContext(ObjectPtr<VisitErrorContextObj> context)
      : ObjectRef(std::move(context)) {}

  /*! \brief Return the context of an error; nullopt when its `extra_context` is another value. */
  static Optional<VisitErrorContext> TryGetFromError(const Error& error) {
    std::optional<ObjectRef> context = error.extra_context();
    if (!context.has_value()) return std::nullopt;
    std::optional<VisitErrorContext> result = context->as<VisitErrorContext>();
    if (!result.has_value()) return std::nullopt;
    return *std::move(result);
  }

  /*!
   * \brief Return the paths from a root that pass through the recorded nodes, outermost first.
   *
   * Objects and containers are nodes. A path may contain other nodes between the recorded nodes.
   * Recorded nodes that are null or repeat the previous node are ignored. The search visits fields,
   * elements and values in their order, and returns the paths in this order. It skips keys of maps,
   * entries whose key is None, and an object inside itself.
   * \param root where the search begins; null finds nothing.
   * \param context the recorded nodes.
   * \param allow_prefix_match whether to return paths that pass only through the first recorded
   *         nodes too. Such a path ends at the deepest node that matches.
   * \return the paths, which may be none.
   * \throws Error ValueError beyond 2^20 levels of nesting; the exceptions of getters.
   */
  TVM_FFI_EXTRA_CXX_API static Array<reflection::AccessPath> FindAccessPaths(
      const ObjectRef& root, const VisitErrorContext& context, bool allow_prefix_match = false);

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(VisitErrorContext, ObjectRef, VisitErrorContextObj);
};

namespace detail {

/*! \brief Make a context that begins at a node. */
inline VisitErrorContext MakeVisitErrorContext(const ObjectRef& node) {
  auto context = make_object<VisitErrorContextObj>();
  context->reverse_visit_pattern.push_back(node);
  return VisitErrorContext(std::move(context));
}

/*! \brief Like AppendToVisitErrorContext, but may throw std::bad_alloc. If the function throws, the
 * error is unchanged. */
TVM_FFI_COLD_CODE inline void AppendToVisitErrorContextOrThrow(ErrorObj* error,
                                                               const ObjectRef& node) {
  auto* current = static_cast<TVMFFIObject*>(error->extra_context);
  if (current != nullptr && IsObjectInstance<VisitErrorContextObj>(current->type_index)) {
    ObjectUnsafe::RawObjectPtrFromUnowned<VisitErrorContextObj>(current)
        ->reverse_visit_pattern.push_back(node);
    return;
  }
  VisitErrorContext context = MakeVisitErrorContext(node);
  if (current != nullptr) {
    const_cast<VisitErrorContextObj*>(context.get())->prev_error_context =
        ObjectUnsafe::ObjectRefFromObjectPtr<ObjectRef>(
            ObjectUnsafe::ObjectPtrFromOwned<Object>(current));
  }
  error->extra_context = ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(std::move(context));
}

/*!
 * \brief Append a node to the context of an error; make a context if there is none.
 *
 * The function does nothing when there is no memory for the node. It also does nothing for the
 * prepared MemoryError, which all threads share and which has no deleter, and for errors of old
 * releases, which have no member for the context.
 */
TVM_FFI_COLD_CODE inline void AppendToVisitErrorContext(ErrorObj* error,
                                                        const ObjectRef& node) noexcept {
  if (ObjectUnsafe::GetHeader(error)->deleter == nullptr) return;
  if (!tvm_ffi_error_has_links(error)) return;
  try {
    AppendToVisitErrorContextOrThrow(error, node);
  } catch (const std::bad_alloc&) {
    return;
  }
}

/*!
 * \brief Append a node to the context of an error, in place: the error stays the same object.
 * \param error the error; the change is visible through all references to it.
 * \param node may be null.
 */
inline void UpdateVisitErrorContext(Error& error, const ObjectRef& node) {
  AppendToVisitErrorContext(ObjectUnsafe::RawObjectPtrFromUnowned<ErrorObj>(
                                ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error)),
                            node);
}

/*! \brief Append a node to the context of an error that is stored in a value. A `node` that is not
 * an object is ignored. */
inline void UpdateVisitErrorContext(const TVMFFIAny& raw_error, AnyView node) {
  if (node.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) return;
  AppendToVisitErrorContext(ObjectUnsafe::RawObjectPtrFromUnowned<ErrorObj>(raw_error.v_obj),
                            node.cast<ObjectRef>());
}

/*! \brief Append a node to the context of an error. A `node` that is not an object is ignored. */
inline void UpdateVisitErrorContext(Error& error, AnyView node) {
  UpdateVisitErrorContext(AnyView(error).CopyToTVMFFIAny(), node);
}

/*! \brief An ErrorThrower whose error has a context that begins at a node. */
struct VisitErrorThrower {
  ObjectRef node;

  template <typename Sink>
  [[noreturn]] TVM_FFI_COLD_CODE void operator&(Sink& sink) const {
    try {
      ErrorThrower() & sink;
    } catch (Error& error) {
      UpdateVisitErrorContext(error, node);
      throw;
    }
  }
};

}  // namespace detail

/*! \brief Begin the visit of a node. The visit consists of the code up to TVM_FFI_VISIT_END. */
#define TVM_FFI_VISIT_BEGIN() try {
/*! \brief End the visit of `node`. If the code of the visit throws an Error, append `node` to the
 * context of the Error, and throw it again. */
#define TVM_FFI_VISIT_END(node)                                             \
  }                                                                         \
  catch (::tvm::ffi::Error & tvm_ffi_visit_error) {                         \
    ::tvm::ffi::detail::UpdateVisitErrorContext(tvm_ffi_visit_error, node); \
    throw;                                                                  \
  }

/*! \brief Like TVM_FFI_VISIT_END, but return the Error. For functions that return an Expected. */
#define TVM_FFI_VISIT_END_RETURN_EXPECTED(node)                             \
  }                                                                         \
  catch (::tvm::ffi::Error & tvm_ffi_visit_error) {                         \
    ::tvm::ffi::detail::UpdateVisitErrorContext(tvm_ffi_visit_error, node); \
    return ::tvm::ffi::Unexpected(std::move(tvm_ffi_visit_error));          \
  }

/*! \brief Like TVM_FFI_THROW, for an error whose context begins at `node`. */
#define TVM_FFI_VISIT_THROW(ErrorKind, node)                                  \
  TVM_FFI_THROW_IMPL_(::tvm::ffi::detail::VisitErrorThrower{node}, ErrorKind, \
                      TVM_FFI_ALWAYS_LOG_BEFORE_THROW)

}  // namespace tvm::ffi

#endif  // TVM_FFI_EXTRA_VISIT_ERROR_CONTEXT_H_
