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
  refl::ObjectDef<PointObj>() MEMBERS;
  AFTER
}
"""
X = "int64_t x = 1;"
DEF_X = '.def_rw("x", &PointObj::x)'


def cell(key: str, name: str = "", **parts: str) -> Any:
    """Compile and load C++ code as a notebook cell does; the module is named after the type."""
    given = {"KEY": key, "FIELDS": X, "MEMBERS": DEF_X, "BEFORE": "", "AFTER": "", **parts}
    given.setdefault("PARENT", "Object")
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


def test_program_that_is_linked_at_start_up_ends_with_the_text(failing_library: str) -> None:
    # The library is loaded without the module loader, like a library that is linked to the program.
    program = f"import tvm_ffi, ctypes; ctypes.CDLL({failing_library!r})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONFAULTHANDLER": ""},
        check=False,
    )
    assert done.returncode != 0
    assert "on purpose" in done.stderr


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
    done = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "ValueError: on purpose" in done.stderr
