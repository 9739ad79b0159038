# SPDX-License-Identifier: Apache-2.0
"""Test the decorator `py_class`: its forms and options, and the state after a rejected class."""

from __future__ import annotations

import gc
import inspect
import weakref

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core
from tvm_ffi.dataclasses import Field, c_class, field, fields, is_dataclass, py_class
from tvm_ffi.dataclasses import native as native_classes
from tvm_ffi.dataclasses.options import ClassOptions, MemberOptions, PyClassOptions


def bare_class(**body):
    """Make a class with a unique name, so that its automatic key is unused."""
    name = f"Bare{id(body)}_{next(_numbers)}"
    return type(tvm_ffi.Object)(name, (tvm_ffi.Object,), {"__module__": __name__, **body})


_numbers = iter(range(10**9))


def fresh_bare_class(key, **body):
    cls = bare_class(**body)
    cls.__qualname__ = key(cls.__name__)
    return cls


def test_a1_all_call_forms_register(key):
    bare = py_class(fresh_bare_class(key, __annotations__={"a": int}))
    empty = py_class()(fresh_bare_class(key, __annotations__={"a": int}))
    positional, keyword, with_options = key("P"), key("K"), key("O")
    by_position = py_class(positional)(bare_class(__annotations__={"a": int}))
    by_keyword = py_class(type_key=keyword)(bare_class(__annotations__={"a": int}))
    both = py_class(with_options, eq=True)(bare_class(__annotations__={"a": int}))
    for cls in (bare, empty, by_position, by_keyword, both):
        assert cls(1).a == 1
    assert by_position.__tvm_ffi_type_info__.type_key == positional
    assert by_keyword.__tvm_ffi_type_info__.type_key == keyword
    assert both(1) == both(1)


def test_a1_positional_key_wins(key):
    wanted = key("wanted")
    cls = py_class(wanted, type_key=key("other"))(bare_class())
    assert cls.__tvm_ffi_type_info__.type_key == wanted


def test_a1_options_are_copied_for_each_class(key):
    decorate = py_class(eq=True)
    first = decorate(fresh_bare_class(key))
    second = decorate(fresh_bare_class(key))
    options = first.__tvm_ffi_type_info__._decorator_args
    assert options is not second.__tvm_ffi_type_info__._decorator_args
    assert options["eq"] is True


def test_a2_automatic_key_is_module_and_qualified_name(key):
    class Inner(tvm_ffi.Object):
        a: int

    Inner.__qualname__ = key("<locals>.Inner")
    py_class(Inner)
    assert Inner.__tvm_ffi_type_info__.type_key == f"{__name__}.{Inner.__qualname__}"


def test_a3_wrong_first_argument():
    with pytest.raises(TypeError, match=r"py_class: type_key must be a str or None, got int$"):
        py_class(type_key=3)
    with pytest.raises(TypeError, match=r"py_class: expected str or type, got <class 'int'>"):
        py_class(3)


def test_a4_order_requires_eq():
    with pytest.raises(ValueError, match="order=True requires eq=True"):
        py_class(order=True)


def test_a5_unknown_structural_kind():
    with pytest.raises(ValueError) as raised:
        py_class(structural_eq="x")
    assert str(raised.value) == (
        "structural_eq must be one of ['const-tree', 'dag', 'singleton', 'tree', 'var'] or None, "
        "got 'x'"
    )


def test_a6_base_must_be_registered():
    with pytest.raises(TypeError) as raised:
        py_class(type("Plain", (), {}))
    assert str(raised.value) == (
        "Plain must inherit from a registered FFI Object type (e.g. tvm_ffi.Object)"
    )


def test_a7_key_is_taken(key):
    name = key("Dup")
    decorate = py_class(name)
    decorate(bare_class())
    with pytest.raises(ValueError) as raised:
        decorate(bare_class())
    assert str(raised.value).startswith(f"Type key '{name}' is already registered: it belongs to ")


