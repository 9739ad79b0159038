// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/detail/enum_register.h
 * \brief Functions that write the entries of an enum. They call global functions of the runtime
 * library. If an older runtime library does not have these global functions, they write to the
 * EnumState of the enum directly.
 *
 * Used by reflection/enum_def.h, and through it by reflection/enum_entry.h.
 */
#ifndef TVM_FFI_DETAIL_ENUM_REGISTER_H_
#define TVM_FFI_DETAIL_ENUM_REGISTER_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tvm::ffi::reflection::detail {

/*! \brief Convert a value to an Any. A callable that an Any cannot hold becomes a Function;
 * messages of its errors name it `type_key.name`. */
template <typename T>
inline Any ToStoredValue(const char* type_key, const char* name, T&& value) {
  RefuseNullFunction(name, value);
  if constexpr (std::is_convertible_v<T&&, Any>) {
    return Any(std::forward<T>(value));
  } else {
    return Any(WrapMethod(std::forward<T>(value), QualifiedName(type_key, name)));
  }
}

[[noreturn]] TVM_FFI_COLD_CODE inline void ThrowDuplicateEnumIndex(int32_t type_index,
                                                                   const String& name,
                                                                   int64_t number) {
  TVM_FFI_THROW(ValueError) << "Duplicate enum index for type `" << TypeIndexToTypeKey(type_index)
                            << "`: cannot register `" << name << "`, its name or index " << number
                            << " is taken";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Find a field by name, including inherited fields; NULL when there is none. */
inline const TVMFFIFieldInfo* FindFieldInfo(const TypeInfo* type, std::string_view name) {
  const TVMFFIFieldInfo* found = nullptr;
  ForEachFieldInfo(type, [&](const TVMFFIFieldInfo* info) {
    if (NameEquals(info->name, name)) found = info;  // the last match is the most derived one
  });
  return found;
}

/*! \brief Do the work of AddEnumEntry with a runtime library that has no `ffi.EnumAddEntry`. */
inline void AddEnumEntryToState(int32_t type_index, const String& name,
                                std::optional<int64_t> int_index, const ObjectRef& entry,
                                const Map<String, Any>& fields) {
  const TypeInfo* type = TVMFFIGetTypeInfo(type_index);
  for (const auto& [field, value] : fields) {
    const TVMFFIFieldInfo* info = FindFieldInfo(type, {field.data(), field.size()});
    if (info == nullptr) {
      TVM_FFI_THROW(RuntimeError) << "Cannot find field  `" << field << "` in "
                                  << TypeIndexToTypeKey(type_index);
    }
    FieldSetter setter(info);
    setter(entry, value);
  }
  MarkAsEnum(type_index);
  EnumState state = *tvm::ffi::detail::FindEnumState(type_index);
  int64_t number = int_index.value_or(static_cast<int64_t>(state->entries.size()));
  if (state->indexes.count(number) != 0 || state->indexes.count(name) != 0) {
    ThrowDuplicateEnumIndex(type_index, name, number);
  }
  if (const EnumObj* named = entry.as<EnumObj>()) {
    const_cast<EnumObj*>(named)->_int_index = number;
    const_cast<EnumObj*>(named)->_str_index = name;
  }
  state->entries.push_back(entry);
  state->indexes.Set(number, entry);
  state->indexes.Set(name, entry);
}

/*!
 * \brief Make an object an entry of its enum.
 * \param type_index the type, which becomes an enum if it is not an enum yet.
 * \param name a free name.
 * \param int_index a free number; nullopt for the number by order of registration.
 * \param entry instance of the type; an EnumObj gets the number and the name.
 * \param fields values of fields. Fields that are not registered yet are set when they are.
 * \throws Error ValueError when the name or the number is taken, RuntimeError for a field that does
 *         not exist, or the error of a setter; then the entry is not registered.
 */
inline void AddEnumEntry(int32_t type_index, const String& name, std::optional<int64_t> int_index,
                         const ObjectRef& entry, const Map<String, Any>& fields = {}) {
  static const std::optional<Function> add = Function::GetGlobal("ffi.EnumAddEntry");
  if (add.has_value()) {
    Any number = int_index.has_value() ? Any(*int_index) : Any();
    (*add)(type_index, name, number, entry, fields);
    return;
  }
  AddEnumEntryToState(type_index, name, int_index, entry, fields);
}

/*!
 * \brief Store a value for an entry of an enum in a column, which has one value for each entry;
 * overwrite an existing value.
 *
 * The entry itself may be added after its value.
 */
inline void SetEnumAttr(int32_t type_index, const String& column, const String& name, Any value) {
  static const std::optional<Function> set = Function::GetGlobal("ffi.EnumSetAttr");
  if (set.has_value()) {
    (*set)(type_index, column, name, std::move(value));
    return;
  }
  ObjectRef entry = tvm::ffi::detail::GetEnumEntry(type_index, name);
  EnumState state = *tvm::ffi::detail::FindEnumState(type_index);
  std::optional<Dict<ObjectRef, Any>> values = state->attrs.Get(column);
  if (!values.has_value()) state->attrs.Set(column, values.emplace());
  values->Set(entry, value);
}

/*! \brief Return the name of an object in its enum; nullopt when it was never registered. */
inline std::optional<String> FindEnumName(int32_t type_index, const ObjectRef& entry) {
  if (const EnumObj* named = entry.as<EnumObj>()) return named->_str_index;
  static const std::optional<Function> name_of = Function::GetGlobal("ffi.EnumNameOf");
  if (name_of.has_value()) {
    Any name = (*name_of)(entry);
    if (name == nullptr) return std::nullopt;
    return std::move(name).cast<String>();
  }
  std::optional<EnumState> state = tvm::ffi::detail::FindEnumState(type_index);
  if (!state.has_value()) return std::nullopt;
  for (const auto& [index, known] : (*state)->indexes) {
    if (known.same_as(entry)) {
      if (std::optional<String> name = index.template as<String>()) return name;
    }
  }
  return std::nullopt;
}

}  // namespace tvm::ffi::reflection::detail

#endif  // TVM_FFI_DETAIL_ENUM_REGISTER_H_
