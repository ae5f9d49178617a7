//! Identities and points in time.

/// The session an event belongs to.
///
/// It comes from outside, so it is checked once, here, and is never used as a path component.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionId(String);

impl SessionId {
    /// The session of events whose id is missing or not usable.
    pub const UNKNOWN: &str = "unknown";

    /// Accepts 1 to 128 characters out of letters, digits, `_`, `-` and `:`.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (1..=128).contains(&text.len());
        let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b':');
        let taken = matches!(text, "null" | "undefined" | Self::UNKNOWN);
        (fits && !taken && text.bytes().all(plain)).then(|| Self(text.to_owned()))
    }

    /// The session of events that name none.
    pub fn unknown() -> Self {
        Self(Self::UNKNOWN.to_owned())
    }

    /// Tells whether the event named a usable session.
    pub fn is_known(&self) -> bool {
        self.0 != Self::UNKNOWN
    }

    /// The id as the agent wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Milliseconds since 1970, UTC. It dates a record; order comes from the journal, not from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

#[cfg(test)]
mod tests {
    use super::SessionId;

    #[test]
    fn takes_the_ids_that_agents_use() {
        for id in ["345835e9-03d1-41f0-84e3-98ca1cfd9e98", "served:abc_1", "a"] {
            assert!(SessionId::parse(id).is_some_and(|it| it.as_str() == id), "{id}");
        }
    }

    #[test]
    fn refuses_what_could_be_a_path_or_nothing() {
        let long = "a".repeat(129);
        for id in ["", "null", "unknown", "../../x", "/etc/passwd", "a b", "a\0", "ü", &long] {
            assert_eq!(SessionId::parse(id), None, "{id:?}");
        }
    }
}
