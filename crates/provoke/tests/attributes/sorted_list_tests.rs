//! Calls what the attributes added, as Provoke and its tests do.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use sorted_list::SortedList;

static HOOK: Once = Once::new();

thread_local! {
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Message and place of the panic.
fn panic_of<R>(run: impl FnOnce() -> R) -> String {
    HOOK.call_once(|| {
        let hook = take_hook();
        set_hook(Box::new(move |info| {
            let message = info.payload_as_str().unwrap_or("?");
            LAST_PANIC.set(format!("{message} @ {}", info.location().unwrap()));
            hook(info);
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    LAST_PANIC.take()
}

/// Where a text stands first in the library.
fn place_of(text: &str) -> String {
    let source = include_str!("../src/lib.rs");
    let offset = source.find(text).unwrap();
    let line_start = source[..offset].rfind('\n').unwrap() + 1;
    format!("src/lib.rs:{}:{}", source[..offset].matches('\n').count() + 1, offset - line_start + 1)
}

fn list(items: &[i32]) -> SortedList<i32> {
    let mut list = SortedList::new();
    for item in items {
        list.insert(*item);
    }
    list
}

#[test]
fn an_invariant_tells() {
    let mut list = list(&[1, 2]);
    assert!(list.__provoke_invariant_remembers_an_item());
    list.forget();
    assert!(!list.__provoke_invariant_remembers_an_item());
}

#[test]
fn a_broken_precondition_panics_where_it_stands() {
    let text = panic_of(|| list(&[]).__provoke_spec_get());
    let place = place_of("!self.items.is_empty());\n        let greatest");
    assert_eq!(text, format!("Pre-condition of get violated: !self.items.is_empty() @ {place}"));

    let text = panic_of(|| SortedList::__provoke_spec_from_pair((2, 1)));
    let place = place_of("a <= b, \"");
    assert_eq!(text, format!("Pre-condition of from_pair violated: the lesser comes first: a <= b @ {place}"));

    let text = panic_of(|| sorted_list::__provoke_spec_parse("1234"));
    assert_eq!(text, format!("Pre-condition of parse violated: text.len() < 3 @ {}", place_of("text.len() < 3")));
}

#[test]
fn a_clause_out_of_another_macro_is_told_by_its_tokens() {
    let text = panic_of(|| sorted_list::__provoke_spec_double(200));
    assert_eq!(text, format!("Pre-condition of double violated: n < 0x80 @ {}", place_of("specify_double!(")));
}

#[test]
fn a_broken_postcondition_panics_where_it_stands() {
    let text = panic_of(|| list(&[2, 1]).__provoke_spec_get());
    let place = place_of("self.items.iter().all(");
    let clause = "the greatest comes first: self.items.iter().all(|item| item <= greatest)";
    assert_eq!(text, format!("Post-condition of get violated: {clause} @ {place}"));
}

#[test]
fn a_spec_that_is_kept_does_what_its_function_does() {
    assert_eq!(list(&[1]).__provoke_spec_get(), Some(1));
    let mut list = list(&[1]);
    list.__provoke_spec_insert(2);
    assert_eq!(list.__provoke_spec_iter().collect::<Vec<_>>(), [&1, &2]);
    assert_eq!(list.__provoke_spec_first_mut(), Some(&mut 1));
    assert_eq!(list.__provoke_spec_count([2]), 1);
    assert_eq!(list.__provoke_spec_into_items(), [1, 2]);
    assert_eq!(SortedList::__provoke_spec_from_pair((1, 2)).into_items(), [1, 2]);
    assert_eq!(sorted_list::__provoke_spec_parse("12"), Some(12));
}

#[test]
fn a_temporal_property_is_watched_over_the_life_of_an_object() {
    let mut watch = provoke::Watch::new();
    let mut list = list(&[]);
    list.__provoke_temporal_closed_stays(&mut watch);
    list.insert(1);
    list.__provoke_temporal_closed_stays(&mut watch);
    list.close();
    list.__provoke_temporal_closed_stays(&mut watch);
    assert!(watch.is_kept());
    list.insert(2);
    list.__provoke_temporal_closed_stays(&mut watch);
    let place = place_of("unchanged_unless(");
    assert_eq!(watch.violation().unwrap().to_string(), format!("`unchanged_unless` is broken at {place}"));
}

#[test]
fn what_has_to_come_is_judged_in_the_end() {
    let mut watch = provoke::Watch::new();
    let mut list = list(&[]);
    list.insert(1);
    list.__provoke_temporal_is_closed_in_the_end(&mut watch);
    assert!(watch.is_kept());
    watch.finish();
    assert!(!watch.is_kept());
}

#[test]
fn a_model_keeps_its_state_in_the_watch() {
    let mut watch = provoke::Watch::new();
    let list = list(&[]);
    let answers = ["new", "insert", "get", "get"].map(|step| list.__provoke_model(step, &mut watch));
    assert_eq!(answers, [true, true, true, false]);
}

#[test]
fn probes_and_laws_can_be_called() {
    let mut list = list(&[3]);
    list.__provoke_probe_insert_max_again();
    assert_eq!(list.into_items(), [3, 3]);
    assert_eq!(SortedList::<i32>::__provoke_probe_of_default::<u8>(1).into_items(), [0]);
    assert!(SortedList::__provoke_law_what_went_in_comes_out(&7));
    assert!(sorted_list::__provoke_law_numbers_come_back(8));
}

#[test]
fn types_of_private_modules_have_trampolines_too() {
    let _: fn(&sorted_list::Counter, &str, &mut provoke::Watch) -> bool = sorted_list::Counter::__provoke_model;
    let _: fn(&sorted_list::Counter) -> bool = sorted_list::Counter::__provoke_invariant_is_small;
}
