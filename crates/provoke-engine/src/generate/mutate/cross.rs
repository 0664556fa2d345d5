//! Two programs that each got somewhere, made into one: a text of the first gets a piece of a text of the second.

use provoke_wire::{Body, LiteralKind, StatementKind};

use crate::rng::Rng;

/// Texts are not made longer than this.
const MAX_LENGTH: usize = 4096;

/// The text literals of a program: where each is, and its bytes.
fn texts(body: &Body) -> Vec<(usize, &[u8])> {
    let literals = body.statements.iter().enumerate().filter(|(_, statement)| statement.kind == StatementKind::Literal);
    literals
        .filter(|(_, statement)| {
            matches!(
                LiteralKind::from_code(statement.op),
                Some(LiteralKind::Str | LiteralKind::String | LiteralKind::Bytes)
            )
        })
        .map(|(index, statement)| (index, body.data_of(statement)))
        .collect()
}

/// Which literal of the first program changes, and what it becomes; `None` if one of them has no text.
pub fn cross(first: &Body, second: &Body, rng: &mut Rng) -> Option<(usize, Vec<u8>)> {
    let (mine, theirs) = (texts(first), texts(second));
    let &(index, text) = rng.pick(&mine)?;
    let &(_, other) = rng.pick(&theirs)?;
    let lines: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
    let piece = if rng.percent(50) { other } else { lines[rng.below(lines.len())] };
    let joined = match rng.below(8) {
        0..=2 => [text, b"\n", piece].concat(),
        3..=4 => [piece, b"\n", text].concat(),
        5 => [text, piece].concat(),
        6 => [text, b" ", piece].concat(),
        // The beginning of one and the end of the other.
        _ => [&text[..rng.below(text.len() + 1)], &piece[rng.below(piece.len() + 1)..]].concat(),
    };
    let is_text = LiteralKind::from_code(first.statements[index].op) != Some(LiteralKind::Bytes);
    let is_valid = joined.len() <= MAX_LENGTH && (!is_text || std::str::from_utf8(&joined).is_ok());
    is_valid.then_some((index, joined))
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke_wire::Literal;

    fn program(text: &str) -> Body {
        let mut body = Body::default();
        body.push_literal(&Literal::U8(1));
        body.push_literal(&Literal::Str(text.into()));
        body
    }

    #[test]
    fn a_line_of_another_program_is_put_behind_a_text() {
        let mut rng = Rng::new(1);
        let (first, second) = (program("[a]"), program("b=1\nc=2"));
        let found: Vec<(usize, Vec<u8>)> = (0..200).filter_map(|_| cross(&first, &second, &mut rng)).collect();
        assert!(found.contains(&(1, b"[a]\nc=2".to_vec())), "{found:?}");
        assert!(found.contains(&(1, b"b=1\nc=2\n[a]".to_vec())), "{found:?}");
    }

    #[test]
    fn what_comes_of_texts_is_a_text() {
        let mut rng = Rng::new(1);
        let (first, second) = (program("é中"), program("🦀ß"));
        for _ in 0..500 {
            if let Some((_, text)) = cross(&first, &second, &mut rng) {
                assert!(std::str::from_utf8(&text).is_ok());
            }
        }
        assert_eq!(cross(&first, &Body::default(), &mut rng), None);
    }
}
