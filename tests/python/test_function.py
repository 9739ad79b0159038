# SPDX-License-Identifier: Apache-2.0
"""Test calls of native functions, and calls by native functions."""

from __future__ import annotations

import ctypes
import gc
import pickle
import sys
import threading
import weakref

import pytest
from layouts import AnyValue
from running import run_threads

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core


@pytest.fixture(scope="module")
def add_one():
    return tvm_ffi.get_global_func("testing.add_one")


@pytest.fixture(scope="module")
def nop():
    return tvm_ffi.get_global_func("testing.nop")


# ---- the call ----


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 8, 9, 100, 2000])
def test_any_number_of_arguments(nop, apply, count):
    assert nop(*range(count)) is None
    assert apply(lambda *args: list(args), *range(count)) == list(range(count))


@pytest.mark.spec("PY-F158")
def test_wrong_count_names_function_and_signature(add_one):
    with pytest.raises(TypeError) as caught:
        add_one()
    assert str(caught.value) == (
        "Mismatched number of arguments when calling: `testing.add_one(0: int) -> int`. "
        "Expected 1 but got 0 arguments"
    )
    with pytest.raises(TypeError, match="Expected 1 but got 3 arguments"):
        add_one(1, 2, 3)


@pytest.mark.spec("PY-F158")
@pytest.mark.parametrize(
    ("value", "actual"),
    [
        ("x", "str"),
        ("a longer string", "str"),
        (b"x", "bytes"),
        (1.5, "float"),
        (None, "None"),
        (object(), "object"),
        ([1], "list"),
    ],
)
def test_wrong_type_names_function_position_and_types(add_one, value, actual):
    with pytest.raises(TypeError) as caught:
        add_one(value)
    assert str(caught.value) == (
        "Mismatched type on argument #0 when calling: `testing.add_one(0: int) -> int`. "
        f"Expected `int` but got `{actual}`"
    )


def test_wrong_type_of_a_later_argument():
    raiser = tvm_ffi.get_global_func("testing.test_raise_error")
    with pytest.raises(TypeError, match=r"argument #1 when calling: `testing\.test_raise_error"):
        raiser("ValueError", 5)


@pytest.mark.spec("PY-D112")
def test_keywords_are_refused(nop, add_one):
    with pytest.raises(TypeError, match="unexpected keyword argument 'x'"):
        nop(x=1)
    with pytest.raises(TypeError):
        add_one(1, x=2)


def test_failing_conversion_leaves_nothing_behind(nop, use_count):
    pair = tvm_ffi.testing.TestIntPair(1, 2)

    class Bad:
        def __tvm_ffi_object__(self):
            raise KeyError("not convertible")

    with pytest.raises(KeyError, match="not convertible"):
        nop(pair, [pair], "a string of some length", Bad())
    assert use_count(pair) == 1


@pytest.mark.parametrize("args", [(), (print,), (1, 2)])
def test_calling_the_class_of_functions_makes_no_empty_function(args):
    with pytest.raises(TypeError, match=r"cannot be constructed directly: use tvm_ffi\.convert"):
        tvm_ffi.Function(*args)


@pytest.mark.spec("PY-B27")
@pytest.mark.parametrize(
    "name", ["CContainerBase", "CObject", "Function", "Object", "OpaquePyObject", "Tensor"]
)
def test_built_in_base_classes_make_no_empty_objects(name):
    cls = getattr(core, name)
    for args in ((), ([1, 2],), (object(), 1, 2, 3, 4, 5)):
        with pytest.raises(TypeError, match=rf"`{name}` cannot be constructed directly"):
            cls(*args)
    assert repr(cls.__new__(cls)) == f"{name}(chandle=None)"


def test_empty_function_is_refused():
    with pytest.raises((ValueError, TypeError)):
        core.Function.__new__(core.Function)(1)
    assert repr(core.Function.__new__(core.Function)) == "Function(chandle=None)"


# ---- the function object ----


