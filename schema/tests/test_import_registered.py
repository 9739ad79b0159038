# SPDX-License-Identifier: Apache-2.0
"""Schemas that are imported from registered types, and schema files as an output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tvm_ffi_schema.back import schema_source
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.ir import Module, Schema
from tvm_ffi_schema.ir import json as ir_json
from tvm_ffi_schema.link import reader

from .conftest import needs_compiler

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.py"))

CLASSES = '''
__tschema__ = module(namespace="reg::KEY", type_key_prefix="reg.KEY.")

@declare
class Level(IntEnum):
    """Levels."""
    type_key = "Level"
    Low = entry(1)
    High = entry(7)

@declare
class ColorNode(Object):
    """Colours."""
    type_key = "Color"
    red: int = 0
    Black = entry(red=0)
    Red = entry(red=255)

@declare
class ExprNode(Object):
    """A base."""
    type_key = "Expr"
    structural_eq = "dag"

@declare
class AddNode(ExprNode):
    """A sum.

    Attributes
    ----------
    a
        Left.
    """
    type_key = "Add"
    mutable = True
    a: ExprNode
    b: "ty.Optional[AddNode]" = None
    size: ty.int32_t = field(default=4, frozen=True, structural_eq="ignore")
    names: ty.List[ty.String] = field(default_factory=lambda: ["x"])
    color: ColorNode = ColorNode.Red
    either: ty.Union[int, str] = "s"
    _: KW_ONLY
    flags: ty.Map[str, ty.Any] = field(default_factory=dict, repr=False)
    raw: bytes = b"\\x00"
    call: "ty.Optional[ty.Function]" = None
'''


def ir_of(project, path: str) -> dict:
    assert project.run("export", "-q", path) == 0, project.err
    return json.loads(project.out)["modules"][0]


def without_texts(module: dict) -> dict:
    """Remove the parts that a library does not register, such as documentation of classes."""
    for one in module["objects"]:
        for field in one.get("fields", ()):
            default = field.get("default", {})
            if default.get("kind") == "factory" and not isinstance(
                default.get("value"), (list, dict)
            ):
                default["kind"] = "value"
        one.pop("doc", None)
    for name in ("doc", "stem"):
        module.pop(name, None)
    return module


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_schema_file_reads_back_as_what_it_was_made_of(path, tmp_path):
    bag = Bag()
    schema = reader.read([str(p) for p in CORPUS], bag)
    module = next(m for m in schema.modules if m.stem == path.stem)
    for other in CORPUS:
        (tmp_path / other.name).write_text(other.read_text())
    (tmp_path / path.name).write_text(schema_source.emit(module))
    again = reader.read([str(tmp_path / p.name) for p in CORPUS], bag)
    assert not bag.has_errors, [(d.message, d.span) for d in bag.items]
    found = next(m for m in again.modules if m.stem == path.stem)
    assert without_mixins(found) == without_mixins(module)


def without_mixins(module: Module) -> dict:
    """Return a module without mixins; the classes have the fields of their mixins."""
    data = json.loads(ir_json.dumps(Schema((module,))))["modules"][0]
    data.pop("mixins", None)
    for one in data["objects"]:
        one.pop("mixins", None)
        one.get("doc", {}).pop("attributes", None)
        for field in one.get("fields", ()):
            field.pop("mixin", None)
    return data


def check_import(project, library: str) -> None:
    assert project.run("import", "--lib", library, "-o", "made/ir.py") == 0, project.err
    assert "4 classes" in project.err
    made = without_texts(ir_of(project, "made/ir.py"))
    assert made == without_texts(ir_of(project, "schema/ir.py"))


def test_an_image_gives_its_schema_back(project):
    project.schema(CLASSES.replace("KEY", "image"))
    project.write("tschema.toml", "embed_ir = false\n")
    assert project.run("build", "-q", "-o", "i.tfs") == 0, project.err
    check_import(project, "i.tfs")
    assert project.run("import", "-q", "--lib", "i.tfs", "-o", "made.tschema.json") == 0
    made = without_texts(ir_of(project, "made.tschema.json"))
    assert made == without_texts(ir_of(project, "made/ir.py"))


def test_an_image_is_read_like_a_schema_file(project):
    project.schema(CLASSES.replace("KEY", "read"))
    assert project.run("build", "-q", "-o", "i.tfs") == 0, project.err
    assert ir_of(project, "i.tfs") == ir_of(project, "schema/ir.py")
    assert project.run("breaking", "--against", "i.tfs") == 0, project.err
    text = project.read("schema/ir.py").replace("ty.int32_t", "ty.int64_t")
    project.write("schema/ir.py", text)
    assert project.run("breaking", "--against", "i.tfs") == 1
    project.write("tschema.toml", "embed_ir = false\n")
    assert project.run("build", "-q", "-o", "j.tfs") == 0
    assert project.run("export", "j.tfs") == 3 and project.ids() == ["TS003"]
    (project.root / "k.tfs").write_bytes((project.root / "i.tfs").read_bytes()[:-1])
    assert project.run("export", "k.tfs") == 3 and "it should have" in project.err


@pytest.mark.spec("SC99", "SC103.25", "SC104.8")
@needs_compiler
def test_a_library_gives_its_schema_back(project):
    project.schema(CLASSES.replace("KEY", "lib"))
    assert project.run("build", "-q", "-o", "i.so") == 0, project.err
    check_import(project, "./i.so")


MODULE = '''
"""Classes among other things."""
import os
from typing import Optional
from tvm_ffi import Object
from tvm_ffi.dataclasses import field, py_class

def helper():
    return os.getcwd()

for name in ("A", "B"):
    helper()

@py_class("reg.mod.Point")
class PointNode(Object):
    """A point."""
    x: float
    y: "Optional[int]" = None
    names: list[str] = field(default_factory=list)
    parent: "Optional[PointNode]" = field(default=None, kw_only=True, compare=False)
    def norm(self):
        return self.x
'''


@pytest.mark.spec("SC104.8")
def test_a_module_that_is_more_than_a_schema(project):
    project.write("geo.py", MODULE)
    assert project.run("export", "-q", "geo.py") == 0, project.err
    by_syntax = json.loads(project.out)["modules"][0]["objects"]
    assert project.run("import", "--module", "geo", "-o", "schema/geo.py") == 0, project.err
    text = project.read("schema/geo.py")
    assert "class PointNode(Object):" in text and "x: ty.double" in text
    made = ir_of(project, "schema/geo.py")["objects"]
    for one in by_syntax:
        del one["methods"], one["allow"]
    assert made == by_syntax


def test_what_cannot_be_loaded_or_has_nothing(project):
    project.write("broken.py", "1 / 0")
    project.write("empty.py", "")
    assert project.run("import", "--module", "broken") == 1
    assert project.ids() == ["TS431"] and "ZeroDivisionError" in project.err
    assert project.run("import", "--module", "empty") == 2
    assert "registers no types" in project.err
    assert project.run("import", "--lib", "nowhere.so") == 1
    with pytest.raises(SystemExit):
        project.run("import")
    assert list(project.files()) == ["broken.py", "empty.py"]


def test_what_no_schema_can_say_is_noted(project):
    text = MODULE.replace(
        "= None\n", "= None\n    odd: object = field(default_factory=object)\n", 1
    )
    project.write("geo.py", text.replace("reg.mod", "reg.odd"))
    assert project.run("import", "--module", "geo") == 0
    assert project.ids() == ["TS605"] and "the default of reg.odd.Point.odd" in project.err


METHODS = '''
__tschema__ = module(namespace="reg::KEY", type_key_prefix="reg.KEY.")

@declare
class BaseNode(Object):
    """Abstract, without objects of its own."""
    type_key = "Base"
    abstract = True
    _: KW_ONLY
    span: int = 0

@declare
class AccNode(BaseNode):
    """Methods of every kind."""
    type_key = "Acc"
    mutable = True
    total: float
    _: KW_ONLY
    name: str = "n"
    @method
    def add(self, x: float, times: int = 2, label: str = "a") -> float:
        """Add."""
    @method
    def add(self, x: str) -> str:
        """Add text."""
    @method(const=False)
    def clear(self) -> None:
        """Clear."""
    @staticmethod
    @method
    def make(total: float = 1.5, names: ty.Array[str] = ()) -> "AccNode":
        """Make one."""
    @staticmethod
    @method
    def parse(text: str, sure: bool) -> "ty.Optional[AccNode]":
        """Parse."""
    @method
    def visit(self, f: ty.Function[[int, str], None]) -> ty.Map[str, BaseNode]: ...
'''


def calls(module: dict) -> dict:
    """Replace each method by one overload for each accepted number of arguments.

    A library registers methods in this form.
    """
    for one in module["objects"]:
        made = []
        for method in one.get("methods", ()):
            params = method.get("params", [])
            least = sum("default" not in p for p in params)
            for count in range(len(params), least - 1, -1):
                types = [{"name": f"arg{n}", "type": p["type"]} for n, p in enumerate(params)]
                form = {k: v for k, v in method.items() if k not in ("params", "const", "doc")}
                form["doc"] = method.get("doc", {}).get("summary", "")
                made.append({**form, "params": types[:count]})
        one["methods"] = made
    return without_texts(module)


@pytest.mark.spec("SC103.25")
@needs_compiler
def test_methods_go_to_a_library_and_come_back(project):
    """The imported methods accept the same calls as the methods of the schema."""
    project.schema(METHODS.replace("KEY", "meth"))
    project.write("tschema.toml", "embed_ir = false\n")
    assert project.run("build", "-q", "--debug", "-o", "i.so") == 0, project.err
    assert project.run("import", "--lib", "./i.so", "-o", "made/ir.py") == 0, project.err
    assert calls(ir_of(project, "made/ir.py")) == calls(ir_of(project, "schema/ir.py"))
    # A second round trip changes nothing, since a library registers every part of `made/ir.py`.
    assert project.run("build", "-q", "--debug", "-o", "again/i.so", "made/ir.py") == 0, project.err
    assert project.run("import", "--lib", "again/i.so", "-o", "again/ir.py") == 0
    assert project.read("again/ir.py") == project.read("made/ir.py")
    assert project.run("validate", "--lib", "again/i.so", "schema/ir.py") == 0, project.err


@pytest.mark.spec("SC103.25")
def test_names_and_defaults_in_metadata_are_those_of_the_schema(project):
    """The testing library registers methods with ``arg_names`` and ``arg_defaults``."""
    project.write("fixtures.py", "from tvm_ffi import _native\n_native.load_testing_library()\n")
    assert project.run("import", "--module", "fixtures") == 0, project.err
    assert "def weigh(self, x: ty.int64_t, y: ty.int64_t = 2, z: ty.int64_t = 3)" in project.out
    assert "def difference(x: ty.int64_t, y: ty.int64_t)" in project.out


FACTS = '''
__tschema__ = module(namespace="reg::KEY", type_key_prefix="reg.KEY.")

@declare
class FactsNode(Object):
    """Facts that the type schema of a field does not hold."""
    type_key = "Facts"
    traits = [Trait("reg.pure"), Trait("reg.rank", 3), Trait("reg.label", "x y")]
    a: ty.uint8_t
    b: ty.uint16_t
    c: ty.uint32_t
    d: ty.int8_t
    e: ty.int16_t
    f: ty.int32_t
    compare_off: bool = field(default=False, compare=False)
    both_off: bool = field(default=False, compare=False, hash=False)
    hash_off: bool = field(default=False, hash=False)
    ignored: bool = field(default=False, structural_eq="ignore")
    binds: "ty.Optional[FactsNode]" = field(default=None, structural_eq="def", hash=False)
    simple: "ty.Optional[FactsNode]" = field(default=None, structural_eq="def-simple")

@declare
class OpaqueNode(FactsNode):
    """A kind of its own."""
    type_key = "Opaque"
    structural_eq = "unsupported"
'''


@pytest.mark.parametrize(
    "output", ["i.tfs", pytest.param("i.so", marks=needs_compiler)], ids=["image", "library"]
)
def test_signs_attributes_and_flags_come_back(project, output):
    """Earlier versions imported unsigned fields as signed, and lost traits and `hash=False`."""
    project.schema(FACTS.replace("KEY", output[2:]))
    project.write("tschema.toml", "embed_ir = false\n")
    assert project.run("build", "-q", "-o", output) == 0, project.err
    assert project.run("import", "--lib", f"./{output}", "-o", "made/ir.py") == 0, project.err
    assert project.ids() == []
    made = without_texts(ir_of(project, "made/ir.py"))
    expected = without_texts(ir_of(project, "schema/ir.py"))
    assert made == expected


def test_an_integer_without_a_sign_is_noted(project):
    """The getter returns `int64_t` also for a `uint64_t`, so the import cannot tell the types."""
    project.schema(
        '__tschema__ = module(type_key_prefix="reg.wide.")\n\n@declare\nclass WNode(Object):\n'
        '    """W."""\n    type_key = "W"\n    a: ty.uint64_t\n    b: ty.uint8_t\n'
    )
    assert project.run("build", "-q", "-o", "i.tfs") == 0, project.err
    assert project.run("import", "--lib", "i.tfs", "-o", "made/ir.py") == 0
    assert project.ids() == ["TS605"]
    assert "whether these integers are unsigned: reg.wide.W.a (int64_t)\n" in project.err


def test_a_type_attribute_that_no_literal_states_is_noted(project):
    text = "\nimport tvm_ffi\ntvm_ffi.set_type_attr(PointNode, 'reg.attr.fold', len)\n"
    text += "tvm_ffi.set_type_attr(PointNode, 'reg.attr.rank', 2)\n"
    project.write("geo.py", MODULE.replace("reg.mod", "reg.attr") + text)
    assert project.run("import", "--module", "geo", "-o", "made/geo.py") == 0
    assert project.ids() == ["TS605"]
    assert "the type attribute 'reg.attr.fold' of reg.attr.Point" in project.err
    assert 'type_attrs = {"reg.attr.rank": 2}' in project.read("made/geo.py")
