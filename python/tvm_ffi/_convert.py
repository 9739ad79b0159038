# SPDX-License-Identifier: Apache-2.0
"""Re-export :mod:`tvm_ffi._values.convert` under its published path."""

from . import core as core
from ._values.convert import *  # noqa: F403
from ._values.convert import __all__ as __all__

TYPE_CHECKING = False