@pytest.mark.spec("PY-F146")
def test_live_wrapper_comes_back(echo, add_one):
    assert tvm_ffi.get_global_func("testing.add_one") is add_one
    assert echo(add_one) is add_one
    assert {add_one: 1}[tvm_ffi.get_global_func("testing.add_one")] == 1


@pytest.mark.spec("PY-B43")
def test_function_is_not_an_object_and_takes_attributes(add_one):
    assert not isinstance(add_one, tvm_ffi.Object)
    assert isinstance(add_one, core.CObject)
    add_one.note = "kept"
    assert add_one.note == "kept"
    del add_one.note


@pytest.mark.spec("PY-F145")
def test_function_does_not_bind(add_one):
    class Holder:
        call = add_one

    assert Holder().call(1) == 2


@pytest.mark.spec("PY-F140")
def test_release_gil():
    function = tvm_ffi.convert(lambda: None)
    assert function.release_gil is True
    function.release_gil = False
    assert function.release_gil is False
    function.release_gil = 1
    assert function.release_gil is True
    with pytest.raises(TypeError, match="release_gil expects a bool, got str"):
        function.release_gil = "yes"
    function.release_gil = False
    kept = tvm_ffi.Array([function])
    assert kept[0].release_gil is False
    del function
    gc.collect()
    assert kept[0].release_gil is True


@pytest.mark.spec("PY-F141")
def test_release_gil_default_of_the_process(run_python):
    program = "import tvm_ffi; print(tvm_ffi.convert(lambda: 1).release_gil)"
    assert run_python(program, TVM_FFI_RELEASE_GIL_BY_DEFAULT="0") == "False"
    assert run_python(program, TVM_FFI_RELEASE_GIL_BY_DEFAULT="1") == "True"


@pytest.mark.spec("PY-B45")
@pytest.mark.parametrize("explicit", [False, True])
def test_subclass_is_callable(explicit, echo):
    class Mixin:
        pass

    body = {"__call__": core.Function.__call__} if explicit else {}

    class Mine(core.Function, Mixin):
        def __init__(self, function):
            self.__move_handle_from__(function)

        locals().update(body)

    mine = Mine(tvm_ffi.convert(lambda x: x + 1))
    assert mine(1) == 2
    assert echo(mine)(2) == 3


@pytest.mark.spec("PY-F143", "PY-F144")
@pytest.mark.parametrize(
    ("form", "getter"),
    [
        ("__from_extern_c__", "testing.get_add_one_c_symbol"),
        ("__from_mlir_packed_safe_call__", "testing.get_mlir_add_one_c_symbol"),
    ],
)
def test_function_of_a_c_symbol(form, getter):
    make = getattr(core.Function, form)
    address = tvm_ffi.get_global_func(getter)()
    assert make(address)(1) == 2
    kept = object()
    references = sys.getrefcount(kept)
    function = make(address, keep_alive_object=kept)
    assert (function(5), sys.getrefcount(kept)) == (6, references + 1)
    array = tvm_ffi.Array([function])
    del function
    assert (array[0](5), sys.getrefcount(kept)) == (6, references + 1)
    del array
    assert sys.getrefcount(kept) == references
    with pytest.raises(TypeError):
        make(None)


def test_what_a_failed_call_left_in_its_result_is_not_used(apply):
    """Call a C function that writes garbage to the result slot and then fails."""
    runtime = ctypes.CDLL(tvm_ffi.libinfo.find_libtvm_ffi())
    cells = ctypes.POINTER(AnyValue)
    kept = tvm_ffi.Array([1, 2])
    count = tvm_ffi.get_global_func("testing.object_use_count")
    before = count(kept)

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, cells, ctypes.c_int32, cells)
    def fails(_, args, num_args, result):
        if num_args:
            result[0] = args[0]  # not owned: a caller that released the value would free `kept`
        else:
            result[0] = AnyValue(type_index=64, payload=8)
        runtime.TVMFFIErrorSetRaisedFromCStr(b"ValueError", b"after all")
        return -1

    made = core.Function.__from_extern_c__(ctypes.cast(fails, ctypes.c_void_p).value)
    prepared = made.prepare(kept)
    calls = [made, lambda: made(kept), lambda: prepared(kept), lambda: made(*range(40))]
    calls += [lambda: apply(made), lambda: apply(made, kept)]
    for call in calls:
        with pytest.raises(ValueError, match="after all"):
            call()
    assert count(kept) == before


