# SPDX-License-Identifier: Apache-2.0
"""Test objects, their handles and their subclasses."""

from __future__ import annotations

import abc
import copy
import ctypes
import gc
import inspect
import itertools
import pickle
import types
import weakref

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import Array, Dict, List, Map, Object, Shape, convert, core
from tvm_ffi.testing import TestIntPair, TestObjectBase, TestObjectDerived

PAIR = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")


def make_pair(a, b):
    return PAIR("testing.TestIntPair", "a", a, "b", b)


@pytest.mark.spec("PY-B13", "PY-B14")
def test_b13_and_b14_the_handle_in_all_its_forms():
    pair = TestIntPair(1, 2)
    assert pair.id_ == pair.__chandle__() != 0
    assert isinstance(pair.__ctypes_handle__(), ctypes.c_void_p)
    assert pair.__ctypes_handle__().value == pair.__chandle__()
    assert TestIntPair.__new__(TestIntPair).__ctypes_handle__().value is None


@pytest.mark.spec("PY-B15")
def test_b15_is_compares_handles_and_takes_anything():
    x, y = TestIntPair(1, 2), TestIntPair(1, 2)
    assert x.is_(x) is True
    for other in (y, None, object(), 3):
        assert x.is_(other) is False


@pytest.mark.spec("PY-B16")
def test_b16_equality_is_handle_identity_and_a_bool():
    x, y = TestIntPair(1, 2), TestIntPair(1, 2)
    assert (x == x) is True
    assert (x == y) is False
    for other in (None, 1, "x", object(), [x]):
        assert (x == other) is False
        assert (x != other) is True
        assert x.__eq__(other) is False


@pytest.mark.spec("PY-B17")
def test_b17_hash_is_the_handle():
    x = TestIntPair(1, 2)
    assert hash(x) == x.__chandle__()


@pytest.mark.spec("PY-B18")
def test_b18_the_live_wrapper_comes_back(echo):
    x = TestIntPair(1, 2)
    assert echo(x) is x
    assert echo(x) == x
    assert hash(echo(x)) == hash(x)


@pytest.mark.spec("PY-B19")
def test_b19_a_field_gives_the_live_wrapper():
    h = TestObjectDerived(v_map={"a": 1}, v_array=[1])
    held = h.v_map
    assert h.v_map is held
    assert h.v_map == h.v_map


@pytest.mark.spec("PY-B20")
def test_b20_a_converted_list_has_one_owner(use_count):
    assert use_count(convert([1, 2])) == 1


@pytest.mark.spec("PY-B21")
def test_b21_a_callback_sees_the_wrapper_of_the_caller(use_count):
    x = convert([1, 2])
    seen = []
    convert(lambda value: seen.append((value is x, use_count(value))))(x)
    assert seen == [(True, 1)]


@pytest.mark.spec("PY-B22")
def test_b22_a_moved_argument_has_one_owner_inside(use_count):
    x = convert([1, 2])
    seen = []
    convert(lambda value: seen.append(use_count(value)))(x._move())
    assert seen == [1]
    assert x.__ctypes_handle__().value is None


@pytest.mark.spec("PY-B23")
def test_b23_a_callback_may_return_a_moved_object():
    x = TestIntPair(1, 2)
    returned = convert(lambda value: value._move())(x)
    assert returned.a == 1
    made = convert(lambda: TestIntPair(3, 4)._move())()
    assert made.b == 4


@pytest.mark.spec("PY-B24")
def test_b24_the_rvalue_reference():
    x = TestIntPair(1, 2)
    assert type(x._move()) is core.ObjectRValueRef
    assert x._move().obj is x


@pytest.mark.spec("PY-B25")
def test_b25_the_handle_is_transferred():
    p, q = TestIntPair(1, 2), TestIntPair(3, 4)
    handle = q.__chandle__()
    p.__move_handle_from__(q)
    assert (p.__chandle__(), q.__chandle__()) == (handle, 0)
    assert repr(q).endswith("(chandle=None)")


