// SPDX-License-Identifier: Apache-2.0
// The references that a native object owns, if the layout of its type shows them for certain:
//
// - elements of Array and List, keys and values of Map and Dict;
// - fields of classes that are defined in Python and of types that were loaded from a schema image:
//   their objects have no members beside these fields;
// - the Python callable of a function that was made from one, and the Python object in an opaque
//   object;
// - the context and the cause of an error.
//
// All other references are not known: members of C++ classes, and values that C++ functions
// capture. This includes reflected members, because a reflected `T*` does not own its object, and
// the type table cannot tell a `T*` from an owned reference.
#pragma once

#include <tvm/ffi/c_api.h>
#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/extra/c_error.h>

#include "../class_info.h"
#include "../compat.h"
#include "../ref.h"
#include "../type/types.h"

namespace binding {

// Returns the getter that the runtime uses for fields of one kind: an owned value (kTVMFFIAny) or
// an owned pointer (kTVMFFIObject). On failure, returns NULL with an exception set.
TVMFFIFieldGetter field_getter(int32_t static_type_index);

// Looks up the getters by which class_edges() recognises fields that own a reference. Returns 0, or
// -1 with an exception set.
int edges_init();

// Finds the fields of a type that own a reference; searches again if fields were added since the
// last call. Returns NULL if the type has no ClassInfo.
const ClassInfo* class_edges(int32_t type_index);

// Returns the Python object inside an opaque object, or the callable of a function that was made
// from a callable. Borrowed; NULL for other objects.
PyObject* python_edge(TVMFFIObject* obj);
// Replaces the object that python_edge() returns by None. The caller owns the returned object.
PyObject* python_edge_take(TVMFFIObject* obj);

// Returns whether clear_edges() releases the references of objects of this type.
inline bool can_clear_edges(int32_t type_index) {
  switch (type_index) {
    case kTVMFFIOpaquePyObject:
    case kTVMFFIFunction:
    case kTVMFFIError:
      return false;
    default:
      return true;
  }
}

// Calls `see` with the address of each value or object pointer that the object owns, until `see`
// returns something other than 0. Does not include python_edge().
template <typename SeeValue, typename SeeObject>
int each_edge_slot(TVMFFIObject* obj, SeeValue&& see_value, SeeObject&& see_object) {
  switch (obj->type_index) {
    case kTVMFFIArray:
    case kTVMFFIList: {
      auto* cell = reinterpret_cast<TVMFFISeqCell*>(obj + 1);
      auto* values = static_cast<TVMFFIAny*>(cell->data);
      for (int64_t i = 0; i < cell->size; ++i) {
        if (int rc = see_value(values + i)) return rc;
      }
      return 0;
    }
    case kTVMFFIMap:
    case kTVMFFIDict: {
      auto* body = reinterpret_cast<tvm::ffi::MapBaseObj*>(obj);
      for (auto it = body->begin(); it != body->end(); ++it) {
        if (int rc = see_value(reinterpret_cast<TVMFFIAny*>(&it->first))) return rc;
        if (int rc = see_value(reinterpret_cast<TVMFFIAny*>(&it->second))) return rc;
      }
      return 0;
    }
    case kTVMFFIError: {
      TVMFFIErrorCell* cell = TVMFFIErrorGetCellPtr(obj);
      if (!tvm_ffi_error_has_links(cell)) return 0;
      if (int rc = see_object(reinterpret_cast<TVMFFIObject**>(&cell->cause_chain))) return rc;
      return see_object(reinterpret_cast<TVMFFIObject**>(&cell->extra_context));
    }
    case kTVMFFIOpaquePyObject:
    case kTVMFFIFunction:
      return 0;
    default: {
      const ClassInfo* info = class_edges(obj->type_index);
      if (info == nullptr) return 0;
      char* begin = reinterpret_cast<char*>(obj);
      for (int32_t offset : info->value_edges) {
        if (int rc = see_value(reinterpret_cast<TVMFFIAny*>(begin + offset))) return rc;
      }
      for (int32_t offset : info->object_edges) {
        if (int rc = see_object(reinterpret_cast<TVMFFIObject**>(begin + offset))) return rc;
      }
      return 0;
    }
  }
}

// Calls `see` once for each reference to a native object that `obj` owns, until `see` returns
// something other than 0.
template <typename See>
int each_edge(TVMFFIObject* obj, See&& see) {
  return each_edge_slot(
      obj,
      [&see](const TVMFFIAny* value) {
        return is_object_index(value->type_index) ? see(value->v_obj) : 0;
      },
      [&see](TVMFFIObject* const* object) { return *object == nullptr ? 0 : see(*object); });
}

// Takes every reference out of an object and gives each one to `take`. can_clear_edges() must hold
// for the object.
template <typename Take>
void clear_edges(TVMFFIObject* obj, Take&& take) {
  each_edge_slot(
      obj,
      [&take](TVMFFIAny* value) {
        if (is_object_index(value->type_index)) take(std::exchange(*value, value_none()).v_obj);
        return 0;
      },
      [&take](TVMFFIObject** object) {
        if (*object != nullptr) take(std::exchange(*object, nullptr));
        return 0;
      });
}

}  // namespace binding
