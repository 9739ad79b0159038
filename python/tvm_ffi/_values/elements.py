# SPDX-License-Identifier: Apache-2.0
"""Read the elements of a tensor in the memory of the CPU as Python numbers.

Works for all data types and layouts, without NumPy.
"""

from __future__ import annotations

import re
import struct
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from ..core import Tensor

    # Converts the bits of one scalar, given as an unsigned integer, to its value.
    Decode = Callable[[int], Any]

_CPU = 1  # DLPack's number of the device type.

# DLPack's type codes; those without a name in `DataTypeCode` are defined here by number.
INT, UINT, FLOAT, HANDLE, BFLOAT, COMPLEX, BOOL = range(7)

# On 64-bit systems, all addresses of a process are below this limit.
_ADDRESS_LIMIT = 1 << 56

_SMALL_FLOAT = re.compile(r"float\d+_e(\d+)m(\d+)(b11fnuz|fnuz|fnu|fn)?(?:x\d+)?$")

_FLOAT_FORMATS = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}


class Elements:
    """Returns the value of an element, given its offset from the tensor's first element.

    The offset counts elements. The value is a `bool`, `int`, `float` or `complex`; a tuple of them
    if the data type has lanes. A handle is an `int`. The object does not own the memory: use it
    before other code can change the tensor.

    Raise TypeError if the tensor is not on the CPU, or Python has no numbers for the data type.
    Raise ValueError if the elements have addresses that no process can have.
    """

    def __init__(self, tensor: Tensor) -> None:
        kind = tensor.dtype
        if tensor.__dlpack_device__()[0] != _CPU:
            raise TypeError(
                f"the elements of a tensor on {tensor.device} cannot be read: pass the tensor to a "
                "library of that device, for example with torch.from_dlpack(x); "
                "numpy.from_dlpack(x) needs a CPU tensor"
            )
        self._address = tensor.data_ptr()
        self._lanes = kind.lanes
        code = int(kind.type_code)
        self._is_complex = code == COMPLEX
        self._num_bits = kind.bits // 2 if self._is_complex else kind.bits
        if self._lanes < 1 or self._num_bits < 1:
            raise TypeError(f"elements of {kind} have no value in Python")
        self._decode = _decoder(str(kind), FLOAT if self._is_complex else code, self._num_bits)
        self._element_bits = kind.bits * kind.lanes
        self._check_addresses(tensor)

    def _check_addresses(self, tensor: Tensor) -> None:
        # The shape or address of a tensor from another library may be wrong. Check them, because
        # reading an element must not crash the process.
        ends = [(n - 1) * step for n, step in zip(tensor.shape, tensor.strides)]
        first = sum(end for end in ends if end < 0)
        last = sum(end for end in ends if end > 0) + 1
        begin = self._address + first * self._element_bits // 8
        end = self._address + last * self._element_bits // 8
        if tensor.numel() and (begin <= 0 or end >= _ADDRESS_LIMIT):
            raise ValueError("the elements of the tensor have no valid address")

    def value(self, offset: int) -> Any:
        """Return the value of one element."""
        import ctypes

        first = offset * self._element_bits
        begin, end = first // 8, (first + self._element_bits + 7) // 8
        data = ctypes.string_at(self._address + begin, end - begin)
        bits = int.from_bytes(data, "little") >> (first % 8)
        count = self._lanes * (2 if self._is_complex else 1)
        mask = (1 << self._num_bits) - 1
        if count == 1:
            return self._decode(bits & mask)
        parts = [self._decode((bits >> (i * self._num_bits)) & mask) for i in range(count)]
        if self._is_complex:
            parts = [complex(*parts[i : i + 2]) for i in range(0, count, 2)]
        return parts[0] if self._lanes == 1 else tuple(parts)


@cache
def _decoder(name: str, code: int, bits: int) -> Decode:
    if code == INT:
        return lambda x: x - (1 << bits) if x >> (bits - 1) else x
    if code in (UINT, HANDLE):
        return lambda x: x
    if code == BOOL:
        return lambda x: x != 0
    if code == BFLOAT and bits == 16:
        return lambda x: _float_of(x << 16, 32)
    if code == FLOAT and bits in _FLOAT_FORMATS:
        return lambda x: _float_of(x, bits)
    match = _SMALL_FLOAT.match(name)
    if match is None:
        raise TypeError(f"elements of {name} have no value in Python")
    exponent, mantissa, special = int(match[1]), int(match[2]), match[3] or ""
    return lambda x: _small_float(x, exponent, mantissa, special)


def _float_of(x: int, bits: int) -> float:
    number, integer = _FLOAT_FORMATS[bits]
    value: float = struct.unpack(number, struct.pack(integer, x))[0]
    return value


def _small_float(bits: int, num_exponent: int, num_mantissa: int, special: str) -> float:
    """Decode a number of at most 8 bits; ``special`` tells how infinity and NaN are stored."""
    nan, infinity = float("nan"), float("inf")
    bias = {"fnuz": 1 << (num_exponent - 1), "b11fnuz": 11}.get(
        special, (1 << (num_exponent - 1)) - 1
    )
    if special == "fnu":  # This format has only powers of two: no sign, no zero.
        return nan if bits == (1 << num_exponent) - 1 else 2.0 ** (bits - bias)
    sign_bit = 1 << (num_exponent + num_mantissa)
    magnitude = bits & (sign_bit - 1)
    exponent, mantissa = magnitude >> num_mantissa, magnitude & ((1 << num_mantissa) - 1)
    sign = -1.0 if bits & sign_bit else 1.0
    if special.endswith("fnuz"):
        if bits == sign_bit:
            return nan
    elif special == "fn":
        # Of the types with this suffix, only those of 8 bits have a NaN: all bits of the magnitude
        # are 1.
        if num_exponent + num_mantissa == 7 and magnitude == sign_bit - 1:
            return nan
    elif exponent == (1 << num_exponent) - 1:
        return nan if mantissa else sign * infinity
    if exponent == 0:
        return sign * float(mantissa) * 2.0 ** (1 - bias - num_mantissa)
    return sign * (1 + mantissa / (1 << num_mantissa)) * 2.0 ** (exponent - bias)
