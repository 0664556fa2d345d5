use super::*;
use crate::test_support::sample;

fn verdict(text: &str) -> Result<(), Rule> {
    let api = sample::api();
    check(&api, &sample::body(&api, text)).map_err(|error| error.rule)
}

/// Each rule: programs that keep it, programs that break it.
struct Row {
    rule: fn(&Rule) -> bool,
    accepted: &'static [&'static str],
    rejected: &'static [&'static str],
}

macro_rules! rule {
    ($pattern:pat) => {
        |rule| matches!(rule, $pattern)
    };
}

const ROWS: &[Row] = &[
    Row {
        rule: rule!(Rule::WrongType { .. }),
        accepted: &[
            "x = make; take x",
            "n = 7u8; number =n; number n",
            "x = make; r = lend &x; look =r; look r",
            "x = make; m = lend_mut &mut x; look *m; touch &mut*m; touch m",
        ],
        rejected: &[
            "n = 7u8; take n",
            "x = make; take =x",
            "x = make; take &x",
            "x = make; touch &x",
            "x = make; m = lend_mut &mut x; look =m",
            "x = make; r = lend &x; look *r",
            "x = make; r = lend &x; touch &mut*r",
            "v = new_view; use_view *v",
        ],
    },
    Row {
        rule: rule!(Rule::WrongNumberOfArguments { expected: 1 }),
        accepted: &["x = make; take x"],
        rejected: &["take", "x = make; y = make; take x y"],
    },
    Row {
        rule: rule!(Rule::DeadSlot { .. }),
        accepted: &["n = 7u8; number =n; number =n", "x = make; r = lend &x; s = lend =r; look r; look s"],
        rejected: &[
            "x = make; take x; take x",
            "x = make; drop x; look &x",
            "x = make; drop x; drop x",
            "n = 7u8; number n; number =n",
        ],
    },
    Row {
        rule: rule!(Rule::StillBorrowed { .. }),
        accepted: &[
            // A shared use beside a shared loan.
            "x = make; r = lend &x; look &x; look r",
            "x = make; r = lend &x; drop r; touch &mut x",
            "x = make; m = lend_mut &mut x; drop m; look &x",
            // The loan ends with the value that was moved.
            "x = make; v = view &x; w = subview &v; drop v; drop w; take x",
            "x = make; r = lend &x; look r; touch &mut x",
            // Borrowing nothing from the view itself, only what the view borrows.
            "x = make; v = view &x; w = subview &v; drop v; use_view &w",
            "x = make; m = lend_mut &mut x; r = downgrade &mut*m; look =r; look r; touch m",
            "x = make; m = lend_mut &mut x; r = lend *m; look *m; look r",
        ],
        rejected: &[
            "x = make; r = lend &x; touch &mut x",
            "x = make; r = lend &x; take x",
            "x = make; r = lend &x; drop x",
            "x = make; m = lend_mut &mut x; look &x",
            // A copy of the reference keeps the loan alive.
            "x = make; r = lend &x; s = lend =r; drop r; touch &mut x",
            // So does what was read out of a borrower.
            "x = make; v = view &x; w = subview &v; drop v; touch &mut x",
            // The borrower of a borrower.
            "x = make; v = view &x; p = borrow_view &v; drop v",
            "x = make; v = view &x; p = borrow_view &v; touch &mut x",
            // A reborrow bars its reference.
            "x = make; m = lend_mut &mut x; k = lend_mut &mut*m; look *m",
            "x = make; m = lend_mut &mut x; r = lend *m; touch &mut*m",
            "x = make; m = lend_mut &mut x; r = downgrade &mut*m; look *m",
            // A moved `&mut` hands its loan on.
            "x = make; m = lend_mut &mut x; k = lend_mut m; look &x",
            // What was put in keeps its owner borrowed.
            "x = make; v = new_view; add_to_view &mut v &x; touch &mut x",
            // Through a reference, the owner behind it borrows too.
            "x = make; v = new_view; p = view_as_mut &mut v; add_to_view &mut*p &x; drop p; touch &mut x",
            "x = make; y = make; v = view &x; w = view &y; join_views &mut v w; touch &mut y",
            // One lifetime for the whole life of a variable: what was read out before counts too.
            "x = make; v = new_view; w = subview &v; add_to_view &mut v &x; drop v; touch &mut x",
            "x = make; v = new_view; w = subview &v; u = subview &w; drop w; add_to_view &mut v &x; drop v; touch &mut x",
        ],
    },
    Row {
        rule: rule!(Rule::ArgumentsConflict),
        accepted: &[
            "x = make; look2 &x &x",
            "x = make; r = lend &x; look2 &x =r",
            "x = make; y = make; touch_and_look &mut x &y",
            "x = make; y = make; take2 x y",
        ],
        rejected: &[
            "x = make; touch_and_look &mut x &x",
            "x = make; r = lend &x; touch_and_look &mut x =r",
            "x = make; m = lend_mut &mut x; touch_and_look &mut*m &x",
            "x = make; take2 x x",
        ],
    },
    Row {
        rule: rule!(Rule::BorrowedForEver { .. }),
        accepted: &["x = make; v = view &x; tie_view &mut v"],
        rejected: &["x = make; v = view &x; tie_view &mut v; use_view &v", "v = new_view; tie_view &mut v; drop v"],
    },
    Row {
        rule: rule!(Rule::NotStatic { arg: 0 }),
        accepted: &["v = new_view; leak_view v", "x = make; forget_foo x"],
        rejected: &[
            "x = make; v = view &x; leak_view v",
            "x = make; view_static &x",
            "x = make; v = new_view; add_to_view &mut v &x; leak_view v",
        ],
    },
    Row {
        rule: rule!(Rule::OwnerDiesFirst),
        accepted: &["x = make; g = new_guard; add_to_guard &mut g &x", "v = new_view; x = make; add_to_view &mut v &x"],
        rejected: &["g = new_guard; x = make; add_to_guard &mut g &x"],
    },
];

