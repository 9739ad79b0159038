// SPDX-License-Identifier: Apache-2.0
// Assignment from native code: the setter function of a field converts with the field's converter,
// as assignment in Python does.
#include "../attach.h"
#include "../call.h"
#include "../convert/schema/converters.h"
#include "../raise.h"
#include "plan.h"

namespace binding {
namespace {

// Returns whether a value is only for passing to a call: raw text and byte arrays are valid only
// during the call, and the callee moves the object out of an rvalue reference.
bool is_passing(const TVMFFIAny& value) {
  return value.type_index < kTVMFFIStaticObjectBegin && value.type_index >= kTVMFFIRawStr &&
         value.type_index != kTVMFFISmallStr && value.type_index != kTVMFFISmallBytes;
}

// Converts a value for a field; called by the runtime. `context` is the ClassField.
int convert_for_setter(void* context, const TVMFFIAny* value, TVMFFIAny* result) {
  auto* field = static_cast<const ClassField*>(context);
  // A value that already fits is stored without Python and without the GIL.
  if (!is_passing(*value) && schema::fits(*field->converter, *value)) {
    if (is_object_index(value->type_index)) object_inc_ref(value->v_obj);
    *result = *value;
    return 0;
  }
  Attach attached;
  if (!attached) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError",
                                 "cannot set a field: the interpreter has shut down");
    return -1;
  }
  Ref x(value_to_py_borrowed(*value));
  if (!x) return raise_to_slot();
  if (convert_by_schema(field->converter, x.get(), result) == 0) return 0;  // may run Python
  schema::name_field_in_raised(field->name, nullptr);
  return raise_to_slot();
}

}  // namespace

TVMFFIObject* setter_make(const ClassField* field) {
  static RuntimeFunction make("ffi.MakeFieldSetter");
  TVMFFIAny args[3], result;
  value_set_int(&args[0], shape_of(field->storage).static_type_index);
  value_set_int(&args[1], static_cast<int64_t>(reinterpret_cast<intptr_t>(field)));
  value_set_int(&args[2], static_cast<int64_t>(reinterpret_cast<intptr_t>(&convert_for_setter)));
  return make.call(args, 3, &result) < 0 ? nullptr : result.v_obj;
}

}  // namespace binding
