# SPDX-License-Identifier: Apache-2.0
"""Run the listings of the guides that need a GPU, and compare what they print."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from running import execute

torch = pytest.importorskip("torch", reason="needs PyTorch and an NVIDIA GPU")
pytestmark = [
    pytest.mark.torch,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU on this machine"),
]

DOCS = Path(__file__).resolve().parents[2] / "docs"
LISTING = re.compile(
    r"^<!-- not run: needs .+ -->\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
EXPECTED = re.compile(r"print\(.*\)  # (.*)$", re.MULTILINE)


# A page that continues another one comes after it.
@pytest.mark.parametrize("pages", [("cuda",), ("cuda", "cupy"), ("jax",)], ids="-".join)
def test_listings_print_what_they_say(pages, tmp_path):
    if pages[-1] != "cuda":
        pytest.importorskip(pages[-1])
    program = "".join(map(_listing, pages))
    env = {**os.environ, "TVM_FFI_CACHE_DIR": str(tmp_path / "cache")}
    ran = execute(sys.executable, "-c", program, cwd=tmp_path, env=env)
    assert ran.stdout.splitlines() == EXPECTED.findall(program)


def _listing(page: str) -> str:
    (listing,) = LISTING.findall((DOCS / f"{page}.md").read_text())
    return listing
