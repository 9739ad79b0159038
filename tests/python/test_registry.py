# SPDX-License-Identifier: Apache-2.0
"""Test global functions, namespaces of functions, and the registration of classes."""

from __future__ import annotations

import functools
import json
import sys
import types
from collections.abc import Sequence

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi import core, registry


@pytest.fixture
def name():
    """Yield an unused name for a global function."""
    name = "pytest.registry.some_function"
    tvm_ffi.remove_global_func(name)
    yield name
    tvm_ffi.remove_global_func(name)


# ---- global functions ----


@pytest.mark.spec("PY-F128")
def test_registered_function_is_found(name):
    function = tvm_ffi.register_global_func(name, lambda x: x + 1)
    assert isinstance(function, tvm_ffi.Function)
    assert tvm_ffi.get_global_func(name).same_as(function)
    assert tvm_ffi.get_global_func(name)(41) == 42
    assert name in registry.list_global_func_names()


@pytest.mark.spec("PY-F130")
def test_decorator_with_and_without_name(name):
    @tvm_ffi.register_global_func(name)
    def double(x):
        return 2 * x

    assert isinstance(double, tvm_ffi.Function)
    assert tvm_ffi.get_global_func(name)(4) == 8

    @tvm_ffi.register_global_func
    def pytest_registry_bare(x):
        return 3 * x

    try:
        assert tvm_ffi.get_global_func("pytest_registry_bare")(4) == 12
    finally:
        tvm_ffi.remove_global_func("pytest_registry_bare")


def test_native_function_is_registered_as_it_is(name, echo):
    assert tvm_ffi.register_global_func(name, f=echo).same_as(echo)


@pytest.mark.spec("PY-F128")
def test_duplicate_is_refused(name):
    tvm_ffi.register_global_func(name, lambda: 1)
    with pytest.raises(RuntimeError, match=f"Global Function `{name}` is already registered"):
        tvm_ffi.register_global_func(name, lambda: 2)
    assert tvm_ffi.get_global_func(name)() == 1


@pytest.mark.spec("PY-F129", "PY-F132")
def test_override_replaces_and_the_old_function_lives_on(name):
    tvm_ffi.register_global_func(name, lambda: "old")
    old = tvm_ffi.get_global_func(name)
    tvm_ffi.register_global_func(name, lambda: "new", override=True)
    assert (old(), tvm_ffi.get_global_func(name)()) == ("old", "new")
    tvm_ffi.remove_global_func(name)
    assert tvm_ffi.get_global_func(name, allow_missing=True) is None
    assert old() == "old"


def test_name_must_be_a_string():
    class Named:
        __name__ = 5

        def __call__(self):
            return None

    with pytest.raises(ValueError, match="expect string function name"):
        tvm_ffi.register_global_func(Named())


@pytest.mark.parametrize("value", [5, None, [len]])
def test_value_in_place_of_a_name_is_named_in_the_error(value):
    """Before the fix, the error was that an int does not have an attribute `__name__`."""
    text = f"^register_global_func expects a name, or a function .*, got {type(value).__name__}$"
    with pytest.raises(TypeError, match=text):
        tvm_ffi.register_global_func(value)


def test_function_without_a_name_says_to_pass_one():
    with pytest.raises(AttributeError, match=r"^a partial object .*: pass the name to"):
        tvm_ffi.register_global_func(functools.partial(len))


def test_value_that_is_not_callable_is_refused_at_registration(name):
    """Before the fix, an int was registered as a function, and calls of this function failed."""
    text = r"^register_global_func expects a function or another callable, got int$"
    with pytest.raises(TypeError, match=text):
        tvm_ffi.register_global_func(name, 3)
    with pytest.raises(TypeError, match=text):
        tvm_ffi.register_global_func(name)(3)
    assert tvm_ffi.get_global_func(name, True) is None


