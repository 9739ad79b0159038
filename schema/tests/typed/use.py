# SPDX-License-Identifier: Apache-2.0
"""The types of a bound class, as type checkers see them."""

from nodes import Bound

MADE = [Bound(1), Bound(2, ["a"]), Bound(x=3, late="b")]
