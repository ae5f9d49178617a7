//! What a commit and a tag say.

use crate::tree::object::Oid;

/// A commit, as far as one goes on from it.
#[derive(Debug)]
pub(super) struct Revision {
    pub(super) tree: Oid,
    pub(super) parents: Vec<Oid>,
    /// When it was committed, in seconds since 1970.
    pub(super) at: i64,
}

/// Bytes of the first line of a message.
const MOST_LINE: usize = 1 << 10;

impl Revision {
    /// A time that cannot be read is the beginning, as it is for git.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let mut lines = head(bytes);
        let tree = Oid::of_hex(lines.next()?.strip_prefix(b"tree ")?)?;
        let mut parents = Vec::new();
        let mut at = 0;
        for line in lines {
            if let Some(parent) = line.strip_prefix(b"parent ") {
                parents.push(Oid::of_hex(parent)?);
            } else if let Some(who) = line.strip_prefix(b"committer ") {
                at = seconds(who).unwrap_or_default();
                break;
            }
        }
        Some(Self { tree, parents, at })
    }
}

/// The object that a tag names.
pub(super) fn named(tag: &[u8]) -> Option<Oid> {
    head(tag).find_map(|it| it.strip_prefix(b"object ")).and_then(Oid::of_hex)
}

/// The first line of the message, or its beginning.
pub(super) fn subject(commit: &[u8]) -> &[u8] {
    let Some(end) = commit.windows(2).position(|it| it == b"\n\n") else { return b"" };
    let message = commit[end..].trim_ascii_start();
    let line = message.split(|it| *it == b'\n').next().unwrap_or_default();
    line[..line.len().min(MOST_LINE)].trim_ascii_end()
}

/// The lines before the message.
fn head(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|it| *it == b'\n').take_while(|it| !it.is_empty())
}

/// The time in `Name <mail> SECONDS ZONE`.
fn seconds(who: &[u8]) -> Option<i64> {
    let end = who.iter().rposition(|it| *it == b'>')?;
    let time = who[end + 1..].trim_ascii_start().split(|it| *it == b' ').next()?;
    str::from_utf8(time).ok()?.parse().ok().filter(|it| *it >= 0)
}

#[cfg(test)]
mod tests {
    use super::{Revision, named, subject};

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    fn commit(rest: &str) -> Vec<u8> {
        format!("tree {ONE}\n{rest}").into_bytes()
    }

    #[test]
    fn a_commit_is_read_up_to_who_committed_it() {
        let parents = format!("parent {ONE}\nparent {TWO}\n");
        let who = "author A <a> 1 +0000\ncommitter B > <b> 1700000000 -0730\n";
        let all = commit(&format!("{parents}{who}gpgsig -----\n parent x\n\nparent {TWO}\n"));
        let revision = Revision::parse(&all).unwrap();
        let parents: Vec<_> = revision.parents.iter().map(ToString::to_string).collect();
        assert_eq!(parents, [ONE, TWO]);
        assert_eq!((revision.tree.to_string().as_str(), revision.at), (ONE, 1_700_000_000));
    }

    #[test]
    fn a_time_that_nobody_understands_is_the_beginning() {
        for who in [
            "",
            "committer",
            "committer A <a>",
            "committer A <a> x +0",
            "committer A <a> -5 +0",
            "committer A <a> 99999999999999999999999 +0",
        ] {
            assert_eq!(Revision::parse(&commit(who)).unwrap().at, 0, "{who}");
        }
    }

    #[test]
    fn what_is_no_commit_is_none() {
        for bytes in
            ["", "tree", "tree 11\n", "parent x\n", &format!("tree {ONE}\nparent {ONE}1\n")]
        {
            assert!(Revision::parse(bytes.as_bytes()).is_none(), "{bytes}");
        }
        assert_eq!(
            named(format!("object {TWO}\ntype commit\n").as_bytes()).unwrap().to_string(),
            TWO
        );
        assert!(named(b"\nobject x").is_none());
    }

    #[test]
    fn the_subject_is_the_first_line() {
        let of = |it: &str| subject(it.as_bytes()).to_vec();
        assert_eq!(of("tree 1\n\nfix: the cache \r\n\nmore\n"), b"fix: the cache");
        assert_eq!(of("tree 1\n\n\n  late\nx"), b"late");
        assert_eq!(of("tree 1\n\n"), b"");
        assert_eq!(of("tree 1"), b"");
        assert_eq!(of(&format!("tree 1\n\n{}", "x".repeat(1 << 20))).len(), 1 << 10);
    }
}
