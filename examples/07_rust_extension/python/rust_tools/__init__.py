# SPDX-License-Identifier: Apache-2.0
"""A kernel and expressions, written in Rust."""

from ._ffi_api import Add, Expr, Var, axpy, names

__all__ = ["Add", "Expr", "Var", "axpy", "names"]
