# SPDX-License-Identifier: Apache-2.0
"""The parts of ``tvm_ffi.dataclasses.enum``, one noun each.

``entry`` (what a class body says), ``declare`` (what a body declares), ``state`` (the native
state), ``entries`` (a listing), ``attr_map`` (values by variant), ``enum_object`` (what every enum
class can do), ``variants`` (making and registering variants), ``family`` (``Enum``, ``IntEnum``,
``StrEnum``) and ``decorators`` (``py_enum``, ``c_enum``).
"""
