# SPDX-License-Identifier: Apache-2.0
"""Data classes for types of the library of test fixtures."""

from __future__ import annotations

from typing import ClassVar

from tvm_ffi import Device, core, dtype
from tvm_ffi.dataclasses import c_class

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

core._load_testing_library()


@c_class("testing.TestFrozenCxx", frozen=True)
class TestFrozenCxx(core.Object):
    """A type whose two fields are writable in native code and read-only in Python."""

    __test__: ClassVar[bool] = False

    value: int
    tag: str


@c_class("testing.TestCxxClassBase")
class _TestCxxClassBase(core.Object):
    v_i64: int
    v_i32: int

    not_field_1 = 1
    not_field_2: ClassVar[int] = 2

    def __init__(self, v_i64: int, v_i32: int) -> None:
        self.__ffi_init__(v_i64 + 1, v_i32 + 2)  # type: ignore[attr-defined]


@c_class("testing.TestCxxClassDerived", eq=True, order=True, unsafe_hash=True)
class _TestCxxClassDerived(_TestCxxClassBase):
    v_f64: float
    v_f32: float


@c_class("testing.TestCxxClassDerivedDerived")
class _TestCxxClassDerivedDerived(_TestCxxClassDerived):
    v_str: str
    v_bool: bool


class _SchemaAllTypes:
    # This class only declares the fields of the type `testing.SchemaAllTypes`. It does not derive
    # from `Object`, so objects of that type are not instances of this class.
    v_bool: bool
    v_int: int
    v_float: float
    v_device: Device
    v_dtype: dtype
    v_string: str
    v_bytes: bytes
    v_opt_int: int | None
    v_opt_str: str | None
    v_arr_int: Sequence[int]
    v_arr_str: Sequence[str]
    v_map_str_int: Mapping[str, int]
    v_map_str_arr_int: Mapping[str, Sequence[int]]
    v_variant: str | Sequence[int] | Mapping[str, int]
    v_opt_arr_variant: Sequence[int | str] | None


_index = core._object_type_key_to_index("testing.SchemaAllTypes")
assert _index is not None
core._register_object_by_index(_index, _SchemaAllTypes)
