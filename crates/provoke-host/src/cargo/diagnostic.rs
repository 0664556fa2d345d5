//! Cargo's JSON messages: which line of the harness each compiler error is about.

use std::path::{Path, PathBuf};

use cargo_metadata::Message;
use cargo_metadata::diagnostic::{Diagnostic as RustcDiagnostic, DiagnosticLevel, DiagnosticSpan};

/// Rejected candidates come by the ten thousand; nobody reads more of one than this.
const MAX_RENDERED: usize = 2048;

/// A line of a source file of the harness.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DiagnosticPlace {
    /// Relative to the package: `src/ops.rs`.
    pub file: String,
    pub line: u32,
}

/// One error or warning of rustc.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The lines that it is about, best first; empty if it names none of the package's own.
    pub places: Vec<DiagnosticPlace>,
    /// `E0277`; some errors have none.
    pub code: Option<String>,
    pub message: String,
    /// As rustc prints it, cut if long.
    pub rendered: String,
}

/// Collects the messages of one run of cargo.
#[derive(Debug)]
pub(crate) struct Collector {
    /// The workspace of the harness.
    root: PathBuf,
    /// Errors of the package whose root source file is `main`.
    main: PathBuf,
    pub(crate) errors: Vec<Diagnostic>,
    /// Errors in the runtime: a bug of ours.
    pub(crate) runtime_errors: Vec<Diagnostic>,
    /// Errors in the target or its dependencies.
    pub(crate) foreign_errors: Vec<Diagnostic>,
    pub(crate) executable: Option<PathBuf>,
    /// An error without a place waits for the note that says who caused it.
    waits_for_note: bool,
}

impl Collector {
    pub(crate) fn new(root: &Path, main: &Path) -> Collector {
        Collector {
            root: root.to_path_buf(),
            main: main.to_path_buf(),
            errors: Vec::new(),
            runtime_errors: Vec::new(),
            foreign_errors: Vec::new(),
            executable: None,
            waits_for_note: false,
        }
    }

    pub(crate) fn hear(&mut self, line: &[u8]) {
        match parse(line) {
            Some(Message::CompilerMessage(message)) => {
                let source = message.target.src_path.as_std_path();
                if source == self.main {
                    self.hear_own(&message.message);
                } else if message.message.level == DiagnosticLevel::Error
                    || message.message.level == DiagnosticLevel::Ice
                {
                    let diagnostic = diagnostic(&message.message, &self.root);
                    if source.starts_with(&self.root) {
                        self.runtime_errors.push(diagnostic);
                    } else {
                        self.foreign_errors.push(diagnostic);
                    }
                }
            }
            Some(Message::CompilerArtifact(artifact)) if artifact.target.src_path.as_std_path() == self.main => {
                if let Some(executable) = artifact.executable {
                    self.executable = Some(executable.into_std_path_buf());
                }
            }
            _ => {}
        }
    }

    fn hear_own(&mut self, message: &RustcDiagnostic) {
        match message.level {
            DiagnosticLevel::Error | DiagnosticLevel::Ice => {
                if is_summary(&message.message) {
                    return;
                }
                let diagnostic = diagnostic(message, &self.root);
                self.waits_for_note = diagnostic.places.is_empty();
                self.errors.push(diagnostic);
            }
            // An error inside a dependency's constant is followed by a message of its own, which alone names the harness.
            DiagnosticLevel::Note | DiagnosticLevel::FailureNote if self.waits_for_note => {
                let places = places(message, &self.root);
                if let Some(error) = self.errors.last_mut()
                    && !places.is_empty()
                {
                    error.places = places;
                    self.waits_for_note = false;
                }
            }
            _ => {}
        }
    }
}

/// A line of cargo's JSON; anything else that a build prints is none.
pub(crate) fn parse(line: &[u8]) -> Option<Message> {
    if line.first() != Some(&b'{') {
        return None;
    }
    serde_json::from_slice(line).ok()
}

fn is_summary(message: &str) -> bool {
    message.starts_with("aborting due to") || message.starts_with("could not compile")
}

