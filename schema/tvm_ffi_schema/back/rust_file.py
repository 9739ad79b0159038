# SPDX-License-Identifier: Apache-2.0
"""Write Rust files: one module for each schema file, and `mod.rs`, which registers all modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..diag import Bag
from ..ir import Module, Span
from ..link.program import Class, Program
from . import cpp_file, rust_class
from .rust_type import (
    MOST,
    RustNames,
    RustOptions,
    Unsupported,
    foreign_parent,
    ident,
    module_name,
    ref_name,
)
from .writer import Anchor, Pieces

ROOT = "mod.rs"
#: Rust lints that generated modules turn off, since names and types come from the schema.
_ALLOWED = [
    "#![allow(non_snake_case, non_upper_case_globals)]",
    "#![allow(clippy::too_many_arguments, clippy::type_complexity)]",
]


def modules(program: Program) -> list[Module]:
    """Return the schema files with classes; each of them becomes a Rust module."""
    return [module for module in program.schema.modules if module.objects]


def file_name(module: Module) -> str:
    """Return the name of the Rust file of a module, below the directory of generated Rust files."""
    return f"{module_name(module)}.rs"


def emit(program: Program, module: Module, options: RustOptions) -> Pieces:
    """Return the text of a module."""
    names = RustNames(program, module, options)
    classes = program.of_module(module)
    out: Pieces = [*cpp_file.first_lines(module, options.license)]
    if module.doc:
        out += [f"//! {line}".rstrip() for line in module.doc.strip().split("\n")]
    out += [*_ALLOWED, Anchor("head")]
    for cls in classes:
        out += ["", *rust_class.emit(cls, names)]
    out += ["", *_register(classes, names), Anchor("tail")]
    return out


def _register(classes: list[Class], names: RustNames) -> Pieces:
    """Return the functions that register the classes and the entries of enums."""
    out: Pieces = ["/// Register the classes of this module."]
    out.append("pub(super) fn register_classes() {")
    out += [f"    <{cls.obj} as tvm_ffi::ObjectCore>::type_index();" for cls in classes]
    out += ["}", ""]
    lines = [line for cls in classes for line in rust_class.entries(cls, names)]
    item = [
        "pub(super) fn register_entries() -> tvm_ffi::Result<()> {",
        *lines,
        "    Ok(())",
        "}",
    ]
    out.append("/// Make the entries of the enums of this module.")
    return [*out, *rust_class.skipped([*item])]


def root(program: Program) -> Pieces:
    """Return the text of `mod.rs`, which declares and registers the modules."""
    names = sorted(module_name(module) for module in modules(program))
    ordered: dict[str, None] = {}
    for cls in program.order:
        ordered.setdefault(ident(module_name(cls.module)))
    return [
        f"// {cpp_file.FIRST_LINE} the schema.",
        "//! The classes of the schema, one module for each of its files.",
        Anchor("head"),
        "",
        *(f"pub mod {ident(name)};" for name in names),
        "",
        "tvm_ffi::static_init_block! {",
        *(f"    {name}::register_classes();" for name in ordered),
        *(f"    {name}::register_entries()?;" for name in ordered),
        "    Ok(())",
        "}",
        Anchor("tail"),
    ]


# --- features that Rust cannot express


def check(program: Program, options: RustOptions, bag: Bag) -> None:
    """Report every feature of the schema that has no equivalent in Rust."""
    for module in modules(program):
        names = RustNames(program, module, options)
        taken: dict[str, Class] = {}
        for cls in program.of_module(module):
            for text, span in _problems(cls, names):
                bag.add("TS327", text, span or cls.span)
            for name in (cls.obj, ref_name(cls)):
                if taken.setdefault(name, cls) is not cls:
                    text = f"{name!r} would be the name of two types of the module"
                    bag.add("TS327", text, cls.span)
                taken[name] = cls
            if cls.obj == ref_name(cls):
                text = f"{cls.obj!r} would be the name of the object and of the reference"
                bag.add("TS327", text, cls.span)


def _problems(cls: Class, names: RustNames) -> Iterator[tuple[str, Span | None]]:
    """Yield (text, place) for each feature of a class that has no equivalent in Rust."""
    foreign = foreign_parent(cls)
    if foreign is not None and foreign.type_key not in names.options.externs:
        yield f"no Rust type is known for the parent {foreign.type_key}", cls.span
    if cls.d.fields and not cls.d.visit_attrs:
        yield "default_visit_attrs = False: a class in Rust registers its fields", cls.span
    for one in cls.d.fields:
        if not one.reflect:
            yield f"field {one.name!r}: a class in Rust registers all of its fields", one.span
        elif not one.init and one.default is None and not names.is_zero(one.type):
            yield f"field {one.name!r}: without a parameter it needs a default", one.span
        problem = _caught(lambda: rust_class.field(cls, one, names))  # noqa: B023
        if problem:
            yield f"field {one.name!r}: {problem}", one.span
    yield from _of_methods(cls, names)
    for text in (
        _caught(lambda: [names.plain(value) for value in cls.d.type_attrs.values()]),
        _caught(lambda: rust_class.entries(cls, names)),
    ):
        if text:
            yield text, cls.span
    if "$entry" in str(cls.d.type_attrs):
        yield "a type attribute cannot be an entry of an enum", cls.span


def _of_methods(cls: Class, names: RustNames) -> Iterator[tuple[str, Span | None]]:
    known = {"new": 1} if rust_class.has_new(cls) else {}
    known |= {ident(one.name): 1 for one in cls.entries}
    for method in rust_class.native(cls):
        name = rust_class.method_name(method)
        if name in known:
            yield f"method {method.name!r}: {name} is defined twice", method.span
        known[name] = 1
        count = len(method.params) + (not method.static and method.name != "__init__")
        if count > MOST:
            yield f"method {method.name!r}: a function has at most {MOST} parameters", method.span
        if not rust_class.has_all_defaults(cls, method):
            yield f"method {method.name!r}: a default of a parameter is not JSON", method.span
        for what, type_ in [("result", method.returns), *((p.name, p.type) for p in method.params)]:
            problem = _caught(lambda: names.parameter(type_))  # noqa: B023
            if problem:
                yield f"method {method.name!r}: {what}: {problem}", method.span


def _caught(make: Callable[[], object]) -> str:
    """Call a function; return the message of `Unsupported`, or an empty text if it succeeds."""
    try:
        make()
    except Unsupported as error:
        return str(error)
    return ""
