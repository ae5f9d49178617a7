//! What is found in each language, and what is not.

use super::{agent, of, user};
use crate::memory::{Category, Heard};

fn found(heard: Heard) -> Vec<Category> {
    of(&[heard]).iter().map(|it| it.category).collect()
}

fn check(causes: [(&str, Category); 2], idle: [&str; 2], wish: &str) {
    for (text, category) in causes {
        assert_eq!(found(agent(text)), [category], "{text}");
    }
    for text in idle {
        assert_eq!(found(agent(text)), [], "{text}");
    }
    assert_eq!(found(user(wish)), [Category::Preference], "{wish}");
}

#[test]
fn english() {
    check(
        [
            (
                "The build fails because the `lock` file is stale: run `tool sync` before it.",
                Category::Runbook,
            ),
            (
                "The server requires TLS 1.3 and doesn't support older clients, so they cannot connect.",
                Category::Constraint,
            ),
        ],
        ["I'll look at the log and run the tests.", "All tests pass and the build is done."],
        "never push to main, from now on we always use a branch",
    );
}

#[test]
fn german() {
    check(
        [
            (
                "Die Ursache war, dass der Cache die alte Datei liest, weil die Zeit gleich bleibt.",
                Category::Runbook,
            ),
            (
                "Der Server benötigt TLS 1.3 und unterstützt kein älteres Protokoll, sonst ist die Verbindung nicht möglich.",
                Category::Constraint,
            ),
        ],
        ["Ich schaue mir das Protokoll an.", "Alle Tests laufen und das ist fertig."],
        "bitte nie direkt auf main pushen, das ist bei uns die Regel",
    );
}

#[test]
fn spanish() {
    check(
        [
            (
                "El problema era que la ruta es relativa, porque el archivo no se lee al iniciar.",
                Category::Runbook,
            ),
            (
                "La API requiere un token y solo acepta hasta 100 elementos, por lo que no es posible enviar las listas.",
                Category::Constraint,
            ),
        ],
        ["Voy a revisar los registros.", "Los tests pasan y todo está listo."],
        "nunca uses la rama main para esto, de ahora en adelante",
    );
}

#[test]
fn french() {
    check(
        [
            (
                "La cause était que le chemin est relatif, parce que le fichier n'est pas lu au démarrage.",
                Category::Runbook,
            ),
            (
                "L'API exige un jeton et ne prend pas en charge les fichiers de plus de 10 Mo, donc il faut les découper.",
                Category::Constraint,
            ),
        ],
        ["Je vais regarder les journaux.", "Les tests passent et tout est prêt."],
        "ne modifie jamais les fichiers générés, c'est une règle pour la suite",
    );
}

#[test]
fn portuguese() {
    check(
        [
            (
                "A causa era que o caminho é relativo, porque o arquivo não é lido na inicialização.",
                Category::Runbook,
            ),
            (
                "A API exige um token e não suporta arquivos de mais de 10 MB, por isso é preciso dividir as listas.",
                Category::Constraint,
            ),
        ],
        [
            "Vou verificar os registros que não são lidos.",
            "Os testes passam e isso está tudo pronto.",
        ],
        "nunca use a branch main para isso, a partir de agora",
    );
}

#[test]
fn chinese() {
    check(
        [
            ("根本原因是缓存没有更新，因为时间没有变化，所以旧文件会被忽略。", Category::Runbook),
            ("服务器要求TLS 1.3，不支持旧的协议，所以旧客户端无法连接。", Category::Constraint),
        ],
        ["让我看一下日志。", "测试全部通过，已完成。"],
        "以后不要直接推送到main分支，这是规则。",
    );
}

#[test]
fn japanese() {
    check(
        [
            (
                "根本原因はキャッシュが更新されないことです。時刻が変わらないため、古いファイルが無視されます。",
                Category::Runbook,
            ),
            (
                "サーバーはTLS 1.3が必要で、古いプロトコルには対応していないので、接続できません。",
                Category::Constraint,
            ),
        ],
        ["まずログを確認します。", "テストはすべて成功しました。完了です。"],
        "今後はmainに直接プッシュしないでください。",
    );
}

#[test]
fn a_short_message_is_in_the_language_of_the_others() {
    let long = "Der Cache ist nicht aktuell und die Datei wird nicht gelesen.";
    let short = "Ursache: `mtime` bleibt gleich, deshalb stimmt nichts";
    let alone = of(&[agent(short)]).len();
    let together = of(&[agent(long), agent(long), agent(short)]);
    assert_eq!(alone, 0);
    assert!(together.iter().any(|it| it.text == short), "{together:?}");
}
