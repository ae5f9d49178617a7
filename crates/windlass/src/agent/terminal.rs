//! Who sits at a terminal: whose process holds its other end.
//!
//! A pseudo-terminal is as good as what holds it. One that a terminal program, a login or a
//! multiplexer holds is a user's; so is one whose holder has such a terminal itself, as `script` and
//! an editor do. One that is held below an agent is the agent's, and one whose holder was left behind
//! (its parent is the first process, and it is no program of terminals) shows nothing of a user.
//!
//! Holders of another account do not show what they hold. Then the processes above the leader of the
//! terminal's session count, as far as the system shows them.

use std::fs;
use std::path::Path;

use super::tree::{MAX_DEPTH, Sign, Status, ancestor, command_line, is_interpreter, stem};

/// The number of the driver of pseudo-terminals.
const PTS: u32 = 136;
/// Terminals inside of terminals that are looked at.
const MAX_NESTED: usize = 8;
/// Processes that are looked at, and open files of each.
const MAX_PROCESSES: usize = 32_768;
const MAX_FILES: usize = 4096;

/// Programs that give a user a terminal, and those that a user's terminals are started by. Every name
/// with `term` in it is one as well.
const SEATS: &[&str] = &[
    // Terminal programs.
    "alacritty",
    "black-box",
    "blackbox",
    "bobcat",
    "contour",
    "cool-retro-term",
    "deepin-terminal",
    "eterm",
    "foot",
    "footclient",
    "ghostty",
    "guake",
    "havoc",
    "hyper",
    "kgx",
    "kitty",
    "konsole",
    "ptyxis",
    "ptyxis-agent",
    "quake",
    "rio",
    "sakura",
    "st",
    "tabby",
    "terminator",
    "terminology",
    "tilda",
    "tilix",
    "tym",
    "urxvt",
    "urxvtd",
    "rxvt",
    "warp",
    "wezterm-gui",
    "wezterm-mux-server",
    "yakuake",
    "zutty",
    // Multiplexers.
    "abduco",
    "byobu",
    "dtach",
    "dvtm",
    "mosh-server",
    "mprocs",
    "screen",
    "shpool",
    "tmate",
    "tmux",
    "tmux: server",
    "zellij",
    // Logins.
    "dropbear",
    "etserver",
    "gotty",
    "in.telnetd",
    "login",
    "sshd",
    "sshd-auth",
    "sshd-session",
    "telnetd",
    "ttyd",
    "vshd",
    "wetty",
    // What starts programs of a desktop.
    "awesome",
    "bspwm",
    "cinnamon",
    "cinnamon-sessio",
    "dwm",
    "flatpak-session-helper",
    "flatpak-session",
    "gdm-session-wor",
    "gnome-session-b",
    "gnome-shell",
    "hyprland",
    "i3",
    "kded5",
    "kded6",
    "kwin_wayland",
    "kwin_x11",
    "labwc",
    "lightdm",
    "lxqt-session",
    "mate-session",
    "niri",
    "openbox",
    "plasmashell",
    "river",
    "sddm-helper",
    "sway",
    "wayfire",
    "xfce4-panel",
    "xfce4-session",
    "xinit",
    // Editors with terminals of their own.
    "antigravity",
    "clion",
    "code",
    "code-insiders",
    "code-oss",
    "code-server",
    "codium",
    "cursor",
    "emacs",
    "emacs-gtk",
    "emacs-nox",
    "gnome-builder",
    "goland",
    "gvim",
    "idea",
    "jupyter",
    "jupyter-lab",
    "jupyter-notebook",
    "jupyterhub-singleuser",
    "kate",
    "neovide",
    "phpstorm",
    "pycharm",
    "rider",
    "rubymine",
    "rustrover",
    "theia",
    "trae",
    "vscodium",
    "webstorm",
    "windsurf",
    "zed",
    "zed-editor",
    // Other systems that a terminal comes from.
    "conmon",
    "containerd-shim",
    "crosh",
    "sessionleader",
    "relay",
];

/// Programs among these whose terminals go on without a user.
const MULTIPLEXERS: &[&str] =
    &["abduco", "dtach", "screen", "shpool", "tmate", "tmux", "zellij", "byobu"];
/// Those of them whose clients pass on what is typed, so that the server opens no terminal.
const PROXIES: &[&str] = &["abduco", "dtach", "shpool", "zellij"];

