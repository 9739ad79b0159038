# SPDX-License-Identifier: Apache-2.0
"""Test access paths."""

from __future__ import annotations

import inspect

import pytest

import tvm_ffi
from tvm_ffi import core

if core._object_type_key_to_index("ffi.reflection.AccessPath") is None:
    pytest.skip("the runtime has no access paths", allow_module_level=True)

from tvm_ffi.access_path import AccessKind, AccessPath, AccessStep

ROOT = AccessPath.root()
PATH = (
    ROOT.attr("a")
    .array_item(1)
    .map_item("k")
    .map_item(5)
    .attr_missing("m")
    .array_item_missing(2)
    .map_item_missing("z")
)


@pytest.mark.spec("PY-J265")
def test_text():
    assert repr(ROOT) == "<root>"
    text = '<root>.a[1]["k"][5][<missing:"m">][<missing:2>][<missing:"z">]'
    assert repr(PATH) == str(PATH) == text
    assert repr(ROOT.attr("a").step) == ".a"
    assert repr(PATH.step) == '[<missing:"z">]'


@pytest.mark.spec("PY-J265")
def test_fields():
    assert (ROOT.parent, ROOT.step, ROOT.depth) == (None, None, 0)
    assert PATH.depth == 7
    assert type(PATH.parent) is AccessPath
    assert type(PATH.step) is AccessStep
    assert (PATH.step.kind, PATH.step.key) == (AccessKind.MAP_ITEM_MISSING, "z")
    for name in ("parent", "step", "depth"):
        with pytest.raises(AttributeError):
            setattr(PATH, name, None)


@pytest.mark.spec("PY-J265")
def test_steps_come_from_the_root():
    steps = PATH.to_steps()
    assert type(steps) is tvm_ffi.Array
    assert [step.kind for step in steps] == [0, 1, 2, 2, 3, 4, 5]
    assert [step.key for step in steps] == ["a", 1, "k", 5, "m", 2, "z"]
    assert len(ROOT.to_steps()) == 0


def test_kinds():
    assert [kind.name for kind in AccessKind] == [
        *("ATTR", "ARRAY_ITEM", "MAP_ITEM"),
        *("ATTR_MISSING", "ARRAY_ITEM_MISSING", "MAP_ITEM_MISSING"),
    ]
    assert [int(kind) for kind in AccessKind] == list(range(6))


@pytest.mark.spec("PY-J265")
def test_equality_compares_the_steps():
    same = ROOT.attr("a").array_item(1)
    assert same == AccessPath.root().attr("a").array_item(1)
    assert (same != AccessPath.root().attr("a").array_item(1)) is False
    assert same != ROOT.attr("a").array_item(2)
    assert same != ROOT.attr("a")
    assert ROOT.array_item(1) != ROOT.array_item_missing(1)
    for other in (5, None, "a", [], ROOT.step):
        assert (same == other) is False
        assert same != other


# Earlier, the hash was by identity: a dict did not find an equal path.
def test_equal_paths_have_equal_hashes():
    unhashable = {"list": [1]}
    for key in (1, True, 2.5, "k", "a longer key", b"raw", None, tvm_ffi.convert(unhashable)):
        path, same = ROOT.attr("a").map_item(key), AccessPath.root().attr("a").map_item(key)
        assert path == same
        assert {path: "found"}[same] == "found"
    assert len({ROOT, ROOT.attr("a"), ROOT.map_item("a"), ROOT.array_item(1)}) == 4


@pytest.mark.spec("PY-J265")
def test_prefix():
    assert ROOT.is_prefix_of(PATH)
    assert PATH.is_prefix_of(PATH)
    assert not PATH.is_prefix_of(ROOT)
    assert not ROOT.attr("b").is_prefix_of(PATH)
    with pytest.raises(TypeError):
        PATH.is_prefix_of(5)


@pytest.mark.spec("PY-J266")
def test_only_root_makes_paths():
    with pytest.raises(
        ValueError,
        match=r"^AccessPath can't be initialized directly\. "
        r"Use AccessPath\.root\(\) to create a path to the root object$",
    ):
        AccessPath()
    with pytest.raises(TypeError, match="cannot be constructed directly"):
        AccessStep()


def test_wrong_keys():
    with pytest.raises(TypeError, match="Expected `str` but got `int`"):
        ROOT.attr(5)
    with pytest.raises(TypeError, match="Expected `int`"):
        ROOT.array_item("x")


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("attr", "(self, attr_key)"),
        ("attr_missing", "(self, attr_key)"),
        ("array_item", "(self, index)"),
        ("array_item_missing", "(self, index)"),
        ("map_item", "(self, key)"),
        ("map_item_missing", "(self, key)"),
        ("is_prefix_of", "(self, other)"),
    ],
)
def test_signatures(name, parameters):
    signature = inspect.signature(getattr(AccessPath, name))
    assert f"({', '.join(signature.parameters)})" == parameters


def test_native_methods_are_there():
    names = "root extend attr attr_missing array_item array_item_missing map_item map_item_missing"
    for name in [*names.split(), "is_prefix_of", "to_steps", "path_equal"]:
        assert callable(getattr(PATH, f"_{name}"))
    assert ROOT._extend(PATH.step) == ROOT.map_item_missing("z")
    assert ROOT._path_equal(AccessPath._root())
