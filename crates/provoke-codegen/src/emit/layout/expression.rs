//! One-line source taken apart just far enough to be laid out: calls, chains, lists, closures, statements.
//!
//! This is not a parser of Rust. It reads what this module's neighbours write, and keeps as opaque text whatever it does not know,
//! which is then never broken over lines.

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    Text(String),
    /// `&mut x`, `-x`, and the `name: x` of a struct literal.
    Prefix(String, Box<Expr>),
    /// `head(items)`, `head![items]`, `[items]`, `Head { items }`
    List(List),
    /// `root.link().link()`
    Chain(Box<Expr>, Vec<Link>),
    /// `head body`, where the head is `move |a, b|`.
    Closure(String, Box<Expr>),
    Block(Vec<SourceStatement>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    pub head: String,
    pub open: char,
    pub items: Vec<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// With its dot: `.push`, `.collect::<Vec<_>>`, `.0`.
    pub name: String,
    pub arguments: Option<Vec<Expr>>,
    /// `?` and `[0]`
    pub suffix: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceStatement {
    /// `let x = value;`, without `= value;` in the head.
    Let(String, Expr),
    /// `head { body }`
    Loop(String, Vec<SourceStatement>),
    Semi(Expr),
    Tail(Expr),
}

/// How tightly an expression holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A method can be called on it as it stands.
    Tight,
    /// It begins with an operator.
    Prefix,
    Loose,
}

pub fn parse_expression(source: &str) -> Expr {
    Parser::new(source).expression()
}

/// One statement with its semicolon.
pub fn parse_statement(source: &str) -> SourceStatement {
    Parser::new(source).statement()
}

pub fn binding(source: &str) -> Binding {
    let mut parser = Parser::new(source);
    let expr = parser.expression();
    if parser.met_operator || parser.at < source.trim_end().len() {
        return Binding::Loose;
    }
    match expr {
        Expr::Prefix(..) => Binding::Prefix,
        Expr::Closure(..) => Binding::Loose,
        _ => Binding::Tight,
    }
}

/// The matching closing bracket.
pub fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        _ => '>',
    }
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    /// At the outermost level an operator between two operands was found.
    met_operator: bool,
}

