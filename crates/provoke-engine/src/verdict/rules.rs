//! The policy: rows that turn an event into a finding or a refusal. In order; the first that applies decides.
//!
//! Every oracle says what it claims and when the claim can be wrong. Precision comes first: a false `error` costs more
//! trust than a missed bug, so what refuses comes before what accuses.
//!
//! Decisions:
//! - `docs/decisions/055-announced-ranges-do-not-excuse-the-full-range.md`
//! - `docs/decisions/056-what-callers-must-do-counts-throughout.md`

use provoke_oracles::{
    CRASH, ClauseKind, DEBUG_ASSERT, DOUBLE_DROP, DROP_PANICS, ENDLESS_LOOP, ERROR_PROMISED, EXCLUSIVE_BORROWS,
    INVARIANT, LEAK, MEMORY_ERROR, OBSERVER_PANICS, OVERFLOW, Oracle, POSTCONDITION, PRECONDITION, PROBE,
    STACK_OVERFLOW, TRAIT_PANICS, Tier, UNDOCUMENTED_PANIC, UNREACHABLE, USE_AFTER_DROP,
};
use provoke_wire::FaultKind;

use crate::verdict::panic_kind::PanicKind;
use crate::verdict::place::Caller;
use crate::verdict::{Activity, Case, Failure};

/// What a row makes of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Illegal(&'static str),
    Finding { tier: Tier, oracle: &'static Oracle },
}

const fn error(oracle: &'static Oracle) -> Option<Decision> {
    Some(Decision::Finding { tier: Tier::Error, oracle })
}

const fn suspicious(oracle: &'static Oracle) -> Option<Decision> {
    Some(Decision::Finding { tier: Tier::Suspicious, oracle })
}

const fn illegal(reason: &'static str) -> Option<Decision> {
    Some(Decision::Illegal(reason))
}

type Row = fn(&Case<'_>) -> Option<Decision>;

const ROWS: &[Row] = &[
    tracked_elements,
    laws,
    spoilt_clauses,
    deaths,
    outside_the_target,
    contracts,
    probes,
    exhausted_capacity,
    unfinished,
    drops_and_observations,
    internal_checks,
    undecided_at_first_sight,
    documented,
    conventional,
    everyday_traits,
    refused_argument,
    promised_error,
    overflow,
];

pub fn decide(case: &Case<'_>) -> Decision {
    let decided = ROWS.iter().find_map(|row| row(case));
    match decided {
        None => Decision::Finding { tier: Tier::Suspicious, oracle: &UNDOCUMENTED_PANIC },
        // Where the docs of some call say what callers must do, a panic or a broken law may be what comes of not doing it.
        // Nothing excuses references that overlap.
        Some(Decision::Finding { tier: Tier::Error, oracle })
            if case.has_preconditions && kind(case).is_some() && oracle.id != EXCLUSIVE_BORROWS.id =>
        {
            Decision::Finding { tier: Tier::Suspicious, oracle }
        }
        Some(decision) => decision,
    }
}

fn kind(case: &Case<'_>) -> Option<PanicKind> {
    match case.event {
        Failure::Panic(kind) => Some(kind),
        _ => None,
    }
}

/// Elements that were dropped twice, used afterwards, or lost. No documentation excuses the first two.
fn tracked_elements(case: &Case<'_>) -> Option<Decision> {
    let Failure::Tracked(kind) = case.event else { return None };
    match kind {
        _ if !case.has_culprit => illegal("not in the target"),
        FaultKind::Leak if case.leaks_by_design => illegal("leaks by design"),
        FaultKind::Leak => suspicious(tracked_oracle(kind)),
        FaultKind::DoubleDrop | FaultKind::UseAfterDrop => error(tracked_oracle(kind)),
    }
}

/// The oracle of a kind of fault.
pub fn tracked_oracle(kind: FaultKind) -> &'static Oracle {
    match kind {
        FaultKind::DoubleDrop => &DOUBLE_DROP,
        FaultKind::UseAfterDrop => &USE_AFTER_DROP,
        FaultKind::Leak => &LEAK,
    }
}

