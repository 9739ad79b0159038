# SPDX-License-Identifier: Apache-2.0
"""``python -m docs_site --work DIR --site DIR``: build the site."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from docs_site.build import build


def main() -> int:
    """Build the site; return 0 if all steps succeed and Sphinx does not print a warning."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="sources and caches")
    parser.add_argument("--site", type=Path, required=True, help="the site")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    return build(args.work.resolve(), args.site.resolve(), args.jobs)


if __name__ == "__main__":
    sys.exit(main())
