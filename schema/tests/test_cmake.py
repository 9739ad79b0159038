# SPDX-License-Identifier: Apache-2.0
"""`tvm_ffi_schema_generate`: a CMake build generates the files of a target from its schema."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest
from running import execute

from tvm_ffi import libinfo
from tvm_ffi_schema.build import toolchain

pytestmark = pytest.mark.skipif(
    toolchain.find() is None or not shutil.which("cmake") or not shutil.which("ninja"),
    reason="no C++ compiler, CMake or Ninja",
)
LISTS = """\
cmake_minimum_required(VERSION 3.20)
project(shapes LANGUAGES CXX)
find_package(tvm_ffi CONFIG REQUIRED)
add_library(shapes SHARED)
tvm_ffi_schema_generate(TARGET shapes SCHEMAS schema/ir.py %s)
target_link_libraries(shapes PRIVATE tvm_ffi::header tvm_ffi::shared)
"""
SCHEMA = '@declare\nclass PNode(Object):\n    """A."""\n    type_key = "cm.P"\n    x: int\n'


def run(project, *command: str) -> subprocess.CompletedProcess:
    return execute(*command, status=None, cwd=project.root, env=dict(os.environ))


def configure(
    project, extra: str = "", generator: str = "Ninja", more: str = ""
) -> subprocess.CompletedProcess:
    project.write("CMakeLists.txt", LISTS % extra + more)
    arguments = [
        f"-Dtvm_ffi_DIR={libinfo.find_cmake_path()}",
        f"-DPython_EXECUTABLE={sys.executable}",
    ]
    return run(project, "cmake", "-S", ".", "-B", "build", "-G", generator, *arguments)


def step(project) -> subprocess.CompletedProcess:
    """Run only the build step that generates files from the schema, without compiling."""
    return run(project, "cmake", "--build", "build", "--target", "tschema-shapes")


def made(project, folder: str = "build") -> set[str]:
    """Return the generated files below a directory."""
    root = project.root / folder
    suffixes = (".h", ".cc", ".py", ".pyi", ".md", ".html", ".json")
    paths = (p for p in root.rglob("*") if p.suffix in suffixes and "CMakeFiles" not in p.parts)
    return {str(p.relative_to(root)) for p in paths if ".tschema" not in p.parts}


@pytest.mark.spec("SC12", "SC103.17")
def test_build_follows_the_schema(project):
    project.schema(SCHEMA)
    done = configure(project)
    assert done.returncode == 0, done.stderr
    done = run(project, "cmake", "--build", "build")
    assert done.returncode == 0, done.stdout
    assert not (project.root / "include").exists()
    assert "no work to do" in run(project, "cmake", "--build", "build").stdout
    project.schema(SCHEMA + "    y: int\n")
    done = run(project, "cmake", "--build", "build")
    assert "Building CXX object" in done.stdout, done.stdout
    header = next((project.root / "build").rglob("ir.h"))
    assert "int64_t y" in header.read_text()
    assert project.run("export", "build/libshapes.so", "--as", "layout") == 0, project.err
    assert "  y: int64_t" in project.out


OWN = ")\ntarget_sources(shapes PRIVATE src/own.cc"
MAKEFILES = pytest.param(
    "Unix Makefiles", marks=pytest.mark.unsanitized("make itself reads beyond its memory")
)
GENERATORS = ["Ninja"] + [MAKEFILES] * bool(shutil.which("make"))


@pytest.mark.spec("SC103.19")
@pytest.mark.parametrize("generator", GENERATORS)
def test_the_step_runs_when_a_file_that_it_has_read_changes(project, generator):
    project.write("src/own.cc", "")
    project.write("tools/sizes.py", "SIZE = 'x'\n")
    head = "import sys\nsys.path.insert(0, 'TOOLS')\nfrom sizes import SIZE\n"
    head = head.replace("TOOLS", str(project.root / "tools"))
    body = "{'type_key': 'cm.P', '__annotations__': {SIZE: int}}"
    project.schema(head + f"declare(type('PNode', (Object,), {body}))\n")
    project.write("tschema.toml", 'mode = "full"\nfrontend = "import"\n')
    done = configure(project, "CONFIG tschema.toml" + OWN, generator)
    assert done.returncode == 0, done.stderr
    assert step(project).returncode == 0
    assert "int64_t x" in project.read("include/ir.h")
    before = (project.root / "build/tschema-shapes.stamp").stat().st_mtime_ns
    assert step(project).returncode == 0
    assert (project.root / "build/tschema-shapes.stamp").stat().st_mtime_ns == before
    project.write("tools/sizes.py", "SIZE = 'wide'\n")
    assert step(project).returncode == 0
    assert "int64_t wide" in project.read("include/ir.h")
    project.write("tschema.toml", 'mode = "full"\nfrontend = "import"\ncpp_include_root = "inc"\n')
    assert step(project).returncode == 0
    assert "int64_t wide" in project.read("inc/ir.h")


@pytest.mark.spec("SC103.19")
def test_the_depfile_names_what_was_read(project):
    project.schema(SCHEMA, "a b/ir$.py")
    project.write("tschema.toml", 'mode = "full"\n')
    options = ["--depfile", "out/step.d", "--depfile-target", "the stamp"]
    assert project.run("generate", "a b/ir$.py", "-q", *options) == 0, project.err
    root = str(project.root).replace(" ", "\\ ")
    lines = [line.rstrip(" \\") for line in project.read("out/step.d").splitlines()]
    assert lines == [
        "the\\ stamp:", f"  {root}/a\\ b/ir$$.py", f"  {root}/tschema.toml",
    ]  # fmt: skip
    (project.root / "out/step.d").unlink()
    assert project.run("generate", "a b/ir$.py", "-q", *options) == 0
    assert (project.root / "out/step.d").exists()
    assert project.run("check", "a b/ir$.py", "-q", *options) == 0, project.err
    project.write("file", "")
    assert project.run("check", "a b/ir$.py", "-q", "--depfile", "file/step.d") == 4
    assert project.ids() == ["TS118"]


def test_a_directory_of_schemas_and_files_that_are_added_to_it(project):
    project.schema(SCHEMA)
    more = SCHEMA.replace("PNode", "QNode").replace("cm.P", "cm.Q")
    text = LISTS.replace("schema/ir.py", "schema") % ""
    done = configure(project)
    project.write("CMakeLists.txt", text)
    assert step(project).returncode == 0, done.stderr
    project.schema(more, "schema/more.py")
    assert step(project).returncode == 0
    assert {"tschema-shapes/include/more.h", "tschema-shapes/src/more.cc"} <= made(project)


@pytest.mark.spec("SC97.1", "SC103.18")
def test_outputs_and_output_dir_and_dialect(project):
    project.schema(SCHEMA)
    done = configure(project, "OUTPUTS cpp python pyi docs json OUTPUT_DIR gen DIALECT classic")
    assert done.returncode == 0, done.stderr
    assert step(project).returncode == 0
    files = {"include/ir.h", "src/ir.cc", "python/_ir.py", "python/_ir.pyi", "schema.tschema.json"}
    assert files <= made(project, "gen") and "src/schema_ir.cc" not in made(project, "gen")
    assert any(name.startswith("docs/") for name in made(project, "gen"))
    assert "compat/classic.h" in project.read("gen/include/ir.h")
    assert not made(project)
    done = configure(project, "OUTPUTS cpp nonsense")
    assert done.returncode != 0 and "unknown output 'nonsense'" in done.stderr


@pytest.mark.spec("SC103.18")
def test_in_place(project):
    project.schema(SCHEMA)
    project.write("include/mine.h", "// tschema: PNode\n// tschema: end\n")
    project.write("tschema.toml", 'mode = "inplace"\ninplace = ["include/mine.h"]\n')
    project.write("src/mine.cc", "")
    done = configure(project, "MODE INPLACE)\ntarget_sources(shapes PRIVATE src/mine.cc")
    assert done.returncode == 0, done.stderr
    done = step(project)
    assert done.returncode == 0, done.stdout
    assert "class PNode : public" in project.read("include/mine.h")


@pytest.mark.spec("SC103.18")
def test_breaking_against_an_older_schema_fails_the_build(project):
    project.schema(SCHEMA + "    y: int\n")
    assert project.run("export", "schema/ir.py", "-q", "-o", "old.tschema.json") == 0
    done = configure(project, "BREAKING_AGAINST old.tschema.json")
    assert done.returncode == 0, done.stderr
    assert step(project).returncode == 0
    project.schema(SCHEMA)
    for _ in range(2):  # the step fails again until the schema is corrected
        done = step(project)
        assert done.returncode != 0 and "FIELD_NO_DELETE" in done.stdout + done.stderr
    project.schema(SCHEMA + "    y: int\n")
    assert step(project).returncode == 0


@pytest.mark.spec("SC103.20")
def test_codegen_runs_every_step(project):
    version = run(project, "cmake", "--version").stdout.split()[2].split(".")
    if tuple(map(int, version[:2])) < (3, 31):
        pytest.skip("needs CMake 3.31")
    project.schema(SCHEMA)
    text = LISTS.replace("VERSION 3.20", "VERSION 3.31") % ""
    configure(project)
    project.write("CMakeLists.txt", text)
    done = run(project, "cmake", "--build", "build", "--target", "codegen")
    assert done.returncode == 0, done.stdout
    assert "tschema-shapes/include/ir.h" in made(project)


def test_a_broken_schema_fails_the_configuration_with_its_place(project):
    project.schema("x = y\n")
    done = configure(project)
    assert done.returncode != 0
    assert "ir.py:2:5:error[TS020]" in "".join(done.stderr.split())


@pytest.mark.spec("SC103.18")
def test_check_only_fails_on_stale_files(project):
    project.schema(SCHEMA)
    assert project.run("generate", "-q", "schema/ir.py") == 0
    done = configure(project, "CHECK_ONLY)\ntarget_sources(shapes PRIVATE src/ir.cc")
    assert done.returncode == 0, done.stderr
    project.write("src/ir.cc", project.read("src/ir.cc"))
    text = LISTS % "CHECK_ONLY)\ntarget_sources(shapes PRIVATE src/ir.cc"
    project.write("CMakeLists.txt", text + "target_include_directories(shapes PRIVATE include)\n")
    done = run(project, "cmake", "--build", "build")
    assert done.returncode == 0, done.stdout
    before = project.read("include/ir.h")
    project.schema(SCHEMA + "    y: int\n")
    done = run(project, "cmake", "--build", "build")
    assert done.returncode != 0
    assert project.read("include/ir.h") == before


@pytest.mark.spec("SC103.18")
@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("MODE HALF", "MODE is FULL or INPLACE"),
        ("EXTRA", "there is no"),
        ("TARGET missing", "not a target"),
        ("CONFIG nothing.toml", "there is no"),
        ("CHECK_ONLY OUTPUT_DIR gen", "OUTPUT_DIR is for MODE FULL"),
        ("MODE INPLACE OUTPUT_DIR gen", "OUTPUT_DIR is for MODE FULL"),
    ],
)
def test_arguments_are_checked(project, extra, words):
    project.schema(SCHEMA)
    done = configure(project, extra)
    assert done.returncode != 0
    assert words in " ".join(done.stderr.split())
