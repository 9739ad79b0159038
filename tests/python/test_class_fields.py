# SPDX-License-Identifier: Apache-2.0
"""Test field descriptors, initializers and records of classes defined in Python."""

from __future__ import annotations

import ctypes
import gc
import inspect
import weakref
from collections.abc import Callable
from typing import Any, Optional

import pytest

import tvm_ffi
from tvm_ffi import core
from tvm_ffi.dataclasses import field, py_class


@py_class("classfields.Point")
class Point(tvm_ffi.Object):
    x: int
    y: float = field(default=1.5, frozen=True, doc="How high.")
    tags: list[Any] = field(default_factory=list)


@py_class("classfields.Frozen", frozen=True)
class Frozen(tvm_ffi.Object):
    a: int


class Subclass(Point):
    pass


# ---- 3.1 descriptors ----


def test_g3_descriptor_is_a_property():
    assert isinstance(Point.x, property) and isinstance(Point.x, core.FFIProperty)
    point = Point(1)
    assert Point.x.fget(point) == 1
    Point.x.fset(point, 2)
    assert point.x == 2
    assert Point.y.fset is None and Frozen.a.fset is None
    assert Point.x.fdel is None
    assert Point.x.fget is Point.x.fget
    assert (Point.x.fget.__name__, Point.x.fget.__qualname__) == ("x", "Point.x")
    assert Point.x.fset.__module__ == __name__
    assert Point.y.__doc__ == "How high." and Point.x.__doc__ is None
    assert Point.__tvm_ffi_type_info__.fields[1].doc == "How high."


def test_g1_frozen_field_refuses_assignment_and_deletion():
    frozen = Frozen(1)
    with pytest.raises(AttributeError, match="has no setter"):
        frozen.a = 2
    with pytest.raises(AttributeError, match="has no deleter"):
        del frozen.a
    with pytest.raises(AttributeError, match="has no deleter"):
        del Point(1).x
    with pytest.raises(AttributeError, match="has no setter"):
        Point(1).y = 2.0
    assert frozen.a == 1


def test_g2_set_writes_with_conversion():
    frozen = Frozen(1)
    Frozen.a.set(frozen, True)
    assert frozen.a == 1 and type(frozen.a) is int
    Frozen.a.set(frozen, 7)
    assert frozen.a == 7
    with pytest.raises(
        TypeError, match=r"^expected int, got str for field `a` of `classfields.Frozen`$"
    ):
        Frozen.a.set(frozen, "x")
    with pytest.raises(AttributeError):
        frozen.a = 1
    assert frozen.a == 7


def test_k13_failed_assignment_keeps_the_old_value():
    point = Point(1)
    with pytest.raises(
        TypeError, match=r"^expected int, got str for field `x` of `classfields.Point`$"
    ):
        point.x = "q"
    with pytest.raises(
        TypeError, match=r"^expected List, got int for field `tags` of `classfields.Point`$"
    ):
        point.tags = 3
    assert point.x == 1 and list(point.tags) == []


def test_d20_field_of_an_empty_instance_raises():
    empty = Point.__new__(Point)
    assert repr(empty) == "Point(chandle=None)"
    with pytest.raises(AttributeError, match=r"field 'x' of 'Point'.*empty"):
        empty.x  # noqa: B018
    with pytest.raises(AttributeError, match=r"field 'x' of 'Point'.*empty"):
        empty.x = 1
    with pytest.raises(AttributeError, match="empty"):
        Point.y.set(empty, 1.0)


@pytest.mark.parametrize("wrong", [3, None, Frozen(1), tvm_ffi.Array([1]), object()])
def test_descriptor_refuses_other_objects(wrong):
    for use in (Point.x.fget, lambda obj: Point.x.set(obj, 1), Point.x.get):
        with pytest.raises((TypeError, AttributeError)):
            use(wrong)


def test_field_of_a_subclass_instance():
    one = Subclass(4)
    assert (one.x, type(one)) == (4, Subclass)
    assert tvm_ffi.Array([one])[0] is one
    one.x = 5
    assert Point.x.fget(one) == 5


