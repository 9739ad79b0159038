# SPDX-License-Identifier: Apache-2.0
"""Test blocks in files as users write them: filled files can be imported, and pass type checks."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import pytest

import tvm_ffi
import tvm_ffi.testing
from tvm_ffi.core import TypeSchema
from tvm_ffi.stub import cli
from tvm_ffi.stub.lib_state import object_info_from_type_key
from tvm_ffi.stub.python_generator.utils import (
    PythonImports,
    render_object_ffi_init,
    render_object_init,
)
from tvm_ffi.stub.utils import FuncInfo, InitFieldInfo, NamedTypeSchema, ObjectInfo

BEGIN = "# tvm-ffi-stubgen(begin): "
END = "# tvm-ffi-stubgen(end)"
SECTION = f"{BEGIN}import-section\n{END}\n"
FUNCTIONS = f"{BEGIN}global/testing\n{END}\n"
FUTURE = "from __future__ import annotations\n"


def a_class(key, head='    """Document."""\n\n', name="", parent="tvm_ffi.Object"):
    name = name or key.rpartition(".")[2]
    register = f'@tvm_ffi.register_object("{key}")\nclass {name}({parent}):\n'
    return f"{register}{head}    {BEGIN}object/{key}\n    {END}\n"


BASE = "import tvm_ffi\n\n\n" + a_class("testing.TestObjectBase")
TYPES = ["TestIntPair", "SchemaAllTypes", "TestCxxClassBase", "TestCxxKwOnly", "TestCompare"]

SAMPLES = {
    "no_imports": FUNCTIONS,
    "class_alone": BASE,
    "class_of_markers_only": "import tvm_ffi\n\n\n" + a_class("testing.TestObjectBase", ""),
    "docstring_only": '"""Document."""\n\n' + FUNCTIONS,
    "licence": '#!/usr/bin/env python\n# Licence\n"""Document.\n\nMore.\n"""\n' + FUTURE + BASE,
    "future_behind_section": f'"""Document."""\n{SECTION}{FUTURE}\n{BASE}{FUNCTIONS}',
    "section_behind_code": f'"""Document."""\nimport os\nprint(os.sep)\n{SECTION}{BASE}{FUNCTIONS}',
    "section_behind_imports": f"{FUTURE}import os\n{SECTION}{BASE}{FUNCTIONS}",
    "section_before_docstring": f'{SECTION}"""Text."""\n{BASE}',
    "section_without_use": f"{SECTION}{FUTURE}\nx = 1\n",
    "future_and_more": f"from __future__ import annotations; import os\n\nsep = os.sep\n{BASE}",
    "type_checking": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
    f"    from collections.abc import Sequence\n\n{BASE}{FUNCTIONS}",
    "own_type_checking": "TYPE_CHECKING = False\n\nif TYPE_CHECKING:\n"
    f"    from typing import Any\n\n{BASE}{FUNCTIONS}",
    "other_aliases": "from typing import List, Mapping, Sequence\n\nArray = 3\nx: List[int] = []\n"
    f"y: Sequence[int] = []\nz: Mapping[int, int] = {{}}\n\n{BASE}{FUNCTIONS}",
    "classes_like_typing": "class Sequence: ...\n\n\nclass Any: ...\n\n\nclass Callable: ...\n\n\n"
    f"class Optional: ...\n\n\n{BASE}{FUNCTIONS}",
    "classes_like_builtins": f"class int: ...\n\n\nclass str: ...\n\n\n{BASE}{FUNCTIONS}",
    "written_by_hand": f"def echo(x: int) -> int:\n    return x\n\n\n{FUNCTIONS}",
    "other_class_names": "import tvm_ffi\n\n\n"
    + a_class("testing.TestObjectBase", "", "Renamed")
    + "\n\n"
    + a_class("testing.TestObjectDerived", "", "Derived", "Renamed")
    + "\n\n"
    + FUNCTIONS,
    "nested_class": "import tvm_ffi\n\n\nclass Outer:\n"
    + re.sub("^", "    ", a_class("testing.TestIntPair"), flags=re.MULTILINE).rstrip()
    + "\n",
    "many_classes": "import tvm_ffi\n\n\n" + "\n\n".join(a_class(f"testing.{t}") for t in TYPES),
    "names_block": f"{FUNCTIONS}\n__all__ = [\n    {BEGIN}__all__\n    {END}\n]\n",
    "byte_order_mark": "\ufeff" + BASE,
    "separators_in_text": 'x = "a\x0cb"\ny = "\u2028"\n' + BASE,
    "no_last_newline": BASE.rstrip("\n"),
    "crlf": BASE.replace("\n", "\r\n"),
}


def fill(folder, name):
    path = folder / f"{name}.py"
    path.write_bytes(SAMPLES[name].encode())
    assert cli.main([str(path)]) == 0
    return path


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Fill every sample once; return the results."""
    folder = tmp_path_factory.mktemp("samples")
    return {name: fill(folder, name) for name in SAMPLES}


