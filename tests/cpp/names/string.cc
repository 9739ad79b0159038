// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/string.h>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Bytes;
using ffi::String;
using ffi::detail::BytesBaseCell;

HOLDS(sizeof(Bytes) == 16 && sizeof(String) == 16 && sizeof(BytesBaseCell) == sizeof(TVMFFIAny));
HOLDS(std::is_base_of_v<ffi::Object, ffi::detail::BytesObjBase>);
HOLDS(std::is_base_of_v<TVMFFIByteArray, ffi::detail::BytesObjBase>);
HOLDS(ffi::detail::BytesObj::_type_index == kTVMFFIBytes && ffi::detail::BytesObj::_type_final);
HOLDS(ffi::detail::StringObj::_type_index == kTVMFFIStr && ffi::detail::StringObj::_type_final);
HOLDS(std::is_base_of_v<ffi::detail::StringObj,
                        ffi::detail::BytesObjStdImpl<ffi::detail::StringObj>>);
HOLDS(std::is_constructible_v<BytesBaseCell, std::nullopt_t>);
HAS_TYPE(The<const BytesBaseCell>() == std::nullopt, bool);

HOLDS(std::is_default_constructible_v<Bytes>);
HOLDS(std::is_constructible_v<Bytes, const char*, size_t>);
HOLDS(std::is_convertible_v<TVMFFIByteArray, Bytes>);
HOLDS(std::is_convertible_v<const std::string&, Bytes>);
HOLDS(std::is_convertible_v<std::string&&, Bytes>&& std::is_convertible_v<Bytes, std::string>);
HOLDS(std::is_assignable_v<Bytes&, std::string>);
HAS_TYPE(The<Bytes>().swap(The<Bytes>()), void);
HAS_TYPE(The<const Bytes>().size(), size_t);
HAS_TYPE(The<const Bytes>().data(), const char*);
HAS_TYPE(Bytes::memncmp("a", "b", 1, 1), int);
HAS_TYPE(Bytes::memequal("a", "b", 1, 1), bool);
HAS_TYPE(std::hash<Bytes>()(The<const Bytes>()), size_t);

HOLDS(!std::is_constructible_v<String, std::nullptr_t> && std::is_default_constructible_v<String>);
HOLDS(std::is_constructible_v<String, const char*, size_t>);
HOLDS(std::is_convertible_v<const char*, String>&& std::is_convertible_v<std::string&&, String>);
HOLDS(std::is_convertible_v<const std::string&, String>);
HOLDS(std::is_constructible_v<String, TVMFFIByteArray>);
HOLDS(!std::is_convertible_v<TVMFFIByteArray, String>);
HOLDS(!std::is_constructible_v<String, std::string_view>);
HOLDS(std::is_assignable_v<String&, const std::string&>&& std::is_assignable_v<String&, String>);
HOLDS(std::is_assignable_v<String&, const char*>&& std::is_assignable_v<String&, std::string&&>);
HAS_TYPE(The<String>().swap(The<String>()), void);
HOLDS(noexcept(The<String>().swap(The<String>())));
HAS_TYPE(The<const String>().data(), const char*);
HAS_TYPE(The<const String>().c_str(), const char*);
HAS_TYPE(The<const String>().size(), size_t);
HOLDS(noexcept(The<const String>().data()) && noexcept(The<const String>().c_str()));
HOLDS(noexcept(The<const String>().size()));
HAS_TYPE(The<const String>().length(), size_t);
HAS_TYPE(The<const String>().empty(), bool);
HAS_TYPE(The<const String>().at(The<size_t>()), char);
HAS_TYPE(String::npos, const size_t);
HAS_TYPE(The<const String>().compare(The<const String>()), int);
HAS_TYPE(The<const String>().compare(The<const std::string>()), int);
HAS_TYPE(The<const String>().compare(The<const char*>()), int);
HAS_TYPE(The<const String>().compare(The<const TVMFFIByteArray>()), int);
HAS_TYPE(The<const String>().find(The<const String>()), size_t);
HAS_TYPE(The<const String>().find(The<const String>(), 1), size_t);
HAS_TYPE(The<const String>().find("a"), size_t);
HAS_TYPE(The<const String>().find("a", 1), size_t);
HAS_TYPE(The<const String>().find("a", 1, 1), size_t);
HAS_TYPE(The<const String>().substr(), String);
HAS_TYPE(The<const String>().substr(1), String);
HAS_TYPE(The<const String>().substr(1, 2), String);
HAS_TYPE(The<const String>().starts_with(The<const String>()), bool);
HAS_TYPE(The<const String>().starts_with(The<std::string_view>()), bool);
HAS_TYPE(The<const String>().starts_with("a"), bool);
HAS_TYPE(The<const String>().starts_with("a", 1), bool);
HAS_TYPE(The<const String>().ends_with(The<const String>()), bool);
HAS_TYPE(The<const String>().ends_with(The<std::string_view>()), bool);
HAS_TYPE(The<const String>().ends_with("a"), bool);
HAS_TYPE(The<const String>().ends_with("a", 1), bool);
HOLDS(std::is_convertible_v<String, std::string>);
HAS_TYPE(The<const String>().Split(','), std::vector<std::string_view>);
HAS_TYPE(The<const String>() + The<const String>(), String);
HAS_TYPE(The<const String>() + The<const std::string>(), String);
HAS_TYPE(The<const std::string>() + The<const String>(), String);
HAS_TYPE(The<const String>() + "a", String);
HAS_TYPE("a" + The<const String>(), String);
template <typename T>
constexpr bool Compares() {
  HAS_TYPE(The<const String>() == The<const T>(), bool);
  HAS_TYPE(The<const T>() == The<const String>(), bool);
  HAS_TYPE(The<const String>() != The<const T>(), bool);
  HAS_TYPE(The<const T>() != The<const String>(), bool);
  HAS_TYPE(The<const String>() < The<const T>(), bool);
  HAS_TYPE(The<const T>() < The<const String>(), bool);
  HAS_TYPE(The<const String>() <= The<const T>(), bool);
  HAS_TYPE(The<const T>() <= The<const String>(), bool);
  HAS_TYPE(The<const String>() > The<const T>(), bool);
  HAS_TYPE(The<const T>() > The<const String>(), bool);
  HAS_TYPE(The<const String>() >= The<const T>(), bool);
  HAS_TYPE(The<const T>() >= The<const String>(), bool);
  return true;
}
HOLDS(Compares<String>() && Compares<std::string>() && Compares<char*>());
HAS_TYPE(The<std::ostream>() << The<const String>(), std::ostream&);
HAS_TYPE(std::hash<String>()(The<const String>()), size_t);

HAS_TYPE(ffi::EscapeStringJSON(The<const String>()), String);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
HAS_TYPE(ffi::EscapeString(The<const String>()), String);
#pragma GCC diagnostic pop
HAS_TYPE(ffi::EscapedStringPy(The<const String>()), String);
HAS_TYPE(ffi::ToStringView(The<TVMFFIByteArray>()), std::string_view);
int Print(char* out) { return TVM_FFI_SNPRINTF(out, 2, "%d", 1); }

HOLDS(ffi::TypeTraits<Bytes>::storage_enabled&& ffi::TypeTraits<String>::storage_enabled);
HOLDS(!ffi::TypeTraits<char[4]>::storage_enabled && ffi::TypeTraits<char[4]>::convert_enabled);
HOLDS(!ffi::TypeTraits<const char*>::storage_enabled);
HOLDS(!ffi::TypeTraits<TVMFFIByteArray*>::storage_enabled);
HOLDS(!ffi::TypeTraits<std::string>::storage_enabled);
