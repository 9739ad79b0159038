# SPDX-License-Identifier: Apache-2.0
"""Find the known name that the user probably meant by a misspelled name.

Only error messages need this module. It imports ``difflib``, which is slow, so ``import tvm_ffi``
must not import this module.
"""

from __future__ import annotations

from difflib import get_close_matches
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# Maximum number of compared names; a comparison takes about ten microseconds.
_MAX_NAMES = 5000


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar to a name, or ``None``."""
    names = {other.lower(): other for other in islice(known, _MAX_NAMES)}
    found = get_close_matches(name.lower(), names, n=1, cutoff=0.7)
    return names[found[0]] if found else None


def hint(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return ``; did you mean 'x'?``, or ``otherwise`` if no known name is similar."""
    found = nearest(name, known)
    return otherwise if found is None else f"; did you mean {found!r}?"
