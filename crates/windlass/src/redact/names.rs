//! The words of many languages after which a secret may follow.
//!
//! Small letters, and no sign between the parts of a word: `apikey` is found in `API_KEY` and `api key`.

/// Names of passwords in English.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "pwd", "passcode", "_pass", "-pass", "dbpass", "userpass", "smtppass", "mailpass", "rootpass",
    "adminpass", "password__", "passwd__", "remotepass", "localpass", "imappass", "ftppass", "ldappass", "mysqlpass", "loginpass", "wifipass", "proxypass", "sudopass", "vpnpass", "masterpass", "apppass", "serverpass", "webpass", "mqttpass", "emailpass", "sqlpass", "usrpass", "sshpwd", "rediscliauth", "redisauth", "dbpw", "bindpw", "rootpw", "userpw", "adminpw", "mypw", "identified by", "psswd", "pasword", "assword", "wifikey", "wlankey", "wpakey", "networkkey", "unlockkey", "hotspotkey", "wifipassphrase",
    // Two letters, with what may stand before them.
    "_pw", "-pw", " pw", "\npw", "\tpw", "\"pw", "→pw", "\\npw", "'pw", "`pw", "*pw", ".pw", ",pw", "&pw", "?pw", "{pw", "(pw", ">pw", ":pw", "+pw", "/pw", ";pw", "#pw", "=pw", "|pw",
];

/// Names of passwords in languages with Latin letters, if they end with a letter of English.
#[rustfmt::skip]
pub(super) const LATIN_PASSWORDS: &[&str] = &[
    // German, Dutch, Danish, Norwegian, Swedish, Icelandic, Finnish, Estonian.
    "passwort", "kennwort", "losungswort", "losung", "zugangscode", "parolam", "parolaniz", "sifrem", "salasanani", "salasanasi", "jelszavam", "wachtwoord", "toegangscode", "wifisleutel", "wachtzin", "passordfrase", "lösenfras", "lozenfras", "tunnuslause", "pääsykoodi", "adgangskode", "adgangskoden", "kodeordet", "adgangsord", "kodeord", "passord", "passordet",
    "lösenord", "lösenordet", "losenord", "salasana", "parool", "geheimnis", "geheimwort", "losenordet", "lykilord", "wagwoord", "pasvorto",
    // French, Spanish, Portuguese, Italian, Catalan, Romanian.
    "motdepasse", "mdp", "contraseña", "contrasena", "senha", "palavrapasse", "palavra-passe", "frasesecreta", "frasedecontraseña", "frasedecontrasena", "frasesegreta", "frasedesegurança", "phrase secrète", "phrasesecrete", "phrase de passe", "codesecret", "code d'accès", "code d’accès", "codigosecreto", "código secreto", "códigodeacceso", "código de acceso", "código de acesso", "codigodeacceso", "codice segreto", "codicesegreto", "codicediaccesso", "códigopin", "codedacces", "parola", "parola d'ordine", "parolachiave", "contrasenya", "clave",
    // Polish, Czech, Slovak, Slovene, Croatian, Lithuanian, Latvian, Hungarian, Turkish.
    "hasło", "haslo", "heslo", "geslo", "lozinka", "clave secreta", "password di accesso", "slaptažodis", "slaptazodis", "parole", "jelszo", "şifre", "Şifre", "Şifreniz", "zaporka", "sifre", "şifreniz", "şifresi",
    // Vietnamese, Indonesian, Malay, Filipino.
    "mật khẩu", "matkhau", "katasandi", "katalaluan", "kontrasenyas",
    // Basque, Galician, Welsh, Albanian, Swahili.
    "pasahitza", "contrasinal", "cyfrinair", "fjalëkalimi", "fjalekalimi", "nenosiri",
];

