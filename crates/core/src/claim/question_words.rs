//! The words by which a question at the end of a message is told from a polite end, in small letters.
//!
//! A word that ends with `*` stands for all that begin so.

/// Words of a question that only the user can answer.
#[rustfmt::skip]
pub(super) const DECISIONS: &[&str] = &[
    " or ", "which", "should i", "shall i", "should we", "shall we", "how should", "how do you want", "prefer", "ok to",
    "okay to", "may i", "can you", "could you", "what should", "do you want me to", "would you like me to", "soll ich",
    "sollen wir", "welche", "oder", "dois-je", "faut-il", "debo", "debería", "devo", "要不要", "还是", "どちら",
    " ou ", "zal ik", "moet ik", "vuoi che", "preferisci", "preferes", "prefieres", "préférez", " czy ", "wolisz", " или ",
    "стоит ли", "какой", "какую", " чи ", " або ", " mı", "hangi", "miyim", "¿debo", "yoksa", "ska jag", "skal jeg", " eller ", "pitäisikö",
    " vai ", "haluatko", "mám ", " nebo ", " alebo ", "ar trebui", " sau ", "melyik", " vagy ", " ή ", "có nên",
    " atau ", "還是", "需要我", "哪个", "哪一", "しましょうか", "べきですか", "よいですか", "よろしいですか", "할까요", "어느", "아니면",
    " أم ", " או ", " या ",
];

/// Words with which a question ends finished work, whatever was done.
#[rustfmt::skip]
pub(super) const POLITE: &[&str] = &[
    "anything else", "something else", "anything more", "else?", "any question*", "any other", "any feedback", "any concern*", "help with", "help you", "look good", "looks good", "sounds good", "what's next", "what is next",
    "what next", "next step*", "do next", "next up", "go next", "next task*", "tackle next", "work on next", "walk you", "show you", "noch etwas", "sonst noch", "noch was", "weitere fragen", "noch fragen", "autre chose",
    "d'autres questions", "des questions", "algo más", "alguna otra", "alguna pregunta", "algo mais", "mais alguma", "alguma dúvida", "qualcos'altro", "altro?", "altre domande", "nog iets", "iets anders", "något mer",
    "något annat", "noget andet", "noget mere", "andet?", "noe annet", "noe mer", "jotain muuta", "muuta?", "coś jeszcze", "jeszcze coś", "něco dalšího", "ještě něco", "altceva", "még valami", "başka bir", "başka?", "ещё что*",
    "еще что*", "что-то ещё", "что-нибудь ещё", "что-нибудь еще", "чем ещё", "ще щось", "щось іще", "щось ще", "нещо друго", "κάτι άλλο", "شيء آخر", "چیز دیگر*", "משהו נוסף", "עוד משהו", "और कुछ", "còn gì", "gì khác", "ada lagi",
    "hal lain", "još nešto", "alguna cosa més", "他に", "ほかに", "还有什么", "还有其他", "还需要什么", "還有什麼", "其他问题", "更多需要", "다른 필요", "더 필요", "더 도와", "다른 도움", "อีกไหม", "อีกหรือไม่",
];

/// Deeds with which finished work goes out of hand, as whole words.
#[rustfmt::skip]
pub(super) const FINISHING: &[&str] = &[
    "commit", "commits", "committen", "committe", "committer", "commiten", "commiter", "commitear", "commitar", "comitar", "committare", "committa", "commitn*", "zacommit*", "push", "pushen", "pushe", "pusher", "pushear",
    "pushuj*", "merge", "mergen", "merger", "mergear", "pr", "pull request", "deploy", "deployen", "publish", "коммит*", "закоммит*", "запуш*", "мерж*", "コミット", "プッシュ", "プルリク", "提交", "推送", "커밋", "푸시",
];

/// What is written when the work is done.
#[rustfmt::skip]
pub(super) const WEAK: &[&str] = &[
    "summar*", "explain*", "readme", "docs", "document*", "changelog", "question*", "clean up", "cleanup", "release note*"
];

/// Words with which more work is offered.
#[rustfmt::skip]
pub(super) const OFFERS: &[&str] = &[
    "shall i", "shall we", "should i", "should we", "may i", "can i", "can we", "want me", "want a", "want to", "like me", "like a", "like to", "do you want", "ready to", "ok to",
    "okay to", "good to", "need me", "want it", "like it", "soll ich", "sollen wir", "darf ich", "kann ich", "möchtest", "willst", "dois-je", "puis-je", "veux-tu", "voulez-vous", "souhait", "quieres", "debo",
    "puedo", "devo", "posso", "quer que", "vuoi", "zal ik", "moet ik", "wil je", "ska jag", "vill du", "skal jeg", "vil du", "mam ", "chcesz", "mám ", "chceš", "мне ", "хотите", "хочешь",
];

