# SPDX-License-Identifier: Apache-2.0
"""The catalogue of rules. The id of a rule never changes, and is never used for another rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule: the usual severity of its findings, a title, and advice.

    The advice is empty if findings of the rule have several causes that need different advice. Each
    such finding has its own help instead.
    """

    severity: str
    title: str
    advice: str


_TEXT = """
TS001 error | a file cannot be read |
TS002 error | a schema file is not valid Python |
TS003 error | a JSON schema is not of the documented form |
TS004 error | a schema file failed while it ran |
TS005 error | no schema file was found |
TS010 error | unknown configuration key |
TS011 error | a configuration value is of the wrong kind |
TS012 error | a configuration file cannot be read |
TS013 error | a package or program cannot be used |
TS020 error | an expression leaves the static subset |
TS021 error | unknown setting | Correct the name; annotate it if it should be a field.
TS022 error | a class without a type key | Write `type_key = "..."`.
TS023 error | a value of the wrong kind |
TS024 error | class name and type key disagree about the reference class | Write `ref = "..."`.
TS025 warning | structural equality and hash disagree | Turn both off, or neither.
TS026 error | a required field after one with a default | Give it a default, or make it keyword-only.
TS027 error | unknown class |
TS028 error | a class or type key is declared twice | Rename one of them.
TS029 error | a name means several classes | Import the one that is meant.
TS030 error | not a type |
TS032 error | a field is declared twice | Rename one of them.
TS033 error | several parents | Objects have one parent; make the others mixins.
TS035 error | a default is not a value of the type |
TS036 error | an entry of an enum is wrong |
TS037 error | missing or unknown decorator |
TS038 error | documentation of a field that does not exist | Correct the name.
TS039 error | not a name that C++ takes | Choose another name.
TS040 error | a method that cannot be declared |
TS041 error | a mixin holds more than fields and methods | Move the rest into the classes.
TS043 error | a type attribute belongs to the runtime | Choose a name without its prefixes.
TS101 error | a block without an end | Write `// tschema: end` after it.
TS102 error | an end without a beginning | Remove it, or write the line that opens it.
TS103 error | a block inside a block | Close the first one before.
TS104 error | a block of an unknown class | Correct the name, or remove the block with --prune.
TS105 error | two blocks for the same thing | Remove one of them.
TS106 error | a custom section crosses the end of its block | Close it before the end.
TS107 error | unknown part, group, anchor or option |
TS108 error | generated text differs from its checksum | Use `resolve`, which names edits by hand; \
with `--adopt-edits` they become custom sections.
TS109 error | code in a new block that is in no custom section | Put it between custom-begin and \
custom-end, or use `resolve --adopt-edits`.
TS110 error | an unresolved merge conflict | Use `resolve`, then edit what is left.
TS111 warning | a comment that looks like a marker | Write `// tschema: Name`.
TS112 warning | mixed line ends in a block | The majority is kept.
TS113 warning | a class without a block | Add one, or use --insert.
TS114 warning | custom code for a place that no longer exists | It stands at the end of its class now.
TS115 error | a file that the tool did not write has the name of an output |
TS116 warning | a generated file without a source | Remove it.
TS117 error | a file changed during the run | Run the command again.
TS118 error | a file cannot be written |
TS119 error | the project cannot be locked |
TS120 error | a file with markers cannot be read |
TS121 error | a custom section whose class or method is gone | Move what is still needed out of \
the .orphaned file, then remove it.
TS201 error | classes derive from one another | Remove one of the bases.
TS202 error | schema files import one another | Write names as strings, or move what is shared.
TS210 warning | an extern class reserves too few child slots | Ask its owner for more.
TS211 error | a sealed class reserves too few child slots | Let them be computed.
TS212 error | a class derives from a final one | Remove `final`, or the base.
TS213 error | a class reserves as many child slots as its parent | Let them be computed.
TS303 warning | a type key outside the namespace of its module | Add the prefix.
TS311 warning | two different texts for one field | Keep one of them.
TS320 error | a mutable default | Use `default_factory`.
TS322 error | a keyword as a name | Use another name and `field(name=...)`.
TS323 warning | a mutable class with structural equality | Make it immutable, or use another kind.
TS325 warning | a class below one with computed child slots that does not count | Reserve \
some, `child_slots = auto_slots(extra=4)`, or make it `sealed`.
TS326 error | no equivalent in the classic dialect | Use the modern dialect for this class.
TS327 error | no equivalent in Rust | Change the schema, or leave out the output `rust`.
TS330 warning | an extern that nothing uses | Remove it.
TS401 error | a class of the schema is not in the C++ sources | Write it, or remove it from the schema.
TS402 note | a C++ object class is not in the schema | Declare it.
TS403 error | another type key in the macro | Correct one of them.
TS404 error | another parent in the class head | Correct one of them.
TS405 error | the macro names another class, or another parent than the head | Correct the macro.
TS406 error | a class is never registered | Add `refl::ObjectDef<T>()`.
TS407 error | RegisterReflection is never called | Call it in an init block.
TS408 error | a field is not registered | Register it, or mark it `reflect=False`.
TS409 error | a field or method is registered twice or for another member | Correct the registration.
TS410 error | a registered field or method is not in the schema | Declare it, or remove the registration.
TS411 error | a member has another type | Correct one of them.
TS412 error | members are in another order | Order decides constructors and layout; correct one of them.
TS413 error | another word registers a member, or `_type_mutable` differs | Use the one that the schema asks for.
TS414 error | another default value | Correct one of them.
TS415 error | a default on one side only | Add it, or remove it.
TS416 error | other flags or other metadata | Correct the registration.
TS417 error | another kind of structural equality | Correct one of them.
TS418 error | structural equality without hash, or the reverse | Write both, or neither.
TS419 error | another constructor | Parameters follow the order of the fields.
TS420 error | a method is missing or has another signature | Write it, or correct the schema.
TS421 error | the reference class is missing or wrong |
TS422 error | child slots are too few or stale, or overflow on one side | Write the number that the schema computes.
TS423 error | a class derives from one that is final in C++ | Use the macro without _FINAL there.
TS424 error | a class is final on one side only | Use the macro without _FINAL.
TS425 note | documentation differs | Use the same words in both places.
TS427 note | a member that is neither in the schema nor marked | Declare it, with `reflect=False` if need be.
TS428 note | a part of a class could not be read | What is said about its members is only \
possibly true; name macros of the project in `object_macros`.
TS429 error | a member has another access | Move the member, or correct `access` in the schema.
TS430 error | an enum or one of its entries differs | Correct one of them.
TS431 error | a library lacks a type, or cannot be loaded |
TS434 error | a field has another offset or size in the library | Check compiler and storage.
TS438 error | a type attribute differs | Correct one of them.
TS440 warning | a class that cannot be adopted | It is left alone; change what is named, and adopt again.
TS441 error | there is nothing to adopt |
TS500 error | a change breaks users of the old version | Undo it, or suppress it with a reason.
TS501 warning | a suppression without effect | Remove it.
TS502 error | the older version cannot be read |
TS601 error | no C++ compiler was found |
TS602 error | the C++ compiler failed |
TS603 error | an image cannot hold this |
TS604 note | native code is not in an image | Build a library to have it.
TS610 error | this cannot be built |
TS611 error | a source file is missing |
TS901 error | internal error | Please report it; nothing was written.
"""


def _parse() -> dict[str, Rule]:
    table = {}
    for line in _TEXT.strip().splitlines():
        head, title, advice = (part.strip() for part in line.split("|"))
        name, severity = head.split()
        table[name] = Rule(severity, title, advice)
    return table


RULES: dict[str, Rule] = _parse()
