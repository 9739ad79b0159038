# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: UP006 - the old names are annotations like any other
"""Test the conversion of annotations to schemas."""

from __future__ import annotations

import collections.abc
import ctypes
import enum
import typing
from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Generic, Literal, Optional, TypeVar, Union

import pytest

import tvm_ffi
from tvm_ffi import access_path, core
from tvm_ffi.core import TypeSchema
from tvm_ffi.testing import TestObjectBase

T = TypeVar("T")


class HasDLPack:
    def __dlpack__(self):
        raise NotImplementedError


class SubString(core.String):
    pass


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (None, "None"),
        (type(None), "None"),
        (Any, "Any"),
        *((cls, cls.__name__) for cls in (bool, int, float, str, bytes)),
        (list, "List[Any]"),
        (typing.List, "List[Any]"),
        (list[int], "List[int]"),
        (typing.List[int], "List[int]"),
        (dict, "Dict[Any, Any]"),
        (typing.Dict, "Dict[Any, Any]"),
        (dict[str, int], "Dict[str, int]"),
        (tuple, "tuple"),
        (tuple[()], "tuple[()]"),
        (typing.Tuple[()], "tuple[()]"),
        (tuple[int, ...], "Array[int]"),
        (tuple[int, str], "tuple[int, str]"),
        (Callable, "Callable[..., Any]"),
        (collections.abc.Callable, "Callable[..., Any]"),
        (Callable[[int, str], float], "Callable[[int, str], float]"),
        (collections.abc.Callable[[int], int], "Callable[[int], int]"),
        (Callable[..., int], "Callable[..., int]"),
        (Callable[[], None], "Callable[[], None]"),
        (Union[int, str], "int | str"),
        (Optional[int], "int | None"),
        (tvm_ffi.Array, "Array[Any]"),
        (tvm_ffi.Array[int], "Array[int]"),
        (tvm_ffi.List[int], "List[int]"),
        (tvm_ffi.Map, "Map[Any, Any]"),
        (tvm_ffi.Map[str, int], "Map[str, int]"),
        (tvm_ffi.Dict[str, list[int]], "Dict[str, List[int]]"),
        (tvm_ffi.Object, "Object"),
        (TestObjectBase, "testing.TestObjectBase"),
        (access_path.AccessPath, "ffi.reflection.AccessPath"),
        (core.Error, "ffi.Error"),
        (tvm_ffi.Module, "ffi.Module"),
        (tvm_ffi.Function, "Callable[..., Any]"),
        (tvm_ffi.Tensor, "Tensor"),
        (HasDLPack, "Tensor"),
        (core.String, "str"),
        (SubString, "str"),
        (core.Bytes, "bytes"),
        (tvm_ffi.Device, "Device"),
        (tvm_ffi.dtype, "dtype"),
        (core.DataType, "dtype"),
        (ctypes.c_void_p, "ctypes.c_void_p"),
    ],
)
def test_j1_table(annotation, text):
    schema = TypeSchema.from_annotation(annotation)
    assert repr(schema) == text
    assert TypeSchema.from_json_obj(schema.to_json()) == schema


def test_j1_union_written_with_an_operator():
    assert repr(TypeSchema.from_annotation(int | str)) == "int | str"


def test_j2_none_is_pulled_out():
    schema = TypeSchema.from_annotation(int | None | str)
    assert repr(schema) == "int | str | None"
    assert schema.origin == "Optional"
    assert schema.args[0].origin == "Union"


def test_j2_none_in_typing_union_is_pulled_out():
    assert repr(TypeSchema.from_annotation(Union[int, None, str])) == "int | str | None"


def test_j3_tuples():
    assert repr(TypeSchema.from_annotation(tuple[int, ...])) == "Array[int]"
    empty = TypeSchema.from_annotation(tuple[()])
    assert (empty.args, repr(empty)) == ((), "tuple[()]")


def test_j4_bare_typing_tuple_has_any_length():
    schema = TypeSchema.from_annotation(typing.Tuple)
    assert schema.args is None
    assert schema == TypeSchema.from_annotation(tuple)
    assert schema != TypeSchema.from_annotation(tuple[()])


def test_j5_callable_groups():
    assert TypeSchema.from_annotation(Callable).named_args is None
    of_any = TypeSchema.from_annotation(Callable[..., int])
    assert of_any.named_args == {"return": (TypeSchema("int"),)}
    of_none = TypeSchema.from_annotation(Callable[[], None])
    assert of_none.named_args == {"return": (TypeSchema("None"),), "params": ()}


