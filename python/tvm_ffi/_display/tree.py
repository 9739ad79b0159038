# SPDX-License-Identifier: Apache-2.0
"""The HTML of an object: its fields as a tree that can be expanded in a notebook."""

from __future__ import annotations

from html import escape
from itertools import islice

from .. import core
from .._types.info import _all_fields, _info_of
from ..container import Array, Dict, List, Map
from . import tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_MAX_NODES = 500
_MAX_DEPTH = 8
#: Maximum number of shown elements or entries of a container.
_MAX_ITEMS = 20
#: Maximum number of characters in the text of one value.
_MAX_TEXT = 200

_LIST = '<ul style="list-style: none; margin: 0; padding-left: 1.2em">'


def html_of(obj: core.CObject) -> str | None:
    """Implement ``_repr_html_``; return None if HTML would not show more than the text."""
    if isinstance(obj, core.Tensor):
        return tensor.html_of(obj)
    return "".join(_Tree().object("", obj, True)) if _has_tree(obj) else None


def _has_tree(value: Any) -> bool:
    """Return whether a value is an object with fields that does not define its own text."""
    if not isinstance(value, core.Object) or not value.__chandle__():
        return False
    cls = type(value)
    if cls.__repr__ is not core.CObject.__repr__ or isinstance(cls, core._EnumMeta):
        return False
    index = core.CAny(value).type_index
    if core._lookup_type_attr(index, "__ffi_repr__") is not None:
        return False
    return bool(_fields_of(index))


def _fields_of(type_index: int) -> list[Any]:
    """Return the fields that ``repr`` shows; fields of ancestors come first."""
    return [field for field in _all_fields(_info_of(type_index)) if field.c_repr]


class _Tree:
    """Writes the parts of one tree, and counts its nodes."""

    def __init__(self) -> None:
        self._num_nodes = 0
        self._open: list[int] = []  # Addresses of the objects that are being written.

    def object(self, name: str, obj: Any, is_open: bool = False) -> Iterator[str]:
        index = core.CAny(obj).type_index
        info = _info_of(index)
        title = f"<b>{escape(info.type_key if info else type(obj).__name__)}</b>"
        children = ((_name(field.name), _read(field, obj)) for field in _fields_of(index))
        return self._node(name + title, obj, children, is_open)

    def _node(
        self, title: str, obj: Any, children: Iterable[tuple[str, Any]], is_open: bool = False
    ) -> Iterator[str]:
        self._open.append(obj.__chandle__())
        yield f"<details{' open' if is_open else ''}><summary>{title}</summary>{_LIST}"
        for name, value in children:
            if self._num_nodes >= _MAX_NODES:
                yield "<li>&hellip;</li>"
                break
            self._num_nodes += 1
            yield "<li>"
            yield from self._value(name, value)
            yield "</li>"
        yield "</ul></details>"
        self._open.pop()

    def _value(self, name: str, value: Any) -> Iterator[str]:
        if isinstance(value, _Failure):
            yield f"{name}<i>{escape(value.text)}</i>"
        elif isinstance(value, core.Tensor):
            yield f"{name}<code>{escape(tensor.header_of(value))}</code>"
        elif isinstance(value, core.Object) and value.__chandle__() in self._open:
            yield f"{name}&hellip;"
        elif len(self._open) >= _MAX_DEPTH:
            yield f"{name}<code>{escape(_short_text(value))}</code>"
        elif isinstance(value, (Array, List)) and len(value):
            title = f"{name}<i>{type(value).__name__}, length {len(value)}</i>"
            yield from self._node(title, value, _with_rest(value, enumerate(value)))
        elif isinstance(value, (Map, Dict)) and len(value):
            title = f"{name}<i>{type(value).__name__}, length {len(value)}</i>"
            yield from self._node(title, value, _with_rest(value, value.items()))
        elif _has_tree(value):
            yield from self.object(name, value)
        else:
            yield f"{name}<code>{escape(_short_text(value))}</code>"


class _Failure:
    """A placeholder for a value that cannot be shown."""

    def __init__(self, text: str) -> None:
        self.text = text


def _read(field: Any, obj: Any) -> Any:
    try:
        return field.getter(obj)
    except Exception as error:
        return _Failure(f"{type(error).__name__}: {error}"[:_MAX_TEXT])


def _name(text: str) -> str:
    return f"{escape(text)}: "


def _with_rest(container: Any, items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the first items as pairs of HTML name and value, then the number of omitted items."""
    for key, value in islice(items, _MAX_ITEMS):
        yield _name(_short_text(key)), value
    rest = len(container) - _MAX_ITEMS
    if rest > 0:
        yield "", _Failure(f"{rest} more")


def _short_text(value: Any) -> str:
    """Return ``repr`` of a value, shortened; never raises an exception."""
    if isinstance(value, (str, bytes)) and len(value) > _MAX_TEXT:
        return f"{value[:_MAX_TEXT]!r}... (length {len(value)})"
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type(value).__name__}: repr raised {type(error).__name__}>"
    return text if len(text) <= _MAX_TEXT else f"{text[:_MAX_TEXT]}..."