@pytest.mark.spec("PY-B26")
def test_b26_the_handle_of_something_else():
    p = TestIntPair(1, 2)
    with pytest.raises(TypeError):
        p.__move_handle_from__(3)
    assert p.a == 1


@pytest.mark.spec("PY-B27")
@pytest.mark.parametrize("cls", [TestIntPair, Array, core.Tensor, core.Function, Object])
def test_b27_new_gives_an_empty_object(cls):
    empty = cls.__new__(cls)
    assert empty.__chandle__() == 0
    assert repr(empty) == f"{cls.__name__}(chandle=None)"


@pytest.mark.spec("PY-B28")
def test_b28_an_empty_object_dies_and_pickles():
    empty = TestIntPair.__new__(TestIntPair)
    again = pickle.loads(pickle.dumps(empty))
    assert type(again) is TestIntPair
    assert again.__chandle__() == 0
    del empty, again
    gc.collect()


@pytest.mark.spec("PY-B29")
def test_b29_an_empty_object_is_refused(echo):
    for cls in (TestIntPair, Array, core.Tensor, core.Function, core.Error):
        with pytest.raises(ValueError, match="empty"):
            echo(cls.__new__(cls))


@pytest.mark.spec("PY-B30", "PY-B32", "PY-B33")
def test_b30_and_b32_and_b33_construction_by_a_function(use_count):
    x = TestIntPair.__new__(TestIntPair)
    x.__init_handle_by_constructor__(convert(make_pair), 1, 2)
    assert (x.a, x.b) == (1, 2)
    first = convert([1])
    maker = convert(lambda: first)
    x = Object.__new__(Object)
    x.__init_handle_by_constructor__(maker)
    assert use_count(first) == 2
    x.__init_handle_by_constructor__(convert(make_pair), 3, 4)
    assert use_count(first) == 1
    assert TestIntPair.b.__get__(x) == 4


@pytest.mark.spec("PY-B31")
def test_b31_a_constructor_that_raises(use_count):
    x = TestIntPair(1, 2)

    def fail():
        raise KeyError("no")

    with pytest.raises(KeyError):
        x.__init_handle_by_constructor__(convert(fail))
    assert x.__chandle__() == 0
    raiser = tvm_ffi.get_global_func("testing.test_raise_error")
    with pytest.raises(IndexError, match="m"):
        x.__init_handle_by_constructor__(raiser, "IndexError", "m")
    assert repr(x) == "TestIntPair(chandle=None)"


@pytest.mark.spec("PY-B32")
def test_b32_a_constructor_that_returns_no_object():
    x = TestIntPair.__new__(TestIntPair)
    for value in (1, None, 1.5, "short"):
        with pytest.raises(TypeError, match="must return an object"):
            x.__init_handle_by_constructor__(convert(lambda value=value: value))
    with pytest.raises(TypeError):
        x.__init_handle_by_constructor__(lambda: None)
    assert x.__chandle__() == 0


@pytest.mark.spec("PY-B33")
def test_b33_a_second_construction_releases_the_first(use_count):
    first = convert([1])
    x = Object.__new__(Object)
    x.__init_handle_by_constructor__(convert(lambda: first))
    x.__init_handle_by_constructor__(convert(make_pair), 1, 2)
    assert use_count(first) == 1


@pytest.mark.spec("PY-B34")
@pytest.mark.parametrize(
    ("cls", "kind"),
    [(Array, TypeError), (List, TypeError), (Map, AttributeError), (Dict, AttributeError)],
)
def test_b34_containers_of_an_integer(cls, kind):
    with pytest.raises(kind):
        cls(1)
    made = cls.__new__(cls)
    with pytest.raises(kind):
        made.__init__(1)
    assert made.__chandle__() == 0


