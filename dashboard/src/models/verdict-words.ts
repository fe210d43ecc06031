import { words } from '../words/words.ts';

/** What measures mean, for who does not know their names. */
export const verdictWords = words(
  {
    verdict: {
      better: 'Surely better than the best simple rule',
      betterButOff: 'Orders cases surely better than the best simple rule; its chances need care',
      betterUnchecked: 'Orders cases surely better than the best simple rule; its chances are not checked yet',
      betterButWarned: 'Surely better than the best simple rule; see the warnings first',
      unsure: 'Not surely better than the best simple rule',
      worse: 'Surely worse than the best simple rule',
      few: 'Too few cases to say',
      unmeasured: 'Not compared with a simple rule',
      tooGood: 'Too good to be true',
      memory: 'Measures memory',
      mayBeMemory: 'May measure memory',
    },
    short: {
      better: 'surely better than a simple rule',
      betterButOff: 'orders surely better; chances need care',
      betterUnchecked: 'orders surely better; chances not checked yet',
      betterButWarned: 'surely better; see the warnings',
      unsure: 'not surely better than a simple rule',
      worse: 'worse than a simple rule',
      few: 'too few cases to say',
      unmeasured: 'not compared with a simple rule',
      tooGood: 'too good to be true',
      memory: 'measures memory',
      mayBeMemory: 'may measure memory',
    },
    doubts: {
      tooGood: 'Something that it reads may tell the outcome: see the warnings before its figures are believed.',
      memory: 'Most of these rows were learned from: the figures show what it remembers, not how well it foresees.',
      mayBeMemory:
        'Most of these rows may have been learned from: the figures may show what it remembers, not how well it foresees.',
    },
    pairs: (right: string) =>
      `Of two cases, one that comes true and one that does not, it names the right one ${right} times of 100`,
    pairsOfRule: (what: string, right: string) => `; the best simple rule (${what}), ${right} times`,
    classes: (right: string) => `It names the right class ${right} times of 100`,
    off: (by: string) => `It is off by ${by} on average`,
    offMore: (by: string) => `It is off by ${by}, where large errors weigh more`,
    offOfRule: (what: string, by: string) => `; the best simple rule (${what}), by ${by}`,
    other: (metric: string, value: string) => `${metric}: ${value}`,
    otherOfRule: (what: string, value: string) => `; of the best simple rule (${what}), ${value}`,
    gain: (low: string, high: string) => `Chance aside, it is ahead of the rule by ${low} to ${high}.`,
    noGain: (low: string, high: string) =>
      `Chance aside, its lead over the rule lies between ${low} and ${high}: there may be none.`,
    loss: (low: string, high: string) => `Chance aside, it is behind the rule by ${low} to ${high}.`,
    rule: {
      constant: 'the same answer for all',
      own_mean: 'the mean of what came before',
      own_last: 'what came the last time',
      referred_mean: 'what came of others that refer to the same',
    },
    ruleBy: (column: string) => `what came of others with the same ${column}`,
    rows: (rows: string, months: string) => `Measured on ${rows} later cases${months && `,${months}`}.`,
    rowsOf: (rows: string, months: string, share: string, positives: string) =>
      `Measured on ${rows} later cases${months && `,${months}`}; ${share} of them came true (${positives}).`,
    learnedAnew: (rows: string, months: string) =>
      ` Each of these came after what it had learned from by then; after measuring it learned anew from ${rows} cases${months && `,${months}`}, these among them.`,
    fileRows: (rows: string) => `Measured on ${rows} rows of the file.`,
    fileRowsOf: (rows: string, _months: string, share: string, positives: string) =>
      `Measured on ${rows} rows of the file; ${share} of them came true (${positives}).`,
    chances: {
      right: (said: string, came: string) =>
        `Its chances may be taken at their word: on average it said ${said}, and it came in ${came}`,
      low: (said: string, came: string) =>
        `Its chances are too low: on average it said ${said}, and it came in ${came}`,
      high: (said: string, came: string) =>
        `Its chances are too high: on average it said ${said}, and it came in ${came}`,
      bold: (said: string, came: string) =>
        `Its chances are right on average (it said ${said}, and it came in ${came}) and too bold: high ones come less often than it says, low ones more often`,
      shy: (said: string, came: string) =>
        `Its chances are right on average (it said ${said}, and it came in ${came}) and too timid: high ones come more often than it says, low ones less often`,
      wrong: (said: string, came: string) =>
        `Its chances are right on average (it said ${said}, and it came in ${came}) and wrong one by one: do not take them at their word`,
    },
    checked: (low: string, high: string, rows: string) => ` (chance aside, ${low} to ${high}; ${rows}).`,
    checkedAll: (rows: string) => `${rows} cases`,
    checkedNewest: (rows: string) => `of the ${rows} newest cases`,
    checkedOn: (rows: string, months: string) =>
      ` Its chances are checked on the ${rows} newest of them alone${months && `,${months}`}: the others have set how high chances are.`,
    shown: {
      most: (share: string, rows: string, said: string, came: string) =>
        `Of the ${share} of cases that it calls most likely (${rows}), it said ${said} on average, and ${came} came true.`,
      least: (share: string, rows: string, said: string, came: string) =>
        `Of the ${share} of cases that it calls least likely (${rows}), it said ${said} on average, and ${came} came true.`,
      between: (share: string, rows: string, said: string, came: string) =>
        `Of the ${share} of cases of which it says about ${said} (${rows}), ${came} came true.`,
    },
    whatToDo: 'What to do:',
    inTerms: 'As the training measured it',
    goBy: {
      band: 'Go by the order and the band of its answers, not by the last digit.',
      order: 'Go by the order of its answers, not by the last digit.',
    },
    advice: {
      low: 'Each chance is rather higher than it says: the outcome may have become more frequent than in the months that it learned from. Train again as soon as newer outcomes are known.',
      high: 'Each chance is rather lower than it says: the outcome may have become rarer than in the months that it learned from. Train again as soon as newer outcomes are known.',
      bold: 'Read a high chance as somewhat lower than it says, and a low one as somewhat higher. It made more of its cases than held later: more months of known outcomes usually mend that. Send them, and train again.',
      shy: 'Read a high chance as at least what it says, and a low one as at most that. It makes less of its cases than they later bore out: more months of known outcomes let it say more. Send them, and train again.',
      wrong: 'Train again when newer outcomes are known; until then no single number is to be taken at its word.',
      unknown:
        'Wait until more outcomes are known and train again, or evaluate the version by a file of later cases whose outcomes you know.',
    },
    againstRule: 'Against a simple rule',
    noBetter:
      'Where a simple rule does as well, go by the rule. Or give the model more to learn from: more months of known outcomes, or tables that say more of each case. Then train again.',
    betterSooner: (when: string) =>
      `What it says of the outcome ${when} was surely better than a simple rule. Where that time is enough, ask no further.`,
    askSooner: (days: string) => `Ask for ${days} days ahead at most`,
    leakage:
      'Find out when this column is written. If only with the outcome or after it, say so in the contract (knownFrom) or leave it out of the task (hide), and train again; if it is known in time, keep it (trust).',
    shorter: (when: string) => `Its chances ${when} are right: where that time is enough, go by it.`,
    slope: (slope: string, low: string, high: string) =>
      `Calibration slope ${slope} (${low} to ${high}): 1 is right; below it, high chances are too high and low ones too low; above it, the other way round.`,
    unwarned: 'Training gave no warning of this; its figures say it:',
    few: {
      rows: (few: string, _rows: string, least: string) => `${few} cases, and it takes ${least}`,
      came: (few: string, rows: string, least: string) =>
        `${rows} cases, of which only ${few} came true, and it takes ${least}`,
      not: (few: string, rows: string, least: string) =>
        `${rows} cases, of which only ${few} did not come true, and it takes ${least}`,
    },
    tooFew: (few: string) => `To measure it there are ${few}.`,
    unknown: (few: string) => `Whether its chances are right cannot be told yet: to check them there are ${few}.`,
    noneLeft: (least: string) =>
      `Whether its chances are right cannot be told yet: how high they should be was learned from nearly all of these cases, and fewer than ${least} were left to check them by.`,
    bounds: (observed: string, expected: string) =>
      `${observed} of what came lay within its bounds, which promise ${expected}.`,
    others: (count: string) => `The other outcomes (${count})`,
    inUse: (alias: string, number: number) => `${alias} · version ${number}`,
    version: (number: number) => `version ${number}`,
    more: 'What was measured',
  },
  {
    verdict: {
      better: 'Seguramente melhor do que a melhor regra simples',
      betterButOff: 'Ordena os casos seguramente melhor do que a melhor regra simples; as chances pedem cuidado',
      betterUnchecked:
        'Ordena os casos seguramente melhor do que a melhor regra simples; as chances ainda não foram conferidas',
      betterButWarned: 'Seguramente melhor do que a melhor regra simples; veja antes os avisos',
      unsure: 'Não seguramente melhor do que a melhor regra simples',
      worse: 'Seguramente pior do que a melhor regra simples',
      few: 'Poucos casos para dizer',
      unmeasured: 'Não comparada com uma regra simples',
      tooGood: 'Boa demais para ser verdade',
      memory: 'Mede memória',
      mayBeMemory: 'Pode medir memória',
    },
    short: {
      better: 'seguramente melhor do que uma regra simples',
      betterButOff: 'ordena seguramente melhor; as chances pedem cuidado',
      betterUnchecked: 'ordena seguramente melhor; chances ainda não conferidas',
      betterButWarned: 'seguramente melhor; veja os avisos',
      unsure: 'não seguramente melhor do que uma regra simples',
      worse: 'pior do que uma regra simples',
      few: 'casos de menos para dizer',
      unmeasured: 'não comparada com uma regra simples',
      tooGood: 'boa demais para ser verdade',
      memory: 'mede memória',
      mayBeMemory: 'pode medir memória',
    },
    doubts: {
      tooGood: 'Algo que ela lê pode revelar o desfecho: veja os avisos antes de acreditar nos números.',
      memory: 'O modelo aprendeu com a maioria destas linhas: os números mostram o que ele lembra, não o quanto prevê.',
      mayBeMemory:
        'O modelo pode ter aprendido com a maioria destas linhas: os números podem mostrar o que ele lembra, não o quanto prevê.',
    },
    pairs: (right: string) =>
      `De dois casos, um em que acontece e outro em que não, ela aponta o certo em ${right} de 100 vezes`,
    pairsOfRule: (what: string, right: string) => `; a melhor regra simples (${what}), em ${right}`,
    classes: (right: string) => `Ela acerta a classe em ${right} de 100 vezes`,
    off: (by: string) => `Ela erra por ${by} em média`,
    offMore: (by: string) => `Ela erra por ${by}, com peso maior para erros grandes`,
    offOfRule: (what: string, by: string) => `; a melhor regra simples (${what}), por ${by}`,
    other: (metric: string, value: string) => `${metric}: ${value}`,
    otherOfRule: (what: string, value: string) => `; da melhor regra simples (${what}), ${value}`,
    gain: (low: string, high: string) => `Descontado o acaso, a vantagem dela sobre a regra é de ${low} a ${high}.`,
    noGain: (low: string, high: string) =>
      `Descontado o acaso, a vantagem dela sobre a regra fica entre ${low} e ${high}: pode não haver nenhuma.`,
    loss: (low: string, high: string) => `Descontado o acaso, ela fica atrás da regra por ${low} a ${high}.`,
    rule: {
      constant: 'a mesma resposta para todos',
      own_mean: 'a média do que aconteceu antes',
      own_last: 'o que aconteceu da última vez',
      referred_mean: 'o que aconteceu com outros ligados ao mesmo',
    },
    ruleBy: (column: string) => `o que aconteceu com outros de mesmo ${column}`,
    rows: (rows: string, months: string) => `Medido em ${rows} casos posteriores${months && `,${months}`}.`,
    rowsOf: (rows: string, months: string, share: string, positives: string) =>
      `Medido em ${rows} casos posteriores${months && `,${months}`}; em ${share} deles aconteceu (${positives}).`,
    learnedAnew: (rows: string, months: string) =>
      ` Cada um deles veio depois do que ela tinha aprendido até ali; depois de medida, ela aprendeu de novo com ${rows} casos${months && `,${months}`}, estes entre eles.`,
    fileRows: (rows: string) => `Medido em ${rows} linhas do arquivo.`,
    fileRowsOf: (rows: string, _months: string, share: string, positives: string) =>
      `Medido em ${rows} linhas do arquivo; em ${share} delas aconteceu (${positives}).`,
    chances: {
      right: (said: string, came: string) =>
        `As chances podem ser tomadas ao pé da letra: em média ela disse ${said}, e aconteceu em ${came}`,
      low: (said: string, came: string) =>
        `As chances são baixas demais: em média ela disse ${said}, e aconteceu em ${came}`,
      high: (said: string, came: string) =>
        `As chances são altas demais: em média ela disse ${said}, e aconteceu em ${came}`,
      bold: (said: string, came: string) =>
        `As chances estão certas na média (ela disse ${said}, e aconteceu em ${came}) e são ousadas demais: as altas acontecem menos do que ela diz, as baixas mais`,
      shy: (said: string, came: string) =>
        `As chances estão certas na média (ela disse ${said}, e aconteceu em ${came}) e são tímidas demais: as altas acontecem mais do que ela diz, as baixas menos`,
      wrong: (said: string, came: string) =>
        `As chances estão certas na média (ela disse ${said}, e aconteceu em ${came}) e erradas uma a uma: não as tome ao pé da letra`,
    },
    checked: (low: string, high: string, rows: string) => ` (descontado o acaso, ${low} a ${high}; ${rows}).`,
    checkedAll: (rows: string) => `${rows} casos`,
    checkedNewest: (rows: string) => `nos ${rows} casos mais novos`,
    checkedOn: (rows: string, months: string) =>
      ` As chances são conferidas só nos ${rows} mais novos deles${months && `,${months}`}: os outros serviram para ajustar a altura das chances.`,
    shown: {
      most: (share: string, rows: string, said: string, came: string) =>
        `Nos ${share} dos casos que ela diz serem os mais prováveis (${rows}), disse ${said} em média, e aconteceu em ${came}.`,
      least: (share: string, rows: string, said: string, came: string) =>
        `Nos ${share} dos casos que ela diz serem os menos prováveis (${rows}), disse ${said} em média, e aconteceu em ${came}.`,
      between: (share: string, rows: string, said: string, came: string) =>
        `Nos ${share} dos casos em que ela diz cerca de ${said} (${rows}), aconteceu em ${came}.`,
    },
    whatToDo: 'O que fazer:',
    inTerms: 'Como o treinamento o mediu',
    goBy: {
      band: 'Use a ordem e a faixa das respostas, não o último dígito.',
      order: 'Use a ordem das respostas, não o último dígito.',
    },
    advice: {
      low: 'Cada chance é um pouco maior do que ela diz: o desfecho pode ter ficado mais frequente do que nos meses com que aprendeu. Treine de novo assim que houver desfechos mais novos.',
      high: 'Cada chance é um pouco menor do que ela diz: o desfecho pode ter ficado mais raro do que nos meses com que aprendeu. Treine de novo assim que houver desfechos mais novos.',
      bold: 'Leia uma chance alta como um pouco menor do que ela diz, e uma baixa como um pouco maior. Ela tirou dos casos mais do que depois se confirmou: mais meses de desfechos conhecidos costumam corrigir isso. Envie-os e treine de novo.',
      shy: 'Leia uma chance alta como pelo menos o que ela diz, e uma baixa como no máximo isso. Ela tira dos casos menos do que depois se confirmou: com mais meses de desfechos conhecidos, pode dizer mais. Envie-os e treine de novo.',
      wrong:
        'Treine de novo quando houver desfechos mais novos; até lá, nenhum número sozinho deve ser tomado ao pé da letra.',
      unknown:
        'Espere até que mais desfechos sejam conhecidos e treine de novo, ou avalie a versão com um arquivo de casos posteriores cujos desfechos você conhece.',
    },
    againstRule: 'Diante de uma regra simples',
    noBetter:
      'Onde uma regra simples acerta o mesmo, use a regra. Ou dê ao modelo mais com que aprender: mais meses de desfechos conhecidos, ou tabelas que digam mais de cada caso. Depois, treine de novo.',
    betterSooner: (when: string) =>
      `O que ela diz do desfecho ${when} foi seguramente melhor do que uma regra simples. Onde esse prazo basta, não pergunte além dele.`,
    askSooner: (days: string) => `Perguntar até ${days} dias à frente`,
    leakage:
      'Descubra quando esta coluna é escrita. Se só com o desfecho ou depois dele, diga isso no contrato (knownFrom) ou deixe-a fora da tarefa (hide), e treine de novo; se é conhecida a tempo, mantenha-a (trust).',
    shorter: (when: string) => `As chances ${when} estão certas: onde esse prazo basta, use-o.`,
    slope: (slope: string, low: string, high: string) =>
      `Inclinação da calibração (calibration slope) ${slope} (${low} a ${high}): 1 é o certo; abaixo, as chances altas são altas demais e as baixas, baixas demais; acima, o contrário.`,
    unwarned: 'O treinamento não avisou disto; os números dela o dizem:',
    few: {
      rows: (few: string, _rows: string, least: string) => `${few} casos, e são precisos ${least}`,
      came: (few: string, rows: string, least: string) =>
        `${rows} casos, dos quais só ${few} aconteceram, e são precisos ${least}`,
      not: (few: string, rows: string, least: string) =>
        `${rows} casos, dos quais só ${few} não aconteceram, e são precisos ${least}`,
    },
    tooFew: (few: string) => `Para medi-la há ${few}.`,
    unknown: (few: string) => `Ainda não dá para saber se as chances estão certas: para conferi-las há ${few}.`,
    noneLeft: (least: string) =>
      `Ainda não se sabe se as chances estão certas: o quanto devem valer foi aprendido com quase todos estes casos, e sobraram menos de ${least} para conferi-las.`,
    bounds: (observed: string, expected: string) =>
      `${observed} do que aconteceu ficou nos limites dela, que prometem ${expected}.`,
    others: (count: string) => `Os outros desfechos (${count})`,
    inUse: (alias: string, number: number) => `${alias} · versão ${number}`,
    version: (number: number) => `versão ${number}`,
    more: 'O que foi medido',
  },
);
