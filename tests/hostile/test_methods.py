# SPDX-License-Identifier: Apache-2.0
"""Test every class: uninitialised, moved-from and complete objects, with odd arguments."""

from __future__ import annotations

import copy
import itertools
import operator
import os
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest
from child import STACK_FOR_RECURSION, in_child, note

ROUNDS = int(os.environ.get("TVM_FFI_HOSTILE_CALLS", "12"))
SEED = int(os.environ.get("TVM_FFI_HOSTILE_SEED", "0"))

# These members change the class or the process, or do not depend on the object.
INHERITED = {"__class__", "__init_subclass__", "__subclasshook__", "__new__", "__doc__", "__dict__"}

OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "str": str,
    "hash": hash,
    "bool": bool,
    "len": len,
    "list": lambda x: list(itertools.islice(x, 100)),
    "reversed": reversed,
    "dir": dir,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickle.dumps,
    "equal": lambda x: x == x,
    "unequal": lambda x: x != type(x).__new__(type(x)),
    "less": lambda x: x < x,
    "index": operator.index,
    "int": int,
    "float": float,
    "call": lambda x: x(),
    "call with one": lambda x: x(1),
    "call with itself": lambda x: x(x, key=x),
    "item": lambda x: x[0],
    "key": lambda x: x["a"],
    "slice": lambda x: x[1:],
    "set item": lambda x: operator.setitem(x, 0, x),
    "delete item": lambda x: operator.delitem(x, 0),
    "in": lambda x: x in x,
    "add": lambda x: x + x,
    "add in place": lambda x: operator.iadd(x, x),
    "or": lambda x: x | x,
    "next": next,
    "with": lambda x: x.__enter__(),
    "star": lambda x: print(*x, end="", file=open(os.devnull, "w")),  # noqa: SIM115
}


def attempt(action: Callable[[], Any]) -> Any:
    """Run an action that may fail; a failure must be an ordinary exception."""
    try:
        return action()
    except Exception as error:
        str(type(error))
        return None


def classes() -> list[type]:
    """Return every class that a user can reach in the package."""
    import sys

    import tvm_ffi
    from tvm_ffi import access_path, core, registry, testing

    for key in tvm_ffi.get_global_func("ffi.GetRegisteredTypeKeys")():
        attempt(lambda k=key: core._lookup_or_register_type_info_from_type_key(k))
    for name in ("dataclasses", "structural", "enum"):
        attempt(lambda n=name: __import__(f"tvm_ffi.{n}"))
    assert access_path and registry and testing
    modules = [m for n, m in sorted(sys.modules.items()) if n.split(".")[0] == "tvm_ffi"]
    found = {
        x
        for m in modules
        for x in vars(m).values()
        if isinstance(x, type) and x.__module__.split(".")[0] == "tvm_ffi"
    }
    for index in range(400):
        info = attempt(lambda i=index: core._type_index_to_type_info(i))
        if info is not None and info.type_cls is not None:
            found.add(info.type_cls)
    left_out = ("tvm_ffi.cpp", "tvm_ffi.schema", "tvm_ffi.stub")  # modules without native objects
    chosen = [c for c in found if not c.__module__.startswith(left_out)]
    return sorted(chosen, key=lambda c: (c.__module__, c.__qualname__))


def half_made(cls: type) -> Any:
    """Make an object without calling its initializer; return None if the class rejects this."""
    return attempt(lambda: cls.__new__(cls))


def members(cls: type) -> list[str]:
    """Return the names of the attributes that a class does not inherit from a built-in type."""

    def giver(name: str) -> type:
        return next((c for c in cls.__mro__ if name in c.__dict__), cls)

    theirs = (int, str, bytes, dict, tuple, Exception)
    return [name for name in dir(cls) if name not in INHERITED and giver(name) not in theirs]


@in_child(seconds=120)
def test_operations_on_half_made_objects() -> None:
    for cls in classes():
        for name, operation in OPERATIONS.items():
            x = half_made(cls)
            note(cls, name)
            attempt(lambda o=operation, x=x: o(x))


