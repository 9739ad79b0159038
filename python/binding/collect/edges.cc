// SPDX-License-Identifier: Apache-2.0
// Finds the references that a native object owns.
#include "edges.h"

#include <algorithm>

#include "../call.h"
#include "../callback.h"

namespace binding {
namespace {

TVMFFIFieldGetter g_value_getter = nullptr;
TVMFFIFieldGetter g_object_getter = nullptr;

// Counts the fields of the type and its ancestors that are registered by now.
int32_t count_fields(const TVMFFITypeInfo* type) {
  int32_t count = type->num_fields;
  for (int32_t depth = 1; depth < type->type_depth; ++depth) {
    count += type->type_ancestors[depth]->num_fields;
  }
  return count;
}

void add_once(std::vector<int32_t>* offsets, int64_t offset) {
  auto x = static_cast<int32_t>(offset);
  // Two reflected fields may be the same member.
  if (std::find(offsets->begin(), offsets->end(), x) == offsets->end()) offsets->push_back(x);
}

void add_field_edges(ClassInfo* info, const TVMFFITypeInfo* type) {
  for (int32_t i = 0; i < type->num_fields; ++i) {
    const TVMFFIFieldInfo& field = type->fields[i];
    if (field.getter == g_value_getter) add_once(&info->value_edges, field.offset);
    if (field.getter == g_object_getter) add_once(&info->object_edges, field.offset);
  }
}

}  // namespace

TVMFFIFieldGetter field_getter(int32_t static_type_index) {
  static RuntimeFunction make("ffi.MakeFieldGetter");
  TVMFFIAny arg, result;
  value_set_int(&arg, static_type_index);
  if (make.call(&arg, 1, &result) < 0) return nullptr;
  return reinterpret_cast<TVMFFIFieldGetter>(static_cast<intptr_t>(result.v_int64));
}

int edges_init() {
  g_value_getter = field_getter(kTVMFFIAny);
  g_object_getter = field_getter(kTVMFFIObject);
  return g_value_getter == nullptr || g_object_getter == nullptr ? -1 : 0;
}

const ClassInfo* class_edges(int32_t type_index) {
  ClassInfo* info = class_info_known(type_index);
  if (info == nullptr || info->native == nullptr) return nullptr;
  if (BINDING_LIKELY(info->has_all_edges)) return info;
  int32_t num_fields = count_fields(info->native);
  if (BINDING_UNLIKELY(num_fields != info->num_fields_seen)) {
    info->value_edges.clear();
    info->object_edges.clear();
    for (int32_t depth = 1; depth < info->native->type_depth; ++depth) {
      add_field_edges(info, info->native->type_ancestors[depth]);
    }
    add_field_edges(info, info->native);
    info->num_fields_seen = num_fields;
    // No more fields can be added to a class that is defined in Python.
    info->has_all_edges = info->plan != nullptr;
  }
  return info;
}

PyObject* python_edge(TVMFFIObject* obj) {
  if (obj->type_index == kTVMFFIOpaquePyObject) {
    return static_cast<PyObject*>(TVMFFIOpaqueObjectGetCellPtr(obj)->handle);
  }
  return obj->type_index == kTVMFFIFunction ? callback_callable(obj) : nullptr;
}

PyObject* python_edge_take(TVMFFIObject* obj) {
  Py_INCREF(Py_None);
  if (obj->type_index == kTVMFFIFunction) return callback_replace_callable_steal(obj, Py_None);
  void*& handle = TVMFFIOpaqueObjectGetCellPtr(obj)->handle;
  return static_cast<PyObject*>(std::exchange(handle, static_cast<void*>(Py_None)));
}

bool has_edges(TVMFFIObject* obj) {
  return python_edge(obj) != nullptr || each_edge(obj, [](TVMFFIObject*) { return 1; }) != 0;
}

bool may_be_in_cycle(TVMFFIObject* obj) {
  switch (obj->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
    case kTVMFFIError:
      return true;
    case kTVMFFIFunction:
      return callback_callable(obj) != nullptr;
    case kTVMFFIOpaquePyObject:
    case kTVMFFIStr:
    case kTVMFFIBytes:
    case kTVMFFITensor:
    case kTVMFFIShape:
      return false;
    default: {
      const ClassInfo* info = class_edges(obj->type_index);
      if (info == nullptr) return false;
      // For a class that is defined in Python, the plan tells which values its fields accept.
      if (info->plan != nullptr) return info->tracked;
      return !info->value_edges.empty() || !info->object_edges.empty();
    }
  }
}

}  // namespace binding