# ---- callbacks ----


def test_callback_arguments_and_result(apply):
    seen = []

    def callback(*args):
        seen.extend(args)
        return args[-1]

    pair = tvm_ffi.testing.TestIntPair(1, 2)
    opaque = object()
    values = [None, True, 5, 2**70, 1.5, "text", "a longer text", b"bytes", opaque, pair]
    assert apply(callback, *values) is pair
    assert seen == values
    assert seen[1] is True
    assert seen[8] is opaque
    assert seen[9] is pair


@pytest.mark.spec("PY-F150")
def test_big_integers_do_not_leak(apply):
    value = 7**90
    before = sys.getrefcount(value)
    for _ in range(50):
        assert apply(lambda x: x, value) == value
        assert list(apply(lambda x: x, tvm_ffi.Array([value])._move())) == [value]
    assert sys.getrefcount(value) == before


@pytest.mark.spec("PY-F147")
def test_types_of_callback_arguments(apply):
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
        core.Function: lambda: 1,
        Own: Own(),
        tvm_ffi.testing.TestIntPair: tvm_ffi.testing.TestIntPair(1, 2),
    }
    seen = []
    apply(lambda *args: seen.extend(map(type, args)), *values.values())
    assert seen == list(values)
    made = tvm_ffi.testing.make_unregistered_object()
    assert apply(lambda x: type(x).__name__, made) == "TestUnregisteredObject"


@pytest.mark.spec("PY-B20", "PY-B21")
def test_callback_gets_the_wrapper_of_the_caller(apply, use_count):
    array = tvm_ffi.convert([1, 2])
    assert use_count(array) == 1
    assert apply(lambda x: (x is array, use_count(x)), array) == [True, 1]


@pytest.mark.spec("PY-B22")
def test_moved_argument(apply, use_count):
    array = tvm_ffi.convert([1, 2])
    handle = array.__chandle__()
    assert apply(lambda x: (x.__chandle__() == handle, use_count(x)), array._move()) == [True, 1]
    assert array.__chandle__() == 0
    assert array.__ctypes_handle__().value is None


@pytest.mark.spec("PY-B23")
def test_callback_may_give_its_argument_back(apply):
    array = tvm_ffi.convert([1, 2])
    assert apply(lambda x: x._move(), array._move()) == [1, 2]
    assert apply(lambda: tvm_ffi.testing.TestIntPair(3, 4)._move()).b == 4


@pytest.mark.spec("PY-F151")
def test_wrong_count_in_a_callback(apply):
    with pytest.raises(TypeError, match="positional argument"):
        apply(lambda x: x, 1, 2)


@pytest.mark.spec("PY-F149")
@pytest.mark.parametrize(
    "value", [None, 1, 2**70, 1.5, "a", "long enough", b"b", (1, 2), {"a": 1}, bytearray(b"xyz")]
)
def test_results_are_converted_as_arguments_are(apply, echo, value):
    result = apply(lambda: value)
    assert type(result) is type(echo(value))
    assert result == echo(value) or dict(result) == value


def test_result_that_cannot_be_converted(apply):
    with pytest.raises(UnicodeEncodeError):
        apply(lambda: "\ud800")


@pytest.mark.spec("PY-F153")
def test_nested_calls(apply):
    def down(depth):
        return 0 if depth == 0 else apply(down, depth - 1) + 1

    assert apply(down, 60) == 60


@pytest.mark.spec("PY-F152")
def test_callable_dies_with_its_function():
    class Callback:
        def __call__(self):
            return 1

    callback = Callback()
    gone = weakref.ref(callback)
    function = tvm_ffi.convert(callback)
    del callback
    assert function() == 1
    del function
    gc.collect()
    assert gone() is None


