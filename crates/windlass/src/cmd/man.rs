//! Manual pages: one for everything on stdout, or one for each command in a directory.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use clap::Command;
use clap_mangen::Man;

use super::CommandError;
use crate::{help, stage, ui};

/// Lines that every part of a page begins with.
const PREAMBLE: usize = 2;

/// Why there are no pages.
#[derive(Debug, thiserror::Error)]
pub(super) enum ManError {
    #[error("make the page")]
    Make(#[source] io::Error),
    #[error("write {}", path.display())]
    Write { path: PathBuf, source: io::Error },
}

impl CommandError for ManError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Make(_) => "run it again".into(),
            Self::Write { .. } => "name a directory that you can write".into(),
        }
    }
}

/// Prints the page, or writes the pages.
pub(super) fn run(directory: Option<&Path>) -> Result<(), ManError> {
    let command = help::visible();
    match directory {
        None => ui::show(&whole(&command).map_err(ManError::Make)?),
        Some(directory) => {
            let mut names = Vec::new();
            write(&command, directory, &mut names)?;
            let count = ui::amount(names.len(), "page");
            ui::say(&format!("Wrote {count} to {}.", ui::path(directory)));
        }
    }
    Ok(())
}

/// Everything on one page: a section for each command behind those of the program.
fn whole(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    let man = Man::new(command.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut page = text(&page);
    let preamble: String = page.split_inclusive('\n').take(PREAMBLE).collect();
    for command in command.get_subcommands() {
        add(command, &mut page)?;
    }
    let mut end = Vec::new();
    man.render_extra_section(&mut end)?;
    man.render_version_section(&mut end)?;
    page += &text(&end).replace(".SH EXTRA", ".SH NOTES");
    // Every part begins with the same lines; once is enough.
    Ok(preamble.clone() + &page.replace(&preamble, ""))
}

fn add(command: &Command, page: &mut String) -> io::Result<()> {
    let mut parts = Vec::new();
    let man = Man::new(command.clone());
    man.render_synopsis_section(&mut parts)?;
    man.render_description_section(&mut parts)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut parts)?;
    }
    let name = command.get_bin_name().unwrap_or(command.get_name());
    *page += &[".SH \"", &name.to_uppercase(), "\"\n"].concat();
    // The headings of a page become paragraphs of a section.
    for line in text(&parts).lines() {
        let line = if line.starts_with(".SH ") { ".PP" } else { line };
        page.push_str(line);
        page.push('\n');
    }
    command.get_subcommands().try_for_each(|it| add(it, page))
}

/// One page for each command.
fn write(command: &Command, directory: &Path, names: &mut Vec<String>) -> Result<(), ManError> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page).map_err(ManError::Make)?;
    let name = man.get_filename();
    let path = directory.join(&name);
    let page = text(&page).replace(".SH EXTRA", ".SH NOTES");
    let written = stage::make_directory(directory)
        .and_then(|_| {
            stage::Stage::write(&path, |it| io::Write::write_all(it, page.as_bytes()), 0o644)
        })
        .and_then(|it| it.put(&path));
    written.map_err(|source| ManError::Write { path, source })?;
    names.push(name);
    command.get_subcommands().try_for_each(|it| write(it, directory, names))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
