# SPDX-License-Identifier: Apache-2.0
"""Test fields: settings, defaults, mixins and computed fields."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import typing
from dataclasses import InitVar
from typing import Any, ClassVar, Optional

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import KW_ONLY, MISSING, Field, field, fields, init_property, py_class

Annotated = typing.Annotated
Final = typing.Final


def by_name(cls):
    return {f.name: f for f in fields(cls)}


def test_b1_class_variables_are_not_fields(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        b: ClassVar[int] = 5
        c: typing.ClassVar = "x"
        d: ClassVar[NoSuchName] = 6  # noqa: F821

    assert [f.name for f in fields(A)] == ["a"]
    assert (A.b, A.c, A.d, A(1).b) == (5, "x", 6, 5)


def test_b2_keyword_only_marker(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        _: KW_ONLY = 3
        b: int

    assert [f.name for f in fields(A)] == ["a", "b"]
    assert A(1, b=2).b == 2
    assert "_" not in vars(A)
    with pytest.raises(TypeError):
        A(1, 2)


def test_b3_field_may_stay_positional_after_the_marker(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        _: KW_ONLY
        a: int = field(kw_only=False)
        b: int = 0

    assert A(1, b=2).a == 1


def test_b4_all_keyword_only(key):
    @py_class(key(), kw_only=True)
    class A(tvm_ffi.Object):
        a: int
        b: int

    assert A(b=2, a=1).a == 1
    with pytest.raises(TypeError):
        A(1, 2)


def test_b6_two_defaults():
    with pytest.raises(ValueError, match="cannot specify both default and default_factory"):
        field(default=1, default_factory=list)


def test_b7_factory_must_be_callable():
    with pytest.raises(TypeError, match="default_factory must be a callable, got NoneType"):
        field(default_factory=None)
    with pytest.raises(TypeError, match="default_factory must be a callable, got int"):
        Field(default_factory=3)


def test_b8_unknown_structural_eq():
    with pytest.raises(ValueError) as raised:
        field(structural_eq="x")
    assert str(raised.value) == (
        "structural_eq must be one of [None, 'def', 'def-pattern', 'def-simple', 'ignore'], got 'x'"
    )


def test_b9_defaults_of_field_and_of_its_class():
    assert (field().hash, field().compare, field().kw_only) == (None, True, None)
    assert (Field().hash, Field().compare, Field().kw_only) == (True, False, False)
    assert field().default is MISSING and field().default_factory is MISSING
    assert (Field("a").name, Field("a").type) == ("a", None)


def test_b10_hash_follows_compare(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int = field(compare=False)
        b: int = field()
        c: int = field(hash=False)

    assert [f.hash for f in fields(A)] == [False, True, False]


def test_b11_metadata_is_copied():
    given = {"a": [1]}
    made = field(metadata=given)
    assert made.metadata == given and made.metadata is not given
    assert field().metadata == {}
    other = copy.copy(made)
    assert other.metadata == given and other.metadata is not made.metadata
    assert other.metadata["a"] is given["a"]


def test_copies_keep_subclass_attributes():
    class Special(Field):
        __slots__ = ("mark",)

    class Open(Field):
        pass

    special, opened = Special("a", typo=1), Open("b")
    special.mark, opened.note = 5, 6
    made = copy.copy(special)
    assert (type(made), made.mark, made.extra_kwargs) == (Special, 5, {"typo": 1})
    assert made.extra_kwargs is not special.extra_kwargs
    assert copy.copy(opened).note == 6


def test_b12_unknown_options_are_refused(key):
    with pytest.raises(TypeError) as raised:

        @py_class(key())
        class A(tvm_ffi.Object):
            a: int = field(typo=1, other=2)

    assert str(raised.value) == "A.a: unrecognized field options: other, typo"


def test_b13_hook_may_take_extra_options(key):
    seen = []

    def take(info, own):
        seen.append((info.fields, [(f.name, f.extra_kwargs.pop("note", None)) for f in own]))
        own[0].metadata["taken"] = True

    take.__ffi_on_fields_resolved__ = True

    class Mixin:
        hook = staticmethod(take)

    @py_class(key())
    class A(Mixin, tvm_ffi.Object):
        a: int = field(default=1, note="x")
        b: int = 2

    assert [(not early, names) for early, names in seen] == [(True, [("a", "x"), ("b", None)])]
    assert fields(A)[0].metadata == {"taken": True}


def test_b14_mixin_fields_are_own_fields_and_the_mixin_is_left_alone(key):
    class Mixin:
        a: int = 4
        b: str = field(default="q")

    before = vars(Mixin)["b"]

    @py_class(key())
    class A(Mixin, tvm_ffi.Object):
        c: int = 5

    assert [f.name for f in A.__tvm_ffi_type_info__.fields] == ["a", "b", "c"]
    assert vars(Mixin)["a"] == 4 and vars(Mixin)["b"] is before
    assert before.name is None and fields(A)[1] is not before
    assert (A().a, A().b, A().c) == (4, "q", 5)


def test_b15_override_keeps_the_first_position(key):
    class Mixin:
        a: int = 4
        b: str = "q"

    @py_class(key())
    class A(Mixin, tvm_ffi.Object):
        c: int = 5
        a: int = 9

    assert [f.name for f in fields(A)] == ["a", "b", "c"]
    assert A().a == 9


def test_b18_factory_is_called_once_for_each_object(key):
    calls = []

    def make():
        calls.append(1)
        return [len(calls)]

    @py_class(key())
    class A(tvm_ffi.Object):
        a: list[int] = field(default_factory=make)

    assert calls == []
    assert [list(A().a), list(A().a)] == [[1], [2]]
    A([5])
    assert len(calls) == 2


def test_b19_wrong_default_fails_when_it_is_used(key):
    name = key()

    @py_class(name)
    class A(tvm_ffi.Object):
        a: int = "x"

    assert A(1).a == 1
    with pytest.raises(TypeError) as raised:
        A()
    assert str(raised.value) == (
        f"{name}.__ffi_init__() default for field 'a':\n  expected int, got str"
    )


def test_b21_repeated_field_of_an_ancestor(key):
    @py_class(key())
    class Parent(tvm_ffi.Object):
        a: int

    name = key()
    with pytest.raises(TypeError) as raised:

        @py_class(name)
        class Child(Parent):
            a: str

    assert str(raised.value) == "Child.a: field is already declared by ancestor Parent"

    @py_class(name)
    class Good(Parent):
        b: int

    assert Good(1, 2).b == 2


def test_b22_init_property(key):
    calls = []

    @py_class(key(), eq=True, unsafe_hash=True)
    class A(tvm_ffi.Object):
        x: int

        @init_property
        def y(self) -> int:
            """Twice x."""
            calls.append(self.x)
            return self.x * 2

        @init_property
        def z(self):
            return [self.y]

    obj = A(3)
    assert (obj.y, obj.y, list(obj.z), calls) == (6, 6, [6], [3])
    assert "y" not in repr(obj) and "z" not in repr(obj)
    made = by_name(A)["y"]
    assert (made.init, made.repr, made.hash, made.compare, made.structural_eq) == (
        *(False, False, False, False),
        "ignore",
    )
    assert (made.type, by_name(A)["z"].type) == (int, Any)
    assert list(A.__ffi_init_property_funcs__) == ["y", "z"]
    other = A(3)
    other.y = 100
    assert obj == other and hash(obj) == hash(other)
    assert tvm_ffi.get_global_func("ffi.StructuralEqual")(obj, other, False, False)


def test_b23_child_overrides_init_property(key):
    order = []

    @py_class(key())
    class Parent(tvm_ffi.Object):
        x: int

        @init_property
        def a(self) -> int:
            order.append("parent a")
            return 1

        @init_property
        def b(self) -> int:
            order.append("parent b")
            return 2

    @py_class(key())
    class Child(Parent):
        @init_property
        def c(self) -> int:
            order.append("child c")
            return self.a + self.b

        @init_property
        def a(self) -> int:
            order.append("child a")
            return 10

    obj = Child(0)
    assert (obj.a, obj.b, obj.c) == (10, 2, 12)
    assert order == ["child a", "parent b", "child c"]
    assert [f.name for f in fields(Child)] == ["x", "a", "b", "c"]


def test_b25_frozen_class_wins(key):
    @py_class(key(), frozen=True)
    class A(tvm_ffi.Object):
        a: int = field(frozen=False)

    with pytest.raises(AttributeError):
        A(1).a = 3


# ---- forms of annotations ----


def test_annotated_is_read_as_its_type(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: Annotated[int, 1]
        b: Annotated[Final[int], 2] = 2

    assert [f.type for f in fields(A)] == [int, int]
    assert A(1).b == 2
    with pytest.raises(AttributeError):
        A(1).b = 3


def test_final_freezes_the_field(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: Final[int]
        b: Final = "x"

    obj = A(1)
    assert (obj.a, obj.b) == (1, "x")
    with pytest.raises(AttributeError):
        obj.a = 2


def test_init_var_goes_to_post_init(key):
    name = key()

    @py_class(name)
    class A(tvm_ffi.Object):
        a: int
        scale: InitVar[int]
        b: int = 0
        shift: InitVar[float] = 1
        _: KW_ONLY
        more: InitVar[str] = "m"

        def __post_init__(self, scale, shift, more):
            self.b = int(self.a * scale + shift)
            assert (type(shift), more) == (float, "m")

    assert [f.name for f in fields(A)] == ["a", "b"]
    assert A(3, 4).b == 13
    assert A(a=3, scale=4, shift=2).b == 14
    assert not hasattr(A(3, 4), "scale")
    with pytest.raises(TypeError) as raised:
        A(3)
    assert str(raised.value) == f"{name}.__ffi_init__() missing required argument: 'scale'"
    with pytest.raises(TypeError) as raised:
        A(3, "x")
    message = f"{name}.__ffi_init__() field 'scale':\n  expected int, got str"
    assert str(raised.value) == message
    assert A.shift == 1
    with pytest.raises(TypeError, match="got multiple values for argument 'scale'"):
        A(3, 4, scale=5)
    with pytest.raises(TypeError, match=r"takes at most 4 positional argument\(s\), but 5"):
        A(1, 2, 3, 4, 5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'zz'"):
        A(3, 4, zz=1)


def test_replace_requires_init_var(key):
    from tvm_ffi.dataclasses import replace

    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        scale: InitVar[int]
        b: int = field(default=0, init=False)

        def __post_init__(self, scale):
            self.b = self.a * scale

    made = replace(A(2, 3), scale=10)
    assert (made.a, made.b) == (2, 20)
    with pytest.raises(ValueError, match="InitVar 'scale' must be specified with replace"):
        replace(A(2, 3), a=1)


def test_init_var_of_a_parent(key):
    @py_class(key())
    class Parent(tvm_ffi.Object):
        a: int
        v: InitVar[int]

        def __post_init__(self, v):
            self.a += v

    @py_class(key())
    class Child(Parent):
        b: int

    obj = Child(1, 10, 2)
    assert (obj.a, obj.b) == (11, 2)


def test_type_variable_is_refused(key):
    T = typing.TypeVar("T")
    body = {"__annotations__": {"a": T}, "__module__": __name__}
    cls = type(tvm_ffi.Object)("A", (tvm_ffi.Object,), body)
    with pytest.raises(TypeError, match="Cannot convert"):
        py_class(key())(cls)


def test_field_named_self(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        self: int
        b: int = 2

    assert A(1).self == 1
    assert A(self=5, b=3).self == 5


@pytest.mark.parametrize("base", [object, tvm_ffi.Object])
def test_field_options_of_a_parent_without_decorator_count(key, base):
    class Plain(base):
        x: int = field(default=3, kw_only=True, repr=False)

    @py_class(key())
    class C(Plain, *(() if base is tvm_ffi.Object else (tvm_ffi.Object,))):
        y: int

    assert str(inspect.signature(C)) == "(y: int, *, x: int = 3)"
    assert C(1).x == 3 and repr(C(1)) == f"{C.__tvm_ffi_type_info__.type_key}(y=1)"

    class Wrong(base):
        x: int = field(default=3, unknown=1)

    wrong = type(tvm_ffi.Object)(
        "C", (Wrong, *(() if base is tvm_ffi.Object else (tvm_ffi.Object,))), {}
    )
    for _ in range(2):
        with pytest.raises(TypeError, match=r"^C.x: unrecognized field options: unknown$"):
            py_class(key())(wrong)


def test_an_optional_field_says_what_it_would_have_taken(key):
    @py_class(key())
    class C(tvm_ffi.Object):
        x: Optional[float] = None
        xs: Optional[list[Optional[float]]] = None

    made = C()
    for change, text in (
        (lambda: setattr(made, "x", "a"), "expected float, got str for field `x` of "),
        (lambda: setattr(made, "xs", ["a"]), "element [0]: expected float, got str for field `xs`"),
    ):
        with pytest.raises(TypeError) as raised:
            change()
        assert str(raised.value).startswith(text)
    with pytest.raises(TypeError, match=r"field 'x':\n  expected float, got list$"):
        C([1])


def test_field_of_the_standard_library_is_refused_at_definition(key):
    """Before the fix, the standard field became the default value, and construction failed."""
    with pytest.raises(TypeError, match=r"^C\.x is a field of the standard library: use tvm_ffi"):

        @py_class(key())
        class C(tvm_ffi.Object):
            x: list[int] = dataclasses.field(default_factory=list)

    with pytest.raises(TypeError, match=r"^`D` is decorated with @dataclasses.dataclass"):

        @py_class(key())
        @dataclasses.dataclass
        class D(tvm_ffi.Object):
            x: int


def test_field_without_annotation_is_refused_at_definition(key):
    """Before the fix, a `field()` without an annotation was ignored."""
    name = key()
    with pytest.raises(TypeError, match=r"^C\.a is a field without an annotation: write `a: TYPE"):

        @py_class(name)
        class C(tvm_ffi.Object):
            a = field(default=3)

    @py_class(name)
    class D(tvm_ffi.Object):
        a: int = field(default=3)

    assert D().a == 3
