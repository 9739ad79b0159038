# SPDX-License-Identifier: Apache-2.0
"""Test that the commands of the tutorial and the guides print what the pages say."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest
from page_steps import BLOCK, fits, perform, steps

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "03_packaged_extension"
#: Pages with files and commands in order; on other pages each program is independent.
PAGES = sorted((DOCS / "tutorial").glob("*.md"))
PAGES += [DOCS / f"{name}.md" for name in ("debugging", "embedding", "packaging", "versions")]
unsanitized = pytest.mark.unsanitized("GNU make and the linker report faults of their own")
UNSANITIZED = ("embedding", "packaging", "wheel")
RUNS = [
    pytest.param(page, id=page.stem, marks=[unsanitized] if page.stem in UNSANITIZED else [])
    for page in PAGES
]


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
@pytest.mark.skipif(shutil.which("ninja") is None, reason="needs ninja")
@pytest.mark.parametrize("page", RUNS)
def test_commands_print_what_the_page_says(page, tmp_path, monkeypatch):
    text = page.read_text()
    if "import numpy" in text:
        pytest.importorskip("numpy")
    if "$ cmake" in text and shutil.which("cmake") is None:
        pytest.skip("needs cmake")
    if importlib.util.find_spec("scikit_build_core") is None:
        text = text.partition("```console\n$ pip wheel")[0]
    monkeypatch.setenv("TVM_FFI_CACHE_DIR", str(tmp_path / "cache"))
    for command, expected, printed in perform(text, tmp_path):
        assert fits(expected, printed), f"$ {command}\n{printed}\n--- the page has\n{expected}"


def test_the_tutorial_runs_commands():
    ran = [p.stem for p in PAGES if any(step[0] == "command" for step in steps(p.read_text()))]
    tutorial = {"install", "first-function", "objects", "enums", "inline", "wheel"}
    assert tutorial | {"debugging", "embedding"} <= set(ran)


def test_the_wheel_of_the_tutorial_is_the_example():
    """Check that the page shows the files of the example that tests/packaging builds and uses."""
    shown = {}
    for kind, body in BLOCK.findall((DOCS / "tutorial" / "wheel.md").read_text()):
        first, _, rest = body.partition("\n")
        if kind != "console":
            shown[first.lstrip("/# ")] = rest
    for name in ("src/string_tools.cc", "CMakeLists.txt", "pyproject.toml"):
        without_licence = (EXAMPLE / name).read_text().split("\n", 1)[1]
        assert without_licence.endswith(shown[name]), name
    assert "python/string_tools/__init__.py" in shown


INLINE = r"^(?:static inline|TVM_FFI_C_ERROR_INLINE_) (.*?\)) \{"


def test_the_page_for_c_lists_every_inline_function():
    page = (DOCS / "embedding.md").read_text()
    shown = set(re.findall(r"^\| `(\w.*?\))` \|", page, re.MULTILINE))
    declared = set()
    for header in ("c_error.h", "c_function.h", "c_value.h"):
        text = (ROOT / "include" / "tvm" / "ffi" / "extra" / header).read_text()
        for function in re.findall(INLINE, text, re.MULTILINE | re.DOTALL):
            if "_(" not in function:
                declared.add(" ".join(function.split()))
    assert len(declared) >= 20
    assert shown == declared