@pytest.mark.parametrize("native", ["testing.TestIntPair", "testing.TestCxxClassHiddenField"])
def test_a8_key_of_a_native_type(native):
    with pytest.raises(ValueError, match=f"Type key '{native}' is already registered"):
        py_class(native)(bare_class(__annotations__={"a": int}))
    assert tvm_ffi.testing.TestIntPair(1, 2).b == 2
    index = core._object_type_key_to_index(native)
    assert all(f[0] != "a" or native.endswith("Pair") for f in core._describe_type(index)[3])


def failing_hook(info, own):
    raise RuntimeError("hook")


failing_hook.__ffi_on_fields_resolved__ = True


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"__annotations__": {"a": int, "b": {"no": "type"}}}, TypeError),
        ({"__annotations__": {"a": int}, "a": field(default=1, typo=2)}, TypeError),
        ({"__annotations__": {"a": int, "b": "1 / 0"}}, ZeroDivisionError),
        ({"__annotations__": {"a": int}, "hook": failing_hook}, RuntimeError),
        ({"__annotations__": {"a": int}, "__ffi_field_markers__": 3}, TypeError),
        ({"__annotations__": {"a": int}, "__ffi_type_attr_names__": "abc"}, TypeError),
        ({"__annotations__": {"a": int}, "m": None}, TypeError),
    ],
)
def test_a9_failed_decoration_leaves_key_and_class_as_they_were(key, body, error):
    if "m" in body:
        function = lambda cls: 1  # noqa: E731
        body = {**body, "m": classmethod(tvm_ffi.method(function))}
    name = key("Failed")
    cls = bare_class(**body)
    before = {k: v for k, v in vars(cls).items() if k != "__annotations_cache__"}
    with pytest.raises(error):
        py_class(name)(cls)
    after = {k: v for k, v in vars(cls).items() if k != "__annotations_cache__"}
    assert after == before
    assert not is_dataclass(cls)
    good = py_class(name)(bare_class(__annotations__={"z": int}))
    assert [f.name for f in fields(good)] == ["z"]
    assert good(3).z == 3
    assert f"{name}(z=3)" == repr(good(3))


def test_a10_slots_option_is_accepted(key):
    cls = py_class(key(), slots=False)(bare_class(__annotations__={"a": int}))
    assert not hasattr(cls(1), "__dict__")


def test_a11_body_may_ask_for_an_instance_dictionary(key):
    cls = py_class(key())(bare_class(__annotations__={"a": int}, __slots__=("__dict__",)))
    obj = cls(1)
    obj.extra = 5
    assert (obj.a, obj.extra) == (1, 5)


def test_a12_undeclared_attribute(key):
    cls = py_class(key())(bare_class(__annotations__={"a": int}))
    with pytest.raises(AttributeError):
        cls(1).b = 3


def test_a13_transform_metadata():
    for decorator in (py_class, c_class, tvm_ffi.py_class):
        metadata = decorator.__dataclass_transform__
        assert metadata["field_specifiers"] == (Field, field)
        assert metadata["kwargs"]["converter"] is Field().converter
        for option in ("eq", "order", "kw_only", "frozen"):
            assert metadata[f"{option}_default"] is False


def test_a14_is_dataclass(key):
    cls = py_class(key())(bare_class(__annotations__={"a": int}))

    class Child(cls):
        pass

    assert is_dataclass(cls) and is_dataclass(cls(1)) and is_dataclass(Child)
    for other in (tvm_ffi.Object, tvm_ffi.Array, tvm_ffi.Array([1]), 3, int):
        assert not is_dataclass(other)


def test_a15_top_level_name_registers(key):
    cls = tvm_ffi.py_class(key())(bare_class(__annotations__={"a": int}))
    assert cls(2).a == 2


def test_module_path_and_attribute_of_the_same_name():
    import tvm_ffi.dataclasses.py_class
    from tvm_ffi.dataclasses.c_class import c_class as c_class_of_module
    from tvm_ffi.dataclasses.field import field as field_of_module
    from tvm_ffi.dataclasses.gen_abi_cpp import gen_abi_cpp
    from tvm_ffi.dataclasses.py_class import _collect_py_methods, method

    assert tvm_ffi.dataclasses.py_class is py_class
    assert tvm_ffi.dataclasses.c_class is c_class is c_class_of_module
    assert tvm_ffi.dataclasses.field is field is field_of_module
    assert tvm_ffi.dataclasses.gen_abi_cpp is gen_abi_cpp
    assert method is tvm_ffi.method
    assert callable(_collect_py_methods)