@pytest.mark.spec("PY-B35")
def test_b35_a_subclass_has_no_dictionary():
    class Plain(Object):
        pass

    assert Plain.__dict__["__slots__"] == ()
    assert "__dict__" not in Plain.__dict__
    assert "__weakref__" not in Plain.__dict__
    with pytest.raises(AttributeError):
        Plain().attribute = 1


@pytest.mark.spec("PY-B36")
def test_b36_a_subclass_that_asks_for_a_dictionary():
    class Open(Object):
        __slots__ = ("__dict__",)

    value = Open()
    value.attribute = 1
    assert value.__dict__ == {"attribute": 1}
    object.__setattr__(value, "other", 2)
    assert value.other == 2


@pytest.mark.spec("PY-B37")
def test_b37_a_subclass_with_a_slot_takes_the_handle_of_another():
    class WithSession(Object):
        __slots__ = ("session",)

        def __init__(self, base, session):
            self.__move_handle_from__(base)
            self.session = session

    base = TestIntPair(5, 6)
    value = WithSession(base, "s")
    assert base.__chandle__() == 0
    assert (TestIntPair.a.__get__(value), value.session) == (5, "s")


@pytest.mark.spec("PY-B38")
def test_b38_a_plain_mixin_brings_a_dictionary():
    class Mixin:
        def hello(self):
            return self.__class__.__name__

    class Mixed(Mixin, Object):
        pass

    value = Mixed()
    value.attribute = 1
    assert value.__dict__ == {"attribute": 1}
    assert value.hello() == "Mixed"


@pytest.mark.spec("PY-B39")
def test_b39_abstract_methods_are_enforced():
    class Interface(abc.ABC):
        @abc.abstractmethod
        def run(self): ...

    class Abstract(Object, Interface):
        pass

    class Concrete(Abstract):
        def run(self):
            return 1

    with pytest.raises(TypeError, match="abstract"):
        Abstract()
    assert Concrete().run() == 1


@pytest.mark.spec("PY-B40")
@pytest.mark.parametrize(
    "make",
    [
        lambda: TestIntPair(1, 2),
        lambda: Array([]),
        lambda: core.Error("a", "b", ""),
    ],
)
def test_b40_no_weak_references(make):
    with pytest.raises(TypeError):
        weakref.ref(make())


@pytest.mark.spec("PY-B41")
@pytest.mark.parametrize(
    ("one", "other"), list(itertools.permutations([Array([]), List([]), Map({}), Dict({})], 2))
)
def test_b41_siblings_do_not_match(one, other):
    assert not isinstance(one, type(other))


@pytest.mark.spec("PY-B42")
def test_b42_matching_follows_the_class_tree():
    derived = TestObjectDerived(v_map={}, v_array=[])
    assert isinstance(derived, TestObjectBase)
    assert issubclass(TestObjectDerived, TestObjectBase)
    assert not issubclass(TestObjectBase, TestObjectDerived)
    assert not isinstance(TestIntPair(1, 2), TestObjectBase)
    assert isinstance(derived, Object)


@pytest.mark.spec("PY-B43")
def test_b43_functions_are_not_objects(echo):
    assert not isinstance(echo, Object)
    assert isinstance(echo, core.CObject)
    assert not issubclass(core.Tensor, Object)


@pytest.mark.spec("PY-B44")
def test_b44_subscription():
    for alias in (Array[int], List[int], Map[str, int], Dict[str, int], Shape[int]):
        assert isinstance(alias, types.GenericAlias)
    for cls in (Object, core.Function, core.Tensor):
        with pytest.raises(TypeError):
            cls[int]


@pytest.mark.spec("PY-B45")
@pytest.mark.parametrize("explicit", [False, True])
def test_b45_a_custom_function_class(explicit, echo):
    class Mixin:
        pass

    body = {"__call__": core.Function.__call__} if explicit else {}

    class Mine(core.Function, Mixin):
        def __init__(self, function):
            self.__move_handle_from__(function)

        locals().update(body)

    mine = Mine(convert(lambda x: x + 1))
    assert mine(1) == 2
    assert echo(mine)(2) == 3


