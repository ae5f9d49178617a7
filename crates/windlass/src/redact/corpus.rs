//! Lines without secrets, as tools print them and people write them.

/// A generator of the same numbers in each run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).expect("below the limit")
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    pub(super) fn of(&mut self, letters: &str, length: usize) -> String {
        let letters = letters.as_bytes();
        (0..length).map(|_| letters[self.below(letters.len())] as char).collect()
    }

    pub(super) fn hex(&mut self, length: usize) -> String {
        self.of("0123456789abcdef", length)
    }

    pub(super) fn base64(&mut self, length: usize) -> String {
        self.of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length)
    }

    pub(super) fn base62(&mut self, length: usize) -> String {
        self.of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length)
    }
}

const WORDS: &[&str] = &[
    "token", "parser", "secret", "session", "password", "key", "user", "cache", "index", "auth",
    "config", "buffer", "request", "handler", "value", "author", "tokens", "pass", "client",
    "access", "private", "field", "hash", "count", "id", "public", "store", "reader", "event",
];

/// One line. The templates have these fields: `{w}` a word, `{W}` a word with a capital, `{n}` a
/// number, `{h7}` … hexadecimal digits, `{b86}` … base 64, `{r24}` … letters and digits.
pub(super) fn line(random: &mut Random) -> String {
    let template = random.pick(TEMPLATES);
    let mut line = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        line.push_str(before);
        let (field, after) = after.split_once('}').expect("a closed field");
        let size = field.get(1..).and_then(|it| it.parse().ok()).unwrap_or(0);
        match field.as_bytes().first() {
            Some(b'w') => line.push_str(random.pick(WORDS)),
            Some(b'W') => {
                let word = random.pick(WORDS);
                line.push_str(&word[..1].to_uppercase());
                line.push_str(&word[1..]);
            }
            Some(b'n') => line.push_str(&random.below(10_000).to_string()),
            Some(b'h') => line.push_str(&random.hex(size)),
            Some(b'b') => line.push_str(&random.base64(size)),
            Some(b'r') => line.push_str(&random.base62(size)),
            Some(b'u') => {
                let parts = [8, 4, 4, 4, 12].map(|it| random.hex(it));
                line.push_str(&parts.join("-"));
            }
            _ => line.push(if field == "o" { '{' } else { '}' }),
        }
        rest = after;
    }
    line.push_str(rest);
    line
}

