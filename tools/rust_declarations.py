# SPDX-License-Identifier: Apache-2.0
"""Write the Rust declarations of the C ABI from the C headers, and the test of their layout.

The files are written in the style of rustfmt, so that no formatter has to run.
"""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CRATE = "rust/tvm-ffi-sys/src"
#: Module of the crate -> the header from which the module is generated.
MODULES = {
    "dlpack": "include/dlpack/dlpack.h",
    "c_api": "include/tvm/ffi/c_api.h",
    "c_env_api": "include/tvm/ffi/c_env_api.h",
}
FACTS = "tests/golden/abi_facts.json"
LAYOUT_TEST = "rust/tvm-ffi-sys/tests/test_layout.rs"
WIDTH = 100

SCALARS = {
    "int": "i32",
    "int32_t": "i32",
    "int64_t": "i64",
    "uint8_t": "u8",
    "uint16_t": "u16",
    "uint32_t": "u32",
    "uint64_t": "u64",
    "size_t": "usize",
    "double": "f64",
    "void": "c_void",
    "char": "c_char",
}
#: Members and parameters whose Rust type is not the literal translation.
TYPES = {
    "TVMFFIByteArray.data": "*const u8",
    "TVMFFIFieldInfo.getter": "Option<TVMFFIFieldGetter>",
    "TVMFFITypeMetadata.creator": "Option<TVMFFIObjectCreator>",
    # Use i32, since a later version may add values; unknown values of a Rust enum are undefined
    # behaviour.
    "TVMFFITypeMetadata.structural_eq_hash_kind": "i32",
    "TVMFFIFunctionCreate.self": "*mut c_void",
}
#: Member of a C struct -> its name in Rust, if the names differ.
NAMES = {
    "TVMFFIFunctionCell.cpp_call": "cxx_call",
    "TVMFFITypeInfo.type_ancestors": "type_acenstors",
}
#: Enumerators that the Rust enums omit: another enumerator has the same number, or the number does
#: not occur at run time.
LEFT_OUT = {"kTVMFFIAny", "kTVMFFIObject"}
#: Enumerations whose values come from other libraries, so any number is valid; each becomes a
#: struct with constants.
OPEN_ENUMS = {"DLDeviceType"}
REPRS = {"DLDataTypeCode": "u8", "DLDeviceType": "i32"}
#: Structs that modules of the crate define by hand, because Rust has no unnamed union.
BY_HAND = {"TVMFFIObject", "TVMFFIAny"}
#: Structs that derive `PartialEq`.
PLAIN = {"DLDevice", "DLDataType", "DLTensor", "DLPackVersion", "TVMFFIVersion"}
HASHABLE = {"DLDevice", "DLDataType", "DLPackVersion", "TVMFFIVersion"}
ALLOCATOR = "DLPackManagedTensorAllocator"

COMMENT = re.compile(r"\s*/\*!(.*?)\*/", re.DOTALL)
PLAIN_COMMENT = re.compile(r"/\*[^!].*?\*/", re.DOTALL)
TYPEDEF_FN = re.compile(r"typedef (\w[\w ]*?\**) ?\(\*(\w+)\)\((.*?)\);\s*$", re.DOTALL)
ENUM = re.compile(r"typedef enum (?:\w+ )?(?:\w+ |: int32_t )?\{(.*)\} (\w+);\s*$", re.DOTALL)
STRUCT = re.compile(r"typedef struct (?:\w+ )?\{(.*)\} (\w+);\s*$", re.DOTALL)
FUNCTION = re.compile(r"TVM_FFI_DLL ([\w ]+?\**) ?(\w+)\((.*)\)[^()]*;\s*$", re.DOTALL)
ALIAS = re.compile(r"typedef ([\w ]+\*?) ?(\w+);\s*$")
MEMBER_FN = re.compile(r"([\w ]+?\**) ?\(\*(\w+)\)\((.*)\)$", re.DOTALL)


@dataclass
class Statement:
    """One declaration of a header with its comment."""

    text: str
    doc: list[str] = field(default_factory=list)