/// Names of keys and tokens in other languages.
#[rustfmt::skip]
pub(super) const LATIN_TOKENS: &[&str] = &[
    "schlüssel", "clé api", "cle api", "clef api", "clave api", "chiave api", "chave api", "chave secreta", "jeton", "klucz api", "sleutel", "geheim",
    // Access keys and secret keys.
    "llavesecreta", "llavedeacceso", "llaveprivada", "llaveapi", "clavedeacceso", "claveprivada", "clavedecifrado", "chiavesegreta", "chiavediaccesso", "chiaved'accesso", "chiaveprivata", "chavedeacesso", "chaveprivada", "chavedeapi", "chiavedicifratura", "chavedecriptografia",
    "clé secrète", "cle secrete", "clé d'accès", "cle d'acces", "clé d’accès", "clé privée", "jeton d'accès", "jeton d’accès", "clau secreta", "clau d'accés", "clau d'accès", "tokendeacceso", "tokendeacesso", "tokendiaccesso", "jetondacces",
    "cheiesecreta", "cheie de acces", "cheiedeacces", "tajnyklucz", "klucztajny", "kluczdostepu", "klucz dostępu", "klucz prywatny", "klucz szyfrowania", "gizlianahtar", "kuncirahasia", "kunciakses", "kuncirahsia", "titkoskulcs", "hozzáférési kulcs", "salainenavain", "salainen avain", "pääsyavain", "käyttöavain",
    "hemlignyckel", "åtkomstnyckel", "hemmelignøgle", "hemmelig nøgle", "hemmelig nøkkel", "adgangsnøgle", "tilgangsnøkkel", "toegangssleutel", "geheimesleutel", "salajane võti", "tajni ključ", "tajniključ", "slaptas raktas", "slepená atslēga", "přístupový kód", "bí mật", "khóa truy cập", "mã truy cập", "lihimsusi", "clé wifi", "siri ufunguo",
];

/// Names that end with no letter of the Latin alphabet: the pass over words does not see their ends.
#[rustfmt::skip]
pub(super) const FOREIGN_PASSWORDS: &[&str] = &[
    "密码", "密碼", "口令", "密钥", "密鑰", "密匙", "令牌", "パスワード", "暗証番号", "合言葉", "トークン", "秘密鍵",
    "비밀번호", "암호", "패스워드", "토큰", "пароль", "Пароль", "ПАРОЛЬ", "паролем", "токен", "Токен", "секрет", "Секрет", "ключ API", "Ключ API", "парола", "лозинка",
    "κωδικός πρόσβασης", "Κωδικός πρόσβασης", "κωδικός", "Κωδικός", "συνθηματικό", "סיסמה", "סיסמא", "كلمة المرور", "كلمة السر", "رمز عبور", "पासवर्ड", "कूटशब्द", "รหัสผ่าน", "პაროლი", "գաղտնաբառ", "গোপন শব্দ", "পাসওয়ার্ড", "கடவுச்சொல்", "گذرواژه", "پاس ورڈ", "құпиясөз", "нууц үг", "кодове слово", "гасло",
    "ключ доступа", "Ключ доступа", "ключ доступу", "Ключ доступу", "секретный ключ", "Секретный ключ", "секретний ключ", "Секретний ключ", "закрытый ключ", "закритий ключ", "приватный ключ", "приватний ключ", "Приватный ключ", "ключ шифрования", "ключ шифрування", "парольная фраза", "Парольная фраза", "кодовая фраза", "парольна фраза", "код доступа", "Код доступа", "код доступу", "ключ для доступа", "таен ключ", "тајни кључ", "тајна", "шифра",
    "秘钥", "通行码", "访问码", "访问密码", "授权码", "解锁码", "アクセスキー", "シークレットキー", "秘密キー", "パスフレーズ", "APIキー", "暗号キー", "パスコード", "액세스 키", "비밀 키", "비밀키", "시크릿 키", "암호 키", "인증 키", "접근 키",
    "مفتاح الوصول", "المفتاح السري", "مفتاح سري", "رمز الدخول", "رمز المرور", "كلمه السر", "کلید دسترسی", "کلید مخفی", "מפתח גישה", "מפתח סודי", "מפתח ההצפנה", "קוד גישה", "गुप्त कुंजी", "एक्सेस कुंजी", "पासफ़्रेज़", "पासकोड", "รหัสลับ", "คีย์ลับ", "คีย์การเข้าถึง", "μυστικό κλειδί", "κλειδί πρόσβασης", "φράση πρόσβασης", "საიდუმლო გასაღები", "গোপন কী",
];

