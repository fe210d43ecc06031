import { words } from '../words/words.ts';

export const sendWords = words(
  {
    sendTitle: 'Send data',
    sendBody: 'One file or several for each table. All of them are taken in together, or none is.',
    sendHint: 'CSV, Parquet or JSONL, also gzipped. Several at once.',
    tableOf: (name: string) => `Table of ${name}`,
    modeOf: (name: string) => `Mode of ${name}`,
    modeHint:
      'Add rows: what is new comes to what is there. Add or renew: rows with a known key take its place. Replace: the table is what the file has.',
    tableKnown: 'in the contract',
    tableNew: 'new table',
    badTable: 'Letters, digits and _; between them blanks, dots and hyphens.',
    acceptAtOnce: 'If the files ask for a contract or another version of it, accept that at once',
    acceptAtOnceHint: 'Otherwise it is shown to you first.',
    take: 'Take them in',
    takeWhenSent: 'Take them in once they are sent',
    takes: 'They are taken in as soon as everything is sent.',
    columnsRead: (rows: string, columns: string) => `Columns: ${columns}. The first ${rows} rows were looked at.`,
    columnsReadAll: (rows: string, columns: string) => `Columns: ${columns}. Rows: ${rows}.`,
    unknownColumns: (columns: string) => `Not in the contract: ${columns}. The files will ask for a new version.`,
    lackedColumns: (columns: string) => `The contract requires ${columns}, which the file does not have.`,
    writeBody:
      'In YAML, a subset of the Open Data Contract Standard. It is checked as a whole; every mistake is told with its line.',
    tabsOfSend: { files: 'Files', contract: 'Contract' },
  },
  {
    sendTitle: 'Enviar dados',
    sendBody: 'Um ou mais arquivos para cada tabela. Entram todos juntos, ou não entra nenhum.',
    sendHint: 'CSV, Parquet ou JSONL, também em gzip. Vários de uma vez.',
    tableOf: (name: string) => `Tabela de ${name}`,
    modeOf: (name: string) => `Modo de ${name}`,
    modeHint:
      'Acrescentar: o que é novo se soma ao que já existe. Renovar: linhas com chave conhecida tomam o lugar da anterior. Substituir: a tabela passa a ser o que está no arquivo.',
    tableKnown: 'está no contrato',
    tableNew: 'tabela nova',
    badTable: 'Letras, dígitos e _; entre eles, espaços, pontos e hifens.',
    acceptAtOnce: 'Se os arquivos pedirem um contrato ou outra versão dele, aceitar na hora',
    acceptAtOnceHint: 'Caso contrário, você o vê antes.',
    take: 'Incluir nos dados',
    takeWhenSent: 'Incluir assim que o envio terminar',
    takes: 'Eles entram assim que tudo tiver sido enviado.',
    columnsRead: (rows: string, columns: string) => `Colunas: ${columns}. Foram vistas as primeiras ${rows} linhas.`,
    columnsReadAll: (rows: string, columns: string) => `Colunas: ${columns}. Linhas: ${rows}.`,
    unknownColumns: (columns: string) => `Fora do contrato: ${columns}. Os arquivos vão pedir uma nova versão.`,
    lackedColumns: (columns: string) => `O contrato exige ${columns}, que o arquivo não tem.`,
    writeBody:
      'Em YAML, um subconjunto do Open Data Contract Standard. Ele é conferido por inteiro; cada erro vem com a linha.',
    tabsOfSend: { files: 'Arquivos', contract: 'Contrato' },
  },
);
