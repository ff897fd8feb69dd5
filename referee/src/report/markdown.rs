//! A report as Markdown that is pleasant to read as it is.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::page::{Block, Bracket, Exhibit, Grid, Kind, Section};

/// Writes sections as Markdown.
///
/// # Errors
/// Whatever `out` says.
pub(super) fn write(out: &mut impl Write, title: &str, sections: &[Section]) -> io::Result<()> {
    writeln!(out, "# {}", escaped(title))?;
    for section in sections {
        writeln!(out, "\n## {}", escaped(&section.title))?;
        write_blocks(out, &section.blocks)?;
    }
    Ok(())
}

fn write_blocks(out: &mut impl Write, blocks: &[Block]) -> io::Result<()> {
    for block in blocks {
        match block {
            Block::Text(text) => writeln!(out, "\n{}", escaped(text))?,
            Block::Facts(facts) => {
                writeln!(out)?;
                for (what, fact) in facts {
                    writeln!(out, "- {what}: {}", escaped(fact))?;
                }
            }
            Block::Grid(table) => write_table(out, table)?,
            // The tables say it in numbers.
            Block::Figure(_) => {}
            Block::Exhibit(exhibit) => write_exhibit(out, exhibit)?,
            Block::Bracket(bracket) => write_bracket(out, bracket)?,
            Block::Part(part) => {
                writeln!(out, "\n### {}", escaped(&part.title))?;
                write_blocks(out, &part.blocks)?;
            }
        }
    }
    Ok(())
}

/// Writes the duels of each round as a table.
fn write_bracket(out: &mut impl Write, bracket: &Bracket) -> io::Result<()> {
    for (title, duels) in
        bracket.rounds.iter().filter(|(_, duels)| duels.iter().any(|duel| !duel.seats.is_empty()))
    {
        let mut table = Grid::new(title.clone(), &["bot", "points#", "opponent", "points#", "goes on"]);
        for duel in duels {
            let cell = |place: usize| {
                let seat = duel.seats.get(place);
                let points = seat.and_then(|seat| seat.points.clone());
                [seat.map_or("–".to_owned(), |seat| seat.name.clone()), points.unwrap_or_default()]
            };
            let ([one, ours], [other, theirs]) = (cell(0), cell(1));
            let through = duel.seats.iter().find(|seat| seat.through).map(|seat| seat.name.clone());
            table.row([one, ours, other, theirs, through.unwrap_or_default()]);
        }
        write_table(out, &table)?;
    }
    Ok(())
}

fn write_table(out: &mut impl Write, table: &Grid) -> io::Result<()> {
    let heads: Vec<String> = table.columns.iter().map(|column| escaped(&column.head)).collect();
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(|cell| escaped(&cell.text)).collect()).collect();
    let width = |place: usize| {
        let cells = rows.iter().map(|row| &row[place]).chain([&heads[place]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).clamp(3, 60)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |cells: &[String]| {
        let mut line = "|".to_owned();
        for ((cell, &width), column) in cells.iter().zip(&widths).zip(&table.columns) {
            let shown = if column.kind == Kind::Numbers {
                write!(line, " {cell:>width$} |")
            } else {
                write!(line, " {cell:<width$} |")
            };
            shown.expect("a string takes everything");
        }
        line
    };
    writeln!(out, "\n{}:\n\n{}", escaped(&table.caption), line(&heads))?;
    let rules = widths.iter().zip(&table.columns).map(|(width, column)| {
        let dashes = "-".repeat(*width);
        if column.kind == Kind::Numbers { format!(" {dashes}:|") } else { format!(" {dashes} |") }
    });
    writeln!(out, "|{}", rules.collect::<String>())?;
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
}

fn write_exhibit(out: &mut impl Write, exhibit: &Exhibit) -> io::Result<()> {
    writeln!(out, "\n### {}", escaped(&exhibit.title))?;
    if let Some(detail) = &exhibit.detail {
        writeln!(out, "\n{}", escaped(detail))?;
    }
    // Indented, nothing in it can end the block.
    if let Some(line) = &exhibit.line {
        writeln!(out, "\nThe line at fault:\n\n    {line}")?;
    }
    if !exhibit.stderr.is_empty() {
        writeln!(out, "\nWhat it wrote to standard error:\n")?;
        exhibit.stderr.iter().try_for_each(|line| writeln!(out, "    {line}"))?;
    }
    if let Some(advice) = &exhibit.advice {
        writeln!(out, "\nTo do: {}", escaped(advice))?;
    }
    Ok(())
}

/// Takes its meaning from everything that Markdown would read as more than text.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let meant = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '&' => true,
            // Within a word it is nothing but a letter.
            '_' => !(before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric())),
            '>' | '#' => before == ' ' && shown.is_empty(),
            _ => false,
        };
        if meant {
            shown.push('\\');
        }
        shown.push(if c.is_control() { ' ' } else { c });
        before = c;
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Block, Grid, Section, escaped, write};

    #[test]
    fn a_name_cannot_become_markup() {
        assert_eq!(
            escaped("random_bot *x* <b>|`a`\n_y_ &lt;"),
            "random_bot \\*x\\* \\<b>\\|\\`a\\` \\_y\\_ \\&lt;"
        );
        assert_eq!(escaped("# a # b"), "\\# a # b");
    }

    #[test]
    fn a_table_reads_well_as_text() {
        let mut table = Grid::new("Points", &["bot", "games#"]);
        table.row(["a|b".to_owned(), "12".to_owned()]);
        table.row(["longer".to_owned(), "3".to_owned()]);
        let section = Section { id: "x", title: "Standings".to_owned(), blocks: vec![Block::Grid(table)] };
        let mut text = Vec::new();
        write(&mut text, "Run", &[section]).unwrap();
        let wanted = "# Run\n\n## Standings\n\nPoints:\n\n\
            | bot    | games |\n| ------ | -----:|\n| a\\|b   |    12 |\n| longer |     3 |\n";
        assert_eq!(String::from_utf8(text).unwrap(), wanted);
    }
}
