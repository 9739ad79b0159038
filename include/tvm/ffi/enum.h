// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/enum.h
 * \brief Enums: object types with named singletons (entries), and the state that holds the entries.
 *
 * A type is an enum when its attribute `__ffi_enum__` holds an EnumState. Entries are added with
 * reflection::EnumDef (classes that derive from EnumObj) or reflection::EnumEntry (any class); both
 * write the same state. Entries live as long as the process and are equal when they are the same
 * object. Lookups are safe from any thread, also while another thread registers entries of the same
 * enum. The containers of an EnumState have no lock: read them only while no thread registers
 * entries.
 */
#ifndef TVM_FFI_ENUM_H_
#define TVM_FFI_ENUM_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>
#include <tvm/ffi/optional.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace tvm::ffi {

/*! \brief The state of one enum. Do not change the declarations of its fields: clients of other
 * versions write the fields directly, without a call of the runtime library. */
class EnumStateObj : public Object {
 public:
  /*! \brief The entries in order of registration. */
  List<ObjectRef> entries;
  /*! \brief Each entry by its number and by its name. */
  Dict<Any, ObjectRef> indexes;
  /*! \brief Additional values of the entries: name of a column -> entry -> value. */
  Dict<String, Dict<ObjectRef, Any>> attrs;

  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("ffi.EnumState", EnumStateObj, Object);
};

/*! \brief Reference to an EnumStateObj. */
class EnumState : public ObjectRef {
 public:
  /*! \brief Make the state of an enum without entries. */
  EnumState() : ObjectRef(make_object<EnumStateObj>()) {}
  explicit EnumState(ObjectPtr<EnumStateObj> object) : ObjectRef(std::move(object)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(EnumState, ObjectRef, EnumStateObj);
};

namespace type_attr {
/*! \brief The attribute that holds the state of an enum. */
inline constexpr reflection::AttrKey<EnumState> kEnumState{"__ffi_enum__"};
}  // namespace type_attr

namespace detail {

/*! \brief Return the state in an attribute, or nullopt for None. Throw TypeError for any other
 * value. */
inline std::optional<EnumState> EnumStateFromSlot(AnyView slot) {
  if (slot == nullptr) return std::nullopt;
  std::optional<EnumState> state = slot.as<EnumState>();
  if (TVM_FFI_PREDICT_FALSE(!state.has_value())) {
    TVM_FFI_THROW(TypeError) << "Expected `ffi.EnumState` in enum state column, but got `"
                             << TypeNameInText(slot.type_index()) << "`";
  }
  return state;
}

/*!
 * \brief Return the state of a type with all its entries; nullopt when the type is not an enum.
 * \throws Error RuntimeError when an entry has a value for a field that was never registered.
 */
inline std::optional<EnumState> FindEnumState(int32_t type_index) {
  static const std::optional<Function> find = Function::GetGlobal("ffi.EnumFindState");
  if (find.has_value()) return EnumStateFromSlot(AnyView((*find)(type_index)));
  // An older runtime library without `ffi.EnumFindState` stores the state in the attribute.
  static const reflection::TypeAttrColumn column(type_attr::kEnumState);
  return EnumStateFromSlot(column[type_index]);
}

[[noreturn]] TVM_FFI_COLD_CODE inline void ThrowNoEnumEntry(int32_t type_index,
                                                            std::string_view index) {
  TVM_FFI_THROW(ValueError) << "Enum `" << TypeIndexToTypeKey(type_index)
                            << "` has no instance with index " << index;
  TVM_FFI_UNREACHABLE();
}

/*! \brief Return the entry whose number or name is `index`, or nullopt. */
inline std::optional<ObjectRef> FindEnumEntry(int32_t type_index, const Any& index) {
  // The runtime library holds its lock while it searches, so the search is safe while another
  // thread registers entries.
  static const std::optional<Function> find = Function::GetGlobal("ffi.EnumFindEntry");
  if (find.has_value()) {
    Any entry = (*find)(type_index, index);
    if (entry == nullptr) return std::nullopt;
    return std::move(entry).cast<ObjectRef>();
  }
  std::optional<EnumState> state = FindEnumState(type_index);
  if (!state.has_value()) return std::nullopt;
  return (*state)->indexes.Get(index);
}

inline ObjectRef GetEnumEntry(int32_t type_index, int64_t number) {
  std::optional<ObjectRef> entry = FindEnumEntry(type_index, Any(number));
  if (!entry.has_value()) ThrowNoEnumEntry(type_index, std::to_string(number));
  return *std::move(entry);
}

inline ObjectRef GetEnumEntry(int32_t type_index, const String& name) {
  std::optional<ObjectRef> entry = FindEnumEntry(type_index, Any(name));
  if (!entry.has_value()) {
    ThrowNoEnumEntry(type_index, std::string_view(name.data(), name.size()));
  }
  return *std::move(entry);
}

}  // namespace detail

class Enum;

/*! \brief Base of enum objects that contain their number and their name. */
class EnumObj : public Object {
 public:
  /*! \brief The number: in an IntEnum the given number, otherwise the position in the order of
   * registration, from 0. */
  int64_t _int_index = 0;
  /*! \brief The name. */
  String _str_index;

