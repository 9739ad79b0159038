# SPDX-License-Identifier: Apache-2.0
"""Write the functions of a reference: its constructors, methods, and entries if it is an enum."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Sequence

from tvm_ffi.stub.type_text import signature_of
from tvm_ffi.stub.utils import FuncInfo, InitFieldInfo, ObjectInfo

from .imports import RustImports
from .names import identifier, literal, unused
from .text import SPACE, bracketed, doc_lines, signature
from .types import ANY, OBJECT_REF, RustType, TypeNames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tvm_ffi.core import TypeSchema

_INIT = "__ffi_init__"
# Functions of traits that references implement. A method must not hide them.
_OF_TRAITS = frozenset(
    {
        *("as_node", "borrow", "borrow_mut", "clone", "clone_from", "clone_into", "data", "deref"),
        *("from", "from_data", "into", "into_data", "same_as", "to_owned", "try_cast", "try_from"),
        *("try_into", "type_id"),
    }
)
# Functions that the reference of an enum gets from the object of its parent.
_OF_ENUMS = frozenset({"name", "number"})
# In a pattern, these names are not variables.
_NOT_VARIABLES = frozenset({"None", "VALUE_ERROR"})


class MethodText:
    """Writes the functions of the reference to one type."""

    def __init__(
        self, lineage: Sequence[ObjectInfo], names: TypeNames, imports: RustImports
    ) -> None:
        """Prepare for the last type in ``lineage``; the other types are its ancestors."""
        self._info = lineage[-1]
        self._lineage = lineage
        self._names = names
        self._imports = imports

    def lines(self, wrapper: str, taken: Collection[str]) -> list[str]:
        """Return the ``impl`` block, or nothing if there are no functions.

        ``taken`` has the names of the other functions of the reference.
        """
        methods, entries = list(self._methods()), self._info.entries
        reserved = {*_OF_TRAITS, *taken, *(() if self._info.variants is None else _OF_ENUMS)}
        names = _function_names([*map(_wanted_name, methods), *entries], reserved)
        parts = [self._method(m, name, wrapper) for m, name in zip(methods, names)]
        parts += [self._entry(e, name) for e, name in zip(entries, names[len(methods) :])]
        if not parts:
            return []
        lines = [line for part in parts for line in [*part, ""]]
        return [f"impl {wrapper} {{", *lines[:-1], "}"]

    def _methods(self) -> Iterator[FuncInfo]:
        """Return the constructors, then the own and the inherited methods.

        An enum has no constructor, because its entries are its only objects.
        """
        if self._info.variants is None:
            yield from (m for m in self._info.methods if m.schema.name == _INIT)
        found = {_INIT}
        for info in reversed(self._lineage):
            methods = [m for m in info.methods if m.schema.name not in found]
            yield from methods
            found.update(m.schema.name for m in methods)

    def _result(self, text: str) -> str:
        return f"{self._imports.use('tvm_ffi::Result')}<{text}>"

    def _entry(self, entry: str, name: str) -> list[str]:
        definition = self._imports.use("tvm_ffi::reflection::EnumDef")
        return [
            *doc_lines(f"Return the entry `{entry}`.", SPACE),
            *signature("pub", name, [], self._result("Self")),
            f"{SPACE * 2}{definition}::get({literal(entry)})",
            f"{SPACE}}}",
        ]

    def _method(self, method: FuncInfo, name: str, wrapper: str) -> list[str]:
        registered = method.schema.name
        is_init = registered == _INIT
        result, types = signature_of(method.schema.schema)
        parameters, conversions, passed = self._parameters(method, types)
        receiver = ["self"] if method.is_member else []
        returned = "Self" if is_init else self._names.value(result).text(self._imports)
        doc = inspect.cleandoc(method.doc or "")
        if is_init:
            doc = doc or "Call the registered constructor."
        elif name.removeprefix("r#") != registered:
            doc += f"\n\nOther languages call this method `{registered}`."
        call = [f"{wrapper}Obj", literal(registered), *receiver, *passed]
        if types is None:
            call[-1] += "; arguments"
        return [
            *doc_lines(doc, SPACE),
            *signature("pub", name, parameters, self._result(returned), method.is_member),
            *conversions,
            *bracketed(SPACE * 2, "tvm_ffi::call_method!", call, "", "()"),
            f"{SPACE}}}",
        ]

    def _parameters(
        self, method: FuncInfo, types: Sequence[TypeSchema] | None
    ) -> tuple[list[tuple[str, str]], list[str], list[str]]:
        """Return names and types of the parameters, their conversions, and the arguments."""
        if types is None:
            view = self._imports.use("tvm_ffi::AnyView")
            return [("arguments", f"&[{view}<'_>]")], [], []
        parameters, conversions, arguments = [], [], []
        given = types[method.is_member :]
        for name, schema in zip(self._parameter_names(method, given), given):
            kind = _accepted(self._names.value(schema))
            text = kind.text(self._imports)
            if kind.is_scalar:
                parameters.append((name, text))
            else:
                into = self._imports.prelude("convert::Into")
                parameters.append((name, f"impl {into}<{text}>"))
                conversions.append(f"{SPACE * 2}let {name}: {text} = {name}.into();")
            arguments.append(f"&{name}")
        return parameters, conversions, arguments

    def _parameter_names(self, method: FuncInfo, types: Sequence[TypeSchema]) -> list[str]:
        """Return the registered names; without them, numbered names.

        Without registered names, a constructor gets the names of the first fields, if the
        parameters have the same types as these fields.
        """
        fields = self._info.init_fields if method.schema.name == _INIT else []
        if method.parameters is not None:
            names: Sequence[str] = method.parameters[0]
        elif len(fields) >= len(types) and all(map(_same, types, fields)):
            names = [field.name for field in fields[: len(types)]]
        else:
            names = [f"arg{i}" for i in range(len(types))]
        found: list[str] = []
        for name in names:
            found.append(unused(identifier(name), _NOT_VARIABLES.union(found)))
        return found


def _wanted_name(method: FuncInfo) -> str:
    return "init" if method.schema.name == _INIT else method.schema.name


def _function_names(wanted: Sequence[str], reserved: Collection[str]) -> list[str]:
    """Return a different Rust name for each function.

    Names that are valid in Rust have precedence over names that become valid by replacements.
    """
    found: dict[int, str] = {}
    taken = set(reserved)
    order = sorted(range(len(wanted)), key=lambda i: not wanted[i].isidentifier())
    for i in order:
        found[i] = unused(identifier(wanted[i]), taken)
        taken.add(found[i].removeprefix("r#"))
    return [found[i] for i in range(len(wanted))]


def _same(schema: TypeSchema, field: InitFieldInfo) -> bool:
    return repr(schema) == repr(field.schema)


def _accepted(kind: RustType) -> RustType:
    """Return the type of a parameter; an ``Any`` accepts every reference without a conversion."""
    is_optional = kind.name == "Option" and kind.args == (OBJECT_REF,)
    return ANY if kind == OBJECT_REF or is_optional else kind
