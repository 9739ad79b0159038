# SPDX-License-Identifier: Apache-2.0
"""Start the process that loads a library or Python files and prints the registered types."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from ..diag import Bag
from ..ir import Span
from .registry_facts import ATTRIBUTES

_PROGRAM = "from tvm_ffi_schema.front.registry_facts import main; main()"


def facts_of(
    kind: str, sources: list[str], bag: Bag, attributes: Sequence[str] = ()
) -> list[dict[str, Any]] | None:
    """Return the facts of all registered types, from another process; None after an error.

    Errors are reported. `attributes` has the names of the type attributes to read.
    """
    environ = {**os.environ, ATTRIBUTES: json.dumps(list(attributes))}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, kind, *sources],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env=environ,
    )
    lines = done.stdout.splitlines()
    try:
        data = json.loads(lines[-1]) if done.returncode == 0 and lines else None
    except ValueError:
        data = None
    if isinstance(data, list):
        return data
    reasons = done.stderr.strip().splitlines() or ["no reason"]
    if done.returncode < 0:
        reasons.append(f"the process that loaded it was ended by signal {-done.returncode}")
    text = f"{', '.join(sources)} cannot be loaded: {reasons[-1]}"
    bag.add("TS431", text, Span(sources[0]))
    return None
