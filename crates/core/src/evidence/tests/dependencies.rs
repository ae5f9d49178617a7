//! Runs whose dependencies cannot be found or fetched: nothing was tried, so nothing failed.

use super::super::{Gap, judge, recognise};
use super::judge::{FAILED, PASSED};
use crate::testing::Session;
use crate::{Excerpt, Outcome, Verdict};

#[rustfmt::skip]
const UNRESOLVED: &[(&str, &str)] = &[
    ("cargo test --offline", "error: no matching package named `serde` found\nlocation searched: crates.io index\nrequired by package `demo v0.1.0 (/p)`\nAs a reminder, you're using offline mode (--offline) which can sometimes cause surprising resolution failures, if this error is too confusing you may wish to retry without `--offline`."),
    ("cargo test --offline", "error: no matching package found\nsearched package name: `serde`\nperhaps you meant:      serde_json\nlocation searched: crates.io index\nrequired by package `demo v0.1.0 (/p)`"),
    ("cargo test", "    Updating crates.io index\nerror: failed to get `serde` as a dependency of package `demo v0.1.0 (/p)`\n\nCaused by:\n  download of config.json failed\n\nCaused by:\n  [7] Could not connect to server (Failed to connect to 127.0.0.1 port 1)"),
    ("cargo test --offline", "error: failed to download `serde v1.0.200`\n\nCaused by:\n  attempting to make an HTTP request, but --offline was specified"),
    ("cargo test --locked", "error: the lock file /p/Cargo.lock needs to be updated but --locked was passed to prevent this"),
    ("cargo test", "error: failed to select a version for the requirement `serde = \"^2\"`\ncandidate versions found which didn't match: 1.0.200\nlocation searched: crates.io index\nrequired by package `demo v0.1.0 (/p)`"),
    ("cargo test", "error: failed to load source for dependency `foo`\n\nCaused by:\n  Unable to update https://github.com/x/foo\n\nCaused by:\n  failed to clone into: /root/.cargo/git/db/foo"),
    ("npm ci && npm test", "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND\nnpm error network request to https://registry.npmjs.org/x failed"),
    ("npm install && npm test", "npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for left-pad@^9.0.0."),
    ("npm install && npm test", "npm error code E404\nnpm error 404 Not Found - GET https://registry.npmjs.org/@x%2fy - Not found"),
    ("npm install --offline && npm test", "npm error code ENOTCACHED\nnpm error request to https://registry.npmjs.org/x failed: cache mode is 'only-if-cached' but no cached response is available."),
    ("pnpm install --offline && pnpm test", " ERR_PNPM_NO_OFFLINE_TARBALL  A package is missing from the store but cannot download it in offline mode. The missing package may be downloaded from https://registry.npmjs.org/x"),
    ("pnpm install --offline && pnpm test", " ERR_PNPM_NO_OFFLINE_META  Failed to resolve x@^1.0.0 in package mirror /root/.cache"),
    ("pnpm install && pnpm test", " ERR_PNPM_META_FETCH_FAIL  GET https://registry.npmjs.org/x: request to https://registry.npmjs.org/x failed, reason: getaddrinfo ENOTFOUND registry.npmjs.org"),
    ("yarn install && yarn test", "error An unexpected error occurred: \"https://registry.yarnpkg.com/x: getaddrinfo ENOTFOUND registry.yarnpkg.com\"."),
    ("yarn install --offline && yarn test", "error Couldn't find any versions for \"x\" that matches \"^1\" in our offline mirror"),
    ("yarn test", "Internal Error: x@npm:1.0.0: No candidates found"),
    ("yarn test", "➤ YN0001: │ RequestError: getaddrinfo EAI_AGAIN registry.yarnpkg.com"),
    ("bun install && bun test", "error: ConnectionRefused downloading package manifest x"),
    ("bun install && bun test", "error: GET https://registry.npmjs.org/x - 404"),
    ("pip install -r requirements.txt && pytest", "ERROR: Could not find a version that satisfies the requirement requests (from versions: none)\nERROR: No matching distribution found for requests"),
    ("tox", "py311: install_deps> python -I -m pip install pytest\nERROR: Could not find a version that satisfies the requirement pytest (from versions: none)\nERROR: No matching distribution found for pytest\npy311: exit 1 (1.20 seconds) /p> python -I -m pip install pytest pid=1\n  py311: FAIL code 1 (1.30 seconds)\n  evaluation failed :( (1.40 seconds)"),
    ("nox", "nox > Running session tests\nnox > python -m pip install pytest\nERROR: No matching distribution found for pytest\nnox > Command python -m pip install pytest failed with exit code 1\nnox > Session tests failed."),
    ("uv run pytest", "  × No solution found when resolving dependencies:\n  ╰─▶ Because requests was not found in the cache and your project depends on requests, we can conclude that your project's requirements are unsatisfiable.\n      hint: Packages were unavailable because the network was disabled."),
    ("uv run pytest", "error: Request failed after 3 retries\n  Caused by: Failed to fetch: `https://pypi.org/simple/pytest/`"),
    ("poetry install && poetry run pytest", "  All attempts to connect to pypi.org failed.\n\nProbable Causes:\n - the server is not responding"),
    ("go test ./...", "go: example.com/x@v1.0.0: Get \"https://proxy.golang.org/example.com/x/@v/v1.0.0.mod\": dial tcp: lookup proxy.golang.org on 127.0.0.11:53: server misbehaving"),
    ("go test ./...", "go: github.com/x/y@v1.2.0: module lookup disabled by GOPROXY=off"),
    ("go test ./...", "a.go:4:2: github.com/x/y@v1.2.0: Get \"https://proxy.golang.org/github.com/x/y/@v/v1.2.0.zip\": dial tcp 142.250.1.1:443: connect: connection refused\nFAIL\tdemo [setup failed]\nFAIL"),
    ("go test ./...", "go: updates to go.mod needed; to update it:\n\tgo mod tidy"),
    ("mvn -o test", "[ERROR] Failed to execute goal on project demo: Could not resolve dependencies for project com.x:demo:jar:1.0: Cannot access central (https://repo.maven.apache.org/maven2) in offline mode and the artifact org.junit:junit:jar:5 has not been downloaded from it before. -> [Help 1]\n[INFO] BUILD FAILURE"),
    ("mvn test", "[INFO] BUILD FAILURE\n[ERROR] Plugin org.apache.maven.plugins:maven-surefire-plugin:3.2.5 or one of its dependencies could not be resolved: Failed to read artifact descriptor"),
    ("./gradlew test --offline", "FAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':compileTestJava'.\n> Could not resolve all files for configuration ':testCompileClasspath'.\n   > Could not resolve org.junit:junit-bom:5.10.0.\n     Required by:\n         project :\n      > No cached version of org.junit:junit-bom:5.10.0 available for offline mode.\n\nBUILD FAILED in 1s"),
    ("./gradlew test", "Downloading https://services.gradle.org/distributions/gradle-8.5-bin.zip\nException in thread \"main\" java.net.UnknownHostException: services.gradle.org"),
    ("./gradlew test", "* What went wrong:\nPlugin [id: 'x', version: '1'] was not found in any of the following sources:\n\nBUILD FAILED in 1s"),
    ("dotnet test", "/p/x.csproj : error NU1301: Unable to load the service index for source https://api.nuget.org/v3/index.json."),
    ("dotnet test", "/p/x.csproj : error NU1101: Unable to find package xunit. No packages exist with this id in source(s): nuget.org"),
    ("bundle exec rspec", "Could not find rspec-3.12.0 in locally installed gems (Bundler::GemNotFound)"),
    ("bundle install && bundle exec rspec", "Could not reach host index.rubygems.org. Check your network connection and try again."),
    ("composer install && vendor/bin/phpunit", "curl error 6 while downloading https://repo.packagist.org/packages.json: Could not resolve host: repo.packagist.org"),
    ("mix test", "** (Mix) Package fetch failed and no cached copy available (https://repo.hex.pm/tarballs/x-1.0.0.tar)"),
    ("mix test", "Unchecked dependencies for environment test:\n* jason (Hex package)\n  the dependency is not available, run \"mix deps.get\"\n** (Mix) Can't continue due to errors on dependencies"),
    ("swift test", "error: failed to clone repository https://github.com/apple/x:\n    fatal: unable to access 'https://github.com/apple/x/': Could not resolve host: github.com"),
    ("flutter test", "Got socket error trying to find package x at https://pub.dev."),
    ("dart test", "Because demo depends on x any which doesn't exist (could not find package x in cache), version solving failed."),
    ("sbt test", "[error] sbt.librarymanagement.ResolveException: Error downloading org.scalatest:scalatest_2.13:3.2.0\n[error]   Not found"),
    ("lein test", "Could not transfer artifact x:x:pom:1 from/to central (https://repo1.maven.org/maven2/): repo1.maven.org"),
    ("stack test", "HttpExceptionRequest Request {\n  host = \"hackage.haskell.org\"\n}\n ConnectionFailure Network.Socket.getAddrInfo (called with preferred socket type/protocol: does not exist (Temporary failure in name resolution)"),
    ("cabal test", "Error: cabal: Could not resolve dependencies:\n[__0] trying: demo-0.1 (user goal)\n[__1] unknown package: hspec (dependency of demo)"),
    ("bazel test //...", "ERROR: Error downloading [https://github.com/x.tar.gz] to /root/x.tar.gz: Unknown host: github.com\nERROR: Analysis of target '//:a' failed; build aborted"),
    ("deno test", "error: Import 'https://deno.land/std/assert.ts' failed.\n    0: error sending request for url (https://deno.land/std/assert.ts): client error (Connect): dns error: failed to lookup address information"),
    ("npx vitest run", "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo"),
];

