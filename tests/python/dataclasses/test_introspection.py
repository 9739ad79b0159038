# SPDX-License-Identifier: Apache-2.0
"""Test `fields`, and the conversion of objects by `asdict` and `astuple`."""

from __future__ import annotations

import collections
import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Optional

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi._dunder import _make_constructor
from tvm_ffi.dataclasses import (
    MISSING,
    EnumObject,
    IntEnum,
    asdict,
    astuple,
    c_class,
    common,
    entry,
    field,
    fields,
    init_property,
    py_class,
    py_enum,
)


@pytest.fixture
def boxed(key):
    @py_class(key("Boxed"))
    class Boxed(tvm_ffi.Object):
        a: Any = None
        b: int = 0

    return Boxed


def test_h1_fields(key, boxed):
    @py_class(key())
    class Child(boxed):
        c: str

    assert [f.name for f in fields(Child)] == ["a", "b", "c"]
    assert fields(Child(c="x")) is fields(Child)
    assert fields(Child)[0] is fields(boxed)[0]
    for other, name in ((3, "int"), (tvm_ffi.Object, "_ObjectSlotsMeta")):
        with pytest.raises(TypeError) as raised:
            fields(other)
        assert str(raised.value) == (
            f"fields() argument must be a c_class or py_class type or instance, got {name}"
        )


def test_h2_native_fields():
    @c_class("testing.TestCxxAutoInit")
    class A(tvm_ffi.Object):
        a: int
        b: int
        c: int
        d: int

    found = {f.name: f for f in fields(A)}
    assert [f.default for f in fields(A)] == [MISSING, 42, MISSING, 99]
    assert [f.init for f in fields(A)] == [True, False, True, True]
    assert found["c"].kw_only and not found["a"].kw_only
    assert all(f.type is int and f._ty_schema.origin == "int" for f in fields(A))
    assert A.__tvm_ffi_type_info__.fields[0].dataclass_field is found["a"]


def test_h3_builtin_containers(boxed):
    obj = boxed([1, {"a": boxed("x" * 20)}], 2)
    assert asdict(obj) == {"a": [1, {"a": {"a": "x" * 20, "b": 0}}], "b": 2}
    assert astuple(obj) == ([1, {"a": ("x" * 20, 0)}], 2)
    made = asdict(boxed(tvm_ffi.List([tvm_ffi.Dict({"k": tvm_ffi.Array([1])})])))
    assert made == {"a": [{"k": [1]}], "b": 0}
    assert type(made["a"][0]["k"]) is list and type(made["a"][0]) is dict
    assert type(asdict(boxed("x" * 20))["a"]) is str
    assert type(asdict(boxed(b"x" * 20))["a"]) is bytes


def test_h4_factories(boxed):
    ordered = collections.OrderedDict
    made = asdict(boxed({"k": boxed()}), dict_factory=ordered)
    assert type(made) is ordered and type(made["a"]) is ordered and type(made["a"]["k"]) is ordered
    assert astuple(boxed({"k": boxed(1)}), tuple_factory=list) == [{"k": [1, 0]}, 0]


def test_h5_classes_are_refused(boxed):
    with pytest.raises(TypeError, match=r"^asdict\(\) should be called on c_class / py_class"):
        asdict(boxed)
    with pytest.raises(TypeError, match=r"^astuple\(\) should be called on c_class / py_class"):
        astuple(3)


def test_variants_of_enums_are_values_of_asdict(key, boxed):
    class Level(IntEnum, type_key=key("Level")):
        low = 1

    @py_enum(key("Op"))
    class Op(EnumObject):
        commutative: bool
        add: ClassVar[Op] = entry(commutative=True)
        mul: ClassVar[Op] = entry(commutative=True)

    made = asdict(boxed([Op.add, {"k": Op.mul, "l": Level.low}]))["a"]
    assert made[0] is Op.add and made[1]["k"] is Op.mul and made[1]["l"] is Level.low
    assert astuple(boxed(Op.mul)) == (Op.mul, 0)
    assert asdict(boxed(Op.add)) != asdict(boxed(Op.mul))
    assert asdict(boxed(Op.add), dict_factory=collections.OrderedDict)["a"] is Op.add
    for variant in (Op.add, Level.low):
        for convert in (asdict, astuple):
            with pytest.raises(TypeError, match=r"\(\) should be called on c_class / py_class"):
                convert(variant)


class Opaque:
    def __init__(self, value):
        self.value = value


def test_h6_builtin_containers_keep_their_type(boxed):
    pair = collections.namedtuple("pair", "x y")
    inner = boxed(Opaque(0))
    inner.a.value = collections.defaultdict(list, {"k": [pair(1, boxed(2))]})
    plain = common._plain(inner.a.value, lambda value: value.a, dict)
    assert type(plain) is collections.defaultdict and plain.default_factory is list
    assert type(plain["k"][0]) is pair and plain["k"][0] == pair(1, 2)


def test_h7_shapes_stay_shapes(boxed):
    shape = tvm_ffi.Shape((1, 2))
    assert asdict(boxed(shape))["a"] == shape == (1, 2)


def test_values_without_a_copy_are_passed_by_reference(boxed):
    @tvm_ffi.convert
    def function():
        return 1

    assert asdict(boxed(function))["a"].same_as(function)


