# SPDX-License-Identifier: Apache-2.0
"""Test objects: handles, identity, construction, fields, methods, and their classes."""

from __future__ import annotations

import abc
import copy
import gc
import inspect
import sys
import threading
import types
import weakref

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.testing import TestIntPair, TestObjectBase

# ---- the handle ----


@pytest.mark.spec("PY-B13", "PY-B14", "PY-B17")
def test_handle_in_all_its_forms():
    pair = TestIntPair(1, 2)
    handle = pair.__chandle__()
    assert handle != 0
    assert pair.id_ == handle
    assert pair.__ctypes_handle__().value == handle
    assert hash(pair) == handle


@pytest.mark.spec("PY-B14", "PY-B27")
def test_empty_object():
    empty = TestIntPair.__new__(TestIntPair)
    assert empty.__chandle__() == 0
    assert empty.__ctypes_handle__().value is None
    assert repr(empty) == str(empty) == "TestIntPair(chandle=None)"
    assert hash(empty) == 0
    assert empty.same_as(TestIntPair.__new__(TestIntPair))
    del empty


@pytest.mark.spec("PY-B29")
@pytest.mark.parametrize(
    "cls", [TestIntPair, core.Tensor, core.Function, core.Error, tvm_ffi.Array]
)
def test_empty_object_is_refused_everywhere(cls, echo, apply):
    empty = cls.__new__(cls)
    with pytest.raises(ValueError, match="is empty"):
        echo(empty)
    with pytest.raises(ValueError, match="is empty"):
        echo([1, empty])
    with pytest.raises(ValueError, match="is empty"):
        apply(lambda: empty)


def test_members_of_an_empty_object_are_refused():
    empty = TestObjectBase.__new__(TestObjectBase)
    with pytest.raises(AttributeError, match="is empty"):
        empty.v_i64  # noqa: B018
    with pytest.raises(AttributeError, match="is empty"):
        empty.v_i64 = 5
    with pytest.raises(ValueError, match="is empty"):
        empty.add_i64(1)


@pytest.mark.spec("PY-B24")
def test_moved_object_is_empty(echo):
    pair = TestIntPair(1, 2)
    reference = pair._move()
    assert type(reference) is core.ObjectRValueRef
    assert reference.obj is pair
    assert echo(reference).b == 2
    assert pair.__chandle__() == 0
    with pytest.raises(AttributeError, match="is empty"):
        pair.a  # noqa: B018
    with pytest.raises(ValueError, match="is empty"):
        echo(pair)
    with pytest.raises((ValueError, TypeError)):
        echo(reference)


def test_rvalue_reference_of_something_else_is_refused(echo):
    with pytest.raises(TypeError):
        echo(core.ObjectRValueRef(5))


@pytest.mark.spec("PY-B25", "PY-B26")
def test_move_handle_from(use_count):
    first, second = TestIntPair(1, 2), TestIntPair(3, 4)
    alias = tvm_ffi.Array([first])
    first.__move_handle_from__(second)
    assert (first.a, second.__chandle__()) == (3, 0)
    assert use_count(alias[0]) == 1 + 1
    with pytest.raises(TypeError):
        first.__move_handle_from__(3)
    assert first.a == 3


# ---- identity and equality ----


@pytest.mark.spec("PY-B15")
def test_same_as():
    one, other = TestIntPair(1, 2), TestIntPair(1, 2)
    assert one.same_as(one)
    assert one.is_(one)
    for value in (other, None, 5, object(), TestIntPair):
        assert one.same_as(value) is False
        assert one.is_(value) is False


@pytest.mark.spec("PY-B16")
def test_equality_is_identity_of_the_handle():
    one, other = TestIntPair(1, 2), TestIntPair(1, 2)
    assert (one == one) is True
    assert (one != one) is False
    assert (one == other) is False
    for value in (None, 5, "x", object(), [one]):
        assert (one == value) is False
        assert (one != value) is True
        assert one.__eq__(value) is False
    assert len({one, other, one}) == 2


