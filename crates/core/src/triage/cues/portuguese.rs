//! Cues of Portuguese.

use super::{Group, Words};

#[rustfmt::skip]
pub(super) const WORDS: Words = Words {
    common: &["que", "não", "uma", "para", "é", "em", "um", "por", "da", "são", "isso", "está", "também", "ao", "pelo"],
    groups: &[
        (Group::CauseNamed, &[
            "causa raiz", "a causa|razão é|era|foi|está",
            "o problema|erro|bug|motivo|culpado|defeito é|era|foi|está|estava|vem",
            "causado|causada|provocado|provocada por", "se deve|devia a|ao",
            "por isso falha|falhava", "falha|falhava|falhou|quebra|quebrou porque|quando|se|ao",
            "isso explica", "o que explica", "vem do|da|de", "culpa do|da|de",
        ]),
        (Group::Because, &[
            "porque", "pois", "devido a|ao|à", "já que", "uma vez que", "visto que", "por causa",
            "dado que", "graças a|ao|à",
        ]),
        (Group::Consequence, &[
            "portanto", "por isso", "então o|a|os|as", "assim ,", "logo ,",
            "o que significa|implica|faz|causa", "isso significa|implica", "de modo|forma que",
            "como resultado", "consequentemente", "caso contrário", "senão",
            "causa|causava|provoca|provocava", "leva a|ao|à", "acaba *ndo",
        ]),
        (Group::Mechanism, &[
            "por padrão", "por default", "internamente", "por baixo", "em segundo plano",
            "só|somente|apenas quando|se|funciona|aceita|depois|após", "toda vez", "cada vez que",
            "a cada", "em tempo de", "ao iniciar|compilar|importar|instalar",
            "é|são|foi ... ignorado|ignorada|ignorados|sobrescrito|descartado|rejeitado|pulado|removido",
            "independentemente", "mesmo se|que|quando", "assim que",
        ]),
        (Group::Mismatch, &[
            "não corresponde|bate|coincide|batem", "espera|esperava|esperam", "incorret*", "errad*",
            "obsolet*", "desatualizad*", "não ... mais", "em vez disso", "na verdade",
            "na realidade", "inválid*", "inconsisten*",
            "não existe|encontrado|encontrada|há|funciona|está", "inesperad*", "contradi*",
        ]),
        (Group::Silent, &[
            "silenciosamente", "em silêncio", "sobrescrev*|sobrescrit*", "ignora|ignorava|ignoram",
            "condição de corrida", "deadlock", "impasse", "vazamento de|vaza",
            "trava|travou|congela", "pula|pulava", "trunca*", "corromp*", "nunca",
            "se perde|perdem|perdia", "loop infinito", "tempo esgotado|limite", "órfã*|órfão*",
            "contorna",
        ]),
        (Group::Fix, &[
            "a solução|correção é|era|foi|consiste", "o conserto|fix é|foi",
            "^ corrigido|resolvido|consertado",
            "corrig*|resolv*|evit*|contorn* ... com|usando|via|ao|adicionando",
            "solução alternativa|paliativa|de", "contorno",
            "para corrigir|evitar|resolver|contornar|consertar",
            "é preciso|necessário reiniciar|recompilar|reinstalar|rodar|usar", "workaround",
            "basta", "funciona se|ao|quando|depois",
            "precisa ser reiniciado|reconstruído|executado",
        ]),
        (Group::InsteadOf, &[
            "em vez de|do|da", "ao invés de|do|da", "no lugar de|do|da", ", não",
            "não só|apenas|somente|basta", "diferente de|do|da", "enquanto que|o|a", "e não",
            "mas sim", "em contraste",
        ]),
        (Group::But, &[
            ", mas", "^ mas", "porém", "no entanto", "contudo", "entretanto", "embora", "apesar",
            "infelizmente", "todavia", "ainda assim",
        ]),
        (Group::Requires, &[
            "requer|requerem", "precisa|precisam", "exige|exigem", "deve|devem", "obrigatóri*",
            "tem|têm que|de", "depende|dependem de|do|da", "pelo menos", "no mínimo|máximo",
            "a menos que", "sem", "desde que", "necessári*", "pré requisito*", "imprescindível",
        ]),
        (Group::Cannot, &[
            "não pode|podem|podia|consegue", "não suporta|permite|aceita|funciona|inclui|oferece",
            "não é|está possível|compatível|suportado|permitido|disponível|suficiente",
            "impossível", "não há como|forma|maneira", "proibid*", "negad*", "rejeita",
            "falta|faltam", "impede|impedia", "limitação|limitações", "nem", "tampouco",
        ]),
        (Group::Limit, &[
            "só|somente|apenas aceita|suporta|funciona|permite|disponível|lê",
            "_ exige|requer|impõe|espera|proíbe|rejeita", "não suporta|permite|aceita",
            "limite de|é|são", "limitad* a|ao|à|por", "no máximo|mínimo #", "pelo menos #", "até #",
            "somente leitura", "precisa|requer sudo|root|permissão|administrador", "não compatível",
            "cota*", "reservad*", "restrit*",
        ]),
        (Group::Decision, &[
            "decidi*", "decisão", "escolh*", "opt*", "ficamos com", "vamos com|de",
            "manter|mantemos|mantive|deixar|deixei", "de propósito", "intencional*", "deliberad*",
            "por design", "compromisso", "abordagem", "estratégia", "recomendo|recomendação",
            "prefer*|prefir*", "combinamos|acordado", "a favor de", "usaremos|vamos usar",
        ]),
        (Group::Debt, &[
            "por enquanto", "por ora", "todo|fixme", "mais tarde", "depois", "dívida técnica",
            "temporári*|provisóri*", "ainda não", "pré existente*|preexistente*",
            "já estava|existia", "problema|limitação|bug conhecido|conhecida", "pendente*",
            "pulado|pulados|ignorado", "adiad*", "fora do escopo", "não implementad*|testad*",
            "sem relação com", "não relacionad*", "gambiarra", "limpeza|limpar", "instável",
            "fixo no código",
        ]),
        (Group::Insight, &[
            "acontece que", "descobri que", "no fim das contas",
            "a chave|diferença|pegadinha é|está", "ponto chave",
            "nota|importante|atenção|cuidado|observação|aviso :",
            "vale notar|lembrar|mencionar|destacar|a", "note que", "tenha em mente", "curiosamente",
            "surpreendente*", "efeito|efeitos colateral|colaterais", "sutil*", "na prática",
            "de fato", "ou seja", "o importante", "pegadinha*",
        ]),
        (Group::Confirmed, &[
            "confirm*", "verifiquei|verificado", "comprovei|comprovado",
            "eu|nós confirmei|confirmamos|verificamos|testei|medi|descobri|reproduzi", "reproduz*",
            "descobr*", "segundo", "de acordo com", "medi|medido", "os logs|testes mostram|indicam",
            "mostra|prova que",
        ]),
        (Group::Changelog, &[
            "^ adicionado|adicionada|atualizado|atualizada|removido|removida|criado|criada|alterado|renomeado|movido|substituído|refatorado|implementado|excluído",
            "^ adicionei|atualizei|removi|criei|alterei|movi|mudei|substituí",
            "^ adiciona|adicionar|atualiza|atualizar|remove|remover|cria|criar|altera|alterar|move|mover",
            "^ novo|nova|novos|novas", "foi|foram adicionado|adicionada|atualizado|removido|criado",
            "eu adicionei|removi|criei|atualizei",
        ]),
        (Group::Local, &[
            "minha|minhas|esta|estas|essa|nossa mudança|mudanças|alteração|alterações",
            "este|esse|deste commit|diff|pr|branch", "linha|linhas #", "acabei|acabamos de",
            "o|a|os|as novo|nova|novos|novas teste|testes|arquivo|função|código",
            "este|esta|esse|essa arquivo|função|sessão|teste", "passo|tarefa|fase|etapa #",
            "não rastreado",
        ]),
        (Group::Hedge, &[
            "talvez", "possivel*", "provavel*", "parece|parecem|parecia", "poderia|poderiam",
            "pode ser", "acho|suponho|suspeito|acredito", "aparentemente", "não tenho certeza",
            "não está claro", "potencial*", "deve ser", "quem sabe",
        ]),
        (Group::Generic, &[
            "por exemplo", "p ex", "em geral", "geralmente", "normalmente", "tipicamente",
            "frequentemente", "costuma|costumam", "comum", "útil|úteis", "permite|permitem",
            "oferece", "ajuda a",
        ]),
        (Group::NowBehaves, &[
            "agora só|usa|aceita|retorna|funciona|requer|também|mostra|lê", "não ... mais",
            "é|está|estão agora", "agora é|está|estão", "antes era|usava|estava",
            "pode|podem agora", "passou|passa a|de",
        ]),
        (Group::Assume, &[
            "assum*", "supo*", "suponho", "presum*", "imagino", "provavelmente",
            "sem verificar|testar|confirmar", "não verificad*|testad*|confirmad*", "até onde sei",
            "que eu saiba", "em princípio", "deve ser|funcionar", "parto do",
        ]),
        (Group::Correction, &[
            "você tem|está razão|certo", "tem razão", "bem observado", "está errado|errada",
            "isso não é", "^ não ,", "não é o que", "eu quis|queria dizer", "por que você",
            "desfaça|reverta|reverter", "ainda não", "continua sem", "deveria ter",
        ]),
        (Group::Prefer, &[
            "quero|queremos|queria|gostaria", "prefer*|prefir*", "eu gosto|gostaria",
            "não quero|use|faça|mexa|mude|adicione|apague|crie", "use|utilize ... não|sempre|em",
            "por favor não|sempre|nunca|só", "certifique|garanta", "evite|evitem",
            "eu disse|pedi|falei", "convenção|convenções",
            "deve|devem|deveria|deveriam ser|estar|não|só|sempre",
            "pergunte|me antes|primeiro|pergunte", "antes de fazer|mudar|continuar|commitar",
        ]),
        (Group::Standing, &[
            "^ sempre", "^ nunca", "^ não use|faça|mexa|mude|adicione|apague|crie",
            "de agora|daqui em|para diante|frente", "a partir de agora", "no futuro",
            "da próxima vez", "lembre|lembra", "convenção|convenções",
            "regra|regras|norma|diretriz", "via de regra", "pare de", "antes de",
            "primeiro ... depois", "sempre|nunca use|usamos|rode|faça", "não quero|queremos|usamos",
            "prefer*|prefir*", "toda vez", "em um|só lugar",
        ]),
        (Group::UserDecides, &[
            "vamos", "deveríamos|deveria|deveriam", "temos que", "precisamos", "acho que", "melhor",
            "em vez disso", "só|apenas para|se|quando|o|a", "por enquanto",
            "tiramos|deixamos|usamos|mantemos|removemos", "eu iria|faria|deixaria|manteria",
            "^ não ,", "^ sim|ok|certo|beleza ,|mas|vamos", "está bom|errado|ótimo",
            "pensando melhor", "que tal", "não precisa",
        ]),
        (Group::UserReport, &[
            "^ eu tenho|tentei|vejo|estou|fiz|adicionei|recebi", "^ tentei|tenho|estou|recebi",
            "quando eu|rodo|executo|tento", "não vejo|consigo|aparece", "aparece|deu|dá um|o|erro",
            "parece que", "suponho", "entendo", "continua falhando|dando|não",
        ]),
        (Group::TaskRequest, &[
            "^ pode|poderia|você|podemos pode|fazer", "^ por favor",
            "^ implemente|adicione|corrija|execute|rode|verifique|veja|olhe|crie|escreva|explique|mostre|faça|teste|leia|busque|atualize|remova|continue|commite",
            "o que|qual|como|onde|quem é|são|faz|está|significa|quais",
            "^ é|são|tem|há|está|deveria", "dê uma olhada", "por que|quê",
        ]),
        (Group::Status, &[
            "testes|tudo|todos|todas|build passam|passou|passaram|ok|certo|verde", "com sucesso",
            "concluíd*", "terminad*", "sem erros|problemas|mudanças|avisos", "nenhum erro|problema",
            "# testes", "pront*", "feito", "como esperado", "enviado|commitado",
        ]),
        (Group::Musing, &[
            "^ espere|espera|hmm|opa|oh|ah", "um momento", "vejamos", "deixe|deixa eu reler|rever",
            "^ mas espere|espera", "^ na verdade ,", "reler|reverificar", "^ bom ,",
        ]),
        (Group::Offer, &[
            "você quer|gostaria|prefere", "quer que", "devo", "me avise", "se quiser|preferir|você",
            "posso também|fazer|implementar|adicionar", "próximos passos", "qual prefere|opção",
            "fique à", "o que acha",
        ]),
        (Group::Announce, &[
            "^ vou|vamos _", "^ deixe|deixa me|eu", "^ agora|primeiro|depois|então|finalmente|em",
            "^ preciso|devo|tenho _",
            "^ verificando|executando|rodando|buscando|atualizando|criando|lendo|adicionando|aplicando|corrigindo",
            "^ aqui está|estão", "^ começo|começando|prossigo", "^ estou *ndo", "^ vejamos",
            "^ próximo",
        ]),
        (Group::Ack, &[
            "^ bom|ótimo|perfeito|pronto|ok|sim|não|claro|feito|obrigado|entendido|excelente|exato|certo|beleza|tudo|muito",
        ]),
        (Group::Reason, &[
            "porque", "já que", "senão", "por enquanto", "em vez", "ao invés", "para que", "devido",
            "só se", "caso contrário",
        ]),
        (Group::TellingLabel, &[
            "causa", "causa raiz", "problema", "erro", "solução", "correção", "por que", "motivo",
            "nota", "importante", "atenção", "limitação", "limitações", "decisão", "descoberta",
            "diagnóstico", "explicação", "contorno", "problemas conhecidos", "pendente",
        ]),
        (Group::ReportingLabel, &[
            "resumo", "mudanças", "alterações", "arquivos", "próximos passos", "testes",
            "resultado", "resultados", "uso", "status", "exemplo", "exemplos", "opções", "plano",
            "passos", "verificação", "perguntas",
        ]),
    ],
};
