# SPDX-License-Identifier: Apache-2.0
"""Read the schema that a library, an object file or an archive embeds.

This module reads the bytes of the file without loading it, so the file may be for any platform.
"""

from __future__ import annotations

import zlib

from ..diag import Bag
from ..files.source import check_input, shown
from ..ir import Module, Span, record
from ..ir import json as ir_json

#: The suffixes of built files that may embed a schema.
SUFFIXES = (".so", ".dylib", ".dll", ".o", ".obj", ".a", ".lib")
#: The largest allowed size of an unpacked schema in bytes.
_LIMIT = 1 << 28


def read(path: str, bag: Bag) -> list[Module]:
    """Return the modules of all schemas in a file; report a file without a schema."""
    span = Span(shown(path))
    try:
        check_input(path)
        with open(path, "rb") as stream:
            data = stream.read()
        found = _in_bytes(data)
    except OSError as error:
        bag.add("TS001", f"{shown(path)} cannot be read: {error.strerror}", span)
        return []
    except (ValueError, zlib.error) as error:
        bag.add("TS003", f"{shown(path)}: {error}", span)
        return []
    if not found:
        text = f"{shown(path)} holds no schema"
        help_ = "it was built by something else, or with embed_ir = false"
        bag.add("TS003", text, span, help=help_)
    return found


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
