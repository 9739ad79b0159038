# SPDX-License-Identifier: Apache-2.0
"""Print the signatures of global functions, for `back.python_functions`.

This module runs in a separate process: ``python -c "...; main()"`` reads a request as JSON from
standard input, loads libraries, and prints the signatures as JSON in the last line. The stub
generator of the runtime writes the signatures.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from typing import Any


def main() -> None:
    """Read ``{"libraries": {prefix: path}, "classes": {type key: Python name}}``; print facts."""
    request = json.loads(sys.stdin.read())
    found = {}
    for prefix, path in request["libraries"].items():
        try:
            import_module("tvm_ffi").load_module(os.path.abspath(path))
            found[prefix] = signatures(prefix, request["classes"])
        except Exception as error:
            found[prefix] = {"error": f"{type(error).__name__}: {error}".splitlines()[0]}
    # Separate the JSON from text that the loaded libraries have written to standard output.
    sys.stdout.write("\n" + json.dumps(found) + "\n")


def signatures(prefix: str, classes: dict[str, str]) -> dict[str, Any]:
    """Return names, signatures and imports of all global functions named ``prefix.NAME``."""
    # Import dynamically, since type checkers run without the native part of the package.
    writing: Any = import_module("tvm_ffi.stub.python_generator.utils")
    names = _names(prefix)
    imports = writing.PythonImports(classes)
    imports.taken = frozenset(names)
    imports.defined = dict.fromkeys(names, "")
    lines = [writing.render_func_signature(n, _schema(f"{prefix}.{n}"), imports) for n in names]
    used = [(item.mod, item.text) for item in imports.items]
    return {"names": names, "lines": lines, "imports": used}


def _names(prefix: str) -> list[str]:
    writing: Any = import_module("tvm_ffi.stub.python_generator.utils")
    registry: Any = import_module("tvm_ffi.registry")
    every = (str(name).rpartition(".") for name in registry.list_global_func_names())
    return sorted(name for found, _, name in every if found == prefix and writing.is_name(name))


def _schema(name: str) -> Any:
    """Return the type of a function; without metadata, the type of functions of any signature."""
    known: Any = import_module("tvm_ffi.stub.type_text")
    api: Any = import_module("tvm_ffi._ffi_api")
    schema = json.loads(api.GetGlobalFuncMetadata(name) or "{}").get("type_schema")
    return known.named_type("Callable") if schema is None else known.read_schema(schema)