def test_swapped_arguments_are_refused(name):
    """Before the fix, a name after the function was ignored."""
    with pytest.raises(TypeError, match="expects the name before the function, got function as"):
        tvm_ffi.register_global_func(lambda: 1, name)
    assert tvm_ffi.get_global_func("<lambda>", True) is None


def test_empty_name_is_refused():
    for register in (
        lambda: tvm_ffi.register_global_func("", len),
        lambda: tvm_ffi.register_global_func("")(len),
    ):
        with pytest.raises(ValueError, match="expects a name that is not empty"):
            register()


@pytest.mark.spec("PY-F131", "PY-F132")
def test_missing_function():
    with pytest.raises(ValueError, match=r"Cannot find global function no\.such"):
        tvm_ffi.get_global_func("no.such")
    assert tvm_ffi.get_global_func("no.such", allow_missing=True) is None
    assert tvm_ffi.get_global_func("no.such", True) is None
    tvm_ffi.remove_global_func("no.such")


def test_missing_fixture_is_missing_as_any_other():
    with pytest.raises(ValueError, match=r"Cannot find global function testing\.no_such"):
        tvm_ffi.get_global_func("testing.no_such")
    assert tvm_ffi.get_global_func("testing.no_such", allow_missing=True) is None


@pytest.mark.parametrize("bad", [None, 5, b"testing.echo"])
def test_name_of_another_type_is_refused(bad):
    with pytest.raises((TypeError, AttributeError)):
        tvm_ffi.get_global_func(bad)


@pytest.mark.parametrize("bad", [None, 5, b"testing.echo"])
def test_metadata_of_a_name_of_another_type(bad):
    text = f"get_global_func_metadata expects a str, got {type(bad).__name__}"
    with pytest.raises(TypeError, match=text):
        tvm_ffi.get_global_func_metadata(bad)


@pytest.mark.spec("PY-F133")
def test_listed_names_are_strings():
    names = registry.list_global_func_names()
    assert isinstance(names, list)
    assert all(isinstance(name, str) for name in names)
    assert len(set(names)) == len(names)
    assert "ffi.GetRegisteredTypeKeys" in names


@pytest.mark.spec("PY-F134", "PY-F135", "PY-F136")
def test_metadata(name):
    schema = tvm_ffi.get_global_func_metadata("testing.add_one")["type_schema"]
    assert json.loads(schema)["type"] == "ffi.Function"
    assert json.loads(schema)["named_args"]["params"] == [{"type": "int"}]
    tvm_ffi.register_global_func(name, lambda: 1)
    assert tvm_ffi.get_global_func_metadata(name) == {}
    with pytest.raises(RuntimeError, match=r"Global Function is not found: no\.such"):
        tvm_ffi.get_global_func_metadata("no.such")
    metadata = tvm_ffi.get_global_func_metadata("testing.schema_id_int")
    assert len(metadata) == 4
    assert (metadata["bool_attr"], metadata["int_attr"], metadata["str_attr"]) == (True, 1, "hello")


# ---- namespaces ----


@pytest.fixture
def target():
    """Yield a module to which namespaces are added."""
    module = types.ModuleType("pytest_registry_target")
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


@pytest.mark.spec("PY-F137")
def test_init_ffi_api_sets_names_of_the_namespace_only(target):
    names = ["pytestns.one", "pytestns.two.deep", "pytestnsx.other", "pytestns_z"]
    for name in names:
        tvm_ffi.register_global_func(name, lambda: 1)
    try:
        tvm_ffi.init_ffi_api("pytestns", target.__name__)
    finally:
        for name in names:
            tvm_ffi.remove_global_func(name)
    found = {name for name in vars(target) if not name.startswith("__")}
    assert found == {"one"}
    assert target.one() == 1
    assert target.one.__name__ == "one"


@pytest.mark.spec("PY-F138")
def test_init_ffi_api_drops_the_leading_tvm(target):
    tvm_ffi.init_ffi_api("tvm.testing", target.__name__)
    assert target.add_one(1) == 2


