# SPDX-License-Identifier: Apache-2.0
"""``tvm_ffi.py_class``: the decorator that also registers the public functions of a body."""

from __future__ import annotations

import functools

from .py_class import py_class as _py_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .py_class import py_class as py_class
else:

    @functools.wraps(_py_class, updated=("__dict__",))
    def py_class(cls_or_type_key: Any = None, /, **options: Any) -> Any:
        """Apply :func:`tvm_ffi.dataclasses.py_class` with ``auto_methods=True``."""
        options.setdefault("auto_methods", True)
        return _py_class(cls_or_type_key, **options)
