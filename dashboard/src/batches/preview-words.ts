import { words } from '../words/words.ts';

export const previewWords = words(
  {
    rowsOf: (name: string) => `Rows of ${name}`,
    rowsShown: 'Rows shown',
    allRows: 'All rows',
    anyWarning: 'Rows with a warning',
    shownOf: (shown: string, total: string) => `${shown} of ${total} rows`,
    inNoBand: (rows: string) => `Nothing known: ${rows}, in no band`,
    openRow: (name: string) => `All of row ${name}`,
    orderBy: (column: string) => `Order by ${column}`,
    ofInputs: (said: string) => `inputs: ${said}`,
    ofHistory: (share: string) => `history: ${share}`,
    noReasons: 'none: nothing is known of whom it is about',
    notAssessed: (unknown: string, rows: string) =>
      `Nothing is known behind ${unknown} of the ${rows} rows shown: their numbers are what is usual where nothing is known, not a judgement. They may look better than those of somebody known: do not decide by them.`,
  },
  {
    rowsOf: (name) => `Linhas de ${name}`,
    rowsShown: 'Linhas mostradas',
    allRows: 'Todas as linhas',
    anyWarning: 'Linhas com aviso',
    shownOf: (shown, total) => `${shown} de ${total} linhas`,
    inNoBand: (rows) => `Nada se sabe: ${rows}, em nenhuma faixa`,
    openRow: (name) => `Tudo da linha ${name}`,
    orderBy: (column) => `Ordenar por ${column}`,
    ofInputs: (said) => `entradas: ${said}`,
    ofHistory: (share) => `histórico: ${share}`,
    noReasons: 'nenhum: nada se sabe de quem se pergunta',
    notAssessed: (unknown, rows) =>
      `Em ${unknown} de ${rows} linhas mostradas nada se sabe de quem se pergunta: os números delas são o que é comum quando nada se sabe, não um julgamento. Podem parecer melhores que os de alguém conhecido: não decida por eles.`,
  },
);
