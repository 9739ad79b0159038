# SPDX-License-Identifier: Apache-2.0
"""A formatter may rewrite a file in any style; the change does not count as a hand edit."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CORPUS = Path(__file__).parent / "corpus"
STYLES = ["Google", "LLVM", "Mozilla", "WebKit", "Chromium", "Microsoft", "GNU"]
pytestmark = pytest.mark.skipif(not shutil.which("clang-format"), reason="no clang-format")
BLOCKS = (
    "// tschema: %s\n// tschema: custom-begin\nint  mine ( ) ;\n"
    "// tschema: custom-end\n// tschema: end\n"
)


def formatted(project, style: str, *names: str) -> None:
    command = ["clang-format", "-i", f"--style={style}", *names]
    subprocess.run(command, cwd=project.root, check=True)


@pytest.mark.spec("SC81")
@pytest.mark.parametrize("style", STYLES)
def test_whole_files(project, style):
    for path in CORPUS.glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    assert project.run("generate", "-q") == 0
    names = [name for name in project.files() if name.endswith((".h", ".cc"))]
    formatted(project, style, *names)
    before = project.files()
    assert project.run("check") == 0, project.err + project.out
    assert project.run("generate") == 0, project.err
    assert project.files() == before


@pytest.mark.spec("SC81")
@pytest.mark.parametrize("style", STYLES)
def test_in_place(project, style):
    for path in CORPUS.glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    names = ["LinkNode", "Link", "SumNode", "Sum", "ActionNode", "Action", "NumbersNode"]
    text = "namespace corpus {\n" + "".join(BLOCKS % name for name in names) + "}\n"
    project.write("include/mine.h", text)
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["include/mine.h"]\n')
    assert project.run("generate", "-q") == 0, project.err
    formatted(project, style, "include/mine.h")
    before = project.files()
    assert project.run("generate") == 0, project.err
    assert project.files() == before
    assert project.run("check") == 0


def test_the_tool_formats_what_it_generates_and_nothing_else(project):
    """`format = "clang-format"`: the style is that of the project."""
    project.write(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\nColumnLimit: 60\n")
    project.write("tschema.toml", 'format = "clang-format"\nmode = "inplace"\n')
    mine = "int   mine ( ) ;\n"
    custom = "// tschema: custom-begin\nint    f ( ) const;\n// tschema: custom-end\n"
    head = f"{mine}// tschema: XNode\n{custom}// tschema: end\n// tschema: X\n// tschema: end\n"
    project.write("include/ir.h", head)
    text = "@declare\nclass XNode(Object):\n    type_key = 't.X'\n"
    project.schema(text + "    a: int\n    b: 'ty.Map[str, ty.Array[int]]'\n")
    assert project.run("generate", "-q") == 0, project.err
    made = project.read("include/ir.h")
    assert made.startswith(mine) and custom in made
    assert "\n        int64_t a{};\n" in made
    assert max(map(len, made.splitlines())) < 90
    assert project.run("check", "-q") == 0, project.out
    assert project.run("generate", "-q") == 0 and project.read("include/ir.h") == made
