//! Shows what a project's settings would run, and keeps the user's word for exactly these bytes.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use serde_json::{Value, json};
use windlass_core::Policy;

use super::CommandError;
use super::same::{self, SameError};
use crate::agent::user::{self, Refusal};
use crate::cli::Trust;
use crate::config::{self, Finding, ProjectFile};
use crate::trust::{self, Approval, Content, Kept, Piece, State, TrustError};
use crate::{Host, diff, surroundings, ui, visible};

/// What is longer is not shown; whoever approves it must have read it elsewhere.
const MAX_SHOWN: usize = 64 << 10;

/// Why the word was not given.
#[derive(Debug, thiserror::Error)]
pub(super) enum WordError {
    #[error("find the current directory")]
    Directory(#[source] io::Error),
    #[error("find a project: there is none in `/`, nor in the home directory itself")]
    NoProject,
    #[error("find a place for the approval: HOME is not set to an absolute path")]
    Homeless,
    #[error("read the project's settings: {0}")]
    Settings(Finding),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error(transparent)]
    Same(#[from] SameError),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("show you what would be trusted: stdout is not a terminal")]
    Unseen,
    #[error("keep the approval: another one took its place")]
    Lost,
    #[error("approve `{asked}`: the content has the hash {found}")]
    OtherHash { asked: String, found: String },
}

impl CommandError for WordError {
    fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::Directory(_) => "change to a directory that exists".into(),
            Self::NoProject => "change to the project, then run it again".into(),
            Self::Homeless => "set HOME, then run it again".into(),
            Self::Settings(_) => "mend the file, then run it again".into(),
            Self::Trust(error) => error.hint().into(),
            Self::Same(error) => error.hint(),
            Self::Refused(refusal) => refusal.hint().into(),
            Self::Unseen => {
                "run it without a redirection; with `--hash`, nothing is shown before it asks"
                    .into()
            }
            Self::Lost => "run it again to look once more".into(),
            Self::OtherHash { .. } => {
                "look at what changed; the hash also covers where the project is".into()
            }
        }
    }
}

/// Where trust is kept, and for what.
struct Site {
    root: PathBuf,
    place: PathBuf,
    data: PathBuf,
    user: Policy,
}

