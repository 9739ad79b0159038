# SPDX-License-Identifier: Apache-2.0
"""Roll back the failed definition of an enum class."""

from __future__ import annotations

from ... import core
from ..._types import info as infos
from .. import registration, resolve
from . import variants
from .annotations import is_class_var, own_annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .declare import Declarations

_INFO = "__tvm_ffi_type_info__"


class Attempt:
    """A context in which a class is registered without the declarations of its body.

    On exit, the annotations are restored. They are removed because evaluating them may fail:
    ``ClassVar`` may be imported only for type checkers. The values of entries are not restored,
    since variants replace them. After an exception, the context restores the class and the Python
    class of a native type, and removes the registration of an enum that is defined in Python.

    ``found`` has the declarations in the body. ``type_index`` is that of the native type whose
    class the block registers; None if the type is defined in Python.
    """

    def __init__(self, cls: Any, found: Declarations, type_index: int | None = None) -> None:
        self.cls = cls
        self.found = found
        self.type_index = type_index

    def __enter__(self) -> None:
        self.body = dict(vars(self.cls))
        self.info = None if self.type_index is None else infos.by_index.get(self.type_index)
        self.info_cls = None if self.info is None else self.info.type_cls
        cls, names = self.cls, {*self.found.binders, *self.found.entries}
        for name in self.found.entries:
            delattr(cls, name)
        self.annotations = own_annotations(cls)
        if names & self.annotations.keys():
            cls.__annotations__ = {n: a for n, a in self.annotations.items() if n not in names}

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        added = own_annotations(self.cls)
        own = {
            name: annotation
            for name, annotation in self.annotations.items()
            if name not in self.found.entries or is_class_var(annotation, self.cls)
        }
        self.cls.__annotations__ = {**own, **added}
        if kind is None:
            return
        resolve.forget(self.cls)
        if self.type_index is not None:
            self._restore_class(self.type_index)
        elif vars(self.cls).get(_INFO) is not self.body.get(_INFO):
            self._unregister()
        # Unbind the variants, so that every attribute of the class can be set.
        core._enum_reset(self.cls)
        registration.restore_body(self.cls, self.body)
        core._enum_reset(self.cls)

    def _unregister(self) -> None:
        info = self.cls.__tvm_ffi_type_info__
        variants.unmark(info.type_index)
        former = vars(info).get("_former")
        with registration.lock:
            registration.forget_class(self.cls)
        core._rollback_py_class(info)
        resolve.forget(self.cls, former)

    def _restore_class(self, type_index: int) -> None:
        current = infos.by_index.get(type_index)
        if current is None or current.type_cls is not self.cls:
            return
        core._class_rebind(type_index, None)
        del infos.by_index[type_index]
        if self.info is None:
            return
        infos.by_index[type_index] = self.info
        self.info.type_cls = self.info_cls
        if self.info_cls is None:
            return
        core._class_rebind(type_index, self.info_cls)
        if isinstance(self.info_cls, core._EnumMeta):
            # Change the class of the variants from the failed class back to the former class.
            core._enum_reset(self.info_cls)
            len(self.info_cls)
