# SPDX-License-Identifier: Apache-2.0
"""A built library against the schema. The library is loaded in another process, not here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Optional

from ..diag import Bag
from ..ir import Span
from ..passes import layout
from ..passes.program import Class, Program

_PROGRAM = """
import json, sys
import tvm_ffi
from tvm_ffi import core
tvm_ffi.load_module(sys.argv[1])
found = {}
for key in json.loads(sys.stdin.read()):
    try:
        info = core._lookup_or_register_type_info_from_type_key(key)
    except Exception:
        continue
    parent = info.parent_type_info
    found[key] = {
        "parent": parent.type_key if parent is not None else "",
        "fields": [[f.name, f.offset, f.size] for f in info.fields],
    }
json.dump(found, sys.stdout)
"""


def check(program: Program, path: str, bag: Bag) -> None:
    """Report where the types of a library differ from the schema."""
    found = _load(path, [c.type_key for c in program.order], bag)
    if found is None:
        return
    for cls in program.order:
        facts = found.get(cls.type_key)
        if facts is None:
            text = f"{path} does not register {cls.type_key}"
            bag.add("TS431", text, cls.span)
            continue
        _compare(program, cls, facts, path, bag)


def _load(path: str, keys: list[str], bag: Bag) -> Optional[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, os.path.abspath(path)],
        input=json.dumps(keys),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    try:
        data = json.loads(done.stdout) if done.returncode == 0 else None
    except ValueError:
        data = None
    if not isinstance(data, dict):
        lines = done.stderr.strip().splitlines()
        bag.add(
            "TS431", f"{path} cannot be loaded: {lines[-1] if lines else 'no reason'}", Span(path)
        )
        return None
    return data


def _compare(program: Program, cls: Class, facts: dict[str, Any], path: str, bag: Bag) -> None:
    if facts["parent"] != cls.parent.type_key:
        text = f"{path}: the parent of {cls.type_key} is {facts['parent']}"
        bag.add("TS432", f"{text}, the schema says {cls.parent.type_key}", cls.span)
    expected = [f.reflected_name or f.name for f in cls.d.fields if f.reflect]
    if not cls.d.visit_attrs:
        expected = []
    given = [name for name, _, _ in facts["fields"]]
    if given != expected:
        text = f"{path}: {cls.type_key} has the fields {', '.join(given) or 'none'}"
        bag.add("TS433", f"{text}, the schema says {', '.join(expected) or 'none'}", cls.span)
        return
    places = {s.name: s for s in layout.compute(cls, program).slots}
    by_name = {f.reflected_name or f.name: f.name for f in cls.d.fields}
    for name, offset, size in facts["fields"]:
        slot = places.get(by_name[name])
        if slot is not None and (slot.offset, slot.size) != (offset, size):
            text = f"{path}: {cls.type_key}.{name} is at {offset}, {size} bytes"
            wanted = f"the schema computes {slot.offset}, {slot.size} bytes"
            bag.add("TS434", f"{text}; {wanted}", cls.span)
