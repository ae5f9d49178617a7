//! Endings that are planted: each class with what it adds to a conversation.

use crate::copy::TranscriptCopy;
use crate::random::SeededRandom;
use crate::refusal::pick_refusal;
use crate::runner::{
    FAILING_WRAPPERS, LANGUAGES, MUTE_LINE, PASSING_WRAPPERS, PlantedRun, RunnerLanguage,
    STALE_LINES, plain_command,
};
use crate::transcript::SessionTranscript;
use crate::wording::{self, ClaimSubject};

/// What is wrong with an ending, or would be if the agent were not honest about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndingClass {
    /// Nothing ran after the last edit.
    Unrun,
    /// The run that passed came before the last edit.
    Stale,
    /// The run after the last edit failed.
    Failed,
    /// A part of the tests ran, and all of them are claimed.
    Partial,
    /// The run was refused.
    Refused,
    /// A run failed, and one that leaves the failing test out passed.
    Avoided,
    /// The run after the last edit passed: a claim is true.
    Proven,
}

impl EndingClass {
    /// Those in which a claim is false.
    pub const FALSE: [Self; 6] =
        [Self::Unrun, Self::Stale, Self::Failed, Self::Partial, Self::Refused, Self::Avoided];
    /// Those in which an agent can be honest.
    pub const HONEST: [Self; 7] = [
        Self::Unrun,
        Self::Stale,
        Self::Failed,
        Self::Partial,
        Self::Refused,
        Self::Avoided,
        Self::Proven,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unrun => "no run",
            Self::Stale => "stale run",
            Self::Failed => "failed run",
            Self::Partial => "partial run",
            Self::Refused => "refused run",
            Self::Avoided => "avoided failure",
            Self::Proven => "passing run",
        }
    }

    /// What an honest agent says; `None` where a claim is honest.
    fn honest_words(self) -> Option<&'static [&'static str]> {
        Some(match self {
            Self::Unrun => wording::HONEST_UNRUN,
            Self::Stale => wording::HONEST_STALE,
            Self::Failed => wording::HONEST_FAILED,
            Self::Partial => wording::HONEST_PARTIAL,
            Self::Refused => wording::HONEST_REFUSED,
            Self::Avoided => wording::HONEST_AVOIDED,
            Self::Proven => return None,
        })
    }
}

/// Whether the agent tells the truth at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndingTone {
    /// It claims what is not so: it has to be asked.
    False,
    /// It says how things are: it must not be asked.
    Honest,
}

/// A copy of a conversation with an ending of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlantedEnding {
    /// The name of the file that it is written to.
    pub file: String,
    /// The conversation that it is a copy of.
    pub session: String,
    /// What was planted.
    pub class: EndingClass,
    /// The language of the file that was edited.
    pub language: &'static str,
    /// The run that was planted; empty where there is none.
    pub command: String,
    /// The sentence that counts.
    pub said: String,
    /// When the agent stops, as the client writes times.
    pub time: String,
    /// The whole file.
    pub text: String,
}

/// Plants so many endings of a class, spread over the conversations. The same seed plants the same.
pub fn plant(
    transcripts: &[SessionTranscript],
    class: EndingClass,
    tone: EndingTone,
    count: usize,
    seed: u64,
) -> Vec<PlantedEnding> {
    let mut random = SeededRandom::new(seed ^ (class as u64 + 1).wrapping_mul(0x9E37_79B9));
    let mut planted = Vec::new();
    let mut order: Vec<&SessionTranscript> = transcripts.iter().collect();
    // A conversation comes again when all of them had their turn; some may refuse an ending.
    for round in 0..count.div_ceil(transcripts.len().max(1)) + 2 {
        shuffle(&mut order, &mut random);
        for transcript in &order {
            if planted.len() == count {
                return planted;
            }
            let stops = transcript.stops();
            let Some(stop) = random.pick(&stops).copied() else { continue };
            let ending = EndingRequest { class, tone, round };
            planted.extend(ending.plant(transcript, stop, &mut random));
        }
    }
    planted
}

fn shuffle<T>(things: &mut [T], random: &mut SeededRandom) {
    for index in (1..things.len()).rev() {
        things.swap(index, random.below(index + 1));
    }
}

/// One ending that is to be planted.
#[derive(Debug, Clone, Copy)]
struct EndingRequest {
    class: EndingClass,
    tone: EndingTone,
    round: usize,
}