/// What trust is asked for.
struct Request {
    file: PathBuf,
    /// The settings, as they stand in the file.
    settings: Vec<(&'static str, config::Value)>,
    content: Content,
    state: State,
}

/// Shows, gives or takes back.
pub(super) fn run(host: &Host, asked: &Trust) -> Result<(), WordError> {
    if asked.same {
        return Ok(same::run(host, asked)?);
    }
    let site = Site::find(host)?;
    if asked.revoke {
        return revoke(host, &site);
    }
    let request = request(&site)?;
    if asked.show {
        show(&site, request.as_ref(), asked.json);
        return Ok(());
    }
    let Some(request) = request else {
        ui::say("Nothing in this project needs your trust.");
        return Ok(());
    };
    user::refuse_agents(host)?;
    match &asked.hash {
        Some(hash) => check_hash(&request, hash)?,
        None => show_request(&request)?,
    }
    user::confirm(host, "trust exactly these bytes")?;
    trust::approve(&site.data, &site.place, &request.content, host.now)?;
    // An approval that would not count is not one.
    if !matches!(trust::state(&site.data, &site.place, &request.content)?, State::Trusted) {
        return Err(WordError::Lost);
    }
    ui::say("Trusted. It counts until one of these bytes changes.");
    ui::say("To take it back, run `windlass trust --revoke`.");
    Ok(())
}

impl Site {
    fn find(host: &Host) -> Result<Self, WordError> {
        let directory = host.current_dir().map_err(WordError::Directory)?;
        let root = surroundings::root_of(host, &directory).ok_or(WordError::NoProject)?;
        let user = config::load_user(host).policy;
        let place = trust::place(&root, &user);
        Ok(Self { root, place, data: host.data_dir().ok_or(WordError::Homeless)?, user })
    }
}

fn request(site: &Site) -> Result<Option<Request>, WordError> {
    let file = ProjectFile::read(&site.root).map_err(WordError::Settings)?;
    let Some(file) = file else { return Ok(None) };
    let settings = file.sensitive(&site.user);
    if settings.is_empty() {
        return Ok(None);
    }
    let settings = settings.iter().map(|it| (it.key.name, it.value.clone())).collect();
    let content = file.content(&site.root, &site.place)?;
    // A new approval takes the place of one that does not count.
    let state = trust::state(&site.data, &site.place, &content).unwrap_or_else(|error| {
        ui::warn(&format!("{error}. Next: {}.", error.hint()));
        State::Never
    });
    Ok(Some(Request { file: file.path, settings, content, state }))
}

/// Takes the word back. Checks of the project would not be run any more, so it is the user's too.
fn revoke(host: &Host, site: &Site) -> Result<(), WordError> {
    if !trust::is_recorded(&site.data, &site.place) {
        ui::say("There was no trust to take back.");
        return Ok(());
    }
    user::confirm(host, "take the trust back")?;
    if trust::revoke(&site.data, &site.place)? {
        ui::say("Took the trust back. The project's sensitive settings are ignored from now on.");
    } else {
        ui::say("There was no trust to take back.");
    }
    Ok(())
}

fn check_hash(request: &Request, asked: &str) -> Result<(), WordError> {
    let found = &request.content.hash;
    if asked.eq_ignore_ascii_case(found) {
        return Ok(());
    }
    Err(WordError::OtherHash { asked: visible::line(asked, 64), found: found.clone() })
}

fn show_request(request: &Request) -> Result<(), WordError> {
    if !ui::has_terminal() {
        return Err(WordError::Unseen);
    }
    present(request);
    if matches!(request.state, State::Trusted) {
        ui::say("It is trusted already, exactly as it is.");
    }
    Ok(())
}

/// Shows the literal thing: the settings, what they name, and how both differ from what was
/// approved last.
fn present(request: &Request) {
    ui::say(&format!("{} wants:", visible::line(&request.file.to_string_lossy(), 300)));
    show_settings(request);
    for piece in request.content.pieces.iter().skip(1) {
        ui::say(&format!("It names the script {}.", described(piece)));
    }
    for directory in &request.content.directories {
        let directory = visible::line(directory, 300);
        ui::say(&format!("It names the directory {directory}; what is in it is not covered."));
    }
    let approved = match &request.state {
        State::Trusted => return,
        State::Never => None,
        State::Changed(approval) => Some(approval),
    };
    ui::say(match approved {
        None => "You never trusted it. All of it:",
        Some(_) => "You trusted other bytes. What changed since:",
    });
    show_changes(approved, &request.content);
}

fn show_settings(request: &Request) {
    for (key, value) in request.settings.iter().flat_map(|(key, value)| value.lines(key)) {
        ui::say(&format!("  {key} = {value}"));
    }
}

fn show_changes(approved: Option<&Approval>, content: &Content) {
    let kept = |name: &str| approved?.files.iter().find(|it| it.name == name);
    for piece in &content.pieces {
        show_change(kept(&piece.name), piece);
    }
    let is_gone = |it: &&Kept| content.pieces.iter().all(|piece| piece.name != it.name);
    for gone in approved.iter().flat_map(|it| &it.files).filter(is_gone) {
        ui::say(&format!(
            "{} is no longer named, or no longer there.",
            visible::line(&gone.name, 300)
        ));
    }
}

fn show_change(kept: Option<&Kept>, piece: &Piece) {
    let name = visible::line(&piece.name, 300);
    if let Some(kept) = kept {
        if kept.executable != piece.executable {
            let not = if piece.executable { "" } else { "not " };
            ui::say(&format!("{name} is {not}executable now."));
        }
        if kept.leads_to != piece.leads_to() {
            ui::say(&format!("{name} leads elsewhere now."));
        }
        if kept.digest == piece.digest() {
            return;
        }
    }
    let old = match kept {
        None => Some(""),
        Some(kept) => kept.text.as_deref(),
    };
    let new = piece.text().filter(|it| it.len() <= MAX_SHOWN);
    match (old, new) {
        (Some(old), Some(new)) => ui::show(&diff::unified(&name, old, new)),
        _ => ui::say(&format!(
            "{name} is too long to be shown, or no text. Read it before you go on."
        )),
    }
}

fn described(piece: &Piece) -> String {
    let leads_to = piece
        .leads_to()
        .map_or_else(String::new, |it| format!(", which leads to {}", visible::line(&it, 300)));
    format!("{} ({} bytes){leads_to}", visible::line(&piece.name, 300), piece.bytes.len())
}

fn show(site: &Site, request: Option<&Request>, json: bool) {
    let state = match request.map(|it| &it.state) {
        None => "nothing",
        Some(State::Trusted) => "trusted",
        Some(State::Never) => "never",
        Some(State::Changed(_)) => "changed",
    };
    if json {
        return ui::say(&format!("{:#}", as_json(site, request, state)));
    }
    let Some(request) = request else {
        return ui::say("Nothing in this project needs your trust.");
    };
    ui::say(&format!("{state}: {}", visible::line(&request.file.to_string_lossy(), 300)));
    ui::say(&format!("hash: {}", request.content.hash));
    show_settings(request);
    if let State::Changed(approval) = &request.state {
        show_changes(Some(approval), &request.content);
    }
}

fn as_json(site: &Site, request: Option<&Request>, state: &str) -> Value {
    let settings: Vec<_> = request
        .iter()
        .flat_map(|it| &it.settings)
        .map(|(key, value)| json!({ "key": key, "value": Value::from(value) }))
        .collect();
    let scripts: Vec<_> = request
        .iter()
        .flat_map(|it| it.content.pieces.iter().skip(1))
        .map(
            |it| json!({ "name": it.name, "leads_to": it.leads_to(), "executable": it.executable }),
        )
        .collect();
    json!({
        "state": state,
        "hash": request.map(|it| &it.content.hash),
        "file": request.map(|it| it.file.to_string_lossy()),
        "place": site.place.to_string_lossy(),
        "settings": settings,
        "scripts": scripts,
    })
}
