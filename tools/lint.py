# SPDX-License-Identifier: Apache-2.0
"""Run the checks of the tree and print what they find: ``make lint``.

python tools/lint.py                        # all of CHECKS
python tools/lint.py check_spdx conformance # only the named ones
"""

from __future__ import annotations

import importlib
import sys

from repository import ROOT

#: Modules of this folder; each has a function ``problems`` of the root of the tree.
CHECKS = (
    "check_spdx",
    "size_budget",
    "check_arrows",
    "check_imports",
    "check_language",
    "check_promise",
    "generate",
    "distribution_name",
    "conformance",
    "last_green",
)


def main(names: list[str]) -> int:
    """Run the named checks; return 1 if one of them finds a problem."""
    found = [p for name in names or CHECKS for p in importlib.import_module(name).problems(ROOT)]
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