/// Words with which a line begins that asks for the answer once more, or that goes on after it.
#[rustfmt::skip]
pub(super) const REPLIES: &[&str] = &[
    "please tell", "please let", "please choose", "please decide", "please pick", "please advise", "please confirm", "let me know", "tell me", "your call", "i recommend", "i would recommend", "i'd recommend",
    "i suggest", "i'd suggest", "my recommendation", "my suggestion", "i would go", "i'd go", "i lean", "i'd lean", "i prefer", "i'd prefer", "i'd say", "i would say", "i'll wait", "i will wait", "i'll go on", "i will go on",
    "i'll continue", "i will continue", "i can do", "i'm waiting", "waiting for", "then i", "otherwise", "if so", "if yes", "if not", "if no", "either way", "both are", "both work", "thanks", "thank you", "until then", "bitte",
    "sag ", "sagen sie", "gib mir", "danke", "ich warte", "ich empfehle", "dann ", "dis-moi", "dites-moi", "merci", "j'attends", "dime", "dígame", "gracias", "espero", "me diga", "diga-me", "aguardo", "obrigad", "dimmi",
    "fammi", "grazie", "attendo", "laat ", "zeg ", "dank", "säg ", "tack", "sig ", "si ", "tak", "daj znać", "powiedz", "dzięki", "dej mi", "řekni", "díky", "скажи", "напиши", "сообщи", "спасибо", "жду", "скажіть", "дякую", "söyle",
    "lütfen", "teşekkür", "请", "請", "等待", "谢谢", "教えて", "お知らせ", "ご確認", "お待ち", "알려", "말씀", "부탁",
];

