# SPDX-License-Identifier: Apache-2.0
"""The cache of schema files: a run reads and renders only files with changed content again.

Loading the cache does not execute code: the cache holds only records and plain values. A
run ignores a cache that is damaged, or that another version of the tool or a run with other options
wrote. If a change in one file could affect other files, the run reads all files again. Therefore
the result always equals the result of a run without a cache.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from dataclasses import dataclass, replace
from typing import Any

from .. import diag, ir
from ..diag import Bag, Diagnostic
from ..files.paths import relative
from ..files.source import shown
from ..front import assemble, schema_files
from ..front.raw import ClassName
from ..ir import Module, Schema
from . import content_digest, read_slices, stat_of

_SUM_BYTES = 16
_RECORDS = {
    (source.__name__, name): value
    for source in (ir, diag)
    for name, value in vars(source).items()
    if isinstance(value, type) and value.__module__ == source.__name__
}


@dataclass
class FileSlice:
    """One schema file with the digest of its content, and the module that was read from it.

    `face` is a digest of what can affect other files; it is empty if everything can. `values` has
    the names of values that other files may import, `values_of` the files from which this file
    imports values. Every run reports the `warnings` of the readers again. `classes` has the digest
    of each class. `packed` has the cached bytes.
    """

    digest: str
    module: Module
    face: bytes
    values: tuple[str, ...]
    values_of: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    classes: dict[str, bytes]
    packed: bytes = b""


class Slices:
    """The cache of one project. Must not be shared between threads."""

    def __init__(self, root: str, key: str) -> None:
        self.root = root
        self.key = key
        self.is_read = False  # whether `read` returned the schema of this run
        self.files: dict[str, FileSlice] = {}
        #: File name relative to the root -> cached bytes, which `_unpack` converts to entries of
        #: `files`.
        self._recorded: dict[str, bytes] = {}
        self.outputs: dict[str, tuple[bytes, dict[str, list[int]]]] = {}
        self.made_outputs: dict[str, tuple[bytes, dict[str, list[int]]]] = {}
        data = read_slices(root)
        digest, payload = data[:_SUM_BYTES], data[_SUM_BYTES:]
        if digest != _sum(payload):
            return
        try:
            found, recorded, outputs = _Reader(payload).load()
            if found == key:
                self._recorded, self.outputs = recorded, outputs
        except Exception:
            return  # ignore a damaged cache: all files are read

    def packed(self) -> bytes:
        """Return the bytes of the cache that the run writes at its end."""
        recorded = self._recorded
        if self.is_read:
            names = {shown(path): relative(path, self.root) for path in self.files}
            names = {name: one for name, one in names.items() if os.path.isabs(name)}
            recorded = {
                relative(path, self.root): one.packed or _packed(one, names)
                for path, one in self.files.items()
            }
        payload = pickle.dumps((self.key, recorded, self.made_outputs), protocol=4)
        return _sum(payload) + payload

    def _unpack(self, paths: list[str]) -> None:
        """Fill `files` from the cache if the cache holds exactly the files in `paths`."""
        names = {relative(path, self.root): path for path in paths}
        if set(names) != set(self._recorded) or len(names) != len(paths):
            return
        files = {name: shown(path) for name, path in names.items()}
        try:
            for name, path in names.items():
                one = FileSlice(*_Reader(self._recorded[name], files).load())
                one.module = replace(one.module, path=path)
                one.packed = self._recorded[name]
                self.files[path] = one
        except Exception:
            self.files = {}  # ignore a damaged cache

    # --- reading

    def read(self, paths: list[str], bag: Bag, namespace: str) -> Schema:
        """Return the schema of static files, which are parsed and not run.

        Parse only the changed files if the result is the same as for parsing all files.
        """
        self.is_read = True
        self._unpack(paths)
        found = {path: content_digest(path) for path in paths}
        changed = [p for p in paths if p not in self.files or self.files[p].digest != found[p]]
        is_usual = bool(self.files) and len(changed) < len(paths)
        if is_usual and self._reread(paths, changed, found, namespace):
            bag.extend(item for path in paths for item in self.files[path].warnings)
            return Schema(tuple(self.files[path].module for path in paths))
        return self._read_all(paths, found, bag, namespace)

    def _read_all(
        self, paths: list[str], found: dict[str, str], bag: Bag, namespace: str
    ) -> Schema:
        before = len(bag.items)
        self.files = {}
        made = schema_files.read_set(paths, bag)
        raws = [file.module for file in made.values()]
        schema = assemble.assemble(raws, bag, namespace)
        items = bag.items[before:]
        is_clean = not any(item.severity == "error" for item in items)
        names = {shown(path) for path in paths}
        if is_clean and len(made) == len(paths) and all(i.span.file in names for i in items):
            by_path = zip(paths, made.values(), schema.modules)
            self.files = {
                path: _slice(found[path], file, module, self.root, items)
                for path, file, module in by_path
            }
        return schema

    def _reread(
        self, paths: list[str], changed: list[str], found: dict[str, str], namespace: str
    ) -> bool:
        """Read only the changed files; return False if other files may be affected."""
        bag = Bag()
        known = {p: set(s.values) for p, s in self.files.items() if p not in changed}
        made = schema_files.read_set(paths, bag, changed, known)
        if len(made) != len(changed) or not all(one.face for one in self.files.values()):
            return False
        kept = [self.files[p].module for p in paths if p not in changed]
        raws = [file.module for file in made.values()]
        modules = dict(zip(changed, assemble.assemble(raws, bag, namespace, kept).modules))
        if bag.has_errors:
            return False
        fresh: dict[str, FileSlice] = {}
        for path, file in zip(changed, made.values()):
            fresh[path] = _slice(found[path], file, modules[path], self.root, bag.items)
            if fresh[path].face != self.files[path].face:
                return False
        names = {relative(path, self.root) for path in changed}
        if any(names & set(one.values_of) for path, one in self.files.items() if path in known):
            return False
        self.files.update(fresh)
        return True

    # --- rendering

    def is_rendered(self, name: str, key: bytes, paths: list[str]) -> bool:
        """Return whether the outputs of a file were written for `key` and have not changed."""
        old = self.outputs.get(name)
        if old is None or old != (key, self._stats(paths)):
            return False
        self.made_outputs[name] = old
        return True

    def rendered(self, name: str, key: bytes, paths: list[str]) -> None:
        """Record the outputs of a file after they were written."""
        self.made_outputs[name] = (key, self._stats(paths))

    def _stats(self, paths: list[str]) -> dict[str, list[int]]:
        return {relative(path, self.root): stat_of(path) for path in paths}

    def class_digests(self) -> dict[str, bytes]:
        """Return type key -> digest, for every class that was read."""
        return {key: value for one in self.files.values() for key, value in one.classes.items()}


class _Writer(pickle.Pickler):
    """Replaces absolute names of schema files in spans by names relative to the root.

    It takes twice as long as `pickle.dumps`, so it is used only if there are absolute names.
    """

    def __init__(self, stream: io.BytesIO, names: dict[str, str]) -> None:
        super().__init__(stream, protocol=4)
        self._names = names

    def persistent_id(self, value: Any) -> str | None:
        return self._names.get(value) if type(value) is str else None


class _Reader(pickle.Unpickler):
    """Unpickles records of `ir` and `diag` and built-in values; any other class is an error."""

    def __init__(self, data: bytes, files: dict[str, str] | None = None) -> None:
        super().__init__(io.BytesIO(data))
        self._files = files or {}

    def persistent_load(self, name: str) -> str:
        return self._files[name]

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _RECORDS:
            raise pickle.UnpicklingError(f"{module}.{name} is none of the records")
        return _RECORDS[module, name]


def _sum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=_SUM_BYTES).digest()


def _text(value: object) -> bytes:
    """Return records as bytes; their `repr` has no spans, because outputs do not depend on them."""
    return repr(value).encode("utf-8", "surrogatepass")


def _packed(one: FileSlice, names: dict[str, str]) -> bytes:
    """Return a file as bytes; `names` maps absolute names of files to the names to store."""
    values = tuple(vars(replace(one, module=replace(one.module, path=""))).values())
    if not names:
        return pickle.dumps(values, protocol=4)
    stream = io.BytesIO()
    _Writer(stream, names).dump(values)
    return stream.getvalue()


def _slice(
    digest: str, file: schema_files.File, module: Module, root: str, items: list[Diagnostic]
) -> FileSlice:
    own, raw = file.places.file, file.module
    values = tuple(sorted(n for n, v in file.env.items() if v != ClassName(n, own)))
    names = []
    for one in module.objects:
        entries = [entry.name for entry in one.enum.entries] if one.enum else []
        names.append((one.type_key, one.name, one.ref.name if one.ref else "", entries))
    imports = sorted(relative(path, root) for path in file.imports)
    reaches_out = file.is_prototype or raw.extends or any(c.kind == "mixin" for c in raw.classes)
    return FileSlice(
        digest,
        module,
        b"" if reaches_out else _sum(_text((imports, values, names, module.externs))),
        values,
        tuple(relative(path, root) for path in file.values_of),
        tuple(item for item in items if item.span.file == own),
        {one.type_key: _sum(_text(one)) for one in module.objects},
    )
