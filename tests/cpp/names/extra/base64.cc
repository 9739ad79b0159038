// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/base64.h>

#include "../use.h"

namespace ffi = tvm::ffi;
using ffi::Bytes;
using ffi::String;

HAS_TYPE(ffi::Base64Encode(The<TVMFFIByteArray>()), String);
HAS_TYPE(ffi::Base64Encode(The<const Bytes>()), String);
HAS_TYPE(ffi::Base64Decode(The<TVMFFIByteArray>()), Bytes);
HAS_TYPE(ffi::Base64Decode(The<const String>()), Bytes);
