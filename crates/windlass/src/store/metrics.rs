//! Counts and latencies, out of the events that are there and of what is left of those that went.

use rusqlite::Row;

use super::Store;
use super::error::StoreError;

const DAY: i64 = 24 * 60 * 60 * 1000;

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
        rows("'prompt_length'", "json_extract(body, '$.text_bytes')", "WHERE kind = 'prompt'"),
        rows("'tool_usage'", "1", "JOIN calls ON calls.event = events.id WHERE true"),
        rows(
            "CASE tool WHEN 'shell' THEN 'bash_commands' WHEN 'search' THEN 'search_operations'
             ELSE 'file_operations' END",
            "1",
            "JOIN calls ON calls.event = events.id
             WHERE tool IN ('shell', 'search', 'read', 'edit', 'write')",
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

/// The buckets that the answers to the chosen events fall into: day, kind, bucket.
pub(super) fn bucketed(condition: &str) -> String {
    format!(
        "SELECT at / {DAY} AS day, kind,
         CAST(round(log2(max(took_us, 1)) * {PER_DOUBLING}) AS INTEGER) AS bucket
         FROM events WHERE took_us IS NOT NULL AND {condition}"
    )
}

/// The middle of a bucket, in microseconds.
#[expect(clippy::cast_precision_loss, reason = "a coarse scale")]
fn middle(bucket: i64) -> f64 {
    (bucket as f64 / PER_DOUBLING).exp2()
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
                return middle(*bucket);
            }
        }
        0.0
    }

    /// How many answers there were.
    pub(crate) fn count(&self) -> i64 {
        self.buckets.iter().map(|(_, count)| count).sum()
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
        let counter =
            |row: &Row<'_>| Ok(Counter { day: row.get(0)?, name: row.get(1)?, value: row.get(2)? });
        self.rows(&query, [since_day], counter, "count the events")
    }

    /// How long answers took since a day, by kind of event.
    pub(crate) fn latencies(&self, since_day: i64) -> Result<Vec<Latency>, StoreError> {
        let query = format!(
            "SELECT kind, bucket, sum(count) FROM
             (SELECT day, kind, bucket, count FROM latencies
              UNION ALL SELECT day, kind, bucket, 1 FROM ({}))
             WHERE day >= ?1 GROUP BY kind, bucket ORDER BY kind, bucket",
            bucketed("true"),
        );
        let row = |row: &Row<'_>| {
            Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        };
        let rows = self.rows(&query, [since_day], row, "read the latencies")?;
        let mut latencies: Vec<Latency> = Vec::new();
        for (kind, bucket, count) in rows {
            match latencies.last_mut().filter(|it| it.kind == kind) {
                Some(latency) => latency.buckets.push((bucket, count)),
                None => latencies.push(Latency { kind, buckets: vec![(bucket, count)] }),
            }
        }
        Ok(latencies)
    }
}

#[cfg(test)]
mod tests {
    use super::{Latency, PER_DOUBLING, middle};

    /// The bucket of a time, as the query computes it.
    fn bucket(us: i32) -> i64 {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        let query = format!("SELECT CAST(round(log2(max(?1, 1)) * {PER_DOUBLING}) AS INTEGER)");
        connection.query_row(&query, [us], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_bucket_tells_a_time_to_within_a_fifth() {
        for us in [1, 7, 100, 163, 999, 12_345, 4_000_000] {
            let near = middle(bucket(us)) / f64::from(us);
            assert!((0.8..1.2).contains(&near), "{us}: {near}");
        }
    }

    #[test]
    fn percentiles_count_answers_not_buckets() {
        let buckets = vec![(bucket(100), 98), (bucket(1000), 1), (bucket(10_000), 1)];
        let latency = Latency { kind: "stop".to_owned(), buckets };
        assert!(latency.percentile(0.5) < 150.0);
        assert!((800.0..1200.0).contains(&latency.percentile(0.99)));
        assert!(latency.percentile(1.0) > 8000.0);
    }
}
