//! `import memories` of what other tools keep: the notes of the client, and the database of
//! claude-mem, in every shape that it had.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::imports::{CAUSE, RULE, SESSION, World, append};
use crate::support::{outside, said, write};

/// What another project learned.
const OTHER: &str = "The importer reads dates as UTC, although the file has local time.";

/// The shape that fresh databases have: tables and columns that are read, and some that are not.
const SCHEMA: &str = "
    CREATE TABLE schema_versions (id INTEGER PRIMARY KEY, version INTEGER UNIQUE NOT NULL,
        applied_at TEXT NOT NULL);
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT,
        content_session_id TEXT UNIQUE NOT NULL, memory_session_id TEXT UNIQUE,
        project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT,
        started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL,
        status TEXT NOT NULL DEFAULT 'active');
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
        title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT,
        files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0,
        content_hash TEXT, merged_into_project TEXT, metadata TEXT, created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL,
        FOREIGN KEY (memory_session_id) REFERENCES sdk_sessions (memory_session_id),
        UNIQUE (memory_session_id, content_hash));
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT,
        memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT,
        learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT,
        notes TEXT, prompt_number INTEGER, merged_into_project TEXT, created_at TEXT NOT NULL,
        created_at_epoch INTEGER NOT NULL);
    CREATE TABLE directives (id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL
        DEFAULT 'global', project TEXT, content TEXT NOT NULL, status TEXT NOT NULL DEFAULT 'active',
        created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);";

/// A row of `observations`.
fn observe(database: &Connection, project: &str, kind: &str, row: &Value) {
    let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
    let list = |name: &str| row.get(name).map(Value::to_string);
    let write = "INSERT INTO observations (memory_session_id, project, type, title, subtitle,
        narrative, facts, concepts, files_read, files_modified, created_at, created_at_epoch)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, '2025-01-02T03:04:05.000Z', 1735787045000)";
    let values = params![
        text("session").unwrap_or_else(|| "m-1".to_owned()),
        project,
        kind,
        text("title"),
        text("subtitle"),
        text("narrative"),
        list("facts"),
        list("concepts"),
        list("files_read"),
        list("files_modified"),
    ];
    database.execute(write, values).unwrap();
}

/// A home with a database of claude-mem, and two projects in which sessions were.
struct Mem {
    world: World,
    path: PathBuf,
}

impl Mem {
    fn new(schema: &str) -> (Self, Connection) {
        let world = World::new();
        append(&world.transcript(SESSION), &world.conversation());
        let path = world.home.path().join(".claude-mem/claude-mem.db");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let database = Connection::open(&path).unwrap();
        database.execute_batch("PRAGMA foreign_keys = OFF").unwrap();
        database.execute_batch(schema).unwrap();
        (Self { world, path }, database)
    }

    /// Imports it from a directory that is no project of it.
    fn import(&self, code: i32) -> String {
        said(&self.run(), code)
    }

    fn run(&self) -> std::process::Output {
        let elsewhere = self.world.home.path().join("elsewhere/.git");
        fs::create_dir_all(&elsewhere).unwrap();
        write(&elsewhere.join("HEAD"), b"ref: refs/heads/main\n");
        let path = self.path.to_str().unwrap();
        let directory = elsewhere.parent().unwrap();
        outside(self.world.home.path(), directory, &["import", "memories", path])
    }

    /// Each record: its project, its category, its text and its fields.
    fn kept(&self) -> Vec<Value> {
        let query =
            "SELECT projects.name AS project, category, title, text, body, trust, state, made_at
            FROM memories LEFT JOIN projects ON projects.id = memories.project ORDER BY text";
        self.world.home.query(query)
    }
}

/// The files of a directory with their bytes.
fn bytes(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<_> = entries.map(|it| (it.clone(), fs::read(&it).unwrap())).collect();
    files.sort();
    files
}

/// The request of the session that is summed up.
const REQUEST: &str = "Mend the cache";

