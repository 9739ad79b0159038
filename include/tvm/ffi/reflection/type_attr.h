// SPDX-License-Identifier: Apache-2.0
/*!
 * \file tvm/ffi/reflection/type_attr.h
 * \brief Open type attributes: any value under any name for any type index.
 *
 * The process has one store of these attributes, in the shared library. The global functions
 * `ffi.TypeAttrSet`, `ffi.TypeAttrGet` and `ffi.TypeAttrMap` give access to the store; without them
 * each call throws RuntimeError. Attributes are not inherited by derived types. The library
 * serialises writes, which are safe from any thread, also while other threads read. The results of
 * TypeAttrGet and TypeAttrColumn are borrowed from the store and stay valid for the life of the
 * process. Therefore an object that is replaced after such a read is not released. Do not overwrite
 * such an attribute with new objects again and again; register one container and change it in
 * place.
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

namespace tvm::ffi {
namespace reflection {

/*!
 * \brief Set an attribute, and replace a former value; None removes the attribute.
 *
 * Names need no declaration. A TypeAttrColumn of this name also shows the change. Exceptions are
 * the names of the published views of an enum, `__enum_entries__` and `__enum_attr_<column>__`: the
 * function merges the items of `value` into the enum instead.
 * \param type_index the index of any registered type, including types such as kTVMFFIInt whose
 *         values are not objects.
 * \param attr_name any text.
 * \param value retained. The former value is released, unless native code has read this name or the
 *         value is a hook that clients may be calling.
 * \throws Error InternalError when the type is unknown, TypeError when a name with a meaning in the
 *         ABI does not accept the value.
 */
inline void TypeAttrSet(int32_t type_index, std::string_view attr_name, Any value) {
  static const Function set = Function::GetGlobalRequired("ffi.TypeAttrSet");
  TVMFFIByteArray name = detail::NameBytes(attr_name);
  set(type_index, &name, std::move(value));
}

/*! \brief Return the value of an attribute of exactly this type, borrowed; None when there is
 * none. */
inline AnyView TypeAttrGet(std::string_view attr_name, int32_t type_index) {
  static const Function get = Function::GetGlobalRequired("ffi.TypeAttrGet");
  TVMFFIByteArray name = detail::NameBytes(attr_name);
  // The attribute store owns a reference to the value, so the view stays valid after the temporary
  // result of the call is destroyed.
  return AnyView(get(&name, type_index));
}

/*! \brief Class with TypeAttrSet and TypeAttrGet as methods. All instances access the one store of
 * the process. */
class TypeAttrRegistry {
 public:
  /*! \brief Return an instance, for code that passes the registry as an argument. */
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
   * \brief Return all values of one attribute by type index; make an empty map if there is none.
   *
   * The address never changes and later values appear in the map, so the reference may be kept. A
   * read of the map must not race with a Set of the same attribute. The layout of the map is that
   * of the C++ standard library for which the runtime was built, so the caller must be built for
   * the same C++ standard library.
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

}  // namespace tvm::ffi

#endif  // TVM_FFI_REFLECTION_TYPE_ATTR_H_
