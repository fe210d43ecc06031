import { words } from '../words/words.ts';

export const batchWarningWords = words(
  {
    warnings: 'Warnings',
    notes: 'About the files',
    kept: (path: string, columns: string) =>
      `${path}: columns that no model of the batch reads, and that the result has as they are: ${columns}`,
    firstRows: (rows: string, isAll: boolean, count: number) =>
      isAll ? `${count === 1 ? 'Row' : 'Rows'} ${rows}.` : `The first: rows ${rows}.`,
  },
  {
    warnings: 'Avisos',
    notes: 'Sobre os arquivos',
    kept: (path, columns) =>
      `${path}: colunas que nenhum modelo do lote lê, e que estão no resultado como estão: ${columns}`,
    firstRows: (rows, isAll, count) =>
      isAll ? `${count === 1 ? 'Linha' : 'Linhas'} ${rows}.` : `As primeiras: linhas ${rows}.`,
  },
);
