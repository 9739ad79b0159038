#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the exports of a runtime library with the promised list.

An exported name that is not in the list is an error, and a missing C function is an error. A
missing C++ symbol is reported; with ``--complete``, it is an error.

    python tools/check_exports.py build/dev/lib/libtvm_ffi.so [--complete]
"""

from __future__ import annotations

import argparse
import subprocess
import sys

import export_list


def exported(library: str) -> set[str]:
    """Return the dynamic symbols that the library defines."""
    command = ["nm", "-D", "--defined-only", "--format=posix", library]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # Absolute symbols (type A) are version names, not code or data.
    rows = [line.split() for line in out.splitlines()]
    return {row[0].partition("@")[0] for row in rows if len(row) > 1 and row[1] != "A"}


def soname(library: str) -> str:
    """Return the SONAME of the library, which clients record."""
    out = subprocess.run(
        ["readelf", "-d", library], check=True, capture_output=True, text=True
    ).stdout
    for line in out.splitlines():
        if "(SONAME)" in line:
            return line.rpartition("[")[2].rstrip("]")
    return ""


def main() -> int:
    """Print the differences."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("--complete", action="store_true", help="missing names are errors")
    args = parser.parse_args()
    c_names, cxx_names = export_list.promised()
    promised = {*c_names, *cxx_names}
    actual = exported(args.library)
    extra, missing = sorted(actual - promised), sorted(promised - actual)
    missing_c = [name for name in missing if name in set(c_names)]
    for name in extra:
        print(f"exported beyond the promised list: {name}", file=sys.stderr)
    for name in missing:
        print(f"promised and not exported: {name}", file=sys.stderr)
    wrong_name = soname(args.library) != "libtvm_ffi.so"
    if wrong_name:
        print(f"SONAME is {soname(args.library)!r}, not 'libtvm_ffi.so'", file=sys.stderr)
    print(f"{len(actual & promised)} of {len(promised)} promised names, {len(extra)} beyond them")
    return 1 if extra or missing_c or wrong_name or (args.complete and missing) else 0


if __name__ == "__main__":
    sys.exit(main())
