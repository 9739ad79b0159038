# SPDX-License-Identifier: Apache-2.0
"""Test repr, copies, replacement, patterns and pickles of data class objects."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any, Optional

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.dataclasses import field, py_class, replace


@pytest.fixture
def any_class(key):
    @py_class(key("Any"), eq=True)
    class A(tvm_ffi.Object):
        a: Any

    return A


def shown(any_class, value):
    name = any_class.__tvm_ffi_type_info__.type_key
    text = repr(any_class(value))
    assert text.startswith(f"{name}(a=") and text.endswith(")")
    return text[len(name) + 3 : -1]


def test_f1_key_and_fields_parent_first(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        a: int

    name = key()

    @py_class(name)
    class C(P):
        b: float = 0.5

    assert repr(C(1)) == f"{name}(a=1, b=0.5)"


def test_f2_cycles(key):
    name = key()

    @py_class(name)
    class Node(tvm_ffi.Object):
        next: Optional[Node] = None

    node = Node()
    node.next = node
    assert repr(node) == f"{name}(next=...)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('a"b\n\t\\', r'"a\"b\n\t\\"'),
        ("\x00é", r'"\x00\u00e9"'),
        (b'a"\x00', r'b"a\x22\x00"'),
        ([1, 2], "(1, 2)"),
        ([1], "(1,)"),
        ([], "()"),
        ({"a": 1}, '{"a": 1}'),
        (None, "None"),
        (True, "True"),
        (1.0, "1"),
        (1 / 3, "0.333333"),
        (tvm_ffi.dtype("float32x4"), "float32x4"),
        (tvm_ffi.device("cuda:1"), "cuda:1"),
        (tvm_ffi.Shape((1, 2)), "Shape(1, 2)"),
        (len, "ffi.Function"),
    ],
)
def test_f3_and_f4_values(any_class, value, text):
    assert shown(any_class, value) == text


def test_f4_mutable_containers(any_class):
    assert shown(any_class, tvm_ffi.List([1, 2])) == "[1, 2]"
    assert shown(any_class, tvm_ffi.Dict({"a": 1})) == '{"a": 1}'


def test_f5_hidden_fields(key):
    name = key()

    @py_class(name)
    class A(tvm_ffi.Object):
        a: int = field(repr=False)

    assert repr(A(1)) == name


def test_f6_addresses(run_python):
    program = """
import tvm_ffi, re
from tvm_ffi.dataclasses import py_class
@py_class("test.addr")
class A(tvm_ffi.Object):
    a: int
