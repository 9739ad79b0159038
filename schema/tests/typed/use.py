# SPDX-License-Identifier: Apache-2.0
"""What type checkers know of a class that is bound."""

from nodes import Bound

MADE = [Bound(1), Bound(2, ["a"]), Bound(x=3, late="b")]
