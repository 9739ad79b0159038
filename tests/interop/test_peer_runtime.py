# SPDX-License-Identifier: Apache-2.0
"""No lock-in: the same clients exchange the same values on the peer's runtime."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from outside import ROOT, clean_environment

HERE = Path(__file__).resolve().parent
CLIENTS_VARIABLE = "TVM_FFI_INTEROP_CLIENTS"
NOUNS = [
    "values",
    "containers",
    "functions",
    "errors",
    "objects",
    "c_client",
    "extras",
    "modules",
    "enums",
    "structural",
    "integers",
]


@pytest.mark.skipif(CLIENTS_VARIABLE in os.environ, reason="this is the peer's interpreter")
@pytest.mark.parametrize("noun", NOUNS)
def test_the_clients_work_on_the_peers_runtime(peer, clients, noun):
    options = ["-p", "no:cacheprovider", "-q", "-o", "filterwarnings=default", "--tb=short"]
    done = subprocess.run(
        [peer.python, "-m", "pytest", *options, HERE / f"test_{noun}.py"],
        env={**clean_environment(), CLIENTS_VARIABLE: str(clients)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    assert " passed" in done.stdout or noun in ("enums", "structural", "integers")