@pytest.mark.spec("PY-B18", "PY-B19")
def test_live_wrapper_comes_back(echo):
    pair = TestIntPair(1, 2)
    assert echo(pair) is pair
    array = tvm_ffi.Array([pair, [pair]])
    assert array[0] is array[1][0] is next(iter(array)) is pair
    assert array[1] is array[1]
    handle = pair.__chandle__()
    del pair
    assert array[0].__chandle__() == handle
    derived = tvm_ffi.testing.TestObjectDerived(v_map={"a": 1}, v_array=[1])
    kept = derived.v_map
    assert derived.v_map is kept


def test_native_reference_dies_with_the_wrapper(use_count, echo):
    pair = TestIntPair(1, 2)
    assert use_count(pair) == 1
    result = echo([pair, [pair]])
    assert use_count(pair) == 3
    del result
    assert use_count(pair) == 1


def test_wrappers_die_without_the_collector():
    died = []

    class Watched(tvm_ffi.Object):
        def __del__(self):
            died.append(1)

    gc.disable()
    try:
        watched = Watched.__new__(Watched)
        watched.__init_handle_by_constructor__(tvm_ffi.convert(lambda: TestIntPair(1, 2)))
        del watched
    finally:
        gc.enable()
    assert died == [1]


def test_last_reference_may_die_on_another_thread(apply):
    class Payload:
        pass

    payload = Payload()
    gone = weakref.ref(payload)
    box = [tvm_ffi.Array([payload])]
    del payload
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()
    assert gone() is None


# ---- construction ----


@pytest.mark.spec("PY-B53")
def test_constructor_counts_and_types():
    assert (TestIntPair(1, 2).a, TestIntPair(1, 2).b) == (1, 2)
    with pytest.raises(TypeError, match="Expected 2 but got 1 arguments"):
        TestIntPair(1)
    with pytest.raises(TypeError, match=r"Expected `int` but got `str`"):
        TestIntPair(1, "x")
    with pytest.raises(TypeError):
        TestIntPair(a=1, b=2)


@pytest.mark.spec("PY-B55")
def test_generated_constructor():
    assert TestObjectBase().v_i64 == 10
    made = TestObjectBase(1, v_str="a string of some length")
    assert (made.v_i64, made.v_f64, made.v_str) == (1, 10.0, "a string of some length")
    assert TestObjectBase(v_i64=core.MISSING).v_i64 == 10
    for bad in ({"nope": 1}, {"v_i64": "x"}):
        with pytest.raises(TypeError, match=r"testing\.TestObjectBase\.__ffi_init__\(\)"):
            TestObjectBase(**bad)
    with pytest.raises(TypeError, match="multiple values"):
        TestObjectBase(1, v_i64=2)
    with pytest.raises(TypeError, match="takes at most 3 positional"):
        TestObjectBase(1, 2.0, "s", 4)


def test_construction_without_arguments_equals_the_general_call_path():
    short, general = TestObjectBase(), TestObjectBase(v_i64=core.MISSING)
    assert [short.v_i64, short.v_f64, short.v_str] == [10, 10.0, "hello"]
    assert [general.v_i64, general.v_f64, general.v_str] == [10, 10.0, "hello"]
    assert not short.same_as(TestObjectBase())


@pytest.mark.spec("PY-B56")
def test_signature_of_the_constructor():
    parameters = inspect.signature(TestObjectBase.__init__).parameters
    assert list(parameters) == ["self", "v_i64", "v_f64", "v_str"]
    assert [p.default for p in list(parameters.values())[1:]] == [10, 10.0, "hello"]
    assert [p.annotation for p in list(parameters.values())[1:]] == [int, float, str]
    assert list(inspect.signature(TestIntPair.__init__).parameters) == ["self", "a", "b"]
    assert TestIntPair.__init__.__qualname__ == "TestIntPair.__init__"


