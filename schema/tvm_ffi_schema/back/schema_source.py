# SPDX-License-Identifier: Apache-2.0
"""Write a module of the IR as a schema file."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection
from typing import Any

from ..dsl import table
from ..ir import Default, EntryDef, FieldDef, MethodDef, Module, ObjectDef, TypeRef
from ..ir.names import stripped
from ..link.program import RUNTIME, held_classes
from .schema_doc import docstring, literal, safe
from .writer import one_line

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
            options = self._stated(table.EXTERN, one)
            body += _call(f"{one.name} = extern", [literal(one.type_key), *options], "")
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
        options = self._stated(table.MODULE, self.module)
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
        lines.append(f"    type_key = {literal(one.type_key)}{comment}")
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
            out.append(f"ref = {literal(one.ref.name)}")
        usual = f"{one.name}Node" if one.ref is not None and one.ref.name == one.name else ""
        if one.cpp_name not in ("", usual):
            out.append(f"cpp_name = {literal(one.cpp_name)}")
        if one.ref is not None:
            is_plain = one.enum is None or one.enum.base == "object"
            if one.ref.nullable != is_plain or one.ref.accepts_none:
                out.append(f"nullable = {one.ref.nullable}")
        omitted = ("deprecated",) if one.doc.deprecated else ()
        return out + self._stated(table.CLASS, one, omitted, " = ")

    def _stated(
        self,
        rows: dict[str, table.Setting],
        record: Any,
        omitted: Collection[str] = (),
        between: str = "=",
    ) -> list[str]:
        """Return the settings that a record has, except the omitted ones, as schema files do."""
        stated = table.stated(rows, record, self.module.defaults if rows is table.CLASS else None)
        return [
            f"{name}{between}{self._slots(value) if name == 'child_slots' else self._value(value)}"
            for name, value in stated.items()
            if name not in omitted
        ]

    def _slots(self, text: str) -> str:
        if not text.startswith("auto+"):
            return text
        self.words.add("auto_slots")
        return f"auto_slots(extra={text[5:]})"

    # --- members

    def _field(self, one: FieldDef, owner: ObjectDef, said: bool) -> list[str]:
        options = []
        default = one.default
        if default is not None and default.kind == "factory":
            options.append(f"default_factory={self._factory(default)}")
        elif default is not None:
            options.append(f"default={self._default(default)}")
        omitted = {
            "reflect": one.type.cpp is not None,
            "hash": not one.hash and not one.compare,
            "kw_only": said,
        }
        options += self._stated(table.FIELD, one, [name for name in omitted if omitted[name]])
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
            options += [f"cpp={literal(one.cpp_name)}"] if named else []
            former = one.renamed_from
            options += [f"renamed_from={literal(former)}"] if former else []
            options += ["short=True"] if one.short else []
            lines.append(f"    @method({', '.join(options)})" if options else "    @method")
        returns = self._annotation(one.returns)
        head = _call(f"    def {one.name}", params, "    ")
        lines += [*head[:-1], f"{head[-1]} -> {returns}:"]
        doc = docstring(one.doc, (), indent=" " * 8)[:-1]
        return [*lines, *(doc or ["        ..."])]

    # --- types and values

    def _annotation(self, type_: TypeRef) -> str:
        text = self._type(type_)
        later = any(name not in self.seen for name in held_classes(type_))
        return literal(text) if later else text

    def _type(self, type_: TypeRef) -> str:
        if type_.cpp is not None:
            self.words.add("ty")
            options = [literal(type_.cpp.text)]
            for name in ("include", "size", "align"):
                if getattr(type_.cpp, name):
                    options.append(f"{name}={literal(getattr(type_.cpp, name))}")
            if type_.cpp.as_type is not None:
                stands_for = self._type(type_.cpp.as_type)
                if any(held_classes(type_.cpp.as_type)):  # quote the type: classes come later
                    stands_for = literal(stands_for)
                options.insert(1, f"as_={stands_for}")
            text = f"ty.Cpp({', '.join(options)})"
            return self.aliases.setdefault(text, f"Cpp{len(self.aliases) + 1}")
        if type_.origin == "class":
            return self.names.get(type_.name, type_.name.rpartition(".")[2])
        if type_.origin == "None":
            return "None"
        if type_.literals:
            self.imports.add("from typing import Literal")
            return f"Literal[{', '.join(map(self._value, type_.literals))}]"
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
            return f"cpp({literal(value['$cpp'])})"
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
        return literal(value)


def _call(head: str, arguments: list[str], indent: str, brackets: str = "always") -> list[str]:
    """Return a call as one line; if this line is too wide, write each argument on its own line."""
    inner = ", ".join(arguments)
    line = f"{head}({inner})" if brackets == "always" else f"{head}{inner}"
    if len(line) <= _WIDTH:
        return [line]
    return [f"{head}(", *(f"{indent}    {argument}," for argument in arguments), f"{indent})"]