impl<'a> Parser<'a> {
    fn new(source: &'a str) -> Parser<'a> {
        Parser { source, at: 0, met_operator: false }
    }

    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let is_there = self.rest().starts_with(token);
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    fn is_at_delimiter(&self) -> bool {
        matches!(self.peek(), None | Some(',' | ')' | ']' | '}' | ';'))
    }

    fn expression(&mut self) -> Expr {
        self.skip_space();
        let start = self.at;
        let expr = self.operand();
        self.skip_space();
        if self.is_at_delimiter() {
            return expr;
        }
        self.met_operator = true;
        self.skip_until(|parser| parser.is_at_delimiter());
        Expr::Text(self.source[start..self.at].trim_end().to_string())
    }

    fn operand(&mut self) -> Expr {
        for operator in ["&mut ", "&", "*", "-", "!"] {
            if self.eat(operator) {
                return Expr::Prefix(operator.to_string(), Box::new(self.operand()));
            }
        }
        if self.rest().starts_with('|') || self.rest().starts_with("move |") {
            return self.closure();
        }
        let start = self.at;
        let mut root = self.primary();
        let mut links: Vec<Link> = Vec::new();
        loop {
            let rest = self.rest();
            if rest.starts_with('.') && !rest.starts_with("..") {
                links.push(self.link());
            } else if rest.starts_with('(') && links.is_empty() && matches!(root, Expr::Text(_)) {
                let head = self.source[start..self.at].to_string();
                root = self.list(head, start);
            } else if rest.starts_with(['[', '?', '(']) && self.at > start {
                let suffix_start = self.at;
                if rest.starts_with('?') {
                    self.at += 1;
                } else {
                    self.skip_brackets();
                }
                match links.last_mut() {
                    Some(link) => link.suffix.push_str(&self.source[suffix_start..self.at]),
                    None => root = Expr::Text(self.source[start..self.at].to_string()),
                }
            } else {
                break;
            }
        }
        if links.is_empty() { root } else { Expr::Chain(Box::new(root), links) }
    }

    fn primary(&mut self) -> Expr {
        let start = self.at;
        match self.peek() {
            Some('(' | '[') => return self.list(String::new(), start),
            Some('<') => self.skip_angles(),
            Some('"') => self.skip_quoted('"'),
            Some('\'') => self.skip_quoted('\''),
            Some(c) if c.is_ascii_digit() => {
                self.skip_number();
                return Expr::Text(self.source[start..self.at].to_string());
            }
            _ => self.skip_word(),
        }
        if let Some(quote @ ('"' | '\'')) = self.peek()
            && &self.source[start..self.at] == "b"
        {
            self.skip_quoted(quote);
        }
        while self.rest().starts_with("::") {
            self.at += 2;
            if self.peek() == Some('<') {
                self.skip_angles();
            } else {
                self.skip_word();
            }
        }
        let head = self.source[start..self.at].to_string();
        if !head.is_empty() && self.rest().starts_with(['!']) && self.rest()[1..].starts_with(['(', '[']) {
            self.at += 1;
            return self.list(format!("{head}!"), start);
        }
        if !head.is_empty() && self.rest().starts_with(" {") {
            self.at += 1;
            return self.list(head, start);
        }
        Expr::Text(head)
    }

    /// From an opening bracket to the closing one; `start` is where the head begins.
    fn list(&mut self, head: String, start: usize) -> Expr {
        let open_at = self.at;
        let Some(open) = self.peek() else {
            return Expr::Text(head);
        };
        self.at += 1;
        let met_operator = self.met_operator;
        let mut items = Vec::new();
        loop {
            self.skip_space();
            if self.peek() == Some(closing(open)) {
                self.at += 1;
                break;
            }
            let item = if open == '{' { self.field() } else { self.expression() };
            items.push(item);
            self.skip_space();
            if self.peek() == Some(',') {
                self.at += 1;
                // `(a,)` is a tuple only with its comma.
                if open == '(' && items.len() == 1 && head.is_empty() && self.rest().starts_with(')') {
                    self.at = open_at;
                    self.skip_brackets();
                    self.met_operator = met_operator;
                    return Expr::Text(self.source[start..self.at].to_string());
                }
            } else if self.peek() != Some(closing(open)) {
                // `[x; 5]`, or something that is not a list after all.
                self.at = open_at;
                self.skip_brackets();
                self.met_operator = met_operator;
                return Expr::Text(self.source[start..self.at].to_string());
            }
        }
        self.met_operator = met_operator;
        Expr::List(List { head, open, items })
    }

    fn field(&mut self) -> Expr {
        let start = self.at;
        self.skip_word();
        if self.at > start && self.rest().starts_with(": ") {
            self.at += 2;
            let name = self.source[start..self.at].to_string();
            return Expr::Prefix(name, Box::new(self.expression()));
        }
        self.at = start;
        self.expression()
    }

    fn link(&mut self) -> Link {
        let start = self.at;
        self.at += 1;
        self.skip_word();
        if self.rest().starts_with("::<") {
            self.at += 2;
            self.skip_angles();
        }
        let name = self.source[start..self.at].to_string();
        let arguments = match self.peek() {
            Some('(') => match self.list(String::new(), self.at) {
                Expr::List(list) => Some(list.items),
                other => Some(vec![other]),
            },
            _ => None,
        };
        Link { name, arguments, suffix: String::new() }
    }

    fn closure(&mut self) -> Expr {
        let start = self.at;
        self.eat("move ");
        self.at += 1;
        while self.peek().is_some_and(|c| c != '|') {
            self.at += 1;
        }
        self.at = (self.at + 1).min(self.source.len());
        let head = self.source[start..self.at].to_string();
        self.skip_space();
        let met_operator = self.met_operator;
        let body = if self.peek() == Some('{') {
            self.at += 1;
            Expr::Block(self.statements())
        } else {
            self.expression()
        };
        self.met_operator = met_operator;
        Expr::Closure(head, Box::new(body))
    }

    /// Up to and with the closing brace.
    fn statements(&mut self) -> Vec<SourceStatement> {
        let mut statements = Vec::new();
        loop {
            self.skip_space();
            if self.peek().is_none() || self.eat("}") {
                return statements;
            }
            let before = self.at;
            statements.push(self.statement());
            if self.at == before {
                self.at = self.source.len();
            }
        }
    }

    fn statement(&mut self) -> SourceStatement {
        self.skip_space();
        let start = self.at;
        if self.rest().starts_with("let ") {
            self.skip_until(|parser| parser.rest().starts_with(" = "));
            let head = self.source[start..self.at].to_string();
            self.eat(" = ");
            let value = self.expression();
            self.eat(";");
            return SourceStatement::Let(head, value);
        }
        if self.rest().starts_with("for ") {
            self.skip_until(|parser| parser.rest().starts_with(" {"));
            let head = self.source[start..self.at].to_string();
            self.eat(" {");
            return SourceStatement::Loop(head, self.statements());
        }
        let expr = self.expression();
        if self.eat(";") { SourceStatement::Semi(expr) } else { SourceStatement::Tail(expr) }
    }

    /// Moves on to the first place outside of brackets and quotes where `found` holds.
    fn skip_until(&mut self, found: impl Fn(&Parser<'_>) -> bool) {
        let is_let = self.rest().starts_with("let ");
        while !found(self) {
            match self.peek() {
                None => return,
                Some('(' | '[' | '{') => self.skip_brackets(),
                Some('<') if is_let => self.skip_angles(),
                Some('"') => self.skip_quoted('"'),
                Some('\'') => self.skip_quoted('\''),
                Some(c) => self.at += c.len_utf8(),
            }
        }
    }

    fn skip_word(&mut self) {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '#').unwrap_or(rest.len());
        self.at += end;
    }

    fn skip_number(&mut self) {
        let is_hex = self.rest().starts_with("0x");
        let mut previous = '0';
        while let Some(c) = self.peek() {
            let next = self.rest()[c.len_utf8()..].chars().next();
            let is_part = c.is_ascii_alphanumeric()
                || c == '_'
                || c == '.' && next.is_some_and(|n| n.is_ascii_digit())
                || c == '-' && previous == 'e' && !is_hex;
            if !is_part {
                return;
            }
            previous = c;
            self.at += 1;
        }
    }

    /// From an opening bracket to behind the one that closes it.
    fn skip_brackets(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.peek() {
            match c {
                '"' | '\'' => {
                    self.skip_quoted(c);
                    continue;
                }
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += c.len_utf8();
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_angles(&mut self) {
        let mut depth = 0usize;
        while let Some(c) = self.peek() {
            match c {
                '<' => depth += 1,
                // The `>` of an arrow closes nothing.
                '>' if !self.source[..self.at].ends_with('-') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += c.len_utf8();
            if depth == 0 {
                return;
            }
        }
    }

    /// A literal in quotes, or a lifetime.
    fn skip_quoted(&mut self, quote: char) {
        self.at += 1;
        let rest = self.rest();
        let mut chars = rest.char_indices();
        let first = chars.next().map(|(_, c)| c);
        if quote == '\'' && first != Some('\\') && chars.next().is_none_or(|(_, c)| c != '\'') {
            return;
        }
        while let Some(c) = self.peek() {
            self.at += c.len_utf8();
            if c == '\\' {
                self.at += self.peek().map_or(0, char::len_utf8);
            } else if c == quote {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_bind_as_rust_reads_them() {
        let cases = [
            ("x", Binding::Tight),
            ("5u8", Binding::Tight),
            ("1e-7f64", Binding::Tight),
            ("-5", Binding::Prefix),
            ("&mut x", Binding::Prefix),
            ("\"a, b) + \\\"\"", Binding::Tight),
            ("'\\''", Binding::Tight),
            ("b\"x\"", Binding::Tight),
            ("<Slab<u8>>::insert(&mut slab, 5)", Binding::Tight),
            ("Vec::<u8>::new()", Binding::Tight),
            ("v.iter().collect::<Vec<_>>()", Binding::Tight),
            ("v[0]?", Binding::Tight),
            ("Point { x: 1, y: a + b }", Binding::Tight),
            ("vec![1, 2]", Binding::Tight),
            ("(a + b)", Binding::Tight),
            ("a + b", Binding::Loose),
            ("0..5", Binding::Loose),
            ("..", Binding::Loose),
            ("-a + b", Binding::Loose),
            ("x as u8", Binding::Loose),
            ("|a| a", Binding::Loose),
            ("f(|a, b| a + b)", Binding::Tight),
            ("f(a + b)", Binding::Tight),
            ("[0; 5]", Binding::Tight),
        ];
        for (source, expected) in cases {
            assert_eq!(binding(source), expected, "{source}");
        }
    }

    #[test]
    fn a_let_with_a_type_that_holds_an_equals_sign_is_split_at_the_right_one() {
        let statement = parse_statement("let it: Box<dyn Iterator<Item = u8>> = f(1);");
        let SourceStatement::Let(head, value) = statement else {
            panic!("not a let: {statement:?}");
        };
        assert_eq!(head, "let it: Box<dyn Iterator<Item = u8>>");
        assert_eq!(value, parse_expression("f(1)"));
    }
}
