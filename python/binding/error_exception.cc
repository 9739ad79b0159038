// SPDX-License-Identifier: Apache-2.0
// Stores an exception in a native error, and moves it out again.
#include "error_exception.h"

#include <tvm/ffi/extra/c_error.h>

#include <cstring>
#include <utility>

#include "convert/convert.h"

namespace binding {
namespace {

// Maximum number of contexts that are followed from one error, so that the search also terminates
// in a cyclic chain. Chains of real errors are shorter.
constexpr int kMaxLinks = 1000;

// Returns the offset of a field in objects of a type; 0 if there is no such field.
int64_t offset_of_field(int32_t type_index, const char* name) {
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  for (int32_t i = 0; info != nullptr && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo& field = info->fields[i];
    if (field.name.size == std::strlen(name) &&
        std::memcmp(field.name.data, name, field.name.size) == 0) {
      return field.offset;
    }
  }
  return 0;
}

struct VisitContextType {
  int32_t index = -1;
  int64_t prev_offset = 0;
};

const VisitContextType& visit_context_type() {
  static const VisitContextType type = [] {
    VisitContextType found;
    constexpr char kKey[] = "ffi.VisitErrorContext";
    TVMFFIByteArray key{kKey, sizeof(kKey) - 1};
    int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
    if (index >= 0) found.prev_offset = offset_of_field(index, "prev_error_context");
    if (found.prev_offset != 0) found.index = index;
    return found;
  }();
  return type;
}

// Returns the address of the last pointer in the chain of contexts, which is NULL or points to an
// object that is not a context. Returns NULL if the chain is too long, or if the error cannot have
// a context.
TVMFFIObject** end_of_chain(TVMFFIErrorCell* error) {
  if (!tvm_ffi_error_has_links(error)) return nullptr;
  auto** place = reinterpret_cast<TVMFFIObject**>(&error->extra_context);
  const VisitContextType& type = visit_context_type();
  for (int links = 0; links < kMaxLinks; ++links) {
    if (*place == nullptr || (*place)->type_index != type.index) return place;
    place = reinterpret_cast<TVMFFIObject**>(reinterpret_cast<char*>(*place) + type.prev_offset);
  }
  return nullptr;
}

// Returns the exception in an opaque object, borrowed; NULL for other objects and for NULL.
PyObject* exception_in(TVMFFIObject* box) {
  if (box == nullptr || box->type_index != kTVMFFIOpaquePyObject) return nullptr;
  auto* payload = static_cast<PyObject*>(TVMFFIOpaqueObjectGetCellPtr(box)->handle);
  return payload != nullptr && PyExceptionInstance_Check(payload) ? payload : nullptr;
}

}  // namespace

PyObject* error_take_exception(TVMFFIErrorCell* error) {
  TVMFFIObject** place = end_of_chain(error);
  PyObject* payload = place == nullptr ? nullptr : exception_in(*place);
  if (payload == nullptr) return nullptr;
  Py_INCREF(payload);
  object_dec_ref(std::exchange(*place, nullptr));
  return payload;
}

PyObject* error_exception_borrowed(TVMFFIErrorCell* error) {
  TVMFFIObject** place = end_of_chain(error);
  return place == nullptr ? nullptr : exception_in(*place);
}

int error_store_exception(TVMFFIErrorCell* error, PyObject* exc) {
  TVMFFIObject** place = end_of_chain(error);
  if (place == nullptr || *place != nullptr) return 0;
  CallContext context;
  TVMFFIObject* kept;
  Arguments args{Temporaries(&kept), &context};
  TVMFFIAny box;
  if (opaque_from_py(exc, &box, &args) < 0) return -1;
  object_inc_ref(box.v_obj);
  *place = box.v_obj;
  return 0;
}

}  // namespace binding
