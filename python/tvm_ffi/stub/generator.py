# SPDX-License-Identifier: Apache-2.0
"""Which generators there are."""

from __future__ import annotations

from .python_generator import PythonGenerator
from .utils import Options

_GENERATORS = {"python": PythonGenerator}
# Those that the command accepts; what is not there yet says so.
_NAMES = ("python", "rust")


def generator_names() -> list[str]:
    """Return the names of the generators."""
    return list(_NAMES)


def get_generator(name: str, options: Options | None = None) -> PythonGenerator:
    """Return a generator.

    Raises
    ------
    ValueError
        If there is none of that name.
    NotImplementedError
        If it is not written yet.

    """
    if name not in _NAMES:
        raise ValueError(
            f"Unknown stubgen generator: {name!r}. Known generators: {', '.join(_NAMES)}"
        )
    if name not in _GENERATORS:
        raise NotImplementedError(f"the generator {name!r} is not there yet")
    return _GENERATORS[name](options or Options())
