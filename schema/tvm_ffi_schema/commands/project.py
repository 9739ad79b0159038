# SPDX-License-Identifier: Apache-2.0
"""``init``: write the first files of a project."""

from __future__ import annotations

import os
import shlex

from .. import config as configuration
from ..files import fsio, source
from ..files.source import shown
from ..ir import Span
from . import merge_driver
from .session import OK, Session

_SCHEMA = '''"""The objects of this project."""

from tvm_ffi.schema import Object, declare, module, ty

__tschema__ = module(namespace="{name}", type_key_prefix="{name}.")


@declare
class PointNode(Object):
    """A point in the plane.

    Attributes
    ----------
    x
        Distance to the right.
    y
        Distance upwards.
    """

    type_key = "Point"
    nullable = False

    x: ty.float64
    y: ty.float64 = 0.0
'''
_CONFIG = """mode = "full"
outputs = ["cpp", "python", "pyi", "docs"]
"""
_CMAKE = """cmake_minimum_required(VERSION 3.20)
project({name} LANGUAGES CXX)

find_package(Python COMPONENTS Interpreter REQUIRED)
find_package(tvm_ffi CONFIG REQUIRED)

add_library({name} SHARED)
tvm_ffi_schema_generate(TARGET {name} SCHEMAS schema/ir.py)
tvm_ffi_configure_target({name})
"""


def init(session: Session) -> int:
    """Write the first files of a project; do not change existing files."""
    root = session.args.directory
    if session.args.merge_driver:
        return _install_merge_driver(session, root)
    name = os.path.basename(os.path.abspath(root)).replace("-", "_").lower()
    name = name if name.isidentifier() else "project"
    files = {
        "schema/ir.py": _SCHEMA.format(name=name),
        "tschema.toml": _CONFIG,
        "CMakeLists.txt": _CMAKE.format(name=name),
    }
    changes = []
    for relative, text in files.items():
        path = os.path.join(root, relative)
        if os.path.exists(path):
            session.say(f"kept     {shown(path)}")
        else:
            changes.append(fsio.Change(path, None, text.encode()))
            session.say(f"created  {shown(path)}")
    try:
        os.makedirs(root, exist_ok=True)
        with fsio.reported(session.bag), fsio.lock(root, session.say):
            fsio.commit(root, changes)
    except OSError as error:
        session.bag.add("TS118", f"cannot write {shown(root)}: {error.strerror}", Span(shown(root)))
    session.show()
    if not session.status():
        where = "" if root == "." else f"cd {shlex.quote(shown(root))} && "
        session.say(f"next: write classes in schema/ir.py, then  {where}tvm-ffi-schema generate")
    return session.status() or OK


def _install_merge_driver(session: Session, root: str) -> int:
    """Configure git to use the merge driver for generated files."""
    config = configuration.load(root, None, session.bag)
    path = os.path.join(config.root, merge_driver.ATTRIBUTES)
    found = source.read(path, session.bag, "TS120") if os.path.exists(path) else None
    held = found.text if found is not None else ""
    text = merge_driver.attributes(config, held)
    if text != held and not session.bag.has_errors:
        old = found.encode(held) if found is not None else None
        with fsio.reported(session.bag), fsio.lock(config.root):
            fsio.commit(config.root, [fsio.Change(path, old, text.encode())])
            session.say(f"{'changed' if found else 'created'}  {shown(path)}; commit it")
    session.show()
    if session.status():
        return session.status()
    commands, are_set = merge_driver.install(config.root)
    said = "set, for this clone; every other one needs" if are_set else "run in every clone"
    session.say(f"{said}:")
    for command in commands:
        session.say(f"  git {shlex.join(command)}")
    return OK
