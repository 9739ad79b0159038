# SPDX-License-Identifier: Apache-2.0
"""Test names in annotations that are resolved immediately, later or never."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from typing import Generic, Optional, TypeVar

import pytest

import tvm_ffi
from tvm_ffi.dataclasses import field, fields, is_dataclass, py_class

T = TypeVar("T")


def test_c1_self_reference(key):
    @py_class(key())
    class Node(tvm_ffi.Object):
        value: int
        next: Optional[Node] = None
        others: list[Node] = field(default_factory=list)

    obj = Node(1, Node(2), [Node(3)])
    assert (obj.next.value, obj.others[0].value) == (2, 3)
    assert fields(Node)[1].type == Optional[Node]


def test_c2_mutual_references(key):
    @py_class(key())
    class MutualA(tvm_ffi.Object):
        b: Optional[MutualB]

    assert fields(MutualA) == ()

    @py_class(key())
    class MutualB(tvm_ffi.Object):
        a: Optional[MutualA]

    assert [f.name for f in fields(MutualA)] == ["b"]
    assert MutualA(MutualB(None)).b.a is None


def test_c3_unknown_name_defers(key):
    @py_class(key())
    class Waits(tvm_ffi.Object):
        a: NoSuchName1  # noqa: F821

    assert fields(Waits) == ()
    assert Waits.__tvm_ffi_type_info__.fields is None
    assert is_dataclass(Waits)
    assert not hasattr(Waits, "a")


def test_c4_constructing_a_deferred_class_names_what_is_missing(key):
    name = key()

    @py_class(name)
    class Waits(tvm_ffi.Object):
        a: Nope  # noqa: F821
        b: list[Nope2] = ()  # noqa: F821

    for _ in range(2):
        with pytest.raises(TypeError) as raised:
            Waits(1)
        assert str(raised.value) == (
            "Cannot instantiate Waits: unresolved forward references: "
            "[\"a: Nope (name 'Nope' is not defined)\", "
            "\"b: list[Nope2] (name 'Nope2' is not defined)\"]"
        )
    assert is_dataclass(Waits) and fields(Waits) == ()

    @py_class(name)
    class Good(tvm_ffi.Object):
        z: int

    assert Good(1).z == 1 and [f.name for f in fields(Good)] == ["z"]
    with pytest.raises(TypeError, match=f"the type key '{name}' was given to the class .*Good"):
        Waits(1)


def test_c4_name_that_appears_later_resolves_on_construction(key):
    @py_class(key())
    class Waits(tvm_ffi.Object):
        a: AppearsLater  # noqa: F821

    globals()["AppearsLater"] = int
    try:
        assert Waits(4).a == 4
        assert [f.name for f in fields(Waits)] == ["a"]
    finally:
        del globals()["AppearsLater"]


def test_a_use_that_is_too_early_changes_nothing(key):
    @py_class(key())
    class UsedEarly(tvm_ffi.Object):
        x: int
        peer: TargetOfEarly

    for _ in range(2):
        with pytest.raises(TypeError, match="unresolved forward references"):
            UsedEarly(1)

    @py_class(key())
    class TargetOfEarly(tvm_ffi.Object):
        pass

    assert [f.name for f in fields(UsedEarly)] == ["x", "peer"]
    made = UsedEarly(1, TargetOfEarly())
    assert made.x == 1 and isinstance(made.peer, TargetOfEarly)


def test_a_use_that_is_too_early_keeps_mutual_references(key):
    @py_class(key())
    class EarlyA(tvm_ffi.Object):
        b: Optional[EarlyB]

    with pytest.raises(TypeError, match="unresolved forward references"):
        EarlyA(None)

    @py_class(key())
    class EarlyB(tvm_ffi.Object):
        a: Optional[EarlyA]

    assert EarlyA(EarlyB(EarlyA(None))).b.a.b is None


def test_a_use_that_is_too_early_of_a_child(key):
    @py_class(key())
    class EarlyParent(tvm_ffi.Object):
        a: Optional[TargetOfParent]

    @py_class(key())
    class EarlyChild(EarlyParent):
        b: int

    for cls in (EarlyChild, EarlyParent):
        with pytest.raises(TypeError, match=r"unresolved .*TargetOfParent"):
            cls(None)

    @py_class(key())
    class TargetOfParent(tvm_ffi.Object):
        pass

    assert EarlyChild(TargetOfParent(), 2).b == 2


def test_a_name_that_is_first_an_undecorated_class(key):
    @py_class(key())
    class NeedsDecorated(tvm_ffi.Object):
        peer: Optional[LaterDecorated] = None  # noqa: F821

    @py_class(key())
    class ChildOfNeeds(NeedsDecorated):
        b: int = 0

    class Plain(tvm_ffi.Object):
        y: int = 0

    globals()["LaterDecorated"] = Plain
    try:
        for cls in (NeedsDecorated, NeedsDecorated, ChildOfNeeds):
            with pytest.raises(TypeError, match=r"Plain'> is not registered .* field `peer`"):
                cls()

        @py_class(key())
        class Unrelated(tvm_ffi.Object):
            pass

        globals()["LaterDecorated"] = py_class(key())(Plain)
        assert NeedsDecorated(Plain(3)).peer.y == 3
        assert ChildOfNeeds(Plain(3), 4).b == 4
    finally:
        del globals()["LaterDecorated"]


def test_c5_user_init_of_a_deferred_class(key):
    @py_class(key())
    class WaitsInit(tvm_ffi.Object):
        a: Optional[Target5]
        n: int

        def __init__(self, n):
            self.n = n * 2

    @py_class(key())
    class Target5(tvm_ffi.Object):
        x: int

    assert WaitsInit(4).n == 8
    assert str(inspect.signature(WaitsInit)) == "(n)"
    assert "__ffi_py_class_is_deferred_init__" not in vars(WaitsInit)


def test_c6_child_of_a_deferred_parent(key):
    @py_class(key())
    class WaitsParent(tvm_ffi.Object):
        a: Optional[Target6]

    @py_class(key())
    class WaitsChild(WaitsParent):
        b: int

    assert fields(WaitsChild) == () and fields(WaitsParent) == ()

    @py_class(key())
    class Target6(tvm_ffi.Object):
        x: int

    assert [f.name for f in fields(WaitsChild)] == ["a", "b"]
    parent, child = (c.__tvm_ffi_type_info__.fields for c in (WaitsParent, WaitsChild))
    assert child[0].offset >= parent[0].offset + parent[0].size
    obj = WaitsChild(Target6(3), 4)
    assert (obj.a.x, obj.b) == (3, 4)


def test_c6_child_of_a_parent_that_never_resolves(key):
    @py_class(key())
    class LostParent(tvm_ffi.Object):
        a: NoSuchName2  # noqa: F821

    @py_class(key())
    class LostChild(LostParent):
        b: int

    with pytest.raises(TypeError, match=r"Cannot instantiate LostChild: unresolved .*NoSuchName2"):
        LostChild(1, 2)
    with pytest.raises(TypeError, match="Cannot instantiate LostParent"):
        LostParent(1)


@pytest.fixture
def other_module(key):
    name = f"tests_other_{key('m').replace('.', '_')}"
    module = sys.modules[name] = types.ModuleType(name)
    yield module
    del sys.modules[name]


def test_c7_names_of_other_modules(key, other_module):
    program = "class CrossModuleTarget(Object):\n    x: int\n"
    vars(other_module).update(Object=tvm_ffi.Object)
    exec(program, vars(other_module))
    py_class(key())(other_module.CrossModuleTarget)

    @py_class(key())
    class User(tvm_ffi.Object):
        a: CrossModuleTarget  # noqa: F821

    assert User(other_module.CrossModuleTarget(2)).a.x == 2


def test_c8_other_errors_are_raised_immediately(key):
    name = key()
    for annotation, error in (("1 / 0", ZeroDivisionError), ("int +", SyntaxError)):
        body = {"__annotations__": {"a": annotation}, "__module__": __name__}
        with pytest.raises(error):
            py_class(name)(type(tvm_ffi.Object)("Bad", (tvm_ffi.Object,), body))
    assert py_class(name)(type(tvm_ffi.Object)("Good", (tvm_ffi.Object,), {}))() is not None


def test_errors_beside_an_unknown_name_are_listed_when_the_class_is_used(key):
    annotations = {"y": "NotYetKnown", "x": "len(1)", "z": "1 / 0", "w": "int"}
    body = {"__annotations__": annotations, "__module__": __name__}
    cls = py_class(key())(type(tvm_ffi.Object)("Beside", (tvm_ffi.Object,), body))
    for _ in range(2):
        with pytest.raises(TypeError) as caught:
            cls(1, 2, 3, 4)
        for line in (
            "y: NotYetKnown (name 'NotYetKnown' is not defined)",
            "x: len(1) (object of type 'int' has no len())",
            "z: 1 / 0 (division by zero)",
        ):
            assert line in str(caught.value)
        assert "w: int" not in str(caught.value)
    globals()["NotYetKnown"] = int
    try:
        with pytest.raises(TypeError, match="no len"):
            cls(1, 2, 3, 4)
    finally:
        del globals()["NotYetKnown"]


def test_c9_generic_classes(key):
    @py_class(key())
    class Box(tvm_ffi.Object, Generic[T]):
        x: int

    @py_class(key())
    class Holder(tvm_ffi.Object):
        a: Box[int]
        b: typing.List[Box[str]]  # noqa: UP006

    assert Box[int](3).x == 3
    assert Holder(Box(1), [Box(2)]).b[0].x == 2


def test_nested_forward_references_of_evaluated_annotations(key):
    @py_class(key())
    class Deep(tvm_ffi.Object):
        pass

    forms = {
        "a": typing.Optional["Deep"],
        "b": typing.Dict[str, "typing.List[Deep]"],  # noqa: UP006
        "c": typing.Callable[["Deep"], "Deep"],
        "d": list["Deep"],
        "e": tuple["Deep", ...],
    }
    body = {"__annotations__": forms, "__module__": __name__}
    cls = py_class(key())(type(tvm_ffi.Object)("User", (tvm_ffi.Object,), body))
    types_of = {f.name: f.type for f in fields(cls)}
    assert types_of["a"] == Optional[Deep]
    assert types_of["b"] == typing.Dict[str, typing.List[Deep]]  # noqa: UP006
    assert types_of["c"] == typing.Callable[[Deep], Deep]
    assert types_of["d"] == list[Deep] and types_of["e"] == tuple[Deep, ...]


def test_class_of_the_same_module_wins_over_other_modules(key, other_module):
    vars(other_module).update(Object=tvm_ffi.Object)
    exec("class SameName(Object):\n    x: int\n", vars(other_module))
    py_class(key())(other_module.SameName)

    @py_class(key())
    class SameName(tvm_ffi.Object):
        y: int

    @py_class(key())
    class User(tvm_ffi.Object):
        a: SameName

    assert fields(User)[0].type is SameName


def test_error_in_a_deferred_class_is_its_own(key):
    @py_class(key())
    class WaitsBad(tvm_ffi.Object):
        a: Optional[Target10]
        b: Target10.attribute  # the class has this attribute, but it is not a type

    @py_class(key())
    class Target10(tvm_ffi.Object):
        x: int
        attribute = {"no": "type"}  # noqa: RUF012

    assert Target10(1).x == 1
    with pytest.raises(TypeError, match="Cannot convert"):
        WaitsBad(None, 1)


def test_waiting_classes_are_not_evaluated_for_every_new_class(key):
    evaluated = []

    class Spy:
        def __getattr__(self, name):
            evaluated.append(name)
            return int

    @py_class(key())
    class WaitsLong(tvm_ffi.Object):
        a: SpyOfModule.x  # noqa: F821
        b: NeverThere  # noqa: F821

    globals()["SpyOfModule"] = Spy()
    try:
        for number in range(5):
            body = {"__module__": __name__, "__annotations__": {"x": int}}
            py_class(key())(type(tvm_ffi.Object)(f"Other{number}", (tvm_ffi.Object,), body))
        assert evaluated == []
        globals()["NeverThere"] = float
        assert WaitsLong(1, 2.0).b == 2.0
        assert evaluated
    finally:
        del globals()["SpyOfModule"]
        globals().pop("NeverThere", None)


def test_a_hook_of_a_deferred_class_defines_another_class():
    """Check that the other registration does not complete the class that runs the hook again."""

    @py_class("test.resolve.Hooked")
    class Hooked(tvm_ffi.Object):
        later: LaterThanHook | None = None

        @staticmethod
        def hook(info, fields):
            @py_class("test.resolve.MadeByHook")
            class MadeByHook(tvm_ffi.Object):
                x: int

        hook.__func__.__ffi_on_fields_resolved__ = True

    @py_class("test.resolve.LaterThanHook")
    class LaterThanHook(tvm_ffi.Object):
        y: int = 1

    assert Hooked(LaterThanHook()).later.y == 1
