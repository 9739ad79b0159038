// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/cast.h>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Object;
using ffi::ObjectRef;

HAS_TYPE(ffi::GetRef<ObjectRef>(The<const Object*>()), ObjectRef);
HAS_TYPE(ffi::GetRef<ffi::Optional<ObjectRef>>(The<const Object*>()), ffi::Optional<ObjectRef>);
HAS_TYPE(ffi::GetObjectPtr<Object>(The<Object*>()), ffi::ObjectPtr<Object>);
