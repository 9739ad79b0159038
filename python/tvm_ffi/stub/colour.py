# SPDX-License-Identifier: Apache-2.0
"""Colour the messages of the command, if standard output is a terminal."""

from __future__ import annotations

import os
import sys

from . import consts


def paint(colour: str, text: str) -> str:
    """Return a text in a colour, or unchanged if the output must not have colours.

    Pipes and files get plain text. So do terminals if the environment variable ``NO_COLOR`` is set
    and not empty, see https://no-color.org.
    """
    if not colour or os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return f"{colour}{text}{consts.TERM_RESET}"
