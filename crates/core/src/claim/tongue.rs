//! The same claim in other languages: subject, filling, state, and the words that take it out.

use super::lexicon::words;
use super::{Claimed, Kind, Said, Sentence};

/// The cues of one language. Words are compared whole, except in scripts without spaces.
struct Tongue {
    /// No spaces between words.
    solid: bool,
    tests: &'static [&'static str],
    build: &'static [&'static str],
    lint: &'static [&'static str],
    /// What may stand between subject and state.
    filling: &'static [&'static str],
    /// States, each of one or more words.
    states: &'static [&'static str],
    /// Anywhere in the sentence: negations, conditions, wishes.
    guards: &'static [&'static str],
    /// Anywhere in the message: it was not run, or it is left to the reader.
    undone: &'static [&'static str],
}

impl Tongue {
    fn subjects(&self) -> [(&'static [&'static str], Claimed); 3] {
        [(self.tests, Claimed::Tests), (self.build, Claimed::Build), (self.lint, Claimed::Lint)]
    }
}

const TONGUES: &[Tongue] = &[
    Tongue {
        solid: false, // German
        tests: words! { "tests" "test-suite" "testsuite" "unit-tests" "unittests" },
        build: words! { "build" },
        lint: words! { "linter" "lint" },
        filling: words! {
            "alle" "jetzt" "nun" "wieder" "weiterhin" "wurden" "haben" "ist" "sind" "auch"
            "laufen" "läuft"
        },
        states: words! {
            "durch" "grün" "bestanden" "erfolgreich" "sauber" "fehlerfrei" "durchgelaufen"
        },
        guards: words! {
            "sollten" "sollte" "soll" "sollen" "wenn" "falls" "sobald" "müssen" "muss" "werden"
            "wird" "würden" "würde" "nicht" "kein" "keine" "ob" "bis" "damit" "bitte" "könnten"
            "könnte" "kann" "können" "einige" "manche" "nur" "vorher" "fehlgeschlagen"
            "sicherstellen" "sicher" "prüfe" "ci" "bevor" "hast" "dass" "außer" "nie"
            "hoffentlich" "wahrscheinlich" "möchte" "waren"
        },
        undone: words! {
            "nicht ausgeführt" "nicht ausführen" "nicht getestet" "nicht laufen lassen"
            "ungetestet" "nicht geprüft" "führe die tests" "bitte führe"
        },
    },
    Tongue {
        solid: false, // Spanish
        tests: words! { "pruebas" "tests" "test" },
        build: words! { "compilación" "build" },
        lint: words! { "linter" "lint" },
        filling: words! {
            "todas" "todos" "ya" "ahora" "unitarias" "unitarios" "de" "integración" "y" "siguen"
            "también" "están" "han" "ha" "está" "es" "fue" "sido"
        },
        states: words! {
            "pasan" "pasa" "pasaron" "pasó" "pasando" "pasado" "en verde" "superadas" "exitosas"
            "exitosa" "exitoso" "correctamente" "pasan correctamente" "pasan sin errores" "limpio"
        },
        guards: words! {
            "deberían" "debería" "debe" "deben" "si" "cuando" "una" "hasta" "no" "nunca" "pasarán"
            "pasará" "podrían" "podría" "puede" "pueden" "puedes" "algunas" "algunos" "para"
            "asegúrate" "asegurar" "verifica" "verificar" "ci" "antes" "dijiste" "que" "excepto"
            "salvo" "ejecuta" "ejecute" "fallan" "solo" "sólo" "espero" "probablemente"
        },
        undone: words! {
            "no he ejecutado" "no ejecuté" "no pude ejecutar" "no se ejecutaron" "sin probar"
            "no he probado" "ejecuta las pruebas"
        },
    },
    Tongue {
        solid: false, // French
        tests: words! { "tests" },
        build: words! { "build" "compilation" },
        lint: words! { "linter" "lint" },
        filling: words! {
            "tous" "unitaires" "d'intégration" "maintenant" "désormais" "sont" "est" "ont" "a"
            "été" "toujours" "et" "de" "bien" "aussi"
        },
        states: words! {
            "passent" "passe" "passés" "passé" "réussis" "réussi" "réussissent" "réussit" "au vert" "verts" "vert" "propre"
        },
        guards: words! {
            "devraient" "devrait" "doivent" "doit" "si" "quand" "lorsque" "dès" "jusqu'à" "ne"
            "n'est" "n'ont" "n'a" "pas" "jamais" "pourraient" "pourrait" "peut" "peuvent"
            "certains" "quelques" "pour" "afin" "assurez-vous" "vérifiez" "vérifier" "ci" "avant"
            "dit" "que" "sauf" "exécutez" "lancez" "échouent" "seulement" "passeront" "étaient"
            "probablement"
        },
        undone: words! {
            "pas exécuté" "pas lancé" "pas pu exécuter" "pas pu lancer" "pas testé"
            "lancez les tests" "exécutez les tests"
        },
    },
    Tongue {
        solid: false, // Portuguese
        tests: words! { "testes" },
        build: words! { "build" "compilação" },
        lint: words! { "linter" "lint" },
        filling: words! {
            "todos" "unitários" "de" "integração" "e" "agora" "já" "estão" "está" "continuam"
            "também" "foi" "foram" "é"
        },
        states: words! {
            "passam" "passa" "passaram" "passou" "passando" "verdes" "bem-sucedido" "bem-sucedida"
            "aprovados" "limpo"
        },
        guards: words! {
            "devem" "deve" "deveriam" "deveria" "se" "quando" "até" "não" "nunca" "passarão"
            "passará" "podem" "pode" "poderiam" "alguns" "algumas" "para" "certifique-se"
            "garanta" "garantir" "verifique" "verificar" "ci" "antes" "disse" "que" "exceto"
            "execute" "rode" "falham" "falharam" "apenas" "só" "provavelmente" "após"
        },
        undone: words! {
            "não executei" "não rodei" "não foram executados" "não testei" "não consegui"
            "execute os testes" "rode os testes"
        },
    },
    Tongue {
        solid: false, // Italian
        tests: words! { "test" },
        build: words! { "build" "compilazione" },
        lint: words! { "linter" "lint" },
        filling: words! { "tutti" "i" "ora" "adesso" "sono" "è" "unitari" "di" "integrazione" "ancora" "anche" "stati" },
        states: words! { "passano" "passa" "passati" "superati" "verdi" "verde" "riesce" "riuscita" },
        guards: words! {
            "dovrebbero" "dovrebbe" "devono" "deve" "se" "quando" "finché" "non" "mai" "potrebbero" "può" "possono"
            "alcuni" "per" "assicurati" "verifica" "esegui" "ci" "prima" "che" "tranne" "solo" "probabilmente"
        },
        undone: words! { "non ho eseguito" "non sono stati eseguiti" "non testato" "esegui i test" },
    },
    Tongue {
        solid: false, // Russian
        tests: words! { "тесты" "тест" "тестов" },
        build: words! { "сборка" },
        lint: words! { "линтер" },
        filling: words! { "все" "всё" "теперь" "юнит" "снова" "также" "успешно" "по-прежнему" },
        states: words! { "проходят" "проходит" "пройдены" "прошли" "прошла" "зелёные" "зеленые" "успешна" },
        guards: words! {
            "должны" "должен" "если" "когда" "пока" "не" "никогда" "могут" "может" "некоторые" "чтобы" "убедитесь"
            "проверьте" "запустите" "ci" "раньше" "что" "кроме" "только" "вероятно" "будут"
        },
        undone: words! { "не запускал" "не запускались" "не тестировал" "запустите тесты" },
    },
    Tongue {
        solid: false, // Polish
        tests: words! { "testy" "test" },
        build: words! { "build" "kompilacja" },
        lint: words! { "linter" "lint" },
        filling: words! { "wszystkie" "teraz" "jednostkowe" "również" "nadal" "są" "znowu" },
        states: words! { "przechodzą" "przechodzi" "przeszły" "przeszedł" "zielone" "udana" },
        guards: words! {
            "powinny" "powinien" "jeśli" "gdy" "kiedy" "dopóki" "nie" "nigdy" "mogą" "może" "niektóre" "aby" "żeby"
            "upewnij" "sprawdź" "uruchom" "ci" "wcześniej" "że" "oprócz" "tylko" "prawdopodobnie" "będą"
        },
        undone: words! { "nie uruchomiłem" "nie uruchamiałem" "nie testowałem" "uruchom testy" },
    },
    Tongue {
        solid: true, // Korean
        tests: words! { "테스트" },
        build: words! { "빌드" },
        lint: words! {},
        filling: words! { "가" "는" "이" "모두" "전부" "다" "도" "를" "스위트" "정상적으로" },
        states: words! { "통과했습니다" "통과합니다" "통과했어요" "통과함" "성공했습니다" "성공합니다" },
        guards: words! { "않" "못" "면" "해야" "하세요" "일부" "실패" "예정" "이전" "습니까" },
        undone: words! { "실행하지 않" "실행하지 못" "테스트하지 않" "실행해 주세요" },
    },
    Tongue {
        solid: true, // Chinese
        tests: words! { "测试" },
        build: words! { "構建" "构建" "编译" },
        lint: words! {},
        filling: words! {
            "全部" "均" "都" "已经" "已" "用例" "套件" "现在" "也" "成功" "项" "个" "完全" "顺利"
        },
        states: words! { "通过了" "通过" "成功了" "成功" "绿了" },
        guards: words! {
            "未" "没" "不" "应" "如果" "若" "需" "请" "将" "会" "确保" "失败" "吗" "尚" "部分" "可以" "能" "以便" "待" "等"
            "是否" "当" "要" "希望" "后再" "你说" "之前" "除" "只有" "才"
        },
        undone: words! {
            "未运行" "没有运行" "没运行" "未执行" "没有执行" "无法运行" "未测试" "没有测试" "请运行" "请自行"
        },
    },
    Tongue {
        solid: true, // Japanese
        tests: words! { "テスト" },
        build: words! { "ビルド" "コンパイル" },
        lint: words! {},
        filling: words! {
            "が" "は" "も" "に" "すべて" "全て" "全部" "全件" "全" "件" "個" "スイート" "ケース" "正常" "無事"
        },
        states: words! {
            "通りました" "通っています" "通過しました" "パスしました" "パスしています" "合格しました" "成功しました" "成功しています" "グリーンです"
        },
        guards: words! {
            "ません" "ない" "なかった" "はず" "たら" "れば" "場合" "必要" "ください" "一部" "未" "失敗" "でしょう" "予定" "思い" "以前"
            "変更前" "ですか" "ますか" "か？"
        },
        undone: words! {
            "実行していません" "実行できません" "未実行" "未テスト" "テストしていません" "確認していません" "実行してください"
        },
    },
];

