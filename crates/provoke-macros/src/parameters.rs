//! The parameters of a function, made such that they can be passed on.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, ToTokens};
use syn::{FnArg, GenericParam, Ident, Pat, PatIdent, Signature};

/// A signature in which every parameter has a plain name.
pub struct Parameters {
    pub sig: Signature,
    /// How they are passed on: `self` and the names, and in front of them what types cannot be inferred from them.
    names: Vec<TokenStream>,
    turbofish: TokenStream,
    /// What makes the names into what the function wrote in their place, as in `let (a, b) = arg1;`.
    unpacking: TokenStream,
}

impl Parameters {
    pub fn of(sig: &Signature) -> Parameters {
        let mut sig = sig.clone();
        let mut names = Vec::new();
        let mut unpacking = TokenStream::new();
        for (input_idx, input) in sig.inputs.iter_mut().enumerate() {
            match input {
                FnArg::Receiver(receiver) => {
                    // `mut self` is what the body makes of it; `&mut self` is a type.
                    if receiver.reference.is_none() {
                        receiver.mutability = None;
                    }
                    names.push(receiver.self_token.to_token_stream());
                }
                FnArg::Typed(value) => {
                    let name = match &*value.pat {
                        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => pat.ident.clone(),
                        _ => format_ident!("arg{input_idx}"),
                    };
                    let written = std::mem::replace(&mut *value.pat, plain(name.clone()));
                    if value.pat.to_token_stream().to_string() != written.to_token_stream().to_string() {
                        unpacking.extend(quote!(let #written = #name;));
                    }
                    names.push(name.into_token_stream());
                }
            }
        }
        let turbofish = turbofish(&sig);
        Parameters { sig, names, turbofish, unpacking }
    }

    pub fn has_receiver(&self) -> bool {
        self.sig.receiver().is_some()
    }

    /// `self`, if there is one, counts as the first.
    pub fn name(&self, input_idx: usize) -> &TokenStream {
        &self.names[input_idx]
    }

    /// A call of a function with the same parameters.
    pub fn call(&self, path: &TokenStream) -> TokenStream {
        let Parameters { names, turbofish, .. } = self;
        quote!(#path #turbofish (#(#names),*))
    }

    pub fn unpacking(&self) -> &TokenStream {
        &self.unpacking
    }
}

fn plain(ident: Ident) -> Pat {
    Pat::Ident(PatIdent { attrs: Vec::new(), by_ref: None, mutability: None, ident, subpat: None })
}

/// Lifetimes are left out: those that are bound late must not be given.
fn turbofish(sig: &Signature) -> TokenStream {
    let names = sig.generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(ty) => Some(&ty.ident),
        GenericParam::Const(constant) => Some(&constant.ident),
    });
    let names: Vec<_> = names.collect();
    if names.is_empty() {
        TokenStream::new()
    } else {
        quote!(::<#(#names),*>)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_passed_on() {
        let cases = [
            ("fn f(&mut self, a: u8)", "fn f (& mut self , a : u8)", "f (self , a)", ""),
            ("fn f(mut self)", "fn f (self)", "f (self)", ""),
            ("fn f(mut self: Box<Self>)", "fn f (self : Box < Self >)", "f (self)", ""),
            ("fn f(mut a: u8, _: u8)", "fn f (a : u8 , arg1 : u8)", "f (a , arg1)", "let mut a = a ; let _ = arg1 ;"),
            ("fn f((a, b): (u8, u8))", "fn f (arg0 : (u8 , u8))", "f (arg0)", "let (a , b) = arg0 ;"),
            (
                "fn f<'a, T: Eq, const N: usize>(a: &'a [T; N]) -> T where T: Ord",
                "fn f < 'a , T : Eq , const N : usize > (a : & 'a [T ; N]) -> T where T : Ord",
                "f :: < T , N > (a)",
                "",
            ),
        ];
        for (written, sig, call, unpacking) in cases {
            let parameters = Parameters::of(&syn::parse_str(written).unwrap());
            assert_eq!(parameters.sig.to_token_stream().to_string(), sig);
            assert_eq!(parameters.call(&quote!(f)).to_string(), call);
            assert_eq!(parameters.unpacking().to_string(), unpacking);
        }
    }
}