@pytest.mark.spec("PY-B46")
def test_b46_singletons():
    assert core.MISSING.same_as(tvm_ffi.container.MISSING)
    assert (repr(core.MISSING), repr(core.KWARGS)) == ("<MISSING>", "<KWARGS>")


@pytest.mark.spec("PY-B47", "PY-B48")
def test_b47_and_b48_documentation():
    assert TestObjectBase.v_i64.__doc__ == "i64 field"
    assert TestObjectBase.v_f64.__doc__ is None
    assert TestObjectBase.add_i64.__doc__ == "add_i64 method"
    assert TestObjectBase.add_i64.__name__ == "add_i64"


@pytest.mark.spec("PY-B49")
def test_b49_a_read_only_field():
    x = TestIntPair(1, 2)
    with pytest.raises(AttributeError):
        x.a = 5
    TestIntPair.a.set(x, 5)
    assert x.a == 5


@pytest.mark.spec("PY-B50")
def test_b50_a_wrong_type():
    x = TestObjectBase()
    with pytest.raises(TypeError, match=r"^Cannot convert from type"):
        x.v_i64 = "text"
    with pytest.raises(TypeError, match=r"^Cannot convert from type"):
        x.v_str = 1
    assert (x.v_i64, x.v_str) == (10, "hello")


@pytest.mark.spec("PY-B51")
def test_b51_fields_are_not_deleted():
    x = TestObjectBase()
    with pytest.raises(AttributeError):
        del x.v_i64
    assert x.v_i64 == 10


@pytest.mark.spec("PY-B52")
def test_b52_methods_take_no_keywords():
    with pytest.raises(TypeError):
        TestObjectBase().add_i64(x=1)


@pytest.mark.spec("PY-B53")
def test_b53_too_few_arguments_of_a_constructor():
    with pytest.raises(TypeError, match="Expected 2 but got 1 arguments"):
        TestIntPair(1)


@pytest.mark.spec("PY-B54")
def test_b54_missing_field():
    with pytest.raises(TypeError, match="v_map"):
        TestObjectDerived()


@pytest.mark.spec("PY-B55")
def test_b55_missing_stands_for_nothing():
    assert TestObjectBase(v_i64=core.MISSING).v_i64 == 10


@pytest.mark.spec("PY-B56")
def test_b56_signature_of_the_initializer():
    parameters = inspect.signature(TestObjectBase.__init__).parameters
    assert list(parameters) == ["self", "v_i64", "v_f64", "v_str"]
    for name in ("v_i64", "v_f64", "v_str"):
        assert parameters[name].default is not inspect.Parameter.empty


@pytest.mark.spec("PY-B57")
def test_b57_an_unregistered_subclass_constructs():
    class Sub(TestIntPair):
        def total(self):
            return self.a + self.b

    assert Sub(1, 2).total() == 3
    assert type(Sub(1, 2)) is Sub

    class Manual(TestIntPair):
        def __init__(self, x):
            super().__init__(x, x)

    assert Manual(4).b == 4


@pytest.mark.spec("PY-B58")
def test_b58_a_class_of_no_type():
    class Nothing(Object):
        pass

    assert Nothing().__chandle__() == 0


@pytest.mark.spec("PY-B59")
def test_b59_a_type_without_initializer():
    with pytest.raises(TypeError, match="cannot be constructed directly"):
        tvm_ffi.testing._TestCxxNoAutoInit()
    with pytest.raises(TypeError, match="`Module` cannot be constructed directly"):
        tvm_ffi.Module()


def test_copies_of_objects_keep_their_class():
    x = TestIntPair(1, 2)
    y = copy.deepcopy(x)
    assert type(y) is TestIntPair
    assert (y.a, y.b, y == x) == (1, 2, False)
