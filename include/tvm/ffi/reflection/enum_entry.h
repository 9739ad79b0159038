// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/enum_entry.h
 * \brief Enums of any object class. Any library may add entries, and columns with a value for each
 * entry.
 *
 *     refl::ObjectDef<ActivationObj>().as_enum()
 *         .def_ro("approximate", &ActivationObj::approximate);
 *     refl::EnumEntry<ActivationObj>("GeLU").set("approximate", true);
 *     refl::EnumAttrDef<ActivationObj>("f_compute").set("GeLU", gelu_compute);
 *     Function compute = EnumAttrMap<ActivationObj>("f_compute")[gelu];
 *
 * These lines may be in different files and libraries, and may run in any order. Writing and
 * reading are safe from any thread, also at the same time.
 */
#ifndef TVM_FFI_REFLECTION_ENUM_ENTRY_H_
#define TVM_FFI_REFLECTION_ENUM_ENTRY_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi {
namespace reflection {

/*!
 * \brief One entry of an enum, which is registered at the end of the full expression:
 * `EnumEntry<Obj>("GeLU").set("approximate", true);`.
 *
 * The entry makes `Obj` an enum if `Obj` is not an enum yet. The entry is not registered when an
 * exception leaves the expression.
 * \tparam Obj default-constructible object class.
 */
template <typename Obj>
class EnumEntry {
 public:
  static_assert(std::is_base_of_v<Object, Obj>, "Obj must derive from Object");
  static_assert(std::is_default_constructible_v<Obj>,
                "an enum class must be default-constructible");

  /*! \brief Make an entry. Its number is the number of entries that are already registered. */
  explicit EnumEntry(const char* name) : name_(name) {
    static_assert(!std::is_base_of_v<IntEnumObj, Obj>,
                  "an IntEnum entry needs its number: EnumEntry(name, number)");
  }
  /*! \brief Make an entry of an IntEnum. */
  EnumEntry(const char* name, int64_t int_index) : name_(name), int_index_(int_index) {
    static_assert(std::is_base_of_v<IntEnumObj, Obj>,
                  "only IntEnum entries have a number of their own: EnumEntry(name)");
  }
  EnumEntry(const EnumEntry&) = delete;
  EnumEntry& operator=(const EnumEntry&) = delete;

  /*! \brief Set the value of a reflected field, which may be read-only or inherited. */
  template <typename V>
  EnumEntry& set(const char* field, V&& value) {
    fields_.Set(String(field),
                detail::ToStoredValue(Obj::_type_key, field, std::forward<V>(value)));
    return *this;
  }

  /*!
   * \brief Make the object, set its fields, register it.
   *
   * While a library is being loaded, this function may run before the ObjectDef of the type. In
   * that case, the values are kept, and set when the ObjectDef registers the fields.
   * \throws Error RuntimeError for a field that does not exist, the exceptions of the setter,
   *         ValueError when the name or the number is taken. After an exception, the entry is not
   *         registered.
   */
  ~EnumEntry() noexcept(false) {
    if (std::uncaught_exceptions() != uncaught_exceptions_) return;
    detail::AddEnumEntry(Obj::_GetOrAllocRuntimeTypeIndex(), name_, int_index_,
                         ObjectRef(make_object<Obj>()), fields_);
  }

 private:
  String name_;
  std::optional<int64_t> int_index_;
  Map<String, Any> fields_;
  int uncaught_exceptions_ = std::uncaught_exceptions();
};

/*!
 * \brief Sets values of entries by name: `EnumAttrDef<Obj>("f_compute").set("ReLU", relu_compute)`.
 *
 * Any library may add a column (one attribute, with a value for each entry) to any enum. A value
 * may be set before its entry is registered. It becomes visible when the entry is registered.
 */
template <typename Obj>
class EnumAttrDef {
 public:
  explicit EnumAttrDef(const char* column) : column_(column) {}

  /*! \brief Store a value; overwrite an existing value. A callable is converted to a Function. */
  template <typename V>
  EnumAttrDef& set(const char* entry_name, V&& value) {
    detail::SetEnumAttr(Obj::_GetOrAllocRuntimeTypeIndex(), String(column_), String(entry_name),
                        detail::ToStoredValue(Obj::_type_key, column_, std::forward<V>(value)));
    return *this;
  }

 private:
  const char* column_;
};

/*! \brief A value of an EnumAttrMap: an Any that converts implicitly to the wanted type. */
class EnumAttrValue : public Any {
 public:
  explicit EnumAttrValue(Any value) : Any(std::move(value)) {}

