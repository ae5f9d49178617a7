//! Shapes and contexts of a second set, by class. They were written without a look at the rules, beside a
//! set that a tester made.

use super::Shape;
use super::contexts::{Context, Put, context};

#[rustfmt::skip]
pub(super) const ARGUMENTS: &[Shape] = &[
    ("impacket-wmiexec corp/bob:§@10.0.0.7", "zrys"), ("secretsdump.py 'corp.local/bob:§@dc01'", "zry"), ("impacket-smbexec bob:§@host", "zym"), ("winrs -r:web1 -u:corp\\bob -p:§ ipconfig", "zrym"), ("netexec smb 10.0.0.0/24 -u bob -p §", "zrm"), ("nxc winrm host -u bob -p '§'", "zrym"), ("medusa -h host -u bob -p § -M ssh", "zrm"), ("certipy find -u bob@corp -p § -dc-ip 10.0.0.1", "zm"), ("evil-winrm -i host -u bob -p '§'", "zym"),
    ("radtest bob § radius.example.com 1812 testing123", "zryms"), ("lpass login bob@example.com <<< §", "zrym"), ("vault login <<< §", "zry"), ("steamcmd +login bob § +quit", "zrym"), ("steamcmd +force_install_dir /srv +login bob § +app_update 740", "zrym"),
    ("curl --oauth2-bearer § https://api.example.com", "zryk"), ("curl --oauth2-bearer '§' https://api.example.com", "zry"), ("curl -b \"sid=§\" https://example.com", "zry"), ("curl --cookie \"session=§; theme=dark\" https://example.com", "zr"), ("curl -H 'X-Auth-Token: §' https://example.com", "zry"), ("curl -H \"apikey: §\" https://example.com", "zry"), ("curl \"https://example.com/v1/x?api_key=§\"", "zry"), ("curl \"https://example.com/v1/x?access_token=§&limit=5\"", "zry"), ("wget --header=\"Authorization: Bearer §\" https://example.com", "zry"),
    ("docker build --build-arg NPM_TOKEN=§ -t app .", "zry"), ("docker build --build-arg GITHUB_TOKEN=§ .", "zryk"), ("docker build --secret id=x --build-arg PIP_PASSWORD=§ .", "zrym"), ("app deploy --token §", "zry"), ("app deploy --token=§ --prod", "zry"), ("app push --api-key § --verbose", "zry"), ("app auth --access-token '§'", "zry"), ("app run --secret-key §", "zry"), ("app run --client-secret=§", "zry"), ("app connect --auth-token=\"§\"", "zry"), ("terraform plan -var 'api_token=§'", "zry"), ("helm install x ./x --set auth.token=§", "zr"), ("helm install x ./x --set-string db.password=§", "zrym"), ("kubectl config set-credentials ci --token=§", "zry"), ("oc login https://api:6443 --token=§", "zry"), ("npm publish --//registry.npmjs.org/:_authToken=§", "zry"),
    ("bcp db.t out x.csv -S h -U sa -P §", "zrym"), ("sqlcmd -S h -U sa -P '§' -Q 'select 1'", "zrym"), ("rpcclient -U 'bob%§' host", "zym"), ("smbmap -H host -u bob -p §", "zm"), ("ldapmodify -D cn=admin -w § -f x.ldif", "zrym"), ("kadmin -p admin/admin -w § -q listprincs", "zrm"), ("htpasswd -bnBC 10 bob §", "zrym"), ("mysqladmin -u root -p'§' status", "zym"), ("redis-cli --user bob --pass § ping", "zrym"), ("cockroach sql --url postgres://bob:§@h:26257/x", "zrym"), ("sed -i 's/__DB_PASSWORD__/§/' conf.yml", "rym"), ("sed -e \"s|@@API_TOKEN@@|§|g\" in > out", "ry"), ("wg set wg0 private-key <(echo §)", "zr"), ("export CI_PAT='§'", "zry"), ("vercel env add API_TOKEN production <<< §", "zry"), ("echo '§' | gcloud secrets create db --data-file=-", "zry"),
];

