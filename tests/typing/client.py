# SPDX-License-Identifier: Apache-2.0
"""A program for type checkers that uses the public names like a user.

The tests also run the program, so its assertions must hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import tvm_ffi
from tvm_ffi import (
    Array,
    Device,
    Dict,
    DLDeviceType,
    Function,
    List,
    Map,
    Module,
    Object,
    ObjectConvertible,
    Shape,
    Tensor,
    access_path,
    config,
    core,
    error,
    libinfo,
    registry,
    serialization,
    stream,
    structural,
    utils,
)
from tvm_ffi.dataclasses import Field, asdict, field, fields, py_class, replace
from tvm_ffi.module import ModulePropertyMask
from tvm_ffi.utils import FileLock


def functions() -> int:
    """Register, find, call and remove a function."""

    @tvm_ffi.register_global_func("typing_client.add", override=True)
    def add(x: int, y: int) -> int:
        return x + y

    found: Function | None = tvm_ffi.get_global_func("typing_client.add", allow_missing=True)
    assert found is not None
    metadata: dict[str, Any] = tvm_ffi.get_global_func_metadata("typing_client.add")
    names: list[str] = registry.list_global_func_names()
    found.release_gil = False
    result: int = found(1, 2)
    tvm_ffi.remove_global_func("typing_client.add")
    assert metadata == {}
    assert "typing_client.add" in names
    return result


def containers() -> tuple[int, str]:
    """Read and change containers like Python's own."""
    array: Array[int] = Array([1, 2, 3])
    items: List[str] = List(["a"])
    table: Map[str, int] = Map({"a": 1})
    changing: Dict[str, int] = Dict({"a": 1})
    sequence: Sequence[int] = array
    mutable: MutableSequence[str] = items
    mapping: Mapping[str, int] = table
    mutable_mapping: MutableMapping[str, int] = changing
    mutable.append("b")
    items.insert(index=0, value="c")
    mutable_mapping["b"] = 2
    changing.update({"c": 3})
    part: list[int] = array[1:]
    total: int = sum(sequence) + mapping["a"] + len(part) + changing.get("b", 0)
    text: str = "".join(items) + ",".join(key for key, _ in changing.items())
    return total, text


def values(tensor: Tensor | None = None) -> str:
    """Use devices, data types, shapes and tensors."""
    device: Device = tvm_ffi.device("cuda", 1)
    kind: tvm_ffi.dtype = tvm_ffi.dtype("float32").with_lanes(4)
    literal: tvm_ffi.dtype = tvm_ffi.float32
    shape: Shape = Shape((2, 3))
    bits: int = kind.bits + literal.itemsize + len(shape)
    number: DLDeviceType = DLDeviceType.kDLCUDA
    assert device.dlpack_device_type() == number
    if tensor is not None:
        sizes: tuple[int, ...] = tensor.shape
        assert len(sizes) == tensor.ndim
    with tvm_ffi.use_raw_stream(device, 8) as context:
        entered: stream.StreamContext = context
        assert tvm_ffi.get_raw_stream(device) == 8
        assert entered.device_id == 1
    pointer: ctypes.c_void_p = shape_object().__ctypes_handle__()
    return f"{device}{kind}{bits}{pointer.value is not None}"


def shape_object() -> Object:
    """Return an object of a registered class."""
    return structural_fixture()[0]


def structural_fixture() -> tuple[Object, Object]:
    """Return two values that are structurally equal."""
    return Array([1, [2]]), Array([1, [2]])


def structure() -> bool:
    """Compare, hash and walk values."""
    one, other = structural_fixture()
    same: bool = tvm_ffi.structural_equal(one, other)
    number: int = tvm_ffi.structural_hash(one)
    key = tvm_ffi.StructuralKey(one)
    mismatch = structural.get_first_structural_mismatch(one, other)
    path: access_path.AccessPath = access_path.AccessPath.root().attr("a").array_item(1)
    steps: Array[access_path.AccessStep] = path.to_steps()
    return same and mismatch is None and isinstance(number, int) and len(steps) == 2 and bool(key)


@tvm_ffi.register_error
class ClientError(RuntimeError):
    """An error class of this program."""


class Convertible(ObjectConvertible):
    """A class whose instances convert to an array."""

    def asobject(self) -> Object:
        """Return the array."""
        return Array([1])


def errors() -> str:
    """Raise an error in native code, and read its parts."""
    fail: Function = tvm_ffi.get_global_func("testing.test_raise_error")
    try:
        fail("ClientError", "text")
    except ClientError as caught:
        native: core.Error = tvm_ffi.convert(caught)
        frames: list[tuple[str, int, str]] = error._parse_backtrace(native.backtrace)
        return f"{native.kind}{native.message}{len(frames) > 0}"
    return ""


@py_class("typing_client.Point")
class Point(Object):
    """A class defined in Python."""

    x: int
    y: int = 2
    tags: List[str] = field(default_factory=List)

    def total(self) -> int:
        """Return the sum of the two fields."""
        return self.x + self.y


def data_classes() -> int:
    """Construct, copy and describe objects."""
    point = Point(1, y=3)
    moved: Point = replace(point, x=5)
    described: dict[str, Any] = asdict(moved)
    names = [each.name for each in fields(Point) if isinstance(each, Field)]
    assert names == ["x", "y", "tags"]
    assert described["x"] == 5
    return point.total() + moved.total()


def modules() -> bool:
    """Use the system library, JSON and the paths of files."""
    module: Module = tvm_ffi.system_lib("testing.")
    runnable: bool = module.get_property_mask() & ModulePropertyMask.RUNNABLE != 0
    add_one: Function = module["add_one"]
    text: str = serialization.to_json_graph_str(Array([1]))
    back: Any = serialization.from_json_graph_str(text)
    places: list[str] = [libinfo.find_libtvm_ffi(), *libinfo.include_paths()]
    lock = FileLock("unused.lock")
    kept: bool = callable(config.__main__) and utils.FileLock is FileLock and lock is not None
    return runnable and add_one(1) == 2 and len(back) == 1 and len(places) > 1 and kept


def type_information() -> list[str]:
    """Read the information about a type."""
    info: core.TypeInfo | None = core._type_cls_to_type_info(Point)
    assert info is not None
    assert info.fields is not None
    schema = core.TypeSchema.from_annotation(list[int])
    value: Any = core._to_py_class_value(schema.convert([1, 2]))
    return [one.name for one in info.fields] + [str(schema), str(list(value))]


def main() -> None:
    """Call each function once."""
    version: str = tvm_ffi.__version__
    numbers: tuple[int | str, ...] = tvm_ffi.__version_tuple__
    library: ctypes.CDLL = tvm_ffi.LIB
    converted: Any = tvm_ffi.get_global_func("testing.echo")(Convertible())
    callback: Function = tvm_ffi.convert_func(lambda x: x)
    done = (functions(), containers(), values(), structure(), errors(), data_classes(), modules())
    print(done, type_information(), version.startswith(str(numbers[0])), library is not None)
    print(list(converted), callback(1))


if __name__ == "__main__":
    main()
