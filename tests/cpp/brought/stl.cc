// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/extra/stl.h>

namespace ffi = tvm::ffi;

ffi::List<int64_t> Copy(const std::vector<int64_t>& x) { return {x.begin(), x.end()}; }
ffi::Optional<int64_t> None() { return std::nullopt; }