print(re.sub("0x[0-9a-f]+", "ADDR", repr(A(1))))
"""
    assert run_python(program, TVM_FFI_REPR_WITH_ADDR="1") == "test.addr@ADDR(a=1)"


def test_f7_hook_in_nested_positions(key, any_class):
    @py_class(key())
    class Hooked(tvm_ffi.Object):
        a: Any

        def __ffi_repr__(self, fn_repr):
            return f"<{fn_repr(self.a)}>"

    assert repr(Hooked([1])) == "<(1,)>"
    assert shown(any_class, [Hooked(2)]) == "(<2>,)"


def test_f8_hook_is_not_inherited(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        def __ffi_repr__(self, fn_repr):
            return "parent"

    name = key()

    @py_class(name)
    class C(P):
        pass

    assert (repr(P()), repr(C())) == ("parent", name)


def test_f9_copies(key):
    @py_class(key())
    class Node(tvm_ffi.Object):
        value: Any
        next: Optional[Node] = None

    items = tvm_ffi.List([1])
    node = Node([items, items])
    node.next = node
    shallow, deep = copy.copy(node), copy.deepcopy(node)
    assert shallow is not node and shallow.value[0] is items and shallow.next is node
    assert deep.next is deep and deep.value[0] is deep.value[1]
    assert deep.value[0] is not items and list(deep.value[0]) == [1]


def test_f9_deep_copy_of_values_alone_is_one_more_object(key):
    @py_class(key(), eq=True)
    class Leaf(tvm_ffi.Object):
        number: int
        text: str
        anything: Any

    leaf = Leaf(1, "x" * 100, None)
    for value in (None, 2.5, "y" * 50, b"z" * 50, tvm_ffi.Shape((1, 2)), 2**80):
        leaf.anything = value
        alone, below = copy.deepcopy(leaf), copy.deepcopy(tvm_ffi.Array([leaf]))[0]
        assert alone == below == leaf
        assert not (alone.same_as(leaf) or below.same_as(leaf) or alone.same_as(below))
        alone.number = 7
        assert leaf.number == 1
    leaf.anything = leaf
    assert copy.deepcopy(leaf).anything.anything is not leaf
    leaf.anything = None


def test_f10_function_has_no_copy(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        f: Callable

    with pytest.raises(RuntimeError, match="not copy-constructible"):
        copy.deepcopy(A(len))
    assert copy.copy(A(len)).f([1]) == 1


def test_f11_enum_variants_are_not_copied(any_class):
    low = tvm_ffi.testing._TestCxxIntEnum.low
    assert copy.deepcopy(any_class([low])).a[0] is low
    assert copy.copy(any_class(low)).a is low


def test_f12_replace(key):
    @py_class(key(), frozen=True)
    class A(tvm_ffi.Object):
        a: int
        b: float = 0.0

        def method(self):
            return 1

    obj = A(1)
    made = replace(obj, a=2, b=3)
    assert (made.a, made.b, type(made.b), obj.a) == (2, 3.0, float, 1)
    with pytest.raises(AttributeError, match="type object 'A' has no attribute 'bb'"):
        replace(obj, bb=1)
    with pytest.raises(AttributeError, match="has no field '__init__'"):
        replace(obj, __init__=1)
    with pytest.raises(TypeError):
        obj.__replace__(1)
    with pytest.raises(TypeError) as raised:
        replace(obj, a="x")
    assert str(raised.value).startswith("expected int, got str for field `a` of `tests.")
    with pytest.raises(AttributeError, match=r"type object 'A' has no .*'method'"):
        replace(obj, method=1)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("widht", "did you mean 'width'?"),
        ("zzz", "it has width, height"),
        ("method", "it has width"),
    ],
)
def test_replace_with_an_unknown_field_is_a_type_error_that_names_it(key, name, hint):
    @py_class(key())
    class Size(tvm_ffi.Object):
        width: int
        height: int = 0

        def method(self):
            return 1

    size = Size(1)
    # The error is an instance of TypeError, which the standard library raises, and of
    # AttributeError, which apache-tvm-ffi raises.
    for kind in (TypeError, AttributeError):
        with pytest.raises(kind) as raised:
            replace(size, width=5, **{name: 2})
        assert "'Size' has no " in str(raised.value) and repr(name) in str(raised.value)
        assert str(raised.value).split(".Size; ")[1].startswith(hint)
    assert size.width == 1


def test_f13_match_args(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        a: int
        b: int = 2

    @py_class(key())
    class C(P):
        c: int
        d: int = 4
        e: int = field(default=0, kw_only=True)
        f: int = field(default=0, init=False)

    assert C.__match_args__ == ("a", "b", "c", "d")
    match C(1, 3):
        case C(x, y, z):
            assert (x, y, z) == (1, 2, 3)
        case _:
            pytest.fail("the pattern does not match")


def test_match_args_may_be_left_out(key):
    @py_class(key(), match_args=False)
    class A(tvm_ffi.Object):
        a: int

    assert "__match_args__" not in vars(A)


def test_f14_body_members_are_kept(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        __match_args__ = ("mine",)

        def __repr__(self):
            return "mine"

        def __replace__(self, /, **changes):
            return changes

        def __copy__(self):
            return "copied"

        def __deepcopy__(self, memo):
            return "deep"

    obj = A(1)
    assert (A.__match_args__, repr(obj), replace(obj, x=1)) == (("mine",), "mine", {"x": 1})
    assert (copy.copy(obj), copy.deepcopy(obj)) == ("copied", "deep")


def test_repr_false_keeps_what_is_inherited(key):
    class Mixin:
        def __repr__(self):
            return "mixin"

    name = key()

    @py_class(key(), repr=False)
    class A(Mixin, tvm_ffi.Object):
        a: int

    @py_class(name)
    class B(Mixin, tvm_ffi.Object):
        a: int

    assert (repr(A(1)), repr(B(1))) == ("mixin", f"{name}(a=1)")


@py_class(f"tests.pickled.{id(object())}")
class Pickled(tvm_ffi.Object):
    a: int
    b: Any = None
    c: str = "x"


def test_f15_pickle_round_trip(monkeypatch):
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__) or _this_module())
    obj = Pickled(1, [1, {"k": 2.5}], "a longer text")
    made = pickle.loads(pickle.dumps(obj))
    assert type(made) is Pickled
    assert repr(made) == repr(obj)


def _this_module():
    import types

    module = types.ModuleType(__name__)
    vars(module).update(globals())
    return module
