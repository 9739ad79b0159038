# SPDX-License-Identifier: Apache-2.0
"""Constructor calls of a bound class, which type checkers must accept."""

from nodes import Bound

MADE = [Bound(1), Bound(2, ["a"]), Bound(x=3, late="b")]
