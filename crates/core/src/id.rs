//! Identities and points in time.

/// The session an event belongs to.
///
/// It comes from outside, so it is checked once, here. Our own files are named by its hash.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// The session of events whose id is missing or not usable.
    pub const UNKNOWN: &str = "unknown";

    /// Accepts 1 to 128 characters out of letters, digits, `_`, `-`, `:` and `.`, not all of them
    /// dots.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=128).contains(&text.len());
        let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b':' | b'.');
        let taken = matches!(text, "null" | "undefined" | Self::UNKNOWN);
        let is_named = text.bytes().any(|it| it != b'.');
        (fits && !taken && is_named && text.bytes().all(plain)).then(|| Self(text.to_owned()))
    }

    /// The session of events that name none.
    pub fn unknown() -> Self {
        Self(Self::UNKNOWN.to_owned())
    }

    /// Tells whether the event named a usable session.
    pub fn is_known(&self) -> bool {
        self.0 != Self::UNKNOWN
    }

    /// The id as the name of a directory, for files of others that are named so. Only letters,
    /// digits, `_` and `-`: nothing that leads anywhere else.
    pub fn directory(&self) -> Option<&str> {
        let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
        (self.is_known() && self.0.bytes().all(plain)).then_some(&self.0)
    }

    /// The id as the agent wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Milliseconds since 1970, UTC. It dates a record; order comes from the journal, not from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

/// Milliseconds of a day.
pub const DAY: i64 = 24 * 60 * 60 * 1000;

#[cfg(test)]
mod tests {
    use super::SessionId;

    #[test]
    fn takes_the_ids_that_agents_use() {
        for id in ["345835e9-03d1-41f0-84e3-98ca1cfd9e98", "served:abc_1", "a", "a.b", "run.2.1"] {
            assert!(SessionId::parse(id).is_some_and(|it| it.as_str() == id), "{id}");
        }
    }

    #[test]
    fn only_a_plain_id_names_a_directory() {
        let directory = |id: &str| SessionId::parse(id)?.directory().map(str::to_owned);
        assert_eq!(directory("345835e9-03d1_A").as_deref(), Some("345835e9-03d1_A"));
        assert_eq!((directory("served:abc"), SessionId::unknown().directory()), (None, None));
        assert_eq!((directory("a.b"), directory("..a")), (None, None));
    }

    #[test]
    fn refuses_what_could_be_a_path_or_nothing() {
        let long = "a".repeat(129);
        for id in
            ["", "null", "unknown", ".", "..", "../../x", "/etc/passwd", "a b", "a\0", "ü", &long]
        {
            assert_eq!(SessionId::parse(id), None, "{id:?}");
        }
    }
}