/// Words that ask for a decision by themselves.
#[rustfmt::skip]
pub(super) const REQUESTS: &[&str] = &[
    "please confirm", "please choose", "please decide", "please pick", "please advise", "please clarify", "please tell", "please specify", "please select", "please say", "please let me know", "need a decision", "need your",
    "needs your", "need you to decide", "need you to choose", "need you to confirm", "awaiting your", "await your", "waiting for your", "waiting on your", "it's your call", "is your call", "up to you", "need guidance",
    "need some guidance", "need input", "need clarification", "need a clarification", "i need to know", "for you to decide", "needs a decision", "decision is needed", "decision needed", "input needed", "input is needed",
    "say the word", "bitte entscheide*", "bitte wähl*", "bitte bestätig*", "bitte sag*", "bitte gib mir bescheid", "bitte teile mir", "bitte teilen sie mir", "bitte lass mich", "bitte klär*", "sag mir", "sagen sie mir",
    "gib mir bescheid", "brauche deine", "brauche ihre", "brauche eine entscheidung", "brauche von dir eine entscheidung", "benötige eine entscheidung", "auf deine entscheidung", "auf ihre entscheidung", "auf deine antwort",
    "bitte um entscheidung", "entscheide du", "dis-moi", "dites-moi", "merci de confirmer", "merci de choisir", "merci de préciser", "merci de me dire", "merci de m'indiquer", "attends ta", "attends votre", "besoin de ta",
    "besoin de votre", "besoin d'une décision", "besoin de ton avis", "à toi de décider", "à vous de décider", "à toi de choisir", "dime", "dígame", "indícame", "por favor confirma", "por favor, confirma", "por favor elige",
    "por favor, elige", "por favor, dime", "confírmame", "necesito tu", "necesito su", "necesito que decidas", "necesito una decisión", "espero tu", "tú decides", "me diga", "diga-me", "me diz", "por favor, confirme",
    "por favor confirme", "por favor, escolha", "preciso da sua", "preciso da tua", "preciso de uma decisão", "preciso que", "aguardo sua", "aguardo a sua", "aguardo tua", "dimmi", "mi dica", "per favore conferma",
    "per favore, conferma", "per favore scegli", "fammi sapere", "fatemi sapere", "attendo la tua", "attendo una tua", "mi serve la tua", "mi serve una tua", "ho bisogno di una tua", "ho bisogno di una decisione", "laat me weten",
    "laat het me weten", "laat maar weten", "zeg me", "zeg maar", "kies alsjeblieft", "bevestig alsjeblieft", "heb je beslissing", "heb uw beslissing", "wacht op je", "wacht op uw", "daj znać", "proszę o decyzję", "proszę o wybór",
    "proszę o potwierdzenie", "proszę wybierz", "proszę wybrać", "powiedz mi", "potrzebuję twojej", "potrzebuję decyzji", "czekam na decyzję", "czekam na twoją", "скажи", "скажите", "подтвердите", "пожалуйста, подтверди",
    "выберите", "выбери", "сообщите", "уточните", "жду решения", "жду вашего", "жду твоего", "нужно ваше", "нужно твоё", "нужно твое", "нужно решение", "скажіть", "скажи", "підтвердіть", "оберіть", "чекаю на ваше", "потрібне ваше",
    "потрібне твоє", "потрібне рішення", "säg till", "säg vilk*", "vänligen bekräfta", "vänligen välj", "behöver ditt", "väntar på ditt", "sig til", "bekræft venligst", "vælg venligst", "har brug for din", "si fra",
    "vennligst bekreft", "vennligst velg", "trenger din", "dej mi vědět", "řekni mi", "prosím potvrď", "prosím vyber", "potřebuji tvé", "potřebuji rozhodnutí", "čekám na tvé", "kérlek dönts", "kérlek válassz", "mondd meg",
    "bana söyle*", "lütfen seç*", "lütfen belirt*", "lütfen onayla*", "kararını bekliyorum", "kararınızı bekliyorum", "kararına ihtiyacım", "te rog să alegi", "te rog să confirmi", "te rog spune-mi", "spune-mi",
    "am nevoie de decizia", "kerro minulle", "kerro kumpi*", "odotan päätöstäsi", "πες μου", "πείτε μου", "επιβεβαίωσε", "επιβεβαιώστε", "χρειάζομαι την απόφασή", "أخبرني", "يرجى التأكيد", "يرجى الاختيار", "يرجى إخباري",
    "أحتاج قرارك", "أحتاج إلى قرارك", "بگو", "بگویید", "لطفاً انتخاب", "لطفاً تأیید", "אנא בחר", "אנא אשר", "תגיד לי", "ממתין להחלטתך", "कृपया बता*", "कृपया पुष्टि", "कृपया चुन*", "cho tôi biết", "hãy chọn", "vui lòng chọn",
    "vui lòng xác nhận", "vui lòng cho", "beri tahu saya", "mohon pilih", "mohon konfirmasi", "silakan pilih", "reci mi", "javi mi", "请告诉", "請告訴", "请确认是否", "请选择", "請選擇", "请决定", "請決定", "请指示", "请告知", "請告知", "请问", "請問", "需要你的决定",
    "需要您的决定", "需要你决定", "需要您决定", "由你决定", "由您决定", "等待您", "等待你", "教えて", "お知らせください", "選んでください", "決めてください", "ご指示", "ご判断", "判断をお願い", "お選び", "알려 주세요", "알려주세요", "선택해 주", "선택해주", "결정해 주", "결정해주", "결정이 필요", "결정을 기다", "말씀해 주", "말씀해주",
    "โปรดเลือก", "โปรดยืนยัน", "โปรดแจ้ง", "โปรดบอก", "กรุณาเลือก", "กรุณายืนยัน", "กรุณาแจ้ง", "ช่วยบอก",
];

/// What a request asks for beside "let me know".
#[rustfmt::skip]
pub(super) const WHICH: &[&str] = &[
    "which", "how you", "how to", "how should", "how i ", "what you want", "what you would", "what you'd", "what to", "what the", "what should", "whether", "where ", "who ", " or ", "should", "may ", "can go", "your preference",
    "your decision", "your choice",
    "you prefer", "you'd prefer", "you would prefer", "yes or no", "to proceed", "to go on", "and i will", "and i'll",
];

/// Words of a request that only ends politely.
#[rustfmt::skip]
pub(super) const POLITE_REQUESTS: &[&str] = &[
    "question*", "anything", "feedback", "what you think", "how it goes", "how it works", "how that goes", "need help", "works", "any issue*", "any problem*", "fragen", "rückmeldung", "noch etwas", "preguntas", "perguntas",
    "dúvida*", "domande", "vragen", "pytania", "вопрос*", "питан*", "frågor", "spørgsmål", "spørsmål", "kysy*", "otázk*", "soru*", "întrebări", "kérdés*", "问题", "問題", "質問", "질문", "需要帮", "もし", "場合は", "必要であれば", "필요하면", "필요하시면",
    "있으면", "如果", "如需", "如有", "若需", "if you want", "if you'd like", "if you would like", "if you need", "if you run into", "if you have", "if there", "if something", "si tu as", "si tu veux", "si tu as besoin", "si vous",
    "si tienes", "si necesitas", "si quieres", "si hay", "se precisar", "se quiser", "se tiver", "se houver", "se hai", "se vuoi", "se ti serve", "se c'è",
];

