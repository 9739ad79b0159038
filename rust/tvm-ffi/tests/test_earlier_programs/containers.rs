// SPDX-License-Identifier: Apache-2.0
//! Lists and maps.

use tvm_ffi::{List, Map, Result};

/// A stack of any type; the struct has no bounds.
#[derive(Clone)]
struct Stack<T> {
    items: List<T>,
}

/// A table of any types; the struct has no bounds.
#[derive(Clone)]
struct Table<K, V> {
    entries: Map<K, V>,
}

// spec: RUST-R45
#[test]
fn methods_of_lists_that_allocate_return_a_result() -> Result<()> {
    let stack = Stack { items: List::new() };
    stack.items.reserve(4)?;
    stack.items.push(1i64)?;
    stack.items.extend([2, 3])?;
    stack.items.resize(5, 0)?;
    stack.items.insert(0, 7)?;
    stack.items.set(1, 8)?;
    let items = stack.clone().items.iter().collect::<Result<Vec<_>>>()?;
    assert_eq!(items, [7, 8, 2, 3, 0, 0]);
    // The methods that only remove or move elements return nothing.
    let () = stack.items.truncate(2);
    let () = stack.items.reverse();
    assert_eq!((stack.items.pop()?, stack.items.len()), (7, 1));
    let () = stack.items.clear();
    Ok(())
}

// spec: RUST-R45
#[test]
fn maps_are_members_of_generic_structs() -> Result<()> {
    let entries: Map<i64, i64> = [(1, 2)].into_iter().collect();
    let table = Table { entries };
    let shared = table.clone().entries;
    assert_eq!((shared.get(&1)?, shared.len()), (Some(2), 1));
    Ok(())
}
