# SPDX-License-Identifier: Apache-2.0
"""Type schemas: the types of fields, parameters and results.

``record`` defines the schema; ``annotation``, ``json_form`` and ``text`` convert from and to the
three external forms; ``origins`` has the names of types. ``core._TypeConverter`` compiles a schema
once and converts values.
"""

from __future__ import annotations

from .record import TypeSchema, _ConvertError

__all__ = ["TypeSchema", "_ConvertError"]