pub(crate) fn diagnostic(message: &RustcDiagnostic, root: &Path) -> Diagnostic {
    let mut rendered = match linkers_words(message) {
        Some(words) => format!("error: {}\n{words}\n", message.message),
        None => message.rendered.clone().unwrap_or_default(),
    };
    if rendered.len() > MAX_RENDERED {
        let mut end = MAX_RENDERED;
        while !rendered.is_char_boundary(end) {
            end -= 1;
        }
        rendered.truncate(end);
        rendered.push_str("…\n");
    }
    Diagnostic {
        places: places(message, root),
        code: message.code.as_ref().map(|code| code.code.clone()),
        message: message.message.clone(),
        rendered,
    }
}

pub(crate) fn is_link_error(message: &str) -> bool {
    message.starts_with("linking with ")
}

/// What the linker said, without its command line of several thousand letters, which rustc puts before it.
fn linkers_words(message: &RustcDiagnostic) -> Option<&str> {
    if !is_link_error(&message.message) {
        return None;
    }
    let is_command = |note: &str| note.trim_start().starts_with('"') || note.contains("=\"");
    let notes = message.children.iter().map(|child| child.message.trim());
    notes
        .filter(|note| !is_command(note) && !note.starts_with("some arguments are omitted"))
        .find(|note| !note.is_empty())
}

/// The primary spans if any lies in the harness, else whatever else the message and its notes point at there.
fn places(message: &RustcDiagnostic, root: &Path) -> Vec<DiagnosticPlace> {
    let mut found = Vec::new();
    for span in message.spans.iter().filter(|span| span.is_primary) {
        add_places(span, root, &mut found);
    }
    if found.is_empty() {
        for span in &message.spans {
            add_places(span, root, &mut found);
        }
    }
    if found.is_empty() {
        for child in &message.children {
            found.extend(places(child, root));
        }
    }
    let mut unique: Vec<DiagnosticPlace> = Vec::new();
    for place in found {
        if !unique.contains(&place) {
            unique.push(place);
        }
    }
    unique
}

/// Follows macro expansions out to the code that a person, or the generator, wrote.
fn add_places(span: &DiagnosticSpan, root: &Path, found: &mut Vec<DiagnosticPlace>) {
    let mut outermost = None;
    let mut span = Some(span);
    while let Some(current) = span {
        if let Some(file) = own_file(&current.file_name, root) {
            outermost = Some(DiagnosticPlace { file, line: current.line_start as u32 });
        }
        span = current.expansion.as_ref().map(|expansion| &expansion.span);
    }
    found.extend(outermost);
}

/// Rustc runs in the root of the workspace, so its own files are relative and all others absolute.
fn own_file(name: &str, root: &Path) -> Option<String> {
    let path = Path::new(name);
    let relative = if path.is_absolute() { path.strip_prefix(root).ok()? } else { path };
    (!name.starts_with('<')).then(|| relative.to_string_lossy().into_owned())
}