/// What a sentence says to pass, in any of the languages.
pub(super) fn read(sentence: &Sentence<'_>) -> Option<Said> {
    if sentence.row {
        return None;
    }
    // A script without spaces is not ASCII.
    let tongues = TONGUES.iter().filter(|tongue| !tongue.solid || !sentence.text.is_ascii());
    tongues.into_iter().find_map(|tongue| {
        let what = if tongue.solid { solid(tongue, sentence) } else { spaced(tongue, sentence) };
        what.map(|what| Said { what, whole: true, end: sentence.tokens.len() })
    })
}

/// Tells whether a sentence says that something was not run, in any of the languages.
pub(super) fn undone(sentence: &Sentence<'_>) -> bool {
    let small = sentence.text.to_lowercase();
    let mut undone = TONGUES.iter().flat_map(|tongue| tongue.undone);
    undone.any(|words| small.contains(words))
}

/// Words: the subject, filling or numbers, the state.
fn spaced(tongue: &Tongue, sentence: &Sentence<'_>) -> Option<Claimed> {
    let said = (0..sentence.tokens.len()).find_map(|at| {
        let mut subjects = tongue.subjects().into_iter();
        let (_, what) = subjects.find(|(nouns, _)| sentence.is(at, nouns))?;
        let told = |at: &usize| {
            let begins = |state: &&str| {
                state.split(' ').enumerate().all(|(place, word)| sentence.word(at + place) == word)
            };
            tongue.states.iter().any(begins)
        };
        let filling = |at: &usize| {
            told(at)
                || match sentence.kind(*at) {
                    Some(Kind::Word) => sentence.is(*at, tongue.filling),
                    Some(Kind::Count(_) | Kind::Tick | Kind::Colon | Kind::Close) => true,
                    Some(Kind::Ratio(part, of)) => part == of,
                    _ => false,
                }
        };
        (at + 1..sentence.tokens.len()).take_while(filling).find(told).map(|_| what)
    });
    said.filter(|_| !sentence.tokens.iter().any(|token| token.is(tongue.guards)))
}

