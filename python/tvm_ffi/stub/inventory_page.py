# SPDX-License-Identifier: Apache-2.0
"""Convert an inventory to one self-contained HTML page with search."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .inventory import Inventory

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>tvm-ffi inventory</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
input { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box }
.entry { border-left: 3px solid #ccc; margin: .6rem 0; padding-left: .8rem }
code { font-family: ui-monospace, monospace; font-size: 13px }
.part { display: block; white-space: pre-wrap }
.note { color: #666 }
</style>
</head>
<body>
<h1>tvm-ffi inventory</h1>
<input id="search" type="search" placeholder="Search names and types" autofocus>
<p class="note" id="count"></p>
<main id="list"></main>
<script type="application/json" id="data">@DATA@</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const list = document.getElementById("list");
const entries = [];
function line(parent, text, tag) {
  const element = document.createElement(tag || "code");
  element.className = "part";
  element.textContent = text;
  parent.append(element);
}
function depth(key) {
  let count = 0;
  const known = (k) => Object.hasOwn(data.types, k);
  for (let k = data.types[key].parent; known(k); k = data.types[k].parent) count += 1;
  return count;
}
function described(parts, text, doc) {
  parts.push(text);
  if (doc) parts.push("    " + doc.replaceAll("\\n", "\\n    "));
}
function add(title, kind, indent, parts) {
  const box = document.createElement("section");
  box.className = "entry";
  box.style.marginLeft = indent * 1.2 + "rem";
  line(box, title, "strong");
  line(box, kind, "span");
  for (const part of parts) line(box, part);
  list.append(box);
  entries.push([box, box.textContent.toLowerCase()]);
}
for (const [key, t] of Object.entries(data.types)) {
  const parts = [];
  if (t.doc) parts.push(t.doc);
  for (const f of t.fields) described(parts, "." + f.name + ": " + f.type, f.doc);
  for (const m of t.methods) {
    described(parts, (m.static ? "static " : "") + m.name + m.signature, m.doc);
  }
  if (t.enum_entries.length) parts.push("entries: " + t.enum_entries.join(", "));
  if (t.attributes.length) parts.push("attributes: " + t.attributes.join(", "));
  add(key, t.parent ? "type, from " + t.parent : "type", depth(key), parts);
}
function addFunctions(functions, kind) {
  for (const [name, f] of Object.entries(functions)) {
    const parts = [];
    described(parts, f.signature, f.doc);
    add(name, kind, 0, parts);
  }
}
addFunctions(data.functions, "function");
for (const [path, functions] of Object.entries(data.exports || {})) {
  addFunctions(functions, "exported by " + path.split("/").pop());
}
function show() {
  const words = document.getElementById("search").value.toLowerCase().split(/\\s+/);
  let count = 0;
  for (const [box, text] of entries) {
    const fits = words.every((word) => text.includes(word));
    box.hidden = !fits;
    count += fits ? 1 : 0;
  }
  document.getElementById("count").textContent = count + " of " + entries.length;
}
document.getElementById("search").addEventListener("input", show);
function wanted() {
  const text = location.hash.slice(1);
  try { return decodeURIComponent(text); } catch { return text; }
}
function follow() {
  document.getElementById("search").value = wanted();
  show();
}
addEventListener("hashchange", follow);
follow();
</script>
</body>
</html>
"""


def as_page(inventory: Inventory) -> str:
    """Return an inventory as an HTML page; the fragment ``#words`` of its URL starts a search."""
    data = json.dumps(inventory, ensure_ascii=True)
    # Escape "<", so that the data cannot contain "</script>".
    return _PAGE.replace("@DATA@", data.replace("<", "\\u003c"))


def is_page(content: bytes) -> bool:
    """Return whether the content of a file is an HTML page."""
    return content.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html"))
