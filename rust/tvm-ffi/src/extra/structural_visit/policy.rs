// SPDX-License-Identifier: Apache-2.0
//! Macros for visits and mutations by callbacks with a state and a policy.

/// Define a struct of callbacks with a state, and with a policy for the values that no callback
/// accepts.
macro_rules! define_callbacks {
    ($(#[$doc:meta])* $name:ident, $link:ident, $policy:ident, $default:ident,
        $(#[$new_doc:meta])* new) => {
        $(#[$doc])*
        pub struct $name<S, Link, M, P = $default> {
            state: S,
            callbacks: Link,
            policy: P,
            marker: PhantomData<fn() -> M>,
        }

        impl<S, Link: $link<S, M>, M> $name<S, Link, M> {
            $(#[$new_doc])*
            pub fn new(state: S, callbacks: Link) -> Self {
                $name {
                    state,
                    callbacks,
                    policy: $default,
                    marker: PhantomData,
                }
            }
        }

        impl<S, Link, M, P> $name<S, Link, M, P> {
            /// Use a policy for the values that no callback accepts.
            pub fn with_policy<Q: $policy<S>>(self, policy: Q) -> $name<S, Link, M, Q> {
                $name {
                    state: self.state,
                    callbacks: self.callbacks,
                    policy,
                    marker: PhantomData,
                }
            }

            /// Return a driver with the callbacks and the policy, and the state.
            fn parts(&mut self) -> (CallbackDriver<'_, Link, M, P>, &mut S) {
                let driver = CallbackDriver {
                    callbacks: &self.callbacks,
                    policy: &self.policy,
                    marker: PhantomData,
                };
                (driver, &mut self.state)
            }
        }

        $crate::extra::structural_visit::policy::impl_state!([S, Link, M, P] $name<S, Link, M, P>, S);

        struct CallbackDriver<'a, Link, M, P> {
            callbacks: &'a Link,
            policy: &'a P,
            marker: PhantomData<fn() -> M>,
        }
    };
}
pub(crate) use define_callbacks;

/// Implement the access to the member `state` of a traversal.
macro_rules! impl_state {
    ([$($parameters:tt)*] $name:ty, $state:ty) => {
        impl<$($parameters)*> $name {
            /// Return the state.
            pub fn state(&self) -> &$state {
                &self.state
            }

            /// Return the state as a mutable reference.
            pub fn state_mut(&mut self) -> &mut $state {
                &mut self.state
            }

            /// Consume `self` and return the state.
            pub fn into_state(self) -> $state {
                self.state
            }
        }
    };
}
pub(crate) use impl_state;

/// Implement a policy trait for the policy that calls the default, for references, and for pairs.
macro_rules! impl_policies {
    ($trait:ident::$call:ident($value:ty, $context:ident) -> $result:ty, $default:ident,
        |$context_of_default:ident, $value_of_default:ident| $body:expr) => {
        impl<S> $trait<S> for $default {
            fn $call(
                &self,
                $value_of_default: $value,
                $context_of_default: &mut $context<'_, S>,
            ) -> $result {
                $body
            }
        }

        impl<S, P: $trait<S>> $trait<S> for &P {
            fn $call(&self, value: $value, context: &mut $context<'_, S>) -> $result {
                P::$call(self, value, context)
            }
        }

        impl<S, O: $trait<S>, I: $trait<S>> $trait<S> for (O, I) {
            fn $call(&self, value: $value, context: &mut $context<'_, S>) -> $result {
                let inner = Then {
                    first: &self.1,
                    rest: context.policy,
                };
                let mut outer = context.nested(&value, Some(&inner));
                self.0.$call(value, &mut outer)
            }
        }

        /// A policy, and the policy that it calls as its default.
        struct Then<'a, S> {
            first: &'a dyn $trait<S>,
            rest: Option<&'a dyn $trait<S>>,
        }

        impl<S> $trait<S> for Then<'_, S> {
            fn $call(&self, value: $value, context: &mut $context<'_, S>) -> $result {
                let mut inner = context.nested(&value, self.rest);
                self.first.$call(value, &mut inner)
            }
        }
    };
}
pub(crate) use impl_policies;
