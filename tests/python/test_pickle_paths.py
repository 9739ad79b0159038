# SPDX-License-Identifier: Apache-2.0
"""Test that pickles only contain public import paths, and that older pickles can be read."""

from __future__ import annotations

import importlib
import pickle
import pickletools
import sys
from typing import ClassVar

import pytest
from running import execute

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import access_path, container, core, error, module, serialization, structural
from tvm_ffi import dataclasses as ffi_dataclasses
from tvm_ffi.dataclasses import Enum, EnumObject, IntEnum, StrEnum, c_enum, entry, py_class, py_enum


@py_enum("test.pickle_paths.Shade")
class Shade(EnumObject):
    depth: int
    Light: ClassVar[Shade] = entry(depth=1)
    Dark: ClassVar[Shade] = entry(depth=2)


class Level(IntEnum, type_key="test.pickle_paths.Level"):
    low = 10


class Sign(StrEnum, type_key="test.pickle_paths.Sign"):
    plus = "+"


class Plain(Enum, type_key="test.pickle_paths.Plain"):
    one = entry()


@c_enum("testing.TestEnumVariant")
class Variant(EnumObject):
    pass


@py_class("test.pickle_paths.Point")
class Point(tvm_ffi.Object):
    x: int
    shade: Shade


def unimportable():
    """Return a variant of a class that cannot be imported by its name."""

    class Hidden(Enum, type_key="test.pickle_paths.Hidden"):
        a = entry()

    return Hidden.a


def raised() -> Exception:
    """Return an error that native code has raised."""
    try:
        tvm_ffi.get_global_func("testing.test_raise_error")("ValueError", "text")
    except ValueError as caught:
        return caught
    raise AssertionError


def tensor():
    buffer = bytes(range(24))
    return core._tensor_from_buffer(tvm_ffi.Tensor, (1, 8, 1), (2, 12), buffer)


VALUES = {
    "dtype": tvm_ffi.dtype("float8_e4m3fn"),
    "DataType": core.DataType("int32x4"),
    "custom DataType": core._create_cdtype_from_tuple(core.DataType, 3, 7, 2),
    "Device": tvm_ffi.device("cuda", 3),
    "unknown Device": tvm_ffi.device(77, 3),
    "DLDeviceType": tvm_ffi.DLDeviceType.kDLCPU,
    "Shape": tvm_ffi.Shape((1, 2)),
    "Tensor": tensor(),
    "Array": tvm_ffi.Array([1, "a", [2]]),
    "List": tvm_ffi.List([1]),
    "Map": tvm_ffi.Map({"a": 1}),
    "Dict": tvm_ffi.Dict({"a": 1}),
    "String": core.String("text" * 10),
    "Bytes": core.Bytes(b"bytes" * 10),
    "object": Point(1, Shade.Dark),
    "native object": tvm_ffi.testing.TestIntPair(1, 2),
    "empty object": Point.__new__(Point),
    "py_enum": Shade.Dark,
    "IntEnum": Level.low,
    "StrEnum": Sign.plus,
    "Enum": Plain.one,
    "c_enum": Variant.Beta,
    "unimportable": unimportable(),
    "entries": Shade.entries(),
    "error": raised(),
    "native error": core.Error("ValueError", "text", ""),
    "schema": core.TypeSchema.from_annotation(int),
    "StructuralKey": structural.StructuralKey(tvm_ffi.Array([1])),
    "unregistered variant": None,
    "class": Shade,
    "wide integer": 10**40,
}

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
# Modules whose names the interpreter itself writes into pickles.
INTERPRETER = ("copyreg", "copy_reg", "_codecs", "builtins", "__builtin__")


def names_of(pickled: bytes) -> list[str]:
    """Return the dotted paths that a pickle imports."""
    found, texts = [], []
    for opcode, argument, _ in pickletools.genops(pickled):
        if opcode.name == "GLOBAL":
            found.append(argument.replace(" ", "."))
        elif opcode.name == "STACK_GLOBAL":
            found.append(".".join(texts[-2:]))
        elif isinstance(argument, str):
            texts.append(argument)
    return found


def is_public(path: str) -> bool:
    return path.split(".")[0] in INTERPRETER or not any(
        part.startswith("_") for part in path.split(".")
    )


