# SPDX-License-Identifier: Apache-2.0
"""Generated lines have at most 100 columns; line breaks do not change the meaning of the code."""

from __future__ import annotations

import ast
import re

import pytest

from tvm_ffi_schema.back import cpp_width, python_width
from tvm_ffi_schema.back.writer import WIDTH
from tvm_ffi_schema.cxx import values as cpp_value
from tvm_ffi_schema.files import tokens

from . import test_recursive_types, test_words
from .conftest import needs_compiler

LONG = "words " * 40
WIDE = f'''"""Wide lines of every kind."""

from tvm_ffi.schema import Enum, Object, declare, entry, field, method, module, ty

__tschema__ = module(namespace="a_namespace_with_a_long_name", type_key_prefix="wide.")


@declare
class AClassWithAVeryLongNameThatFillsHalfOfALineAlone(Object):
    """Wide."""

    type_key = "AClassWithAVeryLongNameThatFillsHalfOfALineAlone"
    structural_eq = "tree"
    nullable = False
    deprecated = "{LONG}"
    raw: bytes = {bytes(range(256))!r}
    text: str = "{LONG}?? and \\\\ \\" more"
    table: dict[str, dict[str, tuple[int, str, float]]] = field(
        default_factory=lambda: {{"a": {{"b": (1, "x", 2.5), "c": (2, "y", 3.5)}}}}, doc="{LONG}"
    )
    many: list[str] = field(default_factory=lambda: [{", ".join(['"an item"'] * 30)}])
    metadata: int = field(default=0, metadata={{"one": "{LONG}", "two": 2}})

    @method
    def compute_something_long(
        self,
        first: dict[str, list[tuple[int, str]]],
        second: "ty.Function[[list[tuple[int, str]], dict[str, int]], list[tuple[int, str]]]",
        third: str = "{LONG}",
    ) -> "ty.Map[str, ty.Map[str, ty.Map[str, ty.Array[ty.Tuple[ty.String, ty.Bytes]]]]]":
        """{LONG}"""


@declare
class Kind(Enum):
    """Kinds."""

    type_key = "Kind"
    text: str = ""
    A = entry(text="{LONG}", attrs={{"attribute": "{LONG}"}})
'''


def write(project, dialect: str) -> None:
    project.write("schema/wide.py", WIDE)
    project.write("schema/words.py", test_words.SCHEMA)
    project.write("schema/trees.py", test_recursive_types.TREES)
    settings = f'dialect = "{dialect}"\noutputs = ["cpp", "python", "pyi"]\n'
    project.write("tschema.toml", settings)
    assert project.run("generate", "-q") == 0, project.err


@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_generated_lines_stay_within_the_width(project, dialect):
    """Earlier versions wrote very wide lines for long types, defaults, literals and imports."""
    write(project, dialect)
    suffixes = (".h", ".cc", ".py", ".pyi")
    files = [path for path in project.root.rglob("*") if path.suffix in suffixes]
    made = [path for path in files if path.parent.name != "schema"]
    wide = [
        f"{path.name}:{number}: {line}"
        for path in made
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDTH and not line.startswith("// tschema:")
        if path.suffix in (".h", ".cc") or not re.search(r"[\"'].{80}", line)
    ]
    assert len(made) == 12 and not wide, wide


@needs_compiler
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_broken_lines_compile(project, dialect):
    write(project, dialect)
    project.compile("src/wide.cc")
    assert project.run("check") == 0, project.err


LINES = [
    "  ::tvm::ffi::Dict<::tvm::ffi::String, A> kids = ::tvm::ffi::Dict<::tvm::ffi::String, A>{};",
    "  return equal(a, other->a) && equal(b, other->b) && equal(c, other->c) && same(d, other->d);",
    '  refl::EnumDef<K>("A", 1).set("a", 2).set_attr("b", "words").set_attr("c", 3) << (d);',
    '  x(R"(a, b, c, d, e, f)", y, z, aaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbb, cccccc);',
    "  // a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, 1, 2, 3",
]


@pytest.mark.parametrize("width", [20, 40, 60])
@pytest.mark.parametrize("line", LINES)
def test_a_broken_line_has_the_same_tokens(line, width):
    found = cpp_width.broken(line, width)
    words = [one for part in found for one in tokens.stream(part, "cpp")]
    assert words == list(tokens.stream(line, "cpp"))
    assert (len(found) == 1) == ("R" in line or "//" in line)


@pytest.mark.parametrize("width", [12, 30])
@pytest.mark.parametrize("text", ['"a b  c \\" d\\\\ e"', '"\\001\\0021 \\377 1"', '"abc"'])
def test_a_broken_literal_has_the_same_value(text, width):
    found = cpp_width.broken(f"  x = {text};", width)
    joined = " ".join(found).replace("x =", "").replace(";", "")
    assert cpp_value.text(joined.strip()) == cpp_value.text(text)


@pytest.mark.parametrize(
    "line",
    [
        "from collections.abc import Callable, Mapping as _Mapping, MutableSequence, Sequence",
        '    x: Map[str, "int, float"] = field(default=f("a, (b", [1, 2]), init=False, repr=True)',
        "    f: Callable[[int], str] = field(default_factory=lambda: (1, 2, 3), kw_only=True)",
    ],
)
def test_a_broken_python_line_means_the_same(line):
    found = python_width.broken(line, 40)
    assert len(found) > 2
    assert ast.dump(ast.parse("\n".join(found).strip())) == ast.dump(ast.parse(line.strip()))
