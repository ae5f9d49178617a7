//! Counts and latencies, out of the events that are there and of what is left of those that went.

use std::collections::BTreeMap;

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Row};
use windlass_core::evidence::searches;

use super::Store;
use super::error::StoreError;
use crate::time::DAY;

/// Buckets of latency per doubling. A percentile is told to within a fifth.
const PER_DOUBLING: f64 = 4.0;

/// One count of one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Counter {
    /// Days since 1970.
    pub(crate) day: i64,
    pub(crate) name: String,
    pub(crate) value: i64,
}

/// How long the answers to one kind of event took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Latency {
    /// Days since 1970.
    pub(crate) day: i64,
    pub(crate) kind: String,
    /// Answers by bucket, the fastest first.
    pub(crate) buckets: Vec<(i64, i64)>,
}

/// The counts of the events that a condition chooses: day, name, value.
pub(super) fn counted(condition: &str) -> String {
    let rows = |name: &str, value: &str, more: &str| {
        format!(
            "SELECT events.at / {DAY} AS day, {name} AS name, {value} AS value
             FROM events {more} AND {condition}"
        )
    };
    [
        rows("'events_' || replace(kind, '-', '_')", "1", "WHERE true"),
        rows("'event_bytes'", "bytes", "WHERE true"),
        // A record that does not tell it counts as nothing; a sum of nothing would be no number.
        rows(
            "'prompt_length'",
            "coalesce(CAST(json_extract(body, '$.text_bytes') AS INTEGER), 0)",
            "WHERE kind = 'prompt'",
        ),
        rows("'tool_usage'", "1", "JOIN calls ON calls.event = events.id WHERE true"),
        rows(
            "CASE tool WHEN 'shell' THEN 'bash_commands' WHEN 'search' THEN 'search_operations'
             ELSE 'file_operations' END",
            "1",
            "JOIN calls ON calls.event = events.id
             WHERE tool IN ('shell', 'search', 'read', 'edit', 'write')",
        ),
        // A command line that looks for files or text is a search, too.
        rows(
            "'search_operations'",
            "1",
            "JOIN calls ON calls.event = events.id
             WHERE tool = 'shell' AND searches(coalesce(command, ''))",
        ),
        rows("'tool_' || result", "1", "JOIN calls ON calls.event = events.id WHERE true"),
        rows(
            "'decisions_' || verdict",
            "1",
            "JOIN decisions ON decisions.event = events.id WHERE true",
        ),
    ]
    .join(" UNION ALL ")
}

/// Lets queries ask whether a command line looks for files or text.
pub(super) fn add_searches(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("searches", 1, flags, |context| {
        Ok(context.get_raw(0).as_str().is_ok_and(searches))
    })
}

/// The buckets that the answers to the chosen events fall into: day, kind, bucket.
pub(super) fn bucketed(condition: &str) -> String {
    let bucket = bucket(0, LAST);
    format!(
        "SELECT at / {DAY} AS day, kind, {bucket} AS bucket
         FROM events WHERE took_us IS NOT NULL AND {condition}"
    )
}

/// The bucket of far more microseconds than any answer takes.
const LAST: u8 = 160;

/// Finds the bucket of `took_us` among some by halves: not every SQLite can take a logarithm.
fn bucket(first: u8, last: u8) -> String {
    if first == last {
        return first.to_string();
    }
    let middle = first + (last - first) / 2;
    let edge = within(i64::from(middle), 0.5);
    let (lower, upper) = (bucket(first, middle), bucket(middle + 1, last));
    format!("CASE WHEN took_us < {edge} THEN {lower} ELSE {upper} END")
}

/// A time of a bucket in microseconds: 0 is its middle, one half its upper edge.
#[expect(clippy::cast_precision_loss, reason = "a coarse scale")]
fn within(bucket: i64, place: f64) -> f64 {
    ((bucket as f64 + place) / PER_DOUBLING).exp2()
}