@pytest.mark.spec("PY-F139")
def test_init_ffi_api_needs_the_module():
    with pytest.raises(KeyError, match="module 'no_such_module' has not been imported"):
        tvm_ffi.init_ffi_api("testing", "no_such_module")


def test_init_ffi_api_warns_of_a_namespace_without_functions(target, monkeypatch):
    for name in ("nosuch", "tvm.nosuch", "testin", ""):
        with pytest.warns(ImportWarning, match="load the library that registers the functions"):
            tvm_ffi.init_ffi_api(name, target.__name__)
    with pytest.raises(KeyError, match="module 'nosuch' has not been imported"):
        tvm_ffi.init_ffi_api("nosuch")
    monkeypatch.setattr(registry, "_SKIP_UNKNOWN_OBJECTS", True)
    assert tvm_ffi.init_ffi_api("nosuch", target.__name__) is None


# ---- classes ----


@pytest.mark.spec("PY-C60")
def test_unknown_type_key_is_refused():
    with pytest.raises(ValueError, match=r"Cannot find object type index for no\.such\.type"):

        @tvm_ffi.register_object("no.such.type")
        class Unknown(tvm_ffi.Object):
            pass


@pytest.mark.spec("PY-C61")
def test_unknown_type_key_is_skipped_on_request(monkeypatch):
    monkeypatch.setattr(registry, "_SKIP_UNKNOWN_OBJECTS", True)

    class Unknown(tvm_ffi.Object):
        pass

    assert tvm_ffi.register_object("no.such.type")(Unknown) is Unknown
    assert not hasattr(Unknown, "__tvm_ffi_type_info__")


@pytest.mark.spec("PY-C63")
def test_bare_decorator_takes_the_name_of_the_class():
    for decorate in (tvm_ffi.register_object, tvm_ffi.register_object()):
        with pytest.raises(ValueError, match="Cannot find object type index for NoSuchClass"):
            decorate(type("NoSuchClass", (tvm_ffi.Object,), {}))


@pytest.mark.spec("PY-C62")
@pytest.mark.parametrize("bad", [3, 1.5, b"ffi.Object", ["ffi.Object"]])
def test_type_key_of_another_type_is_refused(bad):
    with pytest.raises(TypeError, match="type_key must be a string, type, or None"):
        tvm_ffi.register_object(bad)


PAIR_JSON = '{"root_index":0,"nodes":[{"type":"testing.TestIntPair","data":{"a":1,"b":2}}]}'


@pytest.mark.parametrize("base", [object, dict, int, Exception])
@pytest.mark.parametrize("register", [tvm_ffi.register_object, tvm_ffi.dataclasses.c_class])
def test_class_that_is_not_an_object_is_refused(base, register):
    other = type("Other", (base,), {})
    with pytest.raises(
        TypeError,
        match=r"cannot register class `Other` for type `testing\.TestIntPair`: it must be a "
        r"subclass of `tvm_ffi\.Object`",
    ):
        register("testing.TestIntPair")(other)
    assert not hasattr(other, "__tvm_ffi_type_info__")
    pair = tvm_ffi.serialization.from_json_graph_str(PAIR_JSON)
    assert type(pair) is tvm_ffi.testing.TestIntPair


def test_value_of_a_type_that_only_a_description_was_registered_for(run_python):
    run_python("""
from tvm_ffi.testing import _SchemaAllTypes
[make] = [m for m in _SchemaAllTypes.__tvm_ffi_type_info__.methods if m.name == "make_with"]
value = make.func(1, 2.0, "a")
assert not isinstance(value, _SchemaAllTypes)
assert (value.v_int, value.v_float, value.v_string) == (1, 2.0, "a")
assert "v_int=1" in repr(value)
""")


BUILT_IN = ["ffi.Function", "ffi.Tensor", "ffi.Error", "ffi.Array", "ffi.List", "ffi.Map"]
BUILT_IN += ["ffi.Dict", "ffi.OpaquePyObject", "ffi.Shape", "ffi.String", "ffi.Bytes"]
BUILT_IN += ["ffi.StructuralKey"]


