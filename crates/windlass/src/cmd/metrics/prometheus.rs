//! The text format of Prometheus, version 0.0.4.

use std::collections::BTreeMap;

use crate::store::{Counter, Latency};

/// What our counters of a name, or those that begin with it, become.
struct Family {
    /// The name of our counter, or how the names of several begin.
    counter: &'static str,
    /// The label that tells several apart.
    label: Option<&'static str>,
    name: &'static str,
    kind: &'static str,
    help: &'static str,
}

/// Every family, the longer names before those that they begin with.
#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    Family { counter: "events_", label: Some("event"), name: "windlass_events_total", kind: COUNTER, help: "Events by kind." },
    Family { counter: "event_bytes", label: None, name: "windlass_event_bytes_total", kind: COUNTER, help: "Bytes of events as the agent sent them." },
    Family { counter: "prompt_length", label: None, name: "windlass_prompt_length_bytes_total", kind: COUNTER, help: "Bytes of prompts." },
    Family { counter: "tool_usage", label: None, name: "windlass_tool_usage_total", kind: COUNTER, help: "Tool calls that ended." },
    Family { counter: "tool_", label: Some("result"), name: "windlass_tool_results", kind: GAUGE, help: "Tool calls by how they ended. A transcript may correct it later." },
    Family { counter: "bash_commands", label: None, name: "windlass_bash_commands_total", kind: COUNTER, help: "Commands that were run." },
    Family { counter: "file_operations", label: None, name: "windlass_file_operations_total", kind: COUNTER, help: "Calls that read or changed files." },
    Family { counter: "search_operations", label: None, name: "windlass_search_operations_total", kind: COUNTER, help: "Calls that looked for files or text." },
    Family { counter: "decisions_", label: Some("verdict"), name: "windlass_decisions_total", kind: COUNTER, help: "Decisions by verdict." },
];

const COUNTER: &str = "counter";
const GAUGE: &str = "gauge";

const LATENCY: &str = "windlass_answer_seconds";

/// All counters, and the latencies as histograms.
pub(super) fn text(counters: &[Counter], latencies: &[Latency]) -> String {
    let mut families: BTreeMap<usize, BTreeMap<String, i64>> = BTreeMap::new();
    for counter in counters {
        let Some((at, family)) = FAMILIES.iter().enumerate().find(|(_, it)| it.takes(counter))
        else {
            continue;
        };
        let labels = family.labels(counter);
        *families.entry(at).or_default().entry(labels).or_default() += counter.value;
    }
    let mut lines = Vec::new();
    for (at, samples) in families {
        let Family { name, kind, help, .. } = FAMILIES[at];
        lines.extend(head(name, help, kind));
        lines.extend(samples.into_iter().map(|(labels, value)| format!("{name}{labels} {value}")));
    }
    lines.extend(histograms(latencies));
    lines.into_iter().map(|it| it + "\n").collect()
}

impl Family {
    fn takes(&self, counter: &Counter) -> bool {
        match self.label {
            Some(_) => counter.name.starts_with(self.counter),
            None => counter.name == self.counter,
        }
    }

    fn labels(&self, counter: &Counter) -> String {
        let Some(label) = self.label else { return String::new() };
        // Our counters have `_` where kinds of events have `-`.
        let value = counter.name[self.counter.len()..].replace('_', "-");
        format!("{{{label}=\"{}\"}}", escape(&value))
    }
}

fn histograms(latencies: &[Latency]) -> Vec<String> {
    if latencies.is_empty() {
        return Vec::new();
    }
    let help = "How long answers took. The sum is told to within a fifth.";
    let mut lines = head(LATENCY, help, "histogram").to_vec();
    for latency in latencies {
        let event = format!("event=\"{}\"", escape(&latency.kind));
        let bucket =
            |edge: &str, count| format!("{LATENCY}_bucket{{{event},le=\"{edge}\"}} {count}");
        let cumulated = latency.cumulated().into_iter();
        lines.extend(cumulated.map(|(us, count)| bucket(&format!("{:.7}", us / 1e6), count)));
        lines.push(bucket("+Inf", latency.count()));
        lines.push(format!("{LATENCY}_sum{{{event}}} {:.6}", latency.sum() / 1e6));
        lines.push(format!("{LATENCY}_count{{{event}}} {}", latency.count()));
    }
    lines
}

fn head(name: &str, help: &str, kind: &str) -> [String; 2] {
    [format!("# HELP {name} {help}"), format!("# TYPE {name} {kind}")]
}

