# SPDX-License-Identifier: Apache-2.0
"""Test the examples of the README, and the targets of links between documents."""

import os
import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
from running import execute

ROOT = Path(__file__).resolve().parents[2]
PLACES = (
    "*.md",
    "bench/*.md",
    "docs/**/*.md",
    "schema/*.md",
    "schema/docs/*.md",
    "schema/examples/*.md",
)
DOCUMENTS = sorted(path for place in PLACES for path in ROOT.glob(place))
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
ANCHOR = re.compile(r"\]\(([^)#\s]*)#([^)\s]+)\)")
EXPECTED = re.compile(r"print\(.*\)  # (.*)$", re.MULTILINE)


def blocks(document, language):
    return [text for kind, text in BLOCK.findall(document.read_text()) if kind == language]


@pytest.fixture
def workshop(tmp_path):
    """Return a directory for PATH with the command ``tvm-ffi-config`` of the package under test."""
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "tvm-ffi-config"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tvm_ffi.config "$@"\n')
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    env = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    return tmp_path, env


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_readme_examples_print_what_they_say(workshop):
    pytest.importorskip("numpy")
    folder, env = workshop
    readme = ROOT / "README.md"
    (source,) = blocks(readme, "cpp")
    (command,) = blocks(readme, "sh")
    (program,) = blocks(readme, "python")
    name = re.match(r"// (\S+)\n", source).group(1)
    (folder / name).write_text(source)
    (folder / "use.py").write_text(program)
    execute("sh", "-c", command, cwd=folder, env=env)
    ran = execute(sys.executable, "use.py", cwd=folder, env=env)
    expected = EXPECTED.findall(program)
    assert len(expected) >= 3
    assert ran.stdout.splitlines() == expected


#: Beginnings of the names of pages that test_steps.py and test_tools.py run instead.
STEPS = ("tutorial/", "debugging", "embedding", "packaging", "rust", "tools", "versions")
PROGRAM = re.compile(r"(<!-- not run: (.+) -->\n)?^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [
    page
    for page in sorted((ROOT / "docs").rglob("*.md"))
    if not page.relative_to(ROOT / "docs").as_posix().startswith(STEPS)
]
GUIDES = [
    pytest.param(
        program,
        id=f"{page.relative_to(ROOT / 'docs').with_suffix('')}-{number}",
        marks=[pytest.mark.torch] if "import torch" in program else [],
    )
    for page in PAGES
    for number, (is_left_out, _, program) in enumerate(PROGRAM.findall(page.read_text()), 1)
    if not is_left_out
]


def test_listings_that_are_not_run_say_why():
    """Check that the left-out listings need a GPU or a framework without a pinned version."""
    left_out = {
        page.stem: reason
        for page in PAGES
        for is_left_out, reason, _ in PROGRAM.findall(page.read_text())
        if is_left_out
    }
    assert set(left_out) <= {"clusters", "cuda", "cupy", "jax"}
    assert all(reason.startswith("needs ") for reason in left_out.values())


@pytest.mark.parametrize("program", GUIDES)
def test_examples_of_the_guides_print_what_they_say(program, tmp_path):
    if "import numpy" in program:
        pytest.importorskip("numpy")
    if "import torch" in program:
        pytest.importorskip("torch", reason="needs PyTorch: run make test-torch")
    if "load_inline" in program and shutil.which("g++") is None:
        pytest.skip("needs g++")
    env = {**os.environ, "TVM_FFI_CACHE_DIR": str(tmp_path / "cache")}
    ran = execute(sys.executable, "-c", program, cwd=tmp_path, env=env)
    expected = EXPECTED.findall(program)
    assert expected
    assert ran.stdout.splitlines() == expected


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(document):
    # The texts of docs/news become a part of CHANGELOG.md.
    folder = ROOT if document.parent.name == "news" else document.parent
    for target in LINK.findall(document.read_text()):
        if "://" not in target:
            assert (folder / target).exists(), target


def anchors(document):
    """Return the anchors of the headings of a document, as GitHub and the site make them."""
    text = BLOCK.sub("", document.read_text())
    headings = (
        re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", h) for h in re.findall(r"^#+ (.*)$", text, re.M)
    )
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_to_sections_lead_somewhere(document):
    for target, anchor in ANCHOR.findall(document.read_text()):
        page = document.parent / target if target else document
        if "://" not in target and page.suffix == ".md":
            assert anchor in anchors(page), f"{target}#{anchor}"


@pytest.mark.parametrize("folder", ["decisions", "reference"])
def test_an_index_links_every_page(folder):
    index = ROOT / "docs" / folder / "index.md"
    pages = {path.name for path in index.parent.glob("*.md")} - {"index.md"}
    assert {target for target in LINK.findall(index.read_text()) if "/" not in target} == pages


def test_texts_of_news_have_a_known_type():
    kinds = re.findall(
        r'^directory = "(\w+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE
    )
    for text in (ROOT / "docs" / "news").glob("[!.R]*"):
        assert re.fullmatch(rf"(?:\d+|\+[\w-]+)\.(?:{'|'.join(kinds)})\.md", text.name), text.name


SOURCES = [
    path
    for place in (
        *("include", "src", "python", "schema", "tests", "tools", "bench", "examples", "fuzz"),
    )
    for path in sorted((ROOT / place).rglob("*"))
    if path.suffix in {".py", ".pyi", ".h", ".c", ".cc", ".cpp", ".cmake"}
]


def test_sources_do_not_number_sections_of_other_documents():
    """Reject references by section number, since readers lack the document with the numbers."""
    numbered = re.compile(
        r"\b(?:sections?|checklist) [0-9A-Z]\b|\u00a7|\b(?:c-abi|cpp-api) [0-9Y]", re.I
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
        if numbered.search(line)
    ]
    assert found == []


def test_documents_that_comments_name_exist():
    named = re.compile(r"\b[\w/-]+\.md\b")
    for path in SOURCES:
        if path.relative_to(ROOT).parts[0] in ("include", "src", "python"):
            for target in named.findall(path.read_text()):
                assert (ROOT / target).exists(), f"{path.relative_to(ROOT)}: {target}"


def test_the_chores_of_the_documents_exist():
    makefile = (ROOT / "Makefile").read_text()
    rules = set(re.findall(r"^([a-z0-9 -]+):", makefile, re.MULTILINE))
    rules = {name for rule in rules for name in rule.split()}
    named = {
        chore
        for document in (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
        for chore in re.findall(r"`?make ([a-z0-9-]+)", document.read_text())
    }
    assert named >= {"demo", "test"}
    assert named <= rules
