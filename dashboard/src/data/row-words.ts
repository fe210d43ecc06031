import { words } from '../words/words.ts';

/** Of the page of one table and its rows. */
export const rowWords = words(
  {
    description: 'Its rows as the data hold them now, in the order in which they came.',
    inContract: 'In the contract',
    rowsOf: (table: string) => `Rows of ${table}`,
    number: 'Row',
    key: 'key',
    none: 'No row has come in yet',
    noneBody: 'The contract has this table, and no file of it was taken in.',
    noneLeft: 'No row is left to be shown',
    noneLeftBody: 'All rows name somebody who was erased.',
    shown: (shown: string, all: string) => `${shown} of ${all} rows`,
    hidden: (columns: string) => `Not shown, because it says who people are: ${columns}.`,
  },
  {
    description: 'As linhas como estão nos dados agora, na ordem em que chegaram.',
    inContract: 'No contrato',
    rowsOf: (table: string) => `Linhas de ${table}`,
    number: 'Linha',
    key: 'chave',
    none: 'Nenhuma linha chegou ainda',
    noneBody: 'O contrato tem esta tabela, e nenhum arquivo dela entrou nos dados.',
    noneLeft: 'Não resta nenhuma linha para mostrar',
    noneLeftBody: 'Todas as linhas citam alguém que foi apagado.',
    shown: (shown: string, all: string) => `${shown} de ${all} linhas`,
    hidden: (columns: string) => `Não aparece, porque diz quem são as pessoas: ${columns}.`,
  },
);
