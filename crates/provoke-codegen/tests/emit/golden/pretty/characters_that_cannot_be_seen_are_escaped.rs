// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn characters_that_cannot_be_seen_are_escaped() {
    let mut string = String::new();
    string.push('a');
    string.push('\'');
    string.push('"');
    string.push('\n');
    string.push('\0');
    string.push('\u{301}');
    string.push('\u{200b}');
    string.push('漢');
    string.push('\u{5d0}');
    string.push_str("plain 'text'");
    string.push_str("a \"quote\" and a \\");
    string.push_str("tab\t, line\r\n, nothing\0, bell\u{7}");
    string.push_str("e\u{301} ß 漢 🦀");
    string.push_str("\u{202e}\u{feff}\u{a0}");
    string.push_str("{0} {.1} {}");
}
