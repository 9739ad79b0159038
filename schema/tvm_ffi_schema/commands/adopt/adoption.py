# SPDX-License-Identifier: Apache-2.0
"""Run all steps of an adoption; repeat them with fewer classes until every step succeeds."""

from __future__ import annotations

import bisect
import copy
import dataclasses
import os
import re
import tempfile

from ...back import cpp_object, cpp_ref
from ...back.cpp_file import names_for
from ...back.cpp_type import CppNames
from ...back.writer import lines_of
from ...config import Config
from ...cxx.constructs import TABLE
from ...cxx.cursor import joined
from ...cxx.model import CppClass
from ...diag import Bag, Diagnostic, rules
from ...files import tokens
from ...files.paths import relative
from ...files.source import SourceFile
from ...ir import ExternDef, Module, ObjectDef
from ...link import reader
from ...link.program import Class, Program
from ...weave import custom_owners, plan
from . import body, class_def, declared, schema_file, tree, verify
from .class_def import Candidate
from .find import Found, before_name, find, is_complete
from .markup import Markup
from .tree import Refused
from .types import Types

_CLASS = re.compile(r"class (\w+)")
_ALIAS = re.compile(r"\bnamespace (\w+) = (?:::)?tvm::ffi;")
_QUALIFIED = re.compile(r"(?<![\w:])(\w+)::(?=[A-Z])")


class Stuck(Exception):  # noqa: N818 - the reason why nothing is written
    """The reason why no class can be adopted; it does not concern only one class."""