#[test]
fn each_rule_accepts_what_rustc_accepts_and_rejects_the_rest() {
    for row in ROWS {
        for text in row.accepted {
            assert_eq!(verdict(text), Ok(()), "{text}");
        }
        for text in row.rejected {
            // The last statement is the one that breaks the rule.
            let (before, last) = text.rsplit_once("; ").unwrap_or(("", text));
            if last != "take" {
                assert_eq!(verdict(before), Ok(()), "{before}");
            }
            let rule = verdict(text).expect_err(text);
            assert!((row.rule)(&rule), "{text}: {rule:?}");
        }
    }
}

fn rule_of(body: &Body) -> Option<Rule> {
    check(&sample::api(), body).err().map(|error| error.rule)
}

#[test]
fn numbers_that_lead_nowhere_are_rejected() {
    let mut body = Body::default();
    body.push_call(999, &[]);
    assert_eq!(rule_of(&body), Some(Rule::UnknownOperation(999)));

    let mut body = Body::default();
    body.push_literal_data(LiteralKind::Bool, &[2]);
    assert_eq!(rule_of(&body), Some(Rule::BadLiteral));

    let body = Body { n_params: 1, ..Body::default() };
    assert_eq!(rule_of(&body), Some(Rule::MainHasInputs));

    let mut program = Program::default();
    assert_eq!(check_program(&sample::api(), &program), Ok(()));
    program.observe_from = 1;
    let error = check_program(&sample::api(), &program).unwrap_err();
    assert_eq!(error.rule, Rule::ObserveFromOutOfRange);
}

#[test]
fn a_drop_must_move() {
    let api = sample::api();
    let mut body = sample::body(&api, "x = make; drop x");
    assert_eq!(rule_of(&body), None);
    body.args_of_mut(1)[0] = Arg::new(0, Mode::Ref);
    assert_eq!(rule_of(&body), Some(Rule::DropMustMove));
}

/// `|a, captured| { look &made; look captured; made }` with one capture, used after `main`.
fn with_callback(main: &str, capture: Mode, result: Option<Mode>) -> Result<(), CheckError> {
    let api = sample::api();
    let op = |key: &str| api.ops.iter().position(|op| op.key == key).unwrap() as u32;
    let mut nested = Body { n_params: 1, n_captures: 1, ..Body::default() };
    let made = nested.push_call(op("make"), &[]);
    nested.push_call(op("look"), &[Arg::new(made, Mode::Ref)]);
    nested.push_call(op("look"), &[Arg::new(1, Mode::Copy)]);
    nested.result = result.map(|mode| Arg::new(made, mode));
    let mut body = sample::body(&api, main);
    body.push_callback(nested, &[Arg::new(0, capture)]);
    let touched = body.clone();
    body.push_call(op("touch"), &[Arg::new(0, Mode::RefMut)]);
    // The callback is still there, so its capture cannot be touched.
    check(&api, &touched)?;
    check(&api, &body)
}

#[test]
fn a_callback_borrows_what_it_captures_by_reference() {
    let error = with_callback("x = make", Mode::Ref, None).unwrap_err();
    let rule = Rule::StillBorrowed { slot: 0, borrower: 1 };
    assert_eq!(error, CheckError { at: vec![2], rule });
    assert_eq!(error.to_string(), "StillBorrowed { slot: 0, borrower: 1 } at statement 2");
}

#[test]
fn nested_bodies_are_checked_with_the_types_of_their_captures() {
    // Captured by value, `look` gets a `Foo` where it wants a `&Foo`.
    let error = with_callback("x = make", Mode::Move, None).unwrap_err();
    assert_eq!((error.at.as_slice(), error.rule), (&[1, 2][..], Rule::WrongType { arg: 0 }));
}

#[test]
fn a_callback_returns_nothing_that_borrows_from_its_own_slots() {
    let error = with_callback("x = make", Mode::Ref, Some(Mode::Ref)).unwrap_err();
    assert_eq!((error.at.as_slice(), error.rule), (&[1][..], Rule::ResultBorrows { slot: 2 }));
    let error = with_callback("x = make", Mode::Ref, Some(Mode::Move)).unwrap_err();
    assert_eq!(error.at, [2], "the result itself is fine");
}