/// Something of each kind.
fn fill(mem: &Mem, database: &Connection) {
    let session = "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project,
        started_at, started_at_epoch) VALUES (?1, 'm-1', 'p', '', 0)";
    database.execute(session, [SESSION]).unwrap();
    let root = mem.world.home.path().join("p");
    let row = json!({"title": "Tenants share a cache", "subtitle": "The key is too short.",
        "narrative": CAUSE, "facts": ["The key is `page:ID`.", "Two tenants have page 7."],
        "concepts": ["gotcha"], "files_modified": [root.join("src/cache.rs")],
        "files_read": ["src/tenant.rs"]});
    observe(database, "whatever", "bugfix", &row);
    let row = json!({"narrative": "We use SQLite, because one file is easy to copy.",
        "title": "SQLite", "facts": ["No server is needed."]});
    observe(database, "p", "decision", &row);
    // Nobody knows where these are; one of them has two names, as claude-mem calls worktrees.
    observe(database, "gone/branch", "discovery", &json!({"session": "m-9", "narrative": OTHER}));
    // What was done is no knowledge, unless it says more.
    observe(database, "p", "change", &json!({"narrative": "Renamed a file."}));
    observe(
        database,
        "p",
        "feature",
        &json!({"narrative": "Added a button.",
        "concepts": ["what-changed"]}),
    );
    let row = json!({"narrative": "The lock is taken before the file is opened now.",
        "concepts": ["why-it-exists"]});
    observe(database, "p", "change", &row);
    observe(
        database,
        "p",
        "discovery",
        &json!({"narrative": "<private>The code is 4711.</private>"}),
    );
    let row =
        json!({"narrative": "The port is taken by a proxy. <private>It belongs to Kim.</private>"});
    observe(database, "p", "discovery", &row);
    let summary =
        "INSERT INTO session_summaries (memory_session_id, project, request, investigated,
        learned, completed, next_steps, notes, files_edited, created_at, created_at_epoch)
        VALUES ('m-1', 'p', ?1, ?2, ?3, ?4, ?5, NULL, '[\"src/cache.rs\"]', '', 1735787045)";
    database
        .execute(summary, [REQUEST, "The key.", RULE, "- Keys name tenants\n- Tests", "Deploy it"])
        .unwrap();
    database.execute(summary, params![REQUEST, None::<String>, "", "", ""]).unwrap();
    let directive =
        "INSERT INTO directives (project, content, status, created_at, created_at_epoch)
        VALUES ('p', ?1, ?2, '', 1735787045000)";
    database.execute(directive, ["Use tabs and never spaces.", "active"]).unwrap();
    database.execute(directive, ["Use spaces and never tabs.", "retired"]).unwrap();
}

#[test]
fn what_claude_mem_observed_becomes_candidates_of_the_projects_it_was_in() {
    let (mem, database) = Mem::new(SCHEMA);
    fill(&mem, &database);
    drop(database);
    let before = bytes(mem.path.parent().unwrap());

    let root = mem.world.home.path().join("p");
    let text = mem.import(0);
    assert!(text.contains("Imported 1 file with 7 statements: 7 new candidates"), "{text}");
    assert!(text.contains(&format!("{}: 6\n", root.display())), "{text}");
    let here = mem.world.home.path().join("elsewhere");
    assert!(text.contains(&format!("{}: 1\n", here.display())), "{text}");
    let nowhere = "1 record of `gone/branch`: nothing tells where that is, so here: ";
    assert!(text.contains(nowhere), "{text}");
    for left in [
        "1 × `change` that only says what was done",
        "1 × `feature` that only says what was done",
        "1 × observation with nothing in it, or nothing that is not private",
        "1 × summary that says only what was wanted",
        "1 × directive that holds no more",
        "Next: `windlass candidates --all` lists them",
        "`windlass remember --candidate ID…`",
        "`windlass candidates reject ID…`",
    ] {
        assert!(text.contains(left), "{left} is not in\n{text}");
    }
    let kept = mem.kept();
    assert_eq!(kept.len(), 7);
    let find = |words: &str| {
        let found = kept.iter().find(|it| it["text"].as_str().unwrap().contains(words));
        let found = found.unwrap_or_else(|| panic!("{words} is not in {kept:#?}"));
        let body: Value = serde_json::from_str(found["body"].as_str().unwrap()).unwrap();
        (found, body)
    };
    let (cause, body) = find(CAUSE);
    assert_eq!((&cause["project"], &cause["category"]), (&json!("p"), &json!("discovery")));
    assert_eq!(cause["title"], "Tenants share a cache");
    assert_eq!(cause["text"], format!("The key is too short.\n{CAUSE}"));
    assert_eq!(body["files"], json!(["src/cache.rs", "src/tenant.rs"]), "{body}");
    assert!(body.to_string().contains("Two tenants have page 7."), "{body}");
    let (decision, body) = find("We use SQLite");
    assert_eq!(decision["category"], "decision");
    assert!(body.to_string().contains("No server is needed."), "{body}");
    assert_eq!(find(OTHER).0["project"], "elsewhere");
    assert_eq!(find("The lock is taken").0["category"], "discovery");
    assert_eq!(find("Use tabs").0["category"], "preference");
    assert_eq!(find("taken by a proxy").0["text"], "The port is taken by a proxy.");
    let (summary, body) = find(RULE);
    assert_eq!(
        (&summary["category"], &summary["title"]),
        (&json!("session-summary"), &json!(REQUEST))
    );
    assert!(body.to_string().contains("Keys name tenants"), "{body}");
    for memory in &kept {
        assert_eq!((&memory["state"], &memory["trust"]), (&json!("candidate"), &json!("import")));
        assert_eq!(memory["made_at"], 1_735_787_045_000_i64, "{memory}");
    }
    for private in ["4711", "Kim"] {
        assert_eq!(mem.world.home.columns_with(private), Vec::<String>::new());
    }
    assert_eq!(bytes(mem.path.parent().unwrap()), before, "nothing of it is touched");

    let before = mem.world.everything();
    let again = mem.import(0);
    assert!(again.contains("0 new candidates, 0 known, 7 dropped"), "{again}");
    assert!(again.contains("Nothing is new."), "{again}");
    assert_eq!(mem.world.everything(), before);
}

