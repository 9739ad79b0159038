# SPDX-License-Identifier: Apache-2.0
"""Test for which values the callbacks of structural traversals are called."""

from __future__ import annotations

import ctypes
import functools
import gc
import threading
import time
import typing
import weakref
from collections.abc import Callable

import pytest

import tvm_ffi
from tvm_ffi import (
    Array,
    Dict,
    List,
    Map,
    Object,
    Shape,
    core,
    structural_map,
    structural_mutate,
    structural_visit,
    structural_walk,
)
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived

LONG = "y" * 20
HELLO = [TestObjectBase(v_i64=1).v_str] * 2
DERIVED = TestObjectDerived(v_map={}, v_array=[])
VALUES = [
    *(1, True, 2.5, "x", LONG, b"z", b"z" * 20, 2**70),
    *(tvm_ffi.dtype("int8"), tvm_ffi.device("cpu"), ctypes.c_void_p(8)),
    *(Shape((1, 2)), List([]), Dict({}), Map({}), tvm_ffi.convert(print)),
    *(TestIntPair(1, 2), TestObjectBase(v_i64=1), DERIVED),
]


def found_by(types):
    found = []
    structural_walk(VALUES, (types, found.append))
    return found


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (bool, [True]),
        (float, [2.5, 10.0, 10.0]),
        (str, ["x", LONG, *HELLO]),
        (core.String, ["x", LONG, *HELLO]),
        (bytes, [b"z", b"z" * 20]),
        (tvm_ffi.dtype, [tvm_ffi.dtype("int8")]),
        (core.DataType, [tvm_ffi.dtype("int8")]),
        (tvm_ffi.Device, [tvm_ffi.device("cpu")]),
        (Shape, [(1, 2)]),
        (list, [[]]),
        (List[int], [[]]),
        (typing.List[int], [[]]),  # noqa: UP006
        (None, []),
        (type(None), []),
        ((), []),
        ((bytes, bool), [True, b"z", b"z" * 20]),
    ],
)
def test_values_of_a_type(types, expected):
    found = found_by(types)
    assert found == expected
    assert [type(x) is bool for x in found] == [type(x) is bool for x in expected]


def test_int_is_for_large_numbers_and_not_for_bools():
    found = found_by(int)
    assert found[:3] == [1, 2**70, 1]
    assert all(type(x) is int for x in found)


def test_mutable_and_immutable_mappings_are_different_types():
    assert [type(x) for x in found_by(dict)] == [Dict]
    assert Dict not in [type(x) for x in found_by(Map)]


@pytest.mark.parametrize("types", [Callable, typing.Callable, typing.Callable[[int], int]])
def test_functions(types):
    assert [type(x) for x in found_by(types)] == [tvm_ffi.Function]


def test_a_class_is_for_those_derived_from_it():
    assert [type(x) for x in found_by(TestObjectBase)] == [TestObjectBase, TestObjectDerived]
    assert [type(x) for x in found_by(TestObjectDerived)] == [TestObjectDerived]
    assert [x.value for x in found_by(ctypes.c_void_p)] == [8]


def test_object_is_for_long_strings_and_not_for_short_ones():
    found = found_by(Object)
    assert LONG in found
    assert "x" not in found
    assert 2.5 not in found
    assert 2**70 in found


@pytest.mark.parametrize("types", [object, typing.Any, (object,)])
def test_catch_all_by_type(types):
    everything = []
    structural_walk(VALUES, everything.append)
    assert len(found_by(types)) == len(everything) > len(VALUES)


def test_a_class_that_a_client_put_in_place_of_ours():
    class MyTensor(core.Tensor):
        pass

    numpy = pytest.importorskip("numpy")
    tensor = tvm_ffi.from_dlpack(numpy.arange(3))
    found = []
    structural_walk([tensor], [(MyTensor, found.append)])
    assert len(found) == 1


