// SPDX-License-Identifier: Apache-2.0
// Wrappers and Python's garbage collector. The tp_traverse of a wrapper follows the native
// references and visits the Python objects that its native object holds, so that the collector can
// find and break a cycle through them.
//
// The references inside a native object are followed only if the object has one owner: the wrapper,
// or the native object that refers to it. Then every Python reference below it is visited exactly
// once. Python's collector never frees a cycle through a native object with several owners;
// collect/collect.h finds such cycles.
#include <algorithm>

#include "attach.h"
#include "collect/collect.h"
#include "collect/edges.h"
#include "wrapper.h"

namespace binding {
namespace {

// Deeper graphs are not traversed, to protect the C stack.
constexpr int kMaxDepth = 200;

bool has_one_owner(const TVMFFIObject* obj) {
  return static_cast<uint32_t>(obj->combined_ref_count) == 1;
}

int visit_object(TVMFFIObject* obj, visitproc visit, void* arg, int depth) {
  if (!has_one_owner(obj) || depth == kMaxDepth) return 0;
  PyObject* x = python_edge(obj);
  if (x != nullptr) return visit(x, arg);
  return each_edge(obj, [visit, arg, depth](TVMFFIObject* child) {
    return visit_object(child, visit, arg, depth + 1);
  });
}

// Returns whether visit_object may find a Python object below `obj`, now or later.
bool object_may_hold_python(const TVMFFIObject* obj) {
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
    return is_object_index(value.type_index) && object_may_hold_python(value.v_obj);
  });
}

int wrapper_traverse(PyObject* self, visitproc visit, void* arg) {
  // Native code that runs without the GIL may be changing the objects that its arguments hold.
  if (num_detached() != 0 || g_traverse_wrappers_alone) return 0;
  TVMFFIObject* obj = as_wrapper(self)->handle;
  return obj == nullptr ? 0 : visit_object(obj, visit, arg, 0);
}

int wrapper_clear(PyObject* self) {
  TVMFFIObject* obj = wrapper_detach(as_wrapper(self));
  if (obj != nullptr) object_dec_ref(obj);  // may run Python
  return 0;
}

}  // namespace binding
