# SPDX-License-Identifier: Apache-2.0
"""Prototypes: what is read of them, and how registered classes are compared with them."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import ClassVar

import pytest
from running import execute

import tvm_ffi
from tvm_ffi.dataclasses import auto_class, py_class
from tvm_ffi_schema.build import toolchain

EXAMPLES = Path(__file__).parents[1] / "examples"
SETS = {
    "in_place": ["in_place/schema"],
    "library": ["library/nodes.py"],
    "new_project": ["new_project/schema"],
    "promotion": ["promotion/geometry.py"],
    "tensor_ir": ["tensor_ir/schema"],
}
HEAD = """
from __future__ import annotations
import dataclasses
from dataclasses import InitVar
from typing import ClassVar, Literal, Optional
from tvm_ffi import Object
from tvm_ffi.dataclasses import (
    KW_ONLY, Enum, EnumObject, IntEnum, StrEnum, auto_class, entry, field, init_property, py_class,
    py_enum
)
"""


def exported(project, text: str, frontend: str = "static", name: str = "m.py") -> list:
    """Return the exported classes of a module; an empty list if the tool refuses the module."""
    project.write(name, HEAD + text)
    status = project.run("export", "-q", "--frontend", frontend, name)
    return json.loads(project.out)["modules"][0]["objects"] if status == 0 else []


@pytest.mark.spec("SC65")
@pytest.mark.parametrize("example", sorted(SETS))
def test_both_readers_read_every_example_alike(example):
    texts = []
    for frontend in ("static", "import"):
        done = execute(
            *(
                [sys.executable, "-m", "tvm_ffi_schema", "export", "-q", "--frontend", frontend]
                + SETS[example]
            ),
            cwd=EXAMPLES,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        texts.append(done.stdout)
    assert texts[0] == texts[1] and '"type_key"' in texts[0]


def test_every_example_is_compared():
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == set(SETS)


@pytest.mark.parametrize(
    ("text", "rule", "message"),
    [
        ("@py_class('p.A', frosen=True)\nclass A(Object): x: int", "TS004", "'frosen'"),
        ("@py_class('p.A')\nclass A(Missing): x: int", "TS004", "name 'Missing' is not defined"),
        (
            "@auto_class('p.A')\nclass A(IntEnum):\n    ONE: ClassVar[A]",
            "TS004",
            "ONE is an enum entry: use py_enum",
        ),
        (
            "@py_class('p.A')\nclass A(Object): x: InitVar[int]",
            "TS030",
            "an InitVar is not a field",
        ),
        (
            "@py_class('p.A')\nclass A(Object): x: dataclasses.InitVar[int] = 1",
            "TS030",
            "move the class into a file",
        ),
        (
            "@py_class('p.A')\nclass A(Object):\n    @init_property\n    def x(self) -> int: ...",
            "TS030",
            "an init_property is computed by Python",
        ),
        (
            "@py_class('p.A')\nclass A(Object): x: object = field(default_factory=object)",
            "TS035",
            "field 'x': <object object at 0x...> has no literal form",
        ),
        (
            "@py_class('p.A')\nclass A(Object): x: Object = field(default_factory=lambda: 1 / 0)",
            "TS035",
            "field 'x': ZeroDivisionError: division by zero has no literal form",
        ),
        (
            "from tvm_ffi.testing import TestIntPair\n"
            "@py_class('p.A')\nclass A(Object): x: Optional[TestIntPair]",
            "TS027",
            "there is no class 'testing.TestIntPair'",
        ),
    ],
)
def test_what_is_refused(project, text, rule, message):
    assert exported(project, text + "\n") == []
    assert project.ids() == [rule] and message in re.sub(r" at 0x\w+", " at 0x...", project.err)
    assert re.search(r"^m\.py:(\d+):", project.err)[1] not in ("0", "1")


def test_members_that_stay_in_python_are_not_an_error(project):
    text = """
import os, sys
from collections import OrderedDict

for name in os.environ:
    sys.intern(name)
a, b = 1, 2

