//! The figures as people read them.

use super::figures::{Asked, Figures, Line, Share, Units};
use crate::ui::{self, Colour, Column, Table};

pub(super) fn show(figures: &Figures, colour: Colour) {
    let Figures { profile, sessions, groups, agent, user, asked, by_session } = figures;
    let how = match *profile {
        "document" => "by the words and thresholds of the profile `document`",
        _ => "each group by weights that were made without it",
    };
    ui::say(&format!(
        "{} of {}, judged {how}.",
        ui::amount(*sessions, "session"),
        ui::amount(*groups, "group")
    ));
    units("What the agent says", agent, colour);
    units("What the user says", user, colour);
    heading("What somebody would be asked about", colour);
    show_asked(asked);
    heading("Sessions, borderline left out", colour);
    lines(by_session, colour);
}

fn heading(text: &str, colour: Colour) {
    ui::say("");
    ui::say(&colour.bold(text));
}

fn units(title: &str, units: &Units, colour: Colour) {
    let Units { units, borderline, lines } = units;
    let all = ui::amount(*units, "unit");
    heading(&format!("{title}: {all}, {borderline} of them borderline and left out"), colour);
    self::lines(lines, colour);
}

fn lines(lines: &[Line], colour: Colour) {
    let mut table = Table::new([
        Column::left("category"),
        Column::right("right"),
        Column::right("wrong"),
        Column::right("missed"),
        Column::right("precision"),
        Column::right("recall"),
        Column::right("F1"),
    ]);
    for Line { category, right, wrong, missed, precision, recall, f1, .. } in lines {
        table.add([
            (*category).to_owned(),
            right.to_string(),
            wrong.to_string(),
            missed.to_string(),
            share(*precision),
            share(*recall),
            share(*f1),
        ]);
    }
    ui::show(&table.show(colour, |_, cell| cell.to_owned()));
}

fn show_asked(asked: &Asked) {
    let Asked { units, precision, precision_clear, .. } = asked;
    ui::say(&format!(
        "  {}, precision {} ({} without borderline)",
        ui::amount(*units, "unit"),
        share(*precision),
        share(*precision_clear)
    ));
    let rows = [
        ("with knowledge", asked.with_knowledge),
        ("borderline", asked.borderline),
        ("without knowledge", asked.without_knowledge),
    ];
    for (name, Share { sessions, asked }) in rows {
        ui::say(&format!("  sessions {name}: asked in {asked} of {sessions}"));
    }
}

fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |it| format!("{it:.3}"))
}