impl Latency {
    /// The time below which a share of the answers stayed, in microseconds.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let all = self.count() as f64;
        let mut below = 0;
        for (bucket, count) in &self.buckets {
            below += count;
            if below as f64 >= all * share {
                return within(*bucket, 0.0);
            }
        }
        0.0
    }

    /// How many answers there were.
    pub(crate) fn count(&self) -> i64 {
        self.buckets.iter().map(|(_, count)| count).sum()
    }

    /// Microseconds of all answers together, as near as the buckets tell.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub(crate) fn sum(&self) -> f64 {
        self.buckets.iter().map(|(bucket, count)| within(*bucket, 0.0) * *count as f64).sum()
    }

    /// How many answers there were up to some times, the same times whatever was measured: from
    /// about 0.1 ms to about 10 s, each twice the one before, in microseconds.
    pub(crate) fn cumulated(&self) -> Vec<(f64, i64)> {
        let edges = (27..=93).step_by(4);
        let up_to = |edge: i64| {
            let below = self.buckets.iter().filter(|(bucket, _)| *bucket <= edge);
            (within(edge, 0.5), below.map(|(_, count)| count).sum())
        };
        edges.map(up_to).collect()
    }

    /// The latencies of all days together, by kind.
    pub(crate) fn of_all_days(daily: &[Self]) -> Vec<Self> {
        let mut kinds: BTreeMap<&str, BTreeMap<i64, i64>> = BTreeMap::new();
        for Self { kind, buckets, .. } in daily {
            let all = kinds.entry(kind).or_default();
            for (bucket, count) in buckets {
                *all.entry(*bucket).or_default() += count;
            }
        }
        let day = daily.first().map_or(0, |it| it.day);
        let latency = |(kind, buckets): (&str, BTreeMap<i64, i64>)| Self {
            day,
            kind: kind.to_owned(),
            buckets: buckets.into_iter().collect(),
        };
        kinds.into_iter().map(latency).collect()
    }
}

impl Store {
    /// The counts of every day since one, by day and name.
    pub(crate) fn counters(&self, since_day: i64) -> Result<Vec<Counter>, StoreError> {
        let query = format!(
            "SELECT day, name, sum(value) FROM
             (SELECT day, name, value FROM counters UNION ALL {})
             WHERE day >= ?1 GROUP BY day, name ORDER BY day, name",
            counted("true"),
        );
        add_searches(&self.connection).map_err(StoreError::doing("count the searches"))?;
        let counter =
            |row: &Row<'_>| Ok(Counter { day: row.get(0)?, name: row.get(1)?, value: row.get(2)? });
        self.rows(&query, [since_day], counter, "count the events")
    }

    /// How long answers took since a day, by day and kind of event.
    pub(crate) fn latencies(&self, since_day: i64) -> Result<Vec<Latency>, StoreError> {
        let query = format!(
            "SELECT day, kind, bucket, sum(count) FROM
             (SELECT day, kind, bucket, count FROM latencies
              UNION ALL SELECT day, kind, bucket, 1 FROM ({}))
             WHERE day >= ?1 GROUP BY day, kind, bucket ORDER BY day, kind, bucket",
            bucketed("true"),
        );
        let latency = |row: &Row<'_>| {
            let buckets = vec![(row.get(2)?, row.get(3)?)];
            Ok(Latency { day: row.get(0)?, kind: row.get(1)?, buckets })
        };
        let rows = self.rows(&query, [since_day], latency, "read the latencies")?;
        let mut latencies: Vec<Latency> = Vec::new();
        for row in rows {
            match latencies.last_mut().filter(|it| (it.day, &it.kind) == (row.day, &row.kind)) {
                Some(latency) => latency.buckets.extend(row.buckets),
                None => latencies.push(row),
            }
        }
        Ok(latencies)
    }
}

#[cfg(test)]
mod tests {
    use super::{LAST, Latency, PER_DOUBLING, within};
    use crate::store::ledger::testing::{NOW, decide, ledger};
    use crate::store::{Store, prune};
    use crate::time::DAY;
    use serde_json::{Value, json};