/// Words of a condition, as whole words: a request with one of them waits for nothing.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[&str] = &[
    "wenn", "falls", "als", "jeśli", "если", "якщо", "pokud", "om", "hvis", "jos", "eğer", "nếu", "jika", "ako"
];

/// How a question begins that the message may answer itself.
#[rustfmt::skip]
pub(super) const RHETORICAL: &[&str] = &[
    "why", "what changed", "what has changed", "what's changed", "what's new", "what happened", "what was", "what did", "what i did", "what went", "what is this", "how does", "how did", "how it", "so what", "the result", "result?",
    "warum", "was wurde", "was hat sich", "was ist passiert", "pourquoi", "qu'est-ce qui",
    "por qué", "¿por qué", "qué cambió", "¿qué cambió", "¿qué ha", "por que", "o que mudou", "perché", "cosa è cambiato", "waarom", "wat is er", "varför", "hvorfor", "miksi", "dlaczego", "co się zmieniło", "proč", "co se změnilo",
    "почему", "что изменилось", "чому", "що змінилося", "neden", "niçin", "为什么", "为何", "なぜ", "왜",
];

/// Words of a sentence behind a question that answers it.
#[rustfmt::skip]
pub(super) const ANSWERED: &[&str] = &[
    "because", "i decided", "i chose", "i went", "i used", "i kept", "i made", "i picked", "i took", "i did", "i've", "i have", "so i", "fixed", "done", "the answer", "yes", "no,", "weil", "parce que", "porque", "perché", "omdat",
    "eftersom", "fordi", "bo ", "protože", "потому", "бо ", "çünkü", "因为", "から", "때문",
];

/// Words that say that the work is done.
#[rustfmt::skip]
pub(super) const DONE: &[&str] = &[
    "done", "finished", "complete", "completed", "fixed", "implemented", "solved", "resolved", "ready", "fertig", "erledigt", "abgeschlossen", "behoben", "umgesetzt", "implementiert", "geschafft", "terminé", "terminée", "fini", "achevé", "corrigé",
    "résolu", "listo", "hecho", "terminado", "completado", "arreglado", "corregido", "solucionado", "pronto", "feito", "concluído", "corrigido", "resolvido", "fatto", "finito", "completato", "risolto", "corretto", "klaar",
    "gedaan", "voltooid", "afgerond", "opgelost",
    "klart", "klar", "färdig", "färdigt", "fixat", "færdig", "ferdig", "løst", "valmis", "valmista", "tehty", "korjattu", "gotowe", "zrobione", "skończone", "ukończone", "naprawione", "hotovo", "hotové", "dokončeno", "opraveno",
    "gata", "terminat", "rezolvat", "kész", "elkészült", "tamam", "tamamlandı",
    "bitti", "hazır", "düzeltildi", "готово", "готов", "сделано", "завершено", "исправлено", "закончил", "зроблено", "виправлено", "έτοιμο", "ολοκληρώθηκε", "تم", "انتهى", "جاهز", "آماده", "סיימתי", "בוצע", "מוכן", "xong",
    "selesai", "gotovo", "fet", "llest", "acabat",
];

/// The same in scripts without spaces.
pub(super) const DONE_SOLID: &[&str] = &[
    "完成",
    "搞定",
    "好了",
    "修好",
    "已修复",
    "已修復",
    "完了",
    "できました",
    "終わりました",
    "直しました",
    "완료",
    "끝났",
    "고쳤",
    "เสร็จ",
];

/// What takes that back.
#[rustfmt::skip]
pub(super) const NOT_DONE: &[&str] = &[
    "not", "n't", "isn't", "partly", "partially", "half", "almost", "nearly", "nicht", "teilweise", "halb", "fast", "pas", "presque", "no", "casi", "não", "quase", "non", "quasi", "niet", "bijna", "inte", "ikke", "nie", "prawie",
    "ne", "не", "почти", "майже", "değil", "nu", "nem",
    "未", "没", "沒", "不", "ません", "ない", "못", "않", "아직", "ยัง", "ไม่",
];

/// The ends of questions in scripts that may do without a sign.
#[rustfmt::skip]
pub(super) const ENDINGS: &[&str] = &[
    "ですか", "ますか", "でしょうか", "ませんか", "ましょうか", "たか", "のか", "いか", "うか", "吗", "嗎", "呢", "什么", "什麼", "哪个", "哪個", "哪种", "哪種", "怎么办", "怎麼辦", "까요", "습니까", "입니까", "합니까", "됩니까", "십니까", "나요", "인가요", "은가요", "는가요", "한가요", "ไหม", "มั้ย",
    "ไหมครับ", "ไหมคะ", "หรือไม่", "หรือเปล่า", "อย่างไร", "อย่างไรดี", "อะไร", "ไหนดี",
];
