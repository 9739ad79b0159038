# SPDX-License-Identifier: Apache-2.0
"""Test that published packages that were compiled against the peer run on our package.

The packages are installed from PyPI without their requirement on the peer, into a separate
directory; if PyPI cannot be reached, the tests are skipped. ``TVM_FFI_CLIENTS`` may name a
directory with the packages.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from running import execute

import tvm_ffi
import tvm_ffi.libinfo

pytestmark = pytest.mark.skipif(
    "TVM_FFI_INTEROP_CLIENTS" in os.environ, reason="this is the peer's interpreter"
)

CLIENTS = ("apache-tvm==0.27.0.post1", "xgrammar==0.2.8", "apache-tvm-ffi-orcjit==0.1.3")
NEEDS = {
    "ml_dtypes": "ml_dtypes",
    "typing_extensions": "typing_extensions",
    "pydantic": "pydantic pydantic-core annotated-types typing-inspection",
    "numpy": "numpy",
}

# Small modules that replace large packages: xgrammar imports them, but the program below does not
# use them.
STANDINS = {
    "torch": """
class Tensor: ...
class device: ...
class dtype: ...
class _Anything:
    def __getattr__(self, name): return _Anything()
    def __call__(self, *args, **kwargs): return args[0] if args else _Anything()
def __getattr__(name):
    if name.startswith("__"): raise AttributeError(name)
    return _Anything()
""",
    "transformers": """
class PreTrainedTokenizerBase: ...
class PreTrainedTokenizerFast: ...
class LogitsProcessor: ...
""",
}


def _missing() -> list[str]:
    from importlib.util import find_spec

    return [name for need, names in NEEDS.items() if not find_spec(need) for name in names.split()]


@pytest.fixture(scope="module")
def clients(tmp_path_factory):
    """Return the directory with the published packages."""
    if "TVM_FFI_CLIENTS" in os.environ:
        return Path(os.environ["TVM_FFI_CLIENTS"])
    folder = tmp_path_factory.mktemp("clients")
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:"),
    ]
    command += ["--target", str(folder), *CLIENTS, *_missing()]
    try:
        done = execute(*command, status=None, timeout=300)
    except subprocess.TimeoutExpired:
        pytest.skip("pip does not get the clients in time")
    if done.returncode != 0:
        pytest.skip(f"pip cannot get the clients: {done.stderr.strip().splitlines()[-1]}")
    return folder


@pytest.fixture(scope="module")
def standins(tmp_path_factory):
    """Return a directory with the modules of `STANDINS`."""
    folder = tmp_path_factory.mktemp("standins")
    for name, text in STANDINS.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def run_client(program, *folders):
    """Run a program with our package and these directories; return the lines that it printed."""
    package = Path(tvm_ffi.__file__).parents[1]
    path = os.pathsep.join(map(str, (package, *folders)))
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = execute(sys.executable, "-c", program, env=environment, timeout=300)
    return done.stdout.strip().splitlines()


@pytest.mark.spec("PY-K276")
def test_k276_tvm_and_its_tensors(clients):
    out = run_client(
        """
import numpy as np
import tvm, tvm_ffi
x = tvm.runtime.tensor(np.arange(3, dtype="float32"))
print(type(x) is tvm.runtime.Tensor, type(x.device) is tvm.runtime.Device, x.device)
print(x.numpy(), x.shape, x.dtype)
print(tvm.cuda(1), tvm.runtime.empty((2, 3), "float16").dtype)
@tvm_ffi.register_global_func("pytest.client.callback")
def callback(value):
    return type(value) is tvm.runtime.Tensor
print(tvm_ffi.get_global_func("pytest.client.callback")(x))
""",
        clients,
    )
    assert out == ["True True cpu:0", "[0. 1. 2.] (3,) float32", "cuda:1 float16", "True"]


@pytest.mark.spec("PY-K276")
def test_k276_tvm_compiles_and_runs(clients):
    out = run_client(
        """
import numpy as np
import tvm
from tvm import relax, te
n = te.var("n")
A = te.placeholder((n,), name="A")
B = te.compute((n,), lambda i: A[i] + 1.0, name="B")
module = tvm.IRModule({"main": te.create_prim_func([A, B])})
compiled = tvm.compile(module, target="llvm")
a = tvm.runtime.tensor(np.arange(5, dtype="float32"))
b = tvm.runtime.tensor(np.zeros(5, "float32"))
compiled(a, b)
print(b.numpy())
text = tvm.ir.save_json(module)
tvm.ir.assert_structural_equal(module, tvm.ir.load_json(text))
builder = relax.BlockBuilder()
x = relax.Var("x", relax.TensorType((2, 3), "float32"))
with builder.function("main", [x]):
    builder.emit_func_output(builder.emit(relax.op.add(x, x)))
