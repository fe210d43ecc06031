import { words } from '../words/words.ts';

/** What measures mean, for who does not know their names. */
export const verdictWords = words(
  {
    verdict: {
      better: 'Surely better than the best simple rule',
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
    rows: (rows: string) => `Measured on ${rows} later cases.`,
    rowsOf: (rows: string, positives: string) => `Measured on ${rows} later cases, of which ${positives} came true.`,
    fileRows: (rows: string) => `Measured on ${rows} rows of the file.`,
    fileRowsOf: (rows: string, positives: string) =>
      `Measured on ${rows} rows of the file, of which ${positives} came true.`,
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
    checked: (low: string, high: string, rows: string) => ` (chance aside, ${low} to ${high}; ${rows} cases).`,
    slope: (slope: string, low: string, high: string) =>
      `Slope ${slope} (${low} to ${high}): 1 is right; below it, high chances are too high and low ones too low; above it, the other way round.`,
    unwarned: 'Training gave no warning of this, but on later cases it was measured:',
    unknown:
      'Whether its chances are right cannot be told yet: besides the later cases that they were set by, too few are left to check them.',
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
      unsure: 'Não seguramente melhor do que a melhor regra simples',
      worse: 'Seguramente pior do que a melhor regra simples',
      few: 'Casos de menos para dizer',
      unmeasured: 'Não comparada com uma regra simples',
      tooGood: 'Boa demais para ser verdade',
      memory: 'Mede memória',
      mayBeMemory: 'Pode medir memória',
    },
    short: {
      better: 'seguramente melhor do que uma regra simples',
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
    rows: (rows: string) => `Medido em ${rows} casos posteriores.`,
    rowsOf: (rows: string, positives: string) =>
      `Medido em ${rows} casos posteriores, dos quais em ${positives} aconteceu.`,
    fileRows: (rows: string) => `Medido em ${rows} linhas do arquivo.`,
    fileRowsOf: (rows: string, positives: string) =>
      `Medido em ${rows} linhas do arquivo, das quais em ${positives} aconteceu.`,
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
    checked: (low: string, high: string, rows: string) => ` (descontado o acaso, ${low} a ${high}; ${rows} casos).`,
    slope: (slope: string, low: string, high: string) =>
      `Inclinação ${slope} (${low} a ${high}): 1 é o certo; abaixo, as chances altas são altas demais e as baixas, baixas demais; acima, o contrário.`,
    unwarned: 'O treinamento não avisou disto, mas em casos posteriores se mediu:',
    unknown:
      'Ainda não dá para saber se as chances estão certas: além dos casos posteriores que serviram para ajustá-las, sobram poucos para conferi-las.',
    bounds: (observed: string, expected: string) =>
      `${observed} do que aconteceu ficou nos limites dela, que prometem ${expected}.`,
    others: (count: string) => `Os outros desfechos (${count})`,
    inUse: (alias: string, number: number) => `${alias} · versão ${number}`,
    version: (number: number) => `versão ${number}`,
    more: 'O que foi medido',
  },
);
