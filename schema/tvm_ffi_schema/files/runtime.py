# SPDX-License-Identifier: Apache-2.0
"""Import modules of the runtime's distribution ``fast-tvm-ffi``, if it is installed.

Reading, checking, writing and comparing schemas do not need this distribution.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ..diag import Bag
from ..ir import Span


def module(name: str, what: str, where: Span, bag: Bag) -> ModuleType | None:
    """Return a module of ``tvm_ffi``; report an error and return None if the import fails.

    Parameters
    ----------
    name
        The name of the module below ``tvm_ffi``.
    what
        The part of the tool that needs the module; the subject of the message.
    where
        The place of the finding.
    bag
        Receives the finding.

    """
    try:
        return import_module(f"tvm_ffi.{name}")
    except ImportError as error:
        text = f"{what} needs the package fast-tvm-ffi, which cannot be imported: {error}"
        bag.add("TS610", text, where, help="pip install . in a clone of the repository")
        return None
