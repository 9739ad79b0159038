# SPDX-License-Identifier: Apache-2.0
"""Steps that test xgrammar: grammars from JSON schemas, matching and bit masks."""

import json


def imports():
    import xgrammar

    assert xgrammar.TokenizerInfo


def matches_a_schema():
    import xgrammar

    vocabulary = [chr(code) for code in range(32, 127)] + ["</s>"]
    info = xgrammar.TokenizerInfo(vocabulary, stop_token_ids=[len(vocabulary) - 1])
    schema = json.dumps({"type": "object", "properties": {"a": {"type": "integer"}}})
    grammar = xgrammar.GrammarCompiler(info).compile_json_schema(schema)
    matcher = xgrammar.GrammarMatcher(grammar)
    mask = xgrammar.allocate_token_bitmask(1, info.vocab_size)
    assert matcher.fill_next_token_bitmask(mask)
    assert matcher.accept_string('{"a": 12}')
    assert not xgrammar.GrammarMatcher(grammar).accept_string("[")


def raises_an_error():
    import xgrammar

    try:
        xgrammar.Grammar.from_ebnf("root ::= (")
    except RuntimeError as error:
        text = str(error)
    else:
        text = "no error"
    assert "EBNF" in text, text
