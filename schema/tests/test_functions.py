# SPDX-License-Identifier: Apache-2.0
"""`--functions`: Python modules and stubs for the global functions of a built library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tvm_ffi
from tvm_ffi_schema.build import toolchain

from .conftest import needs_compiler

SCHEMA = '''
__tschema__ = module(namespace="fn", type_key_prefix="fn.", python="fn._nodes")

@declare
class PointNode(Object):
    """A point."""
    type_key = "Point"
    x: int = 0
'''
SOURCE = """
#include <fn/ir.h>
#include <tvm/ffi/tvm_ffi.h>
namespace ffi = tvm::ffi;
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = ffi::reflection;
  refl::GlobalDef()
      .def("fn.moved", [](fn::Point p, int64_t by) { return fn::Point(p->x + by); })
      .def("fn.init_ffi_api", [](ffi::Array<ffi::String> names) { return names.size(); })
      .def_packed("fn.anything", [](ffi::PackedArgs, ffi::Any*) {})
      .def("fn.class", []() {})
      .def("fn.deep.zero", []() -> int64_t { return 0; })
      .def("other.one", []() -> int64_t { return 1; });
}
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    """Build a library in another process, so that this process does not load it."""
    if toolchain.find() is None:
        pytest.skip("no C++ compiler")
    root = tmp_path_factory.mktemp("functions")
    prelude = "from tvm_ffi.schema import Object, declare, module\n"
    (root / "ir.py").write_text(prelude + SCHEMA)
    (root / "fn.cc").write_text(SOURCE)
    command = ["-q", "-o", "libfn.so", "--debug", "ir.py", "--sources", "fn.cc"]
    done = command_line(root, "build", *command)
    assert done.returncode == 0, done.stderr
    return root / "libfn.so"


