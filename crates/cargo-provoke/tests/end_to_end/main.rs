//! The tool from outside, on crates that were made for it: temporary copies of `subjects/` and `fixtures/behaviours/`.
#![allow(clippy::disallowed_methods, reason = "an end-to-end test has to start the tool")]

mod bad_input;
mod chapter;
mod chapter_block;
mod clones;
mod config;
mod contracts;
mod copied_crate;
mod coverage;
mod determinism;
mod flaky;
mod golden;
mod growth;
mod hostile;
mod hostile_input;
mod laws;
mod minimal;
mod options;
mod outcomes;
mod plateau;
mod printed;
mod quality;
mod regression;
mod replay;
mod resume;
mod run;
mod sanitizer;
mod shapes;
mod specifications;
mod surroundings;
mod tracked;