#[rustfmt::skip]
pub(super) const PROTOCOLS: &[Shape] = &[
    ("USER bob\r\nPASS §\r\n", "zrym"), ("220 ready\nUSER bob\n331 Please specify the password.\nPASS §\n230 Login successful.", "zrym"), ("PASS §\nNICK bot\nUSER bot 0 * :bot", "zym"), ("+OK ready\nUSER bob@example.com\n+OK\nPASS §\n+OK 3 messages", "zrym"), ("AUTH PLAIN §", "br"), ("a1 AUTHENTICATE PLAIN §", "br"), ("::add-mask::§", "zrym"), ("echo \"::add-mask::§\"", "zry"), ("X-Auth-Token: §", "zry"), ("X-Vault-Token: §", "zryk"), ("Authorization: Bearer §", "zry"), ("authorization: Token §", "zry"), ("Private-Token: §", "zry"), ("Cookie: session=§", "zr"),
    ("basicAuth: bob:§", "zrym"), ("basic_auth: \"bob:§\"", "zrm"), ("[Account x]\nremotepass = §", "zrym"), ("localpass=§", "zrym"), ("PassCmd \"echo §\"", "zrym"), ("passwordeval \"echo §\"", "zrym"), ("{\"auths\":{\"ghcr.io\":{\"auth\":\"§\"}}}", "zrb"), ("{\n  \"auths\": {\n    \"https://index.docker.io/v1/\": {\n      \"auth\": \"§\"\n    }\n  }\n}", "zrb"), ("{\"ParameterKey\": \"DBPassword\", \"ParameterValue\": \"§\"}", "zrym"), ("ParameterKey=DbPassword,ParameterValue=§", "zrym"), ("- ParameterKey: ApiToken\n  ParameterValue: §", "zry"), ("[{\"OptionName\":\"DB_PASSWORD\",\"Value\":\"§\"}]", "zrym"), ("set system login user bob authentication plain-text-password-value §", "zrym"), ("set security ike policy p pre-shared-key ascii-text §", "zrm"),
    ("api_token: §", "zry"), ("access_token = \"§\"", "zry"), ("secret_key: '§'", "zry"), ("{\"api_key\": \"§\"}", "zry"), ("{\"token\":\"§\",\"ttl\":3600}", "zry"), ("{\"clientSecret\":\"§\"}", "zrym"), ("<apiToken>§</apiToken>", "zry"), ("<add key=\"ApiKey\" value=\"§\" />", "zry"), ("<setting name=\"Token\"><value>§</value></setting>", "zry"), ("<meta name=\"csrf-token\" content=\"§\">", "zr"), ("<string name=\"maps_api_key\">§</string>", "zry"), ("| name | api_key |\n|---|---|\n| ci | § |", "zry"), ("id,token\n7,§", "zry"), ("user\tsecret\nbob\t§", "zr"), ("[api]\ntoken=§", "zry"), ("api.secret=§", "zry"), ("auth {\n  token = \"§\"\n}", "zry"), ("requirepass \"§\"", "zrym"), ("psk=§", "zrym"), ("wpa_passphrase=§", "zrym"), ("password 7 §", "zr"), ("\"credentials\": [\"bob\", \"§\"]", "zr"), ("secrets:\n  stripe: \"§\"\n  mail: \"§\"", "zr"), ("\"secrets\": {\"stripe\": \"§\"}", "zr"),
];

#[rustfmt::skip]
pub(super) const CODE: &[Shape] = &[
    ("const hash = await bcrypt.hashSync(\"§\", 12);", "zrym"), ("bcrypt.compareSync('§', hash)", "zrym"), ("argon2.hash(\"§\")", "zrym"), ("cipher = Fernet(b\"§\")", "zrb"), ("f = Fernet('§')", "zrb"), ("new SecretKeySpec(\"§\".getBytes(), \"AES\")", "zrym"), ("crypto.scryptSync('§', salt, 32)", "zrym"), ("crypto.createCipheriv('aes-256-cbc', '§', iv)", "zr"), ("CryptoJS.AES.encrypt(message, \"§\")", "zrym"), ("jwt.sign({ id: 1 }, '§')", "zr"), ("hmac.new(b'§', body, 'sha256')", "zry"),
    ("await page.type(\"#pw\", \"§\");", "zrym"), ("await page.fill('#password', '§');", "zrym"), ("page.locator(\"#password\").fill(\"§\")", "zrym"), ("cy.get('[name=password]').type('§')", "zrym"), ("cy.get('input[type=\"password\"]').type('§')", "zrym"), ("driver.find_element(By.NAME, \"password\").send_keys(\"§\")", "zrym"), ("fill_in \"Password\", with: \"§\"", "zrym"), ("my $password = q(§);", "zrym"), ("my $dbpass = qq{§};", "zrym"), ("api_token = %q(§)", "zry"), ("let password = r#\"§\"#;", "zrym"), ("local password = [[§]]", "zrym"), ("Password = <<\"§\">>.", "zrym"), ("string password = @\"§\";", "zrym"),
    ("INSERT INTO api_keys VALUES (1, 'ci', '§');", "zr"), ("insert into tokens values ('§');", "zr"), ("INSERT INTO secrets (name, value) VALUES ('stripe', '§');", "zr"), ("CREATE SECRET s (TYPE s3, KEY_ID 'x', SECRET '§');", "zr"), ("UPDATE users SET api_token = '§' WHERE id = 4;", "zry"), ("const apiKey = '§';", "zry"), ("let token: &str = \"§\";", "zry"), ("API_SECRET = \"§\"", "zry"), ("app.secret_key = '§'", "zry"), ("os.environ['API_TOKEN'] = '§'", "zry"), ("process.env.AUTH_TOKEN = '§';", "zry"), ("viper.Set(\"jwt.secret\", \"§\")", "zry"), ("headers = {'X-Api-Key': '§'}", "zry"), ("headers: { Authorization: 'Bearer §' }", "zry"), ("new Client({ accessKey: '§' })", "zry"), ("setApiKey(\"§\")", "zry"), ("client.setToken('§')", "zry"), ("withPassword(\"§\")", "zrym"), ("private const string ApiSecret = \"§\";", "zry"), ("val apiToken = \"§\"", "zry"), ("#define API_KEY \"§\"", "zry"), ("(def password \"§\")", "zrym"), ("password <- \"§\"", "zrym"), ("$token = '§';", "zry"), ("define('API_SECRET', '§');", "zry"), ("spawn ssh host\nexpect \"*assword:\"\nsend \"§\\r\"", "zry"),
];

