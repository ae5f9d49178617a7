//! Where a repository is shared, without anybody's credentials.

/// The place of a remote repository, whatever the way to it: `host/owner/name`, or a path.
///
/// Made from a URL only by [`Remote::of`], which leaves out the scheme, the user, the password, the
/// scheme's own port, the query and a trailing `.git`. An address in which a credential could stand
/// in a place that we keep is no remote at all: less evidence is better than a leak.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Remote(String);

/// Bytes of a URL that is looked at.
const MAX_URL: usize = 2048;

impl Remote {
    /// The remote that a URL names, in any form that git takes.
    pub fn of(url: &str) -> Option<Self> {
        if url.len() > MAX_URL || url.chars().any(char::is_control) || names_helper(url) {
            return None;
        }
        if url.starts_with('/') {
            return local(url);
        }
        match url.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => {
                let (host, path) = rest.split_at(rest.find('/')?);
                // Nobody logs in to a file: what stands before the path is left out whole, and
                // must not go on in it.
                local(path).filter(|_| host.is_empty() || !path.contains('@'))
            }
            Some((scheme, rest)) if is_scheme(scheme) => {
                let (authority, path) = rest.split_at(rest.find(['/', '?', '#'])?);
                network(authority, default_port(scheme), path)
            }
            _ => short(url),
        }
    }

    /// A text that came from [`Remote::as_str`].
    pub fn stored(text: String) -> Self {
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host and the owner, as `github.com/rust-lang`; a path on this machine, or a repository
    /// that lies directly on its host, has none.
    pub fn owner(&self) -> Option<&str> {
        let (host, path) = self.0.split_once('/').filter(|it| !it.0.is_empty())?;
        let (owner, _) = path.split_once('/')?;
        Some(&self.0[..host.len() + 1 + owner.len()])
    }
}

/// A path on this machine.
fn local(path: &str) -> Option<Remote> {
    Some(Remote(format!("/{}", name(path)?)))
}

/// A repository on a host; `authority` is `user:password@host:port`.
fn network(authority: &str, default_port: Option<u16>, path: &str) -> Option<Remote> {
    // A password that holds a slash ends up here, and its `@` with it.
    if path.contains('@') {
        return None;
    }
    let path = &path[..path.find(['?', '#']).unwrap_or(path.len())];
    let address = authority.rsplit_once('@').map_or(authority, |it| it.1);
    let (host, port) = match address.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (address, ""),
    };
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let port = if port.is_empty() { default_port } else { Some(port.parse().ok()?) };
    if !is_host(&host) {
        return None;
    }
    let name = name(path)?;
    Some(Remote(match port {
        Some(port) if Some(port) != default_port => format!("{host}:{port}/{name}"),
        _ => format!("{host}/{name}"),
    }))
}

/// The short form of SSH: `user@host:path`, or with the host in brackets. What has no host is a
/// path that means something only where git is run, and is no remote.
fn short(url: &str) -> Option<Remote> {
    let bracket = url.find(['[', ':', '/']).filter(|at| url[*at..].starts_with('['));
    let colon = match bracket {
        Some(open) => open + url[open..].find("]:")? + 1,
        None => url.find(':')?,
    };
    let (host, path) = (&url[..colon], &url[colon + 1..]);
    if host.contains('/') {
        return None;
    }
    // `[host:port]` is no address of six parts but a host and its port.
    let inside = bracket.map(|open| &url[open + 1..colon - 1]);
    let host = inside.filter(|it| it.matches(':').count() < 2).unwrap_or(host);
    network(host, default_port("ssh"), path)
}

