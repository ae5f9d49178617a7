//! Thai.

use super::{LATIN, Language, Script, words};

pub(super) const ROW: Language = Language {
    script: Script::Thai,
    tests: words! { "เทสต์" "การทดสอบ" "เทส" "ทดสอบ" "test" "tests" },
    builds: words! { "บิลด์" "คอมไพล์" "build" },
    all: words! { "ทั้งหมด" "ทุก" },
    everything: words! { "ทุกอย่าง" "ทั้งหมด" },
    states: words! {
        "ผ่านทั้งหมด" "ผ่านหมด" "ผ่านแล้ว" "ผ่าน" "สำเร็จ" "สีเขียว" "ผ่านหมดแล้ว" "สำเร็จแล้ว"
        "ผ่านทั้งหมดแล้ว"
    },
    none: words! { "ไม่มี" },
    fails: words! { "ล้มเหลว" "ไม่ผ่าน" "พัง" },
    ran: words! { "รัน" },
    tested: words! { "ทดสอบแล้ว" "ตรวจสอบแล้ว" },
    things: words! { "การแก้ไข" "โค้ด" },
    works: words! { "ใช้งานได้" "ทำงานได้" },
    guards: words! {
        "ไม่" "ควร" "จะ" "ต้อง" "บาง" "เกือบ" "ส่วนใหญ่" "อาจ" "ยัง" "เฉพาะ" "เมื่อวาน" "ก่อน"
        "น่าจะ"
    },
    conditions: words! {
        "ถ้า" "หาก" "เมื่อ" "กรุณา" "โปรด" "เพื่อ" "จนกว่า" "ยกเว้น" "ให้แน่ใจ" "ก่อนที่"
    },
    undone: words! { "ไม่ได้รัน" "ยังไม่ได้รัน" "ไม่สามารถรัน" "ยังไม่ได้ทดสอบ" },
    ..LATIN
};
