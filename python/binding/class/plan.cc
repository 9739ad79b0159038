// SPDX-License-Identifier: Apache-2.0
// Computation of the plan of a class.
#include "plan.h"

#include <memory>

#include "../raise.h"
#include "../type_attribute.h"
#include "../utf8.h"

namespace binding {
namespace {

// Returns a field of a native ancestor in the form that a plan uses. On failure, returns NULL with
// an exception set.
ClassField* foreign_field(const TVMFFIFieldInfo* native) {
  auto field = std::make_unique<ClassField>();
  field->name = utf8_to_py(native->name);
  if (field->name == nullptr) return nullptr;
  PyUnicode_InternInPlace(&field->name);
  // Copy the entry: the entries of the type table may move when more fields are registered.
  field->native = new TVMFFIFieldInfo(*native);
  field->offset = static_cast<int32_t>(native->offset);
  field->is_parameter = (native->flags & kTVMFFIFieldFlagBitMaskInitOff) == 0;
  field->keyword_only = (native->flags & kTVMFFIFieldFlagBitMaskKwOnly) != 0;
  if ((native->flags & kTVMFFIFieldFlagBitMaskHasDefault) != 0) {
    bool made = (native->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) != 0;
    field->initial_kind = made ? Initial::kFactory : Initial::kValue;
  }
  return field.release();
}

int add_ancestor(const TVMFFITypeInfo* ancestor, std::vector<ClassField*>* fields) {
  ClassInfo* known = class_info_known(ancestor->type_index);
  if (known != nullptr && known->plan != nullptr) {
    fields->insert(fields->end(), known->plan->own.begin(), known->plan->own.end());
    return 0;
  }
  for (int32_t i = 0; i < ancestor->num_fields; ++i) {
    ClassField* field = foreign_field(&ancestor->fields[i]);
    if (field == nullptr) return -1;
    fields->push_back(field);
  }
  return 0;
}

void order_parameters(ClassPlan* plan) {
  for (bool keyword_only : {false, true}) {
    for (bool defaulted : {false, true}) {
      for (uint32_t i = 0; i < plan->fields.size(); ++i) {
        const ClassField& field = *plan->fields[i];
        if (field.is_parameter && field.keyword_only == keyword_only &&
            (field.initial_kind != Initial::kNone) == defaulted) {
          plan->parameters.push_back(i);
        }
      }
    }
    if (!keyword_only) plan->num_positional = static_cast<uint32_t>(plan->parameters.size());
  }
}

TVMFFIObject* function_attribute(int32_t type_index, const char* name) {
  const TVMFFIAny* value = type_attribute(type_index, name);
  if (value != nullptr && value->type_index == kTVMFFIFunction) return value->v_obj;
  PyErr_Format(PyExc_RuntimeError, "the runtime gave type %d no %s", type_index, name);
  return nullptr;
}

}  // namespace

ClassPlan* plan_make(ClassInfo* info, std::vector<ClassField*> own, int32_t end,
                     int32_t total_size) {
  auto plan = std::make_unique<ClassPlan>();
  plan->info = info;
  plan->end = end;
  plan->total_size = total_size;
  for (int32_t depth = 1; depth < info->native->type_depth; ++depth) {
    if (add_ancestor(info->native->type_ancestors[depth], &plan->fields) < 0) return nullptr;
  }
  plan->own = std::move(own);
  plan->fields.insert(plan->fields.end(), plan->own.begin(), plan->own.end());
  order_parameters(plan.get());
  for (const ClassField* field : plan->fields) {
    if (field->initial_kind == Initial::kFactory) plan->may_recurse = true;
    if (field->converter == nullptr || schema_may_hold_python(*field->converter))
      info->tracked = true;
  }
  plan->allocate = function_attribute(info->type_index, "__ffi_new__");
  plan->copy = function_attribute(info->type_index, "__ffi_shallow_copy__");
  if (plan->allocate == nullptr || plan->copy == nullptr) return nullptr;
  return plan.release();
}

TVMFFIObject* plan_allocate(const ClassPlan& plan) {
  TVMFFIAny result = value_none();
  int status =
      TVMFFIFunctionGetCellPtr(plan.allocate)->safe_call(plan.allocate, nullptr, 0, &result);
  if (BINDING_LIKELY(status == 0)) return result.v_obj;
  raise_from_slot(status);
  return nullptr;
}

}  // namespace binding
