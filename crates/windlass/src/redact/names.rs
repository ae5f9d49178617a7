//! The words of many languages after which a secret may follow.
//!
//! Small letters, and no sign between the parts of a word: `apikey` is found in `API_KEY` and `api key`.

/// Names of passwords in English.
#[rustfmt::skip]
pub(super) const PASSWORDS: &[&str] = &[
    "password", "passwd", "pwd", "passcode", "_pass", "-pass", "dbpass", "userpass", "smtppass", "mailpass", "rootpass",
    "adminpass", "rediscliauth", "dbpw", "bindpw", "rootpw", "userpw", "adminpw", "mypw", "identified by", "psswd", "pasword",
    // Two letters, with what may stand before them.
    "_pw", "-pw", " pw", "\npw", "\tpw", "\"pw", "→pw", "\\npw", "'pw", "`pw", "*pw", ".pw", ",pw", "&pw", "?pw", "{pw", "(pw", ">pw", ":pw", "+pw", "/pw", ";pw",
];

/// Names of passwords in languages with Latin letters, if they end with a letter of English.
#[rustfmt::skip]
pub(super) const LATIN_PASSWORDS: &[&str] = &[
    // German, Dutch, Danish, Norwegian, Swedish, Icelandic, Finnish, Estonian.
    "passwort", "kennwort", "losungswort", "losung", "zugangscode", "wachtwoord", "adgangskode", "kodeord", "passord", "passordet",
    "lösenord", "lösenordet", "losenord", "salasana", "parool", "geheimnis", "geheimwort", "losenordet", "lykilord", "wagwoord", "pasvorto",
    // French, Spanish, Portuguese, Italian, Catalan, Romanian.
    "motdepasse", "mdp", "contraseña", "contrasena", "senha", "palavrapasse", "palavra-passe", "parola", "parola d'ordine", "parolachiave", "contrasenya", "clave",
    // Polish, Czech, Slovak, Slovene, Croatian, Lithuanian, Latvian, Hungarian, Turkish.
    "hasło", "haslo", "heslo", "geslo", "lozinka", "slaptažodis", "slaptazodis", "parole", "jelszo", "şifre", "Şifre", "Şifreniz", "zaporka", "sifre", "şifreniz", "şifresi",
    // Vietnamese, Indonesian, Malay, Filipino.
    "mật khẩu", "matkhau", "katasandi", "katalaluan", "kontrasenyas",
    // Basque, Galician, Welsh, Albanian, Swahili.
    "pasahitza", "contrasinal", "cyfrinair", "fjalëkalimi", "fjalekalimi", "nenosiri",
];

/// Names of keys and tokens in other languages.
#[rustfmt::skip]
pub(super) const LATIN_TOKENS: &[&str] = &[
    "schlüssel", "clé api", "cle api", "clef api", "clave secreta", "clave api", "chiave api", "chave api", "chave secreta", "jeton", "klucz api", "sleutel", "geheim",
];

/// Names that end with no letter of the Latin alphabet: the pass over words does not see their ends.
#[rustfmt::skip]
pub(super) const FOREIGN_PASSWORDS: &[&str] = &[
    "密码", "密碼", "口令", "密钥", "密鑰", "密匙", "令牌", "パスワード", "暗証番号", "合言葉", "トークン", "秘密鍵",
    "비밀번호", "암호", "패스워드", "토큰", "пароль", "Пароль", "ПАРОЛЬ", "паролем", "токен", "Токен", "секрет", "Секрет", "ключ API", "Ключ API", "парола", "лозинка",
    "κωδικός", "Κωδικός", "συνθηματικό", "סיסמה", "סיסמא", "كلمة المرور", "كلمة السر", "رمز عبور", "पासवर्ड", "कूटशब्द", "รหัสผ่าน", "პაროლი", "գաղտնաբառ", "গোপন শব্দ", "পাসওয়ার্ড", "கடவுச்சொல்", "گذرواژه", "پاس ورڈ", "құпиясөз", "нууц үг", "кодове слово", "гасло",
];

/// Names that begin with letters of English and end with another one.
pub(super) const FOREIGN_ENDINGS: &[(&str, &str)] =
    &[("jelsz", "ó"), ("lykilor", "ð"), ("parol", "ă"), ("parol", "ë")];

/// Words and signs that stand between a name and what it is, before a blank or a colon.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "is now", "is set to", "is", "are", "sind", "sont", "son", "je", "was changed to", "was set to", "was reset to", "was", "has been changed to", "has been set to", "has been reset to",
    "changed to", "set to", "reset to", "updated to", "to", "by", "lautet", "ist", "wurde auf", "auf", "est", "es", "é", "è", "är", "er", "jest", "to", "este", "là", "=>", "->", "→",
];

/// The same in scripts that need no blank after them.
pub(super) const WIDE_VERBS: &[&str] = &["是", "为", "為", "は", "는 ", "은 ", "→ "];
