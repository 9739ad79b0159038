// SPDX-License-Identifier: Apache-2.0
// Wrappers and Python's garbage collector: what a wrapper's object holds of Python is visited
// through the native references, so that a cycle through them can be found and cut.
//
// A native object is looked into only where nothing but the wrapper, or the one object above it,
// owns it: then every Python reference below it is met exactly once. What is not looked into only
// makes the collector keep more than it must.
#include <tvm/ffi/container/map_base.h>

#include <algorithm>

#include "attach.h"
#include "callback.h"
#include "class_info.h"
#include "type/types.h"
#include "wrapper.h"

namespace binding {
namespace {

// Deeper graphs stay uncollected instead of using up the C stack.
constexpr int kMaxDepth = 200;

bool has_one_owner(const TVMFFIObject* obj) {
  return static_cast<uint32_t>(obj->combined_ref_count) == 1;
}

int visit_object(TVMFFIObject* obj, visitproc visit, void* arg, int depth);

int visit_value(const TVMFFIAny& value, visitproc visit, void* arg, int depth) {
  return is_object_index(value.type_index) ? visit_object(value.v_obj, visit, arg, depth) : 0;
}

int visit_sequence(TVMFFIObject* obj, visitproc visit, void* arg, int depth) {
  auto* cell = reinterpret_cast<TVMFFISeqCell*>(obj + 1);
  for (int64_t i = 0; i < cell->size; ++i) {
    int rc = visit_value(static_cast<const TVMFFIAny*>(cell->data)[i], visit, arg, depth);
    if (rc != 0) return rc;
  }
  return 0;
}

int visit_mapping(TVMFFIObject* obj, visitproc visit, void* arg, int depth) {
  auto* body = reinterpret_cast<tvm::ffi::MapBaseObj*>(obj);
  for (auto it = body->begin(); it != body->end(); ++it) {
    int rc = visit_value(reinterpret_cast<const TVMFFIAny&>(it->first), visit, arg, depth);
    if (rc == 0) {
      rc = visit_value(reinterpret_cast<const TVMFFIAny&>(it->second), visit, arg, depth);
    }
    if (rc != 0) return rc;
  }
  return 0;
}

// The fields of a class that is defined in Python.
int visit_fields(TVMFFIObject* obj, visitproc visit, void* arg, int depth) {
  const ClassInfo* info = class_info_known(obj->type_index);
  if (info == nullptr || !info->tracked) return 0;
  char* begin = reinterpret_cast<char*>(obj);
  for (int32_t offset : info->value_edges) {
    int rc = visit_value(*reinterpret_cast<TVMFFIAny*>(begin + offset), visit, arg, depth);
    if (rc != 0) return rc;
  }
  for (int32_t offset : info->object_edges) {
    int rc = visit_object(*reinterpret_cast<TVMFFIObject**>(begin + offset), visit, arg, depth);
    if (rc != 0) return rc;
  }
  return 0;
}

int visit_python(void* x, visitproc visit, void* arg) {
  return x == nullptr ? 0 : visit(static_cast<PyObject*>(x), arg);
}

int visit_object(TVMFFIObject* obj, visitproc visit, void* arg, int depth) {
  if (obj == nullptr || !has_one_owner(obj) || depth == kMaxDepth) return 0;
  switch (obj->type_index) {
    case kTVMFFIOpaquePyObject:
      return visit_python(TVMFFIOpaqueObjectGetCellPtr(obj)->handle, visit, arg);
    case kTVMFFIFunction:
      return visit_python(callback_callable(obj), visit, arg);
    case kTVMFFIArray:
    case kTVMFFIList:
      return visit_sequence(obj, visit, arg, depth + 1);
    case kTVMFFIMap:
    case kTVMFFIDict:
      return visit_mapping(obj, visit, arg, depth + 1);
    case kTVMFFIError: {
      auto* context = static_cast<TVMFFIObject*>(TVMFFIErrorGetCellPtr(obj)->extra_context);
      return visit_object(context, visit, arg, depth + 1);
    }
    default:
      return visit_fields(obj, visit, arg, depth + 1);
  }
}

// Whether visit_object may find a Python object below `obj`, now or later.
bool may_hold_python(const TVMFFIObject* obj) {
  switch (obj->type_index) {
    case kTVMFFIOpaquePyObject:
    case kTVMFFIFunction:
    case kTVMFFIArray:
    case kTVMFFIList:
    case kTVMFFIMap:
    case kTVMFFIDict:
    case kTVMFFIError:
      return true;
    default: {
      const ClassInfo* info = class_info_known(obj->type_index);
      return info == nullptr || info->tracked;
    }
  }
}

}  // namespace

bool is_small_leaf_array(const TVMFFIObject* array) {
  constexpr int64_t kSmall = 4;
  auto* cell = reinterpret_cast<const TVMFFISeqCell*>(array + 1);
  if (cell->size > kSmall) return false;
  auto* values = static_cast<const TVMFFIAny*>(cell->data);
  return std::none_of(values, values + cell->size, [](const TVMFFIAny& value) {
    return is_object_index(value.type_index) && may_hold_python(value.v_obj);
  });
}

int wrapper_traverse(PyObject* self, visitproc visit, void* arg) {
  // Native code that runs without the lock may be changing what its arguments hold.
  if (g_detached != 0) return 0;
  return visit_object(as_wrapper(self)->handle, visit, arg, 0);
}

int wrapper_clear(PyObject* self) {
  TVMFFIObject* obj = wrapper_detach(as_wrapper(self));
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
  return 0;
}

}  // namespace binding