@pytest.mark.spec("TOOL-U9")
@pytest.mark.parametrize("name", SAMPLES)
def test_what_is_left_imports(filled, name, run_tool):
    done = run_tool(filled[name].parent, sys.executable, filled[name])
    assert done.returncode == 0, done.stderr


@pytest.mark.spec("TOOL-U13")
@pytest.mark.parametrize("name", SAMPLES)
def test_a_second_run_changes_nothing(filled, name):
    before = filled[name].read_bytes()
    assert cli.main([str(filled[name])]) == 0
    assert filled[name].read_bytes() == before


@pytest.mark.parametrize("name", SAMPLES)
def test_lines_of_the_user_are_kept(filled, name):
    text = filled[name].read_bytes().decode()
    for line in SAMPLES[name].lstrip("\ufeff").splitlines():
        assert line in text


@pytest.mark.spec("TOOL-U9")
def test_what_is_left_passes_type_checks(filled, check_types):
    check_types(*filled.values())


def test_bytes_of_the_line_ends_and_the_mark_are_kept(filled):
    assert filled["crlf"].read_bytes().count(b"\r\n") == filled["crlf"].read_bytes().count(b"\n")
    assert filled["byte_order_mark"].read_bytes().startswith(b"\xef\xbb\xbf# tvm-ffi")
    assert b"\x0c" in filled["separators_in_text"].read_bytes()


def test_a_section_that_stays_empty_is_not_added(tmp_path, stubgen):
    path = tmp_path / "module.py"
    path.write_text(f"{BEGIN}global/no.such.prefix\n{END}\n")
    assert stubgen(path)[0] == 0
    assert "import-section" not in path.read_text()


# ---- constructors


def an_info(*schemas):
    fields = [("value", "int", True), ("name", "str", False), ("weight", "float", True)]
    init = FuncInfo
    return ObjectInfo(
        "stub.Guide",
        "ffi.Object",
        init_fields=[InitFieldInfo(n, TypeSchema(t), False, d) for n, t, d in fields],
        methods=[init(NamedTypeSchema("__ffi_init__", schema)) for schema in schemas],
        has_init=True,
    )


def a_constructor(*parameters):
    return TypeSchema("Callable", (TypeSchema("Object"), *map(TypeSchema, parameters)))


@pytest.mark.spec("TOOL-U4")
@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        (("int", "str"), "value: int, name: str, /"),
        (("str", "int"), "_0: str, _1: int, /"),
        (("int", "str", "float", "int"), "_0: int, _1: str, _2: float, _3: int, /"),
    ],
)
def test_a_registered_constructor_decides_over_the_order_of_fields(parameters, expected):
    (line,) = render_object_init(an_info(a_constructor(*parameters)), PythonImports({}), "__init__")
    assert line == f"def __init__(self, {expected}) -> None: ..."


@pytest.mark.parametrize("name", ["TestIntPair", "TestCompare", "_TestCxxKwOnly"])
def test_stub_of_a_constructor_takes_the_keywords_that_a_call_takes(name):
    info = object_info_from_type_key(f"testing.{name.lstrip('_')}")
    (line,) = render_object_init(info, PythonImports({}), "__init__")
    written: dict[str, Any] = {}
    exec(f"{FUTURE}{line}", {}, written)
    stub = list(inspect.signature(written["__init__"]).parameters.values())[1:]
    called = inspect.signature(getattr(tvm_ffi.testing, name)).parameters.values()
    assert [(p.name, p.kind) for p in stub] == [(p.name, p.kind) for p in called]


