# SPDX-License-Identifier: Apache-2.0
"""Make every file use the name and version of the distribution that ``pyproject.toml`` states.

    python tools/distribution_name.py    # write them into the files

To give the distribution another name, change ``name`` of ``[project]`` in ``pyproject.toml``, and
run the command. ``DISTRIBUTION`` in ``python/tvm_ffi/_distribution.py`` is the name that the other
files have now. The name of the project, its library and its commands stays ``tvm-ffi``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from repository import ROOT, files, toml

PROJECT = "pyproject.toml"
RECORD = "python/tvm_ffi/_distribution.py"
#: File -> the beginning of the line with the version.
VERSIONS = {RECORD: "VERSION", "schema/tvm_ffi_schema/_version.py": "__version__"}
#: Files in which the name is not replaced, since they describe released versions.
HISTORY = frozenset(("CHANGELOG.md",))
#: Files that contain the patterns below, or examples of matches.
EXCLUDED = frozenset(("tools/distribution_name.py", "tests/tools/test_distribution_name.py"))
#: Match `tvm-ffi` (the project) in places that must have the name of the distribution.
STRAY = tuple(
    re.compile(pattern)
    for pattern in (
        r"pip3? install [^`\n]*(?<![\w./-])tvm-ffi(?![\w.-])",
        r"""(?:requires|dependencies) *= *\[[^\]\n]*["']tvm-ffi["'\[=<>~! ]""",
        r"Requires-Dist: tvm-ffi(?![\w-])",
        r"""metadata\.\w+\(["']tvm-ffi["']""",
        r"pypi\.org/project/tvm-ffi(?![\w-])",
        r"""libinfo\.\w+\(["']tvm-ffi["']""",
    )
)


#: Match a command that fetches a distribution of this repository from PyPI, which has none of them
#: yet. Remove this pattern when they are published.
UNPUBLISHED = re.compile(
    r"pip3? install [^`\n]*(?:(?<![\w./-])(?:fast-tvm-ffi|tvm-ffi-schema)(?![\w.-])|DISTRIBUTION\})"
)


def stated(root: Path, entry: str = "name") -> str:
    """Return the name or another entry of ``[project]`` in ``pyproject.toml``."""
    found: str = toml(root / PROJECT)["project"][entry]
    return found


def recorded(root: Path, file: str = RECORD, name: str = "DISTRIBUTION") -> str:
    """Return the name, or a version, that a file has."""
    found = _line(name).search((root / file).read_text(encoding="utf-8"))
    if found is None:
        raise SystemExit(f"{file}: no {name}")
    return found[2]


def write_version(root: Path, version: str) -> None:
    """Write the version of the distribution into the files that have one."""
    for file, name in VERSIONS.items():
        path = root / file
        text = path.read_text(encoding="utf-8")
        path.write_text(_line(name).sub(rf"\g<1>{version}\g<3>", text), encoding="utf-8")


def _line(name: str) -> re.Pattern[str]:
    return re.compile(rf'^({name} = ")([^"]+)("$)', re.MULTILINE)


def _file_form(name: str) -> str:
    """Return a name in the form that is used in file names of wheels and metadata directories."""
    return re.sub(r"[-_.]+", "_", name).lower()


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def texts(root: Path) -> Iterator[tuple[Path, str]]:
    """Return the text files of the repository with their texts."""
    for name in files(root):
        path = root / name
        if name.as_posix() in HISTORY or path.is_symlink():
            continue
        try:
            yield path, path.read_bytes().decode()
        except UnicodeDecodeError:
            continue  # A picture.


def rename(root: Path, old: str, new: str) -> list[Path]:
    """Replace a name in all files; return the files that changed."""
    if not re.fullmatch(r"[A-Za-z0-9]+([-_.][A-Za-z0-9]+)*", new):
        raise SystemExit(f"{PROJECT}: {new!r} is not a name of a distribution")
    found = list(texts(root))
    forms = {old: new, _file_form(old): _file_form(new)}
    # If a file already contains the new name with another meaning, the next rename would replace
    # this text, too. Therefore reject the name.
    taken = [p for p, text in found if _word(new).search(text) and p.name != PROJECT]
    if taken:
        where = taken[0].relative_to(root)
        raise SystemExit(f"{new!r} has another meaning already, for example in {where}")
    changed = []
    for path, text in found:
        written = text
        for before, after in forms.items():
            pattern = before if before != old else _word(before)
            written = re.sub(pattern, after, written)
        if written != text:
            path.write_bytes(written.encode())
            changed.append(path)
    return changed


def uses(root: Path, patterns: Iterable[re.Pattern[str]]) -> list[str]:
    """Return the lines that one of the patterns matches."""
    return [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path, text in texts(root)
        if path.relative_to(root).as_posix() not in EXCLUDED
        for number, line in enumerate(text.splitlines(), 1)
        if any(pattern.search(line) for pattern in patterns)
    ]


def problems(root: Path) -> list[str]:
    """Return the uses of another name, and the files that do not have name and version."""
    new, version = stated(root), stated(root, "version")
    found = [f"{line}\n  `tvm-ffi` is not the distribution, {new} is" for line in uses(root, STRAY)]
    unpublished = "nothing is on PyPI: write `pip install .` or `./schema`"
    found += [f"{line}\n  {unpublished}" for line in uses(root, [UNPUBLISHED])]
    if new != (old := recorded(root)):
        found.append(f"{PROJECT} says {new}, {RECORD} {old}: run {Path(__file__).name}")
    return found + [
        f"{PROJECT} says {version}, {file} does not: run {Path(__file__).name}"
        for file, name in VERSIONS.items()
        if recorded(root, file, name) != version
    ]


def main(root: Path) -> None:
    """Write name and version."""
    new, old = stated(root), recorded(root)
    if new != old:
        changed = rename(root, old, new)
        print(f"{old} is now {new}: {len(changed)} files changed")
    write_version(root, stated(root, "version"))


if __name__ == "__main__":
    main(ROOT)
