# SPDX-License-Identifier: Apache-2.0
"""The work of a plan: each output is rendered, woven into what is on disk, and noted."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from . import customs, planned, source
from .back import cpp_file, cpp_width
from .back.writer import Pieces
from .blocks import Blocks
from .config import OUTPUTS, Config
from .diag import Bag
from .inplace import MarkedFiles
from .ir import Module, Span
from .passes.program import Program
from .planned import Output, Plan
from .slice_keys import SliceKeys
from .source import SourceFile
from .weave import markers, tokens
from .weave.weave import Conservation, Policy, Result, weave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .slices import Slices


@dataclass
class Options:
    """Wishes of one run."""

    only: str = ""
    insert: bool = False
    prune: bool = False
    indent_custom: bool = False
    policy: Policy = field(default_factory=Policy)
    inplace_files: list[str] = field(default_factory=list)
    slices: Slices | None = None


class Work:
    """Fills one plan: what each file shall hold, woven into what it holds."""

    def __init__(
        self, config: Config, program: Program, bag: Bag, options: Options, plan: Plan
    ) -> None:
        self.config = config
        self.program = program
        self.bag = bag
        self.options = options
        self.plan = plan
        self.blocks = Blocks(config, program, bag, options.only)
        self._originals: dict[str, SourceFile] = {}
        self._whole: set[str] = set()
        self.keys: SliceKeys | None = None
        plain = options.policy.guard == "sum" and not (options.policy.force or options.only)
        plain = plain and not options.indent_custom
        known = options.slices is not None and options.slices.is_read
        if options.slices is not None and known and plain and not options.policy.normalize:
            self.keys = SliceKeys(program, config, options.slices.class_digests())

    # --- whole files

    def is_rendered(self, kind: str, module: Module, paths: list[str]) -> bool:
        """Tell whether files are what an earlier run made of the same; else plan to note that."""
        if self.keys is None or self.options.slices is None:
            return False
        name, key = f"{kind}:{module.stem}", self.keys.of(module)
        if self.options.slices.is_rendered(name, key, paths):
            self.plan.outputs += [Output(path, None, None) for path in paths]
            return True
        self.plan.rendered.append((name, key, paths))
        return False

    def full_cpp(self) -> None:
        """Plan the headers and sources that the tool owns."""
        root, config = self.config.root, self.config
        for module in self.program.schema.modules:
            if not module.objects:
                continue
            dialect = module.dialect or config.dialect
            files = cpp_file.of_files(self.program, module)
            headers = {os.path.join(root, config.cpp_include_root, n): n for n in files}
            source_path = os.path.join(root, config.cpp_source_root, cpp_file.source_name(module))
            if self.is_rendered("cpp", module, [*headers, source_path]):
                continue
            parsed = {path: self._owned_file(path) for path in [*headers, source_path]}
            found, anchors = customs.of_files(m for m in parsed.values() if m is not None)
            customs.check([c for group in files.values() for c in group], found, self.bag)
            made = customs.cpp_options(config, found, anchors, dialect)
            for path, name in headers.items():
                pieces = cpp_file.header(self.program, module, name, files[name], made)
                self.whole(path, cpp_width.fitted(pieces), parsed[path])
            classes = [c for group in files.values() for c in group]
            pieces = cpp_file.source(self.program, module, classes, made)
            self.whole(source_path, cpp_width.fitted(pieces), parsed[source_path])

    def _owned_file(self, path: str) -> markers.MarkedFile | None:
        """Parse a generated file that is there; report one that is not the tool's."""
        if not os.path.exists(path):
            return None
        found = source.read(path, self.bag, "TS120")
        if found is None:
            return None
        self._originals[path] = found
        if cpp_file.FIRST_LINE not in found.text.partition("\n")[0]:
            self.bag.add(
                "TS115",
                f"{source.shown(path)} was not made by this tool",
                Span(source.shown(path)),
                help='move it away, or use mode = "inplace" with markers',
            )
            return None
        parsed = markers.parse(source.shown(path), found.text, self.bag, whole=True)
        return self._indented(parsed, whole=True)

    def whole(self, path: str, pieces: Pieces, parsed: markers.MarkedFile | None = None) -> None:
        """Plan a file that the tool owns."""
        if path in self._whole:
            text = f"{source.shown(path)} would be written twice"
            help_ = "give one of the modules another header, source or python"
            self.bag.add("TS023", text, Span(source.shown(path)), help=help_)
            return
        self._whole.add(path)
        if parsed is None:
            parsed = self._owned_file(path)
        if parsed is None and os.path.exists(path):
            return  # reported
        if parsed is not None and not parsed.blocks:
            return  # reported
        old: bytes | None = None
        if parsed is None:
            language = tokens.language_of(path)
            opening, closing = {"cpp": ("// ", "")}.get(
                language, ("<!-- ", " -->") if language == "markdown" else ("# ", "")
            )
            text = f"{opening}tschema: end{closing}\n"
            parsed = markers.parse(source.shown(path), text, self.bag, whole=True)
        else:
            original = self._originals[path]
            old = original.encode(original.text)
        woven = self._woven(parsed, lambda block: pieces, whole=True)
        if woven is None:
            return
        new = self._originals[path].encode(woven.text) if old is not None else woven.text.encode()
        self.plan.outputs.append(Output(path, old, new, woven.saved))

    def plugged(self) -> None:
        """Plan the files of back ends of other packages."""
        if set(self.config.outputs) <= set(OUTPUTS):
            return
        from . import backends

        for name, pieces in backends.emit(self.config, self.program, self.bag):
            self.whole(os.path.join(self.config.root, name), pieces)

    def functions(self) -> None:
        """Plan the stubs of the global functions of libraries; those that cannot be read stay."""
        if not self.config.functions:
            return
        from .back import python_functions

        folder = os.path.join(self.config.root, self.config.python_root)
        for name, pieces in python_functions.emit(self.config, self.program, self.bag):
            self.whole(os.path.join(folder, name), pieces)

    def pages(self) -> None:
        """Plan the files below the directory of documents."""
        made: list[tuple[str, Pieces]] = []
        if "docs" in self.config.outputs:
            from .back import docs

            made += docs.emit(self.program)
        if {"dot", "mermaid"} & set(self.config.outputs):
            from .back import diagram

            if "dot" in self.config.outputs:
                made.append(("schema.dot", diagram.dot(self.program)))
            if "mermaid" in self.config.outputs:
                made.append(("diagram.md", diagram.mermaid(self.program)))
        for name, pieces in made:
            self.whole(os.path.join(self.config.root, self.config.docs_root, name), pieces)

    def binary(self, path: str, data: bytes) -> None:
        """Plan an image; a file of somebody else is left alone."""
        self._add(planned.of_image(path, data, self.bag))

    def plain(self, path: str, text: str) -> None:
        """Plan a file without markers."""
        self._add(planned.of_text(path, text, self.bag))

    def _add(self, output: Output | None) -> None:
        if output is not None:
            self.plan.outputs.append(output)

    def _woven(
        self, parsed: markers.MarkedFile, emit: object, whole: bool = False
    ) -> Result | None:
        try:
            woven = weave(parsed, emit, self.options.policy, self.bag, whole)  # type: ignore[arg-type]
        except Conservation as error:
            self.bag.add("TS901", str(error), Span(parsed.path))
            return None
        self.plan.sums.update(woven.sums)
        clang = self.config.format == "clang-format" and parsed.language == "cpp"
        if clang and woven.text != "".join(parsed.lines):
            from .weave import clang_format

            woven.text = clang_format.formatted(parsed.path, woven.text, self.bag, whole)
        return woven

    def _indented(self, parsed: markers.MarkedFile, whole: bool = False) -> markers.MarkedFile:
        """Indent the custom sections of a file, when asked to; they are conserved like that."""
        if not self.options.indent_custom or self.bag.has_errors:
            return parsed
        from .weave import indent

        try:
            text = indent.indented(parsed)
        except ValueError as error:
            self.bag.add("TS901", str(error), Span(parsed.path))
            return parsed
        return markers.parse(parsed.path, text, Bag(), whole)

    # --- in place

    def in_place(self) -> None:
        """Plan the files that hold blocks."""
        files: dict[str, tuple[SourceFile, markers.MarkedFile]] = {}
        marked = MarkedFiles(self.config, self.program, self.blocks, self.bag)
        for path in marked.paths(self.options.inplace_files):
            if tokens.language_of(path) == "cpp" and "cpp" not in self.config.outputs:
                continue
            found = source.read(path, self.bag, "TS120")
            if found is None:
                continue
            if cpp_file.FIRST_LINE in found.text.partition("\n")[0]:
                marked.owned.add(os.path.realpath(path))
                continue  # a whole file of the other mode
            before = len(self.bag.items)
            text = marked.edited(path, found.text, self.options.prune, self.options.insert)
            parsed = markers.parse(source.shown(path), text, self.bag)
            broken = any(d.severity == "error" for d in self.bag.items[before:])
            if not broken:
                files[path] = (found, self._indented(parsed))
        marked.check_targets(files)
        for path, kept in marked.removed:
            self.plan.outputs.append(Output(path, None, None, [kept]))
        marked_cpp = (m for _, m in files.values() if m.language == "cpp")
        named, anchors = customs.of_files(marked_cpp)
        for path, (_, parsed) in files.items():
            self.blocks.targets[path] = {block.target for block in parsed.blocks}
        every = [block for _, m in files.values() for block in m.blocks]
        targets = {block.target.rpartition("::")[2] for block in every}
        held = [c for c in self.program.order if c.obj in targets]
        customs.check(held, named, self.bag)
        self.blocks.claimed = {
            (b.target, b.part) for _, m in files.values() for b in m.blocks if b.part
        }
        for path, (found, parsed) in files.items():
            made = customs.cpp_options(self.config, named, anchors, self.config.dialect)
            woven = self._woven(parsed, lambda block: self.blocks.emit(path, block, made))  # noqa: B023
            if woven is not None:
                old = found.encode(found.text)
                self.plan.outputs.append(Output(path, old, found.encode(woven.text), woven.saved))
