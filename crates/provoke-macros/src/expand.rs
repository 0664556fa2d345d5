//! What becomes of an annotated function.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use syn::ext::IdentExt;
use syn::{Error, ImplItemFn, Result, ReturnType};

use crate::kind::Kind;
use crate::mention::Mention;
use crate::parameters::Parameters;
use crate::{arguments, clause, function, mention, shape, trampoline};

/// Mistakes are told in any case; the rest is there only if it `is_on`.
pub fn expand(kind: Kind, arguments: TokenStream, item: TokenStream, is_on: bool) -> TokenStream {
    match try_expand(kind, arguments, item) {
        Ok(items) if is_on => items,
        Ok(_) => TokenStream::new(),
        Err(error) => error.into_compile_error(),
    }
}

fn try_expand(kind: Kind, arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let mut function = function::parse(kind, item)?;
    shape::check(kind, &function)?;
    let trampoline = if kind == Kind::Spec {
        let of = arguments::of(arguments)?;
        let first = check_of_signature(&of, &function)?;
        function.block = syn::parse2(clause::written_out(function.block.to_token_stream(), &of)?)?;
        trampoline::alike(kind, &of, &function, first)
    } else {
        arguments::none(kind, arguments)?;
        let name = &function.sig.ident;
        match kind {
            Kind::Model => trampoline::of_model(&function),
            Kind::Temporal => trampoline::alike(kind, name, &function, start_point(&function)),
            _ => trampoline::alike(kind, name, &function, TokenStream::new()),
        }
    };
    Ok(quote! {
        #[allow(dead_code)]
        #function
        #trampoline
    })
}

