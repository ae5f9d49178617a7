//! Vietnamese.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! {
        "test" "tests" "bài kiểm thử" "kiểm thử" "bài test" "ca kiểm thử" "bài kiểm tra" "bộ test"
        "bộ kiểm thử" "unit test" "test case" "testcase"
    },
    builds: words! { "build" "bản build" "biên dịch" },
    lints: words! { "lint" "linter" "eslint" "clippy" "ruff" },
    all: words! { "tất cả" "toàn bộ" "mọi" "cả" "hết" "100" },
    everything: words! { "tất cả" "mọi thứ" },
    filling: words! {
        "tất" "cả" "các" "đều" "đã" "bây" "giờ" "hiện" "cũng" "vẫn" "và" "chúng" "đang" "được"
        "toàn" "bộ" "thử" "kiểm" "case" "bài"
    },
    states: words! {
        "đều đạt" "đều pass" "đều qua" "đều thành công" "đều vượt qua" "thành công" "vượt qua"
        "đã pass" "đã qua" "đã đạt" "đều xanh" "xanh" "pass hết" "đạt yêu cầu" "pass 100"
        "đều đã pass" "chạy thành công" "không còn lỗi" "đều ok" "đều đã qua" "đều chạy thành công"
    },
    faultless: words! {
        "không lỗi" "không có lỗi" "không gặp lỗi" "không có cảnh báo" "không còn lỗi" "sạch"
    },
    none: words! { "không có" "không" "không còn" },
    fails: words! {
        "thất bại" "bị lỗi" "bị fail" "lỗi" "hỏng" "nào lỗi" "nào fail" "không đạt" "đỏ"
    },
    compiles: words! { "biên dịch" "build" },
    ran: words! { "chạy" "đã chạy" },
    tested: words! {
        "đã được kiểm thử" "đã kiểm thử" "đã test" "đã được test" "đã kiểm tra" "đã được kiểm tra"
        "đã xác minh" "đã được xác minh" "kiểm thử và" "test và"
    },
    things: words! {
        "sửa lỗi" "bản sửa" "thay đổi" "bản vá" "mã" "code" "giải pháp" "tính năng" "bản sửa lỗi"
        "chức năng"
    },
    works: words! { "hoạt động" "chạy tốt" },
    guards: words! {
        "nên" "phải" "sẽ" "chưa" "không" "có thể" "một số" "vài" "chỉ" "hầu hết" "gần như" "có lẽ"
        "hôm qua" "cần" "đa số" "phần lớn" "mong" "hy vọng" "không thể"
    },
    conditions: words! {
        "nếu" "khi" "hãy" "vui lòng" "để" "trước khi" "trừ" "ngoại trừ" "đảm bảo" "cho đến khi"
        "theo" "miễn là" "sau khi" "mục tiêu" "trước đây"
    },
    that: words! { "rằng" },
    confirmed: words! { "xác nhận" "kiểm tra" "xác minh" },
    objects: words! { "một" "tham" },
    undone: words! {
        "chưa chạy" "không chạy" "không thể chạy" "chưa test" "chưa kiểm thử" "hãy chạy test"
        "chưa được kiểm thử"
    },
    gaps: words! {
        "ngoại trừ" "trừ" "không thể chạy" "chưa thể chạy" "không chạy được" "không làm cho"
        "vẫn đỏ" "bị bỏ qua" "không pass"
    },
    reasons: words! {
        "vì" "bởi vì" "do" "cần" "thiếu" "yêu cầu" "không có"
    },
    fine: words! { "ổn" "bình thường" "tốt" "ok" },
    ..LATIN
};
