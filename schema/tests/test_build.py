# SPDX-License-Identifier: Apache-2.0
"""`build`: libraries, object files and archives that are built from a schema."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo, type_attr
from tvm_ffi_schema.build import toolchain
from tvm_ffi_schema.commands import cli

from .conftest import PRELUDE

pytestmark = pytest.mark.skipif(
    toolchain.find() is None or sys.platform != "linux", reason="needs a C++ compiler of Linux"
)
SHAPES = '''
__tschema__ = module(namespace="demo", type_key_prefix="bld.")

@declare
class PointNode(Object):
    """A point."""
    type_key = "Point"
    x: int
    y: ty.float64 = 0.5

    @method
    def length(self) -> int:
        """Tell how far it is."""
'''
MORE = '''
from ir import PointNode

__tschema__ = module(namespace="demo", type_key_prefix="bld.")

@declare
class LineNode(Object):
    """Two points."""
    type_key = "Line"
    a: PointNode
    b: "ty.Optional[PointNode]" = None
'''


def in_folder(folder: Path, *arguments: str) -> int:
    before = os.getcwd()
    os.chdir(folder)
    try:
        return cli.main([*arguments, "-q"])
    finally:
        os.chdir(before)


def write_shapes(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ir.py").write_text(PRELUDE + SHAPES)
    (folder / "more.py").write_text(PRELUDE + MORE)
    return folder


def run(*command: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess:
    """Run a command in another process that can import the packages under test."""
    path = str(Path(tvm_ffi.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": path, **environment}
    return execute(*command, status=None, cwd=cwd, env=env)


@pytest.fixture(scope="module")
def twice(tmp_path_factory) -> list[Path]:
    """Build a library and a debug archive in each of two directories; return the directories."""
    folders = []
    for name in ("one", "two/further/below"):
        folder = write_shapes(tmp_path_factory.mktemp("built") / name)
        assert in_folder(folder, "build", "ir.py", "more.py", "-o", "dist/demo.so") == 0
        arguments = ["ir.py", "more.py", "-o", "lib/libdemo.a", "--debug", "--jobs", "1"]
        assert in_folder(folder, "build", *arguments) == 0
        folders.append(folder)
    return folders


# ---- reproducible builds


@pytest.mark.spec("SC103.7")
def test_two_builds_in_two_directories_are_equal(twice):
    one, two = ({p.name: p.read_bytes() for p in f.glob("*/*.*")} for f in twice)
    assert list(one) == list(two) and len(one) == 2
    assert one == two


@pytest.mark.spec("SC103.7")
def test_outputs_do_not_contain_the_place_of_the_build(twice):
    for name in ("lib/libdemo.a", "dist/demo.so"):
        data = (twice[0] / name).read_bytes()
        for path in (str(twice[0]), "/tschema-", libinfo.find_include_path()):
            assert path.encode() not in data


# ---- archives


MAIN = r"""
#include <tvm/ffi/c_api.h>
int main() {
  TVMFFIByteArray key{"bld.Line", 8};
  int32_t index = 0;
  if (TVMFFITypeKeyToIndex(&key, &index) != 0) return 1;
  return TVMFFIGetTypeInfo(index)->num_fields == 2 ? 0 : 1;
}
"""


@pytest.mark.spec("SC103.1")
def test_an_archive_registers_its_types_in_the_program_that_holds_it(twice, tmp_path):
    (tmp_path / "main.cc").write_text(MAIN)
    runtime = Path(libinfo.find_libtvm_ffi())
    command = [*(toolchain.find() or []), "-std=c++17", "main.cc", "-o", "main"]
    command += ["-I", libinfo.find_include_path(), "-I", libinfo.find_dlpack_include_path()]
    archive = str(twice[0] / "lib/libdemo.a")
    command += ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]
    command += [str(runtime), f"-Wl,-rpath,{runtime.parent}"]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["./main"], cwd=tmp_path, check=True)


def test_an_archive_without_an_archiver(project, monkeypatch):
    monkeypatch.setenv("AR", "/nowhere/ar")
    monkeypatch.setenv("CXX", "true")
    write_shapes(project.root)
    assert project.run("build", "ir.py", "-o", "x.a") == 5
    assert project.ids() == ["TS601"] and "set AR" in project.err


# ---- sources of the user


LENGTH = """
#include <demo/ir.h>
namespace demo {
int64_t PointNode::length() const { return x + 1; }
}  // namespace demo
"""
HEADER = """
#include <tvm/ffi/object.h>
namespace out {
class SideNode : public tvm::ffi::Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bld.Side", SideNode, tvm::ffi::Object);
};
class Side : public tvm::ffi::ObjectRef {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NULLABLE(Side, tvm::ffi::ObjectRef, SideNode);
};
}  // namespace out
"""
USE = """
import tvm_ffi
tvm_ffi.load_module("./libdemo.so")
from tvm_ffi import core
from tvm_ffi.dataclasses import c_class
@c_class("bld.Point")
class Point(tvm_ffi.Object):
    x: int
    y: float
