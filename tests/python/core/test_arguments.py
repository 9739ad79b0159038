# SPDX-License-Identifier: Apache-2.0
"""Test that arguments and results are converted to FFI values and back to Python values."""

from __future__ import annotations

import collections
import ctypes
import enum
import gc
import sys

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, Map, convert, core
from tvm_ffi.testing import TestIntPair


def giving(**protocols):
    """Make an object whose class has these protocol methods; each returns a constant."""
    body = {name: (lambda self, value=value: value) for name, value in protocols.items()}
    return type("Given", (), body)()


def function(name):
    return tvm_ffi.get_global_func(f"testing.{name}")


@pytest.mark.spec("PY-D77")
@pytest.mark.parametrize("value", [None, True, False])
def test_d77_singletons(echo, value):
    assert echo(value) is value


@pytest.mark.spec("PY-D78")
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**40, -(10**400), 2**63 - 1, -(2**63)])
def test_d78_integers_of_any_size(echo, value):
    assert echo(value) == value
    assert type(echo(value)) is int


@pytest.mark.spec("PY-D79")
def test_d79_numpy_scalars(echo):
    np = pytest.importorskip("numpy")
    assert type(echo(np.int32(1))) is int
    assert echo(np.uint64(2**64 - 1)) == 2**64 - 1
    assert type(echo(np.float32(0.5))) is float
    assert echo(np.float32(0.5)) == 0.5


@pytest.mark.spec("PY-D80")
def test_d80_members_of_enums(echo):
    number = enum.IntEnum("number", [("one", 1)])
    assert type(echo(number.one)) is int

    class Word(str, enum.Enum):
        hello = "hello"

    assert type(echo(Word.hello)) is str
    assert echo(Word.hello) == "hello"


@pytest.mark.spec("PY-D81", "PY-D82")
def test_d81_and_d82_short_and_long_text(echo):
    assert type(echo("1234567")) is str
    assert type(echo("12345678")) is core.String
    assert type(echo(b"1234567")) is bytes
    assert type(echo(b"12345678")) is core.Bytes
    assert echo(bytearray(b"z")) == b"z"
    assert isinstance(echo(bytearray(b"123456789")), bytes)


@pytest.mark.spec("PY-D83")
def test_d83_any_character_but_lone_surrogates(echo):
    assert echo("a\0b") == "a\0b"
    assert echo("ü" * 20) == "ü" * 20
    with pytest.raises(UnicodeEncodeError):
        echo("\ud800")


@pytest.mark.spec("PY-D84")
def test_d84_the_native_text_is_used_again(echo):
    text = echo("a long piece of text")
    handle = text._tvm_ffi_cached_object.__chandle__()
    assert handle != 0
    assert echo(text)._tvm_ffi_cached_object.__chandle__() == handle


@pytest.mark.spec("PY-D85")
def test_d85_sequences_and_mappings(echo):
    point = collections.namedtuple("point", "x y")
    for value in ((1, 2), [1, 2], point(1, 2)):
        assert type(echo(value)) is Array
        assert list(echo(value)) == [1, 2]
    for value in ({"a": 1}, collections.OrderedDict(a=1), collections.Counter("a")):
        assert type(echo(value)) is Map
        assert dict(echo(value)) == {"a": 1}


@pytest.mark.spec("PY-D86")
@pytest.mark.parametrize(
    "value", [set(), range(3), 1j, object(), sys], ids=lambda x: type(x).__name__
)
def test_d86_other_values_travel_as_they_are(echo, value):
    assert echo(value) is value


@pytest.mark.spec("PY-D87")
def test_d87_pointers(echo):
    assert echo(ctypes.c_void_p(5)).value == 5
    null = echo(ctypes.c_void_p(0))
    assert type(null) is ctypes.c_void_p
    assert null.value is None


@pytest.mark.spec("PY-D88")
def test_d88_a_class_is_a_function(echo):
    assert type(echo(int)) is tvm_ffi.Function
    assert echo(int)("12") == 12


@pytest.mark.spec("PY-D89", "PY-D90", "PY-D91", "PY-D92")
def test_d89_to_d92_data_types_and_devices(echo):
    assert echo(tvm_ffi.dtype("f32")) == "float32"
    for value in (tvm_ffi.dtype("f32"), core.DataType("float32")):
        assert isinstance(echo(value), tvm_ffi.dtype)
    device = echo(tvm_ffi.device("cuda:1"))
    assert isinstance(device, tvm_ffi.Device)
    assert str(device) == "cuda:1"
    np = pytest.importorskip("numpy")
    assert isinstance(echo(np.dtype("float32")), tvm_ffi.dtype)
    with pytest.raises(ValueError, match="Unsupported numpy"):
        echo(np.dtype("U3"))


