# SPDX-License-Identifier: Apache-2.0
"""Test the registrations of older libraries: hooks on types of the runtime, fields, columns."""

from __future__ import annotations

import itertools
import pickle

import pytest

import tvm_ffi
from tvm_ffi import Object, core, register_object
from tvm_ffi.access_path import AccessPath

_numbers = itertools.count()


@pytest.fixture
def library(probe):
    return probe("registrations.cc")


@pytest.fixture
def new_key():
    return f"test.generations.T{next(_numbers)}"


def index_of(key):
    return core._object_type_key_to_index(key)


def fields_of(key):
    return core._lookup_or_register_type_info_from_type_key(key).fields


def column(name, key):
    return core._lookup_type_attr(index_of(key), name)


# ---- hooks


@pytest.mark.spec("GEN-G08")
@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("ffi.reflection.AccessStep", "__ffi_repr__"),
        ("ffi.reflection.AccessPath", "__ffi_repr__"),
        ("ffi.Tensor", "__ffi_convert__"),
    ],
)
def test_a_hook_of_ours_may_be_registered_again_and_stays(library, key, name):
    before = column(name, key)
    path = AccessPath.root().attr("a").array_item(1)
    text = repr(path)
    for _ in range(2):
        hook = tvm_ffi.convert(lambda *args: "another")
        assert library.register_attr(index_of(key), name, hook) == 0
    assert column(name, key).same_as(before)
    assert repr(path) == text


@pytest.mark.spec("GEN-G08")
def test_a_hook_of_another_library_is_registered_once(library, new_key):
    index = library.define(new_key, "a")
    assert library.register_attr(index, "__ffi_repr__", tvm_ffi.convert(lambda *args: "x")) == 0
    with pytest.raises(RuntimeError, match="`__ffi_repr__` is already registered for type index"):
        library.register_attr(index, "__ffi_repr__", tvm_ffi.convert(lambda *args: "y"))


@pytest.mark.spec("GEN-G08")
def test_a_new_hook_of_another_library_on_a_type_of_ours_is_registered_once(library):
    index = index_of("ffi.VisitInterrupt")
    hook = tvm_ffi.convert(lambda *args: "x")
    assert column("__ffi_repr__", "ffi.VisitInterrupt") is None
    assert library.register_attr(index, "__ffi_repr__", hook) == 0
    with pytest.raises(RuntimeError, match="is already registered"):
        library.register_attr(index, "__ffi_repr__", hook)


@pytest.mark.parametrize(
    "register", [tvm_ffi.set_type_attr, core._type_register_attr, core._register_type_attr]
)
def test_python_is_told_that_a_hook_of_ours_stays(register):
    index = index_of("ffi.reflection.AccessStep")
    before = column("__ffi_repr__", "ffi.reflection.AccessStep")
    target = "ffi.reflection.AccessStep" if register is tvm_ffi.set_type_attr else index
    with pytest.raises(RuntimeError, match="`__ffi_repr__` is already registered"):
        register(target, "__ffi_repr__", lambda *args: "x")
    assert column("__ffi_repr__", "ffi.reflection.AccessStep").same_as(before)


def test_a_value_that_a_hook_cannot_have_is_refused_on_types_of_ours_too(library):
    with pytest.raises(TypeError):
        library.register_attr(index_of("ffi.reflection.AccessStep"), "__ffi_repr__", 1)


# ---- names of fields

RESERVED = [
    *("__dict__", "__class__", "__weakref__", "__module__", "__doc__", "__name__", "__qualname__"),
    *("__slots__", "__mro__", "__bases__", "__base__", "__new__", "__init__", "__del__", "__eq__"),
    *("__hash__", "__repr__", "__getattribute__", "__getattr__", "__setattr__", "__delattr__"),
    *("__abstractmethods__", "__annotations__", "__reduce__", "__getstate__", "__subclasshook__"),
    *("__basicsize__", "__dictoffset__", "__weakrefoffset__", "__text_signature__"),
    *("__init_subclass__", "__chandle__", "__flags__"),
]
KEPT = ["mro", "same_as", "_value", "self", "class", "__own__", "_", "__", "____"]


