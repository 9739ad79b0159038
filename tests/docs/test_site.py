# SPDX-License-Identifier: Apache-2.0
"""Test the documentation site: its checker of pages, the coverage of public names, a browser.

``make docs`` builds the site and sets ``TVM_FFI_DOCS_SITE``; without this variable the tests of the
built site are skipped.
"""

import functools
import http.server
import os
import re
import shutil
import sys
import threading
from pathlib import Path

import pytest
import webdriver

from docs_site import check, cpp_names, cpp_pages, python_names, staging

ROOT = Path(__file__).resolve().parents[2]
SITE = os.environ.get("TVM_FFI_DOCS_SITE")
needs_site = pytest.mark.skipif(not SITE, reason="the site is built by make docs")
needs_browser = pytest.mark.skipif(
    webdriver.BROWSER is None or webdriver.DRIVER is None, reason="needs Chromium and its driver"
)
HEAD = '<title>{0}</title><meta name="description" content="About {0}">'

# ---- the public names


def test_every_public_python_name_has_a_complete_entry():
    number, gaps = python_names.gaps()
    assert gaps == []
    assert number >= 350


@pytest.mark.skipif(shutil.which("doxygen") is None, reason="needs doxygen")
def test_every_public_name_of_the_headers_has_an_entry(tmp_path):
    counts, gaps = cpp_names.gaps(cpp_names.run_doxygen(ROOT, tmp_path))
    assert gaps == []
    assert counts["C"] >= 200
    assert counts["C++"] >= 1000


@pytest.mark.skipif(shutil.which("doxygen") is None, reason="needs doxygen")
def test_the_c_reference_has_every_header_of_c(tmp_path):
    written = cpp_pages.write(
        cpp_names.run_doxygen(ROOT, tmp_path), tmp_path / "cpp", tmp_path / "c"
    )
    pages = {path.stem: path.read_text() for path in written if path.parent.name == "c"}
    headers = {"c_api", "c_env_api", "extra-c_error", "extra-c_function", "extra-c_value"}
    assert set(pages) == headers | {"index"}
    for header in sorted(ROOT.glob("include/tvm/ffi/extra/c_*.h")):
        text = header.read_text()
        for function in re.findall(r"^static inline .*?(tvm_ffi_\w+)\(", text, re.MULTILINE):
            is_listed = f"{function}(" in pages[f"extra-{header.stem}"]
            assert is_listed == (not function.endswith("_")), function


@pytest.mark.skipif(shutil.which("doxygen") is None, reason="needs doxygen")
def test_a_name_without_a_comment_is_found(tmp_path):
    header = tmp_path / "include" / "tvm" / "ffi" / "sample.h"
    header.parent.mkdir(parents=True)
    header.write_text(
        """
namespace tvm { namespace ffi {
/*! \\brief A class. */
class Sample {
 public:
  /*! \\brief With a text. \\throws ValueError always. */
  int Described(int x) const;
  int Bare() const;
  int Bare(int) const;
  int size() const;
  Sample(const Sample& other);
 private:
  int hidden_;
};
namespace detail { int Private(); }
enum class Kind { /*! \\brief First. */ kOne = 1, kTwo };
}}
"""
    )
    found = cpp_names.names(cpp_names.run_doxygen(tmp_path, tmp_path / "out"))
    bare = [name.qualified.removeprefix("tvm::ffi::") for name in found if not name.is_described]
    assert sorted(bare) == ["Kind", "Kind::kTwo", "Sample::Bare"]
    described = {name.name: name.declarations for name in found if name.is_described}
    assert set(described) == {"Sample", "Described", "size", "kOne"}
    (declaration, text) = described["Described"][0]
    assert declaration == "int Described(int x) const"
    assert ":throws ValueError: always." in text


def named() -> None:
    """Do nothing."""


def _private() -> None:
    """Do nothing."""


def test_signatures_show_no_addresses():
    def example(a: int, b: type = dict, *, c: object = named, d: object = _private) -> None:
        """Do nothing."""

    shown = python_names.describe("sample", "example", example).signature
    assert "0x" in shown
    printed = "(a: int, b: type = dict, *, c: object = named, d: object = ...) -> None"
    assert python_names.printable(shown) == printed


