# SPDX-License-Identifier: Apache-2.0
"""Test hooks of types: each well-known name with each kind of invalid value and function."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from child import in_child, note

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, Dict, Map, core, structural
from tvm_ffi.dataclasses import py_class

FUNCTIONS = (
    *("__ffi_new__", "__ffi_init__", "__ffi_convert__", "__ffi_shallow_copy__", "__ffi_repr__"),
    *("__ffi_hash__", "__ffi_eq__", "__ffi_compare__", "__s_equal__", "__s_hash__"),
    *("__data_to_json__", "__data_from_json__"),
)
NATIVE = ("__any_hash__", "__any_equal__", "__s_visit__", "__s_mutate__")
NATIVE += ("__s_maybe_inplace_mutate__",)
HOOKS = FUNCTIONS + NATIVE
# (a value that is not valid for a hook with a known signature, the type name in the error)
NO_HOOKS: list[tuple[Any, str]] = [
    (3, "int"),
    (True, "bool"),
    (2.5, "float"),
    ("text", "str"),
    ("a text of the heap", "str"),
    (b"bytes", "bytes"),
    ([1], "ffi.Array"),
    ({"a": 1}, "ffi.Map"),
    (object(), "ffi.OpaquePyObject"),
]

_numbers = itertools.count()


def make_class(**body: Any) -> Any:
    """Make a data class with a new type key."""
    key = f"hostile.hooks.Node{next(_numbers)}"
    body = {"__annotations__": {"x": "int", "child": "object"}, "child": None, **body}
    cls = type(core.Object)("Node", (core.Object,), {"__module__": __name__, **body})
    decorate = py_class(key, eq=True, order=True, unsafe_hash=True, structural_eq="tree")
    globals()["Node"] = decorate(cls)
    return globals()["Node"]


def index_of(cls: Any) -> int:
    return cls.__tvm_ffi_type_info__.type_index


def overwrite(cls: Any, name: str, value: Any) -> None:
    """Set a type attribute, which may already be set."""
    tvm_ffi.get_global_func("ffi.TypeAttrSet")(index_of(cls), name, value)


# ---- rejected values ----


@pytest.mark.parametrize("name", HOOKS)
@pytest.mark.parametrize(("value", "given"), NO_HOOKS)
def test_value_that_is_not_a_function_is_refused_when_it_is_registered(
    name: str, value: object, given: str
) -> None:
    cls = make_class()
    before = core._lookup_type_attr(index_of(cls), name)
    text = rf"`{name}` of type `hostile\.hooks\.Node\d+` must be a function.*got `{given}`"
    if before is None:
        with pytest.raises(TypeError, match=text):
            core._register_type_attr(index_of(cls), name, value)
        with pytest.raises(TypeError, match=text):
            core._type_register_attr(index_of(cls), name, value)
    with pytest.raises(TypeError, match=text):
        overwrite(cls, name, value)
    after = core._lookup_type_attr(index_of(cls), name)
    assert (before is None) == (after is None)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_native_pointer_is_refused_where_only_a_function_is_called(name: str) -> None:
    import ctypes

    with pytest.raises(TypeError, match=r"must be a function, got `void\*`"):
        overwrite(make_class(), name, ctypes.c_void_p(64))


@pytest.mark.parametrize("name", NATIVE)
def test_null_pointer_is_refused_as_a_native_hook(name: str) -> None:
    import ctypes

    with pytest.raises(TypeError, match=r"a function or a native function pointer, got `NULL`"):
        overwrite(make_class(), name, ctypes.c_void_p(None))


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("__ffi_type_final__", 1, "a bool, got `int`"),
        ("__ffi_enum__", {"entries": []}, "an `ffi.EnumState`, got `ffi.Map`"),
        ("__structural_equal__", 5, "a function, got `int`"),
    ],
)
def test_other_names_with_a_known_kind_of_value_refuse_the_rest(
    name: str, value: object, expected: str
) -> None:
    with pytest.raises(TypeError, match=expected):
        overwrite(make_class(), name, value)


def test_names_without_a_meaning_take_any_value_and_none_removes_a_hook() -> None:
    cls = make_class()
    overwrite(cls, "__ffi_of_my_own__", 3)
    assert core._lookup_type_attr(index_of(cls), "__ffi_of_my_own__") == 3
    overwrite(cls, "__ffi_repr__", lambda *_: "by hook")
    assert repr(cls(1)) == "by hook"
    overwrite(cls, "__ffi_repr__", None)
    assert "x=1" in repr(cls(1))


@pytest.mark.parametrize(
    "name", [n for n in HOOKS if n not in ("__ffi_new__", "__ffi_init__", "__ffi_shallow_copy__")]
)
def test_class_body_with_a_hook_that_is_not_a_function_leaves_no_trace(name: str) -> None:
    key = f"hostile.hooks.Body{next(_numbers)}"

    def define(**body: Any) -> Any:
        body = {"__annotations__": {"x": "int"}, **body}
        return py_class(key)(type(core.Object)("Body", (core.Object,), body))

    with pytest.raises(TypeError, match=f"`{name}` of type `{key}` must be a function"):
        define(**{name: 3})
    assert core._object_type_key_to_index(key) is None
    assert define()(5).x == 5


# ---- functions that behave wrongly ----


def _raise(*_: object) -> Any:
    raise ZeroDivisionError("by the hook")


WRONG_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "no parameters": lambda: 1,
    "nine parameters": lambda a, b, c, d, e, f, g, h, i: 1,
    "raises": _raise,
    "None": lambda *_: None,
    "int": lambda *_: 7,
    "negative": lambda *_: -(2**63),
    "huge int": lambda *_: 2**200,
    "bool": lambda *_: True,
    "float": lambda *_: 0.5,
    "str": lambda *_: "text",
    "bytes": lambda *_: b"x",
    "list": lambda *_: [1, "a"],
    "dict": lambda *_: {"a": [1]},
    "Python object": lambda *_: object(),
    "function": lambda *_: _raise,
    "first argument": lambda *args: args[0] if args else None,
    "last argument": lambda *args: args[-1] if args else None,
    "another type": lambda *_: tvm_ffi.testing.TestIntPair(1, 2),
    "error object": lambda *_: core.Error("ValueError", "returned", ""),
    "calls back": lambda *args: args[-1](*args[:-1]) if callable(args[-1]) else None,
}


def operations(cls: Any, a: Any, b: Any) -> dict[str, Callable[[], Any]]:
    """Return all operations that may call a hook of `cls`; `a` and `b` are instances of `cls`."""
    index = index_of(cls)
    graph = '{"root_index":0,"nodes":[{"type":"%s","data":%s}]}'
    key = cls.__tvm_ffi_type_info__.type_key
    walk = [(core.Object, lambda *_: None)]
    return {
        "construct": lambda: cls(1, None),
        "construct by name": lambda: cls(x=1),
        "ffi_init": lambda: cls.__new__(cls).__ffi_init__(1, None),
        "native init": lambda: core._lookup_type_attr(index, "__ffi_init__")(1),
        "hash": lambda: hash(a),
        "equal": lambda: a == b,
        "unequal": lambda: a != b,
        "less": lambda: a < b,
        "less or equal": lambda: a <= b,
        "map": lambda: Map({a: 1, b: 2}),
        "map of many": lambda: Map({a: 1, b: 2, **{i: i for i in range(9)}})[b],
        "map lookup": lambda: a in Map({i: i for i in range(9)}),
        "dict": lambda: Dict({i: i for i in range(9)}).update({a: 1, b: 2}),
        "dict lookup": lambda: Dict({a: 1}).get(b),
        "repr": lambda: repr(a),
        "repr in array": lambda: repr(Array([a, b])),
        "copy": lambda: copy.copy(a),
        "replace": lambda: a.__replace__(x=5),
        "deepcopy": lambda: copy.deepcopy(a),
        "deepcopy in array": lambda: copy.deepcopy(Array([a, b])),
        "pickle": lambda: pickle.loads(pickle.dumps(a)),
        "to json": lambda: tvm_ffi.serialization.to_json_graph_str(a),
        "from json": lambda: tvm_ffi.serialization.from_json_graph_str(
            graph % (key, '{"x":1,"child":0}')
        ),
        "from json data": lambda: tvm_ffi.serialization.from_json_graph_str(graph % (key, "5")),
        "structural equal": lambda: structural.structural_equal(a, b),
        "structural mismatch": lambda: structural.get_first_structural_mismatch(a, b),
        "structural hash": lambda: structural.structural_hash(a),
        "structural key": lambda: {structural.StructuralKey(a): 1}[structural.StructuralKey(b)],
        "walk": lambda: tvm_ffi.structural_walk(Array([a]), walk),
        "visit": lambda: tvm_ffi.structural_visit(Array([a]), [(int, lambda *_: None)]),
        "map values": lambda: tvm_ffi.structural_map(Array([a]), [(int, lambda x, *_: x + 1)]),
        "mutate": lambda: tvm_ffi.structural_mutate(Array([a]), [(int, lambda x, *_: x + 1)]),
        "map in place": lambda: tvm_ffi.structural_map(
            Array([copy.copy(a)])._move(), [(int, lambda x, *_: x + 1)]
        ),
        "convert": lambda: core.TypeSchema.from_annotation(cls).convert(3),
        "make": lambda: tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")(key, "x", 1),
    }


def _exercise(name: str, function: Callable[..., Any], what: str) -> set[str]:
    """Run every operation on a class that has the hook `name`; return the kinds of the errors."""
    cls = make_class()
    child = cls(9, None)
    a, b = cls(1, child), cls(1, cls(9, None))
    overwrite(cls, name, function)
    errors = set()
    for operation, run in operations(cls, a, b).items():
        note(name, what, operation)
        try:
            run()
        except Exception as error:
            errors.add(type(error).__name__)
    assert (a.x, b.child.x) == (1, 9)
    return errors


@pytest.mark.parametrize("name", HOOKS)
@in_child(seconds=120)
def test_no_function_as_a_hook_ends_the_process(name: str) -> None:
    for what, function in WRONG_FUNCTIONS.items():
        _exercise(name, function, what)


# The hooks whose errors reach the caller unchanged. An error of `__ffi_convert__` becomes part of
# another error, and after an error of `__ffi_repr__`, repr() returns the address.
PASSING_ERRORS_ON = [n for n in HOOKS if n not in ("__ffi_convert__", "__ffi_repr__")]


@pytest.mark.parametrize("name", PASSING_ERRORS_ON)
@in_child()
def test_error_of_a_hook_reaches_the_caller_as_the_same_exception(name: str) -> None:
    assert "ZeroDivisionError" in _exercise(name, _raise, "raises"), name


@pytest.mark.parametrize(
    ("name", "run", "expected"),
    [
        (
            "__any_hash__",
            lambda a: Dict({i: i for i in range(9)}).get(a),
            "must return int, got `str`",
        ),
        ("__any_hash__", lambda a: Map({a: 1, 2: 2, 3: 3, 4: 4, 5: 5}), "must return int"),
        ("__ffi_hash__", hash, "must return int, got `str`"),
        ("__ffi_eq__", lambda a: a == copy.copy(a), "must return bool, got `str`"),
        ("__ffi_compare__", lambda a: a < copy.copy(a), "must return int, got `str`"),
        ("__s_hash__", structural.structural_hash, "must return int, got `str`"),
        ("__s_equal__", lambda a: structural.structural_equal(a, copy.copy(a)), "return bool"),
    ],
)
def test_result_of_another_type_is_named_with_hook_and_type(
    name: str, run: Callable[[Any], Any], expected: str
) -> None:
    cls = make_class()
    a = cls(1)
    overwrite(cls, name, lambda *_: "text")
    with pytest.raises(TypeError, match=rf"`{name}` of type `hostile.hooks.Node\d+` .*{expected}"):
        run(a)


def test_equality_of_keys_that_returns_none_is_refused() -> None:
    cls = make_class()
    overwrite(cls, "__any_hash__", lambda _: 1)
    overwrite(cls, "__any_equal__", lambda *_: None)
    with pytest.raises(TypeError, match=r"`__any_equal__` .* must return bool, got `None`"):
        Dict({cls(1): 1, cls(2): 2})


@pytest.mark.parametrize(
    ("made", "given"),
    [
        (lambda: None, "None"),
        (lambda: 3, "int"),
        (lambda: "text", "str"),
        (lambda: Array([]), "ffi.Array"),
        (lambda: tvm_ffi.testing.TestIntPair(1, 2), "testing.TestIntPair"),
    ],
)
def test_creator_that_makes_no_object_of_its_type_is_refused(
    made: Callable[[], Any], given: str
) -> None:
    cls = make_class()
    overwrite(cls, "__ffi_new__", made)
    key = cls.__tvm_ffi_type_info__.type_key
    text = f'{{"root_index":0,"nodes":[{{"type":"{key}","data":{{"x":1,"child":0}}}}]}}'
    with pytest.raises(TypeError, match=f"`__ffi_new__`.*`{key}` must return.*got `{given}`"):
        tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")(key, "x", 1, "child", None)
    with pytest.raises((TypeError, ValueError)):
        tvm_ffi.serialization.from_json_graph_str(text)


@in_child()
def test_hook_that_replaces_itself_while_it_runs_stays_alive() -> None:
    for name in HOOKS:
        cls = make_class()

        def hook(*_: object, name: str = name, cls: Any = cls) -> Any:
            overwrite(cls, name, None)
            overwrite(cls, name, lambda *_: 1)
            return 1

        a, b = cls(1), cls(1)
        for run in operations(cls, a, b).values():
            overwrite(cls, name, tvm_ffi.convert(hook))
            note(name)
            try:
                run()
            except Exception:
                continue