def test_the_first_entry_that_fits_counts():
    calls = []
    entries = [
        (int, lambda x: calls.append(("int", x))),
        ((int, str), lambda x: calls.append(("either", x))),
        (typing.Any, lambda x: calls.append(("any", x))),
    ]
    structural_walk([1, "a", 2.5], entries)
    assert calls[:3] == [("int", 1), ("either", "a"), ("any", 2.5)]
    structural_walk([7], tuple(entries))
    assert calls[4] == ("int", 7)


def test_a_function_of_the_library_as_callback(echo):
    assert structural_map([1, "a"], (int, tvm_ffi.get_global_func("testing.add_one"))) == [2, "a"]
    assert structural_map([1], echo) == [1]
    native = tvm_ffi.convert(lambda value, kind: value * 10 + kind)
    assert structural_map([1], (), (int, native)) == [10]


APIS = {
    "structural_walk": structural_walk,
    "structural_visit": structural_visit,
    "structural_map": structural_map,
    "structural_mutate": structural_mutate,
}


def ignore(*args):
    return None


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize(
    "callbacks", [None, 5, "abc", b"abc", (entry for entry in ()), {1: 2}.items()]
)
def test_m19_values_that_are_not_callbacks_raise_type_error_with_the_api_name(name, callbacks):
    with pytest.raises(
        TypeError,
        match=rf"^{name} callbacks must be callbacks, \(type, callback\) entries, "
        r"\(\(type1, type2, \.\.\.\), callback\) entries, or sequences of tuple entries$",
    ):
        APIS[name]([1], callbacks)


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize(
    "callbacks",
    [(int,), (int, 5), [ignore], [(int, ignore), ignore], [[int, ignore]], (int, ignore, ignore)],
)
def test_m19_sequences_of_other_things_raise_type_error_with_the_api_name(name, callbacks):
    with pytest.raises(
        TypeError, match=rf"^{name} callbacks within a sequence must be \(type, callback\) tuples$"
    ):
        APIS[name]([1], callbacks)


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize(
    "types", ["int", 5, -1, complex, set, type("Mine", (), {}), [int], (int, 5), Exception, {}]
)
def test_m19_unknown_types_raise_type_error_with_the_api_name(name, types):
    with pytest.raises(
        TypeError,
        match=f"^{name} callback type must be a supported builtin, typing.Any/object, "
        "or an FFI-registered object class, got ",
    ):
        APIS[name]([1], (types, lambda value, *rest: value))


@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize("types", [tuple, typing.Union[int, str], typing.Optional[int]])
def test_m19_types_without_an_index_raise_type_error_with_the_api_name(name, types):
    with pytest.raises(
        TypeError,
        match=f"^{name} callback type_index is negative, "
        "the only acceptable negative type_index is -1 for Any, got ",
    ):
        APIS[name]([1], (types, lambda value, *rest: value))


@pytest.mark.parametrize("api", [structural_walk, structural_map])
def test_m19_region_callbacks_are_checked_as_well(api):
    with pytest.raises(TypeError, match=f"^{api.__name__} callbacks must be callbacks"):
        api([1], (), 5)


@pytest.mark.parametrize(
    ("api", "what"), [(structural_walk, "walk"), (structural_map, "map")], ids=["walk", "map"]
)
@pytest.mark.parametrize("order", ["x", "PRE", "preorder", 0, 1, True, None])
def test_unknown_order(api, what, order):
    with pytest.raises(ValueError, match=f"^Unknown structural {what} order: {order!r}$"):
        api([1], ignore, order=order)


# ---- the number of arguments of a callback of structural_mutate ----


class Callbacks:
    def __call__(self, value, mutator):
        return value

    def three(self, value, mutator, mode):
        return value

    @staticmethod
    def two_static(value, mutator):
        return value

    @classmethod
    def three_of_class(cls, value, mutator, mode):
        return value


def four(a, b, c, d):
    return b


def wrapped(function):
    @functools.wraps(function)
    def wrapper(*args):
        assert len(args) == 2
        return function(*args)

    return wrapper


