//! What the compiler knows of a type without any trait: identity, layout and drop glue.

use std::any::{TypeId, type_name};

/// One of these exists per type at compile time; registering an operation only passes references to them.
#[derive(Clone, Copy)]
pub struct TypeSpec {
    pub(crate) id: TypeId,
    pub(crate) name: fn() -> &'static str,
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// `None` where dropping does nothing.
    pub(crate) drop: Option<unsafe fn(*mut u8)>,
}

impl TypeSpec {
    pub(crate) const fn of<T: 'static>() -> TypeSpec {
        TypeSpec {
            id: TypeId::of::<T>(),
            name: type_name::<T>,
            size: size_of::<T>(),
            align: align_of::<T>(),
            drop: drop_glue::<T>(),
        }
    }

    /// As [`TypeSpec::of`] for the same type with all its lifetimes `'static`: that is how signatures see it.
    pub(crate) fn of_borrowing<T>() -> TypeSpec {
        TypeSpec {
            id: erased_id::<T>(),
            name: type_name::<T>,
            size: size_of::<T>(),
            align: align_of::<T>(),
            drop: drop_glue::<T>(),
        }
    }
}

const fn drop_glue<T>() -> Option<unsafe fn(*mut u8)> {
    unsafe fn drop_value<T>(address: *mut u8) {
        // The executor passes the address of a live `T` and never uses it again.
        unsafe { address.cast::<T>().drop_in_place() }
    }
    if std::mem::needs_drop::<T>() { Some(drop_value::<T>) } else { None }
}

/// The identity of a type whose lifetimes are not `'static`. Lifetimes do not exist any more when code is generated, so
/// the answer is that of the `'static` form; only the bound on `TypeId::of` has to be got around.
fn erased_id<T>() -> TypeId {
    trait Identified {
        fn id(&self) -> TypeId
        where
            Self: 'static;
    }
    struct Witness<T>(std::marker::PhantomData<T>);
    impl<T> Identified for Witness<T> {
        fn id(&self) -> TypeId
        where
            Self: 'static,
        {
            TypeId::of::<T>()
        }
    }
    let witness = Witness(std::marker::PhantomData::<T>);
    let short: &dyn Identified = &witness;
    // Only the bound of the trait object changes; the witness holds no data that could dangle.
    let long = unsafe { std::mem::transmute::<&dyn Identified, &(dyn Identified + 'static)>(short) };
    long.id()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_with_a_short_lifetime_has_the_identity_of_its_static_form() {
        fn check<'a>(_: &'a String) {
            assert_eq!(erased_id::<&'a String>(), TypeId::of::<&'static String>());
            assert_ne!(erased_id::<&'a mut String>(), TypeId::of::<&'static String>());
            let spec = TypeSpec::of_borrowing::<std::vec::Drain<'a, u8>>();
            assert_eq!(spec.id, TypeId::of::<std::vec::Drain<'static, u8>>());
            assert!(spec.drop.is_some());
        }
        check(&String::new());
    }
}