def doc_lines(comment: str) -> list[str]:
    """Return the lines of a Doxygen comment as Markdown."""
    text = "\n".join(re.sub(r"^\s*\* ?", "", line) for line in comment.strip().splitlines())
    text = re.sub(r"\\brief ", "", text)
    text = re.sub(r"\\param (\w+) ", lambda found: f"\n* `{rust_name(found[1])}`: ", text)
    text = re.sub(r"\\return ", "\nReturns ", text)
    text = re.sub(r"(?<![`\w])(\w*TVMFFI\w+(?:::\w+)?)(?![`\w])", r"`\1`", text)
    paragraphs: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        paragraphs += re.split(r"\n(?=[*-] )", part)
    result: list[str] = []
    listed = False
    for part in paragraphs:
        flat = " ".join(part.split())
        if not flat:
            continue
        item = flat.startswith(("* ", "- "))
        if result and not (item and listed):
            result.append("")
        listed = item
        result.append(flat)
    return result


def statements(text: str) -> list[Statement]:
    """Split C text into its statements at the outermost level."""
    found: list[Statement] = []
    doc: list[str] = []
    position = 0
    while position < len(text):
        if comment := COMMENT.match(text, position):
            doc = doc_lines(comment[1])
            position = comment.end()
            continue
        end, depth = position, 0
        while end < len(text):
            inner = COMMENT.match(text, end)
            if inner and text[end] == "/":
                end = inner.end()
                continue
            character = text[end]
            depth += (character in "{(") - (character in "})")
            end += 1
            if character in ";," and depth == 0:
                break
        body = text[position:end].strip()
        if body:
            found.append(Statement(body, doc))
        doc = []
        position = end
    return found


def declarations(header: str) -> list[Statement]:
    """Return the declarations of a header, without preprocessor lines and without C++ code."""
    text = re.sub(r"\\\n", " ", PLAIN_COMMENT.sub("", header))
    text = text.replace("TVM_FFI_C_ENUM_INT32 ", "")
    kept: list[str] = []
    skipping: list[bool] = []
    for line in text.splitlines():
        if re.match(r"\s*#\s*if", line):
            skipping.append("__cplusplus" in line and "defined(__GNUC__)" not in line)
        elif re.match(r"\s*#\s*el", line):
            skipping[-1] = not skipping[-1]
        elif re.match(r"\s*#\s*endif", line):
            skipping.pop()
        elif re.match(r"\s*#", line):
            continue
        elif not any(skipping):
            kept.append(line)
    return statements("\n".join(kept))


def rust_type(c_type: str) -> str:
    """Return the Rust spelling of a C type."""
    c_type = re.sub(r"\bstruct ", "", c_type).strip()
    match = re.match(r"(const )?(\w+) ?(\**)$", c_type)
    if match is None:
        raise ValueError(f"unknown C type {c_type!r}")
    constant, name, stars = match.groups()
    result = SCALARS.get(name, name)
    for level in range(len(stars)):
        result = ("*const " if constant and level == 0 else "*mut ") + result
    if result == ALLOCATOR:
        return f"Option<{ALLOCATOR}>"
    return result.replace(f"*mut {ALLOCATOR}", f"*mut Option<{ALLOCATOR}>")


def parameters(c_text: str, function: str) -> list[str]:
    """Return the Rust parameters of a C parameter list."""
    c_text = " ".join(c_text.split())
    if c_text in ("", "void"):
        return []
    result = []
    for one in statements(c_text + ","):
        text = one.text.rstrip(",").strip()
        callback = MEMBER_FN.match(text)
        if callback:
            returns, name, inner = callback.groups()
            if function == ALLOCATOR:  # the only callback that is never NULL
                # `fn_alias` removes one of the five spaces.
                line = f"{rust_name(name)}: {fn_type(returns, inner, name, ' ' * 5)}"
            else:
                line = f"{rust_name(name)}: Option<{fn_type(returns, inner, name)}>"
            result.append(line)
            continue
        match = re.match(r"(.*?)(\w+)$", text)
        assert match, text
        c_type, name = match[1].strip(), match[2]
        rust = TYPES.get(f"{function}.{name}") or rust_type(c_type)
        if re.search(r"DLManagedTensor", rust) and function.startswith(("TVMFFI", ALLOCATOR)):
            rust = re.sub(r"DLManagedTensor\w*", "c_void", rust)
        result.append(f"{rust_name(name)}: {rust}")
    return result


