// SPDX-License-Identifier: Apache-2.0
// Rooms of select.cc's table that have no file of their own: objects that carry a handle, numbers,
// and what the methods of a protocol return. Signature and rules as in convert.h.
#pragma once

#include "convert.h"

namespace binding {

int wrapper_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int container_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int tensor_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_object_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int convertible_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int cuda_stream_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int opaque_ptr_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int c_void_p_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int opaque_handler_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int unknown_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int bool_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int integral_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int real_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_int_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_float_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int protocol_value_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int cached_object_room(PyObject* x, TVMFFIAny* out, Arguments* args);
int string_room(PyObject* x, TVMFFIAny* out, Arguments* args);

}  // namespace binding