/// The names of passwords with letters that are not English, as JSON may write them.
#[rustfmt::skip]
pub(super) const ESCAPED_PASSWORDS: &[&str] = &[
    "\\u5bc6\\u7801", "\\u5bc6\\u78bc", "\\u53e3\\u4ee4", "\\u5bc6\\u94a5", "\\u5bc6\\u9470", "\\u5bc6\\u5319", "\\u4ee4\\u724c", "\\u30d1\\u30b9\\u30ef\\u30fc\\u30c9", "\\u6697\\u8a3c\\u756a\\u53f7", "\\u5408\\u8a00\\u8449", "\\u30c8\\u30fc\\u30af\\u30f3", "\\u79d8\\u5bc6\\u9375",
    "\\ube44\\ubc00\\ubc88\\ud638", "\\uc554\\ud638", "\\ud328\\uc2a4\\uc6cc\\ub4dc", "\\ud1a0\\ud070", "\\u043f\\u0430\\u0440\\u043e\\u043b\\u044c", "\\u041f\\u0430\\u0440\\u043e\\u043b\\u044c", "\\u041f\\u0410\\u0420\\u041e\\u041b\\u042c", "\\u043f\\u0430\\u0440\\u043e\\u043b\\u0435\\u043c",
    "\\u0442\\u043e\\u043a\\u0435\\u043d", "\\u0422\\u043e\\u043a\\u0435\\u043d", "\\u0441\\u0435\\u043a\\u0440\\u0435\\u0442", "\\u0421\\u0435\\u043a\\u0440\\u0435\\u0442", "\\u043a\\u043b\\u044e\\u0447 API", "\\u041a\\u043b\\u044e\\u0447 API", "\\u043f\\u0430\\u0440\\u043e\\u043b\\u0430",
    "\\u043b\\u043e\\u0437\\u0438\\u043d\\u043a\\u0430", "\\u03ba\\u03c9\\u03b4\\u03b9\\u03ba\\u03cc\\u03c2 \\u03c0\\u03c1\\u03cc\\u03c3\\u03b2\\u03b1\\u03c3\\u03b7\\u03c2", "\\u039a\\u03c9\\u03b4\\u03b9\\u03ba\\u03cc\\u03c2 \\u03c0\\u03c1\\u03cc\\u03c3\\u03b2\\u03b1\\u03c3\\u03b7\\u03c2",
    "\\u03ba\\u03c9\\u03b4\\u03b9\\u03ba\\u03cc\\u03c2", "\\u039a\\u03c9\\u03b4\\u03b9\\u03ba\\u03cc\\u03c2", "\\u03c3\\u03c5\\u03bd\\u03b8\\u03b7\\u03bc\\u03b1\\u03c4\\u03b9\\u03ba\\u03cc", "\\u05e1\\u05d9\\u05e1\\u05de\\u05d4", "\\u05e1\\u05d9\\u05e1\\u05de\\u05d0",
    "\\u0643\\u0644\\u0645\\u0629 \\u0627\\u0644\\u0645\\u0631\\u0648\\u0631", "\\u0643\\u0644\\u0645\\u0629 \\u0627\\u0644\\u0633\\u0631", "\\u0631\\u0645\\u0632 \\u0639\\u0628\\u0648\\u0631", "\\u092a\\u093e\\u0938\\u0935\\u0930\\u094d\\u0921", "\\u0915\\u0942\\u091f\\u0936\\u092c\\u094d\\u0926",
    "\\u0e23\\u0e2b\\u0e31\\u0e2a\\u0e1c\\u0e48\\u0e32\\u0e19", "\\u10de\\u10d0\\u10e0\\u10dd\\u10da\\u10d8", "\\u0563\\u0561\\u0572\\u057f\\u0576\\u0561\\u0562\\u0561\\u057c", "\\u0997\\u09cb\\u09aa\\u09a8 \\u09b6\\u09ac\\u09cd\\u09a6",
    "\\u09aa\\u09be\\u09b8\\u0993\\u09af\\u09bc\\u09be\\u09b0\\u09cd\\u09a1", "\\u0b95\\u0b9f\\u0bb5\\u0bc1\\u0b9a\\u0bcd\\u0b9a\\u0bca\\u0bb2\\u0bcd", "\\u06af\\u0630\\u0631\\u0648\\u0627\\u0698\\u0647", "\\u067e\\u0627\\u0633 \\u0648\\u0631\\u0688",
    "\\u049b\\u04b1\\u043f\\u0438\\u044f\\u0441\\u04e9\\u0437", "\\u043d\\u0443\\u0443\\u0446 \\u04af\\u0433", "\\u043a\\u043e\\u0434\\u043e\\u0432\\u0435 \\u0441\\u043b\\u043e\\u0432\\u043e", "\\u0433\\u0430\\u0441\\u043b\\u043e", "l\\u00f6senord", "l\\u00f6senordet", "contrase\\u00f1a",
    "has\\u0142o", "slapta\\u017eodis", "\\u015fifre", "\\u015eifre", "\\u015eifreniz", "\\u015fifreniz", "\\u015fifresi", "m\\u1eadt kh\\u1ea9u", "fjal\\u00ebkalimi", "jelsz\\u00f3", "lykilor\\u00f0", "parol\\u0103", "parol\\u00eb", "salas\\u00f5na",
];

