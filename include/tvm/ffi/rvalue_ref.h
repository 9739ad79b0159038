// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/rvalue_ref.h
 * \brief RValueRef<T>: an argument whose object the callee may take over.
 *
 * A callee with the only reference can change the object in place instead of copying it.
 */
#ifndef TVM_FFI_RVALUE_REF_H_
#define TVM_FFI_RVALUE_REF_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/type_traits.h>

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tvm::ffi {

/*!
 * \brief A reference that is moved into a callee.
 *
 * The caller writes `f(RValueRef(std::move(x)))`, the callee declares the parameter
 * `RValueRef<T> x` and takes `*std::move(x)`.
 * \tparam TObjRef a reference class.
 */
template <typename TObjRef>
class RValueRef {
 public:
  static_assert(std::is_base_of_v<ObjectRef, TObjRef>, "RValueRef carries reference classes");
  using ContainerType = typename TObjRef::ContainerType;

  /*! \brief Take over the reference in `data`. */
  explicit RValueRef(TObjRef&& data)
      : data_(detail::ObjectUnsafe::ObjectPtrFromObjectRef<Object>(std::move(data))) {}

  /*! \brief Move the reference out; return null if it was moved out before. */
  TObjRef operator*() && {
    return detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(std::move(data_));
  }

 private:
  // A view of an RValueRef is the address of this pointer. The callee that takes the object sets
  // the pointer to null.
  mutable ObjectPtr<Object> data_;

  template <typename, typename>
  friend struct TypeTraits;
};

/*!
 * \brief Moves the object out of an argument passed as RValueRef; copies any other T.
 *
 * These traits do not have MoveToAny, because an owned value holds the object itself.
 */
template <typename TObjRef>
struct TypeTraits<RValueRef<TObjRef>> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  TVM_FFI_INLINE static void CopyToAnyView(const RValueRef<TObjRef>& source, TVMFFIAny* result) {
    detail::SetAnyPtr(result, TypeIndex::kTVMFFIObjectRValueRef, &source.data_);
  }
  static std::optional<RValueRef<TObjRef>> TryCastFromAnyView(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIObjectRValueRef) {
      return Wrap(TypeTraits<TObjRef>::TryCastFromAnyView(source));
    }
    auto* slot = static_cast<ObjectPtr<Object>*>(source->v_ptr);
    TVMFFIAny content;
    TypeTraits<ObjectPtr<Object>>::CopyToAnyView(*slot, &content);
    if (TypeTraits<TObjRef>::CheckAnyStrict(&content)) {
      return RValueRef<TObjRef>(
          detail::ObjectUnsafe::ObjectRefFromObjectPtr<TObjRef>(std::move(*slot)));
    }
    return Wrap(TypeTraits<TObjRef>::TryCastFromAnyView(&content));
  }

  static std::string GetMismatchTypeInfo(const TVMFFIAny* source) {
    if (source->type_index != TypeIndex::kTVMFFIObjectRValueRef) {
      return TypeTraits<TObjRef>::GetMismatchTypeInfo(source);
    }
    TVMFFIAny content;
    TypeTraits<ObjectPtr<Object>>::CopyToAnyView(*static_cast<ObjectPtr<Object>*>(source->v_ptr),
                                                 &content);
    return "RValueRef<" + TypeTraits<TObjRef>::GetMismatchTypeInfo(&content) + ">";
  }
  static std::string TypeStr() { return "RValueRef<" + TypeTraits<TObjRef>::TypeStr() + ">"; }
  static std::string TypeSchema() {
    return R"({"type":"ObjectRValueRef","args":[)" + detail::TypeSchema<TObjRef>::v() + "]}";
  }

 private:
  static std::optional<RValueRef<TObjRef>> Wrap(std::optional<TObjRef> value) {
    if (!value.has_value()) return std::nullopt;
    return RValueRef<TObjRef>(*std::move(value));
  }
};

}  // namespace tvm::ffi
#endif  // TVM_FFI_RVALUE_REF_H_
