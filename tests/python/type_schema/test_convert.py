# SPDX-License-Identifier: Apache-2.0
"""Test values under schemas: accepted values, their results, and error messages."""

from __future__ import annotations

import contextlib
import ctypes
import decimal
import enum
import fractions
import gc
import sys
from collections.abc import Callable
from typing import Any, Literal, Optional, Union

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.core import TypeSchema
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived

INT64 = "int64 range [-9223372036854775808, 9223372036854775807]"


def schema_of(annotation: Any) -> TypeSchema:
    return TypeSchema.from_annotation(annotation)


def converted(annotation: Any, value: Any) -> Any:
    schema = annotation if isinstance(annotation, TypeSchema) else schema_of(annotation)
    return core._to_py_class_value(schema.convert(value))


def refusal(annotation: Any, value: Any, kind: type[Exception] = TypeError) -> str:
    """Return the message of the error that `convert` raises."""
    schema = annotation if isinstance(annotation, TypeSchema) else schema_of(annotation)
    with pytest.raises(kind) as raised:
        schema.convert(value)
    assert type(raised.value) is kind
    prefix = f"type conversion failed for {schema!r}: "
    assert str(raised.value).startswith(prefix)
    return str(raised.value)[len(prefix) :]


class IntLike:
    def __tvm_ffi_int__(self):
        return 7


class FloatLike:
    def __tvm_ffi_float__(self):
        return 1.5


class Failing:
    def __tvm_ffi_int__(self):
        raise ValueError("boo")

    __tvm_ffi_float__ = __tvm_ffi_int__


class Number(enum.IntEnum):
    SEVEN = 7


class Plain:
    pass


# ---- numbers


@pytest.mark.parametrize(
    ("schema", "value", "result"),
    [
        *((int, value, 7) for value in (7, Number.SEVEN, IntLike())),
        *((int, value, int(value)) for value in (True, False, -(2**63), 2**63 - 1, 0)),
        *((float, value, float(value)) for value in (1.5, 3, True, -0.0, fractions.Fraction(1, 2))),
        (float, FloatLike(), 1.5),
        *((bool, value, bool(value)) for value in (True, False, 0, 5, 2**70)),
        (None, None, None),
    ],
)
def test_k1_numbers_are_accepted(schema, value, result):
    made = converted(schema, value)
    assert (type(made), made) == (type(result), result)


@pytest.mark.parametrize("schema", [None, int, float, bool, str, bytes])
@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((decimal.Decimal(1), "Decimal"), (1j, "complex"), (Plain(), "Plain")),
        *(([1], "list"), ({}, "dict"), ({1}, "set"), (Plain, "type"), (len, type(len).__name__)),
        *((tvm_ffi.Array([1]), "ffi.Array"), (tvm_ffi.device("cpu"), "Device")),
    ],
)
def test_k1_scalars_refuse(schema, value, name):
    assert refusal(schema, value) == f"expected {schema_of(schema)!r}, got {name}"


@pytest.mark.parametrize(
    ("schema", "value", "name"),
    [
        *((None, value, name) for value, name in ((0, "int"), ("", "str"))),
        *((bool, value, name) for value, name in ((1.0, "float"), ("", "str"), (None, "None"))),
        *((int, value, name) for value, name in ((1.0, "float"), ("1", "str"), (None, "None"))),
        *((float, value, name) for value, name in (("1", "str"), (None, "None"))),
        *((str, value, name) for value, name in ((1, "int"), (b"x", "bytes"), (True, "bool"))),
        *((bytes, value, name) for value, name in (("x", "str"), (memoryview(b"x"), "memoryview"))),
    ],
)
def test_k1_scalars_refuse_one_another(schema, value, name):
    assert refusal(schema, value) == f"expected {schema_of(schema)!r}, got {name}"


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 2**70])
def test_k3_range_error_has_both_bounds(value):
    assert refusal(int, value) == f"integer {value} out of {INT64}"
    assert refusal(list[int], [1, value]) == f"element [1]: integer {value} out of {INT64}"


def test_k3_number_with_more_digits_than_can_be_printed():
    assert refusal(int, 10**5000).endswith(f"out of {INT64}")


def test_huge_int_under_float_is_a_conversion_error():
    assert refusal(float, 2**2000) == "float() failed for int: int too large to convert to float"


