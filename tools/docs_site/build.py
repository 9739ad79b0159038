# SPDX-License-Identifier: Apache-2.0
"""Build the documentation site: stage the documents, write the reference, run Sphinx."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from docs_site import check, cpp_pages, doxygen, python_pages, staging

ROOT = Path(__file__).resolve().parents[2]


def build(work: Path, site: Path, jobs: int) -> int:
    """Build the site into a folder; ``work`` keeps sources and caches. Return Sphinx's status."""
    source = work / "source"
    staging.stage(ROOT, source, "")
    xml = doxygen.run(ROOT, work / "doxygen")
    reference = source / "reference"
    python = python_pages.write(reference / "python")
    cpp = cpp_pages.write(xml, reference / "cpp", reference / "c")
    print(f"docs: entries for {python} Python names and {cpp} C and C++ names")
    environment = {**os.environ, "TVM_FFI_DOCS_ROOT": str(ROOT)}
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going"]
    command += ["-j", str(jobs), "-c", str(ROOT / "docs"), "-d", str(work / "doctrees")]
    status = subprocess.run([*command, str(source), str(site)], env=environment, check=False)
    if status.returncode:
        return status.returncode
    found = check.problems(site)
    for text in found:
        print(f"docs: {text}", file=sys.stderr)
    number, size = check.size(site)
    print(f"docs: {number} pages, {size / 1e6:.1f} MB in {site}")
    return 1 if found else 0
