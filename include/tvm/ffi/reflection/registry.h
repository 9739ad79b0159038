// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/registry.h
 * \brief Classes that register types, their members and attributes, and global functions.
 *
 * Use these classes while a library is loaded, usually in a TVM_FFI_STATIC_INIT_BLOCK. The runtime
 * copies every text and retains every value that is registered.
 */
#ifndef TVM_FFI_REFLECTION_REGISTRY_H_
#define TVM_FFI_REFLECTION_REGISTRY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/detail/field_access.h>
#include <tvm/ffi/detail/registration.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/info_trait.h>
#include <tvm/ffi/string.h>
#include <tvm/ffi/type_traits.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Unused here: programs that were written for earlier releases expect that this header includes it.
#include <tvm/ffi/container/variant.h>

namespace tvm::ffi::reflection {

/* ------------------------------------------------------------------ overload selection */

/*! \brief Second argument of overload_cast: select a const method. */
inline constexpr std::true_type const_ = {};

namespace detail {

/*! \brief Selects the overload whose parameters are `Args`. If there is no such overload, selects
 * the only overload whose first parameters are `Args`. */
template <typename... Args>
struct OverloadCast {
  template <typename R>
  constexpr auto operator()(R (*func)(Args...)) const noexcept -> decltype(func) {
    return func;
  }
  template <typename R, typename... Rest>
  constexpr auto operator()(R (*func)(Args..., Rest...)) const noexcept -> decltype(func) {
    return func;
  }
  template <typename R, typename Class>
  constexpr auto operator()(R (Class::*func)(Args...), std::false_type = {}) const noexcept
      -> decltype(func) {
    return func;
  }
  template <typename R, typename Class, typename... Rest>
  constexpr auto operator()(R (Class::*func)(Args..., Rest...), std::false_type = {}) const noexcept
      -> decltype(func) {
    return func;
  }
  template <typename R, typename Class>
  constexpr auto operator()(R (Class::*func)(Args...) const, std::true_type) const noexcept
      -> decltype(func) {
    return func;
  }
  template <typename R, typename Class, typename... Rest>
  constexpr auto operator()(R (Class::*func)(Args..., Rest...) const, std::true_type) const noexcept
      -> decltype(func) {
    return func;
  }
};

}  // namespace detail

/*!
 * \brief Select one overload: `overload_cast<int>(&Get)`, `overload_cast<int>(&Class::Get,
 * const_)`.
 *
 * Selects the overload whose parameters are `Args`. If there is no such overload, selects the only
 * overload whose first parameters are `Args`. The result is a constant expression.
 */
template <typename... Args>
inline constexpr detail::OverloadCast<Args...> overload_cast = {};

/* ------------------------------------------------------------------ registration */

/*! \brief Registers global functions; `GlobalDef().def("my.add", Add).def(...)`. */
class GlobalDef {
 public:
  /*!
   * \brief Register a function with a signature.
   * \param name the global name, which must be free (otherwise RuntimeError).
   * \param func callable, as for Function::FromTyped.
   * \param extra documentation text and info traits.
   */
  template <typename Func, typename... Extra>
  GlobalDef& def(const char* name, Func&& func, Extra&&... extra) {
    using Info = detail::FunctionInfo<std::decay_t<Func>>;
    detail::RefuseNullFunction(name, func);
    Register(name, Function::FromTyped(std::forward<Func>(func), std::string(name)),
             &Info::TypeSchema, extra...);
    return *this;
  }

  /*! \brief Register a function that takes packed arguments, as for Function::FromPacked. */
  template <typename Func, typename... Extra>
  GlobalDef& def_packed(const char* name, Func func, Extra&&... extra) {
    detail::RefuseNullFunction(name, func);
    if constexpr (std::is_convertible_v<Func, Function>) {
      Register(name, std::move(func), &detail::OpaqueFunctionSchema, extra...);
    } else {
      Register(name, Function::FromPacked(std::move(func)), &detail::OpaqueFunctionSchema,
               extra...);
    }
    return *this;
  }