#[test]
fn a_run_without_its_dependencies_never_ran() {
    for (command, output) in UNRESOLVED {
        for (line, told) in
            [((*command).to_owned(), FAILED), (format!("{command} 2>&1 | tail -40"), PASSED)]
        {
            let runs = recognise(&line, &[]);
            let judged = judge(runs.last().expect(&line), told, &Excerpt::of(*output));
            let found = (judged.outcome, judged.gap.is_some());
            assert_eq!(found, (Outcome::Unknown, true), "{line}: {output}");
        }
    }
}

#[test]
fn what_was_tried_and_failed_is_no_want_of_a_dependency() {
    for (command, output) in [
        (
            "cargo test",
            "error[E0432]: unresolved import `serde`\nerror: could not compile `demo` (lib)",
        ),
        (
            "cargo test",
            "test get ... FAILED\nfailed to download\ntest result: FAILED. 1 passed; 1 failed",
        ),
        ("npx vite build", "error during build:\nCould not resolve \"./a\" from \"src/main.ts\""),
        (
            "go test ./...",
            "a.go:4:2: no required module provides package example.com/y; to add it:\nFAIL\tdemo [setup failed]",
        ),
        (
            "pytest",
            "E   ImportError: No matching distribution found for x\nFAILED tests/test_a.py::test_a\n1 failed in 0.1s",
        ),
        (
            "tox",
            "E   assert 1 == 2\n1 failed, 2 passed in 0.1s\n  py311: FAIL code 1 (1.30 seconds)",
        ),
    ] {
        let runs = recognise(command, &[]);
        let judged = judge(&runs[0], FAILED, &Excerpt::of(output));
        assert!(matches!(judged.outcome, Outcome::Failed(_)), "{command}: {output}: {judged:?}");
    }
}

