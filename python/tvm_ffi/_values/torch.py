# SPDX-License-Identifier: Apache-2.0
"""Make sample PyTorch tensors, by which the extension learns to read tensors in place."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def samples_of_bits() -> list[tuple[Any, int, bool, bool]]:
    """Return tensors, each with the address of its C++ object and its two bits.

    The extension looks for the words of memory in which exactly these bits differ, so that it can
    read the bits of a tensor without a call. The result is empty if PyTorch is not imported, or
    lacks what the samples need.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return []
    real = torch.ones(2, 3, device="cpu")
    number = torch.ones(2, dtype=torch.complex64, device="cpu")
    conjugate = number.conj()
    tensors = (
        real,
        real.t()[1:],
        torch.zeros(0, dtype=torch.int8, device="cpu"),
        torch.ones((), dtype=torch.float64, device="cpu", requires_grad=True),
        torch.nn.Parameter(torch.ones(1, device="cpu")),
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


def samples_of_parts() -> list[tuple[Any, ...]]:
    """Return tensors, each with the numbers that the extension looks for in its C++ objects.

    The numbers are the address of the storage, the address of the memory, the size of the storage
    in bytes, the number of dimensions and of elements, the offset in the storage in elements, the
    shape and the strides. The result is empty if PyTorch is not imported, or lacks what the samples
    need.
    """
    torch = sys.modules.get("torch")
    if torch is None:
        return []
    base = torch.zeros(2, 3, 5, 7, 11, device="cpu")
    matrix = torch.zeros(6, 4, dtype=torch.float16, device="cpu")
    tensors = (
        base[1:, 1:, :, 2:, 4:],
        base.permute(4, 2, 0, 3, 1),
        base[1, 2, 3, 4, 5:],
        matrix,
        matrix[1:2],
        matrix[::2, ::3],
        matrix.t()[2:],
        torch.zeros(1, device="cpu").expand(9),
        torch.zeros(13, dtype=torch.int8, device="cpu")[3:],
        torch.zeros((), dtype=torch.float64, device="cpu", requires_grad=True),
        torch.zeros(3, 2, dtype=torch.complex64, device="cpu")[1:],
        torch.nn.Parameter(torch.zeros(8, device="cpu")),
    )
    samples = []
    for x in tensors:
        storage = x.untyped_storage()
        numbers = (x.dim(), x.numel(), x.storage_offset(), tuple(x.shape), x.stride())
        samples.append((x, storage._cdata, storage.data_ptr(), storage.nbytes(), *numbers))
    return samples
