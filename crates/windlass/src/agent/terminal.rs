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

use super::tree::{
    MAX_DEPTH, Sign, Status, ancestor, command_line, is_interpreter, stem, unwrapped,
};

/// The number of the driver of pseudo-terminals.
const PTS: u32 = 136;
/// Terminals inside of terminals that are looked at.
const MAX_NESTED: usize = 8;
/// Processes that are looked at, and open files of each.
const MAX_PROCESSES: usize = 32_768;
const MAX_FILES: usize = 4096;

/// Programs that give a user a terminal, and those that a user's terminals are started by. Every name
/// with `term` in it is one as well, and so are editions of these (`emacs-pgtk`, `.kitty-wrapped`).
const SEATS: &[&str] = &[
    // Terminal programs.
    "alacritty",
    "black-box",
    "blackbox",
    "bobcat",
    "contour",
    "cool-retro-term",
    "deepin-terminal",
    "edex-ui",
    "eterm",
    "foot",
    "footclient",
    "ghostty",
    "guake",
    "havoc",
    "hyper",
    "kgx",
    "kitty",
    "kmscon",
    "konsole",
    "ptyxis",
    "ptyxis-agent",
    "quake",
    "rio",
    "rxvt",
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
    "warp",
    "waveterm",
    "wayst",
    "wezterm-gui",
    "wezterm-mux-server",
    "yaft",
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
    "cockpit-bridge",
    "cockpit-session",
    "coder",
    "dropbear",
    "etserver",
    "gotty",
    "in.telnetd",
    "login",
    "sshd",
    "sshd-auth",
    "sshd-session",
    "sshx",
    "tailscaled",
    "teleport",
    "telnetd",
    "ttyd",
    "vshd",
    "wetty",
    // What starts programs of a desktop.
    "awesome",
    "bspwm",
    "budgie-panel",
    "budgie-wm",
    "cage",
    "cinnamon",
    "cinnamon-sessio",
    "cosmic-panel",
    "cosmic-session",
    "dwl",
    "dwm",
    "enlightenment",
    "flatpak-session",
    "flatpak-session-helper",
    "fluxbox",
    "gala",
    "gdm-session-wor",
    "gnome-session-b",
    "gnome-shell",
    "herbstluftwm",
    "hyprland",
    "i3",
    "icewm",
    "jwm",
    "kded5",
    "kded6",
    "ksmserver",
    "kwin_wayland",
    "kwin_x11",
    "labwc",
    "leftwm",
    "lightdm",
    "lxpanel",
    "lxqt-session",
    "mate-panel",
    "mate-session",
    "niri",
    "openbox",
    "plasma_session",
    "plasmashell",
    "river",
    "sddm-helper",
    "spectrwm",
    "sway",
    "wayfire",
    "xfce4-panel",
    "xfce4-session",
    "xinit",
    "xmonad",
    // Editors and other programs with terminals of their own.
    "android-studio",
    "antigravity",
    "aqua",
    "clion",
    "code",
    "code-insiders",
    "code-oss",
    "code-server",
    "codeblocks",
    "codelite",
    "codium",
    "cursor",
    "datagrip",
    "dataspell",
    "dolphin",
    "eclipse",
    "emacs",
    "emacs-gtk",
    "emacs-nox",
    "fleet",
    "geany",
    "gnome-builder",
    "goland",
    "goneovim",
    "gvim",
    "idea",
    "jupyter",
    "jupyter-lab",
    "jupyter-notebook",
    "jupyterhub-singleuser",
    "kate",
    "kdevelop",
    "kile",
    "kiro",
    "konqueror",
    "krusader",
    "lapce",
    "neovide",
    "neovim-qt",
    "netbeans",
    "nvim-qt",
    "phpstorm",
    "positron",
    "pulsar",
    "pycharm",
    "qtcreator",
    "rider",
    "rsession",
    "rstudio",
    "rubymine",
    "rustrover",
    "spyder",
    "theia",
    "trae",
    "void",
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
    "/code-server/",
    "/openvscode-server",
    "/jbr/",
    "/org.eclipse.equinox.launcher",
    "/netbeans/",
];

/// Editors that put a server into the home directory of another machine.
const SERVERS: &[&str] = &[
    "antigravity",
    "cursor",
    "kiro",
    "positron",
    "trae",
    "void",
    "vscode",
    "vscodium",
    "windsurf",
];

/// What a fork of Visual Studio Code has beside its program, whatever its name is.
const EDITOR_SIGN: &str = "resources/app/product.json";

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

/// The names that a program goes by: its own, and those without the wrapper of a packager, without its
/// edition and without its version.
fn names(program: &str) -> Vec<&str> {
    let bare = unwrapped(program);
    let stem = bare.split(['(', '.', ':']).next().unwrap_or_default();
    let editions = stem.match_indices(['-', '_']).map(|it| &stem[..it.0]);
    [program, bare, stem].into_iter().chain(editions).collect()
}

fn is_one_of(program: &str, known: &[&str]) -> bool {
    names(program).iter().any(|it| known.contains(it))
}

/// Whether a process keeps terminals that go on although no user looks at them.
fn is_multiplexer(processes: &Path, id: u32, name: &str) -> bool {
    is_one_of(&program_of(processes, id, name), MULTIPLEXERS)
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
    let proxies = is_one_of(&program, PROXIES);
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
    if is_interpreter(&program) {
        return runs_seat(processes, id);
    }
    is_one_of(&program, SEATS)
        || program.contains("term")
        || program == "java" && runs_seat(processes, id)
        || is_editor(processes, id)
}

/// Whether the program of a process lies in the directory of a fork of Visual Studio Code.
fn is_editor(processes: &Path, id: u32) -> bool {
    let program = fs::read_link(processes.join(id.to_string()).join("exe")).ok();
    program.is_some_and(|it| it.parent().is_some_and(|it| it.join(EDITOR_SIGN).is_file()))
}

/// Whether what an interpreter runs is such a program.
fn runs_seat(processes: &Path, id: u32) -> bool {
    let words = command_line(processes, id).unwrap_or_default();
    let mut words = words.split('\0');
    let script = words.clone().nth(1).and_then(stem).unwrap_or_default();
    let is_part = |word: &str| {
        SEAT_PARTS.iter().any(|it| word.contains(it)) || word.split('/').any(is_server)
    };
    is_one_of(script, SEATS) || words.any(is_part)
}

/// Whether a part of a path is where an editor puts what it runs on another machine, as
/// `.vscode-server` is.
fn is_server(part: &str) -> bool {
    let name = part.strip_prefix('.').and_then(|it| it.split("-server").next());
    part.contains("-server") && name.is_some_and(|it| SERVERS.contains(&it))
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
