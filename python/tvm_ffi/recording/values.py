# SPDX-License-Identifier: Apache-2.0
"""Convert values of calls to JSON data and back.

Tensors are stored once, under the SHA-256 of their elements. A value that cannot be restored
becomes ``{"opaque": its repr}``.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math

from .. import core, serialization
from .._signatures.function import Record
from .._tensor import Shape, device, from_dlpack
from .._values.dtype import dtype
from ..container import Array, Dict, List, Map

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAX_DEPTH = 200
_SEQUENCES: dict[str, Any] = {"Array": Array, "List": List, "list": list, "tuple": tuple}
_MAPPINGS: dict[str, Any] = {"Map": Map, "Dict": Dict, "dict": dict}


class Opaque:
    """A value for which only the text of its ``repr`` was recorded."""

    def __init__(self, text: str) -> None:
        """Create the value from its text."""
        self.text = text

    def __repr__(self) -> str:
        """Return the text."""
        return f"<not recorded: {self.text}>"


class Writer:
    """Converts values to JSON data.

    Parameters
    ----------
    store
        Called once for each different tensor, with its hash and description.

    """

    def __init__(self, store: Callable[[str, dict[str, Any]], None]) -> None:
        """Create a writer that has not stored any tensor yet."""
        self._store = store
        self._known: set[str] = set()

    def value(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON data for a value."""
        if value is None or isinstance(value, (bool, str)):
            return str(value) if isinstance(value, str) else value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else {"float": repr(float(value))}
        if depth > _MAX_DEPTH:
            return {"opaque": "nested too deeply"}
        return self._object(value, depth)

    def _object(self, value: Any, depth: int) -> Any:
        if isinstance(value, (bytes, bytearray)):
            return {"bytes": base64.b64encode(bytes(value)).decode("ascii")}
        if isinstance(value, dtype):
            return {"dtype": str(value)}
        if isinstance(value, core.Device):
            return {"device": str(value)}
        if isinstance(value, Shape):
            return {"shape": [int(extent) for extent in value]}
        if isinstance(value, core.Function):
            return {"function": identity(value)} if _is_named(value) else _opaque(value)
        for name, kind in _SEQUENCES.items():
            if isinstance(value, kind):
                return {name: [self.value(item, depth + 1) for item in value]}
        for name, kind in _MAPPINGS.items():
            if isinstance(value, kind):
                pairs = [(k, value[k]) for k in value]
                return {name: [[self.value(part, depth + 1) for part in pair] for pair in pairs]}
        if isinstance(value, core.Tensor) or hasattr(type(value), "__dlpack__"):
            return self._tensor(value)
        return _graph(value)

    def _tensor(self, value: Any) -> Any:
        try:
            tensor = value if isinstance(value, core.Tensor) else from_dlpack(value)
            reduced: Any = tensor.__reduce_ex__(2)
        except Exception:  # The tensor is not on the CPU, or its elements are not whole bytes.
            return _opaque(value)
        kind, shape, elements = reduced[1][1:]
        digest = hashlib.sha256(repr((kind, tuple(shape))).encode())
        digest.update(elements)
        name = digest.hexdigest()
        if name not in self._known:
            self._known.add(name)
            data = base64.b64encode(elements).decode("ascii")
            self._store(name, {"dtype": list(kind), "shape": list(shape), "data": data})
        return {"tensor": name, "of": type(value).__module__.partition(".")[0]}


def _is_named(function: core.Function) -> bool:
    found = core._describe_function(function)[2]
    return len(found) != 0


def _opaque(value: Any) -> dict[str, str]:
    try:
        text = repr(value)
    except Exception as error:
        text = f"{type(value).__name__} whose repr raised {type(error).__name__}"
    return {"opaque": text if len(text) <= 200 else text[:200] + "..."}


def _graph(value: Any) -> Any:
    if isinstance(value, core.Object):
        try:
            return {"graph": json.loads(serialization.to_json_graph_str(value))}
        except Exception:  # The value contains a function or a tensor, or itself.
            pass
    return _opaque(value)


def identity(target: Any) -> dict[str, str]:
    """Return the identity of a function or a method.

    The identity has the kind (such as ``global``), the place that registers the function (such as
    the path of a library or a type key), and the name in this place.
    """
    if not isinstance(target, core.Function):  # a method of a native type
        return {"kind": "method", "place": target.__module__, "name": target.__qualname__}
    _, hint, found, _ = core._describe_function(target)
    if len(found):
        return dict(zip(("kind", "place", "name"), map(str, found)))
    return {"kind": "unknown", "place": "", "name": Record(target).full_name or hint or ""}


class Reader:
    """Converts JSON data back to values.

    Parameters
    ----------
    tensors
        The descriptions of the tensors, by hash.
    function
        Returns the function with the given identity, which :func:`identity` has made.

    """

    def __init__(
        self, tensors: dict[str, dict[str, Any]], function: Callable[[dict[str, str]], Any]
    ) -> None:
        """Create a reader."""
        self._tensors = tensors
        self._find = function

    def value(self, data: Any) -> Any:
        """Return the value, or an ``Opaque`` if the value was not recorded."""
        if not isinstance(data, dict):
            return data
        kind, content = next(iter(data.items()))
        if kind in _SEQUENCES:
            return _SEQUENCES[kind]([self.value(item) for item in content])
        if kind in _MAPPINGS:
            return _MAPPINGS[kind]({self.value(k): self.value(v) for k, v in content})
        if kind == "function":
            return self._find(content)
        if kind == "tensor":
            return self._tensor(content, data["of"])
        return _READERS[kind](content)

    def _tensor(self, content: str, framework: str) -> Any:
        stored = self._tensors[content]
        elements = bytearray(base64.b64decode(stored["data"]))
        tensor = serialization.restore_tensor(
            core.Tensor, tuple(stored["dtype"]), tuple(stored["shape"]), elements
        )
        if framework == "numpy":
            return tensor.numpy()
        if framework == "torch":
            import torch

            return torch.from_dlpack(tensor)
        return tensor


_READERS: dict[str, Callable[[Any], Any]] = {
    "float": float,
    "bytes": base64.b64decode,
    "dtype": dtype,
    "device": device,
    "shape": Shape,
    "graph": lambda content: serialization.from_json_graph_str(json.dumps(content)),
    "opaque": Opaque,
}
