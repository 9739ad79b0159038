# SPDX-License-Identifier: Apache-2.0
"""Implementation of ``tvm-ffi-replay``: run recorded calls again, report the first difference."""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module

from .. import core, registry
from .._distribution import VERSION_TEXT
from .._types import info as infos
from ..module import load_module
from .recorder import FORMAT
from .values import Opaque, Reader, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class RecordingError(ValueError):
    """The file is not a recording."""


class _UnavailableError(Exception):
    """A call cannot be run again; the message gives the reason."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command ``tvm-ffi-replay`` and return its exit status.

    The status is 0 for success, 1 for a difference, and 2 for a file that cannot be read or none of
    whose calls can be run.
    """
    parser = argparse.ArgumentParser(
        prog="tvm-ffi-replay",
        description="Run recorded calls again and report the first difference.",
    )
    parser.add_argument("file", help="a file that TVM_FFI_RECORD or tvm_ffi.recording wrote")
    parser.add_argument(
        "--import",
        dest="modules",
        action="append",
        default=[],
        metavar="NAME",
        help="import a Python module first, which registers functions and classes",
    )
    parser.add_argument(
        "--load", action="append", default=[], metavar="LIB", help="load a library first"
    )
    parser.add_argument("--version", action="version", version=VERSION_TEXT)
    given = parser.parse_args(arguments)
    try:
        for name in given.modules:
            import_module(name)
        kept = [load_module(path) for path in given.load]
        calls, tensors = read(given.file)
        report = replay(calls, tensors)
        del kept
    except (OSError, ImportError, RecordingError) as error:
        print(f"tvm-ffi-replay: {error}", file=sys.stderr)
        return 2
    print(report.text())
    return report.status()


