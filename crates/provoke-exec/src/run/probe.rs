//! What a type can do, asked of the compiler by autoref specialisation.
//!
//! `(&witness).can_clone()` finds the method of the trait implemented for `Of<T> where T: Clone` without a further reference,
//! and else, one reference later, the one implemented for `&Of<T>` whatever `T`. This works only in code that is not
//! generic, hence the macro. One `&` too many and every answer is a silent "no"; a worker tests itself before it starts.

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::marker::PhantomData;

use provoke_wire::Abilities;

use crate::look::hasher::FixedHasher;
use crate::run::type_spec::TypeSpec;

/// Stands for the type `T` without a value of it.
pub struct Of<T>(PhantomData<fn() -> T>);

impl<T> Of<T> {
    pub(crate) const fn new() -> Of<T> {
        Of(PhantomData)
    }
}

impl<T> Clone for Of<T> {
    fn clone(&self) -> Of<T> {
        *self
    }
}

impl<T> Copy for Of<T> {}

/// A witness of a type that can be named.
pub fn named<T: 'static>() -> Of<T> {
    Of::new()
}

/// Witnesses of references.
pub trait Pointer {
    type Target: 'static;
}

impl<T: 'static> Pointer for Of<&'static T> {
    type Target = T;
}

impl<T: 'static> Pointer for Of<&'static mut T> {
    type Target = T;
}

/// A witness of what a reference points to.
pub fn target_of<W: Pointer>(_: W) -> Of<W::Target> {
    Of::new()
}

