# SPDX-License-Identifier: Apache-2.0
"""Test C and C++ projects that build against the installed package in each supported way."""

import shutil

import pytest
from outside import run
from running import execute

pytestmark = [
    pytest.mark.packaging,
    pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++"),
    pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake"),
]

PROGRAM = """\
#include <tvm/ffi/tvm_ffi.h>

#include <cstdio>

int main() {
  namespace ffi = tvm::ffi;
  ffi::Function add = ffi::Function::FromTyped([](int64_t a, int64_t b) { return a + b; });
  ffi::Array<int64_t> numbers{1, 2, 39};
  int64_t sum = 0;
  for (int64_t n : numbers) sum = add(sum, n).cast<int64_t>();
  try {
    add("one", 2);
  } catch (const ffi::Error& error) {
    std::printf("%s ", error.kind().c_str());
  }
  // A function that the runtime library registers: it is really there and started up.
  int64_t size = ffi::Function::GetGlobalRequired("ffi.ArraySize")(numbers).cast<int64_t>();
  std::printf("%d %d\\n", static_cast<int>(sum), static_cast<int>(size));
}
"""
EXPECTED = "TypeError 42 3\n"

LIBRARY = """\
#include <tvm/ffi/tvm_ffi.h>
static int64_t Twice(int64_t x) { return 2 * x; }
TVM_FFI_DLL_EXPORT_TYPED_FUNC(twice, Twice);
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "main.cc").write_text(PROGRAM)
    (tmp_path / "library.cc").write_text(LIBRARY)
    return tmp_path


def build(project, lists, *arguments, targets=("all",)):
    """Configure and build a project with one CMakeLists.txt; return its build directory."""
    head = "cmake_minimum_required(VERSION 3.18)\nproject(client CXX)\n"
    (project / "CMakeLists.txt").write_text(head + lists)
    out = project / "out"
    run("cmake", "-S", project, "-B", out, "-DCMAKE_BUILD_TYPE=Release", *arguments)
    run("cmake", "--build", out, "--parallel", "2", "--target", *targets)
    return out


FIND = """\
find_package(tvm_ffi {version} CONFIG REQUIRED)
message(STATUS "version=${{tvm_ffi_VERSION}} lib=${{tvm_ffi_LIB_FILES}}")
if(NOT EXISTS "${{tvm_ffi_INCLUDE_DIR}}/tvm/ffi/any.h"
   OR NOT EXISTS "${{tvm_ffi_DLPACK_INCLUDE_DIR}}/dlpack/dlpack.h")
  message(FATAL_ERROR "no headers")
endif()
"""


@pytest.mark.parametrize("version", ["", "0.1", "0.1.16"])
def test_find_package(installed, project, version):
    lists = FIND.format(version=version) + (
        "add_executable(app main.cc)\ntarget_link_libraries(app PRIVATE tvm_ffi::shared)\n"
    )
    out = build(project, lists, f"-Dtvm_ffi_ROOT={installed.config('--cmakedir').strip()}")
    assert run(out / "app") == EXPECTED


@pytest.mark.parametrize("version", ["0.2", "0.1.99", "1.0"])
def test_find_package_refuses_another_version(installed, project, version):
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(client CXX)\n" + FIND.format(version=version)
    )
    command = ["cmake", "-S", project, "-B", project / "out"]
    root = f"-Dtvm_ffi_ROOT={installed.config('--cmakedir').strip()}"
    result = execute(*command, root, status=None)
    assert result.returncode != 0
    assert "0.1.16" in result.stderr


def test_find_package_after_the_tree_was_moved(installed, project):
    moved = project / "moved tree"
    shutil.copytree(installed.package, moved)
    lists = FIND.format(version="") + (
        "add_executable(app main.cc)\ntarget_link_libraries(app PRIVATE tvm_ffi::shared)\n"
    )
    out = build(project, lists, f"-Dtvm_ffi_ROOT={moved}/share/cmake/tvm_ffi")
    assert run(out / "app") == EXPECTED
    assert str(moved) in run("readelf", "-d", out / "app")


def test_configure_target_makes_a_library_that_python_loads(installed, project):
    lists = FIND.format(version="") + (
        "add_library(client SHARED library.cc)\n"
        "tvm_ffi_configure_target(client)\n"
        "tvm_ffi_hide_static_linked_lib_symbols(client)\n"
        "tvm_ffi_install(client DESTINATION lib)\n"
    )
    out = build(project, lists, f"-Dtvm_ffi_ROOT={installed.config('--cmakedir').strip()}")
    program = f"import tvm_ffi; print(tvm_ffi.load_module({str(out / 'libclient.so')!r}).twice(21))"
    assert run(installed.python, "-c", program, cwd=project) == "42\n"


@pytest.mark.spec("TOOL-TO11")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("STUB_INIT ON", "STUB_INIT needs STUB_DIR"),
        ("STUB_PKG p", "need STUB_DIR"),
        ("STUB_DIR d STUB_PREFIX p.", "need STUB_INIT ON"),
        ("NO_SUCH ON", "unknown arguments"),
    ],
)
def test_configure_target_refuses_contradictions(installed, project, arguments, message):
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(client CXX)\n"
        + FIND.format(version="")
        + f"add_library(client SHARED library.cc)\ntvm_ffi_configure_target(client {arguments})\n"
    )
    command = ["cmake", "-S", project, "-B", project / "out"]
    root = f"-Dtvm_ffi_ROOT={installed.config('--cmakedir').strip()}"
    result = execute(*command, root, status=None)
    assert result.returncode != 0
    assert message in " ".join(result.stderr.split())


def test_flags_of_tvm_ffi_config(installed, project):
    config = installed.bin / "tvm-ffi-config"
    command = (
        f"g++ -Wall -Wextra -Werror $({config} --cxxflags) main.cc -o app"
        f" $({config} --ldflags) $({config} --libs) -Wl,-rpath,$({config} --libdir)"
    )
    run("sh", "-c", command, cwd=project)
    assert run(project / "app") == EXPECTED


def test_sources_of_the_package_build(installed, project):
    """Test that add_subdirectory accepts the tree of `--sourcedir`, also for the static library."""
    lists = (
        f'add_subdirectory("{installed.config("--sourcedir").strip()}" tvm_ffi)\n'
        "add_executable(app main.cc)\ntarget_link_libraries(app PRIVATE tvm_ffi::shared)\n"
        "add_executable(app_static main.cc)\n"
        "target_link_libraries(app_static PRIVATE tvm_ffi::static)\n"
    )
    # The library of the test fixtures is not built, and nothing has debugging information: both
    # would take half of the time.
    configuration = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0")
    out = build(project, lists, *configuration, targets=("app", "app_static"))
    assert run(out / "app") == EXPECTED
    assert run(out / "app_static") == EXPECTED
    assert "libtvm_ffi.so" not in run("readelf", "-d", out / "app_static")