/// The path without what is not part of a name: empty steps and the `.git` at its end.
fn name(path: &str) -> Option<String> {
    let mut steps: Vec<&str> = path.split('/').filter(|it| !it.is_empty()).collect();
    let last = steps.pop()?;
    steps.push(last.strip_suffix(".git").unwrap_or(last));
    let name = steps.join("/");
    let name = name.strip_suffix('/').unwrap_or(&name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// `helper::address` is for a program to make sense of, and may be a whole command line.
fn names_helper(url: &str) -> bool {
    url.split_once("::").is_some_and(|it| is_scheme(it.0))
}

fn is_scheme(text: &str) -> bool {
    let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'+' | b'-' | b'.');
    text.starts_with(|it: char| it.is_ascii_alphanumeric()) && text.bytes().all(plain)
}

fn is_host(text: &str) -> bool {
    let plain = |it: char| it.is_alphanumeric() || matches!(it, '-' | '.' | '_');
    let bare = text.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
    let address = |it: char| it.is_ascii_hexdigit() || matches!(it, ':' | '.');
    !text.is_empty() && bare.map_or(text.chars().all(plain), |it| it.chars().all(address))
}

/// The port that a scheme has without being told.
fn default_port(scheme: &str) -> Option<u16> {
    let ports = [
        ("ssh", 22),
        ("git+ssh", 22),
        ("ssh+git", 22),
        ("https", 443),
        ("http", 80),
        ("git", 9418),
        ("ftp", 21),
        ("ftps", 990),
    ];
    ports.iter().find(|it| scheme.eq_ignore_ascii_case(it.0)).map(|it| it.1)
}

#[cfg(test)]
mod tests {
    use super::Remote;

    fn of(url: &str) -> Option<String> {
        Remote::of(url).map(|it| it.as_str().to_owned())
    }

    #[test]
    fn every_way_to_one_repository_is_one_remote() {
        for url in [
            "git@host:a/b.git",
            "host:a/b",
            "git@host:/a/b/",
            "[git@host:22]:a/b",
            "[host]:a/b.git",
            "git@HOST.:a//b.git/",
            "ssh://git@host/a/b",
            "ssh://git@host:22/a/b.git",
            "git+ssh://host/a/b",
            "https://user:token@host/a/b.git",
            "https://token@host/a/b",
            "https://host:/a/b",
            "HTTPS://Host:443/a/b/",
            "http://host:80/a/b.git",
            "git://host:9418/a/b",
            "https://host/a/b.git?private_token=t0ken",
            "https://host/a/b#t0ken",
        ] {
            assert_eq!(of(url).as_deref(), Some("host/a/b"), "{url}");
        }
    }

    #[test]
    fn what_tells_two_repositories_apart_is_kept() {
        for (url, remote) in [
            ("ssh://git@host:2222/a/b.git", "host:2222/a/b"),
            ("[git@host:2222]:a/b.git", "host:2222/a/b"),
            ("https://host:8443/a/b", "host:8443/a/b"),
            ("http://host:443/a/b", "host:443/a/b"),
            ("https://host/A/b", "host/A/b"),
            ("ssh://host/~me/b", "host/~me/b"),
            ("host:~me/b", "host/~me/b"),
            ("git@[::1]:a/b", "[::1]/a/b"),
            ("ssh://git@[2001:DB8::1]:22/a/b", "[2001:db8::1]/a/b"),
            ("ssh://git@[::1]:2222/a", "[::1]:2222/a"),
            ("https://host/a/b.c", "host/a/b.c"),
            ("https://host/a/b.git.git", "host/a/b.git"),
            ("https://höst.example/ä/b", "höst.example/ä/b"),
        ] {
            assert_eq!(of(url).as_deref(), Some(remote), "{url}");
        }
    }

    #[test]
    fn a_path_is_a_remote_and_a_path_from_somewhere_is_not() {
        assert_eq!(of("/srv/git/b.git").as_deref(), Some("/srv/git/b"));
        assert_eq!(of("file:///srv/git/b.git/").as_deref(), Some("/srv/git/b"));
        assert_eq!(of("file://me:t0ken@host/srv/b").as_deref(), Some("/srv/b"));
        assert_eq!(of("/home/me/b/.git").as_deref(), Some("/home/me/b"));
        assert_eq!(of("/with space/a@b:c").as_deref(), Some("/with space/a@b:c"));
        for url in ["../b.git", "b", "./a:b", "~/b", "file://b", "/", "/.git", "."] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    #[test]
    fn what_is_no_address_is_no_remote() {
        let long = format!("https://host/{}", "a".repeat(2048));
        for url in [
            "",
            ":",
            "host:",
            "@:",
            "@host:a@b",
            "https://",
            "https://host",
            "https://host/",
            "https:///a/b",
            "https://host:port/a",
            "https://host:65536/a",
            "https://ho st/a",
            "https://host/a\nb",
            "https://host/a\u{7f}",
            "ext::sh -c 'curl -H \"token: t0ken\" %S'",
            "codecommit::region://profile@b",
            "[::1/a",
            "[:a",
            &long,
        ] {
            assert_eq!(of(url), None, "{url}");
        }
    }

    /// Passwords as people paste them: unescaped, with every sign that means something in a URL.
    #[test]
    fn no_credential_survives_whatever_it_holds() {
        let schemes =
            ["https://", "http://", "ssh://", "ftp://", "x://", "file://", "https:/", "https:", ""];
        let signs = ["", "/", "?", "#", "@", ":", "\\", "%40", "[", "]", "::", "://", "12/", " "];
        let ends = ["@host/a/b.git", "@host:a/b", "@host:8080/a", "@[::1]/a", "@host", "@"];
        for scheme in schemes {
            for (first, second) in signs.iter().flat_map(|it| signs.iter().map(move |to| (it, to)))
            {
                for end in ends {
                    for secret in [
                        format!("me:{first}hunter{second}two"),
                        format!("hunter{first}two{second}"),
                        format!("{first}hunter:two{second}"),
                    ] {
                        let url = format!("{scheme}{secret}{end}");
                        // A path of this machine holds no credentials, whatever it looks like.
                        if url.starts_with('/') || url.starts_with("file:///") {
                            continue;
                        }
                        let remote = of(&url).unwrap_or_default();
                        assert!(!remote.contains("hunter"), "{url} → {remote}");
                        assert!(!remote.contains("two"), "{url} → {remote}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_owner_is_the_host_and_the_first_step() {
        let owner = |url: &str| Remote::of(url).and_then(|it| it.owner().map(str::to_owned));
        assert_eq!(owner("git@example.org:team/tool.git").as_deref(), Some("example.org/team"));
        assert_eq!(owner("https://h/group/sub/tool").as_deref(), Some("h/group"));
        assert_eq!(owner("https://h:8443/team/tool").as_deref(), Some("h:8443/team"));
        assert_eq!(owner("https://h/tool"), None);
        assert_eq!(owner("/srv/git/tool.git"), None);
    }
}
