# SPDX-License-Identifier: Apache-2.0
"""Conversions between the C++ type of a field and the ABI type that represents this C++ type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..ir import CppType
from ..link.program import Class
from .cpp_type import CppNames


def converted(classes: Iterable[Class]) -> list[CppType]:
    """Return the C++ types with a conversion that fields or methods use, sorted by their text."""
    found: dict[str, CppType] = {}
    for cls in classes:
        types = [one.type for one in cls.d.fields]
        types += [m.returns for m in cls.d.methods if m.native]
        types += [p.type for m in cls.d.methods if m.native for p in m.params]
        while types:
            one = types.pop()
            types += one.args
            if one.cpp is not None and one.cpp.to_ffi and one.cpp.as_type is not None:
                found.setdefault(one.cpp.text, one.cpp)
    return [found[text] for text in sorted(found)]


def emit(classes: list[Class], namespace: str, names: CppNames) -> list[str]:
    """Return the code of the conversions, for the global scope.

    Include guards prevent two headers from defining the same conversion.
    """
    out: list[str] = []
    for one in converted(classes):
        out += ["", *_conversion(one, namespace, names)]
    return out


def _conversion(one: CppType, namespace: str, names: CppNames) -> list[str]:
    assert one.as_type is not None
    word = re.sub(r"\W+", "_", one.text).strip("_")
    # The meaning of a name without `::` depends on the namespace of the classes, so the include
    # guard contains this namespace.
    scope = "" if "::" in one.text else re.sub(r"\W+", "_", namespace)
    guard = f"TSCHEMA_CONVERTS_{scope}_{word}_".upper().replace("__", "_")
    # The alias of the runtime's namespace is declared later in the file, so use the full name here.
    ffi = names.type(one.as_type).replace(names.options.ffi, "::tvm::ffi::")
    parts = [part for part in namespace.split("::") if part]
    full = "::".join(["", *parts, f"Converts_{word}"])
    return [
        f"#ifndef {guard}",
        f"#define {guard}",
        *(f"namespace {part} {{" for part in parts),
        f"/*! \\brief A {one.text} crosses the border as another type. */",
        f"struct Converts_{word} {{",
        f"  using Type = {one.text};",
        f"  using Passed = {ffi};",
        f"  static Passed ToFFI(const Type& value) {{ return {one.to_ffi}(value); }}",
        f"  static Type FromFFI(Passed value) {{ return {one.from_ffi}(std::move(value)); }}",
        "};",
        *(f"}}  // namespace {part}" for part in reversed(parts)),
        "namespace tvm {",
        "namespace ffi {",
        *_traits(full),
        "}  // namespace ffi",
        "}  // namespace tvm",
        f"#endif  // {guard}",
    ]


def _traits(full: str) -> list[str]:
    return [
        "template <>",
        f"struct TypeTraits<{full}::Type> : public TypeTraitsBase {{",
        f"  using Converts = {full};",
        "  using Traits = TypeTraits<Converts::Passed>;",
        "  static constexpr bool storage_enabled = false;",
        "  static constexpr int32_t field_static_type_index = Traits::field_static_type_index;",
        "  static void MoveToAny(Converts::Type value, TVMFFIAny* result) {",
        "    Traits::MoveToAny(Converts::ToFFI(value), result);",
        "  }",
        "  static std::optional<Converts::Type> TryCastFromAnyView(const TVMFFIAny* value) {",
        "    std::optional<Converts::Passed> found = Traits::TryCastFromAnyView(value);",
        "    if (!found.has_value()) return std::nullopt;",
        "    return Converts::FromFFI(*std::move(found));",
        "  }",
        "  static std::string TypeStr() { return Traits::TypeStr(); }",
        "  static std::string TypeSchema() { return Traits::TypeSchema(); }",
        "};",
    ]