@pytest.mark.spec("PY-B57")
def test_unregistered_subclass_constructs_like_its_base(echo):
    class Sub(TestIntPair):
        def total(self):
            return self.a + self.b

    class WithInit(TestIntPair):
        def __init__(self, both):
            super().__init__(both, both)

    sub = Sub(1, 2)
    assert (type(sub), sub.total(), echo(sub) is sub) == (Sub, 3, True)
    assert (WithInit(4).a, WithInit(4).b) == (4, 4)


def test_subclass_with_new_and_post_init():
    calls = []

    class WithNew(TestIntPair):
        def __new__(cls, *args):
            calls.append(args)
            return super().__new__(cls)

    assert WithNew(1, 2).b == 2
    assert calls == [(1, 2)]


@pytest.mark.spec("PY-B58")
def test_never_registered_class_makes_empty_objects():
    class Unregistered(tvm_ffi.Object):
        pass

    assert Unregistered().__chandle__() == 0


@pytest.mark.spec("PY-B30", "PY-B33")
def test_init_handle_by_constructor(use_count):
    made = []

    @tvm_ffi.convert
    def make(a, b):
        made.append(TestIntPair(a, b))
        return made[-1]

    pair = TestIntPair.__new__(TestIntPair)
    pair.__init_handle_by_constructor__(make, 1, 2)
    assert (pair.a, pair.b) == (1, 2)
    first = made[0]
    pair.__init_handle_by_constructor__(make, 3, 4)
    assert (pair.a, pair.b) == (3, 4)
    assert use_count(first) == 1


@pytest.mark.spec("PY-B31")
def test_failing_constructor_leaves_an_empty_object():
    @tvm_ffi.convert
    def fail():
        raise KeyError("no")

    pair = TestIntPair(1, 2)
    with pytest.raises(KeyError, match="no"):
        pair.__init_handle_by_constructor__(fail)
    raiser = tvm_ffi.get_global_func("testing.test_raise_error")
    with pytest.raises(IndexError, match="m"):
        pair.__init_handle_by_constructor__(raiser, "IndexError", "m")
    assert repr(pair) == "TestIntPair(chandle=None)"


@pytest.mark.spec("PY-B32")
def test_constructor_must_make_an_object():
    pair = TestIntPair.__new__(TestIntPair)
    for value in (5, None, 1.5, "short"):
        with pytest.raises(TypeError, match="must return an object"):
            pair.__init_handle_by_constructor__(tvm_ffi.convert(lambda value=value: value))
    with pytest.raises(TypeError):
        pair.__init_handle_by_constructor__(lambda: TestIntPair(1, 2))
    assert pair.__chandle__() == 0


# ---- fields and methods ----


def test_fields_are_read_and_written():
    base = TestObjectBase()
    base.v_i64 = -5
    base.v_str = "another string of some length"
    assert (base.v_i64, base.v_str) == (-5, "another string of some length")
    base.v_i64 = True
    assert base.v_i64 == 1


@pytest.mark.spec("PY-B49")
def test_read_only_field():
    base = TestObjectBase()
    with pytest.raises(AttributeError):
        base.v_f64 = 1.5
    assert base.v_f64 == 10.0
    TestObjectBase.v_f64.set(base, 1.5)
    assert base.v_f64 == 1.5


@pytest.mark.spec("PY-B50")
@pytest.mark.parametrize("bad", ["x", None, 1.5, [1]])
def test_wrong_type_for_a_field(bad):
    base = TestObjectBase()
    with pytest.raises(TypeError, match=r"Cannot convert from type `.*` to `int`"):
        base.v_i64 = bad
    assert base.v_i64 == 10


@pytest.mark.spec("PY-B51")
def test_field_cannot_be_deleted_and_others_cannot_be_added():
    base = TestObjectBase()
    with pytest.raises(AttributeError):
        del base.v_i64
    with pytest.raises(AttributeError):
        base.other = 1


def test_field_of_another_class_is_refused():
    pair = TestIntPair(1, 2)
    with pytest.raises(TypeError):
        TestObjectBase.v_i64.__get__(pair)
    with pytest.raises(TypeError):
        TestObjectBase.v_i64.__set__(5, 1)


