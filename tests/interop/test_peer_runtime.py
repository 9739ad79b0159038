# SPDX-License-Identifier: Apache-2.0
"""Run the tests of the compiled clients once more, in the peer's environment on its runtime."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from outside import ROOT, clean_environment, run
from running import execute

import tvm_ffi
from tvm_ffi import libinfo

HERE = Path(__file__).resolve().parent
CLIENTS_VARIABLE = "TVM_FFI_INTEROP_CLIENTS"
NOUNS = [
    *("values", "containers", "functions", "errors", "objects", "c_client", "extras", "modules"),
    *("enums", "structural", "integers"),
]


@pytest.mark.skipif(CLIENTS_VARIABLE in os.environ, reason="this is the peer's interpreter")
@pytest.mark.parametrize("noun", NOUNS)
def test_the_clients_work_on_the_peers_runtime(peer, clients, noun):
    options = ["-p", "no:cacheprovider", "-q", "-o", "filterwarnings=default", "--tb=short"]
    done = execute(
        peer.python,
        "-m",
        "pytest",
        *options,
        HERE / f"test_{noun}.py",
        env={**clean_environment(), CLIENTS_VARIABLE: str(clients)},
        cwd=ROOT,
    )
    assert " passed" in done.stdout or noun in ("enums", "structural", "integers")


@pytest.mark.skipif(CLIENTS_VARIABLE in os.environ, reason="this is the peer's interpreter")
def test_the_c_example_works_on_the_peers_library(peer, tmp_path):
    example = ROOT / "examples" / "06_c_host"
    libraries = peer.ask("--libdir")
    link = (f"-L{libraries}", "-ltvm_ffi", f"-Wl,-rpath,{libraries}")
    compile_c = ("gcc", "-std=c99", f"-I{libinfo.find_include_path()}")
    run(*compile_c, example / "host.c", "-o", tmp_path / "host", *link)
    plugin = ("-shared", "-fPIC", example / "plugin.c", "-o", tmp_path / "plugin.so")
    run(*compile_c, *plugin, *link)
    printed = run(tmp_path / "host", tmp_path / "plugin.so").splitlines()
    told = (example / "README.md").read_text().partition("```text\n")[2].partition("\n```")[0]
    # The last line is an error message, which differs between the two runtimes. It must contain the
    # file name.
    *expected, _ = told.splitlines()
    assert printed[:-1] == expected
    assert "no_such_library.so" in printed[-1]


SCHEMA = '''
from tvm_ffi.schema import Object, declare, field, ty

@declare
class PairNode(Object):
    """Two numbers."""
    type_key = "interop.generated.Pair"
    a: int
    b: ty.String = field(default="b", structural_eq="ignore")
'''
USE = """
import sys, tvm_ffi
tvm_ffi.load_module("./generated.so")
sys.path.insert(0, "python")
from _generated import Pair
pair = Pair(3)
print(pair.a, pair.b, tvm_ffi.structural_equal(pair, Pair(3, "c")))
"""


@pytest.mark.skipif(CLIENTS_VARIABLE in os.environ, reason="this is the peer's interpreter")
def test_a_library_with_its_schema_works_on_the_peers_runtime(peer, tmp_path):
    (tmp_path / "generated.py").write_text(SCHEMA)
    own = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    for command in ("build -o generated.so --debug", "generate --to python"):
        tool = [sys.executable, "-m", "tvm_ffi.schema", *command.split(), "-q", "generated.py"]
        subprocess.run(tool, cwd=tmp_path, env=own, check=True)
    (tmp_path / "generated.py").unlink()
    for python, env in ((peer.python, clean_environment()), (sys.executable, own)):
        done = execute(python, "-c", USE, cwd=tmp_path, env=env)
        assert done.stdout == "3 b True\n"


TYPED = r"""
#include <tvm/ffi/tvm_ffi.h>

#include <cstdlib>

namespace ffi = tvm::ffi;

struct Memory {
  void AllocData(DLTensor* x) { x->data = std::calloc(8, 8); }
  void FreeData(DLTensor* x) { std::free(x->data); }
};
ffi::Tensor Make(int64_t size, int64_t bits) {
  DLDataType dtype = {kDLFloat, static_cast<uint8_t>(bits), 1};
  return ffi::Tensor::FromNDAlloc(Memory(), {size}, dtype, {kDLCPU, 0});
}
double Fill(ffi::TypedTensorView<float, ffi::Dims<'n'>> x,
            ffi::TypedTensor<const float, ffi::Dims<'n'>> y, double value) {
  for (float& element : x) element = static_cast<float>(value);
  return x(0) + y(0);
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, Make);
TVM_FFI_DLL_EXPORT_TYPED_FUNC(fill, Fill);
"""
USE_TYPED = """
import sys, tvm_ffi
lib = tvm_ffi.load_module(sys.argv[1])
x = lib.make(3, 32)
print(lib.fill(x, x, 2.0))
for a, b in ((lib.make(3, 64), x), (x, lib.make(2, 32))):
    try:
        lib.fill(a, b, 2.0)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, str(error).rpartition("; ")[2])
"""


@pytest.mark.skipif(CLIENTS_VARIABLE in os.environ, reason="this is the peer's interpreter")
def test_a_library_with_typed_tensors_works_on_the_peers_runtime(peer, tmp_path):
    (tmp_path / "typed.cc").write_text(TYPED)
    includes = [libinfo.find_include_path(), libinfo.find_dlpack_include_path()]
    flags = ["-std=c++17", "-shared", "-fPIC", *(f"-I{folder}" for folder in includes)]
    link = (f"-L{peer.ask('--libdir')}", "-ltvm_ffi")
    run("g++", *flags, tmp_path / "typed.cc", "-o", tmp_path / "typed.so", *link)
    own = {**os.environ, "PYTHONPATH": str(Path(tvm_ffi.__file__).parents[1])}
    for python, env in ((peer.python, clean_environment()), (sys.executable, own)):
        command = [python, "-c", USE_TYPED, tmp_path / "typed.so"]
        done = execute(*command, env=env)
        assert done.stdout.splitlines() == [
            "4.0",
            'TypeError got float64, shape (3,): convert it with x.astype("float32")',
            "ValueError got (2,)",
        ]
