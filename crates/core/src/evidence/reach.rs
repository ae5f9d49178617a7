//! Whether a run can have tested a file, by the directory that it ran in and the parts that its
//! words choose.

use super::scripts::runs_elsewhere;
use super::selection::Selection;
use crate::path;

/// Directories whose tests may be about any part of a project, and directories of code that tests
/// elsewhere are about.
#[rustfmt::skip]
const SHARED: &[&str] = &[
    "src", "lib", "libs", "include", "internal", "pkg", "common", "shared", "core", "app", "cmd", "main", "source", "sources",
    "tests", "test", "spec", "specs", "__tests__", "t", "e2e", "integration", "integration-tests", "integration_tests",
    "testing", "qa", "cypress", "features", "build", "out", "dist", "target", "bin", "obj", "ci", "scripts", "script", "tools", "tool",
    "docker", "deploy", "infra", "config", "configs", "conf", "util", "utils", "types", "proto", "schema", "schemas", "docs",
    "examples", "benches", "bench", "migrations", "db", "assets", "static", "templates", "public", "vendor", "third_party",
];

/// Directories that hold packages.
#[rustfmt::skip]
const HOLDERS: &[&str] = &[
    "packages", "crates", "apps", "services", "modules", "plugins", "projects", "components", "libraries", "workspaces",
    "extensions",
];

/// Programs that start anything, wherever they are called.
const ANYWHERE: &[&str] =
    &["make", "gmake", "just", "task", "ctest", "docker", "docker-compose", "podman", "bash", "sh"];

/// Tells whether a directory of this name may test or hold any part of a project.
pub(crate) fn is_shared(name: &str) -> bool {
    SHARED.contains(&name)
}

/// Tells whether a run surely tests nothing of a file: it ran in another part of the project, or
/// chose another part. Where the parts cannot be told apart, it may have.
pub(crate) fn misses(command: &str, directory: &str, file: &str, root: &str) -> bool {
    let selection = Selection::of(command);
    let is_elsewhere = command.split_whitespace().next().is_some_and(runs_elsewhere);
    let is_anywhere = ANYWHERE.contains(&selection.program()) || is_elsewhere;
    if is_anywhere || !path::is_within(directory, root) {
        return false;
    }
    let is_apart = |place: &str| are_apart(place, file, root);
    if !path::is_below(file, directory) && is_apart(directory) {
        return true;
    }
    let places = selection.chosen_places(directory);
    if !places.is_empty() && places.iter().all(|it| !path::is_below(file, it) && is_apart(it)) {
        return true;
    }
    let mut names = selection.package_names().peekable();
    let Some(package) = package_of(path::below(file, root)) else { return false };
    names.peek().is_some() && names.all(|it| !shares_word(it, package))
}

/// Tells whether a place and a file lie in two parts of a project that stand side by side.
fn are_apart(place: &str, file: &str, root: &str) -> bool {
    let (place, file) = (path::below(place, root), path::below(file, root));
    let mut own = place.trim_matches('/').split('/').filter(|it| !it.is_empty());
    let mut others = file.trim_start_matches('/').split('/').peekable();
    loop {
        match (own.next(), others.next()) {
            (Some(one), Some(other)) if one == other => {}
            // The last name is that of the file itself.
            (Some(one), Some(other)) => {
                let is_part = |it: &str| !SHARED.contains(&it) && !it.starts_with('.');
                return others.peek().is_some() && is_part(one) && is_part(other);
            }
            _ => return false,
        }
    }
}

/// The directory of the package that holds a file, by the habits of projects.
pub(crate) fn package_of(file: &str) -> Option<&str> {
    let mut names = file.trim_start_matches('/').split('/');
    let mut name = names.next()?;
    if HOLDERS.contains(&name) {
        name = names.next()?;
    }
    (names.next().is_some() && !SHARED.contains(&name) && !name.starts_with('.')).then_some(name)
}