#[rustfmt::skip]
const TEMPLATES: &[&str] = &[
    // Hashes and identifiers.
    "commit {h40}", "{h7} fix the {w} of the {w}", "index {h7}..{h7} 100644", "{h64}  {w}.tar.gz", "sha256:{h64}", "image@sha256:{h64}",
    "{h128}  {w}.iso", "md5 {h32}", "id: {u}", "\"session_id\":\"{u}\"", "request {u} took {n} ms", "\"tool_use_id\": \"toolu_01{r22}\"", "msg_01{r22}", "req_011{r21}",
    "\"id\":\"chatcmpl-{r29}\"", "call_{r24}", "trace={h32} span={h16}", "0x{h16}: {W}::{w}", "at 0x{h12} in {w}_{w}", "color: #{h6};", "ETag: \"{h32}\"",
    // Lock files.
    "      \"integrity\": \"sha512-{b86}==\"", "  integrity sha512-{b86}==", "    resolution: {o}integrity: sha512-{b86}=={c}", "checksum = \"{h64}\"", "golang.org/x/{w} v0.{n}.0 h1:{b43}=",
    "golang.org/x/{w} v0.{n}.0/go.mod h1:{b43}=", "    {o}file = \"{w}-1.{n}.0-py3-none-any.whl\", hash = \"sha256:{h64}\"{c},", "    --hash=sha256:{h64} \\", "  resolved \"https://registry.yarnpkg.com/{w}/-/{w}-1.{n}.0.tgz#{h40}\"",
    "  version: 1.{n}.0", "      \"resolved\": \"https://registry.npmjs.org/@{w}/{w}/-/{w}-4.{n}.1.tgz\",", "source = \"registry+https://github.com/rust-lang/crates.io-index\"", "{w}@npm:^{n}.0.0:", "  checksum: 10c0/{h128}",
    // Code.
    "fn {w}(password: &str, token: Option<String>) -> Result<{W}, Error> {o}", "    password: String,", "    pub(crate) {w}_token: Token,", "let token = get_token();", "const secret = process.env.SECRET;", "password = os.environ[\"{w}\"]",
    "    token: null,", "api_key = None", "max_tokens: {n}", "token_count={n}", "tokens: {n}", "author: {W} {W}", "password_hash_cost = 12", "secret: ${o}SECRET{c}", "api_key=<your key>", "password: ****", "API_KEY=your_api_key_here",
    "if token == nil {o}", "  password: string;", "  token?: string | null", "self.token = token", "this.{w}Token = {w}Token;", "return {o} token, secret {c};", "def login(user, password=None, token=\"\"):", "type Token struct {o}", "token := lexer.Next()",
    "    let {w}Key = key(for: {w})", "private static final String TOKEN_KEY = \"{w}_token\";", "import {o} {W}Token {c} from './{w}/token';", "from {w}.auth.token import {W}TokenStore", "use crate::{w}::{w}Secret;", "SELECT password, token FROM {w} WHERE id = {n};",
    "password = forms.CharField(widget=forms.PasswordInput)", "<input type=\"password\" name=\"password\" placeholder=\"Password\">", "secretKeyRef:", "    name: {w}-secret", "    key: {w}_{w}", "token: ${o}{o} secrets.GITHUB_TOKEN {c}{c}", "with: {o} token: ${o}{o} github.token {c}{c} {c}",
    "echo \"$TOKEN\" | docker login --password-stdin", "curl -H \"Authorization: Bearer $TOKEN\" https://example.com/{w}", "curl -H 'Authorization: Bearer ${o}TOKEN{c}' localhost:{n}", "headers[\"Authorization\"] = f\"Bearer {o}token{c}\"", "Authorization: Bearer <token>",
    "assert_eq!(token.kind, TokenKind::Identifier);", "test {w}::tests::rejects_an_expired_{w}_token ... ok", "test_{w}_password_is_required_when_{w}_is_missing PASSED", "password=password", "secret={w}_secret", "validate(password, user.password_hash)",
    "class {W}PasswordAuthenticationTokenFilterFactoryBean{n} extends {W} {o}", "abstractAuthenticationTokenProviderFactoryBean.get{W}{W}By{W}Id(key)", "private_key: PrivateKey<Rsa>,", "public_key = \"{b43}=\"", "foreign_key :{w}_id", "PRIMARY KEY (id),", "cache_key = f\"{w}:{o}id{c}\"",
    "!function(e,t){o}\"use strict\";var n=t(1),r=t.n(n);e.exports={o}token:n,key:r{c}{c}([function(e){o}{c}]);", "e.token=t,e.secret=n.secret||void 0,e.password=r&&r.password;", "const x = {o} key: '{w}', value: {n} {c};", "#define {w}_KEY_MAX {n}", "enum Token {o} Word, Number, End {c}",
    // Prose.
    "the token is invalid", "The password is required and must have {n} characters.", "your secret is safe; the key is in the {w}", "use --password to set it", "pass a token with --token or read it from stdin", "Token expired, please log in again", "the {w} password for this user was changed",
    "Error: token {n} of {n} is not a {w}", "password: required", "Password must match", "author and authority are no secrets", "{n} passed; {n} failed", "pass: {n}, fail: {n}", "PASS src/{w}.test.ts", "secret scanning found {n} {w} in {n} files", "Basic authentication is off", "Bearer tokens are accepted",
    "# Access key rotation every {n} days", "- [ ] write the API key page", "API key: see the {w} page", "the key idea: {w} before {w}", "| token | string | the token of the {w} |",
    // Paths, addresses, URLs, times.
    "/home/{w}/.config/{w}/{w}/secret/token.rs", "src/{w}/{w}_token/{w}.rs:{n}:{n}", "C:\\Users\\{w}\\AppData\\{w}.txt", "PWD=/home/{w}/src", "git@github.com:{w}/{w}.git", "ssh://git@github.com/{w}/{w}", "https://host:8080/{w}/{w}?page={n}&sort={w}", "user@host", "mailto:{w}@example.com",
    "https://github.com/{w}/{w}/commit/{h40}", "https://example.com/{w}#{w}", "http://localhost:{n}/api/{w}", "https://cdn.example.com/{w}.{h20}.min.js", "2024-05-{n}T12:34:56.789Z INFO {w}: {w} {n}", "[{n}.{n}] {w}: {w} ready", "1.{n}.0-alpha.{n}+{h7}", "v{n}.{n}.{n}", "data:image/png;base64,{b120}",
    "-rw-r--r-- 1 {w} {w} {n} May  1 12:00 {w}.key", "drwx------ 2 root root 4096 {w}_{w}", "{n} files changed, {n} insertions(+)", "+++ b/{w}/{w}.rs", "@@ -{n},7 +{n},7 @@ fn {w}()", "docker run -u 1000:1000 -p 8080:80 -v /{w}:/{w} {w}:{n}", "mysql -u root -p {w}", "ssh -p 2222 {w}@host",
    "rsync -avp {w}/ {w}@host:{w}/", "GIT_COMMIT={h40}", "BUILD_ID={u}", "PATH=/usr/local/bin:/usr/bin:/bin", "NODE_ENV=production", "TOKEN_TTL={n}", "MAX_TOKENS={n}", "DISABLE_AUTH=true", "export EDITOR=vim", "SECRET_NAME={w}-{w}", "PASSWORD_FILE=/run/{w}/{w}",
    // Code and documents that speak of passwords and tokens, in many languages.
    "  password: string | undefined", "  readonly token: string;", "password!: string;", "const {o} password, token {c} = req.body;", "if (!password) throw new Error('password is required');", "credentials: 'same-origin',", "fetch(url, {o} credentials: \"include\" {c})",
    "    password: SecretStr", "    token: Annotated[str, Depends(oauth2_scheme)]", "def check(password: str, hashed: bytes) -> bool:", "password = getpass.getpass()", "token = request.headers.get('X-Token')", "    password=password, token=token,", "user = User(name=name,password=password)", "parser.add_argument('--password', help='the password of the {w}')",
    "\tPassword string `json:\"password\"`", "\ttoken, err := store.Token(ctx)", "password := r.FormValue(\"password\")", "if token != expected {o}", "func (c *Client) SetToken(token string) {o}", "cfg.Password = os.Getenv(\"DB_PASSWORD\")",
    "private String password;", "this.password = password;", "@Value(\"${o}db.password{c}\")", "String token = jwtProvider.createToken({w});", "char[] password = console.readPassword();", "public void setPassword(final String password) {o}", ".withPassword(password)", "val token: String = prefs.token",
    "let password = rpassword::read_password()?;", "    pub password: Secret<String>,", "#[serde(skip)] token: Option<Token>,", "Some(Token::Ident(name)) => name,", "password: password.to_owned(),", "token: token.clone(),",
    "$password = $_POST['password'];", "'password' => Hash::make($request->password),", "$table->string('password');", "attr_accessor :password, :token", "validates :password, presence: true", "has_secure_password", "password: params[:password]", "token = SecureRandom.hex(20)",
    "var password = Console.ReadLine();", "public string Password {o} get; set; {c}", "std::string password;", "const char *token = strtok(line, delim);", "char password[64];", "password VARCHAR(255) NOT NULL,", "ALTER TABLE {w} ADD COLUMN password text;", "UPDATE users SET password = $1 WHERE id = $2", "password = NULL", "GRANT ALL ON {w} TO {w};",
    "  password:", "    type: string", "  token: \"\"", "password: !vault |", "password: \"{o}{o} vault_password {c}{c}\"", "password: ${o}DB_PASSWORD:-{c}", "token: $TOKEN", "DB_PASSWORD=$DB_PASSWORD", "API_TOKEN=\"$(cat token.txt)\"", "DB_PASSWORD=${o}DB_PASSWORD{c}", "      - DB_PASSWORD=${o}DB_PASSWORD{c}", "PASSWORD=", "password=\"$1\"", "read -s password", "token=$(get_token)", "pass=0", "pass: true", "  pass: {n}",
    "| password | string | yes | the password of the {w} |", "| `token` | no | a token |", "| Name | Type |", "Set `password` to the password of the {w}.", "The password is stored as a hash.", "Forgot your password?", "Your password has been changed", "Password: (hidden)", "Enter password:", "password for {w}:", "[sudo] password for {w}:", "{w}@host's password:", "Invalid password for user {w}", "the password is not {w}",
    "token is missing or expired", "Unexpected token {w} in JSON at position {n}", "syntax error near unexpected token `{w}'", "the secret is to {w} early", "token: a word or a sign", "Passwort vergessen?", "Das Passwort ist falsch", "le mot de passe est requis", "contraseña incorrecta", "密码错误", "密码：必填", "пароль неверен", "パスワードを入力してください", "level=info msg=\"token refreshed\" user={w}", "user={w} action=login token=valid",
    "echo \"$PASSWORD\" | sudo -S true", "echo {w} | tee {w}.txt", "curl -fsSL https://example.com/{w}.sh | sh", "curl -u \"$USER:$TOKEN\" https://example.com", "openssl x509 -in {w}.pem -noout -text", "zip -r {w}.zip {w}", "7z x {w}.7z", "net user", "mongosh {w}", "sudo -S -v", "smbclient -L host -U {w}", "awk '{o}print $6{c}' {w}", "client.login(username, password)", "page.login(\"{w}\")",
    "postgres://localhost:5432/{w}", "postgres://user@localhost/{w}", "redis://cache:6379/{n}", "mongodb://a:27017,b:27017/{w}?replicaSet=rs0", "jdbc:mysql://db:3306/{w}?useSSL=false",
];