machine = relax.VirtualMachine(tvm.compile(builder.get(), target="llvm"), tvm.cpu())
print(machine["main"](tvm.runtime.tensor(np.ones((2, 3), "float32"))).numpy().sum())
""",
        clients,
    )
    assert out == ["[1. 2. 3. 4. 5.]", "12.0"]


@pytest.mark.spec("PY-K277")
def test_k277_xgrammar_matches_and_raises_its_classes(clients, standins):
    out = run_client(
        """
import json
import xgrammar as xg
words = ["a", "b", "{", "}", '"', ":", "1", " ", "</s>"]
info = xg.TokenizerInfo(words, stop_token_ids=[8])
schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
grammar = xg.GrammarCompiler(info).compile_json_schema(json.dumps(schema))
matcher = xg.GrammarMatcher(grammar)
print(matcher.accept_string('{"a": 1}'), matcher.accept_string("}"))
for call, text in (
    (xg.Grammar.deserialize_json, "{bad"),
    (xg.Grammar.from_structural_tag, "{}"),
    (xg.Grammar.from_json_schema, '{"type": 5}'),
):
    try:
        call(text)
    except RuntimeError as error:
        print(type(error).__name__)
""",
        clients,
        standins,
    )
    assert out == ["True False", "InvalidJSONError", "InvalidStructuralTagError", "RuntimeError"]


C_SOURCE = """
#include <tvm/ffi/c_api.h>
int __tvm_ffi_add_one(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  if (n != 1 || args[0].type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "one integer is expected");
    return -1;
  }
  result->type_index = kTVMFFIInt;
  result->zero_padding = 0;
  result->v_int64 = args[0].v_int64 + 1;
  return 0;
}
"""


@pytest.mark.spec("PY-K278")
def test_k278_orcjit_runs_object_files(clients, tmp_path):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    (tmp_path / "add.c").write_text(C_SOURCE)
    include = tvm_ffi.libinfo.find_include_path()
    command = [compiler, "-c", "-fPIC", f"-I{include}", "add.c", "-o", "add.o"]
    subprocess.run(command, cwd=tmp_path, check=True)
    out = run_client(
        f"""
import tvm_ffi, tvm_ffi_orcjit
session = tvm_ffi_orcjit.default_session()
print(isinstance(session, tvm_ffi.Object), session.same_as(tvm_ffi_orcjit.default_session()))
module = session.load_module({str(tmp_path / "add.o")!r})
print(type(module) is tvm_ffi.Module, module.add_one(1), module.get_function("add_one")(4))
try:
    module.add_one("x")
except TypeError as error:
    print(error)
""",
        clients,
    )
    assert out == ["True True", "True 2 5", "one integer is expected"]


@pytest.mark.spec("PY-K279")
def test_k279_tvm_classes_with_constructors_of_their_own(clients):
    out = run_client(
        """
import tvm
from tvm.ir import transform
from tvm.runtime.script_printer import PrinterConfig
print(PrinterConfig(num_context_lines=3).num_context_lines)
attributes = tvm.ir.attrs.make_node("ir.DictAttrs", x=1, y="a")
print(attributes["x"], attributes.keys())
with transform.PassContext(opt_level=3) as context:
    print(transform.PassContext.current().same_as(context), context.opt_level)
module = tvm.IRModule({})
@transform.module_pass(opt_level=1, name="nothing")
def nothing(mod, context):
    return mod
print(nothing(module).same_as(module), nothing.info.name)
class OwnError(Exception):
    pass
@transform.module_pass(opt_level=1, name="fails")
def fails(mod, context):
    raise OwnError("x")
try:
    transform.Sequential([nothing, fails])(module)
except OwnError as error:
    print("caught", error)
try:
    tvm.ir.Op.get("no.such.operator")
except AttributeError as error:
    print("not registered" in str(error))
""",
        clients,
    )
    assert out == ["3", "1 ['x', 'y']", "True 3", "True nothing", "caught x", "True"]


@pytest.mark.spec("PY-K280")
def test_k280_tvm_objects_as_json(clients):
    out = run_client(
        """
import pickle
import tvm
from tvm import tirx
from tvm.ir import load_json, save_json
x = tirx.Var("x", "int32")
for value in (
    tvm.ir.GlobalVar("main"),
    tvm.ir.SourceName("file"),
    tvm.ir.Op.get("relax.add"),
    tvm.ir.TupleType([]),
    tvm.ir.PrimType("int32"),
    x + tirx.IntImm("int32", 3),
):
    for again in (load_json(save_json(value)), pickle.loads(pickle.dumps(value))):
        tvm.ir.assert_structural_equal(value, again, map_free_vars=True)
    print(type(again) is type(value))
""",
        clients,
    )
    assert out == ["True"] * 6


@pytest.mark.spec("PY-K281")
def test_k281_maps_with_keys_that_tvm_hashes_in_its_own_way(clients):
    out = run_client(
        """
import tvm, tvm_ffi
types = [tvm.ir.PrimType(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
table = tvm_ffi.Map({key: number for number, key in enumerate(types)})
print([table[tvm.ir.PrimType(key.dtype)] for key in types])
""",
        clients,
    )
    assert out == ["[0, 1, 2, 3, 4, 5, 6, 7]"]
