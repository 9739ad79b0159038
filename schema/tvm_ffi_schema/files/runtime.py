# SPDX-License-Identifier: Apache-2.0
"""What the tool takes from the runtime's distribution ``tvm-ffi`` where that is installed.

Most steps need none of it: schemas are read, checked, written and compared without.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from ..diag import Bag
from ..ir import Span


def module(name: str, what: str, where: Span, bag: Bag) -> ModuleType | None:
    """Return a module of ``tvm_ffi``, or None and a finding where it cannot be imported.

    Parameters
    ----------
    name
        Below ``tvm_ffi``.
    what
        What needs it, as the beginning of a sentence.
    where
        The place of the finding.
    bag
        Takes the finding.

    """
    try:
        return import_module(f"tvm_ffi.{name}")
    except ImportError as error:
        text = f"{what} needs the package tvm-ffi, which cannot be imported: {error}"
        bag.add("TS610", text, where, help="pip install tvm-ffi")
        return None
