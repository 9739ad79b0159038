# SPDX-License-Identifier: Apache-2.0
"""Configuration: ``[tool.tvm-ffi.schema]`` of pyproject.toml, or ``tschema.toml``."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass, field
from typing import Any, Optional

from . import source
from .diag import Bag, near
from .ir import Span

_CHOICES: dict[str, tuple[str, ...]] = {
    "frontend": ("static", "import"),
    "mode": ("inplace", "full"),
    "dialect": ("modern", "classic"),
    "guard": ("sum", "none"),
    "format": ("builtin", "clang-format"),
    "optional_style": ("optional", "nullable-ref"),
}
OUTPUTS = ("cpp", "cpp-view", "python", "pyi", "docs", "json", "dot", "mermaid", "tfs")
_TABLES: tuple[tuple[str, list[str]], ...] = (
    ("lint", ["select", "ignore"]),
    ("breaking", ["use", "against", "ignore"]),
)
USES = ("ABI", "API", "JSON", "SEMANTIC", "ALL")


@dataclass
class Config:
    """What a project says about its schema. Paths are relative to `root`."""

    root: str = "."
    path: str = ""
    sources: list[str] = field(default_factory=lambda: ["schema/**/*.py"])
    frontend: str = "static"
    mode: str = "full"
    dialect: str = "modern"
    namespace: str = ""
    cpp_include_root: str = "include"
    cpp_source_root: str = "."
    python_root: str = "python"
    docs_root: str = "docs"
    inplace: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=lambda: ["cpp"])
    guard: str = "sum"
    ffi_alias: str = ""
    format: str = "builtin"
    export_macros: list[str] = field(default_factory=list)
    object_macros: list[str] = field(default_factory=list)
    optional_style: str = "optional"
    emit_layout_asserts: bool = False
    embed_ir: bool = True
    license: dict[str, Any] = field(default_factory=dict)
    lint: dict[str, Any] = field(default_factory=dict)
    breaking: dict[str, Any] = field(default_factory=dict)
    per_file: dict[str, dict[str, Any]] = field(default_factory=dict)

    def files(self) -> list[str]:
        """Return the schema files, sorted, each once."""
        found: dict[str, None] = {}
        for pattern in self.sources:
            for path in sorted(glob.glob(os.path.join(self.root, pattern), recursive=True)):
                if os.path.basename(path) != "__init__.py" or os.path.getsize(path):
                    found.setdefault(path)
        return list(found)

    def frontend_of(self, path: str) -> str:
        """Return the reader of a file."""
        name = os.path.relpath(path, self.root).replace(os.sep, "/")
        return str(self.per_file.get(name, {}).get("frontend", self.frontend))


_KEYS = {
    "sources": list,
    "frontend": str,
    "mode": str,
    "dialect": str,
    "namespace": str,
    "cpp_include_root": str,
    "cpp_source_root": str,
    "python_root": str,
    "docs_root": str,
    "inplace": list,
    "outputs": list,
    "guard": str,
    "ffi_alias": str,
    "format": str,
    "export_macros": list,
    "object_macros": list,
    "optional_style": str,
    "emit_layout_asserts": bool,
    "embed_ir": bool,
    "license": dict,
    "lint": dict,
    "breaking": dict,
    "per-file": dict,
}


def load(start: str, explicit: Optional[str], bag: Bag) -> Config:
    """Return the configuration that applies in a directory; defaults where there is none."""
    path = explicit or _find(start)
    if path is None:
        return Config(root=start)
    found = source.read(path, bag, "TS012")
    config = Config(root=os.path.dirname(path) or ".", path=path)
    if found is None:
        return config
    data = _toml(found.text, path, bag)
    if os.path.basename(path) == "pyproject.toml":
        for name in ("tool", "tvm-ffi", "schema"):
            data = data.get(name, {}) if isinstance(data, dict) else {}
    _apply(config, data, found.text, bag)
    return config


def _find(start: str) -> Optional[str]:
    folder = os.path.abspath(start)
    while True:
        for name in ("tschema.toml", "pyproject.toml"):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and (name == "tschema.toml" or _has_section(path)):
                return os.path.relpath(path)
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


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
            bag.add("TS012", "reading TOML needs Python 3.11 or the package tomli", Span(path))
            return {}
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 0) or _line_in(str(error))
        bag.add("TS012", f"this is no TOML: {error}", Span(source.shown(path), line))
        return {}


def _line_in(message: str) -> int:
    _, _, rest = message.partition("at line ")
    digits = rest.partition(",")[0]
    return int(digits) if digits.isdigit() else 1


def _apply(config: Config, data: Any, text: str, bag: Bag) -> None:
    shown = source.shown(config.path)

    def span(key: str) -> Span:
        for number, line in enumerate(text.splitlines(), 1):
            if line.lstrip().startswith((f"{key} ", f"{key}=", f'"{key}"')) or f".{key}" in line:
                start = line.index(key) + 1
                return Span(shown, number, start, number, start + len(key))
        return Span(shown)

    if not isinstance(data, dict):
        bag.add("TS011", "tool.tvm-ffi.schema must be a table", Span(shown))
        return
    for key, value in data.items():
        if key not in _KEYS:
            bag.add("TS010", f"unknown key {key!r}", span(key), help=near(key, _KEYS))
        elif not _is_of(value, _KEYS[key]):
            wanted = "a list of texts" if _KEYS[key] is list else f"a {_KEYS[key].__name__}"
            bag.add("TS011", f"{key} must be {wanted}, found {value!r}", span(key))
        elif key in _CHOICES and value not in _CHOICES[key]:
            words = ", ".join(_CHOICES[key])
            bag.add("TS011", f"{key} is one of {words}, not {value!r}", span(key))
        elif key == "outputs" and set(value) - set(OUTPUTS):
            unknown = sorted(set(value) - set(OUTPUTS))[0]
            text_ = f"unknown output {unknown!r}; known are {', '.join(OUTPUTS)}"
            bag.add("TS011", text_, span(key))
        else:
            setattr(config, "per_file" if key == "per-file" else key, value)
    _check_tables(config, span, bag)


def _is_of(value: Any, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return type(value) is kind


def _check_tables(config: Config, span: Any, bag: Bag) -> None:
    for table, known in _TABLES:
        for key in getattr(config, table):
            if key not in known:
                bag.add(
                    "TS010", f"unknown key {key!r} in {table}", span(key), help=near(key, known)
                )
    for name, options in config.per_file.items():
        if not isinstance(options, dict) or set(options) - {"frontend"}:
            bag.add("TS011", f"per-file {name!r} takes frontend = ...", span(name))
            config.per_file[name] = {}
    for name, text in config.license.items():
        if not isinstance(text, str):
            bag.add("TS011", f"license {name!r} must be a text", span(name))
    for use in config.breaking.get("use", []):
        if use not in USES:
            bag.add("TS011", f"use: {use!r} is none of {', '.join(USES)}", span("use"))