#[rustfmt::skip]
pub(super) const MESSAGES: &[Shape] = &[
    ("password authentication failed: tried \"§\"", "zrm"), ("Incorrect API key provided: §.", "zrk"), ("invalid token provided: §", "zrk"), ("Error: API key § is invalid", "rk"), ("auth failed: token \"§\" is invalid", "zry"), ("login failed for bob (password: §)", "zrym"), ("Generated password: §", "zrym"), ("Your API key is §", "zrk"), ("New token created: §", "zrk"), ("temporary password generated for root@localhost: §", "zrm"), ("Admin password set to §", "zrm"), ("Initial root token: §", "zrk"), ("using api key §", "rk"), ("DEBUG connecting with password '§'", "zrym"), ("Access denied for user bob (using password: §)", "zrm"), ("Wrong password '§' for user bob", "zrm"), ("unlock code: §", "zrym"), ("Recovery key: §", "zrk"), ("Unseal Key 2: §", "rb"), ("token=§ is expired", "zry"),
];

#[rustfmt::skip]
pub(super) const PROSE: &[Shape] = &[
    ("use bob:§ for the staging server", "zrym"), ("use admin:§ to log in", "zrym"), ("log in with bob / § on staging", "zrym"), ("log in as bob with §", "zrym"), ("sign in as admin with password §", "zrm"), ("login with bob:§", "zrym"), ("the wifi key is §", "zrm"), ("wifi password: §", "zrym"), ("§ is the admin password", "zrm"), ("try § as the password", "zrm"), ("§ is our api key", "zrk"), ("the unlock code is §", "zrym"), ("the encryption key is §", "zr"), ("the password, use §", "zrm"), ("the api key we were given is §", "zrk"), ("credentials are bob and §", "zrm"), ("the login is bob / §", "zrm"), ("creds: bob/§", "zrm"), ("bob's password is §", "zrym"), ("can you try password § please", "zrm"), ("it says wrong password but § works", "zr"), ("the passphrase for the key is §", "zrm"), ("my PIN is §", "d"), ("our license key is §", "r"), ("I set the secret to §", "zr"), ("password? §", "zrm"),
    ("identifiants : bob / §", "zrm"), ("le mot de passe est §", "zrym"), ("la clé secrète est §", "zr"), ("clé d'accès : §", "zr"), ("jeton d'accès : §", "zr"), ("code d'accès : §", "zrm"), ("die Zugangsdaten sind bob / §", "zrm"), ("der geheime Schlüssel ist §", "zr"), ("das WLAN-Passwort lautet §", "zrym"), ("Zugangscode: §", "zrm"), ("la contraseña es §", "zrym"), ("llave secreta: §", "zr"), ("clave de acceso: §", "zrm"), ("llave de acceso: §", "zr"), ("la password è §", "zrym"), ("chiave segreta: §", "zr"), ("chiave di accesso: §", "zr"), ("codice di accesso: §", "zrm"), ("a senha é §", "zrym"), ("chave de acesso: §", "zr"), ("chave secreta: §", "zr"), ("código de acesso: §", "zrm"), ("wachtwoord is §", "zrym"), ("toegangssleutel: §", "zr"), ("lösenordet är §", "zrym"), ("åtkomstnyckel: §", "zr"), ("adgangskoden er §", "zrm"), ("passordet er §", "zrym"), ("tilgangsnøkkel: §", "zr"), ("salasana on §", "zrym"), ("salainen avain: §", "zr"), ("hasło to §", "zrym"), ("tajny klucz: §", "zr"), ("klucz dostępu: §", "zr"), ("heslo je §", "zrym"), ("přístupový klíč: §", "zr"), ("jelszó: §", "zrym"), ("hozzáférési kulcs: §", "zr"), ("parola este §", "zrym"), ("cheie secretă: §", "zr"), ("şifre: §", "zrym"), ("gizli anahtar: §", "zr"), ("kunci rahasia: §", "zr"), ("mật khẩu là §", "zrym"), ("khóa bí mật: §", "zr"),
    ("пароль от базы §", "zrm"), ("пароль для входа §", "zrm"), ("пароль: §", "zrym"), ("ключ доступа: §", "zrm"), ("секретный ключ: §", "zr"), ("секретний ключ: §", "zr"), ("ключ доступу: §", "zr"), ("парола: §", "zrym"), ("κωδικός: §", "zrym"), ("كلمة المرور هي §", "zrm"), ("مفتاح الوصول: §", "zr"), ("הסיסמה היא §", "zrm"), ("מפתח גישה: §", "zr"), ("पासवर्ड है §", "zrm"), ("गुप्त कुंजी: §", "zr"), ("รหัสผ่านคือ §", "zrm"), ("密码是§", "zrm"), ("访问密钥：§", "zr"), ("パスワードは§です", "zrm"), ("アクセスキー：§", "zr"), ("비밀번호는 § 입니다", "zrm"), ("액세스 키: §", "zr"),
];

