# SPDX-License-Identifier: Apache-2.0
"""Test functions, callbacks and the registry of functions."""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import types

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Function, convert, core, registry
from tvm_ffi.testing import TestIntPair


@pytest.fixture
def name():
    """Yield an unused name for a global function; remove the function after the test."""
    name = "pytestcore.function"
    yield name
    tvm_ffi.remove_global_func(name)


def function(name):
    return tvm_ffi.get_global_func(f"testing.{name}")


@pytest.mark.spec("PY-F128")
def test_f128_registering_gives_the_function(name):
    registered = tvm_ffi.register_global_func(name, lambda: 1)
    assert type(registered) is Function
    assert registered.same_as(tvm_ffi.get_global_func(name))
    with pytest.raises(RuntimeError, match=rf"Global Function `{name}` is already registered"):
        tvm_ffi.register_global_func(name, lambda: 2)


@pytest.mark.spec("PY-F129", "PY-F132")
def test_f129_override_and_f132_removal(name):
    old = tvm_ffi.register_global_func(name, lambda: "old")
    tvm_ffi.register_global_func(name, lambda: "new", override=True)
    assert (old(), tvm_ffi.get_global_func(name)()) == ("old", "new")
    held = tvm_ffi.get_global_func(name)
    tvm_ffi.remove_global_func(name)
    tvm_ffi.remove_global_func(name)
    assert held() == "new"
    assert tvm_ffi.get_global_func(name, True) is None


@pytest.mark.spec("PY-F130")
def test_f130_forms_of_the_decorator(name):
    @tvm_ffi.register_global_func(name)
    def named():
        return "named"

    @tvm_ffi.register_global_func
    def pytest_core_bare():
        return "bare"

    try:
        assert isinstance(named, Function)
        assert isinstance(pytest_core_bare, Function)
        assert tvm_ffi.get_global_func(name)() == "named"
        assert tvm_ffi.get_global_func("pytest_core_bare")() == "bare"
    finally:
        tvm_ffi.remove_global_func("pytest_core_bare")


@pytest.mark.spec("PY-F131")
def test_f131_a_missing_name():
    with pytest.raises(ValueError, match=r"^Cannot find global function missing; "):
        tvm_ffi.get_global_func("missing")
    assert tvm_ffi.get_global_func("missing", allow_missing=True) is None


@pytest.mark.spec("PY-F133")
def test_f133_the_list_of_names(name):
    tvm_ffi.register_global_func(name, lambda: 1)
    names = registry.list_global_func_names()
    assert type(names) is list
    assert name in names
    assert all(isinstance(each, str) for each in names)


@pytest.mark.spec("PY-F134", "PY-F135", "PY-F136")
def test_f134_to_f136_metadata(name):
    schema = json.loads(tvm_ffi.get_global_func_metadata("testing.add_one")["type_schema"])
    assert schema["type"] == "ffi.Function"
    tvm_ffi.register_global_func(name, lambda: 1)
    assert tvm_ffi.get_global_func_metadata(name) == {}
    with pytest.raises(RuntimeError, match="Global Function is not found: missing"):
        tvm_ffi.get_global_func_metadata("missing")
    metadata = tvm_ffi.get_global_func_metadata("testing.schema_id_int")
    assert len(metadata) == 4
    assert (metadata["bool_attr"], metadata["int_attr"], metadata["str_attr"]) == (True, 1, "hello")


@pytest.fixture
def target(monkeypatch):
    """Return an empty module."""
    module = types.ModuleType("pytest_core_target")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


@pytest.mark.spec("PY-F137", "PY-F138", "PY-F139")
def test_f137_to_f139_names_of_a_namespace(target):
    names = ["pytestcorens.one", "pytestcorens.two.deep", "pytestcorensx.y", "pytestcorensz"]
    for each in names:
        tvm_ffi.register_global_func(each, lambda: 1)
    try:
        tvm_ffi.init_ffi_api("pytestcorens", target.__name__)
        tvm_ffi.init_ffi_api("tvm.pytestcorensx", target.__name__)
    finally:
        for each in names:
            tvm_ffi.remove_global_func(each)
    assert {each for each in vars(target) if not each.startswith("__")} == {"one", "y"}
    assert target.y.__name__ == "y"
    with pytest.raises(KeyError):
        tvm_ffi.init_ffi_api("testing", "no_such_module")


