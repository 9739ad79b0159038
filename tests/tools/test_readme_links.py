# SPDX-License-Identifier: Apache-2.0
"""Test the links of the README, and that one file names the host of the project."""

import re
from pathlib import Path

import readme_links

ROOT = Path(__file__).resolve().parents[2]
TEXT = "[a](docs/a.md#part) ![b](docs/b.svg) [c](https://x.test/) [d](#here)"


def test_links_stay_relative_without_a_repository():
    assert readme_links.linked(TEXT, "") == TEXT


def test_links_become_absolute_with_a_repository():
    linked = readme_links.linked(TEXT, "https://host.test/r")
    assert linked == (
        "[a](https://host.test/r/blob/main/docs/a.md#part) "
        "![b](https://host.test/r/blob/main/docs/b.svg?raw=true) [c](https://x.test/) [d](#here)"
    )
    assert readme_links.linked(linked, "https://host.test/r") == linked


def test_the_url_is_read_from_its_section(tmp_path):
    file = tmp_path / "pyproject.toml"
    file.write_text('[project]\n[project.urls]\nRepository = "https://host.test/r/"\n[tool]\n')
    assert readme_links.project_url(tmp_path, "Repository") == "https://host.test/r"
    assert readme_links.project_url(tmp_path, "Documentation") == ""
    file.write_text('[project]\n[tool.urls]\nRepository = "no"\n')
    assert readme_links.project_url(tmp_path, "Repository") == ""


def test_the_readme_has_the_links_of_the_setting():
    repository = readme_links.project_url(ROOT, "Repository")
    readme = (ROOT / "README.md").read_text()
    assert readme_links.linked(readme, repository) == readme
    links = re.findall(r"\]\(([^)\s]+)\)", readme)
    assert len(links) > 20
    if not repository:
        assert not [link for link in links if "://" in link]


def test_the_first_screen_of_the_readme():
    """Check the order of the sections: title, install, example, gain, tested platforms, pages."""
    lines = (ROOT / "README.md").read_text().splitlines()
    text = "\n".join(lines)
    order = [
        "# tvm-ffi",
        "pip install",
        "```cpp",
        "ratios.svg",
        "## What is tested",
        "## Where to go",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert next(i for i, line in enumerate(lines) if "pip install" in line) < 12
