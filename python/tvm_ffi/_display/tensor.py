# SPDX-License-Identifier: Apache-2.0
"""The text and the HTML of a tensor: data type, shape, device and, on the CPU, values.

Reads only memory of the CPU, and no more elements than it shows.
"""

from __future__ import annotations

from html import escape

from .. import core
from .elements import Texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from ..core import Tensor

    # An element as text, or a list of nested elements. None marks omitted elements.
    _Nested: TypeAlias = "str | list[_Nested] | None"

_CPU = 1  # DLPack's number of the device type.

#: If a tensor has at most this many elements, all are shown; otherwise the first and last few of
#: each dimension.
MAX_ELEMENTS = 1000
_EDGE_ITEMS = (3, 2, 1)
_LINE_LENGTH = 79
# Size limits of an HTML table.
_MAX_ROWS = 20
_TABLE_EDGE = 5
_MAX_TABLES = 4


def text_of(tensor: Tensor) -> str:
    """Implement ``repr`` of a tensor."""
    return _text_of(tensor, MAX_ELEMENTS, False)


def full_text_of(tensor: Tensor) -> str:
    """Return the text with all elements, and all digits of each element."""
    return _text_of(tensor, None, True)


def header_of(tensor: Tensor) -> str:
    """Return data type, shape and device, such as ``float32[2, 3]@cpu:0``."""
    if tensor.__chandle__():
        return core.CObject.__repr__(tensor)
    # The tensor is a view of an argument's memory and has no native object.
    return f"{tensor.dtype}{list(tensor.shape)}@{tensor.device}"


def _text_of(tensor: Tensor, max_elements: int | None, is_exact: bool) -> str:
    header = header_of(tensor)
    if tensor.__dlpack_device__()[0] != _CPU:
        return header
    shape = tensor.shape
    num_elements = tensor.numel()
    if num_elements == 0:
        return f"{header} []" if shape else header
    if not tensor.data_ptr():
        return header
    edge = _edge_for(shape, num_elements, max_elements)
    if edge is None:
        return f"{header} ..."
    try:
        elements = Texts(tensor, is_exact)
    except (TypeError, ValueError):
        return header
    values = _read(shape, tensor.strides, 0, edge, elements.text)
    line = _on_one_line(values)
    is_short = len(header) + 1 + len(line) <= _LINE_LENGTH
    if len(shape) < 2 and (is_short or not shape):
        return f"{header} {line}"
    return f"{header}\n{_on_lines(values, len(shape), _width(values))}"


def _edge_for(shape: Sequence[int], num_elements: int, max_elements: int | None) -> int | None:
    """Return how many items to show from each end of a long dimension; 0 for all of them.

    Return None if the tensor has so many dimensions that one item from each end of each dimension
    is already too much.
    """
    if max_elements is None or num_elements <= max_elements:
        return 0
    for edge in _EDGE_ITEMS:
        shown = 1
        for size in shape:
            shown *= min(size, 2 * edge)
        if shown <= max_elements:
            return edge
    return None


def _places(size: int, edge: int) -> list[int | None]:
    if edge == 0 or size <= 2 * edge:
        return list(range(size))
    return [*range(edge), None, *range(size - edge, size)]


def _read(
    shape: Sequence[int],
    strides: Sequence[int],
    offset: int,
    edge: int,
    read: Callable[[int], str],
) -> _Nested:
    if not shape:
        return read(offset)
    return [
        None
        if place is None
        else _read(shape[1:], strides[1:], offset + place * strides[0], edge, read)
        for place in _places(shape[0], edge)
    ]


# ---- text ----


def _on_one_line(values: _Nested) -> str:
    if not isinstance(values, list):
        return "..." if values is None else values
    return f"[{', '.join(map(_on_one_line, values))}]"


def _width(values: _Nested) -> int:
    if not isinstance(values, list):
        return len(values or "")
    return max(map(_width, values), default=0)


def _on_lines(values: _Nested, ndim: int, width: int, indent: int = 0) -> str:
    if not isinstance(values, list):
        return "..." if values is None else values
    if ndim > 1:
        # As in NumPy, the last two dimensions form blocks with empty lines between them.
        separator = "," + "\n" * (ndim - 1) + " " * (indent + 1)
        return f"[{separator.join(_on_lines(v, ndim - 1, width, indent + 1) for v in values)}]"
    lines, line = [], ""
    texts = ["..." if v is None else str(v).rjust(width) for v in values]
    for i, text in enumerate(texts):
        item = text if i == len(texts) - 1 else f"{text},"
        if line and indent + 1 + len(line) + 1 + len(item) + 1 > _LINE_LENGTH:
            lines.append(line)
            line = item
        else:
            line = f"{line} {item}" if line else item
    return "[" + ("\n" + " " * (indent + 1)).join([*lines, line]) + "]"


# ---- HTML ----


def html_of(tensor: Tensor) -> str | None:
    """Return tables of the values, or None if a table would not show more than the text."""
    shape = tensor.shape
    if not shape or tensor.numel() == 0:
        return None
    if tensor.__dlpack_device__()[0] != _CPU or not tensor.data_ptr():
        return None
    try:
        elements = Texts(tensor)
    except (TypeError, ValueError):
        return None
    parts = [f"<div><code>{escape(header_of(tensor))}</code></div>"]
    leading = _leading_indices(shape[:-2], _MAX_TABLES)
    for index in leading:
        offset = sum(i * stride for i, stride in zip(index, tensor.strides))
        if index:
            parts.append(f"<div><code>[{', '.join(map(str, index))}]</code></div>")
        parts.append(_table(shape[-2:], tensor.strides[-2:], offset, elements.text))
    num_tables = 1
    for size in shape[:-2]:
        num_tables *= size
    if num_tables > len(leading):
        parts.append(f"<div>{num_tables - len(leading)} more tables</div>")
    return "".join(parts)


def _leading_indices(sizes: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return the first ``count`` indices, in order, of a tensor with these sizes."""
    found: list[tuple[int, ...]] = []
    index = [0] * len(sizes)
    while len(found) < count:
        found.append(tuple(index))
        place = len(sizes) - 1
        while place >= 0 and index[place] == sizes[place] - 1:
            index[place] = 0
            place -= 1
        if place < 0:
            break
        index[place] += 1
    return found


def _table(
    sizes: Sequence[int], strides: Sequence[int], offset: int, read: Callable[[int], str]
) -> str:
    num_rows, num_columns = sizes if len(sizes) == 2 else (1, sizes[0])
    row_stride, column_stride = strides if len(sizes) == 2 else (0, strides[0])
    columns = _places(num_columns, 0 if num_columns <= _MAX_ROWS else _TABLE_EDGE)
    rows = _places(num_rows, 0 if num_rows <= _MAX_ROWS else _TABLE_EDGE)
    head = "".join(f"<th>{'&hellip;' if c is None else c}</th>" for c in columns)
    lines = [f"<tr><th></th>{head}</tr>"]
    for row in rows:
        cells = (
            "&hellip;"
            if row is None or column is None
            else escape(read(offset + row * row_stride + column * column_stride))
            for column in columns
        )
        name = "&hellip;" if row is None else row if len(sizes) == 2 else ""
        body = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f"<tr><th>{name}</th>{body}</tr>")
    return f"<table>{''.join(lines)}</table>"