print(Point(41).length())
"""


@pytest.mark.spec("SC103.2")
def test_hand_written_bodies_become_part_of_the_library(project):
    write_shapes(project.root)
    project.write("own/length.cc", LENGTH)
    arguments = ["ir.py", "-o", "libdemo.so", "--debug", "-v", "--sources", "own/length.cc"]
    assert project.run("build", *arguments, "--keep-sources", "kept") == 0, project.err
    assert "-length.cc -c " in project.err and "-O0 -g" in project.err
    assert "is not implemented" not in project.read("kept/src/ir.cc")
    assert "bld" not in project.read("kept/include/demo/ir.h").partition("\n")[0]
    assert os.access(project.root / "libdemo.so", os.X_OK)
    done = run(sys.executable, "-c", USE, cwd=project.root)
    assert done.stdout == "42\n", done.stderr
    assert str(project.root).encode() not in (project.root / "libdemo.so").read_bytes()


def test_custom_sections_of_the_project_take_part_in_a_build(project):
    """An earlier version ignored method bodies in custom sections, so the library lacked them."""
    write_shapes(project.root)
    assert project.run("generate", "ir.py") == 0, project.err
    text = project.read("src/ir.cc")
    body = text[text.index("PointNode::length") : text.index("// tschema: custom-end")]
    written = body[: body.index("{")] + "{\n  return twice();\n}\n"
    project.write("src/ir.cc", text.replace(body, written))
    header = project.read("include/demo/ir.h")
    macro = '  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("bld.Point"'
    macro = macro if macro in header else macro.replace("_FINAL", "")
    mine = "  double twice() const { return 2.0 * x; }\n"
    section = f"  // tschema: custom-begin\n{mine}  // tschema: custom-end\n"
    project.write("include/demo/ir.h", header.replace(macro, section + macro))
    before = project.files()
    for more in ((), ("--sources", "own.cc")):
        project.write("own.cc", "int own = 1;\n")
        assert project.run("build", "ir.py", "-o", "libdemo.so", "--debug", *more) == 0, project.err
        done = run(sys.executable, "-c", USE, cwd=project.root)
        assert done.stdout.startswith("82"), done.stderr
    assert {name: project.files()[name] for name in before} == before


def test_edits_of_generated_text_and_sections_of_other_classes_do_not_stop_a_build(project):
    write_shapes(project.root)
    assert project.run("generate", "ir.py") == 0, project.err
    text = project.read("src/ir.cc")
    gone = "// tschema: custom-begin GoneNode.method:f\nint f();\n// tschema: custom-end\n"
    project.write(
        "src/ir.cc",
        text.replace(
            "// tschema: custom-begin", f"{gone}int edited;\n" + "// tschema: custom-begin", 1
        ),
    )
    assert project.run("build", "ir.py", "-o", "a.so", "--debug", "--keep-sources", "kept") == 0
    assert "edited" not in project.read("kept/src/ir.cc")
    text = project.read("src/ir.cc").replace("// tschema: custom-end\n", "", 1)
    project.write("src/ir.cc", text)
    assert project.run("build", "ir.py", "-o", "a.so") != 0
    assert re.match(r"src/ir\.cc:\d+", project.err), project.err


def test_a_generated_file_among_the_sources_is_refused(project):
    """In an earlier version, linking failed because each function was defined twice."""
    write_shapes(project.root)
    assert project.run("generate", "ir.py") == 0, project.err
    assert project.run("build", "ir.py", "-o", "a.so", "--sources", "src/ir.cc") == 2
    assert project.ids() == ["TS611"]
    assert "src/ir.cc is generated, and made again with its custom sections" in project.err


def test_headers_of_the_project_are_found(project):
    project.write("include/out/side.h", HEADER)
    project.write("tschema.toml", "embed_ir = false\n")
    names = 'obj="::out::SideNode", ref="::out::Side", header="<out/side.h>"'
    node = '@declare\nclass UseNode(Object):\n    type_key = "bld.Use"\n    s: Side\n'
    project.schema(f'Side = extern("bld.Side", {names})\n{node}')
    assert project.run("build", "-o", "use.so", "--debug", "-v") == 0, project.err
    assert "schema_ir.cc" not in project.err


@pytest.mark.spec("SC103.2")
def test_a_missing_body_is_found_when_building(project):
    write_shapes(project.root)
    project.write("own.cc", "int own = 1;\n")
    assert project.run("build", "ir.py", "-o", "d.so", "--debug", "--sources", "own.cc") == 5
    assert project.ids() == ["TS602"] and "PointNode::length" in project.err
    assert not (project.root / "d.so").exists()


@pytest.mark.spec("SC103.9")
def test_an_error_in_a_source_of_the_user_is_located_there(project):
    write_shapes(project.root)
    project.write("own/length.cc", "int f() {\n  return nonsense;\n}\n")
    project.write("d.so", "what was there")
    arguments = ["build", "ir.py", "-o", "d.so", "--debug", "--sources", "own/length.cc"]
    assert project.run(*arguments, "--keep-sources", "kept") == 5
    assert "own/length.cc:2:10: error[TS602]" in project.err and "nonsense" in project.err
    assert project.read("d.so") == "what was there"
    assert (project.root / "kept/src/ir.cc").exists()  # because of --keep-sources


@pytest.mark.spec("SC103.9")
@pytest.mark.parametrize("folder", ["src", "include"])
def test_an_error_in_a_custom_section_is_located_in_the_file_of_the_project(project, folder):
    write_shapes(project.root)
    assert project.run("generate", "ir.py") == 0, project.err
    (path,) = (project.root / folder).rglob("ir.*")
    file = path.relative_to(project.root).as_posix()
    mark = "// tschema: custom-"
    text = project.read(file)
    if mark not in text:
        at = text.index("  TVM_FFI_DECLARE_OBJECT_INFO")
        text = f"{text[:at]}{mark}begin PointNode.fields\n{mark}end\n{text[at:]}"
    at = text.index("\n", text.index(mark))
    text = text[:at] + "\nstatic int own() {\n  return nonsense;\n}\n" + text[at:]
    for more in ("", "// one more line, which is not built\n"):
        project.write(file, text.replace(mark, more + mark, 1))
        line = project.read(file).splitlines().index("  return nonsense;") + 1
        assert project.run("build", "ir.py", "-o", "d.so", "--debug") == 5
        assert f"{file}:{line}:10: error[TS602]" in project.err, project.err
        assert not re.search(r"tree/\S+:\d+:\d+: error", project.err), project.err


@pytest.mark.spec("SC103.3")
def test_arguments_that_are_not_sources(project, monkeypatch):
    monkeypatch.setenv("CXX", "/nowhere/c++")
    write_shapes(project.root)
    assert project.run("build", "ir.py", "-o", "d.so", "--sources", "no.cc", "nor.cc") == 2
    assert project.ids() == ["TS611", "TS611"] and "there is no file 'no.cc'" in project.err
    assert project.run("build", "-o", "d.so", "--sources", "ir.py") == 2
    assert project.ids() == ["TS611"] and "before --sources" in project.err
    project.write("own.cc", "")
    assert project.run("build", "ir.py", "-o", "d.tfs", "--sources", "own.cc") == 2
    assert project.ids() == ["TS610"] and "image, which holds no code" in project.err


# ---- outputs that cannot be written


@pytest.mark.parametrize("name", ["d.so", "d.o", "d.a", "d.tfs", "below/d.so"])
def test_an_output_that_cannot_be_written_is_found_before_a_compiler_runs(
    project, monkeypatch, name
):
    monkeypatch.setenv("CXX", "/nowhere/c++")
    write_shapes(project.root)
    (project.root / name).mkdir(parents=True)
    assert project.run("build", "ir.py", "-o", name) == 4
    assert project.ids() == ["TS118"] and "it is a directory" in project.err
    project.write("file", "")
    assert project.run("build", "ir.py", "-o", f"file/{name}") == 4
    assert project.ids() == ["TS118"] and "is not a writable directory" in project.err


@pytest.mark.spec("SC103.5")
def test_sources_that_cannot_be_kept(project, monkeypatch):
    monkeypatch.setenv("CXX", "true")
    write_shapes(project.root)
    project.write("file", "")
    assert project.run("build", "ir.py", "-o", "d.so", "--keep-sources", "file") == 4
    assert project.ids() == ["TS118"] and not (project.root / "d.so").exists()


@pytest.mark.spec("SC103.1")
def test_unknown_suffixes(project):
    write_shapes(project.root)
    for name in ("d", "d.exe", "dist/"):
        assert project.run("build", "ir.py", "-o", name) == 2
        assert project.ids() == ["TS610"] and "the name must end in .so" in project.err


@pytest.mark.spec("SC103.4")
def test_only_a_debug_build_has_debug_information(tmp_path):
    (tmp_path / "ir.py").write_text(PRELUDE + SHAPES)
    for options in (["--debug"], []):
        assert in_folder(tmp_path, "build", "ir.py", "-o", "x.o", *options) == 0
        assert (b".debug_line" in (tmp_path / "x.o").read_bytes()) == bool(options)


@pytest.mark.spec("SC103.5")
def test_generated_sources_are_kept_on_request(tmp_path):
    (tmp_path / "ir.py").write_text(PRELUDE + SHAPES)
    options = ("-o", "x.o", "--debug", "--keep-sources", "kept")
    assert in_folder(tmp_path, "build", "ir.py", *options) == 0
    kept = sorted(str(p.relative_to(tmp_path / "kept")) for p in (tmp_path / "kept").rglob("*.*"))
    assert {"include/demo/ir.h", "src/ir.cc"} <= set(kept)


ATTRIBUTES = """
names = Trait("bld.names", ["a", "b"])
table = Trait("bld.table", {"a": [1, 2]})

