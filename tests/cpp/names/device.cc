// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/device.h>

#include <optional>
#include <string_view>

#include "use.h"

namespace ffi = tvm::ffi;

HAS_TYPE(ffi::detail::TryParseDLDeviceType(The<std::string_view>()), std::optional<DLDeviceType>);
HAS_TYPE(ffi::detail::TryParseDLDeviceIndex(The<std::string_view>()), std::optional<int32_t>);
HAS_TYPE(ffi::detail::TryStringViewToDLDevice(The<std::string_view>()), std::optional<DLDevice>);
HOLDS(ffi::TypeTraits<DLDevice>::field_static_type_index == kTVMFFIDevice);