@pytest.mark.parametrize("key", BUILT_IN)
def test_class_of_another_layout_is_refused_for_a_built_in_type(key):
    other = type("Other", (tvm_ffi.Object,), {})
    base = {"ffi.Shape": "PyNativeObject", "ffi.String": "PyNativeObject"}.get(key, "")
    with pytest.raises(
        TypeError,
        match=f"class `Other` for type `{key}`: it must be a subclass of `tvm_ffi.*{base}",
    ):
        tvm_ffi.register_object(key)(other)
    assert repr(tvm_ffi.convert([1, (2,)])) and tvm_ffi.convert(len)("abc") == 3


@pytest.mark.parametrize(
    "base",
    [
        *(tvm_ffi.Array, tvm_ffi.Dict, tvm_ffi.Function, tvm_ffi.Tensor, tvm_ffi.core.Error),
        *(tvm_ffi.core.PyNativeObject, tvm_ffi.core.OpaquePyObject),
    ],
)
@pytest.mark.parametrize("key", ["testing.TestIntPair", "ffi.Object", "ffi.Module"])
def test_class_of_a_built_in_type_is_refused_for_another_type(base, key):
    try:
        other = type(base)("Other", (base,), {})
    except TypeError:
        pytest.skip("the class is final")
    with pytest.raises(TypeError, match=f"cannot register class `Other` for type `{key}`"):
        tvm_ffi.register_object(key)(other)


def test_class_of_a_type_that_is_not_an_ancestor_is_refused():
    other = type(tvm_ffi.Object)("Other", (tvm_ffi.testing.TestObjectBase,), {})
    with pytest.raises(
        TypeError,
        match=r"its base `.*TestObjectBase` is the class of `testing\.TestObjectBase`, which is "
        r"not an ancestor",
    ):
        tvm_ffi.register_object("testing.TestIntPair")(other)


@pytest.mark.parametrize("key", ["int", "float", "None", "DataType", "ffi.SmallStr"])
def test_class_for_values_that_are_not_objects_is_refused(key):
    other = type(tvm_ffi.Object)("Other", (tvm_ffi.Object,), {})
    with pytest.raises(TypeError, match="values of that type are not objects"):
        tvm_ffi.register_object(key)(other)


@pytest.mark.parametrize("key", ["ffi.Tensor", "ffi.Module", "ffi.Array", "ffi.Function"])
def test_subclass_of_the_present_class_is_accepted(run_python, key):
    run_python(f"""
import tvm_ffi
present = getattr(tvm_ffi, "{key}".split(".")[1])
try:
    cls = type(present)("Mine", (present,), {{}})
except TypeError:
    cls = None  # the class cannot be derived from
if cls is not None:
    tvm_ffi.register_object("{key}")(cls)
assert tvm_ffi.convert([1])[0] == 1
assert tvm_ffi.convert(len)("ab") == 2
""")


def test_class_below_the_class_of_a_grandparent_is_accepted(run_python):
    run_python("""
import tvm_ffi, tvm_ffi.testing
@tvm_ffi.register_object("testing.TestCxxClassDerived")
class Derived(tvm_ffi.Object):  # the parent's class is TestCxxClassBase
    pass
assert issubclass(Derived, tvm_ffi.Object)
""")


def test_classes_of_a_type_in_turn():
    original = tvm_ffi.testing.TestIntPair
    bodies = [
        type("Plain", (tvm_ffi.Object,), {}),
        type("WithNew", (tvm_ffi.Object,), {"__new__": lambda cls: None}),
        type("Derived", (original,), {}),
    ]
    try:
        for cls in bodies:
            tvm_ffi.register_object("testing.TestIntPair")(cls)
            pair = tvm_ffi.serialization.from_json_graph_str(PAIR_JSON)
            assert (type(pair), pair.b) == (cls, 2)
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(original)