@pytest.mark.spec("PY-B47", "PY-B48")
def test_documentation_of_members():
    assert TestObjectBase.v_i64.__doc__ == "i64 field"
    assert TestObjectBase.v_f64.__doc__ is None
    assert TestObjectBase.add_i64.__doc__ == "add_i64 method"
    assert TestObjectBase.add_i64.__name__ == "add_i64"
    assert TestObjectBase.add_i64.__qualname__ == "TestObjectBase.add_i64"


@pytest.mark.spec("PY-B52")
def test_methods():
    base = TestObjectBase(5)
    assert base.add_i64(3) == 8
    assert TestObjectBase.add_i64(base, 3) == 8
    bound = base.add_i64
    assert bound(1) == 6
    with pytest.raises(TypeError, match=r"testing\.TestObjectBase\.add_i64.*Expected 2 but got 1"):
        base.add_i64()
    with pytest.raises(TypeError, match=r"argument #1 .*Expected `int` but got `str`"):
        base.add_i64("x")
    with pytest.raises(TypeError):
        base.add_i64(other=1)
    with pytest.raises(TypeError):
        TestObjectBase.add_i64(TestIntPair(1, 2), 3)


def test_repr():
    assert repr(TestIntPair(1, 2)) == "testing.TestIntPair(a=1, b=2)"
    text = 'testing.TestObjectBase(v_i64=10, v_f64=10, v_str="hello")'
    assert str(TestObjectBase()) == text


# ---- classes ----


@pytest.mark.spec("PY-B35", "PY-B40")
def test_class_without_slots_has_none():
    class Plain(tvm_ffi.Object):
        pass

    assert vars(Plain)["__slots__"] == ()
    assert not {"__dict__", "__weakref__"} & set(vars(Plain))
    with pytest.raises(AttributeError):
        Plain().attribute = 1
    for value in (Plain(), TestIntPair(1, 2), tvm_ffi.Array([]), core.Error("a", "b", "")):
        with pytest.raises(TypeError):
            weakref.ref(value)
    assert Plain.__basicsize__ == tvm_ffi.Object.__basicsize__


@pytest.mark.spec("PY-B36", "PY-B37", "PY-B38")
def test_class_may_ask_for_attributes_slots_and_weak_references():
    class WithDict(tvm_ffi.Object):
        __slots__ = ("__dict__",)

    class WithSlot(TestIntPair):
        __slots__ = ("session",)

        def __init__(self, other):
            self.__move_handle_from__(other)
            self.session = "kept"

    class WithWeakref(tvm_ffi.Object):
        __slots__ = ("__weakref__",)

    class Mixin:
        pass

    class Mixed(Mixin, tvm_ffi.Object):
        pass

    for cls in (WithDict, Mixed):
        made = cls()
        made.attribute = 1
        assert made.attribute == 1
    stolen = WithSlot(TestIntPair(1, 2))
    assert (stolen.session, stolen.b) == ("kept", 2)
    weak = WithWeakref()
    assert weakref.ref(weak)() is weak


def test_tensor_subclass_has_the_size_of_its_base():
    class Mine(core.Tensor):
        __slots__ = ()

    assert Mine.__basicsize__ == core.Tensor.__basicsize__


@pytest.mark.spec("PY-B39")
def test_abstract_methods_are_enforced():
    class Interface(abc.ABC):
        @abc.abstractmethod
        def method(self): ...

    class Abstract(Interface, tvm_ffi.Object):
        pass

    class Concrete(Abstract):
        def method(self):
            return 1

    with pytest.raises(TypeError, match="abstract"):
        Abstract()
    assert Concrete().method() == 1


@pytest.mark.spec("PY-B42", "PY-B44")
def test_instance_and_subclass_checks_follow_the_tree():
    derived = tvm_ffi.testing.TestObjectDerived
    assert issubclass(derived, TestObjectBase)
    assert not isinstance(TestIntPair(1, 2), TestObjectBase)
    assert isinstance(TestIntPair(1, 2), core.CObject)
    assert not issubclass(core.Tensor, tvm_ffi.Object)
    for cls in (tvm_ffi.Object, core.Function, core.Tensor):
        with pytest.raises(TypeError):
            cls[int]