def test_protocol_int_is_checked_for_range():
    class Big:
        def __tvm_ffi_int__(self):
            return 2**70

    assert refusal(int, Big()) == f"integer {2**70} out of {INT64}"


def test_k6_number_protocols_report_failures():
    assert refusal(int, Failing()) == "expected int, got Failing: boo"
    assert refusal(float, Failing()) == "expected float, got Failing: boo"
    assert refusal(str, Failing()) == "expected str, got Failing"


def test_numpy_scalars():
    np = pytest.importorskip("numpy")
    assert converted(int, np.int32(3)) == 3
    assert converted(float, np.float32(1.5)) == 1.5
    assert converted(bool, np.int8(2)) is True
    for schema in (bool, int, float):
        assert refusal(schema, np.bool_(True)).startswith(f"expected {schema.__name__}, got bool")
    assert refusal(str, np.int32(3)) == "expected str, got int32"


def test_int_that_fails_keeps_its_cause():
    import numbers

    class Bad:
        def __int__(self):
            raise ArithmeticError("not today")

    numbers.Integral.register(Bad)
    with pytest.raises(TypeError) as raised:
        schema_of(int).convert(Bad())
    message = f"int() failed for {Bad.__qualname__}: not today"
    assert str(raised.value).endswith(message)
    assert isinstance(raised.value.__cause__, ArithmeticError)


# ---- text


@pytest.mark.parametrize("text", ["", "short", "exactly8", "of many characters", "é", "a\0b"])
def test_k1_str(text):
    for value in (text, core.String(text), type("Sub", (str,), {})(text)):
        made = converted(str, value)
        assert (made, type(made)) == (text, core.String)


@pytest.mark.parametrize("content", [b"", b"short", b"of many characters", b"\0\xff"])
def test_k1_bytes(content):
    for value in (content, bytearray(content), core.Bytes(content)):
        made = converted(bytes, value)
        assert (made, type(made)) == (content, core.Bytes)


def test_k14_dtype_under_str_is_text():
    made = converted(str, tvm_ffi.dtype("float32"))
    assert (made, type(made)) == ("float32", core.String)
    assert converted(Union[int, str], tvm_ffi.dtype("int8")) == "int8"


def test_k15_long_native_string_is_kept(use_count):
    text = tvm_ffi.get_global_func("testing.echo")("a string of many characters")
    kept = schema_of(str).convert(text)
    assert core._to_py_class_value(kept)._tvm_ffi_cached_object.same_as(text._tvm_ffi_cached_object)


def test_lone_surrogate_is_a_conversion_error():
    message = refusal(list[str], ["\ud800"])
    assert message.startswith("element [0]: expected str, got str: 'utf-8' codec can't encode")


# ---- device, dtype, pointers, tensors, callables


def test_k1_device():
    for value in (tvm_ffi.device("cuda:1"), "cuda:1"):
        assert converted(tvm_ffi.Device, value) == tvm_ffi.device("cuda:1")
    assert refusal(tvm_ffi.Device, "q") == "expected Device, got invalid device string 'q'"
    assert refusal(tvm_ffi.Device, 3) == "expected Device, got int"


def test_k1_device_of_an_object_that_has_one():
    class OnDevice:
        def __dlpack_device__(self):
            return (2, 1)

    assert converted(tvm_ffi.Device, OnDevice()) == tvm_ffi.device("cuda:1")


def test_k1_dtype():
    class HasDType:
        def __dlpack_data_type__(self):
            return (2, 32, 1)

    for value in (tvm_ffi.dtype("float32"), core.DataType("float32"), "float32", HasDType()):
        assert converted(tvm_ffi.dtype, value) == "float32"
    assert refusal(tvm_ffi.dtype, "q") == "expected dtype, got invalid dtype string 'q'"
    assert refusal(tvm_ffi.dtype, 3) == "expected dtype, got int"


def test_k1_pointer():
    class Pointer:
        def __tvm_ffi_opaque_ptr__(self):
            return 5

    for value in (ctypes.c_void_p(5), Pointer()):
        assert converted(ctypes.c_void_p, value).value == 5
    assert converted(ctypes.c_void_p, None).value is None
    assert refusal(ctypes.c_void_p, 5) == "expected ctypes.c_void_p, got int"
    assert refusal(ctypes.c_void_p, Plain()) == "expected ctypes.c_void_p, got Plain"


