//! What can be counted in a value.

use super::super::class::{self, DASH, DIGIT, LOWER, UPPER};

/// What a value is made of.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) length: usize,
    pub(super) lowers: usize,
    pub(super) uppers: usize,
    pub(super) digits: usize,
    pub(super) digit_groups: usize,
    pub(super) dashes: usize,
    pub(super) blanks: usize,
    /// All that is neither letter, digit, dash nor dot.
    pub(super) others: usize,
    /// Signs that words and names do not have.
    pub(super) specials: usize,
    /// Places where the class changes.
    pub(super) changes: usize,
}

impl Facts {
    pub(super) fn of(text: &[u8]) -> Self {
        let mut facts = Self { length: text.len(), ..Self::default() };
        let mut previous = 0;
        for &byte in text {
            let class = match byte {
                _ if class::is(byte, LOWER) => 1,
                _ if class::is(byte, UPPER) => 2,
                _ if class::is(byte, DIGIT) => 3,
                _ if class::is(byte, DASH) => 4,
                b'.' => 5,
                _ => 6,
            };
            match class {
                1 => facts.lowers += 1,
                2 => facts.uppers += 1,
                3 => {
                    facts.digits += 1;
                    facts.digit_groups += usize::from(previous != 3);
                }
                4 => facts.dashes += 1,
                5 => {}
                _ => {
                    facts.others += 1;
                    facts.blanks += usize::from(byte == b' ');
                    facts.specials += usize::from(matches!(
                        byte,
                        b'!' | b'@'
                            | b'#'
                            | b'$'
                            | b'%'
                            | b'^'
                            | b'&'
                            | b'*'
                            | b'+'
                            | b'='
                            | b'~'
                            | b'?'
                    ));
                }
            }
            facts.changes += usize::from(previous != 0 && previous != class);
            previous = class;
        }
        facts
    }
}

/// Shannon's measure of the first bytes, in sixteenths of a bit.
pub(super) fn bits_per_byte(text: &[u8]) -> usize {
    let text = &text[..text.len().min(64)];
    let mut counts = [0u8; 256];
    for &byte in text {
        counts[byte as usize] += 1;
    }
    let sum: usize =
        text.iter().map(|&it| LOG2[text.len()] - LOG2[counts[it as usize] as usize]).sum();
    sum / text.len().max(1)
}

/// Sixteen times the logarithm to base two.
const LOG2: [usize; 65] = logarithms();

const fn logarithms() -> [usize; 65] {
    let mut table = [0; 65];
    let mut n = 1;
    while n < 65 {
        // log2(n) = log2(n^16) / 16, so the sixteenths are the whole bits of the 16th power.
        table[n] = (n as u128).pow(16).ilog2() as usize;
        n += 1;
    }
    table
}
