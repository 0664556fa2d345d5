//! The public function beside an annotated one, by which Provoke calls it.
//!
//! Provoke finds trampolines in the documentation by the prefix of their names; each is an ordinary function with
//! its whole signature written out.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Attribute, ImplItemFn};

use crate::kind::Kind;
use crate::parameters::Parameters;

/// One with the signature of the function itself, named after `target`; `first` is done before anything else.
pub fn alike(kind: Kind, target: &Ident, function: &ImplItemFn, first: TokenStream) -> TokenStream {
    let parameters = Parameters::of(&function.sig);
    let body = body(function, &parameters);
    let mut sig = parameters.sig;
    sig.ident = format_ident!("__provoke_{}_{}", kind.name(), target.unraw(), span = target.span());
    let header = header(&doc(kind, function), function);
    quote! {
        #header
        pub #sig {
            #first
            #body
        }
    }
}

/// The one of a model: its state is kept by the watch, so that Provoke need not know its type.
pub fn of_model(function: &ImplItemFn) -> TokenStream {
    let name = &function.sig.ident;
    let state = (function.sig.inputs.len() == 3).then(|| quote!(, watch.state()));
    let trampoline = format_ident!("__provoke_model", span = name.span());
    let header_of_function = header(&doc(Kind::Model, function), function);
    // Two models of one type are two definitions of this name, which says what is wrong. (Those of the trampoline
    // are an error, too, but do not explain themselves.)
    let only_one = format_ident!("a_type_has_one_provoke_model", span = name.span());
    let header_of_constant = header("Makes a second model of the type an error.", function);
    quote! {
        #header_of_function
        pub fn #trampoline(&self, step: &str, watch: &mut ::provoke::Watch) -> bool {
            watch.start_point();
            Self::#name(self, ::provoke::Step::new(step) #state)
        }

        #header_of_constant
        #[allow(non_upper_case_globals)]
        const #only_one: () = ();
    }
}

/// A call, if the function has a receiver. If it has none, nothing tells whether it stands in an impl (`Self::name`) or in
/// a module (`name`), so that it cannot be called; what it does is written down once more instead.
fn body(function: &ImplItemFn, parameters: &Parameters) -> TokenStream {
    if parameters.has_receiver() {
        let name = &function.sig.ident;
        return parameters.call(&quote!(Self::#name));
    }
    let unpacking = parameters.unpacking();
    let stmts = &function.block.stmts;
    quote!(#unpacking #(#stmts)*)
}

fn doc(kind: Kind, function: &ImplItemFn) -> String {
    let name = function.sig.ident.unraw();
    let what = match kind {
        Kind::Invariant => "checks the invariant",
        Kind::Spec => "calls the spec",
        Kind::Temporal => "watches the temporal property",
        Kind::Model => "asks the model",
        Kind::Probe => "calls the probe",
        Kind::Law => "checks the law",
    };
    format!("Only there for Provoke, which {what} `{name}` by it.")
}

/// Documentation, and what keeps the compiler from complaining about what the user has not written.
fn header(doc: &str, function: &ImplItemFn) -> TokenStream {
    let carried = function.attrs.iter().filter(is_carried);
    quote! {
        #(#carried)*
        #[doc = #doc]
        #[allow(dead_code, non_snake_case, private_bounds, private_interfaces, unreachable_pub)]
    }
}

/// A trampoline is there if its function is, and may do what that may do.
fn is_carried(attribute: &&Attribute) -> bool {
    attribute.path().is_ident("cfg") || attribute.path().is_ident("allow")
}
