import { words } from '../words/words.ts';

export const answerWords = words(
  {
    score: 'Score of 0 to 1000',
    probability: 'Probability',
    interval: (from: string, to: string) => `Between ${from} and ${to}`,
    intervalMeans: 'where the rate of cases like this one lies',
    intervalOfScore: 'the scores of the rates that cases like this one may have',
    intervalOfNumber: 'where nine of ten later cases lie',
    horizons: 'By time ahead',
    days: (days: string) => `${days} days`,
    classes: 'How likely each is',
    outputs: 'Outputs',
    usualRate: (share: string) => `usual rate ${share}`,
    usualMeans: (rows: string, months: string) =>
      `Usual rate: how often it came among the ${rows} newest cases${months && `,${months}`}, on which the version was measured.`,
    sharedHorizons: (days: string) =>
      `The number is the same for ${days} days: taken alone the longer times came out less likely than the shortest, which cannot be.`,
    boundHorizons: (days: string, share: string) => `The number is ${share} for ${days} days: no model goes beyond it.`,
    firstMeans: (meaning: string) => `The first is ${meaning}; the others are of their own days.`,
    factors: 'What moved it',
    noFactors: 'Nothing moved it far from the answer for the average case.',
    averageCase: 'The answer for the average case',
    averageCaseIs: (cases: string) =>
      `The average case is one where all that the model reads adds up to the average of ${cases}.`,
    notUsual:
      'The usual rate above, how often it came, is another measure: a few high chances count in full in it. So an answer may lie between the two, above the one and below the other.',
    learnedCases: (rows: string, months: string) => `the ${rows} cases${months} that it learned from`,
    casesLearned: 'the cases that it learned from',
    reasonsAbove: 'The reasons above',
    others: 'All else, of which each moved it less',
    thisCase: 'This case',
    rangeAbove: 'Its range, as told above',
    itsBand: (band: string) => `Its band: ${band}`,
    usual: 'the usual rate',
    sides: {
      good: 'To the right of the middle line it makes the answer better, to the left worse.',
      bad: 'To the right of the middle line it raises the chance, to the left it lowers it.',
      neutral: 'To the right of the middle line it raises the number, to the left it lowers it.',
    },
    network: 'What its network shows',
    somebody: 'somebody',
    data: 'What was known',
    inputs: 'Inputs',
    history: 'History',
    enough: (share: string) => `${share} of what the model reads has a value for this one`,
    little: (share: string) =>
      `${share} of what the model reads has a value for this one: little is known of it yet. Take the number with care.`,
    age: (newest: string, days: string) =>
      `The newest event in the data is of ${newest}, ${days === '1' ? 'one day' : `${days} days`} before the moment asked about.`,
    ageNone: 'The newest event in the data is of the day asked about; single tables may end before.',
    nothingKnown: 'Nothing known',
    notAssessed:
      'Nothing is known of whom this is about: the answer is what is usual where nothing is known, not a judgement of them.',
    notAssessedBody: 'It may look better than that of somebody known. Do not decide by it.',
    noReasons: 'There are none: nothing is known that speaks for or against.',
    intervalOfUnknown: (from: string, to: string) =>
      `Between ${from} and ${to} lay known cases of the same number; how far unknown ones lie from it was not tested.`,
    notThere: (input: string) =>
      `${input} is not in the data at that moment; look whether it is written as in your data.`,
    unknownEntity: (input: string) =>
      `${input} is not in the data at that moment. It is answered as somebody unknown; look whether it is written as in your data.`,
    unknownValue: (input: string) =>
      `No row of the data has this value of ${input}. It is answered without it; look whether it is written as in your data.`,
    wrongCheckDigits: (input: string) =>
      `${input} is no CPF or CNPJ with right check digits: no such document is issued. Look whether it is mistyped.`,
    outside: (condition: string) =>
      `The question is about cases with ${condition}, and this one does not meet it at that moment: the model learned only from those that do.`,
    stale: (newest: string, days: string) =>
      `The newest data are of ${newest}, ${days} days before the moment asked about, and they were never silent for so long: what happened since is read as if it had not. Send newer data, or ask as of that day.`,
    beforeLearned: (day: string) =>
      `The moment asked about lies before the first case that the model learned from, which is of ${day}: what it learned is of later times, and need not hold then. Ask as of that day or later.`,
    askAsOf: (day: string) => `Ask as of ${day}`,
    unknownInput: (input: string, share: string) => `${input} was not given (${share}).`,
    unknownHistory: (input: string, share: string) =>
      `${input} is known, but has no events that the model reads (${share}).`,
    asOf: 'As of',
    version: 'Version',
    measure: 'Measure the contributions',
    measureHint: 'Asks again as of the same moment. This counts as a prediction.',
    measuredOther: (now: string, then: string) =>
      `Asked again it is ${now}; it was ${then}, since the data have changed.`,
    addressedAgain: 'The contributions are of asking again as of the same moment.',
  },
  {
    score: 'Score de 0 a 1000',
    probability: 'Probabilidade',
    interval: (from: string, to: string) => `Entre ${from} e ${to}`,
    intervalMeans: 'onde está a taxa de casos como este',
    intervalOfScore: 'as notas das taxas que casos como este podem ter',
    intervalOfNumber: 'onde estão nove de dez casos posteriores',
    horizons: 'Por prazo',
    days: (days: string) => `${days} dias`,
    classes: 'Quanto cada um é provável',
    outputs: 'Saídas',
    usualRate: (share: string) => `taxa geral ${share}`,
    usualMeans: (rows: string, months: string) =>
      `Taxa geral: com que frequência aconteceu nos ${rows} casos mais novos${months && `,${months}`}, em que a versão foi medida.`,
    firstMeans: (meaning: string) => `O primeiro é ${meaning}; os demais, nos seus próprios prazos.`,
    sharedHorizons: (days: string) =>
      `O número é o mesmo para ${days} dias: sozinhos, os prazos maiores saíram menos prováveis que o menor, o que não pode ser.`,
    boundHorizons: (days: string, share: string) =>
      `O número é ${share} para ${days} dias: nenhum modelo vai além disso.`,
    factors: 'O que a moveu',
    noFactors: 'Nada a afastou da resposta para o caso médio.',
    averageCase: 'A resposta para o caso médio',
    averageCaseIs: (cases: string) => `O caso médio é aquele em que tudo o que o modelo lê soma a média ${cases}.`,
    notUsual:
      'A taxa geral acima, a frequência com que aconteceu, é outra medida: nela as poucas chances altas contam por inteiro. Por isso uma resposta pode ficar entre as duas, acima de uma e abaixo da outra.',
    learnedCases: (rows: string, months: string) => `dos ${rows} casos${months} com que aprendeu`,
    casesLearned: 'dos casos com que aprendeu',
    reasonsAbove: 'Os motivos acima',
    others: 'O restante, cada parte menor que os motivos',
    thisCase: 'Este caso',
    rangeAbove: 'Seu intervalo, dito acima',
    itsBand: (band: string) => `Sua faixa: ${band}`,
    usual: 'a taxa geral',
    sides: {
      good: 'À direita da linha do meio, melhora a resposta; à esquerda, piora.',
      bad: 'À direita da linha do meio, aumenta a chance; à esquerda, diminui.',
      neutral: 'À direita da linha do meio, aumenta o número; à esquerda, diminui.',
    },
    network: 'O que a rede mostra',
    somebody: 'alguém',
    data: 'O que se sabia',
    inputs: 'Entradas',
    history: 'Histórico',
    enough: (share: string) => `${share} do que o modelo lê tem valor para este caso`,
    little: (share: string) =>
      `${share} do que o modelo lê tem valor para este caso: ainda se sabe pouco dele. Use o número com cautela.`,
    age: (newest: string, days: string) =>
      `O evento mais novo dos dados é de ${newest}, ${days === '1' ? 'um dia' : `${days} dias`} antes do momento perguntado.`,
    ageNone: 'O evento mais novo dos dados é do dia perguntado; uma ou outra tabela pode terminar antes.',
    nothingKnown: 'Nada se sabe',
    notAssessed: 'Nada se sabe de quem se pergunta: a resposta é o que é comum quando nada se sabe, não um julgamento.',
    notAssessedBody: 'Ela pode parecer melhor que a de alguém conhecido. Não decida por ela.',
    noReasons: 'Não há: nada se sabe que fale a favor ou contra.',
    intervalOfUnknown: (from: string, to: string) =>
      `Entre ${from} e ${to} estavam casos conhecidos com o mesmo número; quanto os desconhecidos se afastam dele não foi testado.`,
    notThere: (input: string) =>
      `${input} não está nos dados naquele momento; veja se está escrito como nos seus dados.`,
    unknownEntity: (input: string) =>
      `${input} não está nos dados naquele momento. A resposta é a de alguém desconhecido; veja se está escrito como nos seus dados.`,
    unknownValue: (input: string) =>
      `Nenhuma linha dos dados tem este valor de ${input}. A resposta é dada sem ele; veja se está escrito como nos seus dados.`,
    wrongCheckDigits: (input: string) =>
      `${input} não é CPF nem CNPJ com dígitos verificadores certos: não existe um documento assim. Veja se há erro de digitação.`,
    outside: (condition: string) =>
      `A pergunta é sobre casos com ${condition}, e este não atende a isso naquele momento: o modelo só aprendeu com os que atendem.`,
    stale: (newest: string, days: string) =>
      `Os dados mais novos são de ${newest}, ${days} dias antes do momento perguntado, e nunca ficaram tanto tempo em silêncio: o que aconteceu desde então é lido como se não tivesse acontecido. Envie dados mais novos, ou pergunte para aquele dia.`,
    beforeLearned: (day: string) =>
      `O momento perguntado é anterior ao primeiro caso com que o modelo aprendeu, que é de ${day}: o que ele aprendeu é de épocas posteriores e pode não valer para então. Pergunte para aquele dia ou depois.`,
    askAsOf: (day: string) => `Perguntar para ${day}`,
    unknownInput: (input: string, share: string) => `${input} não foi informado (${share}).`,
    unknownHistory: (input: string, share: string) =>
      `${input} é conhecido, mas não tem eventos que o modelo leia (${share}).`,
    asOf: 'Data de referência',
    version: 'Versão',
    measure: 'Medir as contribuições',
    measureHint: 'Pergunta de novo na data do mesmo momento. Conta como uma previsão.',
    measuredOther: (now: string, then: string) => `Perguntado de novo dá ${now}; era ${then}, porque os dados mudaram.`,
    addressedAgain: 'As contribuições são da pergunta refeita na data do mesmo momento.',
  },
);
