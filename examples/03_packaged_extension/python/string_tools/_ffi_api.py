# SPDX-License-Identifier: Apache-2.0
"""FFI API bindings for string_tools."""

# tvm-ffi-stubgen(begin): import-section
# fmt: off
# isort: off
from __future__ import annotations
from tvm_ffi import Object as _ffi_Object, init_ffi_api as _FFI_INIT_FUNC, register_object as _FFI_REG_OBJ
from tvm_ffi.libinfo import load_lib_module as _FFI_LOAD_LIB
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from collections.abc import Sequence
# isort: on
# fmt: on
# tvm-ffi-stubgen(end)
# tvm-ffi-stubgen(import-object): tvm_ffi.libinfo.load_lib_module;False;_FFI_LOAD_LIB
LIB = _FFI_LOAD_LIB("string-tools-example", "string_tools")
# tvm-ffi-stubgen(begin): global/string_tools
# fmt: off
_FFI_INIT_FUNC("string_tools", __name__)
if TYPE_CHECKING:
    def split(_0: str, _1: str, /) -> Sequence[str]: ...
# fmt: on
# tvm-ffi-stubgen(end)
# tvm-ffi-stubgen(import-object): tvm_ffi.register_object;False;_FFI_REG_OBJ
# tvm-ffi-stubgen(import-object): ffi.Object;False;_ffi_Object
@_FFI_REG_OBJ("string_tools.Counter")
class Counter(_ffi_Object):
    """FFI binding for `string_tools.Counter`."""

    # tvm-ffi-stubgen(begin): object/string_tools.Counter
    # fmt: off
    word: str
    count: int
    if TYPE_CHECKING:
        def __init__(self, word: str, /) -> None: ...
        def __ffi_init__(self, _0: str, /) -> None: ...
        def add(self, _1: str, /) -> int: ...
    # fmt: on
    # tvm-ffi-stubgen(end)


__all__ = [
    # tvm-ffi-stubgen(begin): __all__
    "LIB",
    "Counter",
    "split",
    # tvm-ffi-stubgen(end)
]
