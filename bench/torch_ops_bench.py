#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare operators of ``tvm_ffi.torch.register_ops`` with operators written by hand.

    python bench/torch_ops_bench.py

Needs PyTorch and a C++ compiler. Both operators call the same function of a library; a row has
the time of a call in nanoseconds, and its ratio to the time of the operator written by hand.
"""

import timeit

import torch

import tvm_ffi
from tvm_ffi.cpp import load_inline

SOURCE = r"""
#include <tvm/ffi/tvm_ffi.h>
void Touch(tvm::ffi::TensorView x, tvm::ffi::TensorView y) {}
tvm::ffi::Tensor Make(tvm::ffi::TensorView x) {
  return tvm::ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, x.shape(), x.dtype(), x.device());
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(touch, Touch, "", tvm::ffi::reflection::arg_names("x,y"));
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, Make, "", tvm::ffi::reflection::arg_names("x"));
"""


def by_hand(module):
    """Return the operators that a user would write by hand."""

    @torch.library.custom_op("bench_by_hand::touch", mutates_args=("y",))
    def touch(x: torch.Tensor, y: torch.Tensor) -> None:
        module.touch(x, y)

    @torch.library.custom_op("bench_by_hand::make", mutates_args=())
    def make(x: torch.Tensor) -> torch.Tensor:
        return module.make(x)

    touch.register_fake(lambda x, y: None)
    make.register_fake(torch.empty_like)
    return torch.ops.bench_by_hand


def nanoseconds(call, repeat=15, number=5000):
    """Return the best time of a call in nanoseconds."""
    return min(timeit.repeat(call, repeat=repeat, number=number)) / number * 1e9


def main():
    """Print one row for each function and each kind of operator."""
    module = load_inline("torch_ops_bench", cpp_sources=SOURCE)
    hand = by_hand(module)
    made = tvm_ffi.torch.register_ops(
        module, mutates={"touch": ["y"]}, fake={"make": torch.empty_like}
    )
    x, y = torch.zeros(4, 4), torch.zeros(4, 4)
    for name, args in (("touch", (x, y)), ("make", (x,))):
        rows = {
            "function": getattr(module, name),
            "operator by hand": getattr(hand, name),
            "operator of register_ops": getattr(made, name),
        }
        times = {row: nanoseconds(lambda f=f, a=args: f(*a)) for row, f in rows.items()}
        for row, time in times.items():
            ratio = time / times["operator by hand"]
            print(f"{name:6} {row:26} {time:9.0f} ns  {ratio:5.2f}")


if __name__ == "__main__":
    main()
