//! Ledgers for tests: in memory, made of records.

use std::time::Duration;

use serde_json::Value;

use crate::Host;
use crate::journal::Twins;
use crate::store::rows::Rows;
use crate::store::{Patience, Store, open};
use crate::surroundings::Surroundings;

/// A time.
pub(in crate::store) const NOW: i64 = 1_794_768_265_728;

/// The ledger of some records; their events get the ids 1, 2, 3.
pub(in crate::store) fn ledger(records: &[Value]) -> Store {
    let mut connection = open::in_memory().unwrap();
    let transaction = connection.transaction().unwrap();
    let host = Host::from_process();
    let around = Surroundings::new(&host);
    let mut rows = Rows::new(&transaction, (&around, &[]), 0, Twins::default());
    for (end, record) in (1..).zip(records) {
        rows.add(record.to_string().as_bytes(), end).unwrap();
    }
    rows.finish().unwrap();
    transaction.commit().unwrap();
    // A place for the lock of those who write.
    let data_dir = host.temporary_dir().join(format!("windlass-ledger-{}", std::process::id()));
    std::fs::create_dir_all(&data_dir).unwrap();
    let patience = Patience::For(Duration::from_mins(1));
    let (is_behind, reads_only, is_private) = (false, false, true);
    Store { connection, data_dir, patience, file: None, is_behind, reads_only, is_private }
}

/// Puts a decision upon an event.
pub(in crate::store) fn decide(store: &Store, event: i64, verdict: &str) {
    let write = "INSERT INTO decisions (event, verdict, asked, rules) VALUES
        (?1, ?2, 'go on', '[{\"rule\":\"rule\",\"said\":\"something\",\"us\":9}]')";
    store.connection.execute(write, (event, verdict)).unwrap();
    let write = "UPDATE events SET steps = '[1,2,3,4,5,6,7]' WHERE id = ?1";
    store.connection.execute(write, [event]).unwrap();
}