@pytest.mark.parametrize("cls", [int, tvm_ffi.core.CObject, tvm_ffi.core.Device])
def test_immutable_class_is_refused_before_anything_changes(cls):
    with pytest.raises(TypeError, match=r"immutable type|subclass of `tvm_ffi\.Object`"):
        tvm_ffi.register_object("testing.TestIntPair")(cls)
    pair = tvm_ffi.serialization.from_json_graph_str(PAIR_JSON)
    assert type(pair) is tvm_ffi.testing.TestIntPair


@pytest.mark.parametrize(
    "decorate",
    [
        tvm_ffi.register_object("testing.TestIntPair"),
        tvm_ffi.register_object(),
        tvm_ffi.dataclasses.c_class("testing.TestIntPair"),
        tvm_ffi.dataclasses.py_class("test_registry.NoClass"),
    ],
)
def test_decorated_value_that_is_not_a_class(decorate):
    with pytest.raises(TypeError, match="expects a class, got int"):
        decorate(5)


@pytest.mark.spec("PY-C65")
def test_class_body_wins_over_reflected_members():
    original = tvm_ffi.testing.TestIntPair
    try:

        @tvm_ffi.register_object("testing.TestIntPair")
        class Own(tvm_ffi.Object):
            b = "of the class"

            def sum(self):
                return "of the class"

        pair = Own(1, 2)
        assert (pair.a, pair.b, pair.sum()) == (1, "of the class", "of the class")
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(original)


@pytest.mark.spec("PY-C66")
def test_a_property_called_dict_stays():
    original = tvm_ffi.testing.TestIntPair
    try:

        @tvm_ffi.register_object("testing.TestIntPair")
        class WithDict(tvm_ffi.Object):
            @property
            def __dict__(self):
                return {"b": self.b}

        assert WithDict(1, 2).__dict__ == {"b": 2}
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(original)


@pytest.mark.spec("PY-C64")
def test_registering_again_changes_later_returns_but_no_live_wrapper(echo):
    original = tvm_ffi.testing.TestIntPair
    held = original(1, 2)
    array = tvm_ffi.Array([original(3, 4)])
    try:

        @tvm_ffi.register_object("testing.TestIntPair")
        class Later(tvm_ffi.Object):
            __slots__ = ("extra",)

        assert type(held) is original
        assert echo(held) is held
        assert type(array[0]) is Later
        assert array[0].b == 4
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(original)
    assert type(array[0]) is original


@pytest.mark.spec("PY-B59")
def test_class_without_initializer_cannot_be_constructed():
    with pytest.raises(TypeError, match="`Module` cannot be constructed directly"):
        tvm_ffi.Module()


def test_init_false_installs_no_initializer():
    original = tvm_ffi.testing.TestIntPair
    try:

        @tvm_ffi.register_object("testing.TestIntPair", init=False)
        class Bare(tvm_ffi.Object):
            pass

        assert "__init__" not in vars(Bare)
        assert Bare().__chandle__() == 0
    finally:
        tvm_ffi.register_object("testing.TestIntPair")(original)


@pytest.mark.spec("PY-K282", "PY-C70")
def test_type_key_to_index():
    assert core._object_type_key_to_index("ffi.Object") == 64
    assert core._object_type_key_to_index(core.String("ffi.Object")) == 64
    assert core._object_type_key_to_index("no.such.type") is None


VALUE_KEYS = [
    *("None", "int", "bool", "float", "void*", "const char*", "DataType", "Device", "DLTensor*"),
    *("TVMFFIByteArray*", "ObjectRValueRef"),
]


@pytest.mark.spec("PY-C73")
def test_registered_keys(run_python):
    keys = registry.get_registered_type_keys()
    assert isinstance(keys, Sequence)
    assert all(isinstance(key, str) for key in keys)
    out = run_python(
        "import tvm_ffi; print(*tvm_ffi.registry.get_registered_type_keys(), sep='\\n')"
    ).splitlines()
    assert {*VALUE_KEYS} <= set(out)
    for key in set(out) - {*VALUE_KEYS}:
        assert key.startswith(("ffi.", "testing.")), key
