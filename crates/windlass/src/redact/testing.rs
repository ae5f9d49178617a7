//! Made-up secrets in the places where real ones are found, for tests at every level.

use super::rule::How;
use super::table::RULES;

/// A text that holds a secret.
#[derive(Debug, Clone)]
pub struct Canary {
    /// The rule that must find it.
    pub rule: &'static str,
    /// What must not be left.
    pub secret: String,
    /// The whole text.
    pub text: String,
}

/// Each rule's example in each place that it may stand in.
pub fn canaries() -> Vec<Canary> {
    let mut canaries = Vec::new();
    for rule in RULES {
        let secret = rule.example.secret.concat();
        let text = format!("{}{secret}{}", rule.example.before, closing(rule.example.before));
        let lines: &[&str] = match rule.how {
            How::Form(_) => FORM_PLACES,
            How::Host(_) => URL_PLACES,
            How::After(..) | How::Elsewhere => LINE_PLACES,
        };
        for place in lines {
            let text = place.replace("{}", &text);
            canaries.push(Canary { rule: rule.name, secret: secret.clone(), text });
        }
    }
    for &(before, secret, after) in WRITTEN {
        let text = format!("{before}{secret}{after}");
        canaries.push(Canary { rule: "", secret: secret.to_owned(), text });
    }
    canaries
}

fn closing(before: &str) -> &'static str {
    match before {
        "postgres://admin:" | "https://" => "@db.example.com/app",
        "jdbc:oracle:thin:scott/" => "@//db:1521/X",
        "net user bob " => " /add",
        "echo " => " | sudo -S apt update",
        "dsn root:" => "@tcp(db:3306)/app",
        "passwords: [" => "]",
        "tokens: [\"" => "\"]",
        "echo bob:" => " | chpasswd",
        it if it.contains(".login(") => "\")",
        it if it.contains("pgp_sym_encrypt(") => "')",
        it if it.ends_with('"') => "\"",
        it if it.ends_with('\'') => "'",
        _ => "",
    }
}

const FORM_PLACES: &[&str] = &[
    "{}",
    "first line\n{}\nlast line",
    "use {}, please.",
    "(`{}`)",
    "{\"value\": \"{}\", \"n\": 1}",
    "{\\\"value\\\":\\\"{}\\\"}",
    "a\\n{}\\nb",
    "value: '{}'",
    "curl -H 'X-Thing: {}' https://example.com",
    "export THING={}; run",
    "q=%22{}%22&x=1",
    "https://example.com/p?v={}&x=1",
    "\u{1b}[32m{}\u{1b}[0m",
    "grün: {}…",
    "@@ -1 +1 @@\n-{}\n+{}\n",
    "{\"diff\": \"@@ -1 +1 @@\\n+{}\\n\"}",
];

const URL_PLACES: &[&str] = &[
    "{}",
    "curl -d '{}' {}",
    "see {}.",
    "{\"url\":\"{}\"}",
    "[hook]({})",
    "a\\n{}\\nb",
    "HOOK={}\n",
];

const LINE_PLACES: &[&str] = &[
    "{}",
    "first line\n{}\nlast line",
    "    {}\n",
    "```\n{}\n```",
    "ran:\n\n{}\n\ndone.",
    "grün …\n{}",
    "\r\n{}\r\nnext",
];

