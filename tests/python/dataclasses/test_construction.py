# SPDX-License-Identifier: Apache-2.0
"""Test construction: parameters, messages, hooks, and user-defined ``__init__``."""

from __future__ import annotations

import gc
import inspect
from typing import Any

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.dataclasses import KW_ONLY, MISSING, c_class, field, init_property, py_class


@pytest.fixture
def family(key):
    name = key("C")

    @py_class(key("P"))
    class P(tvm_ffi.Object):
        a: int
        b: int = 2

    @py_class(name)
    class C(P):
        c: int
        d: int = 4
        _: KW_ONLY
        e: int
        f: int = 6

    return C, name


def test_d1_required_parameters_come_first(family):
    obj = family[0](1, 3, 22, e=5)
    assert [getattr(obj, n) for n in "abcdef"] == [1, 22, 3, 4, 5, 6]


def test_d2_signature(family):
    cls, _ = family
    expected = "(a: int, c: int, b: int = 2, d: int = 4, *, e: int, f: int = 6)"
    assert str(inspect.signature(cls)) == expected
    assert str(inspect.signature(cls.__init__)) == expected.replace("(a", "(self, a")
    assert cls.__init__.__qualname__ == f"{cls.__qualname__}.__init__"
    assert cls.__init__.__module__ == __name__
    assert inspect.signature(cls).parameters["b"].default == 2


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((1,), {"e": 1}, "missing required argument: 'c'"),
        ((1, 2), {}, "missing required keyword-only argument: 'e'"),
        (
            (1, 2),
            {"e": 1, "zz": 1},
            "got an unexpected keyword argument 'zz'; its parameters are a, c, b, d, e, f",
        ),
        ((1, 2), {"e": 1, "a": 1}, "got multiple values for argument 'a'"),
        (tuple(range(30)), {"e": 1}, "takes at most 4 positional argument(s), but 30 were given"),
        ((1, "x"), {"e": 1}, "field 'c':\n  expected int, got str"),
        ((1, 2), {"e": "x"}, "field 'e':\n  expected int, got str"),
    ],
    ids=["d3", "d4", "d5", "d6", "d7", "d8", "d8 keyword"],
)
def test_d3_to_d8_messages(family, args, kwargs, message):
    cls, name = family
    with pytest.raises(TypeError) as raised:
        cls(*args, **kwargs)
    assert str(raised.value) == f"{name}.__ffi_init__() {message}"


def test_d8_cause_is_kept(family):
    with pytest.raises(TypeError) as raised:
        family[0](1, "x", e=1)
    assert raised.value.__cause__ is not None


def test_d9_every_line_of_a_nested_error_is_indented(key):
    name = key()

    @py_class(name)
    class A(tvm_ffi.Object):
        a: tvm_ffi.Object

    with pytest.raises(TypeError) as raised:
        A(3)
    first, *rest = str(raised.value).split("\n")
    assert first == f"{name}.__ffi_init__() field 'a':"
    assert rest and all(line.startswith("  ") for line in rest)
    assert rest[0] == "  expected Object, got int"


def test_d10_missing_keyword_uses_the_default(family):
    obj = family[0](1, 3, e=5, b=MISSING, f=MISSING, zz=MISSING)
    assert (obj.b, obj.f) == (2, 6)
    assert family[0](1, 3, MISSING, e=5).b == 2


