# SPDX-License-Identifier: Apache-2.0
"""Test the messages for typical mistakes with names, libraries and compilers.

The numbers in the names of the tests identify the mistakes in a list of 66 typical mistakes.
``ELSEWHERE`` names the tests of the mistakes that other files test.
"""

from __future__ import annotations

import ast
import copy
import errno
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import execute, run_threads

import tvm_ffi
from tvm_ffi import _distribution, cpp, libinfo
from tvm_ffi.cpp import cuda
from tvm_ffi.dataclasses import c_class, c_enum
from tvm_ffi.module import LibraryNotFoundError

needs_linux = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("ninja") is None, reason="builds libraries for Linux"
)

# Maps the number of a mistake to the test of its message.
ELSEWHERE = {
    12: "test_import.py::test_unknown_name_is_an_attribute_error",
    38: "dataclasses/test_redefinition.py",
    39: "test_load_errors.py::test_edited_cell_with_another_layout_says_what_has_changed",
    40: "test_load_errors.py::test_undefined_symbol_fails_at_load_with_its_name",
    43: "test_module.py::test_library_of_another_abi_version",
    50: "cpp/test_progress.py",
    51: "cpp/test_extension.py::test_missing_ninja_is_explained",
}


def text_of(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value)


def raises(kind: type[BaseException], text: str) -> Any:
    """Expect an exception with exactly this message."""
    return pytest.raises(kind, match=f"^{re.escape(text)}$")


def test_the_tests_elsewhere_exist() -> None:
    here = Path(__file__).parent
    for place in ELSEWHERE.values():
        file, _, name = place.partition("::")
        names = {
            node.name
            for node in ast.walk(ast.parse((here / file).read_text()))
            if isinstance(node, ast.FunctionDef)
        }
        assert names if not name else name in names


# ---- names ----


@pytest.fixture(scope="module")
def module() -> Any:
    """Build one library for the tests of names, messages of native code, and keys."""
    source = r"""
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <sstream>
using namespace tvm::ffi;
int Add(int a, int b) { return a + b; }
int Sub(int a, int b) { return a - b; }
int call(String name) { return Function::GetGlobalRequired(name)(1).cast<int>(); }
Any map_at(Map<Any, Any> map, Any key) { return map[key]; }
Any dict_at(Dict<Any, Any> dict, Any key) { return dict.at(key); }
void place(TensorView x) {
  TVM_FFI_THROW(ValueError) << "x is a " << x.dtype() << " on " << x.device();
}
std::string device_text(DLDevice device) {
  std::ostringstream os;
  os << device;
  return os.str();
}
DLDataType read_dtype(String text) { return StringToDLDataType(text); }
void check(TensorView x) {
  TVM_FFI_CHECK(x.IsContiguous(), ValueError) << "x: expected a contiguous tensor";
}
"""
    names = ["Add", "Sub", "call", "map_at", "dict_at", "place", "device_text", "read_dtype"]
    return cpp.load_inline("mistakes_lookup", cpp_sources=source, functions=[*names, "check"])


@needs_linux
def test_10_unknown_module_function(module: Any) -> None:
    for get in (lambda: module.Addd, lambda: module["Addd"], lambda: module.get_function("add")):
        with pytest.raises(AttributeError, match=r"^Module has no function 'A?a?d+'") as error:
            get()
        assert "; did you mean 'Add'?" in text_of(error)
    listed = "; it has Add, Sub, call, check, device_text, dict_at, map_at, place, ..."
    with raises(AttributeError, f"Module has no function 'qqq'{listed}"):
        module.qqq  # noqa: B018
    assert module.Add(1, 2) == 3
    with pytest.raises(AttributeError) as error:
        module.Addd  # noqa: B018
    shown = "".join(traceback.format_exception(error.type, error.value, error.tb))
    assert shown.lower().count("did you mean") == 1
    # Programs such as IPython look up this name and do not show the error, so the message has no
    # suggestion.
    with raises(AttributeError, "Module has no function '_repr_latex_'"):
        module._repr_latex_  # noqa: B018
    # Calling a module calls its entry point `main`.
    with pytest.raises(AttributeError, match=r"^Module has no function 'main'"):
        module()


def test_10_system_library() -> None:
    with raises(AttributeError, "Module has no function 'ad_one'"):
        tvm_ffi.system_lib("testing.").ad_one  # noqa: B018
    with raises(AttributeError, "Module has no function 'nothing'"):
        tvm_ffi.system_lib("no.such.prefix.").nothing  # noqa: B018


