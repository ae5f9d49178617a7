//! The lines with which builds say that they are done.
//!
//! A build that fails says so behind them, so that they close a run only where its end is visible.
//! A run of tests may build first and print the same lines, so that they say nothing of one.

/// How such a line begins, without marks before its words.
const BEGINNINGS: &[&str] = &[
    "built in ",
    "Built in ",
    "Compiled successfully",
    "Generating static pages (",
    "Build success in ",
    "Build complete in ",
    "Build complete!",
    "Build completed in ",
    "Done building in ",
    "Documentation built in ",
    "Successfully compiled ",
    "Successfully compiled: ",
    "Successfully built ",
    "Successfully tagged ",
    "Application bundle generation complete.",
    "Browser application bundle generation complete.",
    "0 Error(s)",
];

/// What stands in such a line.
const PARTS: &[&str] = &[" compiled successfully", "% Built target ", "%] Built target "];

/// Tells whether a line is one with which a build closes.
pub(super) fn closes_build(line: &str) -> bool {
    // Each has one of these words, and most lines have none of them.
    if ![
        "uil",
        "ompil",
        "rror(s)",
        "Generating",
        "generation",
        "naming",
        "Done",
        "created",
        "tagged",
        "[",
    ]
    .iter()
    .any(|it| line.contains(it))
    {
        return false;
    }
    let words = line.trim_start_matches(|it: char| !it.is_alphanumeric());
    // `ESM ⚡️ Build success in 42ms`, `DTS ⚡️ Build success in 812ms`
    let behind_label = line.rsplit_once("⚡️ ").map_or(words, |it| it.1);
    let begins = |text: &str| BEGINNINGS.iter().any(|it| text.starts_with(it));
    begins(words)
        || begins(behind_label)
        || PARTS.iter().any(|it| line.contains(it))
        || is_warned(line)
        || is_image(line)
        || is_last_step(line)
        || is_timed(line)
}

/// `webpack 5.91.0 compiled with 2 warnings in 812 ms`
fn is_warned(line: &str) -> bool {
    let rest = line.split_once("ompiled with ").map(|it| it.1);
    rest.is_some_and(|it| it.contains("warning") && !it.contains("error"))
}

/// `#8 naming to docker.io/library/app:latest done`
fn is_image(line: &str) -> bool {
    line.contains("naming to ") && line.trim_end_matches(|it: char| it != 'e').ends_with(" done")
}

/// `[12/12] Linking target app`
fn is_last_step(line: &str) -> bool {
    let step = line.strip_prefix('[').and_then(|it| it.split_once("] "));
    let numbers = step.and_then(|it| it.0.split_once('/'));
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    numbers.is_some_and(|(done, all)| done == all && is_number(done))
}

/// `⚡ Done in 11ms`, `created dist/index.js in 1.2s`
fn is_timed(line: &str) -> bool {
    let words = line.trim_start_matches(|it: char| !it.is_alphanumeric());
    let time = words.strip_prefix("Done in ").filter(|_| line.starts_with('⚡')).or_else(|| {
        words.strip_prefix("created ").and_then(|it| it.rsplit_once(" in ")).map(|it| it.1)
    });
    time.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::closes_build;

    #[test]
    fn a_build_closes_with_its_own_words() {
        for line in [
            "✓ built in 1.02s",
            "webpack 5.91.0 compiled successfully in 2204 ms",
            "webpack 5.91.0 compiled with 2 warnings in 812 ms",
            "✓ Compiled successfully in 4.1s",
            "Compiled successfully.",
            "✓ Generating static pages (12/12)",
            "ESM ⚡️ Build success in 42ms",
            "⚡ Done in 11ms",
            "created dist/index.js in 1.2s",
            "[100%] Built target app",
            "0 Error(s)",
            "#8 naming to docker.io/library/app:latest done",
            "#11 naming to docker.io/library/app:latest 0.0s done",
            "Successfully tagged app:latest",
            "[12/12] Linking target app",
            "✨ Built in 812ms",
        ] {
            assert!(closes_build(line), "{line}");
        }
    }

    #[test]
    fn other_lines_close_no_build() {
        for line in [
            "3 Error(s)",
            "10 Error(s)",
            "webpack 5.91.0 compiled with 1 error in 812 ms",
            "webpack compiled with 1 error and 2 warnings",
            "[ 90%] Building CXX object a.o",
            "[11/12] Linking target app",
            "[100%] Linking CXX executable app",
            "Not compiled",
            "naming to docker.io/library/app:latest",
            "renaming the module, done",
            "Done in 1.2s.",
            "nothing was built in this run",
            "Build failed in 812ms",
        ] {
            assert!(!closes_build(line), "{line}");
        }
    }
}
