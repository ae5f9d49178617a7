//! Classes of secrets that a tester found to be missed, and what looks like each of them and is none.

use super::clean;

/// A text, and what must not be left of it.
#[rustfmt::skip]
const FOUND: &[(&str, &str)] = &[
    // Arguments.
    ("impacket-psexec bob:ncxvjcnqcMUP6n0a@10.0.0.5", "ncxvjcnq"), ("secretsdump.py corp/bob:lanternwillow@dc01", "lanternwillow"), ("winrs -r:h -u:bob -p:lanternwillow dir", "lanternwillow"), ("hydra -l bob -p lanternwillow ssh://h", "lanternwillow"),
    ("radtest bob lanternwillow h 0 sec", "lanternwillow"), ("lpass login bob@x.y <<< lanternwillow", "lanternwillow"), ("vault login <<< lanternwillow7", "lanternwillow7"), ("steamcmd +login bob lanternwillow +quit", "lanternwillow"),
    ("curl --oauth2-bearer lanternwillow h", "lanternwillow"), ("curl -b \"session=SWhg!tH8Lmy43\" h", "SWhg!tH8"), ("curl -H \"Authorization: Bearer 4gfq*c5XlrW26\" h", "c5XlrW26"), ("Bearer 4gfq!c5XlrW26", "c5XlrW26"),
    ("app --token lanternwillow", "lanternwillow"), ("docker build --build-arg NPM_TOKEN=lanternwillow .", "lanternwillow"), ("curl 'https://h/?api_key=lanternwillow'", "lanternwillow"), ("export GITHUB_PAT=\"lanternwillow\"", "lanternwillow"), ("wg set wg0 private-key <(echo SWhg!tH8Lmy43)", "tH8Lmy43"),
    ("sed -i 's|@DB_PASSWORD@|lanternwillow7|g' x.conf", "lanternwillow7"), ("sed -i 's/__API_TOKEN__/SWhgXtH8Lmy43q/' x.conf", "SWhgXtH8"),
    // Protocols and settings.
    ("USER bob\nPASS lanternwillow", "lanternwillow"), ("PASS SWhg!tH8Lmy43\r\n230 Login ok", "tH8Lmy43"), ("AUTH PLAIN AGJvYgBTV2hnIXRIOExteTQz", "AGJvYgBT"), ("echo \"::add-mask::lanternwillow\"", "lanternwillow"), ("basicAuth: bob:lanternwillow", "lanternwillow"), ("remotepass = SWhg!tH8Lmy43", "tH8Lmy43"), ("PassCmd \"echo lanternwillow\"", "lanternwillow"),
    ("{\"auths\":{\"r.io\":{\"auth\":\"SWhg4tH8Lmy43\"}}}", "SWhg4tH8"), ("{\"ParameterKey\":\"MasterUserPassword\",\"ParameterValue\":\"lanternwillow\"}", "lanternwillow"), ("plain-text-password-value lanternwillow", "lanternwillow"), ("<meta name=\"csrf-token\" content=\"lanternwillow\">", "lanternwillow"), ("{\"apiKey\": \"lanternwillow\"}", "lanternwillow"), ("secrets: {\"stripe\": \"SWhg!tH8Lmy43\"}", "tH8Lmy43"), ("| id | api_key |\n|---|---|\n| 1 | lanternwillow |", "lanternwillow"), ("psk = lanternwillow", "lanternwillow"),
    ("a1 LOGIN bob SWhg!tH8Lmy43", "tH8Lmy43"), ("AUTH LOGIN SWhg4tH8Lmy43xQ", "SWhg4tH8"), ("NickServ IDENTIFY SWhg!tH8Lmy43", "tH8Lmy43"), ("{\"bearer\": \"SWhg!tH8Lmy43\"}", "tH8Lmy43"), ("JWT_KEY=SWhg!tH8Lmy43", "tH8Lmy43"),
    // Code.
    ("bcrypt.hashSync(\"lanternwillow\", 10)", "lanternwillow"), ("Fernet(\"lanternwillow\")", "lanternwillow"), ("new SecretKeySpec(\"lanternwillow\".getBytes(), \"AES\")", "lanternwillow"), ("page.type(\"#pw\", \"lanternwillow\")", "lanternwillow"), ("page.fill('#password', 'lanternwillow')", "lanternwillow"), ("cy.get(\"[name=password]\").type(\"lanternwillow\")", "lanternwillow"), ("fill_in \"Password\", with: \"Lanternwillow\"", "Lanternwillow"),
    ("my $pass = q(lanternwillow);", "lanternwillow"), ("password = %q{lanternwillow}", "lanternwillow"), ("local password = [[lanternwillow]]", "lanternwillow"), ("let password = r#\"lanternwillow\"#;", "lanternwillow"), ("Password = <<\"lanternwillow\">>.", "lanternwillow"), ("INSERT INTO api_keys VALUES (1,'SWhg4tH8Lmy43');", "SWhg4tH8"), ("INSERT INTO secrets (name, value) VALUES ('a', 'SWhg!tH8Lmy43');", "tH8Lmy43"), ("jwt.sign({ id: 1 }, 'lanternwillow')", "lanternwillow"), ("expect \"*assword:\"\nsend \"lanternwillow\\r\"", "lanternwillow"),
    ("set_secret(\"db\", \"SWhg!tH8Lmy43\")", "tH8Lmy43"), ("keyring.set_password(\"svc\", \"bob\", \"SWhg!tH8Lmy43\")", "tH8Lmy43"), ("session.auth = (\"bob\", \"SWhg!tH8Lmy43\")", "tH8Lmy43"), ("page.type(\"input[name=password]\", \"SWhg!tH8Lmy43\")", "tH8Lmy43"),
    // Messages.
    ("password authentication failed: tried \"SWhg!tH8Lmy43\"", "tH8Lmy43"), ("Incorrect API key provided: SWhg!tH8Lmy43.", "tH8Lmy43"), ("auth failed: token \"lanternwillow\" is invalid", "lanternwillow"), ("Access denied for user bob (using password: lanternwillow)", "lanternwillow"),
    // Sentences.
    ("use bob:SWhg!tH8Lmy43 for the staging server", "tH8Lmy43"), ("Use bob:lanternwillow for the staging server", "lanternwillow"), ("log in with bob / lanternwillow on staging", "lanternwillow"), ("login with bob:Lantern2024", "Lantern2024"), ("log in as bob with SWhg!tH8Lmy43", "tH8Lmy43"), ("the wifi key is SWhg!tH8Lmy43", "tH8Lmy43"), ("SWhg!tH8Lmy43 is the admin password", "tH8Lmy43"), ("try Lantern2024 as the password", "Lantern2024"), ("unlock code SWhg4tH8Lmy43", "SWhg4tH8"), ("the encryption key is lanternwillow", "lanternwillow"), ("the API key we got is SWhg!tH8Lmy43", "tH8Lmy43"), ("it wants a password, give it SWhg!tH8Lmy43", "tH8Lmy43"), ("credentials are bob and SWhg!tH8Lmy43", "tH8Lmy43"), ("sudo password? SWhg!tH8Lmy43", "tH8Lmy43"), ("my password is lanternwillow please use it", "lanternwillow"),
    ("identifiants : bob / SWhg!tH8Lmy43", "tH8Lmy43"), ("пароль от базы SWhg!tH8Lmy43", "tH8Lmy43"), ("salasana on SWhg!tH8Lmy43", "tH8Lmy43"), ("كلمة المرور هي SWhg!tH8Lmy43", "tH8Lmy43"), ("הסיסמה היא SWhg!tH8Lmy43", "tH8Lmy43"), ("पासवर्ड है SWhg!tH8Lmy43", "tH8Lmy43"), ("รหัสผ่านคือ SWhg!tH8Lmy43", "tH8Lmy43"), ("パスワードはlanternwillowです", "lanternwillow"),
    ("llave secreta: SWhg4tH8Lmy43", "SWhg4tH8"), ("chiave segreta: SWhg4tH8Lmy43", "SWhg4tH8"), ("chave de acesso: SWhg4tH8Lmy43", "SWhg4tH8"), ("clé d'accès : SWhg4tH8Lmy43", "SWhg4tH8"), ("ключ доступа: SWhg4tH8Lmy43", "SWhg4tH8"), ("секретний ключ: SWhg4tH8Lmy43", "SWhg4tH8"), ("tajny klucz: SWhg4tH8Lmy43", "SWhg4tH8"), ("hemlig nyckel: SWhg4tH8Lmy43", "SWhg4tH8"), ("gizli anahtar: SWhg4tH8Lmy43", "SWhg4tH8"), ("アクセスキー：SWhg4tH8Lmy43", "SWhg4tH8"), ("مفتاح الوصول: SWhg4tH8Lmy43", "SWhg4tH8"),
];