#[test]
fn what_was_imported_is_settled_in_a_few_calls_from_anywhere() {
    let (mem, database) = Mem::new(SCHEMA);
    fill(&mem, &database);
    drop(database);
    mem.import(0);
    let listed = mem.world.run(&["candidates", "--all"], 0);
    let ids = mem.world.home.query("SELECT id FROM memories ORDER BY id");
    let ids: Vec<_> = ids.iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert!(ids.len() == 7 && ids.iter().all(|it| listed.contains(it)), "{listed}");
    mem.world.run(&["remember", "--candidate", ids[0], ids[1]], 0);
    mem.world.run(&["candidates", "reject", ids[2], ids[3], ids[4]], 0);
    let states = "SELECT state, count(*) AS count FROM memories GROUP BY state ORDER BY state";
    let count = |state: &str, count: usize| json!({"state": state, "count": count});
    let expected = [count("active", 2), count("candidate", 2), count("rejected", 3)];
    assert_eq!(mem.world.home.query(states), expected);
    // Neither comes back.
    assert!(mem.import(0).contains("0 new candidates, 0 known, 7 dropped"));
}

#[test]
fn every_shape_that_the_database_ever_had_is_read() {
    // Sessions and columns had other names, and observations nothing but a text.
    let (mem, database) = Mem::new(
        "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT,
            claude_session_id TEXT UNIQUE NOT NULL, sdk_session_id TEXT UNIQUE,
            project TEXT NOT NULL);
        CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT,
            sdk_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL,
            type TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);",
    );
    let session = "INSERT INTO sdk_sessions (claude_session_id, sdk_session_id, project)
        VALUES (?1, 's-1', 'x')";
    database.execute(session, [SESSION]).unwrap();
    let write = "INSERT INTO observations (sdk_session_id, project, text, type, created_at,
        created_at_epoch) VALUES ('s-1', 'x', ?1, 'discovery', '', 1735787045000)";
    database.execute(write, [CAUSE]).unwrap();
    drop(database);
    assert!(mem.import(0).contains("1 new candidate"));
    assert_eq!(mem.kept()[0]["project"], "p");

    // The first one called them memories.
    let (mem, database) = Mem::new(
        "CREATE TABLE sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT UNIQUE NOT NULL,
            project TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
        CREATE TABLE memories (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
            text TEXT NOT NULL, document_id TEXT UNIQUE, keywords TEXT, created_at TEXT NOT NULL,
            created_at_epoch INTEGER NOT NULL, project TEXT NOT NULL, archive_basename TEXT,
            origin TEXT NOT NULL DEFAULT 'transcript', title TEXT, subtitle TEXT, facts TEXT,
            concepts TEXT, files_touched TEXT);
        CREATE TABLE overviews (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
            content TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL,
            project TEXT NOT NULL, origin TEXT NOT NULL DEFAULT 'claude');",
    );
    let write = "INSERT INTO memories (session_id, text, created_at, created_at_epoch, project,
        title, files_touched) VALUES (?1, ?2, '2025-01-02T03:04:05Z', 0, 'x', 'A title', 'a.rs, b.rs')";
    database.execute(write, [SESSION, CAUSE]).unwrap();
    let write = "INSERT INTO overviews (session_id, content, created_at, created_at_epoch, project)
        VALUES ('none', ?1, '', 0, 'p')";
    database.execute(write, [OTHER]).unwrap();
    drop(database);
    assert!(mem.import(0).contains("2 new candidates"));
    let kept = mem.kept();
    assert!(kept.iter().all(|it| it["project"] == "p"), "{kept:#?}");
    let memory = kept.iter().find(|it| it["text"] == CAUSE).unwrap();
    assert_eq!(memory["made_at"], 1_735_787_045_000_i64);
    let body: Value = serde_json::from_str(memory["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["files"], json!(["a.rs", "b.rs"]));
}

#[test]
fn a_database_in_use_is_read_with_its_log_and_left_as_it_is() {
    let (mem, database) = Mem::new(SCHEMA);
    database.execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0").unwrap();
    observe(&database, "p", "discovery", &json!({"narrative": CAUSE}));
    let log = mem.path.with_extension("db-wal");
    let read = |it: &Path| fs::read(it).unwrap();
    let before = (read(&mem.path), read(&log));
    assert!(!before.1.is_empty());
    assert!(mem.import(0).contains("1 new candidate"));
    assert_eq!((read(&mem.path), read(&log)), before);

    // What a copy of it has: a log, and nobody who has it open. Nothing is made beside it.
    let (other, empty) = Mem::new("");
    drop(empty);
    let directory = other.path.parent().unwrap();
    fs::copy(&mem.path, &other.path).unwrap();
    fs::copy(&log, other.path.with_extension("db-wal")).unwrap();
    let before = bytes(directory);
    assert!(other.import(0).contains("1 new candidate"));
    assert_eq!(bytes(directory), before);
    let left = fs::read_dir(other.world.home.data()).unwrap();
    let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    assert!(left.iter().all(|it| !it.to_string_lossy().contains("claude-mem")), "{left:?}");

    // One that is in its mode and has no log; and a directory in which nothing can be made.
    database.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(database);
    let (third, empty) = Mem::new("");
    drop(empty);
    fs::copy(&mem.path, &third.path).unwrap();
    let directory = third.path.parent().unwrap();
    let before = bytes(directory);
    fs::set_permissions(directory, fs::Permissions::from_mode(0o500)).unwrap();
    let text = third.import(0);
    fs::set_permissions(directory, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(text.contains("1 new candidate"), "{text}");
    assert_eq!(bytes(directory), before);
}

#[test]
fn a_damaged_or_foreign_database_is_told_of_and_what_could_be_read_is_kept() {
    let (mem, database) = Mem::new("CREATE TABLE embeddings (id INTEGER PRIMARY KEY)");
    drop(database);
    let text = mem.import(1);
    assert!(
        text.contains("it holds none of the tables of claude-mem; give the `claude-mem.db`"),
        "{text}"
    );

    let (mem, database) = Mem::new(SCHEMA);
    for number in 0..400 {
        let narrative =
            format!("{} {}", CAUSE.replace("tenant", &format!("client{number}")), "x".repeat(500));
        observe(&database, "p", "discovery", &json!({"narrative": narrative}));
    }
    let summary = "INSERT INTO session_summaries (memory_session_id, project, learned, created_at,
        created_at_epoch) VALUES ('m', 'p', ?1, '', 1)";
    database.execute(summary, [OTHER]).unwrap();
    drop(database);
    let whole = fs::read(&mem.path).unwrap();
    // A page with one of the last rows becomes rubbish.
    let at = whole.windows(9).position(|it| it == b"client390").unwrap() / 4096 * 4096;
    let mut broken = whole.clone();
    broken[at..at + 4096].fill(0xa5);
    write(&mem.path, &broken);
    let text = mem.import(1);
    assert!(
        text.contains("read its table `observations`; what was read before is imported"),
        "{text}"
    );
    assert!(text.contains("stop claude-mem and run it again"), "{text}");
    let kept = mem.kept();
    assert!(kept.len() > 100, "{}: {text}", kept.len());
    assert!(kept.iter().any(|it| it["text"].as_str().unwrap().contains(OTHER)), "the other tables");
    // Mended, the rest comes.
    write(&mem.path, &whole);
    mem.import(0);
    assert!(mem.kept().len() > kept.len());

    for damage in
        [&whole[..50], &whole[..5000], &[b"SQLite format 3\0".as_slice(), &[7; 4096]].concat()]
    {
        write(&mem.path, damage);
        let text = mem.import(1);
        assert!(
            text.contains("it cannot be understood as a database") || text.contains("table"),
            "{text}"
        );
    }
}

/// Pages of a long value that are missing read as nothing, and no error.
#[test]
fn a_database_that_lost_its_end_is_said_to_be_damaged() {
    let (mem, database) = Mem::new(SCHEMA);
    let narrative = format!("{CAUSE} {}", "and more words ".repeat(4000));
    observe(&database, "p", "discovery", &json!({"narrative": narrative}));
    drop(database);
    let whole = fs::read(&mem.path).unwrap();
    mem.import(0);
    for pages in 1..8 {
        write(&mem.path, &whole[..whole.len() - pages * 4096]);
        let text = mem.import(1);
        assert!(text.contains("damaged"), "{pages}: {text}");
    }
    // A page of a long value that is gone within the file.
    let mut holes = whole.clone();
    let at = holes.len() - 3 * 4096;
    holes[at..at + 4096].fill(0);
    write(&mem.path, &holes);
    let text = mem.import(1);
    assert!(text.contains("damaged"), "{text}");
}

/// Damage that leads back to where the reader was: rows that come again and again, whose numbers do
/// not grow.
#[test]
fn a_database_whose_pages_lead_in_circles_ends() {
    let (mem, database) = Mem::new(SCHEMA);
    for number in 0..400 {
        let narrative =
            format!("{} {}", CAUSE.replace("tenant", &format!("client{number}")), "x".repeat(500));
        let row = json!({"narrative": narrative, "session": format!("m-{number}")});
        observe(&database, "p", "discovery", &row);
    }
    let session = "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project,
        started_at, started_at_epoch) VALUES (?1, ?1, 'p', '', 0)";
    for number in 0..400 {
        database.execute(session, [format!("m-{number:0500}")]).unwrap();
    }
    let root = |name: &str| -> usize {
        let query = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let page: i64 = database.query_row(query, [name], |row| row.get(0)).unwrap();
        usize::try_from(page).unwrap()
    };
    let roots = ["observations", "sdk_sessions"].map(root);
    drop(database);
    let whole = fs::read(&mem.path).unwrap();
    for root in roots {
        let page = (root - 1) * 4096;
        assert_eq!(whole[page], 5, "a page that refers to others");
        let cells = usize::from(u16::from_be_bytes([whole[page + 3], whole[page + 4]]));
        let child = |cell: usize| {
            let at = page + 12 + 2 * cell;
            page + usize::from(u16::from_be_bytes([whole[at], whole[at + 1]]))
        };
        let first: [u8; 4] = whole[child(0)..child(0) + 4].try_into().unwrap();
        let leads_to = |target: [u8; 4]| {
            let mut broken = whole.clone();
            (0..cells).for_each(|it| broken[child(it)..child(it) + 4].copy_from_slice(&target));
            broken[page + 8..page + 12].copy_from_slice(&target);
            broken
        };
        // All lead to the first leaf, or back to the page itself.
        for broken in [leads_to(first), leads_to(u32::try_from(root).unwrap().to_be_bytes())] {
            write(&mem.path, &broken);
            let output = mem.run();
            let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(output.status.code().is_some(), "{text}");
            assert!(text.contains("table") || text.contains("candidate"), "{text}");
        }
    }
}

