// SPDX-License-Identifier: Apache-2.0
// The protocols by which a value names another value that is converted instead.
#include "converters.h"

namespace binding::schema {
namespace {

constexpr int kMostReplacements = 64;

// Returns whether `x` is an FFI value already. The protocols return FFI values, so they are not
// applied to an FFI value again.
bool is_native_value(PyObject* x) {
  return is_wrapper(x) || PyObject_TypeCheck(x, &RValueRefType) ||
         PyObject_TypeCheck(x, &PyNativeObjectType);
}

Outcome refuse_call(const char* format, PyObject* x, Refusal* why) {
  if (!take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  Ref got(describe_type(x));
  return got ? refuse(why, format, got.get()) : kRaised;
}

Outcome refuse_replacement(const Converter& c, PyObject* x, Refusal* why) {
  if (PyErr_Occurred() && !take_raised(why)) return kRaised;
  if (why == nullptr) return kRefused;
  if (c.kind != SchemaKind::kAny) return refuse_type(c, x, why);
  Ref got(describe_type(x));
  return got ? refuse(why, "failed to convert Any from %U", got.get()) : kRaised;
}

// Returns in `*next` a new reference to the object that replaces `x`; empty if `x` is not replaced.
Outcome replacement(const Converter& c, PyObject* x, Ref* next, Refusal* why) {
  const Names& n = state().names;
  if (type_has(Py_TYPE(x), n.tvm_ffi_object)) {
    *next = Ref(PyObject_CallMethodNoArgs(x, n.tvm_ffi_object));  // runs Python
    if (!*next) return refuse_call("__tvm_ffi_object__() failed for %U", x, why);
    return kConverted;
  }
  if (type_has(Py_TYPE(x), n.tvm_ffi_value)) {
    *next = Ref(PyObject_CallMethodNoArgs(x, n.tvm_ffi_value));  // runs Python
    return !*next || next->get() == x ? refuse_replacement(c, x, why) : kConverted;
  }
  if (!PyObject_TypeCheck(x, &ConvertibleType)) return kConverted;
  *next = Ref(PyObject_CallMethodNoArgs(x, n.asobject));  // runs Python
  if (!*next) return refuse_call("asobject() failed for %U", x, why);
  if (is_wrapper(next->get())) return kConverted;
  if (why == nullptr) return kRefused;
  Ref made(describe_type(next->get())), got(describe_type(x));
  return made && got ? refuse(why, "asobject() returned %U for %U", made.get(), got.get())
                     : kRaised;
}

}  // namespace

Outcome normalize(const Converter& c, PyObject** x, Ref* keep, Refusal* why) {
  for (int i = 0; i < kMostReplacements; ++i) {
    if (is_builtin_value(*x) || is_native_value(*x)) return kConverted;
    Ref next;
    Outcome outcome = replacement(c, *x, &next, why);
    if (outcome != kConverted) return outcome;
    if (!next || next.get() == *x) return kConverted;
    *keep = std::move(next);
    *x = keep->get();
  }
  return refuse(why, "infinite __tvm_ffi_value__ cycle detected");
}

}  // namespace binding::schema