@pytest.mark.parametrize(
    "callback",
    [
        lambda value, mutator: value,
        lambda value, mutator, mode: (value, mode)[0],
        lambda value, mutator=None: value,
        lambda *args: args[0] if len(args) == 3 else 1 / 0,
        lambda value, mutator, mode=9: value if mode in (0, 1) else 1 / 0,
        lambda value, mutator, mode, other=1: value,
        lambda value, *rest: value if len(rest) == 2 else 1 / 0,
        lambda value, mutator, *, key=1: value,
        lambda value, mutator, **rest: value,
        Callbacks(),
        Callbacks().three,
        Callbacks.two_static,
        Callbacks.three_of_class,
        functools.partial(four, 1),
        functools.partial(lambda value, mutator, mode: value, mode=3),
        wrapped(lambda value, mutator: value),
        tvm_ffi.convert(lambda value, mutator: value),
    ],
)
def test_m16_callbacks_of_two_or_three_arguments(callback):
    assert structural_mutate([1], (int, callback)) == [1]


@pytest.mark.parametrize(
    "callback",
    [
        lambda: 1,
        lambda value: value,
        four,
        lambda value, mutator, *, key: value,
        functools.partial(four, 1, 2, 3),
        wrapped(lambda value: value),
    ],
)
def test_m16_callbacks_of_another_arity_are_refused(callback):
    with pytest.raises(
        TypeError,
        match=r"^structural_mutate callback must accept \(value, mutator\) "
        r"or \(value, mutator, inplace_mode\)$",
    ):
        structural_mutate([1], (int, callback))


def test_a_callable_of_unknown_signature_is_called_with_two_arguments():
    with pytest.raises(TypeError, match="'>' not supported"):
        structural_mutate([1], (int, max))


def test_an_empty_array_of_callbacks_has_no_effect():
    assert structural_map([1], Array([])) == [1]
    assert structural_walk([1], [], []) is None


def test_callbacks_may_let_the_lock_go_and_come_back():
    apply = tvm_ffi.get_global_func("testing.apply")
    seen = []

    def look(value):
        time.sleep(0)  # releases the GIL
        structural_walk([value], (int, lambda x: None))
        seen.append(apply(lambda x: x + 1, value))

    threads = [
        threading.Thread(target=structural_walk, args=([1, [2]], (int, look))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    structural_walk([1, [2]], (int, look))
    for thread in threads:
        thread.join()
    assert sorted(seen) == [2] * 5 + [3] * 5


@pytest.mark.parametrize("api", APIS.values(), ids=APIS)
def test_a_value_that_contains_itself_is_refused(api):
    value = List([1])
    value.append(value)
    with pytest.raises(ValueError, match=r"an object of type `ffi.List` contains itself"):
        api(value)
    value.clear()


@pytest.mark.parametrize(
    ("api", "method"), [(structural_visit, "visit"), (structural_mutate, "mutate")]
)
def test_endless_descent_is_a_recursion_error(api, method):
    with pytest.raises(RecursionError):
        api([1], lambda value, visitor: getattr(visitor, method)(value))


class Weak:
    """An object that supports weak references."""


@pytest.mark.parametrize("api", [structural_visit, structural_mutate])
def test_a_callback_that_keeps_its_visitor_is_collected(api):
    def run_and_keep():
        big = Weak()
        kept = [big]
        api([1], lambda value, visitor: kept.append(visitor))
        return weakref.ref(big)

    gone = run_and_keep()
    gc.collect()
    assert gone() is None


def test_traversals_take_a_function():
    with pytest.raises(TypeError, match="takes a function"):
        core._traverse()
    assert core._traverse(max, 1, 2) == 2


def test_types_without_an_index_say_what_to_pass():
    """Before the fix, the messages did not name the given type."""
    for given, text in (
        # Python 3.14 prints the union as `int | str`.
        (
            typing.Union[int, str],
            r"got (typing\.Union\[int, str\]|int \| str): pass a tuple of types in place",
        ),
        (tuple, r"got <class 'tuple'>: a tuple is stored as a tvm_ffi\.Array$"),
        (set, r"got <class 'set'>$"),
    ):
        with pytest.raises(TypeError, match=text):
            structural_walk([1], (given, print))
