//! Why a function cannot be called or never returned, in a user's words, and what would help.

use provoke_model::Skip;

/// A closed list, so that every reason has its help thought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    Unsafe,
    ManyParameters {
        most: usize,
    },
    CallingConvention(String),
    RawPointer,
    /// A trait, or the type the function belongs to, without a public path.
    Unnameable,
    /// A type of its signature without a public path.
    UnnameableInSignature,
    /// Of a trait of the crate.
    NoImplementor(String),
    /// Of a trait from elsewhere.
    NothingImplements(String),
    Closure,
    ShortLived,
    /// No type meets all bounds of one parameter.
    Parameter(String),
    /// Each parameter has its types, but none go together.
    Combination,
    NoReceiver,
    /// Something passed by value is too large for anybody's stack.
    Giant {
        kib: u32,
    },
    /// What rustc said of the last instance that was tried.
    Rustc(String),
    NothingMakes(String),
    /// Every call panicked, failed or did not end.
    NeverReturned,
}

impl SkipReason {
    pub fn reason(&self) -> String {
        match self {
            SkipReason::Unsafe => "is unsafe".to_string(),
            SkipReason::ManyParameters { most } => format!("has more than {most} parameters"),
            SkipReason::CallingConvention(abi) => format!("has the foreign calling convention \"{abi}\""),
            SkipReason::RawPointer => "takes a raw pointer".to_string(),
            SkipReason::Unnameable => "its type or trait cannot be named from outside".to_string(),
            SkipReason::UnnameableInSignature => "one of its types cannot be named from outside".to_string(),
            SkipReason::NoImplementor(name) => {
                format!("needs a type that implements `{name}`, and nothing in the crate does")
            }
            SkipReason::NothingImplements(name) => {
                format!("needs a type that implements `{name}`, and nothing known does")
            }
            SkipReason::Closure => "takes a closure of a kind that Provoke does not make yet".to_string(),
            SkipReason::ShortLived => "no known type lives long enough".to_string(),
            SkipReason::Parameter(name) => format!("no known type meets all bounds of `{name}`"),
            SkipReason::Combination => "no known types meet all its bounds at once".to_string(),
            SkipReason::NoReceiver => "nothing in the crate makes a type it can be called on".to_string(),
            SkipReason::Giant { kib } => format!("passes a value of more than {kib} KiB by value"),
            SkipReason::Rustc(message) => format!("rustc refuses every instance tried: {message}"),
            SkipReason::NothingMakes(ty) => format!("needs a `{ty}`, and nothing in the crate makes one"),
            SkipReason::NeverReturned => {
                "no call returned normally: the arguments tried were refused or led to a panic".to_string()
            }
        }
    }

    /// What its author could do about it; `None` where there is nothing to do.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            SkipReason::Unsafe | SkipReason::Closure => return None,
            SkipReason::ManyParameters { .. } => {
                "test it through a function that takes a struct of options".to_string()
            }
            SkipReason::CallingConvention(_) | SkipReason::RawPointer => {
                "test it through a safe function that takes references".to_string()
            }
            SkipReason::Unnameable | SkipReason::UnnameableInSignature => "re-export it publicly".to_string(),
            SkipReason::NoImplementor(name) => format!("a public type that implements `{name}`"),
            SkipReason::NothingImplements(name) => {
                format!("a public type of the crate, or of a dependency in its API, that implements `{name}`")
            }
            SkipReason::ShortLived => "a bound without `'static`".to_string(),
            SkipReason::Parameter(_) | SkipReason::Combination | SkipReason::Rustc(_) | SkipReason::NoReceiver => {
                "a public type that meets its bounds, or a function that takes no type parameter and calls it"
                    .to_string()
            }
            SkipReason::Giant { .. } => "box it, or take it by reference".to_string(),
            SkipReason::NothingMakes(ty) => format!("a public function that returns `{ty}`"),
            SkipReason::NeverReturned => {
                "a longer `--time`, or an example in its docs: Provoke takes up the literals used there".to_string()
            }
        })
    }

    pub fn skip(&self, function: &str) -> Skip {
        Skip { function: function.to_string(), reason: self.reason(), help: self.help() }
    }
}
