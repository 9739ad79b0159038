# SPDX-License-Identifier: Apache-2.0
"""Check that a SARIF 2.1.0 log has only the members that the tool writes, in the right form."""

from __future__ import annotations

import re
from typing import Any

TEXT = {"text": str}
REGION = {"startLine": 1, "startColumn": 1, "endLine?": 1, "endColumn?": 1}
PLACE = {"artifactLocation": {"uri": "uri"}, "region": REGION}
#: The allowed members and their forms. A name with "?" is optional. A list with one form means a
#: list of items with this form. The number 1 or 0 means an integer of at least this value.
LOG: dict[str, Any] = {
    "$schema": "uri",
    "version": "2.1.0",
    "runs": [
        {
            "tool": {
                "driver": {
                    "name": str,
                    "rules": [
                        {
                            "id": str,
                            "shortDescription": TEXT,
                            "help?": TEXT,
                            "defaultConfiguration": {"level": "level"},
                        }
                    ],
                }
            },
            "columnKind": "unicodeCodePoints",
            "results": [
                {
                    "ruleId": str,
                    "ruleIndex": 0,
                    "level": "level",
                    "message": TEXT,
                    "locations": [{"physicalLocation": PLACE}],
                    "relatedLocations?": [{"physicalLocation": PLACE, "message": TEXT}],
                    "partialFingerprints": {"tschema/v2": str},
                    "fixes?": [
                        {
                            "description": TEXT,
                            "artifactChanges": [
                                {
                                    "artifactLocation": {"uri": "uri"},
                                    "replacements": [
                                        {
                                            "deletedRegion": REGION,
                                            "insertedContent": {"text": "any"},
                                        }
                                    ],
                                }
                            ],
                        }
                    ],
                }
            ],
        }
    ],
}
LEVELS = ("none", "note", "warning", "error")
URI = re.compile(r"(https://|(?!/)(?![A-Za-z]+:))[^\s\\]+\Z")


def check(log: Any) -> None:
    """Assert that a log has the right form, and that its indices and ranges are valid."""
    _check(log, LOG, "log")
    for run in log["runs"]:
        ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(ids) == len(set(ids))
        for result in run["results"]:
            assert ids[result["ruleIndex"]] == result["ruleId"]
            for region in _regions(result):
                first = region["startLine"], region["startColumn"]
                last = region.get("endLine", first[0]), region.get("endColumn", first[1])
                assert first <= last, result


def place(result: dict[str, Any]) -> tuple[str, str, int, int]:
    """Return id, file, line and column of a result."""
    where = result["locations"][0]["physicalLocation"]
    region = where["region"]
    uri = where["artifactLocation"]["uri"]
    return result["ruleId"], uri, region["startLine"], region["startColumn"]


def _regions(value: Any) -> list[dict[str, int]]:
    if isinstance(value, list):
        return [found for item in value for found in _regions(item)]
    if not isinstance(value, dict):
        return []
    own = [value] if "startLine" in value else []
    return own + [found for item in value.values() for found in _regions(item)]


def _check(value: Any, wanted: Any, where: str) -> None:
    if isinstance(wanted, dict):
        assert isinstance(value, dict), where
        names = {name.rstrip("?"): part for name, part in wanted.items()}
        assert set(value) <= set(names), where
        for name, part in wanted.items():
            if not name.endswith("?") or name.rstrip("?") in value:
                _check(value[name.rstrip("?")], part, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert isinstance(value, list), where
        for at, item in enumerate(value):
            _check(item, wanted[0], f"{where}[{at}]")
    elif wanted is str:
        assert isinstance(value, str) and value, where
    elif wanted == "any":
        assert isinstance(value, str), where
    elif isinstance(wanted, int):
        assert type(value) is int and value >= wanted, where
    elif wanted == "level":
        assert value in LEVELS, where
    elif wanted == "uri":
        assert isinstance(value, str) and URI.match(value), (where, value)
    else:
        assert value == wanted, where