/// A script without spaces: the same within words, and the state ends a word.
fn solid(tongue: &Tongue, sentence: &Sentence<'_>) -> Option<Claimed> {
    let said = (0..sentence.tokens.len()).find_map(|at| {
        let word = sentence.word(at);
        let follow = |noun: &&str| {
            let mut nouns = word.match_indices(noun);
            nouns.any(|(from, _)| {
                let rest = word.get(from + noun.len()..).unwrap_or_default();
                passes(tongue, sentence, at, rest)
            })
        };
        let named = |(nouns, _): &(&[&str], _)| nouns.iter().any(follow);
        tongue.subjects().into_iter().find(named).map(|(_, what)| what)
    });
    said.filter(|_| !tongue.guards.iter().any(|guard| sentence.text.contains(guard)))
}

/// Tells whether filling and a state follow the subject.
fn passes<'a>(
    tongue: &Tongue,
    sentence: &'a Sentence<'_>,
    mut at: usize,
    mut rest: &'a str,
) -> bool {
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.is_empty() {
            at += 1;
            match sentence.kind(at) {
                Some(Kind::Word) => rest = sentence.word(at),
                Some(Kind::Colon | Kind::Tick | Kind::Count(_) | Kind::Ratio(..)) => {}
                _ => return false,
            }
            continue;
        }
        let state = tongue.states.iter().find_map(|state| rest.strip_prefix(state));
        // What goes on is another word, unless it is "but".
        if let Some(after) = state
            && (after.is_empty() || after == "が")
        {
            return true;
        }
        match tongue.filling.iter().find_map(|word| rest.strip_prefix(word)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
}
