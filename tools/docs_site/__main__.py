# SPDX-License-Identifier: Apache-2.0
"""Build the site: stage the documents, write the reference, run Sphinx, check the pages.

``python -m docs_site WORK SITE JOBS``: WORK is for sources and caches.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import readme_links
from docs_site import check, cpp_names, cpp_pages, python_names, python_pages, staging
from repository import ROOT


def gaps(xml: Path) -> list[str]:
    """Print the number of public names; return a line for each name without a complete entry."""
    python, missing = python_names.gaps()
    native, without_text = cpp_names.gaps(xml)
    print(f"docs: {python} public names of Python, {native['C']} of C, {native['C++']} of C++")
    return missing + without_text


def build(work: Path, site: Path, jobs: str) -> list[str]:
    """Build the site into ``site``, with sources and caches in ``work``; return the problems."""
    source = work / "source"
    written = staging.stage(ROOT, source, readme_links.project_url(ROOT, "Repository"))
    xml = cpp_names.run_doxygen(ROOT, work / "doxygen")
    if missing := gaps(xml):
        return missing
    reference = source / "reference"
    written += python_pages.write(reference / "python")
    written += cpp_pages.write(xml, reference / "cpp", reference / "c")
    for path in set(source.rglob("*.*")) - set(written):
        path.unlink()  # remove the page of a document that no longer exists
    environment = {**os.environ, "TVM_FFI_DOCS_ROOT": str(ROOT)}
    # Option -a writes all pages each time, since the sidebar of each page has the titles of all.
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-a", "-W", "--keep-going"]
    command += ["-j", jobs, "-c", str(ROOT / "docs"), "-d", str(work / "doctrees")]
    if subprocess.run([*command, str(source), str(site)], env=environment).returncode:
        return ["Sphinx has printed warnings"]
    number, size = check.size(site)
    print(f"docs: {number} pages, {size / 1e6:.1f} MB in {site}")
    return check.problems(site)


if __name__ == "__main__":
    work, site, jobs = sys.argv[1:]
    found = build(Path(work).resolve(), Path(site).resolve(), jobs)
    sys.exit("\n".join(f"docs: {text}" for text in found) or 0)
