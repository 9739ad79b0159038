# SPDX-License-Identifier: Apache-2.0
"""Write the elements of a tensor in the memory of the CPU as text."""

from __future__ import annotations

import struct

from .._values.elements import BFLOAT, COMPLEX, FLOAT, HANDLE, Elements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..core import Tensor

    # Returns the text of one scalar.
    Write = Callable[[Any], str]


class Texts:
    """Returns the text of an element, given its offset from the tensor's first element.

    With ``is_exact``, a floating-point number gets enough digits to distinguish it from all other
    numbers, instead of at most 8 digits. :class:`Elements` tells the errors.
    """

    def __init__(self, tensor: Tensor, is_exact: bool = False) -> None:
        self._value = Elements(tensor).value
        self._write = _writer(int(tensor.dtype.type_code), tensor.dtype.bits, is_exact)

    def text(self, offset: int) -> str:
        """Return the text of one element."""
        value = self._value(offset)
        if isinstance(value, tuple):
            return f"({', '.join(map(self._write, value))})"
        return self._write(value)


def _writer(code: int, bits: int, is_exact: bool) -> Write:
    if code == HANDLE:
        return hex
    if code == COMPLEX:
        write = _writer(FLOAT, bits // 2, is_exact)
        return lambda x: _complex(write(x.real), write(x.imag))
    if code == BFLOAT:
        return lambda x: _shortest(x, _bits_of_bfloat)
    if code == FLOAT and bits in (16, 32):
        number = "<e" if bits == 16 else "<f"
        return lambda x: _shortest(x, lambda y: struct.pack(number, y), 17 if is_exact else 8)
    return lambda x: repr(x) if is_exact or not isinstance(x, float) else _digits(x, 8)


def _complex(real: str, imaginary: str) -> str:
    return f"{real}{'' if imaginary.startswith('-') else '+'}{imaginary}j"


def _digits(value: float, precision: int) -> str:
    """Write a number with a point or an exponent; infinity and NaN have neither."""
    text = f"{value:.{precision}g}"
    return text if any(c in text for c in ".eni") else f"{text}.0"


def _shortest(value: float, bits_of: Callable[[float], object], most: int = 17) -> str:
    """Write a number with the fewest digits that identify it, but at most ``most`` digits."""
    if value != value or value in (float("inf"), -float("inf")):
        return _digits(value, 1)
    text = ""
    for precision in range(1, most + 1):
        text = _digits(value, precision)
        try:
            if bits_of(float(text)) == bits_of(value):
                return repr(float(text))
        except OverflowError:
            pass  # The rounded text exceeds the largest number of the type: use more digits.
    return text


def _bits_of_bfloat(value: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
