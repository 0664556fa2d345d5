use super::*;
use crate::test_support::saved_and_read;

const PLACES: [u32; 5] = [0, 0, 1, NO_PLACE, 2];

/// Programs that reach these edges, of which 0 and 1 are instances of one place.
fn discovery(programs: &[&[u32]]) -> Discovery {
    let mut discovery = Discovery::new(&PLACES, 2);
    for edges in programs {
        discovery.next_program();
        discovery.reach(edges);
    }
    discovery
}

#[test]
fn instances_of_a_place_are_one_thing_and_a_program_counts_once() {
    for (programs, n_places, n_loners, novel) in [
        (&[][..], 0, 0, &[][..]),
        (&[&[0, 1, 3, 99][..]][..], 1, 1, &[1][..]),
        (&[&[0, 2, 4], &[1]], 3, 1, &[1]),
        (&[&[0, 2], &[1], &[4]], 3, 2, &[1, 3]),
        (&[&[0], &[], &[0, 1]], 1, 0, &[1]),
    ] {
        let it = discovery(programs);
        assert_eq!((it.n_places(), it.loners.len(), &it.novel[..]), (n_places, n_loners, novel), "{programs:?}");
    }
}

#[test]
fn functions_are_open_until_enough_programs_have_shown_them() {
    let mut discovery = discovery(&[]);
    for n_before in 0..ENOUGH_SIGHTINGS {
        assert!(discovery.has_open_functions(), "after {n_before}");
        discovery.next_program();
        for function in [0, 0, 1, 7] {
            discovery.cover(function);
        }
    }
    assert!(!discovery.has_open_functions());
    assert_eq!((discovery.novel, discovery.loners.len()), (vec![1], 0));
}

#[test]
fn a_finding_is_something_new_once_and_makes_a_loner_until_it_shows_again() {
    let mut discovery = discovery(&[&[], &[]]);
    discovery.meet(77);
    discovery.meet(77);
    assert_eq!((&discovery.novel[..], discovery.loners.len()), (&[2][..], 1));
    discovery.next_program();
    discovery.meet(77);
    assert_eq!((&discovery.novel[..], discovery.loners.len()), (&[2][..], 0));
}

#[test]
fn the_outlook_is_the_larger_of_what_loners_and_late_growth_say() {
    let outlook = |n_programs, novel: &[u64], n_loners| {
        let loners = (0..n_loners).map(|program| (program, 1)).collect();
        let novel = novel.to_vec();
        Discovery { n_programs, novel, loners, ..discovery(&[]) }.outlook().unwrap()
    };
    for (n_programs, novel, n_loners, probability) in [
        (999, &[900][..], 2, None),
        (1_000, &[][..], 0, Some(0.0)),
        (1_000, &[3, 500], 0, Some(0.0)),
        (1_000, &[3, 501], 0, Some(0.001)),
        (1_000, &[3, 501, 720, 999], 2, Some(0.003)),
        (1_000, &[3, 501, 720, 999], 8, Some(0.008)),
        (40_000, &[3, 501, 720, 999], 1, Some(0.000_025)),
    ] {
        assert_eq!(outlook(n_programs, novel, n_loners).probability(), probability, "{n_programs} {novel:?}");
    }
    assert_eq!(outlook(1_000, &[3, 501], 0).n_since_novel, 499);
    assert_eq!(outlook(1_000, &[], 0).n_since_novel, 1_000);
    assert_eq!(Discovery::new(&[], 5).outlook(), None, "nobody looks at what is reached");
}

#[test]
fn a_plateau_is_long_in_programs_and_in_proportion() {
    let is_plateau = |n_programs: u64, last_novel: u64| {
        let n_since_novel = n_programs - last_novel;
        Outlook { n_programs, n_loners: 1, n_lately_novel: 0, n_since_novel }.is_plateau()
    };
    for (n_programs, last_novel, expected) in [
        (PLATEAU_PROGRAMS - 1, 10, false),
        (PLATEAU_PROGRAMS, 10, true),
        (PLATEAU_PROGRAMS, PLATEAU_PROGRAMS / 2, false),
        (1_000_000, 1_000_000 / PLATEAU_FACTOR, true),
        (1_000_000, 1_000_000 / PLATEAU_FACTOR + 1, false),
    ] {
        assert_eq!(is_plateau(n_programs, last_novel), expected, "{last_novel} of {n_programs}");
    }
}

#[test]
fn what_comes_when_nobody_counts_is_new_but_adds_no_programs() {
    let mut discovery = discovery(&[&[0], &[1]]);
    discovery.close();
    discovery.next_program();
    discovery.meet(5);
    assert_eq!((discovery.n_programs, &discovery.novel[..]), (2, &[1, 2][..]));
}

#[test]
fn what_is_saved_goes_on_as_if_nothing_had_happened() {
    let mut whole = discovery(&[&[0, 2], &[1], &[4]]);
    whole.cover(1);
    whole.meet(5);
    let saved: Discovery = saved_and_read(&whole);
    let mut restored = Discovery::new(&PLACES, 2);
    restored.restore(saved.clone()).unwrap();
    for discovery in [&mut whole, &mut restored] {
        for edges in [&[2][..], &[0, 4], &[1]] {
            discovery.next_program();
            discovery.reach(edges);
            discovery.cover(0);
            discovery.meet(5);
        }
    }
    assert_eq!(restored.outlook(), whole.outlook());
    assert_eq!(restored, whole);
    assert!(Discovery::new(&[9], 2).restore(saved).is_err(), "of another worker");
}
