# SPDX-License-Identifier: Apache-2.0
"""Test that one file states the name of the distribution, and that the other files follow."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import distribution_name

ROOT = Path(__file__).parents[2]
NAME = distribution_name.stated(ROOT)
# This name must not occur in the repository, so it is computed.
OTHER = "-".join(("other", "runtime"))


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """Copy the text files of the repository to another directory."""
    copy = tmp_path_factory.mktemp("repository") / "copy"
    for path, _ in distribution_name.texts(ROOT):
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    subprocess.run(["git", "init", "--quiet", copy], check=True)
    return copy


def check(root):
    return "\n".join(distribution_name.problems(root))


def change(root, old, new):
    path = root / "pyproject.toml"
    path.write_text(path.read_text().replace(f'\nname = "{old}"\n', f'\nname = "{new}"\n', 1))


def test_the_tree_is_consistent():
    assert check(ROOT) == ""


def test_everything_follows_the_one_place(texts, capsys):
    change(texts, NAME, OTHER)
    assert f"says {OTHER}" in check(texts)
    distribution_name.main(texts)
    assert capsys.readouterr().out.startswith(f"{NAME} is now {OTHER}: ")
    assert check(texts) == ""
    left = [
        str(path)
        for path, text in distribution_name.texts(texts)
        if NAME in text or NAME.replace("-", "_") in text
    ]
    assert left == []
    for name, text in {
        "examples/03_packaged_extension/pyproject.toml": f'dependencies = ["{OTHER}"]',
        "cmake/Build/tvm-ffi.pc.in": f"Name: {OTHER}",
        "python/binding/module.cc": f"tvm_ffi.core of {OTHER}",
        "README.md": f"`{OTHER}`",
        "tests/packaging/outside.py": OTHER.replace("-", "_") + "-*.dist-info",
    }.items():
        assert text in (texts / name).read_text(), name
    program = "from tvm_ffi_commands.provide import main; main(['--version'])"
    done = execute(sys.executable, "-c", program, cwd=texts / "python")
    assert re.fullmatch(OTHER + r" \d+\.\d+\.\d+\S* \(interface \d+\.\d+\.\d+\)\n", done.stdout)
    change(texts, OTHER, NAME)
    distribution_name.main(texts)
    for path, text in distribution_name.texts(ROOT):
        assert (texts / path.relative_to(ROOT)).read_bytes() == text.encode(), path


def test_the_version_follows_the_one_place(texts):
    path = texts / "pyproject.toml"
    before = path.read_text()
    version = distribution_name.stated(ROOT, "version")
    path.write_text(before.replace(f'\nversion = "{version}"', '\nversion = "9.9.9"', 1))
    try:
        assert check(texts).count("says 9.9.9") == len(distribution_name.VERSIONS)
        distribution_name.main(texts)
        assert check(texts) == ""
    finally:
        path.write_text(before)
        distribution_name.main(texts)


@pytest.mark.parametrize("name", ["tvm-ffi", "apache-tvm-ffi", "tvm-ffi-schema"])
def test_a_name_with_another_meaning_is_refused(texts, name):
    change(texts, NAME, name)
    try:
        with pytest.raises(SystemExit, match="has another meaning already"):
            distribution_name.main(texts)
    finally:
        change(texts, name, NAME)


def test_a_text_that_is_not_a_name_is_refused(texts):
    change(texts, NAME, "two words")
    try:
        with pytest.raises(SystemExit, match="'two words' is not a name of a distribution"):
            distribution_name.main(texts)
    finally:
        change(texts, "two words", NAME)


@pytest.mark.parametrize(
    "line",
    [
        "pip install tvm-ffi",
        "pip install --no-deps tvm-ffi[cpp]",
        'dependencies = ["tvm-ffi"]',
        'requires = ["scikit-build-core>=0.10", "tvm-ffi>=0.1"]',
        'version = importlib.metadata.version("tvm-ffi")',
        "https://pypi.org/project/tvm-ffi/",
        'libinfo.load_lib_module("tvm-ffi", "x")',
        f"pip install {NAME}[cpp]",
        "pip install --force-reinstall tvm-ffi-schema",
    ],
)
def test_a_stray_use_is_found(texts, line):
    path = texts / "docs" / "stray.md"
    path.write_text(f"text\n{line}\n")
    try:
        assert check(texts).splitlines()[0] == f"docs/stray.md:2: {line}"
    finally:
        path.unlink()


@pytest.mark.parametrize(
    "line",
    ["pip install ./schema", "pip install apache-tvm-ffi", "the project tvm-ffi", "tvm-ffi.pc"],
)
def test_other_uses_are_left(line):
    patterns = (*distribution_name.STRAY, distribution_name.UNPUBLISHED)
    assert not any(pattern.search(line) for pattern in patterns)