def test_property_of_python_functions():
    stored = []
    prop = core.FFIProperty(lambda obj: 7, lambda obj, value: stored.append(value), True, doc="d")

    class Owner:
        p = prop

    owner = Owner()
    assert owner.p == 7 and prop.fset is None and prop.__doc__ == "d"
    with pytest.raises(AttributeError):
        owner.p = 1
    prop.set(owner, 2)
    assert stored == [2]
    free = core.FFIProperty(lambda obj: 7, lambda obj, value: stored.append(value), False)
    Owner.q = free
    owner.q = 3
    assert stored == [2, 3]
    with pytest.raises(TypeError):
        core.FFIProperty()
    with pytest.raises(TypeError):
        Point.x.__init__(None, None, False)


def test_descriptors_are_collected():
    class Marker:
        pass

    def make():
        marker = Marker()
        prop = core.FFIProperty(lambda obj: marker, None, False)
        prop.__doc__ = prop
        return weakref.ref(marker)

    gone = make()
    gc.collect()
    assert gone() is None


# ---- reading back, identity ----


def test_reading_back():
    @py_class("classfields.Read")
    class Read(tvm_ffi.Object):
        text: str
        raw: bytes
        pointer: ctypes.c_void_p
        dtype: tvm_ffi.dtype
        device: tvm_ffi.Device
        function: Callable[..., Any]
        opaque: Any
        nothing: Optional[int] = None

    marker = object()
    read = Read("s" * 20, b"b", ctypes.c_void_p(16), "float32", "cpu:0", lambda: 3, marker)
    assert read.text == "s" * 20 and type(read.text) is tvm_ffi.core.String
    assert read.raw == b"b" and type(read.raw) is bytes
    assert read.pointer.value == 16
    assert read.dtype == "float32" and str(read.device) == "cpu:0"
    assert type(read.function) is tvm_ffi.Function and read.function() == 3
    assert read.opaque is marker and read.nothing is None
    read.text = "short"
    assert type(read.text) is str
    read.nothing = 5
    assert read.nothing == 5


def test_setting_runs_code_that_empties_the_object():
    point = Point(1)

    class Sly:
        def __tvm_ffi_int__(self):
            point._move()
            other = Point.__new__(Point)
            other.__move_handle_from__(point)
            return 3

    with pytest.raises((AttributeError, ValueError), match=r"empty|changed"):
        point.x = Sly()
    assert point.__chandle__() == 0


# ---- 4 construction ----


def test_exceptions_of_user_code_pass_as_they_are():
    class Mine(Exception):
        pass

    mine = Mine("x")

    def fail():
        raise mine

    @py_class("classfields.Failing")
    class Failing(tvm_ffi.Object):
        a: Any = field(default_factory=fail)

    with pytest.raises(Mine) as caught:
        Failing()
    assert caught.value is mine


def test_keyword_names_that_are_not_interned():
    name = "".join(["t", "ags"])
    assert list(Point(1, **{name: [3]}).tags) == [3]


def test_many_fields_and_keywords():
    names = [f"f{i}" for i in range(200)]
    body = {"__annotations__": dict.fromkeys(names, int), "__module__": __name__}
    Wide = py_class("classfields.Wide")(type(tvm_ffi.Object)("Wide", (tvm_ffi.Object,), body))
    wide = Wide(*range(100), **{name: i for i, name in reversed(list(enumerate(names))[100:])})
    assert [getattr(wide, name) for name in names] == list(range(200))


def test_construction_by_both_call_paths_is_the_same():
    short = Point(1, tags=[2])
    long = Point.__new__(Point)
    assert long.__init__(1, tags=[2]) is None
    native = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")(
        Point.__tvm_ffi_type_info__.type_index, "x", 1, "tags", [2]
    )
    init = core._lookup_type_attr(Point.__tvm_ffi_type_info__.type_index, "__ffi_init__")
    packed = init(1, core.KWARGS, "tags", [2])
    assert [repr(x) for x in (short, long, packed)] == [repr(short)] * 3
    assert repr(native.tags) == repr(short.tags)
    for wrong in ((), ("s",), (1, 2, 3, 4)):
        with pytest.raises(TypeError) as from_class:
            Point(*wrong)
        with pytest.raises(TypeError) as from_native:
            init(*wrong)
        assert str(from_class.value) == str(from_native.value)


def test_ffi_init_replaces_the_fields(use_count):
    probe = tvm_ffi.Array([1])

    @py_class("classfields.Replaced")
    class Replaced(tvm_ffi.Object):
        a: Any

    made = Replaced(probe)
    made.__ffi_init__(3)
    assert made.a == 3 and use_count(probe) == 1


