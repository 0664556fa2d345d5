//! The six attributes.

/// Which attribute a function carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Invariant,
    Spec,
    Temporal,
    Model,
    Probe,
    Law,
}

impl Kind {
    /// As it stands in the attribute and in the names of trampolines.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Invariant => "invariant",
            Kind::Spec => "spec",
            Kind::Temporal => "temporal",
            Kind::Model => "model",
            Kind::Probe => "probe",
            Kind::Law => "law",
        }
    }

    /// A function that the attribute can stand on, to be shown to those who put it on another.
    pub fn example(self) -> &'static str {
        match self {
            Kind::Invariant => "fn ok(&self) -> bool",
            Kind::Spec => "fn get_spec(&mut self) -> T",
            Kind::Temporal => "fn closed_stays(&self, watch: &mut provoke::Watch)",
            Kind::Model => "fn gets_follow_inserts(&self, step: provoke::Step<'_>, state: &mut S) -> bool",
            Kind::Probe => "fn refill(&mut self)",
            Kind::Law => "fn law(a: &A, b: B) -> bool",
        }
    }
}
