//! Runs that end before they begin, because what they depend on cannot be found or fetched.
//!
//! Without a network, or behind a mirror, that says nothing of the work; where the session changed
//! the file that names the dependencies, it may be what the work broke.

use super::pairs::Pairs;

/// What says so wherever it stands in a line, in small letters.
#[rustfmt::skip]
const UNRESOLVED: &[&str] = &[
    // Of any tool.
    "failed to download", "failed to fetch", "unable to download", "could not download", "error downloading ",
    "could not resolve dependencies", "could not resolve host", "couldn't resolve host", "connection to the registry",
    "registry is unreachable",
    // Cargo.
    "no matching package named", "no matching package found", "failed to select a version for", "failed to get `",
    "as a dependency of package", "failed to load source for dependency", "spurious network error",
    "--offline was specified", "but --locked was passed", "because --locked was passed", "net.offline",
    // npm and its like.
    "code enotfound", "code etarget", "code e404", "code enotcached", "code eai_again", "code etimedout", "err_pnpm_no_offline",
    "err_pnpm_meta_fetch", "err_pnpm_fetch_", "err_pnpm_no_matching_version", "in our offline mirror", "couldn't find any versions for",
    "npm error network", "npm err! network", ": no candidates found", "downloading package manifest", "err_pnpm_outdated_lockfile",
    // Python.
    "no matching distribution found for", "could not find a version that satisfies the requirement",
    "no solution found when resolving", "all attempts to connect to pypi",
    // Go.
    "/@v/", "module lookup disabled by goproxy", "dial tcp: lookup proxy.", "updates to go.mod needed", "missing go.sum entry",
    // Java and its like.
    "one of its dependencies could not be resolved", "in offline mode and the artifact", "could not transfer artifact",
    "could not find artifact", "failed to read artifact descriptor", "could not resolve all ", "for offline mode.",
    "was not found in any of the following sources", "could not get 'http", "could not head 'http",
    "librarymanagement.resolveexception",
    // Others.
    "unable to load the service index", "error nu1101", "error nu1102", "error nu1301", "in locally installed gems",
    "could not reach host", "could not find gem ", "your requirements could not be resolved", "package fetch failed",
    "can't continue due to errors on dep", "failed to clone repository", "unable to access 'http", "version solving failed",
    "socket error trying to find package",
];

/// Files that name the dependencies of a project, or hold the versions that were chosen.
#[rustfmt::skip]
const MANIFESTS: &[&str] = &[
    "Cargo.toml", "Cargo.lock", "package.json", "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml",
    "pnpm-workspace.yaml", "bun.lock", "bun.lockb", "deno.json", "deno.lock", ".npmrc", ".yarnrc.yml", "pyproject.toml", "setup.py",
    "setup.cfg", "Pipfile", "Pipfile.lock", "poetry.lock", "uv.lock", "pdm.lock", "tox.ini", "noxfile.py", "environment.yml", "go.mod",
    "go.sum", "go.work", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts", "gradle.properties",
    "libs.versions.toml", "build.sbt", "plugins.sbt", "project.clj", "deps.edn", "Directory.Packages.props", "Directory.Build.props",
    "packages.config", "nuget.config", "NuGet.Config", "Gemfile", "Gemfile.lock", "composer.json", "composer.lock", "mix.exs", "mix.lock",
    "rebar.config", "Package.swift", "Package.resolved", "pubspec.yaml", "pubspec.lock", "stack.yaml", "package.yaml", "cabal.project",
    "WORKSPACE", "MODULE.bazel", "BUILD", "BUILD.bazel", "build.zig.zon",
];

/// How the names of such files end.
const MANIFEST_ENDINGS: &[&str] = &[".csproj", ".fsproj", ".vbproj", ".gemspec", ".cabal"];

/// Tells whether a line, in small letters, says that a dependency is not to be had.
pub(super) fn is_unresolved(line: &str, pairs: &Pairs) -> bool {
    UNRESOLVED.iter().any(|it| pairs.may_hold(it) && line.contains(it))
}

/// Tells whether a line says that a dependency is not to be had.
pub(super) fn says_unresolved(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    is_unresolved(&line, &Pairs::of(&line))
}

/// Tells whether a file names the dependencies of a project.
pub(crate) fn is_manifest(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_list = name
        .strip_prefix("requirements")
        .is_some_and(|it| it.rsplit_once('.').is_some_and(|it| it.1 == "txt"));
    is_list
        || MANIFESTS.contains(&name)
        || MANIFEST_ENDINGS.iter().any(|it| name.len() > it.len() && name.ends_with(it))
}

#[cfg(test)]
mod tests {
    use super::is_manifest;

    #[test]
    fn a_manifest_is_known_by_its_name() {
        for file in ["/p/Cargo.toml", "requirements-dev.txt", "/p/src/Demo.csproj", "/p/go.mod"] {
            assert!(is_manifest(file), "{file}");
        }
        for file in ["/p/src/a.rs", "/p/notes.txt", "/p/.csproj", "/p/jest.config.js"] {
            assert!(!is_manifest(file), "{file}");
        }
    }
}