def test_k1_tensor():
    np = pytest.importorskip("numpy")
    tensor = tvm_ffi.from_dlpack(np.zeros(3))
    assert converted(tvm_ffi.Tensor, tensor).same_as(tensor)
    assert converted(np.ndarray, np.zeros(3)).shape == (3,)
    assert refusal(tvm_ffi.Tensor, [1]) == "expected Tensor, got list"
    assert refusal(tvm_ffi.Tensor, tvm_ffi.Array([1])) == "expected Tensor, got ffi.Array"


def test_k1_callable():
    function = tvm_ffi.convert(lambda x: x + 1)
    assert converted(Callable, function).same_as(function)
    assert converted(Callable[[int], int], lambda x: x + 1)(2) == 3
    assert converted(Callable, int)("5") == 5
    assert refusal(Callable, 3) == "expected Callable, got int"
    assert refusal(Callable, tvm_ffi.Array([])) == "expected Callable, got ffi.Array"


# ---- sequences and mappings


@pytest.mark.parametrize("given", [list, tuple, tvm_ffi.Array, tvm_ffi.List])
def test_k1_sequences(given):
    for schema, made in (
        (list[int], tvm_ffi.List),
        (TypeSchema("list", (TypeSchema("int"),)), tvm_ffi.List),
        (tvm_ffi.List[int], tvm_ffi.List),
        (tvm_ffi.Array[int], tvm_ffi.Array),
        (tuple[int, ...], tvm_ffi.Array),
        (tuple[int, int], tvm_ffi.Array),
        (tuple, tvm_ffi.Array),
    ):
        result = converted(schema, given([1, 2]))
        assert (type(result), list(result)) == (made, [1, 2])


def test_k1_elements_are_converted():
    assert list(converted(list[float], [1, True])) == [1.0, 1.0]
    assert list(converted(list[float], tvm_ffi.Array([1, 2.5]))) == [1.0, 2.5]
    assert [type(x) for x in converted(list[bool], [0, 5])] == [bool, bool]
    assert list(converted(tuple[int, str], [True, "x"])) == [1, "x"]
    assert list(converted(tuple, [True, "x"])) == [True, "x"]


def test_k1_tuple_lengths():
    assert refusal(tuple[int, int], [1]) == "expected tuple of length 2, got list of length 1"
    assert refusal(tuple[()], (1,)) == "expected tuple of length 0, got tuple of length 1"
    array = tvm_ffi.Array([1, 2, 3])
    assert refusal(tuple[int, int], array) == "expected tuple of length 2, got Array of length 3"
    assert refusal(tuple[int, int], [1, "x"]) == "element [1]: expected int, got str"


def test_k9_other_iterables_are_refused():
    class Pair(tuple):
        pass

    assert list(converted(list[int], Pair((1, 2)))) == [1, 2]
    assert list(converted(list[int], tvm_ffi.Shape((1, 2)))) == [1, 2]
    for value, name in (
        ({1}, "set"),
        (range(2), "range"),
        ("ab", "str"),
        (iter([]), "list_iterator"),
    ):
        hint = "" if name == "str" else " (pass list(value))"
        assert refusal(list[int], value) == f"expected List, got {name}{hint}"


def test_k10_any_mapping_is_accepted():
    import collections
    import types

    given = (
        *({"a": 1}, collections.OrderedDict(a=1), types.MappingProxyType({"a": 1})),
        *(collections.ChainMap({"a": 1}), tvm_ffi.Map({"a": 1}), tvm_ffi.Dict({"a": 1})),
    )
    for schema, made in ((dict[str, int], tvm_ffi.Dict), (tvm_ffi.Map[str, int], tvm_ffi.Map)):
        for value in given:
            result = converted(schema, value)
            assert (type(result), dict(result.items())) == (made, {"a": 1})
    assert refusal(dict[str, int], [1]) == "expected Dict, got list"
    assert refusal(TypeSchema("dict"), 3) == "expected Dict, got int"
    assert refusal(tvm_ffi.Map, tvm_ffi.Array([])) == "expected Map, got ffi.Array"


