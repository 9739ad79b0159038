# SPDX-License-Identifier: Apache-2.0
"""Build the documentation site: stage the documents, write the reference, run Sphinx."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import readme_links
from docs_site import check, cpp_pages, doxygen, names, python_pages, staging

ROOT = Path(__file__).resolve().parents[2]


def build(work: Path, site: Path, jobs: int) -> int:
    """Build the site into ``site``, with sources and caches in ``work``; return the exit status."""
    source = work / "source"
    written = staging.stage(ROOT, source, readme_links.project_url(ROOT, "Repository"))
    xml = doxygen.run(ROOT, work / "doxygen")
    if names.report(xml):
        return 1
    reference = source / "reference"
    written += python_pages.write(reference / "python")
    written += cpp_pages.write(xml, reference / "cpp", reference / "c")
    for path in set(source.rglob("*.*")) - set(written):
        path.unlink()  # remove the page of a document that no longer exists
    environment = {**os.environ, "TVM_FFI_DOCS_ROOT": str(ROOT)}
    # Option -a writes all pages each time, since the sidebar of each page has the titles of all.
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-a", "-W", "--keep-going"]
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