def test_11_unknown_global_function() -> None:
    tvm_ffi.register_global_func("mistakes.clamp", lambda x: x, override=True)
    near = "; did you mean `mistakes.clamp`?"
    with raises(ValueError, f"Cannot find global function mistakes.clmap{near}"):
        tvm_ffi.get_global_func("mistakes.clmap")
    with raises(RuntimeError, f"Global Function is not found: mistakes.clmap{near}"):
        tvm_ffi.get_global_func_metadata("mistakes.clmap")
    far = "; load the library that registers it first"
    with raises(ValueError, f"Cannot find global function Zq.Xw9{far}"):
        tvm_ffi.get_global_func("Zq.Xw9")
    assert tvm_ffi.get_global_func("mistakes.clmap", allow_missing=True) is None
    # A removed function is not suggested.
    tvm_ffi.remove_global_func("mistakes.clamp")
    with pytest.raises(ValueError, match=r"^Cannot find global function mistakes\.clmap") as error:
        tvm_ffi.get_global_func("mistakes.clmap")
    assert "clamp" not in text_of(error)


@needs_linux
def test_11_unknown_global_function_in_native_code(module: Any) -> None:
    tvm_ffi.register_global_func("mistakes.double", lambda x: 2 * x, override=True)
    with raises(ValueError, "Function mistakes.duoble not found; did you mean `mistakes.double`?"):
        module.call("mistakes.duoble")
    assert module.call("mistakes.double") == 2


def run(program: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return execute(sys.executable, "-c", program, status=None, env=environment)


def test_12_unknown_name_of_the_package(package_environment: dict[str, str]) -> None:
    done = run("import tvm_ffi; tvm_ffi.load_modul", package_environment)
    assert re.search(r"Did you mean:? '\.?load_module'", done.stderr)  # since 3.15 with a dot


def test_hints_are_imported_at_their_first_use(package_environment: dict[str, str]) -> None:
    program = """
import sys, tvm_ffi, tvm_ffi.module, tvm_ffi.registry
print({"difflib", "tvm_ffi._nearest"} & set(sys.modules))
try:
    tvm_ffi.register_object("testing.TestIntPiar")(type("X", (tvm_ffi.Object,), {}))
except ValueError as error:
    print(error)
"""
    done = run(program, package_environment)
    assert done.stdout.splitlines()[0] == "set()", done.stderr


def test_36_unknown_type_key() -> None:
    tvm_ffi.get_global_func("testing.echo")  # loads the test library

    class Pair(tvm_ffi.Object):
        pass

    near = "Cannot find object type index for testing.TestIntPiar; did you mean"
    for register in (tvm_ffi.register_object, c_class):
        with raises(ValueError, f"{near} 'testing.TestIntPair'?"):
            register("testing.TestIntPiar")(Pair)
    far = (
        "Cannot find object type index for Zq.Xw9; load the library that registers the type first, "
        "or define the type in Python with tvm_ffi.py_class"
    )
    with raises(ValueError, far):
        tvm_ffi.register_object("Zq.Xw9")(Pair)
    with pytest.raises(ValueError, match=r"^Cannot find object type index for Zq\.Xw9; load"):
        c_enum("Zq.Xw9")(type("E", (tvm_ffi.dataclasses.EnumObject,), {}))


def test_37_taken_global_function() -> None:
    tvm_ffi.register_global_func("mistakes.taken", lambda: 1, override=True)
    text = "Global Function `mistakes.taken` is already registered. Pass override=True to replace"
    with pytest.raises(RuntimeError, match=re.escape(text)):
        tvm_ffi.register_global_func("mistakes.taken", lambda: 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("flaot32", "unknown dtype `flaot32`; did you mean `float32`?"),
        ("Float32", "unknown dtype `Float32`; did you mean `float32`?"),
        ("unit8", "unknown dtype `unit8`; did you mean `uint8`?"),
        ("fp32", "unknown dtype `fp32`; did you mean `float32`?"),
        ("double", "unknown dtype `double`; did you mean `float64`?"),
        ("boolean", "unknown dtype `boolean`; did you mean `bool`?"),
        ("float8_e4m3fnz", "unknown float8 type `float8_e4m3fnz`; did you mean"),
        (">f4", "unknown dtype `>f4`; a dtype has no byte order"),
        ("qwertyuiop", "unknown dtype `qwertyuiop`"),
    ],
)
def test_41_unknown_dtype(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}") as error:
        tvm_ffi.dtype(text)
    assert ("did you mean" in text_of(error)) == ("did you mean" in message)


