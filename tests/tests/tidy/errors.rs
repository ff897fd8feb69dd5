//! An error is a type, not a sentence: the caller can tell what it is without reading it.

use std::fs;

use syn::visit::{self, Visit};
use syn::{GenericArgument, ImplItemType, ItemMod, PathArguments, PathSegment, Type};

use crate::top;
use crate::words::sources;

#[test]
fn no_result_has_a_sentence_as_its_error() {
    let mut found = Vec::new();
    for file in sources() {
        let text = fs::read_to_string(top().join(&file)).expect("a source can be read");
        let count = sentences(&text);
        if count > 0 {
            found.push(format!("{}: {count}", file.display()));
        }
    }
    assert!(
        found.is_empty(),
        "these files have a Result whose error is a text; make it an enum with `thiserror`:\n{}",
        found.join("\n")
    );
}

/// Counts the types `Result<_, String>` and `Result<_, &str>` of a source; its own tests may have them.
fn sentences(text: &str) -> usize {
    struct Finder(usize);
    impl Visit<'_> for Finder {
        fn visit_item_mod(&mut self, module: &ItemMod) {
            if module.ident != "tests" {
                visit::visit_item_mod(self, module);
            }
        }

        fn visit_impl_item_type(&mut self, item: &ImplItemType) {
            if (item.ident == "Err" || item.ident == "Error") && is_text(&item.ty) {
                self.0 += 1;
            }
            visit::visit_impl_item_type(self, item);
        }

        fn visit_path_segment(&mut self, segment: &PathSegment) {
            if segment.ident == "Result"
                && let PathArguments::AngleBracketed(arguments) = &segment.arguments
                && let Some(GenericArgument::Type(error)) = arguments.args.iter().nth(1)
                && is_text(error)
            {
                self.0 += 1;
            }
            visit::visit_path_segment(self, segment);
        }
    }
    let mut finder = Finder(0);
    finder.visit_file(&syn::parse_file(text).expect("a source that can be parsed"));
    finder.0
}

fn is_text(kind: &Type) -> bool {
    if let Type::Reference(reference) = kind {
        return is_text(&reference.elem);
    }
    let Type::Path(path) = kind else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "String" || last.ident == "str")
}

#[test]
fn a_sentence_as_an_error_is_found_wherever_it_is() {
    for (text, expected) in [
        ("fn a() -> Result<(), String> { Ok(()) }", 1),
        ("fn a() -> std::result::Result<u8, &'static str> { Ok(1) }", 1),
        ("struct A { b: Option<Result<(), std::string::String>> }", 1),
        ("fn a(f: impl Fn(&str) -> Result<(), String>) { let x: Result<u8, String> = Ok(1); }", 2),
        ("impl FromStr for A { type Err = String; }", 1),
        ("fn a() -> Result<String, Gap> { todo!() }", 0),
        ("fn a() -> io::Result<String> { todo!() }", 0),
        ("mod tests { fn a() -> Result<(), String> { Ok(()) } }", 0),
        ("trait FromStr { type Err; fn a() -> Result<Self, Self::Err>; }", 0),
    ] {
        assert_eq!(sentences(text), expected, "{text}");
    }
}
