//! The programs that are printed, each about one thing.

use provoke_codegen::TestEnding;
use provoke_wire::{Arg, Body, Literal};

use crate::builder::{Program, by_mut, by_ref, cp, mv, reborrow, reborrow_mut};

pub struct Sample {
    pub name: &'static str,
    pub body: Body,
    pub ending: TestEnding,
}

pub fn all() -> Vec<Sample> {
    type Build = fn(&mut Program);
    let panics: &[(&'static str, Build)] = &[
        ("literals_stand_where_they_are_used", literals),
        ("a_suffix_only_where_nothing_tells_the_type", suffixes),
        ("shared_borrows_and_a_drop_that_ends_one", borrows),
        ("mutable_borrows_are_lent_on_and_used_up", reborrows),
        ("a_builder_is_a_chain", builder),
        ("a_chain_of_iterators", iterators),
        ("a_result_is_taken_apart", results),
        ("characters_that_cannot_be_seen_are_escaped", characters),
        ("floats_of_all_kinds", floats),
        ("negative_receivers_have_parentheses", negative_receivers),
        ("limits_have_names", limits),
        ("repeated_calls_become_a_loop", repetition),
        ("unused_values_live_as_long_as_in_the_program", unused),
        ("views_are_written_inside_their_use", views),
        ("a_value_used_twice_has_a_name", used_twice),
        ("names_are_numbered_and_avoid_words_of_the_language", names),
        ("a_variable_never_hides_a_function", shadowing),
        ("equal_names_from_different_places", name_clash),
        ("the_order_of_calls_is_kept", order),
        ("nothing_is_nested_that_another_argument_changes", conflict),
        ("the_trait_of_a_method_is_imported", trait_import),
        ("a_long_call_has_one_argument_a_line", long_call),
        ("a_long_right_hand_side_starts_a_line", long_let),
        ("a_long_array_is_filled", long_array),
        ("a_struct_literal_that_is_wide", struct_literal),
        ("ranges_are_enclosed", ranges),
        ("long_texts_are_repetitions", long_texts),
        ("bytes_become_slices", bytes),
        ("the_unit_value_is_an_argument", unit),
        ("the_guard_of_a_lock_is_kept", guard),
        ("strings_are_bound_where_they_are_lent", strings),
        ("a_closure_with_one_expression", closure_expression),
        ("a_closure_with_a_block", closure_block),
        ("a_closure_that_changes_what_it_captures", closure_capture),
        ("a_closure_that_moves_and_borrows", closure_mixed),
        ("closures_inside_closures", closure_nested),
        ("a_value_passed_on_at_once", passing_on),
        ("operators_look_through_references", operators),
        ("nothing_is_nested_in_a_closure_of_a_template", closure_in_template),
        ("a_method_of_a_reference_is_called_on_one", method_of_reference),
    ];
    let mut samples: Vec<Sample> =
        panics.iter().map(|(name, build)| sample(name, TestEnding::Panics, *build)).collect();
    samples.push(sample("the_process_aborts", TestEnding::Aborts, aborts));
    samples.push(sample("an_element_is_dropped_twice", TestEnding::DropsTwice { panics: false }, drops_twice));
    samples.push(sample(
        "an_element_is_dropped_twice_in_a_panic",
        TestEnding::DropsTwice { panics: true },
        drops_twice,
    ));
    samples.push(sample("an_element_is_lost", TestEnding::Leaks, loses));
    samples.push(sample("an_element_is_used_after_its_drop", TestEnding::UsesAfterDrop, uses_after_drop));
    samples.push(sample("elements_that_nothing_is_claimed_about", TestEnding::Panics, loses));
    samples.push(sample("a_call_hangs", TestEnding::Hangs { seconds: 5 }, hangs));
    samples.push(sample("the_last_drop_panics", TestEnding::PanicsOnDrop, drop_order));
    samples
}

fn sample(name: &'static str, ending: TestEnding, build: fn(&mut Program)) -> Sample {
    let mut program = Program::default();
    build(&mut program);
    Sample { name, body: program.body, ending }
}

fn literals(p: &mut Program) {
    let capacity = p.size(10);
    let vec = p.call("vec_with_capacity", &[cp(capacity)]);
    p.push(vec, 7);
    let seven = p.byte(7);
    let slice = p.call("slice", &[by_ref(vec)]);
    p.call("slice_contains", &[cp(slice), by_ref(seven)]);
    let place = p.size(5);
    let value = p.byte(0);
    p.call("insert", &[by_mut(vec), cp(place), cp(value)]);
}

fn method_of_reference(p: &mut Program) {
    let vec = p.small_vec();
    let iter = p.call("vec_ref_iter", &[by_ref(vec)]);
    p.call("iter_next", &[by_mut(iter)]);
    p.call("len", &[by_ref(vec)]);
}

fn suffixes(p: &mut Program) {
    let map = p.call("map_new", &[]);
    let key = p.literal(Literal::U16(300));
    let value = p.string("three hundred");
    p.call("map_insert", &[by_mut(map), cp(key), mv(value)]);
    let key = p.literal(Literal::U16(300));
    p.call("map_get", &[by_ref(map), by_ref(key)]);
    let five = p.byte(5);
    let option = p.call("some", &[cp(five)]);
    let zero = p.byte(0);
    p.call("unwrap_or", &[cp(option), cp(zero)]);
}

fn borrows(p: &mut Program) {
    let vec = p.small_vec();
    let slice = p.call("slice", &[by_ref(vec)]);
    let iter = p.call("slice_iter", &[cp(slice)]);
    p.call("iter_next", &[by_mut(iter)]);
    p.body.push_drop(iter);
    let drain = p.call("drain_all", &[by_mut(vec)]);
    p.body.push_drop(drain);
    p.push(vec, 4);
    p.call("len", &[by_ref(vec)]);
}

fn reborrows(p: &mut Program) {
    let vec = p.small_vec();
    let slice = p.call("slice_mut", &[by_mut(vec)]);
    let zero = p.size(0);
    let option = p.call("slice_get_mut", &[mv(slice), cp(zero)]);
    let first = p.call("unwrap_mut", &[mv(option)]);
    let nine = p.byte(9);
    p.call("write", &[reborrow_mut(first), cp(nine)]);
    p.call("read", &[reborrow(first)]);
    let eight = p.byte(8);
    p.call("replace", &[reborrow_mut(first), cp(eight)]);
    p.call("replace", &[reborrow_mut(first), cp(eight)]);
}

fn builder(p: &mut Program) {
    let builder = p.call("builder_new", &[]);
    let name = p.string("worker");
    let builder = p.call("builder_name", &[mv(builder), mv(name)]);
    let size = p.size(65536);
    p.call("builder_stack", &[mv(builder), cp(size)]);
    let seconds = p.literal(Literal::U64(1));
    let duration = p.call("from_secs", &[cp(seconds)]);
    let half = p.literal(Literal::F64(0.5f64.to_bits()));
    let short = p.call("duration_mul", &[cp(duration), cp(half)]);
    let seconds = p.literal(Literal::U64(u64::MAX));
    let long = p.call("from_secs", &[cp(seconds)]);
    p.call("duration_add", &[cp(short), cp(long)]);
}

fn iterators(p: &mut Program) {
    let vec = p.small_vec();
    let slice = p.call("slice", &[by_ref(vec)]);
    let iter = p.call("slice_iter", &[cp(slice)]);
    let rev = p.call("iter_rev", &[mv(iter)]);
    p.call("rev_count", &[mv(rev)]);
}

fn results(p: &mut Program) {
    let text = p.text("300");
    let result = p.call("parse", &[cp(text)]);
    p.call("is_err", &[by_ref(result)]);
    let text = p.text("12");
    let other = p.call("parse", &[cp(text)]);
    p.call("unwrap", &[mv(other)]);
    p.call("unwrap", &[mv(result)]);
}

fn characters(p: &mut Program) {
    let string = p.string("");
    for c in ['a', '\'', '"', '\n', '\0', '\u{301}', '\u{200b}', '漢', '\u{5d0}'] {
        let c = p.literal(Literal::Char(c));
        p.call("string_push", &[by_mut(string), cp(c)]);
    }
    let texts = [
        "plain 'text'",
        "a \"quote\" and a \\",
        "tab\t, line\r\n, nothing\0, bell\u{7}",
        "e\u{301} ß 漢 🦀",
        "\u{202e}\u{feff}\u{a0}",
        "{0} {.1} {}",
    ];
    for text in texts {
        let text = p.text(text);
        p.call("push_str", &[by_mut(string), cp(text)]);
    }
}

fn floats(p: &mut Program) {
    let pairs = [
        (1.0, -0.0),
        (0.1, f64::NAN),
        (f64::NEG_INFINITY, 1e300),
        (5e-324, f64::MAX),
        (-2.5, f64::from_bits(0x7ff8_0000_0000_0001)),
    ];
    for (a, b) in pairs {
        let a = p.literal(Literal::F64(a.to_bits()));
        let b = p.literal(Literal::F64(b.to_bits()));
        p.call("hypot", &[cp(a), cp(b)]);
    }
    let a = p.literal(Literal::F32(1.5f32.to_bits()));
    let b = p.literal(Literal::F32(16777216f32.to_bits()));
    p.call("f32_max", &[cp(a), cp(b)]);
}

fn negative_receivers(p: &mut Program) {
    let n = p.literal(Literal::I32(-5));
    p.call("abs", &[cp(n)]);
    let base = p.byte(5);
    let exponent = p.literal(Literal::U32(2));
    p.call("pow", &[cp(base), cp(exponent)]);
    let n = p.literal(Literal::I32(i32::MIN));
    p.call("abs", &[cp(n)]);
}

fn limits(p: &mut Program) {
    let a = p.literal(Literal::I64(i64::MAX));
    let b = p.literal(Literal::I64(i64::MIN));
    p.call("i64_min", &[cp(a), cp(b)]);
    let a = p.literal(Literal::I64(-1_000_000));
    let b = p.literal(Literal::I64(999_999));
    p.call("i64_min", &[cp(a), cp(b)]);
    let capacity = p.size(u64::MAX);
    p.call("vec_with_capacity", &[cp(capacity)]);
}

fn repetition(p: &mut Program) {
    let vec = p.call("vec_new", &[]);
    for _ in 0..5 {
        p.push(vec, 1);
    }
    for _ in 0..3 {
        p.push(vec, 2);
    }
    for _ in 0..6 {
        p.call("pop", &[by_mut(vec)]);
    }
}

fn unused(p: &mut Program) {
    let vec = p.small_vec();
    p.call("len", &[by_ref(vec)]);
    p.call("drain_all", &[by_mut(vec)]);
    p.call("vec_new", &[]);
    p.call("map_new", &[]);
    p.call("map_new", &[]);
    let n = p.size(1);
    p.call("vec_with_capacity", &[cp(n)]);
}

fn views(p: &mut Program) {
    let vec = p.small_vec();
    let other = p.small_vec();
    let target = p.call("slice_mut", &[by_mut(vec)]);
    let source = p.call("slice", &[by_ref(other)]);
    p.call("slice_copy", &[reborrow_mut(target), cp(source)]);
    let first = p.call("slice_first", &[cp(source)]);
    p.body.push_drop(first);
    let string = p.string("abc");
    let text = p.call("as_str", &[by_ref(string)]);
    p.call("str_len", &[cp(text)]);
    let text = p.call("as_str", &[by_ref(string)]);
    let other = p.string("def");
    p.call("push_str", &[by_mut(other), cp(text)]);
}

fn used_twice(p: &mut Program) {
    let text = p.text("something longer than a word");
    p.call("str_len", &[cp(text)]);
    p.call("trim", &[cp(text)]);
    let short = p.text("x");
    p.call("str_find", &[cp(text), cp(short)]);
    let seconds = p.literal(Literal::U64(2));
    let duration = p.call("from_secs", &[cp(seconds)]);
    p.call("duration_add", &[cp(duration), cp(duration)]);
}

fn names(p: &mut Program) {
    let a = p.small_vec();
    let b = p.small_vec();
    let slice = p.call("slice_mut", &[by_mut(a)]);
    let one = p.size(1);
    let option = p.call("slice_get_mut", &[mv(slice), cp(one)]);
    let first = p.call("unwrap_mut", &[mv(option)]);
    let n = p.call("read", &[reborrow(first)]);
    p.call("push", &[by_mut(b), cp(n)]);
    p.call("write", &[reborrow_mut(first), cp(n)]);
    let n = p.byte(3);
    let other = p.byte(4);
    p.call("replace", &[by_mut(n), cp(other)]);
    p.call("len", &[by_ref(b)]);
}

fn shadowing(p: &mut Program) {
    let a = p.small_vec();
    let b = p.call("take", &[by_mut(a)]);
    p.call("swap", &[by_mut(a), by_mut(b)]);
    let c = p.call("take", &[by_mut(b)]);
    p.call("len", &[by_ref(c)]);
}

fn name_clash(p: &mut Program) {
    let error = p.call("fmt_error", &[]);
    let text = p.text("broken");
    p.call("io_error", &[cp(text)]);
    p.call("io_error_source", &[cp(error)]);
}

fn order(p: &mut Program) {
    let a = p.small_vec();
    let b = p.small_vec();
    let second = p.call("pop", &[by_mut(b)]);
    let first = p.call("len", &[by_ref(a)]);
    let zero = p.byte(0);
    let value = p.call("unwrap_or", &[cp(second), cp(zero)]);
    p.call("insert", &[by_mut(a), cp(first), cp(value)]);
    let place = p.call("len", &[by_ref(b)]);
    let third = p.call("pop", &[by_mut(b)]);
    let value = p.call("unwrap_or", &[cp(third), cp(zero)]);
    p.call("insert", &[by_mut(a), cp(place), cp(value)]);
}

fn conflict(p: &mut Program) {
    let vec = p.small_vec();
    let n = p.call("len", &[by_ref(vec)]);
    p.call("truncate", &[by_mut(vec), cp(n)]);
    let other = p.small_vec();
    let n = p.call("len", &[by_ref(other)]);
    p.call("truncate", &[by_mut(vec), cp(n)]);
}

fn trait_import(p: &mut Program) {
    let vec = p.call("vec_new", &[]);
    let bytes = p.literal(Literal::Bytes(b"abc".to_vec()));
    p.call("write_all", &[by_mut(vec), cp(bytes)]);
}

fn long_call(p: &mut Program) {
    let groups: Vec<Arg> = (0..8).map(|n| cp(p.literal(Literal::U16(12345 + n)))).collect();
    let address = p.call("ipv6", &groups);
    p.call("is_loopback", &[by_ref(address)]);
    let string = p.string("short");
    let long = p.text("a text that is so long that the call has no room for it on one line, however it is indented");
    p.call("push_str", &[by_mut(string), cp(long)]);
    let groups: Vec<Arg> = (0..8).map(|n| cp(p.literal(Literal::U16(n)))).collect();
    p.call("ipv6", &groups);
}

fn long_let(p: &mut Program) {
    let keys = p.small_vec();
    let values = p.small_vec();
    let map = p.call("long_name", &[mv(keys), mv(values)]);
    p.body.push_drop(map);
    p.call("vec_new", &[]);
}

fn long_array(p: &mut Program) {
    let numbers: Vec<Arg> = (0..12).map(|n| cp(p.literal(Literal::U64(100_000 + n)))).collect();
    p.call("array_12", &numbers);
    let numbers: Vec<Arg> = (0..12).map(|n| cp(p.literal(Literal::U64(100_000_000_000 + n)))).collect();
    p.call("array_12", &numbers);
}

fn struct_literal(p: &mut Program) {
    let start = p.size(1);
    let end = p.size(2);
    let range = p.call("range_struct", &[cp(start), cp(end)]);
    let n = p.size(1000);
    p.call("range_contains", &[by_ref(range), by_ref(n)]);
}

fn ranges(p: &mut Program) {
    let start = p.size(1);
    let end = p.size(2);
    let range = p.call("range", &[cp(start), cp(end)]);
    p.call("range_contains", &[by_ref(range), by_ref(end)]);
}

fn long_texts(p: &mut Program) {
    let string = p.string(&"ab".repeat(50));
    let text = p.text(&"x".repeat(300));
    p.call("push_str", &[by_mut(string), cp(text)]);
    let text = p.text(&"y".repeat(40));
    let trimmed = p.call("trim", &[cp(text)]);
    p.call("str_len", &[cp(trimmed)]);
}

fn bytes(p: &mut Program) {
    let vec = p.call("vec_new", &[]);
    let bytes = p.literal(Literal::Bytes(vec![0; 64]));
    p.call("write_all", &[by_mut(vec), cp(bytes)]);
    let bytes = p.literal(Literal::Bytes(b"a\"\n\xff".to_vec()));
    p.call("slice_first", &[cp(bytes)]);
}

fn unit(p: &mut Program) {
    let vec = p.small_vec();
    let unit = p.call("clear", &[by_mut(vec)]);
    let option = p.call("some_unit", &[cp(unit)]);
    p.call("is_some_unit", &[by_ref(option)]);
}

fn guard(p: &mut Program) {
    let five = p.byte(5);
    let mutex = p.call("mutex_new", &[cp(five)]);
    p.call("lock", &[by_ref(mutex)]);
}

fn strings(p: &mut Program) {
    let string = p.string("one");
    p.call("string_len", &[by_ref(string)]);
    p.call("into_bytes", &[mv(string)]);
    let string = p.string("two");
    let text = p.text("+");
    p.call("push_str", &[by_mut(string), cp(text)]);
    let string = p.string("three");
    p.call("into_bytes", &[mv(string)]);
}

fn closure_expression(p: &mut Program) {
    let vec = p.small_vec();
    let mut inner = Program::nested(1, 0);
    let two = inner.byte(2);
    let result = inner.call("lt", &[cp(0), by_ref(two)]);
    let callback = p.callback(inner, Some(cp(result)), &[]);
    p.call("retain", &[by_mut(vec), mv(callback)]);
    let mut inner = Program::nested(1, 0);
    let no = inner.literal(Literal::Bool(false));
    let callback = p.callback(inner, Some(cp(no)), &[]);
    p.call("retain", &[by_mut(vec), mv(callback)]);
}

fn closure_block(p: &mut Program) {
    let vec = p.small_vec();
    let mut inner = Program::nested(2, 0);
    let nine = inner.byte(9);
    inner.call("replace", &[reborrow_mut(1), cp(nine)]);
    let result = inner.call("lt", &[reborrow(0), reborrow(1)]);
    let callback = p.callback(inner, Some(cp(result)), &[]);
    p.call("dedup_by", &[by_mut(vec), mv(callback)]);
}

fn closure_capture(p: &mut Program) {
    let vec = p.small_vec();
    let log = p.call("vec_new", &[]);
    let mut inner = Program::nested(1, 2);
    let seen = inner.call("read", &[cp(0)]);
    for _ in 0..2 {
        inner.call("push", &[reborrow_mut(1), cp(seen)]);
    }
    let result = inner.call("lt", &[cp(0), by_ref(2)]);
    let limit = p.byte(3);
    let callback = p.callback(inner, Some(cp(result)), &[by_mut(log), cp(limit)]);
    p.call("retain", &[by_mut(vec), mv(callback)]);
    p.call("len", &[by_ref(log)]);
}

fn closure_mixed(p: &mut Program) {
    let vec = p.small_vec();
    let log = p.call("vec_new", &[]);
    let store = p.small_vec();
    let mut inner = Program::nested(0, 2);
    let popped = inner.call("pop", &[by_mut(1)]);
    let zero = inner.byte(0);
    let value = inner.call("unwrap_or", &[cp(popped), cp(zero)]);
    inner.call("push", &[reborrow_mut(0), cp(value)]);
    let callback = p.callback(inner, Some(cp(value)), &[by_mut(log), mv(store)]);
    let n = p.size(8);
    p.call("resize_with", &[by_mut(vec), cp(n), mv(callback)]);
    p.call("len", &[by_ref(log)]);
}

fn closure_nested(p: &mut Program) {
    let outer_vec = p.small_vec();
    let total = p.call("vec_new", &[]);
    let mut inner = Program::nested(1, 2);
    let copy = inner.call("read", &[cp(0)]);
    inner.call("push", &[reborrow_mut(1), cp(copy)]);
    let smaller = inner.call("lt", &[cp(0), cp(2)]);
    let mut outer = Program::nested(1, 1);
    let vec = outer.small_vec();
    let callback = outer.callback(inner, Some(cp(smaller)), &[reborrow_mut(1), cp(0)]);
    outer.call("retain", &[by_mut(vec), mv(callback)]);
    let option = outer.call("pop", &[by_mut(vec)]);
    let result = outer.call("is_some", &[by_ref(option)]);
    let callback = p.callback(outer, Some(cp(result)), &[by_mut(total)]);
    p.call("retain", &[by_mut(outer_vec), mv(callback)]);
    p.call("len", &[by_ref(total)]);
}

fn passing_on(p: &mut Program) {
    let string = p.string("abc");
    let bytes = p.call("into_bytes", &[mv(string)]);
    p.push(bytes, 1);
    let text = p.text("7");
    let result = p.call("parse", &[cp(text)]);
    let number = p.call("unwrap", &[mv(result)]);
    let option = p.call("some", &[cp(number)]);
    let zero = p.byte(0);
    let value = p.call("unwrap_or", &[cp(option), cp(zero)]);
    p.call("push", &[by_mut(bytes), cp(value)]);
}

fn operators(p: &mut Program) {
    let vec = p.small_vec();
    let slice = p.call("slice_mut", &[by_mut(vec)]);
    let zero = p.size(0);
    let option = p.call("slice_get_mut", &[mv(slice), cp(zero)]);
    let first = p.call("unwrap_mut", &[mv(option)]);
    let one = p.byte(1);
    p.call("add_assign", &[reborrow_mut(first), cp(one)]);
    p.call("u8_eq", &[reborrow(first), by_ref(one)]);
    let n = p.byte(2);
    p.call("add_assign", &[by_mut(n), cp(one)]);
    p.call("u8_eq", &[by_ref(n), reborrow(first)]);
    p.call("format", &[by_ref(n)]);
    let a = p.text("a");
    let string = p.string("a");
    let b = p.call("as_str", &[by_ref(string)]);
    let b = p.call("trim", &[cp(b)]);
    p.call("format", &[cp(b)]);
    p.call("str_eq", &[cp(a), cp(b)]);
}

fn closure_in_template(p: &mut Program) {
    let vec = p.small_vec();
    let array = p.call("array_cloned", &[mv(vec)]);
    p.call("array_take", &[mv(array)]);
    p.call("vec_new", &[]);
}

fn aborts(p: &mut Program) {
    p.call("vec_new", &[]);
    p.call("abort", &[]);
}

fn hangs(p: &mut Program) {
    let seconds = p.literal(Literal::U64(1));
    let duration = p.call("from_secs", &[cp(seconds)]);
    p.call("duration_add", &[cp(duration), cp(duration)]);
    let one = p.byte(1);
    p.call("repeat_count", &[cp(one)]);
}

fn drop_order(p: &mut Program) {
    let first = p.small_vec();
    let second = p.small_vec();
    p.body.push_drop(first);
    p.body.push_drop(second);
}

/// A vector with one tracked element.
fn tracked_vec(p: &mut Program) -> u32 {
    let vec = p.call("tracked_vec", &[]);
    let n = p.byte(7);
    let element = p.call("tracked", &[cp(n)]);
    p.call("tracked_push", &[by_mut(vec), mv(element)]);
    vec
}

fn drops_twice(p: &mut Program) {
    let vec = tracked_vec(p);
    let place = p.size(0);
    p.call("tracked_remove", &[by_mut(vec), cp(place)]);
    // The end of the block does it.
    p.body.push_drop(vec);
}

fn loses(p: &mut Program) {
    let vec = tracked_vec(p);
    let place = p.size(0);
    p.call("tracked_remove", &[by_mut(vec), cp(place)]);
}

fn uses_after_drop(p: &mut Program) {
    let vec = tracked_vec(p);
    let n = p.byte(0);
    let element = p.call("tracked", &[cp(n)]);
    let copy = p.call("tracked_clone", &[by_ref(element)]);
    p.call("tracked_contains", &[by_ref(vec), by_ref(copy)]);
}