def helper(x):
    class Local:
        pass
    return Local

class Plain:
    x = helper(1)
    def method(self): pass

@py_class("py.A")
class A(Object, Plain):
    x: int
    table = {"a": helper}
    class Inner: pass
    if True:
        y = 1
    @helper
    def decorated(self): return 1
    @property
    def p(self): pass
    def empty(self): ...

helper(A)
assert a < b
"""
    (found,) = exported(project, text)
    assert [one["name"] for one in found["fields"]] == ["x"]
    assert [one["name"] for one in found["methods"]] == ["decorated", "p", "empty"]
    assert found["type_attrs"] == {"y": 1}


@pytest.mark.parametrize("frontend", ["static", "import"])
def test_what_only_a_run_can_tell_is_read_of_the_registered_class(project, frontend):
    project.write("pkg/__init__.py", "")
    project.write("pkg/limits.py", "TOP = 7\ndef names(): return ['a', 'b']\n")
    text = """
from pkg.limits import TOP, names
import pkg.limits as limits

def make():
    return {"k": [TOP]}

Numbers = eval("list[int]")
options = dict(default=TOP - 1, kw_only=True)

if TOP:
    @py_class("ev.A")
    class A(Object):
        low: int = TOP
        high: int = limits.TOP * 2
        words: list[str] = field(default_factory=names)
        table: dict[str, list[int]] = field(default_factory=make)
        inner: list[int] = field(default_factory=lambda: [len("abc")])
        numbers: Numbers = field(**dict(default_factory=list))
        other: int = field(**options)
"""
    (found,) = exported(project, text, frontend, "pkg/m.py")
    fields = {one["name"]: one for one in found["fields"]}
    values = {name: one["default"]["value"] for name, one in fields.items()}
    assert values == {
        "low": 7,
        "high": 14,
        "words": ["a", "b"],
        "table": {"k": [7]},
        "inner": [3],
        "numbers": [],
        "other": 6,
    }
    assert fields["other"]["kw_only"] is True
    assert project.run("promote", "--frontend", frontend, "pkg/m.py", "--cpp", "native") == 0
    assert "int64_t high = 14" in project.read("native/include/m.h")


REGISTERED = """
@py_class("back.A")
class A(Object):
    a: int = 1
    pair: tuple[int, str]
    word: Literal["x", "y"] = "x"

@py_enum("back.Level")
class Level(EnumObject):
    low = entry(1)
    high = entry(7)

class Unit(StrEnum, type_key="back.Unit"):
    plus = "+"
