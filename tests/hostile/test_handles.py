# SPDX-License-Identifier: Apache-2.0
"""Test wrappers whose class does not match the native object: moved handles, two base classes."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note


def wrapper_classes() -> list[type]:
    """Return every class whose instances can hold a handle."""
    from test_methods import classes

    from tvm_ffi import core

    return [cls for cls in classes() if issubclass(cls, core.CObject)]


def handles() -> dict[str, Callable[[], Any]]:
    """Return makers of objects, one for each memory layout of native objects."""
    import numpy

    import tvm_ffi
    from tvm_ffi import core, testing
    from tvm_ffi.access_path import AccessPath
    from tvm_ffi.dataclasses import py_class

    @py_class("hostile.handles.Pair")
    class Pair(tvm_ffi.Object):
        x: int
        y: Any = None

    return {
        "Array": lambda: tvm_ffi.Array([1, "a"]),
        "List": lambda: tvm_ffi.List([1]),
        "Map": lambda: tvm_ffi.Map({1: 2}),
        "Dict": lambda: tvm_ffi.Dict({1: 2}),
        "Function": lambda: tvm_ffi.convert(lambda *_: 1),
        "Tensor": lambda: tvm_ffi.from_dlpack(numpy.ones(3)),
        "Error": lambda: core.Error("ValueError", "x", ""),
        "native class": lambda: testing.TestIntPair(1, 2),
        "Python class": lambda: Pair(1, [2]),
        "StructuralKey": lambda: tvm_ffi.StructuralKey([1]),
        "AccessPath": AccessPath.root,
    }


def takers() -> dict[str, Callable[[Any], Any]]:
    """Return functions that read the object behind a handle."""
    import tvm_ffi
    from tvm_ffi import core

    def register(x: Any) -> Any:
        tvm_ffi.register_global_func("hostile.handles", x, override=True)
        return tvm_ffi.get_global_func("hostile.handles")(1)

    functions = (
        "testing.echo testing.apply testing.schema_id_tensor testing.schema_id_func ffi.DeepCopy "
        "testing.schema_id_arr_int testing.schema_id_map_str_int ffi.ArraySize ffi.ReprPrint "
        "ffi.StructuralKey testing.optional_tensor_view_has_value"
    )
    found: dict[str, Callable[[Any], Any]] = {
        name: tvm_ffi.get_global_func(name) for name in functions.split()
    }
    return {
        **found,
        "register": register,
        "element": lambda x: tvm_ffi.Array([x])[0],
        "key": lambda x: tvm_ffi.Map({x: x})[x],
        "visit": lambda x: tvm_ffi.structural_visit([1], x),
        "structural hash": tvm_ffi.structural_hash,
        "moved": lambda x: found["testing.echo"](x._move()),
        "constructor": lambda x: core.Object.__new__(core.Object).__init_handle_by_constructor__(x),
        "function": core._convert_to_ffi_func,
        "from_dlpack": tvm_ffi.from_dlpack,
        "schemas": lambda x: [
            core.TypeSchema(origin).convert(x) for origin in ("Callable", "Tensor", "Map", "Array")
        ],
    }


@pytest.mark.parametrize("part", range(4))
@in_child(seconds=240)
def test_handle_of_another_type(part: int) -> None:
    from test_methods import OPERATIONS, attempt, members

    makers, uses = handles(), takers()
    for cls, kind in itertools.product(wrapper_classes()[part::4], makers):

        def whole(cls: type = cls, kind: str = kind) -> Any:
            x: Any = cls.__new__(cls)
            x.__move_handle_from__(makers[kind]())
            return x

        if attempt(whole) is None:
            continue
        for name, use in {**uses, **OPERATIONS}.items():
            note(cls, kind, name)
            attempt(lambda use=use: use(whole()))
        for name in members(cls):
            for values in ((), (1,), (whole(),)):
                note(cls, kind, name, len(values))
                attempt(lambda n=name, v=values: getattr(whole(), n)(*v))
        gc.collect()


@in_child(seconds=240)
def test_classes_of_two_bases() -> None:
    from test_methods import OPERATIONS, attempt

    import tvm_ffi

    echo = tvm_ffi.get_global_func("testing.echo")
    for one, other in itertools.permutations(wrapper_classes(), 2):
        if issubclass(one, other) or issubclass(other, one):
            continue
        cls = attempt(lambda a=one, b=other: type(a)("Both", (a, b), {}))
        if cls is None:
            continue
        for values in ((), (1,), ([1],), ({},), ("a", 2)):
            note(one, other, values)
            x = attempt(lambda c=cls, v=values: c(*v))
            if x is None:
                continue
            for name, operation in OPERATIONS.items():
                note(one, other, values, name)
                attempt(lambda o=operation, x=x: o(x))
            attempt(lambda x=x: echo(x))


@in_child()
def test_a_function_class_around_another_object_is_not_called() -> None:
    import tvm_ffi
    from tvm_ffi import core

    f = core.Function.__new__(core.Function)
    f.__move_handle_from__(tvm_ffi.Array([1]))
    for call in (
        lambda: f(1),
        lambda: tvm_ffi.register_global_func("hostile.no_function", f),
        lambda: core.Object.__new__(core.Object).__init_handle_by_constructor__(f, 1),
    ):
        with pytest.raises(TypeError, match="holds a native object that is not a function"):
            call()
    assert tvm_ffi.get_global_func("hostile.no_function", allow_missing=True) is None
