# SPDX-License-Identifier: Apache-2.0
"""Test that the pages of ``docs/reference`` agree with the headers, ABI facts and library."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "reference"
C_ABI = (PAGES / "c-abi.md").read_text()
CONTAINERS = (PAGES / "container-layout.md").read_text()
FUNCTIONS = (PAGES / "global-functions.md").read_text()
ATTRIBUTES = (PAGES / "type-attributes.md").read_text()
STRUCTS = json.loads((ROOT / "tests/golden/abi_facts.json").read_text())["structs"]
HEADERS = "".join(
    (ROOT / "include/tvm/ffi" / name).read_text() for name in ("c_api.h", "c_env_api.h")
)
CODE = re.sub(r"/\*.*?\*/", "", HEADERS, flags=re.DOTALL)


def rows(page, first=r"[^|]+"):
    """Return the cells of all table rows whose first cell matches the pattern."""
    found = []
    for line in page.splitlines():
        if line.startswith("| "):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            if re.fullmatch(first, cells[0]):
                found.append(cells)
    return found


def part(page, heading):
    """Return the text under a heading of the second level."""
    return page.split(f"\n## {heading}\n")[1].split("\n## ")[0]


# ---- the C ABI


def parameter_names(text):
    """Return the names of the parameters in the text between the parentheses of a declaration."""
    text = re.sub(r"\(\*(\w+)\)\([^)]*\)", r" \1", text)  # pointers to functions
    return [] if text.strip() == "void" else re.findall(r"(\w+)\s*(?=,|$)", text.strip())


DECLARED = {
    name: parameter_names(arguments)
    for name, arguments in re.findall(
        r"TVM_FFI_DLL\s[^;{]*?\b(TVMFFI\w+)\((.*?)\)[^;)]*;", CODE, re.DOTALL
    )
}


def test_every_c_function_has_a_row_with_its_parameters():
    described = {}
    for cells in rows(C_ABI, r"`TVMFFI\w+\(.*\)`"):
        name, arguments = re.fullmatch(r"`(\w+)\((.*)\)`", cells[0]).groups()
        assert name not in described, name
        described[name] = [argument for argument in arguments.split(", ") if argument]
    assert len(DECLARED) == 50
    assert described == DECLARED


def test_every_inline_accessor_is_described():
    accessors = re.findall(r"^inline [\w*]+ (TVMFFI\w+)\(", CODE, re.MULTILINE)
    assert len(accessors) == 9
    missing = [name for name in accessors if f"`{name}(" not in C_ABI]
    assert missing == []


def test_every_constant_has_its_value():
    declared, described = {}, {}
    for body in re.findall(r"typedef enum \w+[^{]*\{(.*?)\}", CODE, re.DOTALL):
        for name, value in re.findall(r"(kTVMFFI\w+) = ([-\d]+(?: << \d+)?)", body):
            first, _, shift = value.partition(" << ")
            declared[name] = int(first) << int(shift or 0)
    for name, value in rows_of_constants() | set(re.findall(r"`(kTVMFFI\w+)` = (\d+)", C_ABI)):
        described[name] = int(value)
    assert described == declared


def rows_of_constants():
    found = rows(C_ABI, r"`kTVMFFI\w+`")
    return {(name.strip("`"), value) for name, value, *_ in found if value.lstrip("-").isdecimal()}


def test_every_struct_has_its_fields():
    names = set(re.findall(r"^### `(\w+)`, \d+ bytes$", C_ABI, re.MULTILINE))
    declared = set(re.findall(r"^typedef struct (TVMFFI\w+)", CODE, re.MULTILINE))
    declared |= set(re.findall(r"^\} (TVMFFI\w+);", CODE, re.MULTILINE))
    declared -= set(re.findall(r"^typedef enum (TVMFFI\w+)", CODE, re.MULTILINE))
    assert names == declared - {"TVMFFIVersion"}


def layouts():
    """Yield the name, the size and the table of each struct layout on the pages."""
    for section in re.split(r"^###? ", C_ABI, flags=re.MULTILINE):
        match = re.match(r"`(\w+)`, (\d+) bytes\n", section)
        if match:
            yield match[1], int(match[2]), section
    for match in re.finditer(
        r"^`([\w:]+)`[^\n]*, (\d+) bytes[^\n]*:\n\n(.*?)\n\n", CONTAINERS, re.M | re.S
    ):
        yield f"cxx:{match[1]}", int(match[2]), match[3]


LAYOUTS = list(layouts())


@pytest.mark.parametrize(("name", "size", "table"), LAYOUTS, ids=[name for name, *_ in LAYOUTS])
def test_a_layout_is_the_recorded_one(name, size, table):
    fact = STRUCTS[name]
    assert size == fact["size"]
    described = {
        cells[0].strip("`"): [int(cells[1]), int(cells[2])]
        for cells in rows(table, r"`(?!kTVMFFI)\w+`")
        if cells[1].isdecimal()
    }
    assert described == fact["fields"]


def test_all_layouts_are_found():
    assert len(LAYOUTS) == 15 + 4


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_the_c_program_prints_what_it_says(tmp_path):
    (program,) = re.findall(r"^```c\n(.*?)^```$", C_ABI, re.MULTILINE | re.DOTALL)
    (command,) = re.findall(r"^```sh\n(.*?)^```$", C_ABI, re.MULTILINE | re.DOTALL)
    (tmp_path / "add_one.c").write_text(program)
    config = tmp_path / "tvm-ffi-config"
    config.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tvm_ffi.config "$@"\n')
    config.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    options = {"cwd": tmp_path, "env": env, "capture_output": True, "text": True}
    ran = subprocess.run(["sh", "-e"], input=command, **options)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == re.findall(r"printf\(.*;  // (.*)$", program, re.MULTILINE)


# ---- global functions and type attributes

LIBRARY = """
import json
import tvm_ffi