def test_k4_nested_messages():
    schema = dict[str, list[int]]
    assert (
        refusal(schema, {"k": [1, 2, "x"]})
        == "value for key 'k': element [2]: expected int, got str"
    )
    assert refusal(schema, {3: []}) == "key 3: expected str, got int"
    native = tvm_ffi.Map({"k": [1, "x"]})
    assert refusal(schema, native) == "value for key 'k': element [1]: expected int, got str"
    assert (
        refusal(list[list[int]], [[], [None]]) == "element [1]: element [0]: expected int, got None"
    )


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (list[int], tvm_ffi.List([1, 2])),
        (list[str], tvm_ffi.List(["short", "a string of many characters"])),
        (list[Any], tvm_ffi.List([1, "x", [2]])),
        (tvm_ffi.Array[str], tvm_ffi.Array(["short"])),
        (tvm_ffi.Array[Optional[float]], tvm_ffi.Array([1.5, None])),
        (tuple[int, str], tvm_ffi.Array([1, "x"])),
        (tuple, tvm_ffi.Array([1, "x"])),
        (dict[str, int], tvm_ffi.Dict({"a": 1})),
        (tvm_ffi.Map[str, tvm_ffi.Array[bytes]], tvm_ffi.Map({"a": (b"x",)})),
        (dict, tvm_ffi.Dict({1: 2})),
        (list[Union[int, str]], tvm_ffi.List([1, "x"])),
        (list[TestObjectBase], tvm_ffi.List([TestObjectDerived(v_map={}, v_array=[])])),
        (list[Callable], tvm_ffi.List([lambda: 1])),
        (list[Literal["a", 1]], tvm_ffi.List([1, "a"])),
    ],
)
def test_k8_unchanged_containers_are_kept(schema, value):
    assert converted(schema, value) is value


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (list[float], tvm_ffi.List([1])),
        (list[int], tvm_ffi.Array([1])),
        (list[list[int]], tvm_ffi.List([tvm_ffi.Array([1])])),
        (dict[str, float], tvm_ffi.Dict({"a": 1})),
        (dict[float, int], tvm_ffi.Dict({1: 1})),
    ],
)
def test_k8_changed_containers_are_new(schema, value):
    before = repr(value)
    assert converted(schema, value) is not value
    assert repr(value) == before


class Late:
    """A value whose conversion clears the container `victim`."""

    victim: Any

    def clear_and_be_one(self):
        self.victim.clear()
        return 1


@pytest.fixture
def late(monkeypatch):
    """Return a function that makes `Late` convertible, after containers were filled with it."""

    def learn(victim):
        Late.victim = victim
        monkeypatch.setattr(Late, "__tvm_ffi_value__", Late.clear_and_be_one, raising=False)

    return learn


@pytest.mark.parametrize("kind", [list, tvm_ffi.List])
def test_list_that_changes_while_it_is_converted(late, kind):
    victim = kind([Late(), 2, 3])
    late(victim)
    assert list(converted(list[int], victim)) == [1, 2, 3]
    assert len(victim) == 0


@pytest.mark.parametrize("kind", [dict, tvm_ffi.Dict])
def test_dict_that_changes_while_it_is_converted(late, kind):
    victim = kind({"a": Late(), "b": 2})
    late(victim)
    assert dict(converted(dict[str, int], victim).items()) == {"a": 1, "b": 2}
    assert len(victim) == 0


def test_mapping_whose_items_fail():
    class Bad(dict):
        def items(self):
            raise ValueError("no items")

    assert refusal(dict[str, int], Bad()) == f"expected Dict, got {Bad.__qualname__}: no items"

    class Odd(dict):
        def items(self):
            return [1]

    assert refusal(dict[str, int], Odd()).startswith(f"expected Dict, got {Odd.__qualname__}: ")


# ---- choices


def test_k1_optional():
    assert converted(Optional[int], None) is None
    assert converted(Optional[int], 3) == 3
    assert refusal(Optional[int], "x") == "expected int, got str"
    assert refusal(Optional[Union[int, str]], 1.5) == "expected int | str, got float"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (Union[float, int], 3),
        (Union[float, int], True),
        (Union[int, bool], True),
        (Union[bool, int], 7),
        (Union[int, float], 1.5),
        (Union[str, tvm_ffi.dtype], tvm_ffi.dtype("int8")),
        (Union[tvm_ffi.Device, str], "cpu"),
        (Union[list[float], list[int]], [1]),
        (Union[tuple[int, ...], list[int]], [1]),
        (Union[list[int], tuple[int, ...]], (1,)),
    ],
)
def test_k7_value_keeps_its_type(schema, value):
    if value is True and schema == Union[float, int]:
        # neither alternative is the exact type bool, so the first one that converts is used
        assert converted(schema, value) == 1
        return
    made = converted(schema, value)
    expected = {list: (tvm_ffi.List,), tuple: (tvm_ffi.Array,), str: (core.String,)}
    assert isinstance(made, expected.get(type(value), (type(value),)))


