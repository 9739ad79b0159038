# SPDX-License-Identifier: Apache-2.0
"""Test libraries that fail while they are loaded, and C++ definitions that run again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import execute

import tvm_ffi
from tvm_ffi import libinfo
from tvm_ffi.cpp import build_inline, load_inline
from tvm_ffi.dataclasses import Enum, EnumObject, c_enum, entry, py_class
from tvm_ffi.module import LibraryNotFoundError

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("ninja") is None, reason="builds libraries for Linux"
)

SOURCE = r"""
#include <tvm/ffi/tvm_ffi.h>
using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;
class PointObj : public PARENT {
 public:
  FIELDS
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("KEY", PointObj, PARENT);
};
ObjectRef make() { return ObjectRef(make_object<PointObj>()); }
TVM_FFI_STATIC_INIT_BLOCK() {
  BEFORE
  DEFINITION
  AFTER
}
"""
X = "int64_t x = 1;"
DEFINITION = "refl::ObjectDef<PointObj>() MEMBERS;"
DEF_X = '.def_rw("x", &PointObj::x)'


def cell(key: str, name: str = "", **parts: str) -> Any:
    """Compile and load C++ code as a notebook cell does; the module is named after the type."""
    given = {"DEFINITION": DEFINITION, "KEY": key, "FIELDS": X, "MEMBERS": DEF_X, "BEFORE": ""}
    given |= {"AFTER": "", "PARENT": "Object", **parts}
    source = SOURCE
    for word, text in given.items():
        source = source.replace(word, text)
    name = name or key.replace(".", "_")
    return load_inline(name, cpp_sources=source, functions="make", extra_cflags=["-O0"])


def getter(expression: str) -> str:
    return f'{DEF_X}.def("get", [](const PointObj* p) -> int64_t {{ return {expression}; }})'


def function(name: str, result: int) -> str:
    return f'refl::GlobalDef().def("{name}", []() {{ return {result}; }});'


def call(name: str) -> Any:
    return tvm_ffi.get_global_func(name)()


# ---- repeated definitions ----


def test_edited_cell_with_the_same_layout_replaces_members_and_functions() -> None:
    repr_attr = 'refl::TypeAttrDef<PointObj>().def("load.note", [](const PointObj*) { return 1; });'
    first = cell("load.Same", MEMBERS=getter("p->x"), AFTER=function("load.f", 1) + repr_attr)
    old = first.make()

    @tvm_ffi.register_object("load.Same")
    class Same(tvm_ffi.Object):
        def own(self) -> str:
            return "own"

    registered = first.make()
    assert (old.get(), registered.get(), registered.own(), call("load.f")) == (1, 1, "own", 1)
    more = '.def("more", [](const PointObj*) { return 7; })'
    second = cell("load.Same", MEMBERS=getter("p->x + 100") + more, AFTER=function("load.f", 2))
    assert (old.get(), old.more(), second.make().get(), call("load.f")) == (101, 7, 101, 2)
    assert (registered.get(), registered.more(), registered.own()) == (101, 7, "own")
    assert Same(x=5).get() == 105
    # Members that the new definition does not have are removed.
    index = tvm_ffi.core._object_type_key_to_index("load.Same")
    assert tvm_ffi.get_global_func("ffi.TypeAttrGet")("load.note", index) is None
    third = cell("load.Same", MEMBERS=DEF_X)
    assert not hasattr(third.make(), "get")
    assert not hasattr(old, "more")
    old.x = 8
    assert old.x == 8


def test_edited_cell_with_another_layout_says_what_has_changed() -> None:
    old = cell("load.Other", MEMBERS=getter("p->x")).make()
    members = DEF_X + '.def_rw("y", &PointObj::y)'
    with pytest.raises(RuntimeError) as error:
        cell("load.Other", FIELDS=X + " double y = 2;", MEMBERS=members)
    text = str(error.value)
    assert "Type `load.Other` is defined again with another layout" in text
    assert "size: 32 -> 40 bytes" in text
    assert "field `y`: added, float of 8 bytes at offset 32" in text
    assert "another key, or restart" in text
    with pytest.raises(RuntimeError, match=r"field `x`: int of 8 bytes at offset 24 -> float of 8"):
        cell("load.Other", FIELDS="double x = 1;")
    with pytest.raises(
        RuntimeError,
        match=r"int of 8 bytes at offset 24 -> ffi.Map<ffi.String, ffi.Array<int>> of 8",
    ):
        cell("load.Other", FIELDS="Map<String, Array<int64_t>> x;", MEMBERS=DEF_X)
    with pytest.raises(RuntimeError, match=r"parent: `ffi.Object` -> `ffi.Enum`"):
        cell("load.Other", PARENT="EnumObj")
    assert old.get() == 1


def test_edited_cell_with_an_unregistered_class_of_another_size_is_refused() -> None:
    cell("load.Silent", DEFINITION="")
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"(?s)`load.Silent`.*size: 40, not 32.*another key"):
            cell("load.Silent", FIELDS=X + " double y = 2;", DEFINITION="")
    cell("load.Silent", DEFINITION="")


def test_library_with_another_version_of_a_registered_class_is_refused() -> None:
    cell("load.Shared", name="load_owner")
    with pytest.raises(RuntimeError) as error:
        cell("load.Shared", name="load_user", FIELDS=X + " double y = 2;", DEFINITION="")
    text = str(error.value)
    assert "size: 40, not 32" in text
    assert text.index("load_user") < text.index("load_owner")
    user = cell("load.Shared", name="load_user", DEFINITION="")
    assert user.make().x == 1


def test_failed_load_restores_what_it_had_replaced() -> None:
    parts = {"MEMBERS": getter("p->x"), "AFTER": function("load.restored", 1)}
    old = cell("load.Restored", **parts).make()
    with pytest.raises(ValueError, match="mine") as error:
        cell(
            "load.Restored",
            MEMBERS=getter("2") + '.def("more", [](const PointObj*) { return 7; })',
            AFTER=function("load.restored", 2) + 'TVM_FFI_THROW(ValueError) << "mine";',
        )
    assert "static-init block at" in str(error.value)
    assert "the library `" in str(error.value)
    assert (old.get(), call("load.restored"), hasattr(old, "more")) == (1, 1, False)


def test_corrected_cell_loads_after_a_failed_one() -> None:
    thrown = 'TVM_FFI_THROW(ValueError) << "not yet";'
    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            cell("load.Corrected", MEMBERS=getter("1"), BEFORE=function("load.c", 1), AFTER=thrown)
        assert "load.Corrected" not in tvm_ffi.registry.get_registered_type_keys()
        assert tvm_ffi.get_global_func("load.c", allow_missing=True) is None
    assert cell("load.Corrected", MEMBERS=getter("3")).make().get() == 3


def test_failed_library_that_cannot_be_unloaded_is_tried_again(tmp_path: Path) -> None:
    def load(expression: str) -> Any:
        # GCC gives the inline variable a unique symbol; the system never unloads such a library.
        source = "#include <tvm/ffi/tvm_ffi.h>\ninline int load_unique = 1;\n"
        source += "int get() { return load_unique; }\n"
        source += f"TVM_FFI_STATIC_INIT_BLOCK() {{ {expression} }}"
        path = build_inline(
            "load_kept", cpp_sources=source, functions="get", build_directory=tmp_path
        )
        return tvm_ffi.load_module(path)

    needs_function = 'tvm::ffi::Function::GetGlobalRequired("load.needed")();'
    for _ in range(2):
        with pytest.raises(ValueError, match=r"load.needed"):
            load(needs_function)
    tvm_ffi.register_global_func("load.needed", lambda: None, override=True)
    assert load(needs_function).get() == 1
    assert load("").get() == 1


def test_cell_that_is_edited_back_defines_the_first_version_again() -> None:
    for result in (1, 2, 1, 1, 2):
        module = cell("load.Back", MEMBERS=getter(f"{result}"), AFTER=function("load.b", result))
        assert (call("load.b"), module.make().get()) == (result, result)


def test_module_of_another_name_may_not_replace_a_function() -> None:
    cell("load.Owner", AFTER=function("load.owned", 1))
    with pytest.raises(
        RuntimeError, match=r"`load.owned` is already registered by the tvm_ffi.cpp"
    ):
        cell("load.Other", AFTER=function("load.owned", 2))
    assert call("load.owned") == 1


def test_second_build_in_one_directory_is_loaded(tmp_path: Path) -> None:
    for result in (1, 2):
        source = f"int get() {{ return {result}; }}"
        path = build_inline(
            "load_dir", cpp_sources=source, functions="get", build_directory=tmp_path
        )
        assert tvm_ffi.load_module(path).get() == result


def test_enum_cell_run_again_registers_its_entries_again() -> None:
    def run(entries: list[str]) -> Any:
        statements = "".join(
            f'refl::EnumEntry<PointObj>("{name}").set("x", 5);' for name in entries
        )
        return cell("load.Color", MEMBERS=DEF_X + ".as_enum()", AFTER=statements)

    def names() -> list[str]:
        state = tvm_ffi.get_global_func("ffi.EnumFindState")(index)
        return [key for key in state.indexes if isinstance(key, str)]

    run(["RED", "GREEN"])
    index = tvm_ffi.core._object_type_key_to_index("load.Color")
    assert names() == ["RED", "GREEN"]

    @c_enum("load.Color")
    class Color(EnumObject):
        x: int

    former = Color("GREEN")
    run(["GREEN", "BLUE"])
    assert names() == ["GREEN", "BLUE"]
    assert [Color(name) for name in names()] == list(Color)
    assert Color("GREEN") is not former
    with pytest.raises(ValueError, match="is not a valid Color"):
        Color("RED")
    with pytest.raises(ValueError, match=r"Duplicate enum index for type `load.Color`"):
        run(["GREEN", "GREEN"])
    assert names() == ["GREEN", "BLUE"]


def test_python_class_before_the_library_is_an_error_that_names_both() -> None:
    @py_class("load.Prototype")
    class Prototype(tvm_ffi.Object):
        x: int

    index = tvm_ffi.core._object_type_key_to_index("load.Prototype")
    tvm_ffi.get_global_func("ffi._TypeSetOrigin")(index, "the Python class `test.Prototype`")
    with pytest.raises(RuntimeError) as error:
        cell("load.Prototype")
    assert "already defined by the Python class `test.Prototype`" in str(error.value)
    assert "load_Prototype.so`" in str(error.value)
    assert Prototype(x=3).x == 3


# ---- errors while a library is loaded ----


def test_library_that_was_initialised_before_the_failing_one_stays(tmp_path: Path) -> None:
    block = "TVM_FFI_STATIC_INIT_BLOCK() {{ {} }}"
    head = "#include <tvm/ffi/reflection/registry.h>\nnamespace refl = tvm::ffi::reflection;\n"
    dependency = build_inline(
        "load_dependency",
        cpp_sources=head + block.format(function("load.dependency", 1)),
        build_directory=tmp_path / "dependency",
    )
    flags = ["-Wl,--no-as-needed", dependency]
    failing = function("load.dependent", 1) + 'TVM_FFI_THROW(ValueError) << "dependent";'
    with pytest.raises(ValueError, match="dependent"):
        load_inline("load_dependent", cpp_sources=head + block.format(failing), extra_ldflags=flags)
    assert call("load.dependency") == 1
    assert tvm_ffi.get_global_func("load.dependent", allow_missing=True) is None
    corrected = head + block.format(function("load.dependent", 2))
    load_inline("load_dependent", cpp_sources=corrected, extra_ldflags=flags)
    assert (call("load.dependency"), call("load.dependent")) == (1, 2)


def test_exception_of_a_callback_stays_the_same_object() -> None:
    class MineError(Exception):
        pass

    raised = MineError("from Python")

    @tvm_ffi.register_global_func("load.callback", override=True)
    def callback() -> None:
        raise raised

    with pytest.raises(MineError) as error:
        cell("load.Callback", AFTER='Function::GetGlobalRequired("load.callback")();')
    assert error.value is raised
    if sys.version_info >= (3, 11):
        assert any("load_Callback.so" in note for note in raised.__notes__)


def test_values_that_a_failed_load_stores_from_python_are_undone() -> None:
    class Kind(Enum, type_key="load.Kind"):
        a = entry()
        b = entry()

    cost = Kind.def_attr("cost")
    cost[Kind.a] = 1

    @tvm_ffi.register_global_func("load.write")
    def write() -> None:
        cost[Kind.a] = 2
        cost[Kind.a] = 3
        cost[Kind.b] = 4

    with pytest.raises(ValueError, match="on purpose"):
        cell(
            "load.Writer",
            BEFORE='Function::GetGlobalRequired("load.write")();',
            AFTER='TVM_FFI_THROW(ValueError) << "on purpose";',
        )
    assert (cost[Kind.a], cost.get(Kind.b)) == (1, None)
    write()
    assert (cost[Kind.a], cost[Kind.b]) == (3, 4)


UNDEFINED = "int nowhere(int); int f(int x) { return nowhere(x); }"


def test_undefined_symbol_fails_at_load_with_its_name() -> None:
    with pytest.raises(RuntimeError, match=r"undefined symbol: \S+ \(nowhere\(int\)\)") as error:
        load_inline("load_undefined", cpp_sources=UNDEFINED, functions="f")
    assert str(error.value).count("load_undefined.so") == 1


def test_lazy_binding_can_be_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TVM_FFI_LAZY_BINDING", "1")
    module = load_inline(
        "load_lazy",
        cpp_sources=UNDEFINED + "int g() { return 1; }",
        functions=["f", "g"],
        extra_ldflags=["-Wl,-z,lazy"],
    )
    assert module.g() == 1


def test_missing_library_is_an_os_error_and_a_runtime_error() -> None:
    for kind in (OSError, FileNotFoundError, RuntimeError, LibraryNotFoundError):
        with pytest.raises(kind) as error:
            tvm_ffi.load_module("./nowhere.so")
        assert str(error.value).count("nowhere.so") == 1


@pytest.fixture(scope="module")
def failing_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("failing")
    block = 'TVM_FFI_STATIC_INIT_BLOCK() { TVM_FFI_THROW(ValueError) << "on purpose"; }'
    source = f"#include <tvm/ffi/reflection/registry.h>\n{block}"
    return build_inline("libfailing", cpp_sources=source, build_directory=directory)


def test_ctypes_loader_raises_too(failing_library: str) -> None:
    with pytest.raises(ValueError, match="on purpose"):
        libinfo.load_lib_ctypes(
            "no-such-package", "failing", "RTLD_LOCAL", [Path(failing_library).parent]
        )


def run_program(program: str, *arguments: str) -> str:
    """Run a program that hangs or dies if the test fails; return what it prints."""
    done = execute(sys.executable, "-c", program, *arguments, status=None, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


# What the second block of a library does, and the error of the library.
FAILURES = {
    "throw": ('TVM_FFI_THROW(ValueError) << "on purpose";', "ValueError: on purpose"),
    "std": ('throw std::runtime_error("plain");', "InternalError: plain"),
    "unknown": ("throw 1;", "InternalError: a C++ exception that is not a std::exception"),
    "function twice": (
        'refl::GlobalDef().def("cdll.first", []() { return 2; });',
        "RuntimeError: Global Function `cdll.first` is already registered",
    ),
    "type twice": ("refl::ObjectDef<CaseObj>();", "RuntimeError: Overriding cdll.Case"),
    "attribute twice": (
        2 * 'refl::TypeAttrDef<CaseObj>().def("__ffi_repr__", [](const CaseObj*) { return 1; });',
        "`__ffi_repr__` is already registered",
    ),
}
CASE_SOURCE = r"""
#include <tvm/ffi/reflection/registry.h>
#include <cstdlib>
#include <stdexcept>
#include <string>
using namespace tvm::ffi;
namespace refl = tvm::ffi::reflection;
class CaseObj : public Object {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO("cdll.Case", CaseObj, Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  refl::GlobalDef().def("cdll.first", []() { return 1; });
  refl::ObjectDef<CaseObj>();
}
TVM_FFI_STATIC_INIT_BLOCK() {
  std::string given = std::getenv("CDLL_CASE");
  BODY
}
TVM_FFI_STATIC_INIT_BLOCK() { refl::GlobalDef().def("cdll.last", []() { return 3; }); }
"""


@pytest.fixture(scope="module")
def case_library(tmp_path_factory: pytest.TempPathFactory) -> str:
    cases = [f'if (given == "{case}") {{ {body} }}' for case, (body, _) in FAILURES.items()]
    return build_inline(
        "cdll_case",
        cpp_sources=CASE_SOURCE.replace("BODY", " ".join(cases)),
        build_directory=tmp_path_factory.mktemp("cdll"),
        extra_cflags=["-O0"],
    )


@pytest.mark.parametrize("case", FAILURES)
def test_error_of_a_library_that_ctypes_opens_is_raised_at_the_first_use(
    case: str, case_library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, path = FAILURES[case][1], case_library
    monkeypatch.setenv("CDLL_CASE", case)
    program = """
import ctypes, sys, tvm_ffi
path = sys.argv[1]
ctypes.CDLL(path)
def error_of(function, *args):
    try:
        function(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
print(tvm_ffi.get_global_func("cdll.first")())
print(error_of(tvm_ffi.get_global_func, "cdll.last"))
print(error_of(tvm_ffi.core._object_type_key_to_index, "cdll.Absent"))
print(error_of(tvm_ffi.load_module, path))
assert tvm_ffi.get_global_func("cdll.last", allow_missing=True) is None
"""
    lines = run_program(program, path).splitlines()
    assert lines[0] == "1"
    assert lines[1].startswith("ValueError: Cannot find global function cdll.last")
    assert f"; the library `{path}` failed while it was loaded: " in lines[1]
    assert text in lines[1]
    assert text.rpartition(": ")[2] in "\n".join(lines[2:])
    assert "raised while the static-init block at" in "\n".join(lines[2:])


def test_objects_of_a_class_that_the_runtime_refused_have_a_type_of_their_own(
    tmp_path: Path,
) -> None:
    # Two classes in a library that ctypes opens; other types have their keys.
    source = r"""
    #include <tvm/ffi/tvm_ffi.h>
    using namespace tvm::ffi;
    namespace {
    class BaseObj : public Object {
     public:
      TVM_FFI_DECLARE_OBJECT_INFO("refused.Base", BaseObj, Object);
    };
    struct OneObj : public BaseObj { TVM_FFI_DECLARE_OBJECT_INFO("ffi.Module", OneObj, BaseObj); };
    struct TwoObj : public BaseObj { TVM_FFI_DECLARE_OBJECT_INFO("ffi.Array", TwoObj, BaseObj); };
    }
    extern "C" int check() {
      ObjectRef one(make_object<OneObj>()), two(make_object<TwoObj>()), root(make_object<Object>());
      return (one.as<OneObj>() != nullptr) + 2 * (one.as<TwoObj>() == nullptr) +
             4 * (two.as<OneObj>() == nullptr) + 8 * (root.as<OneObj>() == nullptr);
    }
    """
    path = build_inline("refused", cpp_sources=source, build_directory=tmp_path)
    program = "import ctypes, sys, tvm_ffi; print(ctypes.CDLL(sys.argv[1]).check())"
    assert run_program(program, str(path)) == "15\n"


CALLS_PYTHON = r"""
#include <tvm/ffi/reflection/registry.h>
#include <unistd.h>
#include <cstdlib>
using namespace tvm::ffi;
TVM_FFI_STATIC_INIT_BLOCK() {
  if (write(std::atoi(std::getenv("LOAD_READY")), "x", 1) != 1) std::abort();
  usleep(200000);  // The other thread opens a library meanwhile.
  Function::GetGlobalRequired("load.callback")();
}
"""


@pytest.fixture(scope="module")
def calls_python(tmp_path_factory: pytest.TempPathFactory) -> str:
    directory = tmp_path_factory.mktemp("calls")
    return build_inline("libcalls_python", cpp_sources=CALLS_PYTHON, build_directory=directory)


@pytest.mark.parametrize("loader", ["load_module", "load_lib_ctypes"])
@pytest.mark.parametrize("other", ["import _zoneinfo", "ctypes.CDLL('libm.so.6')"])
def test_block_that_calls_python_while_another_thread_opens_a_library_ends(
    loader: str, other: str, calls_python: str
) -> None:
    program = f"""
import ctypes, os, sys, threading, tvm_ffi
from pathlib import Path
from tvm_ffi import libinfo
path = Path(sys.argv[1])
called = []
tvm_ffi.register_global_func("load.callback", lambda: called.append(1))
reader, writer = os.pipe()
os.environ["LOAD_READY"] = str(writer)
def load():
    if {loader!r} == "load_module":
        tvm_ffi.load_module(path)
    else:
        libinfo.load_lib_ctypes("no-such-package", "calls_python", "RTLD_LOCAL", [path.parent])
thread = threading.Thread(target=load)
thread.start()
os.read(reader, 1)
{other}
thread.join()
print(called)
"""
    assert run_program(program, calls_python) == "[1]\n"


def test_variable_of_a_library_may_use_what_its_blocks_register(tmp_path: Path) -> None:
    source = r"""
    #include <tvm/ffi/tvm_ffi.h>
    using namespace tvm::ffi;
    namespace refl = tvm::ffi::reflection;
    class UsedObj : public Object {
     public:
      int64_t x = 5;
      TVM_FFI_DECLARE_OBJECT_INFO("early.Used", UsedObj, Object);
    };
    TVM_FFI_STATIC_INIT_BLOCK() {
      refl::GlobalDef().def("early.f", []() { return 1; });
      refl::ObjectDef<UsedObj>().def_ro("x", &UsedObj::x);
    }
    static int result = Function::GetGlobalRequired("early.f")().cast<int>();
    static bool is_registered = (refl::GlobalDef().def("early.g", [] { return result; }), true);
    int64_t Sum() {
      ObjectRef used(make_object<UsedObj>());
      return refl::FieldGetter("early.Used", "x")(used).cast<int64_t>() + result;
    }
    TVM_FFI_DLL_EXPORT_TYPED_FUNC(sum, Sum);
    """
    module = tvm_ffi.load_module(
        build_inline("early", cpp_sources=source, build_directory=tmp_path)
    )
    assert (module.sum(), call("early.g")) == (6, 1)


def test_linked_program_with_a_failing_library_ends_with_the_text(
    failing_library: str, tmp_path: Path
) -> None:
    source = tmp_path / "main.cc"
    source.write_text("int main() { return 0; }\n")
    program = tmp_path / "program"
    runtime = Path(libinfo.find_libtvm_ffi()).parent
    link = ["-Wl,--no-as-needed", failing_library, f"-L{runtime}", "-ltvm_ffi"]
    find = f"-Wl,-rpath,{Path(failing_library).parent}:{runtime}"
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, str(source), "-o", str(program), *link, find], check=True)
    done = execute(program, status=None)
    assert done.returncode != 0
    assert "ValueError: on purpose" in done.stderr
