# SPDX-License-Identifier: Apache-2.0
"""The errors in schema files that both readers refuse, and the places that findings name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.ir import json as ir_json
from tvm_ffi_schema.link import reader

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.py"))

A = '@declare\nclass ANode(Object):\n    """One."""\n    type_key = "t.A"\n'


def line_of(text: str, word: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if word in line)


# (rule, schema after the prelude, a word in the line of the finding)
FAULTS = [
    ("TS002", "class (:\n", "class (:"),
    ("TS020", 'import os\nX = os.environ["A"]\n' + A, "environ"),
    ("TS020", A + "    x: int = len('a')\n", "len"),
    ("TS020", "for i in (1, 2):\n    pass\n", "for i"),
    ("TS020", "def f():\n    pass\n", "def f"),
    ("TS020", 'K = f"a{1}"\n', "K ="),
    ("TS020", "K = 10 ** 10 ** 10\n", "K ="),
    ("TS020", 'K = "a" * 10000000\n', "K ="),
    ("TS020", "X = " + "(" * 60 + "1" + ")" * 60 + " + y\n", "X ="),
    ("TS020", A + "    class B: pass\n", "class B"),
    ("TS020", "from typing import *\n" + A, "import *"),
    ("TS021", A + "    default_visit_attr = False\n", "default_visit_attr"),
    ("TS022", "@declare\nclass ANode(Object):\n    x: int\n", "class ANode"),
    ("TS023", A + "    mutable = 1\n", "mutable"),
    ("TS023", A + "    final = 'yes'\n", "final"),
    ("TS023", "@declare\nclass ANode(Object):\n    type_key = 'a b'\n", "type_key"),
    ("TS023", "__tschema__ = module(nmespace='a')\n" + A, "nmespace"),
    ("TS023", "__tschema__ = module(namespace='a b')\n" + A, "a b"),
    ("TS023", "__tschema__ = module(header='../x.h')\n" + A, "../x.h"),
    ("TS023", "S = extern('a.S', obj='S')\n" + A, "obj='S'"),
    ("TS023", A + "    x: int = field(repr=1)\n", "repr=1"),
    ("TS023", A + "    x: int = field(frozn=True)\n", "frozn"),
    ("TS023", A + "    x: int = field(default=1, default_factory=int)\n", "default_factory"),
    ("TS024", "@declare\nclass FooNode(Object):\n    type_key = 't.Bar'\n", "FooNode"),
    ("TS025", A + "    default_sequal_reduce = False\n", "default_sequal_reduce"),
    ("TS026", A + "    x: int = 1\n    y: int\n", "y: int"),
    ("TS027", "@declare\nclass ANode(Missing):\n    type_key = 't.A'\n", "Missing"),
    ("TS027", A + '    x: "Nowhere"\n', "x:"),
    ("TS028", A + A.replace("ANode", "BNode").replace('"One."', '"1"'), "BNode"),
    ("TS030", A + "    x: ty.Array[int, int]\n", "x:"),
    ("TS030", A + "    x: ty.Mapp[int]\n", "x:"),
    ("TS030", A + "    x: 3\n", "x:"),
    ("TS030", A + '    x: "int["\n', "x:"),
    ("TS030", A + "    x: None\n", "x:"),
    ("TS030", A + "    x: ty.Function[int, int]\n", "x:"),
    ("TS032", A + "    x: int\n\n@declare\nclass BNode(ANode):\n    type_key='t.B'\n    x: str\n", "x: str"),
    ("TS033", A + A.replace("A", "B") + "@declare\nclass CNode(ANode, BNode):\n    type_key='t.C'\n", "CNode"),
    ("TS035", A + "    x: ty.int8_t = 128\n", "128"),
    ("TS035", A + "    x: bool = 1\n", "bool"),
    ("TS035", A + "    x: ty.uint64_t = 2**63\n", "2**63"),
    ("TS035", A + "    x: ty.List[int] = field(default_factory=lambda: ['a'])\n", "lambda"),
    ("TS036", "@declare\nclass E(IntEnum):\n    type_key='t.E'\n    X = entry('a')\n", "X ="),
    ("TS036", "@declare\nclass E(IntEnum):\n    type_key='t.E'\n    X = entry(1)\n    Y = entry(1)\n", "Y ="),
    ("TS036", "@declare\nclass E(Enum):\n    type_key='t.E'\n    a: bool\n    X = entry(b=True)\n", "X ="),
    ("TS036", "@declare\nclass E(Enum):\n    type_key='t.E'\n    a: bool\n    X = entry(a=3)\n", "X ="),
    ("TS037", "class ANode(Object):\n    type_key = 't.A'\n", "class ANode"),
    ("TS037", "import abc\n@abc.x\nclass ANode(Object):\n    type_key = 't.A'\n", "abc.x"),
    ("TS037", A.replace("@declare", "@declare(name='x')"), "name"),
    ("TS038", A.replace("One.", "One.\n\n    Attributes\n    ----------\n    z\n        Text.\n    ") + "    x: int\n", "    z"),
    ("TS039", A + "    data_: int\n", "data_"),
    ("TS040", A + "    @method\n    def f(self, a) -> int: ...\n", "a)"),
    ("TS040", A + "    @method\n    def f(self, a: int): ...\n", "def f"),
    ("TS040", A + "    def f(self): ...\n", "def f"),
    ("TS041", "@mixin\nclass M:\n    type_key = 'a'\n    x: int\n", "class M"),
    ("TS043", A + "    type_attrs = {'__ffi_repr__': 1}\n", "type_attrs"),
    ("TS212", A + "    final = True\n\n@declare\nclass BNode(ANode):\n    type_key='t.B'\n", "BNode"),
    ("TS213", A + "    child_slots = 1\n\n@declare\nclass BNode(ANode):\n    type_key='t.B'\n    child_slots = 1\n", "BNode"),
    ("TS211", A + "    sealed = True\n    child_slots = 0\n\n@declare\nclass BNode(ANode):\n    type_key='t.B'\n", "ANode"),
    ("TS210", "S = extern('o.S', obj='o::S', ref='o::R', slots=1)\n" + "".join(
        f"@declare\nclass {n}Node(S):\n    type_key='t.{n}'\n" for n in "PQR"), "S ="),
    ("TS311", A + "    #: One text.\n    x: int = field(doc='Another.')\n", "x: int"),
    ("TS320", A + "    x: ty.List[int] = []\n", "x:"),
    ("TS322", A + "    default: int\n", "default"),
]  # fmt: skip


@pytest.mark.spec(
    "SC17", "SC18", "SC19", "SC24", "SC25", "SC27", "SC34", "SC38", "SC53", "SC54", "SC63", "SC73"
)
@pytest.mark.parametrize(("rule", "text", "word"), FAULTS)
def test_fault(project, rule, text, word):
    path = project.schema(text)
    status = project.run("generate")
    severity = "warning" if rule in ("TS025", "TS210", "TS311") else "error"
    line = line_of(path.read_text(), word)
    assert f"schema/ir.py:{line}:" in project.err, project.err
    assert f"{severity}[{rule}]" in project.err
    assert status == (3 if severity == "error" else 0)
    if status:
        assert list(project.files()) == ["schema/ir.py"]


@pytest.mark.spec("SC63", "SC105.2")
def test_a_caret_shows_the_place(project):
    project.schema(
        '__tschema__ = module()\n@declare\nclass ANode(Object):\n    type_key = "ir." + kind\n'
    )
    assert project.run("generate") == 3
    assert (
        "schema/ir.py:5:24: error[TS020]: this expression cannot be read without running the file\n"
        '    5 |     type_key = "ir." + kind\n'
        "      |                        ^^^^ 'kind' is not a constant\n"
        '   = help: write the value out, or set frontend = "import" for schema/ir.py\n'
    ) in project.err


@pytest.mark.spec("SC105.11")
def test_one_error_does_not_hide_the_others(project):
    project.schema(A + "    x: ty.Nope\n    y: int = 'a'\n    mutabel = True\n")
    project.run("generate")
    assert sorted(project.ids()) == ["TS021", "TS030", "TS035"]


def test_an_entry_without_entry_is_shown_how_to_write_one(project):
    text = "@declare\nclass Kind(IntEnum):\n    type_key = 'Kind'\n    serial = 3\n"
    project.schema("from tvm_ffi_schema import IntEnum\n" + text)
    assert project.run("generate") == 3
    assert "write an entry as `serial = entry()`" in project.err
    assert "`serial = entry(3)` in an IntEnum or a StrEnum" in project.err


def test_ambiguous_name(project):
    for name in "ab":
        project.schema(A.replace("t.A", f"{name}.A"), f"schema/{name}.py")
    project.schema(
        '@declare\nclass CNode(Object):\n    type_key="t.C"\n    x: "ANode"\n', "schema/c.py"
    )
    assert project.run("generate") == 3
    assert project.ids() == ["TS029"]


@pytest.mark.spec("SC54")
def test_cycles(project):
    project.schema(
        "from b import BNode\n@declare\nclass ANode(BNode):\n    type_key='t.A'\n", "schema/a.py"
    )
    project.schema(
        "from a import ANode\n@declare\nclass BNode(ANode):\n    type_key='t.B'\n", "schema/b.py"
    )
    assert project.run("generate") == 3
    assert "TS202" in project.ids() and "a -> b -> a" in project.err
    assert "TS201" in project.ids() and "ANode -> BNode -> ANode" in project.err


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"\xff\xfe\x00", "TS001"),
        (b"x = 1\x00", "TS002"),
        (b"\x0c" + b"(" * 100000, "TS002"),
        (b"", ""),
    ],
)
def test_files_that_are_not_text(project, data, rule):
    path = project.schema("")
    path.write_bytes(data)
    status = project.run("generate")
    assert ([rule] if rule else []) == project.ids()
    assert status == (3 if rule else 0)


def test_missing_and_unreadable_files(project):
    assert project.run("generate", "nowhere.py") == 2
    assert "TS005" in project.err
    assert project.run("generate") == 2
    (project.root / "schema").mkdir()
    (project.root / "schema/x.py").mkdir()
    assert project.run("generate", "schema/x.py") == 2


def test_import_reader_reports_what_fails(project):
    project.schema("x = 1\nraise RuntimeError('no')\n")
    assert project.run("generate", "--frontend", "import") == 3
    assert (
        "schema/ir.py:3:1: error[TS004]: running this file failed: RuntimeError: no" in project.err
    )
    project.schema("import sys\nsys.exit(0)\n")
    assert project.run("generate", "--frontend", "import") == 3
    project.schema("@declare(name='x')\nclass A(Object): pass\n")
    assert project.run("generate", "--frontend", "import") == 3


def test_import_reader_takes_what_runs(project):
    text = (
        "for kind in ('Add', 'Sub'):\n"
        "    declare(type(kind + 'Node', (Object,), {'type_key': 't.' + kind, '__annotations__': "
        "{'a': ty.ObjectRef}}))\n"
    )
    project.schema(text)
    assert project.run("export", "-q") == 3
    assert project.run("export", "-q", "--frontend", "import") == 0
    schema = ir_json.loads(project.out)
    assert [c.type_key for c in schema.modules[0].objects] == ["t.Add", "t.Sub"]
    assert schema.modules[0].objects[0].fields[0].name == "a"


@pytest.mark.spec("SC2", "SC61")
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_both_readers_agree(path):
    texts = []
    for frontend in ("static", "import"):
        bag = Bag()
        schema = reader.read([str(p) for p in CORPUS], bag, frontend)
        assert not bag.has_errors, [d.message for d in bag.items]
        modules = tuple(m for m in schema.modules if m.stem == path.stem)
        texts.append(ir_json.dumps(type(schema)(modules)))
    assert texts[0] == texts[1]


@pytest.mark.spec("SC62")
def test_json_goes_out_and_comes_back(project):
    bag = Bag()
    schema = reader.read([str(p) for p in CORPUS], bag)
    text = ir_json.dumps(schema)
    again = ir_json.loads(text)
    assert again == schema
    assert ir_json.dumps(again) == text
    assert ir_json.digest(again) == ir_json.digest(schema)


@pytest.mark.spec("SC62")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not valid JSON"),
        ("[1]", "expected an object"),
        ("[" * 100000, "not valid JSON"),
        ('{"version": "tschema-ir/9"}', "expected 'tschema-ir/1'"),
        ('{"version": "tschema-ir/1", "modules": 3}', "modules: expected an array"),
        ('{"version": "tschema-ir/1", "modules": [{}]}', "modules[0]: Module needs stem"),
        ('{"version": "tschema-ir/1", "modules": [{"stem": "a", "oops": 1}]}', "no member 'oops'"),
        ('{"version": "tschema-ir/1", "modules": [{"stem": 1}]}', "modules[0].stem: expected str"),
    ],
)
def test_json_that_is_not_a_schema(project, text, words):
    project.write("x.json", text)
    assert project.run("generate", "x.json") == 3
    assert project.ids() == ["TS003"]
    assert words in project.err


def test_classes_of_other_files_take_part_in_unions():
    from tvm_ffi_schema import extern, ty

    other = extern("o.S", obj="o::S", ref="o::R")
    assert (other | None).args == (other, None)
    assert (None | other).args == (None, other)
    assert (other | ty.int64_t).origin == "Union"


@pytest.mark.spec("SC48")
def test_entries_are_documented_by_comments_and_by_the_docstring(project):
    text = """
