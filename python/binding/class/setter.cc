// SPDX-License-Identifier: Apache-2.0
// Assignment from native code: the setter function of a field converts with the field's converter,
// as assignment in Python does.
#include "../attach.h"
#include "../call.h"
#include "../raise.h"
#include "plan.h"

namespace binding {
namespace {

// Values that are what the storage holds need neither Python nor the lock.
bool is_stored_as_is(Storage storage, const TVMFFIAny& value) {
  return storage < Storage::kValue && value.type_index == shape_of(storage).static_type_index;
}

// Called by the runtime; `context` is the ClassField.
int convert_for_setter(void* context, const TVMFFIAny* value, TVMFFIAny* result) {
  auto* field = static_cast<const ClassField*>(context);
  bool is_literal = field->converter->kind == SchemaKind::kLiteral;
  if (!is_literal && is_stored_as_is(field->storage, *value)) {
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
  if (!x || convert_annotated(field->converter, x.get(), result) < 0) {  // may run Python
    return raise_to_slot();
  }
  return 0;
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
