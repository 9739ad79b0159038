# SPDX-License-Identifier: Apache-2.0
"""``dataclass_transform`` of PEP 681, which :mod:`typing` provides since Python 3.11."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**metadata: Any) -> Callable[[Any], Any]:
        """Set the attribute that PEP 681 defines for decorators of data classes."""

        def attach(decorator: Any) -> Any:
            decorator.__dataclass_transform__ = metadata
            return decorator

        return attach
