// SPDX-License-Identifier: Apache-2.0
// The number types of cuda_fp16.h and cuda_bf16.h as far as our headers depend on them: structs of
// the global namespace.
#pragma once

#include <cstdint>

struct alignas(2) __half {
  uint16_t bits;
};
struct alignas(2) __nv_bfloat16 {
  uint16_t bits;
};
