//! What tools take: as clients read it, and as it is looked at before a tool is called.
//!
//! What is empty is left out: some models fill in every argument.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::answer::Refusal;
use crate::visible;

/// What a tool is called with.
pub(super) type Arguments = Map<String, Value>;

/// One argument of a tool.
#[derive(Debug, Clone)]
pub(super) struct Argument {
    name: &'static str,
    about: &'static str,
    kind: Kind,
    is_required: bool,
}

/// What an argument may be.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    Text,
    /// A text of so many characters at most. Who looks at memories says what is wrong with it.
    Line(usize),
    /// One of these words. Who knows them says what is wrong with another one.
    Word(Vec<&'static str>),
    Texts,
    /// A whole number, at least so large; one that is too large is taken for the largest.
    Number {
        least: u64,
        most: Option<u64>,
    },
    Switch,
    /// The number of an event, which people write as a text too.
    Event,
    /// The fields of a category by their names.
    Fields,
    /// Objects, each with arguments of its own.
    Items {
        most: usize,
        takes: Vec<Argument>,
    },
}

impl Argument {
    pub(super) fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, about, kind, is_required: false }
    }

    pub(super) fn text(name: &'static str, about: &'static str) -> Self {
        Self::new(name, Kind::Text, about)
    }

    /// One without which nothing can be done.
    pub(super) fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    fn schema(&self) -> Value {
        let texts = || json!({"type": "array", "items": {"type": "string"}});
        let mut schema = match &self.kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Line(most) => json!({"type": "string", "maxLength": most}),
            Kind::Word(words) => json!({"type": "string", "enum": words}),
            Kind::Texts => texts(),
            Kind::Number { least, most: None } => json!({"type": "integer", "minimum": least}),
            Kind::Number { least, most } => {
                json!({"type": "integer", "minimum": least, "maximum": most})
            }
            Kind::Switch => json!({"type": "boolean"}),
            Kind::Event => json!({"type": "integer", "minimum": 1}),
            Kind::Fields => json!({"type": "object"}),
            Kind::Items { most, takes } => {
                json!({"type": "array", "minItems": 1, "maxItems": most, "items": schema(takes)})
            }
        };
        if !self.about.is_empty() {
            schema["description"] = self.about.into();
        }
        schema
    }

    /// Says what it takes, where it was given something else.
    fn check(&self, value: &Value) -> Result<(), Refusal> {
        let name = self.name;
        let is_taken = match &self.kind {
            Kind::Text | Kind::Line(_) | Kind::Word(_) => value.is_string(),
            Kind::Texts => is_texts(value),
            Kind::Number { least, .. } => value.as_u64().is_some_and(|it| it >= *least),
            Kind::Switch => value.is_boolean(),
            Kind::Event => value.is_string() || value.is_number(),
            Kind::Fields => return check_fields(name, value),
            // What is in them is looked at one by one, and each stands for itself.
            Kind::Items { .. } => {
                value.as_array().is_some_and(|all| all.iter().all(Value::is_object))
            }
        };
        if is_taken { Ok(()) } else { Err(wrong(name, &self.takes(), value)) }
    }

    fn takes(&self) -> String {
        match &self.kind {
            Kind::Text | Kind::Line(_) | Kind::Word(_) => "a text".to_owned(),
            Kind::Texts => "a list of texts".to_owned(),
            Kind::Number { least, .. } => format!("a whole number of {least} or more"),
            Kind::Switch => "true or false".to_owned(),
            Kind::Event => "the number of an event".to_owned(),
            Kind::Fields => "an object".to_owned(),
            Kind::Items { .. } => "a list of objects".to_owned(),
        }
    }
}

/// Arguments as clients read them.
pub(super) fn schema(takes: &[Argument]) -> Value {
    let properties: Map<_, _> = takes.iter().map(|it| (it.name.to_owned(), it.schema())).collect();
    let required: Vec<_> = takes.iter().filter(|it| it.is_required).map(|it| it.name).collect();
    let mut object =
        json!({"type": "object", "properties": properties, "additionalProperties": false});
    if !required.is_empty() {
        object["required"] = required.into();
    }
    object
}

/// What was given, without what is empty. The first thing that is wrong is told.
pub(super) fn checked(takes: &[Argument], mut given: Arguments) -> Result<Arguments, Refusal> {
    let known = |name: &str| takes.iter().find(|it| it.name == name);
    if let Some(name) = given.keys().find(|it| known(it).is_none()) {
        let names: Vec<_> = takes.iter().map(|it| it.name).collect();
        let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let said =
            format!("there is no argument `{}` here; there are {there}", visible::line(name, 64));
        return Err(Refusal::new(said, "leave it out, and call again"));
    }
    given.retain(|_, value| !is_empty(value));
    for (name, value) in &given {
        known(name).map_or(Ok(()), |it| it.check(value))?;
    }
    let is_missing = |it: &&Argument| it.is_required && !given.contains_key(it.name);
    match takes.iter().find(is_missing) {
        Some(Argument { name, about, .. }) => {
            let next = format!("give `{name}`. {about}");
            Err(Refusal::new(format!("`{name}` is missing"), next.trim_end()))
        }
        None => Ok(given),
    }
}

