//! Indonesian and Malay.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "tes" "test" "pengujian" "uji" "unit test" "tes unit" "ujian" "rangkaian tes" "tests"
    },
    builds: words! { "build" "kompilasi" "pembangunan" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: words! { "semua" "seluruh" "semuanya" "seluruhnya" "setiap" "kedua" "100" },
    everything: words! { "semua" "semuanya" },
    filling: words! {
        "semua" "sekarang" "kini" "sudah" "telah" "juga" "kembali" "masih" "dan" "semuanya" "unit"
        "integrasi" "tetap" "seluruhnya" "ini" "baru" "dengan" "berjalan"
    },
    states: words! { "lulus" "berhasil" "hijau" "sukses" "lolos" "tidak lagi gagal" "bersih" },
    faultless: words! {
        "tanpa kesalahan" "tanpa error" "tanpa masalah" "tanpa galat" "tanpa peringatan"
    },
    none: words! { "tidak ada" "tak ada" "nol" "tiada" },
    fails: words! { "gagal" "merah" "kegagalan" "rusak" },
    compiles: words! { "dikompilasi" "terkompilasi" "dibangun" "dikompil" },
    ran: words! { "menjalankan" "dijalankan" "jalankan" },
    tested: words! { "diuji" "teruji" "diverifikasi" "menguji" "dites" "memverifikasi" },
    things: words! {
        "perbaikan" "perubahan" "kode" "solusi" "fitur" "implementasi" "patch" "fungsi" "fix"
    },
    works: words! { "berfungsi" "berjalan" "bekerja" },
    guards: words! {
        "seharusnya" "harus" "akan" "belum" "tidak" "bukan" "bisa" "dapat" "mungkin" "beberapa"
        "sebagian" "hanya" "hampir" "kebanyakan" "kemarin" "semoga" "perlu" "tak" "jangan"
    },
    conditions: words! {
        "jika" "kalau" "bila" "ketika" "saat" "apabila" "agar" "supaya" "pastikan" "silakan"
        "sebelum" "kecuali" "menurut" "sampai" "hingga" "setelah" "tolong" "mohon" "untuk" "tujuan"
        "sebelumnya"
    },
    that: words! { "bahwa" },
    confirmed: words! { "memastikan" "konfirmasi" "memverifikasi" "mengonfirmasi" "terverifikasi" },
    objects: words! { "sebuah" },
    undone: words! {
        "belum menjalankan" "tidak menjalankan" "tidak bisa menjalankan" "belum diuji"
        "belum dijalankan" "tidak dapat menjalankan" "jalankan tes" "belum menguji"
    },
    gaps: words! {
        "kecuali" "selain" "tidak dapat dijalankan" "tidak bisa dijalankan"
        "tidak bisa menjalankan" "tidak dapat menjalankan" "tidak berhasil" "masih merah"
        "dilewati" "tidak lulus"
    },
    reasons: words! {
        "karena" "sebab" "membutuhkan" "butuh" "memerlukan" "perlu" "tanpa" "tidak ada"
        "tidak tersedia"
    },
    fine: words! { "baik" "beres" "normal" "aman" "ok" },
    ..LATIN
};