class Registering(tvm_ffi.Object):
    """A class with virtual subclasses, as ``abc.ABCMeta.register`` makes them."""


class Outsider:
    pass


class Hooked(tvm_ffi.Object):
    @classmethod
    def __subclasshook__(cls, other):
        return other.__name__ == "Outsider"


class HookedChild(Hooked):
    pass


class Picky(type(tvm_ffi.Object)):
    def __subclasscheck__(cls, other):
        return other is Outsider


class Picked(tvm_ffi.Object, metaclass=Picky):
    pass


class PickedChild(Picked):
    pass


class Pretender:
    __class__ = TestIntPair


Registering.register(Outsider)

CHECKED = [tvm_ffi.Object, TestObjectBase, tvm_ffi.List, Registering, Hooked, HookedChild, Picked]
CHECKING = [*CHECKED, TestIntPair, Outsider, PickedChild, tvm_ffi.testing.TestObjectDerived, int]


@pytest.mark.parametrize("cls", CHECKED)
@pytest.mark.parametrize("other", CHECKING)
def test_inheritance_answers_as_abcmeta_would(cls, other):
    if cls is not Picked:
        assert issubclass(other, cls) == abc.ABCMeta.__subclasscheck__(cls, other)
    instance = other.__new__(other)
    if type(instance) is not cls:  # otherwise Python does not call __instancecheck__
        assert isinstance(instance, cls) == abc.ABCMeta.__instancecheck__(cls, instance)


def test_checks_that_inheritance_does_not_answer():
    assert issubclass(Outsider, Registering) and isinstance(Outsider(), tvm_ffi.Object)
    assert issubclass(Outsider, Hooked) and not issubclass(HookedChild, Hooked)
    assert not isinstance(HookedChild.__new__(HookedChild), Hooked)
    assert not isinstance(PickedChild.__new__(PickedChild), Picked)
    assert isinstance(Pretender(), tvm_ffi.Object) and not isinstance(Pretender(), TestObjectBase)
    with pytest.raises(TypeError):
        issubclass(1, tvm_ffi.Object)


def rejects(cls, x):
    """Return whether ``x`` is not an instance of the class, in the first and in later checks."""
    results = {isinstance(x, cls) for _ in range(3)}
    assert len(results) == 1
    return results == {False}


def test_a_type_that_was_rejected_can_be_registered():
    class Base(tvm_ffi.Object):
        pass

    class Derived(Base):
        pass

    class First:
        pass

    class Second:
        pass

    assert rejects(Base, First()) and rejects(Derived, First()) and rejects(Base, Second())
    Base.register(First)
    assert isinstance(First(), Base) and rejects(Derived, First())
    Derived.register(Second)
    assert isinstance(Second(), Base) and isinstance(Second(), Derived)


def test_a_rejected_type_can_be_registered_with_a_class_that_is_registered():
    class Base(tvm_ffi.Object):
        pass

    class Abstract(abc.ABC):  # noqa: B024
        pass

    class Virtual:
        pass

    Base.register(Abstract)
    assert rejects(Base, Virtual())
    Abstract.register(Virtual)
    assert isinstance(Virtual(), Base)


def test_a_rejected_type_can_claim_another_class_later():
    class Honest:
        pass

    class Lying:
        __class__ = property(lambda self: TestIntPair)

    class Other(Honest):
        pass

    x = Other()
    assert rejects(TestIntPair, x)
    Other.__bases__ = (Lying,)
    assert isinstance(x, TestIntPair)
    Other.__bases__ = (Honest,)
    assert rejects(TestIntPair, x)


