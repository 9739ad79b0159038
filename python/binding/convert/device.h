// SPDX-License-Identifier: Apache-2.0
// Conversion of devices: the functions that the class core.Device also needs.
#pragma once

#include "../type/types.h"

namespace binding {

inline DLDevice* device_of(PyObject* x) { return &reinterpret_cast<DeviceObject*>(x)->device; }

inline void value_set_device(TVMFFIAny* out, DLDevice device) {
  out->type_index = kTVMFFIDevice;
  out->zero_padding = 0;
  out->v_uint64 = 0;
  out->v_device = device;
}

}  // namespace binding
