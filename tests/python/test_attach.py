# SPDX-License-Identifier: Apache-2.0
"""Test how calls find the state of their thread (python/binding/attach.h)."""

import platform
import shutil

import pytest
from running import execute

from tvm_ffi import core

is_x86_64_glibc = platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"


@pytest.mark.skipif(not is_x86_64_glibc, reason="only x86-64 with glibc uses this TLS model")
@pytest.mark.skipif(shutil.which("readelf") is None, reason="needs readelf")
def test_thread_local_variables_are_reached_without_a_call():
    # GCC ignored the TLS model, because only the declarations named it and not the definitions.
    result = execute("readelf", "-dW", core.__file__)
    assert "STATIC_TLS" in result.stdout
