# SPDX-License-Identifier: Apache-2.0
"""Sample tensors, in which the extension finds the layout of PyTorch's tensors."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def samples() -> tuple[list[Any], list[Any]]:
    """Return the samples of bits and those of parts.

    The extension calls this function on a thread of its own, so that no mode of PyTorch is active.
    """
    torch = sys.modules["torch"]
    return _samples_of_bits(torch), _samples_of_parts(torch)


def _samples_of_bits(torch: Any) -> list[tuple[Any, int, bool, bool]]:
    """Return tensors, each with the address of its C++ object and its two bits.

    The extension looks for the words of memory in which exactly these bits differ, so that it can
    read the bits of a tensor without a call.
    """
    real = torch.ones(2, 3, dtype=torch.float32, device="cpu")
    number = torch.ones(2, dtype=torch.complex64, device="cpu")
    conjugate = number.conj()
    tensors = (
        real,
        real.t()[1:],
        torch.zeros(0, dtype=torch.int8, device="cpu"),
        torch.ones((), dtype=torch.float64, device="cpu", requires_grad=True),
        torch.nn.Parameter(torch.ones(1, dtype=torch.float32, device="cpu")),
        number,
        number.imag,
        torch._neg_view(real),
        torch._neg_view(real.detach()[0]),
        torch._neg_view(number),
        conjugate,
        conjugate[1:],
        conjugate.real,
        conjugate.imag,
        torch._neg_view(conjugate),
        torch._neg_view(number)[:1].conj(),
    )
    return [(x, x._cdata, x.is_neg(), x.is_conj()) for x in tensors]


def _samples_of_parts(torch: Any) -> list[tuple[Any, ...]]:
    """Return tensors, each with the numbers that the extension looks for in its C++ objects.

    The numbers are the address of the storage, the address of the memory, the size of the storage
    in bytes, the number of dimensions and of elements, the offset in the storage in elements, the
    shape and the strides.
    """
    base = torch.zeros(2, 3, 5, 7, 11, dtype=torch.float32, device="cpu")
    matrix = torch.zeros(6, 4, dtype=torch.float16, device="cpu")
    tensors = (
        base[1:, 1:, :, 2:, 4:],
        base.permute(4, 2, 0, 3, 1),
        base[1, 2, 3, 4, 5:],
        matrix,
        matrix[1:2],
        matrix[::2, ::3],
        matrix.t()[2:],
        torch.zeros(1, dtype=torch.float32, device="cpu").expand(9),
        torch.zeros(13, dtype=torch.int8, device="cpu")[3:],
        torch.zeros((), dtype=torch.float64, device="cpu", requires_grad=True),
        torch.zeros(3, 2, dtype=torch.complex64, device="cpu")[1:],
        torch.nn.Parameter(torch.zeros(8, dtype=torch.float32, device="cpu")),
    )
    samples = []
    for x in tensors:
        storage = x.untyped_storage()
        numbers = (x.dim(), x.numel(), x.storage_offset(), tuple(x.shape), x.stride())
        samples.append((x, storage._cdata, storage.data_ptr(), storage.nbytes(), *numbers))
    return samples