@declare
class Level(IntEnum):
    \"\"\"Levels.

    Attributes
    ----------
    High
        A lot.
    \"\"\"
    type_key = "d.Level"
    #: Not
    #: much.
    Low = entry(1)
    High = entry(2)
"""
    project.schema(text)
    for frontend in ("static", "import"):
        assert project.run("export", "-q", "--frontend", frontend) == 0, project.err
        entries = json.loads(project.out)["modules"][0]["objects"][0]["enum"]["entries"]
        assert [one["doc"] for one in entries] == ["Not much.", "A lot."]
    project.schema(text.replace("    High\n", "    Hihg\n"))
    assert project.run("export") == 3
    assert project.ids() == ["TS038"] and "did you mean 'High'?" in project.err


FIRST = '@declare\nclass ANode(Object):\n    """One."""\n    type_key = "t.A"\n'
SECOND = 'from {0} import ANode\n@declare\nclass {1}Node(ANode):\n    type_key = "t.{1}"\n'


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        (FIRST + "class (\n", {"static": "TS002", "import": "TS002"}),
        (FIRST + "    x: float = math.inf\n", {"static": "TS020", "import": "TS004"}),
        (FIRST.replace('"t.A"', '"a b"'), {"static": "TS023", "import": "TS023"}),
        (FIRST.replace("@declare", ""), {"static": "TS037", "import": "TS037"}),
        (FIRST.replace("@declare", "@declare\n@declare"), {"static": "TS037", "import": "TS037"}),
    ],
)
@pytest.mark.parametrize("frontend", ["static", "import"])
def test_a_class_that_was_refused_is_reported_once(project, frontend, text, rules):
    """An earlier version also reported each file and each class that used the refused class."""
    project.schema(text)
    project.schema(SECOND.format("ir", "B"), "schema/other.py")
    project.schema(
        SECOND.format("other", "C").replace("import ANode", "import BNode, ANode"),
        "schema/third.py",
    )
    assert project.run("check", "--frontend", frontend) == 3
    assert project.ids() == [rules[frontend]], project.err
    assert "schema/ir.py:" in project.err


def test_files_that_import_one_another_fail_once_when_they_run(project):
    """An earlier version reported every file in the cycle and every file that imports the cycle."""
    for name, other in (("one", "two"), ("two", "three"), ("three", "one"), ("four", "one")):
        project.schema(f"from {other} import XNode\n" + FIRST, f"schema/{name}.py")
    assert project.run("check", "--frontend", "import") == 3
    assert project.ids() == ["TS004"]
    assert "put the import under TYPE_CHECKING" in project.err


def test_a_module_that_is_not_imported_is_named(project):
    """An earlier version advised to use another reader instead of importing `math`."""
    project.schema(FIRST + "    x: float = -math.inf\n")
    assert project.run("check") == 3
    assert "'math' is not imported" in project.err
    assert "add  import math" in project.err


@pytest.mark.parametrize("frontend", ["static", "import"])
def test_a_class_without_bases_is_a_type(project, frontend):
    """In an earlier version, the import reader refused fields whose type has no bases."""
    text = FIRST.replace("(Object)", "")
    project.schema(f'{text}\n@declare\nclass BNode(Object):\n    type_key = "t.B"\n    a: ANode\n')
    assert project.run("generate", "--frontend", frontend) == 0, project.err


def test_a_misspelt_type_of_python_is_named(project):
    project.schema(FIRST + "    x: boolean\n")
    assert project.run("check") == 3
    assert "did you mean 'bool'?" in project.err


GOOGLE = """One.

    More text.

    Attributes:
        x (int): The first
            of two.
        y: The second.

    Notes:
        Of use.
    """
REST = """One.

    More text.

    :ivar x: The first
        of two.
    :ivar int y: The second.
    """
NUMPY = """One.

    More text.

    Attributes
    ----------
    x : int
        The first
        of two.
    y
        The second.
    """


@pytest.mark.parametrize("text", [GOOGLE, REST, NUMPY], ids=["google", "rest", "numpy"])
def test_docstrings_of_three_styles_document_fields(project, text):
    """In earlier versions, only the style of numpy documented fields; other texts were kept."""
    fields = "    x: int\n    y: int\n"
    project.schema(FIRST.replace("One.", text) + fields)
    assert project.run("export", "-q") == 0, project.err
    found = json.loads(project.out)["modules"][0]["objects"][0]
    assert [one["doc"] for one in found["fields"]] == ["The first of two.", "The second."]
    doc = found["doc"]
    assert (doc["summary"], doc["text"]) == ("One.", "More text.")
    assert doc.get("notes", "") == ("Of use." if text == GOOGLE else "")
    project.schema(FIRST.replace("One.", text.replace("y", "z")) + fields)
    assert project.run("export") == 3 and project.ids() == ["TS038"]
    line = next(
        n for n, one in enumerate(project.read("schema/ir.py").splitlines(), 1) if " z" in one
    )
    assert f"schema/ir.py:{line}:" in project.err