def test_d2_signature():
    parameters = "x: int, y: float = 1.5, tags: collections.abc.Sequence[typing.Any] = <factory>"
    assert str(inspect.signature(Point)) == f"({parameters})"
    assert str(inspect.signature(Point.__init__)) == f"(self, {parameters})"
    # The signature shows a placeholder for the factory. Passing the placeholder has the same effect
    # as omitting the argument.
    bound = inspect.signature(Point).bind(1)
    bound.apply_defaults()
    assert Point(*bound.args).tags == Point(1).tags
    assert str(inspect.signature(Point.__ffi_init__)) == "(self, /, *args, **kwargs)"
    assert Point.__init__.__qualname__ == "Point.__init__"
    assert Point.__init__.__module__ == __name__


def test_replaced_init_is_used():
    @py_class("classfields.Patched")
    class Patched(tvm_ffi.Object):
        a: int

    original = Patched.__init__

    def init(self, a):
        original(self, a + 1)

    Patched.__init__ = init
    assert Patched(1).a == 2
    Patched.__init__ = original
    assert Patched(1).a == 1


def test_endless_construction_ends():
    @py_class("classfields.Endless")
    class Endless(tvm_ffi.Object):
        a: Any = field(default_factory=lambda: Endless())

    with pytest.raises(RecursionError):
        Endless()


def test_endless_construction_without_python_frames_ends():
    @py_class("classfields.Endless2")
    class Endless(tvm_ffi.Object):
        a: Any = field(default_factory=lambda: None)

    # The factory is a class, so no Python function runs between two constructions.
    @py_class("classfields.Endless3")
    class Deep(tvm_ffi.Object):
        a: Any = field(default_factory=Endless)

        def __post_init__(self):
            Deep()

    with pytest.raises(RecursionError):
        Deep()


def test_defaults_are_shared_only_where_they_can_be(use_count):
    shared = tvm_ffi.List([1])

    @py_class("classfields.Defaults")
    class Defaults(tvm_ffi.Object):
        a: list[int] = [1, 2]  # noqa: RUF012
        b: Any = shared
        c: str = "a text of some length"
        d: dict[str, int] = {"k": 1}  # noqa: RUF012
        e: float = 3

    one, two = Defaults(), Defaults()
    assert not one.a.same_as(two.a) and list(one.a) == [1, 2]
    assert not one.d.same_as(two.d)
    assert one.b is two.b is shared
    assert one.c == two.c == "a text of some length" and one.e == 3.0
    one.a.append(3)
    assert list(Defaults().a) == [1, 2]
    before = use_count(shared)
    del one, two
    assert use_count(shared) == before - 2


# ---- copy and replace ----


def test_copy_of_an_empty_instance():
    with pytest.raises(ValueError, match="empty"):
        Point.__new__(Point).__copy__()


def test_copy_keeps_an_unregistered_class():
    assert type(Subclass(1).__copy__()) is Subclass


@py_class("classfields.Containers")
class Containers(tvm_ffi.Object):
    a: tvm_ffi.Array[Any] = ()
    lst: list[Any] = field(default_factory=list)
    d: dict[Any, Any] = field(default_factory=dict)
    t: tuple[Any, Any] = (1, 2)


def test_a_field_keeps_a_container_whose_elements_may_be_anything():
    a, lst, d = tvm_ffi.Array([1, "x"]), tvm_ffi.List([1, None]), tvm_ffi.Dict({"x": 1})
    x = Containers(a, lst, d)
    assert x.a.same_as(a) and x.lst.same_as(lst) and x.d.same_as(d)
    y = Containers(lst, a, tvm_ffi.Map({1: 2}))  # the other container of each kind: converted
    assert [type(y.a), type(y.lst), type(y.d)] == [type(a), type(lst), type(d)]
    assert (list(y.a), list(y.lst), dict(y.d)) == ([1, None], [1, "x"], {1: 2})
    with pytest.raises(TypeError, match="field 'lst'"):
        Containers(lst=tvm_ffi.Map({}))
    with pytest.raises(TypeError, match="length 2"):
        Containers(t=tvm_ffi.Array([1]))
    tvm_ffi.convert(lambda value: None)(lst._move())
    with pytest.raises((TypeError, ValueError)):
        Containers(lst=lst)


def test_a_short_text_keeps_every_character():
    for text in ("", "a", "a\0b", "abcd", "abcdefg", "abcdefgh", "\x7f" * 7, "\xe9"):
        x = Containers([text, text], lst=(text,), t=(text, None))
        assert (*x.a, *x.lst, *x.t) == (text, text, text, text, None)
