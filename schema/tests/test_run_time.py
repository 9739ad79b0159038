# SPDX-License-Identifier: Apache-2.0
"""Definitions that are used at run time and as a schema: `declare(bind=...)`, `native="auto"`."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tvm_ffi
from tvm_ffi import schema
from tvm_ffi.dataclasses import SchemaMismatchError, auto_class, py_class

from .conftest import PRELUDE

DECLARED = '''
from typing import ClassVar, Optional

__tschema__ = module(namespace="rt", type_key_prefix="rt.KEY.")

@mixin
class Named:
    """What has a name."""
    name: ty.String = field(default="n", kw_only=True)

    def shout(self):
        return self.name.upper()

@declare(bind="BIND")
class Color(Enum):
    """Colours."""
    type_key = "Color"
    red: int = 0
    Black = entry()
    Red = entry(red=255)

@declare(bind="BIND")
class Size(IntEnum):
    """Sizes."""
    type_key = "Size"
    Small = entry(1)
    Large = entry(10)

@declare(bind="BIND")
class ExprNode(Object):
    """A base."""
    type_key = "Expr"
    structural_eq = "dag"

@declare(bind="BIND")
class AddNode(ExprNode, Named):
    """A sum."""
    type_key = "Add"
    mutable = True
    type_attrs = {"rt.precedence": 9}

    a: ExprNode
    b: "Optional[AddNode]" = None
    later: "ty.Array[TailNode]" = field(default_factory=list)
    kind: Color = Color.Red
    size: ty.int32_t = field(default=4, frozen=True, structural_eq="ignore")
    _: KW_ONLY
    flags: ty.Map[str, ty.Union[int, str]] = field(default_factory=dict)

    def both(self):
        return (self.a, self.b)

    @method
    def native_one(self, level: int) -> int:
        """Do it in C++."""

@declare(bind="BIND")
class TailNode(ExprNode):
    """Comes later."""
    type_key = "Tail"
    function: ty.Optional[ty.Function[[int], int]] = None
'''


def declared(project, key: str, bind: str, name: str) -> str:
    """Write declarations into a file and return their text."""
    text = PRELUDE + DECLARED.replace("KEY", key).replace("BIND", bind)
    project.write(name, text)
    return text


def ran(text: str, name: str) -> dict:
    """Run a text as a module; return name -> value for the names in the module."""
    import types

    module = types.ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, name, "exec"), vars(module))
    return vars(module)


@pytest.mark.spec("SC64")
def test_declarations_run_immediately(project):
    names = ran(declared(project, "once", "python", "once.py"), "schema_rt_once")
    add, expr, tail = names["AddNode"], names["ExprNode"], names["TailNode"]
    one = add(expr())
    assert issubclass(add, expr) and issubclass(add, tvm_ffi.Object)
    assert (one.name, one.shout(), one.b, one.size, dict(one.flags)) == ("n", "N", None, 4, {})
    assert one.kind is names["Color"].Red and one.kind.red == 255
    assert names["Size"].Large.value == 10
    two = add(expr(), one, [tail(lambda x: x + 1)], name="m", flags={"k": 1})
    assert two.both()[1].same_as(one) and two.later[0].function(1) == 2
    two.b = None
    with pytest.raises(AttributeError):
        two.size = 5
    with pytest.raises(TypeError, match="field 'a'"):
        add(3)
    with pytest.raises(NotImplementedError, match=r"rt.once.Add.native_one is native, and no lib"):
        one.native_one(1)
    index = tvm_ffi.core._object_type_key_to_index("rt.once.Add")
    assert tvm_ffi.core._lookup_type_attr(index, "rt.precedence") == 9
    assert tvm_ffi.get_global_func("ffi.schema.StructuralKind")(index) == 3
    same = add(two.a, size=9)
    assert tvm_ffi.structural_equal(same, add(two.a))


def test_what_runs_is_what_is_generated(project):
    texts = []
    for bind in ("none", "python"):
        declared(project, "same", bind, f"{bind}/ir.py")
        for frontend in ("static", "import"):
            assert project.run("export", "-q", "--frontend", frontend, f"{bind}/ir.py") == 0
            texts.append(project.out)
    assert len(set(texts)) == 1


USE = """
import sys
import tvm_ffi
if sys.argv[1]:
    tvm_ffi.load_module(sys.argv[1])
import FILE as m
index = tvm_ffi.core._object_type_key_to_index("rt.auto.Add")
one = m.AddNode(m.ExprNode())
one.name = "x"
print(one, one.shout(), one.kind is m.Color.Red, m.Size.Large.value)
print(tvm_ffi.structural_hash(one), tvm_ffi.serialization.to_json_graph_str(one))
print(tvm_ffi.structural_equal(one, m.AddNode(one.a, size=3)))
try:
    one.size = 3
except AttributeError:
    print("frozen")
try:
    one.native_one(1)
