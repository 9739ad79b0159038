# SPDX-License-Identifier: Apache-2.0
"""Write findings as text, JSON lines, SARIF 2.1.0 and GitHub annotations."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from typing import Any

from ..ir import Span
from . import Diagnostic, rules

_COLOURS = {"error": "\x1b[31m", "warning": "\x1b[33m", "note": "\x1b[36m"}
_LEVELS = {"error": "error", "warning": "warning", "note": "note"}


class _Lines:
    """A cache of the lines of files."""

    def __init__(self) -> None:
        self.files: dict[str, list[str]] = {}

    def get(self, file: str, line: int) -> str:
        if file not in self.files:
            self.files[file] = _lines_of(file)
        lines = self.files[file]
        return lines[line - 1] if 0 < line <= len(lines) else ""


def _lines_of(file: str) -> list[str]:
    try:
        if not os.path.isfile(file):  # opening a pipe would block
            return []
        with open(file, encoding="utf-8-sig", errors="replace", newline=None) as stream:
            return stream.read().split("\n")
    except (OSError, ValueError):
        return []


def text(found: Iterable[Diagnostic], colour: bool = False) -> str:
    """Return findings as text for users, each with the source line."""
    lines = _Lines()
    return "".join(_one(item, lines, colour) for item in found)


def _one(item: Diagnostic, lines: _Lines, colour: bool) -> str:
    on, off = (_COLOURS[item.severity], "\x1b[0m") if colour else ("", "")
    head = f"{_at(item.span)}: {on}{item.severity}[{item.id}]{off}: {item.message}\n"
    out = [head, _excerpt(item.span, item.label, lines)]
    out += [f"  {_at(span)}: note: {label}\n" for span, label in item.notes]
    if help_of(item):
        out.append(f"   = help: {help_of(item)}\n")
    if item.fix:
        out.append("   = fix available: tvm-ffi-schema validate --fix\n")
    return "".join(out)


def help_of(item: Diagnostic) -> str:
    """Return the help of a finding, or else the advice of its rule, which may be empty."""
    return item.help or rules.RULES[item.id].advice


def _at(span: Span) -> str:
    return f"{span.file}:{span.line}:{span.col}"


def _excerpt(span: Span, label: str, lines: _Lines) -> str:
    line = lines.get(span.file, span.line)
    if not line.strip() or "\0" in line:
        return ""
    end = span.end_col if span.end_line == span.line else len(line) + 1
    width = max(1, min(end, len(line) + 1) - span.col)
    pad = "".join("\t" if char == "\t" else " " for char in line[: span.col - 1])
    mark = f"{pad}{'^' * width} {label}".rstrip()
    number = str(span.line)
    return f"{number:>5} | {line}\n      | {mark}\n"


def json_lines(found: Iterable[Diagnostic]) -> str:
    """Return a line with a JSON object for each finding."""
    return "".join(json.dumps(_record(item), sort_keys=True) + "\n" for item in found)


def _record(item: Diagnostic) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": item.id,
        "severity": item.severity,
        "message": item.message,
        **_place(item.span),
    }
    if item.notes:
        record["notes"] = [{**_place(span), "message": label} for span, label in item.notes]
    if help_of(item):
        record["help"] = help_of(item)
    if item.fix:
        record["fix"] = [{**_place(edit.span), "text": edit.text} for edit in item.fix]
    return record


def _place(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"file": span.file, "line": span.line, "column": span.col}
    if span.end_line:
        place["end_line"], place["end_column"] = span.end_line, span.end_col
    return place


def sarif(found: Iterable[Diagnostic]) -> str:
    """Return a SARIF 2.1.0 log."""
    items = list(found)
    ids = sorted({item.id for item in items})
    lines = _Lines()
    catalogue = [
        {
            "id": name,
            "shortDescription": {"text": rules.RULES[name].title},
            **({"help": {"text": rules.RULES[name].advice}} if rules.RULES[name].advice else {}),
            "defaultConfiguration": {"level": _LEVELS[rules.RULES[name].severity]},
        }
        for name in ids
    ]
    results = []
    seen: dict[str, int] = {}
    for item in items:
        line = " ".join(lines.get(item.span.file, item.span.line).split())
        facts = f"{item.id}|{_uri(item.span.file)}|{item.message}|{line}"
        seen[facts] = seen.get(facts, 0) + 1
        results.append(_result(item, ids.index(item.id), f"{facts}|{seen[facts]}"))
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "tvm-ffi-schema", "rules": catalogue}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }
    return json.dumps(log, indent=2, sort_keys=True) + "\n"


def _result(item: Diagnostic, rule_index: int, facts: str) -> dict[str, Any]:
    """Return the SARIF result for a finding; its fingerprint does not depend on line numbers."""
    print_of = hashlib.blake2b(facts.encode("utf-8", "backslashreplace"), digest_size=16)
    result: dict[str, Any] = {
        "ruleId": item.id,
        "ruleIndex": rule_index,
        "level": _LEVELS[item.severity],
        "message": {"text": item.message + (f" ({item.help})" if item.help else "")},
        "locations": [_location(item.span)],
        "partialFingerprints": {"tschema/v2": print_of.hexdigest()},
    }
    if item.notes:
        result["relatedLocations"] = [
            {**_location(span), "message": {"text": label}} for span, label in item.notes
        ]
    if item.fix:
        result["fixes"] = [_fix(item)]
    return result


def _fix(item: Diagnostic) -> dict[str, Any]:
    changes: dict[str, list[Any]] = {}
    for edit in item.fix:
        place = _location(edit.span)["physicalLocation"]
        changes.setdefault(place["artifactLocation"]["uri"], []).append(
            {"deletedRegion": place["region"], "insertedContent": {"text": edit.text}}
        )
    return {
        "description": {"text": rules.RULES[item.id].advice or rules.RULES[item.id].title},
        "artifactChanges": [
            {"artifactLocation": {"uri": uri}, "replacements": found}
            for uri, found in changes.items()
        ],
    }


def _location(span: Span) -> dict[str, Any]:
    region = {"startLine": span.line, "startColumn": span.col}
    if span.end_line:
        region.update({"endLine": span.end_line, "endColumn": span.end_col})
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": region}}


def _uri(file: str) -> str:
    """Return a path as a URI; a relative path gives a relative URI."""
    from urllib.parse import quote  # only SARIF needs this module, whose import is slow

    path = quote(file.replace("\\", "/") or ".", safe="/", errors="surrogateescape")
    return f"file://{path}" if path.startswith("/") else path


def github(found: Iterable[Diagnostic]) -> str:
    """Return workflow commands that annotate a pull request."""
    out = []
    for item in found:
        level = "notice" if item.severity == "note" else item.severity
        file = _command_data(item.span.file).replace(":", "%3A").replace(",", "%2C")
        where = f"file={file},line={item.span.line},col={item.span.col}"
        out.append(f"::{level} {where},title={item.id}::{_command_data(item.message)}\n")
    return "".join(out)


def _command_data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


#: Name of a machine format of `--format` -> function that writes findings.
FORMATS: dict[str, Callable[[Iterable[Diagnostic]], str]] = {
    "json": json_lines,
    "sarif": sarif,
    "github": github,
}
