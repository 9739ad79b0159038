# SPDX-License-Identifier: Apache-2.0
"""Convert C++ types to types of a schema."""

from __future__ import annotations

from collections.abc import Mapping

from ... import ty
from ...cxx.model import Place, last_name
from ...cxx.names import Lookup
from ...ir import CppType, TypeRef

_BY_NAME = {
    row.cpp.removeprefix("~"): origin for origin, row in ty.TABLE.items() if origin != "Handle"
}
_RUNTIME = frozenset(row.cpp[1:] for row in ty.TABLE.values() if row.cpp.startswith("~"))
_SPACES = ("", "ffi", "tvm::ffi")
_POINTERS = ("ObjectPtr", "Arc")


class UnknownType(Exception):  # noqa: N818 - a reason, not a fault
    """A schema cannot express a type; the message is the part of the type that is unknown."""


class Types:
    """Converts C++ types that are written in class bodies.

    `keys` maps full names of object classes and reference classes to type keys.
    """

    def __init__(self, lookup: Lookup, keys: Mapping[str, str]) -> None:
        self._lookup = lookup
        self._keys = keys
        #: The type keys of the classes of fields that accept None without being Optional.
        self.accepting_none: set[str] = set()

    def read(self, text: str, place: Place) -> TypeRef:
        """Return the schema type of a C++ type.

        Raises
        ------
        UnknownType
            If a schema cannot express the type.

        """
        words = [w for w in self._lookup.tokens(text, place) if w != "const"]
        while words and words[-1] == "&":
            words.pop()
        type_, at = self._type(words, 0)
        if at != len(words):
            raise UnknownType(" ".join(words[at:]))
        return type_

    def is_same(self, one: str, other: str, place: Place) -> bool:
        """Return whether two C++ types at a place are equal."""
        return self._lookup.tokens(one, place) == self._lookup.tokens(other, place)

    def verbatim(self, text: str, stands_for: TypeRef) -> TypeRef:
        """Return a schema type for which the generator writes `text` as the C++ type."""
        return TypeRef("Cpp", cpp=CppType(text, as_type=stands_for))

    def _type(self, words: list[str], at: int) -> tuple[TypeRef, int]:
        if at >= len(words):
            raise UnknownType("nothing")
        word = words[at]
        if word == "void":
            is_handle = words[at + 1 : at + 2] == ["*"]
            return (TypeRef("Handle"), at + 2) if is_handle else (TypeRef("None"), at + 1)
        name, space = last_name(word), word.rpartition("::")[0].removeprefix("::")
        key = self._keys.get(word.removeprefix("::"))
        if key is not None and not (name in _RUNTIME and space in _SPACES):
            return TypeRef("class", name=key), at + 1
        if word.removeprefix("::") == "std::string":
            return TypeRef("String"), at + 1
        if name == "TypedFunction" and space in _SPACES:
            return self._function(words, at)
        if name in _POINTERS and space in _SPACES:
            return self._pointer(words, at)
        known = space in (_SPACES if name in _RUNTIME else ("", "std"))
        origin = _BY_NAME.get(name)
        if origin is None or not known:
            raise UnknownType(word)
        if words[at + 1 : at + 2] != ["<"]:
            return TypeRef(origin), at + 1
        args, at = self._arguments(words, at + 1)
        return TypeRef(origin, tuple(args)), at

    def _pointer(self, words: list[str], at: int) -> tuple[TypeRef, int]:
        args, end = self._arguments(words, at + 1)
        if words[at] and last_name(words[at]) == "Arc":
            return args[0], end
        return TypeRef("Optional", (args[0],)), end

    def _arguments(self, words: list[str], at: int) -> tuple[list[TypeRef], int]:
        """Return the arguments in the angle brackets that open at `at`, and the index after `>`."""
        if words[at : at + 1] != ["<"]:
            raise UnknownType(" ".join(words[at : at + 1]) or "nothing")
        args: list[TypeRef] = []
        at += 1
        while words[at : at + 1] != [">"]:
            one, at = self._type(words, at)
            args.append(one)
            if words[at : at + 1] == [","]:
                at += 1
            elif words[at : at + 1] != [">"]:
                raise UnknownType(" ".join(words[at : at + 1]) or "nothing")
        return args, at + 1

    def _function(self, words: list[str], at: int) -> tuple[TypeRef, int]:
        if words[at + 1 : at + 2] != ["<"]:
            raise UnknownType(words[at])
        returns, at = self._type(words, at + 2)
        args = [returns]
        if words[at : at + 1] != ["("]:
            raise UnknownType(" ".join(words[at : at + 1]) or "nothing")
        at += 1
        while words[at : at + 1] not in ([")"], []):
            while words[at : at + 1] in ([","], ["&"]):
                at += 1
            if words[at : at + 1] != [")"]:
                one, at = self._type(words, at)
                args.append(one)
        return TypeRef("Function", tuple(args)), at + 2
