//! Hands the linker the order of the functions that a hook runs, for the static release.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=hook.ld");
    #[expect(clippy::disallowed_methods, reason = "cargo speaks to a build script this way")]
    let of_target = |name: &str| env::var(name).unwrap_or_default();
    if of_target("CARGO_CFG_TARGET_ENV") == "musl" {
        let script = format!("{}/hook.ld", of_target("CARGO_MANIFEST_DIR"));
        println!("cargo::rustc-link-arg-bins=-Wl,-T,{script}");
    }
}