/// The law itself speaks; what else goes wrong while it is asked is the affair of the rows below where the law is about
/// calling that very function, and nobody's where it only steps through an iterator or asks observers.
fn laws(case: &Case<'_>) -> Option<Decision> {
    let law = case.law?;
    match case.event {
        Failure::Panic(PanicKind::LawBroken) if !case.is_law_fair => illegal("the program's own doing"),
        // Whoever writes fields or calls probes makes values that no function of the crate ever saw.
        Failure::Panic(PanicKind::LawBroken) if law.is_monitored && case.builds_by_hand => suspicious(law.oracle),
        Failure::Panic(PanicKind::LawBroken) => Some(Decision::Finding { tier: law.oracle.tier, oracle: law.oracle }),
        Failure::Panic(_) | Failure::TimedOut if !is_everyday_trait(case) => illegal("inside a law"),
        _ => None,
    }
}

/// Traits that everybody calls without a thought; they have no way to refuse.
fn is_everyday_trait(case: &Case<'_>) -> bool {
    const TRAITS: &[&str] = &["PartialEq", "Eq", "PartialOrd", "Ord", "Hash", "Clone", "Default", "Debug", "Display"];
    case.facts.of_trait.as_deref().is_some_and(|of_trait| TRAITS.contains(&without_args(of_trait)))
}

/// `Index` of `std::ops::Index<usize>`.
fn without_args(of_trait: &str) -> &str {
    let name = of_trait.split('<').next().unwrap_or_default();
    name.rsplit("::").next().unwrap_or_default()
}

/// Comparing, hashing, formatting, cloning and `default` do not panic.
fn everyday_traits(case: &Case<'_>) -> Option<Decision> {
    if !is_everyday_trait(case) {
        return None;
    }
    match kind(case)? {
        PanicKind::Overflow if !case.is_modest => suspicious(&TRAIT_PANICS),
        // Somebody holds the value: whose fault that is nobody knows.
        PanicKind::RefCell => suspicious(&TRAIT_PANICS),
        _ => error(&TRAIT_PANICS),
    }
}

/// What goes wrong while a clause of a contract is asked is nobody's doing but the clause's.
fn spoilt_clauses(case: &Case<'_>) -> Option<Decision> {
    illegal(case.scene?.spoilt_clause.as_ref()?.trouble.reason())
}

/// The worker did not survive.
fn deaths(case: &Case<'_>) -> Option<Decision> {
    const SIGABRT: i32 = 6;
    const SIGKILL: i32 = 9;
    const SIGTERM: i32 = 15;
    match case.event {
        Failure::Panic(_) | Failure::Tracked(_) => None,
        Failure::Signal(SIGKILL | SIGTERM) => illegal("ended from outside"),
        // The allocator's refusal aborts; no crate can be blamed for a machine without memory.
        Failure::Signal(_)
            if ["memory allocation of ", "AddressSanitizer: out of memory"]
                .iter()
                .any(|words| case.last_output.contains(words)) =>
        {
            illegal("memory exhausted")
        }
        // An absurd size that is not even refused; what else would become of it nobody can ask for.
        Failure::Signal(SIGABRT) if !case.is_modest && is_about_capacity(&case.facts.name) => {
            illegal("capacity overflow")
        }
        // What a dependency does to a caller is not the target's doing.
        Failure::Signal(_) if is_builtin_call(case) && case.is_foreign => illegal("not in the target"),
        Failure::Memory(_) if is_builtin_call(case) && case.is_foreign => illegal("not in the target"),
        Failure::Memory(_) => error(&MEMORY_ERROR),
        Failure::Signal(_) => error(&CRASH),
        Failure::Exit => illegal("the crate ends the process on request"),
        Failure::MemoryExhausted => illegal("memory exhausted"),
        Failure::StackOverflow | Failure::TimedOut if !case.is_modest => illegal("immodest arguments"),
        // Collecting an endless iterator is the harness's own fault.
        Failure::StackOverflow | Failure::TimedOut if is_builtin_call(case) => illegal("not in the target"),
        Failure::TimedOut if waits_by_name(&case.facts.name) => illegal("conventional: waiting"),
        Failure::StackOverflow => error(&STACK_OVERFLOW),
        Failure::TimedOut => error(&ENDLESS_LOOP),
    }
}

/// A built-in of the harness (`a.unwrap()`), or nothing of the target between the panic and the harness.
fn outside_the_target(case: &Case<'_>) -> Option<Decision> {
    let is_outside = case.scene.is_some_and(|scene| scene.whereabouts.place.is_none());
    if is_outside || is_builtin_call(case) { illegal("not in the target") } else { None }
}

