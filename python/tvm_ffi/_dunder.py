# SPDX-License-Identifier: Apache-2.0
"""Re-export :mod:`tvm_ffi.dataclasses.constructor` under its published path."""

from .dataclasses.constructor import _make_constructor as _make_constructor
