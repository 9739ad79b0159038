// SPDX-License-Identifier: Apache-2.0
// Conversion of Python objects that hold or name a native object. Under a schema of an object type,
// an instance is not changed, and the type's `__ffi_convert__` converts other values; an enum with
// a payload also accepts the payload.
#include <tvm/ffi/enum.h>

#include "../raise.h"
#include "../type_attribute.h"
#include "convert.h"
#include "native_value.h"
#include "schema/converters.h"

namespace binding {
namespace {

// Converts the FFI object that a protocol method returned, and keeps it alive for the call. Returns
// 0, or -1 with an exception set.
int keep_object(PyObject* x, const char* protocol, TVMFFIAny* out, Arguments* args) {
  if (!is_wrapper(x)) {
    PyErr_Format(PyExc_TypeError, "%s must return an FFI object, got %s", protocol,
                 Py_TYPE(x)->tp_name);
    return -1;
  }
  return kept_wrapper_from_py(x, out, args);
}

}  // namespace

int kept_wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (object_from_py(x, out) < 0) return -1;
  object_inc_ref(out->v_obj);
  args->temporaries.keep_steal(out->v_obj);
  return 0;
}

int wrapper_from_py(PyObject* x, TVMFFIAny* out, Arguments*) { return object_from_py(x, out); }

int container_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  if (object_from_py(x, out) < 0) return -1;
  if (BINDING_LIKELY(as_container(x)->exchange_api() == nullptr)) return 0;
  return context_from_container(x, args->context);
}

int protocol_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref obj(PyObject_CallMethodNoArgs(x, state().names.tvm_ffi_object));  // runs Python
  return obj ? keep_object(obj.get(), "__tvm_ffi_object__", out, args) : -1;
}

int convertible_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref obj(PyObject_CallMethodNoArgs(x, state().names.asobject));  // runs Python
  return obj ? keep_object(obj.get(), "asobject()", out, args) : -1;
}

int cached_object_from_py(PyObject* x, TVMFFIAny* out, Arguments* args) {
  Ref cached(PyObject_GetAttr(x, state().names.tvm_ffi_cached_object));
  if (!cached) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
    clear_error();
  }
  if (cached && cached.get() != Py_None) {
    return keep_object(cached.get(), "_tvm_ffi_cached_object", out, args);
  }
  if (PyUnicode_Check(x)) return str_from_py(x, out, args);
  if (PyBytes_Check(x)) return bytes_from_py(x, out, args);
  PyErr_Format(PyExc_ValueError, "_tvm_ffi_cached_object is None for %R", Py_TYPE(x));
  return -1;
}

PyObject* native_object_to_py_steal(ClassInfo* info, TVMFFIObject* obj) {
  Ref wrapper(wrapper_beside_steal(state().object_type, obj));
  if (!wrapper) return nullptr;
  Ref make(
      PyObject_GetAttr(reinterpret_cast<PyObject*>(info->cls), state().names.from_tvm_ffi_object));
  if (!make) return nullptr;
  return PyObject_CallFunctionObjArgs(make.get(), info->cls, wrapper.get(), nullptr);  // Python
}

namespace schema {
namespace {

// Returns the `__ffi_convert__` of a type, borrowed from the type table; NULL if the type has none.
TVMFFIObject* hook_of(int32_t type_index) {
  static TypeAttribute hook("__ffi_convert__");
  const TVMFFIAny* value = hook.of(type_index);
  return value != nullptr && value->type_index == kTVMFFIFunction ? value->v_obj : nullptr;
}

// Indents each line of `text` but the first by four spaces. New str, or NULL with an exception set.
PyObject* indent_next_lines(PyObject* text) {
  Ref lines(PyUnicode_Splitlines(text, 0));
  Ref glue(PyUnicode_FromString("\n    "));
  return lines && glue ? PyUnicode_Join(glue.get(), lines.get()) : nullptr;
}

BINDING_COLD Outcome refuse_hook(const Converter& c, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  Ref text(got ? cause_text(*why) : nullptr);
  Ref lines(text ? indent_next_lines(text.get()) : nullptr);
  if (!lines) return kRaised;
  return refuse(why, "expected %U, got %U\n  __ffi_convert__ failed:\n    %U", c.expected.get(),
                got.get(), lines.get());
}

// Calls the hook with `packed` and releases `packed`; refuses a result that is not an instance of
// the schema's type.
Outcome convert_by_hook(const Converter& c, TVMFFIObject* hook, PyObject* x, TVMFFIAny packed,
                        TVMFFIAny* out, Refusal* why) {
  TVMFFIAny result = value_none();
  ObjectOwner keep = ObjectOwner::borrow(hook);
  int status = TVMFFIFunctionCall(hook, &packed, 1, &result);  // may run Python
  if (status != 0) raise_from_slot(status);
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

Outcome object_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
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

// Refuses a value of a wrong type for an enum with a payload.
BINDING_COLD Outcome refuse_payload(const Converter& c, PyObject* x, Refusal* why) {
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  if (!got) return kRaised;
  return refuse(why, "expected %U, got %U (pass a variant, or its value: %s)", c.expected.get(),
                got.get(), c.kind == SchemaKind::kStrEnum ? "a str" : "an int");
}

// Refuses a payload that no variant has.
BINDING_COLD Outcome refuse_unknown_payload(const Converter& c, PyObject* x, Refusal* why) {
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  if (!got) return kRaised;
  return refuse(why, "expected %U, got %U (no variant has the value %.100R)", c.expected.get(),
                got.get(), x);
}

// Converts the payload `x` to the native value that identifies a variant.
Outcome payload(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (c.kind == SchemaKind::kStrEnum) {
    return PyUnicode_Check(x) ? str_from_py_schema(c, x, out, why) : refuse_payload(c, x, why);
  }
  int is = PyLong_Check(x) ? 1 : is_integral(x);  // may run Python
  if (is < 0) return refuse_raised(c, x, why);
  return is > 0 ? int_from_py_schema(c, x, out, why) : refuse_payload(c, x, why);
}

}  // namespace

Outcome enum_from_py_schema(const Converter& c, PyObject* x, TVMFFIAny* out, Refusal* why) {
  if (is_wrapper(x)) return object_from_py_schema(c, x, out, why);
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
  return refuse_unknown_payload(c, x, why);
}

}  // namespace schema
}  // namespace binding
