# SPDX-License-Identifier: Apache-2.0
"""Programs for the claims of the table "Differences in behaviour" in ``docs/switching.md``.

    python tests/interop/differences.py DIRECTORY

Runs each program in a process of its own with the ``tvm_ffi`` of this interpreter, and prints the
outputs as JSON. DIRECTORY receives a compiled library. ``test_differences.py`` compares the
outputs of both packages.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable

import tvm_ffi
import tvm_ffi.cpp
import tvm_ffi.dataclasses

LIBRARY = r"""
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/function.h>
#include <cstdlib>
#include <stdexcept>
int32_t small(int32_t value) { return value; }
float narrow(float value) { return value; }
bool is_defined(tvm::ffi::Tensor x) { return x.defined(); }
void out_of_range() { throw std::out_of_range("far"); }
struct Zeros {
  void AllocData(DLTensor* x) { x->data = std::calloc(8, 8); }
  void FreeData(DLTensor* x) { std::free(x->data); }
};
tvm::ffi::Tensor zeros() {
  return tvm::ffi::Tensor::FromNDAlloc(Zeros(), {8}, {kDLFloat, 64, 1}, {kDLCPU, 0});
}
tvm::ffi::Tensor empty() {
  return tvm::ffi::Tensor::FromEnvAlloc(TVMFFIEnvTensorAlloc, {8}, {kDLFloat, 64, 1}, {kDLCPU, 0});
}
"""
HOLDER = """
from tvm_ffi.dataclasses import gen_abi_cpp, py_class
@py_class("differences.Holder")
class Holder(tvm_ffi.Object):
    module: tvm_ffi.Module
    modules: list[tvm_ffi.Module]
text = gen_abi_cpp("differences.*")
"""
# Programs by the start of their row. `lib` is the library above.
PROGRAMS = {
    "Python exceptions that pass": """
class Own(Exception): pass
def fail(*_): raise Own("text")
attempt(lambda: get("testing.apply")(fail, 1))
""",
    "an `Error` of C++ whose kind": """
attempt(lambda: get("testing.test_raise_error")("OSError", "x"))
""",
    "C++ exceptions that are not": "attempt(lambda: lib.out_of_range())",
    "an integer out of range": "attempt(lambda: print(lib.small(1 << 40)))",
    "a finite number beyond": "attempt(lambda: print(lib.narrow(1e300)))",
    "an integer beyond 64 bits": "attempt(lambda: lib.small(1 << 70))",
    "`None` for a parameter": "attempt(lambda: print(lib.is_defined(None)))",
    "functions †": "import inspect; attempt(lambda: print(inspect.signature(lib.small)))",
    "uninitialized objects": "attempt(lambda: tvm_ffi.Array.__new__(tvm_ffi.Array)[0])",
    "deep and cyclic values": """
d = tvm_ffi.Dict({}); d["self"] = d
attempt(lambda: tvm_ffi.structural_hash(d))
""",
    "cycles of native objects": """
import gc, weakref
class Held: pass
held = Held()
d = tvm_ffi.Dict({"held": held}); d["self"] = d
alive = weakref.ref(held)
del d, held; gc.collect()
print(alive() is None)
""",
    "a Python class or enum that": """
def define():
    @tvm_ffi.dataclasses.py_class("differences.Twice")
    class Twice(tvm_ffi.Object):
        value: int
    return Twice
attempt(lambda: print(define() is not define()))
attempt(lambda: print(define()(1).value))
""",
    "`in`, `index`, `count`": "a = tvm_ffi.Array([1, 2.0, True]); print(a.count(1), a.index(True))",
    "a number other than 0 and 1": """
attempt(lambda: tvm_ffi.structural_walk(tvm_ffi.Array([1]), lambda *_: 7))
""",
    "tracebacks": """
import traceback
try: get("testing.test_raise_error")("ValueError", "x")
except ValueError as error: frames = traceback.extract_tb(error.__traceback__)
print([frame.name for frame in frames if "Function.__call__" in frame.name])
""",
    "`repr` and `str` of large": "print(len(repr(tvm_ffi.Array(range(10000)))))",
    "a field or an element that": "a = tvm_ffi.Array([tvm_ffi.Array([1])]); print(a[0] is a[0])",
    "type names in messages": 'attempt(lambda: get("testing.add_one")("x"))',
    "texts of errors": 'attempt(lambda: get("testing.add_on"))',
    "`inspect.signature` of a data": """