/// Who broke a clause: callers have to keep preconditions, and the crate everything else. A program that calls rightly what it
/// calls is not to blame for what the crate does then.
fn contracts(case: &Case<'_>) -> Option<Decision> {
    let scene = case.scene?;
    let clause = scene.site.as_ref().and_then(|site| site.clause)?;
    // Whoever writes fields or struct literals makes values that no function of the crate ever saw.
    let unless_set = |oracle| if case.sets_fields { suspicious(oracle) } else { error(oracle) };
    let is_announced = || documented(case).or_else(|| conventional(case)).is_some();
    match (clause, scene.whereabouts.caller) {
        // Nobody but programs calls specs.
        (ClauseKind::Precondition, _) if scene.site.as_ref().is_some_and(|site| site.is_in_spec) => {
            illegal("precondition")
        }
        // It held when the program called; whoever called again with something else is the crate.
        (ClauseKind::Precondition, _) if case.is_precondition_kept => unless_set(&PRECONDITION),
        // A caller who was told that it panics cannot complain, wherever it does.
        (ClauseKind::Precondition, _) if is_announced() => illegal("precondition"),
        // The program called another function: the frame of that one is missing, as where a call is the last thing it does.
        (ClauseKind::Precondition, Caller::Program) if is_clause_of_another(case) => suspicious(&PRECONDITION),
        (ClauseKind::Precondition, Caller::Program) => illegal("precondition"),
        (ClauseKind::Precondition, Caller::Target) => unless_set(&PRECONDITION),
        (ClauseKind::Precondition, Caller::Unknown) => suspicious(&PRECONDITION),
        (ClauseKind::Postcondition, _) => unless_set(&POSTCONDITION),
        (ClauseKind::Invariant, _) if case.builds_by_hand => suspicious(&INVARIANT),
        (ClauseKind::Invariant, _) => error(&INVARIANT),
    }
}

/// What a probe itself asserts; what it calls is judged like any other call.
fn probes(case: &Case<'_>) -> Option<Decision> {
    let name = case.probe?.rsplit("::").next()?;
    kind(case)?;
    let scene = case.scene?;
    let by_source = scene.site.as_ref().and_then(|site| site.function.as_deref());
    let by_frame = scene.whereabouts.place.as_ref().map(|place| place.function.as_str());
    if by_source.or(by_frame) == Some(name) { error(&PROBE) } else { None }
}

/// Whether a clause stands at another function than the one that was called.
fn is_clause_of_another(case: &Case<'_>) -> bool {
    let site = case.scene.and_then(|scene| scene.site.as_ref());
    site.and_then(|site| site.function.as_deref()).is_some_and(|function| function != case.facts.name)
}

/// An absurd size, refused by the allocator's front end.
fn exhausted_capacity(case: &Case<'_>) -> Option<Decision> {
    match kind(case)? {
        PanicKind::CapacityOverflow | PanicKind::AllocError => illegal("capacity overflow"),
        _ => None,
    }
}

/// `todo!` and `unimplemented!` say themselves what is wrong.
fn unfinished(case: &Case<'_>) -> Option<Decision> {
    match kind(case)? {
        PanicKind::Todo | PanicKind::Unimplemented => illegal("not implemented"),
        _ => None,
    }
}

fn drops_and_observations(case: &Case<'_>) -> Option<Decision> {
    match case.activity {
        Activity::Call => None,
        Activity::Drop if case.maker_documents_panics => illegal("documented"),
        Activity::Drop => error(&DROP_PANICS),
        Activity::Observe => error(&OBSERVER_PANICS),
    }
}

/// What the author holds impossible. A check on entry refuses an argument; one that stands in a function which
/// announces panics may be that announcement, but one deeper inside is not.
fn internal_checks(case: &Case<'_>) -> Option<Decision> {
    let oracle = match kind(case)? {
        PanicKind::DebugAssert => &DEBUG_ASSERT,
        PanicKind::Unreachable => &UNREACHABLE,
        _ => return None,
    };
    if is_entry_check(case) {
        return illegal("refused argument");
    }
    if case.facts.documents_panics && is_in_called_function(case) {
        return illegal("documented");
    }
    error(oracle)
}

/// Without the source, an assertion or a message of the crate's own may be a `debug_assert!` deep inside, which no
/// documentation and no convention excuses: worth a second look.
fn undecided_at_first_sight(case: &Case<'_>) -> Option<Decision> {
    let may_be_internal = matches!(kind(case)?, PanicKind::Assert | PanicKind::Other);
    if case.scene.is_none() && may_be_internal { suspicious(&UNDOCUMENTED_PANIC) } else { None }
}

