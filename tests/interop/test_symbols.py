# SPDX-License-Identifier: Apache-2.0
"""Test that our runtime has all names that clients of either side need from a runtime (SY6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from running import execute

import export_list
import tvm_ffi.libinfo

pytestmark = pytest.mark.skipif(
    "TVM_FFI_INTEROP_CLIENTS" in os.environ, reason="this is the peer's interpreter"
)
NOUNS = ("values", "containers", "functions", "objects", "extras", "modules", "c_client")
# These clients are compiled only with headers that support enums, big integers or traversals.
LATER_NOUNS = ("enums", "integers", "structural", "walks")


def symbols(library, which):
    """Return the defined or the undefined dynamic symbols of a library, without versions."""
    command = ["nm", "-D", f"--{which}-only", "--format=posix", library]
    out = execute(*command).stdout
    return {line.split()[0].partition("@")[0] for line in out.splitlines() if line}


def asked_of_the_runtime(library):
    """Return the undefined symbols of a library that have names of the runtime."""
    return {
        name
        for name in symbols(library, "undefined")
        if name.startswith("TVMFFI") or "N3tvm3ffi" in name
    }


@pytest.mark.parametrize("noun", NOUNS + LATER_NOUNS)
def test_our_headers_ask_for_promised_names_alone(clients, noun):
    library = clients / f"lib{noun}_ours.so"
    if not library.exists() and noun in LATER_NOUNS:
        pytest.skip(f"our headers for {noun} are not there")
    asked = asked_of_the_runtime(library)
    assert asked
    c_names, cxx_names = export_list.promised()
    assert asked <= {*c_names, *cxx_names}


@pytest.mark.spec("SY6")
@pytest.mark.parametrize("noun", NOUNS)
def test_our_library_has_every_name_that_clients_of_either_side_ask_for(clients, noun, side):
    exported = symbols(tvm_ffi.libinfo.find_libtvm_ffi(), "defined")
    assert asked_of_the_runtime(clients / f"lib{noun}_{side}.so") <= exported


@pytest.mark.spec("SY6")
@pytest.mark.parametrize("noun", NOUNS)
def test_the_dynamic_linker_finds_everything_in_our_library(clients, noun):
    folder = Path(tvm_ffi.libinfo.find_libtvm_ffi()).parent
    done = execute(
        "ldd",
        "-r",
        clients / f"lib{noun}_peer.so",
        env={"PATH": os.environ["PATH"], "LD_LIBRARY_PATH": str(folder), "LC_ALL": "C"},
    )
    # Ignore symbols that do not belong to the runtime: if the library was built with a sanitizer,
    # the symbols of the sanitizer are missing.
    lines = (done.stdout + done.stderr).splitlines()
    missing = [line for line in lines if "undefined symbol" in line]
    assert not [line for line in missing if "TVMFFI" in line or "N3tvm3ffi" in line]
    assert f"{folder}/libtvm_ffi.so" in done.stdout
