#!/usr/bin/env python3
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

ROOT = Path(__file__).resolve().parent.parent
Facts = dict[str, Any]
FACTS = ROOT / "tests" / "golden" / "abi_facts.json"

# Constants of the C++ headers: name in abi_facts.json -> (header, C++ expression).
CXX_CONSTANTS = {
    "kDLExtCustomBegin": ("dtype.h", "::kDLExtCustomBegin"),
    "Object._type_child_slots": ("object.h", "Object::_type_child_slots"),
    "Module.kBinarySerializable": ("extra/module.h", "Module::kBinarySerializable"),
    "Module.kRunnable": ("extra/module.h", "Module::kRunnable"),
    "Module.kCompilationExportable": ("extra/module.h", "Module::kCompilationExportable"),
    "EnumObj._type_child_slots": ("enum.h", "EnumObj::_type_child_slots"),
    "AccessKind.kAttr": ("reflection/access_path.h", "AccessKind::kAttr"),
    "AccessKind.kArrayItem": ("reflection/access_path.h", "AccessKind::kArrayItem"),
    "AccessKind.kMapItem": ("reflection/access_path.h", "AccessKind::kMapItem"),
    "AccessKind.kAttrMissing": ("reflection/access_path.h", "AccessKind::kAttrMissing"),
    "AccessKind.kArrayItemMissing": ("reflection/access_path.h", "AccessKind::kArrayItemMissing"),
    "AccessKind.kMapItemMissing": ("reflection/access_path.h", "AccessKind::kMapItemMissing"),
}

# Constants of algorithms, which no header names. The tests of the algorithms (container layout,
# hashing, reference counts) check them with the test vectors of abi_facts.json.
ALGORITHM_CONSTANTS = re.compile(
    r"^(ArrayObj|ListObj|SmallMapBaseObj|DenseMapBaseObj|StableHashCombine|StableHashBytes"
    r"|DenseMap|Map|Any|RefCount)\."
)

