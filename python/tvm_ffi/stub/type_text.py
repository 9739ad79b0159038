# SPDX-License-Identifier: Apache-2.0
"""Type schemas, as metadata has them, and how they are written."""

from __future__ import annotations

import json
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Names in schemas -> what they are to a reader of Python.
_ORIGINS = {
    "void*": "ctypes.c_void_p",
    "DataType": "dtype",
    "DLTensor*": "Tensor",
    "ffi.Tensor": "Tensor",
    "const char*": "str",
    "std::string": "str",
    "ffi.String": "str",
    "ffi.SmallStr": "str",
    "TVMFFIByteArray*": "bytes",
    "ffi.Bytes": "bytes",
    "ffi.SmallBytes": "bytes",
    "ObjectRValueRef": "Object",
    "ffi.Object": "Object",
    "ffi.Function": "Callable",
    "ffi.OpaquePyObject": "Any",
    "ffi.BigInt": "int",
    "ffi.Array": "Array",
    "std::vector": "Array",
    "ffi.List": "List",
    "ffi.Map": "Map",
    "std::unordered_map": "Map",
    "ffi.Dict": "Dict",
    "std::optional": "Optional",
    "Variant": "Union",
    "std::variant": "Union",
    "Tuple": "tuple",
    "std::tuple": "tuple",
}
_ARITY = {"Array": 1, "List": 1, "Map": 2, "Dict": 2}


@dataclass(frozen=True)
class Schema:
    """A type: its origin and arguments; ``None`` for the arguments where nothing is known.

    The arguments of ``Callable`` are the result and then the parameters.
    """

    origin: str
    args: tuple[Schema, ...] | None = ()

    @staticmethod
    def from_json(text: str) -> Schema:
        """Read a schema.

        Raises
        ------
        ValueError
            If it is none.

        """
        return _from_node(json.loads(text))

    @staticmethod
    def from_metadata(value: Any) -> Schema:
        """Read a schema as metadata has it: text from C++, a dictionary from Python.

        Raises
        ------
        ValueError
            If it is none.

        """
        return Schema.from_json(value) if isinstance(value, str) else _from_node(value)

    def text(self, name_of: Callable[[str], str]) -> str:
        """Write the type; ``name_of`` says how an origin is called."""
        args = self.args
        if self.origin == "Optional":
            return _union([*_members(self), Schema("None")], name_of)
        if self.origin == "Union":
            return _union(_members(self), name_of)
        if self.origin == "Callable":
            name = name_of("Callable")
            if not args:
                return f"{name}[..., {name_of('Any')}]"
            result, *parameters = (arg.text(name_of) for arg in args)
            return f"{name}[[{', '.join(parameters)}], {result}]"
        name = name_of(self.origin)
        if self.origin == "tuple" and args == ():
            return f"{name}[()]"
        return f"{name}[{', '.join(arg.text(name_of) for arg in args)}]" if args else name


def _from_node(node: Any) -> Schema:
    kind = node.get("type") if isinstance(node, dict) else None
    if not isinstance(kind, str):
        raise ValueError(f"expected a type schema, got {node!r}")
    origin = _ORIGINS.get(kind, kind)
    if origin == "Callable" and "named_args" in node:
        parts = node["named_args"]
        return Schema(origin, tuple(map(_from_node, [*parts["return"], *parts["params"]])))
    if "args" not in node:
        known = Schema("Any")
        return Schema(origin, None if origin == "tuple" else (known,) * _ARITY.get(origin, 0))
    return Schema(origin, tuple(map(_from_node, node["args"])))


def _members(schema: Schema) -> list[Schema]:
    """Return the members of a union, those of unions in it included."""
    members: list[Schema] = []
    for arg in schema.args or ():
        if arg.origin in ("Union", "Optional"):
            members += _members(arg)
            members += [Schema("None")] if arg.origin == "Optional" else []
        else:
            members.append(arg)
    return members


def _union(members: list[Schema], name_of: Callable[[str], str]) -> str:
    texts = dict.fromkeys(member.text(name_of) for member in members)
    last = ["None"] if texts.pop("None", 0) is None else []
    return " | ".join([*texts, *last])
