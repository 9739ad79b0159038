// SPDX-License-Identifier: Apache-2.0
// Calls the registered functions for custom data types.
#include "text/custom_dtype.h"

#include <tvm/ffi/any.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <optional>

#include "core/error_slot.h"
#include "core/function_table.h"
#include "core/type_name.h"

namespace tvm::ffi::runtime {

namespace {

constexpr const char* kCodeFunction = "dtype.get_custom_type_code";
constexpr const char* kNameFunction = "dtype.get_custom_type_name";

/*! \brief Call a global function with one argument. \return its status. */
int ask(const char* function_name, const TVMFFIAny& argument, Any* out) {
  TVMFFIObject* found = get_global_function(function_name);
  if (found == nullptr) {
    return raise("ValueError", {"Function ", function_name, " not found"});
  }
  auto function = detail::ObjectUnsafe::ObjectPtrFromOwned<Object>(found);
  *out = Any();
  TVMFFIAny* slot = detail::ResultSlot(out);
  int status = TVMFFIFunctionGetCellPtr(found)->safe_call(found, &argument, 1, slot);
  if (status != 0) *slot = detail::NoneResult();  // the value may be anything
  return status;
}

int refuse_result(const char* function_name, const Any& result, std::string_view expected) {
  return raise("TypeError", {function_name, " must return ", expected, ", not `",
                             value_name(result.type_index()), "`"});
}

}  // namespace

int custom_dtype_code(std::string_view name, uint8_t* out) {
  String text(name.data(), name.size());
  Any result;
  int status = ask(kCodeFunction, AnyView(text).CopyToTVMFFIAny(), &result);
  if (status != 0) return status;
  std::optional<int64_t> code = result.as<int64_t>();
  if (!code.has_value()) return refuse_result(kCodeFunction, result, "an int");
  if (*code < 0 || *code > UINT8_MAX) {
    return raise("ValueError", {"Type code ", std::to_string(*code), " of custom dtype `", name,
                                "` is out of range for uint8_t"});
  }
  *out = static_cast<uint8_t>(*code);
  return 0;
}

int custom_dtype_name(uint8_t code, std::string* out) {
  TVMFFIAny argument{};
  argument.type_index = kTVMFFIInt;
  argument.v_int64 = code;
  Any result;
  int status = ask(kNameFunction, argument, &result);
  if (status != 0) return status;
  std::optional<String> name = result.as<String>();
  if (!name.has_value()) return refuse_result(kNameFunction, result, "a str");
  out->assign(name->data(), name->size());
  return 0;
}

}  // namespace tvm::ffi::runtime