@declare
class TaggedNode(Object):
    type_key = "bld.Tagged"
    traits = [names, table]
"""


def test_containers_as_attributes_of_traits_compile(project):
    """An earlier version did not include the headers of Array and Map in the generated source."""
    project.schema(ATTRIBUTES, "tags.py")
    assert project.run("build", "-q", "--debug", "tags.py", "-o", "tags.so") == 0, project.err
    tvm_ffi.load_module(str(project.root / "tags.so"))
    assert list(type_attr.get_type_attr("bld.Tagged", "bld.names")) == ["a", "b"]
    assert list(type_attr.get_type_attr("bld.Tagged", "bld.table")["a"]) == [1, 2]


LINKED = '''
__tschema__ = module(namespace="lnk", type_key_prefix="lnk."%s)

@declare
class ANode(Object):
    """A."""
    type_key = "A"
    registration = "member"
    x: int
    next: "ty.Optional[ANode]" = None
    @method
    def twice(self) -> int: ...
    @staticmethod
    @method
    def make(x: int) -> "ANode": ...

@declare
class ENode(Object):
    """Empty."""
    type_key = "E"

@declare
class HandNode(Object):
    """By hand."""
    type_key = "Hand"
    y: int
    @method
    def __init__(self, a: int, b: int = 2) -> None: ...

@declare
class Kind(Enum):
    """Kinds."""
    type_key = "Kind"
    Red = entry()
'''
LINKS = """#include <lnk/ir.h>
int main() {
  lnk::A a(3, lnk::A(4));
  lnk::E e = lnk::E::Make();
  lnk::Hand hand(1);
  return a->twice() + lnk::ANode::make(5)->twice() + hand->y - 19 + !lnk::Kind::Red().defined() +
         !lnk::Kind::Get("Red").defined() + !e.defined();
}
"""
BODIES = {
    "ANode.method:twice": "int64_t ANode::twice() const { return 2 * x; }\n",
    "ANode.method:make": "A ANode::make(int64_t x) { return A(x); }\n",
    "HandNode.method:__init__": "HandNode::HandNode(int64_t a, int64_t b) : y(a + b) {}\n",
}


@pytest.mark.parametrize("export", ["", ', export="LNK_DLL"'])
@pytest.mark.parametrize("dialect", ["modern", "classic"])
def test_what_a_header_declares_can_be_linked(project, dialect, export):
    """Libraries of earlier versions exported no C++ symbol."""
    project.schema(LINKED % export)
    project.write("tschema.toml", f'dialect = "{dialect}"\n')
    assert project.run("generate", "-q") == 0, project.err
    source = project.read("src/ir.cc")
    for anchor, body in BODIES.items():
        head, begin, rest = source.partition(f"// tschema: custom-begin {anchor}\n")
        source = head + begin + body + rest[rest.index("// tschema: custom-end") :]
    project.write("src/ir.cc", source)
    header = project.read("include/lnk/ir.h").replace("#include <tvm/ffi/c_api.h>\n", "")
    macro = "#include <tvm/ffi/c_api.h>\n#define LNK_DLL TVM_FFI_DLL_EXPORT\n" if export else ""
    assert project.run("generate", "-q") == 0, project.err
    if export:
        assert project.run("validate", "--strict") == 0, project.err
        project.write("include/lnk/ir.h", macro + header)
        project.compile("src/ir.cc", output="libir.so")
    else:
        assert project.run("build", "-q", "--debug", "-o", "libir.so") == 0, project.err
    project.write("main.cc", LINKS)
    runtime = Path(libinfo.find_libtvm_ffi())
    command = [*toolchain.find(), "-std=c++17", "main.cc", "-o", "main", "-Iinclude"]
    command += [f"-I{libinfo.find_include_path()}", f"-I{libinfo.find_dlpack_include_path()}"]
    command += ["./libir.so", str(runtime), f"-Wl,-rpath,$ORIGIN:{runtime.parent}"]
    subprocess.run(command, cwd=project.root, check=True)
    done = execute("./main", status=None, cwd=project.root)
    assert (done.returncode, done.stderr) == (0, "")