def test_all_names_are_there():
    for name in tvm_ffi.dataclasses.__all__:
        assert getattr(tvm_ffi.dataclasses, name) is not None


def test_weakref_slot(key):
    @py_class(key(), weakref_slot=True)
    class Node(tvm_ffi.Object):
        a: int

        def text(self):
            return super().__repr__()

    obj = Node(1)
    ref = weakref.ref(obj)
    assert ref() is obj
    assert "a=1" in obj.text()
    del obj
    gc.collect()
    assert ref() is None


def test_no_weak_references_by_default(key):
    cls = py_class(key())(bare_class(__annotations__={"a": int}))
    with pytest.raises(TypeError):
        weakref.ref(cls(1))


def test_importing_the_package_leaves_data_classes_alone(run_python):
    program = "import sys, tvm_ffi; print('tvm_ffi.dataclasses' in sys.modules)"
    assert run_python(program) == "False"


def test_class_decorated_twice_is_refused(key):
    name, second = key(), key()
    cls = py_class(name)(bare_class(__annotations__={"a": int}))
    with pytest.raises(TypeError, match=f"is already registered as '{name}'"):
        py_class(second)(cls)
    assert cls(2).a == 2 and core._object_type_key_to_index(second) is None


def test_defining_classes_from_many_threads(key):
    from concurrent.futures import ThreadPoolExecutor

    def define(number):
        body = {"__annotations__": {"a": int, "b": f"list[Late{number % 3}]"}}
        return py_class(key())(bare_class(**body))

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(define, range(64)))
    for number in range(3):
        body = {"__module__": __name__, "__annotations__": {"x": int}}
        py_class(key())(type(tvm_ffi.Object)(f"Late{number}", (tvm_ffi.Object,), body))
    assert all([f.name for f in fields(cls)] == ["a", "b"] for cls in made)
    assert all(cls(number, []).a == number for number, cls in enumerate(made))


# ---- classes with frozen fields, and their subclasses


@pytest.fixture
def frozen(key):
    @py_class(key(), frozen=True)
    class Frozen(tvm_ffi.Object):
        a: int

    return Frozen


def test_g4_frozen_parent_mutable_child(frozen, key):
    @py_class(key())
    class Child(frozen):
        b: int

    obj = Child(1, 2)
    obj.b = 3
    with pytest.raises(AttributeError):
        obj.a = 2
    assert (obj.a, obj.b) == (1, 3)


def test_g5_frozen_native_fields():
    @c_class("testing.TestCxxClassBase", frozen=True)
    class Base(tvm_ffi.Object):
        v_i64: int
        v_i32: int

    obj = Base(1, 2)
    with pytest.raises(AttributeError):
        obj.v_i64 = 5
    Base.v_i64.set(obj, 5)
    assert obj.v_i64 == 5

    @c_class("testing.TestCxxClassBase", frozen=True)
    class Shadowing(tvm_ffi.Object):
        v_i64: int
        v_i32 = "mine"

        __annotations__ = {"v_i64": int, "v_i32": str}

    assert Shadowing(1, 2).v_i32 == "mine"


# ---- options that type checkers know


@pytest.mark.parametrize(
    ("decorator", "options"), [(py_class, PyClassOptions), (c_class, MemberOptions)]
)
def test_a_decorator_has_the_options_of_the_list(decorator, options):
    parameters = inspect.signature(decorator).parameters.values()
    names = {p.name: p.annotation for p in parameters if p.kind is p.KEYWORD_ONLY}
    names.pop("type_key", None)
    expected = {name: kind.__forward_arg__ for name, kind in options.__annotations__.items()}
    assert {name: str(kind) for name, kind in names.items()} == expected


def test_the_lists_extend_each_other():
    assert set(MemberOptions.__annotations__) < set(ClassOptions.__annotations__)
    assert set(ClassOptions.__annotations__) < set(PyClassOptions.__annotations__)


def test_a_class_that_is_bound_to_a_library_reads_only_known_options():
    assert set(native_classes._BOUND_OPTIONS) <= set(MemberOptions.__annotations__)