def test_k7_ordered_pass_and_message():
    class Half:
        def __tvm_ffi_float__(self):
            return 0.5

    assert converted(Union[int, float], Half()) == 0.5
    assert list(converted(Union[list[int], list[str]], ["a"])) == ["a"]
    assert refusal(Union[int, str], 1.5) == "expected int | str, got float"
    assert refusal(Union[int, list[str]], [1]) == "expected int | List[str], got list"


def test_union_takes_the_native_type():
    derived = TestObjectDerived(v_map={}, v_array=[])
    assert converted(Union[tvm_ffi.Object, TestObjectDerived], derived) is derived
    array = tvm_ffi.Array([1])
    assert converted(Union[list[int], tvm_ffi.Array[int]], array) is array


@pytest.mark.parametrize(
    ("schema", "good", "bad", "message"),
    [
        (Literal[1, 2], [1, 2, True], 3, "expected Literal[1, 2], got 3"),
        (
            Literal["a", "of many characters"],
            ["a", "of many characters"],
            "b",
            "expected Literal['a', 'of many characters'], got 'b'",
        ),
        (Literal["a", None], ["a", None], "", "expected Literal['a', None], got ''"),
        (Literal[True, 2], [True, 2], 1, "expected Literal[True, 2], got 1"),
        (Literal[1, "a"], [1, "a"], 1.5, "expected Literal[1, 'a'], got float"),
    ],
)
def test_literal(schema, good, bad, message):
    for value in good:
        assert converted(schema, value) == value
    kind = TypeError if isinstance(bad, float) else ValueError  # the kind of value, or the value
    assert refusal(schema, bad, kind) == message
    assert refusal(list[schema], [good[0], bad], kind) == f"element [1]: {message}"


def test_a_union_refuses_the_value_of_a_literal_as_the_literal_does():
    schema = Union[Literal["a", "b"], int]
    assert converted(schema, "b") == "b" and converted(schema, 1) == 1
    assert converted(Union[Literal["a"], str], "b") == "b"
    assert refusal(schema, "c", ValueError) == "expected Literal['a', 'b'], got 'c'"
    assert refusal(schema, 1.5) == "expected str | int, got float"


# ---- objects and Any


def test_k1_any():
    np = pytest.importorskip("numpy")
    for value in (None, True, 5, 2**70, 1.5, "text", b"x", "a string of many characters"):
        assert converted(Any, value) == value
    assert type(converted(Any, [1])) is tvm_ffi.Array
    assert type(converted(Any, {1: 2})) is tvm_ffi.Map
    assert type(converted(Any, len)) is tvm_ffi.Function
    assert type(converted(Any, np.zeros(1))) is tvm_ffi.Tensor
    assert converted(Any, np.dtype("int8")) == "int8"
    plain = Plain()
    assert converted(Any, plain) is plain
    assert refusal(Any, Failing()) == "expected Any, got Failing: boo"


def test_k11_object_wraps_what_has_no_form():
    plain = Plain()
    assert converted(tvm_ffi.Object, plain) is plain
    pair = TestIntPair(1, 2)
    assert converted(tvm_ffi.Object, pair) is pair
    for value in ([1], {1: 2}, len, 2**70):
        converted(tvm_ffi.Object, value)
    assert refusal(tvm_ffi.Object, 3) == (
        "expected Object, got int\n  __ffi_convert__ failed:\n"
        "    Cannot cast from `int` to `ffi.Object`"
    )


def test_k1_object_types():
    derived = TestObjectDerived(v_map={}, v_array=[])
    assert converted(TestObjectBase, derived) is derived
    key = "testing.TestObjectBase"
    assert refusal(TestObjectDerived, TestIntPair(1, 2)).startswith(
        "expected testing.TestObjectDerived, got testing.TestIntPair"
    )
    for value in (3, None, [1], Plain()):
        assert refusal(TestObjectBase, value).startswith(f"expected {key}, got ")
    empty = TestObjectBase.__new__(TestObjectBase)
    assert "expected" in refusal(TestObjectBase, empty)


def test_values_with_a_native_form():
    shape = tvm_ffi.Shape((1, 2))
    assert converted(tvm_ffi.Shape, shape) == (1, 2)
    error = ValueError("x")
    assert converted(core.Error, error).kind == "ValueError"


