//! Text tables: the first column to the left, numbers to the right.

/// A table with its columns aligned, one line per row.
pub fn render(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    rows.iter().map(|row| line(row, &widths)).collect()
}

/// One line of a table, for tables that are printed row by row; a last cell that is too long may stick out.
pub fn line(row: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (column, (cell, &width)) in row.iter().zip(widths).enumerate() {
        line += &match column {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        };
    }
    line.truncate(line.trim_end().len());
    line + "\n"
}

/// A whole number in groups of three digits; `-` for what was not measured.
pub fn count(value: Option<f64>) -> String {
    let Some(value) = value else {
        return "-".to_owned();
    };
    let digits = format!("{value:.0}");
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    grouped
}

/// `value / base` to three figures or so; `-` if either was not measured.
pub fn ratio(value: Option<f64>, base: Option<f64>) -> String {
    match (value, base) {
        (Some(value), Some(base)) if base > 0.0 => {
            let ratio = value / base;
            if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
        }
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let text = render(&[row(["name", "n", "x"]), row(["a", "1000", "-"])]);
        assert_eq!(text, "name     n  x\na     1000  -\n");
    }

    #[test]
    fn numbers_are_grouped_and_absent_ones_are_dashes() {
        assert_eq!(count(Some(1_234_567.4)), "1 234 567");
        assert_eq!(count(Some(999.0)), "999");
        assert_eq!(count(None), "-");
        assert_eq!(ratio(Some(1.0), Some(4.0)), "0.25");
        assert_eq!(ratio(Some(100.0), Some(4.0)), "25.0");
        assert_eq!(ratio(Some(1.0), None), "-");
    }
}
