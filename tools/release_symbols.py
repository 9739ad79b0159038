# SPDX-License-Identifier: Apache-2.0
"""Write the table of symbols and hooks: the releases of the peer that have each of them.

    python tools/release_symbols.py FOLDER    # write the table from the wheels in FOLDER

FOLDER has one wheel of each release for Linux, which these commands fetch:

    for v in 0.1.0 0.1.1 ...; do
      pip download --no-deps --only-binary :all: --dest FOLDER apache-tvm-ffi==$v
    done

The tool reads only ``libtvm_ffi.so`` in each wheel: the exported names, as ``nm -D --defined-only``
prints them, and the string constants that have the form of a hook, ``__x__``. These names are facts
about the interface. A name of the form ``__x__`` does not identify a release if older headers used
it for another purpose, or if it is not a hook; `NOT_HOOKS` lists these names.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path

from repository import ROOT

sys.path.insert(0, str(ROOT / "python"))

from tvm_ffi_commands import module, pep440

TABLE = ROOT / "python" / "tvm_ffi" / "stub" / "abi_releases.json"
LIBRARY = "tvm_ffi/lib/libtvm_ffi.so"
#: Name with the form of a hook -> the reason why it does not identify a release.
NOT_HOOKS = {
    "__gmon_start__": "of the C library",
    "__ffi_init__": "libraries of all releases register constructors as methods of this name",
}


def read_wheel(path: Path) -> tuple[set[str], set[str]]:
    """Return the symbols and the hooks of the runtime in a wheel."""
    floor, elf = module("stub.abi_floor"), module("stub.elf")
    with zipfile.ZipFile(path) as archive:
        content = archive.read(LIBRARY)
    exported = elf.read_symbols(content).defined
    return floor.symbols_of(exported), set(floor.strings_of(content)) - set(NOT_HOOKS)


def spans(per_release: list[tuple[str, set[str]]]) -> dict[str, list[str | None]]:
    """Return name -> [first release with the name, last release or None for the newest]."""
    found: dict[str, list[str | None]] = {}
    for version, names in per_release:
        for name in names:
            first = found[name][0] if name in found else version
            found[name] = [first, version]
    newest = per_release[-1][0]
    for entry in found.values():
        if entry[1] == newest:
            entry[1] = None
    return dict(sorted(found.items()))


def make_table(folder: Path) -> str:
    """Return the text of the table."""
    wheels = {}
    for path in folder.glob("apache_tvm_ffi-*.whl"):
        version = pep440.parse(path.name.split("-")[1])
        if version is None:
            raise SystemExit(f"{path}: the name has no version")
        wheels[version.order()] = (str(version), path)
    if not wheels:
        raise SystemExit(f"{folder}: no wheel of apache-tvm-ffi")
    read = [(version, *read_wheel(path)) for _, (version, path) in sorted(wheels.items())]
    tables = {
        "symbols": spans([(version, symbols) for version, symbols, _ in read]),
        "hooks": spans([(version, hooks) for version, _, hooks in read]),
    }
    # Write one name per line.
    parts = [f'  "releases": {json.dumps([version for version, _, _ in read])}']
    for key, table in tables.items():
        rows = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in table.items()]
        parts.append(f'  "{key}": {{\n' + ",\n".join(rows) + "\n  }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    TABLE.write_text(make_table(Path(sys.argv[1])), encoding="utf-8")