@needs_linux
def test_41_unknown_dtype_in_native_code(module: Any) -> None:
    with raises(ValueError, "unknown dtype `flaot32`; did you mean `float32`?"):
        module.read_dtype("flaot32")


def test_41_unknown_device() -> None:
    for text in ("gpu", "gpuu", "CUDA", "", "gpu:1"):
        with pytest.raises(ValueError, match=f"^Unknown device: {text.partition(':')[0]}; ") as e:
            tvm_ffi.device(text)
        assert "the names are cpu, cuda, opencl, vulkan, metal, mps" in text_of(e)
    with pytest.raises(ValueError, match=r"^Invalid device index: x; .* such as `cuda:1`"):
        tvm_ffi.device("cuda:x")


# ---- libraries ----


@needs_linux
def test_42_missing_library_is_an_os_error_with_its_path(tmp_path: Path) -> None:
    path = str(tmp_path / "nowhere.so")
    with pytest.raises(LibraryNotFoundError) as caught:
        tvm_ffi.load_module(path)
    error = caught.value
    assert isinstance(error, OSError) and isinstance(error, RuntimeError)
    assert (error.errno, error.filename) == (errno.ENOENT, path)
    assert error.strerror == os.strerror(errno.ENOENT)
    assert str(error) == (
        f"Failed to load dynamic shared library {path}: cannot open shared object file: No such "
        "file or directory"
    )
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is LibraryNotFoundError
        assert (str(other), other.errno, other.filename) == (str(error), error.errno, path)
    frames = traceback.extract_tb(error.__traceback__)
    assert any(frame.name == "load_module" for frame in frames)


@needs_linux
def test_42_missing_library_with_a_similar_name_or_without_a_directory(tmp_path: Path) -> None:
    (tmp_path / "libkernels.so").write_text("")
    with pytest.raises(LibraryNotFoundError) as error:
        tvm_ffi.load_module(tmp_path / "libkernel.so")
    assert text_of(error).endswith(f"; did you mean {tmp_path}/libkernels.so?")
    with pytest.raises(LibraryNotFoundError) as error:
        tvm_ffi.load_module(tmp_path / "lib" / "libkernel.so")
    assert text_of(error).endswith(f"; there is no directory {tmp_path}/lib/")
    (tmp_path / "link.so").symlink_to("gone.so")
    with pytest.raises(
        LibraryNotFoundError, match=r"; it is a link to a file that does not exist$"
    ):
        tvm_ffi.load_module(tmp_path / "link.so")
    with pytest.raises(LibraryNotFoundError, match="Not a directory"):
        tvm_ffi.load_module(tmp_path / "libkernels.so" / "x.so")


@needs_linux
def test_42_library_in_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mistakes_here.so").write_text("")
    with pytest.raises(LibraryNotFoundError) as error:
        tvm_ffi.load_module("mistakes_here.so")
    assert text_of(error).endswith("for the file in the working directory pass ./mistakes_here.so")
    (tmp_path / "libmistakes.so").write_text("")
    with pytest.raises(LibraryNotFoundError, match=r"; did you mean \./libmistakes\.so\?$"):
        tvm_ffi.load_module("libmistake.so")


def elf(kind: int, machine: int) -> bytes:
    """Return the header of a 64-bit ELF file."""
    return b"\x7fELF\2\1\1" + bytes(9) + bytes([kind, 0, machine, 0, 1, 0, 0, 0]) + bytes(200)


OTHER_MACHINE = 183 if os.uname().machine == "x86_64" else 62