def rust_name(name: str) -> str:
    """Return the Rust name of a parameter; keywords and names with capitals are replaced."""
    return {"self": "this", "from": "from_tensor", "SetError": "set_error"}.get(name, name)


def fn_type(returns: str, c_parameters: str, name: str, indent: str = "") -> str:
    """Return the Rust type of a function pointer."""
    result = "" if returns.strip() == "void" else f" -> {rust_type(returns)}"
    listed = parameters(c_parameters, name)
    one_line = f'unsafe extern "C" fn({", ".join(listed)}){result}'
    if not indent:
        return one_line
    inner = "".join(f"\n{indent}    {one}," for one in listed)
    return f'unsafe extern "C" fn({inner}\n{indent}){result}'


def doc_text(lines: list[str], indent: str = "", fallback: str = "") -> list[str]:
    """Return the lines of a text as documentation comments of Rust."""
    result: list[str] = []
    for line in lines or [fallback]:
        if not line:
            result.append(f"{indent}///")
            continue
        bullet = "  " if line.startswith(("* ", "- ")) else ""
        result += textwrap.wrap(
            line.replace("[", "\\[") if re.search(r"\]\(", line) else line,
            WIDTH - len(indent) - 4,
            initial_indent=f"{indent}/// ",
            subsequent_indent=f"{indent}/// {bullet}",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return result


def enum_text(name: str, body: str, doc: list[str]) -> list[str]:
    """Return a Rust enumeration; for an enumeration in `OPEN_ENUMS`, a struct with constants."""
    members = []
    for one in statements(body):
        match = re.match(r"(\w+) = (.*?),?$", one.text)
        assert match, one.text
        if match[1] not in LEFT_OUT:
            value = match[2].rstrip("U")
            members.append((match[1], value, one.doc))
    representation = REPRS.get(name, "i32")
    lines = doc_text(doc, fallback=f"The C enumeration `{name}`.")
    if name in OPEN_ENUMS:
        lines += ["#[repr(transparent)]", "#[derive(Clone, Copy, PartialEq, Eq, Hash)]"]
        lines += [f"pub struct {name}(pub {representation});", "", f"impl {name} {{"]
        for member, value, text in members:
            lines += doc_text(text, "    ", f"The C enumerator `{member}`.")
            lines += ["    #[allow(non_upper_case_globals)]"]
            lines += [f"    pub const {member}: {name} = {name}({value});"]
        return [*lines, "}", ""]
    lines += ["#[allow(non_camel_case_types)]"]
    lines += [f"#[repr({representation})]", "#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]"]
    lines += [f"pub enum {name} {{"]
    for member, value, text in members:
        lines += doc_text(text, "    ", f"The C enumerator `{member}`.")
        lines += [f"    {member} = {value},"]
    return [*lines, "}", ""]


def struct_text(name: str, body: str, doc: list[str]) -> list[str]:
    """Return a Rust struct."""
    lines = doc_text(doc, fallback=f"The C struct `{name}`.")
    traits = ["Clone", "Copy"]
    if name in PLAIN:
        traits = ["Debug", "Clone", "Copy", "PartialEq", "Eq"]
    if name in HASHABLE:
        traits.append("Hash")
    lines += ["#[repr(C)]", f"#[derive({', '.join(traits)})]", f"pub struct {name} {{"]
    for one in statements(body):
        text = " ".join(one.text.rstrip(";").split())
        function = MEMBER_FN.match(text)
        if function:
            member = function[2]
            rust = f"Option<{fn_type(function[1], function[3], member)}>"
            if len(f"    pub {member}: {rust},") > WIDTH:
                pointer = fn_type(function[1], function[3], member, " " * 8)
                rust = f"Option<\n        {pointer},\n    >"
        else:
            match = re.match(r"(.*?)(\w+)$", text)
            assert match, text
            member = match[2]
            rust = TYPES.get(f"{name}.{member}") or rust_type(match[1])
            if re.match(r"DLPack(?!Version$|ExchangeAPIHeader$)", rust) and member != "safe_call":
                rust = f"Option<{rust}>"
        member = NAMES.get(f"{name}.{member}", member)
        lines += doc_text(one.doc, "    ", f"The C member `{member}`.")
        lines += [f"    pub {member}: {rust},"]
    return [*lines, "}", ""]


def function_text(returns: str, name: str, c_parameters: str, doc: list[str]) -> list[str]:
    """Return a Rust declaration of a C function."""
    result = "" if returns == "void" else f" -> {rust_type(returns)}"
    listed = parameters(c_parameters, name)
    lines = doc_text(doc, "    ", f"The C function `{name}`.")
    line = f"    pub fn {name}({', '.join(listed)}){result};"
    if len(line) <= WIDTH:
        return [*lines, line]
    return [*lines, f"    pub fn {name}(", *(f"        {p}," for p in listed), f"    ){result};"]


def fn_alias(returns: str, name: str, c_parameters: str) -> list[str]:
    """Return the declaration of a type alias for a function pointer."""
    head, pointer = f"pub type {name} =", fn_type(returns, c_parameters, name)
    if "\n" not in pointer and len(pointer) + 5 <= WIDTH:
        one_line = f"{head} {pointer};"
        return [one_line] if len(one_line) <= WIDTH else [head, f"    {pointer};"]
    # With an indentation, `fn_type` writes one parameter per line; the replacements remove the
    # added space.
    pointer = fn_type(returns, c_parameters, name, " ")
    return [f"{head} {pointer};".replace("\n     ", "\n    ").replace("\n )", "\n)")]


def module_text(header_name: str, header: str) -> str:
    """Return the Rust module for a header."""
    body: list[str] = []
    functions: list[str] = []
    for one in declarations(header):
        if match := TYPEDEF_FN.match(one.text):
            body += doc_text(one.doc, fallback=f"The C type `{match[2]}`.")
            body += [*fn_alias(match[1], match[2], match[3]), ""]
        elif match := ENUM.match(one.text):
            body += enum_text(match[2], match[1], one.doc)
        elif match := STRUCT.match(one.text):
            if match[2] not in BY_HAND:
                body += struct_text(match[2], match[1], one.doc)
        elif match := FUNCTION.match(one.text):
            functions += function_text(match[1], match[2], match[3], one.doc)
        elif match := ALIAS.match(one.text):
            body += doc_text(one.doc, fallback=f"The C type `{match[2]}`.")
            body += [f"pub type {match[2]} = {rust_type(match[1])};", ""]
        elif not re.match(r'extern "C"|\}', one.text):
            raise ValueError(f"{header_name}: unknown declaration {one.text[:60]!r}")
    everything = "\n".join(body + functions)
    chars = "{c_char, c_void}" if "c_char" in everything else "c_void"
    uses = [f"use std::os::raw::{chars};"]
    if header_name != MODULES["dlpack"]:
        is_api = header_name == MODULES["c_api"]
        names = ("DLDataType", "DLDevice", ALLOCATOR, "DLTensor")
        used = ", ".join(name for name in names if re.search(rf"\b{name}\b", everything))
        uses += ["", f"use crate::{'any::TVMFFIAny' if is_api else 'c_api::TVMFFIObjectHandle'};"]
        uses += [f"use crate::dlpack::{{{used}}};"]
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        f"// Written by tools/rust_declarations.py from {header_name}; do not edit.",
        f"//! Declarations of `{header_name.removeprefix('include/')}`.",
        *("", *uses, "", *body),
    ]
    if functions:
        lines += ['extern "C" {', *functions, "}", ""]
    return "\n".join(lines)


