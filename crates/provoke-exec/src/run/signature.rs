//! Function pointers of any signature, made uniform: what they take, what they return, how to call them through raw pointers.

use crate::run::probe::Of;
use crate::run::type_spec::TypeSpec;

/// The most arguments an operation can have.
pub const MAX_ARGS: usize = 12;

/// Calls `function` with the values that `args` point to, moving them, and writes its result to `out`.
pub type Thunk = unsafe fn(function: *const (), args: *const *mut u8, out: *mut u8);

/// A function pointer with up to [`MAX_ARGS`] arguments. Lifetimes are all `'static`: late-bound ones become so when a path is
/// coerced to an inferred pointer.
pub trait FnSignature: Copy + 'static {
    type Result: 'static;
    const ARGS: &'static [&'static TypeSpec];
    const RESULT: &'static TypeSpec;

    fn address(self) -> *const ();

    /// # Safety
    /// `function` is the address of a function pointer of this type, `args` points to as many pointers to live values of the
    /// argument types as there are arguments, and `out` to room for the result. The arguments are moved out.
    unsafe fn thunk(function: *const (), args: *const *mut u8, out: *mut u8);
}

/// A signature with an argument number `N`.
pub trait HasArg<const N: usize>: FnSignature {
    type Arg: 'static;
}

macro_rules! signature {
    ($all:tt; $($Arg:ident $index:literal),*) => {
        impl<R: 'static, $($Arg: 'static),*> FnSignature for fn($($Arg),*) -> R {
            type Result = R;
            const ARGS: &'static [&'static TypeSpec] = &[$(&const { TypeSpec::of::<$Arg>() }),*];
            const RESULT: &'static TypeSpec = &const { TypeSpec::of::<R>() };

            fn address(self) -> *const () {
                self as *const ()
            }

            unsafe fn thunk(function: *const (), args: *const *mut u8, out: *mut u8) {
                let _ = args;
                // By the contract of the trait: `function` has this very type, and the arguments are live values of their types.
                unsafe {
                    let function: fn($($Arg),*) -> R = std::mem::transmute(function);
                    out.cast::<R>().write(function($((*args.add($index)).cast::<$Arg>().read()),*));
                }
            }
        }
        $(has_arg! { $Arg $index $all })*
    };
}

macro_rules! has_arg {
    ($This:ident $index:literal [$($Arg:ident)*]) => {
        impl<R: 'static, $($Arg: 'static),*> HasArg<$index> for fn($($Arg),*) -> R {
            type Arg = $This;
        }
    };
}

signature!([];);
signature!([A]; A 0);
signature!([A B]; A 0, B 1);
signature!([A B C]; A 0, B 1, C 2);
signature!([A B C D]; A 0, B 1, C 2, D 3);
signature!([A B C D E]; A 0, B 1, C 2, D 3, E 4);
signature!([A B C D E F]; A 0, B 1, C 2, D 3, E 4, F 5);
signature!([A B C D E F G]; A 0, B 1, C 2, D 3, E 4, F 5, G 6);
signature!([A B C D E F G H]; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
signature!([A B C D E F G H I]; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8);
signature!([A B C D E F G H I J]; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9);
signature!([A B C D E F G H I J K]; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10);
signature!([A B C D E F G H I J K L]; A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11);

/// A witness of what a function returns.
pub fn result_of<S: FnSignature>(_: S) -> Of<S::Result> {
    Of::new()
}

macro_rules! arg_witnesses {
    ($($name:ident $index:literal),*) => {
        $(
            #[doc = concat!("A witness of the type of argument ", $index, ".")]
            pub fn $name<S: HasArg<$index>>(_: S) -> Of<S::Arg> {
                Of::new()
            }
        )*
    };
}

arg_witnesses!(
    arg0_of 0, arg1_of 1, arg2_of 2, arg3_of 3, arg4_of 4, arg5_of 5,
    arg6_of 6, arg7_of 7, arg8_of 8, arg9_of 9, arg10_of 10, arg11_of 11
);
