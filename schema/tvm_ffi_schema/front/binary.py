# SPDX-License-Identifier: Apache-2.0
"""Read schemas in the intermediate form: in JSON files, images, and libraries that embed them.

This module reads the bytes of a file without loading it, so a library may be for any platform.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

from ..diag import Bag
from ..files import source
from ..ir import Module, Schema, Span, image_bytes, record
from ..ir import json as ir_json

#: The suffixes of files with a schema in the intermediate form.
SUFFIXES = (".json", ".tfs", ".so", ".dylib", ".dll", ".o", ".obj", ".a", ".lib")
#: The largest allowed size of an unpacked schema in bytes.
_LIMIT = 1 << 28


def read(path: str, bag: Bag) -> list[Module]:
    """Return the modules of all schemas in a file; report a file without a schema."""
    name = source.shown(path)
    span = Span(name)
    try:
        if path.endswith(".json"):
            found = source.read(path, bag)
            return [] if found is None else _named(ir_json.loads(found.text), path)
        source.check_input(path)
        with open(path, "rb") as stream:
            data = stream.read()
        if not path.endswith(".tfs"):
            modules = _in_bytes(data)
            text = f"{name} holds no schema"
            help_ = "it was built by something else, or with embed_ir = false"
        else:
            packed = image_bytes.embedded_ir(data)
            modules = _named(ir_json.loads(unpack(packed)), path) if packed else []
            text, help_ = f"{name} was written without its schema", "build it with embed_ir = true"
        if not modules:
            bag.add("TS003", text, span, help=help_)
        return modules
    except OSError as error:
        bag.add("TS001", f"{name} cannot be read: {error.strerror}", span)
    except (ValueError, zlib.error) as error:
        if path.endswith(".json"):
            help_ = "compare the file with what `tvm-ffi-schema export` writes"
            bag.add("TS003", str(error), span, help=help_)
        else:
            bag.add("TS003", f"{name}: {error}", span)
    return []


def _named(schema: Schema, path: str) -> list[Module]:
    return [replace(one, path=one.path or path) for one in schema.modules]


def unpack(data: bytes) -> str:
    """Return the text of a compressed schema.

    Raises
    ------
    ValueError
        If the text is larger than `_LIMIT`.
    zlib.error
        If the data are not compressed.

    """
    made = zlib.decompressobj()
    text = made.decompress(data, _LIMIT)
    if made.unconsumed_tail:
        raise ValueError(f"its schema has more than {_LIMIT >> 20} MB")
    return text.decode("utf-8")


def _in_bytes(data: bytes) -> list[Module]:
    modules: dict[str, Module] = {}
    for packed in record.schemas_in(data):
        for module in ir_json.loads(unpack(packed)).modules:
            name = module.stem
            if modules.setdefault(name, module) != module:
                name = f"{module.stem} {ir_json.digest(module)}"  # keep both modules
                modules[name] = module
    return list(modules.values())
