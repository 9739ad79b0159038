# SPDX-License-Identifier: Apache-2.0
"""Call one compiled kernel with arrays of NumPy and with tensors of PyTorch, without copies."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import tvm_ffi
from tvm_ffi import cpp

HERE = Path(__file__).parent


def main() -> None:
    """Compile the kernel, and call it with arrays of two frameworks."""
    library = cpp.build("kernels_example", sources=[str(HERE / "softmax.cc")])
    mod = tvm_ffi.load_module(library)

    x = np.array([[0.0, 1.0], [2.0, 2.0]], dtype="float32")
    out = np.empty_like(x)
    mod.softmax(x, out)
    print(out.astype(float).round(3).tolist())
    try:
        mod.softmax(x, out[:1])
    except ValueError as error:
        print(f"ValueError: {str(error).partition('. ')[2]}")

    try:
        import torch
    except ImportError:
        print("PyTorch is not installed")
        return
    tensor = torch.from_numpy(x)
    result = torch.empty_like(tensor)
    mod.softmax(tensor, result)
    print(bool(torch.allclose(result, torch.softmax(tensor, dim=1))))


if __name__ == "__main__":
    main()
