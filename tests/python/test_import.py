# SPDX-License-Identifier: Apache-2.0
"""Test the import of the package: the modules it loads, and the process state it leaves unchanged.

Test also the names that the imported package offers.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi

PACKAGE = Path(tvm_ffi.__file__).parent


@pytest.mark.spec("PY-A2")
def test_star_import_leaves_builtins_alone():
    namespace = {}
    exec("from tvm_ffi import *", namespace)
    assert not {"bool", "int32", "float32"} & set(namespace)
    assert {"Array", "Object", "load_module"} <= set(namespace)


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tvm_ffi' has no attribute 'no_such_name'"):
        tvm_ffi.no_such_name  # noqa: B018


@pytest.mark.spec("PY-A4")
def test_lib_is_the_runtime_library():
    assert isinstance(tvm_ffi.LIB, ctypes.CDLL)
    assert tvm_ffi.LIB._name == tvm_ffi.libinfo.find_libtvm_ffi()


@pytest.mark.spec("PY-A5")
def test_versions_agree():
    numbers = (ctypes.c_uint32 * 3)()
    tvm_ffi.LIB.TVMFFIGetVersion(ctypes.byref(numbers))
    assert tvm_ffi.__version_tuple__[:3] == tuple(numbers)
    assert tvm_ffi.__version__.startswith(".".join(map(str, numbers)))
    version = tvm_ffi._version
    assert version.version == version.__version__ == tvm_ffi.__version__
    assert version.version_tuple == version.__version_tuple__ == tvm_ffi.__version_tuple__
    assert version.commit_id is version.__commit_id__
    header = (Path(tvm_ffi.libinfo.find_include_path()) / "tvm/ffi/c_api.h").read_text()
    written = re.findall(r"#define TVM_FFI_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header)
    assert [int(number) for number in written] == list(numbers)


# ---- imports in a new process ----


def test_import_loads_only_the_extension_and_the_standard_library(run_python):
    new_modules = run_python(
        "import sys; before = set(sys.modules); import tvm_ffi; print(*set(sys.modules) - before)"
    ).split()
    ours = {name for name in new_modules if name.split(".")[0] == "tvm_ffi"}
    modules = ("_forks", "_native", "_version", "core")
    assert ours == {"tvm_ffi", *(f"tvm_ffi.{name}" for name in modules)}
    # Importing these modules would make the import slow.
    assert not {"ctypes", "json", "re", "subprocess", "typing", "numpy"} & set(new_modules)
    others = {name.split(".")[0] for name in new_modules} - {"tvm_ffi"}
    assert others <= sys.stdlib_module_names


def test_import_starts_no_process_and_installs_no_signal_handler(run_python):
    out = run_python(
        """
import sys
caught = lambda: [line for line in open("/proc/self/status") if line.startswith("SigCgt")]
events = []
starters = ("subprocess", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn")
sys.addaudithook(lambda event, args: event.startswith(starters) and events.append(event))
before = caught()
import tvm_ffi
tvm_ffi.get_global_func("testing.echo")
print(events, caught() == before)
"""
    )
    assert out == "[] True"


def test_import_makes_the_symbols_of_the_library_global(run_python):
    assert (
        run_python("import tvm_ffi, ctypes; print(bool(ctypes.CDLL(None).TVMFFIFunctionCall))")
        == "True"
    )


def test_third_parties_are_seen_once_they_are_imported(run_python):
    pytest.importorskip("numpy")
    out = run_python(
        "from tvm_ffi import core; before = core.numpy; import numpy; "
        "print(before, core.numpy is numpy, core.torch)"
    )
    assert out == "None True None"


def test_a_returned_value_imports_the_module_of_its_class(run_python):
    out = run_python(
        """
import sys, tvm_ffi
from tvm_ffi import registry
loaded = lambda name: "tvm_ffi." + name in sys.modules
echo = registry.core._get_global_func("testing.echo", False)
early = loaded("_values.dtype")
array = echo([1])
print(early, type(array).__module__, type(array).__name__)
import tvm_ffi.core as core
print(type(echo(core.DataType("i8"))).__module__, loaded("_values.dtype"))
"""
    )
    assert out.splitlines() == ["False tvm_ffi.container Array", "tvm_ffi True"]


@pytest.mark.spec("PY-A12")
def test_fixtures_are_found_without_importing_them(run_python):
    out = run_python(
        "import sys, tvm_ffi; f = tvm_ffi.get_global_func('testing.add_one'); "
        "print(f(1), 'tvm_ffi.testing' in sys.modules)"
    )
    assert out == "2 False"


@pytest.fixture
def unbuilt_tree(tmp_path):
    """Copy only the Python files, as in a source tree before the build."""
    natives = shutil.ignore_patterns("*.so", "*.pyd", "*.dylib", "lib", "include", "share", "src")
    shutil.copytree(PACKAGE, tmp_path / "tvm_ffi", ignore=natives)
    return tmp_path


def run_in(directory, program):
    return execute(
        sys.executable,
        "-S",
        "-c",
        program,
        status=None,
        cwd=directory,
        env={"PYTHONPATH": str(directory)},
    )


def test_unbuilt_tree_imports_and_offers_what_is_not_native(unbuilt_tree):
    done = run_in(
        unbuilt_tree,
        "import tvm_ffi; print(tvm_ffi.__version__, tvm_ffi.libinfo.__name__, "
        "tvm_ffi.config.__name__); import tvm_ffi.config",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [tvm_ffi.__version__, "tvm_ffi.libinfo", "tvm_ffi.config"]


@pytest.mark.parametrize(
    "program",
    [
        "import tvm_ffi; tvm_ffi.Object",
        "import tvm_ffi; tvm_ffi.get_global_func",
        "import tvm_ffi; tvm_ffi.LIB",
        "from tvm_ffi import core",
        "from tvm_ffi import Array, load_module",
        "import tvm_ffi.registry",
    ],
)
def test_unbuilt_tree_says_what_is_missing(unbuilt_tree, program):
    done = run_in(unbuilt_tree, program)
    assert done.returncode == 1
    last_line = done.stderr.strip().splitlines()[-1]
    assert last_line.startswith("ImportError: the native extension of tvm_ffi cannot be loaded")
    assert "pip install" in last_line


def test_schema_forwards_to_the_tool_or_says_what_to_install(run_python):
    program = "import tvm_ffi_schema as s, tvm_ffi.schema as t; from tvm_ffi.schema import ty;"
    program += "print(ty is s.ty, t.Object is s.Object, set(s.__all__) <= set(dir(t)))"
    assert run_python(program) == "True True True"
    program = """
import sys
sys.modules["tvm_ffi_schema"] = None
try:
    import tvm_ffi.schema
except ModuleNotFoundError as error:
    print(error.name, "pip install ./schema" in str(error))
"""
    assert run_python(program) == "tvm_ffi_schema True"
