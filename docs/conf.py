# SPDX-License-Identifier: Apache-2.0
"""Settings of Sphinx for the site; ``tools/docs_site`` passes the sources and the folders."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ["TVM_FFI_DOCS_ROOT"])
sys.path.insert(0, str(ROOT / "tools"))

_HEADER = (ROOT / "include/tvm/ffi/c_api.h").read_text(encoding="utf-8")
project = "tvm-ffi"
author = "the tvm-ffi authors"
project_copyright = "the tvm-ffi authors"
release = version = ".".join(re.findall(r"define TVM_FFI_VERSION_\w+ (\d+)", _HEADER))

extensions = [
    "myst_parser",
    "sphinx_copybutton",
    "docs_site.sphinx_extension",
]
language = "en"
default_role = "code"
nitpicky = False

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure", "duplicate_declaration.cpp"]

add_module_names = False
python_use_unqualified_type_names = True

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "furo"
html_title = f"tvm-ffi {release}"
html_favicon = str(ROOT / "docs" / "_static" / "icon.svg")
html_static_path = [str(ROOT / "docs" / "_static")]
html_css_files = ["site.css"]
html_search_scorer = str(ROOT / "docs" / "_static" / "search.js")
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
pygments_style = "friendly"
pygments_dark_style = "monokai"