/// Arguments that were looked at, as the tool has them.
pub(super) fn arguments<T: DeserializeOwned>(given: Arguments) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(given)).map_err(|error| {
        Refusal::new(format!("understand the arguments: {error}"), "mend them and call again")
    })
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.iter().all(is_empty),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|all| all.iter().all(Value::is_string))
}

fn check_fields(name: &str, value: &Value) -> Result<(), Refusal> {
    let Some(fields) = value.as_object() else { return Err(wrong(name, "an object", value)) };
    let is_wrong =
        |it: &(&String, &Value)| !(it.1.is_string() || it.1.is_boolean() || is_texts(it.1));
    match fields.iter().find(is_wrong) {
        Some((field, value)) => {
            let name = format!("{name}.{}", visible::line(field, 64));
            Err(wrong(&name, "a text, a list of texts, or true or false", value))
        }
        None => Ok(()),
    }
}

fn wrong(name: &str, takes: &str, value: &Value) -> Refusal {
    let got = match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => "a text".to_owned(),
        Value::Array(_) if takes.contains("a list") => "a list of something else".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    let said = format!("`{name}` takes {takes}, and got {got}");
    Refusal::new(said, "mend it, and call again")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes() -> Vec<Argument> {
        let kinds = [
            ("text", Kind::Text),
            ("tags", Kind::Texts),
            ("days", Kind::Number { least: 1, most: None }),
            ("strong", Kind::Switch),
            ("event", Kind::Event),
            ("fields", Kind::Fields),
            ("items", Kind::Items { most: 5, takes: vec![Argument::text("id", "")] }),
        ];
        kinds.into_iter().map(|it| Argument::new(it.0, it.1, "")).collect()
    }

    fn given(value: &Value) -> Arguments {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let empty = json!({"text": " ", "tags": [], "days": null, "fields": {}, "items": []});
        assert_eq!(checked(&takes(), given(&empty)).unwrap(), Map::new());
        let blank = json!({"tags": ["", " "], "text": "", "strong": false});
        assert_eq!(checked(&takes(), given(&blank)).unwrap(), given(&json!({"strong": false})));
        // An empty field is a wish: it takes the field away.
        let wish = json!({"fields": {"cause": ""}});
        assert_eq!(checked(&takes(), given(&wish)).unwrap(), given(&wish));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_it_takes() {
        for (value, said) in [
            (json!({"text": 5}), "`text` takes a text, and got 5"),
            (json!({"tags": "a"}), "`tags` takes a list of texts, and got a text"),
            (
                json!({"tags": [1]}),
                "`tags` takes a list of texts, and got a list of something else",
            ),
            (json!({"days": "4"}), "`days` takes a whole number of 1 or more, and got a text"),
            (json!({"days": 0}), "`days` takes a whole number of 1 or more, and got 0"),
            (json!({"days": 1.5}), "`days` takes a whole number of 1 or more, and got 1.5"),
            (json!({"strong": "yes"}), "`strong` takes true or false, and got a text"),
            (json!({"event": [1]}), "`event` takes the number of an event, and got a list"),
            (json!({"fields": "a"}), "`fields` takes an object, and got a text"),
            (
                json!({"fields": {"status": 5}}),
                "`fields.status` takes a text, a list of texts, or true or false, and got 5",
            ),
            (json!({"items": [1]}), "`items` takes a list of objects, and got a list of something"),
            (json!({"trust": "user"}), "there is no argument `trust` here; there are text, tags"),
        ] {
            let refused = checked(&takes(), given(&value)).unwrap_err().text();
            assert!(refused.contains(said), "{value}: {refused}");
        }
        let needed = [Argument::text("id", "Its id, or the beginning of it").required()];
        for value in [json!({}), json!({"id": ""}), json!({"id": null})] {
            let refused = checked(&needed, given(&value)).unwrap_err().text();
            let whole = "Error: `id` is missing. Next: give `id`. Its id, or the beginning of it.";
            assert_eq!(refused, whole);
        }
    }

    #[test]
    fn every_item_is_described() {
        let told = schema(&takes());
        assert_eq!(told["properties"]["items"]["items"]["properties"]["id"]["type"], "string");
        assert_eq!(told.get("required"), None);
    }
}
