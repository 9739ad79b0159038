// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/extra/visit_error_context.h
 * \brief Where in a graph of objects an error arose: the objects that a traversal was in.
 *
 * A traversal that an error passes through appends its node to the context of the error, innermost
 * first; FindAccessPaths later turns the record into paths from a root.
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

namespace tvm {
namespace ffi {

/*! \brief The nodes that an error passed through; grows while it passes. Not thread-safe. */
class VisitErrorContextObj : public Object {
 public:
  /*! \brief Innermost node first; may hold null and the same node several times. */
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

  /*! \brief The context of an error; nullopt when its `extra_context` is another value. */
  static Optional<VisitErrorContext> TryGetFromError(const Error& error) {
    std::optional<ObjectRef> context = error.extra_context();
    if (!context.has_value()) return std::nullopt;
    std::optional<VisitErrorContext> result = context->as<VisitErrorContext>();
    if (!result.has_value()) return std::nullopt;
    return *std::move(result);
  }

  /*!
   * \brief The paths from a root that pass through the recorded nodes, outermost first.
   *
   * Other nodes may lie between. Records that are null or repeat the one before do not count.
   * Objects and containers are nodes; keys of maps are not searched, nor entries whose key is None,
   * and no object is searched inside itself. In order of the search, which goes through fields,
   * elements and values as they come.
   * \param root where the search begins; null finds nothing.
   * \param context the record.
   * \param allow_prefix_match also give the path to the deepest node that matches, where nothing
   *        below it matches the rest.
   * \return empty when there is none.
   * \throws Error ValueError beyond 2^20 levels of nesting; what getters throw.
   */
  TVM_FFI_EXTRA_CXX_API static Array<reflection::AccessPath> FindAccessPaths(
      const ObjectRef& root, const VisitErrorContext& context, bool allow_prefix_match = false);

  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(VisitErrorContext, ObjectRef, VisitErrorContextObj);
};

namespace detail {

/*! \brief A new context that begins at a node. */
inline VisitErrorContext MakeVisitErrorContext(const ObjectRef& node) {
  auto context = make_object<VisitErrorContextObj>();
  context->reverse_visit_pattern.push_back(node);
  return VisitErrorContext(std::move(context));
}

/*! \brief AppendToVisitErrorContext; may throw std::bad_alloc, then the error is as before. */
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
 * \brief Append a node to the context of an error, which gets one if it has none.
 *
 * Does nothing when there is no memory for it, for the library's prepared error, which all threads
 * share and which has no deleter, and for errors of old releases, which have no place for it.
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
 * \param error changed for all who share it.
 * \param node may be null.
 */
inline void UpdateVisitErrorContext(Error& error, const ObjectRef& node) {
  AppendToVisitErrorContext(ObjectUnsafe::RawObjectPtrFromUnowned<ErrorObj>(
                                ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(error)),
                            node);
}

/*! \brief The same for an error in a value. \param node ignored unless it is an object. */
inline void UpdateVisitErrorContext(const TVMFFIAny& raw_error, AnyView node) {
  if (node.type_index() < TypeIndex::kTVMFFIStaticObjectBegin) return;
  AppendToVisitErrorContext(ObjectUnsafe::RawObjectPtrFromUnowned<ErrorObj>(raw_error.v_obj),
                            node.cast<ObjectRef>());
}

/*! \brief The same. \param node ignored unless it is an object. */
inline void UpdateVisitErrorContext(Error& error, AnyView node) {
  UpdateVisitErrorContext(AnyView(error).CopyToTVMFFIAny(), node);
}

/*! \brief ErrorThrower whose error has a context that begins at a node. */
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

/*! \brief Begins the visit of a node; what stands up to TVM_FFI_VISIT_END belongs to it. */
#define TVM_FFI_VISIT_BEGIN() try {
/*! \brief Ends the visit of `node`: an Error that passes gets it appended to its context. */
#define TVM_FFI_VISIT_END(node)                                             \
  }                                                                         \
  catch (::tvm::ffi::Error & tvm_ffi_visit_error) {                         \
    ::tvm::ffi::detail::UpdateVisitErrorContext(tvm_ffi_visit_error, node); \
    throw;                                                                  \
  }

/*! \brief TVM_FFI_VISIT_END in functions that return an Expected, by which the Error leaves. */
#define TVM_FFI_VISIT_END_RETURN_EXPECTED(node)                             \
  }                                                                         \
  catch (::tvm::ffi::Error & tvm_ffi_visit_error) {                         \
    ::tvm::ffi::detail::UpdateVisitErrorContext(tvm_ffi_visit_error, node); \
    return ::tvm::ffi::Unexpected(std::move(tvm_ffi_visit_error));          \
  }

/*! \brief TVM_FFI_THROW of an error whose context begins at `node`. */
#define TVM_FFI_VISIT_THROW(ErrorKind, node)                                                  \
  ::tvm::ffi::detail::VisitErrorThrower{node} &                                               \
      ::tvm::ffi::detail::ErrorSink(#ErrorKind,                                               \
                                    TVMFFIBacktrace(__FILE__, __LINE__, TVM_FFI_FUNC_SIG, 0), \
                                    TVM_FFI_ALWAYS_LOG_BEFORE_THROW)                          \
          .self()

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_EXTRA_VISIT_ERROR_CONTEXT_H_
