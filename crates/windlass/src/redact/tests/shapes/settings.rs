//! Settings, documents and code that hold a secret. `§` stands for it, the letters for its kinds.

use super::Shape;

#[rustfmt::skip]
pub(super) const SETTINGS: &[Shape] = &[
    // Variables.
    ("DB_PASSWORD=§", "wmlspfdx"), ("export DB_PASSWORD=§", "wmlsp"), ("export DB_PASSWORD=\"§\"", "wmlspfdx"), ("export API_TOKEN='§'", "rhbum"),
    ("DB_PW=§", "wmlsr"), ("export DB_PW='§'", "wms"), ("DB_PWD=§", "wms"), ("SSHPASS=§", "wmlsr"), ("export SSHPASS=\"§\"", "wms"), ("PGPASSWORD=§ psql -h db -U app", "wmlsr"),
    ("MYSQL_PWD=§ mysql -u root app", "wmls"), ("REDISCLI_AUTH=§ redis-cli ping", "mlrh"), ("set DB_PASSWORD=§", "wmls"), ("setx DB_PASSWORD \"§\"", "wmls"), ("$env:DB_PASSWORD = \"§\"", "wmls"), ("$Env:API_KEY='§'", "rhb"),
    ("GITHUB_TOKEN=§", "kr"), ("SECRET_KEY=§", "rhbs"), ("JWT_SECRET=\"§\"", "rhbs"), ("ADMIN_PASS=§", "wmls"), ("SMTP_PASSWORD='§'", "wmls"), ("APP_KEY=base64:§", "b"), ("TF_VAR_db_password=§", "wmls"),
    ("ENCRYPTION_KEY=§", "rhb"), ("STRIPE_SECRET=§", "rh"), ("POSTGRES_PASSWORD=§\nPOSTGRES_USER=app", "wmls"), ("declare -x DB_PASSWORD=\"§\"", "wmls"), ("ENV DB_PASSWORD §", "mls"), ("ARG NPM_TOKEN=§", "rhu"),
    ("export PRIVATE_TOKEN=\"§\" # for the registry", "rhu"), ("DB_PASSWORD=§ # of the old host", "wmls"), ("HUGGINGFACE_TOKEN=§", "rh"), ("CERT_PASSPHRASE=\"§\"", "wmlsp"),
    // INI, TOML, properties.
    ("password = \"§\"", "wmlspfx"), ("password = '§'", "wmlspf"), ("password = §", "wmlsp"), ("password=§", "wmlspfx"), ("[client]\nuser=root\npassword=§", "wmlsp"), ("[client]\nuser = root\npassword = §", "wmls"),
    ("spring.datasource.password=§", "wmlsp"), ("spring.datasource.password: §", "wmls"), ("db_pass = §", "wmls"), ("db.pass=§", "wmls"), ("secret_key = \"§\"", "rhbs"), ("api_key = §", "rhu"), ("[database]\nuser = \"app\"\npassword = \"§\"\nhost = \"db\"", "wmls"),
    ("[registry]\ntoken = \"§\"", "rhk"), ("requirepass §", "wmlsr"), ("masterauth §", "mlsr"), ("PrivateKey = §", "b"), ("PresharedKey = §", "b"), ("psk=\"§\"", "wmlsp"), ("auth_pass §", "mlr"), ("aws_secret_access_key = §", "b"),
    ("machine api.example.com login bob password §", "wmlsr"), ("machine api.example.com\n  login bob\n  password §", "wmlsr"), ("default login bob password §", "wml"),
    ("db.example.com:5432:app:bob:§", "wmlsr"), ("*:*:*:bob:§", "wmls"), ("localhost:5432:*:postgres:§", "wmls"),
    // YAML.
    ("password: §", "wmlspx"), ("password: \"§\"", "wmlspfx"), ("password: '§'", "wmlspf"), ("  password: §\n  user: bob", "wmls"), ("pass: §", "wmls"), ("pass: \"§\"", "wmls"), ("pwd: §", "wmls"), ("pw: §", "mls"),
    ("db:\n  user: app\n  pass: §\n  host: db1", "wmls"), ("token: §", "rhuk"), ("token: \"§\"", "rhuk"), ("apiKey: §", "rhu"), ("clientSecret: \"§\"", "rhus"), ("secret: \"§\"", "rhus"),
    ("passwords:\n  - §\n  - §", "wmls"), ("passwords: [\"§\", \"§\"]", "wmls"), ("password: [§]", "mls"), ("password: [§, §]", "mls"), ("tokens:\n  - \"§\"\n  - \"§\"", "rh"), ("tokens: [§, §, §]", "rh"),
    ("password: >-\n  §", "wmls"), ("password: |\n  §", "wmls"), ("- name: DB_PASSWORD\n  value: §", "wmls"), ("- name: DB_PASSWORD\n  value: \"§\"", "wmls"), ("environment:\n  POSTGRES_PASSWORD: §", "wmls"), ("environment:\n  - POSTGRES_PASSWORD=§", "wmls"),
    ("password: &pw §", "mls"), ("password: !!str §", "mls"), ("admin_password: § # change it", "wmls"), ("{user: bob, password: §}", "wmls"),
    ("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: §", "b"), ("apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  conn: §\n  other: §", "br"),
    ("kind: Secret\napiVersion: v1\nmetadata:\n  name: db\nstringData:\n  conn: §", "mlsr"), ("apiVersion: v1\ndata:\n  tls.key: §\nkind: Secret", "b"),
    // JSON.
    ("{\"password\":\"§\"}", "wmlspfdx"), ("{\"password\": \"§\", \"user\": \"bob\"}", "wmlspf"), ("{\"user\":\"bob\",\"pass\":\"§\"}", "wmls"), ("{\"pass\":\"§\"}", "wmlsr"), ("{\"pwd\": \"§\"}", "wmls"), ("{\"pw\":\"§\"}", "wmls"),
    ("{\"token\":\"§\"}", "rhuk"), ("{\"access_token\":\"§\",\"expires_in\":3600}", "rhj"), ("{\"refresh_token\": \"§\"}", "rhj"), ("{\"api_key\": \"§\"}", "rhu"), ("{\"apiKey\":\"§\"}", "rhu"), ("{\"client_secret\":\"§\"}", "rhs"),
    ("{\"passwords\": [\"§\", \"§\", \"§\"]}", "wmls"), ("{\"tokens\":[\"§\",\"§\"]}", "rh"), ("{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"§\"}}}", "b"), ("{\"username\":\"bob\",\"key\":\"§\"}", "h"),
    ("{\"key\": \"DB_PASSWORD\", \"value\": \"§\"}", "wmls"), ("{\"name\":\"password\",\"value\":\"§\"}", "wmls"), ("{\"Name\": \"MasterUserPassword\", \"Value\": \"§\"}", "mls"), ("{\"credentials\": {\"user\": \"bob\", \"secret\": \"§\"}}", "rhs"),
    // Markup.
    ("<password>§</password>", "wmlspfd"), ("<Password>§</Password>", "wmls"), ("<db-password>§</db-password>", "wmls"), ("<user name=\"bob\" password=\"§\"/>", "wmlspf"), ("<user name='bob' password='§'/>", "wmls"),
    ("<property name=\"password\" value=\"§\"/>", "wmls"), ("<property name=\"password\">§</property>", "wmls"), ("<entry key=\"password\">§</entry>", "wmls"), ("<string name=\"api_key\">§</string>", "rhu"), ("<add key=\"DbPassword\" value=\"§\" />", "wmls"),
    ("<wsse:Password Type=\"PasswordText\">§</wsse:Password>", "wmls"), ("<key>Password</key>\n<string>§</string>", "wmls"), ("<token>§</token>", "rhu"), ("<apiKey>§</apiKey>", "rhu"), ("<server>\n  <id>central</id>\n  <username>bob</username>\n  <password>§</password>\n</server>", "wmls"),
    ("<input type=\"password\" name=\"pw\" value=\"§\">", "wmls"), ("<connectionStrings><add name=\"x\" connectionString=\"Server=db;User Id=sa;Password=§;\"/></connectionStrings>", "wmls"), ("<packageSourceCredentials><x><add key=\"ClearTextPassword\" value=\"§\" /></x></packageSourceCredentials>", "wmls"),
    // Tables.
    ("username,password\nbob,§\nanna,§", "wmls"), ("user,password,role\nbob,§,admin\nanna,§,viewer", "wmls"), ("name;e-mail;passwort\nbob;b@example.com;§", "wmls"), ("id\tuser\tpassword\n1\tbob\t§", "wmls"), ("\"user\",\"password\"\n\"bob\",\"§\"", "wmls"), ("host,api_key\ndb1,§\ndb2,§", "rh"),
    ("| user | password |\n| --- | --- |\n| bob | § |\n| anna | § |", "wmls"), ("| Password | Host |\n|---|---|\n| § | db1 |", "wmls"), ("| Service | User | Password | Note |\n|:--|:--|:--|:--|\n| db | bob | `§` | old |", "wmls"), ("| service | token |\n| --- | --- |\n| ci | § |", "rh"),
    ("+------+------------+\n| user | password   |\n+------+------------+\n| bob  | § |\n+------+------------+", "wmls"), (" user |   password\n------+--------------\n bob  | §\n anna | §\n(2 rows)", "wmls"), ("| Password | § |", "mls"), ("┌──────┬──────────┐\n│ user │ password │\n├──────┼──────────┤\n│ bob  │ § │\n└──────┴──────────┘", "wmls"),
    ("USER    PASSWORD      HOST\nbob     §    db1", "mls"), ("*************************** 1. row ***************************\n    user: bob\npassword: §", "wmls"),
    // SQL.
    ("CREATE USER bob IDENTIFIED BY '§';", "wmlsp"), ("CREATE USER 'bob'@'%' IDENTIFIED BY '§';", "wmls"), ("CREATE USER bob IDENTIFIED WITH mysql_native_password BY '§';", "wmls"), ("ALTER USER bob WITH PASSWORD '§';", "wmls"), ("ALTER USER bob PASSWORD '§'", "wmls"),
    ("CREATE ROLE app LOGIN PASSWORD '§';", "wmls"), ("CREATE USER app WITH ENCRYPTED PASSWORD '§';", "wmls"), ("ALTER ROLE app PASSWORD '§' VALID UNTIL 'infinity';", "wmls"), ("SET PASSWORD FOR 'bob'@'localhost' = PASSWORD('§');", "wmls"), ("GRANT ALL ON *.* TO 'bob'@'%' IDENTIFIED BY '§' WITH GRANT OPTION;", "wmls"),
    ("CREATE LOGIN bob WITH PASSWORD = '§';", "wmls"), ("CREATE LOGIN bob WITH PASSWORD = N'§';", "wmls"), ("ALTER LOGIN sa WITH PASSWORD='§';", "wmls"), ("CREATE USER bob IDENTIFIED BY §;", "mlw"), ("UPDATE users SET password = '§' WHERE name = 'bob';", "wmls"), ("INSERT INTO users (name, password) VALUES ('bob', '§');", "wmls"),
    ("CREATE DATABASE LINK x CONNECT TO bob IDENTIFIED BY \"§\" USING 'db';", "wmls"), ("CREATE SECRET s3 (TYPE S3, KEY_ID 'x', SECRET '§');", "b"), ("CREATE SUBSCRIPTION s CONNECTION 'host=db user=rep password=§' PUBLICATION p;", "wmls"), ("OPTIONS (user 'bob', password '§')", "wmls"), ("EXEC sp_addlogin 'bob', '§';", "mls"),
    // Terraform and code.
    ("variable \"db_password\" {\n  default = \"§\"\n}", "wmls"), ("variable \"db_password\" {\n  type    = string\n  default = \"§\"\n}", "wmls"), ("master_password = \"§\"", "wmls"), ("  password             = \"§\"", "wmls"),
    ("conn = psycopg2.connect(host=\"db\", user=\"app\", password=\"§\")", "wmls"), ("conn = connect('db', 'bob', passwd='§')", "wmls"), ("const password = '§';", "wmls"), ("let token = \"§\";", "rhuk"), ("String password = \"§\";", "wmls"), ("password := \"§\"", "wmls"), ("$password = '§';", "wmls"), ("define('DB_PASSWORD', '§');", "wmls"),
    ("private static final String API_KEY = \"§\";", "rhu"), ("client = Client(api_key=\"§\")", "rhu"), ("auth=(\"bob\", \"§\")", "mls"), ("requests.get(url, auth=('bob', '§'))", "mls"), ("HTTPBasicAuth('bob', '§')", "mls"), ("new PSCredential('bob', (ConvertTo-SecureString '§' -AsPlainText -Force))", "wmls"),
    (".setPassword(\"§\")", "wmls"), ("props.put(\"password\", \"§\");", "mls"), ("DriverManager.getConnection(url, \"bob\", \"§\")", "mls"), ("os.environ[\"DB_PASSWORD\"] = \"§\"", "wmls"), ("process.env.API_KEY = '§';", "rhu"), ("Authorization = f\"Bearer §\"", "rj"),
];