    /// The bucket of a time, as the query computes it.
    fn bucket(us: i32) -> i64 {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let query = format!("SELECT {} FROM (SELECT ?1 AS took_us)", super::bucket(0, LAST));
        connection.query_row(&query, [us], |row| row.get(0)).unwrap()
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, reason = "a bucket is a small number")]
    fn a_bucket_is_a_quarter_of_a_doubling() {
        let times = (0..31).flat_map(|it| [1 << it, (1 << it) + 1, (1 << it) / 3 * 2]);
        for us in times.chain(0..300) {
            let exact = (f64::from(us.max(1)).log2() * PER_DOUBLING).round() as i64;
            assert_eq!(bucket(us), exact, "{us}");
        }
        assert!(!super::bucketed("true").contains("log2"), "not every SQLite has it");
    }

    fn latency(day: i64, buckets: Vec<(i64, i64)>) -> Latency {
        Latency { day, kind: "stop".to_owned(), buckets }
    }

    #[test]
    fn a_bucket_tells_a_time_to_within_a_fifth() {
        for us in [1, 7, 100, 163, 999, 12_345, 4_000_000] {
            let near = within(bucket(us), 0.0) / f64::from(us);
            assert!((0.8..1.2).contains(&near), "{us}: {near}");
        }
    }

    #[test]
    fn percentiles_count_answers_not_buckets() {
        let buckets = vec![(bucket(100), 98), (bucket(1000), 1), (bucket(10_000), 1)];
        let latency = latency(0, buckets);
        assert!(latency.percentile(0.5) < 150.0);
        assert!((800.0..1200.0).contains(&latency.percentile(0.99)));
        assert!(latency.percentile(1.0) > 8000.0);
    }

    #[test]
    fn cumulated_counts_hold_every_answer_at_its_time() {
        let times = [1, 163, 900, 2000, 40_000_000];
        let mut buckets: Vec<_> = times.iter().map(|it| (bucket(*it), 1)).collect();
        buckets.sort_unstable();
        let cumulated = latency(0, buckets).cumulated();
        assert!(cumulated.windows(2).all(|it| it[0].0 < it[1].0 && it[0].1 <= it[1].1));
        for (edge, count) in &cumulated {
            let below = times.iter().filter(|it| f64::from(**it) <= *edge).count();
            assert_eq!(*count, i64::try_from(below).unwrap(), "{edge}");
        }
        // The last one lies above every edge.
        assert_eq!(cumulated.last().unwrap().1, 4);
    }

    #[test]
    fn days_add_up() {
        let days = [latency(1, vec![(3, 1), (9, 2)]), latency(2, vec![(5, 4), (9, 1)])];
        let all = Latency::of_all_days(&days);
        assert_eq!(all, [latency(1, vec![(3, 1), (5, 4), (9, 3)])]);
    }

    /// Some events of every kind that is counted, over some days.
    fn events() -> Vec<Value> {
        let mut records = Vec::new();
        for index in 0..120_i64 {
            let (at, us) = (NOW - index % 5 * DAY, 50 + index * index * 7);
            let session = format!("s{}", index % 3);
            let results = ["passed", "failed", "unknown"];
            let tools = ["shell", "search", "read", "edit", "write", "agent", "mcp"];
            let mut record = json!({"event": "tool", "session": session, "at": at, "us": us,
                "bytes": index, "name": "Name", "tool": tools[usize::try_from(index).unwrap() % 7],
                "result": results[usize::try_from(index).unwrap() % 3]});
            match index % 4 {
                0 => record["event"] = json!("prompt"),
                1 => record["event"] = json!("session-start"),
                _ => {}
            }
            // Of the days before the last two, no prompt tells its length.
            if index % 5 < 2 {
                record["text_bytes"] = json!(index * 3);
            }
            if index % 6 == 0 {
                record["us"] = Value::Null;
            }
            records.push(record);
        }
        records
    }

    #[test]
    fn prompts_that_tell_no_length_count_as_nothing() {
        let store = ledger(&[json!({"event": "prompt", "session": "s", "at": NOW})]);
        let counters = store.counters(0).unwrap();
        let length = counters.iter().find(|it| it.name == "prompt_length").unwrap();
        assert_eq!((length.day, length.value), (NOW / DAY, 0));
        let odd = json!({"event": "prompt", "session": "s", "at": NOW, "text_bytes": "many"});
        assert_eq!(ledger(&[odd]).counters(0).unwrap(), counters);
    }

    #[test]
    fn every_metric_that_is_promised_is_counted() {
        let store = ledger(&events());
        decide(&store, 1, "pass");
        let counters = store.counters(0).unwrap();
        for name in [
            "prompt_length",
            "tool_usage",
            "bash_commands",
            "file_operations",
            "search_operations",
            "event_bytes",
            "events_prompt",
            "events_session_start",
            "events_tool",
            "tool_passed",
            "tool_failed",
            "tool_unknown",
            "decisions_pass",
        ] {
            assert!(counters.iter().any(|it| it.name == name && it.value > 0), "{name}");
        }
        let usage = |name: &str| -> i64 {
            counters.iter().filter(|it| it.name == name).map(|it| it.value).sum()
        };
        assert_eq!(usage("tool_usage"), 60);
        let by_result = usage("tool_passed") + usage("tool_failed") + usage("tool_unknown");
        assert_eq!(by_result, 60);
    }

    #[test]
    fn whatever_part_is_pruned_the_totals_stay() {
        let mut seed = 11_u64;
        for _ in 0..20 {
            let mut store = ledger(&events());
            (1..=120).step_by(9).for_each(|it| decide(&store, it, "pass"));
            (2..=120).step_by(27).for_each(|it| decide(&store, it, "ask"));
            let totals = |store: &Store| (store.counters(0).unwrap(), store.latencies(0).unwrap());
            let before = totals(&store);
            let mut pruned = 0;
            // Part after part, until nothing is left.
            for _ in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (part, of) = ((seed >> 33) % 5, 5);
                let choose = format!("SELECT id FROM events WHERE id * 7 % {of} = {part}");
                pruned += prune::batch(&mut store, &choose, prune::count_and_delete).unwrap();
                assert_eq!(totals(&store), before);
            }
            pruned +=
                prune::batch(&mut store, "SELECT id FROM events", prune::count_and_delete).unwrap();
            assert_eq!((pruned, totals(&store)), (120, before));
            let left = store.connection.query_row("SELECT count(*) FROM calls", [], |it| it.get(0));
            assert_eq!(left, Ok(0));
        }
    }
}
