# SPDX-License-Identifier: Apache-2.0
"""Write a Python module and a stub of the global functions with each configured name prefix."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from ..config import Config
from ..diag import Bag
from ..files.source import shown
from ..link.program import Program
from . import python_text
from .cpp_file import FIRST_LINE
from .python_type import binding_module, python_name, relative
from .writer import Pieces

_PROGRAM = "from tvm_ffi_schema.front.function_facts import main; main()"


def libraries(config: Config) -> dict[str, str]:
    """Return name prefix -> path of its library; empty if no output needs the libraries."""
    if not {"python", "pyi"} & set(config.outputs):
        return {}
    return {prefix: os.path.join(config.root, path) for prefix, path in config.functions.items()}


def module_of(prefix: str) -> str:
    """Return the module name for a prefix; the stub generator uses the same name."""
    return f"{prefix}._ffi_api"


def file_names(prefix: str, outputs: list[str]) -> list[str]:
    """Return the paths, below the Python root, of the files for a prefix."""
    path = module_of(prefix).replace(".", "/")
    ends = (("python", ".py"), ("pyi", ".pyi"))
    return [path + end for output, end in ends if output in outputs]


def emit(config: Config, program: Program, bag: Bag) -> Iterator[tuple[str, Pieces]]:
    """Yield (path below the Python root, text) for each file of each library that can be loaded.

    Another process loads the libraries. If a library is missing, report this; the files of an
    earlier run then remain.
    """
    there = {}
    for prefix, path in libraries(config).items():
        if os.path.isfile(path):
            there[prefix] = path
        else:
            _report(f"there is no library {shown(path)} yet", prefix, config, bag)
    found = _facts(there, program) if there else {}
    for prefix in there:
        facts = found[prefix]
        if "error" in facts:
            text = f"{shown(there[prefix])} cannot be loaded: {facts['error']}"
            _report(text, prefix, config, bag)
        elif not facts["names"]:
            text = f"{shown(there[prefix])} registers no function {prefix}.*"
            _report(text, prefix, config, bag)
        else:
            for name in file_names(prefix, config.outputs):
                yield name, _text(prefix, facts, name.endswith(".pyi"), config)


def _report(text: str, prefix: str, config: Config, bag: Bag) -> None:
    help_ = f"the stubs of {prefix} stay as they are; generate again when it is built"
    bag.add("TS612", text, config.place(prefix, "functions"), help=help_)


def _facts(there: Mapping[str, str], program: Program) -> dict[str, Any]:
    classes = {c.type_key: f"{binding_module(c)}.{python_name(c)}" for c in program.order}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=json.dumps({"libraries": dict(there), "classes": classes}),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    try:
        data = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None
    except (ValueError, IndexError):
        data = None
    if isinstance(data, dict):
        return data
    reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
    if done.returncode < 0:
        reason = f"the process that loaded it was ended by signal {-done.returncode}"
    return {prefix: {"error": reason} for prefix in there}


def _text(prefix: str, facts: dict[str, Any], is_stub: bool, config: Config) -> Pieces:
    lines = _import_lines(prefix, facts["imports"])
    out: Pieces = [f"# {FIRST_LINE} {os.path.basename(config.functions[prefix])}."]
    if is_stub:
        return [*out, *lines, *([""] if lines else []), *facts["lines"]]
    out += [f'"""Global functions `{prefix}.*`."""', "", "from __future__ import annotations", ""]
    out += ["from typing import TYPE_CHECKING", "", "from tvm_ffi import init_ffi_api as _init", ""]
    out += ["__all__ = [", *(f'    "{name}",' for name in facts["names"]), "]", ""]
    out += [f'_init("{prefix}", __name__)', "", "if TYPE_CHECKING:"]
    body = [*lines, *([""] if lines else []), *facts["lines"]]
    return [*out, *(f"    {line}" if line else "" for line in body)]


def _import_lines(prefix: str, imports: list[list[str]]) -> list[str]:
    names: dict[str, set[str]] = {}
    for module, text in imports:
        names.setdefault(relative(module, prefix), set()).add(text)
    return python_text.import_lines(names)