@needs_linux
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"#!/bin/sh\necho hello\n", "it is a text file, which begins with `#!/bin/sh`"),
        (b"MZ\x90\0" + bytes(100), "it is a file for Windows"),
        (b"!<arch>\nobject.o", "it is a static library: link it into a shared one"),
        (b"\xcf\xfa\xed\xfe" + bytes(100), "it is a file for macOS"),
        (b"\x01\x02\x03" + bytes(100), "it is not a shared library"),
        (elf(3, OTHER_MACHINE), "the library was built for"),
        (elf(1, 62 if OTHER_MACHINE == 183 else 183), "it is an object file"),
    ],
)
def test_42_file_that_is_not_a_library(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "library.so"
    path.write_bytes(content)
    with pytest.raises(RuntimeError) as error:
        tvm_ffi.load_module(path)
    assert text_of(error).startswith(f"Failed to load dynamic shared library {path}: ")
    assert reason in text_of(error)
    assert text_of(error).count(str(path)) == 1
    assert "No such file" not in text_of(error)


@needs_linux
def test_42_directory_and_missing_dependency(tmp_path: Path) -> None:
    (tmp_path / "directory.so").mkdir()
    with pytest.raises(RuntimeError, match=r"give the path of the library in it$"):
        tvm_ffi.load_module(tmp_path / "directory.so")
    (tmp_path / "part.c").write_text("int part(void) { return 1; }\n")
    (tmp_path / "whole.c").write_text(
        "int part(void);\nint __tvm_ffi_whole(void) { return part(); }\n"
    )
    build = [os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o"]
    subprocess.run([*build, "libmistakespart.so", "part.c"], cwd=tmp_path, check=True)
    link = ["whole.so", "whole.c", "-L.", "-Wl,--no-as-needed", "-lmistakespart"]
    subprocess.run([*build, *link], cwd=tmp_path, check=True)
    for _ in range(2):
        with pytest.raises(RuntimeError) as error:
            tvm_ffi.load_module(tmp_path / "whole.so")
        assert not isinstance(error.value, OSError)
        assert ": libmistakespart.so: cannot open shared object file" in text_of(error)
        assert "The library needs that one: load it first, or" in text_of(error)


def test_42_path_without_a_suffix_or_of_another_kind() -> None:
    for path, shown in (
        ("nope", "nope"),
        ("./nope", "./nope"),
        ("..", ".."),
        ("", "an empty path"),
    ):
        text = f"from {shown}; the name of a library ends in .so, .dylib or .dll"
        with raises(RuntimeError, f"Failed to get file format {text}"):
            tvm_ffi.load_module(path)
    with pytest.raises(RuntimeError, match=r"^Loader for `\.xyz` files is not registered, .*first"):
        tvm_ffi.load_module("nope.xyz")


def test_42_missing_library_of_a_package() -> None:
    for load in (
        lambda: libinfo.load_lib_module("no-package", "mistakes_none"),
        lambda: libinfo.load_lib_ctypes("no-package", "mistakes_none", "RTLD_LOCAL"),
    ):
        with pytest.raises(LibraryNotFoundError, match="; searched directories:\n") as error:
            load()
        assert error.value.errno == errno.ENOENT
        assert "mistakes_none" in error.value.filename
        assert pickle.loads(pickle.dumps(error.value)).filename == error.value.filename


@needs_linux
def test_42_threads_that_load_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "text.so").write_text("hello")
    (tmp_path / "libsome.so").write_text("")
    texts: list[str] = []

    def load() -> None:
        for name in ("text.so", "libsom.so", "gone.so") * 10:
            try:
                tvm_ffi.load_module(tmp_path / name)
            except RuntimeError as error:
                texts.append(str(error))

    run_threads([threading.Thread(target=load) for _ in range(4)])
    assert len(texts) == 120
    assert len(set(texts)) == 3


# ---- keys and items ----


def test_44_missing_key() -> None:
    text = "key is not in Map: a {} does not contain {}"
    for make, kind in ((tvm_ffi.Map, "Map"), (tvm_ffi.Dict, "Dict")):
        with pytest.raises(KeyError) as error:
            make({"a": 1})["b"]
        assert error.value.args == (text.format(f"{kind} with 1 key", "'b'"),)
        with pytest.raises(KeyError) as error:
            make({"a": 1, 2: 2})["x" * 1000]
        shown = f"{kind} with 2 keys", "'" + "x" * 79 + "..."
        assert error.value.args == (text.format(*shown),)
    with pytest.raises(KeyError) as error:
        tvm_ffi.Map({})[2**40]
    assert error.value.args == (text.format("Map with 0 keys", "1099511627776"),)
    for change in (lambda d: d.pop("b"), lambda d: d.__delitem__("b")):
        with pytest.raises(KeyError, match=r"^'b'$"):
            change(tvm_ffi.Dict({"a": 1}))


@needs_linux
def test_44_missing_key_in_native_code(module: Any) -> None:
    text = "key is not in Map: a {} does not contain {}"
    keys = {
        "b": "'b'",
        "a longer key": "'a longer key'",
        7: "7",
        1.5: "1.500000",
        True: "True",
        None: "None",
        (1, 2): "this key, a `ffi.Array`",
        "y" * 100: "'" + "y" * 80 + "...'",
    }
    for key, shown in keys.items():
        with pytest.raises(KeyError) as error:
            module.map_at({"a": 1}, key)
        assert error.value.args == (text.format("Map with 1 key", shown),)
    with pytest.raises(KeyError) as error:
        module.dict_at(tvm_ffi.Dict({}), 1)
    assert error.value.args == (text.format("Dict with 0 keys", "1"),)


def test_45_item_assignment() -> None:
    array, mapping = tvm_ffi.Array([1]), tvm_ffi.Map({"a": 1})
    use_list = ": an Array is immutable; use tvm_ffi.List for a sequence that changes"
    use_dict = ": a Map is immutable; use tvm_ffi.Dict for a mapping that changes"
    with raises(TypeError, f"'Array' object does not support item assignment{use_list}"):
        array[0] = 2  # type: ignore[index]
    with raises(TypeError, f"'Array' object doesn't support item deletion{use_list}"):
        del array[0]  # type: ignore[attr-defined]
    with raises(TypeError, f"'Map' object does not support item assignment{use_dict}"):
        mapping["a"] = 2  # type: ignore[index]
    with raises(TypeError, f"'Map' object does not support item deletion{use_dict}"):
        del mapping["a"]  # type: ignore[attr-defined]
    assert (list(array), dict(mapping.items())) == ([1], {"a": 1})


def test_19_read_only_array() -> None:
    array = np.zeros(3)
    array.flags.writeable = False
    refused = "cannot pass a read-only numpy.ndarray to argument #0 of `testing.echo`"
    hint = (
        "if the function only reads the argument, declare the parameter const (ConstTensorView in "
        "C++) or pass a copy"
    )
    with raises(BufferError, f"{refused}, which could write to it; {hint}"):
        tvm_ffi.get_global_func("testing.echo")(array)


def test_21_big_endian_array() -> None:
    with pytest.raises(BufferError, match="native byte order"):
        tvm_ffi.from_dlpack(np.zeros(3, ">f4"))


@needs_linux
def test_22_own_check(module: Any) -> None:
    with pytest.raises(ValueError, match=r"x: expected a contiguous tensor$"):
        module.check(np.zeros((4, 4))[:, ::2])


def test_49_bad_json() -> None:
    parse = tvm_ffi.get_global_func("ffi.json.Parse")
    with raises(ValueError, "Expecting value: line 1 column 12 (char 11)"):
        parse('{"a": [1, 2,, 3]}'.replace(" 2", "2"))


# ---- compilers ----


@needs_linux
@pytest.mark.parametrize(
    ("command", "missing"), [("no-such-c++", "no-such-c++"), ("ccache no-such-c++", "")]
)
def test_52_compiler_of_the_variable_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: str, missing: str
) -> None:
    monkeypatch.setenv("CXX", command)
    if not missing:
        missing = "no-such-c++" if shutil.which("ccache") else "ccache"
    text = f"the C++ compiler `{missing}` was not found: the environment variable CXX names it. "
    with pytest.raises(RuntimeError, match=f"^{re.escape(text)}"):
        cpp.build_inline("missing", cpp_sources="int f();", build_directory=tmp_path)