def command_line(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tvm_ffi_schema", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.spec("SC92.7")
@needs_compiler
def test_a_module_and_a_stub_for_each_prefix(project, library):
    project.schema(SCHEMA)
    options = ["--to", "python,pyi", "--functions", f"fn={library}"]
    options += ["--functions", f"fn.deep={library}"]
    assert project.run("generate", "-q", *options) == 0, project.err
    assert project.err == ""
    stub = project.read("python/fn/_ffi_api.pyi")
    assert "from ._nodes import Point\n" in stub
    assert "def moved(_0: Point, _1: int, /) -> Point: ...\n" in stub
    assert "def anything(*args: Any) -> Any: ...\n" in stub
    assert "def init_ffi_api(_0: Sequence[str], /) -> int: ...\n" in stub
    assert "class" not in stub and "zero" not in stub and "one" not in stub
    assert "def zero() -> int: ...\n" in project.read("python/fn/deep/_ffi_api.pyi")
    assert project.run("check", *options) == 0, project.out
    assert project.run("check", "--no-cache", *options) == 0, project.out


USE = """
import sys
import tvm_ffi
tvm_ffi.load_module(sys.argv[1])
sys.path.insert(0, "python")
from fn import _ffi_api, _nodes
assert _ffi_api.moved(_nodes.Point(1), 2).x == 3
assert _ffi_api.__all__ == ["anything", "init_ffi_api", "moved"]
"""


@pytest.mark.spec("SC92.7")
@needs_compiler
def test_the_module_runs_and_type_checks(project, library):
    project.schema(SCHEMA)
    options = ["--to", "python", "--functions", f"fn={library}"]
    assert project.run("generate", "-q", *options) == 0, project.err
    environment = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", USE, str(library)],
        cwd=project.root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pytest.importorskip("mypy")
    project.write("use.py", "from fn import _ffi_api\nvalue: int = _ffi_api.moved(1, 2)\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-incremental", "--namespace-packages", "use.py"],
        cwd=project.root,
        env={**environment, "MYPYPATH": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert 'has incompatible type "int"; expected "Point"' in done.stdout, done.stdout
    assert 'expression has type "Point", variable has type "int"' in done.stdout
    assert done.stdout.count("error:") == 2, done.stdout


@pytest.mark.spec("SC92.8")
@needs_compiler
def test_the_configuration_names_libraries_and_a_new_build_is_noticed(project, library):
    if sys.version_info < (3, 11):
        pytest.skip("reading TOML needs it")
    project.schema(SCHEMA)
    text = 'outputs = ["pyi"]\n[functions]\nfn = "build/libfn.so"\n'
    project.write("tschema.toml", text)
    assert project.run("generate") == 0
    assert project.ids() == ["TS612"] and "tschema.toml:3:1: warning" in project.err
    assert project.run("generate") == 0 and project.err == "nothing to do\n"
    (project.root / "build").mkdir()
    (project.root / "build/libfn.so").write_bytes(library.read_bytes())
    assert project.run("generate") == 0
    assert project.err.endswith("\n1 of 2 files written\n")
    os.remove(project.root / "build/libfn.so")
    before = project.files()
    assert project.run("check") == 0  # the stubs are neither outdated nor orphaned
    assert project.ids() == ["TS612"]
    assert project.run("generate") == 0
    assert project.files() == before


@pytest.mark.spec("SC92.8")
@pytest.mark.parametrize(
    ("data", "words"),
    [(b"", "cannot be loaded"), (b"\x7fELF no library", "cannot be loaded")],
)
def test_a_file_that_is_not_a_library(project, data, words):
    project.schema(SCHEMA)
    (project.root / "x.so").write_bytes(data)
    assert project.run("generate", "--to", "python", "--functions", "fn=x.so") == 0
    assert project.ids() == ["TS612"] and words in project.err
    assert not (project.root / "python/fn/_ffi_api.py").exists()


@needs_compiler
def test_a_prefix_that_the_library_has_not(project, library):
    project.schema(SCHEMA)
    options = ("--to", "pyi", "--functions", f"fm={library}")
    assert project.run("generate", *options) == 0
    assert "registers no function fm.*" in project.err


@pytest.mark.spec("SC92.8")
@needs_compiler
def test_a_library_that_ends_its_process(project):
    project.schema(SCHEMA)
    text = "#include <cstdlib>\nint now = (std::abort(), 0);\n"
    project.write("bad.cc", text)
    project.compile("bad.cc", output="bad.so")
    assert project.run("generate", "--to", "pyi", "--functions", "fn=bad.so") == 0
    assert "ended by signal 6" in project.err


@pytest.mark.parametrize("word", ["fn", "fn=", "=x.so", "1=x.so", "a..b=x.so", ""])
def test_arguments_that_name_nothing(project, word):
    project.schema(SCHEMA)
    assert project.run("generate", "--functions", word) == 2
    assert project.ids() == ["TS011"] and "PREFIX=LIBRARY" in project.err


def test_a_file_of_the_user_stays(project, library):
    project.schema(SCHEMA)
    project.write("python/fn/_ffi_api.pyi", "mine = 1\n")
    assert project.run("generate", "--to", "pyi", "--functions", f"fn={library}") == 4
    assert project.ids() == ["TS115"]
    assert project.read("python/fn/_ffi_api.pyi") == "mine = 1\n"


@pytest.mark.spec("SC92.4")
def test_bindings_of_another_package_are_imported_absolutely(project):
    """A module in a package cannot import a module outside of packages relatively."""
    project.schema(
        '__tschema__ = module(type_key_prefix="a.")\n\n@declare\nclass ANode(Object):\n'
        '    """A."""\n    type_key = "A"\n',
        "schema/one.py",
    )
    project.schema(
        'from one import ANode\n__tschema__ = module(type_key_prefix="b.", python="pkg.two")\n\n'
        '@declare\nclass BNode(ANode):\n    """B."""\n    type_key = "B"\n    a: ANode\n',
        "schema/two.py",
    )
    assert project.run("generate", "-q", "--to", "python") == 0, project.err
    text = project.read("python/pkg/two.py")
    assert "from _one import A\n" in text
    compile(text, "two.py", "exec")