def test_no_signature_of_the_reference_shows_how_python_prints_an_object():
    shown = [python_names.printable(e.signature or "") for e in python_names.everything()]
    assert len(shown) >= 350
    assert [text for text in shown if " at 0x" in text or "<class" in text] == []


def documented(x: int) -> int:
    """Return the number."""
    return x


def untyped(x):
    """Return the number."""
    return x


def raising(x: int) -> None:
    """Check the number."""
    raise ValueError(x)


def honest(x: int) -> None:
    """Raise ``ValueError``."""
    raise ValueError(x)


def bare(x: int) -> int:
    return x


@pytest.mark.parametrize(
    ("function", "gaps"),
    [
        (documented, []),
        (honest, []),
        (untyped, ["a parameter or the result has no type"]),
        (raising, ["raises ValueError, which the text does not say"]),
        (bare, ["no text"]),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_an_entry_must_say(function, gaps):
    assert python_names.describe("sample", function.__name__, function).gaps() == gaps


# ---- the staged documents


def test_links_lead_to_the_pages_of_the_site(tmp_path):
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "SECURITY.md").write_text("# Security\n")
    (tmp_path / "docs" / "reference" / "index.md").write_text("# Reference\n")
    source = tmp_path / "docs" / "page.md"
    source.write_text(
        "[a](../SECURITY.md#rules) [b](reference) [c](../src) [d](https://x.test/y) [e](#here)\n"
        "```md\n[f](../SECURITY.md)\n```\n"
    )
    staging.stage(tmp_path, tmp_path / "out", "")
    assert (tmp_path / "out" / "page.md").read_text() == (
        "[a](project/security.md#rules) [b](reference/index.md) c [d](https://x.test/y) "
        "[e](#here)\n"
        "```md\n[f](../SECURITY.md)\n```\n"
    )
    staging.stage(tmp_path, tmp_path / "out", "https://x.test/r")
    assert "[c](https://x.test/r/blob/main/src)" in (tmp_path / "out" / "page.md").read_text()


def test_every_document_is_in_the_sidebar():
    toctrees = re.findall(
        r"^```{toctree}\n(.*?)^```", (ROOT / "docs/index.md").read_text(), re.M | re.S
    )
    listed = {f"{page}.md" for toctree in toctrees for page in toctree.split()}
    below = ("reference/", "project/decisions/")
    places = set(staging.pages(ROOT).values()) - {"index.md"}
    assert {place for place in places - listed if not place.startswith(below)} == set()


def test_a_file_with_the_same_text_is_not_written(tmp_path):
    staging.write_if_changed(tmp_path / "a", "text")
    os.utime(tmp_path / "a", (1, 1))
    staging.write_if_changed(tmp_path / "a", "text")
    assert (tmp_path / "a").stat().st_mtime == 1
    staging.write_if_changed(tmp_path / "a", "other")
    assert (tmp_path / "a").read_text() == "other"


# ---- the check of a site


def write_site(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text)
    return check.problems(folder)


def test_a_good_site_has_no_problem(tmp_path):
    (tmp_path / "style.css").write_text("")
    page = HEAD.format("A") + '<link rel="stylesheet" href="style.css"><a href="b.html#part">b</a>'
    links = '<a href="https://x.test/">out</a><a href="#">top</a>'
    other = HEAD.format("B") + '<h1 id="part">B</h1>' + links
    assert write_site(tmp_path, a=page, b=other) == []
    assert check.size(tmp_path)[0] == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (HEAD.format("A") + '<a href="none.html">x</a>', "the link none.html has no target"),
        (HEAD.format("A") + '<a href="#none">x</a>', "the link #none has no anchor"),
        (HEAD.format("A") + '<script src="//x.test/a.js"></script>', "loads //x.test/a.js from"),
        (HEAD.format("A") + '<img src="https://x.test/a.png">', "loads https://x.test/a.png from"),
        ('<meta name="description" content="x">', "no title"),
        ("<title>A</title>", "no description"),
    ],
)
def test_each_fault_is_found(tmp_path, text, problem):
    (found,) = write_site(tmp_path, a=text)
    assert found.startswith(f"a.html: {problem}")