@in_child(seconds=120)
def test_members_of_half_made_objects() -> None:
    import odd

    rng = random.Random(SEED)
    for cls in classes():
        for name in members(cls):
            for count in (0, 0, 1, 1, 1, 2, 3):
                x = half_made(cls)
                note(cls, name, count)
                member = attempt(lambda x=x, n=name: getattr(x, n))
                values = [rng.choice(odd.ALL)() for _ in range(count)]
                note(cls, name, [odd.describe(v) for v in values])
                if callable(member):
                    attempt(lambda m=member, v=values: m(*v))
                attempt(lambda x=x: repr(x))


@in_child(seconds=120)
def test_half_made_objects_as_arguments() -> None:
    import tvm_ffi
    from tvm_ffi import core

    empties = [x for x in (half_made(c) for c in classes()) if isinstance(x, core.CObject)]
    functions = [
        tvm_ffi.get_global_func(name)
        for name in ("testing.echo", "testing.nop", "ffi.Array", "ffi.List", "ffi.DeepCopy",
                     "ffi.ReprPrint", "ffi.RecursiveHash", "ffi.ToJSONGraph", "ffi.StructuralHash")
    ]  # fmt: skip
    takers: list[Callable[[Any], Any]] = [
        *functions,
        lambda x: tvm_ffi.Array([x]),
        lambda x: tvm_ffi.List([1]).append(x),
        lambda x: tvm_ffi.Map({x: x}),
        lambda x: tvm_ffi.Dict({1: 1}).__setitem__(x, x),
        lambda x: x in tvm_ffi.Dict({1: 1}),
        lambda x: x in tvm_ffi.List([1]),
        lambda x: tvm_ffi.convert(lambda: x)(),
        lambda x: tvm_ffi.convert([[x]]),
        lambda x: core.CAny(x),
        lambda x: core.ObjectRValueRef(x),
        lambda x: functions[0](x._move()),
        lambda x: functions[0](core.ObjectRValueRef(x)),
        lambda x: core.Object.__new__(core.Object).__move_handle_from__(x),
        lambda x: tvm_ffi.from_dlpack(x),
        lambda x: core.object_repr(x),
        lambda x: core._convert_to_opaque_object(x),
        lambda x: core._convert_to_ffi_func(x),
        lambda x: tvm_ffi.testing.TestIntPair(x, x),
        lambda x: tvm_ffi.testing.TestObjectPtrHolder(x),
    ]
    for x, (i, taker) in itertools.product(empties, enumerate(takers)):
        note(type(x), i)
        attempt(lambda t=taker, x=x: t(x))


def instances() -> list[tuple[str, Callable[[], Any]]]:
    """Return (class name, maker of a complete object) for each class that can be constructed."""
    import odd

    import tvm_ffi

    makers: dict[type, Callable[[], Any]] = {}
    for make in [*odd.OBJECT, *odd.VALUE, *odd.CONTAINER, *odd.FUNCTION]:
        cls = type(make())
        if cls.__module__.split(".")[0] == "tvm_ffi":
            makers.setdefault(cls, make)
    makers[tvm_ffi.List] = lambda: tvm_ffi.List([3, [1], "x"])
    makers[tvm_ffi.Dict] = lambda: tvm_ffi.Dict({1: 2, "a": [3]})
    makers[tvm_ffi.Map] = lambda: tvm_ffi.Map({1: 2, "a": [3]})
    for cls in classes():
        if cls in makers:
            continue
        for values in ((), (1,), (1, 2), (1, 2, 3), ("a",), ({}, [], 1, 2.0, "x")):
            if attempt(lambda c=cls, v=values: [c(*v)]):
                makers[cls] = lambda c=cls, v=values: c(*v)
                break
    return [(f"{cls.__module__}.{cls.__qualname__}", makers[cls]) for cls in makers]


