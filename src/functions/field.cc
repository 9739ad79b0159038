// SPDX-License-Identifier: Apache-2.0
// Global functions that make getters and setters for fields in objects whose memory layout a
// language binding (such as the Python extension) chooses.
#include <tvm/ffi/function.h>

#include "functions/functions.h"
#include "layout/field_access.h"

namespace tvm::ffi::runtime {
namespace {

int64_t make_getter(int64_t static_type_index) {
  return reinterpret_cast<int64_t>(field_getter_of(static_type_index));
}

Function make_setter(int64_t static_type_index, int64_t context, int64_t converter) {
  if (converter == 0) TVM_FFI_THROW(ValueError) << "The address of the converter is 0";
  return make_field_setter(static_type_index, 0, reinterpret_cast<void*>(context),
                           reinterpret_cast<FieldConverter>(converter));
}

}  // namespace

void register_field_functions() {
  ShortDef().def("ffi.MakeFieldGetter", make_getter).def("ffi.MakeFieldSetter", make_setter);
}

}  // namespace tvm::ffi::runtime
