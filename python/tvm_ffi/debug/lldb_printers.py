# SPDX-License-Identifier: Apache-2.0
"""Summaries for lldb: ``command script import .../tvm_ffi/debug/lldb_printers.py``."""

from __future__ import annotations

import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import values
finally:
    del sys.path[0]

_CATEGORY = "tvm-ffi"
_VALUES = r"^(TVMFFIAny|tvm::ffi::(Any|AnyView|String|Bytes|Variant<.*>))$"
_REFERENCES = (
    r"^tvm::ffi::(ObjectRef|Array<.*>|List<.*>|Map<.*>|Dict<.*>|Tuple<.*>|Tensor|TensorView|Shape"
    r"|Error|Function|TypedFunction<.*>|Module|BigInt|Optional<.*>|ObjectPtr<.*>|Arc<.*>)$"
)


class _Memory:
    """The memory of the process that contains a value."""

    def __init__(self, target):
        self._target = target

    def read(self, address, size):
        error = lldb.SBError()
        found = self._target.process.ReadMemory(address, size, error)
        if not error.Success():
            raise ValueError(error.GetCString())
        return found

    def type_info(self, index):
        """Return the address of the info of a type, or 0 if it is unknown."""
        infos = (values.type_info(self, section, index) for section in self._sections())
        return next(filter(None, infos), 0)

    def _sections(self):
        """Yield the address of the section in every loaded copy of the library."""
        for module in self._target.module_iter():
            parent = module.FindSection("__DATA")
            section = module.FindSection(values.TYPES_SECTION)
            if not section.IsValid() and parent.IsValid():
                section = parent.FindSubSection(values.TYPES_SECTION)
            if section.IsValid():
                yield section.GetLoadAddress(self._target)


def any_summary(value, _):
    """Return the text of a value with the layout of ``TVMFFIAny``."""
    return _summary(value, lambda reader, address: reader.any_text(address))


def reference_summary(value, _):
    """Return the text of a reference: an object pointer, or a value with the layout of ``Any``."""
    raw = value.GetNonSyntheticValue()
    is_error = raw.GetTypeName() == values.ERROR
    if raw.GetByteSize() == values.ANY_SIZE and not is_error:
        return any_summary(value, None)
    return _summary(
        value, lambda reader, address: reader.object_text(reader.pointer(address + 8 * is_error))
    )


def _summary(value, write):
    raw = value.GetNonSyntheticValue()
    try:
        return write(values.Reader(_Memory(raw.target)), raw.GetLoadAddress())
    except (ValueError, OverflowError) as error:
        return f"<cannot be read: {error}>"


def __lldb_init_module(debugger, _):
    for function, pattern in (("any_summary", _VALUES), ("reference_summary", _REFERENCES)):
        command = f'type summary add -w {_CATEGORY} -F {__name__}.{function} -x "{pattern}"'
        debugger.HandleCommand(command)
    debugger.HandleCommand(f"type category enable {_CATEGORY}")
