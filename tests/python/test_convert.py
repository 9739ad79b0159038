# SPDX-License-Identifier: Apache-2.0
"""Test values that go to native code and come back, and ``convert``."""

from __future__ import annotations

import collections
import ctypes
import decimal
import enum
import fractions
import gc
import itertools
import pickle
import sys
import types

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, core
from tvm_ffi.testing import TestIntPair

# ---- conversion to native values and back ----


@pytest.mark.spec("PY-D77", "PY-D78", "PY-D83")
@pytest.mark.parametrize(
    "value",
    [
        *(None, True, False),
        *(0, 1, -1, 255, 2**31, -(2**31) - 1, 2**63 - 1, -(2**63)),
        *(2**63, -(2**63) - 1, 2**64 - 1, 10**40, -(10**40)),
        *(0.0, -1.5, 1e308, float("inf")),
        *("", "1234567", "12345678", "a\0b", "ünïcødé", "日本語の文字列", "😀" * 50, "x" * 10_000),
        *(b"", b"1234567", b"12345678", b"a\0b", bytes(range(256))),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_value_comes_back_equal(echo, value):
    result = echo(value)
    assert result == value
    assert isinstance(result, type(value))


def test_nan_and_minus_zero(echo):
    nan, zero = echo(float("nan")), echo(-0.0)
    assert nan != nan
    assert str(zero) == "-0.0"


@pytest.mark.spec("PY-D81", "PY-D82")
def test_short_and_long_text_have_different_types(echo):
    assert type(echo("1234567")) is str
    assert type(echo("12345678")) is core.String
    assert type(echo(b"1234567")) is bytes
    assert type(echo(b"12345678")) is core.Bytes
    assert type(echo("ééé")) is str
    assert type(echo("éééé")) is core.String
    assert echo(bytearray(b"z")) == b"z"


@pytest.mark.spec("PY-D84")
def test_long_text_keeps_its_native_form(echo, use_count):
    text = echo("a string of some length")
    native = text._tvm_ffi_cached_object
    assert isinstance(native, tvm_ffi.Object)
    again = echo(text)
    assert again._tvm_ffi_cached_object.same_as(native)
    assert core.String("plain")._tvm_ffi_cached_object is None
    assert echo(core.String("plain text")) == "plain text"


@pytest.mark.parametrize("size", [8, 9, 100, 100_000])
def test_long_bytes_keep_content_hash_and_native_form(echo, size):
    content = bytes(i * 7 % 256 for i in range(size))
    back = echo(content)
    assert (type(back), back, len(back)) == (core.Bytes, content, size)
    assert hash(back) == hash(content)
    assert {content: "found"}[back] == "found"
    assert back + b"x" == content + b"x"
    assert bytes(memoryview(back)) == content
    native = back._tvm_ffi_cached_object
    assert echo(back)._tvm_ffi_cached_object.same_as(native)
    assert pickle.loads(pickle.dumps(back)) == content
    back.note = "an attribute"
    assert back.note == "an attribute"


def test_text_that_points_into_the_native_string_is_an_ordinary_str(echo):
    text = echo("some longer text")
    assert {"some longer text": 1}[text] == 1
    assert text + "!" == "some longer text!"
    assert text.encode("utf-16-le") == "some longer text".encode("utf-16-le")
    native = text._tvm_ffi_cached_object
    del text
    gc.collect()
    assert echo(native) == "some longer text"
    for size in (8, 31, 32, 33, 100, 5000):
        for end in ("", "é", "\0"):
            assert echo("a" * size + end) == "a" * size + end


def test_native_form_is_set_once(echo):
    text, content = echo("some longer text"), echo(b"some longer bytes")
    for made, plain in ((text, core.String(text)), (content, core.Bytes(content))):
        native = made._tvm_ffi_cached_object
        with pytest.raises(AttributeError, match="cannot be changed once it is set"):
            made._tvm_ffi_cached_object = None
        with pytest.raises(AttributeError, match="cannot be changed once it is set"):
            del made._tvm_ffi_cached_object
        plain._tvm_ffi_cached_object = None
        assert plain._tvm_ffi_cached_object is None
        plain._tvm_ffi_cached_object = native
        assert echo(plain)._tvm_ffi_cached_object.same_as(native)

    class Mine(core.Bytes):
        pass

    mine = Mine(b"some longer bytes")
    assert mine._tvm_ffi_cached_object is None
    mine._tvm_ffi_cached_object = native
    assert echo(mine)._tvm_ffi_cached_object.same_as(native)


def test_bytes_in_a_cycle_release_their_native_form(echo, use_count):
    content = echo(b"some longer bytes")
    native = content._tvm_ffi_cached_object
    content.itself = content
    del content
    gc.collect()
    assert use_count(native) == 1


def test_short_text_that_was_converted_before_has_its_own_content(echo):
    texts = ["".join(parts) for parts in itertools.product(["a", "b", "\0", "é"], repeat=3)]
    texts += [str(i) for i in range(5000)] + ["a", "a\0", "a\0\0", ""]
    for _ in range(2):
        assert [echo(text) for text in texts] == texts
        assert [echo(text.encode()) for text in texts] == [text.encode() for text in texts]
    text = echo("abc")
    text += "d"
    assert echo("abc") == "abc"


def test_string_is_a_str():
    text = core.String(5)
    assert (text, hash(text), type(text + "x")) == ("5", hash("5"), str)
    assert isinstance(text, str)
    assert core.Bytes(b"ab") == b"ab"


@pytest.mark.spec("PY-D83")
def test_lone_surrogate_is_refused(echo):
    with pytest.raises(UnicodeEncodeError):
        echo("\ud800")
    with pytest.raises(UnicodeEncodeError):
        echo(["fine", "\udfff"])


@pytest.mark.spec("PY-D80")
def test_numbers_of_other_classes(echo):
    class Colour(enum.IntEnum):
        RED = 3

    class Name(str, enum.Enum):
        A = "a"

    class Int(int):
        pass

    assert [type(echo(v)) for v in (Colour.RED, Name.A, Int(5))] == [int, str, int]
    assert echo(Colour.RED) == 3
    assert echo(Name.A) == "a"
    assert echo(fractions.Fraction(1, 4)) == 0.25
    assert type(echo(fractions.Fraction(1, 4))) is float


@pytest.mark.spec("PY-D79")
def test_numpy_scalars(echo):
    np = pytest.importorskip("numpy")
    assert type(echo(np.int32(1))) is int
    assert echo(np.uint64(2**64 - 1)) == 2**64 - 1
    assert type(echo(np.float32(0.5))) is float
    assert echo(np.float32(0.5)) == 0.5
    assert echo(np.bool_(True)) is True


@pytest.mark.spec("PY-D85")
def test_sequences_and_mappings_become_containers(echo):
    Point = collections.namedtuple("Point", "x y")
    for value in ((1, 2), [1, 2], Point(1, 2)):
        result = echo(value)
        assert type(result) is tvm_ffi.Array
        assert list(result) == [1, 2]
    assert echo([]) == []
    nested = [1, [2.5, "two", [None, b"three"]], ()]
    assert echo(nested) == nested
    for value in ({"a": 1}, collections.OrderedDict(a=1), collections.Counter("a")):
        assert type(echo(value)) is tvm_ffi.Map
        assert dict(echo(value)) == {"a": 1}


@pytest.mark.spec("PY-D108")
def test_list_subclass_with_its_own_iteration(echo):
    class Reversed(list):
        def __iter__(self):
            return iter(self[::-1])

    assert list(echo(Reversed([1, 2, 3]))) == [3, 2, 1]


def test_list_that_changes_under_conversion(echo):
    values = []

    class Clears:
        def __tvm_ffi_value__(self):
            values.clear()
            return 1

    values += [Clears(), *range(1000)]
    result = echo(values)
    assert result[0] == 1
    assert values == []


@pytest.mark.spec("PY-D105")
def test_self_containing_list_is_refused(echo):
    value = [1]
    value.append(value)
    with pytest.raises(RecursionError):
        echo(value)
    with pytest.raises(RecursionError):
        tvm_ffi.convert(value)


@pytest.mark.spec("PY-D86", "PY-D113")
def test_other_values_travel_as_themselves(echo):
    values = [set(), range(3), 1j, object(), sys, KeyboardInterrupt(), (x for x in ())]
    for value in values:
        references = sys.getrefcount(value)
        assert echo(value) is value
        assert sys.getrefcount(value) == references


@pytest.mark.spec("PY-D109")
def test_elements_are_counted_once_each(echo, use_count):
    obj = tvm_ffi.testing.TestIntPair(1, 2)
    result = echo([obj, {"b": obj}])
    assert use_count(obj) == 3
    del result
    gc.collect()
    assert use_count(obj) == 1


@pytest.mark.spec("PY-D110", "PY-D111")
@pytest.mark.parametrize("size", [7, 8, 9, 31, 32, 33, 100, 2000])
def test_every_size_of_frame_passes_and_releases_its_arguments(size, use_count):
    collect = tvm_ffi.convert(lambda *args: tvm_ffi.Array(args))
    element = tvm_ffi.Array([1])
    before = use_count(element)
    args = [element, "a string of some length", *range(size - 2)]
    assert list(collect(*args)) == args
    assert use_count(element) == before
    with pytest.raises(UnicodeEncodeError):
        collect(*args[:-1], "\ud800")
    assert use_count(element) == before


@pytest.mark.spec("PY-D87")
def test_pointers(echo):
    assert echo(ctypes.c_void_p(5)).value == 5
    null = echo(ctypes.c_void_p(None))
    assert type(null) is ctypes.c_void_p
    assert null.value is None


@pytest.mark.spec("PY-D88")
def test_classes_and_callables_become_functions(echo):
    assert isinstance(echo(int), tvm_ffi.Function)
    assert echo(int)("12") == 12
    assert isinstance(echo(print), tvm_ffi.Function)


@pytest.mark.spec("PY-D93")
def test_exception_becomes_an_error(echo):
    error = echo(ValueError("x"))
    assert isinstance(error, core.Error)
    assert (error.kind, error.message) == ("ValueError", "x")


# ---- typed functions ----


@pytest.mark.spec("PY-D115", "PY-D116", "PY-D117")
@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("float", 3, 3.0),
        ("float", True, 1.0),
        ("bool", 2, True),
        ("int", True, 1),
        ("string", "text", "text"),
        ("bytes", b"text", b"text"),
        ("opt_int", None, None),
        ("arr_int", [1, 2], [1, 2]),
    ],
)
def test_implicit_conversions(name, value, expected):
    result = tvm_ffi.get_global_func(f"testing.schema_id_{name}")(value)
    assert result == expected
    assert type(result) is type(expected) or isinstance(result, tvm_ffi.Array)


