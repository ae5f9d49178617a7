//! The figures as people read them.

use super::figures::{Beside, Figures, Line, Quality, Sessions, Silence};
use crate::ui::{self, Colour, Column, Table};

pub(super) fn show(figures: &Figures, colour: Colour) {
    let Figures { documents, questions, groups, floor, .. } = figures;
    ui::say(&format!(
        "{} in {}, {}. Each is asked in the documents of its own group.",
        ui::amount(*documents, "document"),
        ui::amount(*groups, "group"),
        ui::amount(*questions, "question")
    ));
    let mut table = Table::new([
        Column::left("how"),
        Column::right("questions"),
        Column::right("R@5"),
        Column::right("R@10"),
        Column::right("MRR"),
        Column::right("nDCG@10"),
    ]);
    let mut add = |name: &str, line: &Line| {
        let figures = [line.recall_5, line.recall_10, line.mrr, line.ndcg_10];
        let [five, ten, mrr, ndcg] = figures.map(|it| format!("{it:.3}"));
        table.add([name.to_owned(), line.questions.to_string(), five, ten, mrr, ndcg]);
    };
    add("by words alone", &figures.words_alone.all);
    add("with a closer look", &figures.closely.all);
    for (name, line) in &figures.closely.by_category {
        add(&format!("  {}", ui::line(name, 24)), line);
    }
    add(&format!("above the floor of {floor} %"), &figures.above_floor.all);
    ui::show(&table.show(colour, |_, cell| cell.to_owned()));
    ui::say("");
    ui::say(&format!(
        "Above the floor {} of R@5 are left. {} of {} of other groups are silent.",
        kept(&figures.above_floor, &figures.closely),
        share(figures.silence),
        ui::amount(figures.silence.unrelated, "question")
    ));
    if let Some(sessions) = &figures.sessions {
        show_sessions(sessions, figures);
    }
    ui::say("");
    for speed in &figures.speed {
        ui::say(&format!(
            "Among {} ({}): opened and asked in {} (p99 {}).",
            ui::amount(speed.documents, "document"),
            ui::bytes(speed.bytes as u64),
            ui::micros(speed.p50_us),
            ui::micros(speed.p99_us)
        ));
    }
}

fn show_sessions(sessions: &Sessions, figures: &Figures) {
    ui::say("");
    ui::say(&format!(
        "{} of labelled sessions, asked of what {} know in other groups:",
        ui::amount(sessions.prompts, "prompt"),
        ui::amount(sessions.memories, "labelled sentence")
    ));
    let rows = [
        (format!("first half of the groups, floor {} %", figures.floor), sessions.first),
        (format!("second half, floor {} %", figures.floor), sessions.second),
        (
            format!("second half, floor {} % as the first half wants it", sessions.calibrated),
            sessions.second_calibrated,
        ),
    ];
    for (name, silence) in rows {
        let Silence { unrelated, told, .. } = silence;
        ui::say(&format!("  {name}: told {told} of {unrelated}, silent {}", share(silence)));
    }
    ui::say(&format!(
        "  at that floor {} of R@5 are left",
        kept(&sessions.kept_calibrated, &figures.closely)
    ));
    for Beside { words, recall_5, above_floor } in &sessions.beside {
        ui::say(&format!(
            "Beside {words} words of those prompts: R@5 {recall_5:.3}, {} of it above the floor.",
            part(*above_floor, *recall_5)
        ));
    }
}

fn kept(floored: &Quality, all: &Quality) -> String {
    part(floored.all.recall_5, all.all.recall_5)
}

fn part(some: f64, all: f64) -> String {
    format!("{:.1} %", 100.0 * some / all.max(f64::MIN_POSITIVE))
}

fn share(silence: Silence) -> String {
    format!("{:.1} %", 100.0 * silence.silent)
}