/// Tells whether two names share a word: `@acme/web-app` and `web`.
fn shares_word(package: &str, directory: &str) -> bool {
    let words = |it: &str| -> Vec<String> {
        let parts = it.split(['-', '_', '/', '.', '@', ':']).filter(|it| !it.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let own = words(directory);
    // `'./packages/*'`, `...[main]` and `!web` choose more than they name.
    package.contains(['*', '[', '!', '{', '^']) || words(package).iter().any(|it| own.contains(it))
}

/// Tells whether a text names the part of a project in which a file lies.
pub(crate) fn names_part(text: &str, file: &str, root: &str) -> bool {
    let Some(part) = package_of(path::below(file, root)) else { return false };
    let text = text.to_lowercase();
    let part = part.to_lowercase();
    part.len() > 2
        && text
            .split(|it: char| !it.is_alphanumeric() && it != '-' && it != '_')
            .any(|it| it == part)
}

#[cfg(test)]
mod tests {
    use super::{misses, names_part};

    #[test]
    fn a_run_in_a_container_may_have_tested_any_file() {
        for command in ["docker exec dev pytest -q", "distrobox enter dev -- pytest -q"] {
            assert!(!misses(command, "/p/backend", "/p/frontend/b.ts", "/p"), "{command}");
        }
    }

    #[test]
    fn a_run_in_another_part_misses_a_file() {
        for (command, directory, file) in [
            ("pytest -q", "/p/backend", "/p/frontend/b.ts"),
            ("npx vitest run", "/p/packages/a", "/p/packages/b/y.ts"),
            ("pytest -q", "/p/services/api", "/p/services/web/src/b.ts"),
            ("cargo test -p a", "/p", "/p/b/src/lib.rs"),
            ("cargo test -p acme-core", "/p", "/p/crates/web/src/lib.rs"),
            ("go test ./a/...", "/p", "/p/b/y.go"),
            ("go test ./a", "/p", "/p/b/y.go"),
            ("pnpm --filter a test", "/p", "/p/packages/b/y.ts"),
            ("pnpm --filter @acme/a test", "/p", "/p/packages/b/y.ts"),
            ("npm test -w a", "/p", "/p/packages/b/y.ts"),
            ("npm test --workspace=packages/a", "/p", "/p/packages/b/y.ts"),
            ("mvn test -pl api", "/p", "/p/web/src/main/java/A.java"),
            ("pytest services/api", "/p", "/p/services/web/a.py"),
        ] {
            assert!(misses(command, directory, file, "/p"), "{command} in {directory}: {file}");
        }
    }

    #[test]
    fn a_run_that_may_test_a_file_does_not_miss_it() {
        for (command, directory, file) in [
            ("pytest -q", "/p", "/p/frontend/b.ts"),
            ("pytest -q", "/p/backend", "/p/backend/app/b.py"),
            ("pytest -q", "/p/tests", "/p/backend/b.py"),
            ("pytest -q", "/p/backend", "/p/setup.py"),
            ("pytest -q", "/p/backend", "/p/shared/x.py"),
            ("pytest -q", "/q", "/p/backend/x.py"),
            ("ctest", "/p/build", "/p/parser/x.c"),
            ("make test", "/p/backend", "/p/frontend/x.ts"),
            ("npx playwright test", "/p/e2e", "/p/web/x.ts"),
            ("cargo test -p a", "/p", "/p/a/src/lib.rs"),
            ("cargo test -p acme-core", "/p", "/p/crates/core/src/lib.rs"),
            ("cargo test -p acme", "/p", "/p/src/lib.rs"),
            ("cargo test -p a -p b", "/p", "/p/b/src/lib.rs"),
            ("go test ./...", "/p", "/p/b/y.go"),
            ("go test ./a/... ./b/...", "/p", "/p/b/y.go"),
            ("pytest tests/test_core.py", "/p", "/p/backend/app.py"),
            ("npx jest src/a.test.ts", "/p", "/p/web/b.ts"),
            ("pnpm --filter './packages/*' test", "/p", "/p/packages/b/y.ts"),
            ("pnpm -r test", "/p", "/p/packages/b/y.ts"),
            ("cargo test --lib", "/p", "/p/crates/core/src/lib.rs"),
            ("cargo test parser", "/p", "/p/crates/core/src/lib.rs"),
        ] {
            assert!(!misses(command, directory, file, "/p"), "{command} in {directory}: {file}");
        }
    }

    #[test]
    fn a_text_names_a_part_by_its_directory() {
        assert!(names_part("The frontend tests pass.", "/p/frontend/b.ts", "/p"));
        assert!(names_part("API and web tests pass.", "/p/services/web/b.ts", "/p"));
        assert!(!names_part("The backend tests pass.", "/p/frontend/b.ts", "/p"));
        assert!(!names_part("The src tests pass.", "/p/src/b.ts", "/p"));
    }
}
