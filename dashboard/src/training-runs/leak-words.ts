import { words } from '../words/words.ts';

/** Of a run that was refused for what gives the answer away, and what can be done. `at`: a column or table. */
export const leakWords = words(
  {
    found: (names: string, isOne: boolean) =>
      `${names} ${isOne ? 'gives' : 'give'} the answer away, so nothing was learned: a model would only repeat it, and fail where it is not written yet.`,
    andMore: (names: string, count: string) => `${names} and ${count} more`,
    inTerms: 'As the training told it',
    title: 'What you can do',
    body: 'A task never changes, so your question is written anew with what you choose here.',
    remedies: {
      hide: 'Do not read this column',
      ignore: 'Do not read this table',
      outcome: 'It tells how each row went: read it of earlier rows only',
      trust: 'It is known in time: read it',
    },
    hints: {
      hide: 'It is written when the answer is known, or later.',
      ignore: 'Its rows are written when the answer is known, or later.',
      outcome: 'Of the row that is asked about it is never read. What became of others before it may help.',
      trust: 'Only if it stands there before you would ask. Else the model will look good and be wrong.',
    },
    usual: 'usual',
    go: 'Write the question anew',
    contract:
      'It is written later than its row, whatever is asked? Say in the contract from which day on, or not to read it',
    followed: (names: string, count: number, number: string) =>
      `The contract in force, version ${number}, has followed it: ${names} ${count === 1 ? 'is' : 'are'} no longer read before ${count === 1 ? 'it is' : 'they are'} known.`,
    left: (names: string) => `What is left: ${names}.`,
    coming: 'The data are being brought under it.',
    again: 'Train again',
    againTo: (alias: string) => `Train again, for ${alias}`,
    others: 'Others were found too. They are named here if the new task is refused for them.',
  },
  {
    found: (names: string, isOne: boolean) =>
      `${names} ${isOne ? 'entrega' : 'entregam'} a resposta, e por isso nada foi aprendido: um modelo só a repetiria, e falharia onde ela ainda não está escrita.`,
    andMore: (names: string, count: string) => `${names} e mais ${count}`,
    inTerms: 'Como o treinamento disse',
    title: 'O que você pode fazer',
    body: 'Uma tarefa não muda, então a sua pergunta é escrita de novo com o que você escolher aqui.',
    remedies: {
      hide: 'Não ler esta coluna',
      ignore: 'Não ler esta tabela',
      outcome: 'Ela diz como cada linha terminou: ler só de linhas anteriores',
      trust: 'Ela se sabe a tempo: ler',
    },
    hints: {
      hide: 'É escrita quando a resposta já se sabe, ou depois.',
      ignore: 'As linhas são escritas quando a resposta já se sabe, ou depois.',
      outcome: 'Da linha de que se pergunta nunca é lida. O que foi de outras antes dela pode ajudar.',
      trust: 'Só se já estiver lá antes de você perguntar. Senão o modelo parecerá bom e vai errar.',
    },
    usual: 'o comum',
    go: 'Escrever a pergunta de novo',
    followed: (names: string, count: number, number: string) =>
      `O contrato em vigor, versão ${number}, já atendeu a isto: ${names} não ${count === 1 ? 'é lida' : 'são lidas'} antes de se ${count === 1 ? 'conhecer' : 'conhecerem'}.`,
    left: (names: string) => `Falta: ${names}.`,
    coming: 'Os dados estão sendo adequados a ele.',
    again: 'Treinar de novo',
    againTo: (alias: string) => `Treinar de novo, para ${alias}`,
    contract:
      'É escrita depois da sua linha, seja qual for a pergunta? Diga no contrato desde que dia, ou que não se leia',
    others: 'Outras também foram encontradas. São ditas aqui se a nova tarefa for recusada por elas.',
  },
);
