// What polynomial 0.1.0 does: a test that fails says that this has changed, not that it is wrong.
// Written by cargo-provoke [version] with seed 1: cargo provoke --calls 1M --seed 1 --write-tests

use polynomial::Mono;
use polynomial::PStack;
use polynomial::Poly;
use polynomial::Rat;

#[test]
fn rat_fmt_returns() {
    let rat = Rat::from(-2);
    assert_eq!(format!("{:<03}", rat), "-2");
}

#[test]
fn mono_coeff_returns() {
    assert_eq!(
        format!("{:?}", Mono::new(Rat::from(-2), 2).coeff()),
        "Rat { numer: -2, denom: 1 }"
    );
}

#[test]
fn mono_exp_returns() {
    assert_eq!(Mono::new(Rat::from(-2), 2).exp(), 2);
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
    let mut pstack = PStack::new();
    assert_eq!(pstack.push(Poly::default()), Ok(()));
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
    assert!(!pstack.sub());
    assert!(!pstack.add());
    assert!(!pstack.sub());
    let poly = Poly::new();
    let poly2 = Poly::new();
    let result = pstack.push(poly.checked_sub(&poly2).unwrap());
    assert_eq!(format!("{:?}", result), "Err(Poly { monos: [] })");
    assert_eq!(pstack.len(), 0);
    assert!(pstack.is_empty());
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
    assert_eq!(poly2.degree(), None);
    assert!(poly2.is_zero());
}

#[test]
fn poly_add_returns_some() {
    let mono = Mono::new(Rat::from(128), 1);
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
    let poly = Poly::new();
    let poly2 = poly.clone();
    let poly3 = poly.checked_sub(&poly2);
    assert_eq!(format!("{:?}", poly3), "Some(Poly { monos: [] })");
    assert_eq!(poly.degree(), None);
    assert!(poly.is_zero());
    assert_eq!(poly2.degree(), None);
    assert!(poly2.is_zero());
}

#[test]
fn poly_degree_returns_some() {
    let poly = Poly::from(Mono::new(Rat::from(-2), 10));
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
    let vec = vec![Mono::new(Rat::from(-2), 10)];
    let poly = Poly::from_monos(vec);
    assert!(poly.is_some());
}

#[test]
fn poly_from_monos_returns_none() {
    let mono = Mono::new(Rat::new(5, 5), 0);
    let mut vec = vec![mono];
    vec.push(mono);
    assert_eq!(Poly::from_monos(vec), None);
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
    assert_eq!(Rat::from(-2).approx(), -2.0);
}

#[test]
fn rat_checked_add_returns_some() {
    let rat = Rat::new(-2, -2);
    assert_eq!(
        format!("{:?}", rat.checked_add(rat)),
        "Some(Rat { numer: 2, denom: 1 })"
    );
}

#[test]
fn rat_checked_sub_returns_some() {
    let rat = Rat::from(-2);
    assert_eq!(
        format!("{:?}", rat.checked_sub(rat)),
        "Some(Rat { numer: 0, denom: 1 })"
    );
}

#[test]
fn rat_denom_returns() {
    assert_eq!(Rat::from(-2).denom(), 1);
}

#[test]
fn rat_is_zero_returns_false() {
    assert!(!Rat::from(-1).is_zero());
}

#[test]
#[should_panic(expected = "a rational number needs a denominator other than 0")]
fn rat_new_panics() {
    let _ = Rat::new(0, 0);
}

#[test]
fn rat_numer_returns() {
    assert_eq!(Rat::from(-2).numer(), -2);
}