  /*! \brief Register a method as a function whose first parameter is the receiver. */
  template <typename Func, typename... Extra>
  GlobalDef& def_method(const char* name, Func&& func, Extra&&... extra) {
    detail::RefuseNullFunction(name, func);
    Register(name, detail::WrapMethod(std::forward<Func>(func), std::string(name)),
             &detail::FunctionInfo<detail::MethodFType<Func>>::TypeSchema, extra...);
    return *this;
  }

 private:
  template <typename... Extra>
  static void Register(const char* name, const Function& func, detail::FTypeText schema,
                       const Extra&... extra) {
    detail::RegisterMethodInfo(
        name, kTVMFFIFieldFlagBitMaskIsStaticMethod, func, schema,
        [](const TVMFFIMethodInfo* info) { return TVMFFIFunctionSetGlobalFromMethodInfo(info, 0); },
        extra...);
  }
};

/*!
 * \brief Registers an object type: `ObjectDef<MyObj>().def_ro("x", &MyObj::x)`.
 *
 * The constructor registers the metadata of the type, and each call registers one member. The
 * destructor, which may throw, registers the attributes that follow from the class:
 * `__ffi_shallow_copy__`, `__ffi_new__`, `__ffi_init__` (automatic constructor) and
 * `__ffi_type_final__`. A second ObjectDef of one type is a RuntimeError.
 */
template <typename Class>
class ObjectDef {
 public:
  static_assert(std::is_base_of_v<Object, Class>, "Class must derive from Object");
  static_assert(tvm::ffi::detail::HasOwnTypeInfo<Class>(),
                "Class has no type of its own: TVM_FFI_DECLARE_OBJECT_INFO is missing in it");

  /*! \param extra documentation text; `init(false)` for no automatic constructor. */
  template <typename... Extra>
  explicit ObjectDef(Extra&&... extra) : type_index_(detail::TypeIndexForRegistration<Class>()) {
    TVMFFITypeMetadata info{};
    if constexpr (detail::has_creator_v<Class>) info.creator = &detail::CreateObject<Class>;
    info.total_size = static_cast<int32_t>(sizeof(Class));
    info.structural_eq_hash_kind = Class::_type_s_eq_hash_kind;
    (ApplyTypeExtra(&info, extra), ...);
    TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeRegisterMetadata(type_index_, &info));
  }
  ObjectDef(const ObjectDef&) = delete;
  ObjectDef(ObjectDef&&) = delete;
  ObjectDef& operator=(const ObjectDef&) = delete;
  ObjectDef& operator=(ObjectDef&&) = delete;

  ~ObjectDef() noexcept(false) {
    // When the registration of a member has thrown, a second exception would end the process.
    if (std::uncaught_exceptions() == uncaught_exceptions_) RegisterClassAttributes();
  }

  /*!
   * \brief Register a field that language bindings (such as the Python extension) may read.
   * \param name the name of the field, not yet used in this type.
   * \param field member of Class or of a base.
   * \param extra documentation text and info traits.
   */
  template <typename T, typename BaseClass, typename... Extra>
  ObjectDef& def_ro(const char* name, T BaseClass::* field, Extra&&... extra) {
    RegisterField(name, field, 0, extra...);
    return *this;
  }

  /*! \brief Register a field that language bindings may read and write. */
  template <typename T, typename BaseClass, typename... Extra>
  ObjectDef& def_rw(const char* name, T BaseClass::* field, Extra&&... extra) {
    RegisterField(name, field, kTVMFFIFieldFlagBitMaskWritable, extra...);
    return *this;
  }