#[test]
fn a_dependency_that_the_session_asked_for_is_part_of_the_work() {
    let output =
        "error: no matching package named `serde` found\nlocation searched: crates.io index";
    for (file, command, output, is_asked) in [
        ("/p/src/b.rs", "cargo test --offline", output, false),
        ("/p/Cargo.toml", "cargo test --offline", output, true),
        ("/p/package.json", "npm install && npm test", "npm error code ETARGET", true),
        (
            "/p/requirements.txt",
            "pip install -r requirements.txt && pytest",
            "ERROR: No matching distribution found for requests",
            true,
        ),
        // No tool and no network: the manifest says nothing about that.
        ("/p/Cargo.toml", "cargo test", "bash: cargo: command not found", false),
    ] {
        for (message, is_asked) in [("Done.", is_asked), ("All tests pass.", true)] {
            let mut session = Session::new();
            session.prompt("go").edit("/p/src/a.rs").edit(file).shell(command, Err(1), output);
            let verdict = session.stop(message);
            assert_eq!(matches!(verdict, Verdict::Ask(_)), is_asked, "{file}: {verdict:?}");
        }
    }
}

#[test]
fn an_ask_after_a_run_without_its_dependencies_says_what_was_missing() {
    let mut session = Session::new();
    session.prompt("go").edit("/p/src/a.rs");
    session.shell(
        "cargo test --offline",
        Err(101),
        "error: no matching package named `serde` found",
    );
    let Verdict::Ask(text) = session.stop("All tests pass.") else { panic!() };
    assert!(
        text.contains("could not start: error: no matching package named 'serde' found"),
        "{text}"
    );
    assert_eq!(session.work.runs[0].gap, Some(Gap::NotStarted));
}