def test_instances_of_one_type_that_claim_different_classes():
    class Mixed:
        def __init__(self, claimed):
            self.claimed = claimed

        def __getattribute__(self, name):
            get = object.__getattribute__
            return get(self, "claimed") if name == "__class__" else get(self, name)

    assert rejects(TestIntPair, Mixed(Mixed))
    assert isinstance(Mixed(TestIntPair), TestIntPair)


def test_a_metaclass_that_changes_its_mind_is_asked_each_time():
    accepted = set()

    class Changing(type(tvm_ffi.Object)):
        def __subclasscheck__(cls, other):
            return other in accepted

    class Checked(tvm_ffi.Object, metaclass=Changing):
        pass

    assert rejects(Checked, 1)
    accepted.add(int)
    assert isinstance(1, Checked)
    accepted.clear()
    assert rejects(Checked, 1)


def test_many_types_are_rejected_and_accepted():
    class Base(tvm_ffi.Object):
        pass

    for round_ in range(3):
        for i in range(50):
            parents = (Base,) if i % 7 == 0 else ()
            made = type(f"Made{round_}_{i}", parents, {})
            assert isinstance(made(), Base) == bool(parents)
            assert isinstance(made(), Base) == bool(parents)
    values = [1, "a", 2.0, None, [], {}, (), set(), b"", 1j, TestIntPair(1, 2)]
    assert all(rejects(Base, value) for value in values * 3)


def test_attributes_of_a_class_are_those_that_type_finds():
    class Parent(tvm_ffi.Object):
        plain, shown = 1, "class"
        shadowed = 2

        @property
        def computed(self):
            return 3

        @classmethod
        def made(cls):
            return cls

    class Child(Parent):
        shown = "child"
        __name__ = "not the name"

    for cls in (Parent, Child, TestObjectBase):
        for name in (*dir(cls), "__name__", "__dict__", "__class__", "mro"):
            if name == "__abstractmethods__":
                continue
            found, expected = getattr(cls, name), type.__getattribute__(cls, name)
            assert found is expected or found == expected, name
    assert (Child.plain, Child.shown, Child.made()) == (1, "child", Child)
    assert Child.__name__ == "Child" and isinstance(Child.computed, property)
    Parent.plain = 4
    assert Child.plain == 4
    with pytest.raises(AttributeError, match="'Child' has no attribute 'nothing'"):
        Child.nothing  # noqa: B018


@pytest.mark.spec("PY-C74")
def test_fallback_class():
    made = tvm_ffi.testing.make_unregistered_object()
    cls = type(made)
    assert (cls.__name__, cls.__module__) == ("TestUnregisteredObject", "testing")
    assert cls.__qualname__ == "testing.TestUnregisteredObject"
    assert "Auto-generated fallback class for testing.TestUnregisteredObject." in cls.__doc__
    assert (made.v1, made.v2) == (41, 42)
    assert (made.get_v1_plus_one(), made.get_v2_plus_two()) == (42, 44)
    assert "Get (v2 + 2)" in cls.get_v2_plus_two.__doc__
    assert vars(cls)["__slots__"] == ()
    assert type(tvm_ffi.testing.make_unregistered_object()) is cls


@pytest.mark.spec("PY-C71", "PY-C72", "PY-C75")
def test_type_info():
    info = core._type_cls_to_type_info(TestObjectBase)
    assert info is TestObjectBase.__tvm_ffi_type_info__
    assert info.type_cls is TestObjectBase
    assert info.type_key == "testing.TestObjectBase"
    assert info.type_index == core._object_type_key_to_index(info.type_key)
    assert [field.name for field in info.fields] == ["v_i64", "v_f64", "v_str"]
    assert [field.frozen for field in info.fields] == [False, True, False]
    assert "add_i64" in [method.name for method in info.methods]
    assert info.parent_type_info.type_cls is tvm_ffi.Object
    assert core._type_cls_to_type_info(int) is None
    assert core._type_index_to_type_info(-1) is None
    assert core._type_index_to_type_info(2**30) is None
    assert core._lookup_type_attr(64, "__no_such_attribute__") is None
    assert core._lookup_type_attr(64, "__no_such_attribute__", ancestor=True) is None
    assert not hasattr(core.Object, "__tvm_ffi_type_info__")


