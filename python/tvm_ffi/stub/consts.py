# SPDX-License-Identifier: Apache-2.0
"""Markers, colours and fixed names."""

from __future__ import annotations

from dataclasses import dataclass

TERM_RESET = "\033[0m"
TERM_BOLD = "\033[1m"
TERM_RED = "\033[31m"
TERM_GREEN = "\033[32m"
TERM_YELLOW = "\033[33m"
TERM_BLUE = "\033[34m"
TERM_MAGENTA = "\033[35m"
TERM_CYAN = "\033[36m"


@dataclass(frozen=True)
class MarkerSyntax:
    """How markers are written in one language."""

    comment: str

    @property
    def prefix(self) -> str:
        """What every marker begins with."""
        return f"{self.comment} tvm-ffi-stubgen("

    @property
    def begin(self) -> str:
        """What the first line of a block begins with."""
        return f"{self.prefix}begin):"

    @property
    def end(self) -> str:
        """The last line of a block."""
        return f"{self.prefix}end)"

    @property
    def skip_file(self) -> str:
        """The line that leaves a file alone."""
        return f"{self.prefix}skip-file)"

    def directive(self, name: str) -> str:
        """Return what a directive of that name begins with."""
        return f"{self.prefix}{name}):"


PYTHON_SYNTAX = MarkerSyntax("#")
RUST_SYNTAX = MarkerSyntax("//")
SYNTAX_OF = {".py": PYTHON_SYNTAX, ".pyi": PYTHON_SYNTAX, ".rs": RUST_SYNTAX}

# Directives that mean the same for every generator.
PIPELINE_DIRECTIVE_KINDS = frozenset({"ty-map", "prefix", "skip"})

# Types whose classes come with the package; nobody writes them again.
BUILTIN_TYPE_KEYS = frozenset(
    {
        "ffi.BigInt",
        "ffi.Bytes",
        "ffi.Error",
        "ffi.Function",
        "ffi.Object",
        "ffi.OpaquePyObject",
        "ffi.SmallBytes",
        "ffi.SmallStr",
        "ffi.String",
        "ffi.Tensor",
    }
)

# Leading components of names -> the module that has them.
MODULE_OF_NAMESPACE = {"testing": "tvm_ffi.testing", "ffi": "tvm_ffi"}

# Schema origins and type keys -> where Python has them.
PYTHON_TY_MAP = {
    "Any": "typing.Any",
    "Callable": "typing.Callable",
    "Array": "collections.abc.Sequence",
    "List": "collections.abc.MutableSequence",
    "Map": "collections.abc.Mapping",
    "Dict": "collections.abc.MutableMapping",
    "Object": "ffi.Object",
    "Tensor": "ffi.Tensor",
    "dtype": "ffi.dtype",
    "Device": "ffi.Device",
    "ffi.Enum": "tvm_ffi.dataclasses.Enum",
    "ffi.IntEnum": "tvm_ffi.dataclasses.IntEnum",
    "ffi.StrEnum": "tvm_ffi.dataclasses.StrEnum",
    "ffi.Error": "tvm_ffi.core.Error",
    "ffi.reflection.AccessPath": "tvm_ffi.access_path.AccessPath",
    "ffi.reflection.AccessStep": "tvm_ffi.access_path.AccessStep",
}
# Arguments accept more than results promise.
PYTHON_INPUT_TY_MAP = {"List": "collections.abc.Sequence", "Dict": "collections.abc.Mapping"}