def make(key, name, value):
    return tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")(index_of(key), name, value)


def check_as_a_field(key, name):
    """Check that all operations support the field, although the class has no attribute for it."""
    one, same, other = (make(key, name, value) for value in ("text", "text", "another"))
    assert [f.name for f in fields_of(key)] == [name]
    assert fields_of(key)[0].getter(one) == "text"
    assert tvm_ffi.structural_equal(one, same)
    assert not tvm_ffi.structural_equal(one, other)
    assert tvm_ffi.structural_hash(one) == tvm_ffi.structural_hash(same)
    assert f"{name}='text'" in repr(one) or f'{name}="text"' in repr(one)
    text = tvm_ffi.serialization.to_json_graph_str(one)
    assert f'"{name}"' in text
    assert tvm_ffi.structural_equal(tvm_ffi.serialization.from_json_graph_str(text), one)
    return one


@pytest.mark.spec("GEN-G10")
@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_field_name_is_left_out_of_a_class(library, new_key, name):
    library.define(new_key, name)

    @register_object(new_key)
    class Node(Object):
        pass

    value = check_as_a_field(new_key, name)
    assert type(value) is Node
    assert not isinstance(vars(Node).get(name), core.FFIProperty)
    assert Node.__name__ == "Node"
    assert Node.__module__ == __name__
    assert hash(value) == hash(value)
    assert value == value
    with pytest.raises(AttributeError):
        value.missing  # noqa: B018
    assert isinstance(value, Object)
    assert issubclass(Node, Object)
    del value


@pytest.mark.spec("GEN-G10")
@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_field_name_is_left_out_of_a_class_that_is_made_up(library, new_key, name):
    library.define(new_key, name)
    value = check_as_a_field(new_key, name)
    assert type(value).__name__ == new_key.rpartition(".")[2]


@pytest.mark.parametrize("name", KEPT)
def test_any_other_field_name_is_an_attribute(library, new_key, name):
    library.define(new_key, name)

    @register_object(new_key)
    class Node(Object):
        pass

    value = check_as_a_field(new_key, name)
    assert getattr(value, name) == "text"
    setattr(value, name, "changed")
    assert getattr(value, name) == "changed"
    assert Node.mro()[0] is Node if name != "mro" else type.mro(Node)[0] is Node


@pytest.mark.spec("GEN-G09")
def test_a_field_named_dict_as_tvm_has_it(library, new_key):
    """Use a class like ``ir.DictAttrs``: methods of the class read its only field, ``__dict__``."""
    library.define(new_key, "__dict__")

    @register_object(new_key)
    class DictAttrs(Object):
        def _dict(self):
            return fields_of(new_key)[0].getter(self)

        def keys(self):
            return self._dict().keys()

        def items(self):
            return self._dict().items()

        def __getitem__(self, key):
            return self._dict()[key]

    attrs = make(new_key, "__dict__", {"a": 1, "b": "x"})
    assert list(attrs.keys()) == ["a", "b"]
    assert dict(attrs.items()) == {"a": 1, "b": "x"}
    assert attrs["b"] == "x"
    with pytest.raises(AttributeError):
        attrs.a  # noqa: B018
    with pytest.raises(AttributeError):
        attrs.c = 1
    again = pickle_by_json(attrs)
    assert dict(again.items()) == {"a": 1, "b": "x"}


def pickle_by_json(value):
    state = value.__getstate__()
    made = type(value).__new__(type(value))
    made.__setstate__(pickle.loads(pickle.dumps(state)))
    return made