# Classes of the C++ headers: name in abi_facts.json, without `cxx:` -> (header, C++ type).
CXX_CLASSES = {
    "Object": ("object.h", "Object"),
    "ObjectRef": ("object.h", "ObjectRef"),
    "Any": ("any.h", "Any"),
    "AnyView": ("any.h", "AnyView"),
    "String": ("string.h", "String"),
    "Bytes": ("string.h", "Bytes"),
    "BigInt": ("big_int.h", "BigInt"),
    "Optional<int>": ("optional.h", "Optional<int>"),
    "Optional<String>": ("optional.h", "Optional<String>"),
    "Optional<Function>": ("optional.h", "Optional<Function>"),
    "Expected<Any>": ("expected.h", "Expected<Any>"),
    "Variant<int>": ("container/variant.h", "Variant<int>"),
    "Variant<int,String>": ("container/variant.h", "Variant<int, String>"),
    "Variant<Function,Module>": ("container/variant.h", "Variant<Function, Module>"),
    "Tuple<int,String>": ("container/tuple.h", "Tuple<int, String>"),
    "Error": ("error.h", "Error"),
    "StringObj": ("string.h", "tvm::ffi::details::StringObj"),
    "BytesObj": ("string.h", "tvm::ffi::details::BytesObj"),
    "BigIntObj": ("big_int.h", "tvm::ffi::details::BigIntObj"),
    "ErrorObj": ("error.h", "ErrorObj"),
    "FunctionObj": ("function.h", "FunctionObj"),
    "SeqBaseObj": ("container/seq_base.h", "SeqBaseObj"),
    "ArrayObj": ("container/array.h", "ArrayObj"),
    "ListObj": ("container/list.h", "ListObj"),
    "MapBaseObj": ("container/map_base.h", "MapBaseObj"),
    "MapObj": ("container/map.h", "MapObj"),
    "DictObj": ("container/dict.h", "DictObj"),
    "SmallMapBaseObj": ("container/map_base.h", "SmallMapBaseObj"),
    "DenseMapBaseObj": ("container/map_base.h", "DenseMapBaseObj"),
    "KVType": ("container/map_base.h", "MapBaseObj::KVType"),
    "MapBaseObj::iterator": ("container/map_base.h", "MapBaseObj::iterator"),
    "ShapeObj": ("container/shape.h", "ShapeObj"),
    "TensorObj": ("container/tensor.h", "TensorObj"),
    "TensorView": ("container/tensor.h", "TensorView"),
    "ModuleObj": ("extra/module.h", "ModuleObj"),
    "VisitInterruptObj": ("extra/structural_visit.h", "VisitInterruptObj"),
    "VisitErrorContextObj": ("extra/visit_error_context.h", "VisitErrorContextObj"),
    "StructuralKeyObj": ("extra/structural_key.h", "StructuralKeyObj"),
    "StructuralVisitorObj": ("extra/structural_visit.h", "StructuralVisitorObj"),
    "StructuralVisitorVTable": ("extra/structural_visit.h", "StructuralVisitorVTable"),
    "StructuralMutatorObj": ("extra/structural_mutate.h", "StructuralMutatorObj"),
    "StructuralMutatorVTable": ("extra/structural_mutate.h", "StructuralMutatorVTable"),
    "EnumObj": ("enum.h", "EnumObj"),
    "EnumStateObj": ("enum.h", "EnumStateObj"),
    "AccessStepObj": ("reflection/access_path.h", "AccessStepObj"),
    "AccessPathObj": ("reflection/access_path.h", "AccessPathObj"),
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


def c_source(facts: Facts) -> str:
    """Return the source of the test for the C structs and constants."""
    structs = {k: v for k, v in facts["structs"].items() if not k.startswith("cxx:")}
    constants = {
        k: v for k, v in facts["constants"].items() if "." not in k and k not in CXX_CONSTANTS
    }
    out = ["#include <dlpack/dlpack.h>", "#include <stddef.h>", "#include <stdio.h>"]
    out += ["#include <tvm/ffi/c_api.h>", "#include <tvm/ffi/c_env_api.h>", ""]
    out += ["static int failures = 0;", "static int checks = 0;", ""]
    out += [
        "static void check(const char* what, long long actual, long long expected) {",
        "  ++checks;",
        "  if (actual != expected) {",
        "    ++failures;",
        '    printf("%s is %lld, not %lld\\n", what, actual, expected);',
        "  }",
        "}",
        "",
        "#define CHECK(expression, expected) \\",
        "  check(#expression, (long long)(expression), (long long)(expected))",
        "",
        "/* C99 has no alignof: the offset behind one char is the alignment. */",
        "#define ALIGNMENT(type) (offsetof(struct aligned_##type, value))",
    ]
    out += [f"struct aligned_{name} {{\n  char first;\n  {name} value;\n}};" for name in structs]
    out += ["", "static void check_constants(void) {"]
    out += [f"  CHECK({name}, {literal(value)});" for name, value in constants.items()]
    out += ["}", "", "static void check_structs(void) {"]
    for name, info in structs.items():
        out.append(f"  CHECK(sizeof({name}), {info['size']});")
        out.append(f"  CHECK(ALIGNMENT({name}), {info['align']});")
        for field, (offset, size) in info["fields"].items():
            out.append(f"  CHECK(offsetof({name}, {field}), {offset});")
            out.append(f"  CHECK(sizeof((({name}*)0)->{field}), {size});")
    out += ["}", "", "int main(void) {", "  check_constants();", "  check_structs();"]
    out += ['  printf("%d facts checked, %d wrong\\n", checks, failures);']
    out += ["  return failures != 0 || checks == 0;", "}", ""]
    return "\n".join(out)


def cxx_class_checks(name: str, info: Facts) -> list[str]:
    """Return the lines that check one C++ class."""
    _, type_name = CXX_CLASSES[name]
    alias = re.sub(r"\W+", "_", name).strip("_") + "_t"
    lines = [f"  using {alias} = {type_name};"]
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
    unknown = set(classes) - set(CXX_CLASSES) - PRIVATE_CLASSES
    if unknown:
        raise SystemExit(f"classes without a header in tools/abi_test.py: {sorted(unknown)}")
    headers = sorted({v[0] for v in CXX_CLASSES.values()} | {v[0] for v in CXX_CONSTANTS.values()})
    out = ["#include <cstddef>", "#include <cstdio>", ""]
    out += [f"#include <tvm/ffi/{header}>" for header in headers]
    out += [
        "",
        "namespace {",
        "using namespace tvm::ffi;",
        "using namespace tvm::ffi::reflection;",
        "",
        "int failures = 0;",
        "int checks = 0;",
        "",
        "void Check(const char* what, long long actual, long long expected) {",
        "  ++checks;",
        "  if (actual != expected) {",
        "    ++failures;",
        '    std::printf("%s is %lld, not %lld\\n", what, actual, expected);',
        "  }",
        "}",
        "",
        "// Return the offset of a base without reading the object. A protected base needs a",
        "// C-style cast.",
        "template <typename Derived, typename Base>",
        "long long BaseOffset() {",
        "  alignas(16) static char storage[16];",
        "  Base* base = (Base*)reinterpret_cast<Derived*>(storage);",
        "  return reinterpret_cast<char*>(base) - storage;",
        "}",
        "",
        "#define CHECK(expression, expected) \\",
        "  Check(#expression, static_cast<long long>(expression), expected)",
        "",
        "void CheckConstants() {",
    ]
    for name, value in facts["constants"].items():
        if name not in CXX_CONSTANTS:
            if "." in name and not ALGORITHM_CONSTANTS.match(name):
                raise SystemExit(f"constant without a place in tools/abi_test.py: {name}")
            continue
        out.append(f"  CHECK({CXX_CONSTANTS[name][1]}, {literal(value)});")
    out += ["}", "", "void CheckClasses() {"]
    for name, info in classes.items():
        if name in CXX_CLASSES:
            out += cxx_class_checks(name, info)
    out += ["}", "}  // namespace", "", "int main() {"]
    out += ["  CheckConstants();", "  CheckClasses();"]
    out += [
        '  std::printf("%d facts checked, %d wrong\\n", checks, failures);',
        "  return failures != 0 || checks == 0;",
        "}",
        "",
    ]
    return "\n".join(out)


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