def test_d11_field_without_parameter(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        b: int = field(default=5, init=False)

    assert str(inspect.signature(A)) == "(a: int)"
    with pytest.raises(TypeError, match="unexpected keyword argument 'b'"):
        A(1, b=2)
    obj = A(1)
    assert obj.b == 5
    obj.b = 6
    assert obj.b == 6


def test_d12_field_without_parameter_and_default(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        i: int = field(init=False)
        f: float = field(init=False)
        b: bool = field(init=False)
        s: str = field(init=False)
        a: Any = field(init=False)
        o: tvm_ffi.Object = field(init=False)
        n: list[int] = field(init=False)

    obj = A()
    assert (obj.i, obj.f, obj.b) == (0, 0.0, False)
    assert (obj.s, obj.a, obj.o, obj.n) == (None, None, None, None)


def test_d13_post_init_runs_last(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        seen: Any = None

        @init_property
        def twice(self) -> int:
            return self.a * 2

        def __post_init__(self):
            self.seen = [self.a, self.twice]

    class Child(A):
        def __post_init__(self):
            self.seen = "child"

    assert list(A(3).seen) == [3, 6]
    assert Child(3).seen == "child"


def test_d13_error_in_post_init(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int

        def __post_init__(self):
            raise KeyError(self.a)

    with pytest.raises(KeyError, match="7"):
        A(7)


def test_d14_class_without_init(key):
    @py_class(key(), init=False)
    class A(tvm_ffi.Object):
        a: int = 3

    with pytest.raises(TypeError) as raised:
        A(1)
    assert str(raised.value) == (
        "`A` cannot be constructed directly. Define a custom __init__ or use a factory method."
    )


def test_d15_user_init(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int = 5
        b: str = "x"
        c: float

        def __init__(self, a, *, scale=1):
            """Set a."""
            self.a = a * scale

    obj = A(2, scale=4)
    assert (obj.a, obj.b, obj.c) == (8, None, 0.0)
    assert str(inspect.signature(A)) == "(a, *, scale=1)"
    assert A.__init__.__doc__ == "Set a."


def test_d16_super_init_does_nothing_once_there_is_an_object(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        a: int

    @py_class(key())
    class C(P):
        b: int

        def __init__(self, b):
            super().__init__("whatever", "this", "is")
            self.b = b

    assert (C(3).b, C(3).a) == (3, 0)


def test_d17_ffi_init_in_a_user_init(key, use_count):
    probe = tvm_ffi.Array([1])

    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        held: Any = probe
        b: int = 7

        def __init__(self, a):
            self.held = probe
            self.__ffi_init__(a)

    A(0)  # The first use converts and stores the default.
    before = use_count(probe)
    objs = [A(n) for n in range(10)]
    assert [o.a for o in objs] == list(range(10)) and objs[0].b == 7
    del objs
    gc.collect()
    assert use_count(probe) == before


def test_d18_ffi_init_of_another_class(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int

    @py_class(key())
    class B(tvm_ffi.Object):
        b: int

    with pytest.raises(TypeError) as raised:
        A.__ffi_init__(B(1), 3)
    assert str(raised.value) == (
        "Calling `A.__ffi_init__()` on a `B` instance is not supported. Define `B` with init=True."
    )
    for args in ((), (3, 1)):
        with pytest.raises(TypeError):
            A.__init__(*args)


def test_d19_parameters_of_payload_enums(key):
    level, operation = tvm_ffi.testing._TestCxxIntEnum, tvm_ffi.testing._TestCxxStrEnum

    @py_class(key())
    class Job(tvm_ffi.Object):
        level: tvm_ffi.testing._TestCxxIntEnum
        operation: tvm_ffi.testing._TestCxxStrEnum = "*"

    job = Job(10)
    assert job.level is level.low and job.operation is operation.mul
    assert Job(level.high, operation="+").operation is operation.add
    job.level = 20
    assert job.level is level.high
    with pytest.raises(TypeError, match=r"__ffi_init__\(\) field 'level'"):
        Job("no")


def test_unregistered_subclass(key):
    @py_class(key())
    class P(tvm_ffi.Object):
        a: int

    class U(P):
        def __init__(self, a):
            super().__init__(a + 1)

        def more(self):
            return self.a + 1

    obj = U(1)
    assert (type(obj), obj.more()) == (U, 3)
    kept = tvm_ffi.Array([obj])
    assert kept[0] is obj


def test_c_class_child_may_be_defined_in_python(key):
    @c_class("testing.TestCxxClassBase")
    class Base(tvm_ffi.Object):
        v_i64: int
        v_i32: int

    @py_class(key())
    class Child(Base):
        text: str

    obj = Child(1, 2, "x")
    assert (obj.v_i64, obj.v_i32, obj.text) == (1, 2, "x")


def test_arguments_of_a_subclass_whose_decorator_was_forgotten(key):
    """Before the fix, the error named only the base class."""

    @py_class(key())
    class Expr(tvm_ffi.Object):
        span: int = 0

    class Pow(Expr):
        base: Expr
        exp: Expr

    class Plain(Expr):
        pass

    x = Expr()
    hint = "\n`Pow` annotates base, exp, but is not decorated, so it has only the fields of `Expr`"
    for call in (lambda: Pow(x, x), lambda: Pow(base=x, exp=x)):
        with pytest.raises(TypeError) as raised:
            call()
        assert hint + ": decorate it with @py_class" in str(raised.value)
    with pytest.raises(TypeError) as raised:
        Plain(1, 2)
    assert "decorate" not in str(raised.value)


def test_own_init_that_sets_an_unknown_attribute_names_the_fields(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        alpha: int

        def __init__(self, name):
            setattr(self, name, 1)

    for name, hint in (("alhpa", "; did you mean 'alpha'?"), ("x", "; it has alpha")):
        with pytest.raises(AttributeError, match=rf"no attribute '{name}': a field .*{hint[:-1]}"):
            A(name)


def test_super_ffi_init_says_what_to_call_instead(key):
    """Before the fix, the error advised `init=True`, which is the default."""

    @py_class(key())
    class A(tvm_ffi.Object):
        a: int

    @py_class(key())
    class B(A):
        b: int

        def __init__(self, a, b):
            super().__ffi_init__(a=a)
            self.b = b

    with pytest.raises(TypeError, match=r"init=True\. In an `__init__` of its own, call self"):
        B(1, 2)
