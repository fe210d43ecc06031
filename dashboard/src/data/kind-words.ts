import { words } from '../words/words.ts';

/** What the kinds of rows mean that a contract gives tables. */
export const kindWords = words(
  {
    about:
      'What rows are, as the contract says of each table: companies, people and assets (loans, cards, vehicles) are whom or what questions are mostly about, found by their key; events (payments, clicks) are what happened to them on a day; other things are neither, such as campaigns.',
  },
  {
    about:
      'O que as linhas são, como o contrato diz de cada tabela: empresas, pessoas e bens (empréstimos, cartões, veículos) são aquilo sobre o que mais se pergunta, encontrado pela chave; eventos (pagamentos, cliques) são o que aconteceu com eles em um dia; outras coisas não são nem um nem outro, como campanhas.',
  },
);