@pytest.mark.spec("PY-D93")
def test_d93_exceptions(echo):
    error = echo(ValueError("x"))
    assert type(error) is core.Error
    assert (error.kind, error.message) == ("ValueError", "x")
    interrupt = KeyboardInterrupt()
    assert echo(interrupt) is interrupt


@pytest.mark.spec("PY-D94", "PY-D95")
def test_d94_and_d95_the_object_protocol(echo):
    pair = TestIntPair(1, 2)
    assert echo(giving(__tvm_ffi_object__=pair)) is pair

    class OnInstance:
        pass

    value = OnInstance()
    value.__tvm_ffi_object__ = lambda: pair
    assert echo(value) is value
    for wrong in (1, None, "x", [pair]):
        with pytest.raises(TypeError):
            echo(giving(__tvm_ffi_object__=wrong))


@pytest.mark.spec("PY-D96")
def test_d96_the_value_protocol(echo):
    inner = giving(__tvm_ffi_value__=41)
    outer = giving(__tvm_ffi_value__=inner)
    assert echo(outer) == 41
    assert list(echo([outer, (inner,)])[1]) == [41]
    assert echo({"a": outer})["a"] == 41


@pytest.mark.spec("PY-D97")
def test_d97_the_other_protocols(echo):
    assert echo(giving(__tvm_ffi_int__=3)) == 3
    assert echo(giving(__tvm_ffi_int__=10**30)) == 10**30
    assert echo(giving(__tvm_ffi_float__=2.5)) == 2.5
    assert echo(giving(__tvm_ffi_opaque_ptr__=16)).value == 16
    assert echo(giving(__cuda_stream__=(0, 32))).value == 32
    assert echo(giving(__dlpack_data_type__=(0, 8, 1))) == "int8"
    assert echo(giving(__dlpack_device__=(1, 0))) == tvm_ffi.device("cpu")


def with_dlpack(base=object, **more):
    np = pytest.importorskip("numpy")
    array = np.zeros(3)
    body = {
        "__dlpack__": lambda self, **keywords: array.__dlpack__(),
        "__dlpack_device__": lambda self: (1, 0),
        **more,
    }
    return type("WithDLPack", (base,), body)


@pytest.mark.spec("PY-D98")
def test_d98_an_object_comes_before_a_tensor(echo):
    pair = TestIntPair(1, 2)
    assert echo(with_dlpack(__tvm_ffi_object__=lambda self: pair)()) is pair


@pytest.mark.spec("PY-D99")
def test_d99_integers_with_protocols(echo):
    assert isinstance(echo(with_dlpack(int)(3)), tvm_ffi.Tensor)
    valued = type("Valued", (int,), {"__tvm_ffi_value__": lambda self: "no"})
    assert echo(valued(3)) == 3


@pytest.mark.spec("PY-D100")
def test_d100_callables_with_protocols(echo):
    call = {"__call__": lambda self: 1}
    valued = type("Valued", (), {**call, "__tvm_ffi_value__": lambda self: 5})
    assert type(echo(valued())) is tvm_ffi.Function
    pointer = type("Pointer", (), {**call, "__tvm_ffi_opaque_ptr__": lambda self: 5})
    assert echo(pointer()).value == 5


@pytest.mark.spec("PY-D101")
def test_d101_an_exception_with_a_value(echo):
    class Valued(Exception):
        def __tvm_ffi_value__(self):
            return 7

    assert echo(Valued()) == 7


@pytest.mark.spec("PY-D102")
def test_d102_pointer_handlers_match_exactly(echo):
    class Handle:
        pass

    class Derived(Handle):
        pass

    core._OPAQUE_PTR_HANDLERS[Handle] = lambda _: 48
    try:
        assert echo(Handle()).value == 48
        derived = Derived()
        assert echo(derived) is derived
    finally:
        del core._OPAQUE_PTR_HANDLERS[Handle]
    handle = Handle()
    assert echo(handle) is handle


@pytest.mark.spec("PY-D103", "PY-D104")
def test_d103_and_d104_convertible_values(echo):
    class Convertible(tvm_ffi.ObjectConvertible):
        def __init__(self, value):
            self.value = value

        def asobject(self):
            return self.value

    pair = TestIntPair(1, 2)
    assert echo(Convertible(pair)) is pair
    assert echo([Convertible(pair)])[0] is pair
    with pytest.raises(NotImplementedError):
        echo(tvm_ffi.ObjectConvertible())
    for wrong in (3, None, "text"):
        with pytest.raises(TypeError):
            echo(Convertible(wrong))


@pytest.mark.spec("PY-D105", "PY-D106")
def test_d105_and_d106_endless_values(echo):
    endless = [1]
    endless.append(endless)
    with pytest.raises(RecursionError):
        echo(endless)
    mapping = {}
    mapping["me"] = mapping
    with pytest.raises(RecursionError):
        echo(mapping)

    class Itself:
        def __tvm_ffi_value__(self):
            return self

    with pytest.raises(RecursionError):
        echo(Itself())