def test_k12_convert_hook(fresh_type):
    key, index = fresh_type()
    calls = []

    def hook(value):
        calls.append(value)
        if value == "instance":
            return make_instance()
        if value == "other":
            return [1]
        raise ValueError("first line\nsecond line")

    core._register_type_attr(index, "__ffi_convert__", tvm_ffi.convert(hook))
    make_instance = lambda: 3  # noqa: E731
    schema = TypeSchema(key)
    assert refusal(schema, "other") == f"expected {key}, got str"
    assert refusal(schema, "instance") == f"expected {key}, got str"
    assert refusal(schema, 5) == (
        f"expected {key}, got int\n  __ffi_convert__ failed:\n    first line\n    second line"
    )
    with pytest.raises(TypeError) as raised:
        schema.convert(5)
    assert isinstance(raised.value.__cause__, ValueError)
    assert calls == ["other", "instance", 5, 5]


def test_hook_that_is_interrupted_is_interrupted(fresh_type):
    key, index = fresh_type()

    def hook(value):
        raise KeyboardInterrupt

    core._register_type_attr(index, "__ffi_convert__", tvm_ffi.convert(hook))
    with pytest.raises(KeyboardInterrupt):
        TypeSchema("Union", (TypeSchema(key), TypeSchema("int"))).convert(True)


INT_ENUM = "testing.TestCxxIntEnum"
STR_ENUM = "testing.TestCxxStrEnum"


@pytest.fixture(scope="module")
def entries() -> dict[str, Any]:
    """Add an entry with the payload 10 or ``ten`` to each test enum that lacks the entry."""
    make = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")
    add = tvm_ffi.get_global_func("ffi.EnumAddEntry")
    made = {}
    for key, payload in ((INT_ENUM, 10), (STR_ENUM, "ten")):
        index = core._object_type_key_to_index(key)
        state = core._type_get_attr(index, "__ffi_enum__")
        if state is not None and payload in state.indexes:
            made[key] = state.indexes[payload]
            continue
        made[key] = make(index, "_int_index", 10, "_str_index", "ten", "value", payload)
        add(index, "ten", 10, made[key], {})
    return made


@pytest.mark.parametrize(("key", "payload"), [(INT_ENUM, 10), (STR_ENUM, "ten")])
def test_payload_enums_take_the_payload(entries, key, payload):
    schema, entry = TypeSchema(key), entries[key]
    for value in (payload, entry):
        assert converted(schema, value) is entry
    assert converted(TypeSchema("List", (schema,)), [payload])[0] is entry
    native = tvm_ffi.List([entry])
    assert converted(TypeSchema("List", (schema,)), native) is native
    assert converted(TypeSchema("Optional", (schema,)), payload) is entry


def test_payload_enum_takes_integral_payloads(entries):
    np = pytest.importorskip("numpy")
    assert converted(TypeSchema(INT_ENUM), np.int8(10)) is entries[INT_ENUM]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        (INT_ENUM, "ten", f"expected {INT_ENUM}, got str (pass a variant, or its value: an int)"),
        (INT_ENUM, 99, f"expected {INT_ENUM}, got int (no variant has the value 99)"),
        (INT_ENUM, 10.0, f"expected {INT_ENUM}, got float (pass a variant, or its value: an int)"),
        (INT_ENUM, None, f"expected {INT_ENUM}, got None (pass a variant, or its value: an int)"),
        (INT_ENUM, 2**70, f"integer {2**70} out of {INT64}"),
        (STR_ENUM, 10, f"expected {STR_ENUM}, got int (pass a variant, or its value: a str)"),
        (STR_ENUM, "eleven", f"expected {STR_ENUM}, got str (no variant has the value 'eleven')"),
        (STR_ENUM, b"ten", f"expected {STR_ENUM}, got bytes (pass a variant, or its value: a str)"),
    ],
)
def test_payload_enums_refuse(entries, key, value, message):
    assert refusal(TypeSchema(key), value) == message
    assert refusal(TypeSchema(INT_ENUM), entries[STR_ENUM]).startswith(f"expected {INT_ENUM}, got ")


