# SPDX-License-Identifier: Apache-2.0
"""Schema files as an output, of schemas, images and libraries."""

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
    """The schema file that `export` writes for a library is that of the library."""
    project.schema(CLASSES.replace("KEY", "lib"))
    assert project.run("build", "-q", "-o", "i.so") == 0, project.err
    assert project.run("export", "-q", "./i.so", "--as", "schema", "-o", "made/ir.py") == 0
    made = ir_of(project, "made/ir.py")
    assert made.pop("doc") == "Objects of ir."
    assert made == ir_of(project, "schema/ir.py")


def dialect(project, folder: str, body: str, head: str = "") -> None:
    options = f'namespace="{folder}", type_key_prefix="{folder}.", source="src/{folder}/expr.cc"'
    options += f', python="{folder}.expr"'
    project.schema(f"{head}\n__tschema__ = module({options})\n{body}", f"schema/{folder}/expr.py")


@pytest.mark.parametrize("frontend", ["static", "import"])
@pytest.mark.parametrize("word", ["relative", "absolute"])
def test_two_files_of_a_set_may_have_one_name(project, frontend, word):
    """Earlier versions told files apart by their base names, and refused such a set (TS028)."""
    for folder in ("tir", "relax"):
        project.write(f"schema/{folder}/__init__.py", "")
    project.write("schema/__init__.py", "")
    body = '@declare\nclass ExprNode(Object):\n    """An expression."""\n    type_key = "Expr"\n'
    dialect(project, "tir", body + "    value: int\n")
    module = "..tir.expr" if word == "relative" else "schema.tir.expr"
    head = f"from {module} import ExprNode as Prim\n"
    more = '\n@declare\nclass CallNode(Prim):\n    type_key = "Call"\n    of: ExprNode\n'
    dialect(project, "relax", body.replace("An", "One") + more, head)
    command = ("generate", "--frontend", frontend, "--to", "cpp,python,docs")
    assert project.run(*command) == 0, project.err
    header = project.read("include/relax/expr.h")
    assert "class CallNode : public ::tir::ExprNode" in header and "  Expr of;" in header
    assert "class CallNode" not in project.read("include/tir/expr.h")
    pages = sorted(name for name in project.files() if name.startswith("docs/"))
    assert pages == ["docs/relax.expr.md", "docs/tir.expr.md"]
    assert "(tir.expr.md#exprnode)" in project.read("docs/relax.expr.md")
    path = project.root / "schema/tir/expr.py"
    path.write_text(path.read_text().replace("value: int", "value: float"))
    assert project.run(*command) == 0, project.err
    assert "double value" in project.read("include/tir/expr.h")
    assert project.run("check", *command[1:]) == 0, project.out


def test_two_modules_of_one_name_are_told_apart_in_json_too(project):
    body = '@declare\nclass ExprNode(Object):\n    """An expression."""\n    type_key = "Expr"\n'
    for folder in ("tir", "relax"):
        dialect(project, folder, body)
    assert project.run("export", "-q", "-o", "both.tschema.json") == 0, project.err
    assert project.run("generate", "-q", "both.tschema.json") == 0, project.err
    for folder, other in (("tir", "relax"), ("relax", "tir")):
        header = project.read(f"include/{folder}/expr.h")
        assert f"{folder}.Expr" in header and f"{other}.Expr" not in header


@pytest.mark.parametrize("frontend", ["static", "import"])
def test_a_file_states_settings_that_its_classes_share(project, frontend):
    line = '__tschema__ = module(defaults={"ctor": False, "registration": "inline"})\n'
    text = "@declare\nclass {0}Node(Object):\n    type_key = 't.{0}'\n{1}    {2}: int\n"
    schema = line + text.format("A", "", "a") + text.format("B", "    ctor = True\n", "b")
    project.schema(schema)
    project.write("tschema.toml", f'frontend = "{frontend}"\n')
    made = ir_of(project, "schema/ir.py")
    stated = [(one.get("ctor", True), one.get("registration")) for one in made["objects"]]
    assert stated == [(False, "inline"), (True, "inline")]
    bag = Bag()
    program = reader.read([str(project.root / "schema/ir.py")], bag)
    again = schema_source.emit(program.modules[0])
    assert again.count("ctor") == 2 and "    ctor = True\n" in again
    for wrong in ('"ref": False', '"nothing": True', '"ctor": 1'):
        project.schema(schema.replace('"ctor": False', wrong))
        assert project.run("export", "schema/ir.py") != 0
        assert "defaults must be a dict with settings of classes" in project.err
