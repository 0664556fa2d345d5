// What polynomial 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use polynomial::Mono;
use polynomial::PStack;
use polynomial::Poly;
use polynomial::Rat;

#[test]
fn rat_fmt_returns() {
    let rat = Rat::from(0);
    assert_eq!(format!("{:*>40}", rat), "0");
}

#[test]
fn mono_coeff_returns() {
    assert_eq!(
        format!("{:?}", Mono::new(Rat::from(-7), 2).coeff()),
        "Rat { numer: -7, denom: 1 }"
    );
}

#[test]
fn mono_exp_returns() {
    assert_eq!(Mono::new(Rat::from(-7), 2).exp(), 2);
}

#[test]
fn pstack_add_returns_false() {
    let mut pstack = PStack::default();
    assert!(!pstack.add());
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_copy_returns() {
    let pstack = PStack::default();
    let pstack2 = pstack.copy();
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
    assert_eq!(pstack2.len(), 0);
    assert!(pstack2.is_empty());
}

#[test]
fn pstack_new_returns() {
    let pstack = PStack::new();
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_pop_returns_some() {
    let mut pstack = PStack::default();
    assert_eq!(pstack.push(Poly::new()), Ok(()));
    let poly = pstack.pop();
    assert_eq!(format!("{:?}", poly), "Some(Poly { monos: [] })");
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_pop_returns_none() {
    let mut pstack = PStack::default();
    assert_eq!(pstack.pop(), None);
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_push_returns_ok() {
    let mut pstack = PStack::default();
    assert_eq!(pstack.push(Poly::new()), Ok(()));
    assert_eq!(pstack.len(), 1);
    assert!(!pstack.is_empty());
}

#[test]
fn pstack_push_returns_err() {
    let mut pstack = PStack::with_limit(0);
    let rat = Rat::from(1);
    let rat2 = rat.checked_sub(rat);
    assert!(rat2.is_some());
    let poly = Poly::from(Mono::new(rat2.unwrap(), 100));
    let result = pstack.push(poly);
    assert_eq!(format!("{:?}", result), "Err(Poly { monos: [] })");
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_sub_returns_false() {
    let mut pstack = PStack::default();
    assert!(!pstack.sub());
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn poly_add_returns_some() {
    let mono = Mono::new(Rat::from(-1), 5);
    let poly = Poly::new();
    let poly2 = poly.add(mono);
    assert!(poly2.is_some());
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn poly_checked_add_returns_some() {
    let poly = Poly::new();
    let poly2 = poly.checked_add(&poly);
    assert_eq!(format!("{:?}", poly2), "Some(Poly { monos: [] })");
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn poly_checked_sub_returns_some() {
    let poly = Poly::new();
    let poly2 = poly.checked_sub(&poly);
    assert_eq!(format!("{:?}", poly2), "Some(Poly { monos: [] })");
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn poly_degree_returns_some() {
    let poly = Poly::from(Mono::new(Rat::from(-1), 2));
    assert_eq!(poly.degree(), Some(2));
    assert!(!poly.is_zero());
}

#[test]
fn poly_degree_returns_none() {
    let poly = Poly::new();
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn poly_from_monos_returns_some() {
    let vec = vec![Mono::new(Rat::from(-1), 7)];
    let poly = Poly::from_monos(vec);
    assert!(poly.is_some());
}

#[test]
fn poly_from_monos_returns_none() {
    let mono = Mono::new(Rat::from(-7), 2);
    assert_eq!(Poly::from_monos(vec![mono, mono]), None);
}

#[test]
fn poly_monos_returns() {
    let poly = Poly::new();
    assert!(poly.monos().is_empty());
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn rat_approx_returns() {
    assert_eq!(Rat::from(1).approx(), 1.0);
}

#[test]
fn rat_checked_add_returns_some() {
    let rat = Rat::from(1);
    assert_eq!(
        format!("{:?}", rat.checked_add(rat)),
        "Some(Rat { numer: 2, denom: 1 })"
    );
}

#[test]
fn rat_checked_add_returns_none() {
    let rat = Rat::from(i32::MAX);
    let rat2 = rat.checked_add(Rat::new(2, 88_075_480));
    assert!(rat2.is_some());
    let rat3 = rat2.unwrap();
    assert_eq!(rat3.checked_add(Rat::new(-1, 65535)), None);
}

#[test]
fn rat_checked_sub_returns_some() {
    let rat = Rat::from(1);
    assert_eq!(
        format!("{:?}", rat.checked_sub(rat)),
        "Some(Rat { numer: 0, denom: 1 })"
    );
}

#[test]
fn rat_denom_returns() {
    assert_eq!(Rat::from(0).denom(), 1);
}

#[test]
fn rat_is_zero_returns_true() {
    assert!(Rat::from(0).is_zero());
}

#[test]
#[should_panic(expected = "a rational number needs a denominator other than 0")]
fn rat_new_panics() {
    let _ = Rat::new(0, 0);
}

#[test]
fn rat_numer_returns() {
    assert_eq!(Rat::from(1).numer(), 1);
}
