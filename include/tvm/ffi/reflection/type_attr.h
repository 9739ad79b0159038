// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/type_attr.h
 * \brief Open type attributes: any value under any name for any type index.
 *
 * The store is one per process, in the shared library, and is reached through its global functions
 * `ffi.TypeAttrSet`, `ffi.TypeAttrGet` and `ffi.TypeAttrMap`; without them each call throws
 * RuntimeError. Nothing is inherited: what a base type has, its derived types have not. Writing is
 * serialised by the library and safe from any thread, also beside readers. What TypeAttrGet and
 * TypeAttrColumn return is borrowed from the store and stays valid for the life of the process: an
 * object that is replaced after a name was read that way is not released. Do not overwrite such an
 * attribute with ever new objects; register one container and change it in place.
 */
#ifndef TVM_FFI_REFLECTION_TYPE_ATTR_H_
#define TVM_FFI_REFLECTION_TYPE_ATTR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/accessor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tvm {
namespace ffi {
namespace reflection {

/*!
 * \brief Set an attribute, whatever it was before; None removes it.
 *
 * Names need no declaration. Where a dense column of that name exists it follows. The published
 * views of an enum, `__enum_entries__` and `__enum_attr_<column>__`, are merged into it instead.
 * \param type_index a registered type, also of a plain kind such as kTVMFFIInt.
 * \param attr_name any text.
 * \param value retained. The value before is released, unless native code has read this name or it
 * is a hook that clients may be calling.
 * \throws Error InternalError when the type is unknown, TypeError when a name with a meaning in the
 *         ABI does not accept the value.
 */
inline void TypeAttrSet(int32_t type_index, std::string_view attr_name, Any value) {
  static const Function set = Function::GetGlobalRequired("ffi.TypeAttrSet");
  TVMFFIByteArray name = detail::NameBytes(attr_name);
  set(type_index, &name, std::move(value));
}

/*! \brief Value of an attribute of exactly this type, borrowed; None when it has none. */
inline AnyView TypeAttrGet(std::string_view attr_name, int32_t type_index) {
  static const Function get = Function::GetGlobalRequired("ffi.TypeAttrGet");
  TVMFFIByteArray name = detail::NameBytes(attr_name);
  // The store has a reference of its own.
  return AnyView(get(&name, type_index));
}

/*! \brief The same store as a class; its instances are all alike. */
class TypeAttrRegistry {
 public:
  /*! \brief An instance, for code that passes the registry as an argument. */
  static TypeAttrRegistry* Global() {
    static TypeAttrRegistry instance;
    return &instance;
  }

  /*! \copydoc TypeAttrSet */
  void Set(int32_t type_index, const std::string& attr_name, Any value) {
    TypeAttrSet(type_index, attr_name, std::move(value));
  }

  /*! \copydoc TypeAttrGet */
  AnyView Get(const std::string& attr_name, int32_t type_index) const {
    return TypeAttrGet(attr_name, type_index);
  }

  /*!
   * \brief All values of one attribute by type index; made empty on demand.
   *
   * The address never changes and later values appear in it, so it may be kept. Reading it must not
   * race with a Set of the same attribute. It is a container of the library's C++ standard library:
   * the caller must use the same one.
   */
  static const std::unordered_map<int32_t, Any>& Get(const std::string& attr_name) {
    static const Function find = Function::GetGlobalRequired("ffi.TypeAttrMap");
    TVMFFIByteArray name = detail::NameBytes(attr_name);
    return *static_cast<const std::unordered_map<int32_t, Any>*>(find(&name).cast<void*>());
  }
};

}  // namespace reflection

using reflection::TypeAttrColumn;
using reflection::TypeAttrGet;
using reflection::TypeAttrRegistry;
using reflection::TypeAttrSet;

}  // namespace ffi
}  // namespace tvm

#endif  // TVM_FFI_REFLECTION_TYPE_ATTR_H_
