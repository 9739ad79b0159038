// SPDX-License-Identifier: Apache-2.0
// Schemas of object types: instances as they are, others by way of the type's `__ffi_convert__`;
// enums with a payload take the payload as well.
#include <tvm/ffi/enum.h>

#include "../../raise.h"
#include "../native_value.h"
#include "rooms.h"

namespace binding::annotated {
namespace {

// The conversion function of a type, borrowed from the type table; NULL where it has none.
TVMFFIObject* hook_of(int32_t type_index) {
  static const TVMFFITypeAttrColumn* column = nullptr;  // stays for the life of the process
  constexpr const char kName[] = "__ffi_convert__";
  if (column == nullptr) {
    TVMFFIByteArray name{kName, sizeof(kName) - 1};
    column = TVMFFIGetTypeAttrColumn(&name);
  }
  if (column == nullptr) return nullptr;
  int32_t at = type_index - column->begin_index;
  if (at < 0 || at >= column->size) return nullptr;
  const TVMFFIAny& value = column->data[at];
  return value.type_index == kTVMFFIFunction ? value.v_obj : nullptr;
}

// `text` with each line indented by four blanks.
PyObject* indented(PyObject* text) {
  Ref lines(PyUnicode_Splitlines(text, 0));
  Ref glue(PyUnicode_FromString("\n    "));
  return lines && glue ? PyUnicode_Join(glue.get(), lines.get()) : nullptr;
}

BINDING_COLD Outcome refuse_hook(const Converter& c, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  Ref text(got ? cause_text(*why) : nullptr);
  Ref lines(text ? indented(text.get()) : nullptr);
  if (!lines) return kRaised;
  return refuse(why, "expected %U, got %U\n  __ffi_convert__ failed:\n    %U", c.expected.get(),
                got.get(), lines.get());
}

// Calls the hook with `packed`, which is released; its result must be an instance.
Outcome convert_by_hook(const Converter& c, TVMFFIObject* hook, PyObject* x, TVMFFIAny packed,
                        TVMFFIAny* out, Refusal* why) {
  TVMFFIAny result = value_none();
  ObjectOwner keep = ObjectOwner::borrow(hook);
  int status = TVMFFIFunctionCall(hook, &packed, 1, &result);  // may run Python
  if (status != 0) raise_from_call(status, &result);
  Ref raised(status == 0 ? nullptr : compat_take_raised());
  value_release(&packed);  // may run Python
  if (status != 0) {
    compat_set_raised_steal(raised.release());
    return refuse_hook(c, x, why);
  }
  if (is_of_type(c, result.type_index)) {
    *out = result;
    return kConverted;
  }
  value_release(&result);
  return refuse_type(c, x, why);
}

}  // namespace

Outcome object_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  TVMFFIObject* obj = handle_of(x);
  if (obj != nullptr && is_of_type(c, obj->type_index)) {
    object_inc_ref(obj);
    value_set_object(out, obj);
    return kConverted;
  }
  TVMFFIObject* hook = hook_of(c.type_index);
  if (hook == nullptr && is_builtin_value(x)) return refuse_type(c, x, why);
  TVMFFIAny packed;
  Outcome outcome = pack(c, x, &packed, why);
  if (outcome != kConverted) return outcome;
  if (is_of_type(c, packed.type_index)) {
    *out = packed;
    return kConverted;
  }
  if (hook != nullptr) return convert_by_hook(c, hook, x, packed, out, why);
  value_release(&packed);  // may run Python
  return refuse_type(c, x, why);
}

namespace {

// The payload in `x` as a value of the index table.
Outcome payload(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (c.kind == SchemaKind::kStrEnum) {
    return PyUnicode_Check(x) ? str_room(c, x, out, why) : refuse_type(c, x, why);
  }
  int is = PyLong_Check(x) ? 1 : is_integral(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  return is > 0 ? int_room(c, x, out, why) : refuse_type(c, x, why);
}

}  // namespace

Outcome enum_room(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_wrapper(x)) return object_room(c, x, out, why);
  TVMFFIAny index;
  Outcome outcome = payload(c, x, &index, why);
  if (outcome != kConverted) return outcome;
  TVMFFIObject* entry = nullptr;
  int rc = guarded([&] {
    tvm::ffi::Any key = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyRawToAny(index);
    auto found = tvm::ffi::detail::FindEnumEntry(c.type_index, key);
    if (!found.has_value()) return;
    entry = tvm::ffi::detail::ObjectUnsafe::MoveObjectRefToTVMFFIObjectPtr(*std::move(found));
  });
  if (rc < 0) return refuse_raised(c, x, why);
  if (entry != nullptr && is_of_type(c, entry->type_index)) {
    value_set_object(out, entry);
    return kConverted;
  }
  if (entry != nullptr) object_dec_ref(entry);
  return refuse_type(c, x, why);
}

}  // namespace binding::annotated
