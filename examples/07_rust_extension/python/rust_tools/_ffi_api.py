# SPDX-License-Identifier: Apache-2.0
"""FFI API bindings for rust_tools."""

# tvm-ffi-stubgen(begin): import-section
# fmt: off
# isort: off
from __future__ import annotations
from tvm_ffi import Object as _ffi_Object, init_ffi_api as _FFI_INIT_FUNC, register_object as _FFI_REG_OBJ
from tvm_ffi.libinfo import load_lib_module as _FFI_LOAD_LIB
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from collections.abc import Sequence
    from tvm_ffi.typing import TensorLike
    from typing import Any
# isort: on
# fmt: on
# tvm-ffi-stubgen(end)
# tvm-ffi-stubgen(import-object): tvm_ffi.libinfo.load_lib_module;False;_FFI_LOAD_LIB
LIB = _FFI_LOAD_LIB("rust-tools-example", "rust_tools")
# tvm-ffi-stubgen(begin): global/rust_tools
# fmt: off
_FFI_INIT_FUNC("rust_tools", __name__)
if TYPE_CHECKING:
    def axpy(_0: float, _1: TensorLike, _2: TensorLike, _3: TensorLike, /) -> None:
        """Store alpha * x + y in out."""
        ...
    def names(_0: Expr, /) -> Sequence[str]:
        """Return the names of variables."""
        ...
# fmt: on
# tvm-ffi-stubgen(end)
# tvm-ffi-stubgen(import-object): tvm_ffi.register_object;False;_FFI_REG_OBJ
# tvm-ffi-stubgen(import-object): ffi.Object;False;_ffi_Object
@_FFI_REG_OBJ("rust_tools.Expr")
class Expr(_ffi_Object):
    """The parent of all expressions."""

    # tvm-ffi-stubgen(begin): object/rust_tools.Expr
    # fmt: off
    if TYPE_CHECKING:
        def __init__(self) -> None: ...
        def __ffi_init__(self) -> None: ...
    # fmt: on
    # tvm-ffi-stubgen(end)


@_FFI_REG_OBJ("rust_tools.Add")
class Add(Expr):
    """The sum of two expressions."""

    # tvm-ffi-stubgen(begin): object/rust_tools.Add
    # fmt: off
    lhs: Expr
    rhs: Expr
    if TYPE_CHECKING:
        def __init__(self, lhs: Expr, rhs: Expr) -> None: ...
        def __ffi_init__(self, *args: Any, **kwargs: Any) -> None: ...
        def swapped(self, /) -> Add:
            """Return the sum with its operands exchanged."""
            ...
    # fmt: on
    # tvm-ffi-stubgen(end)


@_FFI_REG_OBJ("rust_tools.Var")
class Var(Expr):
    """A variable."""

    # tvm-ffi-stubgen(begin): object/rust_tools.Var
    # fmt: off
    name: str
    if TYPE_CHECKING:
        def __init__(self, name: str = ...) -> None: ...
        def __ffi_init__(self, *args: Any, **kwargs: Any) -> None: ...
    # fmt: on
    # tvm-ffi-stubgen(end)


__all__ = [
    # tvm-ffi-stubgen(begin): __all__
    "LIB",
    "Add",
    "Expr",
    "Var",
    "axpy",
    "names",
    # tvm-ffi-stubgen(end)
]
