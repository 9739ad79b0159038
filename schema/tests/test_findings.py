# SPDX-License-Identifier: Apache-2.0
"""The examples of all rules: the command reports each rule, and accepts the corrected files.

With ``TSCHEMA_GOLDEN=write``, the tests overwrite the expected texts in ``golden/findings``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
import rules_page

from tvm_ffi_schema.diag import Bag, rules
from tvm_ffi_schema.files import source
from tvm_ffi_schema.ir import Span
from tvm_ffi_schema.weave import file_texts
from tvm_ffi_schema.weave.weave import Conservation

from . import rule_examples, sarif
from .played import play, skip_if_impossible

EXAMPLES = rule_examples.every()
GOLDEN = Path(__file__).parent / "golden/findings"
SOURCES = Path(rules.__file__).parent.parent
#: Rules that no input can cause; the tests of these rules damage the tool itself.
INTERNAL = {"TS901"}
HEAD = re.compile(r"^(\S.*?):(\d+):(\d+): (error|warning|note)\[(TS\d+)\]: (.+)$")


def reviewed(name: str, text: str) -> str:
    """Return the expected text; if `TSCHEMA_GOLDEN` is "write", first overwrite it with `text`."""
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("TSCHEMA_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.spec(
    "SC101.57", "SC101.65", "SC103.8", "SC103.15", "SC104.22", "SC105", "SC105.3", "SC105.6"
)
@pytest.mark.parametrize("rule", EXAMPLES)
def test_a_rule_is_raised_in_every_format_and_its_repair_helps(project, rule):
    example = EXAMPLES[rule]
    skip_if_impossible(example)
    status = play(project, example.failing)
    assert rule in project.ids(), project.err
    assert reviewed(rule, shown(project.err)) == shown(project.err)
    severities = re.findall(rf"(error|warning|note)\[{rule}\]", project.err)
    assert rules.RULES[rule].severity in severities
    if "error" in severities:
        assert status not in (0, 70)
    says_where_and_what_to_do(project)
    machine_formats_say_the_same(project, example, status)
    again(project, example)
    assert play(project, example.fixed) == 0, project.err
    assert rule not in project.ids()


def again(project, example, *options: str) -> int:
    """Run all steps again in an empty project; if a step builds, run only the last command."""
    steps = example.failing
    if sum(step.kind == "run" for step in steps) > 1 and "build" in steps[1].name:
        return play(project, [example.command()], *options)
    for path in sorted(project.root.iterdir()):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return play(project, steps, *options)


def shown(text: str) -> str:
    """Return a text without parts that differ between machines."""
    lines = [line for line in text.splitlines() if not re.match(r"\d+ difference", line)]
    text = "\n".join(lines) + "\n"
    text = re.sub(r"(the packages tree-sitter and tree-sitter-cpp): .*", r"\1: ...", text)
    return re.sub(r"(error\[TS602\]: )(.|\n)*", r"\1...\n", text)


def says_where_and_what_to_do(project) -> None:
    """Check the position, the excerpt and the help of every finding that was printed."""
    lines = project.err.splitlines()
    heads = [(at, HEAD.match(line)) for at, line in enumerate(lines) if HEAD.match(line)]
    assert heads
    for (at, head), following in zip(heads, [*(n for n, _ in heads[1:]), len(lines)]):
        assert head is not None
        assert not os.path.isabs(head[1])
        body = lines[at + 1 : following]
        helps = [line for line in body if line.startswith("   = help: ")]
        assert helps or not rules.RULES[head[5]].advice, head[0]
        assert all(len(line) > 12 for line in helps)
        text = project.before.get(head[1], b"").decode(errors="replace").split("\n")
        if int(head[2]) <= len(text) and text[int(head[2]) - 1].strip():
            assert body[0] == f"{head[2]:>5} | {text[int(head[2]) - 1].rstrip(chr(13))}"
            assert body[1].index("^") - 8 == int(head[3]) - 1


def machine_formats_say_the_same(project, example, status: int) -> None:
    """Run the example in each machine format; compare the findings with those printed as text."""
    told = [HEAD.match(line) for line in project.err.splitlines()]
    want = [(m[5], m[1], int(m[2]), int(m[3]), m[4], m[6]) for m in told if m]
    assert again(project, example, "--format", "json") == status
    found = [json.loads(line) for line in project.out.splitlines() if line.startswith("{")]
    keys = ("id", "file", "line", "column", "severity", "message")
    assert [tuple(one[key] for key in keys) for one in found] == want
    assert all(one.get("help", "x") for one in found)
    assert again(project, example, "--format", "sarif") == status
    log = json.loads(project.out)
    sarif.check(log)
    results = log["runs"][0]["results"]
    assert [sarif.place(one) for one in results] == [one[:4] for one in want]
    assert [one["level"] for one in results] == [one[4] for one in want]
    if example.rule == "TS602":
        return  # because compiling once more would take too long
    assert again(project, example, "--format", "github") == status
    assert project.out.count("\n") == len(want)
    assert all(f"title={one[0]}::" in project.out for one in want)


@pytest.mark.spec("SC105.8")
def test_every_rule_has_an_example_and_no_other_id_has():
    assert set(EXAMPLES) | INTERNAL == set(rules.RULES)
    assert not set(EXAMPLES) & INTERNAL


@pytest.mark.spec("SC105.7")
def test_the_sources_know_no_id_besides_the_catalogue():
    raised = set()
    for path in SOURCES.rglob("*.py"):
        if path != Path(rules.__file__):  # the rules of `compare` are lines of a table
            raised |= set(re.findall(r'(?:"|\| )(TS\d{3})(?:"| body| \|)', path.read_text()))
    assert raised == set(rules.RULES)


@pytest.mark.spec("SC105.8")
def test_ts901_is_raised_when_the_tool_itself_is_damaged(project, monkeypatch):
    def lost(*args):
        raise Conservation("a section would be lost")

    project.schema('@declare\nclass PNode(Object):\n    type_key = "t.P"\n')
    monkeypatch.setattr(file_texts, "weave", lost)
    assert project.run("generate") == 70
    assert set(project.ids()) == INTERNAL
    assert project.run("generate", "--format", "sarif") == 70
    sarif.check(json.loads(project.out))


RUN = "\n```sh\ntvm-ffi-schema check\n```\n"
PAGE = f"## Example\n\n`a.py`:\n\n```python\nx\n```\n{RUN}## What helps\n"


def test_a_page_is_read_as_steps():
    one = rule_examples.example(PAGE + "In `a.py`:\n\n```diff\n-x\n+y\n```\n" + RUN, "TS001")
    assert [(s.kind, s.name) for s in one.failing] == [("file", "a.py"), ("run", "check")]
    assert one.fixed[0].edited("a\nx\nb\n") == "a\ny\nb\n"
    with pytest.raises(ValueError, match=r"a\.py does not hold \['x'\]"):
        one.fixed[0].edited("xx\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "TS001 has a section without a command"),
        ("```sh\nrm -rf .\n```\n", "'rm -rf .' is not a command of the tool"),
        ("For `a.py`:\n\n```python\n```\n", "does not say what the block behind it is"),
        ("In `a.py`:\n\n```python\n```\n", "does not say what the block behind it is"),
        ("`a.py`:\n\n```diff\n```\n", "does not say what the block behind it is"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(text, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        rule_examples.example(PAGE + text, "TS001")


@pytest.mark.spec("SC105.9")
def test_the_page_of_rules_says_what_the_catalogue_says():
    root = Path(rules_page.__file__).parents[2]
    assert (root / rules_page.PAGE).read_text(encoding="utf-8") == rules_page.text()


@pytest.mark.parametrize("is_new", [True, False])
def test_adding_a_finding_compares_it_with_few_others(is_new):
    """An earlier version compared each finding with all others: 10,000 took a minute."""

    class Message(str):
        compared = 0
        __hash__ = str.__hash__

        def __eq__(self, other):
            Message.compared += 1
            return str.__eq__(self, other)

    bag = Bag()
    for number in range(1000):
        bag.add("TS027", Message(number if is_new else "same"), Span("a.py", 1))
    assert len(bag.items) == (1000 if is_new else 1)
    assert Message.compared < 2000
    assert bag.has_errors and bag.failed == {"a.py"}


def test_a_file_with_many_findings_is_read_once(project, monkeypatch):
    """An earlier version read the schema file again for each name that is not known."""
    fields = "".join(f"    f{n}: Missing{n}\n" for n in range(50))
    project.schema(f'@declare\nclass ANode(Object):\n    """A."""\n    type_key = "A"\n{fields}')
    read, real = [], source.read
    monkeypatch.setattr(source, "read", lambda *given: read.append(given[0]) or real(*given))
    assert project.run("export", "schema/ir.py") == 3
    assert project.ids() == ["TS027"] * 50
    assert len(read) < 5
