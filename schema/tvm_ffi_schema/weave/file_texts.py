# SPDX-License-Identifier: Apache-2.0
"""Fill the `Plan` of a run: render each file, and keep the custom sections of the file on disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from ..back import cpp_file, cpp_width
from ..back.writer import Pieces
from ..config import Config
from ..config.outputs import DOCS_ROOT
from ..diag import Bag
from ..files import source, tokens
from ..ir import Module, Span
from ..link.program import Program
from . import custom_owners, markers
from .block_texts import Blocks
from .marked_files import MarkedFiles
from .markers import LEADERS
from .output import ORPHANED, Output, Plan
from .slice_keys import SliceKeys
from .targets import Targets
from .weave import Conservation, Emit, Policy, weave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..cache.slices import Slices


@dataclass
class Options:
    """The options of one run."""

    only: str = ""
    insert: bool = False
    prune: bool = False
    policy: Policy = field(default_factory=Policy)
    inplace_files: list[str] = field(default_factory=list)
    slices: Slices | None = None
    #: Class -> the place where the last run has found its marked block.
    blocks: dict[str, str] = field(default_factory=dict)
    #: Called with a path, the text of the file, and whether the tool owns the whole file. Returns
    #: the text to use, or reports a problem and returns None.
    repair: Callable[[str, str, bool], str | None] | None = None


class Work:
    """Fills one plan with the new content of each file."""

    def __init__(
        self, config: Config, program: Program, bag: Bag, options: Options, plan: Plan
    ) -> None:
        self.config = config
        self.program = program
        self.bag = bag
        self.options = options
        self.plan = plan
        self.blocks = Blocks(config, program, bag, options.only)
        self._whole: set[str] = set()
        self._removed: dict[str, list[markers.Custom]] = {}
        self.owners = custom_owners.Owners(program)
        self.keys: SliceKeys | None = None
        #: (entry of `plan.rendered`, number of findings before rendering) of the files in progress.
        self._pending: tuple[tuple[str, bytes, list[str]], int] | None = None
        plain = not (options.policy.force or options.only)
        known = options.slices is not None and options.slices.is_read
        if options.slices is not None and known and plain and not options.policy.normalize:
            self.keys = SliceKeys(program, config, options.slices.class_digests())

    # --- files that the tool owns as a whole

    def is_rendered(self, kind: str, module: Module, paths: list[str]) -> bool:
        """Return whether the files are current; if so, plan them unchanged.

        Otherwise, record the files for the cache of the next run.
        """
        if self.keys is None or self.options.slices is None:
            return False
        self.settle()
        name, key = f"{kind}:{module.key}", self.keys.of(module)
        if self.options.slices.is_rendered(name, key, paths):
            self.plan.outputs += [Output(path, None, None) for path in paths]
            return True
        self._pending = (name, key, paths), len(self.bag.items)
        return False

    def settle(self) -> None:
        """Record the files that were rendered last, unless that reported findings.

        Files with findings are rendered again by every run, so that every run reports the findings.
        """
        if self._pending is not None and self._pending[1] == len(self.bag.items):
            self.plan.rendered.append(self._pending[0])
        self._pending = None

    def full_cpp(self) -> None:
        """Plan the headers and sources that the tool owns as a whole."""
        root, config = self.config.root, self.config
        for module in self.program.schema.modules:
            if not module.objects:
                continue
            dialect = module.dialect or config.dialect
            files = cpp_file.of_files(self.program, module)
            headers = {os.path.join(root, config.cpp_include_root, n): n for n in files}
            source_path = os.path.join(root, cpp_file.source_name(module, config.cpp_source_root))
            if self.is_rendered("cpp", module, [*headers, source_path]):
                continue
            parsed = {path: self._owned_file(path) for path in [*headers, source_path]}
            self.owners.follow(m for m in parsed.values() if m is not None)
            found, anchors = custom_owners.of_files(m for m in parsed.values() if m is not None)
            custom_owners.check([c for group in files.values() for c in group], found, self.bag)
            made = custom_owners.cpp_options(config, found, anchors, dialect)
            for path, name in headers.items():
                pieces = cpp_file.header(self.program, module, name, files[name], made)
                self.whole(path, cpp_width.fitted(pieces), parsed[path])
            classes = [c for group in files.values() for c in group]
            pieces = cpp_file.source(self.program, module, classes, made)
            self.whole(source_path, cpp_width.fitted(pieces), parsed[source_path])

    def _owned_file(self, path: str) -> markers.MarkedFile | None:
        """Parse an existing generated file; report a file that the tool did not generate."""
        if not os.path.exists(path):
            return None
        found = source.read(path, self.bag, "TS120")
        if found is None:
            return None
        if not cpp_file.is_owned(found.text):
            self._report_other(path, 'move it away, or use mode = "inplace" with markers')
            return None
        text = self._repaired(path, found.text, whole=True)
        if text is None:
            return None
        parsed = markers.parse(source.shown(path), text, self.bag, whole=True)
        parsed.found = found
        return parsed

    def _report_other(self, path: str, help_: str) -> None:
        shown = source.shown(path)
        self.bag.add("TS115", f"{shown} was not made by this tool", Span(shown), help=help_)

    def _repaired(self, path: str, text: str, whole: bool) -> str | None:
        repair = self.options.repair
        return text if repair is None else repair(path, text, whole)

    def rust(self) -> None:
        """Plan the Rust modules, unless the schema has something that Rust cannot express."""
        from ..back import rust_file
        from ..back.rust_type import RustOptions

        made = RustOptions(self.config.rust_externs, self.config.license)
        before = len(self.bag.items)
        rust_file.check(self.program, made, self.bag)
        if len(self.bag.items) > before:
            return
        folder = os.path.join(self.config.root, self.config.rust_root)
        modules = rust_file.modules(self.program)
        for module in modules:
            path = os.path.join(folder, rust_file.file_name(module))
            if not self.is_rendered("rust", module, [path]):
                self.whole(path, rust_file.emit(self.program, module, made))
        if modules:
            self.whole(os.path.join(folder, rust_file.ROOT), rust_file.root(self.program))

    def whole(self, path: str, pieces: Pieces, parsed: markers.MarkedFile | None = None) -> None:
        """Plan a file that the tool owns as a whole."""
        if path in self._whole:
            text = f"{source.shown(path)} would be written twice"
            help_ = "give one of the modules another header, source or python"
            self.bag.add("TS023", text, Span(source.shown(path)), help=help_)
            return
        self._whole.add(path)
        if parsed is None:
            parsed = self._owned_file(path)
            self.owners.follow([parsed] if parsed is not None else [])
        if os.path.exists(path) and (parsed is None or not parsed.blocks):
            return  # an error was reported
        if parsed is None:
            opening, closing = LEADERS[tokens.language_of(path)]
            text = f"{opening}tschema: end{closing}\n"
            parsed = markers.parse(source.shown(path), text, self.bag, whole=True)
        self._weave(path, parsed, lambda block: pieces, whole=True)

    def pages(self) -> None:
        """Plan the files below the directory of documents."""
        if "docs" in self.config.outputs:
            from ..back import docs

            for name, pieces in docs.emit(self.program):
                self.whole(os.path.join(self.config.root, DOCS_ROOT, name), pieces)

    def unmarked(self, path: str, data: bytes, mark: bytes = b"") -> None:
        """Plan a file without markers; keep a file that does not begin with `mark`."""
        old: bytes | None = None
        if os.path.exists(path):
            old = source.read_bytes(path, self.bag, "TS120")
            if old is None:
                return
            if not old.startswith(mark):
                self._report_other(path, "move it away")
                return
        self.plan.outputs.append(Output(path, old, data))

    def _weave(
        self, path: str, parsed: markers.MarkedFile, emit: Emit, whole: bool = False
    ) -> None:
        """Plan a file with new content in its blocks."""
        policy, is_gone = self.options.policy, self.owners.is_gone
        try:
            woven = weave(parsed, emit, policy, self.bag, whole, is_gone)
        except Conservation as error:
            self.bag.add("TS901", str(error), Span(parsed.path))
            return
        # A run replaces files in this order, so that a killed run does not lose a section.
        self._keep_orphans(path, [*self._removed.get(path, ()), *woven.orphans])
        found = parsed.found
        old = None if found is None else found.data
        new = woven.text.encode() if found is None else found.encode(woven.text)
        self.plan.outputs.append(Output(path, old, new, woven.saved))

    def _keep_orphans(self, path: str, orphans: list[markers.Custom]) -> None:
        """Plan the file that saves custom sections of `path` whose class or method was removed."""
        beside = path + ORPHANED
        if not orphans and not os.path.exists(beside):
            return
        found = source.read(beside, self.bag, "TS120") if os.path.exists(beside) else None
        held = found.text if found is not None else ""
        shown = source.shown(path)
        text = custom_owners.orphaned(shown, held, [custom.text() for custom in orphans])
        old = found.data if found is not None else None
        self.plan.outputs.append(Output(beside, old, text.encode()))
        names = ", ".join(custom.anchor for custom in orphans)
        said = f"there is no place for {names} in {shown} any more"
        self.bag.add(
            "TS121",
            said if orphans else f"{source.shown(beside)} keeps custom sections of {shown}",
            orphans[0].span if orphans else Span(source.shown(beside)),
            help=f"its text goes to {source.shown(beside)}: move what is still needed, "
            "then remove that file",
        )

    # --- files of the user that contain generated blocks

    def in_place(self) -> None:
        """Plan the files with marked blocks."""
        files: dict[str, markers.MarkedFile] = {}
        marked = MarkedFiles(self.config, self.program, self.blocks, self.bag)
        last = {} if self.options.prune else self.options.blocks
        known = (os.path.join(self.config.root, at.rpartition(":")[0]) for at in last.values())
        for path in marked.paths([*self.options.inplace_files, *known]):
            if tokens.language_of(path) == "cpp" and "cpp" not in self.config.outputs:
                continue
            found = source.read(path, self.bag, "TS120")
            if found is None:
                continue
            if cpp_file.is_owned(found.text):
                marked.owned.add(os.path.realpath(path))
                continue  # a file that the mode `full` generated
            before = len(self.bag.items)
            repaired = self._repaired(path, found.text, whole=False)
            if repaired is None:
                continue
            text = marked.edited(path, repaired, self.options.prune, self.options.insert)
            parsed = markers.parse(source.shown(path), text, self.bag)
            broken = any(d.severity == "error" for d in self.bag.items[before:])
            if not broken:
                parsed.found = found
                files[path] = parsed
        self.owners.follow(files.values())
        targets = Targets(self.config, self.blocks, files, self.bag)
        targets.choose_parts()
        targets.check(marked.owned, last)
        self.plan.blocks = targets.places
        self._removed = marked.removed
        marked_cpp = (m for m in files.values() if m.language == "cpp")
        named, anchors = custom_owners.of_files(marked_cpp)
        for path, parsed in files.items():
            self.blocks.targets[path] = {block.key for block in parsed.blocks}
        blocks = (block for m in files.values() for block in m.blocks)
        named_classes = {block.key for block in blocks}
        held = [c for c in self.program.order if c.marker in named_classes]
        custom_owners.check(held, named, self.bag)
        self.blocks.claimed = set(targets.claimed)
        for path, parsed in files.items():
            made = custom_owners.cpp_options(self.config, named, anchors, self.config.dialect)
            self._weave(path, parsed, lambda b: self.blocks.emit(path, b, made))  # noqa: B023
