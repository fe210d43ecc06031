import { words } from '../words/words.ts';

export const correctionWords = words(
  {
    mistyped: 'Rows scored though their document is mistyped',
    mistypedBody: (count: string) =>
      `${count} ${count === '1' ? 'row was' : 'rows were'} scored though ${count === '1' ? 'it names' : 'they name'} somebody by what is no CPF or CNPJ with right check digits: no such document is issued, so ${count === '1' ? 'it was' : 'they were'} answered as somebody unknown.`,
    showValues: 'Show the values',
    value: 'Value',
    title: 'Correct and run only these rows',
    body: 'Rows are corrected here, or in a file that you take and send again. They become a batch of their own, which says of each row which one it was; both results can then be downloaded as one file.',
    which: 'Rows to correct',
    leftOut: (count: string) => `Left out (${count})`,
    withMistyped: (count: string) => `Scored with a mistyped document (${count})`,
    here: 'Correct them here',
    allCorrected: 'As many rows as there were to correct have been corrected and scored, in the batches named above.',
    again: 'Correct once more',
    chooseRows: 'Choose first which rows are corrected.',
    tooMany: (most: string) => `More than ${most} rows are corrected in a file: download them.`,
    takeRows: (name: string) => `Download the rows of ${name}`,
    sendFile: 'Send the corrected file',
    noFix: (name: string) => `${name} is Parquet: take the rows by their numbers in your own tool.`,
    row: 'Row',
    rowsOf: (name: string) => `Rows of ${name} to correct`,
    cell: (column: string, row: string) => `${column}, row ${row}`,
    wrongDigits: 'No CPF or CNPJ with right check digits',
    noCells: (name: string) => `The rows of ${name} could not be read. Correct them in a file.`,
    changed: (changed: string, all: string) =>
      `${changed} of ${all} rows changed. Those that you leave as they are, are not sent.`,
    keys: 'Enter and the arrow keys lead to the next row of a column.',
    score: (count: string) =>
      count === '0'
        ? 'Score the rows you correct'
        : count === '1'
          ? 'Score the corrected row'
          : `Score the ${count} corrected rows`,
    cancel: 'Cancel',
    joined: 'Download both as one file',
    joinedOf: (name: string) => `Download both as one file: ${name}`,
    inFirst: 'The result of this batch stays as it was: the corrected rows are answered in the batch named above.',
    inCorrection:
      'The result of this batch has the corrected rows alone: all others are in that of the batch named above.',
    joinedBody: 'One file has all rows, each corrected one in its original place:',
    joinedName: 'with-corrections',
    notJoinable:
      'The two cannot be joined here: the corrected rows do not say which ones they are (column original_row), or their result has another form.',
  },
  {
    mistyped: 'Linhas pontuadas com um documento digitado errado',
    mistypedBody: (count) =>
      count === '1'
        ? '1 linha foi pontuada embora indique alguém pelo que não é CPF nem CNPJ com dígitos verificadores certos: não existe um documento assim, e ela foi respondida como alguém desconhecido.'
        : `${count} linhas foram pontuadas embora indiquem alguém pelo que não é CPF nem CNPJ com dígitos verificadores certos: não existem documentos assim, e elas foram respondidas como alguém desconhecido.`,
    showValues: 'Mostrar os valores',
    value: 'Valor',
    title: 'Corrigir e processar só essas linhas',
    body: 'As linhas são corrigidas aqui, ou em um arquivo que você baixa e envia de novo. Elas formam um lote próprio, que diz de cada linha qual ela era; depois, os dois resultados podem ser baixados como um só arquivo.',
    which: 'Linhas a corrigir',
    leftOut: (count) => `De fora (${count})`,
    withMistyped: (count) => `Pontuadas com documento errado (${count})`,
    here: 'Corrigir aqui',
    allCorrected: 'Tantas linhas quantas havia a corrigir já foram corrigidas e pontuadas, nos lotes citados acima.',
    again: 'Corrigir de novo',
    chooseRows: 'Escolha antes quais linhas corrigir.',
    tooMany: (most) => `Mais de ${most} linhas são corrigidas em um arquivo: baixe-as.`,
    takeRows: (name) => `Baixar as linhas de ${name}`,
    sendFile: 'Enviar o arquivo corrigido',
    noFix: (name) => `${name} é Parquet: separe as linhas pelo número na sua própria ferramenta.`,
    row: 'Linha',
    rowsOf: (name) => `Linhas de ${name} a corrigir`,
    cell: (column, row) => `${column}, linha ${row}`,
    wrongDigits: 'Não é CPF nem CNPJ com dígitos verificadores certos',
    noCells: (name) => `Não foi possível ler as linhas de ${name}. Corrija-as em um arquivo.`,
    changed: (changed, all) => `${changed} de ${all} linhas alteradas. As que ficarem como estão não são enviadas.`,
    keys: 'Enter e as setas levam à próxima linha da coluna.',
    score: (count) =>
      count === '0'
        ? 'Pontuar as linhas que corrigir'
        : count === '1'
          ? 'Pontuar a linha corrigida'
          : `Pontuar as ${count} linhas corrigidas`,
    cancel: 'Cancelar',
    joined: 'Baixar os dois como um só arquivo',
    joinedOf: (name) => `Baixar os dois como um só arquivo: ${name}`,
    inFirst: 'O resultado deste lote fica como estava: as linhas corrigidas são respondidas no lote citado acima.',
    inCorrection:
      'O resultado deste lote tem só as linhas corrigidas: as outras estão no resultado do lote citado acima.',
    joinedBody: 'Um só arquivo tem todas as linhas, cada corrigida no seu lugar original:',
    joinedName: 'com-correções',
    notJoinable:
      'Os dois não podem ser unidos aqui: as linhas corrigidas não dizem quais são (coluna original_row), ou o resultado delas tem outro formato.',
  },
);
