# SPDX-License-Identifier: Apache-2.0
"""The list of generators."""

from __future__ import annotations

from .python_generator.codegen import PythonGenerator
from .utils import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .interface import Generator as Generator

_NAMES = ("python", "rust")


def generator_names() -> list[str]:
    """Return the names of the generators."""
    return list(_NAMES)


def get_generator(name: str, options: Options | None = None) -> Generator:
    """Return a generator; raise ValueError if there is no generator with this name."""
    if name == "python":
        return PythonGenerator(options or Options())
    if name == "rust":
        from .rust_generator.generator import RustGenerator

        return RustGenerator(options or Options())
    raise ValueError(f"Unknown stubgen generator: {name!r}. Known generators: {', '.join(_NAMES)}")
