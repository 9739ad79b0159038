# SPDX-License-Identifier: Apache-2.0
"""Test the record ``TypeSchema``: its checks, its JSON, its text."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.core import TypeSchema
from tvm_ffi.testing import TestObjectBase, TestObjectDerived

INT = TypeSchema("int")
STR = TypeSchema("str")
STR_TO_INT = "Callable[[str], int]"
STR_MAP = "Map[str, int]"
NO_GROUPS = "named_args must be a map of names to type lists"


@pytest.mark.parametrize(
    ("args", "named", "kind", "message"),
    [
        (("",), None, ValueError, "schema type must be a nonempty string"),
        ((3,), None, ValueError, "schema type must be a nonempty string"),
        (("int", (3,)), None, TypeError, "schema arguments must be TypeSchema instances"),
        (("Union", (INT,)), None, ValueError, "Union must have at least two arguments"),
        (("Optional",), None, ValueError, "Optional must have exactly one argument"),
        (("Optional", (INT, INT)), None, ValueError, "Optional must have exactly one argument"),
        (("list", (INT, INT)), None, ValueError, "list must have 0 or 1 argument"),
        (("Array", (INT, INT)), None, ValueError, "Array must have 0 or 1 argument"),
        (("Map", (INT,)), None, ValueError, "Map must have 0 or 2 arguments"),
        (("dict", (INT,)), None, ValueError, "dict must have 0 or 2 arguments"),
        (("x",), [1], TypeError, NO_GROUPS),
        (("x",), {"": ()}, ValueError, "named_args keys must be nonempty strings"),
        (("x",), {"a": INT}, TypeError, "named_args values must be lists of type schemas"),
        (("x",), {"a": [3]}, TypeError, "named_args values must contain type schemas"),
        (
            ("Callable", (INT,)),
            {"return": (INT,)},
            ValueError,
            "Callable uses only named return and params groups",
        ),
        (
            ("Callable",),
            {"return": (INT,), "x": ()},
            ValueError,
            "Callable uses only named return and params groups",
        ),
        (("Callable",), {}, ValueError, "Callable return group must contain exactly one type"),
        (
            ("Callable",),
            {"params": [INT]},
            ValueError,
            "Callable return group must contain exactly one type",
        ),
    ],
)
def test_refused(args, named, kind, message):
    with pytest.raises(kind) as raised:
        TypeSchema(*args, named_args=named)
    assert str(raised.value) == message


def test_bad_fallback_and_literals_are_refused():
    with pytest.raises(TypeError, match="fallback must be a TypeSchema, got int"):
        TypeSchema("x", fallback=3)
    for literals in ((), (1.5,), (b"x",)):
        with pytest.raises(TypeError, match="literals must be"):
            TypeSchema("int", literals=literals)


def test_arguments_are_settled():
    assert TypeSchema("int").args == ()
    assert TypeSchema("tuple").args is None
    assert TypeSchema("tuple", ()).args == ()
    assert TypeSchema("tuple", [INT]).args == (INT,)
    assert TypeSchema("list").args == (TypeSchema("Any"),)
    assert TypeSchema("Map").args == (TypeSchema("Any"),) * 2
    legacy = TypeSchema("Callable", (INT, STR))
    assert (legacy.args, legacy.named_args) == ((), {"return": (INT,), "params": (STR,)})
    assert TypeSchema("Callable", (INT,)).named_args == {"return": (INT,)}


@pytest.mark.parametrize(
    ("origin", "index"),
    [
        *(("Any", -1), ("None", 0), ("int", 1), ("bool", 2), ("float", 3)),
        *(("ctypes.c_void_p", 4), ("dtype", 5), ("Device", 6), ("Object", 64), ("str", 65)),
        *(("bytes", 66), ("Callable", 68), ("Tensor", 70), ("Array", 71), ("Map", 72)),
        *(("List", 75), ("Dict", 76), ("tuple", -3), ("list", -3), ("dict", -3)),
        *(("no.such", -3), ("ffi.Shape", 69)),
    ],
)
def test_type_index(origin, index):
    assert TypeSchema(origin).origin_type_index == index


def test_type_index_of_choices_and_registered_types():
    assert TypeSchema("Optional", (INT,)).origin_type_index == -2
    assert TypeSchema("Union", (INT, STR)).origin_type_index == -2
    key = "testing.TestObjectBase"
    assert TypeSchema(key).origin_type_index == core._object_type_key_to_index(key)
    assert TypeSchema("int", (), 5).origin_type_index == 5


@pytest.mark.parametrize(
    ("index", "text"),
    [
        *((-1, "Any"), (0, "None"), (1, "int"), (7, "Tensor"), (8, "str"), (9, "bytes")),
        *((10, "Object"), (11, "str"), (12, "bytes"), (67, "ffi.Error"), (69, "ffi.Shape")),
        *((71, "Array[Any]"), (72, "Map[Any, Any]"), (68, "Callable[..., Any]"), (78, "int")),
    ],
)
def test_from_type_index(index, text):
    schema = TypeSchema.from_type_index(index)
    assert (repr(schema), schema.origin_type_index) == (text, index)


def test_from_type_index_of_arguments_and_of_nothing():
    assert repr(TypeSchema.from_type_index(71, (INT,))) == "Array[int]"
    assert TypeSchema.from_type_index(78).to_json() == {"type": "ffi.BigInt"}
    for index in (-2, -3, 2**20, 2**40):
        with pytest.raises(ValueError, match="there is no type with index"):
            TypeSchema.from_type_index(index)


def test_j12_equality_ignores_the_type_key_and_there_is_no_hash():
    assert TypeSchema("int", type_key="ffi.BigInt") == INT
    assert TypeSchema("x", fallback=INT) != TypeSchema("x")
    assert INT != 3
    with pytest.raises(TypeError, match="unhashable"):
        hash(INT)


def test_record_copies_pickles_and_is_a_dataclass():
    schema = TypeSchema("Dict", (STR, TypeSchema("int", literals=(1, 2))))
    schema.check_value({"a": 1})
    for again in (copy.copy(schema), copy.deepcopy(schema), pickle.loads(pickle.dumps(schema))):
        assert again == schema
        again.check_value({"a": 2})
    assert dataclasses.is_dataclass(TypeSchema)
    assert dataclasses.replace(INT, origin="int", args=()) == INT
    assert TypeSchema.__module__ == "tvm_ffi.core"


# ---- JSON


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{"type":"Variant","args":[{"type":"int"},{"type":"str"}]}', "int | str"),
        ('{"type":"std::optional","args":[{"type":"int"}]}', "int | None"),
        ('{"type":"Tuple","args":[]}', "tuple[()]"),
        ('{"type":"Tuple"}', "tuple"),
        ('{"type":"ffi.Function","args":[{"type":"int"},{"type":"str"}]}', "Callable[[str], int]"),
        (
            '{"type":"std::function","args":[{"type":"int"},[{"type":"str"}]]}',
            "Callable[[str], int]",
        ),
        ('{"type":"std::function"}', "Callable[..., Any]"),
        ('{"type":"ffi.Array"}', "Array[Any]"),
        ('{"type":"std::vector","args":[{"type":"Device"}]}', "Array[Device]"),
        (
            '{"type":"std::unordered_map","args":[{"type":"ffi.String"},{"type":"Any"}]}',
            "Map[str, Any]",
        ),
        *(
            (f'{{"type":"{name}"}}', "str")
            for name in ("std::string", "const char*", "ffi.SmallStr")
        ),
        *((f'{{"type":"{name}"}}', "bytes") for name in ("TVMFFIByteArray*", "ffi.Bytes")),
        *((f'{{"type":"{name}"}}', "Object") for name in ("ffi.Object", "ObjectRValueRef")),
        *((f'{{"type":"{name}"}}', "Tensor") for name in ("ffi.Tensor", "DLTensor*")),
        ('{"type":"void*"}', "ctypes.c_void_p"),
        ('{"type":"DataType"}', "dtype"),
        ('{"type":"ffi.OpaquePyObject"}', "Any"),
        ('{"type":"int","args":3,"unknown":4}', "int"),
    ],
)
def test_json_names(text, written):
    schema = TypeSchema.from_json_str(text)
    assert repr(schema) == written
    assert TypeSchema.from_json_obj(json.loads(json.dumps(schema.to_json()))) == schema


def test_j8_round_trips():
    for text in (
        '{"type": "ffi.BigInt"}',
        '{"type": "tuple", "args": []}',
        '{"type": "tuple"}',
        '{"type": "x", "args": [{"type": "int"}], "fallback": {"type": "str"}}',
        '{"type": "Callable", "named_args": {"return": [{"type": "int"}], "params": []}}',
    ):
        assert json.dumps(TypeSchema.from_json_str(text).to_json()) == text
    assert TypeSchema.from_json_str('{"type": "ffi.BigInt"}').origin == "int"


def test_j9_numbers_among_the_arguments_are_skipped():
    schema = TypeSchema.from_json_str('{"type":"std::array","args":[{"type":"int"},3]}')
    assert repr(schema) == "std::array[int]"
    assert repr(TypeSchema.from_json_str('{"type":"ffi.Array","args":[3]}')) == "Array[Any]"


@pytest.mark.parametrize(
    ("obj", "kind", "message"),
    [
        ([], TypeError, "expected schema dict with 'type' key, got list"),
        ({}, TypeError, "expected schema dict with 'type' key, got dict"),
        (None, TypeError, "expected schema dict with 'type' key, got NoneType"),
        ({"type": 3}, TypeError, "schema type must be a string"),
        ({"type": ""}, ValueError, "schema type must be a nonempty string"),
        (
            {"type": "x", "named_args": 3},
            TypeError,
            "named_args must be a map of names to type lists",
        ),
        (
            {"type": "x", "named_args": {"a": 3}},
            TypeError,
            "named_args must map names to type lists",
        ),
        (
            {"type": "x", "named_args": {"a": [3]}},
            TypeError,
            "named_args lists must contain type schemas",
        ),
        ({"type": "x", "fallback": 3}, TypeError, "expected schema dict with 'type' key, got int"),
    ],
)
def test_bad_json(obj, kind, message):
    with pytest.raises(kind) as raised:
        TypeSchema.from_json_obj(obj)
    assert str(raised.value) == message


# ---- text


def test_j10_fallback_stands_for_an_unknown_origin_alone():
    fallback = TypeSchema("List", (INT,))
    assert repr(TypeSchema("no.such", (INT,), fallback=fallback)) == "List[int]"
    assert repr(TypeSchema("no.such", (INT,))) == "no.such[int]"
    assert repr(TypeSchema("testing.TestIntPair", fallback=fallback)) == "testing.TestIntPair"
    assert repr(TypeSchema("tuple", fallback=fallback)) == "tuple"


def test_map_of_names():
    schema = TypeSchema("Optional", (TypeSchema("Callable", (INT, TypeSchema("Map"))),))
    names = {"Map": "M", "int": "i", "Any": "A"}
    rename = lambda name: names.get(name, name)  # noqa: E731
    assert schema.repr(rename) == "Callable[[M[A, A]], i] | None"
    assert schema.output_repr(rename) == schema.input_repr(rename) == schema.repr(rename)
    assert TypeSchema("Callable").repr(rename) == "Callable[..., A]"


def test_j11_input_text_expands_what_a_type_converts_from(fresh_type):
    key, index = fresh_type()
    of_type = {"type": "Union", "args": [{"type": key}, {"type": "int"}]}
    core._register_type_attr(index, "__ffi_convert_type_schema__", json.dumps(of_type))
    schema = TypeSchema(key)
    assert schema.input_repr() == f"{key} | int"
    assert schema.repr() == schema.output_repr() == key
    assert TypeSchema("List", (schema,)).input_repr() == f"List[{key} | int]"
    assert TypeSchema("tuple", (schema, schema)).input_repr() == f"tuple[{key} | int, {key} | int]"
    function = TypeSchema("Callable", (schema, schema))
    assert function.input_repr() == f"Callable[[{key} | int], {key} | int]"


def test_j11_two_types_that_accept_each_other_end(fresh_type):
    (first, index), (second, other) = fresh_type(), fresh_type()
    for at, accepted in ((index, second), (other, first)):
        text = json.dumps({"type": "Union", "args": [{"type": accepted}, {"type": "int"}]})
        core._register_type_attr(at, "__ffi_convert_type_schema__", text)
    assert TypeSchema(first).input_repr() == f"{first} | int | int"


# ---- meaning


def test_j13_subtypes():
    derived = TypeSchema("testing.TestObjectDerived")
    assert derived.is_subtype_of(TestObjectDerived)
    assert derived.is_subtype_of(TestObjectBase)
    assert derived.is_subtype_of(tvm_ffi.Object)
    assert not TypeSchema("testing.TestObjectBase").is_subtype_of(TestObjectDerived)
    for origin in ("Object", "Array", "Tensor", "Callable", "str"):
        assert TypeSchema(origin).is_subtype_of(tvm_ffi.Object)
    assert TypeSchema("Array").is_subtype_of(tvm_ffi.Array)
    for origin in ("int", "list", "tuple", "Any"):
        assert not TypeSchema(origin).is_subtype_of(tvm_ffi.Object)
    assert not TypeSchema("str").is_subtype_of(core.String)
    assert not TypeSchema("Object").is_subtype_of(3)
    assert not TypeSchema("Optional", (derived,)).is_subtype_of(tvm_ffi.Object)


def test_convert_error_has_its_message():
    error = core._ConvertError("expected int, got str")
    assert (error.message, isinstance(error, TypeError)) == ("expected int, got str", True)