/// Parts of the command line of a program that an interpreter runs and that has terminals.
const SEAT_PARTS: &[&str] = &[
    "--type=ptyHost",
    "/.vscode-server",
    "/.vscodium-server",
    "/.cursor-server",
    "/.windsurf-server",
    "/code-server/",
    "/openvscode-server",
    "/jbr/",
];

/// A terminal as a process has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct TerminalOf {
    /// As the kernel numbers it.
    pub(super) number: u32,
    /// The leader of its session.
    pub(super) leader: u32,
}

/// What shows that no user sits at a terminal.
pub(super) fn stranger(processes: &Path, terminal: TerminalOf) -> Option<Sign> {
    match seat(processes, terminal, 0) {
        Seat::User => None,
        Seat::Stranger(sign) => Some(sign),
    }
}

enum Seat {
    User,
    Stranger(Sign),
}

fn seat(processes: &Path, terminal: TerminalOf, depth: usize) -> Seat {
    // A screen and keys of the machine itself, or a line to it.
    let Some(index) = pts_index(terminal.number).filter(|_| depth < MAX_NESTED) else {
        return Seat::User;
    };
    let holders = holders(processes, index);
    if let Some(sign) = holders.iter().find_map(|it| ancestor(processes, *it)) {
        return Seat::Stranger(sign);
    }
    let mut strange = None;
    for holder in &holders {
        match seat_above(processes, *holder, terminal.number, depth) {
            Seat::User => return Seat::User,
            Seat::Stranger(sign) => strange = Some(sign),
        }
    }
    if let Some(sign) = strange {
        return Seat::Stranger(sign);
    }
    // It is held where we cannot see it.
    let Some(status) = Status::of(processes, terminal.leader) else { return Seat::User };
    match status.parent {
        0 => Seat::User,
        parent => seat_above(processes, parent, terminal.number, depth),
    }
}

/// Whether a process, or one above it, is a user's seat. Nothing above it is an agent.
fn seat_above(processes: &Path, from: u32, terminal: u32, depth: usize) -> Seat {
    let stranger = || {
        let program = Status::of(processes, from).map(|it| it.name).unwrap_or_default();
        Seat::Stranger(Sign::Terminal { id: from, program })
    };
    let mut id = from;
    for _ in 0..MAX_DEPTH {
        // What was left behind comes to the first process, whatever that is.
        if id == 1 && id != from {
            return stranger();
        }
        // Another account's, which the system hides.
        let Some(status) = Status::of(processes, id) else { return Seat::User };
        let is_server = status.terminal == 0 && is_multiplexer(processes, id, &status.name);
        if is_server && !is_attached(processes, id, depth) {
            return stranger();
        }
        if is_seat(processes, id, &status.name) {
            return Seat::User;
        }
        if status.terminal != 0 && status.terminal != terminal {
            let outer = TerminalOf { number: status.terminal, leader: status.session };
            return seat(processes, outer, depth + 1);
        }
        match status.parent {
            // It was put here from outside, as `docker exec` does.
            0 if id != 1 => return Seat::User,
            0 => return stranger(),
            parent => id = parent,
        }
    }
    stranger()
}

/// The file name of a process's program, or what it calls itself where that cannot be seen.
fn program_of(processes: &Path, id: u32, name: &str) -> String {
    let program = fs::read_link(processes.join(id.to_string()).join("exe")).ok();
    let program = program.as_deref().and_then(|it| it.file_name()?.to_str());
    program.map_or(name, |it| it.trim_end_matches(" (deleted)")).to_lowercase()
}

/// Whether a process keeps terminals that go on without anybody looking.
fn is_multiplexer(processes: &Path, id: u32, name: &str) -> bool {
    let program = program_of(processes, id, name);
    MULTIPLEXERS.iter().any(|it| program == *it || program.starts_with(&format!("{it}:")))
}