#[test]
fn a_hostile_database_is_no_trouble() {
    let endless =
        "WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c";
    let (mem, database) = Mem::new(&format!(
        "{} CREATE VIEW overviews AS {endless}; CREATE TABLE memories (text TEXT PRIMARY KEY) WITHOUT ROWID;",
        SCHEMA.replace("title TEXT, subtitle TEXT,", "title BLOB, odd TEXT,"),
    ));
    let write =
        "INSERT INTO observations (memory_session_id, project, type, narrative, title, facts,
        files_read, created_at, created_at_epoch) VALUES ('m', ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let long = "words and more of them, ".repeat(1000);
    database
        .execute(
            write,
            params![
                "../../etc",
                "\u{1b}[31modd",
                long,
                vec![0_u8, 255],
                "{\"a\": 1}",
                "not json",
                "",
                -5
            ],
        )
        .unwrap();
    let huge = "y".repeat(3 << 20);
    database
        .execute(write, params!["p", "discovery", huge, CAUSE, "[1, null]", "[]", "x", i64::MAX])
        .unwrap();
    database
        .execute("INSERT INTO observations (memory_session_id, project, type, narrative, created_at,
            created_at_epoch) VALUES ('m', 'p', 'discovery', CAST(x'fffe54686520c3a9' AS TEXT), '', 1)", [])
        .unwrap();
    drop(database);
    let text = mem.import(1);
    assert!(text.contains("read its table `memories`"), "{text}");
    assert!(text.contains("3 new candidates"), "{text}");
    assert!(text.contains("the middle of the text, which is too long"), "{text}");
    assert!(text.contains("a value that is too long to be read"), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
    let kept = mem.kept();
    assert!(kept.iter().all(|it| it["text"].as_str().unwrap().len() <= 4000));
}

#[test]
fn the_notes_of_the_client_go_to_the_project_they_were_made_in() {
    let world = World::new();
    let folder = |name: &str| world.home.projects().join(name).join("memory");
    let encoded = |path: &Path| -> String {
        let dashed = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        path.to_str().unwrap().chars().map(dashed).collect()
    };
    let note = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        write(path, text.as_bytes());
    };
    // A folder with conversations, whose name says nothing.
    append(&world.transcript(SESSION), &world.conversation());
    note(
        &folder("-p").join("MEMORY.md"),
        &format!("# Memory\n\n- [Cache](cache.md) — on tenants\n- {OTHER}\n"),
    );
    let topic = format!(
        "---\nname: cache of tenants\ndescription: all that was learned of it\ntype: project\n---\n\n{CAUSE}\n"
    );
    note(&folder("-p").join("cache.md"), &topic);
    note(&folder("-p").join("state.json"), "{}");
    // One of a repository in whose subdirectories alone anybody worked.
    let repository = world.home.path().join("big_one");
    fs::create_dir_all(repository.join(".git")).unwrap();
    write(&repository.join(".git/HEAD"), b"ref: refs/heads/main\n");
    let below = repository.join("sub");
    fs::create_dir_all(&below).unwrap();
    let row = json!({"type": "user", "sessionId": "s", "cwd": below, "message": {"role": "user", "content": "x"}});
    let sessions = world.home.projects().join(encoded(&below));
    fs::create_dir_all(&sessions).unwrap();
    append(&sessions.join("s.jsonl"), &format!("{row}\n"));
    note(&folder(&encoded(&repository)).join("MEMORY.md"), &format!("- {RULE}\n"));
    // One that nothing tells of, and a link that leads back.
    note(&folder("-gone-for-good").join("MEMORY.md"), "- Nobody knows where this was learned.\n");
    symlink(world.home.projects(), world.home.projects().join("-loop")).unwrap();
    symlink(world.home.path(), world.home.projects().join("-p/memory/loop")).unwrap();

    let text = world.run(&["import", "memories"], 1);
    assert!(text.contains("Imported 3 files with 3 statements: 3 new candidates"), "{text}");
    let gone = folder("-gone-for-good");
    let said = format!(
        "{}: nothing tells which project its notes belong to; change to that project, \
        and give this directory to `windlass import memories`",
        gone.display()
    );
    assert!(text.contains(&said), "{text}");
    let query = "SELECT projects.name AS project, text, trust FROM memories
        JOIN projects ON projects.id = memories.project ORDER BY project, text";
    let kept = world.home.query(query);
    let kept: Vec<_> = kept
        .iter()
        .map(|it| (it["project"].as_str().unwrap(), it["text"].as_str().unwrap()))
        .collect();
    assert_eq!(kept, [("big_one", RULE), ("p", OTHER), ("p", CAUSE)]);
    let before = world.everything();
    assert!(world.run(&["import", "memories"], 1).contains("0 new candidates"));
    assert_eq!(world.everything(), before);

    // As it says.
    let project = world.home.path().join("p");
    let gone = gone.to_str().unwrap();
    let text = crate::support::said(
        &outside(world.home.path(), &project, &["import", "memories", gone]),
        0,
    );
    assert!(text.contains("1 new candidate"), "{text}");
}

#[test]
fn what_is_imported_is_told_once_when_a_session_begins() {
    let world = World::new();
    append(&world.transcript(SESSION), &world.conversation());
    world.run(&["import", "transcripts"], 0);
    let start = |session: &str| {
        let payload = json!({"hook_event_name": "SessionStart", "session_id": session,
            "cwd": world.home.path().join("p"), "source": "startup"});
        let output = world.home.hook(payload.to_string());
        String::from_utf8(output.stdout).unwrap()
    };
    let told = start("one");
    assert!(
        told.contains("2 imported candidates are not settled: `windlass candidates` lists them"),
        "{told}"
    );
    assert!(!told.contains("tenant"), "{told}");
    assert_eq!(start("two"), "");
}
