# SPDX-License-Identifier: Apache-2.0
"""Test values that are read from raw memory: memory of this process, and invalid memory."""

from __future__ import annotations

import ctypes
import random
import struct
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.dataclasses import py_class
from tvm_ffi.debug import values

TypeInfo = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int)


class Own:
    """Reads the memory of this process."""

    def __init__(self):
        self._type_info = TypeInfo(("TVMFFIGetTypeInfo", tvm_ffi.LIB))

    def read(self, address, size):
        return ctypes.string_at(address, size)

    def type_info(self, index):
        return self._type_info(index) or 0


@pytest.fixture
def reader():
    return values.Reader(Own())


def text_of(reader, value):
    """Return the text of a value, read from the memory of an array that contains it."""
    holder = tvm_ffi.Array([value])
    return next(text for _, text in reader.items(holder.__chandle__()))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "None"),
        (True, "True"),
        (-(2**63), "-9223372036854775808"),
        (0.1, "0.1"),
        (float("inf"), "inf"),
        ("", '""'),
        ("1234567", '"1234567"'),
        ('é "8" bytes\n', '"é \\"8\\" bytes\\n"'),
        (b"\0a", "b'\\x00a'"),
        (b"0123456789", "b'0123456789'"),
        (tvm_ffi.dtype("float16x4"), "float16x4"),
        (tvm_ffi.dtype("bool"), "bool"),
        (tvm_ffi.device("cuda:3"), "cuda:3"),
        (tvm_ffi.Shape((1, 2)), "Shape(1, 2)"),
        (tvm_ffi.Array([]), "[]"),
        (tvm_ffi.Array([1, tvm_ffi.List(["a"])]), '[1, ["a"]]'),
        (tvm_ffi.Map({"a": 1, 2: None}), '{"a": 1, 2: None}'),
    ],
)
def test_values_of_this_process(reader, value, text):
    assert text_of(reader, value) == text


def test_long_text_is_cut(reader):
    assert text_of(reader, "x" * 1000) == '"' + "x" * values.MAX_TEXT + '"...'


@pytest.mark.parametrize("size", [0, 1, 4, 5, 7, 8, 16, 100, 1000])
@pytest.mark.parametrize("kind", [tvm_ffi.Map, tvm_ffi.Dict])
def test_mappings_in_their_order(reader, kind, size):
    mapping = kind({str(i): i for i in range(size)})
    if kind is tvm_ffi.Dict:
        for i in range(0, size, 3):
            del mapping[str(i)]
    found = list(reader.items(mapping.__chandle__()))
    assert found == [(f'"{key}"', str(value)) for key, value in mapping.items()]
    assert reader.kind(mapping.__chandle__()) == "map"
    assert reader.summary(mapping.__chandle__()) == f"{kind.__name__} of {len(mapping)}"


def test_fields_of_objects_of_python_classes(reader):
    @py_class("test_debug.Base")
    class Base(tvm_ffi.Object):
        number: int
        real: float

    @py_class("test_debug.Child")
    class Child(Base):
        flag: bool
        text: str
        other: tvm_ffi.Object

    child = Child(1, 0.5, True, "t", tvm_ffi.Array([2]))
    inner = 'number=1, real=0.5, flag=True, text="t", other=[2]'
    assert reader.object_text(child.__chandle__()) == f"test_debug.Child({inner})"
    assert dict(reader.items(child.__chandle__()))["text"] == '"t"'
    assert reader.kind(child.__chandle__()) == "object"


def test_deep_and_wide_values_have_a_short_text(reader):
    deep = tvm_ffi.List([])
    for _ in range(10_000):
        deep = tvm_ffi.List([deep])
    assert reader.object_text(deep.__chandle__()).endswith("[List(...)]]]]]")
    wide = tvm_ffi.Array([])
    for _ in range(5):
        wide = tvm_ffi.Array([wide] * 40)
    assert len(reader.object_text(wide.__chandle__())) < 10_000


@pytest.mark.spec("TOOL-TO5")
def test_memory_that_makes_no_sense_comes_to_an_end():
    class Noise:
        def __init__(self, seed):
            self._random = random.Random(seed)

        def read(self, address, size):
            if self._random.random() < 0.02:
                raise ValueError("cannot be read")
            kinds = [64, 65, 66, 67, 69, 70, 71, 72, 75, 76, 128, 200, 11, 1]
            words = [self._random.choice([*kinds, self._random.getrandbits(64)])]
            words += [self._random.choice([*kinds, 8, 2**63 + 3]) for _ in range(size // 8)]
            return struct.pack(f"<{len(words)}Q", *words)[:size]

        def type_info(self, index):
            return self._random.choice([0, 4096])

    for seed in range(400):
        noisy = values.Reader(Noise(seed))
        for write in (noisy.any_text, noisy.object_text, noisy.summary):
            try:
                assert isinstance(write(4096), str)
            except (ValueError, OverflowError):
                pass


def test_command_prints_the_lines_for_the_debuggers(package_environment):
    def run(*arguments):
        command = [sys.executable, "-m", "tvm_ffi.debug", *arguments]
        return execute(*command, env=package_environment).stdout.splitlines()

    (line,) = run("gdb")
    assert line.startswith("source ")
    assert Path(line.partition(" ")[2]).is_file()
    assert run() == ["# gdb", line, "# lldb", *run("lldb")]