/// What must be left as it is.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    // Arguments.
    "impacket-psexec bob@10.0.0.5", "impacket-psexec -k -no-pass corp/bob@host", "winrs -r:h dir", "winrs -r:h -u:bob dir", "radtest bob $PASSWORD h 0 sec", "lpass login bob@example.com", "vault login", "vault login -method=oidc", "steamcmd +login anonymous +quit", "gh auth login --with-token < token.txt", "lpass login <<< \"$PASSWORD\"",
    "curl --oauth2-bearer $TOKEN h", "curl --oauth2-bearer \"$TOKEN\" h", "curl -b cookies.txt h", "curl --cookie-jar jar.txt h", "curl -b \"$COOKIES\" h", "app --token \"$TOKEN\"", "app --token <token>", "app --token TOKEN", "app --token refresh", "app --token-type bearer", "app --token mytoken", "app --secret production", "docker build --build-arg NPM_TOKEN .", "docker build --build-arg NPM_TOKEN=$NPM_TOKEN .", "docker build --build-arg NODE_ENV=production .", "curl https://h/?api_key=YOUR_API_KEY", "curl https://h/?api_key=$KEY", "https://h/?token=required",
    "sed -i 's/password/passphrase/' README.md", "sed -n 's/token//p' x", "sed -i 's/__VERSION__/1.2.3/' x", "hydra --help", "export EDITOR=vim",
    // Protocols and settings.
    "PASS src/app/login.test.ts", "PASS tests/unit/auth_test.py (2.1 s)", "PASS\nok  \tpkg\t0.1s", "USER node\nWORKDIR /app", "USER bob\nRUN make", "250-AUTH PLAIN LOGIN", "250 AUTH LOGIN PLAIN CRAM-MD5", "AUTH PLAIN mechanism", "::add-mask::$TOKEN", "::add-mask::${{ secrets.X }}", "basicAuth: true", "basicAuth: enabled", "basic_auth: { username: bob }", "auth: none", "PassCmd \"pass show mail/bob\"", "PassCmd \"security find-generic-password -s mail -w\"", "\"auths\": {}", "\"auth\": \"basic\"", "\"auth\": \"oauth2\"", "{\"ParameterKey\":\"InstanceType\",\"ParameterValue\":\"t3micro12\"}", "{\"ParameterKey\":\"KeyName\",\"ParameterValue\":\"bastion-key-2024\"}", "<meta name=\"description\" content=\"Change your password\">", "authentication plain-text-password",
    "\"token\": \"authentication\"", "\"tokenType\": \"bearer\"", "token: straightforward", "\"secret\": \"notifications\"", "secret: database", "apiKey: undefined", "\"apiKey\": \"environment\"", "token = tokenizer", "token=authorization", "secret = infrastructure", "| token | description |\n|---|---|\n| kind | classification |", "secretName: letsencrypt", "tokens: [\"hello\", \"international\"]", "\"tokens\": [\"straightforward\", \"Unbelievable\"]",
    // Code.
    "bcrypt.hashSync(password, 10)", "bcrypt.hashSync(req.body.password, 10)", "Fernet(key)", "Fernet(os.environ[\"KEY\"])", "new SecretKeySpec(key.getBytes(), \"AES\")", "page.type(\"#search\", \"lanternwillow\")", "page.fill('#name', 'Lanternwillow')", "page.fill('#password', password)", "cy.get(\"[name=email]\").type(\"bob@example.com\")", "my $pass = q();", "my $pass = shift;", "my $query = q(SELECT 1);", "password = []", "token = [[1, 2], [3, 4]]", "let name = r#\"lanternwillow\"#;", "INSERT INTO api_keys (id, name) SELECT id, name FROM keys", "INSERT INTO api_keys VALUES (?, ?)", "INSERT INTO api_keys VALUES ($1, $2);", "INSERT INTO tokens (kind) VALUES ('refresh');", "token: \"semicolon\"", "token: 'strikethrough'", "{ token: \"closebracket\" }", "token = \"blockquote\"", "--token cloudflare", "if [[ $password = [[:alnum:]]* ]]; then", "jwt.sign(payload, process.env.SECRET)", "jwt.sign({ id: 1 }, secret)", "expect(password).toBe(other)", "expect \"password:\"\nsend \"$password\\r\"",
    "createToken('NUMERICIDENTIFIER', '0|[1-9]')", "createToken('TILDE', 'Caret2Range')", "set_secret(name, value)", "setPassword(user, password)", "session.auth = (user, password)", "CREATE LOGIN bob WITH CHECK_POLICY = OFF", "ALTER LOGIN sa ENABLE", "GET /LOGIN HTTP/1.1", "{\"bearer\": []}", "CACHE_KEY=users", "SORT_KEY=createdAt", "the key is Sha256", "the key is unique", "PRIMARY_KEY=user_id",
    // Messages.
    "password authentication failed for user \"bob\"", "password authentication failed: connection refused", "Incorrect API key provided.", "Incorrect API key provided: you can find yours in the settings", "auth failed: token is invalid", "the token provided: expired", "API key found: yes", "Access denied for user bob (using password: YES)", "password, please", "password, use at least 12 characters", "password? yes", "Forgot password? Click here", "token? maybe",
    // Sentences.
    "use std::collections::HashMap;", "use crate::redact::{self, Part};", "use http://example.com for the docs", "use node:fs instead", "use python:3.12-slim as the base", "use localhost:8080 for the tests", "use redis:latest", "use image:v1.2.3 for now", "use user:password for the login", "use src/main.rs:42 as the start", "use foo / bar", "use dark / light themes", "use npm:package@1.2.3", "use sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "log in with GitHub", "log in with your account", "log in with Google / Facebook", "log in as root with sudo", "login as admin", "sign in as another user", "logged in as bob on web-1", "login with user / password", "log in with SSO / SAML", "connect with psql / pgcli", "connect as postgres with psql", "the login is broken", "login is required", "the login is handled by nginx", "logged in with success / failure",
    "ssh in as root with key-2024", "connect as bob with sudo", "GPG_KEY=0xDEADBEEF", "this is the password", "what is the password", "base64 is the password encoding", "sha256 is the password hash", "bcrypt is the password hasher", "used as the password", "stored as a token", "treat it as a password", "it is the api key", "the same as the password", "that was the token", "auth.ts is the token module",
    "the wifi key is on the wall", "the wifi key is wrong", "unlock code is required", "unlock code for the phone", "the access code changed", "the encryption key is rotated", "the encryption key is straightforward", "credentials are required", "credentials are bob and ann", "the api key we use is stale", "the api key is configurable",
    "identifiants : incorrects", "пароль от базы", "пароль от базы неверен", "пароль для входа", "salasana on virheellinen", "salasana on pakollinen", "كلمة المرور هي مطلوبة", "הסיסמה היא חובה", "पासवर्ड है", "รหัสผ่านคืออะไร", "llave secreta", "chiave segreta: obbligatoria", "chave de acesso: obrigatória", "clé d'accès requise", "ключ доступа: нет", "clé primaire: id", "clave primaria: id",
];

#[test]
fn finds_each_class() {
    let left: Vec<_> = FOUND
        .iter()
        .filter(|(text, secret)| clean(text).contains(secret))
        .map(|(text, _)| format!("{text:?} -> {:?}", clean(text)))
        .collect();
    assert!(left.is_empty(), "{} left:\n{}", left.len(), left.join("\n"));
}

#[test]
fn keeps_what_looks_like_a_class() {
    let changed: Vec<_> = KEPT
        .iter()
        .filter(|it| clean(it) != ***it)
        .map(|it| format!("{it:?} -> {:?}", clean(it)))
        .collect();
    assert!(changed.is_empty(), "{} changed:\n{}", changed.len(), changed.join("\n"));
}

#[test]
fn a_class_changes_nothing_the_second_time() {
    for (text, _) in FOUND {
        let once = clean(text);
        assert_eq!(clean(&once), once, "{text:?}");
    }
}
