# SPDX-License-Identifier: Apache-2.0
"""Test that classes defined in Rust behave like classes defined in C++."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
import shutil
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from running import run_threads

import tvm_ffi
from tvm_ffi.dataclasses import EnumObject, c_class, c_enum, py_class


@pytest.fixture(scope="session")
def library(rust_library: Any) -> Path:
    """Build the library of the example `rust_classes`."""
    return Path(rust_library(metadata=False)).with_name("librust_classes.so")


@pytest.fixture(scope="session")
def module(library: Path) -> tvm_ffi.Module:
    """Load the library."""
    return tvm_ffi.load_module(str(library))


@pytest.fixture(scope="session")
def point_class(module: tvm_ffi.Module) -> type[Any]:
    """Define the Python side of the base class."""

    @c_class("rust_classes.Point", eq=True, unsafe_hash=True)
    class Point(tvm_ffi.Object):
        __slots__ = ("__weakref__",)
        x: int
        y: int
        label: str
        tags: Any

    globals()["Point"] = Point  # pickle finds the class by its name
    Point.__qualname__ = "Point"
    return Point


@pytest.fixture(scope="session")
def point3_class(point_class: type[Any]) -> type[Any]:
    """Define the Python side of the derived class."""

    @c_class("rust_classes.Point3", eq=True, unsafe_hash=True)
    class Point3(point_class):  # type: ignore[misc]
        z: float
        next: Any

    globals()["Point3"] = Point3
    Point3.__qualname__ = "Point3"
    return Point3


def test_constructor_has_the_signature_of_the_fields(point_class: type[Any]) -> None:
    signature = inspect.signature(point_class)
    kinds = {name: parameter.kind.name for name, parameter in signature.parameters.items()}
    assert kinds == {
        "x": "POSITIONAL_OR_KEYWORD",
        "y": "POSITIONAL_OR_KEYWORD",
        "label": "KEYWORD_ONLY",
        "tags": "KEYWORD_ONLY",
    }
    point = point_class(1)
    assert (point.x, point.y, point.label, list(point.tags)) == (1, 0, "a point", [])
    point = point_class(y=2, x=1, label="p", tags=None)
    assert (point.x, point.y, point.label, point.tags) == (1, 2, "p", None)


def test_default_factory_makes_a_value_for_each_object(point_class: type[Any]) -> None:
    first, second = point_class(1), point_class(2)
    first.tags.append("only here")
    assert (list(first.tags), list(second.tags)) == (["only here"], [])


def test_constructor_refuses_wrong_arguments(point_class: type[Any]) -> None:
    with pytest.raises(TypeError, match="'x'"):
        point_class()
    with pytest.raises(TypeError, match="positional"):
        point_class(1, 2, "label")
    with pytest.raises(TypeError, match="'z'"):
        point_class(1, z=2)
    with pytest.raises(TypeError) as caught:
        point_class("one")
    key = "rust_classes.Point.__ffi_init__()"
    assert str(caught.value) == f"{key} field 'x':\n  Cannot convert from type `str` to `int`"


def test_parent_fields_come_first(point_class: type[Any], point3_class: type[Any]) -> None:
    point = point3_class(1, 0.5, None, 2)
    assert (point.x, point.y, point.z, point.next) == (1, 2, 0.5, None)
    assert isinstance(point, point_class)
    chain = point3_class(1, 0.5, point)
    assert chain.next.same_as(point)
    with pytest.raises(TypeError, match="next"):
        point3_class(1, 0.5, [1])


def test_only_writable_fields_can_be_set(point_class: type[Any]) -> None:
    point = point_class(1)
    point.x = 10
    assert point.x == 10
    with pytest.raises(AttributeError):
        point.label = "other"
    with pytest.raises(TypeError):
        point.y = "text"
    assert point.y == 0


def test_equality_hash_and_repr(point_class: type[Any], point3_class: type[Any]) -> None:
    a, b, c = point_class(1, 2), point_class(1, 2, tags="ignored"), point_class(1, 3)
    assert a == b
    assert a != c
    assert hash(a) == hash(b)
    assert hash(a) != hash(c)
    assert repr(a) == 'rust_classes.Point(x=1, y=2, label="a point")'
    assert {a: 1}[b] == 1
    assert tvm_ffi.structural_equal(a, b)
    assert not tvm_ffi.structural_equal(a, c)
    assert tvm_ffi.structural_hash(a) == tvm_ffi.structural_hash(b)
    nested, other = point3_class(1, 0.5, a), point3_class(1, 0.5, c)
    assert nested != other
    mismatch = tvm_ffi.get_first_structural_mismatch(nested, other)
    assert mismatch is not None
    assert "next" in str(mismatch[0])


def test_copies(point_class: type[Any], point3_class: type[Any]) -> None:
    inner = point_class(1, label="a label on the heap")
    outer = point3_class(1, 0.5, inner)
    shallow, deep = copy.copy(outer), copy.deepcopy(outer)
    assert not shallow.same_as(outer)
    assert shallow.next.same_as(inner)
    assert not deep.next.same_as(inner)
    assert deep == outer
    deep.next.x = 99
    assert inner.x == 1


def test_pickle_and_json(point_class: type[Any], point3_class: type[Any]) -> None:
    outer = point3_class(1, 0.5, point_class(7, label="inner"), 2)
    loaded = pickle.loads(pickle.dumps(outer))
    assert type(loaded) is point3_class
    assert (loaded.y, loaded.z, loaded.next.label) == (2, 0.5, "inner")
    text = tvm_ffi.serialization.to_json_graph_str(outer)
    read = tvm_ffi.serialization.from_json_graph_str(text)
    assert read == outer


def test_weak_references_and_release(point_class: type[Any]) -> None:
    use_count = tvm_ffi.get_global_func("testing.object_use_count")
    point = point_class(1)
    assert use_count(point) == 1
    held = tvm_ffi.List([point, point])
    assert use_count(point) == 3
    del held
    assert use_count(point) == 1
    reference = weakref.ref(point)
    assert reference() is point
    del point
    gc.collect()
    assert reference() is None


def test_methods_take_keywords(point_class: type[Any]) -> None:
    point = point_class(2, 3)
    scaled = point.scaled(10)
    assert (scaled.x, scaled.y, scaled.label) == (20, 30, "made in Rust")
    assert point.scaled(shift=1, factor=2).x == 5
    assert str(inspect.signature(point_class.scaled)).count("factor") == 1
    assert point_class.origin().x == 0
    assert "Return a multiple of the point." in (point_class.scaled.__doc__ or "")


def test_errors_and_panics_are_exceptions(point_class: type[Any]) -> None:
    with pytest.raises(ValueError, match="too far at 3") as caught:
        point_class(3).fail("too far")
    assert "rust_classes.rs" in {Path(frame.path).name for frame in caught.traceback}
    with pytest.raises(RuntimeError, match="panicked: the point 3 is out of reach"):
        point_class(3).panic()


def test_documentation_of_class_and_fields(point_class: type[Any]) -> None:
    info = tvm_ffi.core._lookup_or_register_type_info_from_type_key("rust_classes.Point")
    docs = {field.name: field.doc for field in info.fields}
    assert docs["x"] == "The first coordinate."
    assert docs["tags"] == "Anything; a new list for each point."


def test_functions_take_objects(module: tvm_ffi.Module, point_class: type[Any]) -> None:
    assert module.norm1(point_class(-3, 4)) == 7
    assert tvm_ffi.get_global_func("rust_classes.norm1")(point_class(1, -1)) == 2
    with pytest.raises(TypeError, match=r"rust_classes\.Point"):
        module.norm1([1, 2])


def test_python_class_derives_from_rust_class(point_class: type[Any]) -> None:
    @py_class("rust_classes_test.Named")
    class Named(point_class):  # type: ignore[misc]
        name: str

    named = Named(1, name="n")
    assert (named.x, named.name, named.scaled(3).x) == (1, "n", 3)
    assert copy.deepcopy(named).name == "n"


def test_enum_of_rust(module: tvm_ffi.Module) -> None:
    @c_enum("rust_classes.Color")
    class Color(EnumObject):
        code: int

    assert [color.__entry_name__ for color in Color] == ["RED", "BLUE"]
    assert Color.RED.code == 0xFF0000
    is_warm = Color.def_attr("is_warm")
    assert (is_warm[Color.RED], is_warm[Color.BLUE]) == (True, False)
    assert copy.deepcopy(Color.RED) is Color.RED
    with pytest.raises(ValueError, match="3 is not a valid Color"):
        Color(3)


def test_objects_are_shared_among_threads(point_class: type[Any]) -> None:
    shared = point_class(1)
    results: list[int] = []

    def work() -> None:
        total = sum(shared.scaled(factor).x for factor in range(200))
        results.append(total + sum(point_class(i).x for i in range(200)))

    run_threads([threading.Thread(target=work) for _ in range(4)])
    assert results == [2 * sum(range(200))] * 4


# ---- static init blocks ----


def test_second_copy_of_the_library_skips_its_blocks(
    library: Path, tmp_path: Path, run_python: Callable[..., str]
) -> None:
    second = shutil.copy(library, tmp_path / "librust_classes_again.so")
    code = f"""
