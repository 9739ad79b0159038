# SPDX-License-Identifier: Apache-2.0
"""Make sample PyTorch tensors whose negative and conjugate bits are known."""

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