def read(path: str) -> tuple[list[dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the calls of a recording, in the order in which they began, and the recorded tensors.

    A call that did not end has no entry ``end``.
    """
    calls: dict[int, dict[str, Any]] = {}
    tensors: dict[str, dict[str, Any]] = {}
    with open(path, encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            try:
                line = json.loads(text)
                if number == 1:
                    if line["format"] != FORMAT:
                        raise RecordingError(f"{path}: format {line['format']} is not known")
                elif "tensor" in line:
                    tensors[line.pop("tensor")] = line
                elif "begin" in line:
                    calls[line["begin"]] = line
                else:
                    calls[line["end"]].update(line)
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if isinstance(error, RecordingError):
                    raise
                if number > 1 and not text.endswith("\n"):
                    break  # The recorded process ended while it wrote this line.
                raise RecordingError(f"{path}:{number} is not a line of a recording") from None
    return list(calls.values()), tensors


class Report:
    """The result of a replay.

    Attributes
    ----------
    same
        The number of calls whose outcome equals the recorded outcome.
    skipped
        Number of a call that was not run -> the reason.
    difference
        The description of the first call whose outcome differs, or None.

    """

    def __init__(self) -> None:
        """Create an empty report."""
        self.same = 0
        self.skipped: dict[int, str] = {}
        self.difference: str | None = None

    def status(self) -> int:
        """Return the exit status of the command: 0, 1 for a difference, 2 if no call was run."""
        if self.difference is not None:
            return 1
        return 0 if self.same else 2

    def text(self) -> str:
        """Return the lines that the command prints."""
        lines = [f"call {number} was not run: {why}" for number, why in self.skipped.items()]
        if self.difference is not None:
            lines.append(self.difference)
        elif self.status() == 0:
            lines.append(f"{self.same} call{'' if self.same == 1 else 's'}, no difference")
        else:
            why = "no call could be run" if self.skipped else "the recording has no calls"
            lines.append(f"{why}, so nothing was compared")
        return "\n".join(lines)


def replay(calls: list[dict[str, Any]], tensors: dict[str, dict[str, Any]]) -> Report:
    """Run calls again; stop after the first call whose outcome differs from the recorded one.

    Nested calls are not run separately, because the outer call makes them.
    """
    report = Report()
    functions = _Functions()
    reader = Reader(tensors, functions.find)
    for call in calls:
        if call["depth"] != 0:
            continue
        if "end" not in call:
            report.skipped[call["begin"]] = "the process ended during the call"
            continue
        try:
            outcome = _run(call, reader, functions)
        except _UnavailableError as error:
            report.skipped[call["begin"]] = str(error)
            continue
        report.difference = _difference(call, outcome)
        if report.difference is not None:
            break
        report.same += 1
    return report


class _Functions:
    """Finds a function by its recorded kind, place and name; caches loaded modules."""

    def __init__(self) -> None:
        self._modules: dict[str, Any] = {}

    def find(self, identity: dict[str, str]) -> Any:
        kind, place, name = identity["kind"], identity["place"], identity["name"]
        if kind == "global":
            function = registry.get_global_func(name, allow_missing=True)
            if function is None:
                raise _UnavailableError(
                    f"function {name} is not registered; try --load or --import"
                )
            return function
        if kind == "module":
            try:
                if place not in self._modules:
                    self._modules[place] = load_module(place)
                return self._modules[place][name]
            except (OSError, RuntimeError, AttributeError) as error:
                raise _UnavailableError(str(error).partition("\n")[0]) from None
        if kind == "static":
            info = infos._info_of(core._object_type_key_to_index(place) or 0)
            function = getattr(info.type_cls, name, None) if info is not None else None
            if function is None:
                raise _UnavailableError(f"type {place} has no static method {name}; try --load")
            return function
        raise _UnavailableError(f"the function {name or '(without a name)'} cannot be looked up")

    def of_call(self, identity: dict[str, str], args: list[Any]) -> Any:
        if identity["kind"] != "method":
            return self.find(identity)
        name = identity["name"].rpartition(".")[2]
        found = getattr(type(args[0]), name, None) if args else None
        if found is None:
            raise _UnavailableError(f"the method {identity['name']} is not found")
        return found


def _run(call: dict[str, Any], reader: Reader, functions: _Functions) -> dict[str, Any]:
    args = [reader.value(arg) for arg in call["args"]]
    kwargs = {name: reader.value(arg) for name, arg in call.get("kwargs", {}).items()}
    for arg in (*args, *kwargs.values()):
        if _is_opaque(arg):
            raise _UnavailableError(f"an argument was not recorded: {arg!r}")
    function = functions.of_call(call["function"], args)
    writer = Writer(lambda name, data: None)
    outcome: dict[str, Any] = {}
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        outcome["error"] = {"type": type(error).__name__, "message": str(error)}
    else:
        outcome["result"] = writer.value(result)
    changed = {}
    for i, (arg, before) in enumerate(zip(args, call["args"])):
        now = writer.value(arg) if isinstance(before, dict) else before
        if now != before:
            changed[str(i)] = now
    if changed:
        outcome["changed"] = changed
    return outcome


def _is_opaque(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_is_opaque, value))
    if isinstance(value, dict):
        return any(map(_is_opaque, value.values()))
    return isinstance(value, Opaque)


def _difference(call: dict[str, Any], outcome: dict[str, Any]) -> str | None:
    for part in ("error", "result", "changed"):
        expected, found = call.get(part), outcome.get(part)
        if _without_framework(expected) == _without_framework(found):
            continue
        what = {"error": "the error", "result": "the result", "changed": "changed arguments"}[part]
        return (
            f"call {call['begin']} of {call['function']['name']} differs in {what}:\n"
            f"  recorded: {_short(expected, call)}\n  now:      {_short(found, outcome)}"
        )
    return None


def _without_framework(data: Any) -> Any:
    """Return the data without the frameworks of tensors and the texts of opaque values.

    A comparison ignores these parts.
    """
    if isinstance(data, list):
        return [_without_framework(item) for item in data]
    if isinstance(data, dict):
        if "tensor" in data:
            return data["tensor"]
        if "opaque" in data:
            return "opaque"
        return {key: _without_framework(value) for key, value in data.items()}
    return data


def _short(data: Any, outcome: dict[str, Any]) -> str:
    if data is None and "error" in outcome:
        return f"{outcome['error']['type']}: {outcome['error']['message']}"
    if data is None:
        return "none"
    text = json.dumps(data)
    return text if len(text) <= 300 else text[:300] + "..."


def __main__() -> int:  # noqa: N807 - named as in the other commands
    """Run the command on the arguments of the process, and return its exit status."""
    return main()


if __name__ == "__main__":
    sys.exit(__main__())
