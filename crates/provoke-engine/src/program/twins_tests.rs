use super::*;
use crate::program::check::check_program;
use crate::test_support::sample;

/// The sample API with a law about clones of `Foo`.
fn api() -> Api {
    let mut api = sample::api();
    sample::add_twins(&mut api);
    api
}

fn shown(text: &str) -> bool {
    let api = api();
    let body = sample::body(&api, text);
    shows_dependence(&api, &body, body.statements.len() - 1)
}

#[test]
fn the_operations_of_a_type_are_found() {
    let api = api();
    let key = |op: u32| api.ops[op as usize].key.as_str();
    let found: Vec<_> = Twins::all(&api).iter().map(|t| [key(t.clone), key(t.snapshot), key(t.law)]).collect();
    assert_eq!(found, [["clone", "snapshot", "same"]]);
}

#[test]
fn a_clone_without_a_law_is_said_to_share() {
    let mut api = api();
    assert!(Twins::said_to_share(&api).is_empty());
    api.ops.retain(|op| op.key != "same");
    assert_eq!(Twins::said_to_share(&api).into_iter().collect::<Vec<_>>(), [3]);
}

#[test]
fn either_of_the_two_can_be_watched_while_the_other_is_changed() {
    assert!(shown("x = make; y = clone &x; s = snapshot &y; touch &mut x; same &y &s"));
    assert!(shown("x = make; y = clone &x; s = snapshot &x; touch &mut y; same &x &s"));
    assert!(shown("x = make; y = clone &x; s = snapshot &y; look &x; same &y &s"));
    assert!(shown("x = make; y = clone &x; s = snapshot &y; r = lend &x; drop r; n = 1u8; touch &mut x; same &y &s"));
}

#[test]
fn nothing_is_shown_where_something_else_may_have_changed_the_watched_one() {
    // Nobody changed anything.
    assert!(!shown("x = make; y = clone &x; s = snapshot &y; same &y &s"));
    // The watched one itself.
    assert!(!shown("x = make; y = clone &x; s = snapshot &y; look &y; same &y &s"));
    assert!(!shown("x = make; y = clone &x; s = snapshot &y; look2 &x &y; same &y &s"));
    // Something that has to do with neither.
    assert!(!shown("x = make; z = make; y = clone &x; s = snapshot &y; touch &mut z; same &y &s"));
    // By way of what was made from the watched one.
    assert!(!shown("x = make; r = lend &x; y = clone &x; s = snapshot &x; look2 &y =r; same &x &s"));
    // What another one showed.
    assert!(!shown("x = make; y = clone &x; s = snapshot &x; touch &mut y; same &y &s"));
    // No clones at all.
    assert!(!shown("x = make; y = make; s = snapshot &y; touch &mut x; same &y &s"));
}

#[test]
fn what_the_caller_shares_is_no_fault_of_the_clone() {
    let mut api = api();
    let foo = api.types.iter().position(|ty| ty.name == "View").unwrap();
    api.types[foo].name = "alloc::rc::Rc<Foo>".into();
    let text = "v = new_view; x = make; y = clone &x; s = snapshot &y; touch &mut x; same &y &s";
    let body = sample::body(&api, text);
    assert!(!shows_dependence(&api, &body, body.statements.len() - 1));
}

fn experiment(text: &str, experiment: Experiment) -> Option<String> {
    let api = api();
    let change = TwinChange::of(&api, sample::body(&api, text), 3).unwrap();
    let program = program(&api, &Twins::all(&api)[0], &change, experiment)?;
    assert_eq!(check_program(&api, &program), Ok(()));
    Some(sample::print(&api, &program.main).trim_end().replace('\n', "; "))
}

const CLONE_WATCHED: Experiment =
    Experiment { remembered: Twin::Clone, changed: Some(Twin::Original), asked: Twin::Clone, is_elsewhere: false };

#[test]
fn experiments_clone_right_before_the_change() {
    let text = "n = 1u8; x = make; touch &mut x";
    let expected = "s0 = U8(1); s1 = make; s2 = clone &s1; s3 = snapshot &s2; s4 = touch &mut s1; s5 = same &s2 &s3";
    assert_eq!(experiment(text, CLONE_WATCHED).unwrap(), expected);
    let mirrored =
        Experiment { remembered: Twin::Original, changed: Some(Twin::Clone), asked: Twin::Original, ..CLONE_WATCHED };
    let expected = "s0 = U8(1); s1 = make; s2 = clone &s1; s3 = snapshot &s1; s4 = touch &mut s2; s5 = same &s1 &s3";
    assert_eq!(experiment(text, mirrored).unwrap(), expected);
}

#[test]
fn another_value_can_be_changed_in_the_same_way() {
    let elsewhere = Experiment { is_elsewhere: true, ..CLONE_WATCHED };
    let expected = "s0 = make; s1 = make; s2 = clone &s0; s3 = snapshot &s2; s4 = touch &mut s1; s5 = same &s2 &s3";
    assert_eq!(experiment("x = make; touch &mut x", elsewhere).unwrap(), expected);
}

#[test]
fn whether_the_call_changes_anything_can_be_asked_but_shows_nothing_about_clones() {
    let changing = Experiment { remembered: Twin::Original, asked: Twin::Original, ..CLONE_WATCHED };
    let expected = "s0 = make; s1 = clone &s0; s2 = snapshot &s0; s3 = touch &mut s0; s4 = same &s0 &s2";
    assert_eq!(experiment("x = make; touch &mut x", changing).unwrap(), expected);
    assert!(!shown("x = make; y = clone &x; s = snapshot &x; touch &mut x; same &x &s"));
}

#[test]
fn a_value_that_is_lent_twice_is_no_change_of_one() {
    let api = api();
    assert_eq!(TwinChange::of(&api, sample::body(&api, "x = make; look2 &x &x"), 3), None);
    assert_eq!(TwinChange::of(&api, sample::body(&api, "x = make; take x"), 3), None);
    let change = TwinChange::of(&api, sample::body(&api, "y = make; x = make; look2 &x &y"), 3).unwrap();
    assert_eq!(change.slot, 1);
}