/// Before, secret, after.
const WRITTEN: &[(&str, &str, &str)] = &[
    ("password: ", "hunter2", ""),
    ("password=", "hunter2", " user=x"),
    ("my password is ", "hunter2", ", ok?"),
    ("the password is `", "swordfish", "`"),
    ("Password: **", "hunter2-x", "**"),
    ("{\"password\":\"", "hunter2", "\"}"),
    ("{\\\"password\\\":\\\"", "hunter2", "\\\"}"),
    ("{\"password\" : \"", "p\\\"w 12", "\"}"),
    ("'password' => '", "hunter2", "',"),
    ("password := \"", "hunter2", "\""),
    ("password: str = \"", "hunter2", "\""),
    ("const dbPassword: string = '", "hunter2", "';"),
    ("config[\"password\"] = \"", "hunter2", "\""),
    ("os.environ['DB_PASSWORD'] = '", "hunter2", "'"),
    ("<password>", "hunter2", "</password>"),
    ("<add key=\"ApiKey\" value=\"", "a1b2c3d4e5", "\"/>"),
    ("- name: DB_PASSWORD\n  value: \"", "hunter2", "\"\n"),
    ("{\"name\": \"API_TOKEN\", \"value\": \"", "a1b2c3d4e5", "\"}"),
    ("DB_PASSWORD=", "p@ss;w,rd", "\nX=1"),
    ("export GITHUB_TOKEN='", "abc123def456", "'"),
    ("docker run -e MYSQL_ROOT_PASSWORD=", "hunter", " mysql:8"),
    ("ENV API_TOKEN=", "abcdefghijkl", "\n"),
    ("PGPASSWORD=", "hunter2", " psql -h db"),
    ("mysqldump -u root -p", "hunter2", " app > x.sql"),
    ("mysql -h db --password=", "hunter2", " app"),
    ("sshpass -p '", "hunter 2", "' ssh me@host"),
    ("docker login -u me -p ", "hunter2", " registry.example.com"),
    ("docker login --password ", "hunter2", " --username me"),
    ("vault login --token ", "abc123def456", ""),
    ("curl -u admin:", "hunter2", " https://example.com"),
    ("curl --user 'admin:", "hunter2", "' https://example.com"),
    ("machine example.com login me password ", "hunter2", "\n"),
    ("//npm.example.com/:_authToken=", "abc-123-def-456", "\n"),
    ("_auth = \"", "dXNlcjpwYXNzd29yZDEyMw==", "\""),
    ("Authorization: Basic ", "dXNlcjpwYXNz", ""),
    ("authorization: token ", "abcdef", "\n"),
    ("-H \"Authorization: Bearer ", "abc.def-ghi", "\""),
    ("\"Authorization\": \"Bearer ", "opaque-token-value", "\""),
    ("headers = {\"Authorization\": f\"Token ", "opaque1", "\"}"),
    ("Cookie: ", "session=abc; other=def", "\n"),
    ("set-cookie: ", "sid=s%3Aabc.def; Path=/; HttpOnly", "\r\n"),
    ("X-Api-Key: ", "a1b2c3d4e5", "\n"),
    ("x-auth-token: ", "a1b2c3d4e5", "\n"),
    ("https://user:", "p%40ss", "@example.com/x"),
    ("redis://:", "hunter2", "@cache:6379/0"),
    ("amqp://guest:", "gue5t!", "@mq"),
    ("mongodb+srv://u:", "pw", "@c0.mongodb.net"),
    ("postgres%3A%2F%2Fu%3A", "hunter2", "%40db%2Fapp"),
    ("git clone https://x-access-token:", "abcdef123456", "@github.com/o/r"),
    ("https://", "abcdef0123456789abcdef", "@github.com/o/r"),
    ("https://", "abcdef0123456789abcdef", ":x-oauth-basic@github.com/o/r"),
    ("Server=db;User Id=sa;Password=", "hunter2", ";Encrypt=true"),
    ("Server=db;Uid=sa;Pwd=", "hunter2", ";"),
    ("https://h/p?token=", "abc123def456", "&x=1"),
    ("https://h/p?a=1&api_key=", "abc123def456", "#f"),
    ("https://h/p%3Faccess_token%3D", "abc123def456", "%26x"),
    ("https://h/p?sig=", "aB3%2BcD4%2FeF5gH6", "&x=1"),
    ("https://h/p?X-Amz-Signature=", "0123456789abcdef0123456789abcdef", ""),
    ("redis.password=", "foobared", "\n"),
    ("DB_PASS=", "hunter2x", "\n"),
    ("user_pass: ", "hunter2", "\n"),
    ("CREATE USER bob IDENTIFIED BY '", "hunter2", "';"),
    ("ALTER USER bob WITH PASSWORD '", "hunter2", "';"),
    ("kubectl create secret generic x --from-literal=password=", "hunter2", ""),
    ("git -c http.extraheader=\"AUTHORIZATION: basic ", "dXNlcjpwYXNz", "\" fetch"),
    ("api key: ", "0123456789abcdef0123456789abcdef", ""),
    ("SENTRY_DSN=https://", "0123456789abcdef0123456789abcdef", "@o1.ingest.sentry.io/2"),
    ("client_secret: ", "Ab1~cD2.eF3_gH4", "\n"),
    ("clientSecret = '", "Ab1~cD2.eF3_gH4", "'"),
    ("spring.datasource.password=", "hunter2", "\n"),
    ("stripe.apiKey: \"", "a1b2c3d4e5", "\""),
    ("signing-key = \"", "a1b2c3d4e5", "\""),
    ("here is the token: ", "a1b2c3d4e5f6", "."),
    ("use secret ", "a1b2c3d4e5f6", " for it"),
    ("setEnv(\"DB_PASSWORD\", \"", "hunter2", "\")"),
    ("if password == \"", "hunter2", "\":"),
    ("the deploy token for staging, from Bob:\n", "Ab1Cd2Ef3Gh4Ij5Kl6Mn7", "\n"),
    ("API_TOKEN_2=", "abc123def456", "\n"),
    ("DB_PASSWORD_STAGING: \"", "hunter2", "\""),
    (
        "PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n",
        "AAAAIabcdefgh0123456789",
        "\nPrivate-MAC: 00",
    ),
    (
        "-----BEGIN OPENSSH PRIVATE KEY-----\\n",
        "b3BlbnNzaC1rZXktdjEAAAAA",
        "\\n-----END OPENSSH PRIVATE KEY-----\\n",
    ),
    (
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n",
        "lQOYBF0abcdefgh",
        "\n-----END PGP PRIVATE KEY BLOCK-----",
    ),
];
