# SPDX-License-Identifier: Apache-2.0
"""Recursive classes, in one file and in several files.

The generated code compiles without a warning. The objects can be constructed, compared, pickled
and printed.
"""

from __future__ import annotations

import re

import pytest

from .conftest import needs_compiler

TREES = '''"""Classes that hold themselves."""

from __future__ import annotations

from typing import Any, Optional

from tvm_ffi.schema import KW_ONLY, Object, declare, field, method, module, ty

__tschema__ = module(namespace="rec", type_key_prefix="rec.")


@declare
class Tree(Object):
    """A tree."""

    type_key = "Tree"
    structural_eq = "tree"
    name: str = ""
    kids: list[Tree] = field(default_factory=list)
    holes: ty.Array[Optional[Tree]] = field(default_factory=lambda: [None, None])
    by_name: dict[str, Tree] = field(default_factory=dict)
    nested: dict[str, list[Tree]] = field(default_factory=dict)
    maybe: Optional[list[Tree]] = None
    pair: Optional[tuple[Tree, int]] = None
    either: Tree | int | None = None
    must: Tree | str = "x"
    call: ty.Function[[Tree], Tree] = None
    calls: Optional[ty.Function[[list[Tree]], Tree]] = None
    keyed: ty.Map[str, Tree] = field(default_factory=dict)
    options: tuple[int, str, float] = (1, "a", 2.5)
    table: dict[str, list[int]] = field(default_factory=lambda: {"a": [1, 2]})
    any: Any = None


@declare
class Mut(Object):
    """Its parts may change."""

    type_key = "Mut"
    mutable = True
    structural_eq = "dag"
    parent: Optional[Mut] = None
    children: list[Mut] = field(default_factory=list)
    _: KW_ONLY
    next: Mut | None = None


@declare
class Sub(Tree):
    """It holds itself and what its parent holds."""

    type_key = "Sub"
    sub: Sub | None = None
    mine: list[Sub] = field(default_factory=list)


@declare
class Left(Object):
    """It holds what comes later, with defaults."""

    type_key = "Left"
    structural_eq = "tree"
    nullable = False
    x: int = 0
    right: Optional[Right] = None
    rights: list[Right] = field(default_factory=list)
    y: int = 1
    last: Right | None = None


@declare
class Right(Object):
    """It holds what comes before."""

    type_key = "Right"
    structural_eq = "tree"
    left: Left
    pair: tuple[Left, Right] | None = None
    name: str = "b"


@declare
class Own(Object):
    """It names itself as Self."""

    type_key = "Own"
    kids: list[ty.Self] = field(default_factory=list)
    up: Optional[ty.Self] = None
'''
STMTS = '''from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from tvm_ffi.schema import Object, declare, field, module

if TYPE_CHECKING:
    from blocks import Block, Leaf

LIMIT = 3
__tschema__ = module(namespace="two::stmts", type_key_prefix="two.")


@declare
class Stmt(Object):
    """A statement; its header comes before that of `Block`."""

    type_key = "Stmt"
    structural_eq = "tree"
    size: int = LIMIT
    block: Optional[Block] = None
    blocks: list[Block] = field(default_factory=list)
    leaf: Optional[Leaf] = None
    leaves: list[Leaf] = field(default_factory=list)
'''
BLOCKS = '''from __future__ import annotations

from typing import Optional

from stmts import LIMIT, Stmt
from tvm_ffi.schema import Object, declare, field, method, module, ty

__tschema__ = module(namespace="two::blocks", type_key_prefix="two.")


@declare
class Block(Object):
    """A block."""

    type_key = "Block"
    structural_eq = "tree"
    first: Stmt | None = None
    stmts: ty.Array[Stmt] = field(default_factory=list)
    pair: tuple[Stmt, Block] | None = None


@declare
class Leaf(Object):
    """It holds nothing."""

    type_key = "Leaf"
    structural_eq = "tree"
    x: int = LIMIT


@declare
class Loop(Stmt):
    """It derives from a class of the other file."""

    type_key = "Loop"
    own: Optional[Block] = None
'''
OTHERS = '''from __future__ import annotations

from stmts import Stmt
from tvm_ffi.schema import Object, declare, module

__tschema__ = module(namespace="two::others", type_key_prefix="two.")


@declare
class Other(Stmt):
    """It derives from outside of the circle."""

    type_key = "Other"
    y: int = 0


@declare
class Holder(Object):
    """It holds from outside of the circle."""

    type_key = "Holder"
    other: Other
    v: int = 0
    equal: int = 1
    hash_reduce: str = "a"
'''
USE = """
import pickle, sys
import tvm_ffi
tvm_ffi.load_module(sys.argv[1])
sys.path.insert(0, sys.argv[2])
from bound._trees import Left, Mut, Own, Right, Sub, Tree
from bound._blocks import Block, Leaf, Loop
from bound._others import Holder, Other
from bound._stmts import Stmt

def same(value):
    again = pickle.loads(pickle.dumps(value))
    assert type(again) is type(value) and repr(again) == repr(value), (again, value)
    assert tvm_ffi.structural_equal(again, value), value
    assert tvm_ffi.structural_hash(again) == tvm_ffi.structural_hash(value)

leaf = Tree("leaf")
tree = Tree("root", [leaf, Tree("k", [leaf])], by_name={"x": leaf}, nested={"a": [leaf]},
            maybe=[leaf], pair=(leaf, 3), either=4, must=leaf, keyed={"a": leaf})
same(tree)
assert not tvm_ffi.structural_equal(tree, leaf)
assert list(leaf.holes) == [None, None] and tuple(leaf.options) == (1, "a", 2.5)
assert leaf.table["a"][1] == 2 and leaf.must == "x" and tree.pair[1] == 3
assert Tree(call=lambda one: one).call(tree).same_as(tree)
assert Tree(calls=lambda all: all[0]).calls([tree]).same_as(tree)
same(Sub("s", [leaf], sub=Sub(), mine=[Sub("z")]))
one = Mut()
one.children.append(Mut(one))
one.next = one.children[0]
assert one.next.parent.same_as(one)
try:
    Mut(None, [], one)
except TypeError:
    pass
else:
    raise AssertionError("next is keyword-only")
right = Right(Left())
same(Left(1, right, [right], 2, right))
same(Right(Left(), (Left(right=right), right)))
assert (Left().y, Left().last, right.name) == (1, None, "b")
assert Own([Own()], Own()).kids[0].up is None
stmt = Stmt(block=Block(), blocks=[Block(Stmt(), [Stmt()])], leaf=Leaf(4), leaves=[Leaf()])
same(stmt)
same(Loop(own=Block(stmt, pair=(stmt, Block()))))
same(Holder(Other(block=Block(stmt))))
assert (stmt.size, stmt.leaves[0].x, Holder(Other()).hash_reduce) == (3, 3, "a")
"""


