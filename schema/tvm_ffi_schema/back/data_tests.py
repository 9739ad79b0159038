# SPDX-License-Identifier: Apache-2.0
"""Write example data for each version of each class, and a test that reads all data files.

The name of a data file contains a digest of the names and types of the fields of a class. A run
never changes a data file; it writes a new file if no file has the name. Each run writes the test
again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from ..front.fields import describe
from ..ir import FieldDef, TypeRef
from ..link.program import Class, Program
from .cpp_file import FIRST_LINE
from .writer import Pieces

FOLDER = "schema_data"
TEST = "test_schema_data.py"
_INTEGERS = frozenset(f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64))
_FLOATS = frozenset(("float", "double"))
#: In graph JSON, fields of these types contain the value; other fields contain the index of a node.
_INLINE = _INTEGERS | _FLOATS | {"bool", "DataType"}
_PLAIN: dict[str, tuple[str, Any]] = {
    "bool": ("bool", True),
    "String": ("ffi.String", "text"),
    "Bytes": ("ffi.Bytes", "Ynl0ZXM="),
    "DataType": ("DataType", "float32"),
    "Device": ("Device", [1, 0]),
    "Shape": ("ffi.Shape", [2, 3]),
    "Any": ("int", 1),
}


def emit_data(program: Program) -> Iterator[tuple[str, str]]:
    """Yield (file name, text) for each class for which an example object can be made."""
    for cls in program.order:
        if cls.d.abstract or cls.d.enum is not None or not cls.d.visit_attrs:
            continue
        made = _Sample(program)
        root = made.object(cls)
        if root is not None:
            graph = {"root_index": root, "nodes": made.nodes}
            yield f"{cls.type_key}-{_digest(cls)}.json", json.dumps(graph, indent=1) + "\n"


def _digest(cls: Class) -> str:
    fields = [(f.reflected_name or f.name, describe(f.type)) for f in cls.all_fields() if f.reflect]
    data = json.dumps([cls.type_key, fields]).encode()
    return hashlib.blake2b(data, digest_size=4).hexdigest()


class _Sample:
    """The nodes of one JSON graph with an example object."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.nodes: list[dict[str, Any]] = []
        self.open: list[str] = []

    def _node(self, type_key: str, *data: Any) -> int:
        self.nodes.append({"type": type_key, **({"data": data[0]} if data else {})})
        return len(self.nodes) - 1

    def object(self, cls: Class) -> int | None:
        """Add an example object and return its node index; None without values for its fields."""
        if cls.type_key in self.open or len(self.open) > 16:
            return None
        self.open.append(cls.type_key)
        fields: dict[str, Any] | None = {}
        for one in cls.all_fields():
            if not one.reflect or fields is None:
                continue
            found = self._field(one)
            if found is not None:
                fields[one.reflected_name or one.name] = found
            elif one.default is None:
                fields = None
        self.open.pop()
        return None if fields is None else self._node(cls.type_key, fields)

    def _field(self, one: FieldDef) -> Any:
        origin = one.type.origin
        if origin in _INLINE and one.type.cpp is None and one.storage != "any":
            plain = {"bool": True, "DataType": "float32", "float": 0.5, "double": 0.5}
            return plain.get(origin, 1)
        return self._value(one.type)

    def _value(self, type_: TypeRef) -> int | None:
        """Add an example value of a type; return its node index, or None if there is no example."""
        origin, args = type_.origin, type_.args
        if type_.cpp is not None:
            return None
        if origin in _INTEGERS:
            return self._node("int", 1)
        if origin in _FLOATS:
            return self._node("float", 0.5)
        if origin in _PLAIN:
            return self._node(*_PLAIN[origin])
        if origin in ("Array", "List", "Tuple"):
            items = [self._value(arg) for arg in args]
            whole = [item for item in items if item is not None]
            if origin == "Tuple" and len(whole) < len(items):
                return None
            return self._node("ffi.List" if origin == "List" else "ffi.Array", whole)
        if origin in ("Map", "Dict"):
            pair = [self._value(arg) for arg in args]
            return self._node(f"ffi.{origin}", pair if None not in pair else [])
        if origin == "Optional":
            inner = self._value(args[0])
            return self._node("None") if inner is None else inner
        if origin == "Union":
            return next((n for n in map(self._value, args) if n is not None), None)
        return self._object_of(type_) if origin == "class" else None

    def _object_of(self, type_: TypeRef) -> int | None:
        cls = self.program.classes.get(type_.name)
        if cls is None or cls.d.enum is not None:
            return None
        todo = [cls]
        while todo:  # if there is no object of a class, try its descendants in order
            cls = todo.pop(0)
            found = None if cls.d.abstract else self.object(cls)
            if found is not None:
                return found
            todo += cls.children if cls.type_key not in self.open else []
        base = self.program.classes[type_.name]
        return self._node("None") if base.d.ref is not None and base.d.ref.nullable else None


_TEXT = '''\
"""What each version of the schema has written can be read by this one.

A type that the tests of the project have not registered comes from an image of the schema.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from tvm_ffi import schema

HERE = Path(__file__).resolve().parent
ROOT = HERE / "{root}"
DATA = sorted((HERE / "{folder}").glob("*.json"))


@pytest.fixture(scope="module", autouse=True)
def types(tmp_path_factory):
    try:
        for path in DATA:
            schema.loads(path.read_text(encoding="utf-8"))
    except (RuntimeError, TypeError, ValueError):  # not registered yet
        image = tmp_path_factory.mktemp("schema") / "types.tfs"
        command = [sys.executable, "-m", "tvm_ffi_schema", "build", "-q", "-o", str(image)]
        subprocess.run(command, cwd=ROOT, check=True)
        schema.load(image)


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_data_of_a_version_is_read(path):
    value = schema.loads(path.read_text(encoding="utf-8"))
    assert type(schema.loads(schema.dumps(value))) is type(value)
'''


def emit_test(root: str) -> Pieces:
    """Return the test file; `root` is the relative path from its directory to the project root."""
    text = _TEXT.replace("{root}", root).replace("{folder}", FOLDER)
    return [f"# {FIRST_LINE} the schema.", *text.splitlines()]
