# SPDX-License-Identifier: Apache-2.0
"""Type keys that no test has used: registering one is for good."""

from __future__ import annotations

import uuid
from typing import Callable

import pytest


@pytest.fixture(scope="session")
def key() -> Callable[[str], str]:
    """Return a fresh type key that ends in the given name."""
    return lambda name="T": f"tests.k{uuid.uuid4().hex[:12]}.{name}"
