// SPDX-License-Identifier: Apache-2.0
//! Operators of [`BigInt`]; either operand may be a `BigInt` or an `i64`, owned or borrowed.

use std::ops::*;

use super::{words, BigInt};
use crate::error::Result;

/// Return the result, or panic with the message of the error, as Rust's integer operators do.
#[track_caller]
fn or_panic(result: Result<BigInt>) -> BigInt {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{}", error.message()),
    }
}

/// Apply `scalar` if both numbers are ints and the result does not overflow; otherwise apply
/// `words`.
fn apply(
    a: &BigInt,
    b: &BigInt,
    scalar: fn(i64, i64) -> Option<i64>,
    words: fn(&[i64], &[i64]) -> Vec<i64>,
) -> BigInt {
    if let (Some(a), Some(b)) = (a.small(), b.small()) {
        if let Some(value) = scalar(a, b) {
            return value.into();
        }
    }
    BigInt::from_canonical(words(a.words(), b.words()))
}

fn sum(a: &BigInt, b: &BigInt) -> BigInt {
    apply(a, b, i64::checked_add, words::add)
}

fn difference(a: &BigInt, b: &BigInt) -> BigInt {
    apply(a, b, i64::checked_sub, words::subtract)
}

fn product(a: &BigInt, b: &BigInt) -> BigInt {
    apply(a, b, i64::checked_mul, words::multiply)
}

#[track_caller]
fn quotient(a: &BigInt, b: &BigInt) -> BigInt {
    or_panic(a.try_div(b))
}

#[track_caller]
fn remainder(a: &BigInt, b: &BigInt) -> BigInt {
    or_panic(a.try_rem(b))
}

fn conjunction(a: &BigInt, b: &BigInt) -> BigInt {
    apply(
        a,
        b,
        |a, b| Some(a & b),
        |a, b| words::combine(a, b, |a, b| a & b),
    )
}

fn disjunction(a: &BigInt, b: &BigInt) -> BigInt {
    apply(
        a,
        b,
        |a, b| Some(a | b),
        |a, b| words::combine(a, b, |a, b| a | b),
    )
}

fn exclusive(a: &BigInt, b: &BigInt) -> BigInt {
    apply(
        a,
        b,
        |a, b| Some(a ^ b),
        |a, b| words::combine(a, b, |a, b| a ^ b),
    )
}

#[track_caller]
fn shifted_left(a: &BigInt, count: &BigInt) -> BigInt {
    or_panic(a.try_shl(count.clone()))
}

#[track_caller]
fn shifted_right(a: &BigInt, count: &BigInt) -> BigInt {
    or_panic(a.try_shr(count.clone()))
}

/// Implement one operator for pairs of operand types, which `Operand` converts to `BigInt`.
macro_rules! impl_forms {
    ($op:ident $method:ident $function:ident: $(($left:ty, $right:ty))*) => {$(
        impl $op<$right> for $left {
            type Output = BigInt;

            #[track_caller]
            fn $method(self, other: $right) -> BigInt {
                $function(&Operand::operand(&self), &Operand::operand(&other))
            }
        }
    )*};
}

/// Implement an operator, and its assignment operator, for all pairs of `BigInt` and `i64`, owned
/// and borrowed.
macro_rules! impl_operator {
    ($op:ident $method:ident $assign:ident $assign_method:ident $function:ident) => {
        impl_forms!($op $method $function:
            (BigInt, BigInt) (BigInt, &BigInt) (&BigInt, BigInt) (&BigInt, &BigInt)
            (BigInt, i64) (BigInt, &i64) (&BigInt, i64) (&BigInt, &i64)
            (i64, BigInt) (&i64, BigInt) (i64, &BigInt) (&i64, &BigInt)
        );

        impl<T> $assign<T> for BigInt
        where
            for<'a> &'a BigInt: $op<T, Output = BigInt>,
        {
            #[track_caller]
            fn $assign_method(&mut self, other: T) {
                *self = (&*self).$method(other);
            }
        }
    };
}

/// A type that an operator accepts.
trait Operand {
    /// Return the value as a `BigInt`.
    fn operand(&self) -> std::borrow::Cow<'_, BigInt>;
}

impl Operand for BigInt {
    fn operand(&self) -> std::borrow::Cow<'_, BigInt> {
        std::borrow::Cow::Borrowed(self)
    }
}

impl Operand for i64 {
    fn operand(&self) -> std::borrow::Cow<'_, BigInt> {
        std::borrow::Cow::Owned(BigInt::from(*self))
    }
}

impl<T: Operand> Operand for &T {
    fn operand(&self) -> std::borrow::Cow<'_, BigInt> {
        (**self).operand()
    }
}

impl_operator!(Add add AddAssign add_assign sum);
impl_operator!(Sub sub SubAssign sub_assign difference);
impl_operator!(Mul mul MulAssign mul_assign product);
impl_operator!(Div div DivAssign div_assign quotient);
impl_operator!(Rem rem RemAssign rem_assign remainder);
impl_operator!(BitAnd bitand BitAndAssign bitand_assign conjunction);
impl_operator!(BitOr bitor BitOrAssign bitor_assign disjunction);
impl_operator!(BitXor bitxor BitXorAssign bitxor_assign exclusive);
impl_operator!(Shl shl ShlAssign shl_assign shifted_left);
impl_operator!(Shr shr ShrAssign shr_assign shifted_right);

impl Neg for &BigInt {
    type Output = BigInt;

    fn neg(self) -> BigInt {
        0i64 - self
    }
}

impl Neg for BigInt {
    type Output = BigInt;

    fn neg(self) -> BigInt {
        -&self
    }
}

impl Not for &BigInt {
    type Output = BigInt;

    fn not(self) -> BigInt {
        self ^ -1i64
    }
}

impl Not for BigInt {
    type Output = BigInt;

    fn not(self) -> BigInt {
        !&self
    }
}

impl std::iter::Sum for BigInt {
    fn sum<I: Iterator<Item = BigInt>>(numbers: I) -> BigInt {
        numbers.fold(BigInt::new(), |total, number| total + number)
    }
}

impl std::iter::Product for BigInt {
    fn product<I: Iterator<Item = BigInt>>(numbers: I) -> BigInt {
        numbers.fold(BigInt::from(1), |total, number| total * number)
    }
}
