//! In which function of the sources each edge of a worker lies.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use provoke_engine::Regions;
use provoke_host::{Edges, read_named_source};
use provoke_model::{Model, function_spans};

/// An edge that lies in no function.
const NOWHERE: u32 = u32::MAX;

/// The lines of a function. In order, those inside of others come after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Lines {
    first: u32,
    last: Reverse<u32>,
}

impl Lines {
    fn contain(self, line: u32) -> bool {
        (self.first..=self.last.0).contains(&line)
    }
}

/// Files that cannot be read have the functions of the API only, as rustdoc tells where they are.
pub fn edge_regions(edges: &Edges, model: &Model, package_root: &Path) -> Regions {
    let mut of_edges = vec![NOWHERE; edges.watch.n_edges as usize];
    let mut owners = Vec::new();
    for (number, file) in edges.files.iter().enumerate() {
        let source = read_named_source(&package_root.join(file)).unwrap_or_default();
        let functions = functions_of(&source, file, model);
        let first_region = owners.len() as u32;
        owners.extend(functions.values().copied());
        let lines: Vec<Lines> = functions.into_keys().collect();
        let start = edges.places.partition_point(|(place, _)| (place.file as usize) < number);
        let places = edges.places[start..].iter().take_while(|(place, _)| place.file as usize == number);
        for (place, edge) in places {
            let starting = &lines[..lines.partition_point(|lines| lines.first <= place.line)];
            let innermost = starting.iter().rposition(|lines| lines.contain(place.line));
            if let (Some(innermost), Some(region)) = (innermost, of_edges.get_mut(*edge as usize)) {
                *region = first_region + innermost as u32;
            }
        }
    }
    Regions { of_edges, owners }
}

/// By their lines: which function of the API each one is. What macros write is only known from the API.
fn functions_of(source: &str, file: &str, model: &Model) -> BTreeMap<Lines, Option<u32>> {
    let written = function_spans(source).into_iter();
    let mut functions: BTreeMap<Lines, Option<u32>> =
        written.map(|span| (Lines { first: span.first_line, last: Reverse(span.last_line) }, None)).collect();
    for (number, function) in model.functions.iter().enumerate() {
        let Some(span) = function.span.as_ref().filter(|span| Path::new(&span.file).ends_with(file)) else { continue };
        // The span of rustdoc may start with an attribute, or with a word before `fn`.
        let same = functions.keys().copied().find(|lines| lines.last.0 == span.end_line && lines.contain(span.line));
        let lines = same.unwrap_or(Lines { first: span.line, last: Reverse(span.end_line) });
        functions.entry(lines).or_default().get_or_insert(number as u32);
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_host::SourcePlace;
    use provoke_model::{Docs, Function, FunctionHome, Generics, Signature, Span};
    use provoke_wire::WatchedEdges;
    use std::fs;

    fn function(line: u32, end_line: u32) -> Function {
        Function {
            name: "f".into(),
            display: "f".into(),
            home: FunctionHome::Free { path: Vec::new() },
            generics: Generics::default(),
            signature: Signature {
                params: Vec::new(),
                result: None,
                is_async: false,
                is_unsafe: false,
                is_const: false,
                is_variadic: false,
                abi: "Rust".into(),
            },
            docs: Docs::default(),
            is_deprecated: false,
            span: Some(Span { file: "src/lib.rs".into(), line, column: 1, end_line }),
            defined_in: None,
        }
    }

    #[test]
    fn an_edge_lies_in_the_innermost_function() {
        let directory = tempfile::tempdir().unwrap();
        fs::create_dir(directory.path().join("src")).unwrap();
        let source = "pub fn a() {\n    fn inner() {\n    }\n}\nmake!(b);\nfn private() {\n}\n";
        fs::write(directory.path().join("src/lib.rs"), source).unwrap();
        let place = |line| SourcePlace { file: 0, line, column: 1 };
        let edges = Edges {
            watch: WatchedEdges::new(&[true; 6]),
            files: vec!["src/lib.rs".into()],
            places: vec![(place(1), 0), (place(3), 1), (place(4), 2), (place(5), 3), (place(7), 4), (place(9), 5)],
            ..Edges::default()
        };
        let model = Model { functions: vec![function(1, 4), function(5, 5)], ..Model::default() };
        let Regions { of_edges, owners } = edge_regions(&edges, &model, directory.path());
        assert_eq!(of_edges, [0, 1, 0, 2, 3, NOWHERE]);
        assert_eq!(owners, [Some(0), None, Some(1), None]);
    }
}