@pytest.mark.spec("GEN-G09")
def test_an_own_dict_property_wins(library, new_key):
    library.define(new_key, "__dict__")

    @register_object(new_key)
    class DictAttrs(Object):
        @property
        def __dict__(self):
            return {"own": self.__getattr__("x")}

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            return name

    attrs = make(new_key, "__dict__", {"a": 1})
    assert attrs.__dict__ == {"own": "x"}
    assert vars(attrs) == {"own": "x"}
    assert attrs.q == "q"


# ---- bases


def test_a_base_without_fields_may_be_the_class_of_another_type(library, new_key):
    """Use a class like ``ir.Attrs`` of TVM: a base class in Python, but not in the type table."""
    empty, other = f"{new_key}.Empty", f"{new_key}.Other"
    library.define(new_key, "a")
    library.define(empty)
    library.define(other, "b")

    @register_object(empty)
    class Empty(Object):
        pass

    @register_object(other)
    class Other(Object):
        pass

    with pytest.raises(TypeError, match="not an ancestor of the type"):

        @register_object(new_key)
        class Wrong(Other):
            pass

    @register_object(new_key)
    class Node(Empty):
        pass

    node = make(new_key, "a", 1)
    assert type(node) is Node
    assert node.a == 1


# ---- differences between releases


def test_a_default_without_the_flag_of_a_factory_is_a_plain_value(library, new_key):
    function = tvm_ffi.convert(lambda: "called")
    library.define(new_key, "a", function)
    (field,) = fields_of(new_key)
    assert field.c_has_default
    assert field.c_default.same_as(function)
    made = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs")(index_of(new_key))
    assert made.a.same_as(function)


def test_a_setter_without_the_flag_of_a_function_object_is_a_c_function(library, new_key):
    library.define(new_key, "a")

    @register_object(new_key)
    class Node(Object):
        a: object

    node = make(new_key, "a", [1])
    node.a = "long enough to be an object"
    assert node.a == "long enough to be an object"


@pytest.mark.spec("GEN-G17", "GEN-G20")
@pytest.mark.parametrize("is_new", [False, True])
def test_keys_of_maps_by_the_pointer_hooks_of_either_form(library, new_key, is_new):
    index = library.define(new_key, "a")
    library.register_key_hooks(index, is_new)
    # An old hook returns only the hash, a new hook a TVMFFIAny, which begins with a type index. The
    # hashes 1 and 67 could be taken for the type indices of int and Error: `detail/key_hook.h`.
    numbers = (0, 1, 2, 67, -1, 2**62)
    keys = {number: make(new_key, "a", number) for number in numbers}
    values = tvm_ffi.Map({keys[number]: number for number in numbers})
    entries = tvm_ffi.Dict(dict(values.items()))
    for number in numbers:
        same = make(new_key, "a", number)
        assert not same.same_as(keys[number])
        assert values[same] == number
        assert entries[same] == number
    assert make(new_key, "a", 3) not in values
    assert len(tvm_ffi.Map({keys[1]: "a", make(new_key, "a", 1): "b"})) == 1


@pytest.mark.spec("GEN-G16", "GEN-G20")
def test_begin_index_of_every_column_is_zero(library, new_key):
    """Check that ``begin_index`` is 0: libraries of 0.1.8 read it as the upper half of the size."""
    names = [
        *("__any_hash__", "__any_equal__", "__s_equal__", "__s_hash__", "__s_visit__"),
        *("__s_mutate__", "__s_maybe_inplace_mutate__", "__ffi_convert__", "__data_to_json__"),
        *("__data_from_json__", "__ffi_enum__", "__ffi_shallow_copy__", "__ffi_repr__"),
        *("__ffi_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_new__", "__ffi_init__"),
        *("__ffi_enum_entries__", "__ffi_enum_attrs__", "__ffi_enum_value_entries__"),
        "__ffi_type_final__",
    ]
    for name in names:
        assert 0 <= library.column_size(name) < 2**31, name
    index = library.define(new_key, "a")
    library.register_attr(index, "test.generations.attribute", 1)
    assert index < library.column_size("test.generations.attribute") < 2**31