  /*!
   * \brief Register a method.
   * \param name the name of the method.
   * \param func method of Class, of a base or of a reference class, or a callable that takes the
   *         receiver first.
   * \param extra documentation text and info traits.
   */
  template <typename Func, typename... Extra>
  ObjectDef& def(const char* name, Func&& func, Extra&&... extra) {
    using Info = detail::FunctionInfo<detail::MethodFType<Func>>;
    detail::RefuseNullFunction(name, func);
    RegisterMethod(
        name, 0,
        detail::WrapMethod(std::forward<Func>(func), detail::QualifiedName(Class::_type_key, name)),
        &Info::TypeSchema, extra...);
    return *this;
  }

  /*! \brief Register a function that belongs to the type but does not take a receiver. */
  template <typename Func, typename... Extra>
  ObjectDef& def_static(const char* name, Func&& func, Extra&&... extra) {
    using Info = detail::FunctionInfo<detail::MethodFType<Func>>;
    detail::RefuseNullFunction(name, func);
    RegisterMethod(
        name, kTVMFFIFieldFlagBitMaskIsStaticMethod,
        detail::WrapMethod(std::forward<Func>(func), detail::QualifiedName(Class::_type_key, name)),
        &Info::TypeSchema, extra...);
    return *this;
  }

  /*!
   * \brief Register a constructor, as static method and type attribute `__ffi_init__`.
   *
   * If Class has neither a default constructor nor a constructor from UnsafeInit, `__ffi_new__`
   * calls this constructor with value-initialised arguments.
   */
  template <typename... Args, typename... Extra>
  ObjectDef& def([[maybe_unused]] init<Args...> constructor, Extra&&... extra) {
    using Info = detail::FunctionInfo<ObjectRef(Args...)>;
    const char* name = type_attr::kInit.name;
    Function func = detail::WrapMethod(&detail::MakeByInit<Class, Args...>,
                                       detail::QualifiedName(Class::_type_key, name));
    RegisterMethod(name, kTVMFFIFieldFlagBitMaskIsStaticMethod, func, &Info::TypeSchema, extra...);
    RegisterInitAttr<Args...>(func);
    return *this;
  }

  /*! \brief Set a type attribute to `value`; a callable becomes a Function. */
  template <typename T>
  ObjectDef& def_type_attr(const char* name, T&& value) {
    detail::DefineTypeAttr(type_index_, Class::_type_key, name, std::forward<T>(value));
    return *this;
  }

  /*! \brief Make the type an enum: its objects are named singletons, see reflection/enum_entry.h.
   * The call may be anywhere in the chain, and may be repeated. */
  ObjectDef& as_enum() {
    detail::MarkAsEnum(type_index_);
    return *this;
  }

  /*! \brief Set `__ffi_convert__` to the conversion to `TSelf`, a reference to Class. */
  template <typename TSelf>
  ObjectDef& def_convert() {
    detail::DefineConvert<Class, TSelf>(type_index_, Class::_type_key);
    return *this;
  }

 protected:
  template <typename... Extra>
  void RegisterMethod(const char* name, int64_t flags, const Function& func,
                      detail::FTypeText schema, const Extra&... extra) {
    int32_t type_index = type_index_;
    detail::RegisterMethodInfo(
        name, flags, func, schema,
        [type_index](const TVMFFIMethodInfo* info) {
          return TVMFFITypeRegisterMethod(type_index, info);
        },
        extra...);
  }

  /*! \brief Register `func`, which constructs from `Args`, as the constructor of the type. */
  template <typename... Args>
  void RegisterInitAttr(const Function& func) {
    has_explicit_init_ = true;
    detail::RegisterTypeAttr(type_index_, type_attr::kInit.name, func);
    if constexpr (!detail::has_creator_v<Class>) {
      detail::DefineTypeAttr(type_index_, Class::_type_key, type_attr::kNew.name,
                             &detail::MakeEmptyByInit<Class, Args...>);
    }
  }

 private:
  template <typename Extra>
  void ApplyTypeExtra(TVMFFITypeMetadata* info, const Extra& extra) {
    if constexpr (std::is_same_v<Extra, init<>>) {
      auto_init_ = extra.value();
    } else {
      detail::ApplyExtra(info, extra);
    }
  }