@pytest.mark.spec("PY-D117")
@pytest.mark.parametrize(
    ("name", "value"),
    [("int", 1.5), ("string", b"x"), ("bytes", "x"), ("string", 5), ("float", "1")],
)
def test_refused_conversions(name, value):
    with pytest.raises(TypeError, match="Mismatched type on argument #0"):
        tvm_ffi.get_global_func(f"testing.schema_id_{name}")(value)


def test_an_integer_beyond_64_bits_is_an_overflow_error():
    with pytest.raises(
        OverflowError, match=r"on argument #0 .*integer of more than 64 bits out of int64 range"
    ):
        tvm_ffi.get_global_func("testing.schema_id_int")(2**70)


# ---- protocols ----


@pytest.mark.spec("PY-D94", "PY-D95")
def test_protocol_attributes_count_on_the_class_only(echo):
    pair = tvm_ffi.testing.TestIntPair(1, 2)

    class OnClass:
        def __tvm_ffi_object__(self):
            return pair

    on_instance = types.SimpleNamespace(__tvm_ffi_object__=lambda: pair)
    assert echo(OnClass()) is pair
    assert echo(on_instance) is on_instance


@pytest.mark.spec("PY-D95")
def test_object_protocol_must_give_an_object(echo):
    class Bad:
        def __tvm_ffi_object__(self):
            return 5

    with pytest.raises(TypeError):
        echo(Bad())


