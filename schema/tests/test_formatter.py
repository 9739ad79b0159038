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
STYLE = Path(__file__).parents[2] / ".clang-format"
ROOTS = (
    'dialect = "DIALECT"\ncpp_include_root = "DIALECT/include"\ncpp_source_root = "DIALECT/src"\n'
)
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


def test_generated_text_is_formatted(project):
    """Earlier versions wrote line breaks that clang-format changes in the style of this project."""
    golden = sorted((Path(__file__).parent / "golden").rglob("*.txt"))
    texts = [path for path in golden if path.suffixes[0] in (".h", ".cc")]
    examples = Path(__file__).parents[1] / "examples/tensor_ir/schema"
    for path in examples.glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    for dialect in ("modern", "classic"):
        project.write("tschema.toml", ROOTS.replace("DIALECT", dialect))
        assert project.run("generate", "-q") == 0, project.err
    made = [path for path in project.root.rglob("*") if path.suffix in (".h", ".cc")]
    assert len(texts) == 20 and len(made) > 20
    for number, path in enumerate(texts):
        project.write(f"golden/{number}{path.suffixes[0]}", path.read_text())
    shutil.copy(STYLE, project.root / ".clang-format")
    before = project.files()
    formatted(project, "file", *(name for name in before if name.endswith((".h", ".cc"))))
    changed = [name for name, data in project.files().items() if data != before[name]]
    assert not changed


@pytest.mark.spec("SC81")
@pytest.mark.parametrize("style", STYLES)
def test_in_place(project, style):
    for path in CORPUS.glob("*.py"):
        project.write(f"schema/{path.name}", path.read_text())
    names = ["LinkNode", "Link", "SumNode", "Sum", "ActionNode", "Action"]
    shapes = "".join(BLOCKS % name for name in names)
    text = f"namespace corpus {{\n{BLOCKS % 'NumbersNode'}namespace shapes {{\n{shapes}}}\n}}\n"
    project.write("include/mine.h", text)
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["include/mine.h"]\n')
    assert project.run("generate", "-q") == 0, project.err
    formatted(project, style, "include/mine.h")
    before = project.files()
    assert project.run("generate") == 0, project.err
    assert project.files() == before
    assert project.run("check") == 0