import inspect
@tvm_ffi.dataclasses.py_class("differences.Signature")
class Signature(tvm_ffi.Object):
    value: int = 3
print(inspect.signature(Signature))
""",
    "`object` as an annotation": """
def define():
    @tvm_ffi.dataclasses.py_class("differences.Anything")
    class Anything(tvm_ffi.Object):
        value: object
    print(Anything(1).value)
attempt(define)
""",
    "a field of a `py_class` with": """
def define():
    @tvm_ffi.dataclasses.py_class("differences.Order")
    class Order(tvm_ffi.Object):
        mro: int
    print("accepted")
attempt(define)
""",
    "a new tensor of the CPU": "attempt(lambda: print(lib.empty().shape))",
    "an `Enum` whose body only": """
def define():
    class Colour(tvm_ffi.dataclasses.Enum, type_key="differences.Colour"):
        red = 1
    print(list(Colour.entries()) if hasattr(Colour, "entries") else Colour)
attempt(define)
""",
    "`Tensor.__dlpack__` without": "attempt(lambda: lib.zeros().__dlpack__(copy=True))",
    "the truth value of a": "attempt(lambda: print(bool(lib.zeros())))",
    "`repr` of functions": 'print(repr(get("testing.add_one"))[:30])',
    "`init_ffi_api` with a prefix": """
import warnings
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    tvm_ffi.init_ffi_api("differences.nothing", "__main__")
print([w.category.__name__ for w in seen])
""",
    "`gen_abi_cpp` of a type": HOLDER + 'print("extra/module.h" in text)',
    "a missing library": 'attempt(lambda: tvm_ffi.load_module("/nowhere/lib.so"))',
}
# Rows that have no program, with the reason.
WITHOUT_PROGRAM = {
    "`TVM_FFI_DECLARE_OBJECT_INFO`": "does not compile: tests/cpp/refused",
    "documentation exported with": "needs another library: tests/cpp/test_docstrings.cc",
    "read-only memory passed": "needs NumPy: tests/python/test_read_only.py",
    "stubs from": "a command: tests/python/stub",
    "importing": "needs NumPy and PyTorch: tests/python/test_import.py",
    "builds of inline C++": "takes long: tests/python/cpp",
}
# Programs that print the same in both packages, by what differed.
EQUAL_PROGRAMS = {
    # Ours lists the fields for the comparison of class versions, if the headers have the macro.
    "gen_abi_cpp of modules": HOLDER
    + r"""
import re
text = text[text.index("namespace") :]
print(re.sub(r"#ifdef TVM_FFI_DECLARE_OBJECT_FIELDS\n.*\n#endif\n", "", text))
""",
    "gen_abi_cpp without structs": """
print(tvm_ffi.dataclasses.gen_abi_cpp(["ffi.Array", "ffi.Module"]))
""",
}
get = tvm_ffi.get_global_func


def attempt(function: Callable[[], object]) -> None:
    """Call a function, and print its exception, if it raises one."""
    try:
        function()
    except Exception as error:
        print(type(error).__name__, error)


def output_of(program: str, lib: tvm_ffi.Module) -> str:
    """Run a program in a child process; return its output, and how the process ended."""
    with tempfile.TemporaryFile("w+") as output:
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os.dup2(output.fileno(), 1)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                exec(program, {**globals(), "lib": lib})
                sys.stdout.flush()
            except BaseException:
                os._exit(1)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        output.seek(0)
        return output.read() + (f"ended with status {status}" if status else "")


if __name__ == "__main__":
    names = ["small", "narrow", "is_defined", "out_of_range", "zeros", "empty"]
    library = tvm_ffi.cpp.load_inline(
        "differences", cpp_sources=LIBRARY, functions=names, build_directory=sys.argv[1]
    )
    sys.stdout.flush()
    programs = {**PROGRAMS, **EQUAL_PROGRAMS}
    print(json.dumps({name: output_of(text, library) for name, text in programs.items()}))