@pytest.mark.spec("PY-D96", "PY-D106")
def test_value_protocol_is_recursive(echo):
    class Value:
        def __init__(self, value):
            self.value = value

        def __tvm_ffi_value__(self):
            return self.value

    assert echo(Value(Value(5))) == 5
    assert list(echo([Value(1), Value([Value("x")])])[1]) == ["x"]
    endless = Value(None)
    endless.value = endless
    with pytest.raises(RecursionError):
        echo(endless)


@pytest.mark.spec("PY-D97", "PY-D107")
def test_number_and_pointer_protocols(echo):
    class Int:
        def __tvm_ffi_int__(self):
            return 2**65

    class Float:
        def __tvm_ffi_float__(self):
            return 2.5

    class Pointer:
        def __tvm_ffi_opaque_ptr__(self):
            return 0x1234

    class Stream:
        def __cuda_stream__(self):
            return (0, 0x77)

    class BadStream:
        def __cuda_stream__(self):
            return [0, 0x77]

    assert echo(Int()) == 2**65
    assert echo(Float()) == 2.5
    assert echo(Pointer()).value == 0x1234
    assert echo(Stream()).value == 0x77
    with pytest.raises(TypeError):
        echo(BadStream())


@pytest.mark.spec("PY-D89", "PY-D90", "PY-D91", "PY-D92", "PY-D97", "PY-D107")
def test_dtype_and_device_protocols(echo):
    class WithDtype:
        def __dlpack_data_type__(self):
            return (2, 32, 1)

    class WithDevice:
        def __dlpack_device__(self):
            return (2, 1)

    class BadDevice:
        def __dlpack_device__(self):
            return [2, 1]

    assert echo(WithDtype()) == tvm_ffi.dtype("float32")
    assert echo(WithDevice()) == tvm_ffi.device("cuda:1")
    with pytest.raises(TypeError):
        echo(BadDevice())