"""


def test_a_prototype_as_a_schema_file_is_read_again(project):
    """Tuples became extern classes; numbered entries and late required fields were refused."""
    for text in (REGISTERED, (Path(__file__).parent / "ways/model.py").read_text()):
        project.write("m.py", (HEAD if text is REGISTERED else "") + text)
        assert project.run("export", "-q", "m.py", "--as", "schema", "-o", "schema/m.py") == 0
        made = []
        for name in ("m.py", "schema/m.py"):
            assert project.run("export", "-q", name) == 0, project.err
            made.append(json.loads(project.out)["modules"][0])
            for one in made[-1]["objects"]:
                one.get("doc", {}).pop("attributes", None)
        assert made[0]["objects"] == made[1]["objects"]
        assert "externs" not in made[0]
    project.write("m.py", HEAD + REGISTERED)
    (a, level, unit) = exported(project, REGISTERED)
    assert a["fields"][1]["type"]["origin"] == "Tuple" and len(a["fields"][1]["type"]["args"]) == 2
    assert [one["fields"] for one in level["enum"]["entries"]] == [{"value": 1}, {"value": 7}]
    assert unit["enum"]["entries"] == [{"name": "plus", "value": "+"}]
    assert project.run("promote", "m.py", "--cpp", "native") == 0, project.err
    header = project.read("native/include/m.h")
    assert "::tvm::ffi::Tuple<int64_t, ::tvm::ffi::String> pair;" in header
    if toolchain.find() is not None:
        project.write("include/m.h", header)
        project.compile("native/src/m.cc")


def test_a_prototype_that_ends_its_process_is_reported(project):
    project.write("schema/m.py", HEAD + "import os\nos._exit(7)\n")
    assert project.run("export", "schema/m.py") == 3
    assert project.ids() == ["TS004"]
    assert "schema/m.py cannot be imported: " in project.err


def test_a_literal_checks_defaults_of_its_schema_file(project):
    project.write("m.py", HEAD + REGISTERED.replace('= "x"', '= "z"'))
    assert project.run("export", "m.py") == 3
    assert project.ids() in (["TS004"], ["TS035"]) and "m.py:" in project.err


def test_keys_are_those_of_the_module(project):
    project.write("a/__init__.py", "")
    project.write("a/b/__init__.py", "")
    text = "@py_class\nclass A(Object):\n    x: int\n@auto_class()\nclass B(A): pass\n"
    for frontend in ("static", "import"):
        found = exported(project, text, frontend, "a/b/m.py")
        assert [one["type_key"] for one in found] == ["a.b.m.A", "a.b.m.B"]
        assert found[1]["parent"] == "a.b.m.A"


def test_a_default_that_its_type_refuses_is_reported(project):
    text = "@py_class('no.A')\nclass A(Object):\n    x: int = 0\n    next: B = None\n"
    project.write("m.py", HEAD + text + "@py_class('no.B')\nclass B(Object): pass\n")
    assert project.run("promote", "m.py", "--cpp", "native") == 0, project.err
    assert "no.A.next has the default None, which its type refuses" in project.out
    header = project.read("native/include/m.h")
    assert "explicit A(int64_t x, B next);" in header or "A(int64_t x, B next);" in header
    assert 'def_rw("next", &ANode::next, refl::default_value(nullptr))' in project.read(
        "native/src/m.cc"
    )


# ---- the comparison of a registered class with a declaration


DECLARED = """
@py_class("KEY.Base")
class Base(Object):
    b: int = 0

@py_class("KEY.A", OPTIONS)
class A(Base):
    x: int
    y: float = 0.5
    z: list[int] = field(default_factory=list)
"""
#: (old text, new text) of an edit of the file -> (row in the message, advice in the message).
CHANGES = {
    ("x: int", "x: str"): ("field 1 x: str x: int", "write x: int"),
    ("x: int", "w: int"): ("field 1 w: int x: int", "write x: int in place of w"),
    ("x: int", "x: int\n    more: int = 1"): ("field 4 z: List[int] nothing", "remove z"),
    ("    y: float = 0.5\n", ""): ("field 3 nothing z: List[int]", "write z: List[int]"),
    ("y: float = 0.5", "y: float = 0.25"): ("y: default 0.25 0.5", "write y with default=0.5"),
    ("y: float = 0.5", "y: float = field(default=0.5, kw_only=True)"): (
        "y: kw_only True False",
        "write y with kw_only=False",
    ),
    ("y: float = 0.5", "y: float = field(default=0.5, compare=False)"): (
        "y: compare False True",
        "write y with compare=True",
    ),
    ("y: float = 0.5", "y: float = field(default=0.5, frozen=True)"): (
        "y: frozen True False",
        "write y with frozen=False",
    ),
    ("OPTIONS", "structural_eq='dag'"): ("structural_eq dag tree", "pass structural_eq='tree'"),
    ("class A(Base)", "class A(Object)"): (
        "parent ffi.Object KEY.Base",
        "derive from the class of 'KEY.Base'",
    ),
}


@pytest.mark.spec("SC66")
@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_differences_name_the_edit_and_a_new_library_removes_them(project, number):
    key = f"proto.differ{number}"
    (old, new), (row, edit) = list(CHANGES.items())[number]
    text = HEAD + DECLARED.replace("py_class(", "auto_class(").replace("KEY", key)
    first = text.replace("OPTIONS", "kw_only=False")
    second = text.replace(old, new).replace("OPTIONS", "kw_only=False")
    for name, content in (("first", first), ("second", second)):
        project.write(f"{name}.py", content)
        assert project.run("build", "-q", f"{name}.py", "-o", f"{name}.tfs") == 0, project.err
    use = "import sys, tvm_ffi\ntvm_ffi.load_module(sys.argv[1])\nimport second\n"
    project.write("use.py", use)
    done = {image: _outcome(project, image) for image in ("first.tfs", "second.tfs")}
    assert done["second.tfs"] == (0, "")
    status, error = done["first.tfs"]
    assert status == 1 and "SchemaMismatchError" in error
    lines = [" ".join(line.split()) for line in error.splitlines()]
    assert row.replace("KEY", key) in lines
    assert lines[-2].startswith("if the declaration is right, build the library again from it:")
    assert "second.py" in lines[-2]
    assert lines[-1].startswith("if the library is right, change the declaration: ")
    assert edit.replace("KEY", key) in lines[-1]


def _outcome(project, image: str) -> tuple[int, str]:
    done = execute(
        *(sys.executable, "use.py", f"./{image}"),
        status=None,
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    return done.returncode, done.stderr


def test_defaults_of_one_value_are_not_a_difference(project):
    text = HEAD + "@py_class('proto.values.A')\nclass A(Object):\n    x: float = 1\n"
    project.write("m.py", text + "    t: tuple[int, ...] = (1,)\n    l: list[int] = [1]\n")
    assert project.run("build", "-q", "m.py", "-o", "m.tfs") == 0, project.err
    tvm_ffi.load_module(str(project.root / "m.tfs"))

    @auto_class("proto.values.A")
    class A(tvm_ffi.Object):
        x: float = 1.0
        t: tuple[int, ...] = (1,)
        l: list[int] = [1]  # noqa: E741, RUF012

    assert (A().x, list(A().t), list(A().l)) == (1.0, [1], [1])


def test_entries_of_a_native_enum_are_compared(project):
    text = """