def write(project, dialect: str, more: str = "") -> None:
    texts = {"trees": TREES, "stmts": STMTS, "blocks": BLOCKS, "others": OTHERS}
    for name, text in texts.items():
        project.write(f"schema/{name}.py", text)
    settings = f'dialect = "{dialect}"\noutputs = ["cpp", "python", "pyi"]\n{more}'
    project.write("tschema.toml", settings + 'python_root = "bound"\n')
    assert project.run("generate", "-q") == 0, project.err


@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_one_recursive_class_declares_no_other_class(project, dialect):
    """Earlier versions declared all classes of the header if one of them was recursive."""
    others = "".join(
        f"@declare\nclass C{n}(Object):\n    type_key = 'C{n}'\n    x: int\n" for n in range(9)
    )
    project.schema(
        f"from __future__ import annotations\n{others}@declare\nclass T(Object):\n"
        "    type_key = 'T'\n    host: ty.Optional[T] = None\n"
    )
    assert project.run("generate", "-q", "--dialect", dialect) == 0, project.err
    header = project.read("include/ir.h")
    assert re.findall(r"^class (\w+);", header, re.M) == ["TNode", "T"]
    assert header.count("is_object_subclass_v") == 1


@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_classes_that_hold_themselves_compile_and_bind(project, dialect):
    """In an earlier version, default containers of recursive classes had a wrong type in C++."""
    write(project, dialect)
    project.compile(*sorted(str(p) for p in project.root.glob("src/*.cc")), output="lib.so")
    project.use(USE, "lib.so")
    assert project.run("validate") == 0, project.err
    assert project.run("validate", "--lib", "lib.so") == 0, project.err


def test_classes_that_hold_themselves_load_from_an_image(project):
    write(project, "modern")
    assert project.run("build", "-o", "lib.tfs", "-q") == 0, project.err
    project.use(USE, "lib.tfs")
    assert project.run("validate", "--lib", "lib.tfs") == 0, project.err


@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_headers_that_need_one_another_compile_alone_and_in_any_order(project, dialect):
    """In an earlier version, two headers included each other and lacked declarations."""
    write(project, dialect)
    names = ["stmts", "blocks", "others"]
    for number, first in enumerate(names):
        order = [first, *names[:number], *names[number + 1 :]]
        for count in (1, 3):
            lines = [f"#include <two/{name}/{name}.h>\n" for name in order[:count]]
            project.write(f"use_{first}_{count}.cc", "".join(lines))
    text = "\nint main() { two::blocks::Block block = two::stmts::Stmt(1)->block(); }\n"
    path = project.write("use.cc", "#include <two/blocks/blocks.h>\n" + text)
    project.compile(*(p.name for p in project.root.glob("use_*.cc")), path.name)


@needs_compiler
def test_in_place_blocks_of_classes_that_hold_one_another_compile(project):
    """In an earlier version, methods used classes and pointer types before their declarations."""
    project.write("schema/trees.py", TREES)
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["include/**/*.h"]\n')
    blocks = ["Tree", "Mut", "Sub", "Left", "Right", "Own"]
    body = "".join(
        f"// tschema: {name}{part}\n// tschema: end\n\n" for name in blocks for part in ("Node", "")
    )
    head = "#pragma once\n// tschema: @includes\n// tschema: end\nnamespace rec {\n"
    project.write("include/rec/trees.h", f"{head}{body}}}  // namespace rec\n")
    project.write("use.cc", "#include <rec/trees.h>\n")
    assert project.run("generate", "-q") == 0, project.err
    project.compile("use.cc")


def test_both_readers_read_imports_for_types_alike(project):
    """Imports under `if TYPE_CHECKING` may be circular; an earlier version refused cycles."""
    write(project, "modern")
    made = []
    for frontend in ("static", "import"):
        assert project.run("export", "--frontend", frontend) == 0, project.err
        made.append(project.out)
    assert made[0] == made[1]


def test_files_that_import_one_another_at_run_time_are_still_refused(project):
    write(project, "modern")
    text = STMTS.replace("if TYPE_CHECKING:\n    ", "")
    project.write("schema/stmts.py", text)
    assert project.run("check") == 3
    assert "TS202" in project.ids()