@pytest.mark.spec("PY-D98", "PY-D99", "PY-D100", "PY-D101")
def test_first_matching_protocol_wins(echo):
    pair = tvm_ffi.testing.TestIntPair(1, 2)
    Producer = pytest.importorskip("numpy").ndarray

    class IntWithValue(int):
        def __tvm_ffi_value__(self):
            return "never"

    class TextWithPointer(str):
        def __tvm_ffi_opaque_ptr__(self):
            return 1

    class CallableWithValue:
        def __call__(self):
            return 1

        def __tvm_ffi_value__(self):
            return "never"

    class CallableWithPointer:
        def __call__(self):
            return 1

        def __tvm_ffi_opaque_ptr__(self):
            return 5

    class TensorWithObject(Producer):
        def __tvm_ffi_object__(self):
            return pair

    class ErrorWithValue(ValueError):
        def __tvm_ffi_value__(self):
            return "the value"

    assert echo(IntWithValue(3)) == 3
    assert echo(TextWithPointer("t")) == "t"
    assert isinstance(echo(CallableWithValue()), tvm_ffi.Function)
    assert echo(CallableWithPointer()).value == 5
    assert echo(TensorWithObject(3)) is pair
    assert echo(ErrorWithValue()) == "the value"


@pytest.mark.spec("PY-D102")
def test_opaque_pointer_handlers_match_the_exact_type(echo):
    class Handle:
        pass

    class Derived(Handle):
        pass

    core._OPAQUE_PTR_HANDLERS[Handle] = lambda handle: 0x55
    try:
        assert echo(Handle()).value == 0x55
        derived = Derived()
        assert echo(derived) is derived
    finally:
        del core._OPAQUE_PTR_HANDLERS[Handle]


def test_a_handler_registered_after_its_class_was_met(echo):
    class Handle:
        pass

    handle = Handle()
    assert echo(handle) is handle
    assert echo(handle) is handle
    core._OPAQUE_PTR_HANDLERS[Handle] = lambda handle: 0x55
    try:
        assert echo(handle).value == 0x55
    finally:
        del core._OPAQUE_PTR_HANDLERS[Handle]
    assert echo(handle) is handle


@pytest.mark.spec("PY-D103", "PY-D104")
def test_object_convertible(echo):
    pair = tvm_ffi.testing.TestIntPair(1, 2)

    class Good(tvm_ffi.ObjectConvertible):
        def asobject(self):
            return pair

    class Bad(tvm_ffi.ObjectConvertible):
        def asobject(self):
            return 5

    assert echo(Good()) is pair
    with pytest.raises(TypeError):
        echo(Bad())
    with pytest.raises(NotImplementedError):
        echo(tvm_ffi.ObjectConvertible())


# ---- convert ----


