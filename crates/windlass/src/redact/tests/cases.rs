//! Secrets in the ways that people and tools write them, and lines that only look like it.

use super::clean;

/// A text, and what must not be left of it.
#[rustfmt::skip]
const CASES: &[(&str, &str)] = &[
    ("postgres://app:ab/cd12EF@db/app", "ab/cd12EF"),
    ("postgres://app:ab#cd12EF@db/app", "cd12EF"),
    ("postgres://app:ab?cd12EF@db/app", "cd12EF"),
    ("Server=x;Uid=sa;Pwd=letmein;", "letmein"),
    ("jdbc:oracle:thin:scott/tiger7@//db:1521/X", "tiger7"),
    ("host=db user=app password=opensesame dbname=x", "opensesame"),
    ("machine ftp.x.com\n  login joe\n  password opensesame\n", "opensesame"),
    ("admin:$apr1$ruca84Hq$mbjdMZBAG.KWn7vfN/SNK/", "mbjdMZBAG"),
    ("admin:$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC", "c4WoMPo3"),
    ("root:$6$xyz$9mZ6tYqkXo1ZkQ0h1v8rC0wRk9qk0mZ6tYqkXo1ZkQ0h1v8rC0wRk:19000:0:99999:7:::", "9mZ6tYqk"),
    ("curl -uadmin:hunter2 https://x", "hunter2"),
    ("curl -d 'username=bob&password=monkey' x", "monkey"),
    ("wget --user=bob --password=monkey7 https://x", "monkey7"),
    ("    environment:\n      POSTGRES_PASSWORD: examplepw1\n      - REDIS_PASSWORD=foobared\n", "examplepw1"),
    ("    environment:\n      POSTGRES_PASSWORD: examplepw1\n      - REDIS_PASSWORD=foobared\n", "foobared"),
    ("\"SecretAccessKey\": \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\",\"SessionToken\": \"IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQD\"", "wJalrXUt"),
    ("\"SecretAccessKey\": \"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\",\"SessionToken\": \"IQoJb3JpZ2luX2VjEJr//////////wEaCXVzLWVhc3QtMSJHMEUCIQD\"", "IQoJb3Jp"),
    ("aws configure set aws_secret_access_key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEZ", "wJalrXUt"),
    ("Das Passwort lautet Sommer2024!", "Sommer2024!"),
    ("mot de passe : Soleil2024", "Soleil2024"),
    ("contraseña: Verano2024!", "Verano2024!"),
    ("密码：Qwer1234!", "Qwer1234!"),
    ("密码是 Abc@12345", "Abc@12345"),
    ("パスワード: Sakura99!", "Sakura99!"),
    ("пароль: Leto2024!", "Leto2024!"),
    ("credentials:\n  user: bob\n  pass: opensesame1", "opensesame1"),
    ("password: |\n  Sup3rS3cretLine\n", "Sup3rS3cretLine"),
    ("smtp.login(\"me@x.com\", \"hunter2app\")", "hunter2app"),
    ("const token = \"abcdefghijklmnopqrstuvwxyz\";", "abcdefghijklmnop"),
    ("SET PASSWORD FOR 'bob' = 'hunter2';", "hunter2"),
    ("echo \"hunter2pw\" | docker login -u me --password-stdin", "hunter2pw"),
    ("echo hunter2pw | sudo -S apt update", "hunter2pw"),
    ("sshpass -phunter2 ssh root@x", "hunter2"),
    ("openssl enc -aes-256-cbc -pass pass:hunter2 -in x", "hunter2"),
    ("openssl enc -k hunter2pass -in x", "hunter2pass"),
    ("zip -P hunter2 a.zip b", "hunter2"),
    ("7z x -phunter2 a.7z", "hunter2"),
    ("htpasswd -b .htpasswd bob hunter2", "hunter2"),
    ("net user bob P@ssw0rd1 /add", "P@ssw0rd1"),
    ("echo \"bob:P@ssw0rd1\" | chpasswd", "P@ssw0rd1"),
    ("smbclient //s/x -U bob%P@ssw0rd1", "P@ssw0rd1"),
    ("mongosh -u root -p hunter2x", "hunter2x"),
    ("token | abcdef1234567890abcd\npassword | hunter2x", "abcdef1234567890abcd"),
    ("token | abcdef1234567890abcd\npassword | hunter2x", "hunter2x"),
    ("::set-output name=token::abcdef1234567890XYZ", "abcdef1234567890XYZ"),
    ("seed phrase: legal winner thank year wave sausage worth useful legal winner thank yellow", "legal winner"),
    ("keytool -storepass changeit1 -keypass hunter22", "changeit1"),
    ("keytool -storepass changeit1 -keypass hunter22", "hunter22"),
    ("\"ConnectionStrings\": {\"Default\": \"Server=.;Database=x;User Id=sa;Password=yourStrong(!)Passw0rd;\"}", "Strong(!)Passw0rd"),
    ("ansible_ssh_pass=hunter2", "hunter2"),
    ("psk=\"correct horse battery\"", "correct horse"),
    ("password：hunter2secret", "hunter2secret"),
    ("| password | hunter2x |", "hunter2x"),
    ("password=&quot;hunter2x&quot;", "hunter2x"),
    ("\u{1b}[32mpassword\u{1b}[0m: \u{1b}[1mhunter2x\u{1b}[0m", "hunter2x"),
    ("password=monkey7\n", "monkey7"),
    ("password = hockey99", "hockey99"),
    ("pwd=passion9", "passion9"),
    ("password: turkey2024!", "turkey2024"),
    ("password=yourDog123!", "yourDog123"),
    ("password: exampleP4ss!", "exampleP4ss"),
    ("password=Sup3r***Secret9\n", "Secret9"),
    ("    - REDIS_PASSWORD=foobared\n", "foobared"),
    ("https://x/login?user=a&password=monkey", "monkey"),
    ("token=abcdefghijklmnopqrstuvwx\n", "abcdefghijklmnop"),
    ("Server=db;Uid=sa;Pwd=letmein;", "letmein"),
    // A name behind a path.
    ("The parameter /myapp/prod/DB_PASSWORD=Tr0ub4dor3xyzq1 is read at start", "Tr0ub4dor3xyzq1"),
    ("/myapp/prod/DB_PASSWORD = Tr0ub4dor3xyzq1", "Tr0ub4dor3xyzq1"),
    ("/myapp/prod/DB_PASSWORD: Tr0ub4dor3xyzq1", "Tr0ub4dor3xyzq1"),
    ("\"/myapp/prod/DB_PASSWORD\": \"Tr0ub4dor3xyzq1\"", "Tr0ub4dor3xyzq1"),
    ("{\"Name\": \"/myapp/prod/DB_PASSWORD\", \"Value\": \"Tr0ub4dor3xyzq1\"}", "Tr0ub4dor3xyzq1"),
    ("src/API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0.rs", "9f8e7d6c"),
    // A sign that may end a value, in the middle of one.
    ("password = Tr0ub4dor&3xyzQ", "3xyzQ"),
    ("password=p@ss,w0rd9X", "w0rd9X"),
    ("pwd=Tr0ub4dor|9x7Q", "9x7Q"),
    ("set DB_PASSWORD=Abc;9def!Ghi", "9def!Ghi"),
    ("with DB_PASSWORD=Abc;9def!Ghi it starts", "9def!Ghi"),
    ("password=Tr0ub<4dor>9x", "Tr0ub"),
    ("password = 'it''s9Secret'", "s9Secret"),
    ("secret_key = Zq8(Lm2)Vb6", "Zq8"),
    ("password: p@ss,w0rd9X", "w0rd9X"),
    ("password: hunter2x;more", "more"),
    ("the password is Tr0ub4dor&3xyzQ", "3xyzQ"),
    ("password=hunter22.,Xy9", "Xy9"),
    ("https://x/login?password=p@ss,w0rd9X&x=1", "w0rd9X"),
    ("<password>Tr0ub4dor&amp;9x7Q</password>", "9x7Q"),
    ("<td>password: hunter2x</td>", "hunter2x"),
    ("密码：Qwer1234&Zx9", "Zx9"),
    // A sign that may end a value, at its beginning, and a bracket that nothing closes.
    ("password=[abcDEF123", "abcDEF123"),
    ("DB_PASSWORD=(abcDEF2)", "abcDEF2"),
    ("DB_PASSWORD=(hunter2x)", "hunter2x"),
    ("export DB_PASSWORD=[abcDEF3", "abcDEF3"),
    ("DB_PASSWORD={abcDEF6}", "abcDEF6"),
    ("DB_PASSWORD=<abcDEF9>", "abcDEF9"),
    ("password: (abcDEF5)", "abcDEF5"),
    ("password=[Summer2024", "Summer2024"),
    ("API_KEY=[abcDEF12345678", "abcDEF12345678"),
    ("MYSQL_PWD=[abcDEF17", "abcDEF17"),
    ("docker run -e DB_PASSWORD=(abcDEF2) mysql", "abcDEF2"),
    ("jdbc:mysql://db/app?user=app&password=(abcDEF18", "abcDEF18"),
    ("password=abc[DEF7x", "DEF7x"),
    ("password=ab(cDEF12", "cDEF12"),
    ("password=ab(cDEF12 user=bob", "cDEF12"),
    ("password=/abcDEF11", "abcDEF11"),
    ("password=&abcDEF12", "abcDEF12"),
    ("password=,abcDEF13", "abcDEF13"),
    ("password=;abcDEF14", "abcDEF14"),
    ("password=|abcDEF15", "abcDEF15"),
    ("{\"password\": [\"abcDEF16\"]}", "abcDEF16"),
    ("{\"password\": \"{abcDEF6}\"}", "abcDEF6"),
    ("{\"password\": \"<abcDEF9>\"}", "abcDEF9"),
    ("password=\"\"\"abcDEF10\"\"\"", "abcDEF10"),
    ("password=\\\"\\\"\\\"abcDEF10\\\"\\\"\\\"", "abcDEF10"),
    // Elements, tables, escapes, logins and sentences.
    ("<password>\n  kQ7mZ2pW9xRt4LbV\n</password>", "kQ7mZ2pW9xRt4LbV"),
    ("<password>\n  lovazidasama\n</password>", "lovazidasama"),
    ("<Password><![CDATA[Labetuzebile64#]]></Password>", "Labetuzebile64#"),
    ("<param name=\"x-token\"><![CDATA[kQ7mZ2pW9xRt4LbV]]></param>", "kQ7mZ2pW9xRt4LbV"),
    ("<table><tr><th>Host</th><th class=\"a\">API token</th></tr>\n<tr><td>a</td><td class=\"b\">kQ7mZ2pW9xRt4LbV</td></tr></table>", "kQ7mZ2pW9xRt4LbV"),
    ("<tr><th scope=\"row\">Passwort</th><td>lovazidasama</td></tr>", "lovazidasama"),
    ("I changed the password of bob from kQ7mZ2pW9xRt4LbV to Labetuzebile64#.", "kQ7mZ2pW9xRt4LbV"),
    ("I changed the password of bob from kQ7mZ2pW9xRt4LbV to Labetuzebile64#.", "Labetuzebile64#"),
    ("password changed from Labetuzebile64# to kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("password changed from Labetuzebile64# to kQ7mZ2pW9xRt4LbV", "Labetuzebile64#"),
    ("set the api key to \"Labetuzebile64#\"", "Labetuzebile64#"),
    ("the token \"Labetuzebile64#\" is used", "Labetuzebile64#"),
    ("secret key: Labetuzebile64#", "Labetuzebile64#"),
    ("aws access key AKIAIOSFODNN7EXAMPLE and secret key kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("nuget push x.nupkg -ApiKey kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("gem push -k lovazidasama x.gem", "lovazidasama"),
    ("dotnet nuget push a.nupkg --api-key kQ7mZ2pW9xRt4LbV --source x", "kQ7mZ2pW9xRt4LbV"),
    ("dotnet nuget push bin/a.nupkg -k kQ7mZ2pW9xRt4LbV -s https://x", "kQ7mZ2pW9xRt4LbV"),
    ("ansible_ssh_pass = \"lovazidasama\"", "lovazidasama"),
    ("{\"ansible_ssh_pass\": \"lovazidasama\"}", "lovazidasama"),
    ("ssh_pass: lovazidasama", "lovazidasama"),
    ("vars:\n  ssh_pass: Labetuzebile64#", "Labetuzebile64#"),
    ("{\"l\\u00f6senord\": \"lovazidasama\"}", "lovazidasama"),
    ("{\"\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c\": \"kQ7mZ2pW9xRt4LbV\"}", "kQ7mZ2pW9xRt4LbV"),
    ("{\\\"contrase\\\\u00f1a\\\": \\\"kQ7mZ2pW9xRt4LbV\\\"}", "kQ7mZ2pW9xRt4LbV"),
    ("{\"m\": \"\\u5bc6\\u7801\\u662f Labetuzebile64#\"}", "Labetuzebile64#"),
    ("\"\\u0e23\\u0e2b\\u0e31\\u0e2a\\u0e1c\\u0e48\\u0e32\\u0e19: lovazidasama\"", "lovazidasama"),
    ("has\\u0142o: lovazidasama", "lovazidasama"),
    ("│ host │ user │ token │\n│ a    │ bob │ kQ7mZ2pW9xRt4LbV │", "kQ7mZ2pW9xRt4LbV"),
    ("\"email\",\"api_token\"\n\"b@x.io\",\"Labetuzebile64#\"", "Labetuzebile64#"),
    ("NAME   API_TOKEN       AGE\nx      kQ7mZ2pW9xRt4LbV  3d", "kQ7mZ2pW9xRt4LbV"),
    ("machine h\n2026-01-01 INFO   login bob\n2026-01-01 INFO   password lovazidasama", "lovazidasama"),
    ("username bob secret 0 lovazidasama", "lovazidasama"),
    ("enable secret 5 kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("enable password Labetuzebile64#", "Labetuzebile64#"),
    ("Router(config)# enable secret kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("ssl_key_password kQ7mZ2pW9xRt4LbV;", "kQ7mZ2pW9xRt4LbV"),
    ("INSERT INTO api (id, secret) VALUES (1, 'kQ7mZ2pW9xRt4LbV'), (2, 'Labetuzebile64#');", "kQ7mZ2pW9xRt4LbV"),
    ("INSERT INTO api (id, secret) VALUES (1, 'kQ7mZ2pW9xRt4LbV'), (2, 'Labetuzebile64#');", "Labetuzebile64#"),
    ("select crypt('Labetuzebile64#', gen_salt('bf'))", "Labetuzebile64#"),
    ("acl: user default on >lovazidasama ~*", "lovazidasama"),
    ("https://eN3R6B+5Mipz/XxnppU=@git.example.com/x", "eN3R6B+5Mipz/XxnppU="),
    ("net user bob eN3R6B+5Mipz/XxnppU= /add", "eN3R6B+5Mipz/XxnppU="),
    ("ConvertTo-SecureString 'eN3R6B+5Mipz/XxnppU=' -AsPlainText -Force", "eN3R6B+5Mipz/XxnppU="),
    ("REDIS_AUTH=lovazidasama", "lovazidasama"),
    ("secrets:\n  api: kQ7mZ2pW9xRt4LbV\n  db: Labetuzebile64#", "kQ7mZ2pW9xRt4LbV"),
    ("secrets:\n  api: kQ7mZ2pW9xRt4LbV\n  db: Labetuzebile64#", "Labetuzebile64#"),
    ("{\"stringData\":{\"dsn\":\"lovazidasama\"},\"kind\":\"Secret\"}", "lovazidasama"),
    ("stringData:\\n  dsn: lovazidasama\\nkind: Secret", "lovazidasama"),
    ("PIN/passphrase is Labetuzebile64#", "Labetuzebile64#"),
    ("password: !vault Labetuzebile64#", "Labetuzebile64#"),
    ("--password=AUEia&KnyTvzqn!PYD", "AUEia&KnyTvzqn!PYD"),
    ("password=AUEia&KnyTvzqn!PYD", "AUEia&KnyTvzqn!PYD"),
    ("密码是kQ7mZ2pW9xRt4LbV", "kQ7mZ2pW9xRt4LbV"),
    ("heslo: lovazidasama && make", "lovazidasama"),
    ("npm config set //r.example.com/:_password lovazidasama", "lovazidasama"),
    ("New API key generated: Labetuzebile64#", "Labetuzebile64#"),
    ("sshpass -p lovazidasama ssh x", "lovazidasama"),
    ("SSHPASS=lovazidasama", "lovazidasama"),
    ("id\\tuser\\tpassword\\n1\\tbob\\tLabetuzebile64#", "Labetuzebile64#"),
    ("{\"m\": \"user     | bob\\npassword | Labetuzebile64#\"}", "Labetuzebile64#"),
    ("+crypt('Labetuzebile64#', gen_salt('bf'))", "Labetuzebile64#"),
    ("smtp_sasl_password_maps = static:bob:Labetuzebile64#", "Labetuzebile64#"),
    ("[mail.example.com]:587 bob:Labetuzebile64#", "Labetuzebile64#"),
    ("New API token created: Labetuzebile64#", "Labetuzebile64#"),
    ("{\"m\": \"\\u2502 user \\u2502 password \\u2502\\n\\u2502 bob \\u2502 Labetuzebile64# \\u2502\"}", "Labetuzebile64#"),
];

/// What must be left of a text besides what is hidden.
const BESIDE: &[(&str, &str)] = &[
    ("password=hunter2x,user=bob", "password=[redacted:password],user=bob"),
    ("https://x/?password=hunter2x&user=bob", "https://x/?password=[redacted:password]&user=bob"),
    (
        "https://x/?password=hunter2x&amp;user=b",
        "https://x/?password=[redacted:password]&amp;user=b",
    ),
    ("password=hunter2x&&make", "password=[redacted:password]&&make"),
    ("password=hunter2x||make", "password=[redacted:password]||make"),
    ("Password=hunter2x;User Id=sa;X=1", "Password=[redacted:password];User Id=sa;X=1"),
    ("connect(password=hunter2x);", "connect(password=[redacted:password]);"),
    ("{password:hunter2x,host:db}", "{password:[redacted:password],host:db}"),
    ("use password=hunter2x, please.", "use password=[redacted:password], please."),
    ("<p>password: hunter2x</p>", "<p>password: [redacted:password]</p>"),
    ("DB_PASSWORD=(abcDEF2)", "DB_PASSWORD=([redacted:password])"),
    ("{\"password\": [\"abcDEF16\"]}", "{\"password\": [\"[redacted:password]\"]}"),
    ("password=\"\"\"abcDEF10\"\"\"", "password=\"\"\"[redacted:password]\"\"\""),
];

/// What must be left as it is.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "password: your-password", "API_KEY=your_api_key_here", "password=changeme", "password: example", "token: <token>",
    "password=********", "password: xxxxxxxx", "fetch(url, { credentials: \"same-origin\" })", "credentials: 'include',",
    "xoxz-hugs-and-kisses-from-all-of-us", "password: String", "token = get_token()", "password: str", "token: null", "the token is invalid",
    "$token | base64 -d", "cat password | sha256sum", "awk '{print $6}' x", "redis://cache:6379/0?mail=a@b.c", "echo $PASSWORD | sudo -S ls",
    "src/password:1234:56: unused", "src/auth/password: No such file", "/run/secrets/db_password", "cat src/token: 12 lines", "src/token == \"x1y2z3w4\"",
    "token=Sha256(Key1)", "token=Map<Key1,Value2>", "password:string,userId2:Foo", "password: string|Sha256Hash", "secret=Foo1[Bar]", "token = Foo(x1).Bar2", "token=A1&&B2", "password=Pw,Host1=x",
    "password = get_password()", "password=os.environ[\"X1\"]", "password=os.environ[Db1PasswordX]", "password=${DB_PASSWORD}", "password=$PW", "password=<your password>", "DB_PASSWORD=<your-password>",
    "DB_PASSWORD=<Your1Password>", "password={password}", "DB_PASSWORD={password1}", "f\"PASSWORD={Password1}\"", "token={step2Token}", "token=[REDACTED]", "token=[redacted]", "DB_PASSWORD=[REDACTED]", "DB_PASSWORD=(redacted)", "def f(password, user)", "password(Abc1, DEf2)",
    "\"password\": {\"type\": \"string\"}", "password=(user, pw)", "password=(User1,Secret2)", "DB_PASSWORD=(user1, pw1)", "passwords: [a, b]", "password: [Foo1Bar2]", "secret: [Sha256Hash]", "token: (Foo1Bar2,", "password=Foo1Bar(baz,", "password=Foo1Bar(baz, qux)", "password=getPw12(f\"abc\")",
    "\"password\": [\"This field is required.\"]", "\"password\": [\"too_short\"]", "password: &Anchor1x", "token: &Sha256Hash", "token=&Lexer2State", "?password=&user=Bob1Xy", "Password=;Database=App1Db;", "password: [Docs2Page](https://example.com/Docs2)", "password=/Station1", "pwd=/home/User1/src", "password=$(getPw2X|tr", "<td>password:</td><td>Abc1Def2</td>",
    "def f():\n    pass\n", "password_field = PasswordField('Password')", "key = value", "token: ${{ secrets.X }}", "$PASSWORD", "password: string\nusername: string", "password: hashedPassword", "password: process.env.DB_PASSWORD", "let token = next_token()",
    "| Option | Default |\n| --- | --- |\n| password | none |", "| Parameter | Password | Notes |\n|---|---|---|\n| length | required | minimum |", "connect(\n    user,\n    password,\n    hostname,\n)", "f(\n  user, password, role,\n  alpha, secondly, third,\n)", "import { user, password } from './config'\nconst { first, another } = x",
    "the password is hashed with bcrypt", "The password is required.", "password is optional", "the token is expired", "the secret is out", "Set the password to something strong.", "password - the password of user 1", "password – SHA-256 of the input", "password on localhost:5432", "Change the password to meet the rules", "password by default",
    "kind: Secret\nmetadata:\n  name: db-secret\n  namespace: prod\n", "pass = compile(source)", "pass: 12 fail: 0", "--- PASS: TestStoreGetMiss (0.00s)", "all tests pass: yes", "docker run -u 1000 -p 8080:80 x", "git push -u origin main", "mysql -u root -p mydb", "curl -u $USER:$PASS x", "psql -U postgres -p 5432", "curl -u \"$USER:$TOKEN\" x",
    "npm login --registry https://example.com", "cargo login", "Run `gh auth login` first.", "vault login -method=oidc", "aws sso login --profile dev", "az login --use-device-code", "docker login ghcr.io", "cat <<EOF | kubectl apply -f -\napiVersion: v1\nEOF", "std::cout <<password << std::endl;\n    return value;", "grep password <<< \"$text\"",
    "tokens: [a, b, c]", "tokens = [Token1, Token2]", "max_tokens: 4096", "secrets: inherit", "secrets:\n  - source: db\n", "passwords:\n  - whatever: 1\n", "GPIO pin: 12", "?code=200", "?code=ERR_TIMEOUT_12", "https://example.com/@user:abc/x@y", "https://host:8080/a/b@2x.png", "http://localhost:3000/@fs/x", "plan.rs:214:9: error: unused", "12:34:56:app:main", "fe80:1234:0db8:85a3:0000:8a2e:0370:7334",
    "<label>Password</label><input type=\"password\">", "<input type=\"password\" value={password}>", "<password/>", "password: &anchor", "identified by valgrind", "Mnemonic: fraction", "SessionID: \"test-session-123\",", "modelSessionID := \"test-session-1\"", "password = input", "password = value", "password = hash", "user=bob action=login token=valid", "password: required", "Password: hidden", "const { password } = req.body", "password.length >= 8",
    "uuid: 6f9619ff-8b86-d011-b42d-00c04fc964ff", "commit 4dd1fa4a6b1f0c5d7e8f9a0b1c2d3e4f5a6b7c8d", "ssh-rsa AAAAB3NzaC1yc2E public key", "export PATH=$PATH:/usr/bin", "Passwort vergessen", "Kennwort ändern", "le mot de passe est obligatoire", "la contraseña es obligatoria", "пароль не подходит", "パスワードを変更", "密码不能为空", "비밀번호를 입력하세요", "hasło jest wymagane",
    "db.verify_password(\"alice\", \"wrong password\")", "1968-02-01T23:15:00-00:44:30[Africa/Monrovia]", "format!(\"{PLAIN}{sign}{}\", words)", "the net user experience improved", "docker run --name mongo -p 27017:27017 -d mongo", "git config user.name bob", "aws configure set region eu-central-1",
    "type === 'password' || 'text'", "token || 'none'", "heroku config:set NODE_ENV=production", "npm config set registry https://example.com", "password:\n  type: string", "vault login is required", "name  password  role\nthe password of the user", "secrets:\n  - db_password\n",
    "password = config.get(\"password\")", "self.password = password", "let password = read_password()?;", "Password string `json:\"password\"`",
    "### pypdf - Basic Operations", "Basic Attributes", "enable secret scanning", "Enable secret protection", "- Enable password authentication", "<password>\n  <min>3</min>\n</password>", "<th>Password</th><th>Role</th></tr><tr><td>required</td><td>admin</td></tr>", "password changed from old to new", "from token to token", "use the token Sha256!", "\"token\": \"Foo2Bar\"", "secrets:\n  db_password:\n    file: ./db.txt\n", "secrets:\n  image: ubuntu-22.04\n  GITHUB_TOKEN: ${{ secrets.X }}", "https://medium.com/@User12/x", "https://cdn.example/npm/React18+Dom@18.2.0/x", "https://github.com/a/b+c@v1.2", "password: !Ref DbPassword", "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6162", "SELECT id, token FROM t", "nuget push x.nupkg -Source https://n.example.com", "gem push x.gem", "dotnet nuget push pkg/*.nupkg --skip-duplicate", "│ tree │ password │ x", "the token created yesterday", "password generated automatically", "commit +SKIP", "+cio", "std::fs::read(\"src/auth/token\")", "C:\\\\api\\\\token\\\\file.txt", "x = decrypt('hello world')", "page 7801: text here", "password: string && other", "[::1]:587 foo", "INSERT INTO t (id, token) VALUES (1, 'none')", "│ Name │ Password │\n├──────┼──────────┤\n│ a │ required │",
];

#[test]
fn finds_what_was_missed() {
    let left: Vec<_> = CASES
        .iter()
        .filter(|(text, secret)| clean(text).contains(secret))
        .map(|(text, _)| format!("{text:?} -> {:?}", clean(text)))
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

#[test]
fn keeps_what_is_no_secret() {
    let changed: Vec<_> = KEPT
        .iter()
        .filter(|it| clean(it) != ***it)
        .map(|it| format!("{it:?} -> {:?}", clean(it)))
        .collect();
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn hides_no_more_than_the_value() {
    for (text, left) in BESIDE {
        assert_eq!(clean(text), *left);
        assert_eq!(clean(left), *left);
    }
}

#[test]
fn a_list_of_cases_changes_nothing_the_second_time() {
    for (text, _) in CASES {
        let once = clean(text);
        assert_eq!(clean(&once), once, "{text:?}");
    }
}

#[test]
fn finds_every_secret_key_of_aws() {
    let mut random = super::Random(5);
    for _ in 0..2000 {
        let key = random.base64(40);
        for before in
            ["aws_secret_access_key = ", "AWS_SECRET_ACCESS_KEY=", "\"SecretAccessKey\": \""]
        {
            let line = format!("{before}{key}\n");
            assert!(!clean(&line).contains(&key), "{line}");
        }
    }
}

/// A name leads to a value behind some words, and one of these is a secret, too.
#[test]
fn a_secret_between_a_name_and_its_value_is_found() {
    let first = ["da", "pi", "0123456789abcdef0123456789abcdef"].concat();
    for canary in crate::redact::testing::canaries() {
        let text = format!("token {first} {}", canary.text);
        let clean = clean(&text);
        assert!(!clean.contains(&first[4..]), "{text}: {clean}");
    }
}