except Exception as error:
    print(type(error).__name__, file=sys.stderr)
"""


@pytest.mark.spec("SC64")
def test_the_same_file_binds_to_a_library_when_there_is_one(project):
    declared(project, "auto", "auto", "auto_ir.py")
    assert project.run("build", "-q", "auto_ir.py", "-o", "auto.tfs") == 0, project.err
    outs, errors = [], []
    for library in ("", "./auto.tfs"):
        program = USE.replace("FILE", "auto_ir")
        command = [sys.executable, "-c", program, library]
        done = subprocess.run(
            command, cwd=project.root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outs.append(done.stdout)
        errors.append(done.stderr.strip())
    assert outs[0] == outs[1]
    # Without a library, a native method raises NotImplementedError; in an image, RuntimeError.
    assert errors == ["NotImplementedError", "RuntimeError"]


def test_binding_by_force_needs_a_library(project):
    with pytest.raises(ValueError, match=r"no library has registered 'rt.force.Color'"):
        ran(declared(project, "force", "native", "force.py"), "schema_rt_force")


def test_defaults_that_only_cpp_makes_cannot_run():
    with pytest.raises(TypeError, match=r"rt.Cpp.x: only C\+\+ can make this default"):

        @schema.declare(bind="python")
        class CppNode(schema.Object):
            type_key = "rt.Cpp"
            x: int = schema.cpp("1")


# ---- classes with the decorators of `tvm_ffi.dataclasses`

POINT = '''
from __future__ import annotations
from typing import Optional
from tvm_ffi import Object
from tvm_ffi.dataclasses import DECORATOR, field

@DECORATOR("rt.geo.Point", OPTION)
class Point(Object):
    """A point."""
    x: float
    y: float = 0.0
    parent: Optional[Point] = None
    names: list[str] = field(default_factory=list)

    def norm(self) -> float:
        return (self.x**2 + self.y**2) ** 0.5
'''
USE_POINT = """
import sys
import tvm_ffi
if sys.argv[1]:
    tvm_ffi.load_module(sys.argv[1])
from geo import Point
p = Point(3.0, 4.0, Point(1), names=["a"])
p.names.append("b")
print(p, p.norm(), list(p.names), p.parent.parent, Point(1, names=[]).names)
print(tvm_ffi.structural_equal(p, Point(3, 4, Point(1), names=["a", "b"])))
for wrong in ((), ("x",), (1, 2, 3)):
    try:
        Point(*wrong)
    except TypeError as error:
        print("refused")
"""


@pytest.mark.spec("SC66")
@pytest.mark.parametrize("decorator", ['py_class|native="auto"', "auto_class|"])
def test_promotion_without_a_rewrite(project, decorator):
    word, option = decorator.split("|")
    text = POINT.replace("DECORATOR", word).replace("OPTION", option)
    project.write("geo.py", text.replace(", )", ")"))
    assert project.run("build", "-q", "geo.py", "-o", "geo.tfs") == 0, project.err
    outs = []
    for library in ("", "./geo.tfs"):
        command = [sys.executable, "-c", USE_POINT, library]
        done = subprocess.run(
            command, cwd=project.root, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outs.append(done.stdout)
    assert outs[0] == outs[1] and "refused" in outs[0]


@pytest.mark.spec("SC66")
def test_a_declaration_that_differs_is_shown_beside_the_library(project):
    text = POINT.replace("DECORATOR", "py_class").replace(", OPTION", "")
    project.write("geo.py", text.replace("rt.geo", "rt.differ"))
    assert project.run("build", "-q", "geo.py", "-o", "geo.tfs") == 0, project.err
    tvm_ffi.load_module(str(project.root / "geo.tfs"))
    with pytest.raises(SchemaMismatchError) as caught:

        @auto_class("rt.differ.Point", structural_eq="var")
        class Point(tvm_ffi.Object):
            x: int
            z: float = 0.0
            unknown: Nowhere  # noqa: F821

    lines = [" ".join(line.split()) for line in str(caught.value).splitlines()]
    assert lines[0] == "the native class 'rt.differ.Point' differs from its declaration:"
    assert lines[2:6] == [
        "structural_eq var tree",
        "field 1 x: int x: float",
        "field 2 z: float y: float",
        "field 3 unknown: ? parent: rt.differ.Point | None",
    ]
    assert lines[6].startswith("field 4 nothing names: ")
    assert "tvm-ffi-schema promote" in lines[7]


def test_keys_that_python_has_are_not_taken_for_native_ones():
    @py_class("rt.mine.Point", native="auto")
    class Point(tvm_ffi.Object):
        x: int

    assert Point(1).x == 1
    with pytest.raises(ValueError, match="already registered"):

        @py_class("rt.mine.Point", native="auto")
        class Again(tvm_ffi.Object):
            x: int

    with pytest.raises(ValueError, match="native must be None or 'auto', got 'always'"):
        py_class("rt.mine.Other", native="always")