@needs_linux
def test_52_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CXX", raising=False)
    (tmp_path / "ninja").symlink_to(str(shutil.which("ninja")))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"^building needs a C\+\+ compiler, .* apt install g"):
        cpp.build_inline("missing", cpp_sources="int f();", build_directory=tmp_path / "build")


@needs_linux
@pytest.mark.parametrize(
    ("declaration", "named"),
    [
        ("int f(std::vector<int> v) { return 1; }", "CheckParameter<std::vector<int> >"),
        ("std::vector<int> f(int n) { return {n}; }", "CheckResult<std::vector<int> >"),
        ("struct S {}; int f(S) { return 1; }", "CheckParameter<S>"),
    ],
)
def test_53_type_without_traits(declaration: str, named: str, tmp_path: Path) -> None:
    source = f"#include <vector>\n{declaration}"
    with pytest.raises(RuntimeError) as error:
        cpp.build_inline("traits", cpp_sources=source, functions="f", build_directory=tmp_path)
    text = text_of(error)
    assert named in text
    assert "such as std::vector, include <tvm/ffi/extra/stl.h>" in text
    assert text.count("error:") == 1


def test_54_cuda_without_nvcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(cuda, "_DEFAULT_HOMES", ())
    source = "__global__ void f() {}"
    with pytest.raises(RuntimeError, match=r"CUDA_HOME.* or put nvcc on PATH"):
        cpp.build_inline("no_cuda", cuda_sources=source, backend="cuda")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    text = f"there is no file {tmp_path}/bin/nvcc. The environment variable CUDA_HOME names the"
    with pytest.raises(RuntimeError, match=f"Could not find nvcc, .*{re.escape(text)}"):
        cpp.build_inline("no_cuda", cuda_sources=source, backend="cuda")


