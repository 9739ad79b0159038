# SPDX-License-Identifier: Apache-2.0
"""The types of schema files: an alias of the module ``tvm_ffi_schema.ty``."""

import sys

from tvm_ffi_schema import ty

sys.modules[__name__] = ty