pub(crate) type HashFn = unsafe fn(*const u8, &mut FixedHasher);
pub(crate) type DebugFn = unsafe fn(*const u8, &mut fmt::Formatter<'_>) -> fmt::Result;
pub(crate) type EmptyFn = unsafe fn(*const u8) -> bool;

/// How a type is built; the last part says whether a value is `None` or `Err`.
#[derive(Clone, Copy)]
pub enum ShapeSpec {
    Plain,
    Ref(&'static TypeSpec),
    RefMut(&'static TypeSpec),
    Option(&'static TypeSpec, EmptyFn),
    Result(&'static TypeSpec, &'static TypeSpec, EmptyFn),
}

/// The answers for one type.
#[derive(Clone, Copy)]
pub struct Probe {
    pub(crate) abilities: Abilities,
    pub(crate) hash: Option<HashFn>,
    pub(crate) debug: Option<DebugFn>,
    pub(crate) shape: ShapeSpec,
}

impl Probe {
    #[doc(hidden)]
    pub fn new(abilities: u32, hash: Option<HashFn>, debug: Option<DebugFn>, shape: ShapeSpec) -> Probe {
        let abilities = Abilities(abilities)
            .with(Abilities::PROBED, true)
            .with(Abilities::HASH, hash.is_some())
            .with(Abilities::DEBUG, debug.is_some());
        Probe { abilities, hash, debug, shape }
    }
}

/// Registers what the type of a witness can do: `probe!(registry, result_of(f))`.
#[macro_export]
macro_rules! probe {
    ($registry:expr, $witness:expr) => {{
        #[allow(unused_imports)]
        use $crate::probing::*;
        let witness = $witness;
        let registry: &mut $crate::Registry = $registry;
        #[allow(clippy::needless_borrow)]
        registry.probe(
            witness,
            $crate::Probe::new(
                (&witness).can_clone()
                    | (&witness).can_copy()
                    | (&witness).can_compare()
                    | (&witness).can_equate()
                    | (&witness).can_order_partly()
                    | (&witness).can_order()
                    | (&witness).can_display()
                    | (&witness).can_default()
                    | (&witness).can_iterate()
                    | (&witness).can_send()
                    | (&witness).can_share(),
                (&witness).hash_fn(),
                (&witness).debug_fn(),
                (&witness).shape_spec(),
            ),
        );
    }};
}

/// The traits behind [`probe!`]; in scope only inside its expansion.
#[doc(hidden)]
pub mod probing {
    use super::*;

    macro_rules! ability {
        ($Yes:ident, $No:ident, $method:ident, $bit:ident, $Bound:path) => {
            pub trait $Yes {
                fn $method(&self) -> u32;
            }
            impl<T: $Bound> $Yes for Of<T> {
                #[inline(always)]
                fn $method(&self) -> u32 {
                    Abilities::$bit.0
                }
            }
            pub trait $No {
                fn $method(&self) -> u32;
            }
            impl<T> $No for &Of<T> {
                #[inline(always)]
                fn $method(&self) -> u32 {
                    0
                }
            }
        };
    }

    ability!(CloneYes, CloneNo, can_clone, CLONE, Clone);
    ability!(CopyYes, CopyNo, can_copy, COPY, Copy);
    ability!(PartialEqYes, PartialEqNo, can_compare, PARTIAL_EQ, PartialEq);
    ability!(EqYes, EqNo, can_equate, EQ, Eq);
    ability!(PartialOrdYes, PartialOrdNo, can_order_partly, PARTIAL_ORD, PartialOrd);
    ability!(OrdYes, OrdNo, can_order, ORD, Ord);
    ability!(DisplayYes, DisplayNo, can_display, DISPLAY, fmt::Display);
    ability!(DefaultYes, DefaultNo, can_default, DEFAULT, Default);
    ability!(IteratorYes, IteratorNo, can_iterate, ITERATOR, Iterator);
    ability!(SendYes, SendNo, can_send, SEND, Send);
    ability!(SyncYes, SyncNo, can_share, SYNC, Sync);

    pub trait HashYes {
        fn hash_fn(&self) -> Option<HashFn>;
    }

    impl<T: Hash> HashYes for Of<T> {
        fn hash_fn(&self) -> Option<HashFn> {
            unsafe fn hash_value<T: Hash>(address: *const u8, hasher: &mut FixedHasher) {
                // The executor passes the address of a live `T` that is not lent exclusively.
                unsafe { (*address.cast::<T>()).hash(hasher) }
            }
            Some(hash_value::<T>)
        }
    }

    pub trait HashNo {
        fn hash_fn(&self) -> Option<HashFn>;
    }

    impl<T> HashNo for &Of<T> {
        fn hash_fn(&self) -> Option<HashFn> {
            None
        }
    }

    pub trait DebugYes {
        fn debug_fn(&self) -> Option<DebugFn>;
    }

    impl<T: Debug> DebugYes for Of<T> {
        fn debug_fn(&self) -> Option<DebugFn> {
            unsafe fn debug_value<T: Debug>(address: *const u8, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                // As for hashing.
                unsafe { (*address.cast::<T>()).fmt(formatter) }
            }
            Some(debug_value::<T>)
        }
    }

    pub trait DebugNo {
        fn debug_fn(&self) -> Option<DebugFn>;
    }

    impl<T> DebugNo for &Of<T> {
        fn debug_fn(&self) -> Option<DebugFn> {
            None
        }
    }

    pub trait ShapeYes {
        fn shape_spec(&self) -> ShapeSpec;
    }

    impl<T: 'static> ShapeYes for Of<&'static T> {
        fn shape_spec(&self) -> ShapeSpec {
            ShapeSpec::Ref(&const { TypeSpec::of::<T>() })
        }
    }

    impl<T: 'static> ShapeYes for Of<&'static mut T> {
        fn shape_spec(&self) -> ShapeSpec {
            ShapeSpec::RefMut(&const { TypeSpec::of::<T>() })
        }
    }

    impl<T: 'static> ShapeYes for Of<Option<T>> {
        fn shape_spec(&self) -> ShapeSpec {
            unsafe fn is_none<T>(address: *const u8) -> bool {
                // As for hashing; this reads the discriminant only.
                unsafe { (*address.cast::<Option<T>>()).is_none() }
            }
            ShapeSpec::Option(&const { TypeSpec::of::<T>() }, is_none::<T>)
        }
    }

    impl<T: 'static, E: 'static> ShapeYes for Of<Result<T, E>> {
        fn shape_spec(&self) -> ShapeSpec {
            unsafe fn is_err<T, E>(address: *const u8) -> bool {
                // As for hashing; this reads the discriminant only.
                unsafe { (*address.cast::<Result<T, E>>()).is_err() }
            }
            ShapeSpec::Result(&const { TypeSpec::of::<T>() }, &const { TypeSpec::of::<E>() }, is_err::<T, E>)
        }
    }

    pub trait ShapeNo {
        fn shape_spec(&self) -> ShapeSpec;
    }

    impl<T> ShapeNo for &Of<T> {
        fn shape_spec(&self) -> ShapeSpec {
            ShapeSpec::Plain
        }
    }
}
