import { rowReasonsInPortuguese } from './row-reasons.ts';

type Because = { readonly code: string; readonly [value: string]: unknown };

/** Why a labelled file cannot be evaluated, in Portuguese, by the code. */
export const evaluationRefusalsInPortuguese = {
  labelled_empty: ({ file }) => `${file} não tem linhas`,
  labelled_too_long: ({ file, most }) =>
    `${file} tem mais de ${Number(most).toLocaleString('pt-BR')} linhas: envie uma parte`,
  labelled_lacks_mapped: ({ file, lacking, columns }) =>
    `em ${file} não há ${listed(lacking)}, indicada para ser lida; o arquivo tem ${listed(columns)}`,
  labelled_of_others: ({ file, known, rows, column, table, key }) =>
    `${file}: só ${known} de ${rows} valores de ${column} são chaves de ${table}.${key}; envie um arquivo sobre ${table}`,
  labelled_unreadable: ({ file, rows, row, column, message, because }) =>
    `${file}: nenhuma das ${rows} linhas pôde ser lida; linha ${row}${column === null ? '' : `, coluna ${column}`}: ${reasonOf(because as Because | undefined) ?? message}`,
  labelled_unknown: ({ file, rows, open, without, unreadable }) =>
    `${file}: de ${rows} linhas nenhuma tem um rótulo que já se conhecia: ${open} são de janelas ainda não fechadas, ${without} não têm rótulo, ${unreadable} não puderam ser lidas`,
  segment_of_one: ({ name }) =>
    `o segmento ${name} diz de quem é a linha: escolha uma coluna cujos valores muitas linhas têm em comum`,
  segment_unknown: ({ name, columns, table, others }) =>
    listed(columns) === ''
      ? `o segmento ${name} não é coluna de ${table}, que tem ${listed(others)}`
      : `o segmento ${name} não é coluna do arquivo, que tem ${listed(columns)}, nem de ${table}, que tem ${listed(others)}`,
} satisfies Readonly<Record<string, (values: Because) => string>>;

function reasonOf(because: Because | undefined): string | undefined {
  const words: Readonly<Record<string, (values: Because) => string>> = rowReasonsInPortuguese;
  return because && words[because.code]?.(because);
}

const listed = (names: unknown): string => (names as readonly string[]).join(', ');
