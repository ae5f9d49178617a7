//! Files that nobody is shown anything of: what they hold are mostly secrets.

/// Names of files; `*` at one of the ends stands for anything.
const FILES: &[&str] = &[
    "*.agekey",
    "*.asc",
    "*.cer",
    "*.crt",
    "*.der",
    "*.gpg",
    "*.jks",
    "*.kdb",
    "*.kdbx",
    "*.key",
    "*.keychain",
    "*.keystore",
    "*.mobileprovision",
    "*.ovpn",
    "*.p12",
    "*.p8",
    "*.pem",
    "*.pfx",
    "*.pgp",
    "*.pkcs12",
    "*.ppk",
    "*.tfstate",
    "*.tfstate.backup",
    "*.tfvars",
    "*.tfvars.json",
    "*_history",
    "*_rsa",
    "*_dsa",
    "*_ecdsa",
    "*_ed25519",
    ".dockercfg",
    ".dockerconfigjson",
    ".env*",
    "*.env",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".my.cnf",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".s3cfg",
    ".vault-token",
    ".yarnrc.yml",
    "authorized_keys",
    "client_secret*",
    "credentials",
    "credentials.*",
    "htpasswd",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    "id_rsa*",
    "kubeconfig",
    "master.key",
    "passwd",
    "password",
    "passwords",
    "password.*",
    "passwords.*",
    "secret",
    "secret.*",
    "secrets",
    "secrets.*",
    "service-account*",
    "service_account*",
    "shadow",
    "sops.*",
    "token",
    "token.txt",
    "tokens.json",
    "vault.*",
];
/// Directories in which everything is.
const DIRECTORIES: &[&str] = &[
    ".aws",
    ".azure",
    ".docker",
    ".git",
    ".gnupg",
    ".kube",
    ".secrets",
    ".ssh",
    ".terraform",
    "secrets",
];
/// What shows others how to make such a file.
const EXAMPLES: &[&str] = &["example", "sample", "template", "dist", "defaults"];
/// Code that is named after what it works with.
const CODE: &[&str] = &[
    "c", "cc", "cpp", "cs", "dart", "ex", "exs", "go", "h", "hs", "java", "js", "jsx", "kt", "lua",
    "md", "php", "py", "rb", "rs", "scala", "swift", "ts", "tsx", "vue", "zig",
];

/// Whether a file, named from the root of a project, is one of those.
pub fn is_private(path: &str) -> bool {
    let path = path.to_lowercase();
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
    if directory.split('/').any(|it| DIRECTORIES.contains(&it)) && !is_code(name) {
        return true;
    }
    // `.git` holds no code of anybody's.
    if directory.split('/').any(|it| it == ".git") {
        return true;
    }
    let is_example = name.split(['.', '-', '_']).any(|it| EXAMPLES.contains(&it));
    FILES.iter().any(|it| matches(it, name)) && !is_example && !is_code(name)
}

fn is_code(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|it| !it.0.is_empty() && CODE.contains(&it.1))
}

fn matches(pattern: &str, name: &str) -> bool {
    match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        (Some(end), _) => name.ends_with(end),
        (_, Some(begin)) => name.starts_with(begin),
        _ => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::{FILES, is_private};

    #[test]
    fn files_with_secrets_are_known_by_their_names() {
        for path in [
            ".env",
            ".env.local",
            "app/.ENV.production",
            "prod.env",
            ".envrc",
            "id_rsa",
            "a/id_ed25519.pub",
            "deploy_rsa",
            "server.pem",
            "server.KEY",
            ".npmrc",
            "x/.netrc",
            "secrets.yaml",
            "config/credentials.json",
            "credentials",
            "config/master.key",
            "main.tfvars",
            "terraform.tfstate",
            ".git/config",
            ".git/hooks/a.py",
            ".ssh/config",
            ".aws/config",
            "k8s/secrets/db.yaml",
            "service-account-prod.json",
            ".bash_history",
        ] {
            assert!(is_private(path), "{path}");
        }
    }

    #[test]
    fn code_that_is_named_after_them_is_none() {
        for path in [
            "src/secrets.rs",
            "secrets/mod.rs",
            "lib/credentials.py",
            "env.ts",
            "src/env.rs",
            ".env.example",
            ".env.sample",
            "environment.yml",
            "src/token.go",
            "keys.rs",
            "key.c",
            "docs/secrets.md",
            "src/cache.rs",
            "gitconfig",
            ".github/workflows/ci.yml",
            "",
        ] {
            assert!(!is_private(path), "{path}");
        }
    }

    #[test]
    fn every_row_can_match() {
        for row in FILES {
            let name = row.replace('*', "x");
            assert!(is_private(&name) && row.to_lowercase() == **row, "{row}");
        }
    }
}