@pytest.mark.spec("PY-E121", "PY-E123", "PY-E124")
def test_convert_gives_the_ffi_type():
    assert type(tvm_ffi.convert([1])) is tvm_ffi.Array
    assert type(tvm_ffi.convert((1,))) is tvm_ffi.Array
    assert type(tvm_ffi.convert({})) is tvm_ffi.Map
    assert type(tvm_ffi.convert("a")) is core.String
    assert type(tvm_ffi.convert(b"a")) is core.Bytes
    assert type(tvm_ffi.convert(bytearray(b"a"))) is core.Bytes
    assert type(tvm_ffi.convert(lambda: 1)) is tvm_ffi.Function
    assert tvm_ffi.convert(None) is None
    assert tvm_ffi.convert(ValueError("q")).message == "q"
    np = pytest.importorskip("numpy")
    assert isinstance(tvm_ffi.convert(np.arange(3)), tvm_ffi.Tensor)


@pytest.mark.spec("PY-D114")
def test_convert_boxes_what_has_no_counterpart():
    value = {1, 2}
    box = tvm_ffi.convert(value)
    assert type(box) is core.OpaquePyObject
    assert box.pyobject() is value


@pytest.mark.spec("PY-E122", "PY-E125", "PY-E127")
def test_convert_returns_ffi_values_and_numbers_as_they_are(echo):
    names = ("__tvm_ffi_int__", "__tvm_ffi_float__", "__tvm_ffi_opaque_ptr__")
    np = pytest.importorskip("numpy")
    values = [
        *(type("Given", (), {name: lambda self: 1})() for name in names),
        *(5, 1.5, True, 1j, ctypes.c_void_p(3), tvm_ffi.from_dlpack(np.zeros(2))),
        *(tvm_ffi.dtype("int8"), core.DataType("int8"), tvm_ffi.device("cpu")),
        *(echo, tvm_ffi.Array([1]), tvm_ffi.testing.TestIntPair(1, 2)),
        *(core.Error("ValueError", "m", ""), tvm_ffi.convert(set())),
    ]
    for value in values:
        assert tvm_ffi.convert(value) is value


@pytest.mark.spec("PY-E122")
def test_convert_leaves_numbers_of_every_kind():
    np = pytest.importorskip("numpy")
    values = [
        *(2**70, fractions.Fraction(1, 3), decimal.Decimal("1.5"), 1j),
        *(np.int32(3), np.uint64(2**64 - 1), np.float32(0.5), np.complex64(1j)),
    ]
    for value in values:
        assert tvm_ffi.convert(value) is value
    assert tvm_ffi.convert(np.bool_(True)) is True


@pytest.mark.parametrize("value", [3, "a", None, [1], tvm_ffi.Array([1])])
def test_convert_func_of_a_value_that_is_not_callable(value):
    """Before the fix, the result was a function whose calls failed."""
    text = f"^convert_func expects a function or another callable, got {type(value).__name__}$"
    with pytest.raises(TypeError, match=text):
        tvm_ffi.convert_func(value)


# ---- ``CAny``, which stores one FFI value without conversion

to_py = core._to_py_class_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "CAny(None)"),
        (5, "CAny(int=5)"),
        (1.5, "CAny(float=1.5)"),
        (True, "CAny(bool=True)"),
        ("a", "CAny(type_index=11)"),
        ("a" * 9, "CAny(object, type_index=65)"),
    ],
)
def test_text_and_way_back(value, text):
    assert repr(tvm_ffi.CAny(value)) == text
    assert to_py(tvm_ffi.CAny(value)) == value


def test_defaults_to_none():
    assert core.CAny().type_index == 0


def test_short_text_comes_back_in_the_class_of_long_text():
    assert type(to_py(core.CAny("a"))) is core.String
    assert type(to_py(core.CAny(b"a"))) is core.Bytes


def test_it_owns_its_value(use_count):
    pair = TestIntPair(1, 2)
    any_ = core.CAny(pair)
    assert use_count(pair) == 2
    assert to_py(any_) is pair
    any_.__init__(3)
    assert use_count(pair) == 1


def test_as_an_argument_it_is_opaque():
    any_ = core.CAny(1)
    assert tvm_ffi.get_global_func("testing.echo")(any_) is any_
    assert Array([any_])[0] is any_


def test_refuses():
    with pytest.raises(TypeError, match="cannot pickle"):
        pickle.dumps(core.CAny(1))
    with pytest.raises(TypeError, match="expected a CAny"):
        to_py(1)
    with pytest.raises(UnicodeEncodeError):
        core.CAny("\ud800")


def test_a_native_thread_drops_a_python_object():
    for _ in range(10):
        core._testing_drop_last_ref_without_thread_state()