class E(Enum, type_key="proto.enum.E"):
    cost: int = 0
    one = entry(cost=1)
@py_enum("proto.enum.F")
class F(EnumObject):
    cost: int
    one = entry(1)
"""
    project.write("m.py", HEAD + text)
    assert project.run("build", "-q", "m.py", "-o", "m.tfs") == 0, project.err
    project.write("use.py", "import tvm_ffi\ntvm_ffi.load_module('./m.tfs')\nimport second\n")
    for kind, old in (("E", "one = entry(cost=1)"), ("F", "one = entry(1)")):
        project.write("second.py", HEAD + text.replace(old, old.replace("1)", "2)")))
        status, error = _outcome(project, "m.tfs")
        assert status == 1
        assert f"{kind}.one: the library has cost=1, its declaration says 2" in error
    project.write("second.py", HEAD + text + "assert E.one.cost == F.one.cost == 1\n")
    assert _outcome(project, "m.tfs") == (0, "")


def test_functions_of_a_module_that_is_reloaded(project):
    text = """
import tvm_ffi

@auto_class("proto.again.A")
class A(Object):
    x: int
    @tvm_ffi.method
    def twice(self) -> int:
        return 2 * self.x
    def __ffi_repr__(self, show):
        return "A of " + show(self.x)
"""
    project.write("m.py", HEAD + text)
    assert project.run("build", "-q", "m.py", "-o", "m.tfs") == 0, project.err
    check = "assert (m.A(3).twice(), str(m.A(3)), str(old)) == (6, 'A of 3', 'A of 1')\n"
    use = "import importlib, tvm_ffi\ntvm_ffi.load_module('./m.tfs')\nimport m\nold = m.A(1)\n"
    project.write("use.py", f"{use}{check}importlib.reload(m)\n{check}")
    assert _outcome(project, "m.tfs") == (0, "")


def test_an_enum_needs_its_own_decorator():
    with pytest.raises(TypeError, match="ADD is an enum entry: use py_enum"):

        @py_class("proto.refused.Kind")
        class Kind(tvm_ffi.dataclasses.IntEnum):
            ADD: ClassVar[Kind]