@pytest.mark.spec("PY-D107")
@pytest.mark.parametrize("name", ["__cuda_stream__", "__dlpack_device__"])
@pytest.mark.parametrize("value", [3, [1, 0], None])
def test_d107_protocols_that_give_no_tuple(echo, name, value):
    with pytest.raises(TypeError):
        echo(giving(**{name: value}))


@pytest.mark.spec("PY-D108")
def test_d108_a_list_that_iterates_otherwise(echo):
    class Doubled(list):
        def __iter__(self):
            return (2 * item for item in list.__iter__(self))

    assert list(echo(Doubled([1, 2]))) == [2, 4]


@pytest.mark.spec("PY-D109")
def test_d109_elements_are_counted_once_each(echo, use_count):
    obj = TestIntPair(1, 2)
    result = echo([obj, {"b": obj}])
    assert use_count(obj) == 3
    del result
    gc.collect()
    assert use_count(obj) == 1


@pytest.mark.spec("PY-D110")
def test_d110_a_failing_argument_releases_those_before_it(echo, use_count):
    obj = TestIntPair(1, 2)
    box = object()
    before = sys.getrefcount(box)
    for _ in range(10):
        with pytest.raises(UnicodeEncodeError):
            echo([obj, box], "\ud800")
    assert use_count(obj) == 1
    assert sys.getrefcount(box) == before


@pytest.mark.spec("PY-D111")
def test_d111_many_arguments():
    assert convert(lambda *values: sum(values))(*range(2000)) == sum(range(2000))


@pytest.mark.spec("PY-D112")
@pytest.mark.parametrize("size", [7, 8, 9, 31, 32, 33, 100])
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


def test_d112_keywords(echo):
    with pytest.raises(TypeError):
        echo(x=1)
    with pytest.raises(TypeError):
        convert(lambda x: x)(x=1)


@pytest.mark.spec("PY-D113")
def test_d113_an_opaque_value_is_the_same_object(echo):
    payload = object()
    before = sys.getrefcount(payload)
    box = convert(payload)
    assert sys.getrefcount(payload) == before + 1
    assert echo(box) is payload
    assert echo(payload) is payload
    del box
    assert sys.getrefcount(payload) == before


@pytest.mark.spec("PY-D114")
def test_d114_a_box_made_by_convert():
    payload = object()
    box = convert(payload)
    assert type(box) is core.OpaquePyObject
    assert box.pyobject() is payload


@pytest.mark.spec("PY-D115")
def test_d115_an_optional_function_of_nothing():
    assert function("schema_id_opt_obj")(None) is None
    assert function("schema_id_opt_int")(None) is None


@pytest.mark.spec("PY-D116")
def test_d116_devices_and_data_types_of_texts():
    assert function("schema_id_device")("cuda:1") == tvm_ffi.device("cuda", 1)
    assert function("schema_id_dtype")("float32") == "float32"
    with pytest.raises(ValueError, match="unknown dtype `float32z`"):
        function("schema_id_dtype")("float32z")


@pytest.mark.spec("PY-D117")
def test_d117_numbers_at_typed_boundaries():
    assert type(function("schema_id_float")(3)) is float
    assert function("schema_id_bool")(2) is True
    with pytest.raises(TypeError):
        function("schema_id_int")(1.5)


@pytest.mark.spec("PY-D118")
def test_d118_a_borrowed_tensor_is_not_returned():
    np = pytest.importorskip("numpy")
    with pytest.raises(RuntimeError, match="ownership"):
        function("schema_id_dltensor")(np.zeros(2))


@pytest.mark.spec("PY-D119")
def test_d119_the_class_of_devices(echo):
    class MyDevice(core.Device):
        def __init__(self, *args):
            raise AssertionError("not run for returned values")

    before = core._CLASS_DEVICE
    core._set_class_device(MyDevice)
    try:
        assert type(echo(core.Device("cuda", 1))) is MyDevice
        assert str(echo(core.Device("cuda", 1))) == "cuda:1"
    finally:
        core._set_class_device(before)


@pytest.mark.spec("PY-D120")
def test_d120_the_class_of_tensors(echo):
    np = pytest.importorskip("numpy")

    class MyTensor(core.Tensor):
        __slots__ = ()

    before = core._CLASS_TENSOR
    core._set_class_tensor(MyTensor)
    try:
        assert type(echo(np.zeros(2))) is MyTensor
        assert type(tvm_ffi.from_dlpack(np.zeros(2))) is MyTensor
        assert convert(lambda t: type(t) is MyTensor)(np.zeros(2)) is True
        assert MyTensor.__basicsize__ == core.Tensor.__basicsize__
    finally:
        core._set_class_tensor(before)


def test_big_keys_and_values(echo):
    assert echo({10**30: -(10**30)})[10**30] == -(10**30)