class Color(enum.Enum):
    RED = 1


class Unregistered(tvm_ffi.Object):
    pass


@pytest.mark.parametrize(
    "annotation",
    [
        *(set, frozenset, complex, type, Color, HasDLPack.__class__),
        *(T, list[T], ClassVar[int], typing.Type[int], typing.Iterable[int]),
        *("int", 3, ..., [int], {"a": int}, Literal[Color.RED], Literal[b"x"]),
        *(list["int"], typing.List["int"], collections.abc.Iterable, core.PyNativeObject),
        *(core.ObjectConvertible, core.ObjectRValueRef),
    ],
)
def test_j6_unsupported(annotation):
    with pytest.raises(TypeError, match=r"^Cannot convert .* to TypeSchema$"):
        TypeSchema.from_annotation(annotation)


@pytest.mark.parametrize("cls", [Unregistered, core.CObject, core.OpaquePyObject])
def test_j6_unregistered_object_class(cls):
    with pytest.raises(TypeError) as raised:
        TypeSchema.from_annotation(cls)
    assert str(raised.value) == (
        f"CObject subclass {cls!r} is not registered in TYPE_CLS_TO_INFO; "
        "use @register_object to register it"
    )


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        (list[int, int], "list takes at most 1 type argument, got 2"),
        (dict[int], "dict requires 0 or 2 type arguments, got 1"),
        (lambda: tvm_ffi.Array[int, int], "Array requires 1 type argument, got 2"),
        (lambda: tvm_ffi.Map[(int,)], "Map requires 2 type arguments, got 1"),
    ],
)
def test_j7_wrong_arity(annotation, message):
    if callable(annotation) and getattr(annotation, "__name__", "") == "<lambda>":
        annotation = annotation()
    with pytest.raises(TypeError) as raised:
        TypeSchema.from_annotation(annotation)
    assert str(raised.value) == message


# ---- annotations that the peer does not support


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        (tvm_ffi.Shape, "ffi.Shape"),
        (object, "Any"),
        (typing.Sequence[int], "Array[int]"),
        (collections.abc.Sequence, "Array[Any]"),
        (collections.abc.Mapping[str, int], "Map[str, int]"),
        (collections.abc.MutableSequence[int], "List[int]"),
        (collections.abc.MutableMapping[str, int], "Dict[str, int]"),
    ],
)
def test_abstract_classes_and_shape(annotation, text):
    assert repr(TypeSchema.from_annotation(annotation)) == text


def test_annotated_is_what_it_annotates():
    assert repr(TypeSchema.from_annotation(Annotated[Optional[int], "a note"])) == "int | None"
    assert repr(TypeSchema.from_annotation(list[Annotated[int, 3]])) == "List[int]"


@pytest.mark.parametrize(
    ("annotation", "text", "literals"),
    [
        (Literal[1], "int", (1,)),
        (Literal[1, 2], "int", (1, 2)),
        (Literal["a", 1], "str | int", ("a", 1)),
        (Literal["a", None], "str | None", ("a", None)),
        (Literal[1, True], "int | bool", (1, True)),
        (Literal[None], "None", None),
    ],
)
def test_literal_is_a_union_with_values(annotation, text, literals):
    schema = TypeSchema.from_annotation(annotation)
    assert repr(schema) == text
    assert schema.literals == literals
    again = TypeSchema.from_json_obj(schema.to_json())
    assert again == schema
    assert again.literals == literals


def test_literals_are_distinguished_by_type():
    assert TypeSchema.from_annotation(Literal[1]) != TypeSchema.from_annotation(Literal[2])
    assert TypeSchema("Any", literals=(1,)) != TypeSchema("Any", literals=(True,))


def test_subscripted_registered_class_keeps_its_arguments():
    @tvm_ffi.register_object("testing.TestIntPair")
    class Pair(tvm_ffi.Object, Generic[T]):
        pass

    try:
        schema = TypeSchema.from_annotation(Pair[int])
        assert (schema.origin, schema.args) == ("testing.TestIntPair", (TypeSchema("int"),))
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(tvm_ffi.testing.TestIntPair)


def test_deep_annotation_is_an_error_and_no_crash():
    annotation = int
    for _ in range(100_000):
        annotation = list[annotation]
    with pytest.raises(RecursionError):
        TypeSchema.from_annotation(annotation)
