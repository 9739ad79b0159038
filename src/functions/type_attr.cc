// SPDX-License-Identifier: Apache-2.0
// Global functions that read and set type attributes.
#include "core/type_attr.h"

#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "functions/functions.h"

namespace tvm::ffi {
namespace runtime {
namespace {

/*! \brief Name of an attribute: any form of text, also the bytes that headers pass to avoid making
 * a String. Borrowed during the call. */
struct BorrowedName {
  std::string_view text;
};

}  // namespace
}  // namespace runtime

template <>
struct TypeTraits<runtime::BorrowedName> : public TypeTraitsBase {
  static constexpr bool storage_enabled = false;

  static std::optional<runtime::BorrowedName> TryCastFromAnyView(const TVMFFIAny* source) {
    switch (source->type_index) {
      case kTVMFFIRawStr:
        return runtime::BorrowedName{source->v_c_str};
      case kTVMFFIByteArrayPtr:
        return runtime::BorrowedName{
            ToStringView(*static_cast<const TVMFFIByteArray*>(source->v_ptr))};
      case kTVMFFISmallStr:
      case kTVMFFIStr:
        return runtime::BorrowedName{ToStringView(detail::BytesContent(source))};
      default:
        return std::nullopt;
    }
  }
  static std::string TypeStr() { return TypeTraits<String>::TypeStr(); }
  static std::string TypeSchema() { return TypeTraits<String>::TypeSchema(); }
};

namespace runtime {
namespace {

void type_attr_set(int32_t type_index, BorrowedName name, Any value) {
  TVM_FFI_CHECK_SAFE_CALL(set_type_attr(type_index, name.text, std::move(value)));
}

// The public headers release the Any that this function returns, and then return a view of the
// value. So the runtime must keep the value alive.
Any type_attr_get(BorrowedName name, int32_t type_index) {
  return get_type_attr_to_borrow(name.text, type_index);
}

// Returns the value for callers that own the result.
Any type_attr_copy(BorrowedName name, int32_t type_index) {
  return get_type_attr(name.text, type_index);
}

void* type_attr_map_address(BorrowedName name) {
  return const_cast<TypeAttrMap*>(&type_attr_map(name.text));
}

}  // namespace

void register_type_attr_functions() {
  ShortDef()
      .def("ffi.TypeAttrSet", type_attr_set)
      .def("ffi.TypeAttrGet", type_attr_get)
      .def("ffi.TypeAttrCopy", type_attr_copy)
      .def("ffi.TypeAttrMap", type_attr_map_address);
}

}  // namespace runtime
}  // namespace tvm::ffi
