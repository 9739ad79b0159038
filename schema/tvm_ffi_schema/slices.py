# SPDX-License-Identifier: Apache-2.0
"""What earlier runs made of each schema file, by content: only what changed is read and rendered.

The record lies in ``.tschema/slices`` and may be removed at any time. Nothing in it is executed: it
holds records of `ir` and plain values, and a record that is damaged, of another version of the tool
or of other options counts as none. Whenever a change could reach beyond its own file, everything is
read anew; what is remembered is used only where the result is known to be the same.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from dataclasses import dataclass, field
from typing import Any

from . import ir
from .diag import Bag
from .front import assemble, static_py
from .front.raw import ClassName, RawModule
from .ir import Module, Schema

_MAGIC = b"tschema-slices/2\n"
_MAX_BYTES = 256 << 20
_RECORDS = {
    name: value
    for name, value in vars(ir).items()
    if isinstance(value, type) and value.__module__ == ir.__name__
}


@dataclass
class FileSlice:
    """One schema file: its content, what it takes from others and gives to them, its module."""

    digest: bytes
    imports: tuple[str, ...]
    values_of: tuple[str, ...]
    values: tuple[str, ...]
    interface: bytes
    module: Module
    reaches_out: bool = False
    classes: dict[str, bytes] = field(default_factory=dict)

    def faces(self) -> tuple[object, ...]:
        """Return what other files can see of this one, and which of them it sees."""
        return self.imports, self.interface, self.values


class Slices:
    """The record of one project. Not to be shared between threads."""

    def __init__(self, root: str, key: str) -> None:
        self.path = os.path.join(root, ".tschema", "slices")
        self.key = key
        self.is_read = False  # whether the schema of this run came from here
        self.files: dict[str, FileSlice] = {}
        #: Each of `files` as it was read, or is written: what did not change is not packed again.
        self._packed: dict[str, tuple[FileSlice, bytes]] = {}
        self.outputs: dict[str, tuple[bytes, dict[str, list[int]]]] = {}
        self.made_outputs: dict[str, tuple[bytes, dict[str, list[int]]]] = {}
        self._load()

    def _load(self) -> None:
        try:
            if os.path.getsize(self.path) > _MAX_BYTES:
                return
            with open(self.path, "rb") as stream:
                data = stream.read()
            head, payload = data[: len(_MAGIC) + 16], data[len(_MAGIC) + 16 :]
            if head != _MAGIC + _sum(payload):
                return
            key, files, outputs = _Reader(io.BytesIO(payload)).load()
            if key == self.key:
                for path, packed in files.items():
                    one = self.files[path] = FileSlice(*_Reader(io.BytesIO(packed)).load())
                    self._packed[path] = one, packed
                self.outputs = outputs
        except Exception:
            # Whatever is wrong with the record: without it everything is read.
            self.files, self._packed, self.outputs = {}, {}, {}

    def save(self) -> None:
        """Write the record; a failure to do so is no failure of the run."""
        files = {path: self._pack(path, one) for path, one in self.files.items()}
        payload = pickle.dumps((self.key, files, self.made_outputs), protocol=4)
        temporary = f"{self.path}.{os.getpid()}"
        try:
            with open(temporary, "wb") as stream:
                stream.write(_MAGIC + _sum(payload) + payload)
            os.replace(temporary, self.path)
        except OSError:
            pass

    def _pack(self, path: str, one: FileSlice) -> bytes:
        known = self._packed.get(path)
        if known is not None and known[0] is one:
            return known[1]
        return pickle.dumps(tuple(vars(one).values()), protocol=4)

    # --- reading

    def read(self, paths: list[str], bag: Bag, namespace: str) -> Schema:
        """Return the schema of static files, as `assemble` makes it from all of them."""
        self.is_read = True
        found = {path: _content(path) for path in paths}
        changed = [p for p in paths if p not in self.files or self.files[p].digest != found[p]]
        if set(self.files) == set(paths) and len(changed) < len(paths):
            modules = self._reread(paths, changed, found, namespace)
            if modules is not None:
                return Schema(modules)
        return self._read_all(paths, found, bag, namespace)

    def _same(self, paths: list[str]) -> tuple[Module, ...]:
        return tuple(self.files[path].module for path in paths)

    def _read_all(
        self, paths: list[str], found: dict[str, bytes], bag: Bag, namespace: str
    ) -> Schema:
        before = len(bag.items)
        self.files = {}
        made = static_py.read_set(paths, bag)
        raws = [file.module for file in made.values()]
        schema = assemble.assemble(raws, bag, namespace)
        if len(bag.items) == before and len(made) == len(paths):
            by_path = zip(paths, made.values(), schema.modules)
            self.files = {p: _slice(found[p], file, module) for p, file, module in by_path}
        return schema

    def _reread(
        self, paths: list[str], changed: list[str], found: dict[str, bytes], namespace: str
    ) -> tuple[Module, ...] | None:
        """Read the changed files alone; None when that could give another result than all."""
        bag = Bag()
        known = {static_py.stem_of(p): set(s.values) for p, s in self.files.items()}
        stems = {static_py.stem_of(path) for path in changed}
        for stem in stems:
            del known[stem]
        made = static_py.read_set(paths, bag, changed, known)
        if bag.items or len(made) != len(changed):
            return None
        if any(one.reaches_out for one in self.files.values()):
            return None
        kept = [self.files[p].module for p in paths if p not in changed]
        raws = [file.module for file in made.values()]
        modules = dict(zip(changed, assemble.assemble(raws, bag, namespace, kept).modules))
        if bag.items:
            return None
        fresh: dict[str, FileSlice] = {}
        for path, file in zip(changed, made.values()):
            old, new = self.files[path], _slice(found[path], file, modules[path])
            fresh[path] = new
            if new.reaches_out or old.faces() != new.faces():
                return None
        if any(stems & set(one.values_of) for p, one in self.files.items() if p not in changed):
            return None
        self.files.update(fresh)
        return self._same(paths)

    # --- rendering

    def is_rendered(self, name: str, key: bytes, paths: list[str]) -> bool:
        """Tell whether the outputs of a slice are those of this key, untouched since."""
        old = self.outputs.get(name)
        if old is None or old[0] != key or set(old[1]) != set(paths):
            return False
        if any(stat_of(path) != seen for path, seen in old[1].items()):
            return False
        self.made_outputs[name] = old
        return True

    def rendered(self, name: str, key: bytes, paths: list[str]) -> None:
        """Note the outputs of a slice after they were written."""
        self.made_outputs[name] = (key, {path: stat_of(path) for path in paths})

    def class_digests(self) -> dict[str, bytes]:
        """Return the digest of every class that was read."""
        return {key: value for one in self.files.values() for key, value in one.classes.items()}


class _Reader(pickle.Unpickler):
    """Takes records of the intermediate form and plain values, and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        if module == ir.__name__ and name in _RECORDS:
            return _RECORDS[name]
        raise pickle.UnpicklingError(f"{module}.{name} is none of the records")


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def _text(value: object) -> bytes:
    """Return records without their places, which no output depends on."""
    return repr(value).encode("utf-8", "surrogatepass")


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return _sum(stream.read())
    except OSError:
        return b""


def stat_of(path: str) -> list[int]:
    """Return the size and the time of a file, or what no file has."""
    try:
        found = os.stat(path)
    except OSError:
        return [-1, 0]
    return [found.st_size, found.st_mtime_ns]


def _reaches_out(raw: RawModule) -> bool:
    """Tell whether a file can change what others mean."""
    by_hand = any("internal" in one.settings or one.kind == "mixin" for one in raw.classes)
    return bool(raw.extends) or by_hand


def _slice(digest: bytes, file: static_py.File, module: Module) -> FileSlice:
    stem = module.stem
    values = tuple(sorted(n for n, v in file.env.items() if v != ClassName(n, stem)))
    names = []
    for one in module.objects:
        entries = [entry.name for entry in one.enum.entries] if one.enum else []
        names.append((one.type_key, one.name, one.ref.name if one.ref else "", entries))
    interface = _sum(_text((names, module.externs)))
    return FileSlice(
        digest,
        tuple(sorted(file.imports)),
        tuple(sorted(file.values_of)),
        values,
        interface,
        module,
        _reaches_out(file.module),
        {one.type_key: _sum(_text(one)) for one in module.objects},
    )