  template <typename T, typename BaseClass, typename... Extra>
  void RegisterField(const char* name, T BaseClass::* field, int64_t flags, const Extra&... extra) {
    static_assert(std::is_base_of_v<BaseClass, Class>, "the field must be a member of Class");
    static_assert(!std::is_const_v<T>, "a reflected field cannot be const: its setter writes it");
    int64_t offset = GetFieldByteOffsetToObject<Class, T>(field);
    detail::RegisterFieldInfo<T>(type_index_, name, offset, flags, extra...);
  }

  void RegisterClassAttributes() {
    if constexpr (std::is_copy_constructible_v<Class>) {
      def_type_attr(type_attr::kShallowCopy.name, [](const Class* self) -> ObjectRef {
        return ObjectRef(make_object<Class>(*self));
      });
    }
    if constexpr (detail::has_creator_v<Class>) {
      def_type_attr(type_attr::kNew.name,
                    []() -> ObjectRef { return ObjectRef(detail::MakeEmpty<Class>()); });
      if (auto_init_ && !has_explicit_init_) {
        // The function is absent only while the runtime registers its own first types.
        std::optional<Function> make_init = Function::GetGlobal("ffi._RegisterFFIInit");
        if (make_init.has_value()) (*make_init)(type_index_);
      }
    }
    detail::RegisterTypeAttr(type_index_, type_attr::kTypeFinal.name, Class::_type_final);
  }

  int32_t type_index_;
  int uncaught_exceptions_ = std::uncaught_exceptions();
  bool has_explicit_init_ = false;
  bool auto_init_ = true;
};

/*! \brief Registers attributes of a type that is described elsewhere. */
template <typename Class>
class TypeAttrDef {
 public:
  TypeAttrDef() : type_index_(detail::TypeIndexForRegistration<Class>()) {}

  /*! \brief Set an attribute to `value`; a callable becomes a Function. */
  template <typename T>
  TypeAttrDef& def(const char* name, T&& value) {
    detail::DefineTypeAttr(type_index_, Class::_type_key, name, std::forward<T>(value));
    return *this;
  }

  /*! \brief Set `__ffi_convert__` to the conversion to `TSelf`, a reference to Class. */
  template <typename TSelf>
  TypeAttrDef& def_convert() {
    detail::DefineConvert<Class, TSelf>(type_index_, Class::_type_key);
    return *this;
  }

  /*! \brief Set an attribute; `value` is first converted to the type of the key. */
  template <typename T, typename V>
  TypeAttrDef& attr(AttrKey<T> key, V&& value) {
    if constexpr (std::is_constructible_v<T, V&>) {
      T converted(value);
      detail::RegisterTypeAttr(type_index_, key.name, converted);
    } else {
      T converted(std::forward<V>(value));
      detail::RegisterTypeAttr(type_index_, key.name, converted);
    }
    return *this;
  }
  /*! \brief Set an attribute to a value. */
  template <typename T>
  TypeAttrDef& attr(const char* name, T&& value) {
    detail::RefuseNullFunction(name, value);
    detail::RegisterTypeAttr(type_index_, name, AnyView(std::forward<T>(value)));
    return *this;
  }

  /*! \brief Use the C++ function `Fn` as a hook: `native_fn_attr<&MyHash>(type_attr::kAnyHash)`. */
  template <auto Fn, typename T>
  TypeAttrDef& native_fn_attr(AttrKey<T> key) {
    return attr(key, T::template FromNative<Fn>());
  }

 private:
  int32_t type_index_;
};

/*! \brief Make the column of an attribute if it does not exist, so that TypeAttrColumn finds it. */
inline void EnsureTypeAttrColumn(std::string_view name) {
  detail::RegisterTypeAttr(TypeIndex::kTVMFFINone, name, AnyView(nullptr));
}
template <typename T>
inline void EnsureTypeAttrColumn(AttrKey<T> key) {
  EnsureTypeAttrColumn(std::string_view(key.name));
}

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_REGISTRY_H_
