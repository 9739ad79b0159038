# SPDX-License-Identifier: Apache-2.0
"""What stands in a pickle of a class for what the reader makes again."""

from __future__ import annotations

from .. import core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def missing() -> Any:
    """Return the value that means "nothing was given"; pickles refer to this function."""
    return core.MISSING
