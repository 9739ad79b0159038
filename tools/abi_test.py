# SPDX-License-Identifier: Apache-2.0
"""Write the layout tests of ``tests/abi`` from ``tests/golden/abi_facts.json``.

``c_facts.c`` checks every constant and every size, alignment and offset of the C structs; it is
valid C99 and C++. ``cxx_facts.cc`` does the same for the C++ classes and their constants. The
build of the tests runs this program.

    python tools/abi_test.py FOLDER    # write the files that changed
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

Facts = dict[str, Any]
FACTS = Path(__file__).parents[1] / "tests" / "golden" / "abi_facts.json"

# Constants of the C++ headers by their names in abi_facts.json, which are their names in C++, too.
CXX_CONSTANTS = re.compile(
    r"kDLExtCustomBegin|(Object|EnumObj)\._type_child_slots|AccessKind\.k\w+"
    r"|Module\.k(BinarySerializable|Runnable|CompilationExportable)"
)

# Constants of algorithms, which no header names. The tests of the algorithms (container layout,
# hashing, reference counts) check them with the test vectors of abi_facts.json.
ALGORITHM_CONSTANTS = re.compile(
    r"^(ArrayObj|ListObj|SmallMapBaseObj|DenseMapBaseObj|StableHashCombine|StableHashBytes"
    r"|DenseMap|Map|Any|RefCount)\."
)

# Header -> its classes, by their names in abi_facts.json without `cxx:`, and the C++ types that are
# spelled differently.
CLASSES_OF_HEADERS = {
    "dtype.h": "",
    "object.h": "Object ObjectRef",
    "any.h": "Any AnyView",
    "string.h": "String Bytes StringObj BytesObj",
    "big_int.h": "BigInt BigIntObj",
    "optional.h": "Optional<int> Optional<String> Optional<Function>",
    "expected.h": "Expected<Any>",
    "container/variant.h": "Variant<int> Variant<int,String> Variant<Function,Module>",
    "container/tuple.h": "Tuple<int,String>",
    "error.h": "Error ErrorObj",
    "function.h": "FunctionObj",
    "container/seq_base.h": "SeqBaseObj",
    "container/array.h": "ArrayObj",
    "container/list.h": "ListObj",
    "container/map_base.h": (
        "MapBaseObj SmallMapBaseObj DenseMapBaseObj KVType MapBaseObj::iterator"
    ),
    "container/map.h": "MapObj",
    "container/dict.h": "DictObj",
    "container/shape.h": "ShapeObj",
    "container/tensor.h": "TensorObj TensorView",
    "extra/module.h": "ModuleObj",
    "extra/structural_visit.h": "VisitInterruptObj StructuralVisitorObj StructuralVisitorVTable",
    "extra/visit_error_context.h": "VisitErrorContextObj",
    "extra/structural_key.h": "StructuralKeyObj",
    "extra/structural_mutate.h": "StructuralMutatorObj StructuralMutatorVTable",
    "enum.h": "EnumObj EnumStateObj",
    "reflection/access_path.h": "AccessStepObj AccessPathObj",
}
SPELLED = {
    "StringObj": "tvm::ffi::details::StringObj",
    "BytesObj": "tvm::ffi::details::BytesObj",
    "BigIntObj": "tvm::ffi::details::BigIntObj",
    "Variant<int,String>": "Variant<int, String>",
    "Variant<Function,Module>": "Variant<Function, Module>",
    "Tuple<int,String>": "Tuple<int, String>",
    "KVType": "MapBaseObj::KVType",
}

# Class -> the C struct that it derives from and that has all its members. The C++ test checks the
# offset of the struct, and the C test checks the members of the struct.
CELLS = dict.fromkeys(("SeqBaseObj", "ArrayObj", "ListObj"), "TVMFFISeqCell")

# Classes of the peer whose layout other libraries never use; this project need not have them.
PRIVATE_CLASSES = {
    "BytesObjStdImpl<StringObj>",
    "ErrorObjFromStd",
    "ExternCFunctionObjNullHandleImpl",
    "ExternCFunctionObjImpl",
    "DenseMapBaseObj::ItemType",
    "DenseMapBaseObj::Block",
    "ShapeObjStdImpl",
    "TensorObjFromDLPack",
}

# Members with private names. Only the offset of such a member is part of the ABI; the size of the
# class and the layout of the C cell determine the offset.
PRIVATE_FIELDS = {"data_", "vtable_", "def_region_mode_", "hash_i64"}


def literal(value: int) -> str:
    """Return the text of a value as an integer constant in C99 and C++."""
    if value >= 2**63:
        return f"{value}ULL"
    return f"{value}LL" if abs(value) >= 2**31 else str(value)


HARNESS = """
static int failures = 0;
static int checks = 0;

