// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/memory.h>

#include "use.h"

namespace ffi = tvm::ffi;
using ffi::Object;

HAS_TYPE(ffi::make_object<Object>(), ffi::ObjectPtr<Object>);
HAS_TYPE(ffi::make_arc<Object>(), ffi::Arc<Object>);
HAS_TYPE((ffi::make_inplace_array_object<Object, int64_t>(The<size_t>())), ffi::ObjectPtr<Object>);
SAME_TYPE(ffi::FObjectDeleter, void (*)(void*, int));
HAS_TYPE(ffi::detail::AlignedAlloc(The<size_t>(), The<size_t>()), void*);
HAS_TYPE(ffi::detail::AlignedFree(The<void*>()), void);
HOLDS(noexcept(ffi::detail::AlignedFree(The<void*>())));
HOLDS(std::is_base_of_v<ffi::detail::ObjAllocatorBase<ffi::detail::SimpleObjAllocator>,
                        ffi::detail::SimpleObjAllocator>);
using ffi::detail::SimpleObjAllocator;
using One = SimpleObjAllocator::Handler<Object>;
using Many = SimpleObjAllocator::ArrayHandler<Object, int64_t>;
HAS_TYPE(One::New(The<SimpleObjAllocator*>()), Object*);
HAS_TYPE(One::Deleter(), ffi::FObjectDeleter);
HAS_TYPE(Many::New(The<SimpleObjAllocator*>(), The<size_t>()), Object*);
HAS_TYPE(Many::Deleter(), ffi::FObjectDeleter);