get = tvm_ffi.get_global_func
names = [str(n) for n in tvm_ffi.registry.list_global_func_names() if n.startswith("ffi.")]
signatures = {}
for name in names:
    text = json.loads(get("ffi.GetGlobalFuncMetadata")(name))["type_schema"]
    schema = tvm_ffi.core.TypeSchema.from_json_str(text)
    if schema.named_args is None:
        signatures[name] = "packed"
        continue
    (result,) = schema.named_args["return"]
    parameters = ", ".join(map(str, schema.named_args["params"]))
    text = f"({parameters}) -> {result}".replace("ctypes.c_void_p", "void*")
    signatures[name] = f"`{text.replace('Callable[..., Any]', 'Function')}`"
long_calls = [n for n in names if not get("ffi.GetGlobalFuncFlags")(n) & 1 << 13]
keys = [str(key) for key in get("ffi.GetRegisteredTypeKeys")()]
attributes = {
    name: [key for key in keys if tvm_ffi.get_type_attr(key, name) is not None]
    for name in %r
}
print(json.dumps([signatures, long_calls, attributes]))
"""
RULE_NAMES = {
    "kFunction": "function",
    "kNativeOrFunction": "native",
    "kBool": "bool",
    "kEnumState": "`ffi.EnumState`",
    "kDict": "`ffi.Dict`",
}


def named(page, first=r"`.+`"):
    return [cells[0].strip("`") for cells in rows(page, first)]


@pytest.fixture(scope="module")
def library(run_python):
    """Return the functions and attributes that the library itself registers, from a new process."""
    names = named(part(ATTRIBUTES, "Names with a meaning"))
    return json.loads(run_python(LIBRARY % names))


def test_every_global_function_has_its_signature(library):
    described = {}
    for cells in rows(FUNCTIONS, r"`ffi\..+`"):
        name = cells[0].strip("`")
        assert name not in described, name
        described[name] = cells[1].replace(r"\|", "|")
        assert cells[2]
    assert described == library[0]


def test_extensions_among_the_global_functions_are_marked():
    published = json.loads((ROOT / "tests/golden/abi_facts.json").read_text())["registry"]
    marked = set()
    for section in FUNCTIONS.split("\n## ")[1:]:
        introduction = section.split("\n|")[0]
        for cells in rows(section, r"`ffi\..+`"):
            if "extensions" in introduction or cells[2].startswith("extension: "):
                marked.add(cells[0].strip("`"))
    assert marked == set(named(FUNCTIONS, r"`ffi\..+`")) - set(published["global_functions"])


def test_long_calls_are_those_of_loading(library):
    assert all(re.search("load|Load|SystemLib|AddDefinitions", name) for name in library[1])


def well_known_attributes():
    """Return rule and column of each attribute in the table of the runtime."""
    source = (ROOT / "src/core/type_attr_rules.h").read_text()
    found = re.findall(r'\{"(\w+)", AttrRule::(\w+), AttrColumn::(\w+)\}', source)
    return {name: (rule, column) for name, rule, column in found}


def test_every_type_attribute_is_described():
    present = well_known_attributes()
    assert sorted(named(part(ATTRIBUTES, "Names with a meaning"))) == sorted(present)
    absent = [name for name, (_, column) in present.items() if column == "kWithValue"]
    assert absent == ["__ffi_convert_type_schema__"]


def test_every_type_attribute_has_the_kind_that_is_checked():
    rules = {name: rule for name, (rule, _) in well_known_attributes().items()}
    for cells in rows(part(ATTRIBUTES, "Names with a meaning"), r"`\w+`"):
        rule = rules[cells[0].strip("`")]
        assert cells[1] == ("any" if rule == "kAny" else RULE_NAMES[rule]), cells[0]


def test_attributes_of_the_types_of_the_library(library):
    described = {
        cells[0].strip("`"): re.findall(r"`([^`]+)`", cells[1])
        for cells in rows(part(ATTRIBUTES, "Attributes of the library's types"), r"`\w+`")
    }
    found = {name: sorted(keys) for name, keys in library[2].items() if keys}
    assert described == found