def enumerators(headers: list[str]) -> dict[str, list[str]]:
    """Return the names of the enumerators of each enumeration of C headers."""
    enums = [m for h in headers for one in declarations(h) if (m := ENUM.match(one.text))]
    names = {enum[2]: [one.text.split(" ")[0] for one in statements(enum[1])] for enum in enums}
    return {enum: [n for n in found if n not in LEFT_OUT] for enum, found in names.items()}


def rust_member(struct: str, member: str) -> str | None:
    """Return the name of a C member in Rust, or None for a member that Rust does not have."""
    if struct == "TVMFFIAny":
        if member.startswith("v_"):
            return "data_union"
        return {"zero_padding": "small_str_len"}.get(member, member)
    if member == "__ensure_align":
        return None
    return NAMES.get(f"{struct}.{member}", member)


LAYOUT_HEAD = f"""\
// SPDX-License-Identifier: Apache-2.0
// Written by tools/rust_declarations.py from {FACTS}; do not edit.
//! Structs, constants and functions are those of C.

use std::mem::{{align_of, offset_of, size_of}};

use tvm_ffi_sys::*;

/// Compare the size, the alignment and the offsets of the members of a struct.
macro_rules! layout {{
    ($name:ident, $size:literal, $align:literal: $($member:ident $offset:literal),*) => {{
        assert_eq!((size_of::<$name>(), align_of::<$name>()), ($size, $align), stringify!($name));
        $(assert_eq!(offset_of!($name, $member), $offset, stringify!($name.$member));)*
    }};
}}

/// Compare the values of an enumeration.
macro_rules! values {{
    ($name:ident.0: $($member:ident $value:literal),*) => {{
        $(assert_eq!($name::$member.0, $value, stringify!($member));)*
    }};
    ($name:ident: $($member:ident $value:literal),*) => {{
        $(assert_eq!($name::$member as i32, $value, stringify!($member));)*
    }};
}}

/// Return the addresses of functions.
macro_rules! addresses {{
    ($($name:ident),*) => {{ vec![$($name as *const ()),*] }};
}}
"""