/// Whether a user looks at what a multiplexer keeps: it has opened a terminal of a user, as `tmux` and
/// `screen` do for each client, or another process of its program runs on one. Where its files
/// cannot be seen, it is another account's.
fn is_attached(processes: &Path, server: u32, depth: usize) -> bool {
    let Ok(files) = fs::read_dir(processes.join(server.to_string()).join("fd")) else {
        return true;
    };
    let opened = files.flatten().take(MAX_FILES).filter_map(|it| terminal_file(&it.path()));
    let opened: Vec<_> = opened.collect();
    if opened.contains(&Opened::Console) {
        return true;
    }
    let name = Status::of(processes, server).map(|it| it.name).unwrap_or_default();
    let program = program_of(processes, server, &name);
    let proxies = PROXIES.contains(&program.as_str());
    let entries = fs::read_dir(processes).into_iter().flatten().flatten().take(MAX_PROCESSES);
    let ids = entries.filter_map(|it| it.file_name().to_str()?.parse().ok());
    let mut terminals: Vec<TerminalOf> = Vec::new();
    for id in ids {
        let Some(status) = Status::of(processes, id).filter(|it| it.terminal != 0) else {
            continue;
        };
        let index = pts_index(status.terminal);
        let is_opened = opened.iter().any(|it| matches!(it, Opened::Pts(at) if Some(*at) == index));
        let is_client = || proxies && program_of(processes, id, &status.name) == program;
        let is_known = terminals.iter().any(|it| it.number == status.terminal);
        if !is_known && (is_opened || is_client()) {
            terminals.push(TerminalOf { number: status.terminal, leader: status.session });
        }
    }
    terminals.iter().any(|it| matches!(seat(processes, *it, depth + 1), Seat::User))
}

/// A terminal that a process has opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// A screen and keys of the machine itself.
    Console,
    /// A pseudo-terminal.
    Pts(u32),
}

fn terminal_file(link: &Path) -> Option<Opened> {
    let target = fs::read_link(link).ok()?;
    let target = target.to_str()?;
    if let Some(index) = target.strip_prefix("/dev/pts/") {
        return index.parse().ok().map(Opened::Pts);
    }
    let number = target.strip_prefix("/dev/tty")?;
    number.parse::<u32>().is_ok().then_some(Opened::Console)
}

/// Whether a process is a program that gives its user a terminal.
fn is_seat(processes: &Path, id: u32, name: &str) -> bool {
    // A process may call itself what it likes; its file says more, where that can be seen.
    let program = program_of(processes, id, name);
    if !is_interpreter(&program) {
        let stem = program.split(['(', '.']).next().unwrap_or_default();
        let is_named = SEATS.contains(&program.as_str()) || SEATS.contains(&stem);
        return is_named
            || program.contains("term")
            || program == "java" && runs_seat(processes, id);
    }
    runs_seat(processes, id)
}

/// Whether what an interpreter runs is such a program.
fn runs_seat(processes: &Path, id: u32) -> bool {
    let words = command_line(processes, id).unwrap_or_default();
    let mut words = words.split('\0');
    let script = words.clone().nth(1).and_then(stem).unwrap_or_default();
    SEATS.contains(&script) || words.any(|word| SEAT_PARTS.iter().any(|it| word.contains(it)))
}

/// The processes that hold the other end of a pseudo-terminal, as far as they show it.
fn holders(processes: &Path, index: u32) -> Vec<u32> {
    let entries = fs::read_dir(processes).into_iter().flatten().flatten().take(MAX_PROCESSES);
    let ids = entries.filter_map(|it| it.file_name().to_str()?.parse().ok());
    ids.filter(|it| *it != std::process::id() && holds(processes, *it, index)).collect()
}

fn holds(processes: &Path, id: u32, index: u32) -> bool {
    let place = processes.join(id.to_string());
    let files = fs::read_dir(place.join("fd")).into_iter().flatten().flatten().take(MAX_FILES);
    let mut masters = files.filter(|it| {
        fs::read_link(it.path()).is_ok_and(|it| it.file_name().is_some_and(|it| it == "ptmx"))
    });
    masters.any(|file| {
        let about = fs::read_to_string(place.join("fdinfo").join(file.file_name()));
        let about = about.unwrap_or_default();
        let mut rows = about.lines().filter_map(|it| it.strip_prefix("tty-index:"));
        rows.any(|it| it.trim().parse() == Ok(index))
    })
}

/// The number of a pseudo-terminal, as the kernel gives it.
fn pts_index(number: u32) -> Option<u32> {
    let (major, minor) = ((number >> 8) & 0xfff, (number & 0xff) | ((number >> 12) & 0xf_ff00));
    (major == PTS).then_some(minor)
}
