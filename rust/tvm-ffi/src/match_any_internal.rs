// SPDX-License-Identifier: Apache-2.0
//! `match_any!` and the types and functions that it expands to.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::any::{is_object_index, AnyView};
use crate::type_traits::AnyCompatible;

/// Evaluate the first arm that matches the value.
///
/// ```
/// use tvm_ffi::reflection::{AccessPath, AccessStep};
/// use tvm_ffi::{match_any, Any, Function};
///
/// let value = Any::from(AccessPath::root().attr("body"));
/// let text = match_any! { value {
///     AccessPath(path) if path.depth() == 0 => "the root".to_string(),
///     AccessPath(path) => format!("{} steps", path.depth()),
///     Function(_) => "a function".to_string(),
///     _ => "something else".to_string(),
/// } };
/// assert_eq!(text, "1 steps");
/// ```
///
/// The value is a reference type, an `Any` or an `AnyView`; it is evaluated once and borrowed. An
/// arm is `Type(binding)`, with an optional guard. An arm matches if the value converts to `Type`,
/// which may be any type that implements `TryFrom<AnyView>`. The last arm is `_`, without a guard.
/// If the value is not an object, the macro evaluates the last arm.
#[macro_export]
macro_rules! match_any {
    ($($tokens:tt)*) => { $crate::__match_any! { ($crate) $($tokens)* } };
}

/// The number of an arm, counted from 0.
pub type ArmId = u32;

/// Converts the value for one arm.
pub struct ArmProbe<T> {
    target: PhantomData<fn() -> T>,
}

impl<T> ArmProbe<T> {
    /// Create a probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        ArmProbe {
            target: PhantomData,
        }
    }
}

/// The conversion for an arm of type `T`.
///
/// There are two implementations: for `ArmProbe<T>` if `T` is `AnyCompatible`, and for
/// `&ArmProbe<T>` if `T` has its own conversion. Method lookup finds the first implementation if it
/// exists, and otherwise the second one.
pub trait ConvertArm<'a, T> {
    /// Return the value if it converts to `T`.
    fn convert(&self, view: AnyView<'a>) -> Option<T>;
}

impl<'a, T: AnyCompatible> ConvertArm<'a, T> for ArmProbe<T> {
    fn convert(&self, view: AnyView<'a>) -> Option<T> {
        let data = view.as_raw_ffi_any();
        let index = view.type_index();
        if !is_object_index(index) {
            return None;
        }
        // SAFETY: the value is alive while the view is borrowed. The code copies the value only
        // after a check of its type.
        unsafe {
            if T::MATCH_ANY_EXACT {
                let is_match =
                    index == T::match_any_exact_type_index() && T::check_any_strict(data);
                return is_match.then(|| T::copy_from_any_view_after_check(data));
            }
            if T::check_any_strict(data) {
                return Some(T::copy_from_any_view_after_check(data));
            }
            T::try_cast_from_any_view(data).ok()
        }
    }
}

impl<'a, T: TryFrom<AnyView<'a>>> ConvertArm<'a, T> for &ArmProbe<T> {
    fn convert(&self, view: AnyView<'a>) -> Option<T> {
        if !is_object_index(view.type_index()) {
            return None;
        }
        T::try_from(view).ok()
    }
}

/// The arms of one use of `match_any!`, sorted by type index.
#[derive(Debug)]
pub struct LeafLookupTable {
    list_id: TypeId,
    /// Pairs of type index and arm, sorted by type index.
    arms: Vec<(i32, ArmId)>,
}

impl LeafLookupTable {
    /// Build the table for a list of types. If two arms have the same type index, the first one is
    /// used.
    pub fn build(list_id: TypeId, type_indices: &[i32]) -> Self {
        let mut arms: Vec<(i32, ArmId)> = type_indices.iter().copied().zip(0..).collect();
        arms.sort_unstable();
        arms.dedup_by_key(|(type_index, _)| *type_index);
        LeafLookupTable { list_id, arms }
    }