def test_a_function_can_be_referenced_weakly(add_one):
    dead = []
    function = tvm_ffi.convert(lambda x: x + 1)
    reference = weakref.ref(function, dead.append)
    by_name = weakref.WeakValueDictionary(f=function, add_one=add_one)
    assert reference() is function
    assert by_name["f"](1) == 2
    assert weakref.ref(function) is weakref.ref(function)
    assert weakref.proxy(function).release_gil == function.release_gil
    del function
    assert reference() is None
    assert dead == [reference]
    assert list(by_name) == ["add_one"]

    class Derived(core.Function):
        pass

    empty = Derived.__new__(Derived)
    assert weakref.ref(empty)() is empty
    weakref.finalize(empty, dead.append, "finalized")
    del empty
    assert dead == [reference, "finalized"]


def test_a_weak_reference_to_a_function_dies_with_a_cycle():
    holder = tvm_ffi.List([])
    function = tvm_ffi.convert(lambda kept=holder: kept)
    holder.append(function)
    seen = []
    reference = weakref.ref(function, lambda dead: seen.append(dead()))
    del function, holder
    gc.collect()
    assert reference() is None
    assert seen == [None]


def test_a_weak_reference_to_a_function_outlives_its_move():
    function = tvm_ffi.convert(lambda: 3)
    reference = weakref.ref(function)
    other = core.Function.__new__(core.Function)
    other.__move_handle_from__(function)
    assert reference() is function
    assert reference() is not other
    assert other() == weakref.ref(other)()() == 3
    again = pickle.loads(pickle.dumps(tvm_ffi.get_global_func("testing.add_one")))
    assert weakref.ref(again)() is again


def test_calls_from_many_threads(apply):
    results = []

    def work(seed):
        results.append(sum(apply(lambda x: x + seed, i) for i in range(300)))

    run_threads([threading.Thread(target=work, args=(seed,)) for seed in range(6)])
    assert sorted(results) == [sum(range(300)) + 300 * seed for seed in range(6)]


@pytest.mark.spec("PY-F156")
@pytest.mark.torch
def test_torch_tensors_in_callbacks(torch):
    np = pytest.importorskip("numpy")
    kind = tvm_ffi.convert_func(lambda x: type(x) is torch.Tensor, tensor_cls=torch.Tensor)
    assert kind(torch.zeros(2)) is True
    assert kind(np.zeros(2)) is True


@pytest.mark.spec("PY-F155")
def test_convert_func():
    function = tvm_ffi.convert_func(lambda x: x * 2)
    assert isinstance(function, tvm_ffi.Function)
    assert function(21) == 42
    for tensor_cls in (object, int, 3):
        with pytest.raises(TypeError, match="__dlpack_c_exchange_api__"):
            tvm_ffi.convert_func(lambda x: x, tensor_cls=tensor_cls)


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
def test_signals_in_native_code(run_python, kind):
    assert run_python(SIGNALLED.format(kind)).splitlines()[-1] == kind


@pytest.mark.spec("PY-F158")
@pytest.mark.parametrize(
    ("call", "args", "text"),
    [
        ("schema_id_arr_int", (["a"],), "but got `list[index 0: str]`"),
        ("schema_id_map_str_int", ({"a": "b"},), '`dict[K, some value is str at key "a"]`'),
        ("schema_id_map_str_int", ({1: 1},), "`dict[some key is int, V]`"),
    ],
)
def test_wrong_type_inside_a_container_is_named(call, args, text):
    with pytest.raises(TypeError) as caught:
        tvm_ffi.get_global_func(f"testing.{call}")(*args)
    assert text in str(caught.value)


@pytest.mark.spec("PY-F159")
def test_containers_cross_at_typed_boundaries():
    def function(name):
        return tvm_ffi.get_global_func(f"testing.{name}")

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