@pytest.mark.spec("PY-C69")
def test_field_accessors():
    field = core._type_cls_to_type_info(TestObjectBase).fields[0]
    base = TestObjectBase()
    field.setter(base, 7)
    assert field.getter(base) == 7
    with pytest.raises(TypeError):
        field.getter(5)
    with pytest.raises(AttributeError, match="is empty"):
        field.getter(TestObjectBase.__new__(TestObjectBase))


# ---- opaque Python values and sentinels ----


def test_opaque_value_is_held_once(echo):
    value = types.SimpleNamespace()
    references = sys.getrefcount(value)
    box = tvm_ffi.convert(value)
    assert sys.getrefcount(value) == references + 1
    assert echo(box) is value
    assert echo([box])[0] is value
    del box
    assert sys.getrefcount(value) == references


@pytest.mark.spec("PY-B46")
def test_sentinels():
    assert repr(core.MISSING) == "<MISSING>"
    assert repr(core.KWARGS) == "<KWARGS>"
    assert tvm_ffi.container.MISSING is core.MISSING
    assert core.MISSING
    assert not core.MISSING.same_as(core.KWARGS)


@pytest.mark.spec("PY-A8")
def test_assigning_an_unknown_name_of_the_extension_is_allowed():
    core.__object_repr__ = lambda obj: "never"
    assert repr(TestIntPair(1, 2)) == "testing.TestIntPair(a=1, b=2)"
    del core.__object_repr__


def test_copy_of_an_opaque_object_is_a_copy_of_what_it_holds():
    content = {1, 2}
    copied = copy.deepcopy(tvm_ffi.convert(content))
    assert copied == content and copied is not content
    with pytest.raises(TypeError, match="generator"):
        copy.deepcopy(tvm_ffi.convert(iter(x for x in ())))


def test_copy_of_a_global_function_is_that_function(echo):
    assert copy.deepcopy(echo).same_as(echo)


# ---- classes without a decorator ----


class Undecorated(tvm_ffi.Object):
    x: int


@pytest.mark.parametrize(("args", "kwargs"), [((1,), {}), ((1, 2), {"foo": 3}), ((), {"x": 1})])
def test_arguments_of_an_undecorated_class_were_dropped(args, kwargs):
    text = r'^`Undecorated` takes no arguments, .*: decorate the class with @py_class\("\.\.\."\)'
    with pytest.raises(TypeError, match=text):
        Undecorated(*args, **kwargs)
    assert repr(Undecorated()) == "Undecorated(chandle=None)"


def test_arguments_of_a_class_with_its_own_constructor():
    class New(tvm_ffi.Object):
        def __new__(cls, x):
            return super().__new__(cls)

    class Init(Undecorated):
        def __init__(self, x):
            super().__init__(x)

    assert repr(New(1)) == "New(chandle=None)"
    assert repr(Init(1)) == "Init(chandle=None)"


def test_arguments_of_a_class_registered_without_init(run_python):
    program = """
import tvm_ffi, tvm_ffi.testing

@tvm_ffi.register_object("testing.TestIntPair", init=False)
class Pair(tvm_ffi.Object):
    pass

print(Pair())
try:
    Pair(1)
except TypeError as error:
    print(error)
"""
    assert run_python(program) == (
        "Pair(chandle=None)\n"
        "`Pair` takes no arguments: it was registered with init=False, and does not define "
        "__init__"
    )


def test_error_for_an_object_of_an_undecorated_class_names_the_decorator():
    text = r'^Undecorated object is empty: .*; decorate it with @py_class\("\.\.\."\)'
    for use in (lambda x: tvm_ffi.List([x]), tvm_ffi.get_global_func("testing.echo")):
        with pytest.raises(ValueError, match=text):
            use(Undecorated())
    with pytest.raises(ValueError, match=r"^TestIntPair object is empty: it was moved from"):
        tvm_ffi.List([TestIntPair.__new__(TestIntPair)])