fn documented(case: &Case<'_>) -> Option<Decision> {
    // No place is outside of `..`, and no other number is zero.
    let is_of_others = kind(case) == Some(PanicKind::Overflow) && !case.may_take_zero;
    let is_meant = !(case.takes_everything && case.facts.documents_range_panics
        || is_of_others && case.facts.documents_zero_panics);
    if case.facts.documents_panics && is_meant { illegal("documented") } else { None }
}

/// Refusals that every Rust programmer expects without being told.
fn conventional(case: &Case<'_>) -> Option<Decision> {
    const OPERATORS: &[&str] = &[
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Rem",
        "Neg",
        "Shl",
        "Shr",
        "BitAnd",
        "BitOr",
        "BitXor",
        "Not",
        "AddAssign",
        "SubAssign",
        "MulAssign",
        "DivAssign",
        "RemAssign",
        "ShlAssign",
        "ShrAssign",
        "BitAndAssign",
        "BitOrAssign",
        "BitXorAssign",
        "Sum",
        "Product",
    ];
    let of_trait = without_args(case.facts.of_trait.as_deref().unwrap_or(""));
    if matches!(of_trait, "Index" | "IndexMut") {
        return illegal("conventional: indexing");
    }
    let refuses = matches!(
        kind(case)?,
        PanicKind::Overflow
            | PanicKind::DivisionByZero
            | PanicKind::Explicit
            | PanicKind::Assert
            | PanicKind::Expect
            | PanicKind::Other
    );
    if OPERATORS.contains(&of_trait) && refuses {
        return illegal("conventional: operator");
    }
    let name = case.facts.name.as_str();
    let is_unwrapping = ["unwrap", "expect"]
        .iter()
        .any(|word| name == *word || name.strip_prefix(word).is_some_and(|rest| rest.starts_with('_')));
    if is_unwrapping {
        return illegal("conventional: unwrapping");
    }
    None
}

/// An explicit check of the arguments, at the start of a function.
fn refused_argument(case: &Case<'_>) -> Option<Decision> {
    let is_explicit = matches!(kind(case)?, PanicKind::Assert | PanicKind::Explicit | PanicKind::Other);
    if is_explicit && is_entry_check(case) { illegal("refused argument") } else { None }
}

fn promised_error(case: &Case<'_>) -> Option<Decision> {
    if !case.facts.promises_error {
        return None;
    }
    let is_sure = match kind(case)? {
        PanicKind::Overflow => case.is_modest && !case.facts.documents_overflow,
        // Without the source nobody knows whether it refuses an argument.
        PanicKind::Assert | PanicKind::Explicit | PanicKind::Other => {
            case.scene.is_some_and(|scene| scene.site.is_some())
        }
        _ => true,
    };
    if is_sure { error(&ERROR_PROMISED) } else { suspicious(&ERROR_PROMISED) }
}

fn overflow(case: &Case<'_>) -> Option<Decision> {
    match kind(case)? {
        PanicKind::Overflow if case.facts.documents_overflow => illegal("documented"),
        PanicKind::Overflow if case.is_modest && !case.is_plain_arithmetic => error(&OVERFLOW),
        PanicKind::Overflow => suspicious(&OVERFLOW),
        _ => None,
    }
}

fn is_builtin_call(case: &Case<'_>) -> bool {
    case.is_builtin && case.activity == Activity::Call
}

/// Functions that are told how much room to make.
fn is_about_capacity(name: &str) -> bool {
    name.contains("capacity") || name.contains("reserve")
}

/// Functions that block until somebody else does something.
fn waits_by_name(name: &str) -> bool {
    let first_word = name.split('_').next().unwrap_or_default();
    matches!(first_word, "wait" | "recv" | "lock" | "join" | "sleep" | "park" | "block" | "acquire" | "blocking")
}

fn is_entry_check(case: &Case<'_>) -> bool {
    let site = case.scene.and_then(|scene| scene.site.as_ref());
    site.is_some_and(|site| site.is_entry_check)
}

/// The panic stands in the function that the program called, not in one behind it.
fn is_in_called_function(case: &Case<'_>) -> bool {
    let Some(scene) = case.scene else {
        return false;
    };
    let by_source = scene.site.as_ref().and_then(|site| site.function.as_deref());
    let by_frame = scene.whereabouts.place.as_ref().map(|place| place.function.as_str());
    by_source.or(by_frame) == Some(case.facts.name.as_str())
}
