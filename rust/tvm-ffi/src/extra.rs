// SPDX-License-Identifier: Apache-2.0
//! Modules and structural operations.

pub mod dispatch;
pub mod module;
pub mod structural;
pub mod structural_mutate;
pub mod structural_visit;
pub mod unchanged;

pub use structural::{
    deep_copy, from_json_graph, from_json_graph_str, get_first_structural_mismatch, json_parse,
    json_stringify, recursive_eq, recursive_hash, recursive_lt, repr, structural_equal,
    structural_equal_with, structural_hash, structural_hash_with, to_json_graph, to_json_graph_str,
};
