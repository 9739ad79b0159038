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
