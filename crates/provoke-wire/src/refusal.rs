//! Panics that the executor itself raises. They say nothing about the code under test.

/// Why a call was not made, or a callback not run. A panic with one of these messages is no finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The program's callbacks were called too often; perhaps without end.
    CallbackBudget,
    /// A body that moves a capture out was called a second time.
    CallbackConsumed,
    /// The slot that made the callback is gone.
    CallbackGone,
    /// The call came on another thread than the program's.
    ForeignThread,
    /// What contracts demand of callers does not hold.
    Precondition,
    /// No application would do that to an object.
    Model,
}

impl Refusal {
    pub const ALL: [Refusal; 6] = [
        Refusal::CallbackBudget,
        Refusal::CallbackConsumed,
        Refusal::CallbackGone,
        Refusal::ForeignThread,
        Refusal::Precondition,
        Refusal::Model,
    ];

    /// The message under which the worker reports it.
    pub fn message(self) -> &'static str {
        match self {
            Refusal::CallbackBudget => "provoke: the budget of callback calls is used up",
            Refusal::CallbackConsumed => "provoke: a callback that works once was called again",
            Refusal::CallbackGone => "provoke: a callback was called after its end",
            Refusal::ForeignThread => "provoke: a callback was called on another thread",
            Refusal::Precondition => "provoke: a precondition does not hold",
            Refusal::Model => "provoke: outside of the model",
        }
    }

    pub fn from_message(message: &str) -> Option<Refusal> {
        Refusal::ALL.into_iter().find(|refusal| refusal.message() == message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_known_by_its_message_and_nothing_else_is() {
        for refusal in Refusal::ALL {
            assert_eq!(Refusal::from_message(refusal.message()), Some(refusal));
        }
        assert_eq!(Refusal::from_message("provoke: "), None);
    }
}