# These members end the object or the process on purpose.
LEFT_OUT = {"__del__", "run_check_signal"}


@pytest.mark.parametrize("part", range(4))
@in_child(seconds=120 + ROUNDS * 4, stack=STACK_FOR_RECURSION)
def test_members_of_whole_objects(part: int) -> None:
    import odd

    rng = random.Random(100 * SEED + part)
    for name, make in instances()[part::4]:
        for member_name in [m for m in members(type(make())) if m not in LEFT_OUT]:
            for _ in range(ROUNDS):
                x = attempt(make)
                values = [rng.choice(odd.ALL)() for _ in range(rng.choice((0, 1, 1, 2, 3)))]
                if rng.random() < 0.2:
                    values = [x for _ in values]
                note(name, member_name, [odd.describe(v) for v in values])
                member = attempt(lambda x=x, n=member_name: getattr(x, n))
                if callable(member):
                    attempt(lambda m=member, v=values: m(*v))
                if values:
                    attempt(lambda x=x, n=member_name, v=values: setattr(x, n, v[0]))
                elif rng.random() < 0.5:
                    attempt(lambda x=x, n=member_name: delattr(x, n))
                for operation in ("repr", "equal", "hash", "list"):
                    attempt(lambda x=x, o=operation: OPERATIONS[o](x))


@pytest.mark.parametrize("part", range(2))
@in_child(seconds=120 + ROUNDS * 4, stack=STACK_FOR_RECURSION)
def test_constructors_and_class_attributes(part: int) -> None:
    import odd

    rng = random.Random(100 * SEED + part)
    for cls in classes()[part::2]:
        for _ in range(ROUNDS * 4):
            values = [rng.choice(odd.ALL)() for _ in range(rng.randrange(5))]
            note(cls, [odd.describe(v) for v in values])
            x = attempt(lambda c=cls, v=values: c(*v))
            again = [rng.choice(odd.ALL)() for _ in range(rng.randrange(3))]
            note(cls, "initialized again", [odd.describe(v) for v in again])
            attempt(lambda x=x, v=again: x.__init__(*v))
            attempt(lambda c=cls, v=again: c(**{f"k{i}": y for i, y in enumerate(v)}))
            for name, operation in OPERATIONS.items():
                note(cls, name, [odd.describe(v) for v in values])
                if x is not None and name not in ("call with itself", "with"):
                    attempt(lambda o=operation, x=x: o(x))
        for name in members(cls):
            note(cls, name)
            member = attempt(lambda c=cls, n=name: getattr(c, n))
            for _ in range(ROUNDS):
                values = [rng.choice(odd.ALL)() for _ in range(rng.randrange(1, 4))]
                note(cls, "class attribute", name, [odd.describe(v) for v in values])
                if callable(member) and not isinstance(member, type):
                    attempt(lambda m=member, v=values: m(*v))
                descriptor = cls.__dict__.get(name)
                for way in ("__get__", "__set__", "__delete__"):
                    f = getattr(type(descriptor), way, None)
                    if f is not None:
                        attempt(lambda f=f, d=descriptor, v=values: f(d, *v))


@in_child(seconds=60 + ROUNDS * 2)
def test_functions_of_the_extension() -> None:
    import odd

    from tvm_ffi import core

    # These functions set state of the process that every later call needs.
    setters = {"_set_class_object", "_set_class_tensor", "_set_class_device", "_set_class_dtype",
               "_set_view_classes", "_register_object_by_index"}  # fmt: skip
    functions = [
        (n, f)
        for n, f in sorted(vars(core).items())
        if callable(f) and not isinstance(f, type) and n not in setters
    ]
    rng = random.Random(SEED)
    for name, function in functions:
        for _ in range(ROUNDS * 20):
            values = [rng.choice(odd.ALL)() for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))]
            note(name, [odd.describe(v) for v in values])
            result = attempt(lambda f=function, v=values: f(*v))
            attempt(lambda r=result: repr(r))
            values.clear()
