# SPDX-License-Identifier: Apache-2.0
"""Configuration: ``[tool.tvm-ffi.schema]`` of pyproject.toml, or ``tschema.toml``."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, field
from typing import Any

from ..diag import Bag, near
from ..files import source
from ..ir import Span
from . import check as config_check
from .outputs import OUTPUTS

__all__ = ["FILES", "OUTPUTS", "Config", "choose_outputs", "load", "load_of"]

#: The files that can contain a configuration. In each directory, the first existing file is used.
FILES = ("tschema.toml", "pyproject.toml")


@dataclass
class Config:
    """The settings of a project. Paths are relative to `root`."""

    root: str = "."
    path: str = ""
    sources: list[str] = field(default_factory=lambda: ["schema/**/*.py"])
    frontend: str = "static"
    mode: str = "full"
    dialect: str = "modern"
    namespace: str = ""
    cpp_include_root: str = "include"
    cpp_source_root: str = "src"
    python_root: str = "python"
    rust_root: str = "rust/src/schema"
    inplace: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=lambda: ["cpp"])
    ffi_alias: str = ""
    export_macros: list[str] = field(default_factory=list)
    object_macros: list[str] = field(default_factory=list)
    embed_ir: bool = True
    license: str = ""
    rust_externs: dict[str, str] = field(default_factory=dict)
    breaking: dict[str, Any] = field(default_factory=dict)
    #: A macro before declared functions; not a key, since only `build` sets it.
    export: str = field(default="", compare=False)
    text: str = field(default="", repr=False, compare=False)

    def place(self, key: str, table: str = "") -> Span:
        """Return the place of a key in the configuration file; `table` names the key's table."""
        return config_check.place(self.text, source.shown(self.path or "."), key, table)

    def files(self) -> list[str]:
        """Return the schema files, sorted and without duplicates.

        A file that several paths lead to, for example through a loop of links, has the shortest.
        """
        found: dict[str, None] = {}
        for pattern in self.sources:
            for path in sorted(glob.glob(os.path.join(self.root, pattern), recursive=True)):
                if os.path.basename(path) != "__init__.py" or os.path.getsize(path):
                    found.setdefault(path)
        shortest: dict[str, str] = {}
        for path in sorted(found, key=len):
            shortest.setdefault(os.path.realpath(path), path)
        kept = set(shortest.values())
        return [path for path in found if path in kept]


def load(start: str, explicit: str | None, bag: Bag) -> Config:
    """Return the configuration for a directory, or the defaults if there is no configuration."""
    path = source.near(explicit) if explicit else _find(start)
    return Config(root=start) if path is None else _loaded(path, bag)


def load_of(folder: str, bag: Bag, name: str = "") -> Config | None:
    """Return the configuration in a directory, or None; do not search parent directories.

    A file called `name` is preferred to files with the usual names.
    """
    named = os.path.join(folder, name)
    path = named if name not in ("", *FILES) and os.path.isfile(named) else _in(folder)
    return None if path is None else _loaded(path, bag)


def _loaded(path: str, bag: Bag) -> Config:
    found = source.read(path, bag, "TS012")
    config = Config(root=os.path.dirname(path) or ".", path=path)
    if found is None:
        return config
    data = _toml(found.text, path, bag)
    if os.path.basename(path) == "pyproject.toml":
        for name in ("tool", "tvm-ffi", "schema"):
            data = data.get(name, {}) if isinstance(data, dict) else {}
    config.text = found.text
    checker = config_check.Checker(found.text, source.shown(path), bag)
    for key, value in checker.good(data).items():
        setattr(config, key, value)
    return config


def is_outside(root: str) -> bool:
    """Return whether a configured directory is outside of the project."""
    return os.path.isabs(root) or os.path.normpath(root).split(os.sep)[0] == ".."


def check_outside(config: Config, bag: Bag) -> None:
    """Report output directories that are outside of the project."""
    for key in ("cpp_include_root", "cpp_source_root", "python_root", "rust_root"):
        if is_outside(getattr(config, key)):
            text = f"{key} must be a directory of the project, found {getattr(config, key)!r}"
            help_ = "to write files outside of the project, pass  --allow-outside"
            bag.add("TS011", text, config.place(key), help=help_)


def choose_outputs(config: Config, words: str, bag: Bag) -> None:
    """Use the outputs that the command line lists, separated by commas."""
    chosen = [word for word in words.split(",") if word]
    for word in [word for word in chosen if word not in OUTPUTS]:
        text = f"unknown output {word!r}; known are {', '.join(OUTPUTS)}"
        bag.add("TS011", text, Span("."), help=near(word, OUTPUTS))
    config.outputs = chosen


def _find(start: str) -> str | None:
    folder = os.path.abspath(start)
    while True:
        path = _in(folder)
        if path is not None:
            return os.path.relpath(path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _in(folder: str) -> str | None:
    for name in FILES:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name == "tschema.toml" or _has_section(path)):
            return path
    return None


def _has_section(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            return b"tool.tvm-ffi.schema" in stream.read(1 << 20)
    except OSError:
        return False


def _toml(text: str, path: str, bag: Bag) -> Any:
    try:
        import tomllib  # type: ignore[import-not-found,unused-ignore]
    except ImportError:  # Python 3.10 and older
        try:
            import tomli as tomllib  # type: ignore[no-redef,import-not-found,unused-ignore]
        except ImportError:
            text = "reading TOML needs Python 3.11 or the package tomli"
            bag.add("TS012", text, Span(path), help="pip install tomli")
            return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0) or _line_in(str(error))
        bag.add("TS012", f"this is not valid TOML: {error}", Span(source.shown(path), line))
        return {}


def _line_in(message: str) -> int:
    _, _, rest = message.partition("at line ")
    digits = rest.partition(",")[0]
    return int(digits) if digits.isdigit() else 1
