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
    """The syntax of markers in one language."""

    comment: str

    @property
    def prefix(self) -> str:
        """The text at the start of every marker."""
        return f"{self.comment} tvm-ffi-stubgen("

    @property
    def begin(self) -> str:
        """The text at the start of the first line of a block."""
        return f"{self.prefix}begin):"

    @property
    def end(self) -> str:
        """The last line of a block."""
        return f"{self.prefix}end)"

    @property
    def skip_file(self) -> str:
        """The line that excludes a file."""
        return f"{self.prefix}skip-file)"

    def directive(self, name: str) -> str:
        """Return the text at the start of a directive with this name."""
        return f"{self.prefix}{name}):"


PYTHON_SYNTAX = MarkerSyntax("#")
RUST_SYNTAX = MarkerSyntax("//")
SYNTAX_OF = {".py": PYTHON_SYNTAX, ".pyi": PYTHON_SYNTAX, ".rs": RUST_SYNTAX}

# Directives with the same meaning for every generator.
PIPELINE_DIRECTIVE_KINDS = frozenset({"ty-map", "prefix", "skip"})

# Types whose classes are part of this package and are not generated.
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

# First component of a registered name -> the Python module that defines such names.
MODULE_OF_NAMESPACE = {"testing": "tvm_ffi.testing", "ffi": "tvm_ffi"}

# Schema origin or type key -> the full Python name.
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
# Attributes and methods that enum classes have and `Object` does not have.
ENUM_MEMBERS = frozenset(
    {"all_entries", "attr_dict", "def_attr", "entries", "get", "name", "value"}
)
# Base class of an enum with payloads -> the payload type, which parameters accept besides variants.
PAYLOAD_OF_ENUM = {"ffi.IntEnum": "int", "ffi.StrEnum": "str"}
# A parameter accepts more types than a result has: all types that a call converts.
PYTHON_INPUT_TY_MAP = {
    "List": ("collections.abc.Sequence",),
    "Dict": ("collections.abc.Mapping",),
    "Tensor": ("tvm_ffi.typing.TensorLike",),
    "Device": ("tvm_ffi.typing.DeviceLike",),
    "dtype": ("tvm_ffi.typing.DTypeLike",),
    "Object": ("tvm_ffi.typing.ObjectLike",),
    "bytes": ("bytes", "bytearray"),
    "ffi.Tensor": ("tvm_ffi.typing.TensorLike",),
    "ffi.Object": ("tvm_ffi.typing.ObjectLike",),
    "ffi.Shape": ("collections.abc.Sequence[int]",),
    "ffi.Error": ("tvm_ffi.core.Error", "BaseException"),
    "ctypes.c_void_p": ("ctypes.c_void_p", "None"),
}