import tvm_ffi
first = tvm_ffi.load_module({str(library)!r})
second = tvm_ffi.load_module({str(second)!r})
@tvm_ffi.register_object("rust_classes.Point")
class Point(tvm_ffi.Object): ...
assert second.norm1(Point(1, -2)) == first.norm1(Point(1, -2)) == 3
"""
    assert run_python(code) == ""


def test_failing_block_fails_the_load(library: Path, run_python: Callable[..., str]) -> None:
    code = f"""
import os
import tvm_ffi
os.environ["RUST_CLASSES_FAIL"] = "1"
try:
    tvm_ffi.load_module({str(library)!r})
except ValueError as error:
    text = str(error)
    assert "the library was asked to fail" in text, text
    assert "static-init block at rust_classes:" in text, text
else:
    raise AssertionError("the load succeeded")
assert tvm_ffi.get_global_func("rust_classes.norm1", allow_missing=True) is None
del os.environ["RUST_CLASSES_FAIL"]
tvm_ffi.load_module({str(library)!r})
assert tvm_ffi.get_global_func("rust_classes.norm1") is not None
"""
    assert run_python(code) == ""


def test_failure_without_a_load_in_progress_is_kept(
    library: Path, run_python: Callable[..., str]
) -> None:
    code = f"""
import ctypes, os
import tvm_ffi
os.environ["RUST_CLASSES_FAIL"] = "1"
ctypes.CDLL({str(library)!r})
assert tvm_ffi.get_global_func("rust_classes.norm1", allow_missing=True) is None
"""
    assert run_python(code) == ""


def test_errors_about_arguments_of_a_method_name_the_method(point_class: type[Any]) -> None:
    point = point_class(1, 2)
    with pytest.raises(ValueError) as caught:
        point.scaled()
    assert str(caught.value) == (
        "Expected 3 arguments, got 1 when calling: `rust_classes.Point.scaled(self: "
        "rust_classes.Point, factor: int, shift: int = 0) -> rust_classes.Point`; missing `factor`"
    )
    with pytest.raises(TypeError, match=r"^Argument #1: .* `rust_classes\.Point\.scaled\(self: "):
        point.scaled("wide")
