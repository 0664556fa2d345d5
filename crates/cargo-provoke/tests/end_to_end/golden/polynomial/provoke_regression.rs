// What polynomial 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use polynomial::Mono;
use polynomial::PStack;
use polynomial::Poly;
use polynomial::Rat;

#[test]
fn rat_fmt_returns() {
    let rat = Rat::from(10);
    assert_eq!(format!("{}", rat), "10");
}

#[test]
fn mono_coeff_returns() {
    assert_eq!(
        format!("{:?}", Mono::new(Rat::from(128), 1).coeff()),
        "Rat { numer: 128, denom: 1 }"
    );
}

#[test]
fn mono_exp_returns() {
    assert_eq!(Mono::new(Rat::new(4, 4), 12).exp(), 12);
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
fn pstack_pop_returns_some() {
    let poly = Poly::new();
    let mut pstack = PStack::default();
    assert_eq!(pstack.push(poly), Ok(()));
    let poly2 = pstack.pop();
    assert_eq!(format!("{:?}", poly2), "Some(Poly { monos: [] })");
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_pop_returns_none() {
    let mut pstack = PStack::new();
    assert_eq!(pstack.pop(), None);
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
}

#[test]
fn pstack_push_returns_ok() {
    let poly = Poly::new();
    let mut pstack = PStack::default();
    assert_eq!(pstack.push(poly), Ok(()));
    assert_eq!(pstack.len(), 1);
    assert!(!pstack.is_empty());
}

#[test]
fn pstack_push_returns_err() {
    let mut pstack = PStack::with_limit(0);
    assert!(!pstack.add());
    let result = pstack.push(Poly::new());
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
    let mono = Mono::new(Rat::from(256), 10);
    let poly = Poly::default();
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
    let poly = Poly::default();
    let poly2 = poly.checked_sub(&poly);
    assert_eq!(format!("{:?}", poly2), "Some(Poly { monos: [] })");
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
}

#[test]
fn poly_degree_returns_some() {
    let poly = Poly::from(Mono::new(Rat::from(256), 10));
    assert_eq!(poly.degree(), Some(10));
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
    let vec = vec![Mono::new(Rat::from(128), 12)];
    let poly = Poly::from_monos(vec);
    assert!(poly.is_some());
}

#[test]
fn poly_from_monos_returns_none() {
    let mono = Mono::new(Rat::from(-6), 8);
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
    assert_eq!(Rat::from(3).approx(), 3.0);
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
fn rat_checked_sub_returns_some() {
    let rat = Rat::from(4);
    assert_eq!(
        format!("{:?}", rat.checked_sub(rat)),
        "Some(Rat { numer: 0, denom: 1 })"
    );
}

#[test]
fn rat_denom_returns() {
    assert_eq!(Rat::from(2).denom(), 1);
}

#[test]
fn rat_is_zero_returns_false() {
    assert!(!Rat::from(-3).is_zero());
}

#[test]
#[should_panic(expected = "a rational number needs a denominator other than 0")]
fn rat_new_panics() {
    let _ = Rat::new(0, 0);
}

#[test]
fn rat_numer_returns() {
    assert_eq!(Rat::from(0).numer(), 0);
}