def public_names():
    """Yield every class and function that a public module exports."""
    for owner in (
        *(tvm_ffi, access_path, container, error, module, serialization, structural),
        ffi_dataclasses,
    ):
        for name in getattr(owner, "__all__", ()):
            value = getattr(owner, name)
            if isinstance(value, type) or callable(value):
                yield f"{owner.__name__}.{name}", value


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("what", VALUES)
def test_a_pickle_names_public_paths_alone(what, protocol):
    value = VALUES[what]
    pickled = pickle.dumps(value, protocol)
    assert [path for path in names_of(pickled) if not is_public(path)] == []
    again = pickle.loads(pickled)
    assert [path for path in names_of(pickle.dumps(again, protocol)) if not is_public(path)] == []
    if isinstance(value, EnumObject):
        assert again is value


@pytest.mark.parametrize("name", [name for name, _ in public_names()])
def test_a_public_name_is_pickled_under_a_public_path(name):
    value = dict(public_names())[name]
    try:
        pickled = pickle.dumps(value)
    except (pickle.PicklingError, TypeError):
        pytest.skip("cannot be pickled by name")
    assert all(map(is_public, names_of(pickled)))
    assert pickle.loads(pickled) is value


@pytest.mark.parametrize("value", [VALUES["DataType"], VALUES["custom DataType"], VALUES["Device"]])
def test_values_come_back_equal(value):
    for protocol in PROTOCOLS:
        assert pickle.loads(pickle.dumps(value, protocol)) == value


def test_a_variant_is_found_where_its_class_was_not_imported(tmp_path):
    (tmp_path / "shades.py").write_text(
        "from typing import ClassVar\n"
        "from tvm_ffi.dataclasses import *\n"
        "@py_enum('test.pickle_paths.Far')\n"
        "class Far(EnumObject):\n"
        "    x: int\n"
        "    A: ClassVar['Far'] = entry(x=1)\n"
        "class Near(IntEnum, type_key='test.pickle_paths.Near'):\n"
        "    A = 4\n"
    )

    def run(program: str) -> str:
        package = str(importlib.import_module("pathlib").Path(tvm_ffi.__file__).parents[1])
        path = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {package!r}]\n"
        done = execute(sys.executable, "-c", path + program)
        return done.stdout.strip()

    written = run(
        "import pickle, shades, tvm_ffi\n"
        "print(pickle.dumps([shades.Far.A, shades.Near.A, tvm_ffi.Array([shades.Far.A])]).hex())"
    )
    out = run(
        "import pickle, sys\n"
        f"far, near, array = pickle.loads(bytes.fromhex({written!r}))\n"
        "import shades\n"
        "print(far is shades.Far.A, near is shades.Near.A, array[0] is shades.Far.A)"
    )
    assert out == "True True True"


def test_a_variant_that_is_not_there_says_so():
    with pytest.raises(ValueError, match=r"no enum 'test.none.such'"):
        serialization.restore_variant("test.none.such", "a")
    with pytest.raises(ValueError, match=r"no enum 'testing.TestIntPair'"):
        serialization.restore_variant("testing.TestIntPair", "a")
    with pytest.raises(ValueError, match="has no variant 'nope'"):
        serialization.restore_variant("test.pickle_paths.Shade", "nope")


# An instance is pickled as a call of `function`. Tests pass functions whose names the pickles of
# earlier versions contain.
class Written:
    def __init__(self, function, *arguments):
        self.parts = (function, arguments)

    def __reduce__(self):
        return self.parts


def test_published_classes_name_published_modules():
    from tvm_ffi._dtype import DataTypeCode
    from tvm_ffi.module import ModulePropertyMask

    published = (
        DataTypeCode,
        ModulePropertyMask,
        tvm_ffi.DLDeviceType,
        tvm_ffi.Shape,
        tvm_ffi.dtype,
    )
    for cls in (*published, tvm_ffi.dtype, core.TypeInfo, core.TypeField, core.TypeSchema):
        parts = cls.__module__.split(".")
        assert not {"_types", "_values", "_structural", "_signatures"} & {*parts}, cls


def test_older_pickles_are_read():
    from tvm_ffi._dtype import dtype
    from tvm_ffi._tensor import Shape

    def read(function, *arguments):
        return pickle.loads(pickle.dumps(Written(function, *arguments)))

    assert read(core._new_object, Point).__chandle__() == 0
    assert read(core._create_device_from_tuple, core.Device, 2, 3) == tvm_ffi.device("cuda", 3)
    assert read(core._create_cdtype_from_tuple, core.DataType, 0, 32, 1) == core.DataType("int32")
    made = read(core._tensor_from_buffer, core.Tensor, (1, 8, 1), (2,), b"ab")
    assert made.shape == (2,)
    for path, cls in ((b"ctvm_ffi._dtype\ndtype\n", dtype), (b"ctvm_ffi._tensor\nShape\n", Shape)):
        assert pickle.loads(path + b".") is cls