/// The value of a label: a kind of event comes out of a file.
fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::{FAMILIES, LATENCY, text};
    use crate::store::{Counter, Latency};
    use std::collections::BTreeMap;

    /// One sample: name, labels, value.
    type Sample = (String, BTreeMap<String, String>, f64);

    /// Reads the format as its specification has it, and refuses everything else.
    fn parse(text: &str) -> (BTreeMap<String, String>, Vec<Sample>) {
        assert!(text.is_empty() || text.ends_with('\n'), "the last line ends");
        let (mut helps, mut types) = (BTreeMap::new(), BTreeMap::new());
        let mut samples: Vec<Sample> = Vec::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# ") {
                let (keyword, rest) = rest.split_once(' ').unwrap();
                let (name, rest) = rest.split_once(' ').unwrap();
                assert!(is_name(name), "{line}");
                assert!(!samples.iter().any(|it| family(&it.0) == name), "late: {line}");
                let known = match keyword {
                    "HELP" => helps.insert(name.to_owned(), rest.to_owned()),
                    "TYPE" => types.insert(name.to_owned(), rest.to_owned()),
                    _ => panic!("{line}"),
                };
                assert_eq!(known, None, "twice: {line}");
                continue;
            }
            let (name, rest) = line.split_at(line.find(['{', ' ']).unwrap());
            assert!(is_name(name) && name.starts_with("windlass_"), "{line}");
            let (labels, value) = match rest.strip_prefix('{') {
                Some(rest) => labels(rest),
                None => (BTreeMap::new(), rest),
            };
            let value: f64 = value.strip_prefix(' ').unwrap().parse().unwrap();
            assert!(value >= 0.0, "{line}");
            assert!(!samples.iter().any(|it| it.0 == name && it.1 == labels), "twice: {line}");
            // The samples of a family stand together.
            let family = family(name);
            let last = samples.iter().rposition(|it| self::family(&it.0) == family);
            assert!(last.is_none_or(|it| it + 1 == samples.len()), "apart: {line}");
            assert!(types.contains_key(family) && helps.contains_key(family), "{line}");
            samples.push((name.to_owned(), labels, value));
        }
        (types, samples)
    }

    fn family(name: &str) -> &str {
        let suffixes = ["_bucket", "_sum", "_count"];
        suffixes.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name)
    }

    fn is_name(name: &str) -> bool {
        let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == ':';
        !name.is_empty()
            && name.chars().all(is_part)
            && !name.starts_with(|it: char| it.is_ascii_digit())
    }

    /// The labels up to their brace, and what follows it.
    fn labels(mut rest: &str) -> (BTreeMap<String, String>, &str) {
        let mut labels = BTreeMap::new();
        loop {
            let (name, value) = rest.split_once("=\"").unwrap();
            assert!(is_name(name) && !name.contains(':'), "{name}");
            let mut text = String::new();
            let mut chars = value.chars();
            loop {
                match chars.next().unwrap() {
                    '"' => break,
                    '\\' => text.push(match chars.next().unwrap() {
                        'n' => '\n',
                        it @ ('"' | '\\') => it,
                        it => panic!("\\{it}"),
                    }),
                    it => text.push(it),
                }
            }
            assert_eq!(labels.insert(name.to_owned(), text), None);
            rest = chars.as_str();
            if let Some(behind) = rest.strip_prefix('}') {
                return (labels, behind);
            }
            rest = rest.strip_prefix(',').unwrap();
        }
    }

    fn counter(day: i64, name: &str, value: i64) -> Counter {
        Counter { day, name: name.to_owned(), value }
    }

    #[test]
    fn every_counter_becomes_a_sample_of_its_family() {
        let counters = [
            counter(1, "events_session_start", 2),
            counter(2, "events_session_start", 3),
            counter(2, "events_od\"d\\k\nind", 1),
            counter(2, "event_bytes", 99),
            counter(2, "prompt_length", 7),
            counter(2, "tool_usage", 9),
            counter(2, "tool_passed", 8),
            counter(2, "tool_failed", 1),
            counter(2, "bash_commands", 4),
            counter(2, "file_operations", 3),
            counter(2, "search_operations", 2),
            counter(2, "decisions_pass", 5),
        ];
        let (types, samples) = parse(&text(&counters, &[]));
        let is_counter = |kind: &str| kind == "counter";
        assert!(types.iter().all(|(name, kind)| is_counter(kind) == name.ends_with("_total")));
        assert_eq!(types.len(), FAMILIES.len());
        let value = |name: &str, label: Option<(&str, &str)>| {
            let labels: BTreeMap<_, _> =
                label.into_iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
            samples.iter().find(|it| it.0 == name && it.1 == labels).map(|it| it.2)
        };
        let events = |kind| value("windlass_events_total", Some(("event", kind)));
        assert_eq!(events("session-start"), Some(5.0));
        assert_eq!(events("od\"d\\k\nind"), Some(1.0));
        let results = |kind| value("windlass_tool_results", Some(("result", kind)));
        assert_eq!((results("passed"), results("usage")), (Some(8.0), None));
        assert_eq!(value("windlass_tool_usage_total", None), Some(9.0));
        assert_eq!(value("windlass_prompt_length_bytes_total", None), Some(7.0));
    }

    #[test]
    fn a_latency_becomes_a_histogram_whose_buckets_add_up() {
        let latency = |kind: &str, buckets: &[(i64, i64)]| Latency {
            day: 1,
            kind: kind.to_owned(),
            buckets: buckets.to_vec(),
        };
        let latencies =
            [latency("stop", &[(0, 1), (30, 5), (45, 2), (200, 1)]), latency("tool", &[(28, 4)])];
        let (types, samples) = parse(&text(&[], &latencies));
        assert_eq!(types, [(LATENCY.to_owned(), "histogram".to_owned())].into());
        for (kind, count) in [("stop", 9.0), ("tool", 4.0)] {
            let of = |name: &str| -> Vec<&Sample> {
                let name = format!("{LATENCY}{name}");
                samples.iter().filter(|it| it.0 == name && it.1["event"] == kind).collect()
            };
            let edge = |it: &Sample| match it.1["le"].as_str() {
                "+Inf" => f64::INFINITY,
                edge => edge.parse().unwrap(),
            };
            let buckets = of("_bucket");
            assert!(buckets.windows(2).all(|it| edge(it[0]) < edge(it[1]) && it[0].2 <= it[1].2));
            assert_eq!(buckets.last().map(|it| (edge(it), it.2)), Some((f64::INFINITY, count)));
            assert!((of("_count")[0].2 - count).abs() < 0.5 && of("_sum")[0].2 > 0.0);
        }
    }

    #[test]
    fn nothing_recorded_is_nothing_told() {
        assert_eq!(text(&[], &[]), "");
    }
}