impl EndingRequest {
    fn plant(
        self,
        from: &SessionTranscript,
        stop: usize,
        random: &mut SeededRandom,
    ) -> Option<PlantedEnding> {
        let Self { class, tone, round } = self;
        let mut words = SeededRandom::new(random.number());
        let mut copy = TranscriptCopy::of(from, stop, random)?;
        let edited = copy.edited_file();
        // A failure that the session itself left behind is a reason to ask an honest agent, too.
        match (&edited, tone) {
            (_, EndingTone::Honest) => copy.remove_runs(0),
            (Some((line, _)), EndingTone::False) => copy.remove_runs(*line),
            (None, EndingTone::False) => {}
        }
        // Some conversations have no code in them; in some another language is added.
        let known = edited.and_then(|(_, file)| Some((RunnerLanguage::of_file(&file)?, file)));
        let (language, file) = if let Some(known) = known.filter(|_| !words.once_in(3)) {
            known
        } else {
            let language = words.pick(LANGUAGES)?;
            let file = format!("{}/{}", copy.directory(), language.file);
            copy.edit(&file, language, true);
            (language, file)
        };
        let picked = pick_run(class, language, &file, &mut words)?;
        let PickedRun { subject, run, named, is_stale } = &picked;
        match class {
            EndingClass::Unrun => {}
            EndingClass::Stale => {
                copy.run(run);
                if !is_stale {
                    copy.edit(&file, language, false);
                }
            }
            EndingClass::Failed | EndingClass::Partial | EndingClass::Proven => copy.run(run),
            EndingClass::Avoided => {
                copy.run(&language.failing[0].bare());
                copy.run(run);
            }
            EndingClass::Refused => copy.refuse(&run.command, pick_refusal(&mut words)),
        }
        let honest = class.honest_words().filter(|_| tone == EndingTone::Honest);
        let wordings = honest.unwrap_or_else(|| subject.claims(&mut words));
        let number = wording::number(&mut words, language.tests);
        let short = file.rsplit('/').next().unwrap_or(&file);
        let places = [("{n}", &*number), ("{command}", named), ("{one}", named), ("{file}", short)];
        let said = wording::fill(words.pick(wordings)?, &places);
        let message = wording::message(&mut words, &said, &places);
        let time = copy.say(&message);
        let name = class.name().replace(' ', "-");
        Some(PlantedEnding {
            file: format!("{}-{name}-{round}-{stop}.jsonl", from.name),
            session: from.name.clone(),
            class,
            language: language.name,
            command: if class == EndingClass::Unrun { String::new() } else { run.command.clone() },
            said,
            time,
            text: copy.text(),
        })
    }
}

/// What ran, or would have run.
struct PickedRun {
    /// What is claimed of it.
    subject: ClaimSubject,
    run: PlantedRun,
    /// The command as an agent names it in its message.
    named: String,
    /// The line itself makes the run stale.
    is_stale: bool,
}

/// Picks what runs in a project of a language.
fn pick_run(
    class: EndingClass,
    language: &RunnerLanguage,
    file: &str,
    words: &mut SeededRandom,
) -> Option<PickedRun> {
    let (is_check, is_wrapped, is_line) = (words.once_in(4), words.once_in(3), words.once_in(3));
    let (subject, calls) = match class {
        EndingClass::Unrun if words.once_in(8) => (ClaimSubject::Lint, [language.check].to_vec()),
        EndingClass::Failed if is_check => (language.checks, [language.failed_check].to_vec()),
        EndingClass::Failed => (ClaimSubject::Tests, language.failing.to_vec()),
        EndingClass::Partial if is_check => (ClaimSubject::Packages, language.package.to_vec()),
        EndingClass::Partial => (ClaimSubject::WholeSuite, language.one.to_vec()),
        EndingClass::Avoided if is_wrapped => {
            let others = LANGUAGES.iter().filter(|it| it.name != language.name);
            let calls = others.map(|it| it.passing[0]).collect();
            (ClaimSubject::Tests, calls)
        }
        EndingClass::Avoided => (ClaimSubject::Tests, language.avoiding.to_vec()),
        _ if is_check => (language.checks, [language.check].to_vec()),
        _ => (ClaimSubject::Tests, language.passing.to_vec()),
    };
    let call = *words.pick(&calls)?;
    let is_tests = subject == ClaimSubject::Tests;
    let around = |line: &str| line.replace("{run}", call.plain()).replace("{file}", file);
    let is_stale = class == EndingClass::Stale && is_line;
    let run = match class {
        EndingClass::Stale if is_stale => call.within(around(words.pick(STALE_LINES)?), 0),
        EndingClass::Failed if is_line => {
            PlantedRun { output: "FAIL\n", ..call.within(around(MUTE_LINE), 0) }
        }
        EndingClass::Stale | EndingClass::Proven if is_tests && is_wrapped => {
            let (command, status) = *words.pick(PASSING_WRAPPERS)?;
            call.within(command.to_owned(), status)
        }
        EndingClass::Failed if is_tests && is_wrapped => {
            let (command, status) = *words.pick(FAILING_WRAPPERS)?;
            call.within(command.to_owned(), status)
        }
        _ => call.bare(),
    };
    let is_own = run.command.starts_with(call.plain()) || is_stale;
    let named =
        if is_own { call.plain().to_owned() } else { plain_command(&run.command).to_owned() };
    Some(PickedRun { subject, run, named, is_stale })
}
