# SPDX-License-Identifier: Apache-2.0
"""Write the reference class."""

from __future__ import annotations

from ..cxx.constructs import TABLE
from ..cxx.pattern import Construct, quoted
from ..link.program import Class
from . import cpp_doc
from .cpp_layout import wrap_call
from .cpp_methods import exported, method_parameters, takes_one
from .cpp_object import reference_forms
from .cpp_type import CppNames
from .writer import Anchor, Pieces


def emit(cls: Class, names: CppNames, is_documented: bool = False) -> Pieces:
    """Return the reference class, with anchors; a documented class gets no comment."""
    assert cls.d.ref is not None
    out: Pieces = [Anchor("before")]
    if not is_documented:
        out += cpp_doc.comment([f"\\brief Managed reference to {cls.obj}.", f"\\sa {cls.obj}"])
    export = f"{cls.module.export} " if cls.module.export else ""
    out.append(f"class {export}{cls.ref} : public {names.ref_class(cls.parent.type_key)} {{")
    out.append(" public:")
    out.append(Anchor("head"))
    out += constructors(cls, names)
    out += _entries(cls, names)
    word, arguments = macro(cls, names).call()
    out += wrap_call(f"  {word}", arguments, ";")
    out.append(Anchor("tail"))
    if "private" in names.options.anchors.get(cls.ref_marker, ()):
        out.append(" private:")
        out.append(Anchor("private"))
    out += ["};", Anchor("after")]
    return out


def macro(cls: Class, names: CppNames) -> Construct:
    """Return the macro that declares the reference class."""
    assert cls.d.ref is not None
    row = ("BODY", "ref", cls.d.ref.nullable, names.options.dialect)
    parent = names.ref_class(cls.parent.type_key)
    return TABLE.make(*row, ref=cls.ref, parent=parent, cls=cls.obj)


def has_constructor(cls: Class) -> bool:
    """Return whether the reference class has a constructor that makes an object."""
    return cls.d.ctor and not cls.d.abstract and cls.d.enum is None and cls.d.ref is not None


def has_make(cls: Class) -> bool:
    """Return whether the class needs a function `Make()` to create an object without arguments.

    The default constructor of a reference class makes a null reference instead of an object.
    """
    if not has_constructor(cls):
        return False
    if cls.hand_inits:
        return not all(method.params for method in cls.hand_inits)
    return not cls.init_fields() and not cls.children


def constructors(cls: Class, names: CppNames) -> list[str]:
    """Return the declarations of the constructors, and of `Make`."""
    if not has_constructor(cls):
        return []
    forms = [method_parameters(method, names, True, cls) for method in cls.hand_inits]
    forms = forms or reference_forms(cls, names)
    # Mark the constructors, not the class, as deprecated: members of a deprecated class that name
    # the class would cause warnings.
    mark = f"[[deprecated({quoted(cls.d.deprecated)})]] " if cls.d.deprecated else ""
    mark += exported(cls, names, in_ref=True)
    out = []
    for params in forms:
        word = "explicit " if takes_one(params) else ""
        if params:
            out += wrap_call(f"  {mark}{word}{cls.ref}", params, ";")
        elif has_make(cls):
            out.append(f"  {mark}static {cls.ref} Make();")
        elif cls.init_fields() and not cls.hand_inits:
            out.append(f"  {mark}{cls.ref}();")
    return out


def _entries(cls: Class, names: CppNames) -> list[str]:
    if cls.d.enum is None:
        return []
    ffi = names.options.ffi
    static = f"  {exported(cls, names, in_ref=True)}static {cls.ref}"
    lines = [f"{static} Get(const {ffi}String& name);"]
    lines += [f"{static} {entry.name}();" for entry in cls.entries]
    return lines