def layout_text(facts: dict[str, Any], headers: list[str]) -> str:
    """Return the source of a test that compares the declarations with abi_facts.json."""
    layouts: list[str] = []
    for struct, fact in facts["structs"].items():
        if struct.startswith("cxx:"):
            continue
        offsets = {
            rust_member(struct, member): offset for member, (offset, _) in fact["fields"].items()
        }
        members = [f"{member} {offset}" for member, offset in offsets.items() if member]
        layouts += call(f"layout! {{ {struct}, {fact['size']}, {fact['align']}:", members)
    values: list[str] = []
    for name, members in enumerators(headers).items():
        known = [f"{one} {facts['constants'][one]}" for one in members if one in facts["constants"]]
        head = f"values! {{ {name}{'.0' if name in OPEN_ENUMS else ''}:"
        values += call(head, known) if known else []
    functions = call("let mut functions = addresses! {", facts["exports"], "};")
    functions += ["    functions.sort();", "    functions.dedup();"]
    functions.append(f"    assert_eq!(functions.len(), {len(facts['exports'])});")
    text = LAYOUT_HEAD
    for test, lines in (
        ("layouts_are_those_of_c", layouts),
        ("constants_are_those_of_c", values),
        ("every_function_is_linked", functions),
    ):
        text += "\n// spec: RUST-R03\n#[test]\n"
        text += "\n".join([f"fn {test}() {{", *lines, "}", ""])
    return text


def call(head: str, arguments: list[str], end: str = "}") -> list[str]:
    """Return the lines of a call of a macro."""
    text = textwrap.wrap(f"{head} {', '.join(arguments)} {end}", WIDTH - 4)
    return [f"    {line}" for line in text]


def texts(root: Path) -> dict[str, str]:
    """Return the three modules of tvm-ffi-sys and its test."""
    headers = {name: (root / name).read_text(encoding="utf-8") for name in MODULES.values()}
    files = {f"{CRATE}/{m}.rs": module_text(name, headers[name]) for m, name in MODULES.items()}
    facts = json.loads((root / FACTS).read_text(encoding="utf-8"))
    return {**files, LAYOUT_TEST: layout_text(facts, list(headers.values()))}
