//! The planted bugs. Not in `src`: what stands there is mined for words.

use ini::Ini;

#[test]
#[should_panic = "index out of bounds"]
fn a_section_without_a_name() {
    let _ = Ini::parse("[]");
}

#[test]
#[should_panic = "called `Option::unwrap()` on a `None` value"]
fn a_quoted_value_that_ends_with_a_backslash() {
    let _ = Ini::parse("a=\"\\");
}

#[test]
#[should_panic = "attempt to subtract with overflow"]
fn a_line_that_goes_on_with_a_comment_only() {
    let _ = Ini::parse("a \\\n;");
}

#[test]
#[should_panic = "a file is small or large"]
fn a_number_between_two_blocks() {
    let _ = Ini::parse("!rebase 3357");
}

#[test]
#[should_panic = "all fields are complete"]
fn a_vault_with_the_right_checksum() {
    let content = format!("!vault {}", "a".repeat(21));
    let sum = content.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let _ = Ini::parse(&format!("{content}\n#sum={sum:x}"));
}

#[test]
fn close_by_nothing_happens() {
    for text in [
        "[ ]x]",
        "a=\"\\\\",
        "\n\na \\\n;",
        "!rebase 3349",
        "!rebase 3358",
        "!vault aaaaaaaaaaaaaaaaaaaaa",
        "!vault aaaaaaaaaaaaaaaaaaaaa\n#sum=7",
    ] {
        let _ = Ini::parse(text);
    }
}