class Adoption:
    """One run of the command. The results are `schema_text`, `outputs` and `found`.

    `path` is the name of the schema file. `known` has the modules that the schema has already.
    """

    def __init__(
        self, files: dict[str, SourceFile], config: Config, path: str, known: list[Module]
    ) -> None:
        self.files = files
        self.config = dataclasses.replace(config, mode="inplace", outputs=["cpp"])
        self.path = path
        self.known = known
        self.schema_text = ""
        self.outputs: list[plan.Output] = []
        self.references: list[str] = []
        self.left_references: list[str] = []
        self.tree = tree.read(files, config.export_macros, config.object_macros)
        self.found: Found = find(self.tree, frozenset(config.object_macros))
        if not config.path:
            self.config.ffi_alias = config.ffi_alias = self._alias()
        self.options = custom_owners.cpp_options(self.config, {}, {}, config.dialect)
        self._refuse_declared()

    def _alias(self) -> str:
        """Return the alias of the runtime's namespace that all classes can use; empty for none."""
        scopes: dict[str, set[str]] = {}
        for one in self.found.candidates.values():
            text = one.file.text[one.found.first : one.found.closing]
            scopes.setdefault(one.found.place.scope, set()).update(_QUALIFIED.findall(text))
        texts = (file.text for file in self.tree.files.values())
        names: set[str] = {name for text in texts for name in _ALIAS.findall(text)}
        if any(scope.split("::")[0] == "tvm" for scope in scopes):
            names.add("ffi")
        for name in sorted(names):
            usable = {scope for scope, used in scopes.items() if name in used}
            usable |= {"tvm"} if name == "ffi" else set()
            if scopes and all(any(f"{s}::".startswith(f"{u}::") for u in usable) for s in scopes):
                return name
        return ""

    def run(self) -> None:
        """Find the classes that can be adopted, and compute the new texts.

        Raises
        ------
        Stuck
            If the texts cannot be computed, for a reason that does not concern only one class.

        """
        # The loop ends, since each round that fails refuses a class or changes a setting of a
        # candidate. Each of these settings can change only once.
        while self.found.candidates and not self._round():
            pass

    def _refuse_declared(self) -> None:
        """Refuse candidates that the schema already declares."""
        stem = os.path.splitext(os.path.basename(self.path))[0]
        present = {one.type_key: m.stem for m in self.known for one in m.objects}
        others = [module for module in self.known if module.stem != stem]
        present |= {one.type_key: m.stem for m in others for one in m.externs}
        for full, one in [*self.found.candidates.items()]:
            if one.key in present:
                text = f"the schema declares {one.key} already, in {present[one.key]}.py"
                help_ = "remove it there, or write the markers of a block yourself"
                self._refuse(full, Refused(text, one.found.span, help_))

    def _refuse(self, full: str, error: Refused) -> None:
        self.found.refused[full] = error
        self.found.candidates.pop(full)
        self.found.places.pop(full)

    def _round(self) -> bool:
        """Try all steps with the remaining classes; return whether they succeeded."""
        objects = self._objects()
        if objects is None:
            return False
        externs = declared.externs(self.tree, objects, self.known)
        objects, externs = declared.apart(objects, externs, self.known)
        if self._refuse_unusable(objects, externs):
            return False
        self.schema_text = self._text(objects, externs)
        program = self._read_back(objects)
        if program is None or not self._is_faithful(program, objects):
            return False
        markup = self._markup(program)
        texts = markup.texts()
        outputs = self._planned(program, texts)
        if not self._verified(outputs):
            return False
        self.outputs = outputs
        return True

    # --- schema

    def _objects(self) -> list[ObjectDef] | None:
        """Return the definitions of all candidates; None if a class was refused or none is left."""
        types = Types(self.tree.lookup, declared.keys(self.tree))
        out = []
        for full, one in [*self.found.candidates.items()]:
            try:
                out.append(class_def.definition(one, types, self._header(one)))
            except Refused as error:
                self._refuse(full, error)
        if not out or len(out) != len(self.found.candidates):
            return None
        return class_def.with_defaults(
            out, [one for m in self.known for one in m.objects], types.accepting_none
        )

    def _header(self, one: Candidate) -> str:
        path = os.path.realpath(one.file.path)
        root = os.path.realpath(self.config.root)
        include = os.path.realpath(os.path.join(self.config.root, self.config.cpp_include_root))
        base = include if path.startswith(include + os.sep) else root
        return relative(path, base)

    def _refuse_unusable(self, objects: list[ObjectDef], externs: list[ExternDef]) -> bool:
        """Refuse classes that use an extern class without a reference class.

        A schema cannot declare such an extern class. Return whether a class was refused.
        """
        bare = {one.type_key: one.name for one in externs if not one.ref}
        keys = {one.key: full for full, one in self.found.candidates.items()}
        found = False
        for one in objects:
            names = sorted(bare[k] for k in {one.parent, *schema_file.held(one)} & bare.keys())
            if names:
                text = (
                    f"{one.name} names {names[0]}, which is not adopted, and has no reference class"
                )
                full = keys[one.type_key]
                self._refuse(full, Refused(text, self.found.candidates[full].found.span))
                found = True
        return found

    def _text(self, objects: list[ObjectDef], externs: list[ExternDef]) -> str:
        """Return the text of the schema file with the adopted classes."""
        stem = os.path.splitext(os.path.basename(self.path))[0]
        module = next((m for m in self.known if m.stem == stem), None)
        elsewhere = {
            one.type_key: (one.name, other.stem)
            for other in self.known
            if other is not module
            for one in other.objects
        }
        if module is None:
            return schema_file.new(stem, objects, externs, elsewhere)
        with open(self.path, encoding="utf-8") as stream:
            text = stream.read()
        try:
            return schema_file.added(text, module, objects, externs, elsewhere)
        except schema_file.NotASchema as error:
            raise Stuck(f"no class can be added to {self.path}: {error}") from None

    def _read_back(self, objects: list[ObjectDef]) -> Program | None:
        """Read the new schema as `generate` does; on errors, refuse classes and return None."""
        bag = Bag()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.path.basename(self.path))
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(self.schema_text)
            others = [p for p in self.config.files() if not _is_same(p, self.path)]
            schema = reader.read([*others, path], bag, self.config.frontend)
            program = reader.linked(schema, bag)
        if not bag.has_errors:
            return program
        self._refuse_wrong([item for item in bag.items if item.severity == "error"], objects)
        return None

    def _refuse_wrong(self, errors: list[Diagnostic], objects: list[ObjectDef]) -> None:
        """Refuse the classes in which errors in the new schema are.

        An error in a class may be the consequence of an error in another class that it uses. Such
        a class is not refused before the other class.
        """
        lines = self.schema_text.splitlines()
        matches = [(number, _CLASS.match(line)) for number, line in enumerate(lines)]
        heads = [(number, match[1]) for number, match in matches if match is not None]
        by_name = {one.name: one for one in objects}
        wrong: dict[str, Diagnostic] = {}
        for item in errors:
            at = bisect.bisect_right(heads, (item.span.line + 1,)) - 1
            if item.span.line > 1 and at >= 0 and heads[at][1] in by_name:
                wrong.setdefault(by_name[heads[at][1]].type_key, item)
        used = {one.type_key: {one.parent, *schema_file.held(one)} for one in objects}
        causes = [key for key in wrong if not (used[key] - {key}) & wrong.keys()]
        if not wrong:
            raise Stuck(errors[0].message)
        keys = set(causes or [*wrong][:1])
        for full, one in [*self.found.candidates.items()]:
            if one.key in keys:
                item = wrong[one.key]
                help_ = rules.RULES[item.id].advice or item.help
                self._refuse(full, Refused(item.message, one.found.span, help_))

    def _is_faithful(self, program: Program, objects: list[ObjectDef]) -> bool:
        """Return whether the new schema gives the original C++ types and constructors.

        If it does not, record in the candidate that the C++ type of a field must be copied, or that
        the generator writes the constructors.
        """
        fine = True
        by_key = {one.key: one for one in self.found.candidates.values()}
        for wanted in objects:
            one = by_key[wanted.type_key]
            cls = program.classes[wanted.type_key]
            names = names_for(program, self.options, cls)
            if not one.has_ctor and self._makes_constructors(one, cls, names):
                one.has_ctor, fine = True, False
            for made in cls.d.fields:
                member = next(m for m in one.found.members if m.name == made.name)
                lookup, inside = self.tree.lookup, one.found.inside
                spelled = lookup.tokens(names.field_type(cls, made), inside)
                same = lookup.alike(lookup.tokens(member.type, inside), spelled)
                if (same and cls.member(made) == made.name) or made.name in one.verbatim:
                    continue
                one.verbatim.add(made.name)
                fine = False
        return fine

    def _makes_constructors(self, one: Candidate, cls: Class, names: CppNames) -> bool:
        """Return whether the generator would write the constructors that a class has."""
        if one.is_classic or not one.found.constructors:
            return False
        if any(method.name == "__init__" for method in cls.d.methods):
            return False
        made = copy.copy(cls)
        made.d = dataclasses.replace(cls.d, ctor=True)
        texts = [(one.found, one.pieces, cpp_object.constructors(made, names))]
        if one.ref is not None:
            pieces = self._reference_pieces(one, one.ref, names) or []
            texts.append((one.ref, pieces, [*cpp_ref.constructors(made, names)]))
        for found, pieces, lines in texts:
            made_here = [p for p in pieces if p.kind == "constructor"]
            if any(p.access != ("protected" if cls.d.abstract else "public") for p in made_here):
                return False
            own = [word for p in made_here for word in p.code]
            text = "\n".join(line for line in lines_of(lines) if line != " protected:")
            both = (own, tokens.code_lists(text, 0, len(text))[0])
            here, there = (verify.words([joined(code)], found, self.tree) for code in both)
            if here != there:
                return False
        return True

    # --- C++

    def _markup(self, program: Program) -> Markup:
        markup = Markup(self.options)
        self.references, self.left_references = [], []
        for full, one in self.found.candidates.items():
            cls = program.classes[one.key]
            markup.object_class(one, cls.marker)
            markup.registration(one, cls.marker, self.found.places[full])
            if one.ref is None:
                continue
            names = names_for(program, self.options, cls)
            pieces = self._reference_pieces(one, one.ref, names)
            if pieces is None:
                self.left_references.append(one.ref.full)
                continue
            self.references.append(one.ref.full)
            markup.reference(one, cls.ref_marker, one.ref, self.tree.file(one.ref), pieces)
        return markup

    def _reference_pieces(
        self, one: Candidate, ref: CppClass, names: CppNames
    ) -> list[body.Piece] | None:
        """Return the members of a reference class; None if it is too unusual to become a block."""
        if ref.macro is None or one.enum_base:
            return None
        dialect = "classic" if one.is_classic else "modern"
        usual = TABLE.row("BODY", "ref", ref.macro.is_nullable, dialect).first
        parent = names.ref_class(one.parent)
        try:
            file = self.tree.file(ref)
            pieces = body.pieces(ref, file, frozenset(self.config.object_macros))
        except Refused:
            return None
        macros = [p for p in pieces if p.kind == "macro" and p.names[0] == ref.macro.name]
        fits = (
            ref.macro.name == usual
            and not before_name(ref, file)
            and not ref.params
            and len(ref.bases) == 1
            and len(macros) == 1
            and self.tree.lookup.same_class(ref.bases[0], ref.inside, parent)
            and is_complete(ref, file)
        )
        return pieces if fits else None

    def _planned(self, program: Program, texts: dict[str, str]) -> list[plan.Output]:
        """Run the in-place generator on texts with markers; return the outputs that change."""
        marked = {os.path.realpath(path): text for path, text in texts.items()}
        options = plan.Options(
            inplace_files=list(texts),
            repair=lambda path, text, whole: marked.get(os.path.realpath(path), text),
        )
        bag = Bag()
        made = plan.make(self.config, program, bag, options)
        for item in bag.items:
            if item.severity == "error":
                raise Stuck(f"{item.span.file}:{item.span.line}: {item.message}")
        return [output for output in made.outputs if output.new not in (None, output.old)]

    # --- verification

    def _verified(self, outputs: list[plan.Output]) -> bool:
        """Return whether all classes keep their meaning; refuse the classes that do not."""
        texts = dict(self.files)
        for output in outputs:
            near = next((p for p in texts if _is_same(p, output.path)), "")
            if near:
                texts[near] = SourceFile(near, output.new or b"", texts[near].encoding)
        after = tree.read(texts, self.config.export_macros, self.config.object_macros)
        fine = True
        for full, one in [*self.found.candidates.items()]:
            made = verify.respelled(one, self.tree, after)
            if made:
                one.by_hand, fine = made, False
                continue
            try:
                problem = next(iter(verify.differences(one, self.tree, after)), None)
            except Refused as error:  # `verify` cannot read the registration
                problem = str(error)
            if problem is not None:
                text = f"generated text of {one.found.name} would not be the same: {problem}"
                self._refuse(full, Refused(text, one.found.span))
                fine = False
        return fine


def _is_same(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
