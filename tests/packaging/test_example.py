# SPDX-License-Identifier: Apache-2.0
"""Test the example of a package with a library: build, install and use it."""

import os
import shutil
import venv

import pytest
from outside import ROOT, clean_environment, run
from running import execute

pytestmark = pytest.mark.packaging

EXAMPLE = ROOT / "examples" / "03_packaged_extension"
PROGRAM = """
import string_tools
print(list(string_tools.split("a, b, c", ", ")))
counter = string_tools.Counter("be")
print(counter.word, counter.add("to be or not to be"), counter.count)
try:
    string_tools.split("abc", "")
except ValueError as error:
    print("ValueError:", error)
"""


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory):
    """Install the example from its sources into a fresh environment."""
    folder = tmp_path_factory.mktemp("example")
    sources = folder / "sources"
    shutil.copytree(EXAMPLE, sources)
    venv.create(folder / "venv", with_pip=True, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    # pip gets fast-tvm-ffi from the wheel, and other packages from PyPI.
    variables = {**clean_environment(), "PIP_FIND_LINKS": str(wheel.parent)}
    command = [python, "-m", "pip", "--disable-pip-version-check", "install", str(sources)]
    execute(*command, env=variables)
    return folder, python


@pytest.mark.spec("TOOL-TO12")
def test_packaged_extension_works(environment):
    folder, python = environment
    assert run(python, "-c", PROGRAM, cwd=folder).splitlines() == [
        "['a', 'b', 'c']",
        "be 2 2",
        "ValueError: the separator is empty",
    ]


@pytest.mark.spec("TOOL-V6")
def test_stubs_of_the_example_are_up_to_date(environment):
    folder, python = environment
    command = python.parent / "tvm-ffi-stubgen"
    options = ["--imports", "string_tools", "--check", str(EXAMPLE / "python")]
    execute(command, *options, env={**clean_environment(), "PATH": os.environ["PATH"]}, cwd=folder)


def test_the_wheel_of_the_example_is_marked_as_typed(environment):
    folder, _ = environment
    (package,) = (folder / "venv").rglob("site-packages/string_tools")
    assert (package / "py.typed").is_file()


def test_library_of_the_example_holds_no_python(environment):
    folder, _ = environment
    (library,) = (folder / "venv").rglob("libstring_tools.so")
    needed = run("readelf", "-d", library)
    assert "libtvm_ffi.so" in needed
    assert "python" not in needed