/// The same for names of keys and tokens.
pub(super) const ESCAPED_TOKENS: &[&str] = &["schl\\u00fcssel", "cl\\u00e9 api"];

/// Names that begin with letters of English and end with another one.
pub(super) const FOREIGN_ENDINGS: &[(&str, &str)] = &[
    ("jelsz", "ó"),
    ("lykilor", "ð"),
    ("parol", "ă"),
    ("parol", "ë"),
    ("cheie secret", "ă"),
    ("gizli anahtar", "ı"),
    ("jelmond", "ó"),
    ("heslov", "á"),
    ("cl", "é wifi"),
    ("tajn", "ý klíč"),
    ("tajn", "ý kľúč"),
    ("klucz dost", "ępu"),
    ("p", "řístupový klíč"),
    ("p", "rístupový kľúč"),
    ("eri", "şim anahtarı"),
    ("kh", "óa bí mật"),
    ("chave de seguran", "ça"),
];

/// Words and signs that stand between a name and what it is, before a blank or a colon.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "is now", "is set to", "is", "are", "sind", "sont", "son", "je", "was changed to", "was set to", "was reset to", "was", "has been changed to", "has been set to", "has been reset to",
    "changed to", "set to", "reset to", "updated to", "to", "by", "lautet", "ist", "wurde auf", "auf", "est", "es", "é", "è", "är", "er", "jest", "to", "este", "là", "=>", "->", "→",
];

/// The same in scripts that need no blank after them.
pub(super) const WIDE_VERBS: &[&str] = &[
    "是",
    "为",
    "為",
    "は",
    "는 ",
    "은 ",
    "가 ",
    "이 ",
    "→ ",
    "คือ",
    "เป็น",
    "هي ",
    "هو ",
    "هی ",
    "היא ",
    "הוא ",
    "הינה ",
    "הינו ",
    "है ",
    "हैं ",
    "είναι ",
    "это ",
    "— это ",
    "є ",
    "არის ",
    "হল ",
    "হলো ",
    "ہے ",
    "است ",
    "：是",
    "就是",
    "改为",
    "設為",
    "设为",
    "改成",
];

/// Commands that are given a token as their last argument.
#[rustfmt::skip]
pub(super) const LOGINS: &[&str] = &[
    "cargo login", "wandb login", "snyk auth", "ngrok authtoken", "add-authtoken", " setapikey", "operator unseal",
    "configure set token", "op signin", "bw login", "auth plain", "authenticate plain", "auth xoauth2", "authenticate xoauth2", "config set _auth", "github-oauth", "pypi-token",
];

/// Programs that are told `domain/user:password@host`.
#[rustfmt::skip]
pub(super) const IMPACKET: &[&str] = &[
    "psexec.py", "smbexec.py", "wmiexec.py", "dcomexec.py", "atexec.py", "secretsdump.py", "smbclient.py", "mssqlclient.py", "getuserspns.py", "getadusers.py", "lookupsid.py", "gettgt.py", "getst.py", "samrdump.py", "reg.py", "services.py", "rpcdump.py",
    "impacket-psexec", "impacket-smbexec", "impacket-wmiexec", "impacket-dcomexec", "impacket-atexec", "impacket-secretsdump", "impacket-getuserspns", "impacket-lookupsid", "impacket-gettgt",
];

/// What programs are told, or called, that are fed a secret: `echo SECRET | PROGRAM`, `PROGRAM <<< SECRET`.
#[rustfmt::skip]
pub(super) const STDIN: &[&str] = &[
    "password-stdin", "with-token", "token-stdin", "sudo -s", "passphrase-fd", "passwd --stdin", "kinit", "cryptsetup", "vncpasswd", "pwprompt",
    "secret-tool store", "pass insert", "borg init", "borg create", "restic init", "ssh-add", "keepassxc-cli", "sudo -ks", "age -p", "configure --token", "smbpasswd", "pdbedit", "pass-stdin", "secret-stdin",
    "lpass add", "vercel env add", "wg pubkey", "gpg-preset-passphrase", "ecryptfs-unwrap-passphrase", "zfs load-key", "gocryptfs", "key-file=-", "data-file=-", "pass-fd", "cred-stdin",
];
