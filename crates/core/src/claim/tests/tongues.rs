use super::Claimed::{Build, Lint, Tests};
use super::{each_claims, none_claims};

#[test]
fn claims_in_other_languages() {
    each_claims(&[
        ("Alle Tests laufen durch.", &[Tests]),
        ("Alle 12 Tests sind grün.", &[Tests]),
        ("Die Tests laufen wieder erfolgreich durch.", &[Tests]),
        ("Alle Tests bestanden.", &[Tests]),
        ("Der Build läuft durch und der Linter ist sauber.", &[Build]),
        ("Todas las pruebas pasan.", &[Tests]),
        ("Las 14 pruebas unitarias pasaron.", &[Tests]),
        ("Los tests están en verde.", &[Tests]),
        ("La compilación fue exitosa.", &[Build]),
        ("Tous les tests passent.", &[Tests]),
        ("Les tests unitaires sont tous au vert.", &[Tests]),
        ("Le build est vert.", &[Build]),
        ("Todos os testes passam.", &[Tests]),
        ("Os testes estão passando.", &[Tests]),
        ("O lint está limpo.", &[Lint]),
        ("所有测试通过。", &[Tests]),
        ("测试全部通过！", &[Tests]),
        ("12 个测试用例均已通过，可以合并。", &[Tests]),
        ("测试：12/12 通过", &[Tests]),
        ("构建成功。", &[Build]),
        ("修复了解析器，所有测试都通过了。", &[Tests]),
        ("すべてのテストが通りました。", &[Tests]),
        ("テストは全件パスしました！", &[Tests]),
        ("テスト42件がすべて成功しました。", &[Tests]),
        ("ビルドも成功しました。", &[Build]),
    ]);
}

#[test]
fn no_claims_in_other_languages() {
    none_claims(&[
        "Alle Tests sind grün. Ich habe die Tests nicht ausgeführt.",
        "Todas las pruebas pasan. No pude ejecutar las pruebas.",
        "所有测试通过。测试未运行。",
        "すべてのテストが通りました。テストは実行していません。",
        "Die Tests sollten jetzt durchlaufen.",
        "Wenn alle Tests grün sind, kann gemergt werden.",
        "Die Tests laufen nicht durch.",
        "Einige Tests sind grün.",
        "Sind alle Tests grün?",
        "Bitte prüfe, ob alle Tests bestanden sind.",
        "Las pruebas no pasan.",
        "Si todas las pruebas pasan, se publica.",
        "Las pruebas deberían estar en verde.",
        "Algunas pruebas pasan.",
        "Les tests ne passent pas.",
        "Les tests devraient être verts.",
        "Quand tous les tests passent, on publie.",
        "Assurez-vous que tous les tests passent.",
        "Os testes não passam.",
        "Se todos os testes passam, publique.",
        "Os testes devem estar passando.",
        "测试没有通过。",
        "如果所有测试通过，就可以合并。",
        "请确保测试通过。",
        "测试通过后再提交。",
        "部分测试通过。",
        "通过测试发现了一个问题。",
        "测试通过率很高。",
        "所有测试都通过了吗？",
        "テストが通りません。",
        "テストが通るはずです。",
        "テストが通ったらマージします。",
        "一部のテストがパスしました。",
        "すべてのテストが通りましたか？",
    ]);
}

#[test]
fn a_gap_in_another_part_takes_no_claim_back() {
    for message in [
        "Alle Tests sind grün. Die Integrationstests habe ich nicht ausgeführt.",
        "Alle Tests laufen durch. Unter Windows habe ich nicht getestet.",
        "Todas las pruebas pasan. No pude ejecutar las de integración.",
        "Tous les tests passent. Je n'ai pas testé sous Windows.",
        "Todos os testes passam. Não testei no Windows.",
        "Tutti i test passano. Non ho testato su Windows.",
        "Alle tests slagen. Ik heb niet getest op Windows.",
        "Все тесты проходят. На Windows не проверял.",
        "所有测试通过。集成测试未运行。",
        "すべてのテストが通りました。結合テストは実行していません。",
    ] {
        assert_eq!(super::subjects(message), [Tests], "{message}");
    }
}

#[test]
fn more_languages_claim_and_do_not() {
    for message in [
        "Tutti i test passano.",
        "Все тесты проходят.",
        "Wszystkie testy przechodzą.",
        "모든 테스트가 통과했습니다.",
    ] {
        assert!(!crate::claims(&crate::Excerpt::of(message)).is_empty(), "{message}");
    }
    for message in [
        "I test non passano.",
        "Тесты должны проходят если сервер есть.",
        "Testy nie przechodzą.",
        "테스트가 통과하지 않았습니다.",
    ] {
        assert!(crate::claims(&crate::Excerpt::of(message)).is_empty(), "{message}");
    }
}

#[test]
fn counts_with_all_that_passed_and_confirmed() {
    for message in [
        "ユニットテスト48件、全件パスを確認済みです。",
        "テストを実行し、問題ないことを確認しました。",
        "48 Unit-Tests, alle bestanden.",
        "48 tests unitaires, tous réussis.",
        "48 pruebas unitarias, todas pasaron.",
        "48 testes, todos passaram.",
        "48 test, tutti superati.",
        "Les tests sont OK.",
        "Die Tests sind OK.",
        "Los tests están OK.",
        "Os testes estão OK.",
        "I test sono OK.",
        "De tests zijn OK.",
        "Тесты ОК.",
        "Testy są OK.",
        "Die Tests sind in Ordnung.",
        "Testler tamam.",
        "Testovi su u redu.",
        "Τα τεστ είναι εντάξει.",
        "テストは正常です。",
        "48개 테스트, 전부 통과 확인했습니다.",
        "Der Build läuft durch, inklusive aller Tests.",
        "Le build passe, y compris les tests.",
        "La compilación fue exitosa, incluidas las pruebas.",
    ] {
        assert_eq!(super::subjects(message), [Tests], "{message}");
    }
}

#[test]
fn verified_and_all_is_well() {
    for message in [
        "已验证，一切正常。",
        "已驗證，一切正常。",
        "Geprüft, alles in Ordnung.",
        "Vérifié, tout est bon.",
        "Verificado: todo está bien.",
        "Verificado, tudo certo.",
        "Verificato, tutto a posto.",
        "Getest, alles in orde.",
        "Проверено, всё в порядке.",
        "Controllato: tutto a posto.",
        "確認済み、すべて正常です。",
        "확인 완료, 모두 정상입니다.",
    ] {
        assert!(super::subjects(message).contains(&super::Claimed::Works), "{message}");
    }
    none_claims(&[
        "Alles in Ordnung?",
        "Wenn geprüft, alles in Ordnung.",
        "一切正常的话就合并。",
        "Le texte est vérifié par le relecteur.",
    ]);
}
