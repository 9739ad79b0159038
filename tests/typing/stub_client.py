# SPDX-License-Identifier: Apache-2.0
"""A program for type checkers: calls through generated stubs. The tests also run the program.

``tvm-ffi-stubgen`` writes ``stub_api`` for the library of test functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
import numpy.typing as npt
import stub_api as api

import tvm_ffi
from tvm_ffi import Array, Device, Dict, List, Map, Object, Tensor, dtype
from tvm_ffi.dataclasses import Enum
from tvm_ffi.typing import DeviceLike, DTypeLike, ObjectLike, SupportsDLPack, TensorLike

if TYPE_CHECKING:
    import torch
    from typing_extensions import assert_type
else:

    def assert_type(value, _):
        return value


class Exporter:
    """A tensor of a framework that this package does not know."""

    def __init__(self, memory: npt.NDArray[np.float32]) -> None:
        self.memory = memory

    def __dlpack__(self, **options: Any) -> Any:
        return self.memory.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.memory.__dlpack_device__()


def tensors() -> None:
    memory: npt.NDArray[np.float32] = np.zeros(3, "float32")
    mask: npt.NDArray[np.bool_] = np.zeros(3, bool)
    assert_type(api.schema_id_tensor(memory), Tensor)
    assert_type(api.schema_id_tensor(tvm_ffi.from_dlpack(memory)), Tensor)
    api.schema_id_tensor(mask)
    api.schema_id_tensor(Exporter(memory))
    api.schema_tensor_view_input(memory)
    api.optional_tensor_view_has_value(None)
    assert_type(api.optional_tensor_view_has_value(memory), bool)
    assert isinstance(memory, SupportsDLPack)


def torch_tensors(x: torch.Tensor) -> None:
    """Use tensors of PyTorch; this is not run, since PyTorch is not installed for these tests."""
    assert_type(api.schema_id_tensor(x), Tensor)
    api.schema_id_dtype(x.dtype)


def numbers_and_text() -> None:
    assert_type(api.schema_id_int(1), int)
    assert_type(api.schema_id_float(1), float)
    assert_type(api.schema_id_float(1.5), float)
    assert_type(api.schema_id_bool(True), bool)
    assert_type(api.schema_id_string("x"), str)
    assert_type(api.schema_id_bytes(b"x"), bytes)
    api.schema_id_bytes(bytearray(b"x"))
    assert_type(api.schema_id_opt_int(None), Optional[int])
    assert_type(api.schema_id_variant_int_str(1), Union[int, str])


def devices_and_types() -> None:
    assert_type(api.schema_id_device("cpu"), Device)
    assert_type(api.schema_id_device(tvm_ffi.device("cuda", 1)), Device)
    assert_type(api.schema_id_dtype("float32"), dtype)
    assert_type(api.schema_id_dtype(np.dtype("int8")), dtype)
    assert_type(api.schema_id_dtype(tvm_ffi.float32), dtype)


def containers() -> None:
    assert_type(api.schema_id_arr_int([1]), Sequence[int])
    assert_type(api.schema_id_list_int((1, 2)), MutableSequence[int])
    assert_type(api.schema_id_map_str_int({"a": 1}), Mapping[str, int])
    assert_type(api.schema_id_dict_str_int({"a": 1}), MutableMapping[str, int])
    api.schema_id_arr_int(Array([1]))
    api.schema_id_arr_int(List([1]))
    api.schema_id_map_str_int(Map({"a": 1}))
    api.schema_id_map_str_int(Dict({"a": 1}))
    api.schema_id_arr_obj([Array([1]), api.make_unregistered_object()])
    api.schema_arr_map_opt([1, None], {"a": [1]}, None)


def objects() -> None:
    assert_type(api.schema_id_object(Array([1])), Object)
    api.schema_id_object([1, 2])
    api.schema_id_object({"a": 1})
    api.schema_id_object(print)
    api.schema_id_opt_obj(None)
    pair = api.TestIntPair(1, 2)
    assert_type(pair.a, int)
    assert_type(api.TestIntPairSum(pair), int)


def functions() -> None:
    def callback(number: int, x: float, function: Callable[..., Any]) -> None:
        pass

    assert_type(api.schema_id_func(lambda: 1), Callable[..., Any])
    api.schema_id_func(tvm_ffi.convert_func(callback))
    api.schema_id_func_typed(callback)
    api.schema_id_func_typed(lambda number, x, function: None)


def enums() -> None:
    assert_type(api.TestEnumVariant.Alpha, api.TestEnumVariant)
    assert_type(api.TestEnumVariant.get("Beta"), api.TestEnumVariant)
    assert_type(api.enum_variant_get("Alpha"), Enum)
    assert_type(list(api.TestEnumVariant), list[api.TestEnumVariant])
    assert_type(api.Shade.dark, api.Shade)
    assert_type(api.Shade.dark.depth, int)
    for name, variant in api.Shade.entries():
        assert_type(name, str)
        assert_type(variant, api.Shade)


def annotated(x: TensorLike, kind: DTypeLike, device: DeviceLike, value: ObjectLike) -> None:
    """Call generated functions with parameters that have the public type aliases."""
    api.schema_id_tensor(x)
    api.schema_id_dtype(kind)
    api.schema_id_device(device)
    api.schema_id_object(value)


def main() -> None:
    for step in (
        *(tensors, numbers_and_text, devices_and_types, containers, objects, functions, enums),
    ):
        step()
    annotated(np.zeros(1), "int8", "cpu", [1])
    print("done")


if __name__ == "__main__":
    main()
