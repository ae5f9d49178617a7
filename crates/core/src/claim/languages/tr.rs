//! Turkish.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "testler" "test" "testler*" "testin" "testlerde" "testi" "birim testleri" "testlerden"
        "pytest" "testlerin"
    },
    builds: words! { "build" "derleme" "yapı" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: words! { "tüm" "bütün" "hepsi" "tamamı" "her" "tümü" "100" },
    everything: words! { "hepsi" "tümü" "her şey" },
    filling: words! {
        "tüm" "şimdi" "artık" "hepsi" "tamamı" "yeniden" "da" "de" "ve" "hala" "hâlâ" "tümü"
        "başarıyla" "sorunsuz" "birim" "entegrasyon" "çalıştı" "durumda"
    },
    states: words! {
        "geçiyor" "geçti" "geçmekte" "geçer" "geçtiler" "geçiyorlar" "başarılı" "başarıyla" "yeşil"
        "başarılıdır" "tamamlandı" "geçmiş" "geçmiştir" "temiz" "artık başarısız olmuyor" "sorunsuz"
        "geçildi"
    },
    faultless: words! { "hatasız" "sorunsuz" "hata olmadan" "uyarısız" "hata vermeden" },
    none: words! { "hiçbir" "sıfır" },
    fails: words! {
        "başarısız" "başarısız olmuyor" "kırmızı" "hata" "kalmadı" "kırık" "çöküyor" "patlıyor"
        "hatalı" "başarısızlık"
    },
    compiles: words! {
        "derleniyor" "derlendi" "derlenir" "derlenmekte" "hatasız derleniyor" "hatasız derlendi"
        "sorunsuz derleniyor" "sorunsuz derlendi"
    },
    ran: words! { "çalıştırdım" "koştum" "çalıştırıldı" "çalıştırdık" "koşturdum" "yürüttüm" },
    tested: words! {
        "test edildi" "test ettim" "doğrulandı" "doğruladım" "denendi" "test edilip" "sınandı"
        "kontrol edildi"
    },
    things: words! {
        "düzeltme" "düzeltmeyi" "değişiklik" "değişiklikler" "değişikliği" "kod" "kodu" "çözüm"
        "çözümü" "uygulama" "özellik" "yama" "değişiklikleri"
    },
    works: words! { "çalışıyor" "çalışmakta" },
    guards: words! {
        "geçmeli" "geçmiyor" "değil" "bazı" "sadece" "yalnızca" "muhtemelen" "olmalı" "neredeyse"
        "çoğu" "belki" "dün" "geçecek" "birkaç" "yarısı" "asla" "geçmedi" "gerek" "gerekir" "umarım"
        "hariç" "dışında" "geçmez"
    },
    conditions: words! {
        "eğer" "geçerse" "lütfen" "çalıştırın" "emin olun" "kadar" "önce" "için" "göre" "ise"
        "zaman" "geçince" "daha önce" "amaç" "takdirde" "kontrol edin" "olduğunda"
    },
    that: words! { "ki" },
    confirmed: words! { "doğruladım" "onaylıyorum" },
    objects: words! { "parametre" },
    undone: words! {
        "çalıştırmadım" "çalıştıramadım" "test etmedim" "test edilmedi" "çalıştırılmadı"
        "çalıştırılamadı" "testleri çalıştırın" "doğrulamadım" "doğrulanmadı"
    },
    gaps: words! {
        "dışında" "hariç" "haricinde" "çalıştırılamıyor" "çalıştırılamadı" "çalıştıramadım"
        "geçiremedim" "geçmiyor" "geçmedi" "geçmiyorlar" "hâlâ kırmızı" "hala kırmızı" "atlandı"
        "mümkün değil" "başaramadım"
    },
    reasons: words! {
        "çünkü" "gerekiyor" "gerektiriyor" "gerekli" "istiyor" "yok" "eksik" "olmadığı*" "olmadan"
        "nedeniyle" "ihtiyaç" "bekliyor"
    },
    fine: words! { "yolunda" "sorunsuz" "tamam" "ok" },
    ..LATIN
};