@pytest.mark.spec("PY-F140")
def test_f140_release_gil_is_per_wrapper():
    function = convert(lambda: 1)
    assert function.release_gil is True
    function.release_gil = False
    kept = tvm_ffi.Array([function])
    assert kept[0].release_gil is False
    del function
    gc.collect()
    assert kept[0].release_gil is True


@pytest.mark.spec("PY-F143", "PY-F144")
@pytest.mark.parametrize("mlir", [False, True])
def test_f143_and_f144_functions_of_addresses(mlir):
    make = (Function.__from_extern_c__, Function.__from_mlir_packed_safe_call__)[mlir]
    address = function("get_mlir_add_one_c_symbol" if mlir else "get_add_one_c_symbol")()
    kept = object()
    before = sys.getrefcount(kept)
    made = make(address, keep_alive_object=kept)
    assert made(1) == 2
    assert sys.getrefcount(kept) == before + 1
    del made
    assert sys.getrefcount(kept) == before
    with pytest.raises(TypeError):
        make(None)


class _Cell(ctypes.Structure):
    _fields_ = [
        ("type_index", ctypes.c_int32),
        ("padding", ctypes.c_uint32),
        ("payload", ctypes.c_void_p),
    ]


def test_what_a_failed_call_left_in_its_result_is_not_used():
    """Call a C function that writes garbage to the result slot and then fails."""
    runtime = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    cells = ctypes.POINTER(_Cell)
    kept = tvm_ffi.Array([1, 2])
    count = function("object_use_count")
    before = count(kept)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, cells, ctypes.c_int32, cells)
    def fails(_, args, num_args, result):
        if num_args:
            result[0] = args[0]  # not owned: a caller that released the value would free `kept`
        else:
            result[0] = _Cell(type_index=64, payload=8)
        runtime.TVMFFIErrorSetRaisedFromCStr(b"ValueError", b"after all")
        return -1

    made = Function.__from_extern_c__(ctypes.cast(fails, ctypes.c_void_p).value)
    prepared = made.prepare(kept)
    calls = [made, lambda: made(kept), lambda: prepared(kept), lambda: made(*range(40))]
    calls += [lambda: function("apply")(made), lambda: function("apply")(made, kept)]
    for call in calls:
        with pytest.raises(ValueError, match="after all"):
            call()
    assert count(kept) == before


@pytest.mark.spec("PY-F145")
def test_f145_a_class_attribute_does_not_bind():
    class Holder:
        call = convert(lambda *args: len(args))

    assert Holder().call() == 0
    assert Holder.call(1) == 1


@pytest.mark.spec("PY-F146")
def test_f146_functions_are_keys(name):
    registered = tvm_ffi.register_global_func(name, lambda: 1)
    table = {registered: "found"}
    kept = tvm_ffi.Array([registered])
    assert table[kept[0]] == "found"
    del registered
    assert table[tvm_ffi.get_global_func(name)] == "found"


@pytest.mark.spec("PY-F147")
def test_f147_types_of_callback_arguments(apply):
    np = pytest.importorskip("numpy")

    class Own:
        pass

    values = {
        type(None): None,
        bool: True,
        int: 10**30,
        float: 1.5,
        str: "short",
        core.String: "a long text",
        bytes: b"short",
        core.Bytes: b"a long piece",
        tvm_ffi.dtype: tvm_ffi.dtype("int8"),
        tvm_ffi.Device: tvm_ffi.device("cpu"),
        ctypes.c_void_p: ctypes.c_void_p(3),
        tvm_ffi.Array: (1,),
        tvm_ffi.Map: {},
        tvm_ffi.List: tvm_ffi.List(),
        tvm_ffi.Dict: tvm_ffi.Dict(),
        tvm_ffi.Shape: tvm_ffi.Shape((1,)),
        tvm_ffi.Tensor: np.zeros(1),
        core.Error: ValueError("x"),
        Function: lambda: 1,
        Own: Own(),
        TestIntPair: TestIntPair(1, 2),
    }
    seen = []
    apply(lambda *args: seen.extend(map(type, args)), *values.values())
    assert seen == list(values)
    made = tvm_ffi.testing.make_unregistered_object()
    assert apply(lambda x: type(x).__name__, made) == "TestUnregisteredObject"


@pytest.mark.spec("PY-F149")
@pytest.mark.parametrize(
    "value", [None, 1, 2**70, 1.5, "a", "long enough", b"b", (1, 2), {"a": 1}, bytearray(b"xyz")]
)
def test_f149_results_are_converted_as_arguments_are(apply, echo, value):
    result = apply(lambda: value)
    assert type(result) is type(echo(value))
    assert result == echo(value) or dict(result) == value