def test_a_title_is_used_once(tmp_path):
    assert write_site(tmp_path, a=HEAD.format("A"), b=HEAD.format("A")) == [
        "2 pages have the title 'A'"
    ]


def test_a_folder_without_pages_is_a_problem(tmp_path):
    assert len(check.problems(tmp_path)) == 1


# ---- the built site


@needs_site
def test_the_built_site_has_no_problem():
    assert check.problems(Path(SITE)) == []
    assert check.size(Path(SITE))[0] > 150


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    with webdriver.browser(tmp_path_factory.mktemp("profile")) as window:
        yield window


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def host():
    """Serve the site, and yield its address; browsers restrict pages that are opened as files."""
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def set_width(page, width):
    page.ask("POST", "/window/rect", width=width, height=900)


def results(page, host, query):
    """Return the pages that a search finds, the best first."""
    page.open(f"{host}/search.html?q={query}")
    script = "return [...document.querySelectorAll('#search-results li a')].map(a => a.href)"
    for _ in range(100):
        if (found := page.run(script)) and "finished" in page.text("#search-results"):
            break
        page.run("return new Promise(done => setTimeout(done, 100))")
    return [one.removeprefix(f"{host}/").partition("?")[0].partition("#")[0] for one in found]


@needs_site
@needs_browser
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("install cuda", "cuda.html"),
        ("GIL", "threads.html"),
        ("ndarray", "tensors.html"),
        ("return a tensor", "tensors.html"),
        ("NumPy", "tensors.html"),
        ("register_object", "reference/python/objects.html"),
    ],
)
def test_search_finds(page, host, query, wanted):
    assert wanted in results(page, host, query)[:3]


@needs_site
@needs_browser
@pytest.mark.parametrize("width", [390, 1300])
@pytest.mark.parametrize(
    "name", ["index.html", "functions.html", "reference/cpp/any.html", "reference/c/c_api.html"]
)
def test_pages_fit_their_window(page, host, name, width):
    set_width(page, width)
    page.open(f"{host}/{name}")
    inner, content = page.run("return [window.innerWidth, document.documentElement.scrollWidth]")
    assert content <= inner
    assert page.complaints() == []


@needs_site
@needs_browser
def test_a_page_loads_files_of_the_site_only(page, host):
    page.open(f"{host}/index.html")
    loaded = page.run("return performance.getEntriesByType('resource').map(e => e.name)")
    assert loaded
    assert all(name.startswith(host) for name in loaded)


@needs_site
@needs_browser
def test_dark_mode_changes_the_colours(page, host):
    page.open(f"{host}/index.html")
    colour = "return getComputedStyle(document.body).backgroundColor"
    page.run("document.body.dataset.theme = 'light'")
    light = page.run(colour)
    page.run("document.body.dataset.theme = 'dark'")
    assert page.run(colour) != light


@needs_site
@needs_browser
def test_the_sidebar_of_a_phone_opens(page, host):
    set_width(page, 390)
    page.open(f"{host}/index.html")
    left = "return document.querySelector('.sidebar-drawer').getBoundingClientRect().left"
    assert page.run(left) < 0
    page.run("document.querySelector('label[for=__navigation]').click()")
    for _ in range(50):
        if page.run(left) >= 0:
            break
        page.run("return new Promise(done => setTimeout(done, 50))")
    assert page.run(left) >= 0


def test_building_the_site_is_no_part_of_make_test():
    makefile = (ROOT / "Makefile").read_text()
    rules = {
        rule: makefile.split(f"\n{rule}:", 1)[1].split("\n\n", 1)[0]
        for rule in ("test", "test-cpp", "test-python", "build", "lint", "site")
    }
    assert "docs_site" in rules.pop("site")
    assert not any("docs_site" in text or "DOCS" in text for text in rules.values())
    pins = (ROOT / "tools" / "requirements-docs.txt").read_text().splitlines()
    assert "sphinx" not in (ROOT / "tools" / "requirements-dev.txt").read_text()
    assert all(line.startswith("#") or "==" in line for line in pins)
    assert sys.version_info >= (3, 10)
