# SPDX-License-Identifier: Apache-2.0
"""Count the public names, and the names whose reference entry is complete.

    python -m docs_site.names [--xml DIR]

The entry of a Python name needs a text. The entry of a function also needs the types of the
parameters and the result, and the names of the errors that the body of the function raises. The
entry of a C or C++ name needs a text. The exit status is 1 if an entry lacks something. ``--xml``
is the output of Doxygen; without it only Python is counted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs_site import cpp_names, python_names


def python_gaps() -> tuple[int, list[str]]:
    """Return the number of public Python names, and a line for each incomplete entry."""
    entries = list(python_names.everything())
    gaps = [f"{e.full_name}: {'; '.join(found)}" for e in entries if (found := e.gaps())]
    return len(entries), gaps


def native_gaps(xml: Path) -> tuple[dict[str, int], list[str]]:
    """Return the number of names of C and of C++, and a line for each name without a text."""
    names = cpp_names.names(xml)
    in_c = sum(name.header in cpp_names.C_HEADERS for name in names)
    gaps = [
        f"{cpp_names.TOP}{name.header}:{name.line}: {name.qualified}: no text"
        for name in names
        if not name.is_described
    ]
    return {"C": in_c, "C++": len(names) - in_c}, gaps


def report(xml: Path | None) -> int:
    """Print the counts of complete entries and the gaps; return 1 if there is a gap."""
    number, gaps = python_gaps()
    print(f"Python: {number - len(gaps)} of {number} public names have a complete entry")
    if xml is not None:
        counts, native = native_gaps(xml)
        total = sum(counts.values())
        parts = ", ".join(f"{language} {count}" for language, count in counts.items())
        print(f"C and C++: {total - len(native)} of {total} ({parts})")
        gaps += native
    for gap in gaps:
        print(gap, file=sys.stderr)
    return 1 if gaps else 0


def main() -> int:
    """Parse the arguments, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--xml", type=Path)
    return report(parser.parse_args().xml)


if __name__ == "__main__":
    sys.exit(main())
