# SPDX-License-Identifier: Apache-2.0
"""Read the elements of a tensor in the memory of the CPU, and write them as text.

Works for all data types and layouts, without NumPy.
"""

from __future__ import annotations

import re
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core import Tensor

    # Converts the bits of one scalar, given as an unsigned integer, to its value.
    Decode = Callable[[int], object]

# DLPack's type codes; those without a name in `DataTypeCode` are defined here by number.
_INT, _UINT, _FLOAT, _HANDLE, _BFLOAT, _COMPLEX, _BOOL = range(7)

# On 64-bit systems, all addresses of a process are below this limit.
_ADDRESS_LIMIT = 1 << 56

_SMALL_FLOAT = re.compile(r"float\d+_e(\d+)m(\d+)(b11fnuz|fnuz|fnu|fn)?(?:x\d+)?$")


class Elements:
    """Returns the text of an element, given its offset from the tensor's first element.

    The offset counts elements.

    Parameters
    ----------
    tensor
        A tensor on the CPU. The object keeps a reference to it.
    is_exact
        Whether a floating-point number gets enough digits to distinguish it from all other
        numbers, instead of at most 8 digits.

    Raises
    ------
    NotImplementedError
        If the elements cannot be written as text, or have addresses that no process can have.

    """

    def __init__(self, tensor: Tensor, is_exact: bool = False) -> None:
        kind = tensor.dtype
        self._tensor = tensor
        self._address = tensor.data_ptr()
        self._lanes = kind.lanes
        self._is_complex = int(kind.type_code) == _COMPLEX
        self._num_bits = kind.bits // 2 if self._is_complex else kind.bits
        if self._lanes < 1 or self._num_bits < 1:
            raise NotImplementedError(f"elements of {kind} have no text")
        self._decode = _decoder(str(kind), int(kind.type_code), self._num_bits, is_exact)
        self._element_bits = kind.bits * kind.lanes
        self._check_addresses()

    def _check_addresses(self) -> None:
        # The shape or address of a tensor from another library may be wrong. Check them, because a
        # repr must not crash the process.
        ends = [(n - 1) * step for n, step in zip(self._tensor.shape, self._tensor.strides)]
        first = sum(end for end in ends if end < 0)
        last = sum(end for end in ends if end > 0) + 1
        begin = self._address + first * self._element_bits // 8
        if begin <= 0 or self._address + last * self._element_bits // 8 >= _ADDRESS_LIMIT:
            raise NotImplementedError("elements have no valid address")

    def text(self, offset: int) -> str:
        """Return the text of one element."""
        import ctypes

        first = offset * self._element_bits
        begin, end = first // 8, (first + self._element_bits + 7) // 8
        data = ctypes.string_at(self._address + begin, end - begin)
        bits = int.from_bytes(data, "little") >> (first % 8)
        count = self._lanes * (2 if self._is_complex else 1)
        mask = (1 << self._num_bits) - 1
        parts = [(bits >> (i * self._num_bits)) & mask for i in range(count)]
        if self._is_complex:
            texts = [self._complex(*parts[i : i + 2]) for i in range(0, count, 2)]
        else:
            texts = [_text(self._decode(part)) for part in parts]
        return texts[0] if self._lanes == 1 else f"({', '.join(texts)})"

    def _complex(self, real: int, imaginary: int) -> str:
        parts = [_text(self._decode(part)) for part in (real, imaginary)]
        sign = "" if parts[1].startswith("-") else "+"
        return f"{parts[0]}{sign}{parts[1]}j"


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value)


def _decoder(name: str, code: int, bits: int, is_exact: bool) -> Decode:
    if code == _INT:
        return lambda x: x - (1 << bits) if x >> (bits - 1) else x
    if code == _UINT:
        return lambda x: x
    if code == _BOOL:
        return lambda x: x != 0
    if code == _HANDLE:
        return hex
    if code == _BFLOAT and bits == 16:
        return lambda x: _shortest(_bfloat_of(x), lambda y: _bits_of_bfloat(y) == x)
    if code in (_FLOAT, _COMPLEX) and bits in (16, 32, 64):
        return _float_decoder(bits, is_exact)
    match = _SMALL_FLOAT.match(name)
    if match is None:
        raise NotImplementedError(f"elements of {name} have no text")
    exponent, mantissa = int(match[1]), int(match[2])
    special = match[3] or ""
    if is_exact:
        return lambda x: repr(_small_float(x, exponent, mantissa, special))
    return lambda x: _digits(_small_float(x, exponent, mantissa, special), 8)


# ---- floating-point numbers ----


def _float_decoder(bits: int, is_exact: bool) -> Decode:
    number, integer = {16: ("<e", "<H"), 32: ("<f", "<I"), 64: ("<d", "<Q")}[bits]

    def value_of(x: int) -> float:
        value: float = struct.unpack(number, struct.pack(integer, x))[0]
        return value

    if bits < 64:
        return lambda x: _shortest(
            value_of(x),
            lambda y: struct.pack(number, y) == struct.pack(integer, x),
            17 if is_exact else 8,
        )
    if is_exact:
        return lambda x: repr(value_of(x))
    return lambda x: _digits(value_of(x), 8)


def _digits(value: float, precision: int) -> str:
    """Write a number with a point or an exponent; infinity and NaN have neither."""
    text = f"{value:.{precision}g}"
    return text if any(c in text for c in ".eni") else f"{text}.0"


def _shortest(value: float, is_same: Callable[[float], bool], most: int = 17) -> str:
    """Write a number with the fewest digits that identify it, but at most ``most`` digits."""
    if value != value or value in (float("inf"), -float("inf")):
        return _digits(value, 1)
    text = ""
    for precision in range(1, most + 1):
        text = _digits(value, precision)
        try:
            if is_same(float(text)):
                return repr(float(text))
        except OverflowError:
            pass  # The rounded text exceeds the largest number of the type: use more digits.
    return text


def _bfloat_of(bits: int) -> float:
    value: float = struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    return value


def _bits_of_bfloat(value: float) -> int:
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


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