def test_without_a_registered_constructor_defaults_come_last():
    (line,) = render_object_init(an_info(), PythonImports({}), "__init__")
    parameters = "name: str, value: int = ..., weight: float = ..."
    assert line == f"def __init__(self, {parameters}) -> None: ..."


def test_several_registered_constructors_are_overloads():
    info = an_info(a_constructor("int"), a_constructor("str"))
    assert render_object_ffi_init(info, PythonImports({})) == [
        "@overload",
        "def __ffi_init__(self, _0: int, /) -> None: ...",
        "@overload",
        "def __ffi_init__(self, _0: str, /) -> None: ...",
    ]


# ---- files that cannot be filled

CUT = f"{BEGIN}global/testing\n"
BAD = {
    "nested": (CUT + CUT + END, "line 2: Nested stub not permitted at line 2"),
    "not_closed": ("x = 1\n" + CUT, "line 2: Unclosed stub block at end of file"),
    "not_opened": (f"\n\n{END}\n", "line 3: Unmatched"),
    "unknown": (f"{BEGIN}bogus/x\n{END}\n", "line 1: Unknown stub type `bogus/x` at line 1"),
    "twice": (FUNCTIONS * 2, "line 3: `global/testing` at line 3 repeats that of line 1"),
    "twice_in_a_class": (
        BASE + BASE[BASE.index("    " + BEGIN) :],
        "line 10: `object/testing.TestObjectBase` at line 10 repeats that of line 8",
    ),
    "indented_section": (f"if 1:\n    {BEGIN}import-section\n    {END}\n", "line 2: An import"),
    "not_python": (f"def (:\n{FUNCTIONS}", "line 1: not valid Python at line 1"),
    "bad_directive": ("# tvm-ffi-stubgen(ty-map): x\n", "line 1: Invalid ty_map format"),
}


@pytest.mark.spec("TOOL-S9")
@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_gives_one_line_and_is_not_touched(name, tmp_path, stubgen):
    text, message = BAD[name]
    path = tmp_path / "module.py"
    path.write_text(text)
    status, out = stubgen(path)
    (line,) = [line for line in out.splitlines() if "[Failed]" in line]
    assert status == 2
    assert f'File "{path}", {message}' in line
    assert "Traceback" not in out
    assert path.read_text() == text


def test_bytes_that_are_not_text_give_one_line(tmp_path, stubgen):
    path = tmp_path / "module.py"
    path.write_bytes(b"# tvm-ffi-stubgen(begin): global/testing\n\xff\x00")
    status, out = stubgen(path)
    assert status == 2
    assert f'File "{path}": not UTF-8 text: invalid start byte at byte 41' in out
    assert "Traceback" not in out


def test_other_bytes_without_markers_are_left_alone(tmp_path, stubgen):
    (tmp_path / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nx = '\xe9'\n")
    assert stubgen(tmp_path)[0] == 0


@pytest.mark.spec("TOOL-S9")
def test_a_missing_path_is_a_usage_error(tmp_path, run_command):
    done = run_command(tmp_path / "missing.py")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].endswith(
        f"error: no such file or directory: {tmp_path / 'missing.py'}"
    )


def test_a_read_only_file_is_not_replaced(tmp_path, stubgen):
    path = tmp_path / "module.py"
    path.write_text(FUNCTIONS)
    path.chmod(0o444)
    status, out = stubgen(path)
    assert (status, path.read_text()) == (2, FUNCTIONS)
    assert f'[Failed] File "{path}": the file is read-only' in out


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_a_link_stays_a_link(tmp_path, stubgen):
    path, link = tmp_path / "module.py", tmp_path / "link.py"
    path.write_text(FUNCTIONS)
    link.symlink_to(path)
    assert stubgen(link)[0] == 0
    assert link.is_symlink()
    assert "_FFI_INIT_FUNC" in path.read_text()
