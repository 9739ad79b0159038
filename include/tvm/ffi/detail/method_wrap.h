// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/method_wrap.h
 * \brief Functions that convert the callable or method pointer of a registration to a Function, and
 * make its metadata.
 *
 * Used by reflection/info_trait.h and reflection/registry.h.
 */
#ifndef TVM_FFI_DETAIL_METHOD_WRAP_H_
#define TVM_FFI_DETAIL_METHOD_WRAP_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tvm::ffi::reflection {

namespace detail {

/*! \brief Entries that follow `type_schema` in a metadata text, in order. */
using MetadataEntries = std::vector<std::pair<String, Any>>;

/*!
 * \brief Return a metadata text: one JSON object without blanks, whose entry `type_schema` is a
 * string, the JSON text of the schema.
 * \param schema returns the schema.
 * \param entries int, bool or string values; keys are written without escapes.
 * \throws Error TypeError for a value of another type.
 */
TVM_FFI_COLD_CODE TVM_FFI_NO_INLINE inline std::string MetadataText(
    FTypeText schema, const MetadataEntries& entries) {
  auto quoted = [](const String& text) { return std::string(EscapeStringJSON(text)); };
  std::string text = "{\"type_schema\":" + quoted(String(schema()));
  for (const auto& [key, value] : entries) {
    text.append(",\"").append(key.data(), key.size()).append("\":");
    if (value.type_index() == TypeIndex::kTVMFFIInt) {
      text += std::to_string(value.cast<int64_t>());
    } else if (value.type_index() == TypeIndex::kTVMFFIBool) {
      text += value.cast<bool>() ? "true" : "false";
    } else if (auto string = value.as<String>()) {
      text += quoted(*string);
    } else {
      TVM_FFI_THROW(TypeError) << "Metadata can be only int, bool or string, but on key `" << key
                               << "`, the type is " << value.GetTypeKey();
    }
  }
  return text + "}";
}

/*! \brief Return the schema of a function whose signature is unknown. */
inline std::string OpaqueFunctionSchema() { return "{\"type\":\"ffi.Function\"}"; }

/*! \brief The exposed signature of a callable of type `Func`, and a function Wrap() that converts
 * the callable to one with this signature. */
template <typename Func>
struct MethodWrap {
  using FType = typename FunctionInfo<Func>::FType;
  template <typename F>
  static F&& Wrap(F&& func) {
    return std::forward<F>(func);
  }
};

/*! \brief Calls a method of an object that is passed as pointer to const. */
template <typename Class, typename Method>
struct ObjectMethodCall {
  Method method;
  template <typename... Args>
  TVM_FFI_INLINE decltype(auto) operator()(const Class* self, Args&&... args) const {
    return (const_cast<Class*>(self)->*method)(std::forward<Args>(args)...);
  }
};

/*! \brief Calls a method of a reference class. */
template <typename Method>
struct RefMethodCall {
  Method method;
  template <typename Ref, typename... Args>
  TVM_FFI_INLINE decltype(auto) operator()(Ref&& self, Args&&... args) const {
    return (self.*method)(std::forward<Args>(args)...);
  }
};

/*!
 * \brief The MethodWrap of a method pointer.
 *
 * For an object class, the receiver is passed as `const Class*`, even if the method is not const.
 * For a class derived from ObjectRef, the receiver is passed by const reference if the method is
 * const, otherwise by value.
 */
template <bool kIsConst, typename Method, typename Class, typename R, typename... Args>
struct MemberMethodWrap {
  static_assert(is_method_class_v<Class>,
                "a method can be registered if its class derives from Object or ObjectRef");
  static constexpr bool kIsObject = std::is_base_of_v<Object, Class>;
  using Receiver = std::conditional_t<kIsObject, const Class*,
                                      std::conditional_t<kIsConst, const Class&, Class>>;
  using FType = R(Receiver, Args...);
  static auto Wrap(Method method) {
    if constexpr (kIsObject) {
      return ObjectMethodCall<Class, Method>{method};
    } else {
      return RefMethodCall<Method>{method};
    }
  }
};

// C++ requires one specialisation for each set of qualifiers.
#define TVM_FFI_MEMBER_METHOD_WRAP_(Qualifiers, IsConst)  \
  template <typename Class, typename R, typename... Args> \
  struct MethodWrap<R (Class::*)(Args...) Qualifiers>     \
      : MemberMethodWrap<IsConst, R (Class::*)(Args...) Qualifiers, Class, R, Args...> {};
#define TVM_FFI_NO_QUALIFIER_
TVM_FFI_MEMBER_METHOD_WRAP_(TVM_FFI_NO_QUALIFIER_, false)
TVM_FFI_MEMBER_METHOD_WRAP_(const, true)
TVM_FFI_MEMBER_METHOD_WRAP_(noexcept, false)
TVM_FFI_MEMBER_METHOD_WRAP_(const noexcept, true)
TVM_FFI_MEMBER_METHOD_WRAP_(&, false)
TVM_FFI_MEMBER_METHOD_WRAP_(const&, true)
TVM_FFI_MEMBER_METHOD_WRAP_(& noexcept, false)
TVM_FFI_MEMBER_METHOD_WRAP_(const& noexcept, true)
#undef TVM_FFI_NO_QUALIFIER_
#undef TVM_FFI_MEMBER_METHOD_WRAP_

/*! \brief The exposed signature of a callable of type `Func`. */
template <typename Func>
using MethodFType = typename MethodWrap<std::decay_t<Func>>::FType;

/*! \brief Return a Function that calls `func`; messages of its errors name the function `name`. */
template <typename Func>
inline Function WrapMethod(Func&& func, std::string name) {
  using Wrap = MethodWrap<std::decay_t<Func>>;
  return TypedFunction<typename Wrap::FType>(Wrap::Wrap(std::forward<Func>(func)), std::move(name))
      .packed();
}

/*! \brief Make an object with a constructor; `__ffi_init__` calls this function. */
template <typename Class, typename... Args>
ObjectRef MakeByInit(Args... args) {
  return ObjectRef(make_object<Class>(std::forward<Args>(args)...));
}

}  // namespace detail
}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_DETAIL_METHOD_WRAP_H_
