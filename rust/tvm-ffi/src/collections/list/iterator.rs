// SPDX-License-Identifier: Apache-2.0
//! Iteration over a list that may change during the iteration.

use super::List;
use crate::error::Result;
use crate::type_traits::ContainerElement;

/// Iterator over the elements of a [`List`].
///
/// The iterator keeps the list alive. Each step reads the length of the list again.
pub struct ListIterator<T: ContainerElement> {
    list: List<T>,
    next: usize,
    /// The index after the last remaining element; `None` before the first step from the back.
    end: Option<usize>,
}

impl<T: ContainerElement> ListIterator<T> {
    /// Return an iterator from the first element on.
    pub(super) fn new(list: List<T>) -> Self {
        ListIterator {
            list,
            next: 0,
            end: None,
        }
    }

    /// Return the index after the last remaining element.
    fn current_end(&self) -> usize {
        let len = self.list.len();
        self.end.map_or(len, |end| end.min(len))
    }
}

impl<T: ContainerElement> Iterator for ListIterator<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if self.next >= self.current_end() {
            return None;
        }
        self.next += 1;
        self.list.element(self.next - 1)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // The lower bound is 0, because the list may shrink. Without `end`, there is no upper
        // bound, because the list may grow.
        (0, self.end.map(|end| end.saturating_sub(self.next)))
    }
}

impl<T: ContainerElement> DoubleEndedIterator for ListIterator<T> {
    fn next_back(&mut self) -> Option<Result<T>> {
        let end = self.current_end();
        self.end = Some(end);
        if self.next >= end {
            return None;
        }
        self.end = Some(end - 1);
        self.list.element(end - 1)
    }
}
