//! Which lines of a source file belong to which function.

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A function with a body, as it is written; what macros write is not seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpan {
    pub name: String,
    /// Of the signature.
    pub first_line: u32,
    pub last_line: u32,
}

/// In the order of their first lines. Functions inside of others come after them. Nothing where the source does not parse.
pub fn function_spans(source: &str) -> Vec<FunctionSpan> {
    let Ok(file) = syn::parse_file(source) else { return Vec::new() };
    let mut finder = Finder::default();
    finder.visit_file(&file);
    finder.found.sort_by_key(|span| (span.first_line, std::cmp::Reverse(span.last_line)));
    finder.found
}

#[derive(Default)]
struct Finder {
    found: Vec<FunctionSpan>,
}

impl Finder {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        self.found.push(FunctionSpan {
            name: signature.ident.to_string(),
            first_line: signature.span().start().line as u32,
            last_line: body.span().end().line as u32,
        });
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_lines_of_their_signature_and_body() {
        let source = "\
/// docs
#[inline]
pub fn a() {
    fn inner() {}
}
trait T {
    fn declared();
    fn given(&self)
    where
        Self: Sized,
    {
    }
}
impl T for u8 {
    fn declared() {}
}
";
        let spans: Vec<String> =
            function_spans(source).iter().map(|f| format!("{} {}-{}", f.name, f.first_line, f.last_line)).collect();
        assert_eq!(spans, ["a 3-5", "inner 4-4", "given 8-12", "declared 15-15"]);
        assert_eq!(function_spans("fn"), []);
    }
}