  EnumObj() = default;
  EnumObj(int64_t int_index, String str_index)
      : _int_index(int_index), _str_index(std::move(str_index)) {}

  /*!
   * \brief Return the object of the enum `EnumClsObj` whose number is `int_index`.
   * \throws Error ValueError when there is none.
   */
  template <typename EnumClsObj>
  static Enum _GetByIntIndex(int64_t int_index);
  /*! \brief Return the object of the enum `EnumClsObj` whose name is `str_index`. Throw ValueError
   * when there is none. */
  template <typename EnumClsObj>
  static Enum _GetByStrIndex(const String& str_index);
  /*! \brief Return the object with a number or a name, for the enum with a type index. Throw
   * ValueError when there is none. */
  static Enum _GetByIntIndex(int32_t type_index, int64_t int_index);
  static Enum _GetByStrIndex(int32_t type_index, const String& str_index);

  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindUniqueInstance;
  TVM_FFI_DECLARE_OBJECT_INFO("ffi.Enum", EnumObj, Object);
};

/*! \brief Base of enum objects that are identified by number. */
class IntEnumObj : public EnumObj {
 public:
  using EnumObj::EnumObj;
  TVM_FFI_DECLARE_OBJECT_INFO("ffi.IntEnum", IntEnumObj, EnumObj);
};

/*! \brief Base of enum objects that are identified by name. */
class StrEnumObj : public EnumObj {
 public:
  using EnumObj::EnumObj;
  TVM_FFI_DECLARE_OBJECT_INFO("ffi.StrEnum", StrEnumObj, EnumObj);
};

/*! \brief Reference to an EnumObj. */
class Enum : public ObjectRef {
 public:
  explicit Enum(ObjectPtr<EnumObj> object) : ObjectRef(std::move(object)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Enum, ObjectRef, EnumObj);
};

/*! \brief Reference to an IntEnumObj. */
class IntEnum : public Enum {
 public:
  explicit IntEnum(ObjectPtr<IntEnumObj> object) : Enum(std::move(object)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(IntEnum, Enum, IntEnumObj);
};

/*! \brief Reference to a StrEnumObj. */
class StrEnum : public Enum {
 public:
  explicit StrEnum(ObjectPtr<StrEnumObj> object) : Enum(std::move(object)) {}
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(StrEnum, Enum, StrEnumObj);
};

template <typename EnumClsObj>
inline Enum EnumObj::_GetByIntIndex(int64_t int_index) {
  return _GetByIntIndex(EnumClsObj::RuntimeTypeIndex(), int_index);
}
template <typename EnumClsObj>
inline Enum EnumObj::_GetByStrIndex(const String& str_index) {
  return _GetByStrIndex(EnumClsObj::RuntimeTypeIndex(), str_index);
}
inline Enum EnumObj::_GetByIntIndex(int32_t type_index, int64_t int_index) {
  return detail::GetEnumEntry(type_index, int_index).as_or_throw<Enum>();
}
inline Enum EnumObj::_GetByStrIndex(int32_t type_index, const String& str_index) {
  return detail::GetEnumEntry(type_index, str_index).as_or_throw<Enum>();
}

}  // namespace tvm::ffi

#endif  // TVM_FFI_ENUM_H_
