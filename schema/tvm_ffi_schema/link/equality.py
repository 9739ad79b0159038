# SPDX-License-Identifier: Apache-2.0
"""Structural equality: the kind of each class, and the classes that must state their kind."""

from __future__ import annotations

from collections.abc import Mapping

from ..diag import Bag
from .program import Class

#: Class name -> names of functions that the custom sections of the class define.
Customs = Mapping[str, "frozenset[str]"]


def custom_pair(cls: Class, customs: Customs) -> tuple[str, str]:
    """Return the names of the hand-written members for equality and hash; "" if one is missing."""
    if cls.d.sequal_reduce or cls.d.shash_reduce:
        return "", ""
    found = customs.get(cls.marker, frozenset())
    return "SEqual" if "SEqual" in found else "", "SHash" if "SHash" in found else ""


def effective_kind(cls: Class, customs: Customs) -> str:
    """Return the structural kind of a class; empty if the kind is "unsupported" or not known."""
    chain = [cls]
    while not chain[-1].d.structural_eq and isinstance(chain[-1].parent, Class):
        chain.append(chain[-1].parent)
    kind = ""
    for one in reversed(chain):  # a loop instead of recursion, since chains may be long
        kind = _kind(one, kind, customs)
    return kind


def _kind(cls: Class, inherited: str, customs: Customs) -> str:
    if cls.d.structural_eq:
        return "" if cls.d.structural_eq == "unsupported" else cls.d.structural_eq
    if cls.enum_base not in ("", "object"):
        return inherited  # the enum base class of the runtime has the kind singleton
    if inherited:
        return inherited
    by_default = cls.d.sequal_reduce and cls.d.shash_reduce
    if by_default or any(custom_pair(cls, customs)):
        return "tree"
    return ""


def stated_kind(cls: Class, customs: Customs) -> str:
    """Return the kind that the class must state in C++; empty if it inherits the right kind."""
    own = effective_kind(cls, customs)
    inherited = effective_kind(cls.parent, customs) if isinstance(cls.parent, Class) else ""
    return (own or "unsupported") if own != inherited else ""


def check(cls: Class, customs: Customs, bag: Bag) -> None:
    """Report classes with only one of equality and hash, since equal objects need equal hashes."""
    equal, hash_ = custom_pair(cls, customs)
    found = customs.get(cls.marker, frozenset())
    if cls.d.sequal_reduce or cls.d.shash_reduce:
        return
    has_equal = bool(equal) or "SEqualReduce" in found
    has_hash = bool(hash_) or "SHashReduce" in found
    if has_equal != has_hash:
        given, missing = ("equality", "hash") if has_equal else ("hash", "equality")
        text = f"{cls.obj} has structural {given}, but no {missing}"
        bag.add("TS418", text, cls.span, help="write both, or neither")