def test_field_of_a_payload_enum_normalizes(entries):
    info = core._lookup_or_register_type_info_from_type_key("testing.TestCxxEnumHolder")
    priority, opcode = info.fields
    assert (priority.ty, opcode.ty) == (TypeSchema(INT_ENUM), TypeSchema(STR_ENUM))
    assert priority.normalize_value(10) is entries[INT_ENUM]
    assert opcode.normalize_value("ten") is entries[STR_ENUM]
    assert opcode.normalize_value(entries[STR_ENUM]) is entries[STR_ENUM]
    with pytest.raises(TypeError, match=f"expected {INT_ENUM}, got int"):
        priority.normalize_value(11)


# ---- protocols


def test_k5_values_are_unwrapped_repeatedly():
    class Wraps:
        def __init__(self, value):
            self.value = value

        def __tvm_ffi_value__(self):
            return self.value

    assert converted(int, Wraps(Wraps(3))) == 3
    assert list(converted(list[int], [Wraps(1), Wraps(Wraps(2))])) == [1, 2]
    assert converted(Union[str, int], Wraps(3)) == 3
    assert converted(Optional[int], Wraps(None)) is None
    deep = 5
    for _ in range(63):
        deep = Wraps(deep)
    assert converted(int, deep) == 5
    for _ in range(10):
        deep = Wraps(deep)
    assert refusal(int, deep) == "infinite __tvm_ffi_value__ cycle detected"


def test_k5_cycle():
    class Forever:
        def __tvm_ffi_value__(self):
            return Forever()

    for schema in (int, Any, list[int], Union[int, str]):
        assert refusal(schema, Forever()) == "infinite __tvm_ffi_value__ cycle detected"


def test_optional_of_optional_names_the_type_inside():
    class Itself:
        def __tvm_ffi_value__(self):
            return self

    optional = TypeSchema("Optional", (TypeSchema("float"),))
    for schema in (optional, TypeSchema("Optional", (optional,))):
        for value, got in (("x", "str"), (Itself(), "Itself")):
            with pytest.raises(TypeError, match=f": expected float, got .*{got}$"):
                schema.convert(value)


def test_k5_failure_is_the_plain_mismatch():
    class Raises:
        def __tvm_ffi_value__(self):
            raise ValueError("boo")

    class Itself:
        def __tvm_ffi_value__(self):
            return self

    for value in (Raises(), Itself()):
        name = type(value).__qualname__
        assert refusal(int, value) == f"expected int, got {name}"
        assert refusal(Any, value) == f"failed to convert Any from {name}"


def test_k6_object_protocols():
    pair = TestIntPair(1, 2)

    class Has:
        def __tvm_ffi_object__(self):
            return pair

    class Bad:
        def __tvm_ffi_object__(self):
            raise ValueError("boo")

    class Converts(core.ObjectConvertible):
        def asobject(self):
            return pair

    class ConvertsNot(core.ObjectConvertible):
        def asobject(self):
            raise ValueError("boo")

    class ConvertsToInt(core.ObjectConvertible):
        def asobject(self):
            return 3

    class ConvertsToText(core.ObjectConvertible):
        def asobject(self):
            return core.String("a string of many characters")

    for value in (Has(), Converts()):
        assert converted(TestIntPair, value) is pair
        assert converted(Any, value) is pair
    prefix = "test_k6_object_protocols.<locals>."
    assert refusal(int, Bad()) == f"__tvm_ffi_object__() failed for {prefix}Bad"
    assert refusal(int, ConvertsNot()) == f"asobject() failed for {prefix}ConvertsNot"
    assert refusal(int, ConvertsToInt()) == f"asobject() returned int for {prefix}ConvertsToInt"
    assert refusal(str, ConvertsToText()) == f"asobject() returned str for {prefix}ConvertsToText"


def test_interruption_passes():
    class Interrupts:
        def __tvm_ffi_value__(self):
            raise KeyboardInterrupt

    for schema in (int, Union[int, str], list[int], Any):
        with pytest.raises(KeyboardInterrupt):
            schema_of(schema).convert([Interrupts()] if schema == list[int] else Interrupts())


# ---- convert and check_value


def test_k2_prefixes():
    schema = schema_of(list[int])
    for method, what in ((schema.convert, "conversion"), (schema.check_value, "check")):
        with pytest.raises(TypeError) as raised:
            method([1, "x"])
        text = f"type {what} failed for List[int]: element [1]: expected int, got str"
        assert str(raised.value) == text
    assert schema.check_value([1]) is None
    assert repr(schema_of(int).convert(1)) == "CAny(int=1)"