def test_54_cuda_architectures(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TVM_FFI_CUDA_ARCH_LIST", "sm_90")
    with pytest.raises(ValueError, match=r"^Invalid CUDA architecture: sm_90\. .* `9\.0`"):
        cuda.arch_flags()
    monkeypatch.delenv("TVM_FFI_CUDA_ARCH_LIST")
    monkeypatch.setenv("PATH", str(tmp_path))
    cuda._compute_capability.cache_clear()
    with pytest.raises(RuntimeError, match=r"There is no GPU that nvidia-smi can see; .* `9\.0`"):
        cuda.arch_flags()


@needs_linux
def test_55_forgotten_functions() -> None:
    module = cpp.load_inline("mistakes_nothing", cpp_sources="int f() { return 1; }")
    with pytest.raises(
        AttributeError, match=r"^Module has no function 'f'; it exports none: pass functions="
    ):
        module.f  # noqa: B018


@needs_linux
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_56_older_standard(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    headers = ["tvm_ffi.h", "function.h", "container/tensor.h", "extra/stl.h", "device.h"]
    for header in headers:
        source = tmp_path / "old.cc"
        source.write_text(f"#include <tvm/ffi/{header}>\n")
        include = f"-I{libinfo.find_include_path()}"
        dlpack = f"-I{libinfo.find_dlpack_include_path()}"
        done = execute(
            compiler, "-std=c++14", "-fsyntax-only", include, dlpack, source, status=None
        )
        assert done.returncode != 0
        assert "tvm-ffi needs C++17: compile with -std=c++17 or newer" in done.stderr
        assert len(done.stderr.splitlines()) < 16


@needs_linux
def test_57_device_and_dtype_in_messages(module: Any) -> None:
    with raises(ValueError, "x is a float32 on cpu:0"):
        module.place(np.zeros(3, "float32"))
    texts = {1: "cpu:0", 2: "cuda:3", 10: "rocm:1", 12: "ext_dev:0", 3: "cuda_host:0"}
    for kind, text in texts.items():
        device = tvm_ffi.device(kind, int(text.partition(":")[2]))
        assert module.device_text(device) == text == str(device)
    assert module.device_text(tvm_ffi.device(99, 1)) == "unknown(99):1"


# ---- commands and namespaces ----


@pytest.mark.parametrize(
    "command",
    [
        *("config", "cpp.cache_command", "stub.inspect_command", "stub.cli"),
        *("debug", "utils.embed_cubin"),
    ],
)
def test_65_every_command_has_a_version(
    command: str, package_environment: dict[str, str], tmp_path: Path
) -> None:
    done = execute(
        sys.executable,
        "-m",
        f"tvm_ffi.{command}",
        "--version",
        env=package_environment,
        cwd=tmp_path,
    )
    assert done.stdout == f"{_distribution.VERSION_TEXT}\n"


def test_66_namespace_without_functions() -> None:
    name = "mistakes_namespace"
    module = type(sys)(name)
    sys.modules[name] = module
    try:
        with pytest.warns(ImportWarning, match="begins with 'tesing.'"):
            tvm_ffi.init_ffi_api("tesing", name)
        text = (
            f"module '{name}' has no attribute 'add_one': init_ffi_api found no global function "
            "whose name begins with 'tesing.'; did you mean 'testing.'?"
        )
        tvm_ffi.get_global_func("testing.echo")  # loads the test library
        with raises(AttributeError, text):
            module.add_one  # noqa: B018
        assert not hasattr(module, "__path__")
        tvm_ffi.register_global_func("tesing.now", lambda: 1)
        with pytest.raises(AttributeError, match=r"; there are some now: call init_ffi_api again$"):
            module.now  # noqa: B018
        tvm_ffi.init_ffi_api("tesing", name)
        assert module.now() == 1
        with raises(AttributeError, f"module '{name}' has no attribute 'then'"):
            module.then  # noqa: B018
    finally:
        tvm_ffi.remove_global_func("tesing.now")
        del sys.modules[name]
