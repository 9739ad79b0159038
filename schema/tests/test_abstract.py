# SPDX-License-Identifier: Apache-2.0
"""``abstract = True``: an abstract class has no creator and no public constructor in any output."""

from __future__ import annotations

import pytest

import tvm_ffi
from tvm_ffi import core, schema
from tvm_ffi.dataclasses import c_class, py_class

from .conftest import needs_compiler

CLASSES = '''
__tschema__ = module(namespace="KEY", type_key_prefix="KEY.")

@declare
class EmptyNode(Object):
    """Without a field."""
    type_key = "Empty"
    abstract = True

@declare
class ShapeNode(EmptyNode):
    """With a constructor for its subclasses."""
    type_key = "Shape"
    abstract = True
    name: str
    size: int = 1

@declare
class HandNode(Object):
    """With a constructor by hand."""
    type_key = "Hand"
    abstract = True
    size: int = 1
    @method
    def __init__(self, size: int, more: int = 2) -> None: ...

@declare
class SquareNode(ShapeNode):
    """May be made."""
    type_key = "Square"
    side: float = 1.0
'''
WORDS = ("public:", "protected:", "private:")
ABSTRACT = ("Empty", "Shape", "Hand")


def cannot_be_made(cls, *arguments) -> None:
    with pytest.raises(TypeError, match=r"cannot be constructed|abstract|instantiate"):
        cls(*arguments)


@pytest.mark.spec("SC20", "SC103.16")
@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_a_library_registers_no_creator(project, dialect):
    key = f"abstract_{dialect}"
    project.schema(CLASSES.replace("KEY", key))
    assert project.run("build", "-q", "--debug", "-o", "a.so", "--dialect", dialect) == 0, (
        project.err
    )
    tvm_ffi.load_module(str(project.root / "a.so"))
    for name in (*ABSTRACT, "Square"):
        info = core._lookup_or_register_type_info_from_type_key(f"{key}.{name}")
        found = [core._lookup_type_attr(info.type_index, f"__ffi_{w}__") for w in ("new", "init")]
        assert [one is None for one in found] == [name in ABSTRACT] * 2, name
    made = schema.load(str(project.root / "a.so"))
    for name in ABSTRACT:
        cannot_be_made(getattr(made, name))
    assert repr(made.Square("s")) == f'{key}.Square(name="s", size=1, side=1)'
    subclass_in_python(key)


def subclass_in_python(key: str) -> None:
    empty = c_class(f"{key}.Empty")(type("Empty", (tvm_ffi.Object,), {}))
    names = {"__annotations__": {"name": str, "size": int}}
    base = c_class(f"{key}.Shape")(type("Shape", (empty,), names))
    cannot_be_made(base, "s")
    below = py_class(f"{key}.Below")(type("Below", (base,), {"__annotations__": {"z": int}}))
    made = below(name="b", z=3)
    assert (made.name, made.size, made.z) == ("b", 1, 3)


@pytest.mark.spec("SC103.16")
def test_an_image_has_none_either(project):
    project.schema(CLASSES.replace("KEY", "abstract_image"))
    assert project.run("build", "-q", "-o", "a.tfs") == 0, project.err
    made = schema.load(str(project.root / "a.tfs"))
    for name in ABSTRACT:
        cannot_be_made(getattr(made, name))
    assert made.Square("s").side == 1.0
    subclass_in_python("abstract_image")


def test_constructors_are_for_subclasses(project):
    """A generated class has in this order: data, protected constructors, public members."""
    project.schema(CLASSES.replace("KEY", "a"))
    assert project.run("generate", "-q") == 0
    text = project.read("include/a/ir.h")
    assert " protected:\n  EmptyNode() = default;\n\n public:\n" in text
    hand = "  explicit HandNode(int64_t size, int64_t more = 2);\n\n public:"
    assert f" protected:\n  HandNode() = default;\n{hand}" in text
    assert "refl::init<" not in project.read("src/ir.cc")
    project.compile("src/ir.cc")


ACCESS = """
@declare
class A(Object):
    type_key = "A"
    abstract = True

@declare
class B(Object):
    type_key = "B"
    x: int = field(default=0, access="protected", init=False, reflect=False)
    y: int = field(default=0, access="protected", init=False, reflect=False)
    z: int = 1
"""


@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_access_changes_only_before_a_member(project, dialect):
    """Earlier versions wrote `public:` directly before `protected:`."""
    project.schema(ACCESS)
    assert project.run("generate", "-q", "--dialect", dialect) == 0, project.err
    classes = project.read("include/ir.h").split("\nclass ")
    found = [[w[:-1] for w in one.split() if w in WORDS] for one in classes if "Node :" in one]
    assert found == [["protected", "public"], ["protected", "public"]]
    assert "{\n protected:" in classes[1] and ";\n\n public:" in classes[3]