def test_unknown_origin():
    for schema in (TypeSchema("no.such"), TypeSchema("List", (TypeSchema("no.such"),))):
        with pytest.raises(TypeError, match=r"^unknown TypeSchema origin: 'no\.such'$"):
            schema.convert(1)
    with pytest.raises(TypeError, match="unknown TypeSchema origin"):
        TypeSchema("x", fallback=TypeSchema("int")).check_value(1)


def test_converter_refuses_values_that_are_not_schemas():
    with pytest.raises(AttributeError):
        core._TypeConverter(3)
    broken = TypeSchema("List")
    broken.args = (3,)
    with pytest.raises(AttributeError):
        broken.convert([1])
    broken = TypeSchema("Map")
    broken.args = ()
    with pytest.raises(TypeError, match="Map must have 2 type arguments, got 0"):
        broken.convert({})
    broken = TypeSchema("int")
    broken.origin = 3
    with pytest.raises(TypeError, match="unknown TypeSchema origin: 3"):
        broken.convert({})
    with pytest.raises(AttributeError):
        core._SchemaBase().convert(3)


# ---- hostile


def test_cyclic_and_very_deep_schemas_are_errors():
    cyclic = TypeSchema("List")
    cyclic.args = (cyclic,)
    with pytest.raises(RecursionError):
        cyclic.convert([])
    deep = TypeSchema("int")
    for _ in range(100_000):
        deep = TypeSchema("List", (deep,))
    with pytest.raises(RecursionError):
        deep.convert([])


def test_schema_of_some_depth_works():
    schema, value = TypeSchema("int"), 1
    for _ in range(100):
        schema, value = TypeSchema("List", (schema,)), [value]
    made = converted(schema, value)
    for _ in range(100):
        made = made[0]
    assert made == 1


def test_cyclic_and_very_deep_values_are_errors():
    cyclic: list[Any] = []
    cyclic.append(cyclic)
    with pytest.raises(RecursionError):
        schema_of(list[Any]).convert(cyclic)
    assert refusal(list[list[int]], cyclic) == "element [0]: element [0]: expected int, got list"


def test_conversion_keeps_nothing():
    class Marked:
        def __tvm_ffi_value__(self):
            return [1, "x", 2**70, "a string of many characters"]

    marked, schemas = Marked(), [schema_of(a) for a in (Any, list[int], list[Any], dict[str, int])]
    text = "another string of many characters"

    def run():
        for schema in schemas:
            for value in (marked, {text: 1}, {text: text}, [text, 1, None], Failing()):
                with contextlib.suppress(TypeError):
                    schema.convert(value)

    run()
    gc.collect()
    counts = [sys.getrefcount(x) for x in (marked, text, Failing, None.__class__)]
    for _ in range(50):
        run()
    gc.collect()
    assert [sys.getrefcount(x) for x in (marked, text, Failing, None.__class__)] == counts


def test_schemas_go_away():
    import weakref

    schema = TypeSchema("Union", (TypeSchema("int", literals=(1, 2)), TypeSchema("str")))
    schema.check_value("x")
    gone = weakref.ref(schema)
    del schema
    assert gone() is None


# ---- the fast path for exact values

VALUES = [
    *(0, 1, -1, 2**29, 2**30, 2**60, 2**62, 2**63 - 1, -(2**63), True, False, None),
    *(0.0, -0.0, 1.5, float("inf"), "", "short", "seven77", "eight888", "é", "a\0b"),
    *("a string of many characters", b"", b"bytes"),
    *(TestIntPair(1, 2), TestObjectDerived(v_map={}, v_array=[])),
]


class Indirect:
    """A value that needs the general path, since its class has a protocol method."""

    def __init__(self, value):
        self.value = value

    def __tvm_ffi_value__(self):
        return self.value


ORIGINS = ["Any", "None", "int", "float", "bool", "str", "bytes", "Object", "testing.TestIntPair"]


@pytest.mark.parametrize("value", VALUES, ids=repr)
@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("origin", ORIGINS)
def test_both_call_paths_agree(origin, optional, value):
    schema = TypeSchema(origin)
    if optional:
        schema = TypeSchema("Optional", (schema,))
    results = []
    for given in (value, Indirect(value)):
        try:
            made = schema.convert(given)
            results.append((made.type_index, repr(core._to_py_class_value(made))))
        except TypeError as error:
            results.append(str(error))
    assert results[0] == results[1]
