# SPDX-License-Identifier: Apache-2.0
"""Values as text: a graph of nodes written in JSON."""

from __future__ import annotations

from . import _ffi_api

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["from_json_graph_str", "to_json_graph_str"]


def to_json_graph_str(obj: Any, metadata: dict[str, Any] | None = None) -> str:
    """Write a value, and all that it refers to, as text.

    Parameters
    ----------
    obj
        The value. What occurs in it twice is written once.
    metadata
        Strings, numbers, lists and dictionaries to put beside it; they are ignored on reading.

    Raises
    ------
    TypeError
        If the value holds something that cannot be made again, such as a function.
    ValueError
        If the value contains itself, or ``metadata`` is not plain data.

    Examples
    --------
    >>> from tvm_ffi import serialization
    >>> serialization.to_json_graph_str(1)
    '{"root_index":0,"nodes":[{"type":"int","data":1}]}'

    """
    text: str = _ffi_api.ToJSONGraphString(obj, metadata)
    return text


def from_json_graph_str(json_str: str) -> Any:
    """Read a value back from the text that ``to_json_graph_str`` wrote.

    Raises
    ------
    ValueError
        If the text is no such graph.
    TypeError
        If a field has a value of another type, or a required one has none.
    RuntimeError
        If a type is unknown.

    Examples
    --------
    >>> from tvm_ffi import serialization
    >>> serialization.from_json_graph_str(serialization.to_json_graph_str([1, "a"]))
    (1, "a")

    """
    return _ffi_api.FromJSONGraphString(json_str)