static void check(const char* what, long long actual, long long expected) {
  ++checks;
  if (actual != expected) {
    ++failures;
    printf("%s is %lld, not %lld\\n", what, actual, expected);
  }
}

#define CHECK(expression, expected) \\
  check(#expression, (long long)(expression), (long long)(expected))

/* C99 has no alignof: the offset behind one char is the alignment. */
#define ALIGNMENT(type) (offsetof(struct aligned_##type, value))
"""
MAIN = """
int main(void) {
  check_constants();
  check_types();
  printf("%d facts checked, %d wrong\\n", checks, failures);
  return failures != 0 || checks == 0;
}
"""
BASE_OFFSET = """
// Return the offset of a base without reading the object. A protected base needs a C-style cast.
template <typename Derived, typename Base>
long long BaseOffset() {
  alignas(16) static char storage[16];
  Base* base = (Base*)reinterpret_cast<Derived*>(storage);
  return reinterpret_cast<char*>(base) - storage;
}
"""


def program(declared: list[str], constants: list[str], types: list[str]) -> str:
    """Return the source of a program: what is declared before the checks, and the two functions."""
    out = [*declared, "", "static void check_constants(void) {", *constants, "}", ""]
    return "\n".join([*out, "static void check_types(void) {", *types, "}", MAIN])


def c_source(facts: Facts) -> str:
    """Return the source of the test for the C structs and constants."""
    structs = {k: v for k, v in facts["structs"].items() if not k.startswith("cxx:")}
    values = [
        f"  CHECK({name}, {literal(value)});"
        for name, value in facts["constants"].items()
        if "." not in name and not CXX_CONSTANTS.fullmatch(name)
    ]
    out = ["#include <dlpack/dlpack.h>", "#include <stddef.h>", "#include <stdio.h>"]
    out += ["#include <tvm/ffi/c_api.h>", "#include <tvm/ffi/c_env_api.h>", HARNESS]
    out += [f"struct aligned_{name} {{\n  char first;\n  {name} value;\n}};" for name in structs]
    types = []
    for name, info in structs.items():
        types.append(f"  CHECK(sizeof({name}), {info['size']});")
        types.append(f"  CHECK(ALIGNMENT({name}), {info['align']});")
        for field, (offset, size) in info["fields"].items():
            types.append(f"  CHECK(offsetof({name}, {field}), {offset});")
            types.append(f"  CHECK(sizeof((({name}*)0)->{field}), {size});")
    return program(out, values, types)


def cxx_class_checks(name: str, info: Facts) -> list[str]:
    """Return the lines that check one C++ class."""
    alias = re.sub(r"\W+", "_", name).strip("_") + "_t"
    lines = [f"  using {alias} = {SPELLED.get(name, name)};"]
    lines.append(f"  CHECK(sizeof({alias}), {info['size']});")
    lines.append(f"  CHECK(alignof({alias}), {info['align']});")
    if name in CELLS:
        begin = min(offset for offset, _ in info["fields"].values())
        lines.append(f"  CHECK((BaseOffset<{alias}, {CELLS[name]}>()), {begin});")
    for field, (offset, size) in info["fields"].items():
        if field in PRIVATE_FIELDS or "::" in field or name in CELLS:
            continue
        lines.append(f"  CHECK(offsetof({alias}, {field}), {offset});")
        lines.append(f"  CHECK(sizeof({alias}::{field}), {size});")
    return lines


def cxx_source(facts: Facts) -> str:
    """Return the source of the test for the C++ classes and constants."""
    classes = {k[4:]: v for k, v in facts["structs"].items() if k.startswith("cxx:")}
    named = {name for names in CLASSES_OF_HEADERS.values() for name in names.split()}
    if unknown := set(classes) - named - PRIVATE_CLASSES:
        raise SystemExit(f"classes without a header in tools/abi_test.py: {sorted(unknown)}")
    out = ["#include <cstddef>", "#include <cstdio>", ""]
    out += [f"#include <tvm/ffi/{header}>" for header in sorted(CLASSES_OF_HEADERS)]
    out += [HARNESS, "using namespace tvm::ffi;", "using namespace tvm::ffi::reflection;"]
    values = []
    for name, value in facts["constants"].items():
        if CXX_CONSTANTS.fullmatch(name):
            values.append(f"  CHECK({name.replace('.', '::')}, {literal(value)});")
        elif "." in name and not ALGORITHM_CONSTANTS.match(name):
            raise SystemExit(f"constant without a place in tools/abi_test.py: {name}")
    types = [x for n, info in classes.items() if n in named for x in cxx_class_checks(n, info)]
    return program([*out, BASE_OFFSET], values, types)


def main() -> None:
    """Write the two files, unless they are up to date."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    facts = json.loads(FACTS.read_text())
    for name, text in (("c_facts.c", c_source(facts)), ("cxx_facts.cc", cxx_source(facts))):
        path = folder / name
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    main()
