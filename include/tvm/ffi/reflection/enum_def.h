// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/enum_def.h
 * \brief Registers entries of enums whose objects derive from EnumObj.
 */
#ifndef TVM_FFI_REFLECTION_ENUM_DEF_H_
#define TVM_FFI_REFLECTION_ENUM_DEF_H_

#include <tvm/ffi/detail/enum_register.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

// This header does not use the file, but programs for earlier releases get it from here.
#include <tvm/ffi/container/variant.h>

namespace tvm::ffi::reflection {

/*!
 * \brief The registration of one entry: `EnumDef<MyEnumObj>("Name").set_attr("cost", 3)`.
 *
 * The constructor of EnumDef makes an EnumClsObj with its default constructor, and registers it.
 * Use an EnumDef in code that runs while a library is loaded.
 * \tparam EnumClsObj default-constructible class that derives from EnumObj.
 */
template <typename EnumClsObj>
class EnumDef {
 public:
  static_assert(std::is_base_of_v<EnumObj, EnumClsObj>, "EnumClsObj must derive from EnumObj");
  static_assert(tvm::ffi::detail::HasOwnTypeInfo<EnumClsObj>(),
                "EnumClsObj has no type of its own: TVM_FFI_DECLARE_OBJECT_INFO is missing in it");
  static_assert(std::is_default_constructible_v<EnumClsObj>,
                "an enum class must be default-constructible");

  /*!
   * \brief Register an entry. Its number is the number of entries that are already registered.
   * \throws Error ValueError when the name is taken.
   */
  explicit EnumDef(const char* str_index) : EnumDef(str_index, std::nullopt, 0) {
    static_assert(!kIsIntEnum, "an IntEnum entry needs its number: EnumDef(name, number)");
  }
  /*! \brief Register an entry of an IntEnum; ValueError when the name or the number is taken. */
  EnumDef(const char* str_index, int64_t int_index)
      : EnumDef(str_index, std::optional<int64_t>(int_index), 0) {
    static_assert(kIsIntEnum, "only IntEnum entries have a number of their own: EnumDef(name)");
  }

  /*! \brief Return whether there is an entry with this name. */
  static bool IsDefined(const String& str_index) {
    return tvm::ffi::detail::FindEnumEntry(EnumClsObj::RuntimeTypeIndex(), Any(str_index))
        .has_value();
  }

  /*! \brief Store a value of this entry in the column `name`; overwrite an existing value. A
   * callable is converted to a Function. */
  template <typename T>
  EnumDef& set_attr(const char* name, T&& value) {
    detail::SetEnumAttr(EnumClsObj::_GetOrAllocRuntimeTypeIndex(), String(name), name_,
                        detail::ToStoredValue(EnumClsObj::_type_key, name, std::forward<T>(value)));
    return *this;
  }
  /*! \brief Like set_attr() above; `value` is first converted to the type of the key. */
  template <typename T, typename V>
  EnumDef& set_attr(AttrKey<T> key, V&& value) {
    if constexpr (std::is_constructible_v<T, V&>) {
      T converted(value);
      return set_attr(key.name, Any(AnyView(converted)));
    } else {
      T converted(std::forward<V>(value));
      return set_attr(key.name, Any(AnyView(converted)));
    }
  }
  /*! \brief Store the C++ function `Fn` as a hook: `set_native_fn_attr<&MyCost>(kCost)`. */
  template <auto Fn, typename T>
  EnumDef& set_native_fn_attr(AttrKey<T> key) {
    return set_attr(key, T::template FromNative<Fn>());
  }

 private:
  static constexpr bool kIsIntEnum = std::is_base_of_v<IntEnumObj, EnumClsObj>;

  EnumDef(const char* str_index, std::optional<int64_t> int_index, int) : name_(str_index) {
    detail::AddEnumEntry(EnumClsObj::_GetOrAllocRuntimeTypeIndex(), name_, int_index,
                         ObjectRef(make_object<EnumClsObj>()));
  }

  String name_;
};

}  // namespace tvm::ffi::reflection

#endif  // TVM_FFI_REFLECTION_ENUM_DEF_H_
