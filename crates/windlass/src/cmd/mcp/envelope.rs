//! The id of a message that is not read: so that whoever sent it is not left waiting.

use serde_json::Value;

/// Bytes of a key or an id that are looked at.
const MAX_TOKEN: usize = 256;

/// What is known of a message as it passes by, however long it is.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    depth: usize,
    deepest: usize,
    in_string: bool,
    escaping: bool,
    place: Place,
    /// What stands there now, as far as it is looked at.
    token: Vec<u8>,
    id: Option<Vec<u8>>,
}

/// Where we are in a member of the message itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    Key,
    Value,
    Id,
}

impl Envelope {
    /// Looks at the next bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.take(*byte);
        }
    }

    /// How deep its values are nested.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    /// The id of the message; null where it has none that can be told.
    pub(super) fn id(&self) -> Value {
        let id = self.id.as_deref().and_then(|it| serde_json::from_slice(it).ok());
        id.filter(|it: &Value| it.is_string() || it.is_number()).unwrap_or_default()
    }

    fn take(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            self.in_string = byte != b'"' || self.escaping;
            self.escaping = byte == b'\\' && !self.escaping;
            return;
        }
        match byte {
            b'"' => {
                if self.depth == 1 {
                    self.token.clear();
                }
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.deepest = self.deepest.max(self.depth);
                self.token.clear();
            }
            b'}' | b']' => {
                self.end_of_member();
                self.depth = self.depth.saturating_sub(1);
            }
            b',' => self.end_of_member(),
            b':' if self.depth == 1 && self.place == Place::Key => {
                // A key may be written with escapes.
                let key = serde_json::from_slice::<String>(&self.token);
                let is_id = key.is_ok_and(|it| it == "id");
                self.place = if is_id { Place::Id } else { Place::Value };
                self.token.clear();
            }
            it if it.is_ascii_whitespace() => {}
            it => self.keep(it),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < MAX_TOKEN {
            self.token.push(byte);
        }
    }

    fn end_of_member(&mut self) {
        if self.depth != 1 {
            return;
        }
        if self.place == Place::Id {
            self.id = Some(std::mem::take(&mut self.token));
        }
        self.place = Place::Key;
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(text: &str) -> (Value, usize) {
        let mut envelope = Envelope::default();
        text.as_bytes().chunks(3).for_each(|it| envelope.push(it));
        (envelope.id(), envelope.deepest())
    }

    #[test]
    fn the_id_is_found_wherever_it_stands_and_nowhere_else() {
        for (text, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"m"}"#, json!(7)),
            (r#"{"method":"m","params":{"id":1,"a":["id",{"id":2}]},"id":"a \"b\" \\"}"#, {
                json!("a \"b\" \\")
            }),
            (r#"{"params":{"text":"\"id\":3,"}, "id" : -4 }"#, json!(-4)),
            (r#"{"\u0069d":6,"method":"m"}"#, json!(6)),
            (r#"{"a":"id","b":5,"method":"id"}"#, Value::Null),
            (r#"{"id":{"x":1}}"#, Value::Null),
            (r#"{"id":null}"#, Value::Null),
            (r#"[{"id":1}]"#, Value::Null),
            ("}}}}id", Value::Null),
        ] {
            assert_eq!(seen(text).0, id, "{text}");
        }
    }

    #[test]
    fn a_long_message_costs_nothing_and_its_depth_is_known() {
        let mut envelope = Envelope::default();
        envelope.push(b"{\"params\":");
        for _ in 0..100_000 {
            envelope.push(b"[{\"id\":");
        }
        assert!(envelope.token.len() <= MAX_TOKEN);
        assert_eq!(envelope.deepest(), 200_001);
        let long = format!(r#"{{"id":"{}"}}"#, "x".repeat(10_000));
        assert_eq!(seen(&long).0, Value::Null);
    }
}