/// None of them is one of the other sets'.
#[rustfmt::skip]
pub(super) const PLACES: &[Context] = &[
    context("between lines", Put::Between("first\n", "\nlast\n")),
    context("message of a chat", Put::Between("[10:42] bob: ", "\n[10:43] ann: thanks")),
    context("record of a chat", Put::Json(1, "{\"role\":\"user\",\"content\":\"", "\"}")),
    context("event of a stream", Put::Json(1, "data: {\"delta\":{\"text\":\"", "\"}}\n")),
    context("result of a call", Put::Json(2, "{\"result\":\"{\\\"stdout\\\":\\\"", "\\\"}\"}")),
    context("cell of a notebook", Put::Json(1, "   \"source\": [\n    \"", "\"\n   ]")),
    context("question", Put::Between("I get an error here:\n\n    ", "\n\nWhat is wrong?")),
    context("issue", Put::Between("### Steps\n\n1. run it\n\n```sh\n", "\n```\n\n### Expected\n")),
    context("summary", Put::Between("<details><summary>log</summary>\n\n", "\n\n</details>")),
    context("item with a star", Put::Between("* one\n* ", "\n* three\n")),
    context("item of Org", Put::Between("- [ ] ", "\n")),
    context("quoted text", Put::Lines("> ", "")),
    context("comment of Lua", Put::Lines("-- ", "")),
    context("comment of Lisp", Put::Lines(";; ", "")),
    context("comment in a block", Put::Lines(" * ", "")),
    context("comment of Batch", Put::Lines("REM ", "")),
    context("prompt of root", Put::Between("root@web-1:/srv# ", "\n")),
    context("prompt of zsh", Put::Between("~/src/app % ", "\n")),
    context("prompt of Python", Put::Between(">>> ", "\n>>> ")),
    context("prompt of a database", Put::Between("app=# ", "\n")),
    context("line of journald", Put::Lines("Nov 19 22:10:01 web-1 app.service[812]: ", "")),
    context("line of a builder", Put::Lines("[build]  ", "")),
    context("line of a step", Put::Lines("##[debug] ", "")),
    context("line of a runner", Put::Lines("22:10:01 | ", "")),
    context("level in front", Put::Lines("WARN: ", "")),
    context("line of a patch", Put::Between("@@ -3,2 +3,3 @@\n context\n+", "\n context\n")),
    context("removed line of a patch", Put::Between("@@ -3,2 +3,3 @@\n context\n-", "\n context\n")),
    context("line of a search", Put::Lines("src/app/conf.py-41-", "")),
    context("numbered by nl", Put::Lines("     7\t", "")),
    context("tail of a file", Put::Between("==> app.log <==\n", "\n\n==> web.log <==\n")),
    context("clipboard", Put::Between("\u{feff}", "\r\n")),
    context("screen", Put::Between("\u{1b}[2J\u{1b}[H", "\u{1b}[0m")),
    context("pasted twice", Put::Between("see below\n--------\n", "\n--------\n")),
    context("text of a mail", Put::Between("Hi Ann,\n\n", "\n\nBest\nBob")),
];