  /*! \brief Return the value as a `T`; TypeError when it does not convert. */
  template <typename T, typename = std::enable_if_t<TypeTraits<T>::convert_enabled &&
                                                    !std::is_same_v<T, std::nullptr_t>>>
  operator T() const {  // NOLINT(google-explicit-constructor)
    return this->template cast<T>();
  }
};

/*!
 * \brief Access to one column of an enum by entry. Each access reads the current value.
 *
 * Each function throws TypeError if `entry` is not an `Obj`.
 */
template <typename Obj>
class EnumAttrMap {
 public:
  explicit EnumAttrMap(const char* column) : column_(column) {}

  /*! \brief Return the value of an entry. \throws Error KeyError when there is none. */
  EnumAttrValue operator[](const ObjectRef& entry) const {
    std::optional<Any> value = Find(entry);
    if (TVM_FFI_PREDICT_FALSE(!value.has_value())) ThrowNotSet(entry);
    return EnumAttrValue(*std::move(value));
  }

  /*! \brief Return whether the entry has a value. */
  bool count(const ObjectRef& entry) const { return Find(entry).has_value(); }

  /*! \brief Return the value of an entry, or a default. */
  template <typename T>
  T get(const ObjectRef& entry, T default_value) const {
    std::optional<Any> value = Find(entry);
    return value.has_value() ? value->template cast<T>() : std::move(default_value);
  }

  /*! \brief Store a value; overwrite an existing value. \throws Error ValueError for an
   * unregistered object. */
  void Set(const ObjectRef& entry, Any value) {
    CheckType(entry);
    std::optional<String> name = detail::FindEnumName(Obj::RuntimeTypeIndex(), entry);
    if (!name.has_value() || !IsEntry(*name, entry)) {
      TVM_FFI_THROW(ValueError) << "The object is not an instance of enum `" << Obj::_type_key
                                << "`";
    }
    detail::SetEnumAttr(Obj::_GetOrAllocRuntimeTypeIndex(), column_, *name, std::move(value));
  }

 private:
  static void CheckType(const ObjectRef& entry) {
    if (TVM_FFI_PREDICT_FALSE(entry.as<Obj>() == nullptr)) {
      TVM_FFI_THROW(TypeError) << "expected " << Obj::_type_key << ", got "
                               << ffi::detail::TypeNameInText(entry.type_index());
    }
  }

  static bool IsEntry(const String& name, const ObjectRef& object) {
    std::optional<ObjectRef> entry =
        tvm::ffi::detail::FindEnumEntry(Obj::RuntimeTypeIndex(), Any(name));
    return entry.has_value() && entry->same_as(object);
  }

  std::optional<Any> Find(const ObjectRef& entry) const {
    CheckType(entry);
    static const std::optional<Function> get = Function::GetGlobal("ffi.EnumGetAttr");
    if (get.has_value()) {
      // The runtime holds its lock while it reads, so that a write of another thread at the same
      // time is safe.
      static const Any missing = Function::GetGlobalRequired("ffi.GetInvalidObject")();
      Any value = (*get)(Obj::RuntimeTypeIndex(), column_, entry, /*may_wait=*/true);
      if (value.same_as(missing)) return std::nullopt;
      return value;
    }
    std::optional<EnumState> state = tvm::ffi::detail::FindEnumState(Obj::RuntimeTypeIndex());
    if (!state.has_value()) return std::nullopt;
    std::optional<Dict<ObjectRef, Any>> values = (*state)->attrs.Get(column_);
    return values.has_value() ? values->Get(entry) : std::nullopt;
  }

  [[noreturn]] TVM_FFI_COLD_CODE void ThrowNotSet(const ObjectRef& entry) const {
    std::optional<String> name = detail::FindEnumName(Obj::RuntimeTypeIndex(), entry);
    TVM_FFI_THROW(KeyError) << column_ << " not set for '"
                            << (name.has_value() ? *name : String("<unregistered>")) << "'";
    TVM_FFI_UNREACHABLE();
  }

  String column_;
};

/*!
 * \brief Return the entry with a name. A reference class can call this function in a static member
 * function `Get(name)`.
 * \tparam TRef reference class of the enum.
 * \throws Error ValueError when there is none.
 */
template <typename TRef>
inline TRef EnumGet(std::string_view name) {
  return tvm::ffi::detail::GetEnumEntry(TRef::ContainerType::RuntimeTypeIndex(),
                                        String(name.data(), name.size()))
      .template as_or_throw<TRef>();
}

}  // namespace reflection

using reflection::EnumAttrDef;
using reflection::EnumAttrMap;
using reflection::EnumEntry;
using reflection::TypeAttrColumn;

}  // namespace tvm::ffi

#endif  // TVM_FFI_REFLECTION_ENUM_ENTRY_H_
