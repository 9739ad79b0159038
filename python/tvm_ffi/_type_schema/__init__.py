# SPDX-License-Identifier: Apache-2.0
"""Type schemas: what a field, a parameter or a result may be.

``record`` holds the schema itself, ``annotation``, ``json_form`` and ``text`` are its three outer
forms, ``origins`` the names. Values are converted by ``core._TypeConverter``, which compiles a
schema once.
"""

from __future__ import annotations

from .record import TypeSchema, _ConvertError

__all__ = ["TypeSchema", "_ConvertError"]