/// Done by the trampoline, so that an emitted test has one call for each point.
fn start_point(function: &ImplItemFn) -> TokenStream {
    let parameters = Parameters::of(&function.sig);
    let watch = parameters.name(1);
    quote!(#watch.start_point();)
}

/// A call that is never made, by which the compiler sees whether the specified function exists and has the signature
/// of its spec.
fn check_of_signature(of: &Ident, function: &ImplItemFn) -> Result<TokenStream> {
    let parameters = Parameters::of(&function.sig);
    let Some(mention) = mention::find(function.block.to_token_stream(), of) else {
        let (name, of_name) = (function.sig.ident.unraw(), of.unraw());
        let text = format!("a spec of `{of_name}` has to call it, and `{name}` does not");
        return Err(Error::new_spanned(of, text));
    };
    let path = match mention {
        _ if parameters.has_receiver() => quote!(Self::#of),
        Mention::Call(qualifier) => quote!(#qualifier #of),
        Mention::Other => return Ok(TokenStream::new()),
    };
    let call = parameters.call(&path);
    // Two functions that return `impl Trait` return two types.
    Ok(if returns_impl(&function.sig.output) {
        quote!(if false { let _ = #call; ::core::unreachable!() })
    } else {
        quote!(if false { return #call; })
    })
}

fn returns_impl(output: &ReturnType) -> bool {
    fn has_impl(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == "impl",
            TokenTree::Group(group) => has_impl(group.stream()),
            _ => false,
        })
    }
    has_impl(output.to_token_stream())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{expect, Expect};

    const KINDS: [Kind; 6] = [Kind::Invariant, Kind::Spec, Kind::Temporal, Kind::Model, Kind::Probe, Kind::Law];

    fn arguments(kind: Kind) -> TokenStream {
        if kind == Kind::Spec {
            quote!(of = get)
        } else {
            TokenStream::new()
        }
    }

    /// The right example of each kind, with a body.
    fn example(kind: Kind) -> TokenStream {
        format!("{} {{ get() }}", kind.example()).parse().unwrap()
    }

    #[track_caller]
    fn check(kind: Kind, arguments: &str, item: &str, expected: Expect) {
        let items = expand(kind, arguments.parse().unwrap(), item.parse().unwrap(), true).to_string();
        // One line for each item and attribute: tokens as such have no lines.
        let lines = items.replace(" # [", "\n# [").replace("] fn", "]\nfn").replace("] pub", "]\npub");
        expected.assert_eq(&(lines.replace("] const", "]\nconst") + "\n"));
    }

    #[test]
    fn nothing_is_left_of_anything_in_a_normal_build() {
        for kind in KINDS {
            assert!(expand(kind, arguments(kind), example(kind), false).is_empty());
            assert!(!expand(kind, arguments(kind), example(kind), true).is_empty());
        }
    }

    #[test]
    fn mistakes_are_told_in_a_normal_build_too() {
        for kind in KINDS {
            for is_on in [false, true] {
                let expanded = expand(
                    kind,
                    arguments(kind),
                    quote!(
                        struct List;
                    ),
                    is_on,
                )
                .to_string();
                assert!(expanded.contains("compile_error") && expanded.contains("not on a struct"), "{expanded}");
                let expanded = expand(kind, quote!(when = 1), example(kind), is_on).to_string();
                assert!(expanded.contains("compile_error") && expanded.contains("argument"), "{expanded}");
            }
        }
    }

    #[test]
    fn an_invariant_is_called_by_its_trampoline() {
        check(
            Kind::Invariant,
            "",
            "#[cfg(unix)] /// Doc.\nfn ok(&self) -> bool { self.n > 0 }",
            expect![[r##"
            # [allow (dead_code)]
            # [cfg (unix)]
            # [doc = " Doc."]
            fn ok (& self) -> bool { self . n > 0 }
            # [cfg (unix)]
            # [doc = "Only there for Provoke, which checks the invariant `ok` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_invariant_ok (& self) -> bool { Self :: ok (self) }
        "##]],
        );
    }

    #[test]
    fn a_spec_has_its_clauses_written_out_and_its_signature_checked() {
        let item = "fn get_spec<Q: Ord>(&mut self, mut q: Q) -> T { pre!(q > 1); self.get(q) }";
        check(
            Kind::Spec,
            "of = get",
            item,
            expect![[r##"
            # [allow (dead_code)]
            fn get_spec < Q : Ord > (& mut self , mut q : Q) -> T { { let holds : bool = q > 1 ; if ! holds { :: core :: panic ! ("{}" , "Pre-condition of get violated: q > 1") } } ; self . get (q) }
            # [doc = "Only there for Provoke, which calls the spec `get_spec` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_spec_get < Q : Ord > (& mut self , q : Q) -> T { if false { return Self :: get :: < Q > (self , q) ; } Self :: get_spec :: < Q > (self , q) }
        "##]],
        );
    }

    #[test]
    fn a_spec_without_receiver_is_written_down_twice() {
        let item = "fn parse_spec((a, b): (u8, u8)) -> impl Iterator { Self::parse((a, b)) }";
        check(
            Kind::Spec,
            "of = parse",
            item,
            expect![[r##"
            # [allow (dead_code)]
            fn parse_spec ((a , b) : (u8 , u8)) -> impl Iterator { Self :: parse ((a , b)) }
            # [doc = "Only there for Provoke, which calls the spec `parse_spec` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_spec_parse (arg0 : (u8 , u8)) -> impl Iterator { if false { let _ = Self :: parse (arg0) ; :: core :: unreachable ! () } let (a , b) = arg0 ; Self :: parse ((a , b)) }
        "##]],
        );
    }

    #[test]
    fn a_spec_that_never_calls_its_function_is_a_mistake() {
        let expanded = expand(
            Kind::Spec,
            quote!(of = gett),
            quote!(
                fn get_spec(&self) {
                    self.get()
                }
            ),
            false,
        );
        let expected = "a spec of `gett` has to call it, and `get_spec` does not";
        assert!(expanded.to_string().contains(expected), "{expanded}");
    }

    #[test]
    fn a_monitor_starts_its_point_in_the_trampoline() {
        check(
            Kind::Temporal,
            "",
            "fn stays(&self, w: &mut provoke::Watch) { w.always(self.ok()) }",
            expect![[r##"
            # [allow (dead_code)]
            fn stays (& self , w : & mut provoke :: Watch) { w . always (self . ok ()) }
            # [doc = "Only there for Provoke, which watches the temporal property `stays` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_temporal_stays (& self , w : & mut provoke :: Watch) { w . start_point () ; Self :: stays (self , w) }
        "##]],
        );
    }

    #[test]
    fn a_model_has_its_state_in_the_watch_and_a_name_that_cannot_be_there_twice() {
        check(
            Kind::Model,
            "",
            "fn m(&self, step: Step, n: &mut u8) -> bool { *n > 0 }",
            expect![[r##"
            # [allow (dead_code)]
            fn m (& self , step : Step , n : & mut u8) -> bool { * n > 0 }
            # [doc = "Only there for Provoke, which asks the model `m` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_model (& self , step : & str , watch : & mut :: provoke :: Watch) -> bool { watch . start_point () ; Self :: m (self , :: provoke :: Step :: new (step) , watch . state ()) }
            # [doc = "Makes a second model of the type an error."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            # [allow (non_upper_case_globals)]
            const a_type_has_one_provoke_model : () = () ;
        "##]],
        );
        check(
            Kind::Model,
            "",
            "fn m(&self, step: Step) -> bool { true }",
            expect![[r##"
            # [allow (dead_code)]
            fn m (& self , step : Step) -> bool { true }
            # [doc = "Only there for Provoke, which asks the model `m` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_model (& self , step : & str , watch : & mut :: provoke :: Watch) -> bool { watch . start_point () ; Self :: m (self , :: provoke :: Step :: new (step)) }
            # [doc = "Makes a second model of the type an error."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            # [allow (non_upper_case_globals)]
            const a_type_has_one_provoke_model : () = () ;
        "##]],
        );
    }

    #[test]
    fn probes_and_laws_keep_their_signature() {
        check(
            Kind::Probe,
            "",
            "pub(crate) fn refill<const N: usize>(mut self, _: [u8; N]) -> Self { self }",
            expect![[r##"
            # [allow (dead_code)]
            pub (crate) fn refill < const N : usize > (mut self , _ : [u8 ; N]) -> Self { self }
            # [doc = "Only there for Provoke, which calls the probe `refill` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_probe_refill < const N : usize > (self , arg1 : [u8 ; N]) -> Self { Self :: refill :: < N > (self , arg1) }
        "##]],
        );
        check(
            Kind::Law,
            "",
            "fn r#try<T: Eq>(a: &T) -> bool { a == a }",
            expect![[r##"
            # [allow (dead_code)]
            fn r#try < T : Eq > (a : & T) -> bool { a == a }
            # [doc = "Only there for Provoke, which checks the law `try` by it."]
            # [allow (dead_code , non_snake_case , private_bounds , private_interfaces , unreachable_pub)]
            pub fn __provoke_law_try < T : Eq > (a : & T) -> bool { a == a }
        "##]],
        );
    }
}
