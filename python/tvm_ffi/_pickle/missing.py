# SPDX-License-Identifier: Apache-2.0
"""The placeholder, in the pickle of a class, for members that the registration makes again."""

from __future__ import annotations

from .. import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def missing() -> Any:
    """Return ``core.MISSING``. Pickles call ``missing`` by this name, so do not rename it."""
    return core.MISSING
