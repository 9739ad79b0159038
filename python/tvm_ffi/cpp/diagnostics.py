# SPDX-License-Identifier: Apache-2.0
"""Map compiler errors to the user's file and line.

Sources that are given as text are compiled from a generated file, whose line numbers do not help
the user. After an error, this module searches for the text in the source of the calling program,
and reports positions in that program instead. A build without errors does not depend on the caller.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from dataclasses import dataclass

from .._nearest import hint
from .source import PREAMBLE_LINES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

_GUTTER = re.compile(r"^( *)(\d+)( \|.*)$")
# Compilers also count a single carriage return as the end of a line.
_LINE_END = re.compile(r"\r\n|\r|\n")
# Matches a compiler or linker message about an exported function that is defined twice.
_EXPORTED_TWICE = re.compile(
    r"(?:redefinition of|multiple definition of|duplicate symbol)[^\n]*?\b__tvm_ffi_([A-Za-z]\w*)"
    r"|\b__tvm_ffi_([A-Za-z]\w*)[^\n]*already has a body"
)
# Names of the C++ API whose headers the generated file does not include -> their headers.
_HEADERS = {
    "BigInt": "tvm/ffi/big_int.h",
    "Dict": "tvm/ffi/container/dict.h",
    "EnumDef": "tvm/ffi/reflection/enum_def.h",
    "GlobalDef": "tvm/ffi/reflection/registry.h",
    "List": "tvm/ffi/container/list.h",
    "Map": "tvm/ffi/container/map.h",
    "Module": "tvm/ffi/extra/module.h",
    "ObjectDef": "tvm/ffi/reflection/registry.h",
    "StructuralEqual": "tvm/ffi/extra/structural_equal.h",
    "StructuralHash": "tvm/ffi/extra/structural_hash.h",
    "Tuple": "tvm/ffi/container/tuple.h",
    "Variant": "tvm/ffi/container/variant.h",
    "json": "tvm/ffi/extra/json.h",
}
# Matches the line of a generated file that exports a function, where a compiler shows it.
_EXPORT = re.compile(r"TVM_FFI_DLL_EXPORT_TYPED_FUNC\((\w+), \1\)")
_QUOTE = "[\u2018\u2019'`]"  # GCC writes typographic quotes under a UTF-8 locale.
# Matches the messages of GCC and Clang about a name whose header is not included.
_UNKNOWN_NAME = re.compile(
    rf"error: {_QUOTE}(\w+){_QUOTE} (?:is not a member of|does not name|in namespace|has not been)"
    rf"|error: no (?:template|type|member) named {_QUOTE}(\w+){_QUOTE}"
    rf"|error: implicit instantiation of undefined template {_QUOTE}tvm::ffi::(\w+)<"
)
_DECLARED = re.compile(rf"note: declaration of {_QUOTE}class tvm::ffi::(\w+)<")
_PLACE = re.compile(r"^\S.*?[:(]\d+[:)]")


@dataclass(frozen=True)
class _Origin:
    """The origin of a range of lines of a generated file."""

    first: int
    count: int
    place: str
    place_line: int


def explain(
    text: str,
    directory: str | os.PathLike[str],
    sources: Mapping[str, tuple[str, Sequence[str]]],
) -> str:
    """Replace positions in generated files by positions in the user's program.

    ``text`` is the output of the compilers. ``sources`` maps the name of each generated file in the
    directory to (the caller's name for its sources, the sources).
    """
    twice = _exported_twice(text)
    missing = _missing_headers(text)
    frame = _caller()
    for name, (label, parts) in sources.items():
        text = _rewrite(text, os.path.join(directory, name), _origins(label, parts, frame))
    return _unknown_functions(text, sources) + twice + missing + text


def _unknown_functions(text: str, sources: Mapping[str, tuple[str, Sequence[str]]]) -> str:
    """Return lines about names of `functions` that the sources do not contain."""
    words = {w for _, parts in sources.values() for part in parts for w in re.findall(r"\w+", part)}
    unknown = sorted(set(_EXPORT.findall(text)) - words)
    return "".join(
        f"no such function: `{name}` of `functions` is not in the sources{hint(name, words)}\n"
        for name in unknown
    )


def _missing_headers(text: str) -> str:
    """Return lines that name the headers of unknown and of incomplete types."""
    names = {name for match in _UNKNOWN_NAME.findall(text) for name in match}
    if "has incomplete type" in text:
        names.update(_DECLARED.findall(text))
    return "".join(
        f"not included: `{name}` needs `#include <{_HEADERS[name]}>`\n"
        for name in sorted(names & _HEADERS.keys())
    )


def _exported_twice(text: str) -> str:
    """Return a line about functions that are defined twice because they are exported twice."""
    names = sorted({a or b for a, b in _EXPORTED_TWICE.findall(text)})
    if not names:
        return ""
    found = ", ".join(f"`{name}`" for name in names)
    return (
        f"exported twice: {found}: TVM_FFI_DLL_EXPORT_TYPED_FUNC in the source exports a function, "
        "and so does a name in `functions`: remove the name from `functions`, or the macro\n"
    )


def _caller() -> FrameType | None:
    """Return the frame that called this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__", "").startswith("tvm_ffi.cpp"):
        frame = frame.f_back
    return frame


def _origins(label: str, parts: Sequence[str], frame: FrameType | None) -> list[_Origin]:
    program = _lines_of(frame)
    origins = []
    first = PREAMBLE_LINES + 1
    for i, part in enumerate(parts):
        lines = _LINE_END.split(part)
        found = _find(lines, program)
        if found is None or frame is None:
            place, place_line = (label if len(parts) == 1 else f"{label}[{i}]"), 1
        else:
            place, place_line = frame.f_code.co_filename, found
        origins.append(_Origin(first, len(lines), place, place_line))
        first += len(lines)
    return origins


def _lines_of(frame: FrameType | None) -> list[str]:
    if frame is None:
        return []
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    return [line.strip() for line in lines]


def _find(lines: Sequence[str], program: Sequence[str]) -> int | None:
    """Return the number of the line at which a text begins in a program, or None.

    Indentation is ignored. Other characters, such as quotation marks, may precede the first line
    and follow the last.
    """
    wanted = [line.strip() for line in lines]
    blank = next((i for i, line in enumerate(wanted) if line), len(wanted))
    wanted = wanted[blank:]
    while wanted and not wanted[-1]:
        wanted.pop()
    if not wanted:
        return None
    found = [
        start
        for start in range(len(program) - len(wanted) + 1)
        if _is_at(wanted, program[start : start + len(wanted)])
    ]
    return found[0] + 1 - blank if len(found) == 1 else None


def _is_at(wanted: Sequence[str], there: Sequence[str]) -> bool:
    if len(wanted) == 1:
        return wanted[0] in there[0]
    return (
        there[0].endswith(wanted[0])
        and there[-1].startswith(wanted[-1])
        and wanted[1:-1] == there[1:-1]
    )


def _rewrite(text: str, path: str, origins: Sequence[_Origin]) -> str:
    place = re.compile(re.escape(path) + r"(?P<open>[:(])(?P<line>\d+)")
    # The user's line number minus the generated one, for the excerpt that follows a message.
    shift = None
    result: list[str] = []
    headings: list[int] = []  # Lines such as "main.cpp: In function", without a number.
    for line in text.split("\n"):
        match = place.search(line)
        if match:
            origin = _origin_of(int(match["line"]), origins)
            shift = None if origin is None else origin.place_line - origin.first
            if origin is not None and shift is not None:
                new = f"{origin.place}{match['open']}{int(match['line']) + shift}"
                line = line[: match.start()] + new + line[match.end() :]
                for i in headings:  # The headings belong to the message at this position.
                    result[i] = origin.place + result[i][len(path) :]
            headings.clear()
        elif line.startswith(f"{path}: "):
            headings.append(len(result))
        elif _PLACE.match(line):
            shift = None
        elif shift is not None:
            line = _shifted(line, shift)
        result.append(line)
    return "\n".join(result)


def _origin_of(line: int, origins: Sequence[_Origin]) -> _Origin | None:
    for origin in origins:
        if origin.first <= line < origin.first + origin.count:
            return origin
    return None


def _shifted(line: str, by: int) -> str:
    """Increase the line number in the margin of an excerpt."""
    match = _GUTTER.match(line)
    if match is None:
        return line
    width = len(match[1]) + len(match[2])
    return f"{int(match[2]) + by:>{width}}{match[3]}"