@pytest.mark.spec("PY-F150")
def test_f150_big_integers_do_not_leak(apply):
    value = 7**90
    before = sys.getrefcount(value)
    for _ in range(50):
        assert apply(lambda x: x, value) == value
        assert list(apply(lambda x: x, tvm_ffi.Array([value])._move())) == [value]
    assert sys.getrefcount(value) == before


@pytest.mark.spec("PY-F151")
def test_f151_a_wrong_count(apply):
    with pytest.raises(TypeError, match="positional argument"):
        apply(lambda x: x)
    with pytest.raises(TypeError, match="positional argument"):
        convert(lambda: 1)(2)


@pytest.mark.spec("PY-F153")
def test_f153_deep_recursion(apply):
    def down(depth):
        return depth and apply(down, depth - 1) + 1

    assert apply(down, 50) == 50


@pytest.mark.spec("PY-F155")
@pytest.mark.parametrize("tensor_cls", [object, int, 3])
def test_f155_a_class_without_a_table(tensor_cls):
    with pytest.raises(TypeError, match="__dlpack_c_exchange_api__"):
        tvm_ffi.convert_func(lambda x: x, tensor_cls=tensor_cls)


@pytest.mark.spec("PY-F156")
@pytest.mark.torch
def test_f156_torch_tensors_in_callbacks(torch):
    np = pytest.importorskip("numpy")
    kind = tvm_ffi.convert_func(lambda x: type(x) is torch.Tensor, tensor_cls=torch.Tensor)
    assert kind(torch.zeros(2)) is True
    assert kind(np.zeros(2)) is True


SIGNALLED = """
import os, signal, threading, tvm_ffi
run = tvm_ffi.get_global_func("testing.run_check_signal")
def handler(*_):
    raise {0}("from the handler")
# A process that a shell starts in the background ignores the signal, and Python leaves that alone.
is_plain = {0} is KeyboardInterrupt
signal.signal(signal.SIGINT, signal.default_int_handler if is_plain else handler)
try:
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    run(600)
except BaseException as error:
    print(type(error).__name__)
"""


@pytest.mark.spec("PY-F157")
@pytest.mark.parametrize("kind", ["KeyboardInterrupt", "KeyError"])
def test_f157_signals_in_native_code(run_python, kind):
    assert run_python(SIGNALLED.format(kind)).splitlines()[-1] == kind


@pytest.mark.spec("PY-F158")
@pytest.mark.parametrize(
    ("call", "args", "text"),
    [
        (
            "add_one",
            (),
            "Mismatched number of arguments when calling: `testing.add_one(0: int) -> int`. "
            "Expected 1 but got 0 arguments",
        ),
        (
            "add_one",
            (set(),),
            "Mismatched type on argument #0 when calling: `testing.add_one(0: int) -> int`. "
            "Expected `int` but got `set`",
        ),
        ("schema_id_arr_int", (["a"],), "but got `list[index 0: str]`"),
        ("schema_id_map_str_int", ({"a": "b"},), '`dict[K, some value is str at key "a"]`'),
        ("schema_id_map_str_int", ({1: 1},), "`dict[some key is int, V]`"),
    ],
)
def test_f158_texts_of_native_argument_errors(call, args, text):
    with pytest.raises(TypeError) as caught:
        function(call)(*args)
    assert text in str(caught.value)


@pytest.mark.spec("PY-F159")
def test_f159_containers_cross_at_typed_boundaries():
    for value in ([1, 2], tvm_ffi.List([1, 2]), tvm_ffi.Array([1, 2])):
        assert type(function("schema_id_arr_int")(value)) is tvm_ffi.Array
        assert type(function("schema_id_list_int")(value)) is tvm_ffi.List
        assert list(function("schema_id_list_int")(value)) == [1, 2]
    for value in ({"a": 1}, tvm_ffi.Dict({"a": 1}), tvm_ffi.Map({"a": 1})):
        assert type(function("schema_id_map_str_int")(value)) is tvm_ffi.Map
        assert type(function("schema_id_dict_str_int")(value)) is tvm_ffi.Dict
    for name, value in (
        ("schema_id_arr_int", tvm_ffi.List(["a"])),
        ("schema_id_list_int", tvm_ffi.Array(["a"])),
        ("schema_id_map_str_int", tvm_ffi.Dict({"a": "b"})),
        ("schema_id_dict_str_int", tvm_ffi.Map({"a": "b"})),
    ):
        with pytest.raises(TypeError, match="Mismatched type"):
            function(name)(value)
