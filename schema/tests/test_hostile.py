# SPDX-License-Identifier: Apache-2.0
"""Invalid files of every kind cause findings with a place, but no crash and no partial output."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tvm_ffi_schema import config
from tvm_ffi_schema.check import warnings
from tvm_ffi_schema.diag import Bag
from tvm_ffi_schema.link import reader

HERE = Path(__file__).parent
SCHEMAS = [path.read_text() for path in sorted((HERE / "corpus").glob("*.py"))]
HEADERS = sorted((HERE / "golden/modern").rglob("*.h.txt"))
TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)
NOISE = ["(", ")", "[", "]", ":", "=", ",", '"', "'''", "\n", "    ", "None", "0", "-1", "1.5", "x"]
NOISE += ["Object", "ty.", "ty.Array[", "field(", "entry(", "default", "type_key", "lambda: ", "*"]
NOISE += [
    *("@declare\n", "@mixin\n", "class A(Object):\n", "\x00", "\u2028", "ü", "f'{x}'", "|", "..."),
]


def damaged(text: str, chance: random.Random) -> str:
    """Return a text with a few tokens removed, doubled, moved or replaced."""
    tokens = TOKEN.findall(text)
    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(tokens))
        kind = chance.randrange(6)
        if kind == 0:
            del tokens[at : at + chance.randrange(1, 4)]
        elif kind == 1:
            tokens.insert(at, chance.choice(NOISE))
        elif kind == 2:
            tokens[at] = chance.choice(NOISE)
        elif kind == 3:
            other = chance.randrange(len(tokens))
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 4:
            tokens[at:at] = tokens[at : at + 12]
        else:
            del tokens[chance.randrange(len(tokens) // 2, len(tokens)) :]
        if not tokens:
            return ""
    return "".join(tokens)


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_damaged_schemas(tmp_path_factory, seed):
    chance = random.Random(seed)
    folder = tmp_path_factory.mktemp("schema")
    path = folder / "values.py"
    text = damaged(chance.choice(SCHEMAS), chance)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    bag = Bag()
    schema = reader.read([str(path)], bag)
    program = reader.linked(schema, bag)
    for item in bag.items:
        assert item.span.file.endswith("values.py") and item.span.line >= 1 and item.span.col >= 1
        assert item.message
    if not bag.has_errors:
        warnings.check(program, "modern", bag)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_what_is_accepted_can_be_generated(tmp_path_factory, seed):
    from tvm_ffi_schema.weave import plan

    chance = random.Random(seed)
    folder = tmp_path_factory.mktemp("accepted")
    path = folder / "values.py"
    path.write_bytes(damaged(SCHEMAS[chance.randrange(3)], chance).encode())
    bag = Bag()
    program = reader.linked(reader.read([str(path)], bag), bag)
    if bag.has_errors:
        return
    for dialect in ("modern", "classic"):
        made = config.Config(root=str(folder), dialect=dialect)
        made.outputs = list(config.OUTPUTS)
        inner = Bag()
        outputs = plan.make(made, program, inner, plan.Options()).outputs
        errors = {found.id for found in inner.items if found.severity == "error"}
        # The rule TS327 reports features of a schema that Rust cannot express.
        assert errors <= {"TS327"}
        assert outputs or errors or not program.order


@pytest.mark.spec("SC79")
@pytest.mark.parametrize("seed", range(60))
def test_damaged_headers_keep_their_custom_bytes(project, seed):
    chance = random.Random(seed)
    for path in (HERE / "corpus").glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    header = HEADERS[seed % len(HEADERS)]
    lines = header.read_text().splitlines(keepends=True)
    markers = ["// tschema: custom-begin\n", "// tschema: custom-end\n", "// tschema: end\n"]
    for _ in range(chance.randrange(1, 5)):
        at = chance.randrange(len(lines))
        kind = chance.randrange(4)
        if kind == 0:
            lines[at:at] = [markers[0], f"int mine_{at};\n", markers[1]]
        elif kind == 1:
            lines.insert(at, chance.choice(markers))
        elif kind == 2:
            del lines[at]
        else:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
    text = "".join(lines)
    name = header.relative_to(HERE / "golden/modern").with_suffix("")
    path = project.write(str(name), text)
    before = project.files()
    status = project.run("generate", *(["--force"] if seed % 3 == 0 else []))
    if status:
        assert status == 4
        assert project.files() == before
        return
    sections = re.findall(
        r"// tschema: custom-begin[^\n]*\n(.*?)// tschema: custom-end", text, re.DOTALL
    )
    # Text in a block comment is not a custom section. With --force, a run replaces such text, and
    # stores the old text in `lost+found`.
    kept = [p.read_text() for p in (project.root / ".tschema").glob("lost+found/*")]
    new = "".join([path.read_text(), *kept])
    assert all(section in new for section in sections)
    assert project.run("check") == 0


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=80), head=st.sampled_from(["", "mode = ", "[per-file]\n"]))
def test_any_configuration(tmp_path_factory, text, head):
    pytest.importorskip("tomllib")
    path = tmp_path_factory.mktemp("config") / "tschema.toml"
    path.write_bytes((head + text).encode("utf-8", "surrogatepass"))
    bag = Bag()
    config.load(str(path.parent), str(path), bag)
    assert all(item.id in ("TS010", "TS011", "TS012") for item in bag.items)


def doubled(first: str, twice: str) -> str:
    """Return assignments to A0 to A40; each value after `first` contains the last name twice."""
    lines = [f"A0 = {first}"]
    lines += [f"A{n} = {twice.replace('@', f'A{n - 1}')}" for n in range(1, 41)]
    return "\n".join(lines) + "\n"


HEAD = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "t.P"\n'
LARGE = {
    "a text": (doubled("'a'", "@ + @") + HEAD, "TS020"),
    "a list": (doubled("[1]", "[@, @]") + HEAD + "    type_attrs = {'a': A40}\n", "TS020"),
    "a sum of lists": (doubled("[1]", "[@] + [@]") + HEAD, "TS020"),
    "a dictionary": (doubled("{'a': 1}", "{'a': @, 'b': @}") + HEAD, "TS020"),
    "a type": (doubled("ty.Array[int]", "ty.Tuple[@, @]") + HEAD + "    x: A40\n", "TS030"),
    "a number": ("A = 10 ** 10 ** 10\n" + HEAD, "TS020"),
    "a sign": (HEAD + f"    x: int = {'-' * 50000}1\n", "TS002"),
    "an entry": (
        "@declare\nclass E(IntEnum):\n    type_key = 't.E'\n    A = entry(1 << 70)\n",
        "TS036",
    ),
    "half a character": (HEAD + "    x: str = '\\ud800'\n", "TS023"),
    "half a character of a comment": (HEAD.replace("A.", "A\\udfff."), "TS023"),
}


@pytest.mark.parametrize("name", LARGE)
def test_values_that_are_too_large_or_no_text_are_located(project, name):
    """Earlier versions used all memory, ran forever, or exited with status 70."""
    text, rule = LARGE[name]
    project.schema(text)
    outputs = "cpp,python,pyi,docs,json,tfs,ir"
    assert project.run("generate", "--to", outputs) == 3, project.err
    assert project.ids()[0] == rule and "schema/ir.py:" in project.err
    assert list(project.files()) == ["schema/ir.py"]


def test_a_long_chain_of_classes(project):
    text = "@declare\nclass C0Node(Object):\n    type_key = 'c.C0'\n"
    for n in range(1, 1200):
        text += f"@declare\nclass C{n}Node(C{n - 1}Node):\n    type_key = 'c.C{n}'\n"
    project.schema(text)
    assert project.run("generate", "-q", "--to", "cpp,python,docs,json") == 0, project.err