/// The items that rustc was busy with when it crashed, from the query stack it leaves on standard error: `ops::op_17`.
pub(crate) fn crash_sites(stderr: &str) -> Vec<String> {
    let mut sites: Vec<String> = Vec::new();
    for line in stderr.lines() {
        let is_stack = line
            .strip_prefix('#')
            .and_then(|rest| rest.split_once(" ["))
            .is_some_and(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
        if !is_stack {
            continue;
        }
        for (place, text) in line.split('`').enumerate() {
            if place % 2 == 1 && text.contains("::") && !sites.iter().any(|s| s == text) {
                sites.push(text.to_owned());
            }
        }
    }
    sites
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(file: &str, line: u32, is_primary: bool, expansion: &str) -> String {
        format!(
            r#"{{"file_name":"{file}","byte_start":0,"byte_end":1,"line_start":{line},"line_end":{line},
            "column_start":1,"column_end":2,"is_primary":{is_primary},"text":[],"label":null,
            "suggested_replacement":null,"suggestion_applicability":null,"expansion":{expansion}}}"#
        )
    }

    fn message(source: &str, level: &str, text: &str, spans: &[String]) -> Vec<u8> {
        format!(
            r#"{{"reason":"compiler-message","package_id":"p","manifest_path":"/h/Cargo.toml",
            "target":{{"kind":["bin"],"crate_types":["bin"],"name":"h","src_path":"{source}","edition":"2024",
            "doc":true,"doctest":false,"test":true}},
            "message":{{"rendered":"r","message":"{text}","code":null,"level":"{level}","spans":[{}],"children":[]}}}}"#,
            spans.join(",")
        )
        .replace('\n', "")
        .into_bytes()
    }

    fn collector() -> Collector {
        Collector::new(Path::new("/h"), Path::new("/h/src/main.rs"))
    }

    fn lines(collector: &Collector) -> Vec<Vec<u32>> {
        let lines = |d: &Diagnostic| d.places.iter().map(|p| p.line).collect();
        collector.errors.iter().map(lines).collect()
    }

    #[test]
    fn an_error_is_placed_by_its_primary_span_even_inside_a_macro() {
        let mut collector = collector();
        let call = span("src/ops.rs", 9, true, "null");
        let expansion = format!(r#"{{"span":{call},"macro_decl_name":"m!","def_site_span":null}}"#);
        collector.hear(&message(
            "/h/src/main.rs",
            "error",
            "a",
            &[span("src/ops.rs", 3, false, "null"), span("/std/macros.rs", 7, true, &expansion)],
        ));
        collector.hear(&message("/h/src/main.rs", "error", "aborting due to 1 previous error", &[]));
        assert_eq!(lines(&collector), [[9]]);
    }

    #[test]
    fn an_error_inside_a_dependency_is_placed_by_the_note_that_follows() {
        let mut collector = collector();
        let elsewhere = span("/dep/src/lib.rs", 1, true, "null");
        collector.hear(&message("/h/src/main.rs", "error", "const", &[elsewhere]));
        let here = span("src/ops.rs", 12, true, "null");
        collector.hear(&message("/h/src/main.rs", "note", "while instantiating", &[here]));
        let unrelated = span("src/ops.rs", 13, true, "null");
        collector.hear(&message("/h/src/main.rs", "note", "other", &[unrelated]));
        assert_eq!(lines(&collector), [[12]]);
    }

    #[test]
    fn errors_of_the_target_and_of_the_runtime_are_kept_apart() {
        let mut collector = collector();
        collector.hear(&message("/user/src/lib.rs", "error", "x", &[]));
        collector.hear(&message("/user/src/lib.rs", "warning", "w", &[]));
        collector.hear(&message("/h/runtime/provoke-exec/src/lib.rs", "error", "y", &[]));
        collector.hear(b"not json at all");
        collector.hear(b"{\"reason\":\"unheard-of\"}");
        assert_eq!(collector.foreign_errors.len(), 1);
        assert_eq!(collector.runtime_errors.len(), 1);
        assert!(collector.errors.is_empty());
    }

    #[test]
    fn of_a_link_error_the_words_of_the_linker_are_kept() {
        let note = |text: &str| {
            format!(r#"{{"message":"{text}","code":null,"level":"note","spans":[],"children":[],"rendered":null}}"#)
        };
        let long = format!(r#" \"cc\" \"-m64\" {}"#, "x".repeat(MAX_RENDERED));
        let omitted = "some arguments are omitted. use `--verbose` to show all linker arguments";
        let words = r"ld: cannot find -lz\ncollect2: error: ld returned 1 exit status\n";
        let children = [note(&long), note(omitted), note(words)].join(",");
        let line = message("/h/src/main.rs", "error", "linking with `cc` failed: exit status: 1", &[]);
        let line = String::from_utf8(line).unwrap().replace(r#""children":[]"#, &format!(r#""children":[{children}]"#));
        let mut collector = collector();
        collector.hear(line.as_bytes());
        assert_eq!(
            collector.errors[0].rendered,
            "error: linking with `cc` failed: exit status: 1\nld: cannot find -lz\ncollect2: error: ld returned 1 exit status\n"
        );
    }

    #[test]
    fn a_crash_of_rustc_is_placed_by_its_query_stack() {
        let stderr = "thread 'rustc' panicked\nquery stack during panic:\n\
            #0 [typeck] type-checking `ops::op_17`\n#1 [used] `ops::op_17` and `ty::ty_3`\n\
            end of query stack\nnote: see `other::thing`\n";
        assert_eq!(crash_sites(stderr), ["ops::op_17", "ty::ty_3"]);
    }
}
