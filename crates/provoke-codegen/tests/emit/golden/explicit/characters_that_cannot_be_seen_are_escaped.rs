// `Vec::insert` should return.
// It panicked: insertion index (is 5) should be <= len (is 1)
#[test]
fn characters_that_cannot_be_seen_are_escaped() {
    let mut string = String::new();
    <String>::push(&mut string, 'a');
    <String>::push(&mut string, '\'');
    <String>::push(&mut string, '"');
    <String>::push(&mut string, '\n');
    <String>::push(&mut string, '\0');
    <String>::push(&mut string, '\u{301}');
    <String>::push(&mut string, '\u{200b}');
    <String>::push(&mut string, '漢');
    <String>::push(&mut string, '\u{5d0}');
    <String>::push_str(&mut string, "plain 'text'");
    <String>::push_str(&mut string, "a \"quote\" and a \\");
    <String>::push_str(&mut string, "tab\t, line\r\n, nothing\0, bell\u{7}");
    <String>::push_str(&mut string, "e\u{301} ß 漢 🦀");
    <String>::push_str(&mut string, "\u{202e}\u{feff}\u{a0}");
    <String>::push_str(&mut string, "{0} {.1} {}");
}
