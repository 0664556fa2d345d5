//! What ordinary files say.

use ini::{Ini, NameError, ParseError, Problem, ValueError};

const FILE: &str = r#"
; What this is
name = demo

[server]
hosts = a, b,, c
port = 8080
# Below the server
[.tls]
enabled = yes
motto = "two\nlines, \"quoted\" \\ "
long = one \
    ; in between
    two \
    three

[server]
port = 8081
"#;

fn problem(text: &str) -> (usize, Problem) {
    let ParseError { line, problem } = Ini::parse(text).unwrap_err();
    (line, problem)
}

#[test]
fn entries_are_found_in_their_sections() {
    let ini = Ini::parse(FILE).unwrap();
    assert_eq!(ini.sections(), ["", "server", "server.tls"]);
    assert_eq!(ini.keys("server.tls"), ["enabled", "motto", "long"]);
    assert_eq!(ini.len(), 6);
    assert_eq!(ini.get("", "name"), Some("demo"));
    assert_eq!(ini.get("server", "port"), Some("8081"), "the last one counts");
    assert_eq!(ini.get("server.tls", "long"), Some("one two three"));
    assert_eq!(ini.get("server.tls", "motto"), Some("two\nlines, \"quoted\" \\ "));
    assert_eq!(ini.get("server", "name"), None);
    assert_eq!(ini.get("client", "name"), None);
}

#[test]
fn values_have_types() {
    let ini = Ini::parse(FILE).unwrap();
    assert_eq!(ini.get_int("server", "port"), Ok(8081));
    assert_eq!(ini.get_bool("server.tls", "enabled"), Ok(true));
    assert_eq!(ini.get_list("server", "hosts").unwrap(), ["a", "b", "c"].map(String::from));
    assert_eq!(ini.get_int("server", "path"), Err(ValueError::Missing));
    let wrong = Err(ValueError::WrongType("demo".into()));
    assert_eq!(ini.get_int("", "name"), wrong);
}

#[test]
fn mistakes_are_named_with_their_lines() {
    assert_eq!(problem("a = 1\nb"), (2, Problem::NoEntry));
    assert_eq!(problem("= 1"), (1, Problem::NoKey));
    assert_eq!(problem("\n[a"), (2, Problem::OpenSection));
    assert_eq!(problem("a = \"b"), (1, Problem::OpenQuote));
    assert_eq!(problem("a = \"b\" c"), (1, Problem::TextBehindQuote));
    assert_eq!(problem("a = \"\\q\""), (1, Problem::UnknownEscape));
    assert_eq!(problem("a = 1\nb = 2 \\"), (2, Problem::NothingFollows));
    assert_eq!(problem("!nothing"), (1, Problem::UnknownDirective));
    assert_eq!(problem("!rebase 70000"), (1, Problem::BadArgument));
    assert_eq!(problem("!rebase 100\nb"), (102, Problem::NoEntry));
    assert_eq!(problem("!rebase 5001\nb"), (4994, Problem::NoEntry));
    assert_eq!(problem("!vault short"), (1, Problem::BadArgument));
}

#[test]
fn a_checksum_is_compared() {
    assert_eq!(problem("a = 1\n#sum=x"), (2, Problem::BadSum));
    assert_eq!(problem("a = 1\n#sum=0"), (2, Problem::WrongSum));
    assert!(Ini::parse("#sum=7").unwrap().is_empty());
    // ((7 * 31 + 'a') * 31 + '=') * 31 + '1'
    let ini = Ini::parse("a=1\n#sum=4a24e\n").unwrap();
    assert_eq!(ini.get_int("", "a"), Ok(1));
}

#[test]
fn what_is_written_reads_back() {
    let mut ini = Ini::parse(FILE).unwrap();
    for value in ["", " ", "\\", "a \\", "\"", "a\tb\n", "\r", "é\u{a0}", "[x]", "; no comment", "a=b"] {
        ini.set("odd values", &format!("key{}", ini.len()), value).unwrap();
    }
    assert_eq!(Ini::parse(&ini.to_string()), Ok(ini.clone()));
    let mut changed = ini.clone();
    assert_eq!(changed.remove("", "name"), Some("demo".into()));
    assert_eq!(changed.remove("", "name"), None);
    assert_eq!(Ini::parse(&changed.to_string()), Ok(changed));
}

#[test]
fn names_that_would_not_read_back_are_refused() {
    let mut ini = Ini::new();
    for key in ["", " a", "a=b", "[a", ";", "#", "!", "a\nb"] {
        assert_eq!(ini.set("", key, ""), Err(NameError(key.into())));
    }
    for section in [".a", "a]", " a"] {
        assert_eq!(ini.set(section, "a", ""), Err(NameError(section.into())));
    }
    assert_eq!(ini.set("a", "b", "1"), Ok(None));
    assert_eq!(ini.set("a", "b", "2"), Ok(Some("1".into())));
}
