# SPDX-License-Identifier: Apache-2.0
"""Write a module of the IR as a schema file."""

from __future__ import annotations

import math
import textwrap
from typing import Any

from ..ir import ROOT_KEY, Default, EntryDef, FieldDef, MethodDef, Module, ObjectDef, TypeRef
from ..ir.names import stripped
from ..link.program import RUNTIME, held_classes
from .schema_doc import docstring, safe
from .writer import one_line

_HEADER = ("namespace", "header", "source", "python", "export", "dialect")
_CLASS_TEXTS = ("structural_eq", "namespace", "header", "renamed_from", "deprecated")
_SWITCHES = {"mutable": False, "final": None, "abstract": False, "sealed": False, "ctor": True}
_BASES = {"enum": "Enum", "int": "IntEnum", "str": "StrEnum", "object": "Object", "": "Object"}
_WIDTH = 100


def emit(module: Module) -> str:
    """Return the text of a schema file; reading this file gives the definitions of the module."""
    return SchemaWriter(module).text()


class SchemaWriter:
    """Writes one module. Callers may add the names of classes in other modules to `names`."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.words = {"module"}
        self.imports: set[str] = set()
        self.names = {one.type_key: one.name for one in module.objects}
        self.names.update({one.type_key: one.name for one in module.externs})
        self.aliases: dict[str, str] = {}
        self.seen: set[str] = {one.type_key for one in module.externs}

    def body(self) -> list[str]:
        """Return the lines of all classes; add the used names to `words` and `imports`."""
        body: list[str] = []
        for one in self.module.externs:
            self.words.add("extern")
            given = {"obj": one.obj, "ref": one.ref, "header": one.header}
            options = [f"{name}={_literal(value)}" for name, value in given.items() if value]
            if one.parent != ROOT_KEY:
                options.append(f"parent={_literal(one.parent)}")
            if one.slots >= 0:
                options.append(f"slots={one.slots}")
            body += _call(f"{one.name} = extern", [_literal(one.type_key), *options], "")
        for cls in self.module.objects:
            body += ["", "", *self._class(cls)]
            self.seen.add(cls.type_key)
        return body

    def text(self) -> str:
        """Return the whole file."""
        body = self.body()
        head = [f'"""{safe(self.module.doc or f"Objects of {self.module.stem}.")}"""', ""]
        head += [*sorted(self.imports), *([""] if self.imports else [])]
        words = sorted(self.words, key=lambda w: (not w.isupper(), not w[0].isupper(), w))
        head += _call("from tvm_ffi.schema import ", words, "", brackets="if long")
        options = [
            f"{name}={_literal(getattr(self.module, name))}"
            for name in _HEADER
            if getattr(self.module, name)
        ]
        options += [f"closed={self.module.closed}"] if self.module.closed else []
        for name in ("includes", "source_includes"):
            if getattr(self.module, name):
                options.append(f"{name}={_literal(list(getattr(self.module, name)))}")
        head += ["", *_call("__tschema__ = module", options, "")]
        aliases = [f"{name} = {text}" for text, name in self.aliases.items()]
        if aliases:
            head += ["", *aliases]
        return "\n".join([*head, *([""] if self.module.externs else []), *body]) + "\n"

    # --- classes

    def _class(self, one: ObjectDef) -> list[str]:
        self.words.add("declare")
        base = _BASES[one.enum.base if one.enum is not None else ""]
        if one.parent in RUNTIME:
            self.words.add(base)
        else:
            base = self.names.get(one.parent, one.parent.rpartition(".")[2])
        lines = ["@declare", f"class {one.name}({base}):", *docstring(one.doc, one.fields)]
        allowed = ", ".join(dict.fromkeys(one.allow))
        comment = (
            f"  # tschema: allow {allowed} -- as in the source of this file" if allowed else ""
        )
        lines.append(f"    type_key = {_literal(one.type_key)}{comment}")
        lines += [f"    {text}" for text in self._settings(one)]
        plain = [f for f in one.fields if not f.kw_only]
        named = [f for f in one.fields if f.kw_only]
        ordered = plain + named == list(one.fields)
        fields: list[str] = []
        for field in one.fields:
            if named and ordered and field is named[0]:
                self.words.add("KW_ONLY")
                fields.append("    _: KW_ONLY")
            fields += self._field(field, one, said=ordered)
        lines += ["", *fields] if fields else []
        entries = one.enum.entries if one.enum is not None else ()
        lines += [""] if entries else []
        for entry in entries:
            lines += self._entry(entry, one)
        for method in one.methods:
            lines += ["", *self._method(method)]
        return lines

    def _settings(self, one: ObjectDef) -> list[str]:
        out = []
        last = one.type_key.rpartition(".")[2]
        if one.ref is None:
            out.append("ref = False")
        elif one.ref.name != last or last != stripped(one.name):
            out.append(f"ref = {_literal(one.ref.name)}")
        if one.ref is not None:
            is_plain = one.enum is None or one.enum.base == "object"
            if one.ref.nullable != is_plain:
                out.append(f"nullable = {one.ref.nullable}")
        out += [
            f"{name} = {getattr(one, name)}"
            for name, usual in _SWITCHES.items()
            if getattr(one, name) != usual
        ]
        words = (("visit_attrs", "visit_attrs"), ("sequal_reduce",) * 2, ("shash_reduce",) * 2)
        out += [f"default_{word} = False" for word, name in words if not getattr(one, name)]
        for name in _CLASS_TEXTS:
            if getattr(one, name) and not (name == "deprecated" and one.doc.deprecated):
                out.append(f"{name} = {_literal(getattr(one, name))}")
        out += self._slots(one)
        if one.registration != "init-block":
            out.append(f"registration = {_literal(one.registration)}")
        out += [f"type_attrs = {self._value(one.type_attrs)}"] if one.type_attrs else []
        out += [f"includes = {_literal(list(one.includes))}"] if one.includes else []
        return out

    def _slots(self, one: ObjectDef) -> list[str]:
        if one.child_slots == "auto":
            return []
        if one.child_slots.startswith("auto+"):
            self.words.add("auto_slots")
            return [f"child_slots = auto_slots(extra={one.child_slots[5:]})"]
        return [f"child_slots = {one.child_slots}"]

    # --- members

    def _field(self, one: FieldDef, owner: ObjectDef, said: bool) -> list[str]:
        options = []
        default = one.default
        if default is not None and default.kind == "factory":
            options.append(f"default_factory={self._factory(default)}")
        elif default is not None:
            options.append(f"default={self._default(default)}")
        for name, usual in (("init", True), ("repr", True), ("compare", True), ("reflect", True)):
            if getattr(one, name) != usual and not (name == "reflect" and one.type.cpp is not None):
                options.append(f"{name}={getattr(one, name)}")
        for name in ("frozen", "hash"):
            is_usual = name == "hash" and not one.hash and not one.compare
            if getattr(one, name) is not None and not is_usual:
                options.append(f"{name}={getattr(one, name)}")
        if one.kw_only and not said:
            options.append("kw_only=True")
        for name in ("structural_eq", "renamed_from"):
            if getattr(one, name):
                options.append(f"{name}={_literal(getattr(one, name))}")
        if one.access != "public":
            options.append(f"access={_literal(one.access)}")
        if one.reflected_name:
            options.append(f"name={_literal(one.reflected_name)}")
        if one.metadata:
            options.append(f"metadata={self._value(one.metadata)}")
        head = f"    {one.name}: {self._annotation(one.type)}"
        if not options:
            return [head]
        if len(options) == 1 and options[0].startswith("default="):
            return [f"{head} = {options[0][8:]}"]
        self.words.add("field")
        return _call(f"{head} = field", options, "    ")

    def _entry(self, one: EntryDef, owner: ObjectDef) -> list[str]:
        self.words.add("entry")
        base = owner.enum.base if owner.enum is not None else ""
        options = [self._value(one.value)] if base in ("int", "str") else []
        options += [f"{name}={self._value(value)}" for name, value in one.fields.items()]
        options += [f"attrs={self._value(one.attrs)}"] if one.attrs else []
        doc = [f"    #: {one_line(one.doc)}"] if one.doc else []
        return [*doc, *_call(f"    {one.name} = entry", options, "    ")]

    def _method(self, one: MethodDef) -> list[str]:
        if one.python_code:
            self.imports.update(one.python_imports)
            return textwrap.indent(one.python_code, "    ").splitlines()
        params = [] if one.static else ["self"]
        for param in one.params:
            text = f"{param.name}: {self._annotation(param.type)}"
            default = f" = {self._default(param.default)}" if param.default is not None else ""
            params.append(text + default)
        lines = ["    @staticmethod"] if one.static else []
        if one.native:
            self.words.add("method")
            options = ["const=False"] if not one.const else []
            named = one.cpp_name and one.cpp_name != one.name
            options += [f"cpp={_literal(one.cpp_name)}"] if named else []
            former = one.renamed_from
            options += [f"renamed_from={_literal(former)}"] if former else []
            lines.append(f"    @method({', '.join(options)})" if options else "    @method")
        returns = self._annotation(one.returns)
        head = _call(f"    def {one.name}", params, "    ")
        lines += [*head[:-1], f"{head[-1]} -> {returns}:"]
        doc = [] if one.python_body else docstring(one.doc, (), indent=" " * 8)[:-1]
        code = textwrap.indent(textwrap.dedent(one.python_body), " " * 8).splitlines()
        return [*lines, *doc, *(code or ([] if doc else ["        ..."]))]

    # --- types and values

    def _annotation(self, type_: TypeRef) -> str:
        text = self._type(type_)
        later = any(name not in self.seen for name in held_classes(type_))
        return _literal(text) if later else text

    def _type(self, type_: TypeRef) -> str:
        if type_.cpp is not None:
            self.words.add("ty")
            options = [_literal(type_.cpp.text)]
            for name in ("include", "size", "align"):
                if getattr(type_.cpp, name):
                    options.append(f"{name}={_literal(getattr(type_.cpp, name))}")
            if type_.cpp.as_type is not None:
                stands_for = self._type(type_.cpp.as_type)
                if any(held_classes(type_.cpp.as_type)):  # quote the type: classes come later
                    stands_for = _literal(stands_for)
                options.insert(1, f"as_={stands_for}")
            text = f"ty.Cpp({', '.join(options)})"
            return self.aliases.setdefault(text, f"Cpp{len(self.aliases) + 1}")
        if type_.origin == "class":
            return self.names.get(type_.name, type_.name.rpartition(".")[2])
        if type_.origin == "None":
            return "None"
        self.words.add("ty")
        if type_.origin == "Function" and type_.args:
            params = ", ".join(self._type(arg) for arg in type_.args[1:])
            return f"ty.Function[[{params}], {self._type(type_.args[0])}]"
        args = ", ".join(self._type(arg) for arg in type_.args)
        return f"ty.{type_.origin}[{args}]" if args else f"ty.{type_.origin}"

    def _factory(self, default: Default) -> str:
        if default.value in ([], {}):
            return "list" if default.value == [] else "dict"
        return f"lambda: {self._value(default.value)}"

    def _default(self, default: Default) -> str:
        if default.kind == "cpp":
            return self._value({"$cpp": default.value})
        if default.kind == "entry":
            return self._value({"$entry": default.value})
        if isinstance(default.value, list):  # write a tuple: a default without factory is immutable
            items = [self._value(item) for item in default.value]
            return f"({', '.join(items)}{',' * (len(items) == 1)})"
        return self._value(default.value)

    def _value(self, value: Any) -> str:
        if isinstance(value, dict) and set(value) == {"$cpp"}:
            self.words.add("cpp")
            return f"cpp({_literal(value['$cpp'])})"
        if isinstance(value, dict) and set(value) == {"$entry"}:
            owner, name = value["$entry"]
            return f"{self.names.get(owner, owner)}.{name}"
        if isinstance(value, dict):
            pairs = (f"{self._value(k)}: {self._value(v)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(self._value, value)) + "]"
        if isinstance(value, float) and not math.isfinite(value):
            self.imports.add("import math")
            return {"inf": "math.inf", "-inf": "-math.inf"}.get(str(value), "math.nan")
        return _literal(value)


def _literal(value: Any) -> str:
    text = repr(value)
    if isinstance(value, str) and text[0] == "'" and '"' not in value:
        return '"' + text[1:-1].replace("\\'", "'") + '"'
    return text


def _call(head: str, arguments: list[str], indent: str, brackets: str = "always") -> list[str]:
    """Return a call as one line; if this line is too wide, write each argument on its own line."""
    inner = ", ".join(arguments)
    line = f"{head}({inner})" if brackets == "always" else f"{head}{inner}"
    if len(line) <= _WIDTH:
        return [line]
    return [f"{head}(", *(f"{indent}    {argument}," for argument in arguments), f"{indent})"]
