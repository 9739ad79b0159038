# SPDX-License-Identifier: Apache-2.0
"""Test ``unpack_dataclass_to_tuple``, and schemas of standard dataclasses."""

# ruff: noqa: SIM905, UP006 - annotations are the data of these tests
from __future__ import annotations

import dataclasses
import gc
import threading
import typing
import weakref
from collections import OrderedDict, namedtuple

import pytest
from running import classes_die, run_threads

from tvm_ffi.utils import unpack_dataclass
from tvm_ffi.utils.unpack_dataclass import unpack_dataclass_to_tuple as unpack

Pair = namedtuple("Pair", "first second")


@dataclasses.dataclass
class Leaf:
    x: int
    y: str


@dataclasses.dataclass
class Loose:
    a: object
    b: typing.Any


@dataclasses.dataclass
class Nested:
    leaf: Leaf
    more: list


@dataclasses.dataclass
class Tree:
    value: int
    left: typing.Optional[Tree] = None
    right: Tree = None


@dataclasses.dataclass
class Unresolved:
    x: NoSuchName  # noqa: F821
    y: int


@dataclasses.dataclass
class Every:
    i: int
    f: float
    s: str
    bo: bool
    by: bytes
    c: complex
    n: None
    t: typing.Tuple[int, str]
    t_any: typing.Tuple[int, ...]
    d: typing.Dict[str, int]
    st: typing.Set[int]
    fs: typing.FrozenSet[int]
    o: typing.Optional[int]
    annotated: typing.Annotated[int, 3]
    leaf: Leaf
    o_leaf: typing.Optional[Leaf]
    u_leaf: typing.Union[Leaf, int]
    t_leaf: typing.Tuple[Leaf, int]
    d_leaf: typing.Dict[str, Leaf]
    li: list
    li_int: typing.List[int]
    tup: tuple
    ob: object
    an: typing.Any
    ba: bytearray
    literal: typing.Literal[1]
    shared: typing.ClassVar[int] = 3


@pytest.mark.spec("PY-J273")
def test_dataclasses_become_tuples():
    assert unpack(Leaf(1, "a")) == (1, "a")
    assert unpack(Nested(Leaf(1, "a"), [Leaf(2, "b")])) == ((1, "a"), [(2, "b")])
    assert unpack(Tree(1, Tree(2), Tree(3))) == (1, (2, None, None), (3, None, None))


@pytest.mark.spec("PY-J273")
def test_containers_keep_their_type():
    class MyList(list):
        pass

    class MyTuple(tuple):
        __slots__ = ()

    leaf = Leaf(1, "a")
    for value in ([leaf, 3], (leaf,), MyList([leaf]), MyTuple([leaf]), Pair(leaf, [leaf])):
        result = unpack(value)
        assert type(result) is type(value)
        assert result[0] == (1, "a")
    assert unpack(Pair(leaf, [leaf])) == Pair((1, "a"), [(1, "a")])
    assert type(unpack(OrderedDict(a=leaf))) is dict
    assert unpack({"k": {"n": leaf}, 2: 3}) == {"k": {"n": (1, "a")}, 2: 3}


def test_keys_of_mappings_stay():
    @dataclasses.dataclass(frozen=True)
    class Key:
        v: int

    assert unpack({Key(1): Key(2)}) == {Key(1): (2,)}


@pytest.mark.spec("PY-J273")
def test_other_values_are_returned_as_they_are():
    thing, members = object(), {1}
    for value in (thing, members, "text", 5, None, Leaf, 1.5):
        assert unpack(value) is value
    held = Loose(thing, members)
    assert unpack(held)[0] is thing
    assert unpack(held)[1] is members


def test_field_declared_as_a_leaf_is_not_looked_into():
    inner = [1]
    assert unpack(Leaf(inner, "a"))[0] is inner


def test_value_that_is_not_of_the_declared_type():
    assert unpack(Nested(None, [])) == (None, [])
    assert unpack(Nested([Leaf(1, "a")], [])) == ([(1, "a")], [])


def test_dataclass_without_fields():
    @dataclasses.dataclass
    class Empty:
        pass

    assert unpack(Empty()) == ()


def test_init_variables_are_not_fields():
    @dataclasses.dataclass
    class WithInit:
        a: int
        b: dataclasses.InitVar[int]

    assert unpack(WithInit(1, 2)) == (1,)


def test_threads_share_nothing():
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(unpack(Nested(Leaf(1, "a"), []))))
        for _ in range(8)
    ]
    run_threads(threads)
    assert results == [((1, "a"), [])] * 8


@classes_die
def test_cache_does_not_keep_classes_alive():
    cls = dataclasses.make_dataclass("Short", [("x", int)])
    assert unpack(cls(1)) == (1,)
    gone = weakref.ref(cls)
    del cls
    gc.collect()
    assert gone() is None


# ---- schemas ----

extract = unpack_dataclass._extract_dataclass_to_tuple_schema
validate = unpack_dataclass._validate_dataclass_to_tuple_schema


def test_schema_of_every_kind():
    schema = extract(Every)
    leaves = "i f s bo by c n t t_any d st fs o annotated".split()
    assert [name for name, how in schema.items() if how is None] == leaves
    assert schema["leaf"] == {"x": None, "y": None}
    unpacked = [name for name, how in schema.items() if how == "unpack"]
    assert unpacked == "o_leaf u_leaf t_leaf d_leaf li li_int tup ob an ba literal".split()


def test_schema_of_recursive_and_unresolved_types():
    assert extract(Tree) == {"value": None, "left": "unpack", "right": "unpack"}
    assert extract(Unresolved) == {"x": "unpack", "y": None}


@dataclasses.dataclass
class Repeated:
    first: Leaf
    second: Leaf
    nested: Nested


def test_a_dataclass_that_occurs_again_keeps_the_marker():
    extract = unpack_dataclass._extract_dataclass_to_tuple_schema
    leaf = {"x": None, "y": None}
    assert extract(Repeated) == {
        "first": leaf,
        "second": "unpack",
        "nested": {"leaf": "unpack", "more": "unpack"},
    }
    known = {Leaf}
    assert extract(Repeated, memo=known)["first"] == "unpack"
    assert known == {Leaf, Repeated, Nested}
    value = Repeated(Leaf(1, "a"), Leaf(2, "b"), Nested(Leaf(3, "c"), [Leaf(4, "d")]))
    assert unpack(value) == ((1, "a"), (2, "b"), ((3, "c"), [(4, "d")]))


@pytest.mark.parametrize("value", [int, Leaf(1, "a"), 5])
def test_schema_of_something_else(value):
    with pytest.raises(TypeError, match="Expected a dataclass class"):
        extract(value)


@pytest.mark.parametrize(
    ("schema", "error", "message"),
    [
        (5, TypeError, "must be a dict"),
        ({"a": 5}, TypeError, "must be a dict"),
        ({"a": "zz"}, TypeError, "must be a dict"),
        ({1: None}, TypeError, "must be a string"),
        ({"a": {1: None}}, TypeError, "must be a string"),
        ({"a b": None}, ValueError, "is not a valid Python identifier"),
        ({"for": None}, ValueError, "is a Python keyword"),
    ],
)
def test_schema_is_validated(schema, error, message):
    with pytest.raises(error, match=message):
        validate(schema)
    validate({"a": {"b": None, "c": "unpack"}})
