// SPDX-License-Identifier: Apache-2.0
// Weights of search results: what a page is about counts first, then guides before the reference, and
// the reference before pages about the project. Sphinx gives the same weight to each page that
// contains a word.
const subjects = {
  "cuda": ["cuda", "gpu", "nvcc", "kernel"],
  "dataclasses": ["py_class", "c_class", "dataclass", "field"],
  "errors": ["exception", "error", "errors", "raise"],
  "pytorch": ["torch", "pytorch"],
  "rust": ["rust", "cargo", "crate"],
  "tensors": ["array", "dlpack", "ndarray", "numpy", "stream", "tensor", "tensors"],
  "threads": ["fork", "gil", "lock", "thread", "threads"],
  "tutorial/install": ["install", "pip"],
};

var Scorer = {
  score: ([page, , , , score]) => {
    const query = new URLSearchParams(window.location.search).get("q") ?? "";
    const words = query.toLowerCase().split(/\s+/);
    const found = (subjects[page] ?? []).filter((word) => words.includes(word)).length;
    if (page.startsWith("project/") || page === "maintaining") return score - 30;
    if (page.startsWith("reference/") || page.startsWith("schema/")) return score - 5;
    return score + 10 + 30 * found;
  },
  objNameMatch: 40,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
