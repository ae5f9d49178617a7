//! Portuguese.

use super::{LATIN, Language, words};

pub(super) const ROW: Language = Language {
    tests: words! { "testes" "teste" "suíte" "suite" "pytest" },
    ci: words! { "ci" "pipeline" "github actions" "integração contínua" },
    builds: words! { "build" "compilação" },
    all: words! { "todos" "todas" "toda" "totalidade" "completa" "cada" "ambos" "100" },
    everything: words! { "tudo" },
    filling: words! {
        "todos" "unitários" "de" "integração" "e" "agora" "já" "estão" "está" "continuam" "também"
        "foi" "foram" "é" "testes" "os" "as" "a" "o" "completa" "novos" "existentes" "novamente"
        "rodou" "rodaram" "terminou" "com" "ficou" "ficaram"
    },
    states: words! {
        "estão green" "está green" "passa por completo" "passam por completo" "passa inteira" "passa por inteiro" "passam" "passa" "passaram" "passou" "passando" "verdes" "verde" "bem-sucedido"
        "bem-sucedida" "bem-sucedidos" "aprovados" "limpo" "com sucesso" "sucesso" "não falham mais"
        "não falha mais"
    },
    faultless: words! {
        "sem erros" "sem erro" "sem falhas" "sem problemas" "sem avisos" "nenhum erro"
    },
    none: words! { "nenhum" "nenhuma" "zero" "não há" "sem" "nem um" },
    fails: words! {
        "falha" "falham" "falhou" "falharam" "falhando" "falhas" "quebrado" "quebrados" "vermelho"
        "falhos"
    },
    compiles: words! { "compila" "compilam" "compilou" },
    ran: words! {
        "rodei" "executei" "executados" "rodados" "rodado" "executado" "executar" "execução"
    },
    tested: words! {
        "testado" "testada" "testados" "testadas" "verificado" "verificada" "validado" "testei"
        "verifiquei" "validei"
    },
    things: words! {
        "correção" "alteração" "alterações" "mudança" "mudanças" "código" "solução" "funcionalidade"
        "implementação" "patch" "fix" "endpoint" "fluxo" "ajuste" "refatoração"
    },
    works: words! { "funciona" "funcionam" "funcionando" },
    guards: words! {
        "devem" "deve" "deveriam" "deveria" "não" "nunca" "passarão" "passará" "podem" "pode"
        "poderiam" "alguns" "algumas" "apenas" "só" "somente" "provavelmente" "nem" "quase"
        "maioria" "nenhum" "ontem" "estavam" "estava" "talvez" "metade" "parte" "consegui" "vão"
        "vai"
    },
    conditions: words! {
        "se" "quando" "até" "para" "certifique-se" "garanta" "garantir" "verifique" "verificar"
        "antes" "disse" "exceto" "execute" "rode" "após" "caso" "assim que" "segundo" "por favor"
        "objetivo" "espero" "menos" "desde" "diz" "enquanto"
    },
    that: words! { "que" },
    confirmed: words! {
        "verifiquei" "confirmei" "confirmo" "confirmado" "verificado" "mostra" "validei" "conferi"
    },
    objects: words! { "um" "uma" "o" "a" "os" "as" "por" "pelo" "pela" "ao" "para" },
    undone: words! {
        "não executei" "não rodei" "não foram executados" "não testei" "não consegui"
        "execute os testes" "rode os testes" "não pude executar" "não foi testado"
        "não foi possível executar" "não verificado" "não verificada" "sem verificar"
    },
    gaps: words! {
        "exceto" "menos" "salvo" "com exceção" "à exceção" "não foi possível" "não é possível"
        "não consegui" "não pude" "não pôde" "não podem" "continua vermelho" "continua falhando"
        "ignorad*" "pulad*" "não passa" "não passam" "impossível"
    },
    reasons: words! {
        "porque" "pois" "já que" "precisa" "precisam" "falta" "faltam" "requer" "exige" "devido"
        "sem" "espera" "não há" "não está disponível" "indisponív*"
    },
    fine: words! { "certo" "bem" "em ordem" "correto" "ok" },
    ..LATIN
};
