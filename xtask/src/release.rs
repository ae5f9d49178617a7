//! The release build: static and at a fixed address wherever the target for it can be had.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::error::Error;
use crate::{host, print};

/// The static release of windlass.
pub(crate) fn build_static() -> Result<PathBuf, Error> {
    build(Some(&static_target()?))
}

/// The release for the host's own target, which starts slower.
pub(crate) fn build_for_host() -> Result<PathBuf, Error> {
    build(None)
}

// The target's flags are in `.cargo/config.toml`.
fn build(target: Option<&str>) -> Result<PathBuf, Error> {
    let mut command = host::cargo();
    command.args(["build", "--release", "--package", "windlass", "--bin", "windlass"]);
    command.arg("--message-format=json-render-diagnostics");
    if let Some(target) = target {
        command.args(["--target", target]);
    }
    // These two would replace the flags that make the build static.
    command.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let messages = host::output(command.stdin(Stdio::null()))?;
    executable(&messages).ok_or_else(|| Error::Unexpected {
        program: "cargo build".to_owned(),
        said: "no path of an executable".to_owned(),
    })
}

// Cargo says itself where it put the program, whatever its target directory is.
fn executable(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let mut paths = messages.filter_map(|it| it["executable"].as_str().map(PathBuf::from));
    paths.find(|it| it.file_name().is_some_and(|name| name == "windlass"))
}

// Adds the target where it is missing and rustup is there to add it.
fn static_target() -> Result<String, Error> {
    if !cfg!(target_os = "linux") {
        let reason = format!("{} has no static libc", std::env::consts::OS);
        return Err(Error::NoStaticTarget { reason });
    }
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let rustc = host::variable("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut where_to_look = Command::new(rustc);
    where_to_look.args(["--print", "target-libdir", "--target", &target]);
    let library = host::output(where_to_look.current_dir(host::root()))?;
    if PathBuf::from(library.trim()).is_dir() {
        return Ok(target);
    }
    if host::find("rustup").is_none() {
        let reason = format!("{target} is not installed, and there is no rustup to add it");
        return Err(Error::NoStaticTarget { reason });
    }
    print::line(format!("Adding the target {target}."));
    let mut add = Command::new("rustup");
    match host::run(add.args(["target", "add", &target]).current_dir(host::root())) {
        Ok(()) => Ok(target),
        Err(error) => Err(Error::NoStaticTarget { reason: error.with_causes() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_executable_among_the_messages() {
        let messages = concat!(
            r#"{"reason":"compiler-artifact","executable":null}"#,
            "\n",
            r#"{"reason":"compiler-artifact","executable":"/w/target/release/windlass"}"#,
            "\n",
            r#"{"reason":"build-finished","success":true}"#,
        );
        assert_eq!(executable(messages), Some(PathBuf::from("/w/target/release/windlass")));
        assert_eq!(executable("not JSON"), None);
    }
}