def test_h8_named_tuples(boxed):
    made = common._make_namedtuple("N", fields(boxed))
    value = made(1, True)
    assert (value, value.a, type(value.b)) == ((1, 1), 1, int)
    assert isinstance(value, tuple) and made._fields == ("a", "b")
    assert made.__annotations__ == {"a": Any, "b": int}
    for action in (
        lambda: made(1, "x"),
        lambda: made._make([1, "x"]),
        lambda: value._replace(b="x"),
    ):
        with pytest.raises(TypeError) as raised:
            action()
        assert str(raised.value) == "N.b: type conversion failed for int: expected int, got str"
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'b'"):
        made(1)
    with pytest.raises(TypeError, match="Expected 2 arguments, got 1"):
        made._make([1])
    assert value._replace(b=5) == (1, 5)


def test_named_tuples_show_their_fields_in_the_signature(boxed):
    made = common._make_namedtuple("N", fields(boxed))
    assert str(inspect.signature(made)) == "(a, b)"
    assert str(inspect.signature(made.__new__)) == "(_cls, a, b)"
    assert made.__new__.__doc__ == "Create new instance of N(a, b)"
    for call in (lambda: made(1, 2, 3), lambda: made(1, c=2), lambda: made(1, 2, a=3)):
        with pytest.raises(TypeError, match=r"N.__new__\(\) (takes|got)"):
            call()


def test_h9_type_info(key, boxed):
    @py_class(key())
    class Child(boxed):
        c: str

    info, parent = Child.__tvm_ffi_type_info__, boxed.__tvm_ffi_type_info__
    assert [f.name for f in info.fields] == ["c"]
    assert info.type_ancestors == [64, parent.type_index]
    assert parent.type_ancestors == [64]
    assert info.parent_type_info is parent and info.type_cls is Child


def test_cycles_are_an_error(key):
    @py_class(key())
    class Node(tvm_ffi.Object):
        next: Any = None

    node = Node()
    node.next = [node]
    with pytest.raises(RecursionError):
        asdict(node)
    with pytest.raises(RecursionError):
        astuple(node)


# ---- constructors that restore objects ----


def test_constructor_restores_without_running_code(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        a: int
        b: int = field(default=5, init=False)
        c: int = field(init=False)
        k: int = field(default=1, kw_only=True)

        @init_property
        def z(self) -> int:
            raise RuntimeError

        def __post_init__(self):
            raise RuntimeError

    make = _make_constructor(A)
    assert (make.__name__, make.__module__) == ("A", __name__)
    obj = make(1, 2, c=3)
    assert (obj.a, obj.b, obj.c, obj.k, obj.z) == (1, 2, 3, 1, 0)
    assert (make(1).b, make(a=1, z=8).z) == (5, 8)
    with pytest.raises(TypeError, match="missing required argument: 'a'"):
        make()
    with pytest.raises(TypeError, match=r"A\(\) got an unexpected keyword argument 'q'"):
        make(1, q=1)
    with pytest.raises(TypeError, match=r"takes from 0 to 5 positional arguments but 6"):
        make(*range(6))
    with pytest.raises(TypeError, match=r"A\(\) got multiple values for argument 'a'"):
        make(1, a=2)


def test_constructor_options(boxed):
    make = _make_constructor(boxed, positional_fields=["b"], field_normalizers={"b": int})
    assert make("3", a="x").b == 3
    with pytest.raises(TypeError, match="from 0 to 1 positional"):
        make(1, 2)
    with pytest.raises(KeyError, match="zz"):
        _make_constructor(boxed, positional_fields=["zz"])
    with pytest.raises(KeyError, match="b"):
        _make_constructor(boxed, positional_fields=["b", "b"])
    with pytest.raises(TypeError, match="must be a c_class or py_class"):
        _make_constructor(int)


def test_constructor_of_a_native_class():
    @c_class("testing.TestCxxKwOnly")
    class A(tvm_ffi.Object):
        x: int
        y: int
        z: int
        w: int

    obj = _make_constructor(A)(1, 2, 3)
    assert (obj.x, obj.y, obj.z, obj.w) == (1, 2, 3, 100)


def test_fields_of_a_callable_and_optional(key):
    @py_class(key())
    class A(tvm_ffi.Object):
        f: Callable[[int], int]
        o: Optional[int] = None

    assert fields(A)[0].type == Callable[[int], int]
    assert A(len).f([1]) == 1


# ---- documentation


def test_a_class_without_a_docstring_inherits_no_documentation(key, boxed):
    @py_class(key())
    class Plain(boxed):
        x: float = 0.5

    expected = "Plain(a: Any = None, b: int = 0, x: float = 0.5)"
    assert Plain.__doc__ == inspect.getdoc(Plain) == inspect.getdoc(Plain()) == expected

    @py_class(key())
    class OwnInit(tvm_ffi.Object):
        x: int

        def __init__(self, text: str) -> None:
            self.x = int(text)

    assert inspect.getdoc(OwnInit).startswith("OwnInit(text: ")


def test_a_docstring_stays(key):
    @py_class(key())
    class Documented(tvm_ffi.Object):
        """A point."""

        x: int

    assert Documented.__doc__ == "A point."


def test_an_enum_shows_the_documentation_of_enums(key):
    @py_enum(key())
    class Mode(EnumObject):
        fast: ClassVar[Mode] = entry()

    assert inspect.getdoc(Mode) == inspect.getdoc(EnumObject)