    /// Return the arm for a type index; return `Err` if the table belongs to another list of types.
    #[allow(clippy::result_unit_err)]
    pub fn lookup(&self, list_id: TypeId, type_index: i32) -> Result<Option<ArmId>, ()> {
        if list_id != self.list_id {
            return Err(());
        }
        let found = self
            .arms
            .binary_search_by_key(&type_index, |(index, _)| *index);
        Ok(found.ok().map(|position| self.arms[position].1))
    }
}

/// A table that is built on first use. The instances of a generic function share one table; the
/// instance that runs first fills it.
pub struct LazyLeafTable {
    table: OnceLock<LeafLookupTable>,
}

impl LazyLeafTable {
    /// Create an empty table.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LazyLeafTable {
            table: OnceLock::new(),
        }
    }

    /// Return the arms to try for a type index. If `list_id` is `None`, all arms have to be tried.
    pub fn select(
        &self,
        list_id: Option<TypeId>,
        type_index: i32,
        indices: impl FnOnce() -> Vec<i32>,
    ) -> Selected {
        let Some(list_id) = list_id else {
            return Selected::Any;
        };
        let table = self
            .table
            .get_or_init(|| LeafLookupTable::build(list_id, &indices()));
        match table.lookup(list_id, type_index) {
            Ok(Some(arm)) => Selected::Arm(arm),
            Ok(None) => Selected::None,
            Err(()) => Selected::Any,
        }
    }
}

/// The arms of a `match_any!` that have to be tried for a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selected {
    /// Only this arm.
    Arm(ArmId),
    /// Only the arm `_`, which is the last one.
    None,
    /// All arms.
    Any,
}

impl Selected {
    /// Return whether an arm has to be tried.
    pub fn may_be(self, arm: ArmId) -> bool {
        match self {
            Selected::Arm(selected) => selected == arm,
            Selected::None => false,
            Selected::Any => true,
        }
    }
}

/// A list of types: `()` or `(Head, Tail)`.
pub trait LeafPatternList: 'static {
    /// Whether each type of the list has exactly one type index.
    const IS_EXACT: bool;
    /// Write the type indices of the types to `indices`.
    fn fill(indices: &mut [i32]);
}

impl LeafPatternList for () {
    const IS_EXACT: bool = true;
    fn fill(_indices: &mut [i32]) {}
}

impl<Head: AnyCompatible + 'static, Tail: LeafPatternList> LeafPatternList for (Head, Tail) {
    const IS_EXACT: bool = Head::MATCH_ANY_EXACT && Tail::IS_EXACT;
    fn fill(indices: &mut [i32]) {
        if let Some((first, rest)) = indices.split_first_mut() {
            *first = Head::match_any_exact_type_index();
            Tail::fill(rest);
        }
    }
}

/// Gives information about the list of types `L`.
pub struct LeafPatternProbe<L> {
    list: PhantomData<fn() -> L>,
}

impl<L> LeafPatternProbe<L> {
    /// Create a probe.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        LeafPatternProbe { list: PhantomData }
    }
}

/// Information about a list of types. There are two implementations, as for [`ConvertArm`].
pub trait LeafPatternMetadata {
    /// Return the identity of the list, or `None` if a type of the list does not have exactly one
    /// type index.
    fn leaf_pattern_list_id(&self) -> Option<TypeId>;
    /// Write the type indices of the types to `indices`, until `indices` is full.
    fn fill_leaf_type_indices(&self, indices: &mut [i32]);
}

impl<L: LeafPatternList> LeafPatternMetadata for LeafPatternProbe<L> {
    fn leaf_pattern_list_id(&self) -> Option<TypeId> {
        L::IS_EXACT.then(TypeId::of::<L>)
    }
    fn fill_leaf_type_indices(&self, indices: &mut [i32]) {
        L::fill(indices);
    }
}

impl<L> LeafPatternMetadata for &LeafPatternProbe<L> {
    fn leaf_pattern_list_id(&self) -> Option<TypeId> {
        None
    }
    fn fill_leaf_type_indices(&self, _indices: &mut [i32]) {}
}
