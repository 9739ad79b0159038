# SPDX-License-Identifier: Apache-2.0
"""Write the Rust code of one object type."""

from __future__ import annotations

from collections.abc import Sequence

from tvm_ffi.stub.utils import ObjectInfo

from .directives import Directives
from .imports import RustImports
from .methods import MethodText
from .names import is_camel_case, is_snake_case, leaf, literal
from .pieces import accessor, argument, enumeration, initializer, parameter, struct_member
from .plan import ROOT, Member, TypePlan
from .text import SPACE, assignment, bracketed, doc_lines, signature
from .types import CRATE_PARENTS, TypeNames


class ObjectText:
    """Writes a type: the object, the reference to it, and their trait implementations."""

    def __init__(
        self,
        plan: TypePlan,
        chain: Sequence[Member],
        lineage: Sequence[ObjectInfo],
        names: TypeNames,
        directives: Directives,
        imports: RustImports,
    ) -> None:
        self._plan = plan
        self._chain = chain
        self._lineage = lineage
        self._names = names
        self._directives = directives
        self._imports = imports
        self._wrapper = leaf(plan.type_key)
        self._object = f"{self._wrapper}Obj"
        self._has_parent = plan.parent != ROOT and self._has_object(plan.parent)
        # Stand-ins that this block contains, because the file has no import section.
        self._early: list[str] = []
        self._base = self._base_name()

    def lines(self) -> list[str]:
        """Return the content of the block."""
        complete = self._plan.verdict.is_complete
        parts = [self._early] if self._early else []
        parts += [enumeration(m.enum, self._imports) for m in self._plan.members if m.enum]
        parts.append(self._object_struct())
        if complete:
            parts.append(self._assertions())
        parts += [self._wrapper_struct(), self._deref(self._wrapper, self._object)]
        if self._has_parent:
            parts.append(self._deref(self._object, self._base))
        if complete:
            parts += [self._object_new(), self._wrapper_new()]
            if not self._plan.is_final:
                parts += [self._shallow_copy(), self._unsafe_init()]
        elif self._plan.members:
            parts.append(self._accessors())
        upcasts = self._upcasts()
        if upcasts:
            parts.append([f"tvm_ffi::impl_object_upcast!({', '.join(upcasts)});"])
        functions = MethodText(self._lineage, self._names, self._imports)
        methods = functions.lines(self._wrapper, self._own_functions())
        if methods:
            parts.append(methods)
        lines = [line for part in parts for line in [*part, ""]]
        return lines[:-1]

    # ---- names ----

    def _has_object(self, type_key: str) -> bool:
        """Return whether the crate, a ``ty-map`` or this run has the object struct of a type."""
        names = self._names
        known = names.path_of(type_key) is not None or type_key in names.ty_map
        return known or type_key in CRATE_PARENTS

    def _own_functions(self) -> set[str]:
        """Return the names of the functions that are not methods of the type."""
        if self._plan.verdict.is_complete:
            return {"new", "from_fields"}
        return {member.name.removeprefix("r#") for member in self._chain}

    def _base_name(self) -> str:
        parent = self._plan.parent
        if parent == ROOT:
            return self._imports.use("tvm_ffi::Object")
        if self._has_parent:
            return self._imports.use(f"{self._names.path(parent)}Obj")
        return self._stand_in(parent)

    def _stand_in(self, type_key: str) -> str:
        """Add stand-in structs for a type that the crate lacks, and for ancestors of this type."""
        ancestors = self._plan.ancestors
        name, base = "", self._imports.use("tvm_ffi::Object")
        for key in ancestors[: ancestors.index(type_key) + 1]:
            name = "".join(part[:1].upper() + part[1:] for part in key.split(".")) + "Obj"
            lines = [
                f"/// Header-only stand-in for the builtin `{key}`; "
                "it only carries the ancestor depth.",
                "#[allow(dead_code)]",
                *_object_head(key, is_final=False),
                f"struct {name} {{",
                f"{SPACE}base: {base},",
                "}",
            ]
            if not self._imports.has_section and key not in self._imports.stand_ins:
                self._early += [*([""] if self._early else []), *lines]
            self._imports.stand_ins[key] = lines
            base = name
        return name

    # ---- the parts ----

    def _object_struct(self) -> list[str]:
        verdict = self._plan.verdict
        detail = " ".join(verdict.detail.split())
        members = []
        if verdict.is_complete:
            note = f"/// Complete: {detail}."
            members = [struct_member(m, self._imports) for m in self._plan.members]
        else:
            note = f"/// Opaque: {detail}. Fields are read through the C ABI getters."
        odd = any(not is_snake_case(name) for name, _ in members)
        return [
            note,
            *(["#[allow(non_snake_case)]"] if odd else []),
            *self._allowed_name(),
            *_object_head(self._plan.type_key, self._plan.is_final),
            f"pub struct {self._object} {{",
            f"{SPACE}base: {self._base},",
            *(f"{SPACE}pub {name}: {text}," for name, text in members),
            "}",
        ]

    def _allowed_name(self) -> list[str]:
        return [] if is_camel_case(self._wrapper) else ["#[allow(non_camel_case_types)]"]

    def _assertions(self) -> list[str]:
        name, verdict = self._object, self._plan.verdict
        return [
            "const _: () = {",
            f"{SPACE}assert!(::core::mem::size_of::<{name}>() == {self._plan.total_size});",
            f"{SPACE}assert!(::core::mem::align_of::<{name}>() == {verdict.alignment});",
            "};",
        ]

    def _wrapper_struct(self) -> list[str]:
        arc = self._imports.use("tvm_ffi::ObjectArc")
        return [
            *doc_lines(self._lineage[-1].doc, ""),
            *self._allowed_name(),
            "#[repr(C)]",
            "#[derive(tvm_ffi::derive::ObjectRef, Clone)]",
            f"pub struct {self._wrapper} {{",
            f"{SPACE}base: {arc}<{self._object}>,",
            "}",
        ]

    def _deref(self, name: str, target: str) -> list[str]:
        return [
            f"impl {self._imports.use('std::ops::Deref')} for {name} {{",
            f"{SPACE}type Target = {target};",
            f"{SPACE}fn deref(&self) -> &{target} {{",
            f"{SPACE * 2}&self.base",
            f"{SPACE}}}",
            "}",
        ]

    def _object_new(self) -> list[str]:
        own = self._plan.members
        inherited = self._chain[: len(self._chain) - len(own)]
        visibility = "pub(crate)" if self._plan.is_final else "pub"
        fields = ["base", *map(initializer, own)]
        return [
            f"impl {self._object} {{",
            *signature(visibility, "new", self._parameters(convert=False)),
            *assignment(SPACE * 2, "base", f"{self._base}::new", [m.name for m in inherited]),
            *bracketed(SPACE * 2, "Self ", fields, "", "{}"),
            f"{SPACE}}}",
            "}",
        ]

    def _wrapper_new(self) -> list[str]:
        name = "from_fields" if self._plan.type_key in self._directives.custom_new else "new"
        arc = self._imports.use("tvm_ffi::ObjectArc")
        call = f"{self._object}::new"
        return [
            f"impl {self._wrapper} {{",
            f"{SPACE}/// Lossless complete-field allocation.",
            *signature("pub", name, self._parameters(convert=True)),
            *assignment(SPACE * 2, "obj", call, [argument(m) for m in self._chain]),
            f"{SPACE * 2}Self {{ base: {arc}::new(obj) }}",
            f"{SPACE}}}",
            "}",
        ]

    def _parameters(self, *, convert: bool) -> list[tuple[str, str]]:
        return [parameter(m, self._imports, convert=convert) for m in self._chain]

    def _shallow_copy(self) -> list[str]:
        trait = self._imports.use("tvm_ffi::ShallowCopy")
        fields = [f"base: {trait}::shallow_copy(&self.base)"]
        clone = self._imports.prelude("clone::Clone")
        fields += [f"{m.name}: {clone}::clone(&self.{m.name})" for m in self._plan.members]
        return [
            f"impl {trait} for {self._object} {{",
            f"{SPACE}fn shallow_copy(&self) -> Self {{",
            *bracketed(SPACE * 2, "Self ", fields, "", "{}"),
            f"{SPACE}}}",
            "}",
        ]

    def _unsafe_init(self) -> list[str]:
        trait = self._imports.use("tvm_ffi::UnsafeInit")
        address = self._imports.use("std::ptr::addr_of_mut")
        lines = [f"{trait}::drop_defined_fields({address}!((*this).base));"]
        for member in self._plan.members:
            is_value = member.enum is None or member.is_writable
            defined = is_value and member.mirror is not None and member.mirror.has_undefined
            path = "tvm_ffi::reflection::drop_if_defined" if defined else "std::ptr::drop_in_place"
            lines.append(f"{self._imports.use(path)}({address}!((*this).{member.name}));")
        return [
            f"unsafe impl {trait} for {self._object} {{",
            f"{SPACE}unsafe fn drop_defined_fields(this: *mut Self) {{",
            f"{SPACE * 2}unsafe {{",
            *(SPACE * 3 + line for line in lines),
            f"{SPACE * 2}}}",
            f"{SPACE}}}",
            "}",
        ]

    def _accessors(self) -> list[str]:
        lines = [f"impl {self._object} {{"]
        for member in self._plan.members:
            lines += [*accessor(member, self._imports), ""]
        return [*lines[:-1], "}"]

    def _upcasts(self) -> list[str]:
        paths = []
        for key in self._plan.ancestors:
            if self._has_object(key):
                paths.append(self._names.path(key))
        paths += self._directives.upcasts.get(self._plan.type_key, [])
        return [f"{self._wrapper} => {self._imports.use(path)}" for path in paths]


def _object_head(type_key: str, is_final: bool) -> list[str]:
    return [
        "#[repr(C)]",
        "#[derive(tvm_ffi::derive::Object)]",
        f"#[type_key = {literal(type_key)}]",
        *(["#[type_final]"] if is_final else []),
    ]
