//! Words as a shell takes them, for the commands that people are told to run.

use std::path::Path;

/// A path as a shell takes it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.chars().all(is_plain) {
        text.into_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// Whether a shell takes a character for itself wherever it stands.
pub(crate) fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || "/._-+@".contains(character)
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::path::Path;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        let cases = [
            ("/home/u/.local/bin", "/home/u/.local/bin"),
            ("/home/ü/x", "/home/ü/x"),
            ("/a b/$(c)", "'/a b/$(c)'"),
            ("/it's", r"'/it'\''s'"),
        ];
        for (path, expected) in cases {
            assert_eq!(quoted(Path::new(path)), expected);
        }
    }
}
